//! Shared libraries with the symbols of CBLAS.

use blas_api::Layout;
use libloading::Library;
use num_traits::{One, Zero};

use crate::calls::Call;
use crate::number::Number;
use crate::operands::{Operands, Stored};
use crate::protocol::Routine;

/// What the packages of SciPy put before each symbol of OpenBLAS.
const PREFIXES: [&str; 2] = ["", "scipy_"];

const ROW: i32 = 101;
const COL: i32 = 102;
const LEFT: i32 = 141;
const LOWER: i32 = 122;
const NON_UNIT: i32 = 131;

/// A library that is open.
pub(crate) struct Cblas(Library);

impl Cblas {
    pub(crate) fn open(path: &str) -> crate::Result<Self> {
        // SAFETY: the constructors of BLAS libraries set up their tables of kernels.
        Ok(Cblas(unsafe { Library::new(path) }?))
    }

    /// A function, as a pointer type `F`.
    ///
    /// # Safety
    /// The function has the type `F`.
    unsafe fn get<F: Copy>(&self, name: &str) -> Option<F> {
        // SAFETY: the caller's promise.
        PREFIXES.iter().find_map(|p| unsafe { self.0.get::<F>(format!("{p}cblas_{name}")) }.ok().map(|f| *f))
    }

    /// The call that solves a problem, if the library has it.
    ///
    /// # Safety
    /// The operands outlive the call.
    pub(crate) unsafe fn call<T: Number>(&self, o: &Operands<T>) -> Option<Call> {
        let t = T::LETTER;
        // SAFETY: the caller's promise.
        unsafe { self.vectors(t, o).or_else(|| self.matrices(t, o)) }
    }

    unsafe fn vectors<T: Number>(&self, t: &str, o: &Operands<T>) -> Option<Call> {
        let (n, x, y) = (o.problem.m as i32, o.b.ptr, o.c.ptr);
        let norm = T::NORM;
        // SAFETY: as in cblas.h.
        unsafe {
            Some(match o.problem.routine {
                Routine::Axpy => {
                    type F<T, V> = unsafe extern "C" fn(i32, V, *const T, i32, *mut T, i32);
                    let f = self.get::<F<T, T::Value>>(&format!("{t}axpy"))?;
                    let alpha = Box::new(T::small());
                    Box::new(move || f(n, alpha.value(), x, 1, y, 1))
                }
                Routine::Dot if !T::COMPLEX => {
                    type F<T> = unsafe extern "C" fn(i32, *const T, i32, *const T, i32) -> T;
                    let f = self.get::<F<T>>(&format!("{t}dot"))?;
                    Box::new(move || {
                        std::hint::black_box(f(n, x, 1, y, 1));
                    })
                }
                Routine::Dot => {
                    type F<T> = unsafe extern "C" fn(i32, *const T, i32, *const T, i32, *mut T);
                    let f = self.get::<F<T>>(&format!("{t}dotu_sub"))?;
                    let mut out = T::default();
                    Box::new(move || {
                        f(n, x, 1, y, 1, &mut out);
                        std::hint::black_box(&out);
                    })
                }
                Routine::Nrm2 | Routine::Asum => {
                    type F<T, R> = unsafe extern "C" fn(i32, *const T, i32) -> R;
                    let name = if o.problem.routine == Routine::Nrm2 { "nrm2" } else { "asum" };
                    let f = self.get::<F<T, T::Real>>(&format!("{norm}{name}"))?;
                    Box::new(move || {
                        std::hint::black_box(f(n, x, 1));
                    })
                }
                Routine::Scal => {
                    type F<T, V> = unsafe extern "C" fn(i32, V, *mut T, i32);
                    let f = self.get::<F<T, T::Value>>(&format!("{t}scal"))?;
                    let alpha = Box::new(T::turn());
                    Box::new(move || f(n, alpha.value(), x, 1))
                }
                Routine::Iamax => {
                    type F<T> = unsafe extern "C" fn(i32, *const T, i32) -> usize;
                    let f = self.get::<F<T>>(&format!("i{t}amax"))?;
                    Box::new(move || {
                        std::hint::black_box(f(n, x, 1));
                    })
                }
                Routine::Copy => {
                    type F<T> = unsafe extern "C" fn(i32, *const T, i32, *mut T, i32);
                    let f = self.get::<F<T>>(&format!("{t}copy"))?;
                    Box::new(move || f(n, x, 1, y, 1))
                }
                _ => return None,
            })
        }
    }

    unsafe fn matrices<T: Number>(&self, t: &str, o: &Operands<T>) -> Option<Call> {
        let p = o.problem;
        let order = if o.c.layout == Layout::Row { ROW } else { COL };
        let (m, n, k) = (p.m as i32, p.n as i32, p.k as i32);
        let (a, b, c) = (o.a.ptr, o.b.ptr, o.c.ptr);
        let (lda, ldb, ldc) = (o.a.ld() as i32, o.b.ld() as i32, o.c.ld() as i32);
        let (ta, tb) = (trans(&o.a, order), trans(&o.b, order));
        let (one, zero) = (Box::new(T::one()), Box::new(T::zero()));
        // SAFETY: as in cblas.h.
        unsafe {
            Some(match p.routine {
                Routine::Gemv => {
                    type F<T, V> = unsafe extern "C" fn(
                        i32,
                        i32,
                        i32,
                        i32,
                        V,
                        *const T,
                        i32,
                        *const T,
                        i32,
                        V,
                        *mut T,
                        i32,
                    );
                    let f = self.get::<F<T, T::Value>>(&format!("{t}gemv"))?;
                    let (rows, cols) = (o.a.rows as i32, o.a.cols as i32);
                    Box::new(move || f(order, ta, rows, cols, one.value(), a, lda, b, 1, zero.value(), c, 1))
                }
                Routine::Ger => {
                    type F<T, V> =
                        unsafe extern "C" fn(i32, i32, i32, V, *const T, i32, *const T, i32, *mut T, i32);
                    let name = if T::COMPLEX { "geru" } else { "ger" };
                    let f = self.get::<F<T, T::Value>>(&format!("{t}{name}"))?;
                    let alpha = Box::new(T::small());
                    Box::new(move || f(order, m, n, alpha.value(), b, 1, c, 1, a, lda))
                }
                Routine::Symv => {
                    type F<T, V> =
                        unsafe extern "C" fn(i32, i32, i32, V, *const T, i32, *const T, i32, V, *mut T, i32);
                    let name = if T::COMPLEX { "hemv" } else { "symv" };
                    let f = self.get::<F<T, T::Value>>(&format!("{t}{name}"))?;
                    Box::new(move || f(order, LOWER, m, one.value(), a, lda, b, 1, zero.value(), c, 1))
                }
                Routine::Trsv | Routine::Trmv => {
                    type F<T> = unsafe extern "C" fn(i32, i32, i32, i32, i32, *const T, i32, *mut T, i32);
                    let name = if p.routine == Routine::Trsv { "trsv" } else { "trmv" };
                    let f = self.get::<F<T>>(&format!("{t}{name}"))?;
                    Box::new(move || f(order, LOWER, ta, NON_UNIT, m, a, lda, b, 1))
                }
                Routine::Gemm => {
                    type F<T, V> = unsafe extern "C" fn(
                        i32,
                        i32,
                        i32,
                        i32,
                        i32,
                        i32,
                        V,
                        *const T,
                        i32,
                        *const T,
                        i32,
                        V,
                        *mut T,
                        i32,
                    );
                    let f = self.get::<F<T, T::Value>>(&format!("{t}gemm"))?;
                    let steps = [o.a, o.b, o.c].map(|s| s.rows * s.cols);
                    Box::new(move || {
                        let (mut a, mut b, mut c) = (a, b, c);
                        for _ in 0..p.batch {
                            f(order, ta, tb, m, n, k, one.value(), a, lda, b, ldb, zero.value(), c, ldc);
                            a = a.wrapping_add(steps[0]);
                            b = b.wrapping_add(steps[1]);
                            c = c.wrapping_add(steps[2]);
                        }
                    })
                }
                Routine::Trsm | Routine::Trmm => {
                    type F<T, V> = unsafe extern "C" fn(
                        i32,
                        i32,
                        i32,
                        i32,
                        i32,
                        i32,
                        i32,
                        V,
                        *const T,
                        i32,
                        *mut T,
                        i32,
                    );
                    let name = if p.routine == Routine::Trsm { "trsm" } else { "trmm" };
                    let f = self.get::<F<T, T::Value>>(&format!("{t}{name}"))?;
                    Box::new(move || {
                        f(order, LEFT, LOWER, ta, NON_UNIT, m, n, one.value(), a, lda, b, ldb);
                    })
                }
                Routine::Symm | Routine::Hemm => {
                    type F<T, V> = unsafe extern "C" fn(
                        i32,
                        i32,
                        i32,
                        i32,
                        i32,
                        V,
                        *const T,
                        i32,
                        *const T,
                        i32,
                        V,
                        *mut T,
                        i32,
                    );
                    let name = if p.routine == Routine::Symm { "symm" } else { "hemm" };
                    let f = self.get::<F<T, T::Value>>(&format!("{t}{name}"))?;
                    Box::new(move || {
                        f(order, LEFT, LOWER, m, n, one.value(), a, lda, b, ldb, zero.value(), c, ldc);
                    })
                }
                Routine::Syrk => {
                    let f = self.get::<Rank<T, T::Value>>(&format!("{t}syrk"))?;
                    Box::new(move || f(order, LOWER, ta, m, k, one.value(), a, lda, zero.value(), c, ldc))
                }
                Routine::Herk => {
                    let f = self.get::<Rank<T, T::Real>>(&format!("{t}herk"))?;
                    let (one, zero) = (T::Real::one(), T::Real::zero());
                    Box::new(move || f(order, LOWER, ta, m, k, one, a, lda, zero, c, ldc))
                }
                Routine::Syr2k => {
                    type F<T, V> = unsafe extern "C" fn(
                        i32,
                        i32,
                        i32,
                        i32,
                        i32,
                        V,
                        *const T,
                        i32,
                        *const T,
                        i32,
                        V,
                        *mut T,
                        i32,
                    );
                    let f = self.get::<F<T, T::Value>>(&format!("{t}syr2k"))?;
                    Box::new(move || {
                        f(order, LOWER, ta, m, k, one.value(), a, lda, b, ldb, zero.value(), c, ldc);
                    })
                }
                _ => return None,
            })
        }
    }
}

/// syrk and herk.
type Rank<T, V> = unsafe extern "C" fn(i32, i32, i32, i32, i32, V, *const T, i32, V, *mut T, i32);

/// The op of an operand in a call of this order.
fn trans<T: Number>(s: &Stored<T>, order: i32) -> i32 {
    const NO_TRANS: i32 = 111;
    const TRANS: i32 = 112;
    let stored = if s.layout == Layout::Row { ROW } else { COL };
    if s.trans == (stored == order) { TRANS } else { NO_TRANS }
}
