//! Handles, devices and the host that share memory.

use std::time::Duration;

use blas_api::*;
use blas_cuda::Cuda;

use super::{alone, open};

/// Two GPUs, or nothing where there is one: said, for whoever counts what ran.
fn two(test: &str) -> Result<Option<[Handle<Cuda>; 2]>> {
    let count = Cuda::devices()?.len();
    if count < 2 {
        println!("skipped {test}: needs two GPUs, there is {count}");
        return Ok(None);
    }
    Ok(Some([open(), Cuda::open(1)?]))
}

/// Work of about this many products of order 2048 on a handle, some 0.4 ms each.
fn busy(blas: &Handle<Cuda>, products: usize) -> Result<Buffer<f32, Cuda>> {
    const N: usize = 2048;
    let a = blas.upload(&vec![1f32 / N as f32; N * N])?;
    let mut c = blas.alloc::<f32>(N * N)?;
    for _ in 0..products {
        blas.gemm(
            1.0,
            a.mat(N, N, Layout::Col)?,
            a.mat(N, N, Layout::Col)?,
            0.0,
            c.mat_mut(N, N, Layout::Col)?,
        )?;
    }
    Ok(c)
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn copies_from_host_buffers_do_not_wait() -> Result {
    let _alone = alone();
    const N: usize = 1 << 20;
    let blas = open();
    let mut host = blas.host_buffer::<f32>(N)?;
    assert!(host.as_slice()?.iter().all(|&v| v == 0.0));
    host.as_mut_slice()?.fill(3.0);
    let mut x = blas.alloc::<f32>(N)?;
    let mut back = blas.host_buffer::<f32>(N)?;
    // Kernels are loaded when they are first called, which waits.
    busy(&blas, 1)?;
    blas.scal(1.0, x.vec_mut())?;
    blas.sync()?;

    let work = busy(&blas, 200)?;
    x.upload_async(&blas, &host)?;
    blas.scal(2.0, x.vec_mut())?;
    x.download_async(&blas, &mut back)?;
    assert!(!blas.record()?.is_done()?, "the host waited for the device");
    assert!(back.as_slice()?.iter().all(|&v| v == 6.0));
    // What came before it in the stream is done as well.
    assert!(work.to_vec(&blas)?.iter().all(|&v| (v * 2048.0 - 1.0).abs() < 1e-3));

    // Freed while the device still reads it, as far as the program can tell.
    host.as_mut_slice()?.fill(5.0);
    busy(&blas, 20)?;
    x.upload_async(&blas, &host)?;
    drop(host);
    let mut noise = blas.host_buffer::<f32>(N)?;
    noise.as_mut_slice()?.fill(f32::NAN);
    assert!(x.to_vec(&blas)?.iter().all(|&v| v == 5.0));
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn a_host_buffer_orders_the_copies_of_two_handles() -> Result {
    let _alone = alone();
    const N: usize = 1 << 22;
    let (a, b) = (open(), open());
    let mut host = a.host_buffer::<f64>(N)?;
    let mut y = b.alloc::<f64>(N)?;
    for round in 1..=10 {
        busy(&a, 5)?;
        let x = a.upload(&vec![f64::from(round); N])?;
        x.download_async(&a, &mut host)?;
        // The other handle waits for that copy, and the next round's copy for this one.
        y.upload_async(&b, &host)?;
        assert!(y.to_vec(&b)?.iter().all(|&v| v == f64::from(round)), "round {round}");
    }
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn handles_write_parts_of_one_buffer_in_the_order_of_events() -> Result {
    let _alone = alone();
    const N: usize = 1 << 20;
    let (a, b) = (open(), open());
    let mut x = a.upload(&vec![1f32; N])?;
    for _ in 0..10 {
        busy(&a, 3)?;
        a.scal(2.0, x.slice_mut().vec(N / 2, 1)?)?;
        let doubled = a.record()?;
        b.wait(&doubled)?;
        b.scal(0.5, x.vec_mut())?;
        let halved = b.record()?;
        a.wait(&halved)?;
        halved.sync()?;
        assert!(doubled.is_done()?);
    }
    let x = x.to_vec(&a)?;
    assert!(x[..N / 2].iter().all(|&v| v == 1.0));
    assert!(x[N / 2..].iter().all(|&v| v == 2f32.powi(-10)));
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn dropped_memory_is_taken_again() -> Result {
    let _alone = alone();
    // More in all than any GPU has, of one handle and then of one beside another that is busy.
    const BYTES: usize = 1 << 30;
    const ROUNDS: usize = 600;
    let (a, b) = (open(), open());
    for handles in [&[&a][..], &[&a, &b]] {
        for round in 0..ROUNDS {
            let blas = handles[round % handles.len()];
            let mut x = blas.alloc::<f32>(BYTES / 4)?;
            let end = x.slice_mut().skip(BYTES / 4 - 1)?.vec(1, 1)?;
            blas.scal(2.0, end)?;
        }
    }
    // What is taken again is zero.
    let x = a.upload(&vec![7i32; 1 << 20])?;
    drop(x);
    assert!(a.alloc::<i32>(1 << 20)?.to_vec(&a)?.iter().all(|&v| v == 0));
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn to_drop_memory_holds_up_nobody() -> Result {
    let _alone = alone();
    let (a, b) = (open(), open());
    let mut x = a.upload(&[1f32; 1000])?;
    busy(&b, 1)?;
    a.scal(1.0, x.vec_mut())?;
    a.sync()?;
    b.sync()?;
    // One handle drops memory while the other is busy for a long time: neither it nor the host waits for that.
    let work = busy(&b, 500)?;
    drop(a.upload(&[0f64; 1000])?);
    a.scal(3.0, x.vec_mut())?;
    a.sync()?;
    assert!(!b.record()?.is_done()?, "the handle waited for the other");
    assert_eq!(x.to_vec(&a)?[999], 3.0);
    drop(work);
    b.sync()
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn memory_that_is_dropped_by_another_thread_is_used_to_the_end() -> Result {
    let _alone = alone();
    const N: usize = 1 << 22;
    let (a, b) = (open(), open());
    let mut sum = b.alloc::<f32>(N)?;
    for _ in 0..20 {
        let x = a.upload(&vec![1f32; N])?;
        b.wait(&a.record()?)?;
        for _ in 0..10 {
            b.axpy(1.0, x.vec(), sum.vec_mut())?;
        }
        // The thread has no device of its own, and frees the memory while it is still added.
        std::thread::spawn(move || drop(x)).join().expect("the thread ends");
        drop(a.upload(&vec![f32::NAN; N])?);
    }
    assert!(sum.to_vec(&b)?.iter().all(|&v| v == 200.0));
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn a_graph_with_a_sized_workspace_copies_and_is_replayed_beside_other_work() -> Result {
    let _alone = alone();
    const N: usize = 96;
    let (blas, other) = (open(), open());
    blas.set_workspace(Workspace::Fixed(8 << 20))?;
    let x = blas.upload(&vec![1f32; N * N])?;
    let mut y = blas.alloc::<f32>(N * N)?;
    let mut sum = blas.alloc::<f32>(N * N)?;
    let graph = blas.capture(|blas| {
        let a = || x.mat(N, N, Layout::Row);
        // Of mixed layouts, with what is copied into the workspace.
        blas.gemm(1.0, a()?, a()?, 0.0, y.mat_mut(N, N, Layout::Col)?)?;
        blas.trmm(Side::Left, 1.0, a()?.lower(Diag::NonUnit), y.mat_mut(N, N, Layout::Col)?)?;
        blas.axpy(1.0, y.vec(), sum.vec_mut())
    })?;
    // Copies without a wait, waits and allocations have no place in a graph, and leave the handle as it was.
    let mut host = blas.host_buffer::<f32>(N * N)?;
    let refused = blas.capture(|blas| y.upload_async(blas, &host));
    assert!(matches!(refused.err(), Some(Error::NotAvailable { .. })));
    let refused = blas.capture(|blas| blas.alloc::<f32>(1).map(drop));
    assert!(matches!(refused.err(), Some(Error::NotAvailable { .. })));

    for round in 1..=20 {
        // SAFETY: the buffers are there, and nothing else uses them.
        unsafe { graph.launch() }?;
        // Calls of the same handle have scratch memory apart from the graph's, and so have other handles.
        let mut z = blas.alloc::<f32>(N * N)?;
        blas.gemm(
            1.0,
            x.mat(N, N, Layout::Row)?,
            x.mat(N, N, Layout::Col)?,
            0.0,
            z.mat_mut(N, N, Layout::Row)?,
        )?;
        drop(other.upload(&[1f64; 5000])?);
        assert!(z.to_vec(&blas)?.iter().all(|&v| v == N as f32), "round {round}");
    }
    // Row i of the product is (i + 1) N.
    sum.download_async(&blas, &mut host)?;
    let sum = host.as_slice()?;
    assert!((0..N * N).all(|at| sum[at] == (20 * (at % N + 1) * N) as f32));
    // A captured graph holds what it needs when the handle is gone.
    drop(blas);
    drop(graph);
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn an_event_is_waited_for_on_the_host_and_by_other_threads() -> Result {
    let _alone = alone();
    let blas = open();
    busy(&blas, 1)?;
    blas.sync()?;
    let work = busy(&blas, 300)?;
    let event = blas.record()?;
    assert!(!event.is_done()?);
    let waited = std::thread::spawn(move || {
        while !event.is_done()? {
            std::thread::sleep(Duration::from_micros(200));
        }
        event.sync()
    });
    waited.join().expect("the thread ends")?;
    assert!(
        blas.record()?.is_done()? || {
            blas.sync()?;
            true
        }
    );
    drop(work);
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn a_handle_takes_a_stream_of_another_and_leaves_it() -> Result {
    let _alone = alone();
    let owner = open();
    let x = owner.upload(&[1f32, 2.0, 3.0])?;
    {
        // SAFETY: the owner outlives the guest.
        let guest = unsafe { Cuda::with_stream(0, owner.raw().stream()) }?;
        let mut y = guest.alloc::<f32>(3)?;
        // In the order of the one stream.
        guest.axpy(2.0, x.vec(), y.vec_mut())?;
        assert_eq!(y.to_vec(&owner)?, [2.0, 4.0, 6.0]);
    }
    assert_eq!(x.to_vec(&owner)?, [1.0, 2.0, 3.0]);
    Ok(())
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn a_device_reaches_itself_and_none_that_is_not_there() {
    let _alone = alone();
    let blas = open();
    assert_eq!(blas.raw().enable_peer(0), Ok(()));
    assert!(matches!(blas.raw().enable_peer(4096), Err(Error::NoDevice { .. })));
}

#[test]
#[ignore = "needs two NVIDIA GPUs"]
fn buffers_are_copied_from_gpu_to_gpu() -> Result {
    let _alone = alone();
    const N: usize = 1 << 22;
    let Some([a, b]) = two("buffers_are_copied_from_gpu_to_gpu")? else { return Ok(()) };
    match b.raw().enable_peer(0) {
        Ok(()) => println!("cuda:1 reaches cuda:0"),
        Err(Error::NotAvailable { .. }) => {
            println!("cuda:1 does not reach cuda:0: copies go through the host")
        }
        Err(other) => return Err(other),
    }
    let mut y = b.alloc::<f32>(N)?;
    let mut sum = b.alloc::<f32>(N)?;
    for round in 1..=20 {
        let x = a.upload(&vec![round as f32; N])?;
        b.wait(&a.record()?)?;
        busy(&b, 3)?;
        y.copy_from(&b, &x)?;
        // Freed on its device while the other still copies it, and its memory taken again.
        drop(x);
        drop(a.upload(&vec![f32::NAN; N])?);
        b.axpy(1.0, y.vec(), sum.vec_mut())?;
    }
    assert!(sum.to_vec(&b)?.iter().all(|&v| v == 210.0));
    // And back, by a handle of the other device.
    let mut x = a.alloc::<f32>(N)?;
    a.wait(&b.record()?)?;
    x.copy_from(&a, &sum)?;
    drop((b, sum));
    assert!(x.to_vec(&a)?.iter().all(|&v| v == 210.0));
    Ok(())
}

#[test]
#[ignore = "needs two NVIDIA GPUs"]
fn a_buffer_of_another_gpu_is_no_operand() -> Result {
    let _alone = alone();
    let Some([a, b]) = two("a_buffer_of_another_gpu_is_no_operand")? else { return Ok(()) };
    let x = a.upload(&[1f32, 2.0])?;
    let mut y = b.alloc::<f32>(2)?;
    assert!(matches!(b.axpy(1.0, x.vec(), y.vec_mut()), Err(Error::WrongDevice { .. })));
    assert!(matches!(y.copy_from(&a, &x), Err(Error::WrongDevice { .. })));
    let mut host = a.host_buffer::<f32>(2)?;
    // Host memory is everybody's.
    x.download_async(&a, &mut host)?;
    y.upload_async(&b, &host)?;
    assert_eq!(y.to_vec(&b)?, [1.0, 2.0]);
    Ok(())
}
