//! One pre-norm transformer block with causal attention, in f32 and bf16:
//! `cargo run --release -p anyblas --example transformer_block -- --device cpu`
//!
//! Every product is one batched gemm over views: sequences share the weights by broadcast, and all heads of all sequences
//! attend in one call on parts of the projected rows, without a copy. What is not BLAS (norms, softmax, GELU) is done on
//! the host.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyblas::prelude::*;

mod common;

#[derive(Clone, Copy)]
struct Shape {
    sequences: usize,
    tokens: usize,
    width: usize,
    heads: usize,
    hidden: usize,
}

const SMALL: Shape = Shape { sequences: 2, tokens: 11, width: 24, heads: 3, hidden: 40 };
const LARGE: Shape = Shape { sequences: 4, tokens: 128, width: 256, heads: 8, hidden: 1024 };

/// Tensors that are rounded to the element type between input and output: input, four weights, norm, projection, scores,
/// probabilities, heads, residual, norm, hidden layer, GELU, output.
const ROUNDINGS: f64 = 15.0;

impl Shape {
    fn head(&self) -> usize {
        self.width / self.heads
    }

    /// How far the output may be off, as the norm of the error over the norm of the output: each rounding adds at most
    /// the unit roundoff of the element type, and each product gamma(k) of the accumulation, to first order and for a block
    /// that does not amplify errors.
    fn bound(&self, unit_roundoff: f64) -> f64 {
        let sums = 2 * self.width + self.head() + self.tokens + self.width + self.hidden;
        ROUNDINGS * unit_roundoff + sums as f64 * f64::from(f32::EPSILON) / 2.0
    }
}

/// Row-major: `qkv` width x 3 width, `out` width x width, `up` width x hidden, `down` hidden x width.
struct Weights<M> {
    qkv: M,
    out: M,
    up: M,
    down: M,
}

impl Weights<Vec<f64>> {
    fn random(s: Shape) -> Self {
        let matrix = |seed, rows: usize, cols| common::random(seed, rows * cols, (3.0 / rows as f64).sqrt());
        Weights {
            qkv: matrix(1, s.width, 3 * s.width),
            out: matrix(2, s.width, s.width),
            up: matrix(3, s.width, s.hidden),
            down: matrix(4, s.hidden, s.width),
        }
    }

    fn upload<T: Scalar, B: Backend>(&self, blas: &Handle<B>) -> Result<Weights<Buffer<T, B>>> {
        Ok(Weights {
            qkv: blas.upload(&narrow(&self.qkv))?,
            out: blas.upload(&narrow(&self.out))?,
            up: blas.upload(&narrow(&self.up))?,
            down: blas.upload(&narrow(&self.down))?,
        })
    }
}

fn narrow<T: Scalar>(v: &[f64]) -> Vec<T> {
    v.iter().map(|&v| T::from_parts([v, 0.0])).collect()
}

fn widen<T: Scalar>(v: &[T]) -> Vec<f64> {
    v.iter().map(|v| v.parts()[0]).collect()
}

/// The block on a device, and the time spent in its products.
struct Block<'a, T, B: Backend> {
    blas: &'a Handle<B>,
    shape: Shape,
    weights: Weights<Buffer<T, B>>,
    in_gemm: Duration,
}

impl<T: Scalar, B: Backend> Block<'_, T, B> {
    fn run(&mut self, x: &[T]) -> Result<Vec<T>> {
        let Shape { width, hidden, sequences, tokens, .. } = self.shape;
        let (blas, rows) = (self.blas, sequences * tokens);

        let mut y = blas.upload(x)?;
        let normed = blas.upload(&on_host(x, |x| layer_norm(x, width)))?;
        let mut qkv = blas.alloc(rows * 3 * width)?;
        self.linear(&normed, |w| &w.qkv, 0.0, &mut qkv)?;
        let heads = self.attend(&qkv)?;
        self.linear(&heads, |w| &w.out, 1.0, &mut y)?;

        let normed = blas.upload(&on_host(&y.to_vec(blas)?, |x| layer_norm(x, width)))?;
        let mut up = blas.alloc(rows * hidden)?;
        self.linear(&normed, |w| &w.up, 0.0, &mut up)?;
        let up = blas.upload(&on_host(&up.to_vec(blas)?, |x| x.iter_mut().for_each(|v| *v = gelu(*v))))?;
        self.linear(&up, |w| &w.down, 1.0, &mut y)?;
        y.to_vec(blas)
    }

    /// y = x * w + beta * y, a batch of sequences with the same weights.
    fn linear(
        &mut self,
        x: &Buffer<T, B>,
        w: impl Fn(&Weights<Buffer<T, B>>) -> &Buffer<T, B>,
        beta: f64,
        y: &mut Buffer<T, B>,
    ) -> Result {
        let Shape { sequences, tokens, .. } = self.shape;
        let (inner, outer) = (x.len() / sequences / tokens, y.len() / sequences / tokens);
        let w = w(&self.weights).mat(inner, outer, Layout::Row)?.broadcast(sequences);
        let x = x.mat(tokens, inner, Layout::Row)?.batch((tokens * inner) as isize, sequences)?;
        let y = y.mat_mut(tokens, outer, Layout::Row)?.batch((tokens * outer) as isize, sequences)?;
        let start = Instant::now();
        self.blas.gemm(T::coef(1.0), x, w, T::coef(beta), y)?;
        self.blas.sync()?;
        self.in_gemm += start.elapsed();
        Ok(())
    }

    /// softmax(Q * Kᵀ / sqrt(head)) * V for all heads of all sequences.
    fn attend(&mut self, qkv: &Buffer<T, B>) -> Result<Buffer<T, B>> {
        let Shape { sequences, tokens, width, heads, .. } = self.shape;
        let (blas, head, count) = (self.blas, self.shape.head(), sequences * heads);
        // Rows of one sequence and columns of one head, of the part 0 (Q), 1 (K) or 2 (V) of the projected rows.
        let view = |part: usize, l: usize| {
            let start = l / heads * tokens * 3 * width + part * width + l % heads * head;
            qkv.slice().skip(start)?.mat_ld(tokens, head, Layout::Row, 3 * width)
        };
        let q = Batched::from_views((0..count).map(|l| view(0, l)).collect::<Result<Vec<_>>>()?)?;
        let k = Batched::from_views((0..count).map(|l| Ok(view(1, l)?.t())).collect::<Result<Vec<_>>>()?)?;
        let v = Batched::from_views((0..count).map(|l| view(2, l)).collect::<Result<Vec<_>>>()?)?;

        let square = (tokens * tokens) as isize;
        let mut scores = blas.alloc::<T>(count * tokens * tokens)?;
        let start = Instant::now();
        let out = scores.mat_mut(tokens, tokens, Layout::Row)?.batch(square, count)?;
        blas.gemm(T::coef(1.0 / (head as f64).sqrt()), q, k, T::coef(0.0), out)?;
        blas.sync()?;
        self.in_gemm += start.elapsed();

        let scores = on_host(&scores.to_vec(blas)?, |s| causal_softmax(s, tokens));
        let probabilities = blas.upload(&scores)?;
        let mut out = blas.alloc::<T>(sequences * tokens * width)?;
        let start = Instant::now();
        let p = probabilities.mat(tokens, tokens, Layout::Row)?.batch(square, count)?;
        let views = split_heads(out.mat_mut(sequences * tokens, width, Layout::Row)?, self.shape)?;
        blas.gemm(T::coef(1.0), p, v, T::coef(0.0), Batched::from_views(views)?)?;
        blas.sync()?;
        self.in_gemm += start.elapsed();
        Ok(out)
    }
}

/// The part of each sequence and head, in order.
fn split_heads<T: Scalar, B>(mut rest: MatMut<'_, T, B>, s: Shape) -> Result<Vec<MatMut<'_, T, B>>> {
    let mut views = Vec::new();
    for _ in 0..s.sequences {
        let (mut sequence, below) = rest.split_rows(s.tokens)?;
        rest = below;
        for _ in 0..s.heads {
            let (head, right) = sequence.split_cols(s.head())?;
            sequence = right;
            views.push(head);
        }
    }
    Ok(views)
}

/// Rounds once to the element type, after `f` in f64.
fn on_host<T: Scalar>(x: &[T], f: impl FnOnce(&mut [f64])) -> Vec<T> {
    let mut wide = widen(x);
    f(&mut wide);
    narrow(&wide)
}

fn layer_norm(x: &mut [f64], width: usize) {
    for row in x.chunks_mut(width) {
        let mean = row.iter().sum::<f64>() / width as f64;
        let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / width as f64;
        row.iter_mut().for_each(|v| *v = (*v - mean) / (variance + 1e-5).sqrt());
    }
}

/// Softmax of each row over its own and earlier tokens.
fn causal_softmax(scores: &mut [f64], tokens: usize) {
    for (i, row) in scores.chunks_mut(tokens).enumerate() {
        let (past, future) = row.split_at_mut(i % tokens + 1);
        let max = past.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        past.iter_mut().for_each(|v| *v = (*v - max).exp());
        let sum: f64 = past.iter().sum();
        past.iter_mut().for_each(|v| *v /= sum);
        future.fill(0.0);
    }
}

/// By its usual approximation.
fn gelu(x: f64) -> f64 {
    0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh())
}

/// The block by plain loops in f64.
fn reference(s: Shape, w: &Weights<Vec<f64>>, x: &[f64]) -> Vec<f64> {
    let linear = |x: &[f64], w: &[f64], outer: usize| -> Vec<f64> {
        let inner = w.len() / outer;
        let row = |x: &[f64], j: usize| (0..inner).map(|l| x[l] * w[l * outer + j]).sum::<f64>();
        x.chunks(inner).flat_map(|x| (0..outer).map(move |j| (x, j))).map(|(x, j)| row(x, j)).collect()
    };
    let add = |x: &[f64], y: &[f64]| -> Vec<f64> { x.iter().zip(y).map(|(x, y)| x + y).collect() };
    let mut normed = x.to_vec();
    layer_norm(&mut normed, s.width);
    let qkv = linear(&normed, &w.qkv, 3 * s.width);
    let mut attended = vec![0.0; x.len()];
    for (sequence, h) in (0..s.sequences).flat_map(|q| (0..s.heads).map(move |h| (q, h))) {
        let at = |part: usize, token: usize, l: usize| {
            qkv[((sequence * s.tokens + token) * 3 + part) * s.width + h * s.head() + l]
        };
        for i in 0..s.tokens {
            let score = |j| (0..s.head()).map(|l| at(0, i, l) * at(1, j, l)).sum::<f64>();
            let p: Vec<f64> = (0..=i).map(|j| (score(j) / (s.head() as f64).sqrt()).exp()).collect();
            let sum: f64 = p.iter().sum();
            for l in 0..s.head() {
                attended[(sequence * s.tokens + i) * s.width + h * s.head() + l] =
                    (0..=i).map(|j| p[j] / sum * at(2, j, l)).sum();
            }
        }
    }
    let y = add(x, &linear(&attended, &w.out, s.width));
    let mut normed = y.clone();
    layer_norm(&mut normed, s.width);
    let up: Vec<f64> = linear(&normed, &w.up, s.hidden).into_iter().map(gelu).collect();
    add(&y, &linear(&up, &w.down, s.width))
}

/// Runs the block, prints its speed if asked to, and returns its output.
fn block<T: Scalar, B: Backend>(
    blas: &Handle<B>,
    shape: Shape,
    weights: &Weights<Vec<f64>>,
    x: &[f64],
    timed: bool,
) -> Result<Vec<f64>> {
    let mut block = Block::<T, B> { blas, shape, weights: weights.upload(blas)?, in_gemm: Duration::ZERO };
    let x = narrow::<T>(x);
    let mut y = block.run(&x)?;
    if timed {
        const RUNS: u32 = 5;
        block.in_gemm = Duration::ZERO;
        let start = Instant::now();
        for _ in 0..RUNS {
            y = block.run(&x)?;
        }
        let time = start.elapsed();
        let tokens = f64::from(RUNS) * (shape.sequences * shape.tokens) as f64;
        let share = block.in_gemm.as_secs_f64() / time.as_secs_f64();
        let rate = tokens / time.as_secs_f64();
        println!("{:8} {rate:.0} tokens/s, {:.0}% of the time in gemm", T::DTYPE.name(), 100.0 * share);
    }
    Ok(widen(&y))
}

/// Prints the relative difference of two outputs and whether it is within the bound.
fn within(what: &str, got: &[f64], want: &[f64], bound: f64) -> bool {
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|v| v * v).sum::<f64>().sqrt();
    let error = norm(&mut got.iter().zip(want).map(|(g, w)| g - w)) / norm(&mut want.iter().copied());
    println!("{what}: relative difference {error:.1e}, allowed {bound:.1e}");
    // NaN is not within anything.
    error <= bound
}

fn transformer_block<B: Backend>(blas: &Handle<B>) -> Result<bool> {
    let unit_f32 = f64::from(f32::EPSILON) / 2.0;
    let unit_bf16 = bf16::EPSILON.to_f64() / 2.0;

    let (s, w) = (SMALL, Weights::random(SMALL));
    let x = common::random(5, s.sequences * s.tokens * s.width, 1.0);
    let (f, h) = (block::<f32, B>(blas, s, &w, &x, false)?, block::<bf16, B>(blas, s, &w, &x, false)?);
    let exact = reference(s, &w, &x);
    let mut right = within("small, f32 against plain loops in f64 ", &f, &exact, s.bound(unit_f32));
    right &= within("small, bf16 against plain loops in f64", &h, &exact, s.bound(unit_bf16));

    let (s, w) = (LARGE, Weights::random(LARGE));
    let x = common::random(6, s.sequences * s.tokens * s.width, 1.0);
    let (f, h) = (block::<f32, B>(blas, s, &w, &x, true)?, block::<bf16, B>(blas, s, &w, &x, true)?);
    let both = s.bound(unit_f32) + s.bound(unit_bf16);
    right &= within("large, bf16 against f32", &h, &f, both);
    Ok(right)
}

fn main() -> ExitCode {
    common::run(transformer_block)
}
