//! How rows of A and columns of B are grouped to tiles.

/// Groups of a certain size, but for the last ones: a small group costs as much as a larger one, so that what is left of
/// two groups is halved. Sizes are multiples of a unit, with padding for the last.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    /// Items of a full group.
    pub(super) most: usize,
    /// A divisor of it, and a power of 2.
    pub(super) unit: usize,
}

impl Groups {
    /// Calls `f` with the start and the length of each group of n items.
    #[inline(always)]
    pub(super) fn each(self, n: usize, mut f: impl FnMut(usize, usize)) {
        let mut i = 0;
        while i < n {
            let left = n - i;
            let len = if left > self.most && left < 2 * self.most {
                self.padded(left.div_ceil(2))
            } else {
                left.min(self.most)
            };
            f(i, len);
            i += len;
        }
    }

    /// Items of those full groups of n items that are followed by others or by none: what is left is grouped as it would be
    /// alone.
    pub(super) fn whole(self, n: usize) -> usize {
        if n.is_multiple_of(self.most) { n } else { (n / self.most).saturating_sub(1) * self.most }
    }

    /// Calls `f` with the start and the length of bundles of at most `room` items that are grouped as they would be alone.
    pub(super) fn each_bundle(self, n: usize, room: usize, mut f: impl FnMut(usize, usize)) {
        let (whole, most) = (self.whole(n), room - room % self.most);
        let mut i = 0;
        while i < n {
            let len = if i < whole { most.min(whole - i) } else { n - i };
            f(i, len);
            i += len;
        }
    }

    /// The size of a group of n items with its padding.
    #[inline(always)]
    pub(super) fn padded(self, n: usize) -> usize {
        (n + self.unit - 1) & !(self.unit - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_cover_everything_once() {
        for groups in
            [Groups { most: 24, unit: 8 }, Groups { most: 6, unit: 1 }, Groups { most: 64, unit: 64 }]
        {
            for n in 0..200 {
                let mut sizes = Vec::new();
                groups.each(n, |i, len| {
                    assert_eq!(i, sizes.iter().sum::<usize>());
                    assert!(len <= groups.most && (len.is_multiple_of(groups.unit) || i + len == n));
                    sizes.push(len);
                });
                assert_eq!(sizes.iter().sum::<usize>(), n);
                let whole = groups.whole(n);
                let mut bundled = vec![groups.most; whole / groups.most];
                groups.each(n - whole, |_, len| bundled.push(len));
                assert_eq!(bundled, sizes);
                let mut bundled = Vec::new();
                groups.each_bundle(n, 128, |_, len| {
                    assert!(len <= 128);
                    groups.each(len, |_, len| bundled.push(len));
                });
                assert_eq!(bundled, sizes);
            }
        }
        let mut sizes = Vec::new();
        Groups { most: 24, unit: 8 }.each(32, |_, len| sizes.push(len));
        assert_eq!(sizes, [16, 16]);
    }
}
