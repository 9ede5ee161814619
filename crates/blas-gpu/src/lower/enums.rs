//! The flags and types of descriptors as hipBLAS numbers them.

use std::ffi::c_int;

use blas_api::*;
use hipblas_abi::{
    Elem, compute, data_type as number, diag as diagonal, fill as triangle, operation, side as place,
};

/// An op that hipBLAS has. [`Trans::ConjN`] is none: see [`Prepared`](super::Prepared).
#[inline]
pub(crate) fn op(trans: Trans) -> c_int {
    debug_assert!(trans != Trans::ConjN, "hipBLAS conjugates only what it transposes");
    match trans {
        Trans::N | Trans::ConjN => operation::N,
        Trans::T => operation::T,
        Trans::C => operation::C,
    }
}

#[inline]
pub(crate) fn fill(uplo: Uplo) -> c_int {
    match uplo {
        Uplo::Lower => triangle::LOWER,
        Uplo::Upper => triangle::UPPER,
    }
}

#[inline]
pub(crate) fn diag(diag: Diag) -> c_int {
    match diag {
        Diag::NonUnit => diagonal::NON_UNIT,
        Diag::Unit => diagonal::UNIT,
    }
}

#[inline]
pub(crate) fn side(side: Side) -> c_int {
    match side {
        Side::Left => place::LEFT,
        Side::Right => place::RIGHT,
    }
}

/// `HIP_R_64I`, which no function takes.
const R_64I: c_int = 24;

/// The `hipDataType` of a type.
#[inline]
pub(crate) fn data_type(dtype: DType) -> c_int {
    match dtype {
        DType::F16 => number::R_16F,
        DType::BF16 => number::R_16BF,
        DType::F32 => number::R_32F,
        DType::F64 => number::R_64F,
        DType::C32 => number::C_32F,
        DType::C64 => number::C_64F,
        DType::I8 => number::R_8I,
        DType::I32 => number::R_32I,
        _ => R_64I,
    }
}

/// The `hipblasComputeType_t` of what a GEMM computes in.
#[inline]
pub(crate) fn compute_type(compute_in: Compute) -> c_int {
    match compute_in {
        Compute::F64 => compute::F64,
        Compute::I32 => compute::I32,
        _ => compute::F32,
    }
}

/// The type in the names of functions; None for types that no name has.
#[inline]
pub(crate) fn elem(dtype: DType) -> Option<Elem> {
    Some(match dtype {
        DType::F16 => Elem::F16,
        DType::BF16 => Elem::BF16,
        DType::F32 => Elem::F32,
        DType::F64 => Elem::F64,
        DType::C32 => Elem::C32,
        DType::C64 => Elem::C64,
        _ => return None,
    })
}

/// The types of a function whose coefficients are of the operands' type.
#[inline]
pub(crate) fn elems(dtype: DType) -> Option<(Elem, Elem)> {
    elem(dtype).map(|t| (t, t))
}
