// gemm of i8 with leading dimensions, addresses or coefficients that cuBLAS does not take. Sums wrap round.

extern "C" __global__ void gemm(
    int ta, int tb, i64 m, i64 n, i64 k, Coef alpha, const T* a, i64 lda, const T* b, i64 ldb,
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
