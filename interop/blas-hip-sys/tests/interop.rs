//! A program of `hip-sys` that computes through anyblas, and the other way round. Needs a device.

use std::ffi::c_void;
use std::path::Path;

use blas_api::{Buffer, Handle, Layout, Level1, Level3};
use blas_hip::Hip;
use blas_hip_sys::hip_sys::hipblas::{hipblasGetStream, hipblasSscal, hipblasStatus_t};
use blas_hip_sys::hip_sys::hiprt::{
    hipError_t, hipFree, hipMalloc, hipMemcpyAsync, hipMemcpyKind, hipStream_t, hipStreamCreate,
    hipStreamDestroy, hipStreamSynchronize,
};
use blas_hip_sys::{hipblas, library, open, slice, slice_mut, stream, with_stream};

const N: usize = 64;
const BYTES: usize = N * N * size_of::<f32>();

/// Device memory of `hip-sys`.
struct Memory(*mut f32);

impl Memory {
    fn new() -> Self {
        let mut ptr: *mut c_void = std::ptr::null_mut();
        // SAFETY: writes one pointer.
        assert_eq!(unsafe { hipMalloc(&mut ptr, BYTES) }, hipError_t::hipSuccess);
        Memory(ptr.cast())
    }

    fn copy(&self, host: &mut [f32], kind: hipMemcpyKind, stream: hipStream_t) {
        assert_eq!(size_of_val(host), BYTES);
        let (device, host): (*mut c_void, *mut c_void) = (self.0.cast(), host.as_mut_ptr().cast());
        let (to, from) =
            if kind == hipMemcpyKind::hipMemcpyHostToDevice { (device, host) } else { (host, device) };
        // SAFETY: both are valid for that many bytes.
        let copied = unsafe { hipMemcpyAsync(to, from, BYTES, kind, stream) };
        assert_eq!(copied, hipError_t::hipSuccess);
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: made by hipMalloc.
        unsafe { hipFree(self.0.cast()) };
    }
}

#[test]
fn the_library_is_the_one_that_is_linked() {
    let versions = library().unwrap().versions();
    let path = versions.iter().find(|(name, _)| name == "hipblas library").map(|(_, path)| path).unwrap();
    let root = std::env::var("HIPBLAS_PATH").unwrap();
    let linked = Path::new(&root).join("lib/libhipblas.so").canonicalize().unwrap();
    assert_eq!(Path::new(path), linked);
}

#[test]
fn a_stream_and_memory_of_hip_sys_are_taken() {
    let mut a: Vec<f32> = (0..N * N).map(|i| (i % 7) as f32 - 3.0).collect();
    let mut b: Vec<f32> = (0..N * N).map(|i| (i % 5) as f32 - 2.0).collect();
    let mut c = vec![f32::NAN; N * N];
    let (da, db, dc) = (Memory::new(), Memory::new(), Memory::new());
    let mut s: hipStream_t = std::ptr::null_mut();
    // SAFETY: writes one stream.
    assert_eq!(unsafe { hipStreamCreate(&mut s) }, hipError_t::hipSuccess);
    da.copy(&mut a, hipMemcpyKind::hipMemcpyHostToDevice, s);
    db.copy(&mut b, hipMemcpyKind::hipMemcpyHostToDevice, s);

    {
        // SAFETY: a stream of the current device, 0.
        let blas = unsafe { with_stream(0, s) }.unwrap();
        assert_eq!(stream(&blas), s);
        let device = blas.device();
        // SAFETY: memory of this device, used through this stream only.
        let (a, b, c) = unsafe {
            (slice(device, da.0, N * N), slice(device, db.0, N * N), slice_mut(device, dc.0, N * N))
        };
        let (a, b) = (a.mat(N, N, Layout::Row).unwrap(), b.mat(N, N, Layout::Col).unwrap());
        blas.gemm(1.0, a, b, 0.0, c.mat(N, N, Layout::Row).unwrap()).unwrap();
    }
    // What follows on the stream finds the product, though nobody waited in between.
    dc.copy(&mut c, hipMemcpyKind::hipMemcpyDeviceToHost, s);
    // SAFETY: the stream made above, which the handle did not destroy.
    unsafe {
        assert_eq!(hipStreamSynchronize(s), hipError_t::hipSuccess);
        assert_eq!(hipStreamDestroy(s), hipError_t::hipSuccess);
    }
    for i in 0..N {
        for j in 0..N {
            let exact: f32 = (0..N).map(|l| a[i * N + l] * b[j * N + l]).sum();
            assert_eq!(c[i * N + j], exact, "element {i}, {j}");
        }
    }
}

#[test]
fn a_handle_of_anyblas_serves_calls_of_hip_sys() {
    let blas: Handle<Hip> = open(0).unwrap();
    let x: Buffer<f32, Hip> = blas.upload(&[1.0, 2.0, 3.0]).unwrap();
    let mut y = blas.upload(&[0.0f32; 3]).unwrap();
    blas.copy(x.vec(), y.vec_mut()).unwrap();
    let mut s: hipStream_t = std::ptr::null_mut();
    // SAFETY: the handle's stream is asked for, and y is 3 elements of its device.
    unsafe {
        assert_eq!(
            hipblasGetStream(hipblas(&blas), (&raw mut s).cast()),
            hipblasStatus_t::HIPBLAS_STATUS_SUCCESS
        );
        assert_eq!(s, stream(&blas));
        let scaled = hipblasSscal(hipblas(&blas), 3, &2.0, y.slice_mut().as_mut_ptr(), 1);
        assert_eq!(scaled, hipblasStatus_t::HIPBLAS_STATUS_SUCCESS);
    }
    assert_eq!(y.to_vec(&blas).unwrap(), [2.0, 4.0, 6.0]);
}
