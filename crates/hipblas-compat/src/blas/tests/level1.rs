//! Level 1.

use half::f16;
use hipblas_abi::data_type;
use num_complex::Complex;

use super::*;

#[test]
fn results_and_coefficients_are_where_the_mode_says() {
    let blas = Blas::new();
    let h = blas.handle;
    let (x, y) = (device(&[1.0f64, 2.0, 3.0]), device(&[10.0f64, 20.0, 30.0]));
    let (mut alpha, mut dot) = (2.0f64, 0.0f64);
    ok!(hipblasDaxpy(h, 3, at(&mut alpha), x, 1, y, 1); hipblasDdot(h, 3, x, 1, y, -1, at(&mut dot)));
    assert_eq!(dot, 36.0 + 2.0 * 24.0 + 3.0 * 12.0);

    blas.device_mode();
    let (alpha, dot) = (device(&[-1.0f64]), device(&[f64::NAN]));
    ok!(hipblasDaxpy(h, 3, alpha, x, 1, y, 1); hipblasDdot(h, 3, x, 1, y, 1, dot));
    assert_eq!(host::<f64, 3>(y), [11.0, 22.0, 33.0]);
    assert_eq!(host::<f64, 1>(dot), [11.0 + 44.0 + 99.0]);
}

#[test]
fn half_coefficients_are_widened() {
    let blas = Blas::new();
    let half = f16::from_f32;
    let (x, y) = (device(&[half(1.5), half(-2.0)]), device(&[half(1.0), half(1.0)]));
    ok!(hipblasHaxpy(blas.handle, 2, at(&mut half(2.0)), x, 1, y, 1));
    blas.device_mode();
    ok!(hipblasHaxpy(blas.handle, 2, device(&[half(0.5)]), x, 1, y, 1));
    assert_eq!(host::<f16, 2>(y), [half(4.75), half(-4.0)]);
}

#[test]
fn an_index_has_the_width_of_the_function() {
    let blas = Blas::new();
    let x = device(&[1.0f32, -5.0, 4.0, 9.0, 2.0, -3.0]);
    let mut narrow = [-1i32; 3];
    let mut wide = [-1i64; 2];
    ok!(hipblasIsamaxStridedBatched(blas.handle, 3, x, 1, 3, 2, at(&mut narrow));
        hipblasIsamin_64(blas.handle, 3, x, 2, at(&mut wide)));
    assert_eq!((narrow, wide), ([2, 1, -1], [1, -1]));
    blas.device_mode();
    let indices = device(&[-1i32; 3]);
    ok!(hipblasIsaminStridedBatched(blas.handle, 3, x, 1, 3, 2, indices));
    assert_eq!(host::<i32, 3>(indices), [1, 2, -1]);
}

#[test]
fn the_result_of_nothing_is_zero() {
    let blas = Blas::new();
    let (mut norm, mut index, mut dots) = (1.0f32, 1i32, [Complex::new(1.0f32, 1.0); 2]);
    ok!(hipblasSnrm2(blas.handle, -1, NULL, 1, at(&mut norm));
        hipblasIsamax(blas.handle, 3, NULL, -1, at(&mut index));
        hipblasCdotcBatched(blas.handle, 0, NULL, 1, NULL, 1, 2, at(&mut dots)));
    assert_eq!((norm, index, dots), (0.0, 0, [Complex::default(); 2]));
    fails!(INVALID_VALUE, hipblasSnrm2(blas.handle, -1, NULL, 1, NULL));
    fails!(INVALID_VALUE, hipblasSnrm2(blas.handle, 1, NULL, 1, at(&mut norm)));
    ok!(hipblasSscal(blas.handle, 3, NULL, NULL, 0));
}

#[test]
fn rotations_of_a_batch_have_their_own_numbers() {
    let blas = Blas::new();
    let mut numbers = [[3.0f64, 4.0, 0.0, 0.0], [0.0, 2.0, 7.0, 7.0]];
    let arrays: [[*mut f64; 2]; 4] = std::array::from_fn(|i| {
        let [first, second] = &mut numbers;
        [&raw mut first[i], &raw mut second[i]]
    });
    let [mut a, mut b, mut c, mut s] = arrays;
    ok!(hipblasDrotgBatched(blas.handle, at(&mut a), at(&mut b), at(&mut c), at(&mut s), 2));
    assert_eq!((numbers[0][0], numbers[1]), (5.0, [2.0, 1.0, 0.0, 1.0]));

    blas.device_mode();
    let on_device = device(&[3.0f64, 4.0, 0.0, 0.0]);
    let [a, b, c, s] = std::array::from_fn(|i| device(&[on_device.wrapping_byte_add(8 * i)]));
    ok!(hipblasDrotgBatched(blas.handle, a, b, c, s, 1));
    assert_eq!(host::<f64, 4>(on_device)[..1], [5.0]);
    let [_, _, c, s] = host::<f64, 4>(on_device);
    assert!((c - 0.6).abs() < 1e-15 && (s - 0.8).abs() < 1e-15);
}

#[test]
fn typed_arguments_must_be_a_known_combination() {
    use data_type::{C_16F, C_32F, R_32F, R_64F};
    let blas = Blas::new();
    let x = device(&[1.0e30f32, 1.0]);
    let y = device(&[1.0e30f32, 1.0]);
    let mut dot = 0.0f64;
    let mut call = |result, execution| {
        // SAFETY: the vectors are there, and the result is of the largest type.
        unsafe { hipblasDotEx(blas.handle, 2, x, R_32F, 1, y, R_32F, 1, at(&mut dot), result, execution) }
    };
    assert_eq!(call(R_64F, R_64F), status::SUCCESS);
    assert_eq!(call(R_64F, R_32F), status::NOT_SUPPORTED);
    assert_eq!(call(C_16F, R_32F), status::NOT_SUPPORTED);
    assert_eq!(call(77, R_32F), status::INVALID_ENUM);
    assert_eq!(dot, f64::from(1.0e30f32).powi(2) + 1.0);

    let z = device(&[Complex::new(1.0f32, -2.0)]);
    let half = device(&[0.5f32]);
    blas.device_mode();
    ok!(hipblasScalEx(blas.handle, 1, half, R_32F, z, C_32F, 1, C_32F));
    assert_eq!(host::<Complex<f32>, 1>(z), [Complex::new(0.5, -1.0)]);
}
