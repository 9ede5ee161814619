//! Batches of views.

use std::sync::Arc;

use super::shape::sealed::Dims as _;

use super::{Mut, Operand, Place, Ref, Shape, apart, span_or};
use crate::{Address, Element, Error, Location, Result};

/// Many operands of one shape: strided, repeated, or an array of pointers. Made by [`Ref::batch`],
/// [`Ref::broadcast`], [`Mut::batch`] and [`Batched::from_views`].
#[derive(Clone, Debug)]
pub struct Batched<V> {
    view: V,
    entries: Entries,
}

#[derive(Clone, Debug)]
enum Entries {
    Strided { stride: isize, count: usize },
    Array(Arc<[*mut u8]>),
}

// SAFETY: the pointers of an array are those of the views that it was made of.
unsafe impl<V: Send> Send for Batched<V> {}
// SAFETY: as above.
unsafe impl<V: Sync> Sync for Batched<V> {}

/// A view as the batch sees it.
pub trait View: sealed::Parts {}

pub(crate) mod sealed {
    use super::{Operand, Place};

    pub trait Lower {
        type Shape: super::Shape;
        /// Without its types. The result may borrow an array of pointers: `self` must outlive its use.
        #[allow(private_interfaces, reason = "sealed")]
        fn operand(&self) -> Operand<Self::Shape>;
    }

    pub trait Parts {
        type Shape: super::Shape;
        fn ptr(&self) -> *mut u8;
        fn shape(&self) -> Self::Shape;
        #[allow(private_interfaces, reason = "sealed")]
        fn place(&self) -> Place;
    }
}

macro_rules! view {
    ($v:ident) => {
        impl<S: Shape, T: Element, B> View for $v<'_, S, T, B> {}
        impl<S: Shape, T: Element, B> sealed::Parts for $v<'_, S, T, B> {
            type Shape = S;
            fn ptr(&self) -> *mut u8 {
                self.ptr as *mut u8
            }
            fn shape(&self) -> S {
                self.shape
            }
            #[allow(private_interfaces, reason = "sealed")]
            fn place(&self) -> Place {
                self.place
            }
        }
        // A view by itself does not pass through a batch: calls on short vectors would notice.
        impl<S: Shape, T: Element, B> sealed::Lower for $v<'_, S, T, B> {
            type Shape = S;
            #[allow(private_interfaces, reason = "sealed")]
            #[inline(always)]
            fn operand(&self) -> Operand<S> {
                Operand {
                    data: Address::single(self.ptr as *mut u8),
                    batch: 1,
                    dev: self.place.dev,
                    shape: self.shape,
                }
            }
        }
        impl<S: Shape, T: Element, B> Arg for $v<'_, S, T, B> {
            type View = Self;
            fn batched(self) -> Batched<Self> {
                Batched { view: self, entries: Entries::Strided { stride: 0, count: 1 } }
            }
        }
    };
}
view!(Ref);
view!(Mut);

/// What a routine takes in an operand position: a view, or a batch of views, which as an input may be borrowed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no operand of a routine",
    label = "a view is wanted here",
    note = "operands are views: `x.vec()`, `y.vec_mut()`, `a.mat(rows, cols, Layout::Row)?` of a `Buffer`, \
            `VecRef::from_slice(..)`, `MatMut::from_slice(..)?` of slices on the CPU, or a `Batched` of views"
)]
pub trait Arg: sealed::Lower<Shape = <Self::View as sealed::Parts>::Shape> {
    /// The view of one entry.
    type View: View;
    /// As a batch; a view is a batch of one.
    fn batched(self) -> Batched<Self::View>;
}

impl<V: View> Arg for Batched<V> {
    type View = V;
    fn batched(self) -> Batched<V> {
        self
    }
}

impl<'a, S: Shape, T: Element, B> Arg for &Batched<Ref<'a, S, T, B>> {
    type View = Ref<'a, S, T, B>;
    fn batched(self) -> Batched<Self::View> {
        self.clone()
    }
}

impl<S: Shape, T: Element, B> sealed::Lower for &Batched<Ref<'_, S, T, B>> {
    type Shape = S;
    #[allow(private_interfaces, reason = "sealed")]
    #[inline(always)]
    fn operand(&self) -> Operand<S> {
        (**self).operand()
    }
}

impl<S: Shape, T: Element, B> Batched<Mut<'_, S, T, B>> {
    /// A shorter borrow of the same operands, to write them once more.
    ///
    /// ```
    /// # use blas_api::*;
    /// # let blas = blas_cpu::Cpu::open(0)?;
    /// let a = blas.upload(&[2.0f64; 12])?;
    /// let mut c = blas.alloc::<f64>(12)?;
    /// let a = a.mat(2, 2, Layout::Col)?.batch(4, 3)?;
    /// let mut c = c.mat_mut(2, 2, Layout::Col)?.batch(4, 3)?;
    /// for _ in 0..2 {
    ///     blas.gemm(1.0, &a, &a, 1.0, c.rb_mut())?;
    /// }
    /// # Ok::<(), blas_api::Error>(())
    /// ```
    pub fn rb_mut(&mut self) -> Batched<Mut<'_, S, T, B>> {
        Batched { view: self.view.rb_mut(), entries: self.entries.clone() }
    }

    /// The same operands to be read.
    pub fn rb(&self) -> Batched<Ref<'_, S, T, B>> {
        Batched { view: self.view.rb(), entries: self.entries.clone() }
    }
}

impl<V: View> Batched<V> {
    /// An array of pointers, one to each view. All views must have the shape, strides and device of the first.
    /// Inputs may repeat; outputs cannot, since each is an exclusive borrow.
    ///
    /// ```
    /// # use blas_api::{Batched, Layout, MatRef};
    /// # use blas_cpu::Cpu;
    /// let data = [1.0f32; 12];
    /// let m = |i: usize| MatRef::<_, Cpu>::from_slice(&data[i..], 2, 3, Layout::Row);
    /// let batch = Batched::from_views([m(6)?, m(0)?, m(0)?])?;
    /// assert_eq!(batch.count(), 3);
    /// # Ok::<(), blas_api::Error>(())
    /// ```
    pub fn from_views(views: impl IntoIterator<Item = V>) -> Result<Self> {
        let mut views = views.into_iter();
        let Some(view) = views.next() else {
            return Err(Error::Argument {
                routine: "batch",
                what: "number of views",
                value: 0,
                bound: "at least 1",
            });
        };
        let mut ptrs = vec![view.ptr()];
        for (i, v) in views.enumerate() {
            if !v.shape().is_like(&view.shape()) || v.place().dev != view.place().dev {
                return Err(Error::BatchShape { routine: "batch", index: i + 1 });
            }
            ptrs.push(v.ptr());
        }
        Ok(Batched { view, entries: Entries::Array(ptrs.into()) })
    }

    /// Number of entries.
    pub fn count(&self) -> usize {
        match &self.entries {
            Entries::Strided { count, .. } => *count,
            Entries::Array(ptrs) => ptrs.len(),
        }
    }

    #[inline]
    pub(super) fn repeated(view: V, count: usize) -> Self {
        Batched { view, entries: Entries::Strided { stride: 0, count } }
    }

    #[inline]
    pub(super) fn strided(view: V, stride: isize, count: usize) -> Result<Self> {
        let dims = view.shape().dims();
        let own = span_or(&dims, "batch", "operand")?;
        let all = [dims[0], dims[1], (count, stride.unsigned_abs())];
        let need = span_or(&all, "batch", "operand")?;
        // Entries after the first lie behind it, or before it where the stride is negative.
        let place = view.place();
        let beyond = need.saturating_sub(own);
        if beyond == 0 {
            // One place for all entries, or nothing in any: the stride carries no information.
            return Ok(Self::repeated(view, count));
        }
        let have = if stride < 0 { place.before.saturating_add(own) } else { place.after.max(own) };
        if need > have {
            return Err(Error::TooShort { routine: "batch", operand: "operand", need, have });
        }
        Ok(Batched { view, entries: Entries::Strided { stride, count } })
    }

    #[inline]
    pub(super) fn strided_mut(view: V, stride: isize, count: usize) -> Result<Self> {
        let dims = view.shape().dims();
        if apart(&[dims[0], dims[1], (count, stride.unsigned_abs())]).is_err() {
            // The entry's own elements are apart, so that this stride is at fault. (Entries may also lie within one another's
            // gaps, but who means that does not overlap them.)
            let min = span_or(&dims, "batch", "output")?;
            return Err(Error::Overlap { routine: "batch", operand: "output", stride, min });
        }
        Self::strided(view, stride, count)
    }
}

impl<V: View> sealed::Lower for Batched<V> {
    type Shape = V::Shape;
    #[allow(private_interfaces, reason = "sealed")]
    #[inline(always)]
    fn operand(&self) -> Operand<V::Shape> {
        let (data, batch) = match &self.entries {
            Entries::Strided { stride, count } => {
                (Address::Strided { ptr: self.view.ptr(), stride: *stride }, *count)
            }
            Entries::Array(ptrs) => (Address::Array { ptrs: ptrs.as_ptr(), on: Location::Host }, ptrs.len()),
        };
        Operand { data, batch, dev: self.view.place().dev, shape: self.view.shape() }
    }
}
