//! Packing rows of contiguous elements: squares of elements are transposed in registers.

/// Copies what it can of m rows of contiguous elements, `from_step` apart, to columns that are `step` apart. Returns how many
/// rows and columns have been copied.
///
/// # Safety
/// All elements are there to be read, and to be written.
#[inline]
pub(super) unsafe fn transpose<T: Copy>(
    from: *const T,
    from_step: isize,
    [m, k]: [usize; 2],
    to: *mut T,
    step: usize,
) -> [usize; 2] {
    #[cfg(target_arch = "x86_64")]
    {
        use crate::isa::Isa;
        let (isa, mut done) = (Isa::get(), 0);
        let unit = size_of::<T>();
        if isa == Isa::Avx512 {
            // SAFETY: the caller's promise.
            done = unsafe {
                match unit {
                    4 => x86::words_by_sixteen(from.cast(), from_step, [m, k], to.cast(), step),
                    8 => x86::double_words_by_eight(from.cast(), from_step, [m, k], to.cast(), step),
                    _ => 0,
                }
            };
        }
        if isa != Isa::Portable {
            let (from, to, m) =
                (from.wrapping_offset(done as isize * from_step), to.wrapping_add(done), m - done);
            // SAFETY: the caller's promise; all other families include AVX2.
            let [more, columns] = unsafe {
                match unit {
                    4 => x86::words(from.cast(), from_step, [m, k], to.cast(), step),
                    8 => x86::double_words(from.cast(), from_step, [m, k], to.cast(), step),
                    _ => [0, 0],
                }
            };
            return [done + more, columns];
        }
    }
    [0, 0]
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    /// Eight rows and four columns at a time, of which each register holds two halves of rows.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn words(
        from: *const f32,
        from_step: isize,
        [m, k]: [usize; 2],
        to: *mut f32,
        step: usize,
    ) -> [usize; 2] {
        let [m, k] = [m - m % 8, k - k % 4];
        for i in (0..m).step_by(8) {
            for l in (0..k).step_by(4) {
                // SAFETY: the caller's promise.
                unsafe {
                    let half = |r: usize| _mm_loadu_ps(from.offset((i + r) as isize * from_step).add(l));
                    let rows =
                        |r: usize| _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(half(r)), half(r + 4));
                    let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3));
                    let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
                    let to = to.add(i + l * step);
                    _mm256_storeu_ps(to, _mm256_shuffle_ps::<0x44>(ab, cd));
                    _mm256_storeu_ps(to.add(step), _mm256_shuffle_ps::<0xee>(ab, cd));
                    let (ab, cd) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
                    _mm256_storeu_ps(to.add(2 * step), _mm256_shuffle_ps::<0x44>(ab, cd));
                    _mm256_storeu_ps(to.add(3 * step), _mm256_shuffle_ps::<0xee>(ab, cd));
                }
            }
        }
        [m, k]
    }

    /// [`words`] twice as long: four rows and two columns at a time.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn double_words(
        from: *const f64,
        from_step: isize,
        [m, k]: [usize; 2],
        to: *mut f64,
        step: usize,
    ) -> [usize; 2] {
        let [m, k] = [m - m % 4, k - k % 2];
        for i in (0..m).step_by(4) {
            for l in (0..k).step_by(2) {
                // SAFETY: the caller's promise.
                unsafe {
                    let half = |r: usize| _mm_loadu_pd(from.offset((i + r) as isize * from_step).add(l));
                    let rows =
                        |r: usize| _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(half(r)), half(r + 2));
                    let (a, b) = (rows(0), rows(1));
                    let to = to.add(i + l * step);
                    _mm256_storeu_pd(to, _mm256_unpacklo_pd(a, b));
                    _mm256_storeu_pd(to.add(step), _mm256_unpackhi_pd(a, b));
                }
            }
        }
        [m, k]
    }

    /// [`words`], sixteen rows at a time, of as many columns. Returns the rows.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn words_by_sixteen(
        from: *const f32,
        from_step: isize,
        [m, k]: [usize; 2],
        to: *mut f32,
        step: usize,
    ) -> usize {
        let [m, k] = [m - m % 16, k - k % 4];
        for i in (0..m).step_by(16) {
            for l in (0..k).step_by(4) {
                // SAFETY: the caller's promise.
                unsafe {
                    let part = |r: usize| _mm_loadu_ps(from.offset((i + r) as isize * from_step).add(l));
                    let rows = |r: usize| {
                        let x = _mm512_castps128_ps512(part(r));
                        let x = _mm512_insertf32x4::<1>(x, part(r + 4));
                        let x = _mm512_insertf32x4::<2>(x, part(r + 8));
                        _mm512_insertf32x4::<3>(x, part(r + 12))
                    };
                    let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3));
                    let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
                    let to = to.add(i + l * step);
                    _mm512_storeu_ps(to, _mm512_shuffle_ps::<0x44>(ab, cd));
                    _mm512_storeu_ps(to.add(step), _mm512_shuffle_ps::<0xee>(ab, cd));
                    let (ab, cd) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
                    _mm512_storeu_ps(to.add(2 * step), _mm512_shuffle_ps::<0x44>(ab, cd));
                    _mm512_storeu_ps(to.add(3 * step), _mm512_shuffle_ps::<0xee>(ab, cd));
                }
            }
        }
        m
    }

    /// [`double_words`], eight rows at a time, of as many columns. Returns the rows.
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) unsafe fn double_words_by_eight(
        from: *const f64,
        from_step: isize,
        [m, k]: [usize; 2],
        to: *mut f64,
        step: usize,
    ) -> usize {
        let [m, k] = [m - m % 8, k - k % 2];
        for i in (0..m).step_by(8) {
            for l in (0..k).step_by(2) {
                // SAFETY: the caller's promise.
                unsafe {
                    let part = |r: usize| _mm_loadu_pd(from.offset((i + r) as isize * from_step).add(l));
                    let rows = |r: usize| {
                        let x = _mm512_castpd128_pd512(part(r));
                        let x = _mm512_insertf64x2::<1>(x, part(r + 2));
                        let x = _mm512_insertf64x2::<2>(x, part(r + 4));
                        _mm512_insertf64x2::<3>(x, part(r + 6))
                    };
                    let (a, b) = (rows(0), rows(1));
                    let to = to.add(i + l * step);
                    _mm512_storeu_pd(to, _mm512_unpacklo_pd(a, b));
                    _mm512_storeu_pd(to.add(step), _mm512_unpackhi_pd(a, b));
                }
            }
        }
        m
    }
}

#[cfg(test)]
mod tests {
    use super::transpose;

    fn check<T: Copy + PartialEq + Default>(number: impl Fn(usize) -> T) {
        for (m, k) in [(16, 4), (17, 7), (24, 2), (8, 9), (3, 3), (47, 33)] {
            let (from_step, step) = (k + 3, m + 5);
            let from: Vec<T> = (0..m * from_step).map(&number).collect();
            let mut to = vec![T::default(); k * step];
            // SAFETY: both have room.
            let [rows, columns] =
                unsafe { transpose(from.as_ptr(), from_step as isize, [m, k], to.as_mut_ptr(), step) };
            for l in 0..k {
                for i in 0..step {
                    let done = i < rows && l < columns;
                    let want = if done { from[i * from_step + l] } else { T::default() };
                    assert!(to[i + l * step] == want, "{m} x {k}: {i}, {l}");
                }
            }
        }
    }

    #[test]
    fn rows_become_columns() {
        check(|x| x as f32);
        check(|x| x as f64);
        check(|x| [x as f64; 2]);
    }
}
