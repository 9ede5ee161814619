// gels, getri: singular triangular factors.

// The first zero on a diagonal, from 1, or 0.
__device__ void find_zero(i64 n, const T* a, i64 ld, int* info) {
    __shared__ unsigned long long found;
    if (threadIdx.x == 0) found = n;
    __syncthreads();
    for (i64 i = threadIdx.x; i < n; i += blockDim.x) {
        T d = a[i + i * ld];
        if (re(d) == 0 && im(d) == 0) atomicMin(&found, (unsigned long long)i);
    }
    __syncthreads();
    if (threadIdx.x == 0) *info = found < n ? (int)(found + 1) : 0;
    __syncthreads();
}

extern "C" __global__ void zero_on_diagonal(i64 n, const T* a, i64 ld, int* info) { find_zero(n, a, ld, info); }

// The same of each matrix of a batch.
extern "C" __global__ void singular(i64 n, i64 batch, const T* const* a, i64 ld, int* info) {
    for (i64 b = blockIdx.x; b < batch; b += gridDim.x) find_zero(n, a[b], ld, info + b);
}

// The inverses of those matrices that have one.
extern "C" __global__ void keep(i64 n, i64 batch, const T* const* from, T* const* to, i64 ld, const int* info) {
    for (i64 b = blockIdx.y; b < batch; b += gridDim.y) {
        if (info[b] != 0) continue;
        for (i64 i = first(); i < n * n; i += step()) to[b][i % n + i / n * ld] = from[b][i];
    }
}
