//! The layout of int8 matrices that hipBLAS 0.53 and 0.54 take after `hipblasSetInt8Datatype(PACK_INT8x4)`.
//!
//! Groups of four elements along k lie side by side: element (row, 4 g + i) of a matrix whose columns run along k is at
//! `4 g * ld + 4 * row + i`. A matrix whose rows run along k has them side by side anyway. So the part of an operand that
//! belongs to one group is an ordinary matrix, and the product is the sum over the groups of products of length 4.

use blas_api::{self as api, Address, GemmDesc, Location, Matrix, RawHandle, RawScalar, Trans};

use super::gemm::Product;
use crate::blas::lower::Call;
use crate::blas::{Result, check};

/// Length of a group.
const GROUP: usize = 4;

/// # Safety
/// As the C function.
pub(super) unsafe fn launch(product: Product, call: &Call) -> Result {
    let Product { ta, tb, k, a, b, .. } = product;
    let whole = |n: i64| n % GROUP as i64 == 0;
    // What runs along k must start at whole groups.
    check::sizes(whole(k) && (!ta.is_transposed() || whole(a.ld)) && (tb.is_transposed() || whole(b.ld)))?;
    // SAFETY: the caller's promise.
    let Some(desc) = (unsafe { product.lower(call)? }) else { return Ok(()) };
    // SAFETY: the descriptor has been checked, and its pointers are good by the contract of hipBLAS.
    call.enqueue(move |raw| unsafe { run(raw, &desc) })
}

/// # Safety
/// As for the raw call, with A and B packed.
unsafe fn run(raw: &dyn RawHandle, d: &GemmDesc) -> api::Result {
    if d.k == 0 {
        // SAFETY: the caller's promise.
        return unsafe { raw.gemm_ex(d) };
    }
    // SAFETY: the caller's promise.
    let (a, b) = unsafe {
        (
            Packed::new(raw, d.a, d.ta.is_transposed(), d.batch)?,
            Packed::new(raw, d.b, !d.tb.is_transposed(), d.batch)?,
        )
    };
    for g in 0..d.k / GROUP {
        let (mut a_entries, mut b_entries) = (Vec::new(), Vec::new());
        let part = GemmDesc {
            // A packed A is its group transposed, a packed B is its group as it is.
            ta: Trans::T,
            tb: Trans::N,
            k: GROUP,
            a: a.group(g, &mut a_entries),
            b: b.group(g, &mut b_entries),
            beta: if g == 0 { d.beta } else { RawScalar::ONE },
            ..*d
        };
        // SAFETY: the caller's promise; the arrays of pointers live until the call has returned.
        unsafe { raw.gemm_ex(&part)? };
    }
    Ok(())
}

/// A packed operand.
struct Packed {
    matrix: Matrix,
    /// Whether groups are parts of columns, each as long as the leading dimension.
    along_columns: bool,
    /// The entries, where the operand is an array of pointers.
    entries: Vec<*mut u8>,
}

impl Packed {
    /// # Safety
    /// An array of pointers has `batch` of them.
    unsafe fn new(
        raw: &dyn RawHandle,
        matrix: Matrix,
        along_columns: bool,
        batch: usize,
    ) -> api::Result<Self> {
        let mut entries: Vec<*mut u8> = Vec::new();
        if let Address::Array { ptrs, .. } = matrix.data {
            entries.resize(batch, std::ptr::null_mut());
            // SAFETY: the caller's promise.
            unsafe { raw.download(ptrs.cast(), entries.as_mut_ptr().cast(), size_of_val(&*entries))? };
        }
        Ok(Packed { matrix, along_columns, entries })
    }

    /// Group `g` as a matrix of four rows. `entries` gets the pointers that it needs.
    fn group(&self, g: usize, entries: &mut Vec<*mut u8>) -> Matrix {
        let (offset, ld) = if self.along_columns {
            (GROUP * g, self.matrix.ld)
        } else {
            (GROUP * g * self.matrix.ld, GROUP)
        };
        let data = match self.matrix.data {
            Address::Strided { ptr, stride } => Address::Strided { ptr: ptr.wrapping_add(offset), stride },
            Address::Array { .. } => {
                entries.extend(self.entries.iter().map(|p| p.wrapping_add(offset)));
                Address::Array { ptrs: entries.as_ptr(), on: Location::Host }
            }
        };
        Matrix { data, ld }
    }
}
