//! Operands of a problem.

use blas_api::{Element, Layout, Scalar};

use crate::protocol::{Form, Problem, Routine};

/// Memory of one operand, aligned as the allocators of most array libraries align it.
struct Block<T> {
    memory: Vec<T>,
    skip: usize,
}

const ALIGN: usize = 64;

impl<T: Scalar> Block<T> {
    fn new(n: usize, mut f: impl FnMut(usize) -> f64) -> Self {
        let more = ALIGN / size_of::<T>();
        let mut memory = vec![T::default(); n + more];
        let skip = (memory.as_ptr().align_offset(ALIGN)).min(more);
        for (i, x) in memory[skip..].iter_mut().take(n).enumerate() {
            *x = T::from_coef(<T::Coef as Scalar>::from_parts([f(2 * i), f(2 * i + 1)]));
        }
        Block { memory, skip }
    }

    fn ptr(&mut self) -> *mut T {
        self.memory[self.skip..].as_mut_ptr()
    }
}

/// The operands, which stay where they are.
pub(crate) struct Owner<T> {
    a: Block<T>,
    b: Block<T>,
    c: Block<T>,
}

/// Where the operands are, and how they are stored: A is `rows x cols` of `a`, and so on.
#[derive(Clone, Copy)]
pub(crate) struct Operands<T> {
    pub(crate) problem: Problem,
    pub(crate) a: Stored<T>,
    pub(crate) b: Stored<T>,
    pub(crate) c: Stored<T>,
}

/// A dense matrix, or a vector as one column. Several follow each other where there is a batch.
#[derive(Clone, Copy)]
pub(crate) struct Stored<T> {
    pub(crate) ptr: *mut T,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) layout: Layout,
    /// What is computed with is the transposed matrix.
    pub(crate) trans: bool,
}

impl<T: Element> Stored<T> {
    /// The leading dimension.
    pub(crate) fn ld(&self) -> usize {
        if self.layout == Layout::Col { self.rows } else { self.cols }.max(1)
    }

    /// Rows, columns, row stride and column stride of the matrix that is computed with.
    pub(crate) fn shape(&self) -> (usize, usize, isize, isize) {
        let ld = self.ld() as isize;
        let (rs, cs) = if self.layout == Layout::Col { (1, ld) } else { (ld, 1) };
        if self.trans { (self.cols, self.rows, cs, rs) } else { (self.rows, self.cols, rs, cs) }
    }

    /// All elements of `batch` matrices.
    ///
    /// # Safety
    /// The owner lives, and nothing else uses the memory, for as long as the slice is used.
    pub(crate) unsafe fn slice(&self, batch: usize) -> &'static mut [T] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.ptr, self.rows * self.cols * batch) }
    }
}

impl<T: Scalar> Owner<T> {
    /// Operands in which the same call can be made any number of times: numbers neither grow nor vanish.
    pub(crate) fn new(p: Problem) -> (Self, Operands<T>) {
        use Routine::*;
        let Problem { m, n, k, .. } = p;
        let ((ar, ac), (br, bc), (cr, cc)) = match p.routine {
            Axpy | Dot | Nrm2 | Scal | Asum | Iamax | Copy => ((0, 0), (m, 1), (m, 1)),
            Gemv if p.form == Form::T => ((k, m), (k, 1), (m, 1)),
            Gemv => ((m, k), (k, 1), (m, 1)),
            Ger => ((m, n), (m, 1), (n, 1)),
            Symv | Trsv | Trmv => ((m, m), (m, 1), (m, 1)),
            Gemm => {
                let a = if matches!(p.form, Form::T | Form::TT) { (k, m) } else { (m, k) };
                let b = if matches!(p.form, Form::NT | Form::TT) { (n, k) } else { (k, n) };
                (a, b, (m, n))
            }
            Trsm | Trmm | Symm | Hemm => ((m, m), (m, n), (m, n)),
            Syrk | Herk | Syr2k => ((m, k), (m, k), (m, m)),
        };
        // In place, A is near the identity.
        let near_identity = matches!(p.routine, Trsv | Trmv | Trsm | Trmm);
        let (mut random_a, mut random_b, mut random_c) = (random(1), random(2), random(3));
        let fill_a = |i: usize| match near_identity {
            true if i % 2 == 0 && (i / 2).is_multiple_of(ar + 1) => 1.0,
            true if i % 2 == 1 && (i / 2).is_multiple_of(ar + 1) => 0.0,
            true => random_a() * 1e-6 / ar as f64,
            false => random_a(),
        };
        let mut owner = Owner {
            a: Block::new(ar * ac * p.batch, fill_a),
            b: Block::new(br * bc * p.batch, |_| random_b()),
            c: Block::new(cr * cc * p.batch, |_| random_c()),
        };
        let layout = |row: bool| if row { Layout::Row } else { Layout::Col };
        let (row, mixed) = (p.form == Form::Row, p.form == Form::Mixed);
        let stored = |ptr, (rows, cols), row, trans| Stored { ptr, rows, cols, layout: layout(row), trans };
        let operands = Operands {
            problem: p,
            a: stored(owner.a.ptr(), (ar, ac), row || mixed, matches!(p.form, Form::T | Form::TT)),
            b: stored(owner.b.ptr(), (br, bc), row, matches!(p.form, Form::NT | Form::TT)),
            c: stored(owner.c.ptr(), (cr, cc), row, false),
        };
        (owner, operands)
    }
}

/// Numbers between -1 and 1: a linear congruential generator is random enough.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
