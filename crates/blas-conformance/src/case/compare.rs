//! How a case judges results.

use blas_api::*;

use super::{Case, Verdict};
use crate::dd::Dd;
use crate::num::{Num, Z};
use crate::oracle::{Acc, Bound};
use crate::storage::Operand;

impl<B: Backend> Case<'_, B> {
    /// The bound of results of type `T` in this cell's arithmetic.
    pub fn bound<T: Num>(&self) -> Bound {
        let compute = match self.types {
            Types::One(t) => GemmTypes::plain(t).compute,
            Types::Gemm(g) => g.compute,
            _ => Compute::F64,
        };
        let unit = match compute {
            Compute::F32 => f32::UNIT,
            Compute::F64 => f64::UNIT,
            _ => 0.0,
        };
        Bound {
            unit,
            storage: (T::UNIT, T::TINY),
            complex: T::COMPLEX,
            exact: self.integers() || unit == 0.0,
        }
    }

    /// Compares every stored element of an output with the oracle's value for (entry, row, column).
    pub fn compare<T: Num>(
        &self,
        o: &Operand<T, B>,
        oracle: impl FnMut(usize, usize, usize) -> Acc,
    ) -> Verdict {
        self.compare_within(&self.bound::<T>(), o, oracle)
    }

    /// As [`compare`](Self::compare) with another bound.
    pub fn compare_within<T: Num>(
        &self,
        bound: &Bound,
        o: &Operand<T, B>,
        mut oracle: impl FnMut(usize, usize, usize) -> Acc,
    ) -> Verdict {
        let mut worst: Option<(f64, String, String)> = None;
        let mut count = 0usize;
        for e in 0..o.entries() {
            for (i, j) in o.place.form.elements() {
                let acc = oracle(e, i, j);
                let Some(excess) = self.excess(bound, o, (e, i, j), &acc) else { continue };
                count += 1;
                if worst.as_ref().is_none_or(|w| excess > w.0) {
                    let got = format!("{}[{e}]({i},{j}) = {:?}", o.name, o.raw_after(e, i, j).0);
                    let want = format!("{} within {:e}", acc.z(), bound.of(&acc));
                    worst = Some((excess, got, want));
                }
            }
        }
        match worst {
            None => Ok(()),
            Some((_, got, want)) => {
                Err(self.failed(self.rule.name(), &format!("{got} ({count} elements wrong)"), &want))
            }
        }
    }

    /// By what factor an element is outside its bound; None if it is inside.
    fn excess<T: Num>(
        &self,
        bound: &Bound,
        o: &Operand<T, B>,
        (e, i, j): (usize, usize, usize),
        acc: &Acc,
    ) -> Option<f64> {
        let (raw, changed) = o.raw_after(e, i, j);
        let (got, want) = (o.after(e, i, j), acc.z());
        if !changed && acc.idle {
            return None;
        }
        // The imaginary diagonal of a Hermitian output, which `after` leaves out.
        if o.place.form.kind.is_hermitian() && i == j && T::COMPLEX && raw.z().im != 0.0 {
            return Some(f64::INFINITY);
        }
        let nan = |z: Z| z.re.is_nan() || z.im.is_nan();
        if nan(want) || nan(got) {
            return (nan(want) != nan(got)).then_some(f64::INFINITY);
        }
        let limit = bound.of(acc);
        let rounded = T::from_z(want).z();
        let part = |got: f64, want: Dd, rounded: f64| {
            if got == rounded {
                return 0.0;
            }
            let error = (want - Dd::from(got)).abs().hi;
            if got.is_infinite() || rounded.is_infinite() || error.is_nan() { f64::INFINITY } else { error }
        };
        let error = part(got.re, acc.re, rounded.re).max(part(got.im, acc.im, rounded.im));
        (error > limit).then(|| error / limit)
    }

    /// Checks residuals in place of values: every sum must be 0 within its bound.
    pub fn residual<T: Num>(
        &self,
        o: &Operand<T, B>,
        mut residual: impl FnMut(usize, usize, usize) -> Acc,
    ) -> Verdict {
        let bound = Bound { exact: false, ..self.bound::<T>() };
        for e in 0..o.entries() {
            for (i, j) in o.place.form.elements() {
                let acc = residual(e, i, j);
                let limit = 2.0 * (bound.of(&acc) + bound.storage.0 * acc.mag);
                // Part by part: the maximum of two numbers leaves a NaN out. An infinite part is outside any bound.
                let within = |part: f64| part.is_finite() && part.abs() <= limit;
                if !(within(acc.re.hi) && within(acc.im.hi)) {
                    let size = acc.z();
                    let got = format!("residual {size:e} of {}[{e}]({i},{j}) = {}", o.name, o.after(e, i, j));
                    return Err(self.failed(self.rule.name(), &got, &format!("at most {limit:e}")));
                }
            }
        }
        Ok(())
    }
}
