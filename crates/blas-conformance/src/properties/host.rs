//! What only host memory can show: pages that may not be touched, huge sparse operands, floating-point flags.

use std::ptr::NonNull;

use blas_api::*;

use super::sweep::*;
use crate::num::{Num, Z};

/// Pages of the process, zeroed when first touched.
struct Pages {
    start: NonNull<u8>,
    bytes: usize,
}

impl Pages {
    /// So many bytes, rounded up to pages. Memory is taken only for the pages that are touched.
    fn new(bytes: usize) -> std::io::Result<Self> {
        let bytes = bytes.next_multiple_of(page());
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE);
        // SAFETY: a new anonymous mapping at an address of the system's choice.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
        match NonNull::new(start.cast::<u8>()) {
            Some(start) if start.as_ptr().cast() != libc::MAP_FAILED => Ok(Pages { start, bytes }),
            _ => Err(std::io::Error::last_os_error()),
        }
    }

    /// Forbids every access to a run of pages.
    fn forbid(&self, offset: usize, bytes: usize) -> std::io::Result<()> {
        // SAFETY: the run is within this mapping, and no reference to it exists.
        let done = unsafe { libc::mprotect(self.start.as_ptr().add(offset).cast(), bytes, libc::PROT_NONE) };
        if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: this mapping is owned, and all borrows of it have ended.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

fn page() -> usize {
    // SAFETY: a query without arguments in memory.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Elements in pages of their own.
struct Block<T> {
    pages: Pages,
    offset: usize,
    len: usize,
    marker: std::marker::PhantomData<T>,
}

impl<T: Num> Block<T> {
    /// Zeros, untouched.
    fn sparse(len: usize) -> std::io::Result<Self> {
        let pages = Pages::new(len * size_of::<T>())?;
        Ok(Block { pages, offset: 0, len, marker: std::marker::PhantomData })
    }

    /// The values, right before (`end`) or right behind a page that may not be touched; the other side has one too, but
    /// not right there.
    fn guarded(values: &[T], end: bool) -> std::io::Result<Self> {
        let (bytes, page) = (size_of_val(values), page());
        let inner = bytes.next_multiple_of(page).max(page);
        let pages = Pages::new(inner + 2 * page)?;
        let offset = page + if end { inner - bytes } else { 0 };
        let mut block = Block { pages, offset, len: values.len(), marker: std::marker::PhantomData };
        block.all_mut().copy_from_slice(values);
        block.pages.forbid(0, page)?;
        block.pages.forbid(page + inner, page)?;
        Ok(block)
    }

    fn all(&self) -> &[T] {
        // SAFETY: the elements lie in the mapping, aligned since pages and offset are multiples of their size, and any
        // bytes that are written there or zero are a valid element.
        unsafe { std::slice::from_raw_parts(self.pages.start.as_ptr().add(self.offset).cast(), self.len) }
    }

    fn all_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.pages.start.as_ptr().add(self.offset).cast(), self.len) }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(e: std::io::Error) -> Self {
        Trouble::Absent(format!("no pages: {e}"))
    }
}

/// Products of odd sizes between pages that may not be touched. A violation ends the process: the last check named is
/// the one at fault.
pub(super) fn guard_pages<B: HostMemory>(s: &mut Sweep<'_, B>) {
    fn typed<T: Scalar + Num, B: HostMemory>(s: &mut Sweep<'_, B>) {
        let (one, zero) = (T::Coef::from_parts([1.0, 0.0]), T::Coef::from_parts([0.0; 2]));
        for end in [true, false] {
            for m in (1..=17).step_by(2) {
                for n in (1..=17).step_by(4) {
                    for k in [1, 3, 8, 17] {
                        s.check(format!("{} guarded {m} x {n} x {k}", T::DTYPE), |h, rng| {
                            let (a, b) = (ints::<T>(rng, m * k, 2), ints::<T>(rng, k * n, 2));
                            let (ga, gb) = (Block::guarded(&a, end)?, Block::guarded(&b, end)?);
                            let mut gc = Block::guarded(&vec![T::poison(0); m * n], end)?;
                            let av = MatRef::from_slice(ga.all(), m, k, Layout::Col)?;
                            let bv = MatRef::from_slice(gb.all(), k, n, Layout::Col)?;
                            h.gemm(one, av, bv, zero, MatMut::from_slice(gc.all_mut(), m, n, Layout::Col)?)?;
                            let want = product(m, n, k, &a, &b);
                            same(gc.all(), &want)?;
                            // The first column again, as a matrix-vector product.
                            let mut gy = Block::guarded(&vec![T::poison(0); m], end)?;
                            let gx = Block::guarded(&b[..k], end)?;
                            h.gemv(
                                one,
                                av,
                                VecRef::from_slice(gx.all()),
                                zero,
                                VecMut::from_slice(gy.all_mut()),
                            )?;
                            same(gy.all(), &want[..m])?;
                            h.dot(VecRef::from_slice(gx.all()), VecRef::from_slice(gx.all()))?;
                            Ok(())
                        });
                    }
                }
            }
        }
    }
    each!(s, typed: f16, bf16, f32, f64, Complex<f32>, Complex<f64>);
}

/// The matrix-vector product of 17 x 32 with a padded matrix, between pages that may not be touched.
pub(super) fn guarded_gemv<B: HostMemory>(s: &mut Sweep<'_, B>) {
    for end in [true, false] {
        s.check("guarded", |h, rng| {
            let (m, n, ld) = (17, 32, 50);
            let a = ints::<Complex<f64>>(rng, ld * (n - 1) + m, 3);
            let x = ints::<Complex<f64>>(rng, n, 3);
            let (ga, gx) = (Block::guarded(&a, end)?, Block::guarded(&x, end)?);
            let mut gy = Block::guarded(&vec![Complex::<f64>::poison(0); m], end)?;
            let view = SliceRef::from(ga.all()).mat_ld(m, n, Layout::Col, ld)?;
            let (alpha, beta) = (Complex::new(-1.0, 0.0), Complex::new(0.0, 0.0));
            h.gemv(alpha, view, VecRef::from_slice(gx.all()), beta, VecMut::from_slice(gy.all_mut()))?;
            let want: Vec<Z> = (0..m).map(|i| (0..n).map(|j| -(a[i + j * ld] * x[j])).sum()).collect();
            same(gy.all(), &want)
        });
    }
}

/// Columns so far apart that an index passes 2^31, in memory of which only a few pages exist.
pub(super) fn distant_elements<B: HostMemory>(s: &mut Sweep<'_, B>) {
    let (n, inc) = (3, (1usize << 30) + 1);
    s.check("dot", |h, _| {
        let mut x = Block::<f32>::sparse((n - 1) * inc + 1)?;
        (0..n).for_each(|i| x.all_mut()[i * inc] = (i + 1) as f32);
        let v = SliceRef::from(x.all()).vec(n, inc as isize)?;
        let got = h.dot(v, v)?;
        ensure(got == 14.0, || format!("got {got}, want 14"))
    });
    s.check("gemm", |h, _| {
        let mut x = Block::<f32>::sparse((n - 1) * inc + 1)?;
        (0..n).for_each(|i| x.all_mut()[i * inc] = (i + 1) as f32);
        let row = SliceRef::from(x.all()).mat_ld(1, n, Layout::Col, inc)?;
        let mut c = [f32::NAN];
        h.gemm(1.0, row, row.t(), 0.0, MatMut::from_slice(&mut c, 1, 1, Layout::Col)?)?;
        ensure(c == [14.0], || format!("got {}, want 14", c[0]))
    });
}

/// Leading dimensions and increments of 2^29 with tiny sizes, in sparse memory.
pub(super) fn wide_strides<B: HostMemory>(s: &mut Sweep<'_, B>) {
    let ld = 1usize << 29;
    // Lower triangle of ones, and of twos on the diagonal.
    let a: Vec<f32> = (0..16).map(|i| if i % 5 == 0 { 2.0 } else { 1.0 }).collect();
    s.check("trsm, trmm, geam", |h, _| {
        let mut b = Block::<f32>::sparse(2 * ld + 4)?;
        for j in 0..3 {
            // The product of the triangle with j + 1 of ones.
            (0..4).for_each(|i| b.all_mut()[i + j * ld] = (j + 1) as f32 * (i + 2) as f32);
        }
        let before: Vec<f32> = (0..12).map(|at| b.all()[at % 4 + at / 4 * ld]).collect();
        let t = MatRef::from_slice(&a, 4, 4, Layout::Col)?.lower(Diag::NonUnit);
        h.trsm(Side::Left, 1.0, t, SliceMut::from(b.all_mut()).mat_ld(4, 3, Layout::Col, ld)?)?;
        for (j, i) in (0..3).flat_map(|j| (0..4).map(move |i| (j, i))) {
            let got = b.all()[i + j * ld];
            ensure(got == (j + 1) as f32, || format!("trsm ({i}, {j}): got {got}, want {}", j + 1))?;
        }
        h.trmm(Side::Left, 1.0, t, SliceMut::from(b.all_mut()).mat_ld(4, 3, Layout::Col, ld)?)?;
        let mut c = [f32::NAN; 12];
        let view = SliceRef::from(b.all()).mat_ld(4, 3, Layout::Col, ld)?;
        h.geam(1.0, view, 1.0, view, MatMut::from_slice(&mut c, 4, 3, Layout::Col)?)?;
        same(&c, &before.iter().map(|v| Z::new(f64::from(*v) * 2.0, 0.0)).collect::<Vec<_>>())
    });
    s.check("ger, syr, her2, trmv", |h, _| {
        let mut x = Block::<f32>::sparse(2 * ld + 1)?;
        (0..3).for_each(|i| x.all_mut()[i * ld] = (i + 1) as f32);
        let mut v = SliceRef::from(x.all()).vec(3, ld as isize)?;
        let update = |which: usize, v: VecRef<'_, f32, B>| -> Result<[f32; 9]> {
            let mut c = [0f32; 9];
            let m = MatMut::from_slice(&mut c, 3, 3, Layout::Col)?;
            match which {
                0 => h.ger(1.0, v, v, m)?,
                1 => h.syr(1.0, v, m.sym(Uplo::Upper))?,
                _ => h.her2(1.0, v, v, m.herm(Uplo::Upper))?,
            }
            Ok(c)
        };
        for (which, factor) in [(0, 1), (1, 1), (2, 2)] {
            let c = update(which, v)?;
            for (i, j) in (0..3).flat_map(|j| (0..=j).map(move |i| (i, j))) {
                let want = (factor * (i + 1) * (j + 1)) as f32;
                ensure(c[i + 3 * j] == want, || {
                    format!("update {which} ({i}, {j}): got {}, want {want}", c[i + 3 * j])
                })?;
            }
        }
        v = v.subvector(0, 3)?;
        ensure(v.len() == 3, || "a vector of three has another length".to_owned())?;
        let t = MatRef::from_slice(&a, 4, 4, Layout::Col)?.submatrix(0, 0, 3, 3)?.lower(Diag::NonUnit);
        h.trmv(t, SliceMut::from(x.all_mut()).vec(3, ld as isize)?)?;
        let got: Vec<f32> = (0..3).map(|i| x.all()[i * ld]).collect();
        same(&got, &[2.0, 5.0, 9.0].map(|v| Z::new(v, 0.0)))
    });
}

/// Invalid operation, division by zero and overflow, as the processor has noted them since the flags were cleared.
#[cfg(target_arch = "x86_64")]
fn flags_of(f: impl FnOnce() -> Result) -> Result<u32> {
    let mut control = 0u32;
    // SAFETY: stores the control and status register of SSE, and loads it with the flags cleared.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &mut control, options(nostack));
        control &= !0x3f;
        std::arch::asm!("ldmxcsr [{}]", in(reg) &control, options(nostack));
    }
    let result = f();
    // SAFETY: stores the register.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut control, options(nostack)) };
    result.map(|()| control & 0b1101)
}

pub(super) fn no_flags<B: HostMemory>(s: &mut Sweep<'_, B>) {
    #[cfg(not(target_arch = "x86_64"))]
    s.skip("the floating-point flags are read on x86_64 only".to_owned());
    #[cfg(target_arch = "x86_64")]
    {
        fn typed<T: Field + Num, B: HostMemory>(s: &mut Sweep<'_, B>) {
            let (one, zero) = (num::<T>(1.0), num::<T>(0.0));
            for n in [15, 33, if s.full() { 784 } else { 130 }] {
                s.check(format!("{} {n}", T::DTYPE), |h, _| {
                    let policy = h.policy();
                    // Flags belong to a thread.
                    h.set_threads(Threads::Max(1))?;
                    let eye: Vec<T> = (0..n * n).map(|i| if i % (n + 1) == 0 { one } else { zero }).collect();
                    let (zeros, mut c) = (vec![zero; n * n], vec![zero; n * n]);
                    let square = |v| MatRef::from_slice(v, n, n, Layout::Col);
                    let flags = flags_of(|| {
                        let m = MatMut::from_slice(&mut c, n, n, Layout::Col)?;
                        h.syrk(one, square(&zeros)?, one, m.sym(Uplo::Lower))?;
                        h.gemm(
                            one,
                            square(&eye)?,
                            square(&eye)?,
                            zero,
                            MatMut::from_slice(&mut c, n, n, Layout::Col)?,
                        )?;
                        let y = VecMut::from_slice(&mut c[..n]);
                        h.gemv(one, square(&eye)?, VecRef::from_slice(&eye[..n]), zero, y)
                    })?;
                    h.set_policy(policy)?;
                    ensure(flags == 0, || format!("flags {flags:#06b} are up"))
                });
            }
        }
        each!(s, typed: f32, f64);
    }
}
