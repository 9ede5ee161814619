//! **anyblas**: the portable BLAS for Rust. One set of generic traits, any device.
//!
//! Routines are methods of a [`Handle`], through the traits [`Level1`], [`Level2`], [`Level3`] and [`Solver`]. Operands
//! are views of a [`Buffer`] (or of a slice, on the CPU) that carry shape, layout, transposition and triangle.
//!
//! ```
//! use anyblas::prelude::*;
//!
//! /// Runs unchanged on every backend and in every element type.
//! fn gram<B: Backend, T: Field>(blas: &Handle<B>, x: MatRef<'_, T, B>, g: MatMut<'_, T, B>) -> Result<()> {
//!     blas.syrk(T::one(), x.t(), T::zero(), g.sym(Uplo::Lower))
//! }
//!
//! fn main() -> Result<()> {
//!     // Chosen at run time ...
//!     let blas = anyblas::open("cpu")?;
//!     let x = blas.upload(&[1.0f64, 2.0, 3.0, 4.0])?;
//!     let mut g = blas.alloc::<f64>(4)?;
//!     gram(&blas, x.mat(2, 2, Layout::Row)?, g.mat_mut(2, 2, Layout::Row)?)?;
//!     assert_eq!(g.to_vec(&blas)?, [10.0, 0.0, 14.0, 20.0]);
//!
//!     // ... or at compile time, on slices in place.
//! # #[cfg(feature = "cpu")] {
//!     let (x, mut g) = ([1.0f32, 2.0, 3.0, 4.0], [0.0f32; 4]);
//!     let (x, out) =
//!         (MatRef::from_slice(&x, 2, 2, Layout::Row)?, MatMut::from_slice(&mut g, 2, 2, Layout::Row)?);
//!     gram(&Cpu::handle(), x, out)?;
//!     assert_eq!(g, [10.0, 0.0, 14.0, 20.0]);
//! # }
//!     Ok(())
//! }
//! ```
//!
//! # Map
//!
//! | to | see |
//! | --- | --- |
//! | find and open devices | [`open`], [`devices`], [`doctor()`]; [`Driver::open`] of a backend's type |
//! | call routines | [`Handle`], and the traits [`Level1`], [`Level2`], [`Level3`], [`Solver`] |
//! | make operands | [`Buffer`] (and [`HostBuffer`], to fill it without waiting), [`SliceRef`] and [`SliceMut`] (all other views are made of these), [`Batched`], [`Coef`], [`Out`] |
//! | be generic | [`Backend`] over devices, [`Scalar`] and [`Field`] over element types, [`AsHandle`], [`Any`] |
//! | set what a handle may do | [`Threads`], [`Precision`], [`Determinism`], [`Workspace`] |
//! | understand a failure | [`Error`] |
//! | watch, count, mock | [`Observe`], [`Layer`] |
//! | write a backend | [`RawHandle`] and the descriptors in [`desc`], and the documentation of `blas-api` |
//!
//! Matrices that are solved with often are symmetric and positive definite. Like hipBLAS and cuBLAS, this library has no
//! Cholesky factorisation: take [`Solver::getrf`] and [`Solver::getrs`].

mod doctor;
mod registry;

pub use blas_api::*;
#[cfg(feature = "cpu")]
pub use blas_cpu::Cpu;
#[cfg(feature = "cuda")]
pub use blas_cuda::Cuda;
#[cfg(feature = "hip")]
pub use blas_hip::Hip;
pub use doctor::{Report, doctor};
pub use registry::{BackendInfo, backends, devices, open};

/// Everything that a program with BLAS calls needs: `use anyblas::prelude::*;`
pub mod prelude {
    #[cfg(feature = "cpu")]
    pub use crate::Cpu;
    #[cfg(feature = "cuda")]
    pub use crate::Cuda;
    #[cfg(feature = "hip")]
    pub use crate::Hip;
    pub use crate::{
        Any, Arg, AsHandle, Backend, BandMut, BandRef, Batched, Buffer, Coef, Complex, ComplexField, Compute,
        DType, Determinism, Diag, Driver, Element, Error, Event, Field, Graph, Handle, HermMut, HermRef,
        HostBuffer, HostMemory, Layout, Level1, Level2, Level3, MatMut, MatRef, Out, Policy, Precision,
        RealField, Result, Routine, Scalar, ScalarMut, ScalarRef, Side, SliceMut, SliceRef, Solver, SymMut,
        SymRef, Threads, Trans, TriMut, TriRef, Types, Uplo, VecMut, VecRef, Workspace, bf16, f16,
    };
}

/// The README's example runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
