//! Vector registers: what the kernels of [`tile`](super::tile) need of them.

#[cfg(target_arch = "x86_64")]
mod x86;

use num_traits::One;

/// A register of real numbers. Complex numbers are in it as pairs of a real and an imaginary part.
///
/// # Safety
/// Every function may be called only where the instructions of the register are available, and must be inlined into a
/// function that enables them. Pointers are to as many numbers as are read or written, without alignment.
pub(super) trait Vector: Copy {
    /// Type of the numbers.
    type Real: Copy + One;
    /// How many there are.
    const LANES: usize;
    /// All zero.
    unsafe fn zero() -> Self;
    /// All equal to `x`.
    unsafe fn splat(x: Self::Real) -> Self;
    /// The numbers at `p`.
    unsafe fn load(p: *const Self::Real) -> Self;
    /// The first `n` numbers at `p`, and zeros. What follows them is not read.
    unsafe fn load_first(p: *const Self::Real, n: usize) -> Self;
    /// Writes the numbers to `p`.
    unsafe fn store(self, p: *mut Self::Real);
    /// Writes the first `n` numbers to `p`.
    unsafe fn store_first(self, p: *mut Self::Real, n: usize);
    /// Asks for the cache line at `p`, which need not be there.
    unsafe fn prefetch(p: *const Self::Real);
    /// The same number, of which the compiler knows nothing.
    fn opaque(x: isize) -> isize;
    /// The sums.
    unsafe fn add(self, y: Self) -> Self;
    /// The products.
    unsafe fn mul(self, y: Self) -> Self;
    /// The quotients.
    unsafe fn div(self, y: Self) -> Self;
    /// self * y + z, rounded once.
    unsafe fn fma(self, y: Self, z: Self) -> Self;
    /// self * y - z for real parts and self * y + z for imaginary ones, rounded once.
    unsafe fn fma_conj(self, y: Self, z: Self) -> Self;
    /// Complex products with a number, of the products with its real part (these) and with its imaginary part.
    #[inline(always)]
    unsafe fn pair(self, im: Self) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.fma_conj(Self::splat(Self::Real::one()), im.swap()) }
    }
    /// Whether all numbers are [moderate](crate::num::Acc::MODERATE) or zero.
    unsafe fn is_moderate(self) -> bool;
    /// Whether a number is zero or too small to be [moderate](Self::is_moderate).
    unsafe fn has_small(self) -> bool;
    /// Whether a number of either is NaN.
    unsafe fn has_nan(self, y: Self) -> bool;
    /// Real and imaginary parts exchanged.
    unsafe fn swap(self) -> Self;
}
