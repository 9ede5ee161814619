//! Calls of blas-cpu, through the portable traits.

use std::hint::black_box;

use blas_api::{Diag, Handle, Level1, Level2, Level3, MatMut, MatRef, Scalar, Side, Uplo, VecMut, VecRef};
use blas_cpu::Cpu;
use num_traits::{One, Zero};

use crate::calls::Call;
use crate::number::Number;
use crate::operands::{Operands, Stored};
use crate::protocol::Routine;

/// A problem of the four types of CBLAS.
///
/// # Safety
/// As for [`Library::call`](crate::library::Library::call).
pub(crate) unsafe fn all<T: Number>(handle: &Handle<Cpu>, o: &Operands<T>) -> Option<Call> {
    // SAFETY: the caller's promise.
    unsafe { vectors(handle, o).or_else(|| matrices(handle, o)).or_else(|| products(handle, o)) }
}

/// A call as it stands in a program: its views have been made and checked.
macro_rules! repeat {
    ($call:expr) => {{
        if let Err(error) = $call {
            eprintln!("anyblas: {error}");
            return None;
        }
        Some(Box::new(move || {
            black_box($call.is_ok());
        }))
    }};
}

/// Handles share nothing but their policy.
fn open(handle: &Handle<Cpu>) -> Option<Handle<Cpu>> {
    let mine = Cpu::handle();
    mine.set_policy(handle.policy()).ok()?;
    Some(mine)
}

unsafe fn vectors<T: Number>(handle: &Handle<Cpu>, o: &Operands<T>) -> Option<Call> {
    let blas = open(handle)?;
    // SAFETY: the caller's promise.
    let (x, y) = unsafe { (o.b.slice(1), o.c.slice(1)) };
    let (mut x, mut y) = (VecMut::from_slice(x), VecMut::from_slice(y));
    match o.problem.routine {
        Routine::Axpy => repeat!(blas.axpy(T::small(), x.rb(), y.rb_mut())),
        Routine::Dot => repeat!(blas.dot(x.rb(), y.rb()).map(black_box)),
        Routine::Nrm2 => repeat!(blas.nrm2(x.rb()).map(black_box)),
        Routine::Scal => repeat!(blas.scal(T::turn(), x.rb_mut())),
        Routine::Asum => repeat!(blas.asum(x.rb()).map(black_box)),
        Routine::Iamax => repeat!(blas.iamax(x.rb()).map(black_box)),
        Routine::Copy => repeat!(blas.copy(x.rb(), y.rb_mut())),
        _ => None,
    }
}

/// A view of the matrix that is computed with.
fn view<T: Scalar>(s: &Stored<T>, slice: &'static [T]) -> Option<MatRef<'static, T, Cpu>> {
    let view = MatRef::from_slice(slice, s.rows, s.cols, s.layout).ok()?;
    Some(if s.trans { view.t() } else { view })
}

fn view_mut<T: Scalar>(s: &Stored<T>, slice: &'static mut [T]) -> Option<MatMut<'static, T, Cpu>> {
    MatMut::from_slice(slice, s.rows, s.cols, s.layout).ok()
}

unsafe fn matrices<T: Number>(handle: &Handle<Cpu>, o: &Operands<T>) -> Option<Call> {
    let blas = open(handle)?;
    let (one, zero) = (T::one(), T::zero());
    let (real_one, real_zero) = (T::Real::one(), T::Real::zero());
    // SAFETY: the caller's promise.
    let (a, b, c) = unsafe { (o.a.slice(1), o.b.slice(1), o.c.slice(1)) };
    let lower = Uplo::Lower;
    if matches!(o.problem.routine, Routine::Gemv | Routine::Symv | Routine::Trsv | Routine::Trmv) {
        let a = view(&o.a, a)?;
        let (mut x, mut y) = (VecMut::from_slice(b), VecMut::from_slice(c));
        let tri = a.tri(if o.a.trans { Uplo::Upper } else { lower }, Diag::NonUnit);
        return match o.problem.routine {
            Routine::Gemv => repeat!(blas.gemv(one, a, x.rb(), zero, y.rb_mut())),
            Routine::Symv if T::COMPLEX => {
                repeat!(blas.hemv(one, a.herm(lower), x.rb(), zero, y.rb_mut()))
            }
            Routine::Symv => repeat!(blas.symv(one, a.sym(lower), x.rb(), zero, y.rb_mut())),
            Routine::Trsv => repeat!(blas.trsv(tri, x.rb_mut())),
            _ => repeat!(blas.trmv(tri, x.rb_mut())),
        };
    }
    if o.problem.routine == Routine::Ger {
        let (x, y) = (VecRef::from_slice(b), VecRef::from_slice(c));
        let mut a = view_mut(&o.a, a)?;
        return repeat!(blas.geru(T::small(), x, y, a.rb_mut()));
    }
    let a = view(&o.a, a)?;
    match o.problem.routine {
        Routine::Trsm => {
            let (tri, mut b) = (a.tri(lower, Diag::NonUnit), view_mut(&o.b, b)?);
            repeat!(blas.trsm(Side::Left, one, tri, b.rb_mut()))
        }
        Routine::Trmm => {
            let (tri, mut b) = (a.tri(lower, Diag::NonUnit), view_mut(&o.b, b)?);
            repeat!(blas.trmm(Side::Left, one, tri, b.rb_mut()))
        }
        Routine::Symm => {
            let (a, b, mut c) = (a.sym(lower), view(&o.b, b)?, view_mut(&o.c, c)?);
            repeat!(blas.symm(Side::Left, one, a, b, zero, c.rb_mut()))
        }
        Routine::Hemm => {
            let (a, b, mut c) = (a.herm(lower), view(&o.b, b)?, view_mut(&o.c, c)?);
            repeat!(blas.hemm(Side::Left, one, a, b, zero, c.rb_mut()))
        }
        Routine::Syrk => {
            let mut c = view_mut(&o.c, c)?.sym(lower);
            repeat!(blas.syrk(one, a, zero, c.rb_mut()))
        }
        Routine::Herk => {
            let mut c = view_mut(&o.c, c)?.herm(lower);
            repeat!(blas.herk(real_one, a, real_zero, c.rb_mut()))
        }
        Routine::Syr2k => {
            let (b, mut c) = (view(&o.b, b)?, view_mut(&o.c, c)?.sym(lower));
            repeat!(blas.syr2k(one, a, b, zero, c.rb_mut()))
        }
        _ => None,
    }
}

/// A problem that half types have too.
///
/// # Safety
/// As for [`Library::call`](crate::library::Library::call).
pub(crate) unsafe fn products<T: Scalar>(handle: &Handle<Cpu>, o: &Operands<T>) -> Option<Call> {
    if o.problem.routine != Routine::Gemm {
        return None;
    }
    let (blas, batch) = (open(handle)?, o.problem.batch);
    // SAFETY: the caller's promise.
    let (a, b, c) = unsafe { (o.a.slice(batch), o.b.slice(batch), o.c.slice(batch)) };
    let (one, zero) = (T::Coef::one(), T::Coef::zero());
    let (a, b, mut c) = (view(&o.a, a)?, view(&o.b, b)?, view_mut(&o.c, c)?);
    if batch == 1 {
        return repeat!(blas.gemm(one, a, b, zero, c.rb_mut()));
    }
    let stride = |s: &Stored<T>| (s.rows * s.cols) as isize;
    let (a, b) = (a.batch(stride(&o.a), batch).ok()?, b.batch(stride(&o.b), batch).ok()?);
    let stride = stride(&o.c);
    repeat!(c.rb_mut().batch(stride, batch).and_then(|c| blas.gemm(one, a.clone(), b.clone(), zero, c)))
}
