//! getrs.

use blas_api::{Call as Raw, GetrsDesc};
use hipblas_abi::{Handle, calls};

use super::{pivots, report};
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Getrs {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { n, nrhs, a, b, batch, .. } = self;
        let trans = check::trans(self.trans)?;
        let call = Call::new(handle, entry, batch)?;
        let rules = [
            (2, 0, n >= 0),
            (3, 0, nrhs >= 0),
            (4, 0, n == 0 || !a.ptr.is_null()),
            (5, 0, a.ld >= n.max(1)),
            (6, 1, n == 0 || !self.pivots.ptr.is_null()),
            (7, 2, n == 0 || nrhs == 0 || !b.ptr.is_null()),
            (8, 2, b.ld >= n.max(1)),
            (10, 3, batch >= 0),
        ];
        // SAFETY: the caller's promise.
        unsafe { report(&call, self.info, rules)? };
        if n == 0 || nrhs == 0 || batch == 0 {
            return Ok(());
        }
        let desc = GetrsDesc {
            dtype: check::dtype(a.dtype)?,
            batch: call.batch(),
            trans,
            n: size(n),
            nrhs: size(nrhs),
            a: call.matrix("A", a, n, n)?,
            pivots: pivots(&call, self.pivots, n)?,
            b: call.matrix("B", b, n, nrhs)?,
        };
        call.launch(desc, |d| Raw::Getrs(d))
    }
}
