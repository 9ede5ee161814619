//! getri.

use blas_api::{Error, Result};
use blas_gpu::GpuHandle;
use hipblas_abi::{Arguments, Form, Operand, calls};

use super::cusolver::int;
use super::elem;
use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

/// getri of arrays of matrices. cuBLAS writes inverses of singular matrices too, and tells of another zero pivot than the
/// first.
pub(super) unsafe fn getri(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    d: &calls::Getri,
) -> Result {
    // Nothing else inverts, least of all a call for each matrix, which would come here again.
    if !h.has::<calls::Getri>(types, Form::Batched, false) {
        return Err(h.library().missing(calls::Getri::FAMILY));
    }
    let (elem, n, batch) = (elem(types), int(routine, "n", d.n)?, int(routine, "batch", d.batch)?);
    let (len, count) = (n.unsigned_abs() as usize, batch.unsigned_abs() as usize);
    let entry = len.checked_mul(len).and_then(|l| l.checked_mul(elem.size()));
    let bytes = entry.and_then(|e| e.checked_mul(count)).filter(|&b| isize::try_from(b).is_ok());
    let (Some(entry), Some(bytes)) = (entry, bytes) else {
        return Err(Error::Overflow { routine, operand: "scratch", factors: [len * len, count] });
    };
    let room = h.scratch(bytes)?;
    let inverses = h.pointers((0..count).map(|i| room.wrapping_add(i * entry)).collect())?;
    let info = h.scratch(count * size_of::<i32>())?;
    let c = Operand { ptr: inverses, ld: d.n.max(1), ..d.c };
    let of = c_type(elem);
    // SAFETY: the caller's promise; the arguments are the kernels' own.
    unsafe {
        h.native(routine, types, Form::Batched, &calls::Getri { c, info: info.cast(), ..*d })?;
        let grid = batch.unsigned_abs().clamp(1, 65_535);
        launch!(h, "singular", of, [grid, 1], d.n, d.batch, d.a.ptr, d.a.ld, d.info)?;
        let blocks = blocks(d.n * d.n);
        launch!(h, "keep", of, [blocks, grid], d.n, d.batch, inverses, d.c.ptr, d.c.ld, d.info)
    }
}
