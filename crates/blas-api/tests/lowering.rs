//! What reaches a backend: the descriptor that the algebra asks for, or nothing.

mod common;

use common::{Mock, MockBackend, Recorded};

use blas_api::*;

type C32 = Complex<f32>;
type In<'a, T> = MatRef<'a, T, MockBackend>;

const COL: Layout = Layout::Col;
const ROW: Layout = Layout::Row;

fn c(re: f32, im: f32) -> C32 {
    Complex::new(re, im)
}

/// Takes the one recorded call of a routine apart.
macro_rules! only {
    ($mock:expr, $variant:ident) => {
        match $mock.only() {
            Recorded::$variant(d) => d,
            other => panic!("{other:?}"),
        }
    };
}

fn start(m: Matrix) -> *const u8 {
    match m.data {
        Address::Strided { ptr, .. } => ptr,
        other => panic!("{other:?}"),
    }
}

#[test]
fn gemm_in_every_mix_of_layouts() -> Result {
    let mock = Mock::new();
    let (a, b, mut out) = ([c(1.0, 0.0); 6], [c(1.0, 0.0); 12], [c(0.0, 0.0); 8]);
    let (pa, pb) = (a.as_ptr().cast::<u8>(), b.as_ptr().cast::<u8>());
    // A 2 x 3, B 3 x 4, C 2 x 4. A column-major problem has A first, a row-major one B, both as the transposes.
    for (la, lb, lc) in [COL, ROW].into_iter().flat_map(|a| {
        [COL, ROW].into_iter().flat_map(move |b| [COL, ROW].into_iter().map(move |c| (a, b, c)))
    }) {
        let (av, bv) = (In::from_slice(&a, 2, 3, la)?, In::from_slice(&b, 3, 4, lb)?);
        mock.gemm(2.0, av, bv, 0.5, MatMut::from_slice(&mut out, 2, 4, lc)?)?;
        let d = only!(mock, Gemm);
        let op = |l| if l == lc { Trans::N } else { Trans::T };
        let ld = |l, rows, cols| if l == COL { rows } else { cols };
        let (first, second) = ((pa, op(la), ld(la, 2, 3)), (pb, op(lb), ld(lb, 3, 4)));
        let (first, second, m, n) = if lc == COL { (first, second, 2, 4) } else { (second, first, 4, 2) };
        assert_eq!((start(d.a), d.ta, d.a.ld), first, "{la:?} {lb:?} {lc:?}");
        assert_eq!((start(d.b), d.tb, d.b.ld), second, "{la:?} {lb:?} {lc:?}");
        assert_eq!((d.m, d.n, d.k, d.c.ld, d.batch), (m, n, 3, m, 1));
        assert_eq!((d.alpha, d.beta), (RawScalar::Host([2.0, 0.0]), RawScalar::Host([0.5, 0.0])));

        // A conjugated operand is op C where it is transposed, conj(A) where it is not.
        mock.gemm(1.0, av.conj(), bv, 0.0, MatMut::from_slice(&mut out, 2, 4, lc)?)?;
        let d = only!(mock, Gemm);
        let (conjugated, plain) = if lc == COL { (d.ta, d.tb) } else { (d.tb, d.ta) };
        assert_eq!(conjugated, if la == lc { Trans::ConjN } else { Trans::C });
        assert_eq!(plain, op(lb));
    }
    Ok(())
}

#[test]
fn row_major_outputs_flip_side_and_triangle() -> Result {
    let mock = Mock::new();
    let (a, mut b) = ([1.0f64; 9], [1.0f64; 6]);
    let a = |l| In::from_slice(&a, 3, 3, l);

    mock.trsm(Side::Left, 1.0, a(COL)?.lower(Diag::Unit), MatMut::from_slice(&mut b, 3, 2, COL)?)?;
    let d = only!(mock, Trsm);
    assert_eq!(
        (d.side, d.uplo, d.trans, d.diag, d.m, d.n),
        (Side::Left, Uplo::Lower, Trans::N, Diag::Unit, 3, 2)
    );
    // Row-major A is the transpose of the upper triangle that column-major code sees.
    mock.trsm(Side::Left, 1.0, a(ROW)?.lower(Diag::Unit), MatMut::from_slice(&mut b, 3, 2, COL)?)?;
    let d = only!(mock, Trsm);
    assert_eq!((d.side, d.uplo, d.trans), (Side::Left, Uplo::Upper, Trans::T));
    // Row-major B: X' A' = B', on the other side.
    mock.trsm(Side::Left, 1.0, a(ROW)?.lower(Diag::Unit), MatMut::from_slice(&mut b, 3, 2, ROW)?)?;
    let d = only!(mock, Trsm);
    assert_eq!((d.side, d.uplo, d.trans, d.m, d.n), (Side::Right, Uplo::Upper, Trans::N, 2, 3));
    mock.trsm(Side::Left, 1.0, a(COL)?.lower(Diag::Unit), MatMut::from_slice(&mut b, 3, 2, ROW)?)?;
    let d = only!(mock, Trsm);
    assert_eq!((d.side, d.uplo, d.trans), (Side::Right, Uplo::Lower, Trans::T));

    // Out of place, B may have another layout than C.
    let src = [1.0f64; 6];
    mock.trmm_into(
        Side::Right,
        1.0,
        a(COL)?.upper(Diag::NonUnit),
        In::from_slice(&src, 2, 3, ROW)?,
        MatMut::from_slice(&mut b, 2, 3, COL)?,
    )?;
    let d = only!(mock, Trmm);
    assert_eq!(
        (d.side, d.uplo, d.trans, d.tb, d.b.ld, d.c.ld),
        (Side::Right, Uplo::Upper, Trans::N, Trans::T, 3, 2)
    );
    // In place, B and C are one operand.
    mock.trmm(Side::Left, 1.0, a(COL)?.upper(Diag::NonUnit), MatMut::from_slice(&mut b, 3, 2, ROW)?)?;
    let d = only!(mock, Trmm);
    assert_eq!((d.side, d.uplo, d.trans, d.tb, d.b), (Side::Right, Uplo::Upper, Trans::T, Trans::N, d.c));

    // Symmetric A: only its triangle depends on the layout.
    mock.symm(
        Side::Left,
        1.0,
        a(ROW)?.sym(Uplo::Lower),
        In::from_slice(&src, 3, 2, COL)?,
        0.0,
        MatMut::from_slice(&mut b, 3, 2, COL)?,
    )?;
    let d = only!(mock, Symm);
    assert_eq!((d.side, d.uplo, d.conj, d.tb), (Side::Left, Uplo::Upper, false, Trans::N));
    mock.symm(
        Side::Left,
        1.0,
        a(ROW)?.sym(Uplo::Lower),
        In::from_slice(&src, 3, 2, COL)?,
        0.0,
        MatMut::from_slice(&mut b, 3, 2, ROW)?,
    )?;
    let d = only!(mock, Symm);
    assert_eq!((d.side, d.uplo, d.tb, d.m, d.n), (Side::Right, Uplo::Upper, Trans::T, 2, 3));
    Ok(())
}

#[test]
fn row_major_hermitian_matrices_are_their_conjugates() -> Result {
    let mock = Mock::new();
    let (a, b, mut out) = ([c(1.0, 2.0); 6], [c(1.0, 2.0); 6], [c(0.0, 0.0); 4]);
    let (a, b) = (In::from_slice(&a, 2, 3, COL)?, In::from_slice(&b, 2, 3, COL)?);

    mock.herk(1.0, a, 0.0, MatMut::from_slice(&mut out, 2, 2, COL)?.herm(Uplo::Lower))?;
    let d = only!(mock, Herk);
    assert_eq!((d.uplo, d.trans, d.n, d.k), (Uplo::Lower, Trans::N, 2, 3));
    mock.herk(1.0, a, 0.0, MatMut::from_slice(&mut out, 2, 2, ROW)?.herm(Uplo::Lower))?;
    let d = only!(mock, Herk);
    assert_eq!((d.uplo, d.trans), (Uplo::Upper, Trans::ConjN));
    mock.herk(1.0, a.h(), 0.0, MatMut::from_slice(&mut [c(0.0, 0.0); 9], 3, 3, ROW)?.herm(Uplo::Lower))?;
    let d = only!(mock, Herk);
    assert_eq!((d.uplo, d.trans, d.n, d.k), (Uplo::Upper, Trans::T, 3, 2));
    // A symmetric one is not.
    mock.syrk(1.0, a, 0.0, MatMut::from_slice(&mut out, 2, 2, ROW)?.sym(Uplo::Lower))?;
    let d = only!(mock, Syrk);
    assert_eq!((d.uplo, d.trans), (Uplo::Upper, Trans::N));

    let i = c(0.0, 1.0);
    mock.her2k(i, a, b, 0.0, MatMut::from_slice(&mut out, 2, 2, COL)?.herm(Uplo::Upper))?;
    let d = only!(mock, Her2k);
    assert_eq!((start(d.a), d.ta, d.uplo), (a_ptr(a), Trans::N, Uplo::Upper));
    // conj(i A B^H + conj(i) B A^H) = i conj(B) A' + conj(i) conj(A) B': A and B change places, alpha stays.
    mock.her2k(i, a, b, 0.0, MatMut::from_slice(&mut out, 2, 2, ROW)?.herm(Uplo::Upper))?;
    let d = only!(mock, Her2k);
    assert_eq!((start(d.a), start(d.b)), (a_ptr(b), a_ptr(a)));
    assert_eq!(
        (d.ta, d.tb, d.uplo, d.alpha),
        (Trans::ConjN, Trans::ConjN, Uplo::Lower, RawScalar::Host([0.0, 1.0]))
    );

    let (x, y) = ([c(1.0, 1.0); 2], [c(2.0, 1.0); 2]);
    let (x, y) = (VecRef::<_, MockBackend>::from_slice(&x), VecRef::from_slice(&y));
    mock.her2(i, x, y, MatMut::from_slice(&mut out, 2, 2, ROW)?.herm(Uplo::Upper))?;
    let d = only!(mock, Her2);
    assert_eq!((d.conj, d.uplo), (true, Uplo::Lower));
    mock.her(1.0, x, MatMut::from_slice(&mut out, 2, 2, ROW)?.herm(Uplo::Upper))?;
    assert!(only!(mock, Her).conj);
    // gerc conjugates y; of the transposed update that is the first vector.
    mock.gerc(i, x, y, MatMut::from_slice(&mut out, 2, 2, COL)?)?;
    let d = only!(mock, Gerc);
    assert_eq!((d.conj_x, d.conj_y), (false, true));
    mock.gerc(i, x, y, MatMut::from_slice(&mut out, 2, 2, ROW)?)?;
    let d = only!(mock, Gerc);
    assert_eq!((d.conj_x, d.conj_y), (true, false));
    Ok(())
}

fn a_ptr<T: Element>(a: In<'_, T>) -> *const u8 {
    // The text of a view has its address.
    let text = format!("{a:?}");
    let at = text.split(" at 0x").nth(1).and_then(|s| s.split(' ').next()).unwrap();
    usize::from_str_radix(at, 16).unwrap() as *const u8
}

#[test]
fn real_types_have_no_conjugate() -> Result {
    let mock = Mock::new();
    let (a, x, mut y) = ([1.0f64; 4], [1.0f64; 2], [0.0f64; 2]);
    let a = In::from_slice(&a, 2, 2, COL)?;
    mock.gemv(1.0, a.conj(), VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    assert_eq!(only!(mock, Gemv).trans, Trans::N);
    mock.hemv(1.0, a.herm(Uplo::Lower), VecRef::from_slice(&x), 0.0, VecMut::from_slice(&mut y))?;
    assert!(!only!(mock, Symv).conj);
    mock.dotc(VecRef::from_slice(&x), VecRef::from_slice(&x))?;
    assert_eq!(mock.only().routine(), Routine::Dot);
    mock.rot_real(VecMut::from_slice(&mut [1.0f64]), VecMut::from_slice(&mut [1.0]), 1.0, 0.0)?;
    assert!(!only!(mock, Rot).real);
    mock.scal_real(2.0f32, VecMut::from_slice(&mut [c(1.0, 0.0)]))?;
    assert!(only!(mock, Scal).real);
    Ok(())
}

#[test]
fn nothing_to_do_does_not_reach_the_backend_and_results_of_nothing_do() -> Result {
    let mock = Mock::new();
    let (empty, mut y) = ([0.0f64; 0], [1.0f64; 3]);
    let none = VecRef::<_, MockBackend>::from_slice(&empty);
    mock.gemv(1.0, In::from_slice(&empty, 3, 0, ROW)?, none, 0.0, VecMut::from_slice(&mut y))?;
    mock.scal(2.0, VecMut::<f64, _>::from_slice(&mut []))?;
    mock.scal(2.0, VecMut::from_slice(&mut y).batch(5, 0)?)?;
    mock.getrs(
        Trans::N,
        In::from_slice(&[1.0f64, 2.0, 3.0, 4.0], 2, 2, ROW)?,
        VecRef::from_slice(&[1, 2]),
        MatMut::from_slice(&mut [], 2, 0, COL)?,
    )?;
    assert!(mock.take().is_empty());
    // k = 0 scales C.
    let (a, b) = (In::from_slice(&empty, 3, 0, COL)?, In::from_slice(&empty, 0, 1, COL)?);
    mock.gemm(1.0, a, b, 0.5, MatMut::from_slice(&mut y, 3, 1, COL)?)?;
    assert_eq!(only!(mock, Gemm).k, 0);
    mock.dot(none, none)?;
    assert_eq!(only!(mock, Dot).n, 0);
    let mut info = 7;
    mock.getrf(MatMut::<f64, _>::from_slice(&mut [], 0, 0, COL)?, VecMut::from_slice(&mut []), &mut info)?;
    assert_eq!(mock.only().routine(), Routine::Getrf);
    Ok(())
}

#[test]
fn factorisations_of_row_major_matrices_go_through_a_transposed_copy() -> Result {
    let mock = Mock::new();
    let (mut a, mut pivots, mut info) = ([1.0f64; 6], [0; 2], 0);
    mock.getrf(MatMut::from_slice(&mut a, 2, 3, ROW)?, VecMut::from_slice(&mut pivots), &mut info)?;
    let calls = mock.take();
    let [Recorded::Geam(to), Recorded::Getrf(f), Recorded::Geam(back)] = calls[..] else {
        panic!("{calls:?}")
    };
    assert_eq!((to.ta, to.m, to.n, to.c.ld), (Trans::T, 2, 3, 2));
    assert_eq!((f.m, f.n, f.a), (2, 3, to.c));
    assert_eq!((back.ta, back.m, back.n, back.a, back.c), (Trans::T, 3, 2, to.c, to.a));
    Ok(())
}

#[test]
fn errors_speak_of_the_callers_operands_in_either_layout() -> Result {
    let mock = Mock::new();
    let (data, mut out) = ([0.0f64; 64], [0.0f64; 64]);
    for layout in [COL, ROW] {
        let mut text = |f: &dyn Fn(SliceMut<'_, f64, MockBackend>) -> Result| {
            let e = f(SliceMut::from(&mut out[..])).unwrap_err().to_string();
            assert!(mock.take().is_empty());
            e
        };
        let m = |r, c| In::from_slice(&data, r, c, layout).unwrap();
        let l = layout;
        assert_eq!(
            text(&|o| mock.gemm(1.0, m(2, 3), m(4, 5), 0.0, o.mat(2, 5, l)?)),
            "gemm: rows of B is 4, must be 3"
        );
        assert_eq!(
            text(&|o| mock.trmm_into(Side::Left, 1.0, m(2, 2).lower(Diag::Unit), m(2, 4), o.mat(2, 5, l)?)),
            "trmm: columns of B is 4, must be 5"
        );
        assert_eq!(
            text(&|o| mock.symm(Side::Left, 1.0, m(2, 3).sym(Uplo::Lower), m(2, 5), 0.0, o.mat(2, 5, l)?)),
            "symm: columns of A is 3, must be 2"
        );
        assert_eq!(
            text(&|o| mock.geam(1.0, m(2, 4), 1.0, m(2, 5), o.mat(2, 5, l)?)),
            "geam: columns of A is 4, must be 5"
        );
        assert_eq!(
            text(&|o| mock.dgmm(Side::Left, m(2, 5), VecRef::from_slice(&data[..5]), o.mat(2, 5, l)?)),
            "dgmm: length of x is 5, must be 2"
        );
        assert_eq!(
            text(&|o| mock.trtri_into(m(2, 2).lower(Diag::Unit), o.mat(2, 2, l)?.upper(Diag::Unit))),
            "trtri: triangle of inv (0 lower, 1 upper) is 1, must be 0, as that of A"
        );
        assert_eq!(
            text(&|o| mock.gemm(1.0, m(2, 2).broadcast(3), m(2, 2), 0.0, o.mat(2, 2, l)?)),
            "gemm: batch count of a is 3, must be 1"
        );
        assert_eq!(
            text(&|o| {
                let strided = SliceRef::from(&data[..]).mat_strided(2, 3, 2, 4)?;
                mock.gemm(1.0, m(4, 2), strided, 0.0, o.mat(4, 3, l)?)
            }),
            "gemm: strides of b are (2, 4), one must be 1 and the other at least 2"
        );
        assert_eq!(
            text(&|o| {
                let x = SliceRef::from(&data[..]).vec(2, 0)?;
                mock.gemv(1.0, m(2, 2), x, 0.0, o.vec(2, 1)?)
            }),
            "gemv: increment of x is 0, must not be 0"
        );
        assert_eq!(
            text(&|o| mock.nrm2_into(m(1, 2).row(0)?.subvector(0, 2)?.broadcast(2), o.vec(2, 2)?)),
            "nrm2: increment of out is 2, must be 1"
        );
    }
    let other = DeviceId { backend: "cpu", index: 1 };
    // SAFETY: the storage is there, if not on that device.
    let far = unsafe { SliceRef::<f64, MockBackend>::from_raw(data.as_ptr(), 64, other) };
    assert_eq!(
        mock.nrm2(far.vec(3, 1)?).unwrap_err().to_string(),
        "nrm2: x is on cpu:1, the handle is on cpu:0"
    );
    assert!(matches!(
        mock.scal(far.scalar(0)?, VecMut::from_slice(&mut out)),
        Err(Error::WrongDevice { operand: "alpha", .. })
    ));
    assert!(mock.take().is_empty());
    Ok(())
}
