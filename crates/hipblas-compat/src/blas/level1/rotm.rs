//! rotm.

use blas_api::{Call as Raw, RawParam, RotmDesc};
use hipblas_abi::{Form, Handle, calls};

use crate::blas::check;
use crate::blas::coef::values;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

impl Routine for calls::Rotm {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { n, x, y, param, batch } = self;
        let call = Call::new(handle, entry, batch)?;
        if n <= 0 || call.is_empty() {
            return Ok(());
        }
        check::present([param])?;
        let dtype = check::dtype(x.dtype)?;
        // In a batch, those that differ are on the device, whatever the pointer mode is.
        let param = if call.device_mode() || call.form() == Form::Batched || param.stride != 0 {
            RawParam::Device(call.address("param", param, 5)?)
        } else {
            // SAFETY: the caller's promise.
            let param = unsafe { values(param.ptr.cast(), dtype) };
            if param[0] == -2.0 {
                return Ok(());
            }
            RawParam::Host(param)
        };
        check::present([x, y])?;
        let desc = RotmDesc {
            dtype,
            batch: call.batch(),
            n: size(n),
            x: call.vector("x", x, n)?,
            y: call.vector("y", y, n)?,
            param,
        };
        call.launch(desc, |d| Raw::Rotm(d))
    }
}
