//! The form of a call, and its operands in that form.

use std::ffi::c_void;

use blas_api::*;
use hipblas_abi::{Arguments, Elem, Form, Operand};

use super::data_type;
use crate::GpuHandle;

/// The form that fits the operands of a call: plain for one problem, strided where all operands are, else batched, for
/// which arrays of pointers are made of those that are not on the device already.
pub(crate) struct Batch<'h, H> {
    h: &'h H,
    form: Form,
    count: usize,
}

impl<'h, H: GpuHandle> Batch<'h, H> {
    /// For a call of `count` problems with operands at these addresses.
    #[inline]
    pub(crate) fn new(h: &'h H, count: usize, operands: &[Address]) -> Self {
        let strided = |a: &Address| matches!(a, Address::Strided { stride, .. } if *stride >= 0);
        let on_device = |a: &Address| matches!(a, Address::Array { on: Location::Device, .. });
        let form = if count == 1 && !operands.iter().any(on_device) {
            Form::Plain
        } else if operands.iter().all(strided) {
            Form::Strided
        } else {
            Form::Batched
        };
        Batch { h, form, count }
    }

    /// In the form that takes arrays of pointers, whatever the operands are: for functions that have no other.
    pub(crate) fn arrays(h: &'h H, count: usize) -> Self {
        Batch { h, form: Form::Batched, count }
    }

    /// The form.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// Number of problems.
    pub(crate) fn count(&self) -> i64 {
        self.count as i64
    }

    /// A matrix.
    #[inline]
    pub(crate) fn matrix(&self, m: Matrix, dtype: DType) -> Result<Operand> {
        self.operand(m.data, dtype, m.ld as i64)
    }

    /// A vector.
    #[inline]
    pub(crate) fn vector(&self, v: Vector, dtype: DType) -> Result<Operand> {
        self.operand(v.data, dtype, v.inc as i64)
    }

    /// A packed matrix, or an array of scalars.
    pub(crate) fn packed(&self, data: Address, dtype: DType) -> Result<Operand> {
        self.operand(data, dtype, 0)
    }

    #[inline]
    fn operand(&self, data: Address, dtype: DType, ld: i64) -> Result<Operand> {
        let (ptr, stride) = match (self.form, data) {
            (Form::Plain, Address::Strided { ptr, .. }) => (ptr.cast(), 0),
            (Form::Strided, Address::Strided { ptr, stride }) => (ptr.cast(), stride as i64),
            _ => (self.of_array(data, dtype.size())?, 0),
        };
        Ok(Operand { ptr, dtype: data_type(dtype), ld, stride })
    }

    /// The pointer of an operand that is an array of pointers, or must become one.
    fn of_array(&self, data: Address, size: usize) -> Result<*mut c_void> {
        match (self.form, data) {
            // SAFETY: the count is 1, and the array is the host's.
            (Form::Plain, _) => Ok(unsafe { data.entry(0, size) }.cast()),
            (Form::Batched, Address::Array { ptrs, on: Location::Device }) => Ok(ptrs.cast_mut().cast()),
            _ => {
                // SAFETY: less than the count; the array is the host's.
                let entry = |i| unsafe { data.entry(i, size) };
                self.h.pointers((0..self.count).map(entry).collect())
            }
        }
    }

    /// Calls the function of the form.
    ///
    /// # Safety
    /// The arguments are valid, and their operands were made by this.
    pub(crate) unsafe fn call<A: Arguments>(
        &self,
        routine: &'static str,
        types: Option<(Elem, Elem)>,
        args: &A,
    ) -> Result {
        // SAFETY: the caller's promise.
        unsafe { self.h.call(routine, types, self.form, args) }
    }
}

/// The pointers of an operand, one an entry, on the host. Those in an array on the device are fetched from there, which
/// waits.
///
/// # Safety
/// The operand has so many entries, of elements of `size` bytes.
pub(crate) unsafe fn entries(
    h: &impl GpuHandle,
    data: Address,
    count: usize,
    size: usize,
) -> Result<Vec<*mut u8>> {
    if let Address::Array { ptrs, on: Location::Device } = data {
        h.no_capture("an array of pointers that the host must see while a graph is captured")?;
        let mut host = vec![std::ptr::null_mut::<u8>(); count];
        // SAFETY: the caller's promise.
        unsafe {
            h.fetch(ptrs.cast(), host.as_mut_ptr().cast(), count * size_of::<*mut u8>())?;
        }
        return Ok(host);
    }
    // SAFETY: the caller's promise; the array is the host's.
    Ok((0..count).map(|i| unsafe { data.entry(i, size) }).collect())
}

/// An operand that is absent.
pub(crate) const NO_OPERAND: Operand =
    Operand { ptr: std::ptr::null_mut::<c_void>(), dtype: 0, ld: 0, stride: 0 };
