// geam as a copy: to = op(from), bit for bit, where cuBLAS multiplies by 1, which a complex NaN or infinity does not survive. `to`
// is m x n.

template <class A> __device__ A conjugate(A a, int) { return a; }
__device__ c32 conjugate(c32 a, int conj) { return {a.x, conj ? -a.y : a.y}; }
__device__ c64 conjugate(c64 a, int conj) { return {a.x, conj ? -a.y : a.y}; }

extern "C" __global__ void copy(int transposed, int conj, i64 m, i64 n, const T* from, i64 ld_from, T* to, i64 ld_to) {
    __shared__ T tile[16][17];
    unsigned tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    for (i64 j0 = (i64)blockIdx.y * 16; j0 < n; j0 += (i64)gridDim.y * 16)
        for (i64 i0 = (i64)blockIdx.x * 16; i0 < m; i0 += (i64)gridDim.x * 16) {
            i64 i = i0 + tx, j = j0 + ty;
            if (!transposed) {
                if (i < m && j < n) to[i + j * ld_to] = conjugate(from[i + j * ld_from], conj);
                continue;
            }
            i64 row = j0 + tx, column = i0 + ty;
            if (row < n && column < m) tile[ty][tx] = from[row + column * ld_from];
            __syncthreads();
            if (i < m && j < n) to[i + j * ld_to] = conjugate(tile[tx][ty], conj);
            __syncthreads();
        }
}
