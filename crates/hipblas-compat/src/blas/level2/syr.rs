//! syr, her. The Hermitian one has a real alpha.

use blas_api::{Call as Raw, SyrDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! syr { ($($family:ident: $coef:ident),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, x, a, batch, .. } = self;
            let uplo = check::uplo(self.uplo)?;
            let call = Call::new(handle, entry, batch)?;
            check::sizes(n >= 0 && x.ld != 0 && a.ld >= n.max(1) && batch >= 0)?;
            if n == 0 || batch == 0 {
                return Ok(());
            }
            let dtype = check::dtype(a.dtype)?;
            // SAFETY: the caller's promise.
            let alpha = unsafe { call.factor(Coef { ptr: self.alpha, dtype: dtype.$coef() }, &[x, a])? };
            let Some(alpha) = alpha else { return Ok(()) };

            let desc = SyrDesc {
                dtype,
                batch: call.batch(),
                uplo,
                n: size(n),
                alpha,
                conj: false,
                x: call.vector("x", x, n)?,
                a: call.matrix("A", a, n, n)?,
            };
            call.launch(desc, |d| Raw::$family(d))
        }
    }
)*}}
syr!(Syr: coef, Her: real);
