//! syr2k, her2k, and syrkx, herkx, which take the same arguments.

use blas_api::{Call as Raw, DType, Syr2kDesc};
use hipblas_abi::{Handle, calls};

use super::syrk::{hermitian_op, symmetric_op};
use super::{operand, stored_rows};
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

macro_rules! routine {
    ($($family:ident: $op:ident, $beta:expr;)*) => {$(
        impl Routine for calls::$family {
            unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
                let calls::$family { n, k, a, b, c, batch, .. } = self;
                let dtype = check::dtype(a.dtype)?;
                let (uplo, trans) = (check::uplo(self.uplo)?, $op(self.trans_a, dtype)?);
                let call = Call::new(handle, entry, batch)?;
                let rows = stored_rows(trans, n, k);
                check::sizes(n >= 0 && k >= 0 && batch >= 0 && a.ld >= rows && b.ld >= rows && c.ld >= n)?;
                if n == 0 || batch == 0 {
                    return Ok(());
                }
                let (alpha, beta) =
                    (Coef { ptr: self.alpha, dtype }, Coef { ptr: self.beta, dtype: $beta(dtype) });
                // SAFETY: the caller's promise.
                let coefs = unsafe { call.update(k, alpha, &[a, b], beta, c)? };
                let Some([alpha, beta]) = coefs else { return Ok(()) };
                let desc = Syr2kDesc {
                    dtype,
                    batch: call.batch(),
                    uplo,
                    ta: trans,
                    tb: trans,
                    n: size(n),
                    k: size(k),
                    alpha,
                    a: operand(&call, "A", a, trans, n, k)?,
                    b: operand(&call, "B", b, trans, n, k)?,
                    beta,
                    c: call.matrix("C", c, n, n)?,
                };
                call.launch(desc, |d| Raw::$family(d))
            }
        }
    )*};
}
routine! {
    Syr2k: symmetric_op, |t: DType| t;
    Her2k: hermitian_op, DType::real;
    Syrkx: symmetric_op, |t: DType| t;
    Herkx: hermitian_op, DType::real;
}
