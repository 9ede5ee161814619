// iamax, iamin: the first NaN if there is one, else the first extreme of |re| + |im|. In two steps: the best of each block, and of
// those.

template <class A> __device__ A abs1(A a) { return fabs(a); }
__device__ float abs1(c32 a) { return fabsf(a.x) + fabsf(a.y); }
__device__ double abs1(c64 a) { return fabs(a.x) + fabs(a.y); }

// Whether (v, i) comes before (w, j); an index of -1 stands for no element.
template <bool MIN> __device__ bool before(R v, i64 i, R w, i64 j) {
    if (i < 0 || j < 0) return j < 0 && i >= 0;
    bool v_nan = v != v, w_nan = w != w;
    if (v_nan != w_nan) return v_nan;
    if (!v_nan && v != w) return MIN ? v < w : v > w;
    return i < j;
}

// The best of the values that a block's threads have, in thread 0.
template <bool MIN> __device__ void best_of_block(R& v, i64& i) {
    __shared__ R values[256];
    __shared__ i64 indices[256];
    unsigned t = threadIdx.x;
    values[t] = v, indices[t] = i;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && before<MIN>(values[t + half], indices[t + half], values[t], indices[t]))
            values[t] = values[t + half], indices[t] = indices[t + half];
    }
    v = values[0], i = indices[0];
}

template <bool MIN> __device__ void extreme(i64 n, const T* x, i64 inc, R* values, i64* indices) {
    R v = 0;
    i64 best = -1;
    for (i64 i = first(); i < n; i += step()) {
        R w = abs1(x[at(n, inc, i)]);
        if (before<MIN>(w, i, v, best)) v = w, best = i;
    }
    best_of_block<MIN>(v, best);
    if (threadIdx.x == 0) values[blockIdx.x] = v, indices[blockIdx.x] = best;
}

// The index from 1, 0 for none, as an int or an i64.
template <bool MIN> __device__ void last(int count, const R* values, const i64* indices, void* out, int wide) {
    R v = 0;
    i64 best = -1;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        if (before<MIN>(values[i], indices[i], v, best)) v = values[i], best = indices[i];
    best_of_block<MIN>(v, best);
    if (threadIdx.x > 0) return;
    if (wide) *(i64*)out = best + 1;
    else *(int*)out = (int)(best + 1);
}

extern "C" __global__ void amax(i64 n, const T* x, i64 inc, R* values, i64* indices) {
    extreme<false>(n, x, inc, values, indices);
}
extern "C" __global__ void amin(i64 n, const T* x, i64 inc, R* values, i64* indices) {
    extreme<true>(n, x, inc, values, indices);
}
extern "C" __global__ void amax_last(int count, const R* values, const i64* indices, void* out, int wide) {
    last<false>(count, values, indices, out, wide);
}
extern "C" __global__ void amin_last(int count, const R* values, const i64* indices, void* out, int wide) {
    last<true>(count, values, indices, out, wide);
}
