// What all kernels share. Each file is compiled for the one type TYPE that is asked for.
//
// A vector follows BLAS: with a negative increment the pointer is to the lowest address, and element 0 is at the far end. Matrices
// are by columns. Kernels work with blocks of 256 threads.

typedef long long i64;

struct c32 { float x, y; };
struct c64 { double x, y; };
struct f16 { unsigned short bits; };
struct bf16 { unsigned short bits; };

// A coefficient: where it is on the device, or null and its value.
struct Coef {
    const void* device;
    unsigned long long value[2];
};

// The type of a number's parts.
template <class T> struct Parts { typedef T R; };
template <> struct Parts<c32> { typedef float R; };
template <> struct Parts<c64> { typedef double R; };
template <> struct Parts<f16> { typedef float R; };
template <> struct Parts<bf16> { typedef float R; };

typedef TYPE T;
typedef Parts<T>::R R;

template <class A> __device__ A coef(const Coef& c) { return *(const A*)(c.device ? c.device : c.value); }

// Part i of a coefficient that has one or two.
__device__ R part(const Coef& c, int parts, int i) {
    return i < parts ? ((const R*)(c.device ? c.device : c.value))[i] : 0;
}

__device__ i64 at(i64 n, i64 inc, i64 i) { return inc < 0 ? (i - n + 1) * inc : i * inc; }

// This thread among those of all blocks of a row of the grid, and their number.
__device__ i64 first() { return (i64)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ i64 step() { return (i64)gridDim.x * blockDim.x; }

// The parts of a number, and the number of two parts.
template <class A> __device__ A re(A a) { return a; }
__device__ float re(c32 a) { return a.x; }
__device__ double re(c64 a) { return a.x; }
__device__ float re(f16 a) {
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(a.bits));
    return v;
}
__device__ float re(bf16 a) { return __uint_as_float((unsigned)a.bits << 16); }

template <class A> __device__ A im(A) { return 0; }
__device__ float im(c32 a) { return a.y; }
__device__ double im(c64 a) { return a.y; }
__device__ float im(f16) { return 0; }
__device__ float im(bf16) { return 0; }

template <class A, class B> __device__ void set(A& a, B x, B) { a = x; }
__device__ void set(c32& a, float x, float y) { a.x = x, a.y = y; }
__device__ void set(c64& a, double x, double y) { a.x = x, a.y = y; }
__device__ void set(f16& a, float x, float) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(a.bits) : "f"(x)); }
__device__ void set(bf16& a, float x, float) {
    unsigned bits = __float_as_uint(x);
    a.bits = x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
