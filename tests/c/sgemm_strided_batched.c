/* Five products of which A is transposed, with leading dimensions and distances larger than need be. */

#include "check.h"

enum
{
    M = 67,
    N = 45,
    K = 83,
    BATCH = 5,
    LDA = K + 2,
    LDB = K + 5,
    LDC = M + 3,
    STRIDE_A = LDA * M + 7,
    STRIDE_B = LDB * N + 11,
    STRIDE_C = LDC * N + 13
};

int main(void)
{
    static float a[STRIDE_A * BATCH], b[STRIDE_B * BATCH], c[STRIDE_C * BATCH], result[STRIDE_C * BATCH];
    fill(a, STRIDE_A * BATCH, 8, 1);
    fill(b, STRIDE_B * BATCH, 8, 2);
    fill(c, STRIDE_C * BATCH, 8, 3);

    hipblasHandle_t handle;
    BLAS(hipblasCreate(&handle));
    float* da = upload(a, sizeof a);
    float* db = upload(b, sizeof b);
    float* dc = upload(c, sizeof c);
    const float alpha = -3, beta = 0.5f;
    BLAS(hipblasSgemmStridedBatched(handle, HIPBLAS_OP_T, HIPBLAS_OP_N, M, N, K, &alpha, da, LDA, STRIDE_A, db, LDB,
                                    STRIDE_B, &beta, dc, LDC, STRIDE_C, BATCH));
    HIP(hipMemcpy(result, dc, sizeof result, hipMemcpyDeviceToHost));

    for(int e = 0; e < BATCH; e++)
    {
        for(int j = 0; j < N; j++)
        {
            for(int i = 0; i < M; i++)
            {
                float sum = 0;
                for(int l = 0; l < K; l++)
                    sum += a[e * STRIDE_A + i * LDA + l] * b[e * STRIDE_B + j * LDB + l];
                float* entry = c + e * STRIDE_C + j * LDC + i;
                *entry = alpha * sum + beta * *entry;
            }
        }
    }
    /* The padding is compared too: it has stayed what it was. */
    EXPECT(!memcmp(result, c, sizeof c));

    HIP(hipFree(da));
    HIP(hipFree(db));
    HIP(hipFree(dc));
    BLAS(hipblasDestroy(handle));
    return 0;
}
