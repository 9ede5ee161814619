//! Any arguments to any routine: no panic, and no error after something has been launched.

mod common;

use std::collections::BTreeSet;

use common::{Gen, Mock, MockBackend};

use blas_api::*;

/// Elements of each operand's storage.
const LEN: usize = 64;

type Src<'a, T> = SliceRef<'a, T, MockBackend>;
type Dst<'a, T> = SliceMut<'a, T, MockBackend>;

/// Random operands, most of which fit together.
struct Args {
    g: Gen,
    m: usize,
    n: usize,
    k: usize,
    count: usize,
}

impl Args {
    fn new(seed: u64) -> Self {
        let mut g = Gen(seed);
        let (m, n, k) = (g.below(4), g.below(4), g.below(4));
        let count = g.pick(&[0, 1, 1, 1, 2, 2, 3]);
        Args { g, m, n, k, count }
    }

    /// Distance of entries, and how many there are.
    fn entries(&mut self) -> (isize, usize) {
        (self.g.stride(16), self.g.size(self.count))
    }

    fn ld(&mut self, rows: usize, cols: usize, layout: Layout) -> usize {
        let least = if layout == Layout::Col { rows } else { cols };
        let padded = least.max(1).saturating_add(self.g.below(2));
        self.g.size(padded)
    }
}

/// The methods that make operands of inputs and of outputs.
macro_rules! operands {
    ($slice:ident, $view:ident, $vec:ident, $mat:ident) => {
        impl Args {
            fn $vec<'a, T: Element>(
                &mut self,
                s: $slice<'a, T>,
                n: usize,
            ) -> Result<Batched<$view<'a, shape::Vector, T, MockBackend>>> {
                let (n, inc, (stride, count)) = (self.g.size(n), self.g.stride(1), self.entries());
                s.vec(n, inc)?.batch(stride, count)
            }

            fn $mat<'a, T: Element>(
                &mut self,
                s: $slice<'a, T>,
                rows: usize,
                cols: usize,
            ) -> Result<$view<'a, shape::Mat, T, MockBackend>> {
                let (rows, cols, layout) = (self.g.size(rows), self.g.size(cols), self.g.layout());
                if self.g.below(12) == 0 {
                    let (rs, cs) = (self.g.size(2), self.g.size(3));
                    return s.mat_strided(rows, cols, rs, cs);
                }
                let ld = self.ld(rows, cols, layout);
                s.mat_ld(rows, cols, layout, ld)
            }
        }
    };
}
operands!(Src, Ref, x, mat);
operands!(Dst, Mut, y, mat_mut);

/// One random call of the routine number `which` of those for all four types, or None behind the last.
fn field<T: Field>(which: usize, seed: u64, mock: &Mock) -> Option<(&'static str, Result)> {
    let mut r = Args::new(seed);
    let data = [[T::one(); LEN]; 3];
    let [i0, i1, i2] = [0, 1, 2].map(|i| Src::<T>::from(&data[i][..]));
    let mut out = [[T::one(); LEN]; 2];
    let [o0, o1] = &mut out;
    let (o0, o1) = (Dst::<T>::from(&mut o0[..]), Dst::<T>::from(&mut o1[..]));
    let (mut reals, mut ints, mut infos) = ([T::Real::default(); LEN], [1i32; LEN], [0i32; LEN]);
    let (mut index, fixed) = ([0i64; LEN], [1i32; LEN]);
    let (m, n, k) = (r.m, r.n, r.k);
    let (side, uplo, diag, layout) = (r.g.side(), r.g.uplo(), r.g.diag(), r.g.layout());
    let results = r.g.size(r.count).min(LEN);
    let order = if side == Side::Left { m } else { n };
    let trans = r.g.pick(&[Trans::N, Trans::T, Trans::C, Trans::ConjN]);
    let (one, real) = (T::one(), <T::Real as num_traits::One>::one());
    let host = r.g.below(4) != 0;

    // Coefficients are on the host or on the device.
    macro_rules! co {
        () => {
            if host { Coef::Host(one) } else { Coef::Device(i2.scalar(r.g.below(LEN))?) }
        };
    }
    macro_rules! batch {
        ($v:expr) => {{
            let (stride, count) = r.entries();
            $v.batch(stride, count)?
        }};
    }
    macro_rules! op {
        ($v:expr) => {{
            let v = $v;
            match r.g.below(4) {
                0 => v,
                1 => v.conj(),
                _ => v.t().h(),
            }
        }};
    }
    macro_rules! routines { ($($name:ident => $call:expr;)*) => {{
        let mut number = 0;
        $(
            if number == which {
                let call = || -> Result { $call };
                return Some((stringify!($name), {call}()));
            }
            number += 1;
        )*
        let _ = number;
        None
    }}}
    routines! {
        swap => mock.swap(r.y(o0, n)?, r.y(o1, n)?);
        scal => mock.scal(co!(), r.y(o0, n)?);
        scal_real => mock.scal_real(real, r.y(o0, n)?);
        copy => mock.copy(r.x(i0, n)?, r.y(o0, n)?);
        axpy => mock.axpy(co!(), r.x(i0, n)?, r.y(o0, n)?);
        axpby => mock.axpby(co!(), r.x(i0, n)?, co!(), r.y(o0, n)?);
        dot => mock.dot(r.x(i0, n)?, r.x(i1, n)?).map(drop);
        dot_into => mock.dot_into(r.x(i0, n)?, r.x(i1, n)?, o0.vec(results, r.g.stride(1))?);
        dotc => mock.dotc(r.x(i0, n)?, r.x(i1, n)?).map(drop);
        dotc_into => mock.dotc_into(r.x(i0, n)?, r.x(i1, n)?, o0.vec(results, 1)?);
        nrm2 => mock.nrm2(r.x(i0, n)?).map(drop);
        nrm2_into => mock.nrm2_into(r.x(i0, n)?, &mut reals[..results]);
        asum => mock.asum(r.x(i0, n)?).map(drop);
        asum_into => mock.asum_into(r.x(i0, n)?, &mut reals[..results]);
        iamax => mock.iamax(r.x(i0, n)?).map(drop);
        iamax_into => mock.iamax_into(r.x(i0, n)?, &mut index[..results]);
        iamin => mock.iamin(r.x(i0, n)?).map(drop);
        iamin_into => mock.iamin_into(r.x(i0, n)?, &mut index[..results]);
        rot => mock.rot(r.y(o0, n)?, r.y(o1, n)?, <<T::Coef as Scalar>::Real as num_traits::One>::one(), co!());
        rot_real => mock.rot_real(r.y(o0, n)?, r.y(o1, n)?, real, real);
        rotg => {
            let (a, b) = o0.split_at(LEN / 2)?;
            let (a, b) = (a.vec(results, 1)?, b.vec(r.g.size(results), 1)?);
            let c = Dst::from(&mut reals[..]).vec(results, 1)?;
            if host { mock.rotg(a, b, c, o1.vec(results, 1)?) } else { mock.rotg(a, b, &mut reals[..results], o1.vec(1, 1)?) }
        };

        gemv => mock.gemv(co!(), batch!(op!(r.mat(i0, m, n)?)), r.x(i1, n)?, co!(), r.y(o0, m)?);
        gbmv => {
            let (kl, ku, ld) = (r.g.size(k), r.g.size(1), r.g.size(k + 3));
            let a = i0.band(r.g.size(m), r.g.size(n), kl, ku, layout, ld)?;
            mock.gbmv(co!(), batch!(op!(a)), r.x(i1, n)?, co!(), r.y(o0, m)?)
        };
        symv => mock.symv(co!(), batch!(op!(r.mat(i0, n, n)?.sym(uplo))), r.x(i1, n)?, co!(), r.y(o0, n)?);
        hemv => mock.hemv(co!(), batch!(op!(r.mat(i0, n, n)?.herm(uplo))), r.x(i1, n)?, co!(), r.y(o0, n)?);
        hbmv => {
            let a = i0.herm_band(n, r.g.size(k), uplo, layout, r.g.size(k + 1))?;
            mock.hbmv(co!(), batch!(a.conj()), r.x(i1, n)?, co!(), r.y(o0, n)?)
        };
        hpmv => {
            let a = i0.herm_packed(r.g.size(n), uplo, layout)?;
            mock.hpmv(co!(), batch!(a), r.x(i1, n)?, co!(), r.y(o0, n)?)
        };
        geru => mock.geru(co!(), r.x(i0, m)?, r.x(i1, n)?, batch!(r.mat_mut(o0, m, n)?));
        gerc => mock.gerc(co!(), r.x(i0, m)?, r.x(i1, n)?, batch!(r.mat_mut(o0, m, n)?));
        syr => mock.syr(co!(), r.x(i0, n)?, batch!(r.mat_mut(o0, n, n)?.sym(uplo)));
        her => mock.her(real, r.x(i0, n)?, batch!(r.mat_mut(o0, n, n)?.herm(uplo)));
        spr => mock.spr(co!(), r.x(i0, n)?, batch!(o0.sym_packed(r.g.size(n), uplo, layout)?));
        hpr => mock.hpr(real, r.x(i0, n)?, batch!(o0.herm_packed(r.g.size(n), uplo, layout)?));
        syr2 => mock.syr2(co!(), r.x(i0, n)?, r.x(i1, n)?, batch!(r.mat_mut(o0, n, n)?.sym(uplo)));
        her2 => mock.her2(co!(), r.x(i0, n)?, r.x(i1, n)?, batch!(r.mat_mut(o0, n, n)?.herm(uplo)));
        hpr2 => mock.hpr2(co!(), r.x(i0, n)?, r.x(i1, n)?, batch!(o0.herm_packed(n, uplo, layout)?));
        trmv => mock.trmv(batch!(op!(r.mat(i0, n, n)?.tri(uplo, diag))), r.y(o0, n)?);
        trsv => mock.trsv(batch!(op!(r.mat(i0, n, n)?.tri(uplo, diag))), r.y(o0, n)?);
        tbmv => mock.tbmv(batch!(op!(i0.tri_band(n, r.g.size(k), uplo, diag, layout, k + 1)?)), r.y(o0, n)?);
        tbsv => mock.tbsv(batch!(op!(i0.tri_band(n, k, uplo, diag, layout, r.g.size(k + 1))?)), r.y(o0, n)?);
        tpmv => mock.tpmv(batch!(op!(i0.tri_packed(r.g.size(n), uplo, diag, layout)?)), r.y(o0, n)?);
        tpsv => mock.tpsv(batch!(op!(i0.tri_packed(n, uplo, diag, layout)?)), r.y(o0, n)?);

        gemm => {
            let (a, b) = (batch!(op!(r.mat(i0, m, k)?)), batch!(op!(r.mat(i1, k, n)?)));
            mock.gemm(co!(), a, b, co!(), batch!(r.mat_mut(o0, m, n)?))
        };
        symm => {
            let (a, b) = (batch!(op!(r.mat(i0, order, order)?.sym(uplo))), batch!(op!(r.mat(i1, m, n)?)));
            mock.symm(side, co!(), a, b, co!(), batch!(r.mat_mut(o0, m, n)?))
        };
        hemm => {
            let (a, b) = (batch!(op!(r.mat(i0, order, order)?.herm(uplo))), batch!(op!(r.mat(i1, m, n)?)));
            mock.hemm(side, co!(), a, b, co!(), batch!(r.mat_mut(o0, m, n)?))
        };
        syrk => mock.syrk(co!(), batch!(op!(r.mat(i0, n, k)?)), co!(), batch!(r.mat_mut(o0, n, n)?.sym(uplo)));
        herk => mock.herk(real, batch!(op!(r.mat(i0, n, k)?)), real, batch!(r.mat_mut(o0, n, n)?.herm(uplo)));
        syr2k => {
            let (a, b) = (batch!(op!(r.mat(i0, n, k)?)), batch!(op!(r.mat(i1, n, k)?)));
            mock.syr2k(co!(), a, b, co!(), batch!(r.mat_mut(o0, n, n)?.sym(uplo)))
        };
        her2k => {
            let (a, b) = (batch!(op!(r.mat(i0, n, k)?)), batch!(op!(r.mat(i1, n, k)?)));
            mock.her2k(co!(), a, b, real, batch!(r.mat_mut(o0, n, n)?.herm(uplo)))
        };
        syrkx => {
            let (a, b) = (batch!(op!(r.mat(i0, n, k)?)), batch!(op!(r.mat(i1, n, k)?)));
            mock.syrkx(co!(), a, b, co!(), batch!(r.mat_mut(o0, n, n)?.sym(uplo)))
        };
        herkx => {
            let (a, b) = (batch!(op!(r.mat(i0, n, k)?)), batch!(op!(r.mat(i1, n, k)?)));
            mock.herkx(co!(), a, b, real, batch!(r.mat_mut(o0, n, n)?.herm(uplo)))
        };
        trmm => {
            let a = batch!(op!(r.mat(i0, order, order)?.tri(uplo, diag)));
            mock.trmm(side, co!(), a, batch!(r.mat_mut(o0, m, n)?))
        };
        trmm_into => {
            let (a, b) = (batch!(op!(r.mat(i0, order, order)?.tri(uplo, diag))), batch!(op!(r.mat(i1, m, n)?)));
            mock.trmm_into(side, co!(), a, b, batch!(r.mat_mut(o0, m, n)?))
        };
        trsm => {
            let a = batch!(op!(r.mat(i0, order, order)?.tri(uplo, diag)));
            mock.trsm(side, co!(), a, batch!(r.mat_mut(o0, m, n)?))
        };
        trtri => mock.trtri(batch!(r.mat_mut(o0, n, n)?.tri(uplo, diag)));
        trtri_into => {
            let a = batch!(op!(r.mat(i0, n, n)?.tri(uplo, diag)));
            mock.trtri_into(a, batch!(r.mat_mut(o0, n, n)?.tri(r.g.uplo(), diag)))
        };
        geam => {
            let (a, b) = (batch!(op!(r.mat(i0, m, n)?)), batch!(op!(r.mat(i1, m, n)?)));
            mock.geam(co!(), a, co!(), b, batch!(r.mat_mut(o0, m, n)?))
        };
        dgmm => {
            let a = batch!(op!(r.mat(i0, m, n)?));
            mock.dgmm(side, a, r.x(i1, order)?, batch!(r.mat_mut(o0, m, n)?))
        };

        getrf => {
            let a = batch!(r.mat_mut(o0, m, n)?);
            mock.getrf(a, r.y(Dst::from(&mut ints[..]), m.min(n))?, &mut infos[..results])
        };
        getrf_npvt => mock.getrf_npvt(batch!(r.mat_mut(o0, m, n)?), &mut infos[..results]);
        getrs => {
            let a = batch!(op!(r.mat(i0, m, m)?));
            mock.getrs(trans, a, r.x(Src::from(&fixed[..]), m)?, batch!(r.mat_mut(o0, m, n)?))
        };
        getrs_npvt => mock.getrs_npvt(trans, batch!(r.mat(i0, m, m)?), batch!(r.mat_mut(o0, m, n)?));
        getri => {
            let (a, p) = (batch!(op!(r.mat(i0, m, m)?)), r.x(Src::from(&fixed[..]), m)?);
            mock.getri(a, p, batch!(r.mat_mut(o0, m, m)?), &mut infos[..results])
        };
        getri_npvt => mock.getri_npvt(batch!(r.mat(i0, m, m)?), batch!(r.mat_mut(o0, m, m)?), &mut infos[..results]);
        geqrf => mock.geqrf(batch!(r.mat_mut(o0, m, n)?), r.y(o1, m.min(n))?);
        gels => {
            let a = batch!(r.mat_mut(o0, m, n)?);
            mock.gels(trans, a, batch!(r.mat_mut(o1, m.max(n), k)?), &mut infos[..results])
        };
    }
}

/// The same for the routines of real types.
fn real<T: RealField>(which: usize, seed: u64, mock: &Mock) -> Option<(&'static str, Result)> {
    let mut r = Args::new(seed);
    let data = [[T::one(); LEN]; 2];
    let [i0, i1] = [0, 1].map(|i| Src::<T>::from(&data[i][..]));
    let mut out = [[T::one(); LEN]; 2];
    let [o0, o1] = &mut out;
    let (o0, o1) = (Dst::<T>::from(&mut o0[..]), Dst::<T>::from(&mut o1[..]));
    let (m, n, k, one) = (r.m, r.n, r.k, T::one());
    let (uplo, layout) = (r.g.uplo(), r.g.layout());
    let mut param = [one; 5 * LEN];
    macro_rules! batch {
        ($v:expr) => {{
            let (stride, count) = r.entries();
            $v.batch(stride, count)?
        }};
    }
    let call = || -> Result {
        match which {
            0 => mock.ger(one, r.x(i0, m)?, r.x(i1, n)?, batch!(r.mat_mut(o0, m, n)?)),
            1 => {
                let a = i0.sym_band(n, r.g.size(k), uplo, layout, r.g.size(k + 1))?;
                mock.sbmv(one, batch!(a), r.x(i1, n)?, one, r.y(o0, n)?)
            }
            2 => mock.spmv(one, batch!(i0.sym_packed(n, uplo, layout)?), r.x(i1, n)?, one, r.y(o0, n)?),
            3 => mock.spr2(one, r.x(i0, n)?, r.x(i1, n)?, batch!(o0.sym_packed(r.g.size(n), uplo, layout)?)),
            4 => mock.rotm(r.y(o0, n)?, r.y(o1, n)?, [one; 5]),
            5 => {
                let (n, count) = (r.g.size(5), r.g.size(r.count));
                mock.rotm(r.y(o0, m)?, r.y(o1, m)?, i0.vec(n, r.g.stride(1))?.batch(r.g.stride(5), count)?)
            }
            _ => {
                let (a, b) = (o0.split_at(LEN / 2)?, o1.split_at(LEN / 2)?);
                let count = r.count;
                let five = Dst::from(&mut param[..]).vec(r.g.size(5 * count), 1)?;
                mock.rotmg(
                    a.0.vec(count, 1)?,
                    a.1.vec(count, 1)?,
                    b.0.vec(count, 1)?,
                    b.1.vec(count, 1)?,
                    five,
                )
            }
        }
    };
    (which < 7).then(|| ("real", call()))
}

/// Runs all routines of a list with many arguments each.
fn all(list: fn(usize, u64, &Mock) -> Option<(&'static str, Result)>) -> BTreeSet<Routine> {
    let mock = Mock::new();
    let mut seen = BTreeSet::new();
    for which in 0.. {
        let (mut good, mut bad) = (0, 0);
        let mut name = None;
        for seed in 0..3000 {
            let Some((routine, answer)) = list(which, seed * 1000 + which as u64, &mock) else { break };
            name = Some(routine);
            let calls = mock.take();
            if let Err(e) = &answer {
                bad += 1;
                assert!(calls.is_empty(), "{routine}: {e}, and yet {calls:?}");
                assert!(!matches!(e, Error::Unsupported { .. }), "{e}");
                assert!(e.to_string().contains(": "), "{e}");
            }
            good += usize::from(!calls.is_empty());
            seen.extend(calls.iter().map(|c| c.routine()));
        }
        let Some(name) = name else { break };
        assert!(good > 50 && bad > 50, "{name}: {good} calls launched, {bad} refused");
    }
    seen
}

#[test]
fn any_arguments_are_launched_or_refused() {
    let mut seen = BTreeSet::new();
    for lists in
        [all(field::<f32>), all(field::<f64>), all(field::<Complex<f32>>), all(field::<Complex<f64>>)]
    {
        seen.extend(lists);
    }
    seen.extend(all(real::<f32>));
    seen.extend(all(real::<f64>));
    let missing: Vec<_> = Routine::ALL.iter().filter(|r| !seen.contains(r)).collect();
    // Of one element type and of mixed ones: by hand below.
    assert_eq!(missing, [&Routine::Dsdot, &Routine::GemmEx]);
}

#[test]
fn mixed_types_are_launched_or_refused() {
    let mock = Mock::new();
    let (mut good, mut bad) = (0, 0);
    for seed in 0..3000 {
        let mut r = Args::new(seed);
        let (a, b, mut c) = ([1i8; LEN], [1i8; LEN], [0i32; LEN]);
        let (m, n, k) = (r.m, r.n, r.k);
        let mut call = || -> Result {
            let (stride, count) = r.entries();
            let a = r.mat(Src::from(&a[..]), m, k)?.batch(stride, count)?;
            let b = r.mat(Src::from(&b[..]), k, n)?.t().t().batch(stride, count)?;
            let c = r.mat_mut(Dst::from(&mut c[..]), m, n)?.batch(16, r.count)?;
            mock.gemm_ex(a, b, c).alpha(2).beta(1).run()
        };
        let answer = call();
        let calls = mock.take();
        assert!(answer.is_ok() || calls.is_empty());
        bad += usize::from(answer.is_err());
        good += calls.len();
    }
    assert!(good > 100 && bad > 100);

    let x = [1.0f32; 3];
    let x = VecRef::<_, MockBackend>::from_slice(&x);
    assert!(mock.dsdot(x, x.subvector(0, 2).unwrap()).is_err());
    assert!(mock.take().is_empty());
    assert!(mock.dsdot(x, x).is_ok());
    assert_eq!(mock.only().routine(), Routine::Dsdot);
}
