//! tpmv, tpsv.

use blas_api::{Call as Raw, TpmvDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! tpmv { ($($family:ident),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, ap, x, batch, .. } = self;
            let (uplo, trans, diag) =
                (check::uplo(self.uplo)?, check::trans(self.trans_a)?, check::diag(self.diag)?);
            let call = Call::new(handle, entry, batch)?;
            check::sizes(n >= 0 && x.ld != 0 && batch >= 0)?;
            if n == 0 || batch == 0 {
                return Ok(());
            }
            check::present([ap, x])?;

            let desc = TpmvDesc {
                dtype: check::dtype(ap.dtype)?,
                batch: call.batch(),
                uplo,
                trans,
                diag,
                n: size(n),
                ap: call.packed("AP", ap, n)?,
                x: call.vector("x", x, n)?,
            };
            call.launch(desc, |d| Raw::$family(d))
        }
    }
)*}}
tpmv!(Tpmv, Tpsv);
