// dsdot: the operands in double precision, without gaps.

extern "C" __global__ void widen(i64 n, const T* x, i64 inc, double* out) {
    for (i64 i = first(); i < n; i += step()) out[i] = x[at(n, inc, i)];
}
