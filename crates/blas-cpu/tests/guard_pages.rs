//! Kernels do not touch what is beside their operands: matrices stand before pages that fault, and after them.

#![cfg(unix)]

use blas_api::*;
use blas_cpu::Cpu;

/// Elements between two pages that must not be touched.
struct Guarded<T> {
    map: *mut u8,
    bytes: usize,
    data: *mut T,
    len: usize,
}

impl<T: Scalar> Guarded<T> {
    /// `values` at the far end of their pages if `at_end`, else at the start.
    fn new(values: &[T], at_end: bool) -> Self {
        // SAFETY: a question to the system.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap();
        let inner = size_of_val(values).next_multiple_of(page).max(page);
        let bytes = inner + 2 * page;
        let (flags, access) = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: new pages, of which the inner ones are made accessible and filled.
        unsafe {
            let map = libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0).cast::<u8>();
            assert_ne!(map.cast(), libc::MAP_FAILED);
            assert_eq!(libc::mprotect(map.add(page).cast(), inner, access), 0);
            let start = if at_end { inner - size_of_val(values) } else { 0 };
            let data = map.add(page + start).cast::<T>();
            data.copy_from_nonoverlapping(values.as_ptr(), values.len());
            Guarded { map, bytes, data, len: values.len() }
        }
    }

    fn get(&self) -> &[T] {
        // SAFETY: filled by `new`.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }

    fn get_mut(&mut self) -> &mut [T] {
        // SAFETY: filled by `new`.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.len) }
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`.
        unsafe { libc::munmap(self.map.cast(), self.bytes) };
    }
}

/// Small integers, whose products and sums are exact, and a dominant diagonal of powers of 2.
fn values<T: Scalar>(rows: usize, cols: usize) -> Vec<T> {
    let value = |i: usize, j: usize| if i == j { 8.0 } else { ((i * 7 + j * 3) % 5) as f64 - 2.0 };
    (0..rows * cols).map(|x| T::from_parts([value(x % rows, x / rows), 0.0])).collect()
}

const LAYOUTS: [Layout; 2] = [Layout::Col, Layout::Row];

/// The product in the plainest way, column by column.
fn product<T: Scalar>([m, n, k]: [usize; 3], a: &[T], b: &[T]) -> Vec<f64> {
    let at = |x: &[T], i: usize| x[i].parts()[0];
    let sum = |i: usize, j: usize| (0..k).map(|l| at(a, i + l * m) * at(b, l + j * k)).sum();
    (0..m * n).map(|x| sum(x % m, x / m)).collect()
}

/// The values of a column-major matrix in another layout.
fn in_layout<T: Scalar>(x: &[T], rows: usize, cols: usize, layout: Layout) -> Vec<T> {
    match layout {
        Layout::Col => x.to_vec(),
        Layout::Row => (0..rows * cols).map(|i| x[i / cols + i % cols * rows]).collect(),
    }
}

fn gemm<T: Scalar>() -> Result {
    let blas = Cpu::handle();
    let sizes = [1, 2, 3, 5, 7, 8, 9, 15, 17, 31];
    let shapes = sizes.iter().flat_map(|&m| sizes.iter().map(move |&n| [m, n, (m * 5 + n * 3) % 13 + 1]));
    for [m, n, k] in
        shapes.chain([[70, 90, 300], [150, 90, 301], [200, 20, 9], [20, 200, 9], [99, 21, 70], [1500, 7, 67]])
    {
        let (a, b) = (values::<T>(m, k), values::<T>(k, n));
        let want = product([m, n, k], &a, &b);
        for (at_end, la, lb, lc) in [true, false]
            .into_iter()
            .flat_map(|e| LAYOUTS.map(|a| (e, a)))
            .flat_map(|(e, a)| LAYOUTS.map(|b| (e, a, b)))
            .flat_map(|(e, a, b)| LAYOUTS.map(|c| (e, a, b, c)))
        {
            let ga = Guarded::new(&in_layout(&a, m, k, la), at_end);
            let gb = Guarded::new(&in_layout(&b, k, n, lb), at_end);
            let mut gc = Guarded::new(&vec![T::from_parts([1.0, 0.0]); m * n], at_end);
            let one = T::from_parts([1.0, 0.0]).to_coef();
            blas.gemm(
                one,
                MatRef::from_slice(ga.get(), m, k, la)?,
                MatRef::from_slice(gb.get(), k, n, lb)?,
                one,
                MatMut::from_slice(gc.get_mut(), m, n, lc)?,
            )?;
            let want: Vec<T> = want.iter().map(|x| T::from_parts([x + 1.0, 0.0])).collect();
            assert!(gc.get() == in_layout(&want, m, n, lc), "{} {m} x {n} x {k}", T::DTYPE);
        }
    }
    Ok(())
}

#[test]
fn gemm_keeps_to_its_operands() -> Result {
    gemm::<f16>()?;
    gemm::<bf16>()?;
    gemm::<f32>()?;
    gemm::<f64>()?;
    gemm::<Complex<f32>>()?;
    gemm::<Complex<f64>>()
}

/// B becomes A * B and then B again.
fn triangles<T: Field>() -> Result {
    let blas = Cpu::handle();
    let one = T::one();
    for (n, columns) in [(1, 1), (2, 3), (5, 9), (8, 8), (13, 7), (33, 17), (70, 5), (200, 3)] {
        // A power of 2 on the diagonal, and little beside it, so that all is exact.
        let triangle: Vec<T> = (0..n * n)
            .map(|x| match (x % n, x / n) {
                (i, j) if i == j => T::from_parts([2.0, 0.0]),
                (i, j) if i + 1 == j || j + 1 == i => one,
                _ => T::zero(),
            })
            .collect();
        let b = values::<T>(n, columns);
        for (at_end, side, layout, uplo) in [true, false]
            .into_iter()
            .flat_map(|e| [Side::Left, Side::Right].map(|s| (e, s)))
            .flat_map(|(e, s)| LAYOUTS.map(|l| (e, s, l)))
            .flat_map(|(e, s, l)| [Uplo::Lower, Uplo::Upper].map(|u| (e, s, l, u)))
        {
            let (rows, cols) = if side == Side::Left { (n, columns) } else { (columns, n) };
            let ga = Guarded::new(&triangle, at_end);
            let mut gb = Guarded::new(&b, at_end);
            let a = || Ok::<_, Error>(MatRef::from_slice(ga.get(), n, n, layout)?.tri(uplo, Diag::NonUnit));
            blas.trmm(side, one, a()?, MatMut::from_slice(gb.get_mut(), rows, cols, layout)?)?;
            assert!(n * columns == 1 || gb.get() != b, "{} {n}: trmm did nothing", T::DTYPE);
            blas.trsm(side, one, a()?, MatMut::from_slice(gb.get_mut(), rows, cols, layout)?)?;
            assert!(gb.get() == b, "{} {n} x {columns}", T::DTYPE);
        }
    }
    Ok(())
}

#[test]
fn trmm_and_trsm_keep_to_their_operands() -> Result {
    triangles::<f32>()?;
    triangles::<f64>()?;
    triangles::<Complex<f32>>()?;
    triangles::<Complex<f64>>()
}

/// A symmetric product is the product with the whole matrix, and the square of a matrix one triangle of it.
fn symmetric<T: Field>() -> Result {
    let blas = Cpu::handle();
    let (one, zero) = (T::one(), T::zero());
    for (n, k) in [(1, 1), (3, 2), (8, 5), (17, 9), (50, 33), (130, 70)] {
        let (a, whole) = (values::<T>(n, k), values::<T>(n, n));
        let sym: Vec<T> = (0..n * n).map(|x| whole[x.min(x / n + x % n * n)]).collect();
        for (at_end, layout) in [(true, Layout::Col), (true, Layout::Row), (false, Layout::Col)] {
            let (ga, gs) = (Guarded::new(&in_layout(&a, n, k, layout), at_end), Guarded::new(&sym, at_end));
            let mut gc = Guarded::new(&vec![zero; n * n], at_end);
            let view = || MatRef::from_slice(ga.get(), n, k, layout);
            for uplo in [Uplo::Lower, Uplo::Upper] {
                blas.syrk(one, view()?, zero, MatMut::from_slice(gc.get_mut(), n, n, layout)?.sym(uplo))?;
            }
            let transposed = in_layout(&a, n, k, Layout::Row);
            let want = product([n, n, k], &a, &transposed);
            assert!(gc.get().iter().zip(&want).all(|(x, y)| x.parts()[0] == *y), "syrk {} {n}", T::DTYPE);
            for uplo in [Uplo::Lower, Uplo::Upper] {
                let mut c = MatMut::from_slice(gc.get_mut(), n, n, layout)?.sym(uplo);
                blas.syr2k(one, view()?, view()?, zero, c.rb_mut())?;
                if uplo == Uplo::Lower {
                    blas.syrk(one, view()?, one, c)?;
                }
            }
            // Twice the square above the diagonal and on it, which the upper triangle wrote last, and three times below.
            let times = |x: usize| match layout {
                Layout::Col if x % n > x / n => 3.0,
                Layout::Row if x / n > x % n => 3.0,
                _ => 2.0,
            };
            let ok = |(x, y): (usize, &T)| y.parts()[0] == times(x) * want[x];
            assert!(gc.get().iter().enumerate().all(ok), "syr2k {} {n}", T::DTYPE);
            let mut gc = Guarded::new(&vec![zero; n * k], at_end);
            let s = MatRef::from_slice(gs.get(), n, n, layout)?.sym(Uplo::Lower);
            blas.symm(Side::Left, one, s, view()?, zero, MatMut::from_slice(gc.get_mut(), n, k, layout)?)?;
            let want: Vec<T> =
                product([n, k, n], &sym, &a).iter().map(|x| T::from_parts([*x, 0.0])).collect();
            assert!(gc.get() == in_layout(&want, n, k, layout), "symm {} {n}", T::DTYPE);
        }
    }
    Ok(())
}

#[test]
fn symm_and_syrk_keep_to_their_operands() -> Result {
    symmetric::<f32>()?;
    symmetric::<f64>()?;
    symmetric::<Complex<f32>>()?;
    symmetric::<Complex<f64>>()
}
