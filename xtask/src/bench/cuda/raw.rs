//! cuBLAS and the driver's events as a program in C would call them: functions looked up by name in the libraries that the
//! backend has loaded, without any code of ours between.

use std::ffi::{c_float, c_int, c_uint, c_void};
use std::ptr::null_mut;

use blas_cuda::Library;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A pointer of one of the libraries.
type Opaque = *mut c_void;

/// Name of the driver, which finds the one that is loaded.
const DRIVER: &str = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };

/// `CUBLAS_OP_N`
pub(super) const N: c_int = 0;
/// `CUBLAS_COMPUTE_32F`
pub(super) const COMPUTE_F32: c_int = 68;
/// `CUBLAS_GEMM_DEFAULT`
pub(super) const DEFAULT_ALGO: c_int = -1;
/// `CUDA_R_16F`
pub(super) const R_16F: c_int = 2;
/// `CUDA_R_16BF`
pub(super) const R_16BF: c_int = 14;

/// `CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION`, which the backend's handles have set too.
const FULL_SUMS: c_int = 16;
/// `CUBLAS_TF32_TENSOR_OP_MATH`
const TF32: c_int = 3;

macro_rules! functions {
    ($($name:ident: fn($($ty:ty),*);)*) => {
        /// The functions, which all answer with a status.
        #[allow(non_snake_case, reason = "they have the functions' names")]
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($ty),*) -> c_int,)*
        }

        impl Functions {
            /// Looks each up in whichever of the libraries has it.
            ///
            /// # Safety
            /// The libraries are the driver and cuBLAS.
            unsafe fn find(libraries: &[libloading::Library]) -> Result<Functions> {
                Ok(Functions { $($name: {
                    let name = concat!(stringify!($name), "\0").as_bytes();
                    // SAFETY: the types are those of the libraries' headers.
                    let found = libraries.iter().find_map(|l| unsafe {
                        l.get::<unsafe extern "C" fn($($ty),*) -> c_int>(name).ok().map(|s| *s)
                    });
                    found.ok_or(concat!("no function ", stringify!($name)))?
                },)* })
            }
        }
    };
}

functions! {
    cuEventCreate: fn(*mut Opaque, c_uint);
    cuEventDestroy_v2: fn(Opaque);
    cuEventRecord: fn(Opaque, Opaque);
    cuEventSynchronize: fn(Opaque);
    cuEventElapsedTime: fn(*mut c_float, Opaque, Opaque);
    cublasCreate_v2: fn(*mut Opaque);
    cublasDestroy_v2: fn(Opaque);
    cublasSetStream_v2: fn(Opaque, Opaque);
    cublasSetMathMode: fn(Opaque, c_int);
    cublasSgemm_v2: fn(
        Opaque, c_int, c_int, c_int, c_int, c_int,
        *const f32, *const f32, c_int, *const f32, c_int, *const f32, *mut f32, c_int
    );
    cublasDgemm_v2: fn(
        Opaque, c_int, c_int, c_int, c_int, c_int,
        *const f64, *const f64, c_int, *const f64, c_int, *const f64, *mut f64, c_int
    );
    cublasGemmEx: fn(
        Opaque, c_int, c_int, c_int, c_int, c_int,
        *const c_void, *const c_void, c_int, c_int, *const c_void, c_int, c_int,
        *const c_void, *mut c_void, c_int, c_int, c_int, c_int
    );
    cublasSgemmStridedBatched: fn(
        Opaque, c_int, c_int, c_int, c_int, c_int,
        *const f32, *const f32, c_int, i64, *const f32, c_int, i64, *const f32, *mut f32, c_int, i64, c_int
    );
    cublasDgemmStridedBatched: fn(
        Opaque, c_int, c_int, c_int, c_int, c_int,
        *const f64, *const f64, c_int, i64, *const f64, c_int, i64, *const f64, *mut f64, c_int, i64, c_int
    );
    cublasGemmStridedBatchedEx: fn(
        Opaque, c_int, c_int, c_int, c_int, c_int,
        *const c_void, *const c_void, c_int, c_int, i64, *const c_void, c_int, c_int, i64,
        *const c_void, *mut c_void, c_int, c_int, i64, c_int, c_int, c_int
    );
    cublasSgemv_v2: fn(
        Opaque, c_int, c_int, c_int,
        *const f32, *const f32, c_int, *const f32, c_int, *const f32, *mut f32, c_int
    );
    cublasDgemv_v2: fn(
        Opaque, c_int, c_int, c_int,
        *const f64, *const f64, c_int, *const f64, c_int, *const f64, *mut f64, c_int
    );
    cublasSaxpy_v2: fn(Opaque, c_int, *const f32, *const f32, c_int, *mut f32, c_int);
    cublasDaxpy_v2: fn(Opaque, c_int, *const f64, *const f64, c_int, *mut f64, c_int);
}

/// A cuBLAS handle of its own on a stream of the backend's, and two events there.
pub(super) struct Raw {
    pub(super) functions: Functions,
    pub(super) cublas: Opaque,
    stream: Opaque,
    events: [Opaque; 2],
    // The functions are theirs.
    _libraries: [libloading::Library; 2],
}

/// A status as a result.
pub(super) fn ok(what: &str, status: c_int) -> Result<()> {
    if status == 0 { Ok(()) } else { Err(format!("{what} answered {status}").into()) }
}

impl Raw {
    /// Takes the libraries that the backend has loaded.
    ///
    /// # Safety
    /// The stream lives as long as the result, and is of the context that is current in this thread.
    pub(super) unsafe fn new(library: &Library, stream: Opaque) -> Result<Raw> {
        // SAFETY: both are loaded already, and nothing of them runs here.
        let libraries =
            unsafe { [libloading::Library::new(DRIVER)?, libloading::Library::new(library.path())?] };
        // SAFETY: the libraries are what they should be, or the backend would not have loaded them.
        let functions = unsafe { Functions::find(&libraries)? };
        let mut raw =
            Raw { functions, cublas: null_mut(), stream, events: [null_mut(); 2], _libraries: libraries };
        let f = &raw.functions;
        // SAFETY: each writes one handle.
        unsafe {
            for event in &mut raw.events {
                ok("cuEventCreate", (f.cuEventCreate)(event, 0))?;
            }
            ok("cublasCreate_v2", (f.cublasCreate_v2)(&mut raw.cublas))?;
            ok("cublasSetStream_v2", (f.cublasSetStream_v2)(raw.cublas, stream))?;
        }
        Ok(raw)
    }

    /// The math mode that the backend's handles have under the same policy.
    pub(super) fn allow_tf32(&self, allowed: bool) -> Result<()> {
        let mode = if allowed { TF32 } else { 0 } | FULL_SUMS;
        // SAFETY: the handle lives.
        ok("cublasSetMathMode", unsafe { (self.functions.cublasSetMathMode)(self.cublas, mode) })
    }

    /// Marks the begin (0) or the end (1) of what is timed.
    pub(super) fn record(&self, event: usize) -> Result<()> {
        // SAFETY: both live.
        ok("cuEventRecord", unsafe { (self.functions.cuEventRecord)(self.events[event], self.stream) })
    }

    /// Waits for the end, and says how many seconds lay between the marks.
    pub(super) fn elapsed(&self) -> Result<f64> {
        let [begin, end] = self.events;
        let mut milliseconds = 0.0;
        // SAFETY: the events live and have been recorded.
        unsafe {
            ok("cuEventSynchronize", (self.functions.cuEventSynchronize)(end))?;
            ok("cuEventElapsedTime", (self.functions.cuEventElapsedTime)(&mut milliseconds, begin, end))?;
        }
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // There is nobody to tell of a failure.
        // SAFETY: none is used again.
        unsafe {
            let _ = (self.functions.cublasDestroy_v2)(self.cublas);
            for event in self.events {
                let _ = (self.functions.cuEventDestroy_v2)(event);
            }
        }
    }
}
