//! Coefficients and results: on the host or on the device, chosen per call by type.

use num_complex::Complex;

use crate::view::sealed::Lower as _;
use crate::{Element, Mut, RawOut, RawParam, RawScalar, Scalar, ScalarMut, ScalarRef, VecMut, shape};

/// A coefficient (alpha, beta, c, s). A plain number is read when the call is made; a [`ScalarRef`] is read by the
/// device when the call runs.
///
/// ```
/// # use blas_api::{Level1, SliceRef, VecMut, VecRef};
/// # use blas_cpu::Cpu;
/// let blas = Cpu::handle();
/// let (x, mut y, alpha) = ([1.0f32, 2.0], [0.0f32; 2], [3.0f32]);
/// blas.axpy(2.0, VecRef::from_slice(&x), VecMut::from_slice(&mut y))?;
/// blas.axpy(SliceRef::from(&alpha[..]).scalar(0)?, VecRef::from_slice(&x), VecMut::from_slice(&mut y))?;
/// assert_eq!(y, [5.0, 10.0]);
/// # Ok::<(), blas_api::Error>(())
/// ```
#[derive(Debug)]
pub enum Coef<'a, T, B> {
    /// A value of the host.
    Host(T),
    /// A value in device memory.
    Device(ScalarRef<'a, T, B>),
}

impl<T: Scalar, B> From<T> for Coef<'_, T, B> {
    fn from(v: T) -> Self {
        Coef::Host(v)
    }
}

/// A real number in place of a complex coefficient.
impl<B> From<f32> for Coef<'_, Complex<f32>, B> {
    fn from(v: f32) -> Self {
        Coef::Host(v.into())
    }
}

/// A real number in place of a complex coefficient.
impl<B> From<f64> for Coef<'_, Complex<f64>, B> {
    fn from(v: f64) -> Self {
        Coef::Host(v.into())
    }
}

impl<'a, T, B> From<ScalarRef<'a, T, B>> for Coef<'a, T, B> {
    fn from(v: ScalarRef<'a, T, B>) -> Self {
        Coef::Device(v)
    }
}

/// A coefficient of a lowered call, with the device that it must be on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoefOperand {
    pub(crate) value: RawScalar,
    pub(crate) dev: Option<crate::DeviceId>,
}

impl<T: Element + Scalar, B> Coef<'_, T, B> {
    pub(crate) fn operand(&self) -> CoefOperand {
        match self {
            Coef::Host(v) => CoefOperand { value: RawScalar::Host(v.parts()), dev: None },
            Coef::Device(s) => CoefOperand { value: RawScalar::Device(s.ptr.cast()), dev: Some(s.device()) },
        }
    }
}

/// Where scalar results go, one an entry of the batch: `&mut value`, `&mut slice[..]` on the host, or a
/// contiguous [`VecMut`] (a [`ScalarMut`] for one) on the device.
#[derive(Debug)]
pub enum Out<'a, T, B> {
    /// Host memory; the call waits for the result.
    Host(&'a mut [T]),
    /// Device memory; the call does not wait.
    Device(VecMut<'a, T, B>),
}

impl<'a, T, B> From<&'a mut T> for Out<'a, T, B> {
    fn from(v: &'a mut T) -> Self {
        Out::Host(std::slice::from_mut(v))
    }
}

impl<'a, T, B> From<&'a mut [T]> for Out<'a, T, B> {
    fn from(v: &'a mut [T]) -> Self {
        Out::Host(v)
    }
}

impl<'a, T, B> From<VecMut<'a, T, B>> for Out<'a, T, B> {
    fn from(v: VecMut<'a, T, B>) -> Self {
        Out::Device(v)
    }
}

impl<'a, T: Element, B> From<ScalarMut<'a, T, B>> for Out<'a, T, B> {
    fn from(v: ScalarMut<'a, T, B>) -> Self {
        Out::Device(Mut::new(v.ptr, v.place, shape::Vector { len: 1, inc: 1 }))
    }
}

/// A place for results of a lowered call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOperand {
    pub(crate) out: RawOut,
    pub(crate) len: usize,
    pub(crate) inc: isize,
    pub(crate) dev: Option<crate::DeviceId>,
}

impl OutOperand {
    /// One value on the host, which outlives the call.
    #[inline(always)]
    pub(crate) fn host<T>(value: &mut T) -> Self {
        OutOperand { out: RawOut::Host(std::ptr::from_mut(value).cast()), len: 1, inc: 1, dev: None }
    }
}

impl<T: Element, B> Out<'_, T, B> {
    pub(crate) fn operand(&mut self) -> OutOperand {
        match self {
            Out::Host(s) => {
                OutOperand { out: RawOut::Host(s.as_mut_ptr().cast()), len: s.len(), inc: 1, dev: None }
            }
            Out::Device(v) => OutOperand {
                out: RawOut::Device(v.ptr.cast()),
                len: v.shape.len,
                inc: if v.shape.len <= 1 { 1 } else { v.shape.inc },
                dev: Some(v.device()),
            },
        }
    }
}

/// The five parameters of a modified rotation: flag, h11, h21, h12, h22. Flag -1 uses all four entries of H, 0 takes
/// the diagonal as ones, 1 takes the off-diagonal as (-1, 1), -2 is the identity.
#[derive(Debug)]
pub enum RotmParam<'a, T, B> {
    /// Host values, the same for each batch entry.
    Host([T; 5]),
    /// Five contiguous values on the device for each batch entry.
    Device(crate::Batched<crate::VecRef<'a, T, B>>),
}

impl<T: Scalar, B> From<[T; 5]> for RotmParam<'_, T, B> {
    fn from(v: [T; 5]) -> Self {
        RotmParam::Host(v)
    }
}

impl<'a, T: Element, B> From<crate::VecRef<'a, T, B>> for RotmParam<'a, T, B> {
    fn from(v: crate::VecRef<'a, T, B>) -> Self {
        RotmParam::Device(crate::Arg::batched(v))
    }
}

impl<'a, T, B> From<crate::Batched<crate::VecRef<'a, T, B>>> for RotmParam<'a, T, B> {
    fn from(v: crate::Batched<crate::VecRef<'a, T, B>>) -> Self {
        RotmParam::Device(v)
    }
}

impl<T: Scalar, B> RotmParam<'_, T, B> {
    /// The raw parameters, and the operand to check where they are on the device.
    pub(crate) fn operand(&self) -> (RawParam, Option<crate::view::Operand<shape::Vector>>) {
        match self {
            RotmParam::Host(p) => (RawParam::Host(p.map(|v| v.parts()[0])), None),
            RotmParam::Device(b) => {
                let o = b.operand();
                (RawParam::Device(o.data), Some(o))
            }
        }
    }
}
