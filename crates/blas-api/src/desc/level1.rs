//! Descriptors of Level 1.

use super::descriptor;
use crate::{DType, Ops, RawOut, RawScalar, Vector};

/// x <-> y
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct SwapDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    pub x: Vector,
    pub y: Vector,
}
descriptor!(SwapDesc, |d| noop: d.n == 0, ops: Ops::fma(0.0));

/// x = alpha * x. A `real` alpha of a complex x scales the two parts separately (csscal, zdscal).
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct ScalDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    /// alpha has the type of the parts of x; only ever set for complex x.
    pub real: bool,
    pub alpha: RawScalar,
    pub x: Vector,
}
descriptor!(ScalDesc, |d| noop: d.n == 0, ops: Ops::new(0.0, d.n as f64));

/// y = x
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct CopyDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    pub x: Vector,
    pub y: Vector,
}
descriptor!(CopyDesc, |d| noop: d.n == 0, ops: Ops::fma(0.0));

/// y = alpha * x + y
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct AxpyDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    pub alpha: RawScalar,
    pub x: Vector,
    pub y: Vector,
}
descriptor!(AxpyDesc, |d| noop: d.n == 0, ops: Ops::fma(d.n as f64));

/// y = alpha * x + beta * y
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct AxpbyDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    pub alpha: RawScalar,
    pub x: Vector,
    pub beta: RawScalar,
    pub y: Vector,
}
descriptor!(AxpbyDesc, |d| noop: d.n == 0, ops: Ops::new(d.n as f64, 2.0 * d.n as f64));

/// out = sum of x_i * y_i. As `dotc`: of conj(x_i) * y_i. As `dsdot`: f32 operands, f64 sum and result.
///
/// n = 0 writes 0.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct DotDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    pub x: Vector,
    pub y: Vector,
    pub out: RawOut,
}
descriptor!(DotDesc, |d| noop: false, ops: Ops::fma(d.n as f64));

/// nrm2 and asum: out has the real type of `dtype`. iamax and iamin: out is an i64 index from 1, 0 for n = 0.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct ReduceDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    pub x: Vector,
    pub out: RawOut,
}
descriptor!(ReduceDesc, |d| noop: false, ops: Ops::fma(d.n as f64));

/// (x, y) = (c x + s y, c y - conj(s) x), with c real and s of the coefficient type, or `real` too (csrot, zdrot).
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct RotDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    /// s has the real type; only ever set for complex x.
    pub real: bool,
    pub x: Vector,
    pub y: Vector,
    pub c: RawScalar,
    pub s: RawScalar,
}
descriptor!(RotDesc, |d| noop: d.n == 0, ops: Ops::new(2.0 * d.n as f64, 4.0 * d.n as f64));

/// Generates a plane rotation: a and b are overwritten by r and z, c (real) and s are set. All four on the same side,
/// one value a batch entry.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct RotgDesc {
    pub dtype: DType,
    pub batch: usize,
    pub a: RawOut,
    pub b: RawOut,
    pub c: RawOut,
    pub s: RawOut,
}
descriptor!(RotgDesc, |d| noop: false, ops: Ops::new(1.0, 6.0));

/// Where the five parameters of a modified rotation are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RawParam {
    /// flag, h11, h21, h12, h22 on the host, the same for each batch entry.
    Host([f64; 5]),
    /// Five contiguous values in device memory, each batch entry with its own.
    Device(crate::Address),
}

/// Applies a modified rotation.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct RotmDesc {
    pub dtype: DType,
    pub batch: usize,
    pub n: usize,
    pub x: Vector,
    pub y: Vector,
    pub param: RawParam,
}
descriptor!(RotmDesc, |d| noop: d.n == 0, ops: Ops::new(2.0 * d.n as f64, 4.0 * d.n as f64));

/// Generates a modified rotation. d1, d2, x1 are overwritten, y1 is read, `param` has five values an entry
/// (the flag, and the entries that it does not imply, are written).
/// All on the same side.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are BLAS's own arguments")]
pub struct RotmgDesc {
    pub dtype: DType,
    pub batch: usize,
    pub d1: RawOut,
    pub d2: RawOut,
    pub x1: RawOut,
    /// Only read.
    pub y1: RawOut,
    /// `5 * batch` values.
    pub param: RawOut,
}
descriptor!(RotmgDesc, |d| noop: false, ops: Ops::new(3.0, 12.0));
