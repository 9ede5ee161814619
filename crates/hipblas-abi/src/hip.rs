//! The HIP runtime: the functions used, constants, and the struct layouts that differ between releases.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// `hipError_t`
pub type Error = c_int;
/// `hipDevice_t`
pub type Device = c_int;
/// `hipStream_t`
pub type Stream = *mut c_void;
/// `hipEvent_t`
pub type Event = *mut c_void;
/// `hipGraph_t`
pub type Graph = *mut c_void;
/// `hipGraphExec_t`
pub type GraphExec = *mut c_void;
/// `hipGraphNode_t`
pub type GraphNode = *mut c_void;
/// `hipMemPool_t`
pub type MemPool = *mut c_void;
/// `hipHostFn_t`
pub type HostFn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;
/// `hipStreamCallback_t`
pub type StreamCallback = Option<unsafe extern "C" fn(stream: Stream, status: Error, user_data: *mut c_void)>;

/// `hipPointerAttribute_t`. `kind` is numbered by release: see [`memory_type`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PointerAttributes {
    /// `hipMemoryType`.
    pub kind: c_int,
    /// Device number.
    pub device: c_int,
    /// The pointer as the device sees it.
    pub device_pointer: *mut c_void,
    /// The pointer as the host sees it.
    pub host_pointer: *mut c_void,
    /// Whether the memory is managed.
    pub is_managed: c_int,
    /// Flags of the allocation.
    pub allocation_flags: c_uint,
}

/// Calls the macro `$cb` with every HIP function: symbol version, Rust signature, C prototype (`const` left out).
///
/// All are exported by the runtimes of ROCm 5, 6 and 7 unless the version is later, and return `hipError_t` except the
/// two that name an error.
#[macro_export]
macro_rules! for_each_hip_function {
    ($cb:ident) => {
        $cb! {
            "hip_4.2" hipInit(flags: c_uint) -> Error = "unsigned int";
            "hip_4.2" hipDriverGetVersion(version: *mut c_int) -> Error = "int*";
            "hip_4.2" hipRuntimeGetVersion(version: *mut c_int) -> Error = "int*";
            "hip_4.2" hipGetErrorName(error: Error) -> *const c_char = "hipError_t";
            "hip_4.2" hipGetErrorString(error: Error) -> *const c_char = "hipError_t";
            "hip_4.2" hipGetLastError() -> Error = "";
            "hip_4.2" hipPeekAtLastError() -> Error = "";
            "hip_6.0" hipExtGetLastError() -> Error = "";

            "hip_4.2" hipGetDeviceCount(count: *mut c_int) -> Error = "int*";
            "hip_4.2" hipSetDevice(device: c_int) -> Error = "int";
            "hip_4.2" hipGetDevice(device: *mut c_int) -> Error = "int*";
            "hip_4.2" hipDeviceGet(device: *mut Device, ordinal: c_int) -> Error = "hipDevice_t*, int";
            "hip_4.2" hipDeviceGetName(name: *mut c_char, len: c_int, device: Device) -> Error
                = "char*, int, hipDevice_t";
            "hip_4.2" hipDeviceTotalMem(bytes: *mut usize, device: Device) -> Error = "size_t*, hipDevice_t";
            "hip_5.1" hipDeviceGetUuid(uuid: *mut c_void, device: Device) -> Error = "hipUUID*, hipDevice_t";
            "hip_4.2" hipDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> Error
                = "int*, hipDeviceAttribute_t, int";
            "hip_4.2" hipDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, device: Device) -> Error
                = "int*, int*, hipDevice_t";
            "hip_4.2" hipDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: c_int) -> Error
                = "char*, int, int";
            "hip_4.2" hipDeviceGetByPCIBusId(device: *mut c_int, id: *const c_char) -> Error = "int*, char*";
            "hip_4.2" hipGetDeviceProperties(properties: *mut c_void, device: c_int) -> Error
                = "hipDeviceProp_t*, int";
            "hip_6.0" hipGetDevicePropertiesR0600(properties: *mut c_void, device: c_int) -> Error
                = "hipDeviceProp_tR0600*, int";
            "hip_4.2" hipDeviceSynchronize() -> Error = "";
            "hip_4.2" hipDeviceReset() -> Error = "";
            "hip_4.2" hipSetDeviceFlags(flags: c_uint) -> Error = "unsigned int";
            "hip_4.2" hipGetDeviceFlags(flags: *mut c_uint) -> Error = "unsigned int*";
            "hip_4.2" hipMemGetInfo(free: *mut usize, total: *mut usize) -> Error = "size_t*, size_t*";
            "hip_4.2" hipDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) -> Error
                = "int*, int, int";
            "hip_4.2" hipDeviceEnablePeerAccess(peer: c_int, flags: c_uint) -> Error = "int, unsigned int";
            "hip_4.2" hipDeviceDisablePeerAccess(peer: c_int) -> Error = "int";
            "hip_4.2" hipDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Error
                = "int*, int*";

            "hip_4.2" hipMalloc(ptr: *mut *mut c_void, bytes: usize) -> Error = "void**, size_t";
            "hip_4.2" hipFree(ptr: *mut c_void) -> Error = "void*";
            "hip_4.2" hipMallocManaged(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void**, size_t, unsigned int";
            "hip_4.2" hipExtMallocWithFlags(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void**, size_t, unsigned int";
            "hip_4.2" hipMallocPitch(ptr: *mut *mut c_void, pitch: *mut usize, width: usize, height: usize) -> Error
                = "void**, size_t*, size_t, size_t";
            "hip_4.2" hipHostMalloc(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void**, size_t, unsigned int";
            "hip_4.2" hipHostAlloc(ptr: *mut *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void**, size_t, unsigned int";
            "hip_4.2" hipMallocHost(ptr: *mut *mut c_void, bytes: usize) -> Error = "void**, size_t";
            "hip_4.2" hipHostFree(ptr: *mut c_void) -> Error = "void*";
            "hip_4.2" hipFreeHost(ptr: *mut c_void) -> Error = "void*";
            "hip_4.2" hipHostRegister(ptr: *mut c_void, bytes: usize, flags: c_uint) -> Error
                = "void*, size_t, unsigned int";
            "hip_4.2" hipHostUnregister(ptr: *mut c_void) -> Error = "void*";
            "hip_4.2" hipHostGetDevicePointer(device: *mut *mut c_void, host: *mut c_void, flags: c_uint) -> Error
                = "void**, void*, unsigned int";
            "hip_4.2" hipHostGetFlags(flags: *mut c_uint, host: *mut c_void) -> Error = "unsigned int*, void*";
            "hip_4.2" hipPointerGetAttributes(attributes: *mut PointerAttributes, ptr: *const c_void) -> Error
                = "hipPointerAttribute_t*, void*";
            "hip_4.2" hipMemGetAddressRange(base: *mut *mut c_void, bytes: *mut usize, ptr: *mut c_void) -> Error
                = "hipDeviceptr_t*, size_t*, hipDeviceptr_t";
            "hip_4.2" hipMemPtrGetInfo(ptr: *mut c_void, bytes: *mut usize) -> Error = "void*, size_t*";
            "hip_4.2" hipMemPrefetchAsync(ptr: *const c_void, bytes: usize, device: c_int, stream: Stream) -> Error
                = "void*, size_t, int, hipStream_t";
            "hip_4.2" hipMemAdvise(ptr: *const c_void, bytes: usize, advice: c_int, device: c_int) -> Error
                = "void*, size_t, hipMemoryAdvise, int";
            "hip_5.1" hipMallocAsync(ptr: *mut *mut c_void, bytes: usize, stream: Stream) -> Error
                = "void**, size_t, hipStream_t";
            "hip_5.1" hipFreeAsync(ptr: *mut c_void, stream: Stream) -> Error = "void*, hipStream_t";
            "hip_5.1" hipMallocFromPoolAsync(
                ptr: *mut *mut c_void, bytes: usize, pool: *mut c_void, stream: Stream
            ) -> Error = "void**, size_t, hipMemPool_t, hipStream_t";
            "hip_5.1" hipDeviceGetDefaultMemPool(pool: *mut *mut c_void, device: c_int) -> Error
                = "hipMemPool_t*, int";
            "hip_5.1" hipDeviceGetMemPool(pool: *mut *mut c_void, device: c_int) -> Error = "hipMemPool_t*, int";
            "hip_5.1" hipMemPoolTrimTo(pool: *mut c_void, bytes: usize) -> Error = "hipMemPool_t, size_t";
            "hip_5.1" hipMemPoolSetAttribute(pool: *mut c_void, attribute: c_int, value: *mut c_void) -> Error
                = "hipMemPool_t, hipMemPoolAttr, void*";
            "hip_5.1" hipMemPoolGetAttribute(pool: *mut c_void, attribute: c_int, value: *mut c_void) -> Error
                = "hipMemPool_t, hipMemPoolAttr, void*";

            "hip_4.2" hipMemcpy(dst: *mut c_void, src: *const c_void, bytes: usize, kind: c_int) -> Error
                = "void*, void*, size_t, hipMemcpyKind";
            "hip_4.2" hipMemcpyAsync(
                dst: *mut c_void, src: *const c_void, bytes: usize, kind: c_int, stream: Stream
            ) -> Error = "void*, void*, size_t, hipMemcpyKind, hipStream_t";
            "hip_4.2" hipMemcpyWithStream(
                dst: *mut c_void, src: *const c_void, bytes: usize, kind: c_int, stream: Stream
            ) -> Error = "void*, void*, size_t, hipMemcpyKind, hipStream_t";
            "hip_4.2" hipMemcpyHtoD(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Error
                = "hipDeviceptr_t, void*, size_t";
            "hip_4.2" hipMemcpyDtoH(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Error
                = "void*, hipDeviceptr_t, size_t";
            "hip_4.2" hipMemcpyDtoD(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Error
                = "hipDeviceptr_t, hipDeviceptr_t, size_t";
            "hip_4.2" hipMemcpyHtoDAsync(dst: *mut c_void, src: *const c_void, bytes: usize, stream: Stream) -> Error
                = "hipDeviceptr_t, void*, size_t, hipStream_t";
            "hip_4.2" hipMemcpyDtoHAsync(dst: *mut c_void, src: *mut c_void, bytes: usize, stream: Stream) -> Error
                = "void*, hipDeviceptr_t, size_t, hipStream_t";
            "hip_4.2" hipMemcpyDtoDAsync(dst: *mut c_void, src: *mut c_void, bytes: usize, stream: Stream) -> Error
                = "hipDeviceptr_t, hipDeviceptr_t, size_t, hipStream_t";
            "hip_4.2" hipMemcpy2D(
                dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize,
                kind: c_int
            ) -> Error = "void*, size_t, void*, size_t, size_t, size_t, hipMemcpyKind";
            "hip_4.2" hipMemcpy2DAsync(
                dst: *mut c_void, dpitch: usize, src: *const c_void, spitch: usize, width: usize, height: usize,
                kind: c_int, stream: Stream
            ) -> Error = "void*, size_t, void*, size_t, size_t, size_t, hipMemcpyKind, hipStream_t";
            "hip_4.2" hipMemcpyPeer(
                dst: *mut c_void, dst_device: c_int, src: *const c_void, src_device: c_int, bytes: usize
            ) -> Error = "void*, int, void*, int, size_t";
            "hip_4.2" hipMemcpyPeerAsync(
                dst: *mut c_void, dst_device: c_int, src: *const c_void, src_device: c_int, bytes: usize,
                stream: Stream
            ) -> Error = "void*, int, void*, int, size_t, hipStream_t";
            "hip_4.2" hipMemset(dst: *mut c_void, value: c_int, bytes: usize) -> Error = "void*, int, size_t";
            "hip_4.2" hipMemsetAsync(dst: *mut c_void, value: c_int, bytes: usize, stream: Stream) -> Error
                = "void*, int, size_t, hipStream_t";
            "hip_4.2" hipMemsetD8(dst: *mut c_void, value: std::ffi::c_uchar, count: usize) -> Error
                = "hipDeviceptr_t, unsigned char, size_t";
            "hip_4.2" hipMemsetD8Async(
                dst: *mut c_void, value: std::ffi::c_uchar, count: usize, stream: Stream
            ) -> Error = "hipDeviceptr_t, unsigned char, size_t, hipStream_t";
            "hip_4.2" hipMemsetD16(dst: *mut c_void, value: std::ffi::c_ushort, count: usize) -> Error
                = "hipDeviceptr_t, unsigned short, size_t";
            "hip_4.2" hipMemsetD16Async(
                dst: *mut c_void, value: std::ffi::c_ushort, count: usize, stream: Stream
            ) -> Error = "hipDeviceptr_t, unsigned short, size_t, hipStream_t";
            "hip_4.2" hipMemsetD32(dst: *mut c_void, value: c_int, count: usize) -> Error
                = "hipDeviceptr_t, int, size_t";
            "hip_4.2" hipMemsetD32Async(
                dst: *mut c_void, value: c_int, count: usize, stream: Stream
            ) -> Error = "hipDeviceptr_t, int, size_t, hipStream_t";
            "hip_4.2" hipMemset2D(
                dst: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize
            ) -> Error = "void*, size_t, int, size_t, size_t";
            "hip_4.2" hipMemset2DAsync(
                dst: *mut c_void, pitch: usize, value: c_int, width: usize, height: usize, stream: Stream
            ) -> Error = "void*, size_t, int, size_t, size_t, hipStream_t";

            "hip_4.2" hipStreamCreate(stream: *mut Stream) -> Error = "hipStream_t*";
            "hip_4.2" hipStreamCreateWithFlags(stream: *mut Stream, flags: c_uint) -> Error
                = "hipStream_t*, unsigned int";
            "hip_4.2" hipStreamCreateWithPriority(stream: *mut Stream, flags: c_uint, priority: c_int) -> Error
                = "hipStream_t*, unsigned int, int";
            "hip_4.2" hipStreamDestroy(stream: Stream) -> Error = "hipStream_t";
            "hip_4.2" hipStreamSynchronize(stream: Stream) -> Error = "hipStream_t";
            "hip_4.2" hipStreamQuery(stream: Stream) -> Error = "hipStream_t";
            "hip_4.2" hipStreamWaitEvent(stream: Stream, event: Event, flags: c_uint) -> Error
                = "hipStream_t, hipEvent_t, unsigned int";
            "hip_4.2" hipStreamGetFlags(stream: Stream, flags: *mut c_uint) -> Error
                = "hipStream_t, unsigned int*";
            "hip_4.2" hipStreamGetPriority(stream: Stream, priority: *mut c_int) -> Error = "hipStream_t, int*";
            "hip_4.2" hipStreamGetDevice(stream: Stream, device: *mut Device) -> Error
                = "hipStream_t, hipDevice_t*";
            "hip_7.1" hipStreamGetId(stream: Stream, id: *mut u64) -> Error = "hipStream_t, unsigned long long*";
            "hip_4.2" hipStreamAddCallback(
                stream: Stream, callback: StreamCallback, user_data: *mut c_void, flags: c_uint
            ) -> Error = "hipStream_t, hipStreamCallback_t, void*, unsigned int";
            "hip_5.3" hipLaunchHostFunc(stream: Stream, function: HostFn, user_data: *mut c_void) -> Error
                = "hipStream_t, hipHostFn_t, void*";

            "hip_4.2" hipEventCreate(event: *mut Event) -> Error = "hipEvent_t*";
            "hip_4.2" hipEventCreateWithFlags(event: *mut Event, flags: c_uint) -> Error
                = "hipEvent_t*, unsigned int";
            "hip_4.2" hipEventDestroy(event: Event) -> Error = "hipEvent_t";
            "hip_4.2" hipEventRecord(event: Event, stream: Stream) -> Error = "hipEvent_t, hipStream_t";
            "hip_6.4" hipEventRecordWithFlags(event: Event, stream: Stream, flags: c_uint) -> Error
                = "hipEvent_t, hipStream_t, unsigned int";
            "hip_4.2" hipEventSynchronize(event: Event) -> Error = "hipEvent_t";
            "hip_4.2" hipEventQuery(event: Event) -> Error = "hipEvent_t";
            "hip_4.2" hipEventElapsedTime(milliseconds: *mut f32, start: Event, stop: Event) -> Error
                = "float*, hipEvent_t, hipEvent_t";

            "hip_4.3" hipStreamBeginCapture(stream: Stream, mode: c_int) -> Error
                = "hipStream_t, hipStreamCaptureMode";
            "hip_4.3" hipStreamEndCapture(stream: Stream, graph: *mut Graph) -> Error = "hipStream_t, hipGraph_t*";
            "hip_4.3" hipStreamIsCapturing(stream: Stream, status: *mut c_int) -> Error
                = "hipStream_t, hipStreamCaptureStatus*";
            "hip_4.5" hipStreamGetCaptureInfo(stream: Stream, status: *mut c_int, id: *mut u64) -> Error
                = "hipStream_t, hipStreamCaptureStatus*, unsigned long long*";
            "hip_5.0" hipThreadExchangeStreamCaptureMode(mode: *mut c_int) -> Error = "hipStreamCaptureMode*";
            "hip_4.3" hipGraphCreate(graph: *mut Graph, flags: c_uint) -> Error = "hipGraph_t*, unsigned int";
            "hip_4.3" hipGraphDestroy(graph: Graph) -> Error = "hipGraph_t";
            "hip_4.3" hipGraphInstantiate(
                exec: *mut GraphExec, graph: Graph, error_node: *mut GraphNode, log: *mut c_char, log_bytes: usize
            ) -> Error = "hipGraphExec_t*, hipGraph_t, hipGraphNode_t*, char*, size_t";
            "hip_4.5" hipGraphInstantiateWithFlags(exec: *mut GraphExec, graph: Graph, flags: u64) -> Error
                = "hipGraphExec_t*, hipGraph_t, unsigned long long";
            "hip_5.3" hipGraphUpload(exec: GraphExec, stream: Stream) -> Error = "hipGraphExec_t, hipStream_t";
            "hip_4.3" hipGraphLaunch(exec: GraphExec, stream: Stream) -> Error = "hipGraphExec_t, hipStream_t";
            "hip_4.3" hipGraphExecDestroy(exec: GraphExec) -> Error = "hipGraphExec_t";
        }
    };
}

/// `hipError_t`, the ones of use here. No number ever changed.
pub mod error {
    macro_rules! errors {
        ($($name:ident = $value:literal, $c:ident, $text:literal;)*) => {
            $(#[doc = concat!("`", stringify!($c), "`")] pub const $name: i32 = $value;)*

            /// C name, number and description of each.
            pub const ALL: &[(&str, i32, &str)] = &[$((stringify!($c), $value, $text)),*];
        };
    }
    errors! {
        SUCCESS = 0, hipSuccess, "no error";
        INVALID_VALUE = 1, hipErrorInvalidValue, "invalid argument";
        OUT_OF_MEMORY = 2, hipErrorOutOfMemory, "out of memory";
        NOT_INITIALIZED = 3, hipErrorNotInitialized, "initialization error";
        DEINITIALIZED = 4, hipErrorDeinitialized, "driver shutting down";
        INVALID_PITCH_VALUE = 12, hipErrorInvalidPitchValue, "invalid pitch argument";
        INVALID_DEVICE_POINTER = 17, hipErrorInvalidDevicePointer, "invalid device pointer";
        INVALID_MEMCPY_DIRECTION = 21, hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy";
        INSUFFICIENT_DRIVER = 35, hipErrorInsufficientDriver, "driver version is insufficient for runtime version";
        NO_DEVICE = 100, hipErrorNoDevice, "no ROCm-capable device is detected";
        INVALID_DEVICE = 101, hipErrorInvalidDevice, "invalid device ordinal";
        MAP_FAILED = 205, hipErrorMapFailed, "mapping of buffer object failed";
        NO_BINARY_FOR_GPU = 209, hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device";
        PEER_ACCESS_UNSUPPORTED = 217, hipErrorPeerAccessUnsupported, "peer access is not supported between the devices";
        SHARED_OBJECT_INIT_FAILED = 303, hipErrorSharedObjectInitFailed, "shared object initialization failed";
        INVALID_HANDLE = 400, hipErrorInvalidHandle, "invalid resource handle";
        ILLEGAL_STATE = 401, hipErrorIllegalState, "the operation cannot be performed in the present state";
        NOT_FOUND = 500, hipErrorNotFound, "named symbol not found";
        NOT_READY = 600, hipErrorNotReady, "device not ready";
        ILLEGAL_ADDRESS = 700, hipErrorIllegalAddress, "an illegal memory access was encountered";
        PEER_ACCESS_ALREADY_ENABLED = 704, hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled";
        PEER_ACCESS_NOT_ENABLED = 705, hipErrorPeerAccessNotEnabled, "peer access has not been enabled";
        CONTEXT_IS_DESTROYED = 709, hipErrorContextIsDestroyed, "context is destroyed";
        HOST_MEMORY_ALREADY_REGISTERED = 712, hipErrorHostMemoryAlreadyRegistered,
            "part or all of the requested memory range is already mapped";
        HOST_MEMORY_NOT_REGISTERED = 713, hipErrorHostMemoryNotRegistered,
            "pointer does not correspond to a registered memory region";
        LAUNCH_FAILURE = 719, hipErrorLaunchFailure, "unspecified launch failure";
        NOT_SUPPORTED = 801, hipErrorNotSupported, "operation not supported";
        STREAM_CAPTURE_UNSUPPORTED = 900, hipErrorStreamCaptureUnsupported,
            "operation not permitted when stream is capturing";
        STREAM_CAPTURE_INVALIDATED = 901, hipErrorStreamCaptureInvalidated,
            "operation failed due to a previous error during capture";
        STREAM_CAPTURE_MERGE = 902, hipErrorStreamCaptureMerge,
            "operation would result in a merge of separate capture sequences";
        STREAM_CAPTURE_UNMATCHED = 903, hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream";
        STREAM_CAPTURE_UNJOINED = 904, hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work";
        STREAM_CAPTURE_ISOLATION = 905, hipErrorStreamCaptureIsolation,
            "dependency created on uncaptured work in another stream";
        STREAM_CAPTURE_IMPLICIT = 906, hipErrorStreamCaptureImplicit,
            "operation would make the legacy stream depend on a capturing blocking stream";
        CAPTURED_EVENT = 907, hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream";
        STREAM_CAPTURE_WRONG_THREAD = 908, hipErrorStreamCaptureWrongThread,
            "attempt to terminate a thread-local capture sequence from another thread";
        UNKNOWN = 999, hipErrorUnknown, "unknown error";
    }

    /// The C name of a number.
    pub fn name(value: i32) -> Option<&'static str> {
        ALL.iter().find(|(_, v, _)| *v == value).map(|(name, ..)| *name)
    }
}

macro_rules! named {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:literal, $c:ident;)*) => {
        $(#[doc = concat!("`", stringify!($c), "`")] $(#[$doc])* pub const $name: $type = $value;)*

        /// C name and number of each.
        pub const ALL: &[(&str, i64)] = &[$((stringify!($c), $value)),*];
    };
}

/// `hipMemcpyKind`
pub mod memcpy {
    named! {
        HOST_TO_HOST: i32 = 0, hipMemcpyHostToHost;
        HOST_TO_DEVICE: i32 = 1, hipMemcpyHostToDevice;
        DEVICE_TO_HOST: i32 = 2, hipMemcpyDeviceToHost;
        DEVICE_TO_DEVICE: i32 = 3, hipMemcpyDeviceToDevice;
        /// The addresses tell.
        DEFAULT: i32 = 4, hipMemcpyDefault;
    }
}

/// Flags of streams and events, and the numbers of capture. The same in all releases.
pub mod flag {
    named! {
        STREAM_NON_BLOCKING: u32 = 1, hipStreamNonBlocking;
        EVENT_DISABLE_TIMING: u32 = 2, hipEventDisableTiming;
        HOST_PORTABLE: u32 = 1, hipHostMallocPortable;
        CAPTURE_GLOBAL: i32 = 0, hipStreamCaptureModeGlobal;
        CAPTURE_THREAD_LOCAL: i32 = 1, hipStreamCaptureModeThreadLocal;
        CAPTURE_RELAXED: i32 = 2, hipStreamCaptureModeRelaxed;
        CAPTURE_ACTIVE: i32 = 1, hipStreamCaptureStatusActive;
    }
}

/// `hipDeviceAttribute_t`. No number ever changed; those that 6.0 took away are left out.
pub mod attribute {
    named! {
        ECC_ENABLED: i32 = 0, hipDeviceAttributeEccEnabled;
        ACCESS_POLICY_MAX_WINDOW_SIZE: i32 = 1, hipDeviceAttributeAccessPolicyMaxWindowSize;
        ASYNC_ENGINE_COUNT: i32 = 2, hipDeviceAttributeAsyncEngineCount;
        CAN_MAP_HOST_MEMORY: i32 = 3, hipDeviceAttributeCanMapHostMemory;
        CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: i32 = 4, hipDeviceAttributeCanUseHostPointerForRegisteredMem;
        CLOCK_RATE: i32 = 5, hipDeviceAttributeClockRate;
        COMPUTE_MODE: i32 = 6, hipDeviceAttributeComputeMode;
        COMPUTE_PREEMPTION_SUPPORTED: i32 = 7, hipDeviceAttributeComputePreemptionSupported;
        CONCURRENT_KERNELS: i32 = 8, hipDeviceAttributeConcurrentKernels;
        CONCURRENT_MANAGED_ACCESS: i32 = 9, hipDeviceAttributeConcurrentManagedAccess;
        COOPERATIVE_LAUNCH: i32 = 10, hipDeviceAttributeCooperativeLaunch;
        COOPERATIVE_MULTI_DEVICE_LAUNCH: i32 = 11, hipDeviceAttributeCooperativeMultiDeviceLaunch;
        DEVICE_OVERLAP: i32 = 12, hipDeviceAttributeDeviceOverlap;
        DIRECT_MANAGED_MEM_ACCESS_FROM_HOST: i32 = 13, hipDeviceAttributeDirectManagedMemAccessFromHost;
        GLOBAL_L1_CACHE_SUPPORTED: i32 = 14, hipDeviceAttributeGlobalL1CacheSupported;
        HOST_NATIVE_ATOMIC_SUPPORTED: i32 = 15, hipDeviceAttributeHostNativeAtomicSupported;
        INTEGRATED: i32 = 16, hipDeviceAttributeIntegrated;
        IS_MULTI_GPU_BOARD: i32 = 17, hipDeviceAttributeIsMultiGpuBoard;
        KERNEL_EXEC_TIMEOUT: i32 = 18, hipDeviceAttributeKernelExecTimeout;
        L2_CACHE_SIZE: i32 = 19, hipDeviceAttributeL2CacheSize;
        LOCAL_L1_CACHE_SUPPORTED: i32 = 20, hipDeviceAttributeLocalL1CacheSupported;
        LUID: i32 = 21, hipDeviceAttributeLuid;
        LUID_DEVICE_NODE_MASK: i32 = 22, hipDeviceAttributeLuidDeviceNodeMask;
        COMPUTE_CAPABILITY_MAJOR: i32 = 23, hipDeviceAttributeComputeCapabilityMajor;
        MANAGED_MEMORY: i32 = 24, hipDeviceAttributeManagedMemory;
        MAX_BLOCKS_PER_MULTI_PROCESSOR: i32 = 25, hipDeviceAttributeMaxBlocksPerMultiProcessor;
        MAX_BLOCK_DIM_X: i32 = 26, hipDeviceAttributeMaxBlockDimX;
        MAX_BLOCK_DIM_Y: i32 = 27, hipDeviceAttributeMaxBlockDimY;
        MAX_BLOCK_DIM_Z: i32 = 28, hipDeviceAttributeMaxBlockDimZ;
        MAX_GRID_DIM_X: i32 = 29, hipDeviceAttributeMaxGridDimX;
        MAX_GRID_DIM_Y: i32 = 30, hipDeviceAttributeMaxGridDimY;
        MAX_GRID_DIM_Z: i32 = 31, hipDeviceAttributeMaxGridDimZ;
        MAX_SURFACE_1D: i32 = 32, hipDeviceAttributeMaxSurface1D;
        MAX_SURFACE_1D_LAYERED: i32 = 33, hipDeviceAttributeMaxSurface1DLayered;
        MAX_SURFACE_2D: i32 = 34, hipDeviceAttributeMaxSurface2D;
        MAX_SURFACE_2D_LAYERED: i32 = 35, hipDeviceAttributeMaxSurface2DLayered;
        MAX_SURFACE_3D: i32 = 36, hipDeviceAttributeMaxSurface3D;
        MAX_SURFACE_CUBEMAP: i32 = 37, hipDeviceAttributeMaxSurfaceCubemap;
        MAX_SURFACE_CUBEMAP_LAYERED: i32 = 38, hipDeviceAttributeMaxSurfaceCubemapLayered;
        MAX_TEXTURE_1D_WIDTH: i32 = 39, hipDeviceAttributeMaxTexture1DWidth;
        MAX_TEXTURE_1D_LAYERED: i32 = 40, hipDeviceAttributeMaxTexture1DLayered;
        MAX_TEXTURE_1D_LINEAR: i32 = 41, hipDeviceAttributeMaxTexture1DLinear;
        MAX_TEXTURE_1D_MIPMAP: i32 = 42, hipDeviceAttributeMaxTexture1DMipmap;
        MAX_TEXTURE_2D_WIDTH: i32 = 43, hipDeviceAttributeMaxTexture2DWidth;
        MAX_TEXTURE_2D_HEIGHT: i32 = 44, hipDeviceAttributeMaxTexture2DHeight;
        MAX_TEXTURE_2D_GATHER: i32 = 45, hipDeviceAttributeMaxTexture2DGather;
        MAX_TEXTURE_2D_LAYERED: i32 = 46, hipDeviceAttributeMaxTexture2DLayered;
        MAX_TEXTURE_2D_LINEAR: i32 = 47, hipDeviceAttributeMaxTexture2DLinear;
        MAX_TEXTURE_2D_MIPMAP: i32 = 48, hipDeviceAttributeMaxTexture2DMipmap;
        MAX_TEXTURE_3D_WIDTH: i32 = 49, hipDeviceAttributeMaxTexture3DWidth;
        MAX_TEXTURE_3D_HEIGHT: i32 = 50, hipDeviceAttributeMaxTexture3DHeight;
        MAX_TEXTURE_3D_DEPTH: i32 = 51, hipDeviceAttributeMaxTexture3DDepth;
        MAX_TEXTURE_3D_ALT: i32 = 52, hipDeviceAttributeMaxTexture3DAlt;
        MAX_TEXTURE_CUBEMAP: i32 = 53, hipDeviceAttributeMaxTextureCubemap;
        MAX_TEXTURE_CUBEMAP_LAYERED: i32 = 54, hipDeviceAttributeMaxTextureCubemapLayered;
        MAX_THREADS_DIM: i32 = 55, hipDeviceAttributeMaxThreadsDim;
        MAX_THREADS_PER_BLOCK: i32 = 56, hipDeviceAttributeMaxThreadsPerBlock;
        MAX_THREADS_PER_MULTI_PROCESSOR: i32 = 57, hipDeviceAttributeMaxThreadsPerMultiProcessor;
        MAX_PITCH: i32 = 58, hipDeviceAttributeMaxPitch;
        MEMORY_BUS_WIDTH: i32 = 59, hipDeviceAttributeMemoryBusWidth;
        MEMORY_CLOCK_RATE: i32 = 60, hipDeviceAttributeMemoryClockRate;
        COMPUTE_CAPABILITY_MINOR: i32 = 61, hipDeviceAttributeComputeCapabilityMinor;
        MULTI_GPU_BOARD_GROUP_ID: i32 = 62, hipDeviceAttributeMultiGpuBoardGroupID;
        MULTIPROCESSOR_COUNT: i32 = 63, hipDeviceAttributeMultiprocessorCount;
        PAGEABLE_MEMORY_ACCESS: i32 = 65, hipDeviceAttributePageableMemoryAccess;
        PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES: i32 = 66, hipDeviceAttributePageableMemoryAccessUsesHostPageTables;
        PCI_BUS_ID: i32 = 67, hipDeviceAttributePciBusId;
        PCI_DEVICE_ID: i32 = 68, hipDeviceAttributePciDeviceId;
        PCI_DOMAIN_ID: i32 = 69, hipDeviceAttributePciDomainID;
        PERSISTING_L2_CACHE_MAX_SIZE: i32 = 70, hipDeviceAttributePersistingL2CacheMaxSize;
        MAX_REGISTERS_PER_BLOCK: i32 = 71, hipDeviceAttributeMaxRegistersPerBlock;
        MAX_REGISTERS_PER_MULTIPROCESSOR: i32 = 72, hipDeviceAttributeMaxRegistersPerMultiprocessor;
        RESERVED_SHARED_MEM_PER_BLOCK: i32 = 73, hipDeviceAttributeReservedSharedMemPerBlock;
        MAX_SHARED_MEMORY_PER_BLOCK: i32 = 74, hipDeviceAttributeMaxSharedMemoryPerBlock;
        SHARED_MEM_PER_BLOCK_OPTIN: i32 = 75, hipDeviceAttributeSharedMemPerBlockOptin;
        SHARED_MEM_PER_MULTIPROCESSOR: i32 = 76, hipDeviceAttributeSharedMemPerMultiprocessor;
        SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: i32 = 77, hipDeviceAttributeSingleToDoublePrecisionPerfRatio;
        STREAM_PRIORITIES_SUPPORTED: i32 = 78, hipDeviceAttributeStreamPrioritiesSupported;
        SURFACE_ALIGNMENT: i32 = 79, hipDeviceAttributeSurfaceAlignment;
        TCC_DRIVER: i32 = 80, hipDeviceAttributeTccDriver;
        TEXTURE_ALIGNMENT: i32 = 81, hipDeviceAttributeTextureAlignment;
        TEXTURE_PITCH_ALIGNMENT: i32 = 82, hipDeviceAttributeTexturePitchAlignment;
        TOTAL_CONSTANT_MEMORY: i32 = 83, hipDeviceAttributeTotalConstantMemory;
        TOTAL_GLOBAL_MEM: i32 = 84, hipDeviceAttributeTotalGlobalMem;
        UNIFIED_ADDRESSING: i32 = 85, hipDeviceAttributeUnifiedAddressing;
        WARP_SIZE: i32 = 87, hipDeviceAttributeWarpSize;
        MEMORY_POOLS_SUPPORTED: i32 = 88, hipDeviceAttributeMemoryPoolsSupported;
        VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: i32 = 89, hipDeviceAttributeVirtualMemoryManagementSupported;
        HOST_REGISTER_SUPPORTED: i32 = 90, hipDeviceAttributeHostRegisterSupported;
        MEMORY_POOL_SUPPORTED_HANDLE_TYPES: i32 = 91, hipDeviceAttributeMemoryPoolSupportedHandleTypes;
        HOST_NUMA_ID: i32 = 92, hipDeviceAttributeHostNumaId;
        CLOCK_INSTRUCTION_RATE: i32 = 10000, hipDeviceAttributeClockInstructionRate;
        MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: i32 = 10002, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor;
        HDP_MEM_FLUSH_CNTL: i32 = 10005, hipDeviceAttributeHdpMemFlushCntl;
        HDP_REG_FLUSH_CNTL: i32 = 10006, hipDeviceAttributeHdpRegFlushCntl;
        COOPERATIVE_MULTI_DEVICE_UNMATCHED_FUNC: i32 = 10007, hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc;
        COOPERATIVE_MULTI_DEVICE_UNMATCHED_GRID_DIM: i32 = 10008, hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim;
        COOPERATIVE_MULTI_DEVICE_UNMATCHED_BLOCK_DIM: i32 = 10009, hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim;
        COOPERATIVE_MULTI_DEVICE_UNMATCHED_SHARED_MEM: i32 = 10010, hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem;
        IS_LARGE_BAR: i32 = 10011, hipDeviceAttributeIsLargeBar;
        ASIC_REVISION: i32 = 10012, hipDeviceAttributeAsicRevision;
        CAN_USE_STREAM_WAIT_VALUE: i32 = 10013, hipDeviceAttributeCanUseStreamWaitValue;
        IMAGE_SUPPORT: i32 = 10014, hipDeviceAttributeImageSupport;
        PHYSICAL_MULTI_PROCESSOR_COUNT: i32 = 10015, hipDeviceAttributePhysicalMultiProcessorCount;
        FINE_GRAIN_SUPPORT: i32 = 10016, hipDeviceAttributeFineGrainSupport;
        WALL_CLOCK_RATE: i32 = 10017, hipDeviceAttributeWallClockRate;
        NUMBER_OF_XCCS: i32 = 10018, hipDeviceAttributeNumberOfXccs;
        MAX_AVAILABLE_VGPRS_PER_THREAD: i32 = 10019, hipDeviceAttributeMaxAvailableVgprsPerThread;
        PCI_CHIP_ID: i32 = 10020, hipDeviceAttributePciChipId;
    }

    /// Those that came after HIP 5, with the version that has them.
    pub const YOUNGER: &[(i32, (u32, u32))] = &[
        (HOST_REGISTER_SUPPORTED, (6, 0)),
        (MEMORY_POOL_SUPPORTED_HANDLE_TYPES, (6, 1)),
        (HOST_NUMA_ID, (7, 0)),
        (NUMBER_OF_XCCS, (7, 0)),
        (MAX_AVAILABLE_VGPRS_PER_THREAD, (7, 0)),
        (PCI_CHIP_ID, (7, 0)),
    ];
}

/// `hipMemoryType`, which was renumbered in 6.0.
pub mod memory_type {
    /// Numbers of `hipMemoryTypeHost`, `Device` and `Managed` for a major version of HIP.
    pub const fn of(hip_major: usize) -> (i32, i32, i32) {
        if hip_major < 6 { (0, 1, 4) } else { (1, 2, 3) }
    }
}

/// Offsets in `hipDeviceProp_t`, which was rearranged in 6.0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyLayout {
    /// `sizeof`
    pub size: usize,
    /// `char name[256]`
    pub name: usize,
    /// `size_t totalGlobalMem`
    pub total_global_mem: usize,
    /// `int warpSize`
    pub warp_size: usize,
    /// `int maxThreadsPerBlock`
    pub max_threads_per_block: usize,
    /// `int clockRate` in kHz
    pub clock_rate: usize,
    /// `int major`
    pub major: usize,
    /// `int minor`
    pub minor: usize,
    /// `int multiProcessorCount`
    pub multi_processor_count: usize,
    /// `int gcnArch`, removed in 6.0
    pub gcn_arch: Option<usize>,
    /// `char gcnArchName[256]`
    pub gcn_arch_name: usize,
    /// `int integrated`
    pub integrated: usize,
    /// `int pciBusID`
    pub pci_bus_id: usize,
}

/// What `hipGetDeviceProperties` fills, in every release.
pub const PROPERTIES_OLD: PropertyLayout = PropertyLayout {
    size: 792,
    name: 0,
    total_global_mem: 256,
    warp_size: 276,
    max_threads_per_block: 280,
    clock_rate: 308,
    major: 328,
    minor: 332,
    multi_processor_count: 336,
    gcn_arch: Some(392),
    gcn_arch_name: 396,
    integrated: 652,
    pci_bus_id: 368,
};

/// What `hipGetDevicePropertiesR0600` fills.
pub const PROPERTIES_R0600: PropertyLayout = PropertyLayout {
    size: 1472,
    name: 0,
    total_global_mem: 288,
    warp_size: 308,
    max_threads_per_block: 320,
    clock_rate: 348,
    major: 360,
    minor: 364,
    multi_processor_count: 388,
    gcn_arch: None,
    gcn_arch_name: 1160,
    integrated: 396,
    pci_bus_id: 584,
};

macro_rules! descriptions { ($($version:literal $name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $c:literal;)*) => {
    /// Name, symbol version and C parameter types of every HIP function of the table.
    pub const FUNCTIONS: &[(&str, &str, &str)] = &[$((stringify!($name), $version, $c)),*];

    /// Pointer types of the functions of the table.
    #[expect(non_camel_case_types, reason = "they have the functions' names")]
    pub mod pointer {
        use super::*;
        $(#[doc = concat!("`", stringify!($name), "`")] pub type $name = unsafe extern "C" fn($($arg: $ty),*) -> $out;)*
    }
}}
for_each_hip_function!(descriptions);
