//! copy, swap.

use blas_api::{Call as Raw, CopyDesc, SwapDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! move_vector { ($($family:ident($desc:ident)),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, x, y, batch } = self;
            let call = Call::new(handle, entry, batch)?;
            if n <= 0 || call.is_empty() {
                return Ok(());
            }
            check::present([x, y])?;
            let desc = $desc {
                dtype: check::dtype(x.dtype)?,
                batch: call.batch(),
                n: size(n),
                x: call.vector("x", x, n)?,
                y: call.vector("y", y, n)?,
            };
            call.launch(desc, |d| Raw::$family(d))
        }
    }
)*}}
move_vector!(Copy(CopyDesc), Swap(SwapDesc));
