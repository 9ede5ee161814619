//! trtri. Of the inverse, only the triangle is written.

use blas_api::{Call as Raw, Trans, TrtriDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Trtri {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let calls::Trtri { n, a, inv, batch, .. } = self;
        let (uplo, diag) = (check::uplo(self.uplo)?, check::diag(self.diag)?);
        let call = Call::new(handle, entry, batch)?;
        check::sizes(n >= 0 && batch >= 0 && a.ld >= n && inv.ld >= n)?;
        if n == 0 || batch == 0 {
            return Ok(());
        }
        check::present([a, inv])?;
        let desc = TrtriDesc {
            dtype: check::dtype(a.dtype)?,
            batch: call.batch(),
            uplo,
            trans: Trans::N,
            diag,
            n: size(n),
            a: call.matrix("A", a, n, n)?,
            inv: call.matrix("invA", inv, n, n)?,
        };
        call.launch(desc, |d| Raw::Trtri(d))
    }
}
