//! The part of a Fortran or C front: arguments in calling order become sizes, flags and device memory.

use std::cell::Cell;

use blas_api::*;

use super::name::Form;
use super::row::{Argument, Parts, Value};

type Made<V> = std::result::Result<V, Error>;

/// Why a call did not come to its end.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Stop {
    /// The row does not describe a call.
    Malformed(String),
    /// The front refuses an argument that the library's types cannot express: a negative size, an unknown flag.
    Illegal(String),
    /// The library refuses the call.
    Refused(Error),
}

impl From<Error> for Stop {
    fn from(e: Error) -> Self {
        Stop::Refused(e)
    }
}

/// What a call returns, if anything.
pub(super) type Returned = std::result::Result<Option<Parts>, Stop>;

/// An array argument on the device.
pub(super) struct Array<T, B> {
    pub(super) name: String,
    pub(super) before: Vec<T>,
    pub(super) buffer: Buffer<T, B>,
    /// Whether the routine may write to it.
    pub(super) output: bool,
}

impl<T: Scalar, B: Backend> Array<T, B> {
    /// Uploads an argument in exactly the length that the row gives it.
    pub(super) fn upload(
        handle: &Handle<B>,
        name: &str,
        values: &[Parts],
    ) -> std::result::Result<Self, Error> {
        let before: Vec<T> = values.iter().map(|&p| T::from_parts(p)).collect();
        let buffer = handle.upload(&before)?;
        Ok(Array { name: name.to_owned(), before, buffer, output: false })
    }
}

/// Arguments of a call, taken one after the other.
pub(super) struct Front<'s, T, B: Backend> {
    pub(super) handle: &'s Handle<B>,
    /// Of the routine: increment 0 means another thing to each.
    pub(super) level: Level,
    /// Set when an argument breaks the contract, so that the library must refuse the call.
    pub(super) illegal: &'s Cell<bool>,
    pub(super) form: Form,
    pub(super) layout: Layout,
    /// Whether the call is one of real types, perhaps repeated for a complex one.
    pub(super) real: bool,
    pub(super) arguments: std::slice::Iter<'s, Argument>,
    pub(super) arrays: std::slice::IterMut<'s, Array<T, B>>,
}

impl<'s, T: Scalar, B: Backend> Front<'s, T, B> {
    fn next(&mut self) -> std::result::Result<&'s Argument, Stop> {
        self.arguments.next().ok_or_else(|| Stop::Malformed("too few arguments".to_owned()))
    }

    /// Checks that no argument is left.
    pub(super) fn end(&mut self) -> std::result::Result<(), Stop> {
        match self.arguments.next() {
            None => Ok(()),
            Some(a) => Err(Stop::Malformed(format!("{} is an argument too many", a.name))),
        }
    }

    fn int(&mut self) -> std::result::Result<(&'s str, i64), Stop> {
        let argument = self.next()?;
        match argument.value {
            Value::Int(v) => Ok((&argument.name, v)),
            _ => Err(wrong(argument, "an integer")),
        }
    }

    /// A size or leading dimension of Level 2 and 3, which may not be negative.
    pub(super) fn size(&mut self) -> std::result::Result<usize, Stop> {
        let (name, v) = self.int()?;
        usize::try_from(v).map_err(|_| Stop::Illegal(format!("{name} is {v}")))
    }

    /// The number of elements of Level 1, where a negative one means none.
    pub(super) fn count(&mut self) -> std::result::Result<usize, Stop> {
        let (name, v) = self.int()?;
        usize::try_from(v.max(0)).map_err(|_| Stop::Illegal(format!("{name} is {v}")))
    }

    /// An increment.
    pub(super) fn inc(&mut self) -> std::result::Result<isize, Stop> {
        let (name, v) = self.int()?;
        isize::try_from(v).map_err(|_| Stop::Illegal(format!("{name} is {v}")))
    }

    /// A coefficient: a scalar, or the one element of an array, as CBLAS takes complex ones.
    pub(super) fn coef<C: Scalar>(&mut self) -> std::result::Result<C, Stop> {
        let argument = self.next()?;
        let parts = match &argument.value {
            Value::Scalar(p) => *p,
            Value::Array(v) if v.len() == 1 => {
                self.arrays.next();
                v[0]
            }
            _ => return Err(wrong(argument, "a number")),
        };
        if parts[1] != 0.0 && !C::DTYPE.is_complex() {
            return Err(wrong(argument, "a real number"));
        }
        Ok(C::from_parts(parts))
    }

    fn array(&mut self) -> std::result::Result<&'s mut Array<T, B>, Stop> {
        let argument = self.next()?;
        match (&argument.value, self.arrays.next()) {
            (Value::Array(_), Some(array)) => Ok(array),
            _ => Err(wrong(argument, "an array")),
        }
    }

    /// An array that is read.
    pub(super) fn input(&mut self) -> std::result::Result<&'s Buffer<T, B>, Stop> {
        Ok(&self.array()?.buffer)
    }

    /// An array that is written.
    pub(super) fn output(&mut self) -> std::result::Result<&'s mut Buffer<T, B>, Stop> {
        let array = self.array()?;
        array.output = true;
        Ok(&mut array.buffer)
    }

    /// One of the flags, by its letter or its number in CBLAS.
    fn flag<F: Copy>(&mut self, what: &str, flags: &[(char, i64, F)]) -> std::result::Result<F, Stop> {
        let argument = self.next()?;
        let found = match argument.value {
            Value::Char(c) => flags.iter().find(|f| f.0 == c.to_ascii_uppercase()),
            Value::Int(v) => flags.iter().find(|f| f.1 == v),
            _ => return Err(wrong(argument, what)),
        };
        found.map(|f| f.2).ok_or_else(|| {
            Stop::Illegal(format!("{} is {:?}, which is not {what}", argument.name, argument.value))
        })
    }

    /// The layout, which CBLAS passes before all else in Level 2 and 3.
    pub(super) fn take_layout(&mut self) -> std::result::Result<(), Stop> {
        self.layout = self.flag("a layout", &[('R', 101, Layout::Row), ('C', 102, Layout::Col)])?;
        Ok(())
    }

    /// The op of an operand.
    pub(super) fn trans(&mut self) -> std::result::Result<Trans, Stop> {
        self.flag("an op", &[('N', 111, Trans::N), ('T', 112, Trans::T), ('C', 113, Trans::C)])
    }

    /// The op of the symmetric (`conjugated` false) or Hermitian updates, which of the two transposes admit one. Real
    /// types take both for the same.
    pub(super) fn update_trans(&mut self, conjugated: bool) -> std::result::Result<Trans, Stop> {
        let trans = self.trans()?;
        if self.real && trans.is_transposed() {
            return Ok(Trans::new(true, conjugated));
        }
        if !trans.is_transposed() || trans.is_conjugated() == conjugated {
            return Ok(trans);
        }
        Err(Stop::Illegal(format!(
            "op {trans:?} of a {} update",
            if conjugated { "Hermitian" } else { "symmetric" }
        )))
    }

    /// The triangle.
    pub(super) fn uplo(&mut self) -> std::result::Result<Uplo, Stop> {
        self.flag("a triangle", &[('U', 121, Uplo::Upper), ('L', 122, Uplo::Lower)])
    }

    /// The kind of diagonal.
    pub(super) fn diag(&mut self) -> std::result::Result<Diag, Stop> {
        self.flag("a kind of diagonal", &[('N', 131, Diag::NonUnit), ('U', 132, Diag::Unit)])
    }

    /// The side.
    pub(super) fn side(&mut self) -> std::result::Result<Side, Stop> {
        self.flag("a side", &[('L', 141, Side::Left), ('R', 142, Side::Right)])
    }
}

/// Views of the arrays. Each says by rules of its own whether the library may refuse it: what the library refuses must be
/// illegal, and what is illegal it must refuse.
impl<'s, T: Scalar, B: Backend> Front<'s, T, B> {
    fn rule(&self, legal: bool) {
        if !legal {
            self.illegal.set(true);
        }
    }

    fn vec_rule(&self, have: usize, n: usize, inc: isize, output: bool) {
        let reach = n.saturating_sub(1).saturating_mul(inc.unsigned_abs()).saturating_add(usize::from(n > 0));
        let repeats = inc == 0 && (self.level != Level::One || (output && n > 1));
        self.rule(reach <= have && !repeats);
    }

    /// Columns of `height` elements (rows, for row-major storage), `ld` apart.
    fn columns_rule(&self, have: usize, height: usize, count: usize, ld: usize) {
        let empty = height == 0 || count == 0;
        let reach = if empty { 0 } else { (count - 1).saturating_mul(ld).saturating_add(height) };
        self.rule(reach <= have && ld >= height.max(1));
    }

    fn mat_rule(&self, have: usize, rows: usize, cols: usize, ld: usize) {
        let (height, count) = if self.layout == Layout::Col { (rows, cols) } else { (cols, rows) };
        self.columns_rule(have, height, count, ld);
    }

    fn packed_rule(&self, have: usize, n: usize) {
        self.rule(n.saturating_mul(n.saturating_add(1)) / 2 <= have);
    }

    pub(super) fn vec(&self, x: &'s Buffer<T, B>, n: usize, inc: isize) -> Made<VecRef<'s, T, B>> {
        self.vec_rule(x.len(), n, inc, false);
        x.slice().vec(n, inc)
    }

    pub(super) fn vec_mut(&self, x: &'s mut Buffer<T, B>, n: usize, inc: isize) -> Made<VecMut<'s, T, B>> {
        self.vec_rule(x.len(), n, inc, true);
        x.slice_mut().vec(n, inc)
    }

    pub(super) fn scalar_mut(&self, x: &'s mut Buffer<T, B>) -> Made<ScalarMut<'s, T, B>> {
        self.rule(!x.is_empty());
        x.slice_mut().scalar(0)
    }

    pub(super) fn mat(&self, a: &'s Buffer<T, B>, m: usize, n: usize, ld: usize) -> Made<MatRef<'s, T, B>> {
        self.mat_rule(a.len(), m, n, ld);
        a.slice().mat_ld(m, n, self.layout, ld)
    }

    pub(super) fn mat_mut(
        &self,
        a: &'s mut Buffer<T, B>,
        m: usize,
        n: usize,
        ld: usize,
    ) -> Made<MatMut<'s, T, B>> {
        self.mat_rule(a.len(), m, n, ld);
        a.slice_mut().mat_ld(m, n, self.layout, ld)
    }

    pub(super) fn band(
        &self,
        a: &'s Buffer<T, B>,
        m: usize,
        n: usize,
        kl: usize,
        ku: usize,
        ld: usize,
    ) -> Made<BandRef<'s, T, B>> {
        let height = kl.saturating_add(ku).saturating_add(1);
        let (across, along) = if self.layout == Layout::Col { (m, n) } else { (n, m) };
        // Without rows or columns there is nothing to reach, but a leading dimension to obey.
        self.columns_rule(if across == 0 { usize::MAX } else { a.len() }, height, along, ld);
        a.slice().band(m, n, kl, ku, self.layout, ld)
    }

    pub(super) fn tri_band(
        &self,
        a: &'s Buffer<T, B>,
        n: usize,
        k: usize,
        uplo: Uplo,
        diag: Diag,
        ld: usize,
    ) -> Made<TriBandRef<'s, T, B>> {
        self.columns_rule(a.len(), k.saturating_add(1), n, ld);
        a.slice().tri_band(n, k, uplo, diag, self.layout, ld)
    }

    pub(super) fn sym_band(
        &self,
        a: &'s Buffer<T, B>,
        n: usize,
        k: usize,
        uplo: Uplo,
        ld: usize,
    ) -> Made<SymBandRef<'s, T, B>> {
        self.columns_rule(a.len(), k.saturating_add(1), n, ld);
        a.slice().sym_band(n, k, uplo, self.layout, ld)
    }

    pub(super) fn herm_band(
        &self,
        a: &'s Buffer<T, B>,
        n: usize,
        k: usize,
        uplo: Uplo,
        ld: usize,
    ) -> Made<HermBandRef<'s, T, B>> {
        self.columns_rule(a.len(), k.saturating_add(1), n, ld);
        a.slice().herm_band(n, k, uplo, self.layout, ld)
    }

    pub(super) fn tri_packed(
        &self,
        a: &'s Buffer<T, B>,
        n: usize,
        uplo: Uplo,
        diag: Diag,
    ) -> Made<TriPackedRef<'s, T, B>> {
        self.packed_rule(a.len(), n);
        a.slice().tri_packed(n, uplo, diag, self.layout)
    }

    pub(super) fn sym_packed(
        &self,
        a: &'s Buffer<T, B>,
        n: usize,
        uplo: Uplo,
    ) -> Made<SymPackedRef<'s, T, B>> {
        self.packed_rule(a.len(), n);
        a.slice().sym_packed(n, uplo, self.layout)
    }

    pub(super) fn sym_packed_mut(
        &self,
        a: &'s mut Buffer<T, B>,
        n: usize,
        uplo: Uplo,
    ) -> Made<SymPackedMut<'s, T, B>> {
        self.packed_rule(a.len(), n);
        a.slice_mut().sym_packed(n, uplo, self.layout)
    }

    pub(super) fn herm_packed(
        &self,
        a: &'s Buffer<T, B>,
        n: usize,
        uplo: Uplo,
    ) -> Made<HermPackedRef<'s, T, B>> {
        self.packed_rule(a.len(), n);
        a.slice().herm_packed(n, uplo, self.layout)
    }

    pub(super) fn herm_packed_mut(
        &self,
        a: &'s mut Buffer<T, B>,
        n: usize,
        uplo: Uplo,
    ) -> Made<HermPackedMut<'s, T, B>> {
        self.packed_rule(a.len(), n);
        a.slice_mut().herm_packed(n, uplo, self.layout)
    }
}

fn wrong(argument: &Argument, what: &str) -> Stop {
    Stop::Malformed(format!("argument {} is {:?}, must be {what}", argument.name, argument.value))
}
