//! gbmv.

use blas_api::{Call as Raw, GbmvDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

impl Routine for calls::Gbmv {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { m, n, kl, ku, a, x, y, batch, .. } = self;
        let trans = check::trans(self.trans)?;
        let call = Call::new(handle, entry, batch)?;
        check::sizes(m >= 0 && n >= 0 && kl >= 0 && ku >= 0 && a.ld > kl.saturating_add(ku))?;
        check::sizes(x.ld != 0 && y.ld != 0 && batch >= 0)?;
        if m == 0 || n == 0 || batch == 0 {
            return Ok(());
        }
        let dtype = check::dtype(a.dtype)?;
        let coef = |ptr| Coef { ptr, dtype };
        // SAFETY: the caller's promise.
        let coefs = unsafe { call.update(1, coef(self.alpha), &[a, x], coef(self.beta), y)? };
        let Some([alpha, beta]) = coefs else { return Ok(()) };

        let (len_x, len_y) = if trans.is_transposed() { (m, n) } else { (n, m) };
        let desc = GbmvDesc {
            dtype,
            batch: call.batch(),
            trans,
            m: size(m),
            n: size(n),
            kl: size(kl),
            ku: size(ku),
            alpha,
            a: call.matrix("A", a, kl + ku + 1, n)?,
            x: call.vector("x", x, len_x)?,
            beta,
            y: call.vector("y", y, len_y)?,
        };
        call.launch(desc, |d| Raw::Gbmv(d))
    }
}
