//! spr2, hpr2.

use blas_api::{Call as Raw, Spr2Desc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! spr2 { ($($family:ident),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, x, y, ap, batch, .. } = self;
            let uplo = check::uplo(self.uplo)?;
            let call = Call::new(handle, entry, batch)?;
            check::sizes(n >= 0 && x.ld != 0 && y.ld != 0 && batch >= 0)?;
            if n == 0 || batch == 0 {
                return Ok(());
            }
            let dtype = check::dtype(ap.dtype)?;
            // SAFETY: the caller's promise.
            let alpha = unsafe { call.factor(Coef { ptr: self.alpha, dtype }, &[x, y, ap])? };
            let Some(alpha) = alpha else { return Ok(()) };

            let desc = Spr2Desc {
                dtype,
                batch: call.batch(),
                uplo,
                n: size(n),
                alpha,
                conj: false,
                x: call.vector("x", x, n)?,
                y: call.vector("y", y, n)?,
                ap: call.packed("AP", ap, n)?,
            };
            call.launch(desc, |d| Raw::$family(d))
        }
    }
)*}}
spr2!(Spr2, Hpr2);
