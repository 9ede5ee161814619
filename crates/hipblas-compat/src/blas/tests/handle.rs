//! Handles, modes, copies.

use std::ffi::CStr;

use blas_api::Precision;
use hipblas_abi::{Form, atomics, math};

use super::*;
use crate::blas::lower::Call;
use crate::blas::{Entry, handle};
use crate::hip::device;

#[test]
fn a_stale_handle_is_known_as_such() {
    let blas = Blas::new();
    let mut other = NULL;
    ok!(hipblasCreate(at(&mut other)); hipblasDestroy(other));
    fails!(NOT_INITIALIZED, hipblasDestroy(other));
    fails!(NOT_INITIALIZED, hipblasSetPointerMode(other, pointer_mode::HOST));
    fails!(NOT_INITIALIZED, hipblasScopy(other, 0, NULL, 1, NULL, 1));
    fails!(NOT_INITIALIZED, hipblasScopy(NULL, 0, NULL, 1, NULL, 1));
    ok!(hipblasScopy(blas.handle, 0, NULL, 1, NULL, 1));
    fails!(HANDLE_IS_NULLPTR, hipblasCreate(NULL));
}

#[test]
fn modes_are_kept() {
    let blas = Blas::new();
    let h = blas.handle;
    let mut mode = -1;
    ok!(hipblasGetPointerMode(h, at(&mut mode)));
    assert_eq!(mode, pointer_mode::HOST);
    ok!(hipblasSetPointerMode(h, pointer_mode::DEVICE); hipblasGetPointerMode(h, at(&mut mode)));
    assert_eq!(mode, pointer_mode::DEVICE);
    ok!(hipblasSetAtomicsMode(h, atomics::ALLOWED); hipblasGetAtomicsMode(h, at(&mut mode)));
    assert_eq!(mode, atomics::ALLOWED);
    fails!(INVALID_ENUM, hipblasSetAtomicsMode(h, 7));
    fails!(INVALID_VALUE, hipblasGetAtomicsMode(h, NULL));
    ok!(hipblasSetMathMode(h, math::DEFAULT_MATH); hipblasGetMathMode(h, at(&mut mode)));
    assert_eq!(mode, math::DEFAULT_MATH);
    if device::has_tf32() {
        ok!(hipblasSetMathMode(h, math::XF32_XDL_MATH); hipblasGetMathMode(h, at(&mut mode)));
        assert_eq!(mode, math::XF32_XDL_MATH);
    } else {
        fails!(NOT_SUPPORTED, hipblasSetMathMode(h, math::XF32_XDL_MATH));
    }
    fails!(NOT_SUPPORTED, hipblasSetMathMode(h, math::PEDANTIC_MATH));
    fails!(INVALID_ENUM, hipblasSetMathMode(h, 99));
}

/// Whatever the device makes of it: the queue of a stream computes for one handle after the other.
#[test]
fn work_is_done_with_the_precision_of_its_handle() {
    static ENTRY: Entry = Entry { name: "test", types: None, form: Form::Plain, wide: false };
    let (fast, exact) = (Blas::new(), create().unwrap());
    handle::change(fast.handle, |s| s.math = math::XF32_XDL_MATH).unwrap();
    for (h, precision) in
        [(fast.handle, Precision::AllowTf32), (exact, Precision::Exact), (fast.handle, Precision::AllowTf32)]
    {
        let call = Call::new(h, &ENTRY, 1).unwrap();
        call.run(move |raw| {
            assert_eq!(raw.policy().precision, precision);
            Ok(())
        })
        .unwrap();
    }
    ok!(hipblasDestroy(exact));
}

#[test]
fn statuses_have_names() {
    // SAFETY: the function returns C strings that stay.
    let name = |status| unsafe { CStr::from_ptr(hipblasStatusToString(status)) };
    assert_eq!(name(status::ALLOC_FAILED), c"HIPBLAS_STATUS_ALLOC_FAILED");
    assert_eq!(name(-1), c"<undefined hipblasStatus_t value>");
}

#[test]
fn vectors_and_matrices_are_copied() {
    let _blas = Blas::new();
    let strided = device(&[0.0f32; 6]);
    ok!(hipblasSetVector(3, 4, [1.0f32, 2.0, 3.0].as_mut_ptr().cast(), 1, strided, 2));
    assert_eq!(host::<f32, 6>(strided), [1.0, 0.0, 2.0, 0.0, 3.0, 0.0]);

    // 2 x 2 out of columns of 3, into columns of 2.
    let mut b = [0.0f64; 4];
    let a = device(&[1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0]);
    ok!(hipblasGetMatrix(2, 2, 8, a, 3, at(&mut b), 2));
    assert_eq!(b, [1.0, 2.0, 4.0, 5.0]);
    fails!(INVALID_VALUE, hipblasGetMatrix(2, 2, 8, a, 1, at(&mut b), 2));
    fails!(INVALID_VALUE, hipblasGetMatrix(2, 2, 8, NULL, 3, at(&mut b), 2));
    ok!(hipblasGetMatrix(0, 2, 8, NULL, 0, NULL, 0));
}
