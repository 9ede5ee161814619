//! ger, geru, gerc.

use blas_api::{Call as Raw, GerDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! ger { ($($family:ident: $conj_y:literal),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { m, n, x, y, a, batch, .. } = self;
            let call = Call::new(handle, entry, batch)?;
            check::sizes(m >= 0 && n >= 0 && x.ld != 0 && y.ld != 0 && a.ld >= m.max(1) && batch >= 0)?;
            if m == 0 || n == 0 || batch == 0 {
                return Ok(());
            }
            let dtype = check::dtype(a.dtype)?;
            // SAFETY: the caller's promise.
            let alpha = unsafe { call.factor(Coef { ptr: self.alpha, dtype }, &[x, y, a])? };
            let Some(alpha) = alpha else { return Ok(()) };

            let desc = GerDesc {
                dtype,
                batch: call.batch(),
                m: size(m),
                n: size(n),
                alpha,
                conj_x: false,
                x: call.vector("x", x, m)?,
                conj_y: $conj_y,
                y: call.vector("y", y, n)?,
                a: call.matrix("A", a, m, n)?,
            };
            call.launch(desc, |d| Raw::$family(d))
        }
    }
)*}}
ger!(Ger: false, Geru: false, Gerc: true);
