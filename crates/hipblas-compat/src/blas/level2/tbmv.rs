//! tbmv, tbsv.

use blas_api::{Call as Raw, TbmvDesc};
use hipblas_abi::{Handle, calls};

use crate::blas::check;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine};

macro_rules! tbmv { ($($family:ident),*) => {$(
    impl Routine for calls::$family {
        unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
            let Self { n, k, a, x, batch, .. } = self;
            let (uplo, trans, diag) =
                (check::uplo(self.uplo)?, check::trans(self.trans_a)?, check::diag(self.diag)?);
            let call = Call::new(handle, entry, batch)?;
            check::sizes(n >= 0 && k >= 0 && a.ld > k && x.ld != 0 && batch >= 0)?;
            if n == 0 || batch == 0 {
                return Ok(());
            }
            check::present([a, x])?;

            let desc = TbmvDesc {
                dtype: check::dtype(a.dtype)?,
                batch: call.batch(),
                uplo,
                trans,
                diag,
                n: size(n),
                k: size(k),
                a: call.matrix("A", a, k + 1, n)?,
                x: call.vector("x", x, n)?,
            };
            call.launch(desc, |d| Raw::$family(d))
        }
    }
)*}}
tbmv!(Tbmv, Tbsv);
