//! Typed access to what descriptors describe.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;

use blas_api::{Address, Element, Error, RawOut, RawScalar, Routine, Scalar, Types, Vector};

use crate::num::Elem;

/// The answer to a type that [`Routine::types`] does not list.
#[cold]
#[inline(never)]
pub(crate) fn unsupported(routine: Routine, dtype: blas_api::DType) -> Error {
    Error::Unsupported {
        routine: routine.name(),
        types: Types::One(dtype),
        backend: "cpu",
        why: "not defined by the contract",
    }
}

/// The value of a coefficient.
///
/// # Safety
/// A device pointer is to a value of type `C`.
#[inline(always)]
pub(crate) unsafe fn coef<C: Scalar>(s: RawScalar) -> C {
    match s {
        RawScalar::Host(parts) => C::from_parts(parts),
        // SAFETY: the caller's promise; device memory is host memory here.
        RawScalar::Device(p) => unsafe { p.cast::<C>().read() },
    }
}

/// Pointer to batch entry `i`.
///
/// # Safety
/// As for [`Address::entry`].
pub(crate) unsafe fn entry<T: Element>(a: Address, i: usize) -> *mut T {
    // SAFETY: the caller's promise.
    unsafe { a.entry(i, size_of::<T>()).cast() }
}

/// Writes the result of batch entry `i`.
///
/// # Safety
/// `out` has room for a value of type `R` for each entry.
#[inline(always)]
pub(crate) unsafe fn store<R: Element>(out: RawOut, i: usize, value: R) {
    // SAFETY: the caller's promise.
    unsafe { out.ptr().cast::<R>().add(i).write(value) }
}

/// Elements copied at a time where memory cannot be computed on as it is.
pub(crate) const CHUNK: usize = 512;

/// Room for a chunk of numbers, on the stack.
pub(crate) struct Scratch<C>([MaybeUninit<C>; CHUNK]);

impl<C: Copy> Default for Scratch<C> {
    fn default() -> Self {
        Scratch([MaybeUninit::uninit(); CHUNK])
    }
}

impl<C: Scalar> Scratch<C> {
    /// The first `n` elements, zero.
    pub(crate) fn zeroed(&mut self, n: usize) -> &mut [C] {
        let part = &mut self.0[..n];
        part.fill(MaybeUninit::new(C::default()));
        // SAFETY: just initialised.
        unsafe { &mut *(std::ptr::from_mut(part) as *mut [C]) }
    }
}

impl<C: Scalar> Scratch<C> {
    /// `n` elements, zero: here if there is room, else in `heap`.
    pub(crate) fn room<'a>(&'a mut self, n: usize, heap: &'a mut Vec<C>) -> &'a mut [C] {
        if n <= CHUNK {
            return self.zeroed(n);
        }
        heap.resize(n, C::default());
        heap
    }
}

/// A BLAS vector of one batch entry, addressed by logical index.
#[derive(Clone, Copy)]
pub(crate) struct Vect<T> {
    /// Logical element 0.
    first: *mut T,
    inc: isize,
    n: usize,
    element: PhantomData<T>,
}

// SAFETY: a pointer with a length; those who follow it answer for conflicts.
unsafe impl<T> Send for Vect<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Vect<T> {}

impl<T> Vect<T> {
    /// A slice.
    pub(crate) fn of(slice: &mut [T]) -> Self {
        Vect { first: slice.as_mut_ptr(), inc: 1, n: slice.len(), element: PhantomData }
    }
}

impl<T> Vect<T> {
    /// `n` elements in a row.
    ///
    /// # Safety
    /// They are there for as long as the vector is used.
    pub(crate) unsafe fn contiguous(first: *mut T, n: usize) -> Self {
        Vect { first, inc: 1, n, element: PhantomData }
    }
}

impl<T: Copy> Vect<T> {
    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// Whether all elements are one and the same in memory.
    pub(crate) fn is_repeated(&self) -> bool {
        self.inc == 0 && self.n > 1
    }

    /// Whether the elements are a slice.
    pub(crate) fn is_unit(&self) -> bool {
        self.inc == 1 || self.n == 1
    }

    /// Pointer to the logical element `i`.
    #[inline(always)]
    pub(crate) fn at(&self, i: usize) -> *mut T {
        self.first.wrapping_offset((i as isize).wrapping_mul(self.inc))
    }

    /// The logical element `i`.
    ///
    /// # Safety
    /// `i < len`, and the memory is valid.
    #[inline(always)]
    pub(crate) unsafe fn get(&self, i: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { *self.at(i) }
    }

    /// Writes the logical element `i`.
    ///
    /// # Safety
    /// `i < len`, and the memory is valid and not in use elsewhere.
    #[inline(always)]
    pub(crate) unsafe fn set(&self, i: usize, value: T) {
        // SAFETY: the caller's promise.
        unsafe { *self.at(i) = value }
    }

    /// The elements `r` of a vector that [is a slice](Self::is_unit).
    ///
    /// # Safety
    /// As for [`get`](Self::get), for as long as the slice lives.
    unsafe fn slice<'a>(&self, r: Range<usize>) -> &'a [T] {
        if r.is_empty() {
            // Its pointer may be null.
            return &[];
        }
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.at(r.start), r.len()) }
    }

    /// As [`slice`](Self::slice), to write.
    ///
    /// # Safety
    /// As for [`set`](Self::set), for as long as the slice lives.
    unsafe fn slice_mut<'a>(&self, r: Range<usize>) -> &'a mut [T] {
        if r.is_empty() {
            return &mut [];
        }
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.at(r.start), r.len()) }
    }
}

impl<T: Element> Vect<T> {
    /// Vector of `n` elements in batch entry `i`.
    ///
    /// # Safety
    /// As for [`Address::entry`].
    pub(crate) unsafe fn new(v: Vector, i: usize, n: usize) -> Self {
        // SAFETY: the caller's promise.
        let low = unsafe { entry::<T>(v.data, i) };
        // A negative increment walks backwards from the far end.
        let back = if v.inc < 0 { (n.max(1) as isize - 1).wrapping_mul(v.inc.wrapping_neg()) } else { 0 };
        Vect { first: low.wrapping_offset(back), inc: v.inc, n, element: PhantomData }
    }
}

impl<T: Elem> Vect<T> {
    /// Whether kernels can work on the memory as it is.
    pub(crate) fn is_direct(&self) -> bool {
        T::DIRECT && self.is_unit()
    }

    /// The whole vector, if it is [direct](Self::is_direct).
    ///
    /// # Safety
    /// As for [`set`](Self::set), for as long as the slice lives.
    #[inline]
    pub(crate) unsafe fn direct_mut<'a>(&self) -> Option<&'a mut [T::Coef]> {
        // SAFETY: the caller's promise.
        self.is_direct().then(|| unsafe { self.cast().slice_mut(0..self.n) })
    }

    /// The memory of a [direct](Self::is_direct) vector as numbers of the accumulation type.
    fn cast(&self) -> Vect<T::Coef> {
        debug_assert!(self.is_direct());
        Vect { first: self.first.cast(), inc: self.inc, n: self.n, element: PhantomData }
    }

    /// Copies the elements `r` to `dst`, widened.
    ///
    /// # Safety
    /// As for [`get`](Self::get).
    pub(crate) unsafe fn gather(&self, r: Range<usize>, dst: &mut [T::Coef]) {
        if self.is_unit() {
            // SAFETY: the caller's promise.
            T::widen(unsafe { self.slice(r) }, dst);
        } else {
            // SAFETY: the caller's promise.
            dst.iter_mut().zip(r).for_each(|(d, i)| *d = unsafe { self.get(i) }.to_coef());
        }
    }

    /// Writes the elements `r`, rounded.
    ///
    /// # Safety
    /// As for [`set`](Self::set).
    pub(crate) unsafe fn scatter(&self, r: Range<usize>, src: &[T::Coef]) {
        if self.is_unit() {
            // SAFETY: the caller's promise.
            T::narrow(src, unsafe { self.slice_mut(r) });
        } else {
            // SAFETY: the caller's promise.
            src.iter().zip(r).for_each(|(s, i)| unsafe { self.set(i, T::from_coef(*s)) });
        }
    }

    /// The elements `r` as numbers of the accumulation type: the memory itself where it is
    /// [direct](Self::is_direct), else a copy in `scratch` (of at most [`CHUNK`] elements).
    ///
    /// # Safety
    /// As for [`get`](Self::get), for as long as the slice lives.
    #[inline]
    pub(crate) unsafe fn load<'a>(
        &self,
        r: Range<usize>,
        scratch: &'a mut Scratch<T::Coef>,
    ) -> &'a [T::Coef] {
        if self.is_direct() {
            // SAFETY: the caller's promise.
            return unsafe { self.cast().slice(r) };
        }
        let copy = scratch.zeroed(r.len());
        // SAFETY: the caller's promise.
        unsafe { self.gather(r, copy) };
        copy
    }

    /// Lets `f` compute on the elements `r`, as [`load`](Self::load) gives them, and puts the outcome back. Without
    /// `read`, the old values are not read and `f` must not look at them.
    ///
    /// # Safety
    /// As for [`set`](Self::set).
    #[inline]
    pub(crate) unsafe fn update(
        &self,
        r: Range<usize>,
        read: bool,
        scratch: &mut Scratch<T::Coef>,
        f: impl FnOnce(&mut [T::Coef]),
    ) {
        if self.is_direct() {
            // SAFETY: the caller's promise.
            return f(unsafe { self.cast().slice_mut(r) });
        }
        let copy = scratch.zeroed(r.len());
        if read {
            // SAFETY: the caller's promise.
            unsafe { self.gather(r.clone(), copy) };
        }
        f(copy);
        // SAFETY: the caller's promise.
        unsafe { self.scatter(r, copy) };
    }

    /// The whole vector as [`load`](Self::load) gives it, with a copy on the heap where one is needed.
    ///
    /// # Safety
    /// As for [`get`](Self::get), for as long as the slice lives.
    pub(crate) unsafe fn load_all<'a>(&self, copy: &'a mut Vec<T::Coef>) -> &'a [T::Coef] {
        if self.is_direct() {
            // SAFETY: the caller's promise.
            return unsafe { self.cast().slice(0..self.n) };
        }
        copy.resize(self.n, T::Coef::default());
        // SAFETY: the caller's promise.
        unsafe { self.gather(0..self.n, copy) };
        copy
    }

    /// [`update`](Self::update) of the whole vector, with a copy on the heap where one is needed.
    ///
    /// # Safety
    /// As for [`set`](Self::set).
    pub(crate) unsafe fn update_all(&self, read: bool, f: impl FnOnce(&mut [T::Coef])) {
        if self.is_direct() {
            // SAFETY: the caller's promise.
            return f(unsafe { self.cast().slice_mut(0..self.n) });
        }
        let mut copy = vec![T::Coef::default(); self.n];
        if read {
            // SAFETY: the caller's promise.
            unsafe { self.gather(0..self.n, &mut copy) };
        }
        f(&mut copy);
        // SAFETY: the caller's promise.
        unsafe { self.scatter(0..self.n, &copy) };
    }
}
