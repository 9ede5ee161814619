/* B = 2 A B with a triangular A. Up to 1.x the result replaces B; from 2.0 on it goes to a C, which may be B. */

#include "check.h"

enum
{
    M = 40,
    N = 30
};

int main(void)
{
    static float a[M * M], b[M * N], result[M * N];
    fill(a, M * M, 4, 1);
    fill(b, M * N, 4, 2);
    float* da = upload(a, sizeof a);
    float* db = upload(b, sizeof b);

    hipblasHandle_t handle;
    BLAS(hipblasCreate(&handle));
    const float alpha = 2;
#if hipblasVersionMajor < 2
    BLAS(hipblasStrmm(handle, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_LOWER, HIPBLAS_OP_N, HIPBLAS_DIAG_NON_UNIT, M, N,
                      &alpha, da, M, db, M));
    HIP(hipMemcpy(result, db, sizeof result, hipMemcpyDeviceToHost));
#else
    float* dc = on_device(sizeof result);
    BLAS(hipblasStrmm(handle, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_LOWER, HIPBLAS_OP_N, HIPBLAS_DIAG_NON_UNIT, M, N,
                      &alpha, da, M, db, M, dc, M));
    HIP(hipMemcpy(result, db, sizeof result, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(result, b, sizeof b));
    HIP(hipMemcpy(result, dc, sizeof result, hipMemcpyDeviceToHost));
    BLAS(hipblasStrmm(handle, HIPBLAS_SIDE_LEFT, HIPBLAS_FILL_MODE_LOWER, HIPBLAS_OP_N, HIPBLAS_DIAG_NON_UNIT, M, N,
                      &alpha, da, M, db, M, db, M));
    static float in_place[M * N];
    HIP(hipMemcpy(in_place, db, sizeof in_place, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(in_place, result, sizeof result));
    HIP(hipFree(dc));
#endif

    for(int j = 0; j < N; j++)
    {
        for(int i = 0; i < M; i++)
        {
            float sum = 0;
            for(int l = 0; l <= i; l++)
                sum += a[i + l * M] * b[l + j * M];
            EXPECT(result[i + j * M] == alpha * sum);
        }
    }

    HIP(hipFree(da));
    HIP(hipFree(db));
    BLAS(hipblasDestroy(handle));
    return 0;
}
