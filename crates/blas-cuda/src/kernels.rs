//! The kernels of our own: what cuBLAS lacks, or does not do as the contract says. They are compiled when the first one is
//! needed on a device.

use std::ffi::{CString, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use blas_api::{Location, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::Elem;

use crate::device::Gpu;
use crate::driver::Kernel;
use crate::handle::CudaHandle;

/// What comes before each file.
const COMMON: &str = include_str!("kernels/common.cu");

/// The files, each with its kernels.
const FILES: &[(&str, &[&str])] = &[
    (include_str!("kernels/alpha.cu"), &["save", "scaled", "unless_zero"]),
    (include_str!("kernels/complex.cu"), &["spr", "real_diagonal"]),
    (include_str!("kernels/copy.cu"), &["copy"]),
    (include_str!("kernels/gemm.cu"), &["gemm"]),
    (include_str!("kernels/index.cu"), &["amax", "amin", "amax_last", "amin_last"]),
    (include_str!("kernels/nrm2.cu"), &["nrm2", "nrm2_last"]),
    (include_str!("kernels/rotg.cu"), &["rotg"]),
    (include_str!("kernels/rotmg.cu"), &["rotmg"]),
    (include_str!("kernels/singular.cu"), &["zero_on_diagonal", "singular", "keep"]),
    (include_str!("kernels/triangle.cu"), &["identity", "triangle"]),
    (include_str!("kernels/widen.cu"), &["widen"]),
];

/// Threads of a block.
pub(crate) const BLOCK: u32 = 256;

/// The kernels on a device. A file is compiled for a type when the first of its kernels is needed, which takes some tenths of a
/// second.
#[derive(Default)]
pub(crate) struct Kernels(Mutex<Vec<Found>>);

/// A kernel that has been asked for.
struct Found {
    name: &'static str,
    of: &'static str,
    kernel: Kernel,
}

// SAFETY: kernels may be launched by any thread.
unsafe impl Send for Found {}

impl Kernels {
    /// The kernel of this name for a type, by its name in C.
    fn get(&self, gpu: &Gpu, name: &'static str, of: &'static str) -> Result<Kernel> {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(f) = found.iter().find(|f| f.name == name && f.of == of) {
            return Ok(f.kernel);
        }
        let (source, names) = FILES
            .iter()
            .find(|(_, names)| names.contains(&name))
            .ok_or_else(|| crate::functions::missing(name, "anyblas has no such kernel"))?;
        let (major, minor) = gpu.capability;
        let code = gpu.library.nvrtc()?.compile(&text(source), of, major * 10 + minor)?;
        let (driver, mut module) = (&gpu.library.driver, null_mut());
        let mut wanted = null_mut();
        // SAFETY: the code is for this device, whose context is current; each call writes one module or kernel.
        unsafe {
            driver.cuModuleLoadData("compile", &mut module, code.as_ptr().cast())?;
            for &each in names.iter() {
                let mut kernel = null_mut();
                let symbol = CString::new(each).unwrap_or_default();
                driver.cuModuleGetFunction("compile", &mut kernel, module, symbol.as_ptr())?;
                found.push(Found { name: each, of, kernel });
                if each == name {
                    wanted = kernel;
                }
            }
        }
        Ok(wanted)
    }
}

/// The whole text of a file.
fn text(source: &str) -> CString {
    CString::new([COMMON, source].concat()).unwrap_or_default()
}

/// Name of a type in the kernels.
pub(crate) fn c_type(elem: Elem) -> &'static str {
    match elem {
        Elem::F16 => "f16",
        Elem::BF16 => "bf16",
        Elem::F32 => "float",
        Elem::F64 => "double",
        Elem::C32 => "c32",
        Elem::C64 => "c64",
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
        if self.base().mode() == Some(Location::Device) {
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
    pub(crate) unsafe fn launch(
        &self,
        name: &'static str,
        of: &'static str,
        grid: [u32; 2],
        args: &mut [*mut c_void],
    ) -> Result {
        let gpu = self.context().gpu;
        let kernel = gpu.kernels.get(gpu, name, of)?;
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

/// Runs the kernel of a name for a type, with arguments of exactly the types that it has in C.
macro_rules! launch {
    ($h:expr, $name:expr, $of:expr, $grid:expr, $($arg:expr),* $(,)?) => {
        $h.launch($name, $of, $grid, &mut [$((&raw mut *(&mut { $arg })).cast::<std::ffi::c_void>()),*])
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
        for (source, names) in FILES {
            let types: &[&str] = match names[0] {
                "gemm" => &["signed char"],
                "rotmg" => &["float", "double"],
                "rotg" | "spr" => &["c32", "c64"],
                "save" | "nrm2" => &["f16", "bf16", "float", "double", "c32", "c64"],
                _ => &["float", "double", "c32", "c64"],
            };
            let types = if names[0] == "widen" { &types[..1] } else { types };
            for of in types {
                // The last is newer than any.
                for arch in [75, 90, 120, 990] {
                    assert!(!nvrtc.compile(&text(source), of, arch)?.is_empty(), "{names:?} {of} {arch}");
                }
            }
        }
        let error = nvrtc.compile(c"not CUDA", "float", 90).err();
        assert!(error.is_some_and(|e| e.to_string().contains("anyblas.cu")));
        Ok(())
    }
}
