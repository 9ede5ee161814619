//! rot: of the half types by sums in f32, since `RotEx` takes coefficients of their own type only.

use blas_api::*;
use hipblas_abi::calls;

use super::{axpy, rotg, scal};
use crate::GpuHandle;
use crate::lower::coefs::constant;
use crate::lower::copies::Problem;
use crate::lower::half::{self, is_half};
use crate::lower::vectors::forwards;
use crate::lower::{Batch, Coefs, elem};

pub(crate) unsafe fn rot(h: &impl GpuHandle, d: &RotDesc) -> Result {
    if is_half(d.dtype) {
        // SAFETY: the caller's promise.
        return unsafe { of_half(&Problem::new(h, Routine::Rot, d), d) };
    }
    let second = if d.real { d.dtype.real() } else { d.dtype };
    let b = Batch::new(h, d.batch, &[d.x.data, d.y.data]);
    let (x, y) = (b.vector(d.x, d.dtype)?, b.vector(d.y, d.dtype)?);
    let real = d.dtype.real();
    // rocBLAS returns at once from a rotation that it can see to be the identity, but NaN times 0 is NaN.
    let is_identity = (d.c, d.s) == (RawScalar::ONE, RawScalar::ZERO);
    let c = if is_identity { RawScalar::Device(constant(h, 1.0, real)?) } else { d.c };
    let coefs = Coefs::new(h, [(c, real), (d.s, second)])?;
    let args = calls::Rot { n: d.n as i64, x, y, c: coefs.at(0), s: coefs.at(1), batch: b.count() };
    // SAFETY: the caller's promise.
    unsafe { b.call("rot", elem(d.dtype).zip(elem(second)), &args) }
}

/// x = c x + s y and y = c y - s x with copies of the old x and y; what is added runs as the sum does.
unsafe fn of_half(p: &Problem<'_, impl GpuHandle>, d: &RotDesc) -> Result {
    let RotDesc { dtype, batch, n, x, y, c, s, .. } = *d;
    // SAFETY: the caller's promise.
    unsafe {
        let (old_x, old_y) = (p.compacted(n, x, y.inc)?, p.compacted(n, y, x.inc)?);
        half::axpby(p, n, (s, 1.0, forwards(old_y)), (c, forwards(x), dtype))?;
        half::axpby(p, n, (s, -1.0, forwards(old_x)), (c, forwards(y), dtype))?;
        // These sums leave out what has a coefficient of 0, but a rotation multiplies by it.
        let (mut multiplied, zero) = (false, RawScalar::ZERO);
        for (coef, to_x, to_y) in [(c, old_x, old_y), (s, old_y, old_x)] {
            let Some(alpha) = one_if_zero(p.h, coef)? else { continue };
            if !multiplied {
                scal(p.h, &ScalDesc { dtype, batch, n, real: false, alpha: zero, x: old_x })?;
                scal(p.h, &ScalDesc { dtype, batch, n, real: false, alpha: zero, x: old_y })?;
                multiplied = true;
            }
            axpy(p.h, &AxpyDesc { dtype, batch, n, alpha, x: to_x, y: x })?;
            axpy(p.h, &AxpyDesc { dtype, batch, n, alpha, x: to_y, y })?;
        }
        Ok(())
    }
}

/// 1 if a coefficient in f32 is 0, else 0 or None: the c of the rotation that turns (0, coefficient) to the first axis.
unsafe fn one_if_zero(h: &impl GpuHandle, coef: RawScalar) -> Result<Option<RawScalar>> {
    const SIZE: usize = size_of::<f32>();
    let from = match coef {
        RawScalar::Host([value, _]) => return Ok((value == 0.0).then_some(RawScalar::ONE)),
        RawScalar::Device(from) => from,
    };
    let dtype = DType::F32;
    // Written by the rotation, so that a graph must clear it each time.
    let a = h.scratch(4 * SIZE)?;
    let [b, c, s] = [1, 2, 3].map(|i| a.wrapping_add(i * SIZE));
    let [a_out, b_out, c_out, s_out] = [a, b, c, s].map(RawOut::Device);
    // SAFETY: the caller's promise; there is room for four numbers.
    unsafe {
        h.fill(a, 0, 4 * SIZE)?;
        h.copy_2d(b, SIZE, from, SIZE, SIZE, 1)?;
        rotg(h, &RotgDesc { dtype, batch: 1, a: a_out, b: b_out, c: c_out, s: s_out })?;
    }
    Ok(Some(RawScalar::Device(c)))
}
