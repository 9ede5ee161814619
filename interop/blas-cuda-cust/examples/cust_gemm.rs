//! saxpy and a product of matrices on streams and buffers of cust, checked element by element.

use std::error::Error;
use std::process::ExitCode;

use blas_api::{Complex, Layout, Level1, Level3};
use blas_cuda_cust::{slice, slice_mut, stream, with_stream};
use cust::context::legacy;
use cust::device::Device;
use cust::error::CudaError;
use cust::memory::{AsyncCopyDestination, CopyDestination, DeviceBuffer};
use cust::stream::{Stream, StreamFlags};

/// Rows and columns of the product, and the length of its sums.
const M: usize = 33;
const N: usize = 48;
const K: usize = 64;

/// Small integers, whose products and sums are exact in f32.
fn integers(n: usize, modulus: usize) -> Vec<f32> {
    (0..n).map(|i| (i % modulus) as f32 - (modulus / 2) as f32).collect()
}

/// y = 2 x + y with the copies of cust before and after it on the same stream, and no wait in between.
fn saxpy(s: &Stream) -> Result<bool, Box<dyn Error>> {
    let (x, mut y) = (integers(1000, 7), integers(1000, 5));
    let want: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.0 * x + y).collect();
    // SAFETY: the host waits for the stream before what it copies and computes with is gone.
    unsafe {
        let blas = with_stream(s)?;
        let dx = DeviceBuffer::from_slice_async(&x, s)?;
        let mut dy = DeviceBuffer::from_slice_async(&y, s)?;
        blas.axpy(2.0, slice(&blas, &dx)?.vec(x.len(), 1)?, slice_mut(&blas, &mut dy)?.vec(y.len(), 1)?)?;
        dy.async_copy_to(&mut y, s)?;
        s.synchronize()?;
    }
    Ok(y == want)
}

/// C = A * B with A in rows and B in columns, of parts of one buffer.
fn gemm(s: &Stream) -> Result<bool, Box<dyn Error>> {
    let (a, b) = (integers(M * K, 7), integers(K * N, 5));
    let inputs = DeviceBuffer::from_slice(&[a.as_slice(), b.as_slice()].concat())?;
    let mut c = DeviceBuffer::from_slice(&vec![f32::NAN; M * N])?;
    let (da, db) = (inputs.index(..M * K), inputs.index(M * K..));
    // SAFETY: the stream outlives the handle, and the host waits for it before it uses the buffers again.
    unsafe {
        let blas = with_stream(s)?;
        assert_eq!(stream(&blas), s.as_inner());
        let (a, b) = (slice(&blas, &da)?.mat(M, K, Layout::Row)?, slice(&blas, &db)?.mat(K, N, Layout::Col)?);
        blas.gemm(1.0, a, b, 0.0, slice_mut(&blas, &mut c)?.mat(M, N, Layout::Row)?)?;
    }
    s.synchronize()?;
    let mut host = vec![0.0; M * N];
    c.copy_to(&mut host)?;
    Ok((0..M * N).all(|at| {
        let (i, j) = (at / N, at % N);
        host[at] == (0..K).map(|l| a[i * K + l] * b[j * K + l]).sum::<f32>()
    }))
}

/// A complex scalar product whose result stays on the device, in a buffer of cust.
fn dotc(s: &Stream) -> Result<bool, Box<dyn Error>> {
    let x = DeviceBuffer::from_slice(&[Complex::new(1.0f64, 2.0), Complex::new(3.0, -1.0)])?;
    let mut out = DeviceBuffer::from_slice(&[Complex::new(f64::NAN, f64::NAN)])?;
    // SAFETY: as in `gemm`.
    unsafe {
        let blas = with_stream(s)?;
        let x = slice(&blas, &x)?.vec(2, 1)?;
        blas.dotc_into(x, x, slice_mut(&blas, &mut out)?.vec(1, 1)?)?;
    }
    s.synchronize()?;
    let mut host = [Complex::default()];
    out.copy_to(&mut host)?;
    Ok(host == [Complex::new(15.0, 0.0)])
}

/// A stream of a context of its own is refused, and the program's context is left as it is.
fn refused(device: Device) -> Result<bool, Box<dyn Error>> {
    let context = legacy::Context::create_and_push(legacy::ContextFlags::SCHED_AUTO, device)?;
    let s = Stream::new(StreamFlags::DEFAULT, None)?;
    // SAFETY: the stream outlives the attempt.
    let answer = unsafe { with_stream(&s) };
    drop(s);
    legacy::ContextStack::pop()?;
    drop(context);
    Ok(matches!(answer.err(), Some(blas_api::Error::NotAvailable { .. })))
}

fn run() -> Result<bool, Box<dyn Error>> {
    let _context = cust::quick_init()?;
    let device = Device::get_device(0)?;
    let s = Stream::new(StreamFlags::DEFAULT, None)?;
    println!("device   {}", device.name()?);
    let mut right = true;
    for (name, outcome) in
        [("saxpy", saxpy(&s)?), ("gemm", gemm(&s)?), ("dotc", dotc(&s)?), ("refused", refused(device)?)]
    {
        println!("{name:8} {}", if outcome { "right" } else { "WRONG" });
        right &= outcome;
    }
    Ok(right)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // cust asks the driver for an error's text, which a driver that does not work may not have.
            match error.downcast::<CudaError>() {
                Ok(code) => eprintln!("error    the driver answered {code:?}"),
                Err(other) => eprintln!("error    {other}"),
            }
            ExitCode::FAILURE
        }
    }
}
