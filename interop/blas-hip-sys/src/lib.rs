//! The AMD backend of anyblas in programs that use `hip-sys`: on their streams, on their device memory, and with the
//! hipBLAS that they are linked with.
//!
//! [`blas_hip`] alone finds its libraries when the program runs. A program with `hip-sys` is linked with them already, and
//! this crate takes those: [`library`]. A handle on a stream of the program comes from [`with_stream`], views of its
//! device memory from [`slice`] and [`slice_mut`], and [`stream`] and [`hipblas`] give out what a handle works with.
//!
//! `hip-sys` declares hipBLAS as of ROCm 5. Which hipBLAS is linked does not matter to the routines of anyblas; it does to
//! calls that a program makes through `hip-sys` itself.
//!
//! ```no_run
//! use blas_api::{Layout, Level3};
//! use blas_hip_sys::hip_sys::hiprt::{hipMalloc, hipStream_t, hipStreamCreate};
//!
//! fn main() -> blas_api::Result {
//!     let (mut stream, mut a) = (std::ptr::null_mut(), std::ptr::null_mut());
//!     // SAFETY: plain C calls.
//!     unsafe {
//!         hipStreamCreate(&mut stream);
//!         hipMalloc(&mut a, 2 * 64 * 64 * size_of::<f32>());
//!     }
//!     let (a, n) = (a.cast::<f32>(), 64);
//!     // SAFETY: the stream is of device 0, and nothing else uses the memory.
//!     let (blas, a, c) = unsafe {
//!         let blas = blas_hip_sys::with_stream(0, stream)?;
//!         let device = blas.device();
//!         (blas, blas_hip_sys::slice(device, a, n * n), blas_hip_sys::slice_mut(device, a.add(n * n), n * n))
//!     };
//!     let a = a.mat(n, n, Layout::Col)?;
//!     blas.gemm(1.0, a, a, 0.0, c.mat(n, n, Layout::Col)?)
//! }
//! ```

use std::error::Error as _;
use std::ffi::{CStr, CString, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::sync::OnceLock;

use blas_api::{DeviceId, Element, Error, Handle, Result, SliceMut, SliceRef};
use blas_hip::{Hip, HipHandle, Library};
use hip_sys::hipblas::{hipblasCreate, hipblasHandle_t};
use hip_sys::hiprt::{hipGetDeviceCount, hipStream_t};
use libloading::os::unix::{Library as Loaded, RTLD_LOCAL, RTLD_NOW};

pub use hip_sys;

/// The hipBLAS and the HIP runtime that the program is linked with.
///
/// # Errors
/// [`Error::Load`] if what is linked has no hipBLAS or no HIP runtime in it.
pub fn library() -> Result<&'static Library> {
    static LINKED: OnceLock<Result<&'static Library>> = OnceLock::new();
    LINKED
        .get_or_init(|| {
            let hip = library_of("hipGetDeviceCount", hipGetDeviceCount as *const c_void)?;
            let hipblas = library_of("hipblasCreate", hipblasCreate as *const c_void)?;
            let lookup = |name: &str| {
                let Ok(name) = CString::new(name) else { return std::ptr::null() };
                let found = [&hip, &hipblas].into_iter().find_map(|library| {
                    // SAFETY: only the address is taken.
                    let symbol = unsafe { library.get::<*const c_void>(name.as_c_str()) };
                    symbol.ok().map(|s| s.as_raw_ptr())
                });
                found.map_or(std::ptr::null(), |address| address.cast_const())
            };
            // SAFETY: the addresses are those of the libraries linked, which stay loaded.
            unsafe { Library::from_symbols(lookup) }
        })
        .clone()
}

/// The loaded library that has a function. Not the global scope of the process: a plugin's dependencies are not in it.
fn library_of(name: &str, function: *const c_void) -> Result<std::mem::ManuallyDrop<Loaded>> {
    let failed = |why: String| Error::Load { what: name.to_owned(), tried: vec![why] };
    // SAFETY: all zero is a value of this C struct.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: `info` is valid for writes; any address may be asked for.
    if unsafe { libc::dladdr(function, &mut info) } == 0 || info.dli_fname.is_null() {
        return Err(failed("its address belongs to no library".to_owned()));
    }
    // SAFETY: the loader's own string, which lives as long as the library.
    let path = OsStr::from_bytes(unsafe { CStr::from_ptr(info.dli_fname) }.to_bytes());
    // SAFETY: the library is there already, so nothing of it is run.
    let library = unsafe { Loaded::open(Some(path), RTLD_NOW | RTLD_LOCAL | libc::RTLD_NOLOAD) };
    let library =
        library.map_err(|e| failed(e.source().map_or_else(|| e.to_string(), ToString::to_string)))?;
    Ok(std::mem::ManuallyDrop::new(library))
}

/// Opens device number `index` of the linked library, with a stream of its own.
///
/// # Errors
/// As for [`library`], and [`Error::NoDevice`] if there is no such device.
pub fn open(index: usize) -> Result<Handle<Hip>> {
    Ok(Handle::from_raw(HipHandle::new(library()?, index)?))
}

/// Opens device number `index` of the linked library on a stream of the program. The stream is not destroyed with the
/// handle.
///
/// # Errors
/// As for [`open`].
///
/// # Safety
/// The stream is of that device, and stays until the handle and what was made with it are gone. It is not being captured.
pub unsafe fn with_stream(index: usize, stream: hipStream_t) -> Result<Handle<Hip>> {
    // SAFETY: the caller's promise; the stream is of the runtime that `hip-sys` links.
    Ok(Handle::from_raw(unsafe { HipHandle::with_stream(library()?, index, stream.cast()) }?))
}

/// The stream of a handle.
pub fn stream(blas: &Handle<Hip>) -> hipStream_t {
    blas.raw().stream().cast()
}

/// The hipBLAS handle of a handle: see [`HipHandle::hipblas`].
pub fn hipblas(blas: &Handle<Hip>) -> hipblasHandle_t {
    blas.raw().hipblas()
}

/// `len` elements of device memory, to be read.
///
/// # Safety
/// `ptr` is memory of that device, valid for `len` elements for the lifetime of the slice. Nothing writes to it meanwhile
/// but the stream of the handle that it is used with.
pub unsafe fn slice<'a, T: Element>(device: DeviceId, ptr: *const T, len: usize) -> SliceRef<'a, T, Hip> {
    // SAFETY: the caller's promise.
    unsafe { SliceRef::from_raw(ptr, len, device) }
}

/// `len` elements of device memory, to be written.
///
/// # Safety
/// As for [`slice`], and nothing reads the memory meanwhile either.
pub unsafe fn slice_mut<'a, T: Element>(device: DeviceId, ptr: *mut T, len: usize) -> SliceMut<'a, T, Hip> {
    // SAFETY: the caller's promise.
    unsafe { SliceMut::from_raw(ptr, len, device) }
}
