//! Where matrices are whose columns are whole.

/// Where the elements of a matrix are: column by column, `ld` elements from one to the next.
#[derive(Clone, Copy)]
pub(super) struct Whole<C> {
    pub(super) first: *mut C,
    pub(super) ld: usize,
}

// SAFETY: a pointer with a length; those who follow it answer for conflicts.
unsafe impl<C> Send for Whole<C> {}
// SAFETY: as above.
unsafe impl<C> Sync for Whole<C> {}

impl<C: Copy> Whole<C> {
    /// Pointer to the element in row `i` and column `j`.
    #[inline(always)]
    pub(super) fn at(self, i: usize, j: usize) -> *mut C {
        self.first.wrapping_add(j * self.ld + i)
    }

    /// The matrix that starts with the element in row `i` and column `j`.
    #[inline(always)]
    pub(super) fn from(self, i: usize, j: usize) -> Self {
        Whole { first: self.at(i, j), ..self }
    }

    /// Pointers to the first elements of the `K` columns from `j` on.
    #[inline(always)]
    pub(super) fn columns<const K: usize>(self, j: usize) -> [*const C; K] {
        let mut all = [self.at(0, j).cast_const(); K];
        for (k, column) in all.iter_mut().enumerate() {
            *column = column.wrapping_add(k * self.ld);
        }
        all
    }
}
