//! The kernels of our own: what cuBLAS lacks, or does not do as the contract says. They are compiled when the first one is
//! needed on a device.

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use blas_api::{Location, Result};
use hipblas_abi::Elem;

use crate::device::Gpu;
use crate::driver::{Kernel, Module};
use crate::handle::CudaHandle;

const SOURCE: &str = concat!(include_str!("kernels.cu"), "\0");

/// Threads of a block.
pub(crate) const BLOCK: u32 = 256;

/// The kernels on a device.
pub(crate) struct Kernels {
    module: Module,
    /// Those that have been asked for.
    found: Mutex<Vec<(String, Kernel)>>,
}

impl Kernels {
    fn new(gpu: &Gpu) -> Result<Kernels> {
        let (major, minor) = gpu.capability;
        let source = CStr::from_bytes_with_nul(SOURCE.as_bytes()).unwrap_or_default();
        let code = gpu.library.nvrtc()?.compile(source, c"anyblas.cu", &format!("sm_{major}{minor}"))?;
        let mut module = null_mut();
        // SAFETY: the code is for this device, whose context is current.
        unsafe { gpu.library.driver.cuModuleLoadData("compile", &mut module, code.as_ptr().cast()) }?;
        Ok(Kernels { module, found: Mutex::default() })
    }

    fn get(&self, gpu: &Gpu, name: &str) -> Result<Kernel> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, kernel)) = found.iter().find(|(n, _)| n == name) {
            return Ok(*kernel);
        }
        let mut kernel = null_mut();
        let text = std::ffi::CString::new(name).unwrap_or_default();
        // SAFETY: the module lives; writes one kernel.
        unsafe {
            gpu.library.driver.cuModuleGetFunction("compile", &mut kernel, self.module, text.as_ptr())
        }?;
        found.push((name.to_owned(), kernel));
        Ok(kernel)
    }
}

/// The letter of a type in the kernels' names.
pub(crate) fn letter(elem: Elem) -> &'static str {
    match elem {
        Elem::F16 => "h",
        Elem::BF16 => "bf",
        Elem::F32 => "s",
        Elem::F64 => "d",
        Elem::C32 => "c",
        Elem::C64 => "z",
    }
}

/// Blocks of [`BLOCK`] threads for so many elements, of which a thread may take several.
pub(crate) fn blocks(n: i64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX).div_ceil(BLOCK).clamp(1, 4096)
}

/// A coefficient as kernels take it: where it is on the device, or null and its value.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Coef {
    device: *const c_void,
    value: [u64; 2],
}

impl Coef {
    pub(crate) const fn new(device: *const c_void, value: [u64; 2]) -> Coef {
        Coef { device, value }
    }
}

impl CudaHandle {
    /// A coefficient of `size` bytes that is where the pointer mode says.
    ///
    /// # Safety
    /// It can be read there.
    pub(crate) unsafe fn coef(&self, ptr: *const c_void, size: usize) -> Coef {
        let mut value = [0u64; 2];
        if self.mode.get() == Some(Location::Device) {
            return Coef::new(ptr, value);
        }
        // SAFETY: the caller's promise; no coefficient has more than 16 bytes.
        unsafe { value.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(ptr.cast(), size.min(16)) };
        Coef::new(std::ptr::null(), value)
    }

    /// Runs a kernel on the handle's stream: see [`launch!`].
    ///
    /// # Safety
    /// The arguments are those of the kernel.
    pub(crate) unsafe fn launch(&self, name: &str, grid: [u32; 2], args: &mut [*mut c_void]) -> Result {
        let gpu = self.context().gpu;
        let kernels = gpu.kernels.get_or_init(|| Kernels::new(gpu)).as_ref().map_err(Clone::clone)?;
        let kernel = kernels.get(gpu, name)?;
        let (driver, params) = (&self.library().driver, args.as_mut_ptr());
        // SAFETY: the caller's promise.
        unsafe {
            driver.cuLaunchKernel(
                self.routine(),
                kernel,
                grid[0],
                grid[1],
                1,
                BLOCK,
                1,
                1,
                0,
                self.stream(),
                params,
                null_mut(),
            )
        }
    }
}

/// Runs a kernel with arguments of exactly the types that it has in C.
macro_rules! launch {
    ($h:expr, $name:expr, $grid:expr, $($arg:expr),* $(,)?) => {
        $h.launch($name, $grid, &mut [$((&raw mut *(&mut { $arg })).cast::<std::ffi::c_void>()),*])
    };
}
pub(crate) use launch;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::{self, Environment, NVRTC};
    use crate::nvrtc::Nvrtc;

    #[test]
    #[ignore = "needs NVRTC, but no GPU"]
    fn the_kernels_compile_for_each_architecture() -> Result {
        let open = loader::companion(&Environment::of_process(), &NVRTC, 13, std::path::Path::new(""))?;
        // SAFETY: the names are looked up in NVRTC, which is never unloaded.
        let nvrtc = unsafe { Nvrtc::new(|name| open.symbol(name)) };
        let source = CStr::from_bytes_with_nul(SOURCE.as_bytes()).unwrap_or_default();
        assert!(!source.is_empty());
        for arch in ["sm_75", "sm_80", "sm_90", "sm_120"] {
            assert!(!nvrtc.compile(source, c"anyblas.cu", arch)?.is_empty(), "{arch}");
        }
        let error = nvrtc.compile(c"not CUDA", c"broken.cu", "sm_90").err();
        assert!(error.is_some_and(|e| e.to_string().contains("broken.cu")));
        Ok(())
    }
}
