//! Calls of hipBLAS's functions: by cuBLAS's function where it has one, else by others that together do the same.

use std::ffi::{c_int, c_void};
use std::ptr::{NonNull, null_mut};

use blas_api::{Error, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, FAMILIES, Form, Function, Operand};

use crate::cublas::InCublas;
use crate::handle::CudaHandle;
use crate::status;

/// The types `(operands, second)` in a function's name, `None` for Ex functions.
pub(crate) type NameTypes = Option<(Elem, Elem)>;

impl CudaHandle {
    /// [`call`](Self::call) by cuBLAS's own function, or by one call of it an entry.
    ///
    /// # Safety
    /// As for [`call`](Self::call).
    pub(crate) unsafe fn native<A: Arguments>(
        &self,
        routine: &'static str,
        types: NameTypes,
        form: Form,
        args: &A,
    ) -> Result {
        let wide = args.beyond_i32(form);
        if let Some((f, name, address)) = self.find::<A>(types, form, wide.is_some()) {
            if f.form == Form::Batched {
                self.upload_arrays()?;
            }
            // SAFETY: the caller's promise.
            return unsafe { self.call_at(routine, f, name, address, args) };
        }
        if let Some((what, value)) = wide.filter(|_| self.has::<A>(types, form, false)) {
            let value = usize::try_from(value).unwrap_or(usize::MAX);
            return Err(Error::TooLarge { routine, what, value, max: i32::MAX as usize });
        }
        match form {
            Form::Plain => Err(self.library().missing(A::FAMILY)),
            // SAFETY: the caller's promise.
            _ => unsafe { self.one_by_one(routine, types, form, args) },
        }
    }

    /// A batched call as one plain call an entry, in stream order.
    ///
    /// # Safety
    /// As for [`call`](Self::call).
    pub(crate) unsafe fn one_by_one<A: Arguments>(
        &self,
        routine: &'static str,
        types: NameTypes,
        form: Form,
        args: &A,
    ) -> Result {
        let (mark, count) = (self.base().mark(), args.batch_count());
        for i in 0..count {
            // The entry before has had its scratch memory.
            self.base().give_back(mark);
            let mut failed = None;
            let entry = args.entry(i, types, |operand, size| {
                let found = self.entry(form, operand, (i, count), size);
                found.unwrap_or_else(|e| {
                    failed = Some(e);
                    null_mut()
                })
            });
            if let Some(error) = failed {
                return Err(error);
            }
            // SAFETY: the caller's promise.
            unsafe { self.call(routine, types, Form::Plain, &entry) }?;
        }
        Ok(())
    }

    /// Where entry `i` of an operand of `count` is, of elements of `size` bytes. An array that only the device has is fetched
    /// from there, once a routine, which waits.
    pub(crate) fn entry(
        &self,
        form: Form,
        operand: Operand,
        (i, count): (usize, usize),
        size: usize,
    ) -> Result<*mut c_void> {
        match form {
            Form::Plain => Ok(operand.ptr),
            Form::Strided => {
                let offset = (i as i64).wrapping_mul(operand.stride).wrapping_mul(size as i64);
                Ok(operand.ptr.wrapping_byte_offset(offset as isize))
            }
            // Pivots are an array of numbers in every form.
            Form::Batched if operand.stride != 0 => self.entry(Form::Strided, operand, (i, count), size),
            Form::Batched => {
                if let Some(entry) = self.arrays.entry(operand.ptr, i) {
                    return Ok(entry);
                }
                self.no_capture("an array of pointers that the host must see while a graph is captured")?;
                let mut host = vec![null_mut::<u8>(); count];
                let (from, to) = (operand.ptr.cast::<u8>(), host.as_mut_ptr().cast());
                // SAFETY: the array is the call's operand, and has an entry for each problem.
                unsafe { self.fetch(from, to, size_of_val(host.as_slice())) }?;
                let entry = host[i].cast();
                self.arrays.add_fetched(from, host);
                Ok(entry)
            }
        }
    }

    /// Whether cuBLAS has the function itself.
    pub(crate) fn has<A: Arguments>(&self, types: NameTypes, form: Form, wide: bool) -> bool {
        self.find::<A>(types, form, wide).is_some()
    }

    /// cuBLAS's function, its name and its address.
    pub(crate) fn find<A: Arguments>(
        &self,
        types: NameTypes,
        form: Form,
        wide: bool,
    ) -> Option<(Function, &'static str, NonNull<c_void>)> {
        let family = &FAMILIES[A::ROW];
        let typing = match types {
            Some(want) => family.types.iter().position(|t| (t.elem, t.second) == want)?,
            None => 0,
        };
        if !family.forms[form as usize] || wide && family.wide_since.is_none() {
            return None;
        }
        let f = Function { family, typing, form, wide };
        let (name, address) = self.library().function(f);
        Some((f, name, address?))
    }

    /// # Safety
    /// As for [`call`](Self::call), and `address` is that of `f`.
    unsafe fn call_at<A: Arguments>(
        &self,
        routine: &'static str,
        f: Function,
        name: &'static str,
        address: NonNull<c_void>,
        args: &A,
    ) -> Result {
        let args = args.with_numbers::<InCublas>();
        // SAFETY: the caller's promise; cuBLAS's functions have the arguments of hipBLAS's.
        let code = unsafe { args.call(address.as_ptr(), self.cublas(), f.form, f.wide) };
        self.answer(routine, name, code)
    }

    /// The result of one of cuBLAS's functions.
    #[inline]
    pub(crate) fn answer(&self, routine: &'static str, name: &'static str, code: c_int) -> Result {
        status::result(routine, name, code).map_err(|e| {
            if status::is_cublas_status(&e, status::cublas::ALLOC_FAILED) {
                self.base().with_workspace(e)
            } else {
                e
            }
        })
    }
}
