//! The contract of **anyblas**: one set of generic BLAS traits over interchangeable backends.
//!
//! Programs use the facade, `anyblas`; backends are written against this crate. It has no FFI, no vendor's type and no
//! global state.
//!
//! ```
//! use blas_api::*;
//! use blas_cpu::Cpu;
//!
//! /// Covariances of the columns of x: one function for every backend and element type.
//! fn covariance<B: Backend, T: Field>(blas: &Handle<B>, x: MatRef<'_, T, B>, c: MatMut<'_, T, B>) -> Result {
//!     let scale = T::from_parts([1.0 / (x.rows() - 1) as f64, 0.0]);
//!     blas.gemm(scale, x.h(), x, T::zero(), c)
//! }
//!
//! // Three observations of two variables, stored as rows; the result as columns.
//! let x = [-1.0f32, 2.0, 0.0, 0.0, 1.0, -2.0];
//! let mut c = [0.0; 4];
//! let x = MatRef::from_slice(&x, 3, 2, Layout::Row)?;
//! covariance(&Cpu::handle(), x, MatMut::from_slice(&mut c, 2, 2, Layout::Col)?)?;
//! assert_eq!(c, [1.0, -2.0, -2.0, 4.0]);
//!
//! // What does not fit together is an error that says so, and nothing is launched.
//! let error = Cpu::handle().gemm(1.0, x, x, 0.0, MatMut::from_slice(&mut c, 2, 2, Layout::Col)?).unwrap_err();
//! assert_eq!(error.to_string(), "gemm: rows of B is 3, must be 2");
//! # Ok::<(), Error>(())
//! ```
//!
//! A backend is [`RawHandle`] for the descriptors in [`desc`], and a [`Driver`]; [`for_each_routine!`] lists the routines.
//!
//! # From view to vendor call
//!
//! A method of a trait checks its operands and lowers the call: to column-major storage, BLAS flags and run-time element
//! types. A row-major output is the transposed problem. Calls that have nothing to do end here. The rest is a descriptor for
//! one method of [`RawHandle`], which a backend may trust.
#![forbid(unsafe_op_in_unsafe_fn)]
#![deny(missing_docs)]

mod backend;
mod buffer;
mod coef;
pub mod desc;
mod device;
mod diagnosis;
mod element;
mod error;
mod handle;
mod host;
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
pub use diagnosis::Diagnosis;
pub use element::{ComplexField, DType, Element, Field, RealField, Scalar};
pub use error::{Error, Result};
pub use half::{bf16, f16};
pub use handle::{AsHandle, Event, Graph, Handle, WithLayer};
pub use host::{HostBlock, HostBuffer, Passed};
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
