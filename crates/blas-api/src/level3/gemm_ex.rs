//! Mixed-type GEMM: the builder and its sealed table of legal types.

use crate::coef::CoefOperand;
use crate::lower::{Lowering, Refused};
use crate::view::sealed::Lower as _;
use crate::*;

mod sealed {
    pub trait Sealed {}
}

/// A legal pair of (type of A and B, type of C) of [`gemm_ex`](Level3::gemm_ex).
///
/// | A, B | C | compute, alpha, beta |
/// | --- | --- | --- |
/// | f16 | f16, f32 | f32 |
/// | bf16 | bf16, f32 | f32 |
/// | f32 | f32 | f32 |
/// | f64 | f64 | f64 |
/// | c32 | c32 | c32 |
/// | c64 | c64 | c64 |
/// | i8 | i32 | i32, wrapping |
pub trait GemmExTypes: sealed::Sealed {
    /// Type of alpha and beta.
    type Coef: Element;
    /// The combination at run time.
    const TYPES: GemmTypes;
    /// A coefficient on the host.
    #[doc(hidden)]
    fn host(c: Self::Coef) -> RawScalar;
}

macro_rules! gemm_types { ($($ab:ty, $c:ty => $coef:ty, $compute:ident, $parts:expr;)*) => {$(
    impl sealed::Sealed for ($ab, $c) {}
    impl GemmExTypes for ($ab, $c) {
        type Coef = $coef;
        const TYPES: GemmTypes = GemmTypes {
            a: <$ab>::DTYPE, b: <$ab>::DTYPE, c: <$c>::DTYPE, compute: Compute::$compute,
        };
        fn host(c: $coef) -> RawScalar {
            let parts: fn($coef) -> [f64; 2] = $parts;
            RawScalar::Host(parts(c))
        }
    }
)*}}
gemm_types! {
    f16, f16 => f32, F32, Scalar::parts;
    f16, f32 => f32, F32, Scalar::parts;
    bf16, bf16 => f32, F32, Scalar::parts;
    bf16, f32 => f32, F32, Scalar::parts;
    f32, f32 => f32, F32, Scalar::parts;
    f64, f64 => f64, F64, Scalar::parts;
    Complex<f32>, Complex<f32> => Complex<f32>, F32, Scalar::parts;
    Complex<f64>, Complex<f64> => Complex<f64>, F64, Scalar::parts;
    i8, i32 => i32, I32, |c| [f64::from(c), 0.0];
}

/// C = alpha * A * B + beta * C with the types of [`GemmExTypes`]; made by [`gemm_ex`](Level3::gemm_ex).
///
/// alpha is 1 and beta 0 unless set. Nothing happens before [`run`](Self::run).
///
/// ```
/// # use blas_api::{Layout, Level3, MatMut, MatRef, bf16};
/// # use blas_cpu::Cpu;
/// let blas = Cpu::handle();
/// let one = [bf16::ONE];
/// let a = MatRef::from_slice(&one, 1, 1, Layout::Col)?;
/// let mut c = [3.25f32];
/// blas.gemm_ex(a, a, MatMut::from_slice(&mut c, 1, 1, Layout::Col)?).beta(1.0).run()?;
/// assert_eq!(c, [4.25]);
/// # Ok::<(), blas_api::Error>(())
/// ```
#[must_use = "nothing happens before run()"]
pub struct GemmEx<'h, 'a, A, C, B: Backend>
where
    (A, C): GemmExTypes,
{
    handle: &'h Handle<B>,
    a: Batched<MatRef<'a, A, B>>,
    b: Batched<MatRef<'a, A, B>>,
    c: Batched<MatMut<'a, C, B>>,
    alpha: CoefOperand,
    beta: CoefOperand,
}

impl<'h, 'a, A: Element, C: Element, B: Backend> GemmEx<'h, 'a, A, C, B>
where
    (A, C): GemmExTypes,
{
    pub(crate) fn new(
        handle: &'h Handle<B>,
        a: Batched<MatRef<'a, A, B>>,
        b: Batched<MatRef<'a, A, B>>,
        c: Batched<MatMut<'a, C, B>>,
    ) -> Self {
        let host = |value| CoefOperand { value, dev: None };
        let (alpha, beta) = (host(RawScalar::ONE), host(RawScalar::ZERO));
        GemmEx { handle, a, b, c, alpha, beta }
    }

    /// Sets alpha to a host value.
    pub fn alpha(mut self, alpha: <(A, C) as GemmExTypes>::Coef) -> Self {
        self.alpha = CoefOperand { value: <(A, C)>::host(alpha), dev: None };
        self
    }

    /// Sets beta to a host value.
    pub fn beta(mut self, beta: <(A, C) as GemmExTypes>::Coef) -> Self {
        self.beta = CoefOperand { value: <(A, C)>::host(beta), dev: None };
        self
    }

    /// Takes alpha from device memory.
    pub fn alpha_on_device(mut self, alpha: ScalarRef<'a, <(A, C) as GemmExTypes>::Coef, B>) -> Self {
        self.alpha = CoefOperand { value: RawScalar::Device(alpha.ptr.cast()), dev: Some(alpha.device()) };
        self
    }

    /// Takes beta from device memory.
    pub fn beta_on_device(mut self, beta: ScalarRef<'a, <(A, C) as GemmExTypes>::Coef, B>) -> Self {
        self.beta = CoefOperand { value: RawScalar::Device(beta.ptr.cast()), dev: Some(beta.device()) };
        self
    }

    /// Checks the call and runs it.
    ///
    /// # Errors
    /// As [`gemm`](Level3::gemm).
    pub fn run(self) -> Result {
        let l = Lowering { routine: Routine::GemmEx, dtype: C::DTYPE, dev: self.handle.device() };
        let (a, b, c) = (self.a.operand(), self.b.operand(), self.c.operand());
        let mut d = super::gemm::lower(&l, self.alpha, a, b, self.beta, c).map_err(Refused::why)?;
        d.types = <(A, C) as GemmExTypes>::TYPES;
        self.handle.launch(&d, RawHandle::gemm_ex)
    }
}
