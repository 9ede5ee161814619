//! Coefficients: where they are, and the operands that they leave unread.

use std::ffi::c_void;

use blas_api::{self as api, DType, RawHandle, RawScalar, Scalar, with_dtype};
use hipblas_abi::{Operand, status};

use super::lower::Call;
use super::{Result, check};

/// A coefficient as the caller gives it.
#[derive(Clone, Copy)]
pub(crate) struct Coef {
    pub(crate) ptr: *const c_void,
    pub(crate) dtype: DType,
}

impl Call {
    /// A coefficient. One on the host is read now, one on the device by the work, which must want that very type (else
    /// see [`fetch`]). INVALID_VALUE if it is NULL.
    ///
    /// # Safety
    /// The pointer is NULL or to a value of that type, where the pointer mode says.
    pub(crate) unsafe fn scalar(&self, ptr: *const c_void, dtype: DType) -> Result<RawScalar> {
        check::pointers([ptr])?;
        if self.device_mode() {
            self.check_memory("coefficient", ptr, dtype.size())?;
            return Ok(RawScalar::Device(ptr.cast()));
        }
        // SAFETY: the caller's promise.
        Ok(RawScalar::Host(unsafe { value(ptr.cast(), dtype) }))
    }

    /// The value of a coefficient of that type, wherever it is: for the rare call that is legal or not because of it.
    /// Waits for the stream.
    ///
    /// # Safety
    /// One on the device is of that type.
    pub(crate) unsafe fn peek(&self, coef: RawScalar, dtype: DType) -> Result<RawScalar> {
        let RawScalar::Device(_) = coef else { return Ok(coef) };
        if self.is_capturing() {
            return Err(status::INTERNAL_ERROR);
        }
        let mut seen = RawScalar::ZERO;
        let out = &raw mut seen;
        // SAFETY: the caller's promise; `seen` lives until the work is done.
        self.run(move |raw| unsafe {
            out.write(fetch(raw, coef, dtype)?);
            Ok(())
        })?;
        Ok(seen)
    }

    /// The coefficients of y = alpha * (a product of length `k` of the inputs) + beta * y, with AMD's checks of the
    /// pointers; None if y stays as it is, whatever is NULL.
    ///
    /// # Safety
    /// Coefficients that are not NULL are where the pointer mode says.
    pub(crate) unsafe fn update(
        &self,
        k: i64,
        alpha: Coef,
        inputs: &[Operand],
        beta: Coef,
        output: Operand,
    ) -> Result<Option<[RawScalar; 2]>> {
        // SAFETY: the caller's promise.
        unsafe {
            let mut b = self.scalar(beta.ptr, beta.dtype)?;
            let mut a = if k == 0 { RawScalar::ZERO } else { self.scalar(alpha.ptr, alpha.dtype)? };
            if some_missing(&[output]) || k > 0 && some_missing(inputs) {
                // What is missing may not be wanted. The coefficients tell, wherever they are, and what computes must know
                // them then: on a GPU, all that a coefficient there says is read.
                a = self.peek(a, alpha.dtype)?;
                b = self.peek(b, beta.dtype)?;
            }
            match (check::is_zero(a), check::is_one(b)) {
                (true, true) => return Ok(None),
                (true, false) => check::present([output])?,
                (false, _) => check::sizes(!some_missing(&[output]) && !some_missing(inputs))?,
            }
            Ok(Some([a, b]))
        }
    }

    /// alpha of A = alpha * x * yᵀ + A, or of another update by the operands. None if it is 0: A stays as it is.
    ///
    /// # Safety
    /// As for [`scalar`](Self::scalar).
    pub(crate) unsafe fn factor(&self, alpha: Coef, operands: &[Operand]) -> Result<Option<RawScalar>> {
        // SAFETY: the caller's promise.
        unsafe {
            let scalar = self.scalar(alpha.ptr, alpha.dtype)?;
            let missing = some_missing(operands);
            let seen = if missing { self.peek(scalar, alpha.dtype)? } else { scalar };
            if check::is_zero(seen) {
                return Ok(None);
            }
            check::sizes(!missing)?;
            Ok(Some(scalar))
        }
    }

    /// The coefficient for a product of the operands: its value where one of them is NULL. INVALID_VALUE if that is not 0.
    ///
    /// # Safety
    /// A coefficient on the device is of that type.
    pub(crate) unsafe fn present_unless_zero(
        &self,
        coef: RawScalar,
        dtype: DType,
        operands: &[Operand],
    ) -> Result<RawScalar> {
        if !some_missing(operands) {
            return Ok(coef);
        }
        // SAFETY: the caller's promise.
        let coef = unsafe { self.peek(coef, dtype)? };
        check::sizes(check::is_zero(coef))?;
        Ok(coef)
    }
}

fn some_missing(operands: &[Operand]) -> bool {
    operands.iter().any(|o| o.ptr.is_null())
}

/// In work: the value of a coefficient, wherever it is.
///
/// # Safety
/// One on the device is of that type.
pub(crate) unsafe fn fetch(raw: &dyn RawHandle, coef: RawScalar, dtype: DType) -> api::Result<RawScalar> {
    let RawScalar::Device(ptr) = coef else { return Ok(coef) };
    let mut bytes = [0; 16];
    // SAFETY: the caller's promise; no type is larger.
    unsafe {
        raw.download(ptr, bytes.as_mut_ptr(), dtype.size())?;
        Ok(RawScalar::Host(value(bytes.as_ptr(), dtype)))
    }
}

/// In work: a coefficient of type `from` for a descriptor that takes type `to`.
///
/// # Safety
/// As for [`fetch`].
pub(crate) unsafe fn fetch_as(
    raw: &dyn RawHandle,
    coef: RawScalar,
    from: DType,
    to: DType,
) -> api::Result<RawScalar> {
    // SAFETY: the caller's promise.
    if from == to { Ok(coef) } else { unsafe { fetch(raw, coef, from) } }
}

/// Five real numbers in a row.
///
/// # Safety
/// As for [`value`].
pub(crate) unsafe fn values(ptr: *const u8, dtype: DType) -> [f64; 5] {
    // SAFETY: the caller's promise.
    std::array::from_fn(|i| unsafe { value(ptr.add(i * dtype.size()), dtype)[0] })
}

/// Real and imaginary part of a number, which may lie anywhere.
///
/// # Safety
/// The pointer is to a value of that type, in memory of the host.
unsafe fn value(ptr: *const u8, dtype: DType) -> [f64; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        with_dtype!(dtype, T in S => ptr.cast::<T>().read_unaligned().parts(),
            else [f64::from(ptr.cast::<i32>().read_unaligned()), 0.0])
    }
}
