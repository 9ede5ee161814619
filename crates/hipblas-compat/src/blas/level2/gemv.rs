//! gemv.

use blas_api::{Call as Raw, GemvDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

impl Routine for calls::Gemv {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { m, n, a, x, y, batch, .. } = self;
        let trans = check::trans(self.trans)?;
        let call = Call::new(handle, entry, batch)?;
        check::sizes(m >= 0 && n >= 0 && a.ld >= m.max(1) && x.ld != 0 && y.ld != 0 && batch >= 0)?;
        if m == 0 || n == 0 || batch == 0 {
            return Ok(());
        }
        let dtype = check::dtype(a.dtype)?;
        let coef = |ptr| Coef { ptr, dtype };
        // SAFETY: the caller's promise.
        let coefs = unsafe { call.update(1, coef(self.alpha), &[a, x], coef(self.beta), y)? };
        let Some([alpha, beta]) = coefs else { return Ok(()) };

        let (len_x, len_y) = if trans.is_transposed() { (m, n) } else { (n, m) };
        let desc = GemvDesc {
            dtype,
            batch: call.batch(),
            trans,
            m: size(m),
            n: size(n),
            alpha,
            a: call.matrix("A", a, m, n)?,
            x: call.vector("x", x, len_x)?,
            beta,
            y: call.vector("y", y, len_y)?,
        };
        call.launch(desc, |d| Raw::Gemv(d))
    }
}
