//! What Level 3 and the solvers answer where there is no memory for what they need besides their operands. (The limit is this
//! process's, so that it has one test.)

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use blas_api::*;
use blas_cpu::Cpu;
use rayon::ThreadPoolBuilder;

/// Bytes of the largest piece of memory that there is.
static LARGEST: AtomicUsize = AtomicUsize::new(usize::MAX);

struct Limited;

// SAFETY: the system's allocator, or nothing.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        // SAFETY: the caller's promise, here and below.
        if memory.size() > LARGEST.load(Relaxed) { null_mut() } else { unsafe { System.alloc(memory) } }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, memory: Memory) {
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, memory) }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

/// The order of all matrices: more than what is computed without packing.
const N: usize = 600;

type Call = fn(&Handle<Cpu>, MatRef<'_, f64, Cpu>, MatMut<'_, f64, Cpu>) -> Result;

const CALLS: [(&str, Call); 6] = [
    ("gemm", |h, a, c| h.gemm(1.0, a, a, 0.0, c)),
    ("symm", |h, a, c| h.symm(Side::Left, 1.0, a.sym(Uplo::Lower), a, 0.0, c)),
    ("syrk", |h, a, c| h.syrk(1.0, a, 0.0, c.sym(Uplo::Lower))),
    ("trmm", |h, a, c| h.trmm(Side::Left, 1.0, a.tri(Uplo::Lower, Diag::NonUnit), c)),
    ("trsm", |h, a, c| h.trsm(Side::Left, 1.0, a.tri(Uplo::Lower, Diag::Unit), c)),
    ("trtri", |h, a, c| h.trtri_into(a.tri(Uplo::Lower, Diag::Unit), c.tri(Uplo::Lower, Diag::Unit))),
];

#[test]
fn missing_memory_is_an_error_and_the_next_call_is_right() {
    let devices = Cpu::devices().unwrap();
    if devices[0].versions.iter().any(|(what, name)| what == "kernels" && name == "portable") {
        println!(
            "skipped: kernels are those of matrixmultiply, which ends the process where its own memory is missing"
        );
        return;
    }
    let a: Vec<f64> = (0..N * N).map(|i| if i % (N + 1) == 0 { 1.0 } else { 0.0 }).collect();
    for (threads, (name, call)) in [1, 2].into_iter().flat_map(|t| CALLS.map(|call| (t, call))) {
        // Its threads have kept no memory.
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut c = a.clone();
        let run = |largest: usize, c: &mut [f64]| {
            pool.install(|| {
                let (blas, a) = (Cpu::handle(), MatRef::from_slice(&a, N, N, Layout::Col).unwrap());
                let c = MatMut::from_slice(c, N, N, Layout::Col).unwrap();
                LARGEST.store(largest, Relaxed);
                let result = call(&blas, a, c);
                LARGEST.store(usize::MAX, Relaxed);
                result
            })
        };
        let missing = run(4095, &mut c);
        assert!(
            matches!(&missing, Err(Error::OutOfMemory { device, bytes }) if device.backend == "cpu" && *bytes > 4095),
            "{name} on {threads} threads: {missing:?}"
        );
        c.copy_from_slice(&a);
        assert_eq!(run(usize::MAX, &mut c), Ok(()), "{name} on {threads} threads");
        // Everything is the identity.
        assert!(c == a, "{name} on {threads} threads");
    }
}
