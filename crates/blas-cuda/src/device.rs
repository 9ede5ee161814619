//! The devices of the process, and what all handles of one share: its context, its memory and its kernels.

use std::collections::HashSet;
use std::ffi::{CStr, c_char, c_int};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

use blas_api::{Backend, Device, DeviceId, Error, Result};

use crate::Cuda;
use crate::driver::{
    self, CAPTURE_NONE, CAPTURE_RELAXED, Context, EVENT_DISABLE_TIMING, MemAccess, POOL_RELEASE_THRESHOLD,
    Pool, PoolProps, Ptr, STREAM_NON_BLOCKING, Stream, attribute,
};
use crate::kernels::Kernels;
use crate::library::Library;
use crate::status;

/// A device in use: the process's context of it, a pool of its memory, and the streams of its handles.
pub(crate) struct Gpu {
    pub(crate) library: &'static Library,
    pub(crate) id: DeviceId,
    device: driver::Device,
    /// The device's primary context, which the CUDA runtime and other libraries use too.
    pub(crate) context: Context,
    /// `None` where memory cannot be allocated in stream order.
    pool: Option<Pool>,
    /// Where memory that several streams may use is freed, so that none of them waits for another.
    reclaim: Stream,
    members: Mutex<Members>,
    /// How many bytes may wait to be free in that way. An allocation does not find them before they are, and takes others.
    limit: usize,
    /// The devices whose memory this one reaches, by their numbers.
    peers: Mutex<HashSet<usize>>,
    pub(crate) kernels: Kernels,
    /// Compute capability.
    pub(crate) capability: (c_int, c_int),
}

/// A stream that may use a device's memory, in its context: that of another device if it reaches this one.
#[derive(Clone, Copy, PartialEq)]
struct Member {
    context: Context,
    stream: Stream,
}

/// What work a stream has.
enum State {
    Idle,
    Busy,
    /// Its calls are recorded.
    Recorded,
}

/// The streams that may use a device's memory.
#[derive(Default)]
struct Members {
    streams: Vec<Member>,
    /// Bytes freed on the stream for that, since it was last seen to have no work.
    reclaiming: usize,
}

// SAFETY: contexts, pools and streams may be used by any thread, and by several at once.
unsafe impl Send for Gpu {}
// SAFETY: as above.
unsafe impl Sync for Gpu {}

impl Gpu {
    fn new(library: &'static Library, id: DeviceId) -> Result<Gpu> {
        let driver = &library.driver;
        let device = library.ordinal(id.index)?;
        let (mut context, mut pool, mut reclaim) = (null_mut(), null_mut(), null_mut());
        let mut memory = 0;
        // SAFETY: each writes what its type says; the pool keeps what is freed, for the next allocation.
        unsafe {
            driver.cuDevicePrimaryCtxRetain("open", &mut context, device)?;
            driver.cuCtxSetCurrent("open", context)?;
            driver.cuStreamCreate("open", &mut reclaim, STREAM_NON_BLOCKING)?;
            driver.cuDeviceTotalMem_v2("open", &mut memory, device)?;
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
            device,
            context,
            pool: Some(pool).filter(|p| !p.is_null()),
            reclaim,
            members: Mutex::default(),
            limit: memory / 8,
            peers: Mutex::default(),
            kernels: Kernels::default(),
            capability: library.capability(device)?,
        })
    }

    /// Makes the device's context the calling thread's current one. Other code in the thread may have changed it since the call
    /// before, so that the driver is asked each time, which takes less than to set it.
    #[inline]
    pub(crate) fn make_current(&self, routine: &'static str) -> Result {
        let mut now = null_mut();
        // SAFETY: writes one pointer; the context is never released.
        unsafe {
            match self.library.driver.cuCtxGetCurrent(routine, &mut now) {
                Ok(()) if now == self.context => Ok(()),
                _ => self.library.driver.cuCtxSetCurrent(routine, self.context),
            }
        }
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a stream of a device, this one or another, among those that may use this device's memory.
    pub(crate) fn join(&self, of: &Gpu, stream: Stream) {
        self.members().streams.push(Member { context: of.context, stream });
    }

    /// Ends [`join`](Self::join). All work of the stream is done.
    pub(crate) fn leave(&self, of: &Gpu, stream: Stream) {
        let (mut members, member) = (self.members(), Member { context: of.context, stream });
        if let Some(i) = members.streams.iter().position(|&m| m == member) {
            members.streams.swap_remove(i);
        }
    }

    /// Starts to record the calls of a stream, which no memory that is freed meanwhile must wait for.
    pub(crate) fn begin_capture(&self, stream: Stream) -> Result {
        let _members = self.members();
        // SAFETY: the stream lives.
        unsafe { self.library.driver.cuStreamBeginCapture_v2("capture", stream, CAPTURE_RELAXED) }
    }

    /// Whether a stream has work. While its calls are recorded it has none, and must not be given any.
    ///
    /// # Safety
    /// It is a member.
    unsafe fn state(&self, member: &Member) -> State {
        let driver = &self.library.driver;
        let mut status = CAPTURE_NONE;
        // SAFETY: the stream and its context live; writes one number.
        unsafe {
            let asked = driver
                .cuCtxSetCurrent("free", member.context)
                .and_then(|()| driver.cuStreamIsCapturing("free", member.stream, &mut status));
            match asked {
                Ok(()) if status == CAPTURE_NONE => {}
                Ok(()) => return State::Recorded,
                // What can't be asked may have work: then the memory is rather lost than freed too early.
                Err(_) => return State::Busy,
            }
            if driver.cuStreamQuery("free", member.stream).is_ok() { State::Idle } else { State::Busy }
        }
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
        answer.map(|()| ptr).map_err(|e| self.out_of_memory(e, bytes))
    }

    /// The error of an allocation, which may be that there is no more memory.
    pub(crate) fn out_of_memory(&self, error: Error, bytes: usize) -> Error {
        if status::is_driver(&error, status::driver::OUT_OF_MEMORY) {
            return Error::OutOfMemory { device: self.id, bytes };
        }
        error
    }

    /// Frees memory of `bytes` once every stream has passed the point where it is now. Neither the host nor a stream waits for that
    /// where there is a pool, unless much memory is freed in this way at a time: then the stream does that it was allocated for.
    ///
    /// # Safety
    /// From [`alloc`](Self::alloc) for the stream, and not used in calls from here on.
    pub(crate) unsafe fn free(&self, ptr: Ptr, bytes: usize, stream: Stream) -> Result {
        let driver = &self.library.driver;
        let mut members = self.members();
        let owner = Member { context: self.context, stream };
        let (mut owner_lives, mut busy) = (false, Vec::new());
        for member in &members.streams {
            // SAFETY: it is a member.
            match unsafe { self.state(member) } {
                State::Recorded => {}
                _ if *member == owner => owner_lives = true,
                State::Busy => busy.push(*member),
                State::Idle => {}
            }
        }
        self.make_current("free")?;
        // SAFETY: the caller's promise; the streams live as long as they are members.
        unsafe {
            if self.pool.is_none() {
                for member in busy.iter().chain(owner_lives.then_some(&owner)) {
                    driver.cuCtxSetCurrent("free", member.context)?;
                    driver.cuStreamSynchronize("free", member.stream)?;
                }
                self.make_current("free")?;
                return driver.cuMemFree_v2("free", ptr);
            }
            if driver.cuStreamQuery("free", self.reclaim).is_ok() {
                members.reclaiming = 0;
            }
            // What the stream allocates next can be the same memory.
            let on = if owner_lives
                && (busy.is_empty() || members.reclaiming.saturating_add(bytes) > self.limit)
            {
                stream
            } else {
                members.reclaiming = members.reclaiming.saturating_add(bytes);
                busy.extend(owner_lives.then_some(owner));
                self.reclaim
            };
            busy.iter().try_for_each(|member| self.wait_for(on, member))?;
            driver.cuMemFreeAsync("free", ptr, on)
        }
    }

    /// Lets later work of a stream of this device start only after the work that another one has now. The device is current then.
    ///
    /// # Safety
    /// The stream lives, and the other is a member.
    unsafe fn wait_for(&self, stream: Stream, member: &Member) -> Result {
        let driver = &self.library.driver;
        let mut event = null_mut();
        // SAFETY: writes one event, which the driver keeps after its destruction until it has passed. An event is of the
        // context that is current, and is recorded in streams of that one alone.
        unsafe {
            driver.cuCtxSetCurrent("free", member.context)?;
            driver.cuEventCreate("free", &mut event, EVENT_DISABLE_TIMING)?;
            let waits = driver
                .cuEventRecord("free", event, member.stream)
                .and_then(|()| self.make_current("free"))
                .and_then(|()| driver.cuStreamWaitEvent("free", stream, event, 0));
            waits.and(driver.cuEventDestroy_v2("free", event))
        }
    }

    /// Lets this device reach the memory of another one.
    ///
    /// # Errors
    /// [`Error::NotAvailable`] if the hardware has no way.
    pub(crate) fn enable_peer(&self, peer: &Gpu) -> Result {
        if peer.id == self.id {
            return Ok(());
        }
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        if !peers.contains(&peer.id.index) {
            self.reach(peer)?;
            peers.insert(peer.id.index);
        }
        Ok(())
    }

    fn reach(&self, peer: &Gpu) -> Result {
        let (driver, call) = (&self.library.driver, "enable_peer");
        let mut can = 0;
        // SAFETY: writes one int.
        unsafe { driver.cuDeviceCanAccessPeer(call, &mut can, self.device, peer.device) }?;
        if can == 0 {
            let what = "access of this GPU to the memory of that one";
            return Err(Error::NotAvailable { what, backend: Cuda::NAME });
        }
        self.make_current(call)?;
        // SAFETY: the context and the pool are never released. Memory of a pool has rules of its own.
        unsafe {
            match driver.cuCtxEnablePeerAccess(call, peer.context, 0) {
                // By another library of the process.
                Err(e) if status::is_driver(&e, status::driver::PEER_ENABLED) => {}
                other => other?,
            }
            match peer.pool {
                Some(pool) => driver.cuMemPoolSetAccess(call, pool, &MemAccess::of(self.device), 1),
                None => Ok(()),
            }
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

    /// A number that the driver knows of a device, by its `CUdevice_attribute`.
    pub fn device_attribute(&self, index: usize, attribute: u32) -> Result<i32> {
        self.attribute(self.ordinal(index)?, attribute)
    }

    /// Where a device is in the machine, as `0000:1b:00.0`.
    pub fn device_bus_id(&self, index: usize) -> Result<String> {
        let mut id = [0 as c_char; 32];
        let device = self.ordinal(index)?;
        // SAFETY: writes 32 bytes at most.
        unsafe { self.driver.cuDeviceGetPCIBusId("devices", id.as_mut_ptr(), 32, device) }?;
        Ok(text(&id))
    }

    /// What tells a device from all others.
    pub fn device_uuid(&self, index: usize) -> Result<[u8; 16]> {
        let mut uuid = [0; 16];
        let device = self.ordinal(index)?;
        // SAFETY: writes 16 bytes.
        unsafe { self.driver.cuDeviceGetUuid_v2("devices", &mut uuid, device) }?;
        Ok(uuid)
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
        let mut found = Device::new(id, text(&name));
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

/// A text of C.
fn text(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().map(|c| c.to_ne_bytes()[0]).collect();
    CStr::from_bytes_until_nul(&bytes).map_or_else(|_| String::new(), |s| s.to_string_lossy().into_owned())
}
