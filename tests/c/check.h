/* What the programs share. A program ends with 0 if all went well; otherwise it says what did not, and where. */

#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>
#include <hipblas/hipblas.h>

static inline void fail(const char* file, int line, const char* what, const char* why)
{
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, why);
    exit(1);
}

#define EXPECT(condition) \
    do \
    { \
        if(!(condition)) \
            fail(__FILE__, __LINE__, #condition, "does not hold"); \
    } while(0)

#define HIP(call) \
    do \
    { \
        hipError_t error_ = (call); \
        if(error_ != hipSuccess) \
            fail(__FILE__, __LINE__, #call, hipGetErrorName(error_)); \
    } while(0)

#define BLAS_RETURNS(expected, call) \
    do \
    { \
        hipblasStatus_t status_ = (call); \
        if(status_ != (expected)) \
            fail(__FILE__, __LINE__, #call, hipblasStatusToString(status_)); \
    } while(0)

#define BLAS(call) BLAS_RETURNS(HIPBLAS_STATUS_SUCCESS, call)

/* Integers from -range to range, in another order for each seed: sums of their products are exact in float, so that
   results can be compared for equality. */
static inline void fill(float* x, size_t n, int range, uint32_t seed)
{
    for(size_t i = 0; i < n; i++)
    {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (float)((int)(seed >> 16) % (2 * range + 1) - range);
    }
}

static inline void* on_host(size_t bytes)
{
    void* p = malloc(bytes);
    EXPECT(p != NULL);
    return p;
}

static inline void* on_device(size_t bytes)
{
    void* p = NULL;
    HIP(hipMalloc(&p, bytes));
    return p;
}

static inline void* upload(const void* data, size_t bytes)
{
    void* p = on_device(bytes);
    HIP(hipMemcpy(p, data, bytes, hipMemcpyHostToDevice));
    return p;
}

#endif
