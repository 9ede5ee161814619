//! What an output must be: exact values with the magnitude that bounds the error, and dense operands to form them of.

use blas_api::Uplo;

use crate::dd::Dd;
use crate::form::Form;
use crate::num::Z;
use crate::storage::Operand;

/// An exact sum of products with the sum of their magnitudes and their number.
#[derive(Clone, Copy, Debug)]
pub struct Acc {
    /// Real part.
    pub re: Dd,
    /// Imaginary part.
    pub im: Dd,
    /// Sum of the magnitudes of all terms.
    pub mag: f64,
    /// Number of terms.
    pub terms: usize,
    /// Whether the routine may leave the element as it is (its update is the identity and reads nothing).
    pub idle: bool,
    complex: bool,
}

impl Acc {
    /// Zero, of a complex or a real type.
    pub fn new(complex: bool) -> Self {
        Acc { re: Dd::default(), im: Dd::default(), mag: 0.0, terms: 0, idle: false, complex }
    }

    /// Adds `a * b`.
    pub fn fma(&mut self, a: Z, b: Z) {
        self.re = self.re.add_prod(a.re, b.re);
        if self.complex {
            self.re = self.re.add_prod(-a.im, b.im);
            self.im = self.im.add_prod(a.re, b.im).add_prod(a.im, b.re);
            self.mag += ((a.re * a.re + a.im * a.im) * (b.re * b.re + b.im * b.im)).sqrt();
        } else {
            self.mag += (a.re * b.re).abs();
        }
        self.terms += 1;
    }

    /// Adds `a * b` of a real `a`: the parts of `b` do not mix.
    pub fn fma_real(&mut self, a: f64, b: Z) {
        self.re = self.re.add_prod(a, b.re);
        self.im = self.im.add_prod(a, b.im);
        self.mag += a.abs() * b.norm();
        self.terms += 1;
    }

    /// Adds `a`.
    pub fn add(&mut self, a: Z) {
        self.fma(a, Z::new(1.0, 0.0));
    }

    /// Adds another sum.
    pub fn add_acc(&mut self, other: &Acc) {
        self.re = self.re + other.re;
        self.im = self.im + other.im;
        self.mag += other.mag;
        self.terms += other.terms;
    }

    /// Multiplies by `alpha`.
    pub fn scale(&mut self, alpha: Z) {
        let (re, im) = (self.re, self.im);
        self.re = re * alpha.re;
        self.mag *= alpha.norm();
        if self.complex {
            self.re = self.re - im * alpha.im;
            self.im = re * alpha.im + im * alpha.re;
        }
    }

    /// The same, with the imaginary part 0 on the diagonal of a Hermitian output.
    #[must_use]
    pub(crate) fn on_diagonal_of<T: crate::num::Num, B>(self, o: &Operand<T, B>, i: usize, j: usize) -> Self {
        if i == j && o.place.form.kind.is_hermitian() { Acc { im: Dd::default(), ..self } } else { self }
    }

    /// The value rounded to f64.
    pub fn z(&self) -> Z {
        Z::new(self.re.hi, self.im.hi)
    }
}

/// `alpha * product + beta * c` by the contract: the product is not formed where alpha is 0, nor `c` read where beta is.
pub fn linear(
    complex: bool,
    alpha: Z,
    product: impl FnOnce(&mut Acc),
    beta: Z,
    c: impl FnOnce() -> Z,
) -> Acc {
    let (zero, one) = (Z::new(0.0, 0.0), Z::new(1.0, 0.0));
    let mut acc = Acc::new(complex);
    if alpha != zero {
        product(&mut acc);
        acc.scale(alpha);
    }
    acc.idle = acc.terms == 0 && beta == one;
    if beta != zero {
        acc.fma(beta, c());
    }
    acc
}

/// A matrix as the routine sees it, every element explicit. A vector is one column. Elements outside a triangle or a
/// band are 0, and sums of products skip them: they meet no NaN.
#[derive(Clone, Debug)]
pub struct Dense {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    data: Vec<Z>,
    structure: Option<Form>,
}

impl Dense {
    /// From a function of row and column.
    pub fn new(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> Z) -> Self {
        let data = (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))).map(|(i, j)| f(i, j)).collect();
        Dense { rows, cols, data, structure: None }
    }

    pub(crate) fn structured(self, form: Form) -> Self {
        Dense { structure: Some(form), ..self }
    }

    /// Element (i, j).
    pub fn at(&self, i: usize, j: usize) -> Z {
        self.data[i * self.cols + j]
    }

    /// Whether element (i, j) is inside the triangle and the band.
    pub fn has(&self, i: usize, j: usize) -> bool {
        self.structure.is_none_or(|f| f.has(i, j))
    }

    /// The transpose.
    #[must_use]
    pub fn t(&self) -> Self {
        let t = Dense::new(self.cols, self.rows, |i, j| self.at(j, i));
        Dense { structure: self.structure.map(Form::t), ..t }
    }

    /// The conjugate.
    #[must_use]
    pub fn conj(&self) -> Self {
        let data = self.data.iter().map(Z::conj).collect();
        Dense { data, ..self.clone() }
    }

    /// The conjugate transpose.
    #[must_use]
    pub fn h(&self) -> Self {
        self.t().conj()
    }

    /// Adds the product of row `i` of this and column `j` of another matrix.
    pub fn dot(&self, acc: &mut Acc, i: usize, b: &Dense, j: usize) {
        for p in (0..self.cols).filter(|&p| self.has(i, p) && b.has(p, j)) {
            acc.fma(self.at(i, p), b.at(p, j));
        }
    }

    /// The solution of `self * x = b` for a triangular matrix, by substitution in plain f64: exact for integers that
    /// stay small, and NaN wherever a NaN comes in.
    pub fn solve(&self, mut b: Vec<Z>) -> Vec<Z> {
        let n = b.len();
        let lower = self.structure.is_none_or(|f| f.uplo == Uplo::Lower);
        for step in 0..n {
            let i = if lower { step } else { n - 1 - step };
            for p in (0..n).filter(|&p| p != i && self.has(i, p)) {
                let known = b[p];
                b[i] -= self.at(i, p) * known;
            }
            b[i] /= self.at(i, i);
        }
        b
    }
}

/// How far a result may be from the exact value: Higham's componentwise bound.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Unit roundoff of the arithmetic.
    pub unit: f64,
    /// Unit roundoff of storage, and half of its smallest positive value.
    pub storage: (f64, f64),
    /// Whether the arithmetic is complex.
    pub complex: bool,
    /// Whether no rounding may happen at all.
    pub exact: bool,
}

impl Bound {
    /// The error allowed to each part of a result.
    pub fn of(&self, acc: &Acc) -> f64 {
        if self.exact {
            return 0.0;
        }
        // A part of a complex sum of k products is a real sum of 2 k; alpha and beta add a few roundings more, and
        // alpha mixes the two parts.
        let (n, c) =
            if self.complex { (2 * acc.terms + 6, std::f64::consts::SQRT_2) } else { (acc.terms + 2, 1.0) };
        let nu = n as f64 * self.unit;
        let arithmetic = c * nu / (1.0 - nu) * acc.mag;
        let value = acc.re.hi.abs().max(acc.im.hi.abs()) + arithmetic;
        arithmetic + (self.storage.0 * value).max(self.storage.1)
    }
}
