// rotmg: as in blas-cpu, which ends on infinite numbers and keeps explicit entries when it rescales a second time.

__device__ T rescaling(T d) {
    T size = fabs(d), gamma = 4096;
    if (d == 0 || !isfinite(size)) return 0;
    return size <= 1 / (gamma * gamma) ? gamma : size >= gamma * gamma ? 1 / gamma : 0;
}

extern "C" __global__ void rotmg(T* d1, T* d2, T* x1, const T* y, T* param) {
    if (threadIdx.x > 0) return;
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
