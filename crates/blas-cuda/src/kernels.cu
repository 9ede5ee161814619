// Kernels of our own. A vector follows BLAS: with a negative increment the pointer is to the lowest address, and element 0 is at
// the far end. Matrices are by columns.

typedef long long i64;

struct c32 { float x, y; };
struct c64 { double x, y; };

struct Coef {
    const void* device;
    unsigned long long value[2];
};

template <class T> __device__ T coef(const Coef& c) {
    return *(const T*)(c.device ? c.device : c.value);
}

__device__ i64 at(i64 n, i64 inc, i64 i) { return inc < 0 ? (i - n + 1) * inc : i * inc; }

template <class T> __device__ bool is_zero(T a) { return a == 0; }
__device__ bool is_zero(c32 a) { return a.x == 0 && a.y == 0; }
__device__ bool is_zero(c64 a) { return a.x == 0 && a.y == 0; }

template <class T> __device__ void set_real(T& a, float v) { a = v; }
__device__ void set_real(c32& a, float v) { a.x = v, a.y = 0; }
__device__ void set_real(c64& a, float v) { a.x = v, a.y = 0; }

// -------------------------------------------------------------------------------------------------------------------------
// iamax, iamin: the first NaN if there is one, else the first extreme of |re| + |im|.

__device__ float abs1(float a) { return fabsf(a); }
__device__ double abs1(double a) { return fabs(a); }
__device__ float abs1(c32 a) { return fabsf(a.x) + fabsf(a.y); }
__device__ double abs1(c64 a) { return fabs(a.x) + fabs(a.y); }

// Whether (v, i) comes before (w, j); an index of -1 stands for no element.
template <bool MIN, class R> __device__ bool before(R v, i64 i, R w, i64 j) {
    if (i < 0 || j < 0) return j < 0 && i >= 0;
    bool v_nan = v != v, w_nan = w != w;
    if (v_nan != w_nan) return v_nan;
    if (!v_nan && v != w) return MIN ? v < w : v > w;
    return i < j;
}

// The best of the values that a block's threads have, in thread 0.
template <bool MIN, class R> __device__ void best_of_block(R& v, i64& i) {
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

template <bool MIN, class T, class R>
__device__ void extreme(i64 n, const T* x, i64 inc, R* values, i64* indices) {
    R v = 0;
    i64 best = -1, step = (i64)gridDim.x * blockDim.x;
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        R w = abs1(x[at(n, inc, i)]);
        if (before<MIN>(w, i, v, best)) v = w, best = i;
    }
    best_of_block<MIN>(v, best);
    if (threadIdx.x == 0) values[blockIdx.x] = v, indices[blockIdx.x] = best;
}

// The index from 1, 0 for none, as an int or an i64.
template <bool MIN, class R>
__device__ void last(int count, const R* values, const i64* indices, void* out, int wide) {
    R v = 0;
    i64 best = -1;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        if (before<MIN>(values[i], indices[i], v, best)) v = values[i], best = indices[i];
    best_of_block<MIN>(v, best);
    if (threadIdx.x > 0) return;
    if (wide) *(i64*)out = best + 1;
    else *(int*)out = (int)(best + 1);
}

#define EXTREME(name, MIN, s, T, R)                                                                                         \
    extern "C" __global__ void name##_##s(i64 n, const T* x, i64 inc, R* values, i64* indices) {                            \
        extreme<MIN>(n, x, inc, values, indices);                                                                           \
    }
#define LAST(name, MIN, s, R)                                                                                               \
    extern "C" __global__ void name##_last_##s(int count, const R* values, const i64* indices, void* out, int wide) {       \
        last<MIN>(count, values, indices, out, wide);                                                                       \
    }
EXTREME(amax, false, s, float, float)
EXTREME(amax, false, d, double, double)
EXTREME(amax, false, c, c32, float)
EXTREME(amax, false, z, c64, double)
EXTREME(amin, true, s, float, float)
EXTREME(amin, true, d, double, double)
EXTREME(amin, true, c, c32, float)
EXTREME(amin, true, z, c64, double)
LAST(amax, false, s, float)
LAST(amax, false, d, double)
LAST(amin, true, s, float)
LAST(amin, true, d, double)

// -------------------------------------------------------------------------------------------------------------------------
// dsdot: the operands in double precision, without gaps.

extern "C" __global__ void widen(i64 n, const float* x, i64 inc, double* out) {
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) out[i] = x[at(n, inc, i)];
}

// -------------------------------------------------------------------------------------------------------------------------
// spr of complex types: AP = alpha x x^T + AP.

template <class T> __device__ T mul(T a, T b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

template <class T> __device__ void spr(int upper, i64 n, Coef c, const T* x, i64 inc, T* ap) {
    T alpha = coef<T>(c);
    if (is_zero(alpha)) return;
    for (i64 j = blockIdx.y; j < n; j += gridDim.y) {
        T xj = mul(alpha, x[at(n, inc, j)]);
        T* column = ap + (upper ? j * (j + 1) / 2 : j * (2 * n - j - 1) / 2);
        i64 first = upper ? 0 : j, end = upper ? j + 1 : n, step = (i64)gridDim.x * blockDim.x;
        for (i64 i = first + (i64)blockIdx.x * blockDim.x + threadIdx.x; i < end; i += step) {
            T p = mul(x[at(n, inc, i)], xj);
            column[i].x += p.x, column[i].y += p.y;
        }
    }
}
extern "C" __global__ void spr_c(int upper, i64 n, Coef c, const c32* x, i64 inc, c32* ap) { spr(upper, n, c, x, inc, ap); }
extern "C" __global__ void spr_z(int upper, i64 n, Coef c, const c64* x, i64 inc, c64* ap) { spr(upper, n, c, x, inc, ap); }

// -------------------------------------------------------------------------------------------------------------------------
// trtri: the identity that is solved for, and the triangle of the solution. A unit diagonal is not written.

template <class T> __device__ void identity(i64 n, T* a) {
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += step) set_real(a[i], i % n == i / n ? 1 : 0);
}

template <class T> __device__ void triangle(int upper, int unit, i64 n, const T* from, i64 ld_from, T* to, i64 ld_to) {
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 j = blockIdx.y; j < n; j += gridDim.y) {
        i64 first = upper ? 0 : j + unit, end = upper ? j + 1 - unit : n;
        for (i64 i = first + (i64)blockIdx.x * blockDim.x + threadIdx.x; i < end; i += step)
            to[i + j * ld_to] = from[i + j * ld_from];
    }
}

// -------------------------------------------------------------------------------------------------------------------------
// gels: the first zero on the diagonal of a triangular factor, from 1, or 0.

template <class T> __device__ void zero_on_diagonal(i64 n, const T* a, i64 ld, int* info) {
    __shared__ i64 first;
    if (threadIdx.x == 0) first = n;
    __syncthreads();
    for (i64 i = threadIdx.x; i < n; i += blockDim.x)
        if (is_zero(a[i + i * ld])) atomicMin((unsigned long long*)&first, (unsigned long long)i);
    __syncthreads();
    if (threadIdx.x == 0) *info = first < n ? (int)(first + 1) : 0;
}

#define FIELD(s, T)                                                                                                         \
    extern "C" __global__ void identity_##s(i64 n, T* a) { identity(n, a); }                                                \
    extern "C" __global__ void triangle_##s(int upper, int unit, i64 n, const T* from, i64 ld_from, T* to, i64 ld_to) {     \
        triangle(upper, unit, n, from, ld_from, to, ld_to);                                                                 \
    }                                                                                                                       \
    extern "C" __global__ void zero_on_diagonal_##s(i64 n, const T* a, i64 ld, int* info) {                                 \
        zero_on_diagonal(n, a, ld, info);                                                                                   \
    }
FIELD(s, float)
FIELD(d, double)
FIELD(c, c32)
FIELD(z, c64)

// -------------------------------------------------------------------------------------------------------------------------
// gemm of i8 with leading dimensions or addresses that cuBLAS does not take. Sums wrap round, as in cuBLAS.

extern "C" __global__ void gemm_i8(
    int ta, int tb, i64 m, i64 n, i64 k, Coef alpha, const signed char* a, i64 lda, const signed char* b, i64 ldb,
    Coef beta, int* c, i64 ldc
) {
    __shared__ int as[16][17], bs[16][17];
    unsigned al = coef<unsigned>(alpha), be = coef<unsigned>(beta);
    unsigned tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    for (i64 j0 = (i64)blockIdx.y * 16; j0 < n; j0 += (i64)gridDim.y * 16) {
        for (i64 i0 = (i64)blockIdx.x * 16; i0 < m; i0 += (i64)gridDim.x * 16) {
            unsigned sum = 0;
            i64 i = i0 + tx, j = j0 + ty;
            for (i64 l0 = 0; al != 0 && l0 < k; l0 += 16) {
                i64 la = l0 + ty, lb = l0 + tx;
                as[ty][tx] = i < m && la < k ? a[ta ? la + i * lda : i + la * lda] : 0;
                bs[ty][tx] = j < n && lb < k ? b[tb ? j + lb * ldb : lb + j * ldb] : 0;
                __syncthreads();
                for (int l = 0; l < 16; l++) sum += (unsigned)(as[l][tx] * bs[ty][l]);
                __syncthreads();
            }
            if (i < m && j < n) {
                unsigned old = be == 0 ? 0 : (unsigned)c[i + j * ldc];
                c[i + j * ldc] = (int)(al * sum + be * old);
            }
        }
    }
}
