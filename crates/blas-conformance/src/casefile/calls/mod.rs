//! Calls in the F77 and CBLAS argument order as calls of the library.
//!
//! Three files, by the types that a routine takes: all of them, the four of the classic BLAS, the two real ones.

mod field;
mod real;
mod scalar;

use blas_api::{Backend, Complex, Level1, Routine, Scalar, bf16, f16};

use super::front::{Front, Returned, Stop};

/// Applies the op of a call to a view.
macro_rules! op {
    ($view:expr, $trans:expr) => {{
        let view = $view;
        match $trans {
            blas_api::Trans::N => view,
            blas_api::Trans::T => view.t(),
            blas_api::Trans::C => view.h(),
            blas_api::Trans::ConjN => view.conj(),
        }
    }};
}
use op;

/// A type that calls can be made for.
pub(super) trait Calls: Scalar {
    /// Makes the call.
    fn call<B: Backend>(routine: Routine, front: Front<'_, Self, B>) -> Returned;
}

macro_rules! calls { ($($t:ty => $group:ident;)*) => {$(
    impl Calls for $t {
        fn call<B: Backend>(routine: Routine, front: Front<'_, Self, B>) -> Returned {
            $group::call(routine, front)
        }
    }
)*}}
calls! {
    f16 => scalar;
    bf16 => scalar;
    f64 => real;
    Complex<f32> => field;
    Complex<f64> => field;
}

impl Calls for f32 {
    fn call<B: Backend>(routine: Routine, mut f: Front<'_, f32, B>) -> Returned {
        if routine != Routine::Dsdot {
            return real::call(routine, f);
        }
        let n = f.count()?;
        let add = if f.form == super::name::Form::Sdsdot { Some(f.coef::<f32>()?) } else { None };
        let (x, incx, y, incy) = (f.input()?, f.inc()?, f.input()?, f.inc()?);
        f.end()?;
        let dot = f.handle.dsdot(f.vec(x, n, incx)?, f.vec(y, n, incy)?)?;
        // sdsdot adds its coefficient in f64 too, and rounds once.
        Ok(Some([add.map_or(dot, |b| f64::from((dot + f64::from(b)) as f32)), 0.0]))
    }
}

/// A routine that the types of this call do not have.
fn unknown<T: Scalar>(routine: Routine) -> Returned {
    Err(Stop::Malformed(format!("{routine} of {} is no BLAS call", T::DTYPE)))
}
