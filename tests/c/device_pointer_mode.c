/* Coefficients and results in device memory. */

#include "check.h"

enum
{
    N = 1000
};

int main(void)
{
    static float x[N], y[N], result[N];
    fill(x, N, 8, 1);
    fill(y, N, 8, 2);
    float dot = 0;
    for(int i = 0; i < N; i++)
        dot += x[i] * y[i];

    hipblasHandle_t handle;
    BLAS(hipblasCreate(&handle));
    float* dx = upload(x, sizeof x);
    float* dy = upload(y, sizeof y);

    hipblasPointerMode_t mode;
    BLAS(hipblasGetPointerMode(handle, &mode));
    EXPECT(mode == HIPBLAS_POINTER_MODE_HOST);
    float on_the_host = 0;
    BLAS(hipblasSdot(handle, N, dx, 1, dy, 1, &on_the_host));
    EXPECT(on_the_host == dot);

    /* y += (x . y) x, without the product ever being on the host. */
    BLAS(hipblasSetPointerMode(handle, HIPBLAS_POINTER_MODE_DEVICE));
    BLAS(hipblasGetPointerMode(handle, &mode));
    EXPECT(mode == HIPBLAS_POINTER_MODE_DEVICE);
    float* product = on_device(sizeof(float));
    BLAS(hipblasSdot(handle, N, dx, 1, dy, 1, product));
    BLAS(hipblasSaxpy(handle, N, product, dx, 1, dy, 1));
    HIP(hipMemcpy(result, dy, sizeof result, hipMemcpyDeviceToHost));
    for(int i = 0; i < N; i++)
        EXPECT(result[i] == y[i] + dot * x[i]);

    /* An index counts from 1. */
    int largest = 0, host_largest = 0;
    int* index = on_device(sizeof(int));
    BLAS(hipblasIsamax(handle, N, dx, 1, index));
    HIP(hipMemcpy(&largest, index, sizeof largest, hipMemcpyDeviceToHost));
    EXPECT(largest >= 1 && largest <= N && (x[largest - 1] == 8 || x[largest - 1] == -8));
    for(int i = 0; i < largest - 1; i++)
        EXPECT(x[i] < 8 && x[i] > -8);
    BLAS(hipblasSetPointerMode(handle, HIPBLAS_POINTER_MODE_HOST));
    BLAS(hipblasIsamax(handle, N, dx, 1, &host_largest));
    EXPECT(host_largest == largest);

    HIP(hipFree(dx));
    HIP(hipFree(dy));
    HIP(hipFree(product));
    HIP(hipFree(index));
    BLAS(hipblasDestroy(handle));
    return 0;
}
