//! Host buffers: what waits for which copy.

use std::any::Any as StdAny;
use std::sync::{Arc, Mutex};

use blas_api::*;
use blas_cpu::Cpu;

/// What a device was asked to do.
type Log = Arc<Mutex<Vec<String>>>;

/// A device whose copies are done as soon as they are asked for, but which says that they are not before it was waited for.
struct Slow {
    name: &'static str,
    index: usize,
    log: Log,
}

/// A copy of a [`Slow`] device.
struct Copied {
    name: String,
    log: Log,
    fails: bool,
}

impl RawEvent for Copied {
    fn sync(&self) -> Result {
        self.log.lock().unwrap().push(format!("host waits for {}", self.name));
        if self.fails { Err(Error::NotAvailable { what: "the device", backend: Slow::NAME }) } else { Ok(()) }
    }
    fn is_done(&self) -> Result<bool> {
        Ok(false)
    }
    fn as_any(&self) -> &dyn StdAny {
        self
    }
}

/// Host memory that tells of its end.
struct Told {
    block: HostBlock,
    log: Log,
}

impl Drop for Told {
    fn drop(&mut self) {
        self.log.lock().unwrap().push("freed".to_owned());
    }
}

// SAFETY: as its block.
unsafe impl RawMemory for Told {
    fn ptr(&self) -> *mut u8 {
        self.block.ptr()
    }
    fn len(&self) -> usize {
        self.block.len()
    }
}

impl Slow {
    fn event(&self, what: &str) -> Result<Box<dyn RawEvent>> {
        let mut log = self.log.lock().unwrap();
        let name = format!("{} by {}", what, self.name);
        log.push(name.clone());
        Ok(Box::new(Copied { name, log: Arc::clone(&self.log), fails: self.name == "lost" }))
    }
}

// SAFETY: device memory is host memory, and copies are done when they are asked for.
unsafe impl RawHandle for Slow {
    fn device(&self) -> DeviceId {
        DeviceId { backend: Slow::NAME, index: self.index }
    }
    fn sync(&self) -> Result {
        Ok(())
    }
    fn policy(&self) -> Policy {
        Policy::default()
    }
    fn set_policy(&self, _: Policy) -> Result {
        Ok(())
    }
    fn supports(&self, _: Routine, _: Types) -> Support {
        Support::No("it only copies")
    }
    fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
        Ok(Box::new(HostBlock::zeroed(self.device(), bytes)?))
    }
    fn alloc_host(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
        Ok(Box::new(Told { block: HostBlock::zeroed(self.device(), bytes)?, log: Arc::clone(&self.log) }))
    }
    unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
        // SAFETY: the caller's promise.
        unsafe { dst.copy_from_nonoverlapping(src, bytes) };
        Ok(())
    }
    unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
        // SAFETY: the caller's promise.
        unsafe { self.upload(src, dst, bytes) }
    }
    unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
        // SAFETY: the caller's promise.
        unsafe { self.upload(src, dst, bytes) }
    }
    unsafe fn copy_peer(&self, src: *const u8, from: DeviceId, dst: *mut u8, bytes: usize) -> Result {
        if from.index == 2 {
            return Err(Error::NotAvailable { what: "a copy from device 2", backend: Slow::NAME });
        }
        // SAFETY: the caller's promise.
        unsafe { self.upload(src, dst, bytes) }
    }
    unsafe fn start_upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
        // SAFETY: the caller's promise.
        unsafe { self.upload(src, dst, bytes) }?;
        self.event("out")
    }
    unsafe fn start_download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result<Box<dyn RawEvent>> {
        // SAFETY: the caller's promise.
        unsafe { self.upload(src, dst, bytes) }?;
        self.event("in")
    }
    fn record(&self) -> Result<Box<dyn RawEvent>> {
        self.event("point")
    }
    fn wait(&self, event: &dyn RawEvent) -> Result {
        let copied = event.as_any().downcast_ref::<Copied>().expect("an event of this device");
        self.log.lock().unwrap().push(format!("{} waits for {}", self.name, copied.name));
        Ok(())
    }
}

impl Backend for Slow {
    type Raw = Slow;
    const NAME: &'static str = "slow";
}

fn slow(name: &'static str, log: &Log) -> Slow {
    Slow { name, index: 0, log: Arc::clone(log) }
}

fn handle(name: &'static str, log: &Log) -> Handle<Slow> {
    Handle::from_raw(slow(name, log))
}

#[test]
fn the_host_and_other_handles_wait_for_copies() -> Result {
    let log = Log::default();
    let (a, b) = (handle("a", &log), handle("b", &log));
    let logged = || std::mem::take(&mut *log.lock().unwrap());

    let mut host = a.host_buffer::<i32>(2)?;
    host.as_mut_slice()?.copy_from_slice(&[1, 2]);
    let (mut x, mut y) = (a.alloc(2)?, b.alloc(2)?);
    x.upload_async(&a, &host)?;
    y.upload_async(&b, &host)?;
    // To read while a device reads needs no wait.
    assert_eq!(host.as_slice()?, [1, 2]);
    assert_eq!(logged(), ["out by a", "out by b"]);

    // A copy into it comes after those out of it, and is the one that the others wait for.
    x.upload(&a, &[3, 4])?;
    x.download_async(&a, &mut host)?;
    assert_eq!(logged(), ["a waits for out by a", "a waits for out by b", "in by a"]);
    y.upload_async(&b, &host)?;
    assert_eq!(logged(), ["b waits for in by a", "out by b"]);
    assert_eq!(host.as_slice()?, [3, 4]);
    assert_eq!(logged(), ["host waits for in by a"]);
    host.as_mut_slice()?[0] = 5;
    assert_eq!(logged(), ["host waits for out by b", "host waits for in by a"]);
    assert_eq!(y.to_vec(&b)?, [3, 4]);

    x.upload_async(&a, &host)?;
    drop(host);
    assert_eq!(logged(), ["out by a", "host waits for out by a", "freed"]);
    assert_eq!(x.to_vec(&a)?, [5, 4]);
    Ok(())
}

#[test]
fn memory_that_a_device_may_still_use_is_not_freed() -> Result {
    let log = Log::default();
    let blas = handle("lost", &log);
    let mut host = blas.host_buffer::<f64>(1)?;
    blas.alloc(1)?.download_async(&blas, &mut host)?;
    assert!(host.as_slice().is_err() && host.as_mut_slice().is_err());
    drop(host);
    assert!(!log.lock().unwrap().contains(&"freed".to_owned()));
    Ok(())
}

#[test]
fn lengths_must_agree() -> Result {
    let log = Log::default();
    let blas = handle("a", &log);
    let (mut host, mut x) = (blas.host_buffer::<f32>(3)?, blas.alloc::<f32>(2)?);
    assert!(matches!(x.upload_async(&blas, &host), Err(Error::Shape { value: 3, expected: 2, .. })));
    assert!(matches!(x.download_async(&blas, &mut host), Err(Error::Shape { .. })));
    assert!(log.lock().unwrap().is_empty());
    assert!(matches!(blas.host_buffer::<f64>(usize::MAX), Err(Error::Overflow { .. })));
    Ok(())
}

#[test]
fn buffers_are_copied_between_devices_of_a_backend_that_can() -> Result {
    let log = Log::default();
    let [a, b, c] = [0, 1, 2].map(|index| Handle::<Slow>::from_raw(Slow { index, ..slow("a", &log) }));
    let (x, mut y) = (a.upload(&[1i8, 2, 3])?, b.alloc(3)?);
    y.copy_from(&b, &x)?;
    assert_eq!(y.to_vec(&b)?, [1, 2, 3]);
    // By the handle of the device that is written.
    assert!(matches!(y.copy_from(&a, &x), Err(Error::WrongDevice { .. })));
    assert!(matches!(y.copy_from(&b, &c.alloc(3)?), Err(Error::NotAvailable { .. })));
    // Another backend's memory is not taken for that of a device of this one.
    let cpu = Cpu::handle();
    let other = cpu.alloc::<i8>(3)?.erase();
    assert!(matches!(y.erase().copy_from(&b.erase(), &other), Err(Error::WrongDevice { .. })));
    Ok(())
}
