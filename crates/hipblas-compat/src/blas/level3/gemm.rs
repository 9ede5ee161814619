//! gemm.

use blas_api::{self as api, GemmDesc, GemmTypes, RawHandle, Trans};
use hipblas_abi::{Handle, Operand, calls};

use super::{operand, stored_rows};
use crate::blas::coef::{Coef, fetch};
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

impl Routine for calls::Gemm {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let (ta, tb) = (check::trans(self.trans_a)?, check::trans(self.trans_b)?);
        let call = Call::new(handle, entry, self.batch)?;
        let dtype = check::dtype(self.c.dtype)?;
        let product = Product {
            types: GemmTypes::plain(dtype),
            ta,
            tb,
            m: self.m,
            n: self.n,
            k: self.k,
            alpha: Coef { ptr: self.alpha, dtype },
            a: self.a,
            b: self.b,
            beta: Coef { ptr: self.beta, dtype },
            c: self.c,
            batch: self.batch,
        };
        // SAFETY: the caller's promise.
        unsafe { product.launch(&call) }
    }
}

/// C = alpha * op(A) * op(B) + beta * C, of any types.
#[derive(Clone, Copy)]
pub(super) struct Product {
    pub(super) types: GemmTypes,
    pub(super) ta: Trans,
    pub(super) tb: Trans,
    pub(super) m: i64,
    pub(super) n: i64,
    pub(super) k: i64,
    pub(super) alpha: Coef,
    pub(super) a: Operand,
    pub(super) b: Operand,
    pub(super) beta: Coef,
    pub(super) c: Operand,
    pub(super) batch: i64,
}

impl Product {
    /// # Safety
    /// As the C function.
    pub(super) unsafe fn launch(self, call: &Call) -> Result {
        // SAFETY: the caller's promise.
        let Some(desc) = (unsafe { self.lower(call)? }) else { return Ok(()) };
        // SAFETY: the descriptor has been checked, and its pointers are good by the contract of hipBLAS.
        call.enqueue(move |raw| unsafe { self.compute(raw, desc) })
    }

    /// In work: computes a descriptor of [`lower`](Self::lower).
    ///
    /// # Safety
    /// As for the raw call.
    pub(super) unsafe fn compute(&self, raw: &dyn RawHandle, desc: GemmDesc) -> api::Result {
        let (given, wanted) = (self.alpha.dtype, self.types.c.coef());
        // SAFETY: the caller's promise.
        unsafe {
            if given == wanted {
                return raw.gemm_ex(&desc);
            }
            let (alpha, beta) = (fetch(raw, desc.alpha, given)?, fetch(raw, desc.beta, given)?);
            raw.gemm_ex(&GemmDesc { alpha, beta, ..desc })
        }
    }

    /// The descriptor, with coefficients of the type that the caller gave; None if there is nothing to do.
    ///
    /// # Safety
    /// As the C function.
    pub(super) unsafe fn lower(self, call: &Call) -> Result<Option<GemmDesc>> {
        let Product { types, ta, tb, m, n, k, a, b, c, .. } = self;
        check::sizes(
            m >= 0
                && n >= 0
                && k >= 0
                && self.batch >= 0
                && a.ld >= stored_rows(ta, m, k)
                && b.ld >= stored_rows(tb, k, n)
                && c.ld >= m,
        )?;
        if m == 0 || n == 0 || self.batch == 0 {
            return Ok(None);
        }
        // SAFETY: the caller's promise.
        let coefs = unsafe { call.update(k, self.alpha, &[a, b], self.beta, c)? };
        let Some([alpha, beta]) = coefs else { return Ok(None) };
        Ok(Some(GemmDesc {
            types,
            batch: call.batch(),
            ta,
            tb,
            m: size(m),
            n: size(n),
            k: size(k),
            alpha,
            a: operand(call, "A", a, ta, m, k)?,
            b: operand(call, "B", b, tb, k, n)?,
            beta,
            c: call.matrix("C", c, m, n)?,
        }))
    }
}
