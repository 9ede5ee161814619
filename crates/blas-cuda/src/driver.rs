//! The CUDA driver's functions, as typed pointers that answer with results.

use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};
use std::ptr::null_mut;

use crate::functions::functions;

/// `CUcontext`
pub(crate) type Context = *mut c_void;
/// `CUstream`
pub(crate) type Stream = *mut c_void;
/// `CUevent`
pub(crate) type Event = *mut c_void;
/// `CUgraph`
pub(crate) type Graph = *mut c_void;
/// `CUgraphNode`
pub(crate) type Node = *mut c_void;
/// `CUgraphExec`
pub(crate) type GraphExec = *mut c_void;
/// `CUmemoryPool`
pub(crate) type Pool = *mut c_void;
/// `CUmodule`
pub(crate) type Module = *mut c_void;
/// `CUfunction`
pub(crate) type Kernel = *mut c_void;
/// `CUdevice`
pub(crate) type Device = c_int;
/// The type of `cuCtxGetCurrent`.
pub(crate) type GetCurrent = unsafe extern "C" fn(*mut Context) -> c_int;
/// `CUdeviceptr`, which has the size of a pointer where there is CUDA.
pub(crate) type Ptr = *mut c_void;

/// `CUuuid`
pub(crate) type Uuid = [u8; 16];

/// `CUDA_MEMCPY2D`
#[repr(C)]
pub(crate) struct Memcpy2D {
    pub(crate) src_x: usize,
    pub(crate) src_y: usize,
    pub(crate) src_type: c_uint,
    pub(crate) src_host: *const c_void,
    pub(crate) src_device: Ptr,
    pub(crate) src_array: *mut c_void,
    pub(crate) src_pitch: usize,
    pub(crate) dst_x: usize,
    pub(crate) dst_y: usize,
    pub(crate) dst_type: c_uint,
    pub(crate) dst_host: *mut c_void,
    pub(crate) dst_device: Ptr,
    pub(crate) dst_array: *mut c_void,
    pub(crate) dst_pitch: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// `CUmemPoolProps`
#[repr(C)]
pub(crate) struct PoolProps {
    alloc_type: c_uint,
    handle_types: c_uint,
    location_type: c_uint,
    location_id: c_int,
    security: *mut c_void,
    max_size: usize,
    reserved: [u8; 56],
}

impl PoolProps {
    /// Memory of a device (`CU_MEM_ALLOCATION_TYPE_PINNED`, `CU_MEM_LOCATION_TYPE_DEVICE`), for this process alone.
    pub(crate) fn of(device: Device) -> Self {
        PoolProps {
            alloc_type: 1,
            handle_types: 0,
            location_type: 1,
            location_id: device,
            security: null_mut(),
            max_size: 0,
            reserved: [0; 56],
        }
    }
}

/// `CUmemAccessDesc`
#[repr(C)]
pub(crate) struct MemAccess {
    location_type: c_uint,
    location_id: c_int,
    flags: c_uint,
}

impl MemAccess {
    /// Reads and writes by a device (`CU_MEM_ACCESS_FLAGS_PROT_READWRITE`).
    pub(crate) fn of(device: Device) -> Self {
        MemAccess { location_type: 1, location_id: device, flags: 3 }
    }
}

/// `CUdevice_attribute`, the ones of use here.
pub(crate) mod attribute {
    pub(crate) const COMPUTE_CAPABILITY_MAJOR: u32 = 75;
    pub(crate) const COMPUTE_CAPABILITY_MINOR: u32 = 76;
    pub(crate) const HOST_POINTERS_OF_REGISTERED: u32 = 91;
    pub(crate) const MEMORY_POOLS_SUPPORTED: u32 = 115;
}

/// `CU_STREAM_NON_BLOCKING`
pub(crate) const STREAM_NON_BLOCKING: c_uint = 1;
/// `CU_EVENT_DISABLE_TIMING`
pub(crate) const EVENT_DISABLE_TIMING: c_uint = 2;
/// `CU_STREAM_CAPTURE_MODE_RELAXED`
pub(crate) const CAPTURE_RELAXED: c_uint = 2;
/// `CU_STREAM_CAPTURE_STATUS_NONE`
pub(crate) const CAPTURE_NONE: c_uint = 0;
/// `CU_STREAM_SET_CAPTURE_DEPENDENCIES`
pub(crate) const SET_DEPENDENCIES: c_uint = 1;
/// The largest pitch of every device so far.
pub(crate) const MAX_PITCH: usize = i32::MAX as usize;
/// `CU_MEMORYTYPE_HOST`
pub(crate) const MEMORY_HOST: c_uint = 1;
/// `CU_MEMORYTYPE_DEVICE`
pub(crate) const MEMORY_DEVICE: c_uint = 2;
/// `CU_MEMHOSTALLOC_PORTABLE`: pinned for every device.
pub(crate) const HOST_PORTABLE: c_uint = 1;
/// `CU_MEMPOOL_ATTR_RELEASE_THRESHOLD`
pub(crate) const POOL_RELEASE_THRESHOLD: c_uint = 4;

/// Calls a macro with the functions of the driver that are used: name of the symbol and arguments. All answer with a
/// `CUresult`.
macro_rules! for_each_driver_function {
    ($cb:ident) => {
        $cb! {
            cuInit(flags: c_uint);
            cuDriverGetVersion(version: *mut c_int);
            cuDeviceGetCount(count: *mut c_int);
            cuDeviceGet(device: *mut Device, ordinal: c_int);
            cuDeviceGetName(name: *mut c_char, len: c_int, device: Device);
            cuDeviceTotalMem_v2(bytes: *mut usize, device: Device);
            cuDeviceGetAttribute(value: *mut c_int, attribute: c_uint, device: Device);
            cuDevicePrimaryCtxRetain(context: *mut Context, device: Device);
            cuDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: Device);
            cuDeviceGetUuid_v2(uuid: *mut Uuid, device: Device);
            cuCtxGetCurrent(context: *mut Context);
            cuCtxSetCurrent(context: Context);
            cuDeviceCanAccessPeer(can: *mut c_int, device: Device, peer: Device);
            cuCtxEnablePeerAccess(peer: Context, flags: c_uint);
            cuCtxSynchronize();

            cuMemPoolCreate(pool: *mut Pool, props: *const PoolProps);
            cuMemPoolSetAttribute(pool: Pool, attribute: c_uint, value: *mut c_void);
            cuMemPoolSetAccess(pool: Pool, access: *const MemAccess, count: usize);
            cuMemAllocFromPoolAsync(ptr: *mut Ptr, bytes: usize, pool: Pool, stream: Stream);
            cuMemFreeAsync(ptr: Ptr, stream: Stream);
            cuMemAlloc_v2(ptr: *mut Ptr, bytes: usize);
            cuMemFree_v2(ptr: Ptr);
            cuMemHostAlloc(ptr: *mut *mut c_void, bytes: usize, flags: c_uint);
            cuMemFreeHost(ptr: *mut c_void);
            cuMemHostRegister_v2(ptr: *mut c_void, bytes: usize, flags: c_uint);
            cuMemHostUnregister(ptr: *mut c_void);
            cuMemAllocManaged(ptr: *mut Ptr, bytes: usize, flags: c_uint);
            cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
            cuMemcpyHtoDAsync_v2(dst: Ptr, src: *const c_void, bytes: usize, stream: Stream);
            cuMemcpyDtoHAsync_v2(dst: *mut c_void, src: Ptr, bytes: usize, stream: Stream);
            cuMemcpyDtoDAsync_v2(dst: Ptr, src: Ptr, bytes: usize, stream: Stream);
            cuMemcpyPeerAsync(
                dst: Ptr, dst_context: Context, src: Ptr, src_context: Context, bytes: usize, stream: Stream
            );
            cuMemcpy2DAsync_v2(copy: *const Memcpy2D, stream: Stream);
            cuMemsetD8Async(dst: Ptr, value: u8, bytes: usize, stream: Stream);
            cuMemsetD16Async(dst: Ptr, value: u16, count: usize, stream: Stream);
            cuMemsetD32Async(dst: Ptr, value: c_uint, count: usize, stream: Stream);
            cuMemsetD2D8Async(dst: Ptr, pitch: usize, value: u8, width: usize, height: usize, stream: Stream);

            cuStreamCreate(stream: *mut Stream, flags: c_uint);
            cuStreamDestroy_v2(stream: Stream);
            cuStreamSynchronize(stream: Stream);
            cuStreamQuery(stream: Stream);
            cuStreamWaitEvent(stream: Stream, event: Event, flags: c_uint);
            cuEventCreate(event: *mut Event, flags: c_uint);
            cuEventDestroy_v2(event: Event);
            cuEventRecord(event: Event, stream: Stream);
            cuEventSynchronize(event: Event);
            cuEventQuery(event: Event);

            cuStreamBeginCapture_v2(stream: Stream, mode: c_uint);
            cuStreamIsCapturing(stream: Stream, status: *mut c_uint);
            cuStreamGetCaptureInfo_v3(
                stream: Stream, status: *mut c_uint, id: *mut c_ulonglong, graph: *mut Graph,
                dependencies: *mut *const Node, kinds: *mut *const c_void, count: *mut usize
            );
            cuStreamUpdateCaptureDependencies_v2(
                stream: Stream, dependencies: *mut Node, kinds: *const c_void, count: usize, flags: c_uint
            );
            cuStreamEndCapture(stream: Stream, graph: *mut Graph);
            cuGraphInstantiateWithFlags(exec: *mut GraphExec, graph: Graph, flags: c_ulonglong);
            cuGraphLaunch(exec: GraphExec, stream: Stream);
            cuGraphExecDestroy(exec: GraphExec);
            cuGraphDestroy(graph: Graph);

            cuModuleLoadData(module: *mut Module, image: *const c_void);
            cuModuleGetFunction(kernel: *mut Kernel, module: Module, name: *const c_char);
            cuLaunchKernel(
                kernel: Kernel, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint,
                block_x: c_uint, block_y: c_uint, block_z: c_uint, shared_bytes: c_uint, stream: Stream,
                params: *mut *mut c_void, extra: *mut *mut c_void
            );
        }
    };
}

macro_rules! driver { ($($functions:tt)*) => {
    functions! {
        /// The functions of a driver.
        Driver("the CUDA driver is too old, CUDA 12 needs 525 or later") { $($functions)* }
    }
}}
for_each_driver_function!(driver);

impl Driver {
    /// What the driver supports at most, as 1000 * major + 10 * minor. 0 if it cannot be asked.
    pub(crate) fn version(&self) -> c_int {
        let mut version = 0;
        // SAFETY: writes one int.
        let _ = unsafe { self.cuDriverGetVersion("versions", &mut version) };
        version
    }

    /// `cuCtxGetCurrent` itself, if it is there.
    pub(crate) fn get_current(&self) -> Option<GetCurrent> {
        self.cuCtxGetCurrent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Size of each argument.
    trait Shape {
        fn shape() -> Vec<usize>;
    }
    macro_rules! shapes { ($(($($arg:ident)*))*) => { $(
        impl<R, $($arg),*> Shape for unsafe fn($($arg),*) -> R {
            fn shape() -> Vec<usize> {
                vec![$(size_of::<$arg>()),*]
            }
        }
    )* } }
    shapes! { () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H I J K) }

    fn of<F: Shape>(_: F) -> Vec<usize> {
        F::shape()
    }

    macro_rules! compared { ($($name:ident($($arg:ident: $ty:ty),* $(,)?);)*) => {
        #[test]
        fn functions_have_the_arguments_of_other_bindings() {
            $(
                let ours: unsafe fn($($ty),*) -> c_int = |$($arg),*| { $(let _ = $arg;)* 0 };
                let theirs: unsafe fn($(compared!(@any $arg)),*) -> _ = cudarc::driver::sys::$name;
                assert_eq!(of(ours), of(theirs), stringify!($name));
            )*
        }
    }; (@any $arg:ident) => { _ } }
    for_each_driver_function!(compared);

    #[test]
    fn structs_have_the_size_of_other_bindings() {
        use cudarc::driver::sys;
        assert_eq!(size_of::<Memcpy2D>(), size_of::<sys::CUDA_MEMCPY2D>());
        assert_eq!(size_of::<Uuid>(), size_of::<sys::CUuuid>());
        assert_eq!(size_of::<PoolProps>(), size_of::<sys::CUmemPoolProps>());
        assert_eq!(size_of::<MemAccess>(), size_of::<sys::CUmemAccessDesc>());
    }

    #[test]
    fn numbers_are_those_of_other_bindings() {
        use cudarc::driver::sys::*;
        let a = [
            attribute::COMPUTE_CAPABILITY_MAJOR,
            attribute::COMPUTE_CAPABILITY_MINOR,
            attribute::HOST_POINTERS_OF_REGISTERED,
            attribute::MEMORY_POOLS_SUPPORTED,
        ];
        let b = [
            CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as u32,
            CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as u32,
            CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM as u32,
            CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as u32,
        ];
        assert_eq!(a, b);
        assert_eq!(STREAM_NON_BLOCKING, CUstream_flags::CU_STREAM_NON_BLOCKING as u32);
        assert_eq!(EVENT_DISABLE_TIMING, CUevent_flags::CU_EVENT_DISABLE_TIMING as u32);
        assert_eq!(CAPTURE_RELAXED, CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED as u32);
        assert_eq!(CAPTURE_NONE, CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE as u32);
        assert_eq!(
            SET_DEPENDENCIES,
            CUstreamUpdateCaptureDependencies_flags::CU_STREAM_SET_CAPTURE_DEPENDENCIES as u32
        );
        assert_eq!(HOST_PORTABLE, CU_MEMHOSTALLOC_PORTABLE);
        let access = MemAccess::of(7);
        let of = (CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE as u32, 7);
        assert_eq!((access.location_type, access.location_id), of);
        assert_eq!(access.flags, CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE as u32);
        assert_eq!(MEMORY_HOST, CUmemorytype::CU_MEMORYTYPE_HOST as u32);
        assert_eq!(MEMORY_DEVICE, CUmemorytype::CU_MEMORYTYPE_DEVICE as u32);
        assert_eq!(POOL_RELEASE_THRESHOLD, CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as u32);
    }
}
