//! What the table stands for, counted, and what is particular to each ABI.

use std::collections::HashSet;

use hipblas_abi::{
    Abi, Arguments, Elem, Family, Form, Level, Numbers, Operand, SLOTS, calls, data_type, diag, exports,
    exports_until, fill, functions, operation, side,
};

#[test]
fn each_abi_has_as_many_names_as_its_libraries_export() {
    // From the export lists of 0.54, 2.4 and 3.2, and the header of 1.0; then what release notes add, up to 3.7.
    for (abi, release, names) in [
        (Abi::V0, 505, 635),
        (Abi::V1, 507, 645),
        (Abi::V2, 604, 1849),
        (Abi::V3, 702, 1191),
        (Abi::V3, 714, 1199),
        (Abi::V3, 1002, 1207),
    ] {
        let all: Vec<String> = exports_until(abi, release).map(|(name, _)| name).collect();
        let set: HashSet<&String> = all.iter().collect();
        assert_eq!(set.len(), all.len(), "{abi:?} has a name twice");
        assert_eq!(set.len(), names, "{abi:?} of {release}");
    }
    assert_eq!(exports(Abi::V3).count(), 1207);
    let v2: Vec<String> = exports(Abi::V2).map(|(name, _)| name).collect();
    let v2_names = v2.iter().filter(|n| n.contains("_v2")).count();
    let wide = v2.iter().filter(|n| n.ends_with("_64") && !n.contains("_v2")).count();
    assert_eq!((v2.len() - v2_names - wide, wide, v2_names), (638, 552, 659));
}

#[test]
fn levels_of_3_have_the_counts_of_its_header() {
    let count = |level, wide| {
        exports_until(Abi::V3, 702).filter(|(_, f)| f.family.level == level && f.wide == wide).count()
    };
    let levels = [Level::Aux, Level::One, Level::Two, Level::Three, Level::Ex, Level::Solver];
    assert_eq!(levels.map(|l| count(l, false)), [20, 171, 222, 147, 27, 52]);
    assert_eq!(levels.map(|l| count(l, true)), [0, 171, 222, 135, 24, 0]);
}

#[test]
fn every_function_has_a_slot_of_its_own() {
    let mut seen = HashSet::new();
    for f in hipblas_abi::FAMILIES.iter().flat_map(Family::functions) {
        assert!(f.index() < SLOTS);
        assert!(seen.insert(f.index()), "{} shares its slot", f.name());
    }
}

#[test]
fn trmm_changes_its_signature_and_ex_functions_their_name() {
    let params = |abi, name: &str| functions(abi).find(|f| f.name() == name).map(|f| f.params().len());
    assert_eq!(params(Abi::V0, "hipblasStrmm"), Some(12));
    assert_eq!(params(Abi::V1, "hipblasStrmm"), Some(12));
    assert_eq!(params(Abi::V1, "hipblasStrmmOutofplace"), Some(14));
    assert_eq!(params(Abi::V2, "hipblasStrmm"), Some(14));
    assert_eq!(params(Abi::V3, "hipblasStrmmStridedBatched"), Some(18));
    let gemm = functions(Abi::V3).find(|f| f.name() == "hipblasGemmEx_64").unwrap();
    assert_eq!(gemm.name_in(Abi::V2), "hipblasGemmEx_v2_64");
    assert_eq!(gemm.name_in(Abi::V3), "hipblasGemmEx_64");
    let cgemm = functions(Abi::V3).find(|f| f.name() == "hipblasCgemm").unwrap();
    assert_eq!(cgemm.name_in(Abi::V2), "hipblasCgemm");
}

/// Adds up what it was given, each value with another weight.
unsafe extern "C" fn probe(
    handle: *mut std::ffi::c_void,
    n: i32,
    alpha: *mut f32,
    x: *mut f32,
    incx: i32,
    stride_x: i64,
    y: *mut f32,
    incy: i32,
    stride_y: i64,
    batch: i32,
) -> i32 {
    let places = [handle as usize, alpha as usize, x as usize, y as usize];
    assert_eq!(places, [1, 2, 3, 4]);
    assert_eq!((n, incx, stride_x, incy, stride_y, batch), (5, -6, 1 << 40, 7, -8, 9));
    42
}

#[test]
fn a_call_hands_over_each_argument_in_its_place() {
    let operand = |ptr: usize, ld, stride| Operand { ptr: ptr as *mut _, dtype: 0, ld, stride };
    let axpy = calls::Axpy {
        n: 5,
        alpha: 2 as *const _,
        x: operand(3, -6, 1 << 40),
        y: operand(4, 7, -8),
        batch: 9,
    };
    // SAFETY: the function has the signature of a strided axpy.
    let status =
        unsafe { axpy.call(probe as *const _, std::ptr::without_provenance_mut(1), Form::Strided, false) };
    assert_eq!(status, 42);
    assert_eq!(axpy.beyond_i32(Form::Strided), None);
    let large = calls::Axpy { n: 1 << 31, batch: 1 << 33, ..axpy };
    assert_eq!(large.beyond_i32(Form::Strided), Some(("n", 1 << 31)));
    assert_eq!(calls::Axpy { n: 5, ..large }.beyond_i32(Form::Plain), None);
}

/// Numbers from 0, in the order of hipBLAS's.
struct FromZero;

impl Numbers for FromZero {
    fn operation(value: i32) -> i32 {
        value - operation::N
    }
    fn fill(value: i32) -> i32 {
        value - fill::UPPER
    }
    fn diag(value: i32) -> i32 {
        value - diag::NON_UNIT
    }
    fn side(value: i32) -> i32 {
        value - side::LEFT
    }
    fn compute(value: i32) -> i32 {
        value
    }
    fn gemm_algo(_: i32) -> i32 {
        -1
    }
}

#[test]
fn arguments_take_the_numbers_of_another_library_and_leave_the_rest() {
    let matrix = Operand { ptr: std::ptr::null_mut(), dtype: data_type::R_64F, ld: 7, stride: 0 };
    let args = calls::Trsm {
        side: side::RIGHT,
        uplo: fill::LOWER,
        trans_a: operation::C,
        diag: diag::UNIT,
        m: 3,
        n: 2,
        alpha: std::ptr::null(),
        a: matrix,
        b: matrix,
        batch: 1,
    };
    let other = calls::Trsm { side: 1, uplo: 1, trans_a: 2, diag: 1, ..args };
    assert_eq!(args.with_numbers::<FromZero>(), other);
}

#[test]
fn an_entry_of_a_batch_has_its_own_operands_and_result() {
    let operand = |at: usize, stride| Operand {
        ptr: std::ptr::without_provenance_mut(at),
        dtype: data_type::C_32F,
        ld: 1,
        stride,
    };
    let pointer = std::ptr::without_provenance_mut;
    let step = |i: i64| {
        move |o: Operand, size: usize| o.ptr.wrapping_byte_offset((i * o.stride * size as i64) as isize)
    };
    let nrm2 = calls::Nrm2 { n: 5, x: operand(4096, 10), batch: 3, result: pointer(64) };
    let entry = nrm2.entry(2, Some((Elem::C32, Elem::C32)), step(2));
    assert_eq!(entry, calls::Nrm2 { x: operand(4096 + 2 * 10 * 8, 0), result: pointer(64 + 2 * 4), ..nrm2 });

    let amax = calls::Amax { n: 5, x: operand(4096, -10), batch: 3, result: pointer(64) };
    let entry = amax.entry(1, Some((Elem::C64, Elem::C64)), step(1));
    assert_eq!(entry, calls::Amax { x: operand(4096 - 160, 0), result: pointer(64 + 4), ..amax });

    // In an Ex function sizes follow from the operands' own types.
    let (result_type, execution_type) = (data_type::R_64F, data_type::R_64F);
    let half = Operand { dtype: data_type::R_16F, ..operand(4096, 10) };
    let dot = calls::DotEx {
        n: 5,
        x: half,
        y: operand(0, 0),
        batch: 4,
        result: pointer(64),
        result_type,
        execution_type,
    };
    let entry = dot.entry(3, None, step(3));
    let x = Operand { stride: 0, ..Operand { ptr: pointer(4096 + 60), ..half } };
    assert_eq!(entry, calls::DotEx { x, result: pointer(64 + 24), ..dot });
}

#[test]
fn grouped_functions_have_an_array_for_each_size() {
    let f = functions(Abi::V3).find(|f| f.name() == "hipblasDgemmGroupedBatched_64").unwrap();
    assert_eq!(
        f.prototype(),
        "hipblasStatus_t hipblasDgemmGroupedBatched_64(hipblasHandle_t handle, hipblasOperation_t* trans_a, \
         hipblasOperation_t* trans_b, int64_t* m, int64_t* n, int64_t* k, double* alpha, double** a, int64_t* lda, \
         double** b, int64_t* ldb, double* beta, double** c, int64_t* ldc, int64_t group_count, int64_t* group_size)"
    );
    let ex = functions(Abi::V3).find(|f| f.name() == "hipblasGemmGroupedBatchedExWithFlags").unwrap();
    assert_eq!(ex.params().len(), 25);
}
