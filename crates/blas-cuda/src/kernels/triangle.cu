// trtri: the identity that is solved for, and the triangle of the solution. A unit diagonal is not written.

extern "C" __global__ void identity(i64 n, T* a) {
    for (i64 i = first(); i < n * n; i += step()) set(a[i], (R)(i % n == i / n), (R)0);
}

extern "C" __global__ void triangle(int upper, int unit, i64 n, const T* from, i64 ld_from, T* to, i64 ld_to) {
    for (i64 j = blockIdx.y; j < n; j += gridDim.y) {
        i64 begin = upper ? 0 : j + unit, end = upper ? j + 1 - unit : n;
        for (i64 i = begin + first(); i < end; i += step()) to[i + j * ld_to] = from[i + j * ld_from];
    }
}
