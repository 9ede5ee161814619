//! Views: borrowed operands that carry everything BLAS passes as flags.
//!
//! There are two types, [`Ref`] and [`Mut`], generic over a [`shape`]: `MatRef` is `Ref<shape::Mat>`, `TriRef` is
//! `Ref<shape::Tri>`, and so on. A view is checked against its storage when it is made, so that routines only
//! compare shapes. `.t()`, `.h()` and `.conj()` are O(1), and flip a triangle together with its matrix.
//!
//! [`Batched`] holds many operands of one shape. Every routine takes a view or a batch in each operand position
//! (see [`Arg`]); all batch counts of a call must agree, and [`Ref::broadcast`] repeats one input.

mod banded;
mod batch;
mod mat;
mod packed;
pub mod shape;
mod slice;
mod triangle;
mod vector;

use std::marker::PhantomData;

pub(crate) use batch::sealed;
pub use batch::{Arg, Batched};
pub use shape::Shape;

use crate::{Address, Any, DeviceId, Element, Error, Result};

/// The borrow `P`, and the backend: a name only, which neither owns nor holds anything.
type Marker<P, B> = PhantomData<(P, fn() -> B)>;

/// Borrowed operand that is read.
pub struct Ref<'a, S, T, B> {
    pub(crate) ptr: *const T,
    pub(crate) place: Place,
    pub(crate) shape: S,
    marker: Marker<&'a T, B>,
}

/// Borrowed operand that is written, and read where the routine says so.
pub struct Mut<'a, S, T, B> {
    pub(crate) ptr: *mut T,
    pub(crate) place: Place,
    pub(crate) shape: S,
    marker: Marker<&'a mut T, B>,
}

macro_rules! aliases { ($($doc:literal $r:ident $m:ident = $s:ident;)*) => {$(
    #[doc = concat!($doc, " that is read: see [`shape::", stringify!($s), "`].")]
    pub type $r<'a, T, B> = Ref<'a, shape::$s, T, B>;
    #[doc = concat!($doc, " that is written: see [`shape::", stringify!($s), "`].")]
    pub type $m<'a, T, B> = Mut<'a, shape::$s, T, B>;
)*}}
aliases! {
    "A run of elements" SliceRef SliceMut = Slice;
    "One element" ScalarRef ScalarMut = Single;
    "A strided vector" VecRef VecMut = Vector;
    "A matrix" MatRef MatMut = Mat;
    "A triangular matrix" TriRef TriMut = Tri;
    "A symmetric matrix" SymRef SymMut = Sym;
    "A Hermitian matrix" HermRef HermMut = Herm;
    "A band matrix" BandRef BandMut = Band;
    "A triangular band matrix" TriBandRef TriBandMut = TriBand;
    "A symmetric band matrix" SymBandRef SymBandMut = SymBand;
    "A Hermitian band matrix" HermBandRef HermBandMut = HermBand;
    "A packed triangular matrix" TriPackedRef TriPackedMut = TriPacked;
    "A packed symmetric matrix" SymPackedRef SymPackedMut = SymPacked;
    "A packed Hermitian matrix" HermPackedRef HermPackedMut = HermPacked;
}

/// Where a view points: the device, and how many elements of the borrowed storage lie before and after the pointer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Place {
    pub(crate) dev: DeviceId,
    pub(crate) before: usize,
    pub(crate) after: usize,
}

impl Place {
    /// The place `offset` elements further on, which must be within the storage. A closed place stays closed.
    pub(crate) fn advance(self, offset: usize) -> Self {
        if self.before == 0 && self.after == 0 {
            return self;
        }
        Place { dev: self.dev, before: self.before + offset, after: self.after - offset }
    }

    /// The same place with no storage but what the view itself names: for the halves of a split.
    pub(crate) fn closed(self) -> Self {
        Place { dev: self.dev, before: 0, after: 0 }
    }
}

impl<S: Copy, T, B> Clone for Ref<'_, S, T, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Copy, T, B> Copy for Ref<'_, S, T, B> {}

impl<S: std::fmt::Debug, T, B> std::fmt::Debug for Ref<'_, S, T, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {:p} on {}", self.shape, self.ptr, self.place.dev)
    }
}
impl<S: std::fmt::Debug, T, B> std::fmt::Debug for Mut<'_, S, T, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {:p} on {}", self.shape, self.ptr, self.place.dev)
    }
}

// SAFETY: a view is a shared borrow of elements.
unsafe impl<S: Send, T: Sync, B> Send for Ref<'_, S, T, B> {}
// SAFETY: as above.
unsafe impl<S: Sync, T: Sync, B> Sync for Ref<'_, S, T, B> {}
// SAFETY: a view is an exclusive borrow of elements.
unsafe impl<S: Send, T: Send, B> Send for Mut<'_, S, T, B> {}
// SAFETY: a shared borrow of it gives shared access only.
unsafe impl<S: Sync, T: Sync, B> Sync for Mut<'_, S, T, B> {}

impl<'a, S: Shape, T: Element, B> Ref<'a, S, T, B> {
    pub(crate) fn new(ptr: *const T, place: Place, shape: S) -> Self {
        Ref { ptr, place, shape, marker: PhantomData }
    }

    pub(crate) fn reshape<S2: Shape>(self, shape: S2) -> Ref<'a, S2, T, B> {
        Ref::new(self.ptr, self.place, shape)
    }

    /// The device that holds the elements.
    pub fn device(&self) -> DeviceId {
        self.place.dev
    }

    /// `count` operands, entry i at `i * stride` elements from this one. All must lie in the storage that this view
    /// was made of. Stride 0 repeats the operand.
    pub fn batch(self, stride: isize, count: usize) -> Result<Batched<Self>> {
        Batched::strided(self, stride, count)
    }

    /// The same operand for each of `count` entries.
    pub fn broadcast(self, count: usize) -> Batched<Self> {
        Batched::repeated(self, count)
    }

    /// The view for a handle whose backend is chosen at run time.
    pub fn erase(self) -> Ref<'a, S, T, Any> {
        Ref::new(self.ptr, self.place, self.shape)
    }
}

impl<'a, S: Shape, T: Element, B> Mut<'a, S, T, B> {
    pub(crate) fn new(ptr: *mut T, place: Place, shape: S) -> Self {
        Mut { ptr, place, shape, marker: PhantomData }
    }

    pub(crate) fn reshape<S2: Shape>(self, shape: S2) -> Mut<'a, S2, T, B> {
        Mut::new(self.ptr, self.place, shape)
    }

    /// The device that holds the elements.
    pub fn device(&self) -> DeviceId {
        self.place.dev
    }

    /// A shorter borrow of the same operand.
    pub fn rb_mut(&mut self) -> Mut<'_, S, T, B> {
        Mut::new(self.ptr, self.place, self.shape)
    }

    /// The same operand to be read.
    pub fn rb(&self) -> Ref<'_, S, T, B> {
        Ref::new(self.ptr, self.place, self.shape)
    }

    /// `count` operands, entry i at `i * stride` elements from this one. All must lie in the storage that this view
    /// was made of, and may not share elements.
    pub fn batch(self, stride: isize, count: usize) -> Result<Batched<Self>> {
        Batched::strided_mut(self, stride, count)
    }

    /// The view for a handle whose backend is chosen at run time.
    pub fn erase(self) -> Mut<'a, S, T, Any> {
        Mut::new(self.ptr, self.place, self.shape)
    }
}

/// An operand without its Rust types: what the lowering of a routine works on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Operand<S> {
    pub(crate) data: Address,
    pub(crate) batch: usize,
    pub(crate) dev: DeviceId,
    pub(crate) shape: S,
}

impl<S: Shape> Operand<S> {
    pub(crate) fn map<S2>(self, f: impl FnOnce(S) -> S2) -> Operand<S2> {
        Operand { data: self.data, batch: self.batch, dev: self.dev, shape: f(self.shape) }
    }
}

/// Elements that `dims`, pairs of length and stride, span from the first to the last; None on overflow.
#[inline]
pub(crate) fn span(dims: &[(usize, usize)]) -> Option<usize> {
    if dims.iter().any(|&(n, _)| n == 0) {
        return Some(0);
    }
    dims.iter().try_fold(1usize, |end, &(n, stride)| end.checked_add((n - 1).checked_mul(stride)?))
}

/// The same with the two factors that overflow in the error.
#[inline]
pub(crate) fn span_or(
    dims: &[(usize, usize)],
    routine: &'static str,
    operand: &'static str,
) -> Result<usize> {
    // The storage of a view is counted in bytes of isize somewhere below; elements are at least one byte.
    match span(dims) {
        Some(s) if isize::try_from(s).is_ok() => Ok(s),
        _ => Err(overflow(dims, routine, operand)),
    }
}

#[cold]
fn overflow(dims: &[(usize, usize)], routine: &'static str, operand: &'static str) -> Error {
    let worst = dims.iter().max_by_key(|(n, stride)| n.saturating_mul(*stride)).copied();
    let (n, stride) = worst.unwrap_or_default();
    Error::Overflow { routine, operand, factors: [n, stride] }
}

/// Whether no two index tuples share an element: each stride, from the least on, steps over all that the lesser ones
/// span. Returns the offending stride and the least that would do.
#[inline]
pub(crate) fn apart<const N: usize>(dims: &[(usize, usize); N]) -> std::result::Result<(), (usize, usize)> {
    if span(dims) == Some(0) {
        return Ok(());
    }
    let mut dims = *dims;
    dims.sort_unstable_by_key(|&(_, stride)| stride);
    let mut inner = 1usize;
    for (n, stride) in dims.into_iter().filter(|&(n, _)| n > 1) {
        if stride < inner {
            return Err((stride, inner));
        }
        inner = inner.saturating_add((n - 1).saturating_mul(stride));
    }
    Ok(())
}
