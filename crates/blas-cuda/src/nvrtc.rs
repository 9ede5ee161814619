//! NVRTC, the compiler of kernels at run time.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
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
        nvrtcGetProgramLogSize(program: Program, bytes: *mut usize);
        nvrtcGetProgramLog(program: Program, log: *mut c_char);
        nvrtcDestroyProgram(program: *mut Program);
    }
}

impl Nvrtc {
    /// Machine code of a source for one architecture, as `sm_90`, with the macro `TYPE` as a type.
    pub(crate) fn compile(&self, source: &CStr, of: &str, arch: &str) -> Result<Vec<u8>> {
        let mut program = null_mut();
        // SAFETY: the texts end in 0; there are no headers.
        unsafe {
            let (source, name) = (source.as_ptr(), c"anyblas.cu".as_ptr());
            self.nvrtcCreateProgram("compile", &mut program, source, name, 0, null(), null())?;
        }
        let compiled = self.compiled(program, of, arch);
        // SAFETY: made above, not used again.
        let _ = unsafe { self.nvrtcDestroyProgram("compile", &mut program) };
        compiled
    }

    fn compiled(&self, program: Program, of: &str, arch: &str) -> Result<Vec<u8>> {
        let options = [
            format!("--gpu-architecture={arch}"),
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
                what: format!("the kernels of anyblas for {arch}"),
                tried: vec![error.to_string(), self.log(program)],
            });
        }
        let mut bytes = 0;
        // SAFETY: the program lives; the room has the size asked for.
        unsafe {
            self.nvrtcGetCUBINSize("compile", program, &mut bytes)?;
            let mut code = vec![0u8; bytes];
            self.nvrtcGetCUBIN("compile", program, code.as_mut_ptr().cast())?;
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
