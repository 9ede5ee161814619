//! SyrkEx, HerkEx: updates that are computed in a wider type than that of A, and perhaps of C.

use blas_api::DType::{BF16, C32, C64, F16, F32, F64};
use blas_api::{
    self as api, Address, DType, Matrix, RawHandle, RawMemory, RawScalar, Scalar, SyrkDesc, Trans, Uplo,
    with_dtype,
};
use hipblas_abi::{Handle, Operand, calls};

use super::syrk::{hermitian_op, symmetric_op};
use super::{operand, stored_rows};
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check};

/// Types of A, of C and of the computation, as in the reference of rocBLAS.
const SYMMETRIC: &[[DType; 3]] = &[
    [BF16, BF16, F32],
    [BF16, F32, F32],
    [F16, F16, F32],
    [F16, F32, F32],
    [F32, F32, F64],
    [F32, F64, F64],
];
const HERMITIAN: &[[DType; 3]] = &[[C32, C32, C64], [C32, C64, C64]];

macro_rules! routine {
    ($($family:ident: $op:ident, $types:ident, $coef:expr, $compute:ident;)*) => {$(
        impl Routine for calls::$family {
            unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
                let calls::$family { n, k, a, c, batch, .. } = self;
                let types = check::dtypes([a.dtype, c.dtype, self.compute_type])?;
                let (uplo, trans) = (check::uplo(self.uplo)?, $op(self.trans_a, types[0])?);
                let call = Call::new(handle, entry, batch)?;
                check::supported($types, types)?;
                let coef = |ptr| Coef { ptr, dtype: $coef(types[2]) };
                let update = Update { types, uplo, trans, n, k, a, c, compute: |raw, d| {
                    // SAFETY: `Update::run` makes the call as the backend wants it.
                    unsafe { raw.$compute(d) }
                } };
                // SAFETY: the caller's promise.
                unsafe { update.launch(&call, coef(self.alpha), coef(self.beta)) }
            }
        }
    )*};
}
routine! {
    SyrkEx: symmetric_op, SYMMETRIC, |t: DType| t, syrk;
    HerkEx: hermitian_op, HERMITIAN, DType::real, herk;
}

#[derive(Clone, Copy)]
struct Update {
    types: [DType; 3],
    uplo: Uplo,
    trans: Trans,
    n: i64,
    k: i64,
    a: Operand,
    c: Operand,
    compute: fn(&dyn RawHandle, &SyrkDesc) -> api::Result,
}

impl Update {
    /// # Safety
    /// As the C function.
    unsafe fn launch(self, call: &Call, alpha: Coef, beta: Coef) -> Result {
        let Update { trans, n, k, a, c, .. } = self;
        check::sizes(n >= 0 && k >= 0 && a.ld >= stored_rows(trans, n, k) && c.ld >= n)?;
        if n == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        let Some([alpha, beta]) = (unsafe { call.update(k, alpha, &[a], beta, c)? }) else { return Ok(()) };
        let desc = SyrkDesc {
            dtype: self.types[2],
            batch: 1,
            uplo: self.uplo,
            trans,
            n: size(n),
            k: size(k),
            alpha,
            a: operand(call, "A", a, trans, n, k)?,
            beta,
            c: call.matrix("C", c, n, n)?,
        };
        // SAFETY: the descriptor has been checked, and its pointers are good by the contract of hipBLAS.
        call.enqueue(move |raw| unsafe { self.run(raw, desc) })
    }

    /// In work: computes a descriptor whose A and C are of their own types yet.
    ///
    /// # Safety
    /// As for the raw call.
    unsafe fn run(&self, raw: &dyn RawHandle, desc: SyrkDesc) -> api::Result {
        let [of_a, of_c, wide] = self.types;
        let (rows, cols) = if desc.trans.is_transposed() { (desc.k, desc.n) } else { (desc.n, desc.k) };
        let all_of_a = Part { rows, cols, triangle: None };
        let triangle = Part { rows: desc.n, cols: desc.n, triangle: Some(desc.uplo) };
        // SAFETY: the caller's promise. Copies live until the work is done.
        unsafe {
            let a = Wide::new(raw, all_of_a, wide)?;
            // It may be NULL where alpha is 0.
            if desc.alpha != RawScalar::ZERO && !desc.a.data.entry(0, 0).is_null() {
                all_of_a.convert(raw, (desc.a, of_a), (a.matrix, wide))?;
            }
            let desc = SyrkDesc { a: a.matrix, ..desc };
            if of_c == wide {
                return (self.compute)(raw, &desc);
            }
            let c = Wide::new(raw, triangle, wide)?;
            triangle.convert(raw, (desc.c, of_c), (c.matrix, wide))?;
            (self.compute)(raw, &SyrkDesc { c: c.matrix, ..desc })?;
            triangle.convert(raw, (c.matrix, wide), (desc.c, of_c))
        }
    }
}

/// A matrix of our own, of the wider type.
struct Wide {
    matrix: Matrix,
    _memory: Box<dyn RawMemory>,
}

impl Wide {
    fn new(raw: &dyn RawHandle, part: Part, dtype: DType) -> api::Result<Self> {
        let memory = raw.alloc(part.rows * part.cols * dtype.size())?;
        let matrix = Matrix { data: Address::single(memory.ptr()), ld: part.rows.max(1) };
        Ok(Wide { matrix, _memory: memory })
    }
}

/// Which elements of a matrix are meant.
#[derive(Clone, Copy)]
struct Part {
    rows: usize,
    cols: usize,
    triangle: Option<Uplo>,
}

impl Part {
    /// Copies the elements from one matrix to another, of another type.
    ///
    /// # Safety
    /// Both have the elements.
    unsafe fn convert(
        &self,
        raw: &dyn RawHandle,
        (from, from_type): (Matrix, DType),
        (to, to_type): (Matrix, DType),
    ) -> api::Result {
        for j in 0..self.cols {
            let rows = match self.triangle {
                None => 0..self.rows,
                Some(Uplo::Upper) => 0..j + 1,
                Some(Uplo::Lower) => j..self.rows,
            };
            // SAFETY: the caller's promise.
            unsafe {
                let at = |m: Matrix, t: DType| m.data.entry(0, 0).add((j * m.ld + rows.start) * t.size());
                let values = download(raw, at(from, from_type), rows.len(), from_type)?;
                upload(raw, &values, at(to, to_type), to_type)?;
            }
        }
        Ok(())
    }
}

/// # Safety
/// There are as many elements on the device.
unsafe fn download(
    raw: &dyn RawHandle,
    from: *const u8,
    n: usize,
    dtype: DType,
) -> api::Result<Vec<[f64; 2]>> {
    with_dtype!(dtype, T in S => {
        let mut values = vec![T::default(); n];
        // SAFETY: the caller's promise.
        unsafe { raw.download(from, values.as_mut_ptr().cast(), size_of_val(values.as_slice()))? };
        Ok(values.into_iter().map(T::parts).collect())
    }, else Ok(vec![[0.0; 2]; n]))
}

/// # Safety
/// There is room for the elements on the device.
unsafe fn upload(raw: &dyn RawHandle, values: &[[f64; 2]], to: *mut u8, dtype: DType) -> api::Result {
    with_dtype!(dtype, T in S => {
        let values: Vec<T> = values.iter().map(|v| T::from_parts(*v)).collect();
        // SAFETY: the caller's promise.
        unsafe { raw.upload(values.as_ptr().cast(), to, size_of_val(values.as_slice())) }
    }, else Ok(()))
}
