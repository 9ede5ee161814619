/* Work captured in a graph, which then runs as often as it is launched, and not before. */

#include "check.h"

enum
{
    N = 100
};

int main(void)
{
    static float a[N * N], x[N], y[N], result[N];
    fill(a, N * N, 4, 1);
    fill(x, N, 4, 2);
    float* da = upload(a, sizeof a);
    float* dx = upload(x, sizeof x);
    float* dy = upload(y, sizeof y);

    hipblasHandle_t handle;
    hipStream_t stream;
    BLAS(hipblasCreate(&handle));
    HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    BLAS(hipblasSetStream(handle, stream));

    hipGraph_t graph;
    hipGraphExec_t program;
    hipStreamCaptureStatus status;
    const float one = 1;
    HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    HIP(hipStreamIsCapturing(stream, &status));
    EXPECT(status == hipStreamCaptureStatusActive);
    BLAS(hipblasSgemv(handle, HIPBLAS_OP_N, N, N, &one, da, N, dx, 1, &one, dy, 1));
    HIP(hipStreamEndCapture(stream, &graph));
    HIP(hipStreamIsCapturing(stream, &status));
    EXPECT(status == hipStreamCaptureStatusNone);
    HIP(hipGraphInstantiate(&program, graph, NULL, NULL, 0));

    HIP(hipStreamSynchronize(stream));
    HIP(hipMemcpy(result, dy, sizeof result, hipMemcpyDeviceToHost));
    for(int i = 0; i < N; i++)
        EXPECT(result[i] == 0);
    for(int launch = 1; launch <= 3; launch++)
    {
        HIP(hipGraphLaunch(program, stream));
        HIP(hipStreamSynchronize(stream));
        HIP(hipMemcpy(result, dy, sizeof result, hipMemcpyDeviceToHost));
        for(int i = 0; i < N; i++)
        {
            float sum = 0;
            for(int j = 0; j < N; j++)
                sum += a[i + j * N] * x[j];
            EXPECT(result[i] == (float)launch * sum);
        }
    }

    HIP(hipGraphExecDestroy(program));
    HIP(hipGraphDestroy(graph));
    BLAS(hipblasDestroy(handle));
    HIP(hipStreamDestroy(stream));
    HIP(hipFree(da));
    HIP(hipFree(dx));
    HIP(hipFree(dy));
    return 0;
}
