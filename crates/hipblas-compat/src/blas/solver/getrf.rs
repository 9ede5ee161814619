//! getrf: without pivots if there is no array for them.

use blas_api::{Call as Raw, GetrfDesc};
use hipblas_abi::{Handle, calls};

use super::{device_info, pivots};
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Getrf {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { n, a, info, batch, .. } = self;
        let call = Call::new(handle, entry, batch)?;
        check::sizes(n >= 0 && a.ld >= n && batch >= 0)?;
        if batch == 0 {
            return Ok(());
        }
        check::pointers([info.cast_const()])?;
        check::sizes(n == 0 || !a.ptr.is_null())?;
        let desc = GetrfDesc {
            dtype: check::dtype(a.dtype)?,
            batch: call.batch(),
            m: size(n),
            n: size(n),
            a: call.matrix("A", a, n, n)?,
            pivots: pivots(&call, self.pivots, n)?,
            info: device_info(&call, info)?,
        };
        call.launch(desc, |d| Raw::Getrf(d))
    }
}
