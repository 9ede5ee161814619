//! The handle on a library that is there: memory, events, graphs, policies. Runs on an AMD GPU, or on the folder of
//! `cargo xtask compat` in `ANYBLAS_HIP_PATH`.

use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};

use blas_api::*;
use blas_hip::{Hip, HipHandle, Library};

fn open() -> Handle<Hip> {
    Hip::open(0).unwrap_or_else(|e| panic!("{e}"))
}

/// An n x n matrix of small integers.
fn integers(n: usize, seed: usize) -> Vec<f32> {
    (0..n * n).map(|i| ((i * 7 + seed * 13) % 11) as f32 - 5.0).collect()
}

/// alpha * a * b + beta * c, row-major, by the definition.
fn product(n: usize, alpha: f32, a: &[f32], b: &[f32], beta: f32, c: &[f32]) -> Vec<f32> {
    let entry = |i: usize, j: usize| (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum::<f32>();
    (0..n * n).map(|ij| alpha * entry(ij / n, ij % n) + beta * c[ij]).collect()
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn devices_say_what_they_are() {
    let devices = Hip::devices().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(devices[0].id, open().device());
    assert!(!devices[0].name.is_empty() && devices[0].memory.is_some_and(|m| m > 0), "{:?}", devices[0]);
    let library = Library::get().expect("it was loaded");
    let versions = &devices[0].versions;
    let version = |name: &str| versions.iter().find(|(what, _)| what == name).map_or("", |(_, v)| v);
    assert_eq!(version("hip runtime").split('.').count(), 3, "{versions:?}");
    let interface = format!("{}.x", library.abi().major());
    assert_eq!(version("hipblas interface"), interface, "{versions:?}");
    assert!(library.hipblas_version().starts_with(&interface[..1]), "{versions:?}");

    let report = Hip::diagnose().to_string();
    assert!(report.contains("hip:0") && report.contains(&devices[0].name), "{report}");

    let none = Hip::open(99).err().expect("there is no such device");
    assert!(matches!(&none, Error::NoDevice { name, .. } if name == "hip:99"), "{none}");
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn memory_starts_as_zeros_and_keeps_what_is_copied() -> Result {
    let blas = open();
    let data: Vec<f64> = (0..1000).map(f64::from).collect();
    let mut buffer = blas.alloc::<f64>(1000)?;
    assert_eq!(buffer.to_vec(&blas)?, [0.0; 1000]);
    buffer.upload(&blas, &data)?;
    let mut copy = blas.alloc::<f64>(1000)?;
    copy.copy_from(&blas, &buffer)?;
    drop(buffer);
    assert_eq!(copy.to_vec(&blas)?, data);
    assert_eq!(blas.alloc::<f32>(0)?.to_vec(&blas)?, [0.0f32; 0]);
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn host_buffers_are_copied_in_stream_order() -> Result {
    const N: usize = 1 << 20;
    let blas = open();
    let (mut host, mut back) = (blas.host_buffer::<f32>(N)?, blas.host_buffer::<f32>(N)?);
    assert!(host.as_slice()?.iter().all(|&v| v == 0.0));
    let mut x = blas.alloc::<f32>(N)?;
    for round in 1..=3 {
        // Written again only when the copy before is done.
        host.as_mut_slice()?.fill(round as f32);
        x.upload_async(&blas, &host)?;
        blas.scal(2.0, x.vec_mut())?;
        x.download_async(&blas, &mut back)?;
        assert!(back.as_slice()?.iter().all(|&v| v == 2.0 * round as f32), "round {round}");
    }
    let bytes = 1 << 60;
    let error = blas.host_buffer::<i8>(bytes).err();
    assert_eq!(error, Some(Error::OutOfMemory { device: blas.device(), bytes }));
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn too_much_memory_is_a_typed_error_and_leaves_the_handle_usable() -> Result {
    let blas = open();
    let bytes = 1 << 60;
    let error = blas.alloc::<i8>(bytes).err();
    assert_eq!(error, Some(Error::OutOfMemory { device: blas.device(), bytes }));
    assert_eq!(blas.upload(&[1.0f32])?.to_vec(&blas)?, [1.0]);
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn events_order_the_work_of_two_handles() -> Result {
    let (first, second) = (open(), open());
    let n = 300;
    let (a, b) = (integers(n, 1), integers(n, 2));
    let (a_dev, b_dev) = (first.upload(&a)?, first.upload(&b)?);
    let mut c = first.alloc::<f32>(n * n)?;
    first.gemm(
        1.0,
        a_dev.mat(n, n, Layout::Row)?,
        b_dev.mat(n, n, Layout::Row)?,
        0.0,
        c.mat_mut(n, n, Layout::Row)?,
    )?;
    let event = first.record()?;
    second.wait(&event)?;
    second.scal(2.0, c.vec_mut())?;
    let doubled: Vec<f32> = product(n, 2.0, &a, &b, 0.0, &a);
    assert_eq!(c.to_vec(&second)?, doubled);
    event.sync()?;
    assert!(event.is_done()?);
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn memory_is_freed_when_every_handle_is_done_with_it() -> Result {
    const N: usize = 1 << 18;
    let (first, second) = (open(), open());
    let mut sum = second.alloc::<f32>(N)?;
    for _ in 0..10 {
        let x = first.upload(&vec![1f32; N])?;
        second.wait(&first.record()?)?;
        for _ in 0..10 {
            second.axpy(1.0, x.vec(), sum.vec_mut())?;
        }
        // The second handle still adds it here, and the first one takes its memory again.
        drop(x);
        drop(first.upload(&vec![f32::NAN; N])?);
    }
    drop(first);
    assert!(sum.to_vec(&second)?.iter().all(|&v| v == 100.0));
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn events_of_other_backends_are_waited_for_on_the_host() -> Result {
    static WAITED: AtomicUsize = AtomicUsize::new(0);
    struct Foreign;
    impl RawEvent for Foreign {
        fn sync(&self) -> Result {
            WAITED.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
        fn is_done(&self) -> Result<bool> {
            Ok(true)
        }
        fn as_any(&self) -> &dyn Any {
            self
        }
    }
    open().raw().wait(&Foreign)?;
    assert_eq!(WAITED.load(Ordering::Relaxed), 1);
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn a_handle_works_in_another_thread() -> Result {
    let blas = open();
    let x = blas.upload(&[3.0f32, 4.0])?;
    let norm = std::thread::spawn(move || blas.nrm2(x.vec())).join().expect("no panic")?;
    assert_eq!(norm, 5.0);
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn a_handle_adopts_a_stream_and_leaves_it_there() -> Result {
    let owner = open();
    // SAFETY: the stream is the owner's, which outlives the guest.
    let guest = unsafe { Hip::with_stream(0, owner.raw().stream()) }?;
    assert_eq!(guest.raw().stream(), owner.raw().stream());
    assert_ne!(guest.raw().hipblas(), owner.raw().hipblas());
    let mut x = guest.upload(&[1.0f32, 2.0])?;
    guest.scal(3.0, x.vec_mut())?;
    drop(guest);
    // In order without an event, since there is one stream.
    assert_eq!(x.to_vec(&owner)?, [3.0, 6.0]);
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn a_library_made_of_symbols_works_as_one_that_was_found() -> Result {
    let found = Library::get()?;
    let path = found.versions().into_iter().find(|(what, _)| what == "hipblas library").expect("its path").1;
    // SAFETY: it is loaded already; never unloaded.
    let library = unsafe { libloading::os::unix::Library::new(path) }.expect("it is loaded");
    let library = std::mem::ManuallyDrop::new(library);
    // SAFETY: only addresses are taken, of HIP and hipBLAS functions.
    let address = |name: &str| unsafe {
        library.get::<*const std::ffi::c_void>(name).map_or(std::ptr::null(), |s| s.as_raw_ptr().cast_const())
    };
    // SAFETY: the addresses are those of one release, and stay.
    let made = unsafe { Library::from_symbols(address) }?;
    assert_eq!((made.abi(), made.hipblas_version()), (found.abi(), found.hipblas_version()));
    let blas = Handle::<Hip>::from_raw(HipHandle::new(made, 0)?);
    let x = blas.upload(&[1.0f64, -2.0])?;
    assert_eq!(blas.asum(x.vec())?, 3.0);
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn a_new_handle_is_exact_and_deterministic_and_takes_other_policies() -> Result {
    let blas = open();
    let policy = blas.policy();
    assert_eq!((policy.precision, policy.determinism), (Precision::Exact, Determinism::Required));
    blas.set_determinism(Determinism::Allowed)?;
    blas.set_precision(Precision::AllowTf32)?;
    blas.set_workspace(Workspace::Fixed(1 << 20))?;
    let policy = blas.policy();
    assert_eq!((policy.precision, policy.determinism), (Precision::AllowTf32, Determinism::Allowed));
    let x = blas.upload(&[1.0f32, 2.0])?;
    assert_eq!(blas.dot(x.vec(), x.vec())?, 5.0);
    blas.set_workspace(Workspace::OnDemand)?;
    assert_eq!(blas.dot(x.vec(), x.vec())?, 5.0);
    Ok(())
}

/// Three products, given as arrays of pointers, with alpha on the device and beta on the host: needs scratch memory for the
/// arrays and for beta.
fn batched(
    blas: &Handle<Hip>,
    n: usize,
    alpha: &Buffer<f32, Hip>,
    a: &[Buffer<f32, Hip>],
    b: &[Buffer<f32, Hip>],
    c: &mut [Buffer<f32, Hip>],
) -> Result {
    let a: Vec<_> = a.iter().map(|m| m.mat(n, n, Layout::Row)).collect::<Result<_>>()?;
    let b: Vec<_> = b.iter().map(|m| m.mat(n, n, Layout::Row)).collect::<Result<_>>()?;
    let c: Vec<_> = c.iter_mut().map(|m| m.mat_mut(n, n, Layout::Row)).collect::<Result<_>>()?;
    blas.gemm(
        alpha.slice().scalar(0)?,
        Batched::from_views(a)?,
        Batched::from_views(b)?,
        0.5,
        Batched::from_views(c)?,
    )
}

fn uploads(blas: &Handle<Hip>, data: &[Vec<f32>]) -> Result<Vec<Buffer<f32, Hip>>> {
    data.iter().map(|d| blas.upload(d)).collect()
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn a_graph_keeps_its_scratch_memory_and_outlives_its_handle() -> Result {
    let blas = open();
    blas.set_workspace(Workspace::Fixed(1 << 20))?;
    let n = 17;
    let a: Vec<_> = (0..3).map(|i| integers(n, i)).collect();
    let b: Vec<_> = (3..6).map(|i| integers(n, i)).collect();
    let (a_dev, b_dev) = (uploads(&blas, &a)?, uploads(&blas, &b)?);
    let zeros = vec![vec![0.0; n * n]; 3];
    let mut c_dev = uploads(&blas, &zeros)?;
    let mut alpha = blas.upload(&[2.0f32])?;

    let graph = blas.capture(|h| batched(h, n, &alpha, &a_dev, &b_dev, &mut c_dev))?;
    assert_eq!(c_dev[0].to_vec(&blas)?, zeros[0], "a captured call ran");

    // Other calls use scratch memory meanwhile.
    let mut other = uploads(&blas, &zeros)?;
    batched(&blas, n, &alpha, &b_dev, &a_dev, &mut other)?;

    let mut want = zeros.clone();
    for factor in [2.0f32, -1.0] {
        alpha.upload(&blas, &[factor])?;
        // SAFETY: the buffers are there, and only this stream uses them.
        unsafe { graph.launch() }?;
        blas.sync()?;
        for i in 0..3 {
            want[i] = product(n, factor, &a[i], &b[i], 0.5, &want[i]);
            assert_eq!(c_dev[i].to_vec(&blas)?, want[i], "entry {i}, alpha {factor}");
        }
    }

    drop(blas);
    // SAFETY: as before.
    unsafe { graph.launch() }?;
    let later = open();
    drop(graph);
    assert_eq!(c_dev[2].to_vec(&later)?, product(n, -1.0, &a[2], &b[2], 0.5, &want[2]));
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn what_cannot_be_captured_is_refused_and_the_handle_goes_on() -> Result {
    let blas = open();
    let x = blas.upload(&[1.0f32, 2.0])?;
    let refused = |name: &str, f: &dyn Fn(&Handle<Hip>) -> Result| {
        let error = blas.capture(|h| f(h)).err();
        assert!(matches!(error, Some(Error::NotAvailable { .. })), "{name}: {error:?}");
    };
    refused("a host result", &|h| h.dot(x.vec(), x.vec()).map(|_: f32| ()));
    refused("sync", &|h| h.sync());
    refused("alloc", &|h| h.alloc::<f32>(1).map(|_| ()));
    refused("upload", &|h| h.upload(&[1.0f32]).map(|_| ()));
    refused("download", &|h| x.to_vec(h).map(|_| ()));
    refused("record", &|h| h.record().map(|_| ()));
    refused("a second graph", &|h| h.capture(|_| Ok(())).map(|_| ()));
    refused("a new workspace", &|h| h.set_workspace(Workspace::Fixed(1)));
    let (a, alpha) = (uploads(&blas, &vec![vec![1.0; 4]; 3])?, blas.upload(&[1.0f32])?);
    let c = std::cell::RefCell::new(uploads(&blas, &vec![vec![1.0; 4]; 3])?);
    refused("scratch memory on demand", &|h| batched(h, 2, &alpha, &a, &a, &mut c.borrow_mut()));
    assert_eq!(blas.dot(x.vec(), x.vec())?, 5.0);
    Ok(())
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs them"]
fn a_fixed_workspace_that_is_too_small_is_an_error_and_nothing_is_written() -> Result {
    let blas = open();
    let (a, alpha) = (uploads(&blas, &vec![vec![1.0; 4]; 3])?, blas.upload(&[1.0f32])?);
    let mut c = uploads(&blas, &vec![vec![1.0; 4]; 3])?;
    blas.set_workspace(Workspace::Fixed(16))?;
    let error = batched(&blas, 2, &alpha, &a, &a, &mut c).err();
    assert!(matches!(error, Some(Error::TooShort { routine: "gemm", have: 16, .. })), "{error:?}");
    assert_eq!(c[0].to_vec(&blas)?, [1.0; 4]);
    blas.set_workspace(Workspace::OnDemand)?;
    batched(&blas, 2, &alpha, &a, &a, &mut c)?;
    assert_eq!(c[0].to_vec(&blas)?, [2.5; 4]);
    Ok(())
}
