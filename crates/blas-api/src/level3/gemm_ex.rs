//! Mixed-type GEMM: the builder and its sealed table of legal types.

use crate::lower::Lowering;
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
    type Coef: GemmExCoef;
    /// The combination at run time.
    const TYPES: GemmTypes;
}

/// Type of a coefficient of [`gemm_ex`](Level3::gemm_ex).
pub trait GemmExCoef: Element {
    /// Real and imaginary part.
    fn parts(self) -> [f64; 2];
    /// One.
    const ONE: Self;
    /// Zero.
    const ZERO: Self;
}

macro_rules! coefs { ($($t:ty = $one:expr, $zero:expr;)*) => {$(
    impl GemmExCoef for $t {
        fn parts(self) -> [f64; 2] { Scalar::parts(self) }
        const ONE: Self = $one;
        const ZERO: Self = $zero;
    }
)*}}
coefs! {
    f32 = 1.0, 0.0;
    f64 = 1.0, 0.0;
    Complex<f32> = Complex::new(1.0, 0.0), Complex::new(0.0, 0.0);
    Complex<f64> = Complex::new(1.0, 0.0), Complex::new(0.0, 0.0);
}
impl GemmExCoef for i32 {
    fn parts(self) -> [f64; 2] {
        [f64::from(self), 0.0]
    }
    const ONE: Self = 1;
    const ZERO: Self = 0;
}

macro_rules! gemm_types { ($($ab:ty, $c:ty => $coef:ty, $compute:ident;)*) => {$(
    impl sealed::Sealed for ($ab, $c) {}
    impl GemmExTypes for ($ab, $c) {
        type Coef = $coef;
        const TYPES: GemmTypes = GemmTypes {
            a: <$ab>::DTYPE, b: <$ab>::DTYPE, c: <$c>::DTYPE, compute: Compute::$compute,
        };
    }
)*}}
gemm_types! {
    f16, f16 => f32, F32;
    f16, f32 => f32, F32;
    bf16, bf16 => f32, F32;
    bf16, f32 => f32, F32;
    f32, f32 => f32, F32;
    f64, f64 => f64, F64;
    Complex<f32>, Complex<f32> => Complex<f32>, F32;
    Complex<f64>, Complex<f64> => Complex<f64>, F64;
    i8, i32 => i32, I32;
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
    alpha: RawCoef,
    beta: RawCoef,
}

type RawCoef = crate::coef::CoefOperand;

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
        let host =
            |v: <(A, C) as GemmExTypes>::Coef| RawCoef { value: RawScalar::Host(v.parts()), dev: None };
        let (alpha, beta) = (host(GemmExCoef::ONE), host(GemmExCoef::ZERO));
        GemmEx { handle, a, b, c, alpha, beta }
    }

    /// Sets alpha to a host value.
    pub fn alpha(mut self, alpha: <(A, C) as GemmExTypes>::Coef) -> Self {
        self.alpha = RawCoef { value: RawScalar::Host(alpha.parts()), dev: None };
        self
    }

    /// Sets beta to a host value.
    pub fn beta(mut self, beta: <(A, C) as GemmExTypes>::Coef) -> Self {
        self.beta = RawCoef { value: RawScalar::Host(beta.parts()), dev: None };
        self
    }

    /// Takes alpha from device memory.
    pub fn alpha_on_device(mut self, alpha: ScalarRef<'a, <(A, C) as GemmExTypes>::Coef, B>) -> Self {
        self.alpha = RawCoef { value: RawScalar::Device(alpha.ptr.cast()), dev: Some(alpha.device()) };
        self
    }

    /// Takes beta from device memory.
    pub fn beta_on_device(mut self, beta: ScalarRef<'a, <(A, C) as GemmExTypes>::Coef, B>) -> Self {
        self.beta = RawCoef { value: RawScalar::Device(beta.ptr.cast()), dev: Some(beta.device()) };
        self
    }

    /// Checks the call and runs it.
    ///
    /// # Errors
    /// As [`gemm`](Level3::gemm).
    pub fn run(self) -> Result {
        let l = Lowering { routine: Routine::GemmEx, dtype: C::DTYPE, dev: self.handle.device() };
        let (a, b, c) = (self.a.operand(), self.b.operand(), self.c.operand());
        let mut d = super::gemm::lower(&l, self.alpha, a, b, self.beta, c)?;
        d.types = <(A, C) as GemmExTypes>::TYPES;
        self.handle.launch(Call::GemmEx(&d))
    }
}
