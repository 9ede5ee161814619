//! Comparing results with what a row expects.

use blas_api::DType;

use super::row::{Parts, Want};

/// Relative tolerance for results of a type: the row's own, but never tighter than the rounding of the type, nor than the
/// rounding of the row's numbers to it.
pub(super) fn tolerance(tol: f64, dtype: DType, rounding: f64) -> f64 {
    let unit: f64 = match dtype {
        DType::F32 | DType::C32 => 1e-6,
        DType::F16 => 2f64.powi(-11),
        DType::BF16 => 2f64.powi(-8),
        _ => 0.0,
    };
    tol.max(unit).max(4.0 * rounding)
}

/// Whether a result of a complex (or real) type is what is wanted.
pub(super) fn agrees(got: Parts, complex: bool, want: Want, tol: f64) -> bool {
    match want {
        Want::Real(None) | Want::Pair([None, None]) => true,
        // A real row run for a complex type: arithmetic makes (NaN, 0), (NaN, NaN) or (Inf, NaN) of what is NaN or an
        // infinity in real numbers, whose sign complex numbers do not have.
        Want::Real(Some(w)) if complex && w.is_nan() => got[0].is_nan() || got[1].is_nan(),
        Want::Real(Some(w)) if complex && w.is_infinite() => !got[0].is_finite() || !got[1].is_finite(),
        Want::Real(Some(w)) => close(got[0], w, tol * w.abs()) && close(got[1], 0.0, tol * w.abs()),
        Want::Pair(parts) => {
            let size = parts.iter().flatten().fold(0.0f64, |s, p| s.hypot(*p));
            let size = if size.is_finite() { size } else { 0.0 };
            got.iter().zip(parts).all(|(&g, w)| w.is_none_or(|w| close(g, w, tol * size.max(finite(w)))))
        }
    }
}

fn finite(v: f64) -> f64 {
    if v.is_finite() { v.abs() } else { 0.0 }
}

fn close(got: f64, want: f64, slack: f64) -> bool {
    if want.is_nan() || got.is_nan() {
        return want.is_nan() && got.is_nan();
    }
    got == want || (want.is_finite() && (got - want).abs() <= slack)
}

/// A number for a report.
pub(super) fn show(v: Parts, complex: bool) -> String {
    if complex { format!("({:e}, {:e})", v[0], v[1]) } else { format!("{:e}", v[0]) }
}

/// What was wanted, for a report.
pub(super) fn show_want(want: Want) -> String {
    let part = |p: Option<f64>| p.map_or_else(|| "anything".to_owned(), |v| format!("{v:e}"));
    match want {
        Want::Real(p) => part(p),
        Want::Pair([re, im]) => format!("({}, {})", part(re), part(im)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: f64 = f64::NAN;
    const INF: f64 = f64::INFINITY;

    #[test]
    fn zero_tolerance_is_equality() {
        assert!(agrees([1.0, 0.0], false, Want::Real(Some(1.0)), 0.0));
        assert!(!agrees([1.0 + f64::EPSILON, 0.0], false, Want::Real(Some(1.0)), 0.0));
        assert!(agrees([-0.0, 0.0], false, Want::Real(Some(0.0)), 0.0));
        assert!(agrees([123.0, NAN], true, Want::Real(None), 0.0));
    }

    #[test]
    fn nan_and_infinities_are_values() {
        assert!(agrees([NAN, 0.0], false, Want::Real(Some(NAN)), 1.0));
        assert!(!agrees([1.0, 0.0], false, Want::Real(Some(NAN)), 1.0));
        assert!(!agrees([NAN, 0.0], false, Want::Real(Some(1.0)), 1.0));
        assert!(agrees([INF, 0.0], false, Want::Real(Some(INF)), 0.0));
        assert!(!agrees([INF, 0.0], false, Want::Real(Some(-INF)), 1.0));
        assert!(!agrees([f64::MAX, 0.0], false, Want::Real(Some(INF)), 1.0));
        assert!(!agrees([INF, 0.0], false, Want::Real(Some(f64::MAX)), 1.0));
    }

    #[test]
    fn parts_of_complex_numbers_count_singly() {
        let want = Want::Pair([Some(NAN), Some(INF)]);
        assert!(agrees([NAN, INF], true, want, 0.0));
        assert!(!agrees([INF, NAN], true, want, 0.0));
        assert!(!agrees([1.0, 1e-20], true, Want::Real(Some(1.0)), 0.0));
        assert!(agrees([1.0, 9.0], true, Want::Pair([Some(1.0), None]), 0.0));
        // A relative tolerance is relative to the complex number.
        assert!(agrees([1.0, 1e-7], true, Want::Pair([Some(1.0), Some(0.0)]), 1e-6));
    }

    #[test]
    fn tolerances_follow_the_type() {
        assert_eq!(tolerance(0.0, DType::F64, 0.0), 0.0);
        assert_eq!(tolerance(1e-3, DType::C32, 0.0), 1e-3);
        assert_eq!(tolerance(0.0, DType::F32, 1e-5), 4e-5);
        assert_eq!(tolerance(0.0, DType::BF16, 0.0), 1.0 / 256.0);
    }
}
