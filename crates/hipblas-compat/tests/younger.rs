//! Functions that are younger than hipBLAS 3.2, through the exported functions.

#[allow(dead_code, reason = "shared by the tests")]
mod common;

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use common::{Blas, at, operand};
use half::f16;
use hipblas_abi::{
    Arguments, Form, Handle, Operand, calls, compute, data_type, fill, gemm_algo, operation, pointer_mode,
    property, status,
};
use num_complex::Complex;

unsafe extern "C" {
    fn compat_hipblasGetVersion(handle: Handle, version: *mut c_int) -> c_int;
    fn compat_hipblasGetProperty(property: c_int, value: *mut c_int) -> c_int;
    fn compat_hipblasSetBatchAlphaStride(handle: Handle, stride: i64) -> c_int;
    fn compat_hipblasGetBatchAlphaStride(handle: Handle, stride: *mut i64) -> c_int;
    fn compat_hipblasSetBatchBetaStride(handle: Handle, stride: i64) -> c_int;
    fn compat_hipblasGetBatchBetaStride(handle: Handle, stride: *mut i64) -> c_int;
}

#[test]
fn the_version_is_told_with_and_without_a_handle_and_in_parts() {
    let blas = Blas::new();
    let (mut version, mut part) = (0, 0);
    // SAFETY: there is room for what is asked for.
    unsafe {
        for handle in [blas.0, null_mut()] {
            assert_eq!(compat_hipblasGetVersion(handle, &mut version), status::SUCCESS);
            assert_eq!(version, 30700);
        }
        assert_eq!(compat_hipblasGetVersion(blas.0, null_mut()), status::INVALID_VALUE);
        for (what, value) in
            [(property::MAJOR_VERSION, 3), (property::MINOR_VERSION, 7), (property::PATCH_LEVEL, 0)]
        {
            assert_eq!(compat_hipblasGetProperty(what, &mut part), status::SUCCESS);
            assert_eq!(part, value);
        }
        assert_eq!(compat_hipblasGetProperty(999, &mut part), status::INVALID_VALUE);
        assert_eq!(compat_hipblasGetProperty(property::MAJOR_VERSION, null_mut()), status::INVALID_VALUE);
    }
}

fn set_strides(blas: &Blas, alpha: i64, beta: i64) {
    let (mut a, mut b) = (-1, -1);
    // SAFETY: there is room for what is asked for.
    unsafe {
        assert_eq!(compat_hipblasSetBatchAlphaStride(blas.0, alpha), status::SUCCESS);
        assert_eq!(compat_hipblasSetBatchBetaStride(blas.0, beta), status::SUCCESS);
        assert_eq!(compat_hipblasGetBatchAlphaStride(blas.0, &mut a), status::SUCCESS);
        assert_eq!(compat_hipblasGetBatchBetaStride(blas.0, &mut b), status::SUCCESS);
        assert_eq!(compat_hipblasSetBatchAlphaStride(null_mut(), 1), status::NOT_INITIALIZED);
    }
    assert_eq!((a, b), (alpha, beta));
}

#[test]
fn entries_of_a_batch_may_have_coefficients_of_their_own() {
    let blas = Blas::new();
    blas.pointer_mode(pointer_mode::DEVICE);
    set_strides(&blas, 1, 2);
    // 1 x 1 matrices, three entries.
    let (alphas, betas) = ([1.0f32, 10.0, 100.0], [0.0f32, 9.0, 1.0, 9.0, 2.0]);
    let (mut a, mut x, mut y) = ([1.0f32, 2.0, 3.0], [1.0f32; 3], [f32::NAN, 5.0, 6.0]);
    let strided = |data: &mut [f32]| Operand { stride: 1, ..operand(data, data_type::R_32F, 1) };
    let gemv = calls::Gemv {
        trans: operation::N,
        m: 1,
        n: 1,
        alpha: at(&alphas),
        a: strided(&mut a),
        x: strided(&mut x),
        beta: at(&betas),
        y: strided(&mut y),
        batch: 3,
    };
    assert_eq!(call!(blas, compat_hipblasSgemvStridedBatched, Strided, gemv), status::SUCCESS);
    blas.wait();
    assert_eq!(y, [1.0, 25.0, 312.0]);

    // Errors are those of the whole batch, and nothing is written.
    let bad = calls::Gemv { m: -1, ..gemv };
    assert_eq!(call!(blas, compat_hipblasSgemvStridedBatched, Strided, bad), status::INVALID_VALUE);

    let mut pointers = [y.as_mut_ptr(), &raw mut y[1], &raw mut y[2]];
    let x = operand(&mut pointers, data_type::R_32F, 1);
    let scal = calls::Scal { n: 1, alpha: at(&alphas), x, batch: 3 };
    assert_eq!(call!(blas, compat_hipblasSscalBatched, Batched, scal), status::SUCCESS);
    blas.wait();
    assert_eq!(y, [1.0, 250.0, 31200.0]);

    // Strides say nothing about coefficients on the host.
    blas.pointer_mode(pointer_mode::HOST);
    assert_eq!(call!(blas, compat_hipblasSscalBatched, Batched, scal), status::SUCCESS);
    blas.wait();
    assert_eq!(y, [1.0, 250.0, 31200.0]);
}

const OPERATIONS: [c_int; 2] = [operation::N, operation::T];

#[test]
fn groups_have_sizes_operations_and_coefficients_of_their_own() {
    let blas = Blas::new();
    // Two problems of 2 x 1 times 1 x 1, then one of 1 x 2 times 2 x 1, whose B is transposed.
    let (m, n, k) = ([2i64, 1], [1i64, 1], [1i64, 2]);
    let (lda, ldb, ldc) = ([2i64, 1], [1i64, 1], [2i64, 1]);
    let sizes = [2i64, 1];
    let (alpha, beta) = ([1.0f64, 2.0], [0.0f64, -1.0]);
    let (mut a, mut b) =
        ([[1.0f64, 2.0], [3.0, 4.0], [5.0, 6.0]], [[10.0f64, 0.0], [100.0, 0.0], [1.0, 1.0]]);
    let mut c = [[f64::NAN; 2], [f64::NAN; 2], [7.0, 8.0]];
    let mut pointers = [&mut a, &mut b, &mut c].map(|x| x.each_mut().map(|m| m.as_mut_ptr()));
    let [a, b, c_array] = pointers.each_mut().map(|p| operand(p, data_type::R_64F, 1));
    let args = calls::GemmGrouped {
        trans_a: at(&[operation::N; 2]),
        trans_b: at(&OPERATIONS),
        m: at(&m),
        n: at(&n),
        k: at(&k),
        alpha: at(&alpha),
        a,
        lda: at(&lda),
        b,
        ldb: at(&ldb),
        beta: at(&beta),
        c: c_array,
        ldc: at(&ldc),
        group_count: 2,
        group_size: at(&sizes),
    };
    unsafe extern "C" {
        fn compat_hipblasDgemmGroupedBatched_64();
    }
    let function = std::hint::black_box(compat_hipblasDgemmGroupedBatched_64 as *const c_void);
    // SAFETY: the arrays are as long as the function wants them, or it must refuse.
    let run = |handle, args: calls::GemmGrouped| unsafe { args.call(function, handle, Form::Batched, true) };

    // What is wrong with the last group keeps the first from being computed.
    let wrong = [2i64, -1];
    assert_eq!(run(blas.0, calls::GemmGrouped { m: at(&wrong), ..args }), status::INVALID_VALUE);
    assert_eq!(run(blas.0, calls::GemmGrouped { group_size: at(&wrong), ..args }), status::INVALID_VALUE);
    assert_eq!(run(blas.0, calls::GemmGrouped { alpha: null(), ..args }), status::INVALID_VALUE);
    assert_eq!(run(null_mut(), args), status::NOT_INITIALIZED);
    assert_eq!(run(blas.0, calls::GemmGrouped { group_count: 0, ..args }), status::SUCCESS);
    blas.wait();
    assert!(c[0][0].is_nan());

    assert_eq!(run(blas.0, args), status::SUCCESS);
    blas.wait();
    assert_eq!(c, [[10.0, 20.0], [300.0, 400.0], [15.0, 8.0]]);
}

#[test]
fn a_grouped_gemm_of_run_time_types_may_write_elsewhere() {
    let blas = Blas::new();
    let half = f16::from_f32;
    let (mut a, mut b, mut c, mut d) =
        ([half(3.0), half(4.0)], [half(2.0)], [1.0f32, 2.0, 5.0], [f32::NAN; 2]);
    let (mut a, mut b) = ([a.as_mut_ptr()], [b.as_mut_ptr()]);
    let (mut c_array, mut d_array) = ([c.as_mut_ptr()], [d.as_mut_ptr()]);
    let (alpha, beta) = (10.0f32, 0.5f32);
    let (one, two, three) = (1i32, 2i32, 3i32);
    let args = calls::GemmGroupedEx {
        trans_a: at(&operation::N),
        trans_b: at(&operation::C),
        m: at(&two),
        n: at(&one),
        k: at(&one),
        alpha: at(&alpha),
        a: operand(&mut a, -1, 1),
        a_type: data_type::R_16F,
        lda: at(&two),
        b: operand(&mut b, -1, 1),
        b_type: data_type::R_16F,
        ldb: at(&one),
        beta: at(&beta),
        c: operand(&mut c_array, -1, 1),
        c_type: data_type::R_32F,
        ldc: at(&three),
        d: operand(&mut d_array, -1, 1),
        d_type: data_type::R_32F,
        ldd: at(&two),
        group_count: 1,
        group_size: at(&one),
        compute: compute::F32,
        algo: gemm_algo::DEFAULT,
    };
    assert_eq!(call!(blas, compat_hipblasGemmGroupedBatchedEx, Batched, args), status::SUCCESS);
    blas.wait();
    assert_eq!((c, d), ([1.0, 2.0, 5.0], [60.5, 81.0]));

    let other = calls::GemmGroupedEx { d_type: data_type::R_16F, ..args };
    assert_eq!(call!(blas, compat_hipblasGemmGroupedBatchedEx, Batched, other), status::NOT_SUPPORTED);
}

#[test]
fn rank_k_updates_are_computed_in_a_wider_type() {
    let blas = Blas::new();
    let half = f16::from_f32;
    // A is 2 x 1 in an array of 3 rows; of C only the lower triangle is there.
    let mut a = [half(3.0), half(-4.0), f16::NAN];
    let mut c = [half(1.0), half(2.0), f16::NAN, half(4.0)];
    let (alpha, beta) = (2.0f32, -1.0f32);
    let args = calls::SyrkEx {
        uplo: fill::LOWER,
        trans_a: operation::N,
        n: 2,
        k: 1,
        alpha: at(&alpha),
        a: operand(&mut a, data_type::R_16F, 3),
        beta: at(&beta),
        c: operand(&mut c, data_type::R_16F, 2),
        batch: 1,
        compute_type: data_type::R_32F,
    };
    assert_eq!(call!(blas, compat_hipblasSyrkEx, Plain, args), status::SUCCESS);
    blas.wait();
    assert_eq!([c[0], c[1], c[3]].map(f16::to_f32), [17.0, -26.0, 28.0]);
    assert!(c[2].is_nan());
    let syrk = |args| call!(blas, compat_hipblasSyrkEx, Plain, args);
    assert_eq!(syrk(calls::SyrkEx { compute_type: data_type::R_16F, ..args }), status::NOT_SUPPORTED);
    assert_eq!(syrk(calls::SyrkEx { beta: null(), ..args }), status::INVALID_VALUE);
    assert_eq!(syrk(calls::SyrkEx { uplo: fill::FULL, ..args }), status::INVALID_VALUE);
    assert_eq!(syrk(calls::SyrkEx { trans_a: 0, ..args }), status::INVALID_ENUM);

    // Aᴴ of 1 x 2 with A 2 x 1, C of the wider type; its diagonal becomes real.
    let mut a = [Complex::new(1.0f32, 2.0), Complex::new(0.0, -3.0)];
    let mut c = [Complex::new(1.0f64, 9.0)];
    let (alpha, beta) = (1.0f64, 10.0f64);
    let args = calls::HerkEx {
        uplo: fill::UPPER,
        trans_a: operation::C,
        n: 1,
        k: 2,
        alpha: at(&alpha),
        a: operand(&mut a, data_type::C_32F, 2),
        beta: at(&beta),
        c: operand(&mut c, data_type::C_64F, 1),
        batch: 1,
        compute_type: data_type::C_64F,
    };
    assert_eq!(call!(blas, compat_hipblasHerkEx, Plain, args), status::SUCCESS);
    blas.wait();
    assert_eq!(c[0], Complex::new(24.0, 0.0));
    let transposed = calls::HerkEx { trans_a: operation::T, ..args };
    assert_eq!(call!(blas, compat_hipblasHerkEx, Plain, transposed), status::INVALID_VALUE);
}
