// Of complex types alone: spr, AP = alpha x x^T + AP, and the diagonal of Hermitian matrices, which is real.

__device__ T mul(T a, T b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

extern "C" __global__ void spr(int upper, i64 n, Coef c, const T* x, i64 inc, T* ap) {
    T alpha = coef<T>(c);
    if (alpha.x == 0 && alpha.y == 0) return;
    for (i64 j = blockIdx.y; j < n; j += gridDim.y) {
        T xj = mul(alpha, x[at(n, inc, j)]);
        T* column = ap + (upper ? j * (j + 1) / 2 : j * (2 * n - j - 1) / 2);
        i64 begin = upper ? 0 : j, end = upper ? j + 1 : n;
        for (i64 i = begin + first(); i < end; i += step()) {
            T p = mul(x[at(n, inc, i)], xj);
            column[i].x += p.x, column[i].y += p.y;
        }
    }
}

extern "C" __global__ void real_diagonal(i64 n, T* a, i64 ld) {
    for (i64 i = first(); i < n; i += step()) a[i + i * ld].y = 0;
}
