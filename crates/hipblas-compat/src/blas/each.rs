//! Coefficients that each batch entry has for itself, as `hipblasSetBatchAlphaStride` and `hipblasSetBatchBetaStride` ask
//! for them: such a batch is called entry by entry.

use std::ffi::{c_int, c_void};

use hipblas_abi::{Arguments, Elem, Form, Handle, Operand, calls, pointer_mode, size_of_data_type};

use super::handle::{self, Settings};
use super::{Entry, Routine, status_of};

/// A family whose batched functions may have coefficients of each entry.
pub(super) trait EachEntry: Routine {
    /// The arguments of entry `i`, as a batch of one.
    fn at(self, i: usize, entry: &Entry, settings: &Settings) -> Self;
}

/// What the C functions of such a family do. All entries have the same sizes, so that what is wrong is wrong with the first
/// one, before anything is enqueued.
pub(super) unsafe fn run_each<R: EachEntry>(handle: Handle, entry: &'static Entry, args: R) -> c_int {
    let settings = match handle::settings(handle) {
        Ok(s) if s.pointer_mode == pointer_mode::DEVICE && (s.alpha_stride, s.beta_stride) != (0, 0) => s,
        // SAFETY: the caller's promise.
        _ => return unsafe { super::run(handle, entry, args) },
    };
    if args.batch_count() <= 1 {
        // SAFETY: the caller's promise.
        return unsafe { super::run(handle, entry, args) };
    }
    status_of(entry.name, || {
        // SAFETY: the caller's promise, of each entry.
        (0..args.batch_count()).try_for_each(|i| unsafe { args.at(i, entry, &settings).run(handle, entry) })
    })
}

/// Where entry `i` of an operand is: its place in the array of pointers, or its distance.
fn operand(o: Operand, size: usize, i: usize, entry: &Entry) -> *mut c_void {
    let (stride, size) = match entry.form {
        Form::Batched => (1, size_of::<*mut c_void>()),
        _ => (o.stride, size),
    };
    if o.ptr.is_null() { o.ptr } else { o.ptr.wrapping_byte_offset(distance(i, stride, size)) }
}

fn coefficient(ptr: *const c_void, i: usize, stride: i64, size: usize) -> *const c_void {
    if ptr.is_null() { ptr } else { ptr.wrapping_byte_offset(distance(i, stride, size)) }
}

fn distance(i: usize, stride: i64, size: usize) -> isize {
    (i as isize).wrapping_mul(stride as isize).wrapping_mul(size as isize)
}

/// Size of a coefficient in a function whose types are in its name.
fn size(entry: &Entry, of: fn((Elem, Elem)) -> Elem) -> usize {
    entry.types.map_or(0, |types| of(types).size())
}

macro_rules! each_entry {
    ($($family:ident: $size:expr $(, $beta:ident)?;)*) => {$(
        impl EachEntry for calls::$family {
            fn at(self, i: usize, entry: &Entry, settings: &Settings) -> Self {
                let size: fn(&Self, &Entry) -> usize = $size;
                let size = size(&self, entry);
                Self {
                    batch: 1,
                    alpha: coefficient(self.alpha, i, settings.alpha_stride, size),
                    $($beta: coefficient(self.$beta, i, settings.beta_stride, size),)?
                    ..self.entry(i, entry.types, |o, size| operand(o, size, i, entry))
                }
            }
        }
    )*};
}
each_entry!(
    Gemv: |_, e| size(e, |t| t.0), beta;
    Symv: |_, e| size(e, |t| t.0), beta;
    Hemv: |_, e| size(e, |t| t.0), beta;
    Sbmv: |_, e| size(e, |t| t.0), beta;
    Spmv: |_, e| size(e, |t| t.0), beta;
    Ger: |_, e| size(e, |t| t.0);
    Geru: |_, e| size(e, |t| t.0);
    Gerc: |_, e| size(e, |t| t.0);
    Syr: |_, e| size(e, |t| t.0);
    Scal: |_, e| size(e, |t| t.1);
    ScalEx: |args, _| size_of_data_type(args.alpha_type);
);
