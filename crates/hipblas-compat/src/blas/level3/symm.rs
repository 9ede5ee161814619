//! symm, hemm.

use blas_api::{Call as Raw, Side, SymmDesc, Trans};
use hipblas_abi::{Handle, calls};

use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

macro_rules! routine {
    ($($family:ident),*) => {$(
        impl Routine for calls::$family {
            unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
                let calls::$family { m, n, a, b, c, batch, .. } = self;
                let (side, uplo) = (check::side(self.side)?, check::uplo(self.uplo)?);
                let call = Call::new(handle, entry, batch)?;
                let order = if side == Side::Left { m } else { n };
                check::sizes(m >= 0 && n >= 0 && batch >= 0 && a.ld >= order && b.ld >= m && c.ld >= m)?;
                if m == 0 || n == 0 || batch == 0 {
                    return Ok(());
                }
                let dtype = check::dtype(a.dtype)?;
                let coef = |ptr| Coef { ptr, dtype };
                // SAFETY: the caller's promise.
                let coefs = unsafe { call.update(order, coef(self.alpha), &[a, b], coef(self.beta), c)? };
                let Some([alpha, beta]) = coefs else { return Ok(()) };
                let desc = SymmDesc {
                    dtype,
                    batch: call.batch(),
                    side,
                    uplo,
                    conj: false,
                    tb: Trans::N,
                    m: size(m),
                    n: size(n),
                    alpha,
                    a: call.matrix("A", a, order, order)?,
                    b: call.matrix("B", b, m, n)?,
                    beta,
                    c: call.matrix("C", c, m, n)?,
                };
                call.launch(desc, |d| Raw::$family(d))
            }
        }
    )*};
}
routine!(Symm, Hemm);
