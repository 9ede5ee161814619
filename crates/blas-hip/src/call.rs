//! Calls of hipBLAS functions: the right one for the types, the form and the sizes, and its status as a result.

use std::ffi::c_void;
use std::ptr::NonNull;

use blas_api::Result;
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Elem, FAMILIES, Form, Function, status as code};

use crate::handle::HipHandle;
use crate::status;

impl HipHandle {
    /// Whether the library has the function that [`call`](Self::call) would take.
    pub(crate) fn has<A: Arguments>(&self, types: Option<(Elem, Elem)>, form: Form, wide: bool) -> bool {
        self.find::<A>(types, form, wide).is_ok()
    }

    /// The function, its name in this library and its address.
    pub(crate) fn find<A: Arguments>(
        &self,
        types: Option<(Elem, Elem)>,
        form: Form,
        wide: bool,
    ) -> Result<(Function, &'static str, NonNull<c_void>)> {
        let library = self.library();
        let missing = || library.missing(A::FAMILY);
        let family = &FAMILIES[A::ROW];
        let typing = match types {
            Some(want) => family.types.iter().position(|t| (t.elem, t.second) == want).ok_or_else(missing)?,
            None => 0,
        };
        if !family.forms[form as usize] || wide && family.wide_since.is_none() {
            return Err(missing());
        }
        let f = Function { family, typing, form, wide };
        match library.function(f) {
            (name, Some(address)) => Ok((f, name, address)),
            (name, None) => Err(library.missing(name)),
        }
    }

    /// # Safety
    /// As for [`call`](Self::call), and `address` is that of `f`.
    pub(crate) unsafe fn call_at<A: Arguments>(
        &self,
        routine: &'static str,
        f: Function,
        name: &'static str,
        address: NonNull<c_void>,
        args: &A,
    ) -> Result {
        let abi = self.library().abi();
        // 2.x has the numbers of 3.x under other names, which `Library` looks up.
        let old =
            if f.old_types(abi) && f.name_in(abi) == f.name() { args.with_old_types() } else { Some(*args) };
        let Some(args) = old else { return Err(self.library().missing(name)) };
        // SAFETY: the caller's promise.
        let status = unsafe { args.call(address.as_ptr(), self.hipblas(), f.form, f.wide) };
        status::of_hipblas(routine, name, status).map_err(|e| {
            if status::is_hipblas(&e, code::ALLOC_FAILED) { self.base().with_workspace(e) } else { e }
        })
    }
}
