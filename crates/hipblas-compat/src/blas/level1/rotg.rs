//! rotg, rotmg. Each batch entry has its own numbers: all on the host or all on the device, as the pointer mode says, and
//! so are the arrays that lead to them.

use blas_api::{RotgDesc, RotmgDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::lower::Call;
use crate::blas::{Entry, Result, Routine};

impl Routine for calls::Rotg {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { a, b, c, s, batch } = self;
        let call = Call::new(handle, entry, batch)?;
        if call.is_empty() {
            return Ok(());
        }
        check::present([a, b, c, s])?;
        let dtype = check::dtype(a.dtype)?;
        let [a, b] = [call.own("a", a, 1)?, call.own("b", b, 1)?];
        let [c, s] = [call.own("c", c, 1)?, call.own("s", s, 1)?];
        let batch = call.batch();
        call.enqueue_results(move |raw| {
            for i in 0..batch {
                // SAFETY: the caller of the C function has promised the memory.
                unsafe {
                    let [a, b, c, s] = [a.at(raw, i)?, b.at(raw, i)?, c.at(raw, i)?, s.at(raw, i)?];
                    raw.rotg(&RotgDesc { dtype, batch: 1, a, b, c, s })?;
                }
            }
            Ok(())
        })
    }
}

impl Routine for calls::Rotmg {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Self { d1, d2, x1, y1, param, batch } = self;
        let call = Call::new(handle, entry, batch)?;
        if call.is_empty() {
            return Ok(());
        }
        check::present([d1, d2, x1, y1, param])?;
        let dtype = check::dtype(d1.dtype)?;
        let [d1, d2] = [call.own("d1", d1, 1)?, call.own("d2", d2, 1)?];
        let [x1, y1] = [call.own("x1", x1, 1)?, call.own("y1", y1, 1)?];
        let param = call.own("param", param, 5)?;
        let batch = call.batch();
        call.enqueue_results(move |raw| {
            for i in 0..batch {
                // SAFETY: the caller of the C function has promised the memory.
                unsafe {
                    let [d1, d2, x1, y1] = [d1.at(raw, i)?, d2.at(raw, i)?, x1.at(raw, i)?, y1.at(raw, i)?];
                    let param = param.at(raw, i)?;
                    raw.rotmg(&RotmgDesc { dtype, batch: 1, d1, d2, x1, y1, param })?;
                }
            }
            Ok(())
        })
    }
}
