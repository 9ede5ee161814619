//! Matrices whose columns are whole, several columns at a time: vectors are read and written once for all of them.

use std::ops::Range;

use crate::lanes::Lanes;
use crate::num::Acc;

/// Columns that are taken together.
pub(super) const GROUP: usize = 4;

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

/// What is done to columns, several at a time.
pub(super) trait Groups<C: Acc> {
    /// Does what the `K` columns from `j` on ask for.
    ///
    /// # Safety
    /// The columns are there, and the machine has the register.
    unsafe fn group<V: Lanes<Real = C::Real>, const K: usize>(&self, j: usize);

    /// All of some columns. Those that make no group are the last ones, wherever one starts.
    ///
    /// # Safety
    /// As for `group`.
    #[inline(always)]
    unsafe fn all<V: Lanes<Real = C::Real>, const K: usize>(&self, columns: Range<usize>, ascending: bool) {
        let groups = columns.len() / K;
        let single = columns.start + groups * K..columns.end;
        // SAFETY: the caller's promise.
        unsafe {
            if !ascending {
                for j in single.clone().rev() {
                    self.group::<V, 1>(j);
                }
            }
            for g in 0..groups {
                self.group::<V, K>(columns.start + K * if ascending { g } else { groups - 1 - g });
            }
            if ascending {
                for j in single {
                    self.group::<V, 1>(j);
                }
            }
        }
    }
}
