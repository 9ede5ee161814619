//! syrk, herk.

use std::ffi::c_int;

use blas_api::{Call as Raw, DType, SyrkDesc, Trans};
use hipblas_abi::{Handle, calls, status};

use super::{operand, stored_rows};
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

/// The op of a symmetric update: N or T. For real types, C is T.
pub(super) fn symmetric_op(trans: c_int, dtype: DType) -> Result<Trans> {
    match check::trans(trans)? {
        Trans::C if dtype.is_complex() => Err(status::INVALID_VALUE),
        Trans::C => Ok(Trans::T),
        op => Ok(op),
    }
}

/// The op of a Hermitian update: N or C.
pub(super) fn hermitian_op(trans: c_int, _: DType) -> Result<Trans> {
    match check::trans(trans)? {
        Trans::T => Err(status::INVALID_VALUE),
        op => Ok(op),
    }
}

macro_rules! routine {
    ($($family:ident: $op:ident, $coef:expr;)*) => {$(
        impl Routine for calls::$family {
            unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
                let calls::$family { n, k, a, c, batch, .. } = self;
                let dtype = check::dtype(a.dtype)?;
                let (uplo, trans) = (check::uplo(self.uplo)?, $op(self.trans_a, dtype)?);
                let call = Call::new(handle, entry, batch)?;
                check::sizes(n >= 0 && k >= 0 && batch >= 0 && a.ld >= stored_rows(trans, n, k) && c.ld >= n)?;
                if n == 0 || batch == 0 {
                    return Ok(());
                }
                let coef = |ptr| Coef { ptr, dtype: $coef(dtype) };
                // SAFETY: the caller's promise.
                let coefs = unsafe { call.update(k, coef(self.alpha), &[a], coef(self.beta), c)? };
                let Some([alpha, beta]) = coefs else { return Ok(()) };
                let desc = SyrkDesc {
                    dtype,
                    batch: call.batch(),
                    uplo,
                    trans,
                    n: size(n),
                    k: size(k),
                    alpha,
                    a: operand(&call, "A", a, trans, n, k)?,
                    beta,
                    c: call.matrix("C", c, n, n)?,
                };
                call.launch(desc, |d| Raw::$family(d))
            }
        }
    )*};
}
routine! {
    Syrk: symmetric_op, |t: DType| t;
    Herk: hermitian_op, DType::real;
}
