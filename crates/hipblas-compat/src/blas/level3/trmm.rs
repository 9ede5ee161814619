//! trmm: out of place since hipBLAS 2, in place before, and `trmmOutofplace` of hipBLAS 1.

use std::ffi::{c_int, c_void};

use blas_api::{Call as Raw, Side, Trans, TrmmDesc};
use hipblas_abi::{Handle, Operand, calls};

use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

/// The arguments of all three.
struct Args {
    side: c_int,
    uplo: c_int,
    trans: c_int,
    diag: c_int,
    sizes: [i64; 2],
    alpha: *const c_void,
    a: Operand,
    b: Operand,
    c: Operand,
    batch: i64,
}

impl Args {
    /// # Safety
    /// As the C function.
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Args { sizes: [m, n], a, b, c, batch, .. } = self;
        let (side, uplo) = (check::side(self.side)?, check::uplo(self.uplo)?);
        let (trans, diag) = (check::trans(self.trans)?, check::diag(self.diag)?);
        let call = Call::new(handle, entry, batch)?;
        let order = if side == Side::Left { m } else { n };
        check::sizes(m >= 0 && n >= 0 && batch >= 0 && a.ld >= order && b.ld >= m && c.ld >= m)?;
        if m == 0 || n == 0 || batch == 0 {
            return Ok(());
        }
        let dtype = check::dtype(a.dtype)?;
        // SAFETY: the caller's promise.
        let alpha = unsafe {
            let alpha = call.scalar(self.alpha, dtype)?;
            check::present([c])?;
            call.present_unless_zero(alpha, dtype, &[a, b])?
        };
        check::sizes(b.ptr != c.ptr || b.ld == c.ld)?;
        let desc = TrmmDesc {
            dtype,
            batch: call.batch(),
            side,
            uplo,
            trans,
            diag,
            tb: Trans::N,
            m: size(m),
            n: size(n),
            alpha,
            a: call.matrix("A", a, order, order)?,
            b: call.matrix("B", b, m, n)?,
            c: call.matrix("C", c, m, n)?,
        };
        call.launch(desc, |d| Raw::Trmm(d))
    }
}

macro_rules! routine {
    ($($family:ident: $out:ident;)*) => {$(
        impl Routine for calls::$family {
            unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
                let args = Args {
                    side: self.side,
                    uplo: self.uplo,
                    trans: self.trans_a,
                    diag: self.diag,
                    sizes: [self.m, self.n],
                    alpha: self.alpha,
                    a: self.a,
                    b: self.b,
                    c: self.$out,
                    batch: self.batch,
                };
                // SAFETY: the caller's promise.
                unsafe { args.run(handle, entry) }
            }
        }
    )*};
}
routine! {
    Trmm: c;
    TrmmOutOfPlace: c;
    TrmmInPlace: b;
}
