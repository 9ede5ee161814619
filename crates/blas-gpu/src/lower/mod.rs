//! What the lowering of every routine onto hipBLAS shares.
//!
//! hipBLAS has three forms of each function, one place for the scalars of a call, and fewer ops than the descriptors
//! have. [`Batch`] gives operands the form of the call, [`Coefs`] and [`results()`] put scalars in their place, and
//! [`copies`] and [`vectors`] make the operands that a function can take: conjugated, transposed, contiguous. All of
//! it is done on the device, in stream order.

pub(crate) mod batch;
pub(crate) mod coefs;
pub(crate) mod copies;
pub(crate) mod enums;
pub(crate) mod half;
pub(crate) mod results;
pub(crate) mod vectors;

pub(crate) use batch::{Batch, NO_OPERAND, entries};
pub(crate) use coefs::Coefs;
pub(crate) use copies::Prepared;
pub(crate) use enums::{compute_type, data_type, diag, elem, elems, fill, op, side};
pub(crate) use results::results;
