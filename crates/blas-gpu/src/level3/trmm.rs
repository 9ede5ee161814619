//! trmm: in place before hipBLAS 2, where an out-of-place function of the same name came.

use blas_api::*;
use hipblas_abi::calls;

use super::ALL_OPS;
use crate::GpuHandle;
use crate::lower::copies::Problem;
use crate::lower::{Batch, Coefs, Prepared, diag, elems, fill, op, side};

pub(crate) unsafe fn trmm(h: &impl GpuHandle, d: &TrmmDesc) -> Result {
    let p = Problem::new(h, Routine::Trmm, d);
    let (out_of_place, copied) = (!h.trmm_in_place(), d.b != d.c);
    let order = if d.side == Side::Left { d.m } else { d.n };
    // SAFETY: the caller's promise.
    let (a, b) = unsafe {
        let a = Prepared::new(&p, [order, order], d.trans, d.a, ALL_OPS)?;
        let b = if copied && !(out_of_place && d.tb == Trans::N) {
            // C takes op(B), to be multiplied in place.
            let b = Prepared::new(&p, [d.m, d.n], d.tb, d.b, ALL_OPS)?;
            p.copy([d.m, d.n], b.op, b.matrix, d.c)?;
            d.c
        } else {
            d.b
        };
        (a, b)
    };
    let t = d.dtype;
    let batch = Batch::new(h, d.batch, &[a.matrix.data, b.data, d.c.data]);
    let (am, bm, cm) = (batch.matrix(a.matrix, t)?, batch.matrix(b, t)?, batch.matrix(d.c, t)?);
    let coefs = Coefs::new(h, [(d.alpha, t)])?;
    let (side, uplo, trans_a, diag) = (side(d.side), fill(a.uplo(d.uplo)), op(a.op), diag(d.diag));
    let (m, n, alpha, batches) = (d.m as i64, d.n as i64, coefs.at(0), batch.count());
    // SAFETY: the caller's promise.
    unsafe {
        if out_of_place {
            let args =
                calls::Trmm { side, uplo, trans_a, diag, m, n, alpha, a: am, b: bm, c: cm, batch: batches };
            return batch.call("trmm", elems(t), &args);
        }
        let args =
            calls::TrmmInPlace { side, uplo, trans_a, diag, m, n, alpha, a: am, b: cm, batch: batches };
        batch.call("trmm", elems(t), &args)
    }
}
