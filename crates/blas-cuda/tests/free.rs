//! On which stream memory is freed, and what that waits for: asked of a driver that only keeps a list of its calls.
#![cfg(target_os = "linux")]

mod fake;

use std::ffi::{CStr, c_char, c_int};
use std::path::Path;

use blas_api::*;
use blas_cuda::Cuda;

/// The driver. Streams are numbered from 1, memory from 4096, and calls of interest are written down.
const DRIVER: &str = r#"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static char text[65536];
static unsigned long streams, events, memory = 4096;
static int busy[64];
static void *current;
static void note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(text + strlen(text), sizeof text - strlen(text), format, args);
    va_end(args);
}
const char *fake_calls(void) { static char copy[65536]; strcpy(copy, text); text[0] = 0; return copy; }
void fake_busy(int stream, int is) { busy[stream] = is; }
int cuInit(unsigned flags) { return 0; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetAttribute(int *value, unsigned attribute, int device) { *value = 1; return 0; }
int cuDeviceTotalMem_v2(unsigned long *bytes, int device) { *bytes = 8 << 20; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)(long)(device + 1); return 0; }
int cuCtxSetCurrent(void *context) { current = context; return 0; }
int cuCtxGetCurrent(void **context) { *context = current; return 0; }
int cuDeviceCanAccessPeer(int *can, int device, int peer) { *can = device == 0; return 0; }
int cuCtxEnablePeerAccess(void *peer, unsigned flags) { note("context %ld reaches %ld;", (long)current, (long)peer); return 704; }
int cuMemPoolSetAccess(void *pool, const int *access, unsigned long count) { note("pool %ld for %d;", (long)pool, access[1]); return 0; }
int cuMemPoolCreate(void **pool, const int *props) { *pool = (void *)(long)(props[3] + 1); return 0; }
int cuMemPoolSetAttribute(void *pool, unsigned attribute, void *value) { return 0; }
int cuMemAllocFromPoolAsync(void **ptr, unsigned long bytes, void *pool, void *stream) { *ptr = (void *)memory; memory += 256; return 0; }
int cuMemFreeAsync(void *ptr, void *stream) { note("free on %ld;", (long)stream); return 0; }
int cuMemsetD8Async(void *dst, unsigned char value, unsigned long bytes, void *stream) { return 0; }
int cuMemcpyPeerAsync(void *dst, void *to, void *src, void *from, unsigned long bytes, void *stream) {
    note("copy %ld to %ld on %ld;", (long)from, (long)to, (long)stream); return 0; }
int cuStreamCreate(void **stream, unsigned flags) { *stream = (void *)++streams; return 0; }
int cuStreamDestroy_v2(void *stream) { return 0; }
int cuStreamSynchronize(void *stream) { return 0; }
int cuStreamQuery(void *stream) { return busy[(long)stream] ? 600 : 0; }
int cuStreamIsCapturing(void *stream, unsigned *status) { *status = busy[(long)stream] == 2; return 0; }
int cuEventCreate(void **event, unsigned flags) { *event = (void *)++events; return 0; }
int cuEventDestroy_v2(void *event) { return 0; }
int cuEventRecord(void *event, void *stream) { note("mark %ld in %ld;", (long)stream, (long)current); return 0; }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) { note("%ld waits;", (long)stream); return 0; }
"#;

const CUBLAS: &str = r#"
int cublasCreate_v2(void **handle) { *handle = (void *)1; return 0; }
int cublasDestroy_v2(void *handle) { return 0; }
int cublasGetVersion_v2(void *handle, int *version) { *version = 130000; return 0; }
int cublasSetStream_v2(void *handle, void *stream) { return 0; }
int cublasSetAtomicsMode(void *handle, int mode) { return 0; }
int cublasSetMathMode(void *handle, unsigned mode) { return 0; }
"#;

#[test]
fn memory_is_freed_when_all_streams_have_passed() {
    let folder = fake::folder("free");
    for (name, text) in [("libcuda.so.1", DRIVER), ("libcublas.so.13", CUBLAS)] {
        let source = folder.join(name).with_extension("c");
        std::fs::write(&source, text).expect("a source file");
        fake::library(&folder.join(name), &source, &[]);
    }
    fake::start(&folder, DONE);
}

/// What the other process says at the end of its test.
const DONE: &str = "the memory was freed as it should be";

/// The list of calls of the driver, and what its streams have to do.
struct Fake(libloading::Library);

impl Fake {
    fn calls(&self) -> String {
        // SAFETY: the fake's function, of this type, which gives a C string.
        unsafe {
            let calls =
                self.0.get::<unsafe extern "C" fn() -> *const c_char>(c"fake_calls").expect("it is there");
            CStr::from_ptr(calls()).to_string_lossy().into_owned()
        }
    }

    /// 0: nothing; 1: work; 2: its calls are recorded.
    fn set(&self, stream: c_int, work: c_int) {
        // SAFETY: the fake's function, of this type.
        unsafe {
            let set = self.0.get::<unsafe extern "C" fn(c_int, c_int)>(c"fake_busy").expect("it is there");
            set(stream, work);
        }
    }
}

#[test]
#[ignore = "runs in a process of its own"]
fn on_the_fake() -> Result {
    let Some(folder) = std::env::var_os("ANYBLAS_CUDA_PATH") else { return Ok(()) };
    // SAFETY: the fake has no constructors.
    let fake = unsafe { libloading::Library::new(Path::new(&folder).join("libcuda.so.1")) };
    let Ok(fake) = fake.map(Fake) else { return Ok(()) };

    // Stream 1 is the device's own, 2 and 3 are the handles'.
    let (a, b) = (Cuda::open(0)?, Cuda::open(0)?);
    fake.calls();
    let alloc = || a.alloc::<i8>(1 << 19);
    drop(alloc()?);
    assert_eq!(fake.calls(), "free on 2;", "nobody else has work");
    fake.set(2, 1);
    drop(alloc()?);
    assert_eq!(fake.calls(), "free on 2;", "in the order of its own stream");
    fake.set(3, 1);
    fake.set(1, 1);
    drop(alloc()?);
    assert_eq!(fake.calls(), "mark 3 in 1;1 waits;mark 2 in 1;1 waits;free on 1;");
    // The limit is an eighth of the memory, here of two buffers.
    drop(alloc()?);
    fake.calls();
    drop(alloc()?);
    assert_eq!(fake.calls(), "mark 3 in 1;2 waits;free on 2;", "too much waits to be free");
    fake.set(1, 0);
    drop(alloc()?);
    assert_eq!(fake.calls(), "mark 3 in 1;1 waits;mark 2 in 1;1 waits;free on 1;");
    // A stream whose calls are recorded takes no event, and has no work.
    fake.set(3, 2);
    drop(alloc()?);
    assert_eq!(fake.calls(), "free on 2;");
    fake.set(2, 2);
    drop(alloc()?);
    assert_eq!(fake.calls(), "free on 1;");
    fake.set(2, 0);
    fake.set(3, 1);
    // A buffer of a handle that is gone.
    let x = alloc()?;
    drop(a);
    drop(x);
    assert_eq!(fake.calls(), "mark 3 in 1;1 waits;free on 1;");

    // Streams 4 and 5 are those of the second device. It does not reach the first one, which is copied through the host then.
    let c = Cuda::open(1)?;
    assert!(matches!(c.raw().enable_peer(0), Err(Error::NotAvailable { .. })));
    let (x, mut y) = (b.alloc::<i8>(1)?, c.alloc::<i8>(1)?);
    fake.calls();
    y.copy_from(&c, &x)?;
    assert_eq!(fake.calls(), "copy 1 to 2 on 5;");
    fake.set(3, 0);
    fake.set(5, 1);
    drop(x);
    assert_eq!(
        fake.calls(),
        "mark 5 in 2;1 waits;mark 3 in 1;1 waits;free on 1;",
        "the copy has its own context"
    );
    // The first reaches the second, as another library has seen to, and keeps no order with it when its copies are done.
    let mut x = b.alloc::<i8>(1)?;
    x.copy_from(&b, &y)?;
    assert_eq!(fake.calls(), "context 1 reaches 2;pool 2 for 0;copy 2 to 1 on 3;");
    x.copy_from(&b, &y)?;
    assert_eq!(fake.calls(), "copy 2 to 1 on 3;");
    drop(y);
    assert_eq!(fake.calls(), "free on 5;");
    // A handle whose kernels may use the memory of the other device, though it has copied nothing. Its stream is the sixth.
    let d = Cuda::open(0)?;
    d.raw().enable_peer(1)?;
    let y = c.alloc::<i8>(1)?;
    fake.set(5, 0);
    fake.set(6, 1);
    fake.calls();
    drop(y);
    assert_eq!(fake.calls(), "mark 6 in 1;4 waits;mark 5 in 2;4 waits;free on 4;");
    fake.set(6, 0);
    drop(d);
    drop(c);
    drop(x);
    assert_eq!(fake.calls(), "free on 3;");
    println!("{DONE}");
    Ok(())
}
