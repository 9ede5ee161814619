//! The contract of **anyblas**: one set of generic BLAS traits over interchangeable backends.
#![forbid(unsafe_op_in_unsafe_fn)]

mod backend;
mod buffer;
mod coef;
pub mod desc;
mod device;
mod element;
mod error;
mod handle;
mod level1;
mod level2;
mod level3;
mod lower;
mod op;
mod policy;
mod routines;
mod solver;
mod trace;
mod view;

pub use backend::*;
pub use buffer::Buffer;
pub use coef::{Coef, Out, RotmParam};
pub use desc::*;
pub use device::{Device, DeviceId};
pub use element::{ComplexField, DType, Element, Field, RealField, Scalar};
pub use error::{Error, Result};
pub use half::{bf16, f16};
pub use handle::{AsHandle, Event, Graph, Handle, WithLayer};
pub use level1::Level1;
pub use level2::Level2;
pub use level3::{GemmEx, GemmExTypes, Level3};
pub use num_complex::Complex;
pub use op::{Compute, Diag, Layout, Side, Trans, Uplo};
pub use policy::{Determinism, Policy, Precision, Threads, Workspace};
pub use routines::{Deviation, GemmTypes, Level, Routine, Support, Types, types};
pub use solver::Solver;
#[cfg(feature = "tracing")]
pub use trace::Traced;
pub use trace::{Observe, Observed};
pub use view::*;
