//! Descriptors: what a backend is given. Plain data, column-major, already checked, element types at run time.
//!
//! Conventions, which hold for every descriptor:
//! - sizes, leading dimensions, increments and strides are in elements;
//! - a vector follows BLAS: with a negative increment the pointer is to the lowest address and the walk starts at
//!   the far end, so that pointer and increment can be handed to a vendor library as they are;
//! - `batch` problems of one shape are solved; operand `i` is at [`Address::entry`]`(i)`;
//! - sizes may be zero except where [`Call::is_noop`](crate::Call::is_noop) says that nothing would be done.
//!   Such calls never reach a backend through the safe front, and must still be harmless;
//! - alpha = 0 means that A, B and x are not read, beta = 0 that the output is not read.

mod level1;
mod level2;
mod level3;
mod solver;

pub use level1::*;
pub use level2::*;
pub use level3::*;
pub use solver::*;

use crate::DType;

/// Where memory is that a backend must follow a pointer into before it can launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// Memory of the host.
    Host,
    /// Memory of the handle's device.
    Device,
}

/// Address of an operand in each entry of the batch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Address {
    /// Entry i at `ptr + i * stride` elements. Stride 0 is legal on inputs: the same operand for each entry.
    Strided {
        /// Entry 0.
        ptr: *mut u8,
        /// Distance in elements.
        stride: isize,
    },
    /// Entry i at `ptrs[i]`.
    Array {
        /// The array of device pointers, one an entry.
        ptrs: *const *mut u8,
        /// Where the array itself is.
        on: Location,
    },
}

impl Address {
    /// One operand, not batched (or the same for each entry).
    pub const fn single(ptr: *mut u8) -> Self {
        Address::Strided { ptr, stride: 0 }
    }

    /// Pointer to entry `i` of elements of `size` bytes.
    ///
    /// # Safety
    /// `i` is less than the batch count; an array of pointers can be read by the host.
    #[inline]
    pub unsafe fn entry(self, i: usize, size: usize) -> *mut u8 {
        match self {
            Address::Strided { ptr, stride } => {
                ptr.wrapping_offset((i as isize).wrapping_mul(stride).wrapping_mul(size as isize))
            }
            // SAFETY: the caller's promise.
            Address::Array { ptrs, .. } => unsafe { *ptrs.add(i) },
        }
    }
}

/// A vector operand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vector {
    /// Lowest address of each entry.
    pub data: Address,
    /// Increment; negative ones walk backwards from the far end.
    pub inc: isize,
}

/// A column-major matrix operand (full or band storage).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Matrix {
    /// Element (0, 0) of each entry.
    pub data: Address,
    /// Leading dimension.
    pub ld: usize,
}

/// A scalar operand, read when the call is launched (host) or in stream order (device).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RawScalar {
    /// Real and imaginary part, exact in f64 for every coefficient type.
    Host([f64; 2]),
    /// Pointer to a value of the coefficient type in device memory.
    Device(*const u8),
}

impl RawScalar {
    /// 0, on the host.
    pub const ZERO: Self = RawScalar::Host([0.0, 0.0]);
    /// 1, on the host.
    pub const ONE: Self = RawScalar::Host([1.0, 0.0]);
}

/// Where results that are scalars go, one a batch entry, contiguous.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RawOut {
    /// Host memory: complete when the raw call returns.
    Host(*mut u8),
    /// Device memory: written in stream order.
    Device(*mut u8),
}

impl RawOut {
    /// The pointer, wherever it leads.
    pub const fn ptr(self) -> *mut u8 {
        match self {
            RawOut::Host(p) | RawOut::Device(p) => p,
        }
    }
}

/// What every descriptor can tell of itself.
pub trait Descriptor: Copy + std::fmt::Debug {
    /// Type of the main operands.
    fn dtype(&self) -> DType;
    /// Number of batch entries.
    fn batch(&self) -> usize;
    /// Whether nothing is to be done or written (a dimension or the batch is empty).
    fn is_noop(&self) -> bool;
    /// Additions and multiplications of one batch entry for real types, by LAPACK's counting (Working Note 41).
    fn ops(&self) -> Ops;

    /// Floating-point operations of the whole call, complex ones counted as 6 a multiplication and 2 an addition.
    fn flops(&self) -> f64 {
        let Ops { adds, muls } = self.ops();
        let (a, m) = if self.dtype().is_complex() { (2.0, 6.0) } else { (1.0, 1.0) };
        self.batch() as f64 * (a * adds + m * muls)
    }
}

/// Counts of operations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ops {
    /// Additions and subtractions.
    pub adds: f64,
    /// Multiplications and divisions.
    pub muls: f64,
}

impl Ops {
    /// As many additions as multiplications.
    pub(crate) const fn fma(n: f64) -> Self {
        Ops { adds: n, muls: n }
    }

    pub(crate) const fn new(adds: f64, muls: f64) -> Self {
        Ops { adds, muls }
    }
}

/// `impl Descriptor` from the two formulas that differ.
macro_rules! descriptor {
    ($desc:ident, |$d:ident| noop: $noop:expr, ops: $ops:expr) => {
        impl crate::Descriptor for $desc {
            #[inline]
            fn dtype(&self) -> crate::DType {
                self.dtype
            }
            #[inline]
            fn batch(&self) -> usize {
                self.batch
            }
            #[inline]
            fn is_noop(&self) -> bool {
                let $d = self;
                $d.batch == 0 || $noop
            }
            fn ops(&self) -> crate::Ops {
                let $d = self;
                let _ = $d;
                $ops
            }
        }
    };
}
use descriptor;
