//! The same call gives the same bits: again, on another handle, with other threads, beside other callers.

use blas_api::*;

use super::sweep::*;
use super::values::deterministic;
use crate::num::{Num, Z};

fn units<T: Num>(seed: u64, len: usize) -> Vec<T> {
    let mut rng = crate::rng::Rng::new(seed);
    (0..len).map(|_| T::from_z(Z::new(rng.unit(), rng.unit()))).collect()
}

/// Results of a routine that a repetition must reproduce.
type Bits = Vec<[u64; 2]>;

/// Runs `call` often on one handle, and once on a second one, with operands that are uploaded once a handle.
fn repeat<T: Num, B: Backend>(
    s: &mut Sweep<'_, B>,
    name: String,
    operands: &[&[T]],
    call: impl Fn(&Handle<B>, &[Buffer<T, B>]) -> std::result::Result<Bits, Trouble>,
) {
    let (open, times) = (s.open.cloned(), if s.full() { 50 } else { 5 });
    let upload = |h: &Handle<B>| operands.iter().map(|o| h.upload(o)).collect::<Result<Vec<_>>>();
    s.check(name, |h, _| {
        deterministic(h, || {
            let buffers = upload(h)?;
            let want = call(h, &buffers)?;
            for i in 1..times {
                ensure(call(h, &buffers)? == want, || format!("run {i} gave other bits than run 0"))?;
            }
            let Some(open) = open else { return Ok(()) };
            let other = open()?;
            deterministic(&other, || {
                let buffers = upload(&other)?;
                ensure(call(&other, &buffers)? == want, || "another handle gave other bits".to_owned())
            })
        })
    });
}

/// A copy on the device, for a routine that works in place.
fn copy<T: Num, B: Backend>(h: &Handle<B>, b: &Buffer<T, B>) -> Result<Buffer<T, B>> {
    let mut out = h.alloc(b.len())?;
    out.copy_from(h, b)?;
    Ok(out)
}

fn bits<T: Num, B: Backend>(h: &Handle<B>, b: &Buffer<T, B>) -> std::result::Result<Bits, Trouble> {
    Ok(b.to_vec(h)?.into_iter().map(Num::bits).collect())
}

pub(super) fn run_to_run<B: Backend>(s: &mut Sweep<'_, B>) {
    fn scalar<T: Scalar + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let full = s.full();
        let (one, zero) = (T::Coef::from_parts([1.0, 0.0]), T::Coef::from_parts([0.0; 2]));
        let (n, k) = (64, if full { 65536 } else { 4096 });
        let (a, b) = (units::<T>(1, n * k), units::<T>(2, k * n));
        repeat(s, format!("{} gemm {n} x {n} x {k}", T::DTYPE), &[&a, &b], |h, o| {
            let mut c = h.alloc::<T>(n * n)?;
            let (av, bv) = (o[0].mat(n, k, Layout::Col)?, o[1].mat(k, n, Layout::Col)?);
            h.gemm(one, av, bv, zero, c.mat_mut(n, n, Layout::Col)?)?;
            bits(h, &c)
        });
        let n = if full { 4096 } else { 300 };
        let (a, x) = (units::<T>(3, n * n), units::<T>(4, n));
        for trans in [false, true] {
            repeat(s, format!("{} gemv {n} transposed {trans}", T::DTYPE), &[&a, &x], |h, o| {
                let mut y = h.alloc::<T>(n)?;
                let av = o[0].mat(n, n, if trans { Layout::Row } else { Layout::Col })?;
                h.gemv(one, av, o[1].vec(), zero, y.vec_mut())?;
                bits(h, &y)
            });
        }
        let x = units::<T>(5, if full { 1 << 20 } else { 100_000 });
        repeat(s, format!("{} dot, nrm2, asum", T::DTYPE), &[&x], |h, o| {
            let x = &o[0];
            let (norm, sum) = (h.nrm2(x.vec())?, h.asum(x.vec())?);
            let real = |v: T::Real| [v.parts()[0].to_bits(), 0];
            Ok(vec![h.dot(x.vec(), x.vec())?.bits(), real(norm), real(sum)])
        });
    }
    fn field<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let n = if s.full() { 1000 } else { 150 };
        let (one, zero) = (num::<T>(1.0), num::<T>(0.0));
        let mut a = units::<T>(6, n * n);
        for i in 0..n {
            a[i * (n + 1)] = num(n as f64);
        }
        let x = units::<T>(7, n * 8);
        repeat(s, format!("{} symv", T::DTYPE), &[&a, &x[..n]], |h, o| {
            let mut y = h.alloc::<T>(n)?;
            h.symv(one, o[0].mat(n, n, Layout::Col)?.sym(Uplo::Lower), o[1].vec(), zero, y.vec_mut())?;
            bits(h, &y)
        });
        repeat(s, format!("{} trsv", T::DTYPE), &[&a, &x[..n]], |h, o| {
            let mut x = copy(h, &o[1])?;
            h.trsv(o[0].mat(n, n, Layout::Col)?.upper(Diag::NonUnit), x.vec_mut())?;
            bits(h, &x)
        });
        repeat(s, format!("{} trsm", T::DTYPE), &[&a, &x], |h, o| {
            let mut b = copy(h, &o[1])?;
            let bv = b.mat_mut(n, 8, Layout::Col)?;
            h.trsm(Side::Left, one, o[0].mat(n, n, Layout::Col)?.lower(Diag::NonUnit), bv)?;
            bits(h, &b)
        });
    }
    each!(s, scalar: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
    each!(s, field: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn thread_counts<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: RealField + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let (m, n, k) = (257, 129, if s.full() { 1025 } else { 257 });
        let (a, b) = (units::<T>(1, m * k), units::<T>(2, k * n));
        let mut sizes = vec![0.0; m * n];
        for p in 0..k {
            for (at, size) in sizes.iter_mut().enumerate() {
                *size += (a[at % m + p * m].z().re * b[p + at / m * k].z().re).abs();
            }
        }
        let mut first: Option<Vec<T>> = None;
        for threads in [1, 2, 3, 8] {
            let call = |h: &Handle<B>| -> Result<Vec<T>> {
                let policy = h.policy();
                h.set_threads(Threads::Max(threads))?;
                let (a, b, mut c) = (h.upload(&a)?, h.upload(&b)?, h.alloc::<T>(m * n)?);
                let (av, bv) = (a.mat(m, k, Layout::Col)?, b.mat(k, n, Layout::Col)?);
                h.gemm(num::<T>(1.0), av, bv, num::<T>(0.0), c.mat_mut(m, n, Layout::Col)?)?;
                h.set_policy(policy)?;
                c.to_vec(h)
            };
            s.check(format!("{} {threads} threads", T::DTYPE), |h, _| {
                let c = call(h)?;
                let want = first.get_or_insert_with(|| c.clone());
                for (i, (g, w)) in c.iter().zip(want.iter()).enumerate() {
                    let (g, w) = (g.z().re, w.z().re);
                    // Two sums of the same terms, each within Higham's bound.
                    let bound = 2.0 * k as f64 * T::UNIT * sizes[i];
                    ensure((g - w).abs() <= bound, || format!("element {i}: got {g}, one thread gives {w}"))?;
                }
                Ok(())
            });
        }
    }
    each!(s, typed: f32, f64);
}

/// C = A * B of `n` x `n` ones: every element is n, exactly.
fn product_of_ones<B: Backend>(h: &Handle<B>, n: usize) -> Check {
    let (ones, mut c) = (h.upload(&vec![1f64; n * n])?, h.upload(&vec![f64::NAN; n * n])?);
    let m = || ones.mat(n, n, Layout::Col);
    h.gemm(1.0, m()?, m()?, 0.0, c.mat_mut(n, n, Layout::Col)?)?;
    let c = c.to_vec(h)?;
    match c.iter().find(|v| **v != n as f64) {
        None => Ok(()),
        Some(v) => Err(format!("{n} x {n}: got {v}, want {n}").into()),
    }
}

/// Runs `body` on so many threads, each with its index and a handle of its own.
fn threads<B: Backend>(
    open: &Open<B>,
    count: usize,
    body: impl Fn(usize, &Handle<B>) -> Check + Sync,
) -> Check {
    std::thread::scope(|scope| {
        let body = &body;
        let spawn = |i| scope.spawn(move || body(i, &open()?));
        let all: Vec<_> = (0..count).map(spawn).collect();
        let join = |t: std::thread::ScopedJoinHandle<'_, Check>| {
            t.join().unwrap_or_else(|_| Err(Trouble::Wrong("a thread panicked".to_owned())))
        };
        all.into_iter().try_for_each(join)
    })
}

pub(super) fn private_data<B: Backend>(s: &mut Sweep<'_, B>) {
    fn typed<T: Field + Num, B: Backend>(s: &mut Sweep<'_, B>) {
        let (callers, calls) = if s.full() { (20, 500) } else { (8, 40) };
        s.check_in_time(&format!("{} {callers} callers", T::DTYPE), 120, move |open| {
            threads(open, callers, |i, h| {
                h.set_determinism(Determinism::Required)?;
                let n = 20 + 2 * i;
                let (a, b) = (units::<T>(i as u64, n * n), units::<T>(99 - i as u64, n * n));
                let (a, b, mut c) = (h.upload(&a)?, h.upload(&b)?, h.alloc::<T>(n * n)?);
                let mut want: Option<Vec<T>> = None;
                for call in 0..calls {
                    let (av, bv) = (a.mat(n, n, Layout::Col)?, b.mat(n, n, Layout::Col)?);
                    h.gemm(num::<T>(1.0), av, bv, num::<T>(0.0), c.mat_mut(n, n, Layout::Col)?)?;
                    let got = c.to_vec(h)?;
                    let want = want.get_or_insert_with(|| got.clone());
                    let same = got.iter().zip(want.iter()).all(|(g, w)| g.bits() == w.bits());
                    ensure(same, || format!("caller {i}, call {call}: other bits than the first call"))?;
                }
                Ok(())
            })
        });
    }
    each!(s, typed: f32, f64, Complex<f32>, Complex<f64>);
}

pub(super) fn mixed_level3<B: Backend>(s: &mut Sweep<'_, B>) {
    let calls = if s.full() { 2000 } else { 100 };
    s.check_in_time("syrk and trsm beside gemm", 60, move |open| {
        let done = std::sync::atomic::AtomicBool::new(false);
        threads(open, 2, |i, h| {
            use std::sync::atomic::Ordering::Relaxed;
            if i == 0 {
                let result =
                    (0..calls).try_for_each(|c| product_of_ones(h, if c % 2 == 0 { 64 } else { 128 }));
                done.store(true, Relaxed);
                return result;
            }
            let (a, mut c) = (h.upload(&vec![1f64; 300 * 300])?, h.alloc::<f64>(300 * 300)?);
            let m = || a.mat(300, 300, Layout::Col);
            while !done.load(Relaxed) {
                h.syrk(1.0, m()?, 0.0, c.mat_mut(300, 300, Layout::Col)?.sym(Uplo::Upper))?;
                let t = a.mat(200, 200, Layout::Col)?.lower(Diag::Unit);
                h.trsm(Side::Left, 1.0, t, c.mat_mut(200, 200, Layout::Col)?)?;
                // Work beside the other caller's, not a queue that grows: freeing memory may wait for a whole device.
                h.sync()?;
            }
            Ok(())
        })
    });
}

pub(super) fn nested<B: Backend>(s: &mut Sweep<'_, B>) {
    let n = if s.full() { 256 } else { 96 };
    s.check_in_time("gemm in every worker of a pool", 60, move |open| {
        use rayon::prelude::*;
        let workers = rayon::current_num_threads().max(2);
        let serial = std::time::Instant::now();
        let h = open()?;
        (0..workers).try_for_each(|_| product_of_ones(&h, n))?;
        let serial = serial.elapsed();
        let nested = std::time::Instant::now();
        let results: Vec<Check> =
            (0..workers).into_par_iter().with_max_len(1).map(|_| product_of_ones(&open()?, n)).collect();
        results.into_iter().collect::<Check>()?;
        // Half a second for a machine that is busy with other things.
        let (limit, nested) = (serial * 3 + std::time::Duration::from_millis(500), nested.elapsed());
        ensure(nested <= limit, || format!("took {nested:?}, in sequence {serial:?}"))
    });
}
