//! Principal components of 1,797 images of handwritten digits, compared with NumPy's singular values:
//! `cargo run --release -p anyblas --example pca_digits -- --device cpu`
//!
//! The data is centred (gemv, ger), reduced to the triangle of its QR factorisation (geqrf), and that is made orthogonal
//! by one-sided Jacobi rotations (dot, rot). The norms of its columns (nrm2) are the singular values then. Forming the
//! covariance matrix would square the condition number, and lose half of the digits of the small ones.

use std::process::ExitCode;

use anyblas::prelude::*;

mod common;

/// One line an image: 64 pixels of 0 to 16 as digits of base 17, and the label. See data/README.md.
const DIGITS: &str = include_str!("data/digits.txt");
/// By NumPy, largest first, without those that are zero.
const REFERENCE: &str = include_str!("data/digits_singular_values.txt");

const PIXELS: usize = 64;
const TOLERANCE: f64 = 1e-10;

fn pca<B: Backend>(blas: &Handle<B>) -> Result<bool> {
    let images: Vec<f64> = DIGITS.lines().flat_map(pixels).collect();
    let n = images.len() / PIXELS;
    println!("data     {n} images of {PIXELS} pixels");

    let mut x = blas.upload(&images)?;
    centre(blas, x.mat_mut(n, PIXELS, Layout::Row)?)?;
    let deviation = blas.nrm2(x.vec())?;
    let mut r = triangle(blas, x, n)?;
    let mut values = singular_values(blas, &mut r)?;
    values.sort_by(|a, b| b.total_cmp(a));

    println!("component  singular value  explained variance");
    for (i, s) in values.iter().take(10).enumerate() {
        println!("{:9}  {s:14.8}  {:17.2}%", i + 1, 100.0 * (s / deviation).powi(2));
    }
    Ok(agrees(&values))
}

fn pixels(line: &str) -> impl Iterator<Item = f64> {
    line.chars().take(PIXELS).map(|c| f64::from(c.to_digit(17).expect("a digit of base 17")))
}

/// Subtracts from each column its mean.
fn centre<B: Backend>(blas: &Handle<B>, x: MatMut<'_, f64, B>) -> Result {
    let ones = blas.upload(&vec![1.0; x.rows()])?;
    let mut mean = blas.alloc::<f64>(x.cols())?;
    blas.gemv(1.0 / x.rows() as f64, x.rb().t(), ones.vec(), 0.0, mean.vec_mut())?;
    blas.ger(-1.0, ones.vec(), mean.vec(), x)
}

/// R of X = Q * R, column-major with zeros below the diagonal.
fn triangle<B: Backend>(blas: &Handle<B>, mut x: Buffer<f64, B>, n: usize) -> Result<Buffer<f64, B>> {
    let mut tau = blas.alloc::<f64>(PIXELS)?;
    blas.geqrf(x.mat_mut(n, PIXELS, Layout::Row)?, tau.vec_mut())?;
    let x = x.to_vec(blas)?;
    let r: Vec<f64> = (0..PIXELS * PIXELS)
        .map(|l| (l % PIXELS, l / PIXELS))
        .map(|(i, j)| if i <= j { x[i * PIXELS + j] } else { 0.0 })
        .collect();
    blas.upload(&r)
}

/// Rotates columns in pairs until all are orthogonal; returns their norms.
fn singular_values<B: Backend>(blas: &Handle<B>, a: &mut Buffer<f64, B>) -> Result<Vec<f64>> {
    for sweep in 1.. {
        let mut rotations = 0;
        for q in 1..PIXELS {
            for p in 0..q {
                let (left, right) = a.mat_mut(PIXELS, PIXELS, Layout::Col)?.split_cols(q)?;
                let (mut x, mut y) = (left.col(p)?, right.col(0)?);
                let xx = blas.dot(x.rb(), x.rb())?;
                let yy = blas.dot(y.rb(), y.rb())?;
                let xy = blas.dot(x.rb(), y.rb())?;
                if xy.abs() <= f64::EPSILON * xx.sqrt() * yy.sqrt() {
                    continue;
                }
                let zeta = (yy - xx) / (2.0 * xy);
                let t = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                blas.rot(x.rb_mut(), y.rb_mut(), c, -c * t)?;
                rotations += 1;
            }
        }
        if rotations == 0 || sweep == 30 {
            println!("sweeps   {sweep}");
            break;
        }
    }
    (0..PIXELS).map(|j| blas.nrm2(a.mat(PIXELS, PIXELS, Layout::Col)?.col(j)?)).collect()
}

/// Whether the values are those of the reference, and zero beyond.
fn agrees(values: &[f64]) -> bool {
    let reference: Vec<f64> = REFERENCE.lines().map(|l| l.parse().expect("a number")).collect();
    let (values, zeros) = values.split_at(reference.len());
    let errors = values.iter().zip(&reference).map(|(v, r)| (v - r).abs() / r);
    let worst = errors.fold(0.0, |worst: f64, e| if e.is_nan() { f64::INFINITY } else { worst.max(e) });
    println!("compared {} values with NumPy's: largest relative difference {worst:.1e}", reference.len());
    worst <= TOLERANCE && zeros.iter().all(|&z| z <= TOLERANCE * reference[0])
}

fn main() -> ExitCode {
    common::run(pca)
}
