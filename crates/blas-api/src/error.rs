//! One error type for the whole contract.

use crate::{DeviceId, Types};

/// `Result` with [`Error`], where no other error is named.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// What can go wrong. Bad arguments are found before anything is launched, and then nothing is written.
///
/// `routine` is the BLAS name of the call (`"gemm"`), or of the view that was being made (`"mat"`, `"vec"`, ...);
/// `operand` is the argument's name in BLAS (`"a"`, `"x"`, ...).
#[derive(thiserror::Error, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Two dimensions that must agree do not.
    #[error("{routine}: {what} is {value}, must be {expected}")]
    Shape {
        /// Routine called.
        routine: &'static str,
        /// The dimension, as `"rows of B"`.
        what: &'static str,
        /// Its value.
        value: usize,
        /// What the other operands ask for.
        expected: usize,
    },
    /// A leading dimension is too small.
    #[error("{routine}: leading dimension of {operand} is {ld}, must be at least {min}")]
    LeadingDimension {
        /// Routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// The leading dimension given.
        ld: usize,
        /// The smallest legal one.
        min: usize,
    },
    /// Neither stride of a matrix is 1, or the other one is too small: BLAS can express neither.
    #[error("{routine}: strides of {operand} are ({rs}, {cs}), one must be 1 and the other at least {min}")]
    Strides {
        /// Routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// Row stride in elements.
        rs: isize,
        /// Column stride in elements.
        cs: isize,
        /// The smallest leading dimension that the shape admits.
        min: usize,
    },
    /// An increment that the routine does not admit: 0 on an output or on any operand of Level 2, another than 1 where
    /// values must be contiguous (results, pivots), a negative one where there is no such matrix.
    #[error("{routine}: increment of {operand} is {inc}, must {bound}")]
    Increment {
        /// Routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// The increment given.
        inc: isize,
        /// The rule that it breaks, as `"not be 0"`.
        bound: &'static str,
    },
    /// Operands have different batch counts.
    #[error("{routine}: batch count of {operand} is {count}, must be {expected}")]
    BatchCount {
        /// Routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// Its batch count.
        count: usize,
        /// That of the others.
        expected: usize,
    },
    /// Entries of a batch do not all have the same shape and strides.
    #[error("{routine}: entry {index} of the batch differs in shape, strides or device from entry 0")]
    BatchShape {
        /// The view being made.
        routine: &'static str,
        /// First entry that differs.
        index: usize,
    },
    /// Storage is too short for the view.
    #[error("{routine}: {operand} needs {need} elements, the storage has {have}")]
    TooShort {
        /// The view being made or the routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// Elements needed.
        need: usize,
        /// Elements present.
        have: usize,
    },
    /// A part of a view reaches beyond it.
    #[error("{routine}: {what} {start}..{end} asked for, there are {have}")]
    OutOfRange {
        /// The view being made.
        routine: &'static str,
        /// What was asked for, as `"rows"`.
        what: &'static str,
        /// The first one.
        start: usize,
        /// The one after the last.
        end: usize,
        /// How many there are.
        have: usize,
    },
    /// Elements of an output would share memory.
    #[error("{routine}: elements of {operand} overlap: stride {stride}, must be at least {min} in size")]
    Overlap {
        /// The view being made or the routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// The stride at fault, in elements.
        stride: isize,
        /// Smallest absolute value that keeps the elements apart.
        min: usize,
    },
    /// A product of sizes and strides does not fit the address space.
    #[error("{routine}: size of {operand} overflows: {factors:?}")]
    Overflow {
        /// The view being made or the routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// The factors, as dimension and stride pairs.
        factors: [usize; 2],
    },
    /// A size that this library's integer type cannot express, with no wider entry point.
    #[error("{routine}: {what} is {value}, this library takes at most {max}")]
    TooLarge {
        /// Routine called.
        routine: &'static str,
        /// The argument.
        what: &'static str,
        /// Its value.
        value: usize,
        /// Largest value expressible.
        max: usize,
    },
    /// Another argument out of its range (bandwidth, index, thread count, ...).
    #[error("{routine}: {what} is {value}, must be {bound}")]
    Argument {
        /// Routine called.
        routine: &'static str,
        /// The argument.
        what: &'static str,
        /// Its value.
        value: i64,
        /// The rule that it breaks.
        bound: &'static str,
    },
    /// Scalars that a routine overwrites together are partly on the host and partly on the device.
    #[error("{routine}: {operand} must be on the host or on the device as {other} is")]
    MixedPlace {
        /// Routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// The operand that it must go with.
        other: &'static str,
    },
    /// An operand lives on another device than the handle.
    #[error("{routine}: {operand} is on {found}, the handle is on {expected}")]
    WrongDevice {
        /// Routine called.
        routine: &'static str,
        /// Operand at fault.
        operand: &'static str,
        /// The handle's device.
        expected: DeviceId,
        /// The operand's device.
        found: DeviceId,
    },
    /// The backend does not have this routine for this type.
    #[error("{routine} ({types}): not supported by {backend}: {why}")]
    Unsupported {
        /// Routine called.
        routine: &'static str,
        /// Element types.
        types: Types,
        /// Backend asked.
        backend: &'static str,
        /// Reason.
        why: &'static str,
    },
    /// The backend lacks a facility that is not a BLAS routine (graph capture, peer access, ...).
    #[error("{what}: not available on {backend}")]
    NotAvailable {
        /// The facility.
        what: &'static str,
        /// Backend asked.
        backend: &'static str,
    },
    /// The device (or host) has no memory left for an allocation.
    #[error("out of memory on {device}: {bytes} bytes asked for")]
    OutOfMemory {
        /// Where.
        device: DeviceId,
        /// How much.
        bytes: usize,
    },
    /// No such device.
    #[error("no device {name:?}: {why}")]
    NoDevice {
        /// The name or number asked for.
        name: String,
        /// Why not, and what there is.
        why: String,
    },
    /// A library, symbol or kernel file could not be loaded.
    #[error("{what} could not be loaded; tried:{}", .tried.iter().map(|t| format!("\n  {t}")).collect::<String>())]
    Load {
        /// What was looked for.
        what: String,
        /// Each place tried, with the loader's answer.
        tried: Vec<String>,
    },
    /// The vendor's library or driver reported a failure.
    #[error("{routine}: {call} returned {status} ({code})")]
    Device {
        /// Routine called.
        routine: &'static str,
        /// The vendor's function.
        call: &'static str,
        /// The vendor's name of the status.
        status: String,
        /// Its number.
        code: i64,
    },
}
