//! Calls of Rust crates.

use blas_api::{Complex, Scalar};

use crate::calls::Call;
use crate::library::threads;
use crate::number::Number;
use crate::operands::Operands;
use crate::protocol::Routine;

/// Runs `f` with pointers to the operands of each product of the batch.
///
/// # Safety
/// As for [`Library::call`](crate::library::Library::call).
unsafe fn each<T: Scalar>(o: &Operands<T>, f: impl Fn(*const T, *const T, *mut T) + 'static) -> Option<Call> {
    if o.problem.routine != Routine::Gemm {
        return None;
    }
    let steps = [o.a, o.b, o.c].map(|s| s.rows * s.cols);
    let (a, b, c, batch) = (o.a.ptr, o.b.ptr, o.c.ptr, o.problem.batch);
    Some(Box::new(move || {
        for i in 0..batch {
            f(a.wrapping_add(i * steps[0]), b.wrapping_add(i * steps[1]), c.wrapping_add(i * steps[2]));
        }
    }))
}

/// The crate `gemm`.
///
/// # Safety
/// As for [`Library::call`](crate::library::Library::call).
pub(crate) unsafe fn gemm<T: Scalar>(o: &Operands<T>) -> Option<Call> {
    let (m, n, k) = (o.problem.m, o.problem.n, o.problem.k);
    let [(.., ars, acs), (.., brs, bcs), (.., crs, ccs)] = [o.a, o.b, o.c].map(|s| s.shape());
    let parallelism = match threads() {
        1 => gemm::Parallelism::None,
        n => gemm::Parallelism::Rayon(n),
    };
    // SAFETY: the caller's promise.
    unsafe {
        each(o, move |a, b, c| {
            // The factor of the product is the second one; C is not read.
            let (unread, one) = (T::zero(), T::one());
            gemm::gemm(
                m,
                n,
                k,
                c,
                ccs,
                crs,
                false,
                a,
                acs,
                ars,
                b,
                bcs,
                brs,
                unread,
                one,
                false,
                false,
                false,
                parallelism,
            );
        })
    }
}

/// The crate `faer`: products and triangular solves.
///
/// # Safety
/// As for [`Library::call`](crate::library::Library::call).
pub(crate) unsafe fn faer<T: Number + faer::traits::ComplexField + faer::traits::Conjugate<Canonical = T>>(
    o: &Operands<T>,
) -> Option<Call> {
    use faer::linalg::{matmul::matmul, triangular_solve::solve_lower_triangular_in_place};
    use faer::{Accum, MatMut, MatRef, Par};

    let [(m, k, ars, acs), (_, n, brs, bcs), (.., crs, ccs)] = [o.a, o.b, o.c].map(|s| s.shape());
    let par = if threads() == 1 { Par::Seq } else { Par::rayon(threads()) };
    if o.problem.routine == Routine::Trsm {
        let (a, b) = (o.a.ptr, o.b.ptr);
        return Some(Box::new(move || {
            // SAFETY: the caller's promise.
            unsafe {
                let a = MatRef::from_raw_parts(a.cast_const(), m, m, ars, acs);
                let b = MatMut::from_raw_parts_mut(b, m, n, brs, bcs);
                solve_lower_triangular_in_place(a, b, par);
            }
        }));
    }
    // SAFETY: the caller's promise.
    unsafe {
        each(o, move |a, b, c| {
            let a = MatRef::from_raw_parts(a, m, k, ars, acs);
            let b = MatRef::from_raw_parts(b, k, n, brs, bcs);
            let c = MatMut::from_raw_parts_mut(c, m, n, crs, ccs);
            matmul(c, Accum::Replace, a, b, <T as num_traits::One>::one(), par);
        })
    }
}

/// The crate `matrixmultiply`, one function a type.
pub(crate) mod matrixmultiply {
    use ::matrixmultiply::{CGemmOption, cgemm, dgemm, sgemm, zgemm};

    use super::*;

    macro_rules! types { ($($name:ident: $t:ty as $raw:ty, $gemm:ident($($option:expr),*), $one:expr, $zero:expr;)*) => {$(
        /// # Safety
        /// As for [`Library::call`](crate::library::Library::call).
        pub(crate) unsafe fn $name(o: &Operands<$t>) -> Option<Call> {
            let [(m, k, ars, acs), (_, n, brs, bcs), (.., crs, ccs)] = [o.a, o.b, o.c].map(|s| s.shape());
            // SAFETY: the caller's promise.
            unsafe {
                each(o, move |a, b, c| {
                    let (a, b, c) = (a.cast::<$raw>(), b.cast::<$raw>(), c.cast::<$raw>());
                    $gemm($($option,)* m, k, n, $one, a, ars, acs, b, brs, bcs, $zero, c, crs, ccs);
                })
            }
        }
    )*}}
    types! {
        f32: f32 as f32, sgemm(), 1.0, 0.0;
        f64: f64 as f64, dgemm(), 1.0, 0.0;
        c32: Complex<f32> as [f32; 2], cgemm(CGemmOption::Standard, CGemmOption::Standard), [1.0, 0.0], [0.0, 0.0];
        c64: Complex<f64> as [f64; 2], zgemm(CGemmOption::Standard, CGemmOption::Standard), [1.0, 0.0], [0.0, 0.0];
    }
}
