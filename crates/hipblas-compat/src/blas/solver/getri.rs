//! getri, of batches of pointers only.

use blas_api::{Call as Raw, GetriDesc};
use hipblas_abi::{Handle, calls};

use super::{device_info, pivots};
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Getri {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { n, a, c, info, batch, .. } = self;
        let call = Call::new(handle, entry, batch)?;
        check::sizes(n >= 0 && a.ld >= n && c.ld >= n && batch >= 0)?;
        if batch == 0 {
            return Ok(());
        }
        check::pointers([info.cast_const()])?;
        check::sizes(n == 0 || !a.ptr.is_null() && !c.ptr.is_null())?;
        let desc = GetriDesc {
            dtype: check::dtype(a.dtype)?,
            batch: call.batch(),
            n: size(n),
            a: call.matrix("A", a, n, n)?,
            pivots: pivots(&call, self.pivots, n)?,
            c: call.matrix("C", c, n, n)?,
            info: device_info(&call, info)?,
        };
        call.launch(desc, |d| Raw::Getri(d))
    }
}
