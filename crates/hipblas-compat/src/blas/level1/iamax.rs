//! iamax, iamin: amax, amin in hipBLAS.

use blas_api::{Call as Raw, DType, RawOut, ReduceDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::lower::{Call, deliver, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! index { ($($family:ident: $routine:ident),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, x, batch, result } = self;
            let call = Call::new(handle, entry, batch)?;
            if call.is_empty() {
                return Ok(());
            }
            check::pointers([result.cast_const()])?;
            // The index in nothing is 0, and a vector that does not go forward is nothing.
            let n = if x.ld > 0 { n.max(0) } else { 0 };
            if n > 0 {
                check::present([x])?;
            }
            let index = if call.is_wide() { DType::I64 } else { DType::I32 };
            let desc = ReduceDesc {
                dtype: check::dtype(x.dtype)?,
                batch: call.batch(),
                n: size(n),
                x: call.vector("x", x, n)?,
                out: call.results(result, index, call.batch())?,
            };
            if call.is_wide() {
                return call.launch_results(desc, |d| Raw::$routine(d));
            }
            // Backends give 64 bits.
            call.enqueue_results(move |raw| {
                let mut wide = vec![0i64; desc.batch];
                let out = RawOut::Host(wide.as_mut_ptr().cast());
                // SAFETY: the descriptor has been checked, and there is room for the results on both sides.
                unsafe {
                    Raw::$routine(&ReduceDesc { out, ..desc }).run(raw)?;
                    let narrow: Vec<i32> = wide.iter().map(|&i| i as i32).collect();
                    deliver(raw, desc.out, &narrow)
                }
            })
        }
    }
)*}}
index!(Amax: Iamax, Amin: Iamin);
