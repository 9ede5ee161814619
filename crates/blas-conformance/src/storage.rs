//! Operands in storage: guard zones, padding, strides, batch forms, poison.

use blas_api::*;

use crate::bad_arguments::{self, Fault};
use crate::case::Verdict;
use crate::form::{Form, Strides};
use crate::num::{Num, Z};
use crate::oracle::Dense;

/// Elements before the first and after the last entry.
pub(crate) const GUARD: usize = 19;

/// What a routine does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads it.
    In,
    /// Writes it, and reads it where the routine says so.
    Out,
}

/// How the entries of a batch are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Batch {
    /// One operand.
    Single,
    /// At a stride, of either sign.
    Strided(isize),
    /// One for all.
    Broadcast,
    /// An array of pointers.
    Array,
}

/// Where scalar results are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// In host memory.
    Host,
    /// In device memory.
    Device,
}

/// Everything about an operand but its elements.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// As the routine sees it.
    pub(crate) form: Form,
    /// The op that makes the matrix seen from the one stored.
    pub(crate) op: Trans,
    pub(crate) strides: Strides,
    pub(crate) batch: Batch,
    /// Offset of each entry.
    pub(crate) base: Vec<usize>,
    /// Elements in the buffer.
    pub(crate) len: usize,
    /// Pretends to be on another device.
    pub(crate) elsewhere: bool,
}

impl Place {
    /// The form as stored, before `op`.
    pub(crate) fn stored(&self) -> Form {
        if self.op.is_transposed() { self.form.t() } else { self.form }
    }

    /// Offset of the seen element (i, j) of an entry; it must be stored.
    fn at(&self, entry: usize, i: usize, j: usize) -> usize {
        let (i, j) = if self.op.is_transposed() { (j, i) } else { (i, j) };
        self.base[entry] + self.strides.offset(&self.stored(), i, j)
    }

    pub(crate) fn span(&self) -> usize {
        self.strides.span(&self.stored())
    }
}

/// An operand: its storage on the host as it was before the call and after, and on the device.
pub struct Operand<T, B> {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) place: Place,
    pub(crate) site: Site,
    /// Whether the operand has batch entries (scalar results have one element an entry instead).
    pub(crate) batched: bool,
    pub(crate) before: Vec<T>,
    pub(crate) after: Vec<T>,
    buffer: Option<Buffer<T, B>>,
}

impl<T: Num, B: Backend> Operand<T, B> {
    pub(crate) fn new(name: &'static str, role: Role, place: Place, site: Site, batched: bool) -> Self {
        let before: Vec<T> = (0..place.len).map(T::poison).collect();
        Operand { name, role, place, site, batched, after: before.clone(), before, buffer: None }
    }

    /// Number of entries of the batch.
    pub fn entries(&self) -> usize {
        self.place.base.len()
    }

    /// Sets every stored element of every entry to a function of entry, row and column, as the routine sees them.
    /// Entries that share storage (broadcast, repeated pointers) get the value of the last.
    pub fn fill(&mut self, mut f: impl FnMut(usize, usize, usize) -> Z) {
        for e in 0..self.entries() {
            for (i, j) in self.place.form.elements() {
                let z = f(e, i, j);
                self.set(e, i, j, z);
            }
        }
    }

    /// Sets one stored element.
    pub fn set(&mut self, entry: usize, i: usize, j: usize, z: Z) {
        let at = self.place.at(entry, i, j);
        let value = T::from_z(if self.place.op.is_conjugated() { z.conj() } else { z });
        // The imaginary diagonal of a Hermitian matrix is not read: it stays poisoned.
        let keep = self.place.form.kind.is_hermitian() && i == j;
        self.before[at] = if keep { value.with_imaginary_of(self.before[at]) } else { value };
    }

    /// Poisons all elements if `yes`: the call may not read them.
    #[must_use]
    pub fn unread_if(mut self, yes: bool) -> Self {
        if yes {
            self.before = (0..self.place.len).map(T::poison).collect();
        }
        self
    }

    fn seen(&self, image: &[T], e: usize, i: usize, j: usize) -> Z {
        let form = &self.place.form;
        let (zero, one) = (Z::new(0.0, 0.0), Z::new(1.0, 0.0));
        if form.kind.is_triangular() && i == j && form.diag == Diag::Unit {
            return one;
        }
        let read = |i, j| {
            let z = image[self.place.at(e, i, j)].z();
            if self.place.op.is_conjugated() { z.conj() } else { z }
        };
        if form.stores(i, j) {
            let z = read(i, j);
            return if form.kind.is_hermitian() && i == j { Z::new(z.re, 0.0) } else { z };
        }
        // The other triangle.
        if (form.kind.is_symmetric() || form.kind.is_hermitian()) && form.stores(j, i) {
            let z = read(j, i);
            return if form.kind.is_hermitian() { z.conj() } else { z };
        }
        zero
    }

    /// Element (i, j) of an entry before the call, as the routine sees it: implied zeros, ones and mirrored elements
    /// included.
    pub fn before(&self, entry: usize, i: usize, j: usize) -> Z {
        self.seen(&self.before, entry, i, j)
    }

    /// The same after the call.
    pub fn after(&self, entry: usize, i: usize, j: usize) -> Z {
        self.seen(&self.after, entry, i, j)
    }

    /// Calls `f` with (entry, row, column) of every stored element of every entry.
    pub fn each(&self, mut f: impl FnMut(usize, usize, usize) -> Verdict) -> Verdict {
        for e in 0..self.entries() {
            for (i, j) in self.place.form.elements() {
                f(e, i, j)?;
            }
        }
        Ok(())
    }

    /// All entries before the call as dense matrices.
    pub fn dense(&self) -> Vec<Dense> {
        self.expand(&self.before)
    }

    /// All entries after the call as dense matrices.
    pub fn dense_after(&self) -> Vec<Dense> {
        self.expand(&self.after)
    }

    fn expand(&self, image: &[T]) -> Vec<Dense> {
        let form = self.place.form;
        let one = |e| Dense::new(form.rows.n, form.cols.n, |i, j| self.seen(image, e, i, j)).structured(form);
        (0..self.entries()).map(one).collect()
    }

    /// The stored element after the call with its bits, and whether they changed.
    pub(crate) fn raw_after(&self, e: usize, i: usize, j: usize) -> (T, bool) {
        let at = self.place.at(e, i, j);
        (self.after[at], self.after[at].bits() != self.before[at].bits())
    }

    /// Moves to another place. Contents do not matter: no call with a fault may read or write them.
    fn replace(&mut self, place: Place) -> Place {
        self.before = (0..place.len).map(T::poison).collect();
        std::mem::replace(&mut self.place, place)
    }

    fn slice(&self) -> Result<SliceRef<'_, T, B>> {
        let buffer = self.buffer.as_ref().ok_or(Error::NotAvailable { what: "operand", backend: B::NAME })?;
        let s = buffer.slice();
        if self.place.elsewhere {
            return Ok(elsewhere(s));
        }
        Ok(s)
    }

    fn slice_mut(&mut self) -> Result<SliceMut<'_, T, B>> {
        let buffer = self.buffer.as_mut().ok_or(Error::NotAvailable { what: "operand", backend: B::NAME })?;
        let s = buffer.slice_mut();
        if self.place.elsewhere {
            return Ok(elsewhere_mut(s));
        }
        Ok(s)
    }

    fn views<'a, S: Shape>(
        &'a self,
        make: impl Fn(SliceRef<'a, T, B>, &Place) -> Result<Ref<'a, S, T, B>>,
    ) -> Result<Batched<Ref<'a, S, T, B>>> {
        let p = &self.place;
        let s = self.slice()?;
        let count = p.base.len();
        let entry = |e: usize| make(s.skip(p.base.get(e).copied().unwrap_or(GUARD))?, p);
        match p.batch {
            Batch::Single => Ok(entry(0)?.batched()),
            Batch::Strided(stride) => entry(0)?.batch(stride, count),
            Batch::Broadcast => Ok(entry(0)?.broadcast(count)),
            Batch::Array => Batched::from_views((0..count).map(entry).collect::<Result<Vec<_>>>()?),
        }
    }

    fn views_mut<'a, S: Shape>(
        &'a mut self,
        make: impl Fn(SliceMut<'a, T, B>, &Place) -> Result<Mut<'a, S, T, B>>,
    ) -> Result<Batched<Mut<'a, S, T, B>>> {
        let p = self.place.clone();
        let s = self.slice_mut()?;
        let count = p.base.len();
        let first = p.base.first().copied().unwrap_or(GUARD);
        match p.batch {
            Batch::Single => Ok(make(s.skip(first)?, &p)?.batched()),
            Batch::Strided(stride) => make(s.skip(first)?, &p)?.batch(stride, count),
            Batch::Broadcast => make(s.skip(first)?, &p)?.batch(0, count),
            Batch::Array => {
                let mut order: Vec<usize> = (0..count).collect();
                order.sort_by_key(|&e| p.base[e]);
                let (mut rest, mut cut) = (s, 0);
                let mut views = Vec::with_capacity(count);
                for &e in &order {
                    let (_, from) = rest.split_at(p.base[e] - cut)?;
                    let (piece, beyond) = from.split_at(p.span())?;
                    cut = p.base[e] + p.span();
                    rest = beyond;
                    views.push((e, make(piece, &p)?));
                }
                views.sort_by_key(|&(e, _)| e);
                Batched::from_views(views.into_iter().map(|(_, v)| v))
            }
        }
    }

    /// Scalar results, for an operand made by [`Case::scalars`](crate::Case::scalars).
    pub fn out(&mut self) -> Result<Out<'_, T, B>> {
        let (at, n) = (self.place.base[0], self.place.form.rows.n);
        match self.site {
            Site::Host => {
                let n = n.min(self.after.len() - at);
                Ok(Out::Host(&mut self.after[at..at + n]))
            }
            Site::Device => Ok(Out::Device(self.slice_mut()?.skip(at)?.vec(n, 1)?)),
        }
    }
}

/// A device that no handle is on.
const ELSEWHERE: DeviceId = DeviceId { backend: "elsewhere", index: 7 };

pub(crate) fn elsewhere<T: Element, B>(s: SliceRef<'_, T, B>) -> SliceRef<'_, T, B> {
    let len = s.len();
    // SAFETY: no routine accepts a view of this device, so nothing follows the pointer.
    unsafe { SliceRef::from_raw(std::ptr::NonNull::dangling().as_ptr(), len, ELSEWHERE) }
}

fn elsewhere_mut<T: Element, B>(s: SliceMut<'_, T, B>) -> SliceMut<'_, T, B> {
    let len = s.len();
    // SAFETY: as above.
    unsafe { SliceMut::from_raw(std::ptr::NonNull::dangling().as_ptr(), len, ELSEWHERE) }
}

macro_rules! with_op {
    ($v:expr, $p:expr) => {
        match $p.op {
            Trans::N => $v,
            Trans::T => $v.t(),
            Trans::C => $v.h(),
            Trans::ConjN => $v.conj(),
        }
    };
}

macro_rules! full {
    ($s:expr, $p:expr) => {{
        let (f, s) = ($p.stored(), $p.strides);
        match s.both {
            Some((rs, cs)) => $s.mat_strided(f.rows.n, f.cols.n, rs, cs),
            None => $s.mat_ld(f.rows.n, f.cols.n, s.layout, s.ld),
        }
    }};
}

impl<T: Num, B: Backend> Operand<T, B> {
    /// As vectors.
    pub fn vec(&self) -> Result<Batched<VecRef<'_, T, B>>> {
        self.views(|s, p| s.vec(p.form.rows.n, p.strides.inc))
    }

    /// As vectors that are written.
    pub fn vec_mut(&mut self) -> Result<Batched<VecMut<'_, T, B>>> {
        self.views_mut(|s, p| s.vec(p.form.rows.n, p.strides.inc))
    }

    /// As matrices.
    pub fn mat(&self) -> Result<Batched<MatRef<'_, T, B>>> {
        self.views(|s, p| Ok(with_op!(full!(s, p)?, p)))
    }

    /// As matrices that are written.
    pub fn mat_mut(&mut self) -> Result<Batched<MatMut<'_, T, B>>> {
        self.views_mut(|s, p| {
            let m = full!(s, p)?;
            Ok(if p.op.is_transposed() { m.t() } else { m })
        })
    }

    /// As triangular matrices.
    pub fn tri(&self) -> Result<Batched<TriRef<'_, T, B>>> {
        self.views(|s, p| Ok(with_op!(full!(s, p)?.tri(p.stored().uplo, p.form.diag), p)))
    }

    /// As triangular matrices that are written.
    pub fn tri_mut(&mut self) -> Result<Batched<TriMut<'_, T, B>>> {
        self.views_mut(|s, p| Ok(full!(s, p)?.tri(p.form.uplo, p.form.diag)))
    }

    /// As symmetric matrices.
    pub fn sym(&self) -> Result<Batched<SymRef<'_, T, B>>> {
        self.views(|s, p| Ok(with_op!(full!(s, p)?.sym(p.stored().uplo), p)))
    }

    /// As symmetric matrices that are written.
    pub fn sym_mut(&mut self) -> Result<Batched<SymMut<'_, T, B>>> {
        self.views_mut(|s, p| Ok(full!(s, p)?.sym(p.form.uplo)))
    }

    /// As Hermitian matrices.
    pub fn herm(&self) -> Result<Batched<HermRef<'_, T, B>>> {
        self.views(|s, p| Ok(with_op!(full!(s, p)?.herm(p.stored().uplo), p)))
    }

    /// As Hermitian matrices that are written.
    pub fn herm_mut(&mut self) -> Result<Batched<HermMut<'_, T, B>>> {
        self.views_mut(|s, p| Ok(full!(s, p)?.herm(p.form.uplo)))
    }

    /// As band matrices.
    pub fn band(&self) -> Result<Batched<BandRef<'_, T, B>>> {
        self.views(|s, p| {
            let f = p.stored();
            let b = s.band(f.rows.n, f.cols.n, f.kl, f.ku, p.strides.layout, p.strides.ld)?;
            Ok(with_op!(b, p))
        })
    }

    /// As triangular band matrices.
    pub fn tri_band(&self) -> Result<Batched<TriBandRef<'_, T, B>>> {
        self.views(|s, p| {
            let f = p.stored();
            let b = s.tri_band(f.rows.n, f.k(), f.uplo, f.diag, p.strides.layout, p.strides.ld)?;
            Ok(with_op!(b, p))
        })
    }

    /// As symmetric band matrices.
    pub fn sym_band(&self) -> Result<Batched<SymBandRef<'_, T, B>>> {
        self.views(|s, p| {
            let f = p.form;
            let b = s.sym_band(f.rows.n, f.k(), f.uplo, p.strides.layout, p.strides.ld)?;
            Ok(if p.op.is_conjugated() { b.conj() } else { b })
        })
    }

    /// As Hermitian band matrices.
    pub fn herm_band(&self) -> Result<Batched<HermBandRef<'_, T, B>>> {
        self.views(|s, p| {
            let f = p.form;
            let b = s.herm_band(f.rows.n, f.k(), f.uplo, p.strides.layout, p.strides.ld)?;
            Ok(if p.op.is_conjugated() { b.conj() } else { b })
        })
    }

    /// As packed triangular matrices.
    pub fn tri_packed(&self) -> Result<Batched<TriPackedRef<'_, T, B>>> {
        self.views(|s, p| {
            let f = p.stored();
            Ok(with_op!(s.tri_packed(f.rows.n, f.uplo, f.diag, p.strides.layout)?, p))
        })
    }

    /// As packed symmetric matrices.
    pub fn sym_packed(&self) -> Result<Batched<SymPackedRef<'_, T, B>>> {
        self.views(|s, p| {
            let a = s.sym_packed(p.form.rows.n, p.form.uplo, p.strides.layout)?;
            Ok(if p.op.is_conjugated() { a.conj() } else { a })
        })
    }

    /// As packed symmetric matrices that are written.
    pub fn sym_packed_mut(&mut self) -> Result<Batched<SymPackedMut<'_, T, B>>> {
        self.views_mut(|s, p| s.sym_packed(p.form.rows.n, p.form.uplo, p.strides.layout))
    }

    /// As packed Hermitian matrices.
    pub fn herm_packed(&self) -> Result<Batched<HermPackedRef<'_, T, B>>> {
        self.views(|s, p| {
            let a = s.herm_packed(p.form.rows.n, p.form.uplo, p.strides.layout)?;
            Ok(if p.op.is_conjugated() { a.conj() } else { a })
        })
    }

    /// As packed Hermitian matrices that are written.
    pub fn herm_packed_mut(&mut self) -> Result<Batched<HermPackedMut<'_, T, B>>> {
        self.views_mut(|s, p| s.herm_packed(p.form.rows.n, p.form.uplo, p.strides.layout))
    }
}

/// An operand of any element type, as the runner sees it.
pub trait AnyOperand<B: Backend> {
    #[doc(hidden)]
    fn name(&self) -> &'static str;
    #[doc(hidden)]
    fn role(&self) -> Role;
    #[doc(hidden)]
    fn form(&self) -> Form;
    /// Puts the elements of before the call in place.
    #[doc(hidden)]
    fn upload(&mut self, h: &Handle<B>) -> Result;
    /// Fetches the elements of after the call.
    #[doc(hidden)]
    fn download(&mut self, h: &Handle<B>) -> Result;
    /// What was written and should not have been: offset, or None.
    #[doc(hidden)]
    fn stray_write(&self, may_write: bool) -> Option<String>;
    /// Bits of all elements after the call.
    #[doc(hidden)]
    fn bits(&self) -> Vec<[u64; 2]>;
    /// Puts a fault in, and takes it out again. None where the fault does not apply.
    #[doc(hidden)]
    fn fault(&mut self, fault: FaultBox) -> Option<Undo>;
    #[doc(hidden)]
    fn undo(&mut self, undo: Undo);
    #[doc(hidden)]
    fn batched(&self) -> bool;
}

/// A fault, opaque outside the crate.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct FaultBox(pub(crate) Fault);

/// What takes a fault out again.
#[doc(hidden)]
pub struct Undo(Place);

impl<T: Num, B: Backend> AnyOperand<B> for Operand<T, B> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn role(&self) -> Role {
        self.role
    }

    fn form(&self) -> Form {
        self.place.form
    }

    fn batched(&self) -> bool {
        self.batched
    }

    fn upload(&mut self, h: &Handle<B>) -> Result {
        self.after = self.before.clone();
        self.buffer = Some(h.upload(&self.before)?);
        Ok(())
    }

    fn download(&mut self, h: &Handle<B>) -> Result {
        if let (Site::Device, Some(buffer)) = (self.site, &self.buffer) {
            self.after = buffer.to_vec(h)?;
        }
        Ok(())
    }

    fn stray_write(&self, may_write: bool) -> Option<String> {
        let mut allowed = vec![false; self.before.len()];
        if may_write && self.role == Role::Out {
            for e in 0..self.entries() {
                for (i, j) in self.place.form.elements() {
                    allowed[self.place.at(e, i, j)] = true;
                }
            }
        }
        let changed = |i: usize| self.before[i].bits() != self.after[i].bits();
        let strays: Vec<usize> = (0..self.before.len()).filter(|&i| !allowed[i] && changed(i)).collect();
        let &first = strays.first()?;
        Some(format!(
            "{} elements of {} changed, first at offset {first} of {} (entries start at {:?}): {:?} became {:?}",
            strays.len(),
            self.name,
            self.before.len(),
            &self.place.base[..self.place.base.len().min(8)],
            self.before[first],
            self.after[first],
        ))
    }

    fn bits(&self) -> Vec<[u64; 2]> {
        self.after.iter().map(|v| v.bits()).collect()
    }

    fn fault(&mut self, fault: FaultBox) -> Option<Undo> {
        if !self.batched && !matches!((fault.0, self.site), (Fault::Short, _) | (Fault::Device, Site::Device))
        {
            return None;
        }
        let place = bad_arguments::apply(&self.place, fault.0, self.role)?;
        Some(Undo(self.replace(place)))
    }

    fn undo(&mut self, undo: Undo) {
        self.replace(undo.0);
    }
}

/// The operands of a call: an operand, or a tuple of operands.
pub trait Operands<B: Backend> {
    /// Calls `f` with each.
    fn each(&mut self, f: &mut dyn FnMut(&mut dyn AnyOperand<B>));
}

impl<T: Num, B: Backend> Operands<B> for Operand<T, B> {
    fn each(&mut self, f: &mut dyn FnMut(&mut dyn AnyOperand<B>)) {
        f(self);
    }
}

macro_rules! tuple { ($($t:ident $i:tt),*) => {
    impl<B: Backend, $($t: Num),*> Operands<B> for ($(Operand<$t, B>,)*) {
        fn each(&mut self, f: &mut dyn FnMut(&mut dyn AnyOperand<B>)) {
            $(f(&mut self.$i);)*
        }
    }
}}
tuple!(T0 0);
tuple!(T0 0, T1 1);
tuple!(T0 0, T1 1, T2 2);
tuple!(T0 0, T1 1, T2 2, T3 3);
tuple!(T0 0, T1 1, T2 2, T3 3, T4 4);
