//! Batches.

use blas_api::*;

use super::sweep::*;
use crate::num::{Num, Z};

pub(super) fn outputs_do_not_repeat<B: Backend>(s: &mut Sweep<'_, B>) {
    s.check("inputs repeat", |h, rng| {
        let (a, b) = (ints::<f32>(rng, 6, 4), ints::<f32>(rng, 4 * 9, 4));
        let (da, db, mut dc) = (h.upload(&a)?, h.upload(&b)?, h.upload(&[f32::NAN; 24])?);
        let av = Batched::from_views([da.mat(2, 3, Layout::Col)?; 4])?;
        let bv = db.mat(3, 3, Layout::Col)?.batch(9, 4)?;
        h.gemm(1.0, av, bv, 0.0, dc.mat_mut(2, 3, Layout::Col)?.batch(6, 4)?)?;
        let c = dc.to_vec(h)?;
        for e in 0..4 {
            same(&c[6 * e..][..6], &product(2, 3, 3, &a, &b[9 * e..]))?;
        }
        Ok(())
    });
    overlapping_outputs(s);
}

pub(super) fn overlapping_outputs<B: Backend>(s: &mut Sweep<'_, B>) {
    // Stride 0, 1 and one short of the matrix: entries would share elements.
    for stride in [0, 1, 5, -5] {
        s.check(format!("output stride {stride}"), |h, _| {
            let mut c = h.alloc::<f32>(64)?;
            refused(c.slice_mut().skip(30)?.mat(2, 3, Layout::Col)?.batch(stride, 4), "an overlapping batch")
        });
    }
    s.check("the parts of a split are apart", |h, _| {
        // A and C from one buffer, by the safe way: the two halves of a split.
        let mut all = h.upload(&[2.0f64, 3.0, 5.0, f64::NAN])?;
        let (a, c) = all.slice_mut().split_at(3)?;
        let a = a.mat(1, 3, Layout::Col)?;
        h.gemm(1.0, a.rb(), a.rb().t(), 0.0, c.mat(1, 1, Layout::Col)?)?;
        ensure(all.to_vec(h)?[3] == 38.0, || format!("got {:?}", all.to_vec(h)))
    });
}

pub(super) fn alpha_zero_scales_every_entry<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        s.check(T::DTYPE.name(), |h, _| {
            let nan = h.upload(&[T::poison(0); 3 * 4])?;
            let before: Vec<T> = (0..12).map(|i| num((i / 4 + 1) as f64)).collect();
            let mut c = h.upload(&before)?;
            let input = || nan.mat(2, 2, Layout::Col)?.batch(4, 3);
            let (zero, seven) = (T::Coef::from_parts([0.0; 2]), T::Coef::from_parts([7.0, 0.0]));
            h.gemm(zero, input()?, input()?, seven, c.mat_mut(2, 2, Layout::Col)?.batch(4, 3)?)?;
            let want: Vec<Z> = before.iter().map(|v| v.z() * 7.0).collect();
            same(&c.to_vec(h)?, &want)
        });
    }
    each!(s, typed: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
}

/// Entry e of a long batch is marked by a small number that f16 holds and neighbours do not share.
fn mark(e: usize) -> f64 {
    (e % 1021) as f64
}

pub(super) fn long_batches<B: Backend>(s: &mut Sweep<'_, B>) {
    fn gemm_and_gemv<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>, batch: usize) {
        let eye = |e: usize| [mark(e), 0.0, 0.0, mark(e)].map(num::<T>);
        let (one, zero) = (T::Coef::from_parts([1.0, 0.0]), T::Coef::from_parts([0.0; 2]));
        s.check(format!("gemm {} {batch}", T::DTYPE), |h, _| {
            let a = h.upload(&(0..batch).flat_map(eye).collect::<Vec<T>>())?;
            let b = h.upload(&[1.0, 2.0, 3.0, 4.0].map(num::<T>))?;
            let mut c = h.upload(&vec![T::poison(0); 4 * batch])?;
            let av = a.mat(2, 2, Layout::Col)?.batch(4, batch)?;
            let bv = b.mat(2, 2, Layout::Col)?.broadcast(batch);
            h.gemm(one, av, bv, zero, c.mat_mut(2, 2, Layout::Col)?.batch(4, batch)?)?;
            let c = c.to_vec(h)?;
            let want = (0..4 * batch).map(|i| Z::new(mark(i / 4) * (i % 4 + 1) as f64, 0.0));
            same(&c, &want.collect::<Vec<_>>())
        });
        s.check(format!("gemv {} {batch}", T::DTYPE), |h, _| {
            let a = h.upload(&(0..batch).flat_map(eye).collect::<Vec<T>>())?;
            let x = h.upload(&[1.0, 2.0].map(num::<T>))?;
            let mut y = h.upload(&vec![T::poison(0); 2 * batch])?;
            let av = a.mat(2, 2, Layout::Col)?.batch(4, batch)?;
            let xv = x.vec().broadcast(batch);
            h.gemv(one, av, xv, zero, y.slice_mut().vec(2, 1)?.batch(2, batch)?)?;
            let want = (0..2 * batch).map(|i| Z::new(mark(i / 2) * (i % 2 + 1) as f64, 0.0));
            same(&y.to_vec(h)?, &want.collect::<Vec<_>>())
        });
    }
    let batches: &[usize] = if s.full() { &[65535, 65536, 65537] } else { &[65537] };
    for &batch in batches {
        gemm_and_gemv::<f32, B>(s, batch);
        gemm_and_gemv::<f16, B>(s, batch);
        s.check(format!("trsm {batch}"), |h, _| {
            // Lower triangles with a power of two on the diagonal and ones below it; x = mark * (1, 1, 1, 1).
            let pivot = |e: usize| if e.is_multiple_of(2) { 2.0f32 } else { 4.0 };
            let a = (0..batch).flat_map(|e| {
                (0..16).map(move |i| match (i % 4).cmp(&(i / 4)) {
                    std::cmp::Ordering::Less => f32::NAN,
                    std::cmp::Ordering::Equal => pivot(e),
                    std::cmp::Ordering::Greater => 1.0,
                })
            });
            let b = (0..4 * batch).map(|i| mark(i / 4) as f32 * (pivot(i / 4) + (i % 4) as f32));
            let (a, mut b) = (h.upload(&a.collect::<Vec<_>>())?, h.upload(&b.collect::<Vec<_>>())?);
            let views = (0..batch).map(|e| a.slice().skip(16 * e)?.mat(4, 4, Layout::Col));
            let views = views.map(|v| v.map(|m| m.lower(Diag::NonUnit))).collect::<Result<Vec<_>>>()?;
            let bv = b.mat_mut(4, 1, Layout::Col)?.batch(4, batch)?;
            h.trsm(Side::Left, 1.0, Batched::from_views(views)?, bv)?;
            let want = (0..4 * batch).map(|i| Z::new(mark(i / 4), 0.0)).collect::<Vec<_>>();
            same(&b.to_vec(h)?, &want)
        });
    }
}

pub(super) fn counts_must_agree<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        s.check(T::DTYPE.name(), |h, rng| {
            let a = ints::<T>(rng, 40, 3);
            let mut b = ints::<T>(rng, 4, 3);
            b.extend(vec![num::<T>(7.0); 36]);
            let (da, db) = (h.upload(&a)?, h.upload(&b)?);
            let before = vec![T::poison(3); 40];
            let mut dc = h.upload(&before)?;
            let (one, zero) = (T::Coef::from_parts([1.0, 0.0]), T::Coef::from_parts([0.0; 2]));
            let av = || da.mat(2, 2, Layout::Col)?.batch(4, 10);
            let bv = db.slice().mat(2, 2, Layout::Col)?;
            let call = h.gemm(one, av()?, bv, zero, dc.mat_mut(2, 2, Layout::Col)?.batch(4, 10)?);
            refused(call, "batch counts of 10 and 1")?;
            same_bits(&dc.to_vec(h)?, &before)?;
            h.gemm(one, av()?, bv.broadcast(10), zero, dc.mat_mut(2, 2, Layout::Col)?.batch(4, 10)?)?;
            let c = dc.to_vec(h)?;
            for e in 0..10 {
                same(&c[4 * e..][..4], &product(2, 2, 2, &a[4 * e..], &b))?;
            }
            Ok(())
        });
    }
    each!(s, typed: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn column_major_strided<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        s.check(T::DTYPE.name(), |h, rng| {
            let (n, size) = (64, 64 * 64);
            let (a, b) = (ints::<T>(rng, 2 * size, 3), ints::<T>(rng, 2 * size, 3));
            let (da, db, mut dc) = (h.upload(&a)?, h.upload(&b)?, h.upload(&vec![T::poison(0); 2 * size])?);
            let (one, zero) = (T::Coef::from_parts([1.0, 0.0]), T::Coef::from_parts([0.0; 2]));
            let stride = size as isize;
            let av = da.mat(n, n, Layout::Col)?.batch(stride, 2)?;
            let bv = db.mat(n, n, Layout::Col)?.batch(stride, 2)?;
            h.gemm(one, av, bv, zero, dc.mat_mut(n, n, Layout::Col)?.batch(stride, 2)?)?;
            let c = dc.to_vec(h)?;
            for e in 0..2 {
                same(&c[size * e..][..size], &product(n, n, n, &a[size * e..], &b[size * e..]))?;
            }
            Ok(())
        });
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}
