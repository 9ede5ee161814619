//! Level 2.

use hipblas_abi::{diag, fill, operation};
use num_complex::Complex;

use super::*;

/// Columns (1, 2), (3, 4).
const A: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

#[test]
fn each_form_finds_its_operands() {
    let blas = Blas::new();
    let h = blas.handle;
    let (a, x) = (device(&A), device(&[1.0f32, 10.0]));
    let (mut one, mut two) = (1.0f32, 2.0f32);
    let (one, two) = (at(&mut one), at(&mut two));
    let y = device(&[1.0f32; 4]);
    ok!(hipblasSgemv(h, operation::N, 2, 2, one, a, 2, x, 1, two, y, 1));
    assert_eq!(host::<f32, 4>(y), [33.0, 44.0, 1.0, 1.0]);
    // The same A and x for both, backwards into y.
    ok!(hipblasSgemvStridedBatched_64(h, operation::T, 2, 2, one, a, 2, 0, x, 1, 0, two, y, -1, 2, 2));
    assert_eq!(host::<f32, 4>(y), [109.0, 109.0, 45.0, 23.0]);

    let second = y.wrapping_byte_add(8);
    let [aa, xx, yy] = [[a, a], [x, x], [second, y]].map(|array| device(&array));
    let mut zero = 0.0f32;
    ok!(hipblasSgemvBatched(h, operation::N, 2, 2, two, aa, 2, xx, 1, at(&mut zero), yy, 1, 2));
    assert_eq!(host::<f32, 4>(y), [62.0, 84.0, 62.0, 84.0]);
}

#[test]
fn arguments_are_checked_in_order() {
    let blas = Blas::new();
    let h = blas.handle;
    let (mut zero, mut one) = (0.0f32, 1.0f32);
    let (zero, one) = (at(&mut zero), at(&mut one));
    let (a, x, y) = (device(&A), device(&A), device(&A));
    fails!(INVALID_ENUM, hipblasSgemv(NULL, 0, -1, 0, NULL, NULL, 0, NULL, 0, NULL, NULL, 0));
    fails!(NOT_INITIALIZED, hipblasSgemv(NULL, operation::N, -1, 0, NULL, NULL, 0, NULL, 0, NULL, NULL, 0));
    fails!(INVALID_VALUE, hipblasSgemv(h, operation::N, 2, 0, NULL, NULL, 1, NULL, 1, NULL, NULL, 1));
    fails!(INVALID_VALUE, hipblasSgemv(h, operation::N, 0, 2, NULL, NULL, 1, NULL, 1, NULL, NULL, 0));
    ok!(hipblasSgemv(h, operation::N, 0, 2, NULL, NULL, 1, NULL, 1, NULL, NULL, 1));
    ok!(hipblasSgemv(h, operation::N, 2, 2, zero, NULL, 2, NULL, 1, one, NULL, 1));
    ok!(hipblasSgemv(h, operation::N, 2, 2, zero, NULL, 2, NULL, 1, zero, y, 1));
    assert_eq!(host::<f32, 4>(y), [0.0, 0.0, 3.0, 4.0]);
    fails!(INVALID_VALUE, hipblasSgemv(h, operation::N, 2, 2, one, a, 2, NULL, 1, one, y, 1));
    fails!(INVALID_VALUE, hipblasSgemv(h, operation::N, 2, 2, one, a, 2, x, 1, one, NULL, 1));
    fails!(INVALID_VALUE, hipblasSgemv(h, operation::N, 2, 2, NULL, a, 2, x, 1, one, y, 1));
    fails!(INVALID_VALUE, hipblasSsyr(h, fill::FULL, 2, one, x, 1, a, 2));
    fails!(INVALID_ENUM, hipblasSsyr(h, 0, 2, one, x, 1, a, 2));
    fails!(INVALID_VALUE, hipblasStbmv(h, fill::UPPER, operation::N, diag::UNIT, 2, 1, a, 1, x, 1));
}

#[test]
fn a_hermitian_update_has_a_real_coefficient() {
    let blas = Blas::new();
    let c = Complex::new;
    let (x, packed) = (device(&[c(1.0f64, 1.0), c(0.0, 2.0)]), device(&[c(1.0f64, 9.0); 3]));
    let mut alpha = [2.0f64, f64::NAN];
    ok!(hipblasZhpr(blas.handle, fill::LOWER, 2, at(&mut alpha), x, 1, packed));
    assert_eq!(host::<Complex<f64>, 3>(packed), [c(5.0, 0.0), c(5.0, 13.0), c(9.0, 0.0)]);
}
