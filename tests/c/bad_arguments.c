/* Calls that hipBLAS refuses, and those with nothing to do, which it does not. */

#include "check.h"

int main(void)
{
    hipblasHandle_t handle;
    BLAS_RETURNS(HIPBLAS_STATUS_HANDLE_IS_NULLPTR, hipblasCreate(NULL));
    BLAS(hipblasCreate(&handle));
    float x[4] = {1, 2, 3, 4};
    float* d = upload(x, sizeof x);
    const float one = 1;

    BLAS_RETURNS(HIPBLAS_STATUS_NOT_INITIALIZED, hipblasSscal(NULL, 4, &one, d, 1));
    BLAS_RETURNS(HIPBLAS_STATUS_INVALID_VALUE,
                 hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, -1, 2, 2, &one, d, 2, d, 2, &one, d, 2));
    BLAS_RETURNS(HIPBLAS_STATUS_INVALID_VALUE,
                 hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 2, 2, 2, &one, d, 1, d, 2, &one, d, 2));
    BLAS_RETURNS(HIPBLAS_STATUS_INVALID_VALUE,
                 hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 2, 2, 2, NULL, d, 2, d, 2, &one, d, 2));
    const hipblasOperation_t no_op = (hipblasOperation_t)HIPBLAS_FILL_MODE_FULL;
    BLAS_RETURNS(HIPBLAS_STATUS_INVALID_ENUM,
                 hipblasSgemm(handle, no_op, HIPBLAS_OP_N, 2, 2, 2, &one, d, 2, d, 2, &one, d, 2));
    BLAS_RETURNS(HIPBLAS_STATUS_INVALID_VALUE,
                 hipblasSgemv(handle, HIPBLAS_OP_N, 2, 2, &one, d, 2, d, 0, &one, d, 1));
    /* Nothing to do: no pointer is looked at. */
    BLAS(hipblasSscal(handle, 0, NULL, NULL, 1));
    BLAS(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 0, 2, 2, NULL, NULL, 2, NULL, 2, NULL, NULL, 2));
    EXPECT(!strcmp(hipblasStatusToString(HIPBLAS_STATUS_ALLOC_FAILED), "HIPBLAS_STATUS_ALLOC_FAILED"));

    /* None of these wrote anything. */
    float after[4];
    HIP(hipMemcpy(after, d, sizeof after, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(after, x, sizeof x));
    HIP(hipFree(d));
    BLAS(hipblasDestroy(handle));
    return 0;
}
