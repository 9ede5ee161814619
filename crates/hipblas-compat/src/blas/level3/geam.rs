//! geam.

use blas_api::{Call as Raw, GeamDesc, Trans};
use hipblas_abi::{Handle, Operand, calls};

use super::{operand, stored_rows};
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Geam {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let calls::Geam { m, n, a, b, c, batch, .. } = self;
        let (ta, tb) = (check::trans(self.trans_a)?, check::trans(self.trans_b)?);
        let call = Call::new(handle, entry, batch)?;
        // In place only element by element. AMD's library looks at this even where nothing is to be done.
        let may_be = |op: Trans, x: Operand| x.ptr != c.ptr || x.ld == c.ld && op == Trans::N;
        check::sizes(
            m >= 0
                && n >= 0
                && batch >= 0
                && a.ld >= stored_rows(ta, m, n)
                && b.ld >= stored_rows(tb, m, n)
                && c.ld >= m
                && may_be(ta, a)
                && may_be(tb, b),
        )?;
        if m == 0 || n == 0 || batch == 0 {
            return Ok(());
        }
        let dtype = check::dtype(a.dtype)?;
        // SAFETY: the caller's promise.
        let (alpha, beta) = unsafe {
            let (alpha, beta) = (call.scalar(self.alpha, dtype)?, call.scalar(self.beta, dtype)?);
            check::present([c])?;
            (call.present_unless_zero(alpha, dtype, &[a])?, call.present_unless_zero(beta, dtype, &[b])?)
        };
        let desc = GeamDesc {
            dtype,
            batch: call.batch(),
            ta,
            tb,
            m: size(m),
            n: size(n),
            alpha,
            a: operand(&call, "A", a, ta, m, n)?,
            beta,
            b: operand(&call, "B", b, tb, m, n)?,
            c: call.matrix("C", c, m, n)?,
        };
        call.launch(desc, |d| Raw::Geam(d))
    }
}
