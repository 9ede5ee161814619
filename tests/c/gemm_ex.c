/* A product of half precision that is summed in single precision, with C in half and in single precision.

   Sums reach 3000: in half precision they would stop at 2048, where the next number is 2050. */

#include "check.h"

/* Before 3.0 the types have numbers of their own, and a data type stands for the type of computation; 2.x has the new
   functions too, for those who define HIPBLAS_V2. */
#if hipblasVersionMajor >= 3 || defined(HIPBLAS_V2)
#define HALF HIP_R_16F
#define SINGLE HIP_R_32F
#define SUMS_IN_SINGLE HIPBLAS_COMPUTE_32F
#else
#define HALF HIPBLAS_R_16F
#define SINGLE HIPBLAS_R_32F
#define SUMS_IN_SINGLE HIPBLAS_R_32F
#endif

enum
{
    M = 33,
    N = 17,
    K = 3000
};

/* For numbers that half precision has exactly. */
static uint16_t to_half(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t sign = bits >> 31, exponent = bits >> 23 & 255, fraction = bits >> 13 & 1023;
    return (uint16_t)(sign << 15 | (x == 0 ? 0 : (exponent - 112) << 10 | fraction));
}

static float from_half(uint16_t half)
{
    uint32_t sign = half >> 15, exponent = half >> 10 & 31, fraction = half & 1023;
    uint32_t bits = sign << 31 | (exponent == 0 ? 0 : (exponent + 112) << 23 | fraction << 13);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

int main(void)
{
    static uint16_t a[M * K], b[K * N], c[M * N];
    static float b_values[K * N], c_single[M * N];
    for(int i = 0; i < M * K; i++)
        a[i] = to_half(1);
    /* A row of ones times a column of ones and a few others. */
    fill(b_values, K * N, 1, 1);
    for(int i = 0; i < K * N; i++)
    {
        if(i / K % 2 == 0)
            b_values[i] = 1;
        b[i] = to_half(b_values[i]);
    }
    for(int i = 0; i < M * N; i++)
    {
        c[i] = to_half(0);
        c_single[i] = 8;
    }

    hipblasHandle_t handle;
    BLAS(hipblasCreate(&handle));
    void* da = upload(a, sizeof a);
    void* db = upload(b, sizeof b);
    void* dc = upload(c, sizeof c);
    void* ds = upload(c_single, sizeof c_single);
    const float alpha = 1, beta = 0.5f;
    BLAS(hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, M, N, K, &alpha, da, HALF, M, db, HALF, K, &beta, dc, HALF,
                       M, SUMS_IN_SINGLE, HIPBLAS_GEMM_DEFAULT));
    BLAS(hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, M, N, K, &alpha, da, HALF, M, db, HALF, K, &beta, ds, SINGLE,
                       M, SUMS_IN_SINGLE, HIPBLAS_GEMM_DEFAULT));
    HIP(hipMemcpy(c, dc, sizeof c, hipMemcpyDeviceToHost));
    HIP(hipMemcpy(c_single, ds, sizeof c_single, hipMemcpyDeviceToHost));

    for(int j = 0; j < N; j++)
    {
        float sum = 0;
        for(int l = 0; l < K; l++)
            sum += b_values[l + j * K];
        EXPECT(j % 2 == 1 || sum == K);
        for(int i = 0; i < M; i++)
        {
            EXPECT(from_half(c[i + j * M]) == sum);
            EXPECT(c_single[i + j * M] == sum + 4);
        }
    }

    HIP(hipFree(da));
    HIP(hipFree(db));
    HIP(hipFree(dc));
    HIP(hipFree(ds));
    BLAS(hipblasDestroy(handle));
    return 0;
}
