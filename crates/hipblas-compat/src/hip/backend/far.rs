//! The processor as a device that is hard to please: what a GPU punishes now and then, this one punishes always.
//!
//! - The host cannot touch its memory: addresses of the device lead nowhere, and what computes looks for the memory at a
//!   distance.
//! - Work is done as late as may be: when someone waits for it. In checking mode it is done at once, so that reports name the
//!   function that asked for it.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use blas_api::*;
use blas_cpu::CpuHandle;
use hipblas_abi::hip::error;

use super::{Block, Device, Facts, Queue, cpu, system};
use crate::hip::memory::Kind;
use crate::hip::{Ptr, arena, check};

/// Name of the device in HIP_COMPAT_DEVICE.
pub(super) const NAME: &str = "cpu-far";

/// How far below the memory the device's addresses are. The system maps memory where this bit is set, near the top of what
/// programs can address.
const DISTANCE: usize = 1 << 46;
/// The upper part of an address of the device, and of one of memory.
const DEVICE: usize = 0x3;
const MEMORY: usize = 0x7;

/// Bytes that a copy from the host may have to be put off.
const PUT_OFF: usize = 1 << 20;

const fn upper_part(address: usize) -> usize {
    address >> 44
}

/// Where the memory of an address is. Addresses that are not the device's are the host's, which the device can use too.
fn near<T>(ptr: *mut T) -> *mut T {
    if upper_part(ptr.addr()) == DEVICE { ptr.wrapping_byte_add(DISTANCE) } else { ptr }
}

/// The device.
pub(super) struct FarDevice {
    facts: Facts,
}

impl FarDevice {
    pub(super) fn new() -> Self {
        FarDevice { facts: cpu::facts(c"anyblas CPU device, far memory", *b"anyblas-far-0000") }
    }
}

impl Device for FarDevice {
    fn open(&self) -> Result<Box<dyn Queue>> {
        Ok(Box::new(FarHandle::new()))
    }

    fn allocate(&self, bytes: usize, kind: Kind) -> crate::hip::error::Result<Box<dyn Block>> {
        let block = arena::Block::new(bytes).ok_or(error::OUT_OF_MEMORY)?;
        if kind != Kind::Device {
            return Ok(Box::new(block));
        }
        Ok(Box::new(FarBlock::new(block).ok_or(error::OUT_OF_MEMORY)?))
    }

    unsafe fn register(&self, _: *mut c_void, _: usize) -> crate::hip::error::Result<Option<Box<dyn Block>>> {
        Ok(None)
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn free_memory(&self) -> usize {
        system::free_memory()
    }

    fn used_memory(&self) -> usize {
        arena::used()
    }

    fn known_as(&self, address: usize) -> usize {
        if upper_part(address) == MEMORY { address - DISTANCE } else { address }
    }
}

/// A block that only the device can reach.
struct FarBlock(arena::Block);

impl FarBlock {
    /// `None` if the system has mapped it elsewhere than it does.
    fn new(block: arena::Block) -> Option<Self> {
        (upper_part(block.address()) == MEMORY).then_some(FarBlock(block))
    }
}

impl Block for FarBlock {
    fn address(&self) -> usize {
        self.0.address() - DISTANCE
    }

    fn retire(&mut self) -> bool {
        self.0.retire()
    }
}

/// Work that is put off. Its pointers lead to memory that its caller keeps until it has waited.
struct Work(Box<dyn FnOnce(&CpuHandle) -> Result>);

// SAFETY: what it holds is descriptors, bytes and blocks; see above.
unsafe impl Send for Work {}

/// Work that is put off, in order.
type Pending = Arc<Mutex<VecDeque<Work>>>;

/// A raw handle, which computes with the CPU's.
struct FarHandle {
    cpu: CpuHandle,
    policy: Cell<Policy>,
    pending: Pending,
}

impl FarHandle {
    fn new() -> Self {
        FarHandle { cpu: CpuHandle::new(), policy: Cell::default(), pending: Pending::default() }
    }

    fn put_off(&self, work: impl FnOnce(&CpuHandle) -> Result + 'static) -> Result {
        push(&self.pending, Work(Box::new(work)));
        if check::is_on() { self.catch_up() } else { Ok(()) }
    }

    /// Does what was put off. All of it, whatever becomes of the parts; the first error is reported.
    fn catch_up(&self) -> Result {
        let mut outcome = Ok(());
        loop {
            // A block that goes with its work is given back here, without the lock.
            let next = self.pending.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(Work(work)) = next else { return outcome };
            outcome = outcome.and(work(&self.cpu));
        }
    }

    /// # Safety
    /// As for the routine.
    unsafe fn call<D: Operands + 'static>(
        &self,
        desc: &D,
        routine: impl Fn(&CpuHandle, &D) -> Result + 'static,
    ) -> Result {
        let desc = *desc;
        let call = move |cpu: &CpuHandle| {
            let mut arrays = Vec::new();
            // SAFETY: the caller's promise.
            let near = unsafe { desc.near(&mut arrays) };
            routine(cpu, &near)
        };
        if !desc.is_of_host() {
            return self.put_off(call);
        }
        // The host's arrays may go, and its results are wanted, when the call returns.
        self.catch_up()?;
        call(&self.cpu)
    }
}

fn push(pending: &Pending, work: Work) {
    pending.lock().unwrap_or_else(PoisonError::into_inner).push_back(work);
}

impl Drop for FarHandle {
    fn drop(&mut self) {
        // There is nobody to tell of a failure.
        let _ = self.catch_up();
    }
}

impl Queue for FarHandle {}

/// Memory that goes when the work before has been done.
struct FarMemory {
    /// Here until then.
    block: Option<FarBlock>,
    address: usize,
    bytes: usize,
    pending: Pending,
}

impl Drop for FarMemory {
    fn drop(&mut self) {
        let block = self.block.take();
        push(
            &self.pending,
            Work(Box::new(|_| {
                drop(block);
                Ok(())
            })),
        );
    }
}

// SAFETY: addresses that the device can use until the value is dropped, aligned to 256 bytes but in checking mode, where they
// are to the elements; zeroed.
unsafe impl RawMemory for FarMemory {
    fn ptr(&self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.address)
    }
    fn len(&self) -> usize {
        self.bytes
    }
}

macro_rules! raw_handle { ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
    // SAFETY: each routine is the CPU's with the addresses that it knows; host memory is read and written before a call
    // returns.
    unsafe impl RawHandle for FarHandle {
        fn device(&self) -> DeviceId {
            DeviceId { backend: NAME, index: 0 }
        }
        fn sync(&self) -> Result {
            self.catch_up()
        }
        fn policy(&self) -> Policy {
            self.policy.get()
        }
        fn set_policy(&self, policy: Policy) -> Result {
            self.policy.set(policy);
            self.put_off(move |cpu| cpu.set_policy(policy))
        }
        fn supports(&self, routine: Routine, types: Types) -> Support {
            self.cpu.supports(routine, types)
        }
        fn alloc(&self, bytes: usize) -> Result<Box<dyn RawMemory>> {
            let block = arena::Block::new(bytes.max(1)).and_then(FarBlock::new);
            let block = block.ok_or(Error::OutOfMemory { device: self.device(), bytes })?;
            let (pending, address) = (self.pending.clone(), block.address());
            let ptr = Ptr(std::ptr::with_exposed_provenance_mut(address));
            self.put_off(move |_| {
                // SAFETY: the new memory, which comes back to this queue after this.
                unsafe { near(ptr.get()).write_bytes(0, bytes) };
                Ok(())
            })?;
            Ok(Box::new(FarMemory { block: Some(block), address, bytes, pending }))
        }
        unsafe fn upload(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            if bytes > PUT_OFF {
                self.catch_up()?;
                // SAFETY: the caller's promise.
                return unsafe { self.cpu.upload(src, near(dst), bytes) };
            }
            let mut copy = vec![0; bytes];
            // SAFETY: the caller's promise, here and when the work is done.
            unsafe {
                copy.as_mut_ptr().copy_from_nonoverlapping(src, bytes);
                self.put_off(move |cpu| cpu.upload(copy.as_ptr(), near(dst), bytes))
            }
        }
        unsafe fn download(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            self.catch_up()?;
            // SAFETY: the caller's promise.
            unsafe { self.cpu.download(near(src.cast_mut()), dst, bytes) }
        }
        unsafe fn copy_device(&self, src: *const u8, dst: *mut u8, bytes: usize) -> Result {
            // SAFETY: the caller's promise.
            self.put_off(move |cpu| unsafe { cpu.copy_device(near(src.cast_mut()), near(dst), bytes) })
        }
        fn record(&self) -> Result<Box<dyn RawEvent>> {
            self.catch_up()?;
            Ok(Box::new(Passed))
        }
        fn wait(&self, event: &dyn RawEvent) -> Result {
            event.sync()
        }
        $(unsafe fn $name(&self, d: &$desc) -> Result {
            // SAFETY: the caller's promise.
            unsafe { self.call(d, |cpu, d| cpu.$name(d)) }
        })*
    }
}}
for_each_routine!(raw_handle);

/// Something that leads to operands: one of them, or a descriptor.
trait Operand: Copy {
    /// Whether the call must be done when it returns.
    fn is_of_host(&self) -> bool;

    /// The same for the CPU. Arrays of pointers are copied to `arrays`.
    ///
    /// # Safety
    /// Arrays have `batch` pointers, on the host or in memory of the device.
    unsafe fn near(self, batch: usize, arrays: &mut Vec<Vec<*mut u8>>) -> Self;
}

impl Operand for Address {
    fn is_of_host(&self) -> bool {
        matches!(self, Address::Array { on: Location::Host, .. })
    }

    unsafe fn near(self, batch: usize, arrays: &mut Vec<Vec<*mut u8>>) -> Self {
        match self {
            Address::Strided { ptr, stride } => Address::Strided { ptr: near(ptr), stride },
            Address::Array { ptrs, on } => {
                let ptrs = if on == Location::Device { near(ptrs.cast_mut()) } else { ptrs.cast_mut() };
                // SAFETY: the caller's promise.
                let array: Vec<*mut u8> = (0..batch).map(|i| near(unsafe { *ptrs.add(i) })).collect();
                let ptrs = array.as_ptr();
                arrays.push(array);
                Address::Array { ptrs, on: Location::Host }
            }
        }
    }
}

impl Operand for Option<Address> {
    fn is_of_host(&self) -> bool {
        self.is_some_and(|a| a.is_of_host())
    }

    unsafe fn near(self, batch: usize, arrays: &mut Vec<Vec<*mut u8>>) -> Self {
        // SAFETY: the caller's promise.
        self.map(|a| unsafe { a.near(batch, arrays) })
    }
}

impl Operand for Vector {
    fn is_of_host(&self) -> bool {
        self.data.is_of_host()
    }

    unsafe fn near(self, batch: usize, arrays: &mut Vec<Vec<*mut u8>>) -> Self {
        // SAFETY: the caller's promise.
        Vector { data: unsafe { self.data.near(batch, arrays) }, ..self }
    }
}

impl Operand for Matrix {
    fn is_of_host(&self) -> bool {
        self.data.is_of_host()
    }

    unsafe fn near(self, batch: usize, arrays: &mut Vec<Vec<*mut u8>>) -> Self {
        // SAFETY: the caller's promise.
        Matrix { data: unsafe { self.data.near(batch, arrays) }, ..self }
    }
}

impl Operand for RawScalar {
    fn is_of_host(&self) -> bool {
        false
    }

    unsafe fn near(self, _: usize, _: &mut Vec<Vec<*mut u8>>) -> Self {
        match self {
            RawScalar::Device(ptr) => RawScalar::Device(near(ptr.cast_mut())),
            host => host,
        }
    }
}

impl Operand for RawOut {
    fn is_of_host(&self) -> bool {
        matches!(self, RawOut::Host(_))
    }

    unsafe fn near(self, _: usize, _: &mut Vec<Vec<*mut u8>>) -> Self {
        match self {
            RawOut::Device(ptr) => RawOut::Device(near(ptr)),
            host => host,
        }
    }
}

impl Operand for RawParam {
    fn is_of_host(&self) -> bool {
        matches!(self, RawParam::Device(a) if a.is_of_host())
    }

    unsafe fn near(self, batch: usize, arrays: &mut Vec<Vec<*mut u8>>) -> Self {
        match self {
            // SAFETY: the caller's promise.
            RawParam::Device(a) => RawParam::Device(unsafe { a.near(batch, arrays) }),
            host => host,
        }
    }
}

/// A descriptor.
trait Operands: Copy {
    /// See [`Operand::is_of_host`].
    fn is_of_host(&self) -> bool;

    /// See [`Operand::near`].
    ///
    /// # Safety
    /// As for the routine.
    unsafe fn near(self, arrays: &mut Vec<Vec<*mut u8>>) -> Self;
}

macro_rules! operands { ($($desc:ident: $($field:ident)*;)*) => {$(
    impl Operands for $desc {
        fn is_of_host(&self) -> bool {
            false $(|| self.$field.is_of_host())*
        }

        unsafe fn near(mut self, arrays: &mut Vec<Vec<*mut u8>>) -> Self {
            if !self.is_noop() {
                // SAFETY: the caller's promise.
                unsafe { $(self.$field = self.$field.near(self.batch, arrays);)* }
            }
            self
        }
    }
)*}}
operands! {
    SwapDesc: x y;
    ScalDesc: alpha x;
    CopyDesc: x y;
    AxpyDesc: alpha x y;
    AxpbyDesc: alpha x beta y;
    DotDesc: x y out;
    ReduceDesc: x out;
    RotDesc: x y c s;
    RotgDesc: a b c s;
    RotmDesc: x y param;
    RotmgDesc: d1 d2 x1 y1 param;
    GemvDesc: alpha a x beta y;
    GbmvDesc: alpha a x beta y;
    GerDesc: alpha x y a;
    SymvDesc: alpha a x beta y;
    SbmvDesc: alpha a x beta y;
    SpmvDesc: alpha ap x beta y;
    SyrDesc: alpha x a;
    SprDesc: alpha x ap;
    Syr2Desc: alpha x y a;
    Spr2Desc: alpha x y ap;
    TrmvDesc: a x;
    TbmvDesc: a x;
    TpmvDesc: ap x;
    GemmDesc: alpha a b beta c;
    SymmDesc: alpha a b beta c;
    SyrkDesc: alpha a beta c;
    Syr2kDesc: alpha a b beta c;
    TrmmDesc: alpha a b c;
    TrsmDesc: alpha a b;
    TrtriDesc: a inv;
    GeamDesc: alpha a beta b c;
    DgmmDesc: a x c;
    GetrfDesc: a pivots info;
    GetrsDesc: a pivots b;
    GetriDesc: a pivots c info;
    GeqrfDesc: a tau;
    GelsDesc: a b info;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_put_off_until_it_is_waited_for() {
        let far = FarHandle::new();
        let memory = far.alloc(256).unwrap();
        far.sync().unwrap();
        assert_ne!(near(memory.ptr()), memory.ptr());
        // SAFETY: memory of this process, which nothing else uses.
        let seen = || unsafe { near(memory.ptr()).read_volatile() };
        let mut ones = [1u8; 256];
        // SAFETY: as long as the memory.
        unsafe { far.upload(ones.as_ptr(), memory.ptr(), 256) }.unwrap();
        ones.fill(2);
        assert_eq!(seen(), u8::from(check::is_on()));
        far.sync().unwrap();
        assert_eq!(seen(), 1);
    }

    #[test]
    fn an_error_of_work_that_was_put_off_is_reported_by_the_wait() {
        let far = FarHandle::new();
        let error = Error::NotAvailable { what: "this", backend: NAME };
        let cause = error.clone();
        assert_eq!(far.put_off(move |_| Err(cause)).and_then(|()| far.sync()), Err(error));
        assert_eq!(far.sync(), Ok(()));
    }
}
