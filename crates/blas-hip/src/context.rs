//! What a handle owns on its device, and graphs keep alive: a stream, and a hipBLAS handle that works on it.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;

use blas_api::{DeviceId, Result};
use blas_gpu::Queue;
use hipblas_abi::hip::{Stream, flag};
use hipblas_abi::{Family, Form, Function, Handle, atomics};

use crate::device::ordinal;
use crate::library::Library;
use crate::{status, tensile};

/// A stream of a device with a hipBLAS handle.
pub struct Context {
    pub(crate) library: &'static Library,
    pub(crate) device: DeviceId,
    pub(crate) stream: Stream,
    owns_stream: bool,
    pub(crate) blas: Handle,
    /// The devices that the stream has copied from.
    pub(crate) visited: Mutex<Vec<DeviceId>>,
}

// SAFETY: HIP's streams may be used by any thread, and by several at once; the hipBLAS handle is used by the one owner of
// the `HipHandle` alone.
unsafe impl Send for Context {}
// SAFETY: as above; what is shared uses the stream only.
unsafe impl Sync for Context {}

impl Context {
    /// On a stream of its own.
    pub(crate) fn new(library: &'static Library, device: DeviceId) -> Result<Context> {
        tensile::check(library, device)?;
        library.set_device("open", device)?;
        let mut stream = null_mut();
        // SAFETY: writes one stream. It does not wait for the null stream, nor that for it.
        unsafe { library.hip.hipStreamCreateWithFlags("open", &mut stream, flag::STREAM_NON_BLOCKING) }?;
        Context::on(library, device, stream, true).with_blas()
    }

    /// On a stream that someone else made and will destroy.
    ///
    /// # Safety
    /// The stream is one of the device, made by the library's HIP runtime, and outlives the context.
    pub(crate) unsafe fn adopt(
        library: &'static Library,
        device: DeviceId,
        stream: Stream,
    ) -> Result<Context> {
        tensile::check(library, device)?;
        library.set_device("open", device)?;
        Context::on(library, device, stream, false).with_blas()
    }

    fn on(library: &'static Library, device: DeviceId, stream: Stream, owns_stream: bool) -> Context {
        Context { library, device, stream, owns_stream, blas: null_mut(), visited: Mutex::default() }
    }

    /// Makes the hipBLAS handle.
    fn with_blas(mut self) -> Result<Context> {
        let (call, create) = self.library.auxiliary("Create")?;
        // SAFETY: `hipblasStatus_t hipblasCreate(hipblasHandle_t*)`.
        let code = unsafe {
            let create: unsafe extern "C" fn(*mut Handle) -> c_int = std::mem::transmute(create);
            create(&mut self.blas)
        };
        status::of_hipblas("open", call, code)?;
        let (call, set) = self.library.auxiliary("SetStream")?;
        // SAFETY: `hipblasStatus_t hipblasSetStream(hipblasHandle_t, hipStream_t)`; both are of this device.
        let code = unsafe {
            let set: unsafe extern "C" fn(Handle, Stream) -> c_int = std::mem::transmute(set);
            set(self.blas, self.stream)
        };
        status::of_hipblas("open", call, code)?;
        // Releases differ in what they start with.
        self.set_mode("open", "SetAtomicsMode", atomics::NOT_ALLOWED)?;
        // 0.53 and 0.54 can take int8 matrices in a packed layout, which was given up later.
        if self.library.auxiliary("SetInt8Datatype").is_ok() {
            self.set_mode("open", "SetInt8Datatype", hipblas_abi::int8::INT8)?;
        }
        Ok(self)
    }

    /// Calls a function that takes the handle and an enum: the modes.
    pub(crate) fn set_mode(&self, routine: &'static str, family: &'static str, value: c_int) -> Result {
        let (call, set) = self.library.auxiliary(family)?;
        // SAFETY: all of them are `hipblasStatus_t f(hipblasHandle_t, enum)`.
        let code = unsafe {
            let set: unsafe extern "C" fn(Handle, c_int) -> c_int = std::mem::transmute(set);
            set(self.blas, value)
        };
        status::of_hipblas(routine, call, code)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // There is nobody to tell of a failure, and nothing that could be done about it.
        let _ = self.library.set_device("drop", self.device);
        let _ = self.sync("drop");
        self.leave_peers();
        if !self.blas.is_null()
            && let Ok((_, destroy)) = self.library.auxiliary("Destroy")
        {
            // SAFETY: `hipblasStatus_t hipblasDestroy(hipblasHandle_t)`, and it is not used again.
            unsafe {
                let destroy: unsafe extern "C" fn(Handle) -> c_int = std::mem::transmute(destroy);
                destroy(self.blas);
            }
        }
        if self.owns_stream {
            // SAFETY: made by `new`, not used again.
            let _ = unsafe { self.library.hip.hipStreamDestroy("drop", self.stream) };
        }
    }
}

impl Library {
    /// Makes a device the calling thread's current one. HIP keeps it a thread; other code in the thread may have changed it
    /// since, so it is set before every call. It costs one store to thread-local memory.
    pub(crate) fn set_device(&self, routine: &'static str, device: DeviceId) -> Result {
        // SAFETY: any number may be asked for.
        unsafe { self.hip.hipSetDevice(routine, ordinal(device)) }
    }

    /// Name and address of an auxiliary function of hipBLAS.
    pub(crate) fn auxiliary(&'static self, family: &'static str) -> Result<(&'static str, *const c_void)> {
        let Some(family) = Family::named(family) else { return Err(self.missing(family)) };
        let f = Function { family, typing: 0, form: Form::Plain, wide: false };
        match self.function(f) {
            (name, Some(address)) => Ok((name, address.as_ptr())),
            (name, None) => Err(self.missing(name)),
        }
    }
}
