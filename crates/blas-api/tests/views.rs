//! Views and batches stay within their storage, whatever they are asked for; outputs do not overlap.

mod common;

use common::{Gen, Mock, MockBackend, Recorded};

use blas_api::*;

/// Elements of the storage that views are made of.
const LEN: usize = 40;

/// Elements of the other operands: enough for all sizes and batches here.
const MANY: usize = 4096;

/// Sizes, leading dimensions, strides: small ones mostly, so that a good part is accepted.
fn size(g: &mut Gen) -> usize {
    let small = g.below(6);
    g.size(small)
}

fn stride(g: &mut Gen) -> isize {
    let small = g.below(25) as isize - 12;
    g.stride(small)
}

fn count(g: &mut Gen) -> usize {
    let small = g.below(4);
    g.size(small)
}

/// Byte addresses of the elements of one operand, for all entries of the batch.
fn addresses(data: Address, batch: usize, size: usize, offsets: &[isize]) -> Vec<isize> {
    let entry = |i: usize| match data {
        Address::Strided { ptr, stride } => {
            (ptr as isize).checked_add((i as isize * stride) * size as isize).unwrap()
        }
        Address::Array { .. } => panic!("no array of pointers here"),
    };
    (0..batch).flat_map(|i| offsets.iter().map(move |o| entry(i) + o * size as isize)).collect()
}

fn vector(n: usize, inc: isize) -> Vec<isize> {
    // Increment 0 repeats one element, as often as is asked for.
    let n = if inc == 0 { n.min(1) } else { n };
    (0..n as isize).map(|i| i * inc.abs()).collect()
}

fn full(m: usize, n: usize, ld: usize) -> Vec<isize> {
    (0..n).flat_map(|j| (0..m).map(move |i| (i + j * ld) as isize)).collect()
}

fn band(m: usize, n: usize, kl: usize, ku: usize, ld: usize) -> Vec<isize> {
    (0..n)
        .flat_map(|j| (j.saturating_sub(ku)..m.min(j + kl + 1)).map(move |i| (ku + i - j + j * ld) as isize))
        .collect()
}

fn self_band(n: usize, k: usize, uplo: Uplo, ld: usize) -> Vec<isize> {
    match uplo {
        Uplo::Lower => band(n, n, k, 0, ld),
        Uplo::Upper => band(n, n, 0, k, ld),
    }
}

fn packed(n: usize) -> Vec<isize> {
    (0..(n * (n + 1) / 2) as isize).collect()
}

/// Addresses of the operand under test, and whether it is written.
fn touched(call: &Recorded) -> (Vec<isize>, bool) {
    match call {
        Recorded::Nrm2(d) => (addresses(d.x.data, d.batch, 8, &vector(d.n, d.x.inc)), false),
        Recorded::Scal(d) => (addresses(d.x.data, d.batch, 8, &vector(d.n, d.x.inc)), true),
        Recorded::Gemv(d) => (addresses(d.a.data, d.batch, 8, &full(d.m, d.n, d.a.ld)), false),
        Recorded::Ger(d) => (addresses(d.a.data, d.batch, 8, &full(d.m, d.n, d.a.ld)), true),
        Recorded::Trmv(d) => (addresses(d.a.data, d.batch, 8, &full(d.n, d.n, d.a.ld)), false),
        Recorded::Symv(d) => (addresses(d.a.data, d.batch, 8, &full(d.n, d.n, d.a.ld)), false),
        Recorded::Syr(d) => (addresses(d.a.data, d.batch, 8, &full(d.n, d.n, d.a.ld)), true),
        Recorded::Gbmv(d) => (addresses(d.a.data, d.batch, 8, &band(d.m, d.n, d.kl, d.ku, d.a.ld)), false),
        Recorded::Tbmv(d) => (addresses(d.a.data, d.batch, 8, &self_band(d.n, d.k, d.uplo, d.a.ld)), false),
        Recorded::Sbmv(d) => (addresses(d.a.data, d.batch, 8, &self_band(d.n, d.k, d.uplo, d.a.ld)), false),
        Recorded::Tpmv(d) => (addresses(d.ap, d.batch, 8, &packed(d.n)), false),
        Recorded::Spmv(d) => (addresses(d.ap, d.batch, 8, &packed(d.n)), false),
        Recorded::Spr(d) => (addresses(d.ap, d.batch, 8, &packed(d.n)), true),
        other => panic!("{other:?} is not called here"),
    }
}

type M<'a, S> = Batched<Mut<'a, S, f64, MockBackend>>;

/// An input of `n` elements for each of `count` entries.
fn input(many: &[f64], n: usize, count: usize) -> Result<Batched<VecRef<'_, f64, MockBackend>>> {
    Ok(SliceRef::from(many).vec(n, 1)?.broadcast(count))
}

/// An output of the same.
fn output(many: &mut [f64], n: usize, count: usize) -> Result<M<'_, shape::Vector>> {
    SliceMut::from(many).vec(n, 1)?.batch(n.min(MANY) as isize, count)
}

/// Makes one view by random arguments and calls the routine that takes it.
fn one(g: &mut Gen, mock: &Mock, data: &mut [f64], many: [&mut [f64]; 2], which: usize) -> Result {
    let [other, out] = many;
    let (m, n, k, kl) = (size(g), size(g), size(g), size(g));
    let (inc, ld) = (stride(g), size(g).saturating_add(g.below(2) * 4));
    let (entry, count) = (stride(g), count(g));
    let (layout, uplo, diag) = (g.layout(), g.uplo(), g.diag());
    let start = g.below(LEN / 2);
    let r: SliceRef<'_, f64, MockBackend> = SliceRef::from(&*data);
    match which {
        0 => {
            let x = r.skip(start)?.vec(n, inc)?.subvector(k.min(n / 2), n - n / 2)?;
            let x = x.batch(entry, count)?;
            mock.nrm2_into(x, &mut out[..count.min(MANY)])
        }
        1 => mock.scal(2.0, SliceMut::from(data).skip(start)?.vec(n, inc)?.batch(entry, count)?),
        2 => {
            let a = r.skip(start)?.mat_strided(m, n, k, ld)?.batch(entry, count)?;
            mock.gemv(1.0, a, input(other, n, count)?, 0.0, output(out, m, count)?)
        }
        3 => {
            let a = r.mat_ld(m, n, layout, ld)?.submatrix(m / 2, n / 2, m - m / 2, n - n / 2)?;
            let a = a.t().batch(entry, count)?;
            let (m, n) = (n - n / 2, m - m / 2);
            mock.gemv(1.0, a, input(other, n, count)?, 0.0, output(out, m, count)?)
        }
        4 => {
            let a = SliceMut::from(data).skip(start)?.mat_strided(m, n, k, ld)?.batch(entry, count)?;
            mock.ger(1.0, input(other, m, count)?, input(other, n, count)?, a)
        }
        5 => {
            let a = SliceMut::from(data).mat_ld(m, n, layout, ld)?;
            let part = g.below(2);
            let (a, rows) = match a.split_rows(m / 2)? {
                (top, _) if part == 0 => (top, m / 2),
                (_, bottom) => (bottom, m - m / 2),
            };
            let a = a.batch(entry, count)?;
            mock.ger(1.0, input(other, rows, count)?, input(other, n, count)?, a)
        }
        6 => {
            let a = r.skip(start)?.mat_ld(n, n, layout, ld)?.tri(uplo, diag).batch(entry, count)?;
            mock.trmv(a, output(out, n, count)?)
        }
        7 => {
            let a = r.mat_ld(n, n, layout, ld)?.sym(uplo).batch(entry, count)?;
            mock.symv(1.0, a, input(other, n, count)?, 0.0, output(out, n, count)?)
        }
        8 => {
            let a = SliceMut::from(data).mat_ld(n, n, layout, ld)?.sym(uplo).batch(entry, count)?;
            mock.syr(1.0, input(other, n, count)?, a)
        }
        9 => {
            let a = r.band(m, n, kl, k, layout, ld)?.batch(entry, count)?;
            mock.gbmv(1.0, a, input(other, n, count)?, 0.0, output(out, m, count)?)
        }
        10 => {
            let a = r.tri_band(n, k, uplo, diag, layout, ld)?.batch(entry, count)?;
            mock.tbmv(a, output(out, n, count)?)
        }
        11 => {
            let a = r.sym_band(n, k, uplo, layout, ld)?.batch(entry, count)?;
            mock.sbmv(1.0, a, input(other, n, count)?, 0.0, output(out, n, count)?)
        }
        12 => {
            let a = r.skip(start)?.tri_packed(n, uplo, diag, layout)?.batch(entry, count)?;
            mock.tpmv(a, output(out, n, count)?)
        }
        13 => {
            let a = r.skip(start)?.sym_packed(n, uplo, layout)?.batch(entry, count)?;
            mock.spmv(1.0, a, input(other, n, count)?, 0.0, output(out, n, count)?)
        }
        _ => {
            let a = SliceMut::from(data).sym_packed(n, uplo, layout)?.batch(entry, count)?;
            mock.spr(1.0, input(other, n, count)?, a)
        }
    }
}

#[test]
fn no_accepted_view_leaves_its_storage_or_overlaps_itself() {
    let (mut g, mock) = (Gen(1), Mock::new());
    let (mut data, mut a, mut b) = (vec![0.0; LEN], vec![0.0; MANY], vec![0.0; MANY]);
    let mut launched = [0; 15];
    for round in 0..60_000 {
        let which = round % launched.len();
        let range = data.as_ptr_range();
        let answer = one(&mut g, &mock, &mut data, [&mut a, &mut b], which);
        let calls = mock.take();
        assert!(answer.is_ok() || calls.is_empty(), "{answer:?}, and yet {calls:?}");
        for call in calls {
            launched[which] += 1;
            let (mut at, written) = touched(&call);
            let inside = range.start as isize..range.end as isize;
            assert!(at.iter().all(|p| inside.contains(p)), "{call:?} leaves {inside:?}");
            if written {
                let all = at.len();
                at.sort_unstable();
                at.dedup();
                assert_eq!(at.len(), all, "{call:?} writes an element twice");
            }
        }
    }
    assert!(launched.iter().all(|&n| n > 100), "too few calls are accepted: {launched:?}");
}

/// By brute force: the indices of a batch of matrices, and whether they are in the storage.
fn fits(rows: usize, cols: usize, rs: usize, cs: usize, entry: isize, count: usize) -> (Vec<i128>, bool) {
    let at = |b, i, j| b as i128 * entry as i128 + i as i128 * rs as i128 + j as i128 * cs as i128;
    let all: Vec<i128> =
        (0..count).flat_map(|b| (0..rows).flat_map(move |i| (0..cols).map(move |j| at(b, i, j)))).collect();
    let inside = all.iter().all(|i| (0..LEN as i128).contains(i));
    (all, inside)
}

#[test]
fn inputs_are_accepted_exactly_if_they_fit() {
    let (mut g, data) = (Gen(2), [0.0f64; LEN]);
    let mut accepted = 0;
    for _ in 0..40_000 {
        let (rows, cols, count) = (g.below(5), g.below(5), g.below(4));
        let (rs, cs) = (g.size(1), g.size(4));
        let entry = stride(&mut g);
        let view = SliceRef::<f64, MockBackend>::from(&data[..]).mat_strided(rows, cols, rs, cs);
        let (_, one) = fits(rows, cols, rs, cs, 0, 1);
        match &view {
            Ok(v) => assert!(one && v.rows() == rows && v.cols() == cols),
            Err(e) => {
                assert!(!one, "{rows}x{cols} ({rs}, {cs}): {e}");
                assert!(matches!(e, Error::TooShort { .. } | Error::Overflow { .. }), "{e}");
            }
        }
        let Ok(view) = view else { continue };
        let (_, all) = fits(rows, cols, rs, cs, entry, count);
        let batch = view.batch(entry, count);
        assert_eq!(batch.is_ok(), all, "{rows}x{cols} ({rs}, {cs}), {count} at {entry}: {batch:?}");
        accepted += usize::from(all);
    }
    assert!(accepted > 1000);
}

#[test]
fn outputs_are_refused_if_they_overlap() {
    let (mut g, mut data) = (Gen(3), [0.0f64; LEN]);
    let mut refused = 0;
    for _ in 0..40_000 {
        let (rows, cols, count) = (g.below(4), g.below(4), g.below(4));
        let (rs, cs) = (g.below(6), g.below(8));
        let entry = stride(&mut g);
        let batch = SliceMut::<f64, MockBackend>::from(&mut data[..])
            .mat_strided(rows, cols, rs, cs)
            .and_then(|v| v.batch(entry, count));
        let (mut all, inside) = fits(rows, cols, rs, cs, entry, count);
        all.sort_unstable();
        let twice = all.windows(2).any(|w| w[0] == w[1]);
        match batch {
            Ok(_) => assert!(inside && !twice, "{rows}x{cols} ({rs}, {cs}), {count} at {entry}"),
            Err(Error::Overlap { .. }) => refused += 1,
            // The view of one entry may be what is too long where there are no entries at all.
            Err(e) => {
                assert!(matches!(e, Error::TooShort { .. } | Error::Overflow { .. }), "{e}");
                assert!(
                    !inside || twice || count == 0,
                    "{rows}x{cols} ({rs}, {cs}), {count} at {entry}: {e}"
                );
            }
        }
    }
    assert!(refused > 1000);
}

/// Makes a view that cannot be.
type Make = fn(SliceMut<'_, f64, MockBackend>) -> Result;

#[test]
fn rejections_name_what_is_wrong() {
    let mut data = [0.0f64; 12];
    let mut text = |f: Make| f(SliceMut::from(&mut data[..])).unwrap_err().to_string();
    let cases: [(&str, Make); 20] = [
        ("vec: view needs 13 elements, the storage has 12", |s| s.vec(7, -2).map(drop)),
        ("vec: increment of output is 0, must not be 0", |s| s.vec(2, 0).map(drop)),
        ("skip: view needs 13 elements, the storage has 12", |s| s.skip(13).map(drop)),
        ("scalar: view needs 1 elements, the storage has 0", |s| s.scalar(12).map(drop)),
        ("mat: leading dimension of view is 2, must be at least 3", |s| {
            s.mat_ld(3, 2, Layout::Col, 2).map(drop)
        }),
        ("mat: leading dimension of view is 0, must be at least 1", |s| {
            s.mat_ld(0, 0, Layout::Row, 0).map(drop)
        }),
        ("mat: view needs 15 elements, the storage has 12", |s| s.mat(3, 5, Layout::Row).map(drop)),
        ("mat: elements of output overlap: stride 2, must be at least 3 in size", |s| {
            s.mat_strided(3, 2, 1, 2).map(drop)
        }),
        ("band: leading dimension of view is 3, must be at least 4", |s| {
            s.band(3, 3, 1, 2, Layout::Col, 3).map(drop)
        }),
        ("batch: operand needs 14 elements, the storage has 12", |s| {
            s.mat(2, 2, Layout::Col)?.batch(5, 3).map(drop)
        }),
        ("batch: elements of output overlap: stride 3, must be at least 4 in size", |s| {
            s.mat(2, 2, Layout::Col)?.batch(3, 2).map(drop)
        }),
        ("batch: operand needs 8 elements, the storage has 4", |s| {
            s.mat(2, 2, Layout::Col)?.batch(-4, 2).map(drop)
        }),
        ("submatrix: columns 2..5 asked for, there are 4", |s| {
            s.mat(3, 4, Layout::Col)?.submatrix(0, 2, 3, 3).map(drop)
        }),
        ("row: rows 3..4 asked for, there are 3", |s| s.mat(3, 4, Layout::Col)?.row(3).map(drop)),
        ("col: columns 4..5 asked for, there are 4", |s| s.mat(3, 4, Layout::Col)?.col(4).map(drop)),
        ("subvector: elements 3..13 asked for, there are 12", |s| s.vec(12, 1)?.subvector(3, 10).map(drop)),
        ("column: increment of x is -1, must not be negative", |s| s.vec(3, -1)?.column().map(drop)),
        ("split_rows: rows 0..4 asked for, there are 3", |s| {
            s.mat(3, 4, Layout::Row)?.split_rows(4).map(drop)
        }),
        ("split_cols: columns 0..5 asked for, there are 4", |s| {
            s.mat(3, 4, Layout::Row)?.split_cols(5).map(drop)
        }),
        ("batch: number of views is 0, must be at least 1", |_| {
            Batched::from_views(std::iter::empty::<MatRef<'_, f64, MockBackend>>()).map(drop)
        }),
    ];
    for (expected, f) in cases {
        assert_eq!(text(f), expected);
    }
    assert!(matches!(
        SliceRef::<f64, MockBackend>::from(&data[..]).tri_packed(
            usize::MAX,
            Uplo::Lower,
            Diag::Unit,
            Layout::Col
        ),
        Err(Error::Overflow { .. })
    ));
}

#[test]
fn halves_of_a_split_cannot_reach_into_each_other() -> Result {
    let mut data = [0.0f64; 12];
    let a = MatMut::<_, MockBackend>::from_slice(&mut data, 4, 3, Layout::Col)?;
    let (top, bottom) = a.split_rows(2)?;
    assert!(matches!(bottom.batch(-2, 2), Err(Error::TooShort { .. })));
    assert!(matches!(top.batch(2, 2), Err(Error::TooShort { .. })));

    let (left, right) = SliceMut::<_, MockBackend>::from(&mut data[..]).split_at(4)?;
    assert!(left.vec(4, 1)?.batch(4, 2).is_err());
    assert!(right.vec(4, 1)?.batch(-4, 2).is_err());
    Ok(())
}

#[test]
fn entries_of_an_array_must_be_alike() -> Result {
    let data = [0.0f64; 12];
    let v = |n| SliceRef::<_, MockBackend>::from(&data[..]).vec(n, 1);
    assert_eq!(
        Batched::from_views([v(3)?, v(3)?, v(2)?]).unwrap_err(),
        Error::BatchShape { routine: "batch", index: 2 }
    );
    Ok(())
}

#[test]
fn strides_of_axes_of_length_1_tell_no_entries_apart() -> Result {
    let data = [0.0f64; 12];
    let v = |n, inc| SliceRef::<_, MockBackend>::from(&data[..]).vec(n, inc);
    Batched::from_views([v(1, 1)?, v(1, 5)?, v(1, -3)?])?;
    assert!(Batched::from_views([v(2, 1)?, v(2, 5)?]).is_err());
    let row = |ld| SliceRef::<_, MockBackend>::from(&data[..]).mat_ld(1, 3, Layout::Col, ld);
    let column = |ld| SliceRef::<_, MockBackend>::from(&data[..]).mat_ld(3, 1, Layout::Col, ld);
    let none = |ld| SliceRef::<_, MockBackend>::from(&data[..]).mat_ld(2, 0, Layout::Col, ld);
    Batched::from_views([column(3)?, column(7)?])?;
    Batched::from_views([none(2)?, none(5)?])?;
    Batched::from_views([column(3)?.t(), row(1)?])?;
    assert!(Batched::from_views([row(1)?, row(4)?]).is_err());
    Ok(())
}

/// Views and handles go where threads need them, and what is not `Sync` does not.
#[test]
fn views_are_send_and_sync() {
    fn both<T: Send + Sync>() {}
    fn send<T: Send>() {}
    both::<MatRef<'_, f64, MockBackend>>();
    both::<MatMut<'_, Complex<f32>, Any>>();
    both::<Batched<TriRef<'_, f64, MockBackend>>>();
    both::<Buffer<f64, Any>>();
    send::<Handle<Any>>();
    send::<Graph<Any>>();
}
