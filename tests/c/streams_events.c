/* Two streams that wait for each other by events, with copies to and from pinned memory that do not block. */

#include "check.h"

enum
{
    N = 1 << 18,
    ROUNDS = 10
};

int main(void)
{
    float *x = NULL, *y = NULL;
    HIP(hipHostMalloc((void**)&x, sizeof(float) * N, 0));
    HIP(hipHostMalloc((void**)&y, sizeof(float) * N, 0));
    fill(x, N, 8, 1);
    memset(y, 0, sizeof(float) * N);
    float* dx = on_device(sizeof(float) * N);
    float* dy = on_device(sizeof(float) * N);

    hipStream_t first, second, of_handle;
    HIP(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
    HIP(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
    hipEvent_t start, turn, end;
    HIP(hipEventCreate(&start));
    HIP(hipEventCreateWithFlags(&turn, hipEventDisableTiming));
    HIP(hipEventCreate(&end));
    hipblasHandle_t adds, doubles;
    BLAS(hipblasCreate(&adds));
    BLAS(hipblasCreate(&doubles));
    BLAS(hipblasSetStream(adds, first));
    BLAS(hipblasSetStream(doubles, second));
    BLAS(hipblasGetStream(doubles, &of_handle));
    EXPECT(of_handle == second);

    /* y = 2 (y + x), ten times over: one stream adds, the other doubles. */
    HIP(hipEventRecord(start, first));
    HIP(hipMemcpyAsync(dx, x, sizeof(float) * N, hipMemcpyHostToDevice, first));
    HIP(hipMemsetAsync(dy, 0, sizeof(float) * N, first));
    const float one = 1, two = 2;
    for(int round = 0; round < ROUNDS; round++)
    {
        BLAS(hipblasSaxpy(adds, N, &one, dx, 1, dy, 1));
        HIP(hipEventRecord(turn, first));
        HIP(hipStreamWaitEvent(second, turn, 0));
        BLAS(hipblasSscal(doubles, N, &two, dy, 1));
        HIP(hipEventRecord(turn, second));
        HIP(hipStreamWaitEvent(first, turn, 0));
    }
    HIP(hipMemcpyAsync(y, dy, sizeof(float) * N, hipMemcpyDeviceToHost, first));
    HIP(hipEventRecord(end, first));
    HIP(hipEventSynchronize(end));
    HIP(hipEventQuery(end));
    HIP(hipStreamQuery(second));

    /* 2 + 4 + ... + 1024 */
    for(int i = 0; i < N; i++)
        EXPECT(y[i] == 2046 * x[i]);
    float milliseconds = -1;
    HIP(hipEventElapsedTime(&milliseconds, start, end));
    EXPECT(milliseconds >= 0);

    BLAS(hipblasDestroy(adds));
    BLAS(hipblasDestroy(doubles));
    HIP(hipEventDestroy(start));
    HIP(hipEventDestroy(turn));
    HIP(hipEventDestroy(end));
    HIP(hipStreamDestroy(first));
    HIP(hipStreamDestroy(second));
    HIP(hipFree(dx));
    HIP(hipFree(dy));
    HIP(hipHostFree(x));
    HIP(hipHostFree(y));
    return 0;
}
