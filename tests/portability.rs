//! The same generic programs on every device of this build, opened by name.

use anyblas::prelude::*;

/// Runs a program on each device; it fails if there is none.
fn on_each_device(program: impl Fn(&Handle<Any>) -> Result<()>) {
    let devices = anyblas::devices();
    assert!(!devices.is_empty());
    for device in devices {
        let blas = anyblas::open(&device.id.to_string()).expect("a listed device opens");
        program(&blas).unwrap_or_else(|e| panic!("{}: {e}", device.id));
    }
}

/// Solves A x = b for a symmetric positive definite A by conjugate gradients, with Level 1 and 2 alone.
fn conjugate_gradients<B: Backend, T: RealField>(
    blas: &Handle<B>,
    a: SymRef<'_, T, B>,
    b: VecRef<'_, T, B>,
    mut x: VecMut<'_, T, B>,
) -> Result<T> {
    let n = b.len();
    let (mut r, mut p, mut ap) = (blas.alloc::<T>(n)?, blas.alloc::<T>(n)?, blas.alloc::<T>(n)?);
    blas.scal(T::zero(), x.rb_mut())?;
    blas.copy(b, r.vec_mut())?;
    blas.copy(b, p.vec_mut())?;
    let mut rr = blas.dot(r.vec(), r.vec())?;
    for _ in 0..2 * n {
        blas.symv(T::one(), a, p.vec(), T::zero(), ap.vec_mut())?;
        let alpha = rr / blas.dot(p.vec(), ap.vec())?;
        blas.axpy(alpha, p.vec(), x.rb_mut())?;
        blas.axpy(-alpha, ap.vec(), r.vec_mut())?;
        let next = blas.dot(r.vec(), r.vec())?;
        if next.sqrt() <= T::epsilon() {
            break;
        }
        blas.axpby(T::one(), r.vec(), next / rr, p.vec_mut())?;
        rr = next;
    }
    blas.nrm2(r.vec())
}

fn spd<T: RealField>(n: usize) -> Vec<T> {
    let entry = |i: usize, j: usize| if i == j { 4.0 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) };
    (0..n * n).map(|k| T::from_parts([entry(k / n, k % n), 0.0])).collect()
}

fn cg_solves<T: RealField>(blas: &Handle<Any>) -> Result<()> {
    let n = 31;
    let (a, b) = (blas.upload(&spd::<T>(n))?, blas.upload(&vec![T::one(); n])?);
    let mut x = blas.alloc::<T>(n)?;
    let a = a.mat(n, n, Layout::Row)?.sym(Uplo::Upper);
    conjugate_gradients(blas, a, b.vec(), x.vec_mut())?;
    let mut residual = blas.upload(&b.to_vec(blas)?)?;
    blas.symv(-T::one(), a, x.vec(), T::one(), residual.vec_mut())?;
    assert!(
        blas.nrm2(residual.vec())? < T::epsilon().sqrt() * T::epsilon().sqrt() * T::from_parts([1e3, 0.0])
    );
    Ok(())
}

#[test]
fn conjugate_gradients_on_each_device() {
    on_each_device(|blas| cg_solves::<f32>(blas).and_then(|()| cg_solves::<f64>(blas)));
}

/// A = L * L' by columns, solved against a known product, in any layout and any field.
fn triangular_solve_inverts_product<T: Field>(blas: &Handle<Any>, layout: Layout) -> Result<()> {
    let (m, n) = (17, 5);
    let value = |k: usize| T::from_parts([(k % 7) as f64 - 3.0, (k % 5) as f64 - 2.0]);
    let a: Vec<T> = (0..m * m)
        .map(
            |k| if k / m == k % m { T::from_parts([8.0, 0.0]) } else { value(k) / T::from_parts([8.0, 0.0]) },
        )
        .collect();
    let x: Vec<T> = (0..m * n).map(value).collect();
    let (a, want, mut b) = (blas.upload(&a)?, x.clone(), blas.upload(&x)?);
    let tri = a.mat(m, m, layout)?.lower(Diag::NonUnit).h();
    blas.trmm(Side::Left, T::one(), tri, b.mat_mut(m, n, Layout::Row)?)?;
    blas.trsm(Side::Left, T::one(), tri, b.mat_mut(m, n, Layout::Row)?)?;
    for (got, want) in b.to_vec(blas)?.into_iter().zip(want) {
        let ([gr, gi], [wr, wi]) = (got.parts(), want.parts());
        // The matrix is diagonally dominant: order * unit roundoff, with room for its small condition number.
        let unit = if T::DTYPE.real() == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
        assert!((gr - wr).hypot(gi - wi) < 200.0 * unit, "{got:?} is not {want:?}");
    }
    Ok(())
}

#[test]
fn trsm_undoes_trmm_on_each_device() {
    on_each_device(|blas| {
        for layout in [Layout::Col, Layout::Row] {
            triangular_solve_inverts_product::<f32>(blas, layout)?;
            triangular_solve_inverts_product::<f64>(blas, layout)?;
            triangular_solve_inverts_product::<Complex<f32>>(blas, layout)?;
            triangular_solve_inverts_product::<Complex<f64>>(blas, layout)?;
        }
        Ok(())
    });
}

#[test]
fn copies_that_the_host_does_not_wait_for_keep_their_order_on_each_device() {
    const N: usize = 10_000;
    on_each_device(|blas| {
        let (mut input, mut output) = (blas.host_buffer::<f64>(N)?, blas.host_buffer::<f64>(N)?);
        let mut x = blas.alloc::<f64>(N)?;
        let mut sum = blas.alloc::<f64>(N)?;
        for round in 1..=5 {
            input.as_mut_slice()?.fill(f64::from(round));
            x.upload_async(blas, &input)?;
            blas.axpy(1.0, x.vec(), sum.vec_mut())?;
            sum.download_async(blas, &mut output)?;
        }
        assert!(output.as_slice()?.iter().all(|&v| v == 15.0));
        // From where it was copied to, and on another handle.
        let other = anyblas::open(&blas.device().to_string())?;
        let mut y = other.alloc::<f64>(N)?;
        sum.download_async(blas, &mut output)?;
        y.upload_async(&other, &output)?;
        drop(output);
        assert_eq!(y.to_vec(&other)?, vec![15.0; N]);
        assert_eq!(blas.host_buffer::<f32>(0)?.as_slice()?, [0.0f32; 0]);
        Ok(())
    });
}

#[test]
fn handles_move_to_other_threads() {
    on_each_device(|blas| {
        let name = blas.device().to_string();
        std::thread::scope(|s| {
            for i in 0..4 {
                let name = &name;
                s.spawn(move || {
                    let blas = anyblas::open(name).expect("opens on any thread");
                    let x = blas.upload(&vec![i as f32; 100]).expect("uploads");
                    assert_eq!(blas.asum(x.vec()).expect("sums"), 100.0 * i as f32);
                });
            }
        });
        Ok(())
    });
}

#[test]
fn unknown_devices_are_errors() {
    for name in ["", "cpu:1", "cpu:x", "tpu", "tpu:0", "cpu:0:0", "cpu:-1"] {
        let error = anyblas::open(name).err().expect(name);
        assert!(matches!(error, Error::NoDevice { .. }), "{name}: {error}");
    }
}

#[test]
fn a_view_of_another_device_is_an_error() {
    on_each_device(|blas| {
        let x = [1.0f32; 4];
        let elsewhere = anyblas::DeviceId { backend: "elsewhere", index: 3 };
        // SAFETY: never dereferenced: the call must fail.
        let x = unsafe { SliceRef::from_raw(x.as_ptr(), 4, elsewhere) }.vec(4, 1)?;
        let mut y = blas.upload(&[5.0f32; 4])?;
        assert!(matches!(blas.axpy(1.0, x, y.vec_mut()), Err(Error::WrongDevice { operand: "x", .. })));
        assert_eq!(y.to_vec(blas)?, [5.0; 4]);
        Ok(())
    });
}
