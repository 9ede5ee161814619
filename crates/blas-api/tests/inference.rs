//! Generic code over backend and element type needs one bound an axis, and literals infer.

use blas_api::*;
use blas_cpu::Cpu;

/// The update step of a blocked LU factorisation.
fn lu_update<B: Backend, T: Field>(
    blas: &Handle<B>,
    l11: MatRef<'_, T, B>,
    l21: MatRef<'_, T, B>,
    mut a12: MatMut<'_, T, B>,
    a22: MatMut<'_, T, B>,
) -> Result {
    blas.trsm(Side::Left, T::one(), l11.lower(Diag::Unit), a12.rb_mut())?;
    blas.gemm(-T::one(), l21, a12.rb(), T::one(), a22)
}

/// bf16 data, f32 coefficients as literals, a weight shared by all entries of the batch.
fn layer<B: Backend>(
    blas: &Handle<B>,
    x: Batched<MatRef<'_, bf16, B>>,
    w: MatRef<'_, bf16, B>,
    y: Batched<MatMut<'_, bf16, B>>,
    scale: ScalarRef<'_, f32, B>,
) -> Result {
    let n = x.count();
    blas.gemm(scale, x, w.t().broadcast(n), 0.0, y)
}

fn norms<B: Backend, T: Scalar>(
    blas: &Handle<B>,
    x: VecRef<'_, T, B>,
    out: ScalarMut<'_, T::Real, B>,
) -> Result<T> {
    blas.nrm2_into(x, out)?;
    let _index: Option<usize> = blas.iamax(x)?;
    blas.dot(x, x)
}

#[test]
fn generic_code_runs() -> Result {
    let blas = Cpu::handle();
    let (l, mut a12, mut a22) = ([1.0f64], [3.0], [10.0]);
    let m = |v| MatRef::from_slice(v, 1, 1, Layout::Col);
    let (a12_, a22_) =
        (MatMut::from_slice(&mut a12, 1, 1, Layout::Col)?, MatMut::from_slice(&mut a22, 1, 1, Layout::Row)?);
    lu_update(&blas, m(&l)?, m(&[2.0])?, a12_, a22_)?;
    assert_eq!((a12, a22), ([3.0], [4.0]));

    let (x, w, scale) = ([bf16::ONE; 4], [bf16::from_f32(3.0)], [2.0f32]);
    let mut y = [bf16::ZERO; 4];
    let xs = MatRef::from_slice(&x[..], 1, 1, Layout::Row)?.batch(1, 4)?;
    let ys = MatMut::from_slice(&mut y, 1, 1, Layout::Row)?.batch(1, 4)?;
    layer(&blas, xs, MatRef::from_slice(&w, 1, 1, Layout::Row)?, ys, SliceRef::from(&scale[..]).scalar(0)?)?;
    assert_eq!(y, [bf16::from_f32(6.0); 4]);

    let any = blas.erase();
    let x = any.upload(&[Complex::new(3.0f32, 4.0)])?;
    let mut norm = any.alloc::<f32>(1)?;
    let dot = norms(&any, x.vec(), norm.slice_mut().scalar(0)?)?;
    assert_eq!((dot, norm.to_vec(&any)?), (Complex::new(-7.0, 24.0), vec![5.0]));
    any.scal(2.0, any.upload(&[Complex::new(1.0f32, 0.0)])?.vec_mut())
}
