//! Small products as most of them are. Their tile is made of the descriptor itself: such a product is over before much could be
//! asked about it. What decides is compiled into the caller with the call, where much of it is known.

use std::ptr::{null, null_mut};

use blas_api::{Address, GemmDesc, Matrix, RawScalar, Trans};

use super::Native;
use super::blocked::each_tile;
use super::cache::{LEAST, is_spread};
use super::tile::Tile;
use crate::isa::Isa;

/// Sizes are less than this, a power of 2. Larger products do not notice what a call costs.
const SIZES: usize = 64;

/// gemm of one small problem with coefficients on the host, if nothing is conjugated, columns of A are contiguous, and the
/// kernels can read all operands where they are. The answer is whether it has been one: else nothing has been done.
///
/// # Safety
/// As for the raw call. All operands are of type `T`.
#[inline(always)]
pub(crate) unsafe fn small<T: Native>(d: &GemmDesc) -> bool {
    let GemmDesc { m, n, k, .. } = *d;
    let (RawScalar::Host(alpha), RawScalar::Host(beta)) = (d.alpha, d.beta) else { return false };
    let (Some(a), Some(b), Some(c)) = (first(&d.a), first(&d.b), first(&d.c)) else { return false };
    let (b_row, b_column) = match d.tb {
        Trans::N => (1, d.b.ld as isize),
        Trans::T => (d.b.ld as isize, 1),
        Trans::C | Trans::ConjN => return false,
    };
    let (alpha, beta) = (T::from_parts(alpha), T::from_parts(beta));
    // Products with a vector have their own way, and empty sums their own rule.
    let is_plain = d.batch == 1 && d.ta == Trans::N && m > 1 && n > 1 && k > 0 && !alpha.is_zero();
    let (a_step, c_step) = (d.a.ld as isize, d.c.ld as isize);
    if !is_plain || (m | n | k) >= SIZES || Isa::get() == Isa::Portable || !is_spread::<T>(a_step, k, LEAST) {
        return false;
    }
    let (conj, more, copy) = (false, null(), null_mut());
    let mut tile = Tile { m, n, k, alpha, a, a_step, b, b_row, b_column, beta, c, c_step, conj, more, copy };
    // SAFETY: the caller's promise.
    unsafe { T::small(&mut tile) };
    true
}

/// The first entry, unless it is to be found in an array.
#[inline(always)]
fn first<T>(m: &Matrix) -> Option<*mut T> {
    match m.data {
        Address::Strided { ptr, .. } => Some(ptr.cast()),
        Address::Array { .. } => None,
    }
}

/// What is not compiled into the caller: the tile is the whole product.
///
/// # Safety
/// As for [`small`]; the kernels are our own.
#[inline(always)]
pub(super) unsafe fn compute<T: Native>(all: &mut Tile<T>) {
    let kernels = T::kernels();
    let (m, n) = (all.m, all.n);
    // SAFETY: the caller's promise.
    unsafe {
        if m <= kernels.tile()[0]
            && let Some(kernel) = kernels.widths(m).get(n - 1)
        {
            return kernel(all);
        }
        each_tile(kernels, all, [m, n], all.a, all.b, all.c, || {});
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Dims, Panel, gemm};
    use blas_api::{Complex, DType, GemmTypes};

    const LD: usize = 40;

    fn numbers<T: Native>(seed: usize) -> Vec<T> {
        let part = |i: usize| ((i * 7 + seed * 5) % 13) as f64 / 16.0 - 0.375;
        (0..LD * LD).map(|i| T::from_parts([part(i), part(i + 4)])).collect()
    }

    /// Small products are those of the engine, bit for bit.
    fn check<T: Native>(dtype: DType) {
        let (mut a, mut b) = (numbers::<T>(1), numbers::<T>(2));
        for (m, n, k) in [(2, 2, 1), (8, 8, 8), (17, 5, 33), (40, 40, 40), (3, 31, 2)] {
            for (tb, beta) in [(Trans::N, T::zero()), (Trans::T, T::from_parts([0.5, -2.0]))] {
                let (mut c, mut same) = (numbers::<T>(3), numbers::<T>(3));
                let alpha = T::from_parts([1.5, 0.25]);
                let matrix = |x: &mut [T]| Matrix { data: Address::single(x.as_mut_ptr().cast()), ld: LD };
                let d = GemmDesc {
                    types: GemmTypes::plain(dtype),
                    batch: 1,
                    ta: Trans::N,
                    tb,
                    m,
                    n,
                    k,
                    alpha: RawScalar::Host(alpha.parts()),
                    a: matrix(&mut a),
                    b: matrix(&mut b),
                    beta: RawScalar::Host(beta.parts()),
                    c: matrix(&mut c),
                };
                let panel = |x: &mut [T]| Panel::columns(x.as_mut_ptr(), LD);
                let right = if tb == Trans::N { panel(&mut b) } else { panel(&mut b).t() };
                // SAFETY: all elements are there.
                unsafe {
                    gemm(1, Dims { m, n, k }, alpha, panel(&mut a), right, beta, panel(&mut same));
                    if Isa::get() == Isa::Portable {
                        assert!(!small::<T>(&d));
                        continue;
                    }
                    assert!(small::<T>(&d));
                }
                assert_eq!(c, same);
                let others = [
                    GemmDesc { batch: 2, ..d },
                    GemmDesc { ta: Trans::T, ..d },
                    GemmDesc { tb: Trans::C, ..d },
                    GemmDesc { m: 1, ..d },
                    GemmDesc { n: SIZES, ..d },
                    GemmDesc { k: 0, ..d },
                    GemmDesc { alpha: RawScalar::ZERO, ..d },
                    GemmDesc { beta: RawScalar::Device(std::ptr::null()), ..d },
                ];
                // SAFETY: none of them is computed.
                assert!(others.iter().all(|d| !unsafe { small::<T>(d) }));
                assert_eq!(c, same);
            }
        }
    }

    #[test]
    fn small_products_are_those_of_the_engine() {
        check::<f32>(DType::F32);
        check::<f64>(DType::F64);
        check::<Complex<f32>>(DType::C32);
        check::<Complex<f64>>(DType::C64);
    }
}
