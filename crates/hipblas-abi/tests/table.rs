//! What the table stands for, counted, and what is particular to each ABI.

use std::collections::HashSet;

use hipblas_abi::{Abi, Arguments, Family, Form, Level, Operand, SLOTS, calls, exports, functions};

#[test]
fn each_abi_has_as_many_names_as_its_libraries_export() {
    // From the export lists of 0.54, 2.4 and 3.2, and the header of 1.0.
    for (abi, names) in [(Abi::V0, 635), (Abi::V1, 645), (Abi::V2, 1849), (Abi::V3, 1191)] {
        let set: HashSet<String> = exports(abi).map(|(name, _)| name).collect();
        assert_eq!(set.len(), exports(abi).count(), "{abi:?} has a name twice");
        assert_eq!(set.len(), names, "{abi:?}");
    }
    let v2: Vec<String> = exports(Abi::V2).map(|(name, _)| name).collect();
    let v2_names = v2.iter().filter(|n| n.contains("_v2")).count();
    let wide = v2.iter().filter(|n| n.ends_with("_64") && !n.contains("_v2")).count();
    assert_eq!((v2.len() - v2_names - wide, wide, v2_names), (638, 552, 659));
}

#[test]
fn levels_of_3_have_the_counts_of_its_header() {
    let count =
        |level, wide| functions(Abi::V3).filter(|f| f.family.level == level && f.wide == wide).count();
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
