//! gels.

use blas_api::{Call as Raw, GelsDesc, Trans};
use hipblas_abi::{Handle, calls};

use super::{device_info, report};
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Gels {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { m, n, nrhs, a, b, batch, .. } = self;
        let trans = check::trans(self.trans)?;
        let call = Call::new(handle, entry, batch)?;
        let dtype = check::dtype(a.dtype)?;
        let transposed = if dtype.is_complex() { Trans::C } else { Trans::T };
        let rules = [
            (1, 0, trans == Trans::N || trans == transposed),
            (2, 0, m >= 0),
            (3, 0, n >= 0),
            (4, 0, nrhs >= 0),
            (5, 0, m == 0 || n == 0 || !a.ptr.is_null()),
            (6, 0, a.ld >= m.max(1)),
            (7, 1, m.max(n) == 0 || nrhs == 0 || !b.ptr.is_null()),
            (8, 1, b.ld >= m.max(n).max(1)),
            (10, 2, batch == 0 || !self.device_info.is_null()),
            (11, 2, batch >= 0),
        ];
        // SAFETY: the caller's promise.
        unsafe { report(&call, self.info, rules)? };
        if batch == 0 {
            return Ok(());
        }
        let desc = GelsDesc {
            dtype,
            batch: call.batch(),
            trans,
            m: size(m),
            n: size(n),
            nrhs: size(nrhs),
            a: call.matrix("A", a, m, n)?,
            b: call.matrix("B", b, m.max(n), nrhs)?,
            info: device_info(&call, self.device_info)?,
        };
        call.launch(desc, |d| Raw::Gels(d))
    }
}
