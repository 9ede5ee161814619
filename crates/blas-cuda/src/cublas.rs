//! cuBLAS: its names for hipBLAS's functions, its numbers for their enums, and its auxiliary functions.
//!
//! Where cuBLAS has a function of hipBLAS's, it has the same arguments in the same order. Source: `cublas_api.h` of CUDA 12
//! and 13.

use std::ffi::{c_int, c_void};

use hipblas_abi::{Function, Handle, Level, Numbers, compute, diag, fill, operation, side};

use crate::driver::Stream;
use crate::functions::functions;

functions! {
    /// Handles and modes.
    Cublas("this cuBLAS is too old, that of CUDA 12 is the first") {
        cublasCreate_v2(handle: *mut Handle);
        cublasDestroy_v2(handle: Handle);
        cublasGetVersion_v2(handle: Handle, version: *mut c_int);
        cublasSetStream_v2(handle: Handle, stream: Stream);
        cublasSetPointerMode_v2(handle: Handle, mode: c_int);
        cublasSetAtomicsMode(handle: Handle, mode: c_int);
        cublasSetMathMode(handle: Handle, mode: c_int);
        cublasSetWorkspace_v2(handle: Handle, workspace: *mut c_void, bytes: usize);
    }
}

/// `cublasMath_t`
pub(crate) mod math {
    pub(crate) const DEFAULT: i32 = 0;
    pub(crate) const TF32: i32 = 3;
    /// To be added to another: sums of half-precision products are not rounded on the way.
    pub(crate) const FULL_SUMS: i32 = 16;
}

/// `CUBLAS_COMPUTE_32F`
pub(crate) const COMPUTE_32F: c_int = 68;
/// `CUBLAS_GEMM_DEFAULT`
pub(crate) const GEMM_DEFAULT: c_int = -1;

/// `cublasAtomicsMode_t`
pub(crate) mod atomics {
    pub(crate) const NOT_ALLOWED: i32 = 0;
    pub(crate) const ALLOWED: i32 = 1;
}

/// `cublasPointerMode_t`
pub(crate) mod pointer_mode {
    pub(crate) const HOST: i32 = 0;
    pub(crate) const DEVICE: i32 = 1;
}

/// The names under which cuBLAS may have a function, the right one first. Functions that an older interface has without a
/// handle have `_v2` in their name; of the others none has.
pub(crate) fn names(f: Function) -> [String; 2] {
    let prefix = f.types().map_or("", |t| t.prefix);
    let stem = format!("cublas{prefix}{}{}{}", f.family.stem, f.form.word(), f.family.suffix);
    let wide = if f.wide { "_64" } else { "" };
    [format!("{stem}_v2{wide}"), format!("{stem}{wide}")]
}

/// Whether cuBLAS has functions of this kind at all; what it has is told by its symbols.
pub(crate) fn may_have(f: Function) -> bool {
    f.family.level != Level::Aux
}

/// cuBLAS's numbers.
pub(crate) struct InCublas;

impl Numbers for InCublas {
    fn operation(value: c_int) -> c_int {
        value - operation::N
    }
    fn fill(value: c_int) -> c_int {
        c_int::from(value == fill::UPPER)
    }
    fn diag(value: c_int) -> c_int {
        value - diag::NON_UNIT
    }
    fn side(value: c_int) -> c_int {
        value - side::LEFT
    }
    fn compute(value: c_int) -> c_int {
        match value {
            compute::F16 => 64,
            compute::F16_PEDANTIC => 65,
            compute::F32 => COMPUTE_32F,
            compute::F32_PEDANTIC => 69,
            compute::F64 => 70,
            compute::F64_PEDANTIC => 71,
            compute::I32 => 72,
            compute::I32_PEDANTIC => 73,
            compute::F32_FAST_16F => 74,
            compute::F32_FAST_16BF => 75,
            compute::F32_FAST_TF32 => 77,
            // No number of cuBLAS's: it answers that the value is invalid.
            other => other,
        }
    }
    fn gemm_algo(_: c_int) -> c_int {
        GEMM_DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use cudarc::cublas::sys::{self, cublasComputeType_t as C, cublasMath_t as M};
    use hipblas_abi::{Abi, functions};

    use super::*;

    #[test]
    fn numbers_are_those_of_other_bindings() {
        assert_eq!(InCublas::operation(operation::C), sys::cublasOperation_t::CUBLAS_OP_C as c_int);
        assert_eq!(InCublas::operation(operation::N), sys::cublasOperation_t::CUBLAS_OP_N as c_int);
        assert_eq!(InCublas::fill(fill::LOWER), sys::cublasFillMode_t::CUBLAS_FILL_MODE_LOWER as c_int);
        assert_eq!(InCublas::fill(fill::UPPER), sys::cublasFillMode_t::CUBLAS_FILL_MODE_UPPER as c_int);
        assert_eq!(InCublas::diag(diag::UNIT), sys::cublasDiagType_t::CUBLAS_DIAG_UNIT as c_int);
        assert_eq!(InCublas::side(side::RIGHT), sys::cublasSideMode_t::CUBLAS_SIDE_RIGHT as c_int);
        for (ours, theirs) in [
            (compute::F16, C::CUBLAS_COMPUTE_16F),
            (compute::F16_PEDANTIC, C::CUBLAS_COMPUTE_16F_PEDANTIC),
            (compute::F32, C::CUBLAS_COMPUTE_32F),
            (compute::F32_PEDANTIC, C::CUBLAS_COMPUTE_32F_PEDANTIC),
            (compute::F64, C::CUBLAS_COMPUTE_64F),
            (compute::F64_PEDANTIC, C::CUBLAS_COMPUTE_64F_PEDANTIC),
            (compute::I32, C::CUBLAS_COMPUTE_32I),
            (compute::I32_PEDANTIC, C::CUBLAS_COMPUTE_32I_PEDANTIC),
            (compute::F32_FAST_16F, C::CUBLAS_COMPUTE_32F_FAST_16F),
            (compute::F32_FAST_16BF, C::CUBLAS_COMPUTE_32F_FAST_16BF),
            (compute::F32_FAST_TF32, C::CUBLAS_COMPUTE_32F_FAST_TF32),
        ] {
            assert_eq!(InCublas::compute(ours), theirs as c_int, "{theirs:?}");
        }
        assert_eq!(math::TF32, M::CUBLAS_TF32_TENSOR_OP_MATH as c_int);
        assert_eq!(math::FULL_SUMS, M::CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION as c_int);
        assert_eq!(InCublas::gemm_algo(0), sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT as c_int);
    }

    #[test]
    fn a_name_is_one_of_two() {
        let of = |hip: &str| functions(Abi::V3).find(|f| f.name() == hip).map(names);
        let pair = |v2: &str, plain: &str| Some([v2.to_owned(), plain.to_owned()]);
        assert_eq!(of("hipblasSgemm_64"), pair("cublasSgemm_v2_64", "cublasSgemm_64"));
        assert_eq!(of("hipblasIcamax"), pair("cublasIcamax_v2", "cublasIcamax"));
        assert_eq!(
            of("hipblasZgemmStridedBatched"),
            pair("cublasZgemmStridedBatched_v2", "cublasZgemmStridedBatched")
        );
        assert_eq!(
            of("hipblasGemmBatchedEx_64"),
            pair("cublasGemmBatchedEx_v2_64", "cublasGemmBatchedEx_64")
        );
    }
}
