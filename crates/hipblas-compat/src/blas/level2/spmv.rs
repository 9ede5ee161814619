//! spmv, hpmv.

use blas_api::{Call as Raw, SpmvDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! spmv { ($($family:ident),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, ap, x, y, batch, .. } = self;
            let uplo = check::uplo(self.uplo)?;
            let call = Call::new(handle, entry, batch)?;
            check::sizes(n >= 0 && x.ld != 0 && y.ld != 0 && batch >= 0)?;
            if n == 0 || batch == 0 {
                return Ok(());
            }
            let dtype = check::dtype(ap.dtype)?;
            let coef = |ptr| Coef { ptr, dtype };
            // SAFETY: the caller's promise.
            let coefs = unsafe { call.update(1, coef(self.alpha), &[ap, x], coef(self.beta), y)? };
            let Some([alpha, beta]) = coefs else { return Ok(()) };

            let desc = SpmvDesc {
                dtype,
                batch: call.batch(),
                uplo,
                conj: false,
                n: size(n),
                alpha,
                ap: call.packed("AP", ap, n)?,
                x: call.vector("x", x, n)?,
                beta,
                y: call.vector("y", y, n)?,
            };
            call.launch(desc, |d| Raw::$family(d))
        }
    }
)*}}
spmv!(Spmv, Hpmv);
