//! Level 3, the GEMM and TRSM of run-time types, and the solvers, through the exported functions.

mod common;

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use common::{Blas, at, operand};
use half::f16;
use hipblas_abi::{
    Operand, calls, compute, data_type, diag, fill, gemm_algo, int8, operation, pointer_mode, side, status,
};
use num_complex::Complex32;

const NONE: Operand = Operand { ptr: null_mut(), dtype: data_type::R_32F, ld: 8, stride: 0 };

fn gemm_args(alpha: &f32, beta: &f32) -> calls::Gemm {
    let (trans_a, trans_b) = (operation::N, operation::N);
    let (alpha, beta) = (at(alpha), at(beta));
    calls::Gemm { trans_a, trans_b, m: 2, n: 2, k: 2, alpha, a: NONE, b: NONE, beta, c: NONE, batch: 1 }
}

#[test]
fn null_operands_are_legal_where_the_coefficients_leave_them_unread() {
    let blas = Blas::new();
    let (zero, one, two) = (0.0f32, 1.0, 2.0);
    let mut c = [1.0f32, 2.0, 3.0, 4.0];
    for mode in [pointer_mode::HOST, pointer_mode::DEVICE] {
        blas.pointer_mode(mode);
        let gemm = |args| call!(blas, compat_hipblasSgemm, Plain, args);
        assert_eq!(gemm(gemm_args(&zero, &one)), status::SUCCESS);
        assert_eq!(gemm(gemm_args(&one, &one)), status::INVALID_VALUE);
        assert_eq!(gemm(gemm_args(&zero, &two)), status::INVALID_VALUE);
        assert_eq!(gemm(calls::Gemm { m: 0, beta: null(), ..gemm_args(&one, &one) }), status::SUCCESS);
        assert_eq!(gemm(calls::Gemm { beta: null(), ..gemm_args(&one, &one) }), status::INVALID_VALUE);
        let c = operand(&mut c, data_type::R_32F, 2);
        let scale = calls::Gemm { k: 0, alpha: null(), c, ..gemm_args(&one, &two) };
        assert_eq!(gemm(scale), status::SUCCESS);
        assert_eq!(gemm(calls::Gemm { trans_b: 0, m: -1, ..scale }), status::INVALID_ENUM);
        assert_eq!(gemm(calls::Gemm { m: 3, ..scale }), status::INVALID_VALUE);
    }
    blas.wait();
    assert_eq!(c, [4.0, 8.0, 12.0, 16.0]);
}

#[test]
fn half_gemm_takes_half_coefficients_in_both_places() {
    let blas = Blas::new();
    let half = |x: f32| f16::from_f32(x);
    let (alpha, beta) = (half(2.0), half(-1.0));
    for mode in [pointer_mode::HOST, pointer_mode::DEVICE] {
        blas.pointer_mode(mode);
        let (mut a, mut b, mut c) = ([half(3.0)], [half(5.0)], [half(4.0)]);
        let args = calls::Gemm {
            m: 1,
            n: 1,
            k: 1,
            alpha: at(&alpha),
            a: operand(&mut a, data_type::R_16F, 1),
            b: operand(&mut b, data_type::R_16F, 1),
            beta: at(&beta),
            c: operand(&mut c, data_type::R_16F, 1),
            ..gemm_args(&0.0, &0.0)
        };
        assert_eq!(call!(blas, compat_hipblasHgemm, Plain, args), status::SUCCESS);
        blas.wait();
        assert_eq!(c[0].to_f32(), 26.0);
    }
}

#[test]
fn gemm_ex_has_the_types_of_amds_library_and_no_others() {
    let blas = Blas::new();
    let (alpha, beta) = (2.0f32, 0.0f32);
    let (mut a, mut b, mut c) = ([f16::from_f32(3.0)], [f16::from_f32(5.0)], [0.0f32]);
    let args = calls::GemmEx {
        trans_a: operation::N,
        trans_b: operation::T,
        m: 1,
        n: 1,
        k: 1,
        alpha: at(&alpha),
        a: operand(&mut a, data_type::R_16F, 1),
        b: operand(&mut b, data_type::R_16F, 1),
        beta: at(&beta),
        c: operand(&mut c, data_type::R_32F, 1),
        batch: 1,
        compute: compute::F32,
        algo: gemm_algo::DEFAULT,
    };
    let gemm = |args| call!(blas, compat_hipblasGemmEx, Plain, args);
    assert_eq!(gemm(args), status::SUCCESS);
    blas.wait();
    assert_eq!(c, [30.0]);
    assert_eq!(gemm(calls::GemmEx { compute: compute::F32_FAST_TF32, ..args }), status::NOT_SUPPORTED);
    assert_eq!(gemm(calls::GemmEx { compute: compute::F16, ..args }), status::NOT_SUPPORTED);
    assert_eq!(gemm(calls::GemmEx { algo: 0, ..args }), status::INVALID_ENUM);

    // In the old numbers, 150 is f16 and 151 is f32, which is also the type of the computation.
    let typed = |o: Operand, dtype| Operand { dtype, ..o };
    let (a, b, c) = (typed(args.a, 150), typed(args.b, 150), typed(args.c, 151));
    let old = calls::GemmEx { a, b, c, compute: 151, ..args };
    let old_gemm = |args| call!(blas, compat_old_hipblasGemmEx, Plain, args);
    assert_eq!(old_gemm(old), status::SUCCESS);
    blas.wait();
    assert_eq!(old_gemm(args), status::INVALID_ENUM);
}

/// The int8 layout of hipBLAS 0.5x, made by its rule.
fn packed(data: &[i8], rows: usize, cols: usize, ld: usize) -> Vec<i8> {
    let mut out = vec![0; data.len()];
    for col in 0..cols {
        for row in 0..rows {
            out[(col - col % 4) * ld + 4 * row + col % 4] = data[col * ld + row];
        }
    }
    out
}

#[test]
fn packed_int8_is_the_plain_product() {
    let blas = Blas::new();
    let (m, n, k, batch) = (3, 5, 8, 2);
    let (alpha, beta) = (2i32, -1i32);
    let numbers =
        |seed: usize, len: usize| -> Vec<i8> { (0..len).map(|i| ((i * 7 + seed) % 11) as i8 - 5).collect() };
    for (trans_a, trans_b) in
        [operation::N, operation::T].into_iter().flat_map(|a| [operation::N, operation::T].map(|b| (a, b)))
    {
        // Leading dimensions beyond the rows; whole groups where rows run along k.
        let ((ra, ca), (rb, cb)) = (
            if trans_a == operation::N { (m, k) } else { (k, m) },
            if trans_b == operation::N { (k, n) } else { (n, k) },
        );
        let (lda, ldb) = (ra + 4, rb + 4);
        let a: Vec<Vec<i8>> = (0..batch).map(|i| numbers(i, lda * ca)).collect();
        let b: Vec<Vec<i8>> = (0..batch).map(|i| numbers(i + 3, ldb * cb)).collect();
        let run = |packing: c_int| {
            blas.int8(packing);
            let pack = |pack: bool, data: &Vec<i8>, rows, cols, ld| {
                if pack && packing == int8::PACK_INT8X4 { packed(data, rows, cols, ld) } else { data.clone() }
            };
            let mut a: Vec<_> = a.iter().map(|a| pack(trans_a == operation::N, a, ra, ca, lda)).collect();
            let mut b: Vec<_> = b.iter().map(|b| pack(trans_b != operation::N, b, rb, cb, ldb)).collect();
            let mut c = vec![vec![1i32; m * n]; batch];
            let mut a: Vec<*mut i8> = a.iter_mut().map(|a| a.as_mut_ptr()).collect();
            let mut b: Vec<*mut i8> = b.iter_mut().map(|b| b.as_mut_ptr()).collect();
            let mut pc: Vec<*mut i32> = c.iter_mut().map(|c| c.as_mut_ptr()).collect();
            let args = calls::GemmEx {
                trans_a,
                trans_b,
                m: m as i64,
                n: n as i64,
                k: k as i64,
                alpha: at(&alpha),
                a: operand(&mut a, data_type::R_8I, lda),
                b: operand(&mut b, data_type::R_8I, ldb),
                beta: at(&beta),
                c: operand(&mut pc, data_type::R_32I, m),
                batch: batch as i64,
                compute: compute::I32,
                algo: gemm_algo::DEFAULT,
            };
            assert_eq!(call!(blas, compat_hipblasGemmBatchedEx, Batched, args), status::SUCCESS);
            blas.wait();
            c
        };
        assert_eq!(run(int8::INT8), run(int8::PACK_INT8X4));
    }
}

#[test]
fn trmm_in_place_wants_one_leading_dimension() {
    let blas = Blas::new();
    let alpha = 2.0f32;
    // [2 0; 3 1], of which the upper triangle is not read.
    let mut a = [2.0f32, 3.0, f32::NAN, 1.0];
    let (mut b, mut c) = ([1.0f32, 1.0, 2.0, 2.0], [0.0f32; 4]);
    let args = calls::Trmm {
        side: side::LEFT,
        uplo: fill::LOWER,
        trans_a: operation::N,
        diag: diag::NON_UNIT,
        m: 2,
        n: 2,
        alpha: at(&alpha),
        a: operand(&mut a, data_type::R_32F, 2),
        b: operand(&mut b, data_type::R_32F, 2),
        c: operand(&mut c, data_type::R_32F, 2),
        batch: 1,
    };
    let trmm = |args| call!(blas, compat_hipblasStrmm, Plain, args);
    assert_eq!(trmm(args), status::SUCCESS);
    blas.wait();
    let product = [4.0, 8.0, 8.0, 16.0];
    assert_eq!((b, c), ([1.0, 1.0, 2.0, 2.0], product));

    let b_as_c = |ld| calls::Trmm { c: Operand { ld, ..args.b }, ..args };
    assert_eq!(trmm(b_as_c(3)), status::INVALID_VALUE);
    assert_eq!(trmm(b_as_c(2)), status::SUCCESS);
    blas.wait();
    assert_eq!(b, product);

    // The function of hipBLAS 0 and 1, under the same name.
    b = [1.0, 1.0, 2.0, 2.0];
    let calls::Trmm { side, uplo, trans_a, diag, m, n, alpha, a, batch, .. } = args;
    let b_only = operand(&mut b, data_type::R_32F, 2);
    let in_place = calls::TrmmInPlace { side, uplo, trans_a, diag, m, n, alpha, a, b: b_only, batch };
    assert_eq!(call!(blas, compat_hipblasStrmm_in_place, Plain, in_place), status::SUCCESS);
    blas.wait();
    assert_eq!(b, product);
}

#[test]
fn updates_take_the_operations_that_their_symmetry_allows() {
    let blas = Blas::new();
    let (mut a, mut c) = ([Complex32::new(1.0, 2.0)], [Complex32::new(0.0, 7.0)]);
    let (one, alpha, beta) = (Complex32::new(1.0, 0.0), 3.0f32, 1.0f32);
    let herk = calls::Herk {
        uplo: fill::UPPER,
        trans_a: operation::C,
        n: 1,
        k: 1,
        alpha: at(&alpha),
        a: operand(&mut a, data_type::C_32F, 1),
        beta: at(&beta),
        c: operand(&mut c, data_type::C_32F, 1),
        batch: 1,
    };
    let run = |args| call!(blas, compat_hipblasCherk, Plain, args);
    assert_eq!(run(herk), status::SUCCESS);
    blas.wait();
    assert_eq!(c[0], Complex32::new(15.0, 0.0));
    assert_eq!(run(calls::Herk { trans_a: operation::T, ..herk }), status::INVALID_VALUE);
    assert_eq!(run(calls::Herk { uplo: fill::FULL, ..herk }), status::INVALID_VALUE);

    let calls::Herk { uplo, n, k, a, c, batch, .. } = herk;
    let (alpha, beta) = (at(&one), at(&one));
    let syrk = |trans_a| calls::Syrk { uplo, trans_a, n, k, alpha, a, beta, c, batch };
    let run = |trans| call!(blas, compat_hipblasCsyrk, Plain, syrk(trans));
    assert_eq!(run(operation::C), status::INVALID_VALUE);
    assert_eq!(run(operation::T), status::SUCCESS);
}

#[test]
fn geam_in_place_wants_the_same_layout() {
    let blas = Blas::new();
    let (alpha, beta) = (2.0f64, 1.0);
    let (mut a, mut b) = ([1.0f64, 2.0, 3.0, 4.0], [1.0f64; 4]);
    let (a, b) = (operand(&mut a, data_type::R_64F, 2), operand(&mut b, data_type::R_64F, 2));
    let (trans_a, trans_b) = (operation::N, operation::N);
    let (alpha, beta) = (at(&alpha), at(&beta));
    let args = calls::Geam { trans_a, trans_b, m: 2, n: 2, alpha, a, beta, b, c: a, batch: 1 };
    let geam = |args| call!(blas, compat_hipblasDgeam, Plain, args);
    assert_eq!(geam(args), status::SUCCESS);
    assert_eq!(geam(calls::Geam { c: Operand { ld: 3, ..a }, ..args }), status::INVALID_VALUE);
    assert_eq!(geam(calls::Geam { trans_a: operation::T, ..args }), status::INVALID_VALUE);
}

#[test]
fn solvers_name_the_argument_at_fault() {
    let blas = Blas::new();
    let (mut info, mut words) = (7 as c_int, [7 as c_int; 2]);
    let (mut a, mut b, mut pivots) = ([2.0f64, 4.0, 1.0, 8.0], [3.0f64, 12.0], [0 as c_int; 2]);
    let (a, b) = (operand(&mut a, data_type::R_64F, 2), operand(&mut b, data_type::R_64F, 2));
    let pivots = operand(&mut pivots, data_type::R_64F, 1);
    let info_at = std::ptr::from_mut(&mut info);
    let read = || {
        // SAFETY: it lives as long as this test.
        unsafe { info_at.read() }
    };

    let getrf = calls::Getrf { n: 2, a, pivots, info: words.as_mut_ptr().cast(), batch: 1 };
    assert_eq!(call!(blas, compat_hipblasDgetrf, Plain, getrf), status::SUCCESS);
    let info: *mut c_void = info_at.cast();
    let getrs = calls::Getrs { trans: operation::N, n: 2, nrhs: 1, a, pivots, b, info, batch: 1 };
    assert_eq!(call!(blas, compat_hipblasDgetrs, Plain, getrs), status::SUCCESS);
    blas.wait();
    // SAFETY: as above.
    let x = unsafe { b.ptr.cast::<[f64; 2]>().read() };
    assert_eq!((x, read(), words), ([1.0, 1.0], 0, [0, 7]));

    let small = Operand { ld: 1, ..b };
    assert_eq!(
        call!(blas, compat_hipblasDgetrs, Plain, calls::Getrs { b: small, ..getrs }),
        status::INVALID_VALUE
    );
    assert_eq!(read(), -8);
    // The strides of A and the pivots stand before it.
    let strided = |args| call!(blas, compat_hipblasDgetrsStridedBatched, Strided, args);
    assert_eq!(strided(calls::Getrs { b: small, ..getrs }), status::INVALID_VALUE);
    assert_eq!(read(), -10);
    assert_eq!(strided(calls::Getrs { batch: -1, ..getrs }), status::INVALID_VALUE);
    assert_eq!(read(), -13);

    let device_info = words.as_mut_ptr().cast();
    let gels = calls::Gels { trans: operation::C, m: 2, n: 2, nrhs: 1, a, b, info, device_info, batch: 1 };
    assert_eq!(call!(blas, compat_hipblasDgels, Plain, gels), status::INVALID_VALUE);
    assert_eq!(read(), -1);

    // An empty matrix has factors.
    words = [7; 2];
    let empty = calls::Getrf { n: 0, a: NONE, pivots: NONE, info: words.as_mut_ptr().cast(), batch: 2 };
    assert_eq!(call!(blas, compat_hipblasDgetrfBatched, Batched, empty), status::SUCCESS);
    blas.wait();
    assert_eq!(words, [0, 0]);
}
