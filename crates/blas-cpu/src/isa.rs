//! The instructions that kernels use, chosen once for the process from what the processor has.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use blas_api::{Backend as _, Error, Result};

use crate::Cpu;

/// The environment variable that forces a choice: `portable`, `avx2` or `avx512`.
const VARIABLE: &str = "ANYBLAS_CPU_ISA";

/// The family in use as a number, once it is known. A choice that cannot be had is never noted here.
static CHOSEN: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = u8::MAX;
const PORTABLE: u8 = Isa::Portable as u8;
#[cfg(target_arch = "x86_64")]
const AVX2: u8 = Isa::Avx2 as u8;
#[cfg(target_arch = "x86_64")]
const AVX512: u8 = Isa::Avx512 as u8;

/// A family of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Isa {
    /// What the compiler makes of plain Rust for the target.
    Portable,
    /// AVX2 with FMA and F16C, which no processor has it without.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with the extensions that all processors but the very first have: F, BW, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// All families, the plainest first, with their names.
    const ALL: &[(Isa, &str)] = &[
        (Isa::Portable, "portable"),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, "avx2"),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512, "avx512"),
    ];

    /// The family in use. Where the environment asks for one that the machine lacks, no handle can be opened; kernels,
    /// which have no way to fail, then see the portable one.
    #[inline(always)]
    pub(crate) fn get() -> Isa {
        // Every call asks more than once: no more than a byte is looked at.
        match CHOSEN.load(Ordering::Relaxed) {
            #[cfg(target_arch = "x86_64")]
            AVX2 => Isa::Avx2,
            #[cfg(target_arch = "x86_64")]
            AVX512 => Isa::Avx512,
            PORTABLE => Isa::Portable,
            _ => *choice().as_ref().unwrap_or(&Isa::Portable),
        }
    }

    /// The name by which the environment asks for it.
    pub(crate) fn name(self) -> &'static str {
        Isa::ALL.iter().find(|(isa, _)| *isa == self).map_or("", |(_, name)| name)
    }

    /// Whether this processor, and the operating system, can run it.
    fn is_available(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("f16c")
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                Isa::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }
}

/// Whether the environment asks for what this machine has.
///
/// # Errors
/// [`Error::NoDevice`] names the value and what there is.
#[inline(always)]
pub(crate) fn check() -> Result {
    if CHOSEN.load(Ordering::Relaxed) == UNKNOWN { look() } else { Ok(()) }
}

/// [`check`] for the first time, or where it fails.
#[cold]
fn look() -> Result {
    match choice() {
        Ok(isa) => {
            CHOSEN.store(*isa as u8, Ordering::Relaxed);
            Ok(())
        }
        Err(why) => Err(Error::NoDevice { name: Cpu::NAME.to_owned(), why: why.clone() }),
    }
}

/// The family, or why the one asked for cannot be had.
#[cold]
#[inline(never)]
fn choice() -> &'static std::result::Result<Isa, String> {
    static CHOICE: OnceLock<std::result::Result<Isa, String>> = OnceLock::new();
    CHOICE.get_or_init(|| choose(std::env::var_os(VARIABLE).map(|v| v.to_string_lossy().into_owned())))
}

fn choose(asked: Option<String>) -> std::result::Result<Isa, String> {
    let available = || Isa::ALL.iter().filter(|(isa, _)| isa.is_available());
    match asked {
        None => Ok(available().next_back().map_or(Isa::Portable, |(isa, _)| *isa)),
        Some(asked) => available().find(|(_, name)| *name == asked).map(|(isa, _)| *isa).ok_or_else(|| {
            let names: Vec<_> = available().map(|(_, name)| *name).collect();
            format!("{VARIABLE} asks for {asked:?}, and this machine has {}", names.join(", "))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides() {
        assert_eq!(choose(Some("portable".to_owned())), Ok(Isa::Portable));
        let why = choose(Some("sse9".to_owned())).unwrap_err();
        assert!(why.contains("sse9") && why.contains("portable"), "{why}");
        let best = choose(None).unwrap();
        assert!(best.is_available());
        for (isa, name) in Isa::ALL {
            assert_eq!(choose(Some((*name).to_owned())).is_ok(), isa.is_available());
            assert!(!isa.is_available() || *isa <= best);
        }
    }
}
