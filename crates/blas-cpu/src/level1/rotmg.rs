//! rotmg.

use blas_api::*;
use num_traits::Float;

use crate::CpuHandle;
use crate::operands::unsupported;

pub(crate) unsafe fn rotmg(_h: &CpuHandle, d: &RotmgDesc) -> Result {
    // SAFETY: the caller's promise.
    with_dtype!(d.dtype, T in R => unsafe { typed::<T>(d) }, else Err(unsupported(Routine::Rotmg, d.dtype)))
}

unsafe fn typed<T: RealField>(d: &RotmgDesc) -> Result {
    for i in 0..d.batch {
        // SAFETY: the descriptor's promise: one value an entry, five of `param`.
        unsafe {
            let at = |out: RawOut| out.ptr().cast::<T>().add(i);
            let (d1, d2, x1, y1) = (&mut *at(d.d1), &mut *at(d.d2), &mut *at(d.x1), *at(d.y1));
            let param = &mut *d.param.ptr().cast::<[T; 5]>().add(i);
            generate(d1, d2, x1, y1).store(param);
        }
    }
    Ok(())
}

/// H, with the entries that its kind implies left out.
enum Rotation<T> {
    /// Flag -2: the identity.
    Identity,
    /// Flag 0: ones on the diagonal.
    Off { h21: T, h12: T },
    /// Flag 1: (-1, 1) off the diagonal.
    Diagonal { h11: T, h22: T },
    /// Flag -1: all entries.
    Full { h11: T, h21: T, h12: T, h22: T },
}

impl<T: RealField> Rotation<T> {
    /// Writes the flag and the entries that it does not imply.
    fn store(self, param: &mut [T; 5]) {
        let one = T::one();
        match self {
            Rotation::Identity => param[0] = -one - one,
            Rotation::Off { h21, h12 } => (param[0], param[2], param[3]) = (T::zero(), h21, h12),
            Rotation::Diagonal { h11, h22 } => (param[0], param[1], param[4]) = (one, h11, h22),
            Rotation::Full { h11, h21, h12, h22 } => *param = [-one, h11, h21, h12, h22],
        }
    }

    /// The entries h11, h21, h12, h22, to be rescaled.
    fn entries(&self) -> [T; 4] {
        let (zero, one) = (T::zero(), T::one());
        match *self {
            Rotation::Identity => [one, zero, zero, one],
            Rotation::Off { h21, h12 } => [one, h21, h12, one],
            Rotation::Diagonal { h11, h22 } => [h11, -one, one, h22],
            Rotation::Full { h11, h21, h12, h22 } => [h11, h21, h12, h22],
        }
    }
}

/// The algorithm of Lawson et al. (1979), with two mends of its reference: rescaling a second time keeps the entries
/// that the first time made explicit, and infinite numbers are not rescaled, which would not end.
fn generate<T: RealField>(d1: &mut T, d2: &mut T, x1: &mut T, y1: T) -> Rotation<T> {
    let (zero, one) = (T::zero(), T::one());
    if *d1 < zero {
        return hopeless(d1, d2, x1);
    }
    let p2 = *d2 * y1;
    if p2.is_zero() {
        return Rotation::Identity;
    }
    let p1 = *d1 * *x1;
    let (q1, q2) = (p1 * *x1, p2 * y1);
    let mut h = if Float::abs(q1) > Float::abs(q2) {
        let (h21, h12) = (-y1 / *x1, p2 / p1);
        let u = one - h12 * h21;
        if u <= zero {
            // Rounding alone brings this about.
            return hopeless(d1, d2, x1);
        }
        (*d1, *d2, *x1) = (*d1 / u, *d2 / u, *x1 * u);
        Rotation::Off { h21, h12 }
    } else {
        if q2 < zero {
            return hopeless(d1, d2, x1);
        }
        let (h11, h22) = (p1 / p2, *x1 / y1);
        let u = one + h11 * h22;
        (*d1, *d2, *x1) = (*d2 / u, *d1 / u, y1 * u);
        Rotation::Diagonal { h11, h22 }
    };
    // d1 goes with the first row of H and with x1, d2 with the second row.
    while let Some(k) = rescaling(*d1) {
        let [h11, h21, h12, h22] = h.entries();
        (*d1, *x1) = (*d1 * k * k, *x1 / k);
        h = Rotation::Full { h11: h11 / k, h21, h12: h12 / k, h22 };
    }
    while let Some(k) = rescaling(*d2) {
        let [h11, h21, h12, h22] = h.entries();
        *d2 = *d2 * k * k;
        h = Rotation::Full { h11, h21: h21 / k, h12, h22: h22 / k };
    }
    h
}

/// The factor whose square brings `d` nearer to the range between 1 / 4096^2 and 4096^2, if it is not there.
fn rescaling<T: RealField>(d: T) -> Option<T> {
    let gamma = T::from_parts([4096.0, 0.0]);
    let (small, large) = ((gamma * gamma).recip(), gamma * gamma);
    let size = Float::abs(d);
    if d.is_zero() || !size.is_finite() {
        None
    } else if size <= small {
        Some(gamma)
    } else if size >= large {
        Some(gamma.recip())
    } else {
        None
    }
}

/// No rotation does it: everything becomes zero.
fn hopeless<T: RealField>(d1: &mut T, d2: &mut T, x1: &mut T) -> Rotation<T> {
    let zero = T::zero();
    (*d1, *d2, *x1) = (zero, zero, zero);
    Rotation::Full { h11: zero, h21: zero, h12: zero, h22: zero }
}
