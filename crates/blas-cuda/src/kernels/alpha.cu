// alpha = 0: operands must not be read, and the output becomes beta times itself. Each of these does nothing (or copies as it is)
// for another alpha. `triangle` is 0 for a full matrix, 1 for the lower triangle, 2 for the upper one.

__device__ bool inside(int triangle, i64 i, i64 j) { return triangle == 0 || (triangle == 1 ? i >= j : i <= j); }

__device__ bool nonzero(const Coef& alpha, int parts) { return part(alpha, parts, 0) != 0 || part(alpha, parts, 1) != 0; }

// What is to be scaled later.
extern "C" __global__ void save(int alpha_parts, Coef alpha, int triangle, i64 m, i64 n, const T* from, i64 ld, T* to) {
    if (nonzero(alpha, alpha_parts)) return;
    for (i64 j = blockIdx.y; j < n; j += gridDim.y)
        for (i64 i = first(); i < m; i += step())
            if (inside(triangle, i, j)) to[i + j * m] = from[i + j * ld];
}

// to = beta * from
extern "C" __global__ void scaled(
    int alpha_parts, Coef alpha, int beta_parts, Coef beta, int triangle, int hermitian, i64 m, i64 n, const T* from,
    i64 ld_from, T* to, i64 ld_to
) {
    if (nonzero(alpha, alpha_parts)) return;
    R b = part(beta, beta_parts, 0), c = part(beta, beta_parts, 1);
    for (i64 j = blockIdx.y; j < n; j += gridDim.y)
        for (i64 i = first(); i < m; i += step()) {
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
extern "C" __global__ void unless_zero(int alpha_parts, Coef alpha, i64 n, const T* x, i64 inc, T* to) {
    bool any = nonzero(alpha, alpha_parts);
    for (i64 i = first(); i < n; i += step())
        if (any) to[i] = x[at(n, inc, i)];
        else set(to[i], (R)0, (R)0);
}
