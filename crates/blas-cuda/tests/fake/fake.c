/* A CUDA driver, cuBLAS, cuSOLVER and NVRTC in one library, which compute nothing: device memory is the host's, every call
   succeeds at once, and calls are counted. What a call through the backend takes with them is what the backend itself takes. */

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static long driver_calls, cublas_calls;
static _Thread_local void *current;
static int made;

long fake_driver_calls(void) { return driver_calls; }
long fake_cublas_calls(void) { return cublas_calls; }

#define DRIVER(name, parameters, body) int name parameters { driver_calls++; body; return 0; }
#define CUBLAS(name, parameters) int name parameters { cublas_calls++; return 0; }
/* Any handle but null will do. */
#define MADE(pointer) *(pointer) = &made

DRIVER(cuInit, (unsigned flags), )
DRIVER(cuDriverGetVersion, (int *version), *version = 13000)
DRIVER(cuDeviceGetCount, (int *count), *count = 1)
DRIVER(cuDeviceGet, (int *device, int ordinal), *device = ordinal)
DRIVER(cuDeviceGetName, (char *name, int length, int device), strncpy(name, "Fake GPU", length))
DRIVER(cuDeviceTotalMem_v2, (size_t *bytes, int device), *bytes = 1 << 30)
DRIVER(cuDeviceGetAttribute, (int *value, unsigned attribute, int device), *value = attribute == 75 ? 9 : 0)
DRIVER(cuDevicePrimaryCtxRetain, (void **context, int device), MADE(context))
DRIVER(cuCtxSetCurrent, (void *context), current = context)
DRIVER(cuCtxGetCurrent, (void **context), *context = current)
DRIVER(cuMemAlloc_v2, (void **memory, size_t bytes), *memory = aligned_alloc(256, (bytes + 255) / 256 * 256))
DRIVER(cuMemFree_v2, (void *memory), free(memory))
DRIVER(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags), *memory = malloc(bytes))
DRIVER(cuMemFreeHost, (void *memory), free(memory))
DRIVER(cuMemcpyHtoDAsync_v2, (void *to, const void *from, size_t bytes, void *stream), memcpy(to, from, bytes))
DRIVER(cuMemcpyDtoHAsync_v2, (void *to, const void *from, size_t bytes, void *stream), memcpy(to, from, bytes))
DRIVER(cuMemcpyDtoDAsync_v2, (void *to, const void *from, size_t bytes, void *stream), memmove(to, from, bytes))
DRIVER(cuMemsetD8Async, (void *to, unsigned char value, size_t bytes, void *stream), memset(to, value, bytes))
DRIVER(cuStreamCreate, (void **stream, unsigned flags), MADE(stream))
DRIVER(cuStreamDestroy_v2, (void *stream), )
DRIVER(cuStreamSynchronize, (void *stream), )
DRIVER(cuStreamWaitEvent, (void *stream, void *event, unsigned flags), )
DRIVER(cuStreamBeginCapture_v2, (void *stream, unsigned mode), )
DRIVER(cuStreamIsCapturing, (void *stream, unsigned *status), *status = 0)
DRIVER(cuStreamEndCapture, (void *stream, void **graph), MADE(graph))
DRIVER(cuGraphInstantiateWithFlags, (void **exec, void *graph, unsigned long long flags), MADE(exec))
DRIVER(cuGraphLaunch, (void *exec, void *stream), )
DRIVER(cuGraphExecDestroy, (void *exec), )
DRIVER(cuGraphDestroy, (void *graph), )
DRIVER(cuEventCreate, (void **event, unsigned flags), MADE(event))
DRIVER(cuEventDestroy_v2, (void *event), )
DRIVER(cuEventRecord, (void *event, void *stream), )
DRIVER(cuEventSynchronize, (void *event), )
DRIVER(cuEventQuery, (void *event), )
DRIVER(cuEventElapsedTime, (float *milliseconds, void *begin, void *end), *milliseconds = 1)

/* What NVRTC makes of a kernel is the name of what it is for, and the driver tells what it was given last. */
static char loaded[32];
const char *fake_loaded(void) { return loaded; }
DRIVER(cuModuleLoadData, (void **module, const void *code), MADE(module); strncpy(loaded, code, sizeof loaded - 1))
DRIVER(cuModuleGetFunction, (void **kernel, void *module, const char *name), MADE(kernel))
DRIVER(cuLaunchKernel, (void *kernel, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, void *stream, void **arguments, void **extra), )

/* The two architectures that NVRTC compiles for. */
static int known[2] = {75, 90};
void fake_known(int first, int second) { known[0] = first, known[1] = second; }
static char target[32];
int nvrtcCreateProgram(void **program, const char *source, const char *name, int n, void *headers, void *names) {
    MADE(program);
    return 0;
}
int nvrtcCompileProgram(void *program, int n, const char **options) {
    if (!dlopen("libnvrtc-builtins.so.13.0", RTLD_LAZY)) return 7;
    strncpy(target, strchr(options[0], '=') + 1, sizeof target - 1);
    return 0;
}
int nvrtcDestroyProgram(void **program) { return 0; }
int nvrtcGetNumSupportedArchs(int *count) { *count = 2; return 0; }
int nvrtcGetSupportedArchs(int *all) { memcpy(all, known, sizeof known); return 0; }
/* Machine code of one architecture, or text for that and all later ones. */
static int code(const char *prefix, char *to, size_t *bytes) {
    if (strncmp(target, prefix, strlen(prefix))) return 3;
    if (to) strcpy(to, target);
    if (bytes) *bytes = strlen(target) + 1;
    return 0;
}
int nvrtcGetCUBINSize(void *program, size_t *bytes) { return code("sm_", NULL, bytes); }
int nvrtcGetCUBIN(void *program, char *to) { return code("sm_", to, NULL); }
int nvrtcGetPTXSize(void *program, size_t *bytes) { return code("compute_", NULL, bytes); }
int nvrtcGetPTX(void *program, char *to) { return code("compute_", to, NULL); }

int cusolverDnCreate(void **handle) { MADE(handle); return 0; }
int cusolverDnDestroy(void *handle) { return 0; }
int cusolverDnSetStream(void *handle, void *stream) { return 0; }
int cusolverDnSgetrf_bufferSize(void *h, int m, int n, float *a, int lda, int *len) { *len = n; return 0; }
int cusolverDnSgetrf(void *h, int m, int n, float *a, int lda, float *work, int *pivots, int *info) { return 0; }

int cublasCreate_v2(void **handle) { MADE(handle); return 0; }
int cublasGetVersion_v2(void *handle, int *version) { *version = 130000; return 0; }
CUBLAS(cublasDestroy_v2, (void *h))
CUBLAS(cublasSetStream_v2, (void *h, void *stream))
CUBLAS(cublasSetAtomicsMode, (void *h, int mode))
CUBLAS(cublasSetMathMode, (void *h, unsigned mode))
CUBLAS(cublasSetPointerMode_v2, (void *h, int mode))
CUBLAS(cublasSetWorkspace_v2, (void *h, void *memory, size_t bytes))

#define GEMM(name, type)                                                                                               \
    CUBLAS(name, (void *h, int ta, int tb, int m, int n, int k, const type *alpha, const type *a, int lda,             \
                  const type *b, int ldb, const type *beta, type *c, int ldc))
#define STRIDED(name, type)                                                                                            \
    CUBLAS(name, (void *h, int ta, int tb, int m, int n, int k, const type *alpha, const type *a, int lda,             \
                  long long sa, const type *b, int ldb, long long sb, const type *beta, type *c, int ldc,              \
                  long long sc, int batch))
#define GEMV(name, type)                                                                                               \
    CUBLAS(name, (void *h, int t, int m, int n, const type *alpha, const type *a, int lda, const type *x, int incx,    \
                  const type *beta, type *y, int incy))
#define AXPY(name, type) CUBLAS(name, (void *h, int n, const type *alpha, const type *x, int incx, type *y, int incy))
GEMM(cublasSgemm_v2, float)
GEMM(cublasDgemm_v2, double)
STRIDED(cublasSgemmStridedBatched, float)
STRIDED(cublasDgemmStridedBatched, double)
GEMV(cublasSgemv_v2, float)
GEMV(cublasDgemv_v2, double)
AXPY(cublasSaxpy_v2, float)
AXPY(cublasDaxpy_v2, double)
CUBLAS(cublasGemmEx, (void *h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int ta_, int lda,
                      const void *b, int tb_, int ldb, const void *beta, void *c, int tc_, int ldc, int compute,
                      int algo))
CUBLAS(cublasGemmStridedBatchedEx, (void *h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a,
                                    int ta_, int lda, long long sa, const void *b, int tb_, int ldb, long long sb,
                                    const void *beta, void *c, int tc_, int ldc, long long sc, int batch, int compute,
                                    int algo))
