// Kernels of our own. A vector follows BLAS: with a negative increment the pointer is to the lowest address, and element 0 is at
// the far end. Matrices are by columns.

typedef long long i64;

struct c32 { float x, y; };
struct c64 { double x, y; };
struct f16 { unsigned short bits; };
struct bf16 { unsigned short bits; };

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

// A number of any type as its two parts, and back.
template <class T> struct Parts { typedef T R; };
template <> struct Parts<c32> { typedef float R; };
template <> struct Parts<c64> { typedef double R; };
template <> struct Parts<f16> { typedef float R; };
template <> struct Parts<bf16> { typedef float R; };

template <class T> __device__ T re(T a) { return a; }
__device__ float re(c32 a) { return a.x; }
__device__ double re(c64 a) { return a.x; }
__device__ float re(f16 a) {
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(a.bits));
    return v;
}
__device__ float re(bf16 a) { return __uint_as_float((unsigned)a.bits << 16); }

template <class T> __device__ T im(T) { return 0; }
__device__ float im(c32 a) { return a.y; }
__device__ double im(c64 a) { return a.y; }
__device__ float im(f16) { return 0; }
__device__ float im(bf16) { return 0; }

template <class T, class R> __device__ void set(T& a, R x, R) { a = x; }
__device__ void set(c32& a, float x, float y) { a.x = x, a.y = y; }
__device__ void set(c64& a, double x, double y) { a.x = x, a.y = y; }
__device__ void set(f16& a, float x, float) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(a.bits) : "f"(x)); }
__device__ void set(bf16& a, float x, float) {
    unsigned bits = __float_as_uint(x);
    a.bits = x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

// Part i of a coefficient that has one or two.
template <class R> __device__ R part(const Coef& c, int parts, int i) {
    return i < parts ? ((const R*)(c.device ? c.device : c.value))[i] : 0;
}

// -------------------------------------------------------------------------------------------------------------------------
// alpha = 0: operands must not be read, and the output becomes beta times itself. Each of these does nothing (or copies as it
// is) for another alpha. `triangle` is 0 for a full matrix, 1 for the lower triangle, 2 for the upper one.

__device__ bool inside(int triangle, i64 i, i64 j) { return triangle == 0 || (triangle == 1 ? i >= j : i <= j); }

template <class T> __device__ bool nonzero(const Coef& alpha, int parts) {
    typedef typename Parts<T>::R R;
    return part<R>(alpha, parts, 0) != 0 || part<R>(alpha, parts, 1) != 0;
}

template <class T>
__device__ void save(int alpha_parts, Coef alpha, int triangle, i64 m, i64 n, const T* from, i64 ld, T* to) {
    if (nonzero<T>(alpha, alpha_parts)) return;
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 j = blockIdx.y; j < n; j += gridDim.y)
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < m; i += step)
            if (inside(triangle, i, j)) to[i + j * m] = from[i + j * ld];
}

template <class T>
__device__ void scaled(
    int alpha_parts, Coef alpha, int beta_parts, Coef beta, int triangle, int hermitian, i64 m, i64 n, const T* from,
    i64 ld_from, T* to, i64 ld_to
) {
    typedef typename Parts<T>::R R;
    if (nonzero<T>(alpha, alpha_parts)) return;
    R b = part<R>(beta, beta_parts, 0), c = part<R>(beta, beta_parts, 1);
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 j = blockIdx.y; j < n; j += gridDim.y)
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < m; i += step) {
            if (!inside(triangle, i, j)) continue;
            R x = 0, y = 0;
            if (b != 0 || c != 0) {
                T old = from[i + j * ld_from];
                x = b * re(old), y = b * im(old);
                if (beta_parts > 1) x -= c * im(old), y += c * re(old);
            }
            if (hermitian && i == j) y = 0;
            set(to[i + j * ld_to], x, y);
        }
}

// A vector without gaps, or zeros.
template <class T>
__device__ void unless_zero(int alpha_parts, Coef alpha, i64 n, const T* x, i64 inc, T* to) {
    bool any = nonzero<T>(alpha, alpha_parts);
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        if (any) to[i] = x[at(n, inc, i)];
        else set_real(to[i], 0);
}

#define ALPHA(s, T)                                                                                                         \
    extern "C" __global__ void save_##s(                                                                                    \
        int alpha_parts, Coef alpha, int triangle, i64 m, i64 n, const T* from, i64 ld, T* to                               \
    ) {                                                                                                                     \
        save(alpha_parts, alpha, triangle, m, n, from, ld, to);                                                             \
    }                                                                                                                       \
    extern "C" __global__ void scaled_##s(                                                                                  \
        int alpha_parts, Coef alpha, int beta_parts, Coef beta, int triangle, int hermitian, i64 m, i64 n, const T* from,   \
        i64 ld_from, T* to, i64 ld_to                                                                                       \
    ) {                                                                                                                     \
        scaled(alpha_parts, alpha, beta_parts, beta, triangle, hermitian, m, n, from, ld_from, to, ld_to);                  \
    }
ALPHA(h, f16)
ALPHA(bf, bf16)
ALPHA(s, float)
ALPHA(d, double)
ALPHA(c, c32)
ALPHA(z, c64)

// -------------------------------------------------------------------------------------------------------------------------
// geam as a copy: to = op(from), bit for bit, where cuBLAS multiplies by 1, which a complex NaN or infinity does not survive.
// `to` is m x n.

template <class T> __device__ T conjugate(T a, int) { return a; }
__device__ c32 conjugate(c32 a, int conj) { return {a.x, conj ? -a.y : a.y}; }
__device__ c64 conjugate(c64 a, int conj) { return {a.x, conj ? -a.y : a.y}; }

template <class T>
__device__ void copy(int transposed, int conj, i64 m, i64 n, const T* from, i64 ld_from, T* to, i64 ld_to) {
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

// The diagonal of a Hermitian matrix is real.
template <class T> __device__ void real_diagonal(i64 n, T* a, i64 ld) {
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) a[i + i * ld].y = 0;
}
extern "C" __global__ void real_diagonal_c(i64 n, c32* a, i64 ld) { real_diagonal(n, a, ld); }
extern "C" __global__ void real_diagonal_z(i64 n, c64* a, i64 ld) { real_diagonal(n, a, ld); }

// -------------------------------------------------------------------------------------------------------------------------
// nrm2: squares of the narrower types are summed in double, where they neither overflow nor underflow; those of double in three
// sums, of which the outer two are scaled (Blue, 1978, with the constants of LAPACK 3.10).

struct Sums { double small, medium, large; };

template <class R> __device__ void add_square(Sums& s, R v) { s.medium += (double)v * v; }
template <> __device__ void add_square(Sums& s, double v) {
    const double tiny = 0x1p-511, huge = 0x1p486, up = 0x1p537, down = 0x1p-538;
    v = fabs(v);
    if (v > huge) s.large += (v * down) * (v * down);
    else if (v < tiny) s.small += (v * up) * (v * up);
    else s.medium += v * v;
}

__device__ double root(Sums s) {
    const double up = 0x1p537, down = 0x1p-538;
    if (s.large > 0 || s.large != s.large) {
        if (s.medium > 0 || s.medium != s.medium) s.large += (s.medium * down) * down;
        return sqrt(s.large) / down;
    }
    if (s.small > 0) {
        if (s.medium > 0 || s.medium != s.medium) {
            double medium = sqrt(s.medium), small = sqrt(s.small) / up;
            if (medium != medium) return medium;
            double low = fmin(medium, small), high = fmax(medium, small);
            return high * sqrt(1 + (low / high) * (low / high));
        }
        return sqrt(s.small) / up;
    }
    return sqrt(s.medium);
}

// The sums of a block's threads, in thread 0, added in an order that is always the same.
__device__ Sums sums_of_block(Sums s) {
    __shared__ Sums all[256];
    unsigned t = threadIdx.x;
    all[t] = s;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            all[t].small += all[t + half].small;
            all[t].medium += all[t + half].medium;
            all[t].large += all[t + half].large;
        }
    }
    return all[0];
}

template <class T> __device__ void nrm2(i64 n, const T* x, i64 inc, Sums* out) {
    Sums s = {0, 0, 0};
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        T v = x[at(n, inc, i)];
        add_square(s, re(v)), add_square(s, im(v));
    }
    s = sums_of_block(s);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
}

template <class T> __device__ void nrm2_last(int count, const Sums* sums, T* out) {
    Sums s = {0, 0, 0};
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        s.small += sums[i].small;
        s.medium += sums[i].medium;
        s.large += sums[i].large;
    }
    s = sums_of_block(s);
    typedef typename Parts<T>::R R;
    if (threadIdx.x == 0) set(*out, (R)root(s), (R)0);
}

#define NRM2(s, T) extern "C" __global__ void nrm2_##s(i64 n, const T* x, i64 inc, Sums* out) { nrm2(n, x, inc, out); }
#define NRM2_LAST(s, T)                                                                                                     \
    extern "C" __global__ void nrm2_last_##s(int count, const Sums* sums, T* out) { nrm2_last(count, sums, out); }
NRM2(h, f16)
NRM2(bf, bf16)
NRM2(s, float)
NRM2(d, double)
NRM2(c, c32)
NRM2(z, c64)
NRM2_LAST(h, f16)
NRM2_LAST(bf, bf16)
NRM2_LAST(s, float)
NRM2_LAST(d, double)

// -------------------------------------------------------------------------------------------------------------------------
// rotg of complex types, in double precision on numbers brought near 1: only r itself can leave the range.

__device__ double size(c64 a) { return fmax(fabs(a.x), fabs(a.y)); }
__device__ c64 times_power(c64 a, int e) { return {ldexp(a.x, e), ldexp(a.y, e)}; }
__device__ double norm(c64 a) { return hypot(a.x, a.y); }
__device__ int exponent(double a) {
    int e;
    frexp(a, &e);
    return e;
}
// a / |a|
__device__ c64 unit(c64 a) {
    double s = size(a);
    if (s != 0 && isfinite(s)) a = times_power(a, -exponent(s));
    double r = norm(a);
    return {a.x / r, a.y / r};
}

template <class T, class R> __device__ void rotg(T* a, const T* b, R* c, T* s) {
    c64 f = {re(*a), im(*a)}, g = {re(*b), im(*b)};
    if (g.x == 0 && g.y == 0) {
        *c = 1, set(*s, (R)0, (R)0);
        return;
    }
    c64 ug = unit(g), conj = {ug.x, -ug.y};
    double largest = fmax(size(f), size(g));
    bool scale = isfinite(largest) && size(f) == size(f) && size(g) == size(g);
    int e = scale ? exponent(largest) : 0;
    double nf = norm(times_power(f, -e)), ng = norm(times_power(g, -e));
    if (f.x == 0 && f.y == 0) {
        *c = 0, set(*s, (R)conj.x, (R)conj.y), set(*a, (R)ldexp(ng, e), (R)0);
        return;
    }
    c64 uf = unit(f);
    double r = hypot(nf, ng), t = ng / r;
    *c = nf / r;
    set(*s, (R)((uf.x * conj.x - uf.y * conj.y) * t), (R)((uf.x * conj.y + uf.y * conj.x) * t));
    set(*a, (R)ldexp(uf.x * r, e), (R)ldexp(uf.y * r, e));
}
extern "C" __global__ void rotg_c(c32* a, const c32* b, float* c, c32* s) {
    if (threadIdx.x == 0) rotg(a, b, c, s);
}
extern "C" __global__ void rotg_z(c64* a, const c64* b, double* c, c64* s) {
    if (threadIdx.x == 0) rotg(a, b, c, s);
}

// -------------------------------------------------------------------------------------------------------------------------
// rotmg: as in blas-cpu, which ends on infinite numbers and keeps explicit entries when it rescales a second time.

template <class T> __device__ T rescaling(T d) {
    T size = fabs(d), gamma = 4096;
    if (d == 0 || !isfinite(size)) return 0;
    return size <= 1 / (gamma * gamma) ? gamma : size >= gamma * gamma ? 1 / gamma : 0;
}

template <class T> __device__ void rotmg(T* d1, T* d2, T* x1, const T* y, T* param) {
    T y1 = *y, p2 = *d2 * y1, h11 = 1, h21 = 0, h12 = 0, h22 = 1, flag, k;
    bool hopeless = *d1 < 0;
    if (!hopeless && p2 == 0) {
        param[0] = -2;
        return;
    }
    T p1 = *d1 * *x1, q1 = p1 * *x1, q2 = p2 * y1;
    if (!hopeless && fabs(q1) > fabs(q2)) {
        flag = 0, h21 = -y1 / *x1, h12 = p2 / p1;
        T u = 1 - h12 * h21;
        // Rounding alone brings this about.
        hopeless = u <= 0;
        if (!hopeless) *d1 /= u, *d2 /= u, *x1 *= u;
    } else if (!hopeless) {
        hopeless = q2 < 0;
        if (!hopeless) {
            flag = 1, h11 = p1 / p2, h12 = 1, h21 = -1, h22 = *x1 / y1;
            T u = 1 + h11 * h22, old = *d1;
            *d1 = *d2 / u, *d2 = old / u, *x1 = y1 * u;
        }
    }
    if (hopeless) {
        *d1 = *d2 = *x1 = 0;
        param[0] = -1, param[1] = param[2] = param[3] = param[4] = 0;
        return;
    }
    // d1 goes with the first row of H and with x1, d2 with the second row.
    while ((k = rescaling(*d1)) != 0) flag = -1, *d1 = *d1 * k * k, *x1 /= k, h11 /= k, h12 /= k;
    while ((k = rescaling(*d2)) != 0) flag = -1, *d2 = *d2 * k * k, h21 /= k, h22 /= k;
    param[0] = flag;
    if (flag != 0) param[1] = h11, param[4] = h22;
    if (flag != 1) param[2] = h21, param[3] = h12;
}
extern "C" __global__ void rotmg_s(float* d1, float* d2, float* x1, const float* y1, float* param) {
    if (threadIdx.x == 0) rotmg(d1, d2, x1, y1, param);
}
extern "C" __global__ void rotmg_d(double* d1, double* d2, double* x1, const double* y1, double* param) {
    if (threadIdx.x == 0) rotmg(d1, d2, x1, y1, param);
}

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

// getri: the same of each matrix of a batch, and the inverses of those that have one.
template <class T> __device__ void keep(i64 n, i64 batch, const T* const* from, T* const* to, i64 ld, const int* info) {
    i64 step = (i64)gridDim.x * blockDim.x;
    for (i64 b = blockIdx.y; b < batch; b += gridDim.y) {
        if (info[b] != 0) continue;
        for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < n * n; i += step)
            to[b][i % n + i / n * ld] = from[b][i];
    }
}

#define FIELD(s, T)                                                                                                         \
    extern "C" __global__ void identity_##s(i64 n, T* a) { identity(n, a); }                                                \
    extern "C" __global__ void triangle_##s(int upper, int unit, i64 n, const T* from, i64 ld_from, T* to, i64 ld_to) {     \
        triangle(upper, unit, n, from, ld_from, to, ld_to);                                                                 \
    }                                                                                                                       \
    extern "C" __global__ void unless_zero_##s(                                                                             \
        int alpha_parts, Coef alpha, i64 n, const T* x, i64 inc, T* to                                                      \
    ) {                                                                                                                     \
        unless_zero(alpha_parts, alpha, n, x, inc, to);                                                                     \
    }                                                                                                                       \
    extern "C" __global__ void copy_##s(                                                                                    \
        int transposed, int conj, i64 m, i64 n, const T* from, i64 ld_from, T* to, i64 ld_to                                \
    ) {                                                                                                                     \
        copy(transposed, conj, m, n, from, ld_from, to, ld_to);                                                             \
    }                                                                                                                       \
    extern "C" __global__ void zero_on_diagonal_##s(i64 n, const T* a, i64 ld, int* info) {                                 \
        zero_on_diagonal(n, a, ld, info);                                                                                   \
    }                                                                                                                       \
    extern "C" __global__ void singular_##s(i64 n, i64 batch, const T* const* a, i64 ld, int* info) {                       \
        for (i64 b = blockIdx.x; b < batch; b += gridDim.x) {                                                               \
            zero_on_diagonal(n, a[b], ld, info + b);                                                                        \
            __syncthreads();                                                                                                \
        }                                                                                                                   \
    }                                                                                                                       \
    extern "C" __global__ void keep_##s(                                                                                    \
        i64 n, i64 batch, const T* const* from, T* const* to, i64 ld, const int* info                                       \
    ) {                                                                                                                     \
        keep(n, batch, from, to, ld, info);                                                                                 \
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
