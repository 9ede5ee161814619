//! What is particular to this backend, on an NVIDIA GPU: `cargo test -p blas-cuda -- --ignored`.

mod graphs;
mod sharing;

use std::sync::{Mutex, MutexGuard, PoisonError};

use blas_api::*;
use blas_cuda::Cuda;

/// Has the GPU to itself: some tests ask what is still under way, and all fill the memory.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn open() -> Handle<Cuda> {
    Cuda::open(0).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn a_buffer_outlives_its_handle_and_the_work_of_others() -> Result {
    let _alone = alone();
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
    let _alone = alone();
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
    let _alone = alone();
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

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn an_alpha_of_zero_reads_nothing_wherever_it_is() -> Result {
    let _alone = alone();
    const N: usize = 33;
    let blas = open();
    let poison = blas.upload(&vec![f32::NAN; N * N])?;
    let zero = blas.alloc::<f32>(1)?;
    let mut c = blas.alloc::<f32>(N * N)?;
    let mut y = blas.alloc::<f32>(N)?;
    for on_device in [false, true] {
        let alpha = || {
            if on_device {
                zero.slice().scalar(0).map_or(Coef::Host(1.0), Coef::Device)
            } else {
                Coef::Host(0.0)
            }
        };
        c.upload(&blas, &vec![3.0; N * N])?;
        y.upload(&blas, &[3.0; N])?;
        let a = || poison.mat(N, N, Layout::Col);
        blas.gemm(alpha(), a()?, a()?, 2.0, c.mat_mut(N, N, Layout::Col)?)?;
        blas.symv(alpha(), a()?.sym(Uplo::Lower), poison.slice().vec(N, 1)?, 2.0, y.vec_mut())?;
        assert!(c.to_vec(&blas)?.iter().chain(&y.to_vec(&blas)?).all(|&v| v == 6.0), "{on_device}");
        blas.trsm(Side::Left, alpha(), a()?.upper(Diag::Unit), c.mat_mut(N, N, Layout::Col)?)?;
        assert!(c.to_vec(&blas)?.iter().all(|&v| v == 0.0), "{on_device}");
    }
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn level_1_keeps_the_ends_of_the_range() -> Result {
    let _alone = alone();
    let blas = open();
    let x = blas.upload(&[1.0, f32::INFINITY, f32::NAN, f32::NEG_INFINITY])?;
    assert_eq!(blas.iamax(x.vec())?, Some(2));
    assert_eq!(blas.iamin(x.vec())?, Some(2));
    assert!(blas.nrm2(x.vec())?.is_nan());

    let tiny = f64::MIN_POSITIVE / 8.0;
    let x = blas.upload(&[3.0 * tiny, 4.0 * tiny])?;
    assert_eq!(blas.nrm2(x.vec())?, 5.0 * tiny);
    let x = blas.upload(&[3.0 * 2f64.powi(1000), 4.0 * 2f64.powi(1000)])?;
    assert_eq!(blas.nrm2(x.vec())?, 5.0 * 2f64.powi(1000));

    let mut x = blas.upload(&[Complex::new(f32::INFINITY, 1.0)])?;
    blas.scal_real(2.0, x.vec_mut())?;
    assert_eq!(x.to_vec(&blas)?, [Complex::new(f32::INFINITY, 2.0)]);

    let (mut a, mut b) = (Complex::new(0.0, 3.0 * tiny), Complex::new(4.0 * tiny, 0.0));
    let (mut c, mut s) = (0.0, Complex::new(0.0, 0.0));
    blas.rotg(&mut a, &mut b, &mut c, &mut s)?;
    assert!((c - 0.6).abs() < 1e-15 && (s - Complex::new(0.0, 0.8)).norm() < 1e-15, "{c} {s}");

    let [mut d1, mut d2, mut x1, mut y1] = [f32::INFINITY, 1.0, 1.0, 1.0];
    let mut param = [0.0; 5];
    blas.rotmg(&mut d1, &mut d2, &mut x1, &mut y1, &mut param[..])
}
