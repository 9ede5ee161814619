//! Checking mode, HIP_COMPAT_CHECK=1: wrong addresses are reported where they are used.
//!
//! A range whose extent is known when a function is called is checked by [`check_device`]. Beyond that, allocations lie
//! between guard pages (see [`super::arena`]) and freed ones stay inaccessible for a while: who touches them gets a signal,
//! whose handler says what was there and which function did it, and lets the process end as it would have.

use std::ffi::{c_int, c_void};
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};

use hipblas_abi::hip::error;

use super::backend;
use super::error::{Result, function};
use super::memory::{self, Kind, Memory};

/// Whether checking mode is on.
pub(super) fn is_on() -> bool {
    static IS_ON: OnceLock<bool> = OnceLock::new();
    *IS_ON.get_or_init(|| std::env::var_os("HIP_COMPAT_CHECK").is_some_and(|v| !v.is_empty() && v != "0"))
}

/// Whether a wrong address was reported. Every wait reports it from then on.
static FAULT: AtomicBool = AtomicBool::new(false);

/// The error of a reported fault.
pub(super) fn fault() -> Result {
    if FAULT.load(Ordering::Relaxed) { Err(error::ILLEGAL_ADDRESS) } else { Ok(()) }
}

pub(super) fn forget_fault() {
    FAULT.store(false, Ordering::Relaxed);
}

/// In checking mode: an error that stays, with a report, unless the range is memory that the device may use. `function` and
/// `operand` are named in the report.
pub(crate) fn check_device(ptr: *const c_void, bytes: usize, function: &str, operand: &str) -> Result {
    if !is_on() || bytes == 0 {
        return Ok(());
    }
    let memory = memory::lock();
    let address = ptr.addr();
    let mut message = Message::new();
    let _ = match memory.find(address) {
        Some((start, a)) if bytes <= start + a.bytes - address => return Ok(()),
        Some(_) => write!(message, "{function}: {operand} has {bytes} bytes from {address:#x}, which is "),
        None => write!(message, "{function}: {operand} is {address:#x}, which is "),
    };
    let _ = describe(&mut message, &memory, address);
    message.print();
    FAULT.store(true, Ordering::Relaxed);
    Err(error::ILLEGAL_ADDRESS)
}

/// Checking mode: reports that what is to be freed was not allocated.
pub(super) fn report_bad_free(memory: &Memory, address: usize) {
    if is_on() {
        let mut message = Message::new();
        let _ = write!(message, "{}: {address:#x} cannot be freed: it is ", function());
        let _ = describe(&mut message, memory, address);
        message.print();
    }
}

/// Reports that bytes before an allocation were written.
pub(super) fn report_underrun(address: usize, bytes: usize, allocated_by: &str) {
    let mut message = Message::new();
    let _ = write!(
        message,
        "{}: memory before the start of the allocation of {bytes} bytes at {address:#x} by {allocated_by} was written",
        function()
    );
    message.print();
    FAULT.store(true, Ordering::Relaxed);
}

/// How far from an allocation an address still seems to belong to it.
const NEAR: usize = 1 << 20;

/// Says what is at an address.
fn describe(to: &mut Message, memory: &Memory, address: usize) -> fmt::Result {
    if let Some((start, a)) = memory.find(address) {
        let kind = match a.kind {
            Kind::Device => "device memory",
            Kind::Managed => "managed memory",
            Kind::Host | Kind::Registered => "host memory",
        };
        return write!(
            to,
            "{} bytes into {} bytes of {kind} at {start:#x} from {}",
            address - start,
            a.bytes,
            a.function
        );
    }
    if let Some(f) = memory.freed.iter().rev().find(|f| address.wrapping_sub(f.address) < f.bytes) {
        return write!(
            to,
            "{} bytes into {} bytes at {:#x} that {} has freed",
            address - f.address,
            f.bytes,
            f.address,
            f.function
        );
    }
    // How far past the end, or before the start; the nearest of those that are live or freed.
    let live = [memory.live.range(..=address).next_back(), memory.live.range(address..).next()];
    let live = live.into_iter().flatten().map(|(start, a)| (*start, a.bytes, "allocated", a.function));
    let freed = memory.freed.iter().map(|f| (f.address, f.bytes, "freed", f.function));
    let distance = |start: usize, bytes: usize| {
        if address < start { start - address } else { address - start - bytes }
    };
    match live.chain(freed).min_by_key(|(start, bytes, ..)| distance(*start, *bytes)) {
        Some((start, bytes, state, function)) if distance(start, bytes) < NEAR => {
            let far = distance(start, bytes);
            let side = if address < start { "before the start" } else { "past the end" };
            write!(to, "{far} bytes {side} of {bytes} bytes at {start:#x} that {function} has {state}")
        }
        _ => to.write_str("no device memory: a host pointer passed as a device pointer, or a stray one"),
    }
}

/// A message that is made without allocating, and printed at once.
struct Message {
    text: [u8; 512],
    len: usize,
}

impl Message {
    fn new() -> Self {
        let mut message = Message { text: [0; 512], len: 0 };
        let _ = message.write_str("hipblas-compat: ");
        message
    }

    fn print(mut self) {
        self.len = self.len.min(self.text.len() - 1);
        self.text[self.len] = b'\n';
        // SAFETY: so many bytes of the text. Where nobody listens, nothing can be done.
        unsafe { libc::write(libc::STDERR_FILENO, self.text.as_ptr().cast(), self.len + 1) };
    }
}

impl Write for Message {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let n = s.len().min(self.text.len() - self.len);
        self.text[self.len..self.len + n].copy_from_slice(&s.as_bytes()[..n]);
        self.len += n;
        Ok(())
    }
}

const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// What handled the signals before.
static BEFORE: [OnceLock<libc::sigaction>; 2] = [const { OnceLock::new() }; 2];

/// Checking mode: handles signals from now on.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    if is_on() {
        ONCE.call_once(|| {
            for (signal, before) in SIGNALS.into_iter().zip(&BEFORE) {
                let _ =
                    before.set(set_action(signal, action(handle as *const () as usize, libc::SA_SIGINFO)));
            }
        });
    }
}

fn action(handler: libc::sighandler_t, flags: c_int) -> libc::sigaction {
    // SAFETY: all zeros is a value of this struct: no flags, and an empty set of signals.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler;
    action.sa_flags = flags | libc::SA_ONSTACK;
    action
}

fn set_action(signal: c_int, new: libc::sigaction) -> libc::sigaction {
    let mut old = action(libc::SIG_DFL, 0);
    // SAFETY: two structs of this type; the handler keeps the rules of one.
    unsafe { libc::sigaction(signal, &new, &mut old) };
    old
}

/// Says what happened, if it has to do with this library. When it returns, the access is tried again, and the default
/// action ends the process; a fault of others goes to who handled the signal before.
extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the system passes a valid struct with the address.
    let address = unsafe { (*info).si_addr() }.addr();
    let address = backend::device().map_or(address, |device| device.known_as(address));
    // Whoever holds the lock may be the thread that was interrupted.
    let memory = (0..1000).find_map(|_| {
        let memory = memory::try_lock();
        if memory.is_none() {
            std::thread::yield_now();
        }
        memory
    });
    let function = function();
    let known = memory.as_ref().is_some_and(|m| is_known(m, address));
    if function.is_empty() && !known {
        let before = SIGNALS.iter().position(|s| *s == signal).and_then(|i| BEFORE[i].get());
        set_action(signal, before.copied().unwrap_or_else(|| action(libc::SIG_DFL, 0)));
        return;
    }
    let mut message = Message::new();
    let who = if function.is_empty() { "the program" } else { function };
    let _ = write!(message, "illegal access by {who} to {address:#x}, which is ");
    let _ = match &memory {
        Some(memory) => describe(&mut message, memory, address),
        None => message.write_str("not known, since memory was being allocated"),
    };
    message.print();
    set_action(signal, action(libc::SIG_DFL, 0));
}

/// Whether an address is in or next to memory of this library.
fn is_known(memory: &Memory, address: usize) -> bool {
    const GUARD: usize = 4096;
    let near = |start: usize, bytes: usize| address + GUARD >= start && address < start + bytes + GUARD;
    memory.live.range(..=address + GUARD).next_back().is_some_and(|(start, a)| near(*start, a.bytes))
        || memory.freed.iter().any(|f| near(f.address, f.bytes))
}
