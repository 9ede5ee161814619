//! The C ABI of hipBLAS and of the HIP runtime as data.
//!
//! - [`FAMILIES`] is the table: one row a family of functions. [`functions`] are the functions of hipBLAS 3.7 (or those
//!   of an older ABI) that it stands for, with names and prototypes.
//! - [`calls`] has one struct a row, made from the table: its arguments, with [`Arguments::call`] to call any function
//!   of the row through a pointer.
//! - The enums are modules of constants: [`status`], [`operation`], [`data_type`], ...
//! - [`hip`] has the functions and constants of the HIP runtime.
//!
//! Nothing here loads or links anything.
//!
//! ```
//! use hipblas_abi::{Abi, functions};
//! let gemm = functions(Abi::V3).find(|f| f.name() == "hipblasSgemmStridedBatched_64").unwrap();
//! assert!(gemm.prototype().starts_with("hipblasStatus_t hipblasSgemmStridedBatched_64(hipblasHandle_t handle, "));
//! assert!(!gemm.is_in(Abi::V1));
//! ```

mod enums;
mod function;
pub mod hip;
mod table;

pub use enums::*;
pub use function::{Form, Function, Param, Part, SLOTS, exports, exports_until, functions};
pub use table::{Abi, Arg, Elem, FAMILIES, Family, Kind, Level, Ty, Typing};

use std::ffi::{c_int, c_void};

/// `hipblasHandle_t`
pub type Handle = *mut c_void;

/// A matrix, vector or array as an argument of a hipBLAS function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Pointer, or array of pointers in a batched function.
    pub ptr: *mut c_void,
    /// `hipDataType` of the elements. Passed on only by functions that take it.
    pub dtype: c_int,
    /// Leading dimension or increment (size, of `invA`). Not passed for packed matrices and scalars.
    pub ld: i64,
    /// Distance of batch entries. Passed by strided functions.
    pub stride: i64,
}

/// The numbers of another library that has functions with the arguments of hipBLAS's: one method a C type.
pub trait Numbers {
    /// `hipblasOperation_t`
    fn operation(value: c_int) -> c_int;
    /// `hipblasFillMode_t`
    fn fill(value: c_int) -> c_int;
    /// `hipblasDiagType_t`
    fn diag(value: c_int) -> c_int;
    /// `hipblasSideMode_t`
    fn side(value: c_int) -> c_int;
    /// `hipblasComputeType_t`
    fn compute(value: c_int) -> c_int;
    /// `hipblasGemmAlgo_t`
    fn gemm_algo(value: c_int) -> c_int;
}

/// The arguments of a hipBLAS function, without the handle.
pub trait Arguments: Copy + 'static {
    /// Name of the row in the table.
    const FAMILY: &'static str;

    /// The row: its place in [`FAMILIES`].
    const ROW: usize;

    /// The first size that a function without `_64` cannot take: name and value.
    fn beyond_i32(&self, form: Form) -> Option<(&'static str, i64)>;

    /// Number of problems in a batched or strided form, of groups in a grouped one.
    fn batch_count(&self) -> usize;

    /// The same with data types and compute types numbered as before 3.x; `None` if there was no such type.
    fn with_old_types(&self) -> Option<Self>;

    /// The same with enums numbered as another library has them.
    fn with_numbers<N: Numbers>(&self) -> Self;

    /// The arguments of batch entry `i` alone, for the plain function: `at` gives the entry's pointer, for an operand with
    /// elements of so many bytes. Scalar results lie one after the other. The types are those of
    /// the function's name, `None` for Ex functions.
    fn entry(
        &self,
        i: usize,
        types: Option<(Elem, Elem)>,
        at: impl FnMut(Operand, usize) -> *mut c_void,
    ) -> Self;

    /// Calls a function of the row and returns its status.
    ///
    /// # Safety
    /// `function` is the address of a function of this row, form and width; the arguments are valid for it.
    unsafe fn call(&self, function: *const c_void, handle: Handle, form: Form, wide: bool) -> c_int;
}

/// One struct a row of the table, made from it.
#[allow(missing_docs, reason = "the fields are the functions' own arguments, in their order")]
pub mod calls {
    use super::{Arguments, Elem, Form, Handle, Numbers, Operand};
    use std::ffi::{c_int, c_void};

    include!(concat!(env!("OUT_DIR"), "/calls.rs"));
}
