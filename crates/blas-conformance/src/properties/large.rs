//! Long operands.

use blas_api::*;

use super::sweep::*;

/// Order of the long band matrix, 32 MB in all.
const LONG: usize = 1_000_000;

pub(super) fn long_bands<B: Backend>(s: &mut Sweep<'_, B>) {
    s.check(format!("n {LONG}"), |h, _| {
        let (a, x) = (h.upload(&vec![1f64; 3 * LONG])?, h.upload(&vec![1f64; LONG])?);
        let mut y = h.upload(&vec![f64::NAN; LONG])?;
        let view = a.slice().band(LONG, LONG, 1, 1, Layout::Col, 3)?;
        h.gbmv(1.0, view, x.vec(), 0.0, y.vec_mut())?;
        for (i, v) in y.to_vec(h)?.into_iter().enumerate() {
            let want = if i == 0 || i == LONG - 1 { 2.0 } else { 3.0 };
            ensure(v == want, || format!("y[{i}]: got {v}, want {want}"))?;
        }
        Ok(())
    });
    s.skip("n 1e8 takes 3.2 GB".to_owned());
}

pub(super) fn tall_transposed<B: Backend>(s: &mut Sweep<'_, B>) {
    // One element more than 2^22.
    let m = 4_194_305;
    s.check(format!("m {m}"), |h, _| {
        let a = h.upload(&vec![1f64; 2 * m])?;
        let mut y = h.upload(&[f64::NAN; 2])?;
        let view = a.mat(m, 2, Layout::Col)?.t();
        h.gemv(1.0, view, a.slice().vec(m, 1)?, 0.0, y.vec_mut())?;
        let y = y.to_vec(h)?;
        ensure(y == [m as f64; 2], || format!("got {y:?}, want {m} twice"))
    });
}
