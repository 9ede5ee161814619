//! NVRTC, the compiler of kernels at run time.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt::{Display, Formatter};
use std::ptr::{null, null_mut};

use blas_api::{Error, Result};

use crate::functions::functions;

/// `nvrtcProgram`
type Program = *mut c_void;

functions! {
    /// The functions of NVRTC.
    Nvrtc("this NVRTC is too old, that of CUDA 12 is the first") {
        nvrtcCreateProgram(
            program: *mut Program, source: *const c_char, name: *const c_char, headers: c_int,
            contents: *const *const c_char, names: *const *const c_char
        );
        nvrtcCompileProgram(program: Program, options: c_int, option: *const *const c_char);
        nvrtcGetCUBINSize(program: Program, bytes: *mut usize);
        nvrtcGetCUBIN(program: Program, code: *mut c_char);
        nvrtcGetPTXSize(program: Program, bytes: *mut usize);
        nvrtcGetPTX(program: Program, code: *mut c_char);
        nvrtcGetNumSupportedArchs(count: *mut c_int);
        nvrtcGetSupportedArchs(architectures: *mut c_int);
        nvrtcGetProgramLogSize(program: Program, bytes: *mut usize);
        nvrtcGetProgramLog(program: Program, log: *mut c_char);
        nvrtcDestroyProgram(program: *mut Program);
    }
}

/// What is compiled for, by compute capability.
#[derive(Clone, Copy)]
enum Target {
    /// One kind of GPU.
    Machine(c_int),
    /// The driver of that one and all later ones.
    Ptx(c_int),
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Machine(capability) => write!(f, "sm_{capability}"),
            Target::Ptx(capability) => write!(f, "compute_{capability}"),
        }
    }
}

impl Nvrtc {
    /// Code of a source for GPUs of a compute capability, 90 for 9.0, with the macro `TYPE` as a type: machine code where
    /// this NVRTC knows such a GPU, else PTX for the newest that comes before it, which the driver compiles for its own.
    pub(crate) fn compile(&self, source: &CStr, of: &str, capability: c_int) -> Result<Vec<u8>> {
        let (target, mut program) = (self.target(capability)?, null_mut());
        // SAFETY: the texts end in 0; there are no headers.
        unsafe {
            let (source, name) = (source.as_ptr(), c"anyblas.cu".as_ptr());
            self.nvrtcCreateProgram("compile", &mut program, source, name, 0, null(), null())?;
        }
        let compiled = self.compiled(program, of, target);
        // SAFETY: made above, not used again.
        let _ = unsafe { self.nvrtcDestroyProgram("compile", &mut program) };
        compiled
    }

    fn target(&self, capability: c_int) -> Result<Target> {
        let mut count = 0;
        // SAFETY: writes one int, and then as many as that says.
        let known = unsafe {
            self.nvrtcGetNumSupportedArchs("compile", &mut count)?;
            let mut known = vec![0; usize::try_from(count).unwrap_or(0)];
            self.nvrtcGetSupportedArchs("compile", known.as_mut_ptr())?;
            known
        };
        if known.contains(&capability) {
            return Ok(Target::Machine(capability));
        }
        // What was 10.1 is 11.0 since CUDA 13, and not older than 10.3.
        match known.iter().copied().filter(|&k| k < capability && k != 101).max() {
            Some(newest) => Ok(Target::Ptx(newest)),
            None => Err(Error::Load {
                what: format!("the kernels of anyblas for sm_{capability}"),
                tried: vec![format!("this NVRTC compiles for {known:?} and newer GPUs only")],
            }),
        }
    }

    fn compiled(&self, program: Program, of: &str, target: Target) -> Result<Vec<u8>> {
        let options = [
            format!("--gpu-architecture={target}"),
            format!("--define-macro=TYPE={of}"),
            "--std=c++17".to_owned(),
        ];
        let options: Vec<CString> = options.into_iter().filter_map(|o| CString::new(o).ok()).collect();
        let pointers: Vec<_> = options.iter().map(|o| o.as_ptr()).collect();
        // SAFETY: the program lives; so do the options.
        let answer = unsafe {
            self.nvrtcCompileProgram("compile", program, pointers.len() as c_int, pointers.as_ptr())
        };
        if let Err(error) = answer {
            return Err(Error::Load {
                what: format!("the kernels of anyblas for {target}"),
                tried: vec![error.to_string(), self.log(program)],
            });
        }
        let mut bytes = 0;
        // SAFETY: the program lives; the room has the size asked for.
        unsafe {
            match target {
                Target::Machine(_) => self.nvrtcGetCUBINSize("compile", program, &mut bytes),
                Target::Ptx(_) => self.nvrtcGetPTXSize("compile", program, &mut bytes),
            }?;
            let mut code = vec![0u8; bytes];
            let to = code.as_mut_ptr().cast();
            match target {
                Target::Machine(_) => self.nvrtcGetCUBIN("compile", program, to),
                Target::Ptx(_) => self.nvrtcGetPTX("compile", program, to),
            }?;
            Ok(code)
        }
    }

    /// What the compiler has to say.
    fn log(&self, program: Program) -> String {
        let mut bytes = 0;
        // SAFETY: the program lives; the room has the size asked for.
        let got = unsafe { self.nvrtcGetProgramLogSize("compile", program, &mut bytes) }.and_then(|()| {
            let mut log = vec![0u8; bytes];
            // SAFETY: as above.
            unsafe { self.nvrtcGetProgramLog("compile", program, log.as_mut_ptr().cast()) }.map(|()| log)
        });
        let log = got.unwrap_or_default();
        String::from_utf8_lossy(&log).trim_end_matches('\0').trim().to_owned()
    }
}
