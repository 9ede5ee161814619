//! What is particular to this backend, on an NVIDIA GPU: `cargo test -p blas-cuda -- --ignored`.

use blas_api::*;
use blas_cuda::Cuda;

fn open() -> Handle<Cuda> {
    Cuda::open(0).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn a_buffer_outlives_its_handle_and_the_work_of_others() -> Result {
    const N: usize = 1 << 22;
    let (a, b) = (open(), open());
    let mut sums = b.alloc::<f32>(N)?;
    for round in 0..20 {
        let x = a.upload(&vec![1f32; N])?;
        // The other handle still adds it when it is dropped here, and its memory is taken for the next round.
        b.wait(&a.record()?)?;
        for _ in 0..10 {
            b.axpy(1.0, x.vec(), sums.vec_mut())?;
        }
        drop(x);
        let noise = a.upload(&vec![round as f32 * 1e6; N])?;
        drop(noise);
    }
    assert!(sums.to_vec(&b)?.iter().all(|&s| s == 200.0));
    drop((a, b));
    drop(sums);
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn a_graph_does_again_what_was_captured() -> Result {
    const N: usize = 64;
    let blas = open();
    blas.set_workspace(Workspace::Fixed(1 << 22))?;
    let x = blas.upload(&vec![1f64; N * N])?;
    let mut y = blas.alloc::<f64>(N * N)?;
    let mut best = blas.alloc::<i64>(1)?;
    let graph = blas.capture(|blas| {
        let x = || x.mat(N, N, Layout::Col);
        blas.gemm(1.0, x()?, x()?, 1.0, y.mat_mut(N, N, Layout::Col)?)?;
        blas.iamax_into(y.vec(), best.vec_mut())
    })?;
    for _ in 0..5 {
        // SAFETY: the buffers are there, and nothing else uses them.
        unsafe { graph.launch() }?;
    }
    assert!(y.to_vec(&blas)?.iter().all(|&s| s == 5.0 * N as f64));
    assert_eq!(best.to_vec(&blas)?, [1]);
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn a_call_that_needs_more_than_the_workspace_is_an_error_while_capturing() -> Result {
    const N: usize = 256;
    let blas = open();
    let x = blas.upload(&vec![1f32; N * N])?;
    let mut y = blas.alloc::<f32>(N * N)?;
    let captured = blas.capture(|blas| {
        let a = x.mat(N, N, Layout::Col)?.lower(Diag::Unit);
        blas.trtri_into(a, y.mat_mut(N, N, Layout::Col)?.lower(Diag::Unit))
    });
    assert!(matches!(captured.err(), Some(Error::NotAvailable { .. })));
    // The handle still works.
    blas.axpy(1.0, x.vec(), y.vec_mut())?;
    assert_eq!(y.to_vec(&blas)?[0], 1.0);
    Ok(())
}
