//! iamax, iamin: for the half types in f32, which keeps them apart.

use std::ffi::c_void;

use blas_api::*;
use hipblas_abi::{Arguments, Operand, calls};

use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::half::{self, is_half};
use crate::lower::vectors::forwards;
use crate::lower::{Batch, elems, results};

/// The arguments of a call: n, x, batch, result.
type Args<A> = fn(i64, Operand, i64, *mut c_void) -> A;

pub(crate) unsafe fn iamax(h: &impl GpuHandle, d: &ReduceDesc) -> Result {
    let args: Args<_> = |n, x, batch, result| calls::Amax { n, x, batch, result };
    // SAFETY: the caller's promise.
    unsafe { first_in_order(&Problem::new(h, Routine::Iamax, d), d, args) }
}

pub(crate) unsafe fn iamin(h: &impl GpuHandle, d: &ReduceDesc) -> Result {
    let args: Args<_> = |n, x, batch, result| calls::Amin { n, x, batch, result };
    // SAFETY: the caller's promise.
    unsafe { first_in_order(&Problem::new(h, Routine::Iamin, d), d, args) }
}

/// On a vector with a positive increment, in the order of its elements: the first of equals counts.
unsafe fn first_in_order<A: Arguments>(
    p: &Problem<'_, impl GpuHandle>,
    d: &ReduceDesc,
    args: Args<A>,
) -> Result {
    // Of equal elements it is the first one.
    let (n, x) = if d.x.inc == 0 { (d.n.min(1), Vector { inc: 1, ..d.x }) } else { (d.n, d.x) };
    // SAFETY: the caller's promise.
    unsafe {
        if is_half(p.dtype) {
            let wide = half::widened(p, n, forwards(x))?;
            let (p, x) = (Problem { dtype: DType::F32, ..*p }, Vector { inc: x.inc.signum(), ..wide });
            let x = p.aligned(n, x, 1)?;
            return index(&p, n, x, d.out, args);
        }
        let x = p.aligned(n, x, 1)?;
        index(p, n, x, d.out, args)
    }
}

/// The functions with 32-bit sizes write 32-bit results, where i64 is asked for.
unsafe fn index<A: Arguments>(
    p: &Problem<'_, impl GpuHandle>,
    n: usize,
    x: Vector,
    out: RawOut,
    args: Args<A>,
) -> Result {
    let b = Batch::new(p.h, p.batch, &[x.data]);
    let (n, x, batch) = (n as i64, b.vector(x, p.dtype)?, b.count());
    let find = |out: RawOut| {
        let args = args(n, x, batch, results(p.h, out)?);
        // SAFETY: the caller's promise; there is room for the results.
        unsafe { b.call(p.routine, elems(p.dtype), &args) }
    };
    if args(n, x, batch, std::ptr::null_mut()).beyond_i32(b.form()).is_some() {
        return find(out);
    }
    match out {
        RawOut::Host(out) => {
            let mut narrow = vec![0i32; p.batch];
            find(RawOut::Host(narrow.as_mut_ptr().cast()))?;
            for (i, &index) in narrow.iter().enumerate() {
                // SAFETY: the descriptor's promise: there is room for a result of each entry.
                unsafe { out.cast::<i64>().add(i).write(index.into()) };
            }
            Ok(())
        }
        RawOut::Device(out) => {
            const WIDE: usize = size_of::<i64>();
            const NARROW: usize = size_of::<i32>();
            let narrow = p.h.scratch(p.batch * NARROW)?;
            find(RawOut::Device(narrow))?;
            // SAFETY: as above. The device is little-endian: the low half of an i64 is an i32 at its address.
            unsafe {
                p.h.fill(out, 0, p.batch * WIDE)?;
                p.h.copy_2d(out, WIDE, narrow, NARROW, NARROW, p.batch)
            }
        }
    }
}
