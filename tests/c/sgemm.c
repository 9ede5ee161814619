/* C = 2 A B - C with 1024 x 1024 matrices, through hipBLAS's own copies of matrices and vectors. */

#include "check.h"

enum
{
    N = 1024,
    LD = 1040
};

int main(void)
{
    float* a = on_host(sizeof(float) * LD * N);
    float* b = on_host(sizeof(float) * N * N);
    float* c = on_host(sizeof(float) * LD * N);
    float* result = on_host(sizeof(float) * LD * N);
    fill(a, (size_t)LD * N, 4, 1);
    fill(b, (size_t)N * N, 4, 2);
    fill(c, (size_t)LD * N, 4, 3);
    memcpy(result, c, sizeof(float) * LD * N);

    hipblasHandle_t handle;
    BLAS(hipblasCreate(&handle));
    float* da = on_device(sizeof(float) * N * N);
    float* db = on_device(sizeof(float) * N * N);
    float* dc = on_device(sizeof(float) * N * N);
    BLAS(hipblasSetMatrix(N, N, sizeof(float), a, LD, da, N));
    BLAS(hipblasSetVector(N * N, sizeof(float), b, 1, db, 1));
    BLAS(hipblasSetMatrix(N, N, sizeof(float), c, LD, dc, N));

    const float alpha = 2, beta = -1;
    BLAS(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, N, N, N, &alpha, da, N, db, N, &beta, dc, N));
    BLAS(hipblasGetMatrix(N, N, sizeof(float), dc, N, result, LD));

    for(int j = 0; j < N; j += 31)
    {
        for(int i = 0; i < N; i += 17)
        {
            float sum = 0;
            for(int l = 0; l < N; l++)
                sum += a[i + (size_t)l * LD] * b[l + (size_t)j * N];
            EXPECT(result[i + (size_t)j * LD] == alpha * sum + beta * c[i + (size_t)j * LD]);
        }
    }
    /* What is between the columns is not the matrix's. */
    for(int j = 0; j < N; j++)
        EXPECT(!memcmp(result + (size_t)j * LD + N, c + (size_t)j * LD + N, sizeof(float) * (LD - N)));

    HIP(hipFree(da));
    HIP(hipFree(db));
    HIP(hipFree(dc));
    BLAS(hipblasDestroy(handle));
    free(a);
    free(b);
    free(c);
    free(result);
    return 0;
}
