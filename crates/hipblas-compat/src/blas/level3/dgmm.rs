//! dgmm. Any increment of x is legal: 0 takes the same number everywhere, a negative one walks back from the far end.

use blas_api::{Call as Raw, DgmmDesc, Side, Trans};
use hipblas_abi::{Handle, calls};

use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Dgmm {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let calls::Dgmm { m, n, a, x, c, batch, .. } = self;
        let side = check::side(self.side)?;
        let call = Call::new(handle, entry, batch)?;
        check::sizes(m >= 0 && n >= 0 && batch >= 0 && a.ld >= m && c.ld >= m)?;
        if m == 0 || n == 0 || batch == 0 {
            return Ok(());
        }
        check::present([a, x, c])?;
        let desc = DgmmDesc {
            dtype: check::dtype(a.dtype)?,
            batch: call.batch(),
            side,
            ta: Trans::N,
            m: size(m),
            n: size(n),
            a: call.matrix("A", a, m, n)?,
            x: call.vector("x", x, if side == Side::Left { m } else { n })?,
            c: call.matrix("C", c, m, n)?,
        };
        call.launch(desc, |d| Raw::Dgmm(d))
    }
}
