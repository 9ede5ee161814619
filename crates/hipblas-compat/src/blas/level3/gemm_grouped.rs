//! gemm over groups of batches: sizes, operations and coefficients are one a group, matrices one a problem.

use std::ffi::{c_int, c_void};

use blas_api::{self as api, Address, DType, GemmDesc, GemmTypes, Location, Matrix, RawHandle, RawScalar};
use hipblas_abi::{Handle, Operand, calls, gemm_algo, status};

use super::gemm::Product;
use super::gemm_ex::types;
use crate::blas::coef::Coef;
use crate::blas::lower::{Call, size};
use crate::blas::{Entry, Result, Routine, check, handle};

/// What all grouped functions are given. Arrays of sizes and operations are on the host, those of matrices on the device,
/// and coefficients where the pointer mode says.
struct Groups {
    types: GemmTypes,
    coef: DType,
    trans: [*const c_void; 2],
    sizes: [*const c_void; 3],
    coefs: [*const c_void; 2],
    /// A, B, C and D = alpha * op(A) * op(B) + beta * C, with their leading dimensions.
    operands: [(Operand, *const c_void); 4],
    count: i64,
    group_sizes: *const c_void,
}

impl Groups {
    /// # Safety
    /// As the C function.
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        handle::settings(handle)?;
        check::sizes(self.count >= 0)?;
        if self.count == 0 {
            return Ok(());
        }
        check::pointers(self.trans)?;
        check::pointers(self.sizes)?;
        check::pointers(self.coefs)?;
        check::pointers([self.group_sizes])?;
        check::pointers(self.operands.map(|(_, ld)| ld))?;
        // All groups are checked before the first is computed.
        let mut work = Vec::new();
        let mut first = 0;
        for group in 0..self.count {
            // SAFETY: the caller's promise.
            unsafe {
                let problems = read(self.group_sizes, group, entry.wide);
                let call = Call::new(handle, entry, problems)?;
                if let Some(problem) = self.lower(group, first, &call)? {
                    work.push((call, problem));
                }
                first += problems;
            }
        }
        for (call, problem) in work {
            // SAFETY: descriptors have been checked, and their pointers are good by the contract of hipBLAS.
            call.enqueue(move |raw| unsafe { problem.run(raw) })?;
        }
        Ok(())
    }

    /// A group, whose matrices begin at number `first` of the arrays.
    ///
    /// # Safety
    /// As the C function.
    unsafe fn lower(&self, group: i64, first: i64, call: &Call) -> Result<Option<Group>> {
        let [a, b, c, d] = self.operands.map(|(o, ld)| {
            // SAFETY: the caller's promise.
            let ld = unsafe { read(ld, group, call.is_wide()) };
            let step = first as isize * size_of::<*mut c_void>() as isize;
            let ptr = if o.ptr.is_null() { o.ptr } else { o.ptr.wrapping_byte_offset(step) };
            Operand { ptr, ld, ..o }
        });
        let coef = |ptr: *const c_void| Coef {
            ptr: ptr.wrapping_byte_add(group as usize * self.coef.size()),
            dtype: self.coef,
        };
        // SAFETY: the caller's promise.
        unsafe {
            let [ta, tb] = self.trans.map(|array| check::trans(*array.cast::<c_int>().add(group as usize)));
            let [m, n, k] = self.sizes.map(|array| read(array, group, call.is_wide()));
            let [alpha, beta] = self.coefs.map(coef);
            let batch = call.batch_given();
            let product =
                Product { types: self.types, ta: ta?, tb: tb?, m, n, k, alpha, a, b, beta, c: d, batch };
            check::sizes(c.ld >= m)?;
            let Some(mut desc) = product.lower(call)? else { return Ok(None) };
            let apart = c.ptr != d.ptr || c.ld != d.ld;
            if apart {
                desc.beta = call.present_unless_zero(desc.beta, self.coef, &[c])?;
            }
            let c = if apart { Some(call.matrix("C", c, m, n)?) } else { None };
            Ok(Some(Group { product, desc, c }))
        }
    }
}

/// A group, checked: D is the descriptor's C.
#[derive(Clone, Copy)]
struct Group {
    product: Product,
    desc: GemmDesc,
    /// C, unless it is D.
    c: Option<Matrix>,
}

impl Group {
    /// # Safety
    /// As for the raw call.
    unsafe fn run(&self, raw: &dyn RawHandle) -> api::Result {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(c) = self.c.filter(|_| self.desc.beta != RawScalar::ZERO) {
                self.copy(raw, c)?;
            }
            self.product.compute(raw, self.desc)
        }
    }

    /// Copies C to D, where they are apart.
    ///
    /// # Safety
    /// As for the raw call.
    unsafe fn copy(&self, raw: &dyn RawHandle, c: Matrix) -> api::Result {
        let GemmDesc { types, m, n, batch, c: d, .. } = self.desc;
        let bytes = types.c.size();
        for i in 0..batch {
            // SAFETY: the caller's promise.
            unsafe {
                let (from, to) = (entry(raw, c.data, i)?, entry(raw, d.data, i)?);
                if from == to || from.is_null() {
                    continue;
                }
                for j in 0..n {
                    let (from, to) = (from.add(j * c.ld * bytes), to.add(j * d.ld * bytes));
                    raw.copy_device(from, to, m * bytes)?;
                }
            }
        }
        Ok(())
    }
}

/// In work: pointer to entry `i` of a batched operand.
///
/// # Safety
/// There is such an entry.
unsafe fn entry(raw: &dyn RawHandle, address: Address, i: usize) -> api::Result<*mut u8> {
    match address {
        Address::Array { ptrs, on: Location::Device } => {
            let mut ptr = std::ptr::null_mut::<u8>();
            // SAFETY: the caller's promise.
            unsafe { raw.download(ptrs.add(i).cast(), (&raw mut ptr).cast(), size_of::<*mut u8>())? };
            Ok(ptr)
        }
        // SAFETY: the caller's promise. Operands of one place have one entry.
        other => Ok(unsafe { other.entry(i, 1) }),
    }
}

/// Value `i` of an array of sizes.
///
/// # Safety
/// There is such a value.
unsafe fn read(array: *const c_void, i: i64, wide: bool) -> i64 {
    // SAFETY: the caller's promise.
    unsafe {
        if wide { *array.cast::<i64>().add(size(i)) } else { i64::from(*array.cast::<c_int>().add(size(i))) }
    }
}

impl Routine for calls::GemmGrouped {
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let dtype = check::dtype(self.c.dtype)?;
        let groups = Groups {
            types: GemmTypes::plain(dtype),
            coef: dtype,
            trans: [self.trans_a, self.trans_b],
            sizes: [self.m, self.n, self.k],
            coefs: [self.alpha, self.beta],
            operands: [(self.a, self.lda), (self.b, self.ldb), (self.c, self.ldc), (self.c, self.ldc)],
            count: self.group_count,
            group_sizes: self.group_size,
        };
        // SAFETY: the caller's promise.
        unsafe { groups.run(handle, entry) }
    }
}

macro_rules! routine {
    ($($family:ident),*) => {$(
        impl Routine for calls::$family {
            unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
                let (types, coef) = types(self.a_type, self.b_type, self.c_type, self.compute)?;
                if self.d_type != self.c_type {
                    return Err(status::NOT_SUPPORTED);
                }
                if self.algo != gemm_algo::DEFAULT {
                    return Err(status::INVALID_ENUM);
                }
                let typed = |o: Operand, dtype| Operand { dtype, ..o };
                let groups = Groups {
                    types,
                    coef,
                    trans: [self.trans_a, self.trans_b],
                    sizes: [self.m, self.n, self.k],
                    coefs: [self.alpha, self.beta],
                    operands: [
                        (typed(self.a, self.a_type), self.lda),
                        (typed(self.b, self.b_type), self.ldb),
                        (typed(self.c, self.c_type), self.ldc),
                        (typed(self.d, self.d_type), self.ldd),
                    ],
                    count: self.group_count,
                    group_sizes: self.group_size,
                };
                // SAFETY: the caller's promise.
                unsafe { groups.run(handle, entry) }
            }
        }
    )*};
}
routine!(GemmGroupedEx, GemmGroupedExWithFlags);
