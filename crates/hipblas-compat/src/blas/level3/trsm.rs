//! trsm and TrsmEx.

use std::ffi::{c_int, c_void};

use blas_api::{Call as Raw, DType, Side, TrsmDesc};
use hipblas_abi::{Handle, Operand, calls, status};

use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Trsm {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let calls::Trsm { side, uplo, trans_a, diag, m, n, alpha, a, b, batch } = self;
        let solve = Solve { flags: [side, uplo, trans_a, diag], m, n, alpha, a, b, batch };
        // SAFETY: the caller's promise.
        unsafe { solve.run(check::dtype(a.dtype)?, handle, entry) }
    }
}

impl Routine for calls::TrsmEx {
    /// The inverses of diagonal blocks that the caller may have ready would save a GPU some work. They are not needed.
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let calls::TrsmEx { side, uplo, trans_a, diag, m, n, alpha, a, b, batch, .. } = self;
        let dtype = check::dtype(self.compute_type)?;
        if !matches!(dtype, DType::F32 | DType::F64 | DType::C32 | DType::C64) {
            return Err(status::NOT_SUPPORTED);
        }
        let typed = |o: Operand| Operand { dtype: self.compute_type, ..o };
        let solve =
            Solve { flags: [side, uplo, trans_a, diag], m, n, alpha, a: typed(a), b: typed(b), batch };
        // SAFETY: the caller's promise.
        unsafe { solve.run(dtype, handle, entry) }
    }
}

/// The arguments of both.
struct Solve {
    /// Side, fill, operation, diagonal.
    flags: [c_int; 4],
    m: i64,
    n: i64,
    alpha: *const c_void,
    a: Operand,
    b: Operand,
    batch: i64,
}

impl Solve {
    /// # Safety
    /// As the C function.
    unsafe fn run(self, dtype: DType, handle: Handle, entry: &'static Entry) -> Result {
        let Solve { flags: [side, uplo, trans, diag], m, n, a, b, batch, .. } = self;
        let (side, uplo) = (check::side(side)?, check::uplo(uplo)?);
        let (trans, diag) = (check::trans(trans)?, check::diag(diag)?);
        let call = Call::new(handle, entry, batch)?;
        let order = if side == Side::Left { m } else { n };
        check::sizes(m >= 0 && n >= 0 && batch >= 0 && a.ld >= order && b.ld >= m)?;
        if m == 0 || n == 0 || batch == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        let alpha = unsafe {
            let alpha = call.scalar(self.alpha, dtype)?;
            check::present([b])?;
            call.present_unless_zero(alpha, dtype, &[a])?
        };
        let desc = TrsmDesc {
            dtype,
            batch: call.batch(),
            side,
            uplo,
            trans,
            diag,
            m: size(m),
            n: size(n),
            alpha,
            a: call.matrix("A", a, order, order)?,
            b: call.matrix("B", b, m, n)?,
        };
        call.launch(desc, |d| Raw::Trsm(d))
    }
}
