//! What the HIP runtime is asked for: of one that only keeps a list of its calls.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_uint, c_void};

use blas_api::*;
use blas_hip::{Hip, HipHandle, Library};

thread_local! {
    /// The calls of interest since the list was last read.
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    /// Bytes of the last allocation.
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
    static DEVICE: Cell<c_int> = const { Cell::new(0) };
    /// Streams are numbered from 1, memory from 4096.
    static NEXT: RefCell<[usize; 2]> = const { RefCell::new([1, 4096]) };
    /// The stream whose calls are recorded.
    static RECORDED: Cell<usize> = const { Cell::new(0) };
}

fn note(call: String) -> c_int {
    CALLS.with_borrow_mut(|calls| calls.push(call));
    0
}

fn calls() -> String {
    CALLS.take().join("; ")
}

fn number(which: usize, step: usize) -> *mut c_void {
    NEXT.with_borrow_mut(|next| {
        let number = next[which];
        next[which] += step;
        std::ptr::without_provenance_mut(number)
    })
}

/// What a function answers with, where it is asked to.
fn put<T>(to: *mut T, value: T) {
    // SAFETY: the backend has room for one of these.
    unsafe { to.write(value) }
}

type Ptr = *mut c_void;

/// Makes C functions, and finds them by name.
macro_rules! functions { ($($name:ident($($arg:ident: $ty:ty),*) $body:expr;)*) => {
    $(
        #[allow(non_snake_case, unused_variables, reason = "C functions, of which few need all that they get")]
        unsafe extern "C" fn $name($($arg: $ty),*) -> c_int {
            let _ = $body;
            0
        }
    )*

    fn lookup(name: &str) -> *const c_void {
        match name {
            $(stringify!($name) => ($name as unsafe extern "C" fn($($ty),*) -> c_int) as *const c_void,)*
            _ => std::ptr::null(),
        }
    }
} }

functions! {
    hipInit(flags: c_uint) ();
    hipGetDeviceCount(count: *mut c_int) put(count, 2);
    hipSetDevice(device: c_int) DEVICE.set(device);
    hipDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) put(can, 1);
    hipDeviceEnablePeerAccess(peer: c_int, flags: c_uint) note(format!("{} reaches {peer}", DEVICE.get()));
    hipMalloc(ptr: *mut Ptr, bytes: usize) {
        ALLOCATED.set(bytes);
        put(ptr, number(1, 256));
    };
    hipFree(ptr: Ptr) note(format!("free on {}", DEVICE.get()));
    hipMemsetAsync(dst: Ptr, value: c_int, bytes: usize, stream: Ptr) ();
    hipMemcpyPeerAsync(dst: Ptr, to: c_int, src: Ptr, from: c_int, bytes: usize, stream: Ptr)
        note(format!("copy {from} to {to} on stream {}", stream.addr()));
    hipStreamCreateWithFlags(stream: *mut Ptr, flags: c_uint) put(stream, number(0, 1));
    hipStreamDestroy(stream: Ptr) note(format!("destroy {}", stream.addr()));
    hipStreamSynchronize(stream: Ptr) note(format!("wait for {}", stream.addr()));
    hipStreamIsCapturing(stream: Ptr, status: *mut c_int)
        put(status, c_int::from(RECORDED.get() == stream.addr()));
    hipblasCreate(handle: *mut Ptr) put(handle, std::ptr::without_provenance_mut(1));
    hipblasDestroy(handle: Ptr) ();
    hipblasSetStream(handle: Ptr, stream: Ptr) ();
    hipblasSetAtomicsMode(handle: Ptr, mode: c_int) ();
}

#[test]
fn workspaces_are_whole_pieces_and_buffers_as_long_as_they_are() -> Result {
    // SAFETY: the functions have the arguments of HIP's and hipBLAS's.
    let library = unsafe { Library::from_symbols(lookup) }?;
    let blas = Handle::<Hip>::from_raw(HipHandle::new(library, 0)?);
    let _buffer = blas.alloc::<i8>(1001)?;
    assert_eq!(ALLOCATED.get(), 1001);
    blas.set_workspace(Workspace::Fixed(1001))?;
    assert_eq!(ALLOCATED.get(), 1024, "aligned for any type, where memory is aligned as its size is");
    Ok(())
}

#[test]
fn memory_is_freed_when_the_streams_that_copy_from_it_are_done() -> Result {
    // SAFETY: the functions have the arguments of HIP's and hipBLAS's.
    let library = unsafe { Library::from_symbols(lookup) }?;
    let open = |index| Ok(Handle::<Hip>::from_raw(HipHandle::new(library, index)?));
    // Streams 1 and 2.
    let (a, b) = (open(0)?, open(1)?);
    let (x, mut y) = (a.alloc::<i8>(8)?, b.alloc::<i8>(8)?);
    y.copy_from(&b, &x)?;
    assert_eq!(calls(), "1 reaches 0; copy 0 to 1 on stream 2");
    y.copy_from(&b, &x)?;
    assert_eq!(calls(), "copy 0 to 1 on stream 2");
    drop(x);
    assert_eq!(calls(), "wait for 2; free on 0");
    drop(y);
    assert_eq!(calls(), "free on 1", "nobody has copied from this device");

    // Calls that are recorded are no work.
    let x = a.alloc::<i8>(8)?;
    RECORDED.set(2);
    drop(x);
    assert_eq!(calls(), "free on 0");
    RECORDED.set(0);

    let x = a.alloc::<i8>(8)?;
    drop(b);
    assert!(calls().ends_with("destroy 2"));
    drop(x);
    assert_eq!(calls(), "free on 0", "the stream is gone");
    Ok(())
}
