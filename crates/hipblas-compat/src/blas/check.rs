//! The argument checks of AMD's library, in pieces.
//!
//! Their order, in all families: enums, handle, sizes, quick returns, NULL pointers. Level 1 has no wrong sizes: what is
//! not positive is a quick return. Operands that a coefficient may leave unread are checked in [`super::coef`].

use std::ffi::{c_int, c_void};

use blas_api::{DType, Diag, RawScalar, Side, Trans, Uplo};
use hipblas_abi::{Operand, data_type, diag, fill, operation, side, status};

use super::Result;

/// `hipblasOperation_t`
pub(crate) fn trans(value: c_int) -> Result<Trans> {
    match value {
        operation::N => Ok(Trans::N),
        operation::T => Ok(Trans::T),
        operation::C => Ok(Trans::C),
        _ => Err(status::INVALID_ENUM),
    }
}

/// `hipblasFillMode_t`. No function takes FULL.
pub(crate) fn uplo(value: c_int) -> Result<Uplo> {
    match value {
        fill::UPPER => Ok(Uplo::Upper),
        fill::LOWER => Ok(Uplo::Lower),
        fill::FULL => Err(status::INVALID_VALUE),
        _ => Err(status::INVALID_ENUM),
    }
}

/// `hipblasDiagType_t`
pub(crate) fn diag(value: c_int) -> Result<Diag> {
    match value {
        diag::NON_UNIT => Ok(Diag::NonUnit),
        diag::UNIT => Ok(Diag::Unit),
        _ => Err(status::INVALID_ENUM),
    }
}

/// `hipblasSideMode_t`. No function takes BOTH.
pub(crate) fn side(value: c_int) -> Result<Side> {
    match value {
        side::LEFT => Ok(Side::Left),
        side::RIGHT => Ok(Side::Right),
        side::BOTH => Err(status::INVALID_VALUE),
        _ => Err(status::INVALID_ENUM),
    }
}

/// `hipDataType`. NOT_SUPPORTED for those that no function computes with.
pub(crate) fn dtype(value: c_int) -> Result<DType> {
    match value {
        data_type::R_16F => Ok(DType::F16),
        data_type::R_16BF => Ok(DType::BF16),
        data_type::R_32F => Ok(DType::F32),
        data_type::R_64F => Ok(DType::F64),
        data_type::C_32F => Ok(DType::C32),
        data_type::C_64F => Ok(DType::C64),
        data_type::R_8I => Ok(DType::I8),
        data_type::R_32I => Ok(DType::I32),
        other if data_type::name(other).is_some() => Err(status::NOT_SUPPORTED),
        _ => Err(status::INVALID_ENUM),
    }
}

/// Each of some data types.
pub(crate) fn dtypes<const N: usize>(values: [c_int; N]) -> Result<[DType; N]> {
    let mut types = [DType::F32; N];
    for (to, from) in types.iter_mut().zip(values) {
        *to = dtype(from)?;
    }
    Ok(types)
}

/// NOT_SUPPORTED unless the combination of types is in the table.
pub(crate) fn supported<const N: usize>(table: &[[DType; N]], types: [DType; N]) -> Result {
    if table.contains(&types) { Ok(()) } else { Err(status::NOT_SUPPORTED) }
}

/// INVALID_VALUE unless the sizes are as they must be.
pub(crate) fn sizes(legal: bool) -> Result {
    if legal { Ok(()) } else { Err(status::INVALID_VALUE) }
}

/// INVALID_VALUE if an operand is NULL.
pub(crate) fn present<const N: usize>(operands: [Operand; N]) -> Result {
    pointers(operands.map(|o| o.ptr.cast_const()))
}

/// INVALID_VALUE if a pointer is NULL.
pub(crate) fn pointers<const N: usize>(pointers: [*const c_void; N]) -> Result {
    sizes(pointers.iter().all(|p| !p.is_null()))
}

/// Whether a coefficient is known to be 0.
pub(crate) fn is_zero(coef: RawScalar) -> bool {
    coef == RawScalar::ZERO
}

/// Whether a coefficient is known to be 1.
pub(crate) fn is_one(coef: RawScalar) -> bool {
    coef == RawScalar::ONE
}
