//! What the safe front never asks of a backend, or not of every one: arrays of pointers on the device, sizes beyond 32
//! bits, graphs.

use blas_api::*;
use blas_hip::{Hip, HipHandle, Library};
use hipblas_abi::Abi;

fn open() -> HipHandle {
    HipHandle::new(Library::get().unwrap(), 0).unwrap()
}

/// Device memory with these elements.
fn upload<T: Element>(h: &HipHandle, data: &[T]) -> Box<dyn RawMemory> {
    let memory = h.alloc(size_of_val(data)).unwrap();
    // SAFETY: both have this size.
    unsafe { h.upload(data.as_ptr().cast(), memory.ptr(), size_of_val(data)).unwrap() };
    memory
}

fn download<T: Element>(h: &HipHandle, memory: &dyn RawMemory) -> Vec<T> {
    let mut data = vec![T::default(); memory.len() / size_of::<T>()];
    // SAFETY: both have this size.
    unsafe { h.download(memory.ptr(), data.as_mut_ptr().cast(), memory.len()).unwrap() };
    data
}

/// An array in device memory of pointers into a block.
fn array(h: &HipHandle, block: &dyn RawMemory, offsets: &[usize]) -> (Box<dyn RawMemory>, Address) {
    let ptrs: Vec<i64> = offsets.iter().map(|&b| block.ptr() as i64 + b as i64).collect();
    let memory = upload(h, &ptrs);
    let data = Address::Array { ptrs: memory.ptr().cast(), on: Location::Device };
    (memory, data)
}

/// C = A * B of numbers.
fn product(dtype: DType, batch: usize, [a, b, c]: [Matrix; 3]) -> GemmDesc {
    let (ta, tb, alpha, beta) = (Trans::N, Trans::N, RawScalar::ONE, RawScalar::ZERO);
    GemmDesc { types: GemmTypes::plain(dtype), batch, ta, tb, m: 1, n: 1, k: 1, alpha, a, b, beta, c }
}

#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs it"]
fn arrays_on_the_device_are_passed_on() {
    let h = open();
    let (a, b, c) = (upload(&h, &[2.0f32, 3.0]), upload(&h, &[5.0f32, 7.0]), upload(&h, &[0.0f32; 2]));
    let (_array, reversed) = array(&h, &*c, &[4, 0]);
    let strided = |m: &dyn RawMemory| Matrix { data: Address::Strided { ptr: m.ptr(), stride: 1 }, ld: 1 };
    let d = product(DType::F32, 2, [strided(&*a), strided(&*b), Matrix { data: reversed, ld: 1 }]);
    // SAFETY: all elements are there.
    unsafe { h.gemm(&d).unwrap() };
    assert_eq!(download::<f32>(&h, &*c), [21.0, 10.0]);
}

/// The half types are copied by copies of memory, for which the host must see the pointers.
#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs it"]
fn halves_are_copied_bit_for_bit_in_any_direction() {
    let h = open();
    for n in 1..8usize {
        for (x_inc, y_inc) in [(1isize, 1isize), (1, -1), (-2, 1), (2, -3), (-1, -2), (0, 1), (0, -2)] {
            // Signs of zeros and bits of NaN tell a copy from a product.
            let all = [0x8000, 0x7e01, 0x3c00, 0x0001, 0x7c00, 0xfbff, 0x1234, 0x8001].map(f16::from_bits);
            let len = |inc: isize| (n - 1) * inc.unsigned_abs() + 1;
            let place = |i: usize, inc: isize| if inc < 0 { n - 1 - i } else { i } * inc.unsigned_abs();
            let mut x = vec![f16::ZERO; len(x_inc)];
            (0..n).for_each(|i| x[place(i, x_inc)] = all[i]);
            let (on_device, y) = (upload(&h, &x), upload(&h, &vec![f16::ONE; len(y_inc)]));
            let (_x, x_data) = array(&h, &*on_device, &[0]);
            let (_y, y_data) = array(&h, &*y, &[0]);
            let d = CopyDesc {
                dtype: DType::F16,
                batch: 1,
                n,
                x: Vector { data: x_data, inc: x_inc },
                y: Vector { data: y_data, inc: y_inc },
            };
            // SAFETY: all elements are there.
            unsafe { h.copy(&d).unwrap() };
            let mut want = vec![f16::ONE; len(y_inc)];
            (0..n).for_each(|i| want[place(i, y_inc)] = x[place(i, x_inc)]);
            let bits = |v: &[f16]| v.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&download(&h, &*y)), bits(&want), "n {n}, increments {x_inc} and {y_inc}");
        }
    }
}

/// A leading dimension that no `int` holds: `_64` functions take it, and libraries without them do not.
#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs it"]
fn large_sizes_are_never_cut_off() {
    const LARGE: usize = 1 << 32;
    const MAX: usize = i32::MAX as usize;
    let h = open();
    let x = upload(&h, &[3.0f64, 4.0, 0.0]);
    let number = |i: usize| Matrix { data: Address::single(x.ptr().wrapping_add(8 * i)), ld: 1 };
    let long = Matrix { ld: LARGE, ..number(0) };
    // SAFETY: the one element of each matrix is there.
    let done = unsafe { h.gemm(&product(DType::F64, 1, [long, number(1), number(2)])) };
    if h.library().abi() >= Abi::V2 {
        assert_eq!((done, download::<f64>(&h, &*x)[2]), (Ok(()), 12.0));
    } else {
        assert_eq!(done, Err(Error::TooLarge { routine: "gemm", what: "lda", value: LARGE, max: MAX }));
    }
    // No release has it for trtri.
    let (dtype, uplo, trans, diag) = (DType::F64, Uplo::Lower, Trans::N, Diag::NonUnit);
    let d = TrtriDesc { dtype, batch: 1, uplo, trans, diag, n: 1, a: long, inv: number(2) };
    // SAFETY: as above.
    let done = unsafe { h.trtri(&d) };
    assert_eq!(done, Err(Error::TooLarge { routine: "trtri", what: "lda", value: LARGE, max: MAX }));
}

/// Arrays of pointers, coefficients of the host beside those of the device, and copies of operands are all part of a
/// graph, whatever the handle does between its launches. Results on the host cannot be.
#[test]
#[ignore = "needs ANYBLAS_HIP_PATH: cargo xtask ci runs it"]
fn graphs_hold_what_their_calls_need() -> Result {
    let h: Handle<Hip> = Handle::from_raw(open());
    h.set_workspace(Workspace::Fixed(1 << 20))?;
    let z = |re: f32, im: f32| Complex::new(re, im);
    let a = h.upload(&[z(0.0, 1.0), z(0.0, 0.0), z(0.0, 0.0), z(1.0, 0.0)])?;
    let x = h.upload(&[z(1.0, 2.0), z(3.0, 4.0), z(5.0, 6.0), z(7.0, 8.0)])?;
    let mut y = h.alloc::<Complex<f32>>(4)?;
    let alpha = h.upload(&[z(0.0, 1.0)])?;
    // y = i * conj(A) * x + y, twice; conj(A) is diag(-i, 1).
    let call = |h: &Handle<Hip>, y: &mut Buffer<Complex<f32>, Hip>, alpha: &Buffer<Complex<f32>, Hip>| {
        let a = a.mat(2, 2, Layout::Col)?.conj();
        let x = x.slice();
        let column = |i: usize| x.skip(2 * i)?.mat(2, 1, Layout::Col);
        let y = y.slice_mut().mat(2, 1, Layout::Col)?.batch(2, 2)?;
        h.gemm(
            alpha.slice().scalar(0)?,
            Batched::from_views([a, a])?,
            Batched::from_views([column(0)?, column(1)?])?,
            1.0,
            y,
        )
    };
    let graph = h.capture(|h| call(h, &mut y, &alpha))?;
    let mut other = h.alloc(4)?;
    for launches in 1..4 {
        call(&h, &mut other, &h.upload(&[z(100.0, 0.0)])?)?;
        // SAFETY: all buffers are there, and nothing else uses y.
        unsafe { graph.launch()? };
        let n = launches as f32;
        let want = [z(1.0, 2.0), z(-4.0, 3.0), z(5.0, 6.0), z(-8.0, 7.0)].map(|v| v * n);
        assert_eq!(y.to_vec(&h)?, want);
    }
    let on_host = h.capture(|h| h.dot(x.vec(), x.vec()).map(|_| ()));
    assert!(matches!(on_host, Err(Error::NotAvailable { .. })));
    assert_eq!(h.dot(x.vec(), x.vec())?, z(-36.0, 200.0), "the handle works on");
    Ok(())
}
