//! How ranges are cut into blocks.

/// The size of blocks of at most `most`, as equal as multiples of `unit` can be, for n items.
pub(super) fn even(n: usize, most: usize, unit: usize) -> usize {
    let most = (most - most % unit).max(unit);
    n.div_ceil(n.div_ceil(most)).next_multiple_of(unit).min(n)
}

/// Calls `f` with the start and the length of each block of n items.
#[inline(always)]
pub(super) fn each(n: usize, size: usize, mut f: impl FnMut(usize, usize)) {
    let mut i = 0;
    while i < n {
        f(i, size.min(n - i));
        i += size;
    }
}

/// Start and length of each block of n elements.
pub(crate) fn blocks(n: usize, size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).step_by(size).map(move |i| (i, size.min(n - i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_even() {
        assert_eq!(even(100, 200, 12), 100);
        assert_eq!(even(300, 256, 1), 150);
        assert_eq!(even(2048, 130, 12), 120);
        assert_eq!(even(13, 1, 12), 12);
    }
}
