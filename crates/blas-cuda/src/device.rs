//! The devices of the process, and what all handles of one share: its context, its memory and its kernels.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

use blas_api::{Backend, Device, DeviceId, Error, Result};

use crate::Cuda;
use crate::driver::{
    self, CAPTURE_NONE, CAPTURE_RELAXED, Context, EVENT_DISABLE_TIMING, POOL_RELEASE_THRESHOLD, Pool,
    PoolProps, Ptr, Stream, attribute,
};
use crate::kernels::Kernels;
use crate::library::Library;
use crate::status;

/// A device in use: the process's context of it, a pool of its memory, and the streams of its handles.
pub(crate) struct Gpu {
    pub(crate) library: &'static Library,
    pub(crate) id: DeviceId,
    /// The device's primary context, which the CUDA runtime and other libraries use too.
    context: Context,
    /// `None` where memory cannot be allocated in stream order.
    pool: Option<Pool>,
    /// The streams that may use the device's memory.
    streams: Mutex<Vec<Stream>>,
    pub(crate) kernels: Kernels,
    /// Compute capability.
    pub(crate) capability: (c_int, c_int),
}

// SAFETY: contexts, pools and streams may be used by any thread, and by several at once.
unsafe impl Send for Gpu {}
// SAFETY: as above.
unsafe impl Sync for Gpu {}

impl Gpu {
    fn new(library: &'static Library, id: DeviceId) -> Result<Gpu> {
        let driver = &library.driver;
        let device = library.ordinal(id.index)?;
        let (mut context, mut pool) = (null_mut(), null_mut());
        // SAFETY: each writes what its type says; the pool keeps what is freed, for the next allocation.
        unsafe {
            driver.cuDevicePrimaryCtxRetain("open", &mut context, device)?;
            driver.cuCtxSetCurrent("open", context)?;
            if library.attribute(device, attribute::MEMORY_POOLS_SUPPORTED)? != 0 {
                driver.cuMemPoolCreate("open", &mut pool, &PoolProps::of(device))?;
                let mut threshold = u64::MAX;
                let value = (&raw mut threshold).cast();
                driver.cuMemPoolSetAttribute("open", pool, POOL_RELEASE_THRESHOLD, value)?;
            }
        }
        Ok(Gpu {
            library,
            id,
            context,
            pool: Some(pool).filter(|p| !p.is_null()),
            streams: Mutex::default(),
            kernels: Kernels::default(),
            capability: library.capability(device)?,
        })
    }

    /// Makes the device's context the calling thread's current one. Other code in the thread may have changed it since, so it
    /// is set before every call.
    pub(crate) fn make_current(&self, routine: &'static str) -> Result {
        // SAFETY: the context is never released.
        unsafe { self.library.driver.cuCtxSetCurrent(routine, self.context) }
    }

    fn streams(&self) -> MutexGuard<'_, Vec<Stream>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a stream among those that may use the device's memory.
    pub(crate) fn join(&self, stream: Stream) {
        self.streams().push(stream);
    }

    /// Ends [`join`](Self::join). All work of the stream is done.
    pub(crate) fn leave(&self, stream: Stream) {
        let mut streams = self.streams();
        if let Some(i) = streams.iter().position(|&s| s == stream) {
            streams.swap_remove(i);
        }
    }

    /// Starts to record the calls of a stream, which no memory that is freed meanwhile must wait for.
    pub(crate) fn begin_capture(&self, stream: Stream) -> Result {
        let _streams = self.streams();
        // SAFETY: the stream lives.
        unsafe { self.library.driver.cuStreamBeginCapture_v2("capture", stream, CAPTURE_RELAXED) }
    }

    /// Whether the calls of a stream are recorded: then it has no work of its own, and must not be given any.
    fn is_capturing(&self, stream: Stream) -> bool {
        let mut status = CAPTURE_NONE;
        // SAFETY: the stream lives; writes one number.
        let asked = unsafe { self.library.driver.cuStreamIsCapturing("free", stream, &mut status) };
        asked.is_err() || status != CAPTURE_NONE
    }

    /// Memory with any contents, from the next call of the stream on.
    pub(crate) fn alloc(&self, routine: &'static str, bytes: usize, stream: Stream) -> Result<Ptr> {
        let driver = &self.library.driver;
        let mut ptr = null_mut();
        // SAFETY: each writes one pointer.
        let answer = unsafe {
            match self.pool {
                Some(pool) => driver.cuMemAllocFromPoolAsync(routine, &mut ptr, bytes, pool, stream),
                None => driver.cuMemAlloc_v2(routine, &mut ptr, bytes),
            }
        };
        match answer {
            Ok(()) => Ok(ptr),
            Err(e) if status::is_driver(&e, status::driver::OUT_OF_MEMORY) => {
                Err(Error::OutOfMemory { device: self.id, bytes })
            }
            Err(e) => Err(e),
        }
    }

    /// Frees memory once every stream has passed the point where it is now. Waits for nothing, where there is a pool.
    ///
    /// # Safety
    /// From [`alloc`](Self::alloc), and not used in calls from here on.
    pub(crate) unsafe fn free(&self, ptr: Ptr) -> Result {
        self.make_current("free")?;
        let driver = &self.library.driver;
        let streams = self.streams();
        let mut busy = streams.iter().copied().filter(|&s| !self.is_capturing(s));
        // SAFETY: the caller's promise; the streams live as long as they are members.
        unsafe {
            let Some(stream) = busy.next().filter(|_| self.pool.is_some()) else {
                // Where the memory is of no pool, this waits for the device; where it is, no stream has work left.
                return driver.cuMemFree_v2("free", ptr);
            };
            for other in busy {
                self.wait_for("free", stream, other)?;
            }
            driver.cuMemFreeAsync("free", ptr, stream)
        }
    }

    /// Lets later work of a stream start only after the work that another one has now.
    ///
    /// # Safety
    /// Both are streams of the device.
    unsafe fn wait_for(&self, routine: &'static str, stream: Stream, other: Stream) -> Result {
        let driver = &self.library.driver;
        let mut event = null_mut();
        // SAFETY: writes one event, which the driver keeps after its destruction until it has passed.
        unsafe {
            driver.cuEventCreate(routine, &mut event, EVENT_DISABLE_TIMING)?;
            let waits = driver
                .cuEventRecord(routine, event, other)
                .and_then(|()| driver.cuStreamWaitEvent(routine, stream, event, 0));
            waits.and(driver.cuEventDestroy_v2(routine, event))
        }
    }
}

impl Library {
    /// Number of devices, at least one.
    ///
    /// # Errors
    /// [`Error::NoDevice`] with what was loaded if there is none.
    pub fn device_count(&self) -> Result<usize> {
        let mut count: c_int = 0;
        // SAFETY: writes one int.
        unsafe { self.driver.cuDeviceGetCount("devices", &mut count) }?;
        usize::try_from(count).ok().filter(|&n| n > 0).ok_or_else(|| {
            let versions: Vec<String> = self.versions().iter().map(|(k, v)| format!("{k} {v}")).collect();
            let why = format!("cuDeviceGetCount found 0; loaded: {}", versions.join(", "));
            Error::NoDevice { name: Cuda::NAME.to_owned(), why }
        })
    }

    /// Device number `index`, if there is one, in use from here on.
    pub(crate) fn gpu(&'static self, index: usize) -> Result<&'static Gpu> {
        let id = self.device_id(index)?;
        let mut gpus = self.gpus.lock().unwrap_or_else(PoisonError::into_inner);
        if gpus.len() <= index {
            gpus.resize(index + 1, None);
        }
        if let Some(gpu) = gpus[index] {
            return Ok(gpu);
        }
        let gpu: &'static Gpu = Box::leak(Box::new(Gpu::new(self, id)?));
        gpus[index] = Some(gpu);
        Ok(gpu)
    }

    fn device_id(&self, index: usize) -> Result<DeviceId> {
        let count = self.device_count()?;
        if index < count {
            return Ok(DeviceId { backend: Cuda::NAME, index });
        }
        let name = format!("{}:{index}", Cuda::NAME);
        Err(Error::NoDevice { name, why: format!("there are {count}, numbered from 0") })
    }

    /// What is known of each device.
    pub fn devices(&self) -> Result<Vec<Device>> {
        (0..self.device_count()?).map(|i| self.describe(self.device_id(i)?)).collect()
    }

    fn describe(&self, id: DeviceId) -> Result<Device> {
        let device = self.ordinal(id.index)?;
        let mut name = [0 as c_char; 256];
        let mut memory = 0;
        // SAFETY: each writes what its type says, and the name at most 256 bytes.
        unsafe {
            self.driver.cuDeviceGetName("devices", name.as_mut_ptr(), 256, device)?;
            self.driver.cuDeviceTotalMem_v2("devices", &mut memory, device)?;
        }
        let name = name.map(|c| c.to_ne_bytes()[0]);
        let name = CStr::from_bytes_until_nul(&name).map(|s| s.to_string_lossy().into_owned());
        let mut found = Device::new(id, name.unwrap_or_default());
        found.memory = u64::try_from(memory).ok();
        let (major, minor) = self.capability(device)?;
        found.arch = format!("sm_{major}{minor}");
        found.versions = self.versions();
        Ok(found)
    }

    fn ordinal(&self, index: usize) -> Result<driver::Device> {
        let mut device = 0;
        // A number beyond c_int is no device's, and neither is -1.
        let index = c_int::try_from(index).unwrap_or(-1);
        // SAFETY: writes one int.
        unsafe { self.driver.cuDeviceGet("devices", &mut device, index) }?;
        Ok(device)
    }

    fn attribute(&self, device: driver::Device, attribute: u32) -> Result<c_int> {
        let mut value = 0;
        // SAFETY: writes one int.
        unsafe { self.driver.cuDeviceGetAttribute("devices", &mut value, attribute, device) }?;
        Ok(value)
    }

    fn capability(&self, device: driver::Device) -> Result<(c_int, c_int)> {
        let major = self.attribute(device, attribute::COMPUTE_CAPABILITY_MAJOR)?;
        Ok((major, self.attribute(device, attribute::COMPUTE_CAPABILITY_MINOR)?))
    }
}
