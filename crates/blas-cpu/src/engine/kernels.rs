//! The kernels of each type: which there are, and in what blocks operands are packed for them.

use blas_api::Complex;

use super::foreign::{self, Foreign};
use super::stream::Streamer;
use super::tile::{Adder, Judge, Kernel, Solver, Tile};
use super::{Groups, small};
use crate::isa::Isa;

/// Kernels for one type and one family of instructions.
pub(crate) struct Kernels<T: 'static> {
    /// Rows of a vector, as a power of 2.
    lanes_log2: u32,
    /// Rows and columns of the largest tile.
    mr: usize,
    nr: usize,
    /// See [`Kernels::depth`].
    depth: usize,
    /// For packed operands and full width, by height in vectors.
    packed: &'static [Kernel<T>],
    /// For operands of any strides, by height in vectors and by width.
    strided: &'static [&'static [Kernel<T>]],
    /// For operands of any strides and full width, which leave a packed A behind, by height in vectors.
    copying: &'static [Kernel<T>],
    /// For triangular systems, by height in vectors: from the last equation to the first, and from the first.
    solve: &'static [[Solver<T>; 2]],
    /// See [`Kernels::add`].
    add: Adder<T>,
    /// See [`Kernels::is_finite`].
    is_finite: Judge<T>,
    /// For operands that are read as they stream by.
    stream: Option<Streamer<T>>,
    /// For everything, where there are no kernels of our own.
    foreign: Option<Kernel<T>>,
}

impl<T> Kernels<T> {
    /// Whether the kernels are our own, so that small operands need no packing.
    #[inline(always)]
    pub(super) fn is_own(&self) -> bool {
        self.foreign.is_none()
    }

    /// Depth to which operands are packed.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Rows of a packed tile of `m` rows, with those that fill its last vector.
    #[inline(always)]
    pub(super) fn padded(&self, m: usize) -> usize {
        let last = (1 << self.lanes_log2) - 1;
        (m + last) & !last
    }

    /// Rows and columns of the largest tile of packed operands.
    pub(super) fn tile(&self) -> [usize; 2] {
        [self.mr, self.nr]
    }

    /// How rows of A make tiles.
    #[inline(always)]
    pub(super) fn rows(&self) -> Groups {
        Groups { most: self.mr, unit: self.lanes() }
    }

    /// How columns of B make tiles. Rounding by kernels that are not our own depends on the place in a tile of theirs, of
    /// which a full one here is a multiple.
    #[inline(always)]
    pub(super) fn columns(&self) -> Groups {
        Groups { most: self.nr, unit: if self.is_own() { 1 } else { self.nr } }
    }

    /// The kernel for packed tiles of `m` rows and `n` columns. Those of a full width can be columns of full tiles.
    #[inline(always)]
    pub(super) fn packed(&self, m: usize, n: usize) -> Kernel<T> {
        match self.foreign {
            None if n == self.nr => self.packed[((m - 1) >> self.lanes_log2).min(self.packed.len() - 1)],
            _ => self.strided(m, n),
        }
    }

    /// The kernel for tiles of `m` rows and `n` columns in memory of any strides.
    #[inline(always)]
    pub(super) fn strided(&self, m: usize, n: usize) -> Kernel<T> {
        self.foreign.unwrap_or_else(|| self.strided[(m - 1) >> self.lanes_log2][n - 1])
    }

    /// The kernel for a full width in memory of any strides, which leaves a packed A behind, if the kernels are our own.
    #[inline(always)]
    pub(super) fn copying(&self, m: usize) -> Kernel<T> {
        self.copying[(m - 1) >> self.lanes_log2]
    }

    /// The kernel for the equations of a triangular system with `m` right-hand sides, if the kernels are our own.
    #[inline(always)]
    pub(super) fn solve(&self, m: usize, lower: bool) -> Solver<T> {
        self.solve[(m - 1) >> self.lanes_log2][usize::from(lower)]
    }

    /// What adds to one side of the diagonal of a part of C.
    #[inline(always)]
    pub(super) fn add(&self) -> Adder<T> {
        self.add
    }

    /// What tells whether a matrix is finite.
    #[inline(always)]
    pub(super) fn is_finite(&self) -> Judge<T> {
        self.is_finite
    }

    /// Rows of a vector.
    #[inline(always)]
    pub(super) fn lanes(&self) -> usize {
        1 << self.lanes_log2
    }

    /// The kernel for A as it streams by, if the kernels are our own.
    #[inline(always)]
    pub(super) fn stream(&self) -> Option<Streamer<T>> {
        self.stream
    }

    /// The kernels for tiles of `m` rows in memory of any strides, by width, if the kernels are our own.
    #[inline(always)]
    pub(super) fn widths(&self, m: usize) -> &'static [Kernel<T>] {
        self.strided[(m - 1) >> self.lanes_log2]
    }
}

/// A type that kernels multiply.
pub(crate) trait Native: Foreign {
    /// The kernels in use.
    fn kernels() -> &'static Kernels<Self>;

    /// See [`small::compute`].
    ///
    /// # Safety
    /// As for that.
    unsafe fn small(all: &mut Tile<Self>);
}

macro_rules! native { ($($t:ty: $portable:ident, $avx2:ident, $avx512:ident;)*) => {$(
    static $portable: Kernels<$t> = Kernels {
        lanes_log2: 6,
        mr: 64,
        nr: 64,
        depth: 256,
        packed: &[],
        strided: &[],
        copying: &[],
        solve: &[],
        add: foreign::add::<$t>,
        is_finite: foreign::is_finite::<$t>,
        stream: None,
        foreign: Some(foreign::tile::<$t>),
    };

    impl Native for $t {
        #[inline]
        fn kernels() -> &'static Kernels<$t> {
            match Isa::get() {
                Isa::Portable => &$portable,
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => &x86::$avx2,
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => &x86::$avx512,
            }
        }

        #[inline(never)]
        unsafe fn small(all: &mut Tile<$t>) {
            // SAFETY: the caller's promise.
            unsafe { small::compute(all) }
        }
    }
)*}}
native! {
    f32: S_PORTABLE, S_AVX2, S_AVX512;
    f64: D_PORTABLE, D_AVX2, D_AVX512;
    Complex<f32>: C_PORTABLE, C_AVX2, C_AVX512;
    Complex<f64>: Z_PORTABLE, Z_AVX2, Z_AVX512;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256, __m256d, __m512, __m512d};

    use blas_api::Complex;

    use super::Kernels;
    use crate::lanes::Lanes;

    /// The loops of `tile` with the instructions of one family.
    macro_rules! family {
        ($isa:ident, $features:literal) => {
            mod $isa {
                use crate::engine::stream::{self, Stream};
                use crate::engine::tile::{self, Slant, Step, Tile};
                use crate::engine::vector::Vector;
                use crate::num::Acc;

                #[target_feature(enable = $features)]
                pub(super) unsafe fn tile<
                    T,
                    V,
                    const MV: usize,
                    const NR: usize,
                    const PACKED: bool,
                    const COPY: bool,
                >(
                    t: &Tile<T>,
                ) where
                    T: Acc,
                    V: Vector<Real = T::Real>,
                {
                    // SAFETY: the caller's promise.
                    unsafe { tile::compute::<T, V, MV, NR, PACKED, COPY>(t) }
                }

                #[target_feature(enable = $features)]
                pub(super) unsafe fn solve<T, V, const MV: usize, const NR: usize, const LOWER: bool>(
                    s: &Step<T>,
                ) where
                    T: Acc,
                    V: Vector<Real = T::Real>,
                {
                    // SAFETY: the caller's promise.
                    unsafe { tile::solve::<T, V, MV, NR, LOWER>(s) }
                }

                #[target_feature(enable = $features)]
                pub(super) unsafe fn add<T: Acc, V: Vector<Real = T::Real>>(s: &Slant<T>) {
                    // SAFETY: the caller's promise.
                    unsafe { tile::add::<T, V>(s) }
                }

                #[target_feature(enable = $features)]
                pub(super) unsafe fn is_finite<T: Acc, V: Vector<Real = T::Real>>(
                    size: [usize; 2],
                    x: *const T,
                    step: isize,
                ) -> bool {
                    // SAFETY: the caller's promise.
                    unsafe { tile::is_finite::<T, V>(size, x, step) }
                }

                #[target_feature(enable = $features)]
                pub(super) unsafe fn stream<T: Acc, V: Vector<Real = T::Real>>(s: &Stream<T>) {
                    // SAFETY: the caller's promise.
                    unsafe { stream::compute::<T, V>(s) }
                }
            }
        };
    }
    family!(avx2, "avx2,fma");
    family!(avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma");

    /// Tables of kernels: columns of a full tile and real columns for each; for each height, the widths that there are.
    macro_rules! tables { ($($name:ident: $isa:ident($t:ty, $v:ty), depth $depth:literal, $nr:literal x $parts:literal,
        $($mv:literal: $($n:literal)*),*;)*) => {$(
        pub(super) static $name: Kernels<$t> = Kernels {
            lanes_log2: (<$v as Lanes>::N / $parts).trailing_zeros(),
            mr: [$($mv),*].len() * <$v as Lanes>::N / $parts,
            nr: $nr,
            depth: $depth,
            packed: &[$($isa::tile::<$t, $v, $mv, { $nr * $parts }, true, false>),*],
            copying: &[$($isa::tile::<$t, $v, $mv, { $nr * $parts }, false, true>),*],
            strided: &[$(&[$($isa::tile::<$t, $v, $mv, { $n * $parts }, false, false>),*]),*],
            solve: &[$([
                $isa::solve::<$t, $v, $mv, { $nr * $parts }, false>,
                $isa::solve::<$t, $v, $mv, { $nr * $parts }, true>,
            ]),*],
            add: $isa::add::<$t, $v>,
            is_finite: $isa::is_finite::<$t, $v>,
            stream: Some($isa::stream::<$t, $v>),
            foreign: None,
        };
    )*}}
    tables! {
        S_AVX2: avx2(f32, __m256), depth 384, 6 x 1, 1: 1 2 3 4 5 6 7 8, 2: 1 2 3 4 5 6;
        D_AVX2: avx2(f64, __m256d), depth 256, 6 x 1, 1: 1 2 3 4 5 6 7 8, 2: 1 2 3 4 5 6;
        C_AVX2: avx2(Complex<f32>, __m256), depth 256, 3 x 2, 1: 1 2 3 4, 2: 1 2 3;
        Z_AVX2: avx2(Complex<f64>, __m256d), depth 256, 3 x 2, 1: 1 2 3 4, 2: 1 2 3;
        S_AVX512: avx512(f32, __m512), depth 384, 8 x 1, 1: 1 2 3 4 5 6 7 8, 2: 1 2 3 4 5 6 7 8, 3: 1 2 3 4 5 6 7 8;
        D_AVX512: avx512(f64, __m512d), depth 320, 8 x 1, 1: 1 2 3 4 5 6 7 8, 2: 1 2 3 4 5 6 7 8, 3: 1 2 3 4 5 6 7 8;
        C_AVX512: avx512(Complex<f32>, __m512), depth 320, 4 x 2, 1: 1 2 3 4, 2: 1 2 3 4, 3: 1 2 3 4;
        Z_AVX512: avx512(Complex<f64>, __m512d), depth 192, 4 x 2, 1: 1 2 3 4, 2: 1 2 3 4, 3: 1 2 3 4;
    }
}
