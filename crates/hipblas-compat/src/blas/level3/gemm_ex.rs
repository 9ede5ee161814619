//! GemmEx, with and without flags.

use std::ffi::{c_int, c_void};

use blas_api::{Compute, DType, GemmTypes};
use hipblas_abi::{Handle, Operand, calls, compute, data_type, gemm_algo, int8, status};

use super::gemm::Product;
use super::int8x4;
use crate::blas::coef::Coef;
use crate::blas::lower::Call;
use crate::blas::{Entry, Result, Routine, check};

/// What AMD's library computes: the types of A and B, of C, of the computation, and of the coefficients. All else is
/// NOT_SUPPORTED.
const TYPES: &[(c_int, c_int, c_int, DType)] = &[
    (data_type::R_16F, data_type::R_16F, compute::F16, DType::F16),
    (data_type::R_16F, data_type::R_16F, compute::F32, DType::F32),
    (data_type::R_16F, data_type::R_32F, compute::F32, DType::F32),
    (data_type::R_16BF, data_type::R_16BF, compute::F32, DType::F32),
    (data_type::R_16BF, data_type::R_32F, compute::F32, DType::F32),
    (data_type::R_32F, data_type::R_32F, compute::F32, DType::F32),
    (data_type::R_64F, data_type::R_64F, compute::F64, DType::F64),
    (data_type::C_32F, data_type::C_32F, compute::F32, DType::C32),
    (data_type::C_64F, data_type::C_64F, compute::F64, DType::C64),
    (data_type::R_8I, data_type::R_32I, compute::I32, DType::I32),
];

/// The types of a call, and that of its coefficients.
pub(super) fn types(a: c_int, b: c_int, c: c_int, compute: c_int) -> Result<(GemmTypes, DType)> {
    let found = TYPES.iter().find(|t| (t.0, t.0, t.1, t.2) == (a, b, c, compute));
    let Some(&(.., coef)) = found else {
        // A number of 0.x to 2.x that stands for no type.
        let unknown = [a, b, c, compute].contains(&-1);
        return Err(if unknown { status::INVALID_ENUM } else { status::NOT_SUPPORTED });
    };
    let compute = match coef {
        DType::I32 => Compute::I32,
        DType::F64 | DType::C64 => Compute::F64,
        _ => Compute::F32,
    };
    Ok((GemmTypes { a: check::dtype(a)?, b: check::dtype(b)?, c: check::dtype(c)?, compute }, coef))
}

/// What both functions are given. Flags choose among kernels of a GPU and say nothing here.
struct Args {
    trans: [c_int; 2],
    sizes: [i64; 3],
    alpha: *const c_void,
    a: Operand,
    b: Operand,
    beta: *const c_void,
    c: Operand,
    batch: i64,
    compute: c_int,
    algo: c_int,
}

impl Args {
    /// # Safety
    /// As the C function.
    unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
        let Args { a, b, c, sizes: [m, n, k], .. } = self;
        let (types, coef) = types(a.dtype, b.dtype, c.dtype, self.compute)?;
        let [ta, tb] = [check::trans(self.trans[0])?, check::trans(self.trans[1])?];
        if self.algo != gemm_algo::DEFAULT {
            return Err(status::INVALID_ENUM);
        }
        let call = Call::new(handle, entry, self.batch)?;
        let (alpha, beta) = (Coef { ptr: self.alpha, dtype: coef }, Coef { ptr: self.beta, dtype: coef });
        let product = Product { types, ta, tb, m, n, k, alpha, a, b, beta, c, batch: self.batch };
        // SAFETY: the caller's promise.
        unsafe {
            if types.a == DType::I8 && call.int8() == int8::PACK_INT8X4 {
                return int8x4::launch(product, &call);
            }
            product.launch(&call)
        }
    }
}

macro_rules! routine {
    ($($family:ident),*) => {$(
        impl Routine for calls::$family {
            unsafe fn run(self, handle: Handle, entry: &'static Entry) -> Result {
                let args = Args {
                    trans: [self.trans_a, self.trans_b],
                    sizes: [self.m, self.n, self.k],
                    alpha: self.alpha,
                    a: self.a,
                    b: self.b,
                    beta: self.beta,
                    c: self.c,
                    batch: self.batch,
                    compute: self.compute,
                    algo: self.algo,
                };
                // SAFETY: the caller's promise.
                unsafe { args.run(handle, entry) }
            }
        }
    )*};
}
routine!(GemmEx, GemmExWithFlags);
