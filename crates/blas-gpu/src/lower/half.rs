//! f16 and bf16, for which hipBLAS has few functions: sums as products of matrices, copies as copies of memory.

use blas_api::*;

use super::coefs::constant;
use super::copies::Problem;
use super::entries;
use super::vectors::row;
use crate::GpuHandle;
use crate::level3::gemm;

/// Size of an element.
const SIZE: usize = 2;

/// Whether the type is one of the two.
pub(crate) fn is_half(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::BF16)
}

/// y = alpha * sign * x + beta * y for vectors with positive increments: the product of a 1 x 1 matrix and a row, in
/// f32 and rounded once. `to` is the type of y: that of x, or f32.
///
/// # Safety
/// The operands are there.
pub(crate) unsafe fn axpby(
    p: &Problem<'_, impl GpuHandle>,
    n: usize,
    (alpha, sign, x): (RawScalar, f64, Vector),
    (beta, y, to): (RawScalar, Vector, DType),
) -> Result {
    let one = constant(p.h, sign, p.dtype)?;
    let d = GemmDesc {
        types: GemmTypes { a: p.dtype, b: p.dtype, c: to, compute: Compute::F32 },
        batch: p.batch,
        ta: Trans::N,
        tb: Trans::N,
        m: 1,
        n,
        k: 1,
        alpha,
        a: Matrix { data: Address::single(one), ld: 1 },
        b: row(x),
        beta,
        c: row(y),
    };
    // SAFETY: the caller's promise.
    unsafe { gemm::by_types(p.h, p.routine, &d) }
}

/// x, which has a positive increment, in f32 without gaps; exactly.
///
/// # Safety
/// The operand is there.
pub(crate) unsafe fn widened(p: &Problem<'_, impl GpuHandle>, n: usize, x: Vector) -> Result<Vector> {
    let data = Problem { dtype: DType::F32, ..*p }.scratch(n)?;
    let wide = Vector { data, inc: 1 };
    // SAFETY: the caller's promise; scratch memory is apart.
    unsafe { axpby(p, n, (RawScalar::ONE, 1.0, x), (RawScalar::ZERO, wide, DType::F32))? };
    Ok(wide)
}

/// y = x, bit for bit.
///
/// # Safety
/// The operands are there, and do not overlap.
pub(crate) unsafe fn copy(p: &Problem<'_, impl GpuHandle>, n: usize, x: Vector, y: Vector) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        if let (Address::Strided { ptr: from, stride: sx }, Address::Strided { ptr: to, stride: sy }) =
            (x.data, y.data)
            && (x.inc, y.inc) == (1, 1)
            && sx >= n as isize
            && sy >= n as isize
        {
            return p.h.copy_2d(to, sy as usize * SIZE, from, sx as usize * SIZE, n * SIZE, p.batch);
        }
        let from = entries(p.h, x.data, p.batch, SIZE)?;
        let to = entries(p.h, y.data, p.batch, SIZE)?;
        let step = |inc: isize| inc.unsigned_abs();
        if x.inc != 0 && (x.inc < 0) == (y.inc < 0) {
            for (from, to) in from.into_iter().zip(to) {
                every(p, n, (to, step(y.inc)), (from, step(x.inc)))?;
            }
            return Ok(());
        }
        // Pairs of elements are elements of f32, which can be copied in any order; then those of a pair.
        let (pairs, odd) = (n.div_ceil(2), n % 2);
        let (first, second) = (p.h.scratch(pairs * 4)?, p.h.scratch(pairs * 4)?);
        for (from, to) in from.into_iter().zip(to) {
            if x.inc == 0 {
                every(p, 1, (first, 1), (from, 1))?;
                every(p, 1, (first.add(SIZE), 1), (from, 1))?;
                copy_pairs(p, pairs, first, 0, second, 1)?;
                every(p, n, (to, step(y.inc)), (second, 1))?;
                continue;
            }
            every(p, n, (first, 1), (from, step(x.inc)))?;
            copy_pairs(p, pairs, first, 1, second, -1)?;
            // Element i of the reversed vector is element i + odd of the reversed pairs, turned round within its pair.
            for i in 0..n.min(2) {
                let within = ((i + odd) ^ 1) * SIZE;
                let to = to.add(i * step(y.inc) * SIZE);
                every(p, (n - i).div_ceil(2), (to, 2 * step(y.inc)), (second.add(within), 2))?;
            }
        }
        Ok(())
    }
}

/// Copies n elements with so many elements from one to the next.
unsafe fn every(
    p: &Problem<'_, impl GpuHandle>,
    n: usize,
    to: (*mut u8, usize),
    from: (*mut u8, usize),
) -> Result {
    // SAFETY: the caller's promise.
    unsafe {
        match (to.1, from.1) {
            (1, 1) => p.h.copy_2d(to.0, n * SIZE, from.0, n * SIZE, n * SIZE, 1),
            (to_step, from_step) => p.h.copy_2d(to.0, to_step * SIZE, from.0, from_step * SIZE, SIZE, n),
        }
    }
}

/// Copies pairs of elements as elements of f32.
unsafe fn copy_pairs(
    p: &Problem<'_, impl GpuHandle>,
    pairs: usize,
    from: *mut u8,
    from_inc: isize,
    to: *mut u8,
    to_inc: isize,
) -> Result {
    let wide = Problem { dtype: DType::F32, batch: 1, ..*p };
    let vector = |ptr, inc| Vector { data: Address::single(ptr), inc };
    // SAFETY: the caller's promise.
    unsafe { wide.copy_vector(pairs, vector(from, from_inc), vector(to, to_inc)) }
}
