//! The product of 8-bit integers, summed in i32 that wraps around.
//!
//! Terms are multiplied in groups of as many as 32 bits hold, which is what instructions for inner products do: two of
//! them widened to 16 bits, or four of 8 bits.

// As in `tile`.
#![allow(clippy::needless_range_loop)]

use super::split::{blocks, each, even};
use super::{Dims, Panel, for_each_part, scratch};
use crate::isa::Isa;
use crate::simd::wide;

/// Columns of a tile.
const NR: usize = 6;

/// Blocks of C, and the depth to which its operands are packed.
const BLOCK: Dims = Dims { m: 192, n: 1024, k: 512 };

/// C = alpha * A * B + beta * C in wrapping i32 arithmetic. With alpha = 0 or k = 0, A and B are not read; with
/// beta = 0, C is not read.
///
/// # Safety
/// All elements are there; those of C are not in use elsewhere.
pub(crate) unsafe fn gemm_i8(
    threads: usize,
    dims: Dims,
    alpha: i32,
    a: Panel<i8>,
    b: Panel<i8>,
    beta: i32,
    c: Panel<i32>,
) {
    let dims = if alpha == 0 { Dims { k: 0, ..dims } } else { dims };
    let kernel = Kernel::get();
    for_each_part(threads, dims, [kernel.mr, NR], |i, j| {
        let dims = Dims { m: i.len(), n: j.len(), k: dims.k };
        let (a, b, c) = (a.sub(i.start, 0), b.sub(0, j.start), c.sub(i.start, j.start));
        // SAFETY: the caller's promise; parts of C do not overlap.
        unsafe { blocked(&kernel, dims, alpha, a, b, beta, c) }
    });
}

/// How tiles are computed.
struct Kernel {
    /// Rows of a tile.
    mr: usize,
    /// Terms of a group.
    group: usize,
    /// What is added to elements of A, so that they are not negative.
    shift: i8,
    /// Sums of products of packed operands, column by column: MR x NR of them.
    ///
    /// # Safety
    /// As many groups are there as are named, there is room for the sums, and the machine has the instructions.
    tile: unsafe fn(usize, *const u32, *const u32, *mut i32),
}

impl Kernel {
    /// The fastest of the family in use.
    fn get() -> Kernel {
        match Isa::get() {
            Isa::Portable => Kernel { mr: 16, group: 2, shift: 0, tile: tile::<[i32; 8]> },
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Kernel { mr: 16, group: 2, shift: 0, tile: x86::avx2 },
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if is_x86_feature_detected!("avx512vnni") => {
                Kernel { mr: 32, group: 4, shift: i8::MIN, tile: x86::vnni }
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Kernel { mr: 32, group: 2, shift: 0, tile: x86::avx512 },
        }
    }
}

/// [`gemm_i8`] on one thread.
///
/// # Safety
/// As for [`gemm_i8`].
unsafe fn blocked(
    kernel: &Kernel,
    Dims { m, n, k }: Dims,
    alpha: i32,
    a: Panel<i8>,
    b: Panel<i8>,
    beta: i32,
    c: Panel<i32>,
) {
    if k == 0 {
        for (j, i) in (0..n).flat_map(|j| (0..m).map(move |i| (j, i))) {
            // SAFETY: the caller's promise.
            unsafe { *c.at(i, j) = if beta == 0 { 0 } else { beta.wrapping_mul(*c.at(i, j)) } };
        }
        return;
    }
    let mr = kernel.mr;
    let [height, width, depth] = [even(m, BLOCK.m, mr), even(n, BLOCK.n, NR), even(k, BLOCK.k, kernel.group)];
    let groups = depth.div_ceil(kernel.group);
    let lens = [height.next_multiple_of(mr) * groups, width.next_multiple_of(NR) * groups, width, mr * NR];
    scratch::with(lens, |[rows, columns, extra, sums]: [*mut u32; 4]| {
        let (extra, sums) = (extra.cast::<i32>(), sums.cast::<i32>());
        for (j, n) in blocks(n, width) {
            for (l, k) in blocks(k, depth) {
                let (groups, beta) = (k.div_ceil(kernel.group), if l == 0 { beta } else { 1 });
                // SAFETY: the caller's promise; there is room.
                unsafe {
                    pack(kernel.group, NR, b.sub(l, j).t(), [n, k], 0, columns);
                    for q in 0..if kernel.shift == 0 { 0 } else { n } {
                        // What the shift adds to all sums of the column.
                        let of_column =
                            (0..k).fold(0i32, |sum, p| sum.wrapping_add((*b.at(l + p, j + q)).into()));
                        extra.add(q).write(of_column.wrapping_mul(-i32::from(kernel.shift)));
                    }
                    for (i, m) in blocks(m, height) {
                        pack(kernel.group, mr, a.sub(i, l), [m, k], kernel.shift, rows);
                        each(n, NR, |jj, n| {
                            each(m, mr, |ii, m| {
                                (kernel.tile)(groups, rows.add(ii * groups), columns.add(jj * groups), sums);
                                let c = c.sub(i + ii, j + jj);
                                for q in 0..n {
                                    let less = if kernel.shift == 0 { 0 } else { *extra.add(jj + q) };
                                    let sums = std::slice::from_raw_parts(sums.add(q * mr), m);
                                    update(sums, less, alpha, beta, c.sub(0, q));
                                }
                            });
                        });
                    }
                }
            }
        }
    });
}

/// c = alpha * (sums - less) + beta * c for the first column of C.
///
/// # Safety
/// As many elements of C as there are sums are there, and not in use elsewhere.
unsafe fn update(sums: &[i32], less: i32, alpha: i32, beta: i32, c: Panel<i32>) {
    wide(
        #[inline(always)]
        || {
            let new = |sum: i32| alpha.wrapping_mul(sum.wrapping_sub(less));
            // SAFETY: the caller's promise.
            unsafe {
                if beta == 0 {
                    sums.iter().enumerate().for_each(|(i, sum)| *c.at(i, 0) = new(*sum));
                } else if c.rs == 1 {
                    let c = std::slice::from_raw_parts_mut(c.ptr, sums.len());
                    c.iter_mut()
                        .zip(sums)
                        .for_each(|(c, sum)| *c = new(*sum).wrapping_add(beta.wrapping_mul(*c)));
                } else {
                    for (i, sum) in sums.iter().enumerate() {
                        *c.at(i, 0) = new(*sum).wrapping_add(beta.wrapping_mul(*c.at(i, 0)));
                    }
                }
            }
        },
    );
}

/// Packs m rows of k terms, `unit` rows at a time, filled up with zeros: a group of terms of all the rows, and so on.
///
/// # Safety
/// All elements are there, and there is room.
unsafe fn pack(group: usize, unit: usize, from: Panel<i8>, [m, k]: [usize; 2], shift: i8, to: *mut u32) {
    wide(
        #[inline(always)]
        || {
            each(m, unit, |r, m| {
                let to = to.wrapping_add(r * k.div_ceil(group));
                each(k, group, |l, terms| {
                    // SAFETY: the caller's promise.
                    unsafe {
                        let cells = to.add(l / group * unit);
                        cells.write_bytes(0, unit);
                        let cells = std::slice::from_raw_parts_mut(cells, unit);
                        for p in 0..terms {
                            let column = from.sub(r, l + p);
                            if group == 2 {
                                add(cells, column, m, |x| u32::from(i16::from(x) as u16) << (16 * p));
                            } else {
                                add(cells, column, m, |x| u32::from(x.wrapping_add(shift) as u8) << (8 * p));
                            }
                        }
                    }
                });
            });
        },
    );
}

/// Sets the bits that f gives for the first m elements of a column.
///
/// # Safety
/// The elements are there.
#[inline(always)]
unsafe fn add(cells: &mut [u32], column: Panel<i8>, m: usize, f: impl Fn(i8) -> u32) {
    // SAFETY: the caller's promise.
    unsafe {
        if column.rs == 1 {
            let column = std::slice::from_raw_parts(column.ptr, m);
            cells.iter_mut().zip(column).for_each(|(cell, x)| *cell |= f(*x));
        } else {
            cells.iter_mut().take(m).enumerate().for_each(|(i, cell)| *cell |= f(*column.at(i, 0)));
        }
    }
}

/// A register of groups of terms, or of sums.
///
/// # Safety
/// Every function may be called only where the instructions of the register are available, and must be inlined into a
/// function that enables them. Pointers are to as many cells as a register has.
trait Cells: Copy {
    const LANES: usize;
    unsafe fn zero() -> Self;
    unsafe fn splat(x: u32) -> Self;
    unsafe fn load(p: *const u32) -> Self;
    /// These sums and the inner products of groups.
    unsafe fn add_products(self, a: Self, b: Self) -> Self;
    unsafe fn store(self, p: *mut i32);
}

/// The [kernel](Kernel::tile): two registers by NR columns.
#[inline(always)]
unsafe fn tile<V: Cells>(groups: usize, a: *const u32, b: *const u32, to: *mut i32) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[V::zero(); 2]; NR];
        for g in 0..groups {
            let a = a.add(g * 2 * V::LANES);
            let column = [V::load(a), V::load(a.add(V::LANES))];
            for j in 0..NR {
                let y = V::splat(*b.add(g * NR + j));
                for v in 0..2 {
                    sums[j][v] = sums[j][v].add_products(column[v], y);
                }
            }
        }
        for j in 0..NR {
            for v in 0..2 {
                sums[j][v].store(to.add((j * 2 + v) * V::LANES));
            }
        }
    }
}

impl Cells for [i32; 8] {
    const LANES: usize = 8;
    #[inline(always)]
    unsafe fn zero() -> Self {
        [0; 8]
    }
    #[inline(always)]
    unsafe fn splat(x: u32) -> Self {
        [x as i32; 8]
    }
    #[inline(always)]
    unsafe fn load(p: *const u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { p.cast::<Self>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn add_products(self, a: Self, b: Self) -> Self {
        let product = |i: usize| (a[i] as i16 as i32) * (b[i] as i16 as i32) + (a[i] >> 16) * (b[i] >> 16);
        std::array::from_fn(|i| self[i].wrapping_add(product(i)))
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut i32) {
        // SAFETY: the caller's promise.
        unsafe { p.cast::<Self>().write_unaligned(self) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Cells, tile};

    #[derive(Clone, Copy)]
    struct Avx2(__m256i);
    #[derive(Clone, Copy)]
    struct Avx512(__m512i);
    #[derive(Clone, Copy)]
    struct Vnni(__m512i);

    macro_rules! kernels { ($($name:ident: $v:ident, $features:literal, $lanes:literal, $zero:ident, $splat:ident,
        $load:ident, $store:ident, |$sum:ident, $a:ident, $b:ident| $add:expr;)*) => {$(
        impl Cells for $v {
            const LANES: usize = $lanes;
            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the caller's promise.
                unsafe { $v($zero()) }
            }
            #[inline(always)]
            unsafe fn splat(x: u32) -> Self {
                // SAFETY: the caller's promise.
                unsafe { $v($splat(x as i32)) }
            }
            #[inline(always)]
            unsafe fn load(p: *const u32) -> Self {
                // SAFETY: the caller's promise.
                unsafe { $v($load(p.cast())) }
            }
            #[inline(always)]
            unsafe fn add_products(self, a: Self, b: Self) -> Self {
                let ($sum, $a, $b) = (self.0, a.0, b.0);
                // SAFETY: the caller's promise.
                unsafe { $v($add) }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut i32) {
                // SAFETY: the caller's promise.
                unsafe { $store(p.cast(), self.0) }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) unsafe fn $name(groups: usize, a: *const u32, b: *const u32, to: *mut i32) {
            // SAFETY: the caller's promise.
            unsafe { tile::<$v>(groups, a, b, to) }
        }
    )*}}
    kernels! {
        avx2: Avx2, "avx2", 8, _mm256_setzero_si256, _mm256_set1_epi32, _mm256_loadu_si256, _mm256_storeu_si256,
            |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
        avx512: Avx512, "avx512f,avx512bw", 16, _mm512_setzero_si512, _mm512_set1_epi32, _mm512_loadu_si512,
            _mm512_storeu_si512, |sum, a, b| _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
        vnni: Vnni, "avx512f,avx512vnni", 16, _mm512_setzero_si512, _mm512_set1_epi32, _mm512_loadu_si512,
            _mm512_storeu_si512, |sum, a, b| _mm512_dpbusd_epi32(sum, a, b);
    }
}
