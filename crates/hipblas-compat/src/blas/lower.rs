//! From the arguments of a hipBLAS function to a descriptor of `blas-api`, and its way to the device.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use blas_api::{
    self as api, Address, DType, Descriptor, Element, Location, Matrix, RawHandle, RawOut, Vector,
};
use hipblas_abi::{Elem, Form, Handle, Operand, pointer_mode, status};

use super::handle::{self, Settings};
use super::status::of_runtime;
use super::{Entry, Result, check};
use crate::hip::memory::check_device;
use crate::hip::stream::{self, Job};

/// One call: a function, a handle, and the number of batch entries.
pub(crate) struct Call {
    entry: &'static Entry,
    settings: Settings,
    batch: i64,
}

impl Call {
    /// NOT_INITIALIZED if there is no such handle.
    pub(crate) fn new(handle: Handle, entry: &'static Entry, batch: i64) -> Result<Self> {
        Ok(Call { entry, settings: handle::settings(handle)?, batch })
    }

    /// Number of batch entries, once it is known not to be negative.
    pub(crate) fn batch(&self) -> usize {
        size(self.batch)
    }

    /// Number of batch entries as the caller gave it.
    pub(crate) fn batch_given(&self) -> i64 {
        self.batch
    }

    /// Whether there are no batch entries.
    pub(crate) fn is_empty(&self) -> bool {
        self.batch <= 0
    }

    /// Whether results are of 64 bits that are of 32 bits elsewhere.
    pub(crate) fn is_wide(&self) -> bool {
        self.entry.wide
    }

    /// Form of the batch.
    pub(crate) fn form(&self) -> Form {
        self.entry.form
    }

    /// `hipblasInt8Datatype_t` of the handle.
    pub(crate) fn int8(&self) -> c_int {
        self.settings.int8
    }

    /// Type of the second coefficient, of a function whose types are in its name.
    pub(crate) fn second(&self) -> Result<DType> {
        self.entry.types.map(|(_, second)| dtype_of(second)).ok_or(status::INTERNAL_ERROR)
    }

    /// Whether coefficients and results are on the device.
    pub(crate) fn device_mode(&self) -> bool {
        self.settings.pointer_mode == pointer_mode::DEVICE
    }

    /// Where `n` results of that type go.
    pub(crate) fn results(&self, ptr: *mut c_void, dtype: DType, n: usize) -> Result<RawOut> {
        if self.device_mode() {
            self.check_memory("result", ptr, dtype.size().saturating_mul(n))?;
            return Ok(RawOut::Device(ptr.cast()));
        }
        Ok(RawOut::Host(ptr.cast()))
    }

    /// A vector of `n` elements.
    pub(crate) fn vector(&self, name: &'static str, x: Operand, n: i64) -> Result<Vector> {
        let extent = if n > 0 { (n - 1).saturating_mul(x.ld.saturating_abs()).saturating_add(1) } else { 0 };
        Ok(Vector { data: self.address(name, x, extent)?, inc: x.ld as isize })
    }

    /// A matrix as stored.
    pub(crate) fn matrix(&self, name: &'static str, a: Operand, rows: i64, cols: i64) -> Result<Matrix> {
        let extent =
            if rows > 0 && cols > 0 { (cols - 1).saturating_mul(a.ld).saturating_add(rows) } else { 0 };
        Ok(Matrix { data: self.address(name, a, extent)?, ld: size(a.ld) })
    }

    /// A packed triangle of order `n`.
    pub(crate) fn packed(&self, name: &'static str, a: Operand, n: i64) -> Result<Address> {
        self.address(name, a, n.saturating_mul(n.saturating_add(1)) / 2)
    }

    /// An operand that takes `extent` elements in each batch entry.
    pub(crate) fn address(&self, name: &'static str, o: Operand, extent: i64) -> Result<Address> {
        if o.ptr.is_null() || extent == 0 {
            // Nothing will be read: an array of pointers must not be either.
            return Ok(Address::single(std::ptr::null_mut()));
        }
        if self.form() == Form::Batched {
            self.check_memory(name, o.ptr, self.batch().saturating_mul(size_of::<*mut u8>()))?;
            return Ok(Address::Array { ptrs: o.ptr.cast(), on: Location::Device });
        }
        self.strided(name, o, extent)
    }

    /// An operand that takes `extent` elements in each batch entry, each entry one stride after the other in any form.
    pub(crate) fn strided(&self, name: &'static str, o: Operand, extent: i64) -> Result<Address> {
        let distance = (self.batch - 1).saturating_mul(o.stride);
        let elements = size(extent.saturating_add(distance.saturating_abs()));
        let bytes = check::dtype(o.dtype)?.size();
        let low =
            o.ptr.cast::<u8>().wrapping_offset((distance.min(0) as isize).saturating_mul(bytes as isize));
        self.check_memory(name, low.cast(), elements.saturating_mul(bytes))?;
        Ok(Address::Strided { ptr: o.ptr.cast(), stride: o.stride as isize })
    }

    /// Numbers that each batch entry has for itself, `len` of them, where the pointer mode says.
    pub(crate) fn own(&self, name: &'static str, o: Operand, len: i64) -> Result<Own> {
        if self.device_mode() {
            self.address(name, o, len)?;
        }
        let size = check::dtype(o.dtype)?.size();
        Ok(Own { operand: o, size, array: self.form() == Form::Batched, on_device: self.device_mode() })
    }

    pub(crate) fn check_memory(&self, operand: &str, ptr: *const c_void, bytes: usize) -> Result {
        check_device(ptr, bytes, self.entry.name, operand).map_err(of_runtime)
    }

    /// Whether work goes to a graph.
    pub(crate) fn is_capturing(&self) -> bool {
        stream::is_capturing(self.settings.stream)
    }

    /// Enqueues a routine.
    pub(crate) fn launch<D: Descriptor + 'static>(
        &self,
        desc: D,
        routine: impl for<'a> Fn(&'a D) -> api::Call<'a> + Copy + 'static,
    ) -> Result {
        // SAFETY: the descriptor has been checked, and the pointers in it are good by the contract of hipBLAS.
        self.enqueue(move |raw| unsafe { routine(&desc).run(raw) })
    }

    /// Enqueues work.
    pub(crate) fn enqueue(&self, work: impl Fn(&dyn RawHandle) -> api::Result + Copy + 'static) -> Result {
        stream::enqueue(self.settings.stream, self.job(work)).map_err(of_runtime)
    }

    /// As [`launch`](Self::launch), for a routine with [`results`](Self::results).
    pub(crate) fn launch_results<D: Descriptor + 'static>(
        &self,
        desc: D,
        routine: impl for<'a> Fn(&'a D) -> api::Call<'a> + Copy + 'static,
    ) -> Result {
        // SAFETY: as there.
        self.enqueue_results(move |raw| unsafe { routine(&desc).run(raw) })
    }

    /// Enqueues work with [`results`](Self::results), and waits for those on the host. A graph cannot have such.
    pub(crate) fn enqueue_results(
        &self,
        work: impl Fn(&dyn RawHandle) -> api::Result + Copy + 'static,
    ) -> Result {
        if self.device_mode() {
            return self.enqueue(work);
        }
        if self.is_capturing() {
            return Err(status::INTERNAL_ERROR);
        }
        self.run(work)
    }

    /// Enqueues work and waits for it: its results are on the host when this returns, unless it is an error and nothing was
    /// enqueued.
    pub(crate) fn run(&self, work: impl Fn(&dyn RawHandle) -> api::Result + Copy + 'static) -> Result {
        stream::run(self.settings.stream, self.job(work)).map_err(of_runtime)
    }

    /// Work as the runtime takes it. A stream's queue works for any handle, and does so with the precision of this one.
    fn job(&self, work: impl Fn(&dyn RawHandle) -> api::Result + Copy + 'static) -> Job {
        let precision = self.settings.precision();
        job(move |raw| {
            let mut policy = raw.policy();
            if policy.precision != precision {
                policy.precision = precision;
                raw.set_policy(policy)?;
            }
            work(raw)
        })
    }
}

/// See [`Call::own`].
#[derive(Clone, Copy)]
pub(crate) struct Own {
    operand: Operand,
    size: usize,
    array: bool,
    on_device: bool,
}

impl Own {
    /// In work: the numbers of entry `i`.
    ///
    /// # Safety
    /// There is such an entry.
    pub(crate) unsafe fn at(&self, raw: &dyn RawHandle, i: usize) -> api::Result<RawOut> {
        let ptr = self.operand.ptr.cast::<u8>();
        let ptr = if !self.array {
            ptr.wrapping_offset((i as isize).wrapping_mul(self.operand.stride as isize * self.size as isize))
        } else if self.on_device {
            let mut entry = std::ptr::null_mut::<u8>();
            let array = ptr.cast::<*mut u8>();
            // SAFETY: the caller's promise.
            unsafe {
                raw.download(array.add(i).cast(), (&raw mut entry).cast(), size_of::<*mut u8>())?;
            }
            entry
        } else {
            // SAFETY: the caller's promise.
            unsafe { *ptr.cast::<*mut u8>().add(i) }
        };
        Ok(if self.on_device { RawOut::Device(ptr) } else { RawOut::Host(ptr) })
    }
}

/// Work that any thread may do.
fn job(work: impl Fn(&dyn RawHandle) -> api::Result + Copy + 'static) -> Job {
    struct Work<F>(F);
    // SAFETY: what can be copied is numbers and pointers; these lead to memory of the device, or to memory of the host
    // that the contract of hipBLAS keeps there until the work is done.
    unsafe impl<F: Copy> Send for Work<F> {}
    // SAFETY: as above.
    unsafe impl<F: Copy> Sync for Work<F> {}
    impl<F: Fn(&dyn RawHandle) -> api::Result> Work<F> {
        fn run(&self, raw: &dyn RawHandle) -> api::Result {
            (self.0)(raw)
        }
    }
    let work = Work(work);
    Arc::new(move |queue| work.run(queue))
}

/// A size that has been checked.
pub(crate) fn size(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

/// Type of the elements.
pub(crate) const fn dtype_of(elem: Elem) -> DType {
    match elem {
        Elem::F16 => DType::F16,
        Elem::BF16 => DType::BF16,
        Elem::F32 => DType::F32,
        Elem::F64 => DType::F64,
        Elem::C32 => DType::C32,
        Elem::C64 => DType::C64,
    }
}

/// In work: writes results that are not of the type that the routine gives.
///
/// # Safety
/// There is room for them.
pub(crate) unsafe fn deliver<T: Element>(raw: &dyn RawHandle, out: RawOut, results: &[T]) -> api::Result {
    let (from, bytes) = (results.as_ptr().cast::<u8>(), size_of_val(results));
    // SAFETY: the caller's promise.
    unsafe {
        match out {
            RawOut::Host(to) => to.copy_from_nonoverlapping(from, bytes),
            RawOut::Device(to) => raw.upload(from, to, bytes)?,
        }
    }
    Ok(())
}
