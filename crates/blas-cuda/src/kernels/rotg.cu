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

extern "C" __global__ void rotg(T* a, const T* b, R* c, T* s) {
    if (threadIdx.x > 0) return;
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
