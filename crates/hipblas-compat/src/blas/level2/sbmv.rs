//! sbmv, hbmv.

use blas_api::{Call as Raw, SbmvDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! sbmv { ($($family:ident),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, k, a, x, y, batch, .. } = self;
            let uplo = check::uplo(self.uplo)?;
            let call = Call::new(handle, entry, batch)?;
            check::sizes(n >= 0 && k >= 0 && a.ld > k && x.ld != 0 && y.ld != 0 && batch >= 0)?;
            if n == 0 || batch == 0 {
                return Ok(());
            }
            let dtype = check::dtype(a.dtype)?;
            let coef = |ptr| Coef { ptr, dtype };
            // SAFETY: the caller's promise.
            let coefs = unsafe { call.update(1, coef(self.alpha), &[a, x], coef(self.beta), y)? };
            let Some([alpha, beta]) = coefs else { return Ok(()) };

            let desc = SbmvDesc {
                dtype,
                batch: call.batch(),
                uplo,
                conj: false,
                n: size(n),
                k: size(k),
                alpha,
                a: call.matrix("A", a, k + 1, n)?,
                x: call.vector("x", x, n)?,
                beta,
                y: call.vector("y", y, n)?,
            };
            call.launch(desc, |d| Raw::$family(d))
        }
    }
)*}}
sbmv!(Sbmv, Hbmv);
