//! geqrf.

use blas_api::{Call as Raw, GeqrfDesc, Vector};
use hipblas_abi::{Handle, calls};

use super::report;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Geqrf {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { m, n, a, tau, batch, .. } = self;
        let call = Call::new(handle, entry, batch)?;
        let empty = m == 0 || n == 0;
        let rules = [
            (1, 0, m >= 0),
            (2, 0, n >= 0),
            (3, 0, empty || !a.ptr.is_null()),
            (4, 0, a.ld >= m.max(1)),
            (5, 1, empty || !tau.ptr.is_null()),
            (7, 2, batch >= 0),
        ];
        // SAFETY: the caller's promise.
        unsafe { report(&call, self.info, rules)? };
        if empty || batch == 0 {
            return Ok(());
        }
        let desc = GeqrfDesc {
            dtype: check::dtype(a.dtype)?,
            batch: call.batch(),
            m: size(m),
            n: size(n),
            a: call.matrix("A", a, m, n)?,
            tau: Vector { data: call.address("tau", tau, m.min(n))?, inc: 1 },
        };
        call.launch(desc, |d| Raw::Geqrf(d))
    }
}
