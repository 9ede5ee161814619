//! What cuBLAS lacks, or does not do as the contract says: by several of its functions, by cuSOLVER, or by kernels of our own.
//! One file a routine; `alpha` has those that must not read their operands.

mod alpha;
mod cusolver;
mod dot;
mod geam;
mod gels;
mod gemm;
mod geqrf;
mod getrf;
mod getri;
mod getrs;
mod iamax;
mod nrm2;
mod rotg;
mod rotmg;
mod scal;
mod scalars;
mod spr;
mod trsm;
mod trtri;

use std::any::Any;

use blas_api::{Precision, RawHandle, Result};
use hipblas_abi::{Arguments, Elem, Form, calls, data_type};

use crate::call::NameTypes;
use crate::handle::CudaHandle;
use crate::kernels::{blocks, c_type, launch};

/// Does a call that cuBLAS must not be given as it is. `None` for all others.
///
/// # Safety
/// As for [`CudaHandle::call`].
pub(crate) unsafe fn call<A: Arguments>(
    h: &CudaHandle,
    routine: &'static str,
    types: NameTypes,
    form: Form,
    args: &A,
) -> Option<Result> {
    /// The arguments, if they are those of a row.
    macro_rules! is {
        ($row:ident) => {
            (args as &dyn Any).downcast_ref::<calls::$row>()
        };
    }
    let (plain, elem) = (form == Form::Plain, elem(types));
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(d) = is!(Amax) {
            return plain.then(|| {
                iamax::extreme(h, ["amax", "amax_last"], types, d.n, d.x, d.result, iamax::is_wide(args))
            });
        }
        if let Some(d) = is!(Amin) {
            return plain.then(|| {
                iamax::extreme(h, ["amin", "amin_last"], types, d.n, d.x, d.result, iamax::is_wide(args))
            });
        }
        if let Some(d) = is!(Nrm2) {
            return plain.then(|| nrm2::nrm2(h, (elem, elem.real()), d.n, d.x, d.result));
        }
        if let Some(d) = is!(Nrm2Ex) {
            let elem = nrm2::half(d.x.dtype).filter(|_| plain && d.result_type == d.x.dtype)?;
            return Some(nrm2::nrm2(h, (elem, elem), d.n, d.x, d.result));
        }
        if let Some(d) = is!(DotEx) {
            let double = d.x.dtype == data_type::R_32F && d.result_type == data_type::R_64F;
            return (plain && double).then(|| dot::double_dot(h, routine, d));
        }
        if let Some(d) = is!(Scal) {
            let (_, real) = types.filter(|(t, second)| plain && t.is_complex() && !second.is_complex())?;
            return Some(scal::real_scal(h, routine, real, d));
        }
        if let Some(d) = is!(Rotg) {
            return (plain && elem.is_complex()).then(|| rotg::rotg(h, elem, d));
        }
        if let Some(d) = is!(Rotmg) {
            return plain.then(|| rotmg::rotmg(h, elem, d));
        }
        if let Some(d) = is!(Spr)
            && elem.is_complex()
        {
            return plain.then(|| spr::spr(h, elem, d));
        }
        if let Some(d) = is!(Geam) {
            return (plain && geam::copies(h, elem, d)).then(|| geam::copy(h, elem, d));
        }
        if let Some(d) = is!(Trtri) {
            return plain.then(|| trtri::trtri(h, routine, types, d));
        }
        if let Some(d) = is!(GemmEx)
            && d.a.dtype == data_type::R_8I
        {
            return Some(match form {
                Form::Plain => gemm::gemm_i8(h, routine, d),
                _ => h.one_by_one(routine, types, form, d),
            });
        }
        if form == Form::Batched {
            let operands = match (is!(GemmEx), is!(Gemm)) {
                (Some(d), _) => Some([d.a, d.b, d.c]),
                (_, Some(d)) if h.policy().precision != Precision::Exact => Some([d.a, d.b, d.c]),
                _ => None,
            };
            match operands.map_or(Ok(true), |o| gemm::aligned(h, &o, args.batch_count())) {
                Ok(true) => {}
                Ok(false) => return Some(h.one_by_one(routine, types, form, args)),
                Err(e) => return Some(Err(e)),
            }
        }
        if let Some(d) = is!(Her2k)
            && plain
        {
            // cuBLAS reads the imaginary parts that a Hermitian matrix does not have.
            if let Err(e) = launch!(h, "real_diagonal", c_type(elem), [blocks(d.n), 1], d.n, d.c.ptr, d.c.ld)
            {
                return Some(Err(e));
            }
        }
        if let Some(d) = is!(Getrf) {
            return getrf::getrf(h, routine, types, form, d);
        }
        if let Some(d) = is!(Getrs) {
            return getrs::getrs(h, routine, types, form, d);
        }
        if let Some(d) = is!(Getri) {
            return Some(getri::getri(h, routine, types, d));
        }
        if let Some(d) = is!(Geqrf) {
            return geqrf::geqrf(h, routine, types, form, d);
        }
        if let Some(d) = is!(Gels) {
            return Some(match form {
                Form::Plain => gels::gels(h, routine, types, d),
                _ => h.one_by_one(routine, types, form, d),
            });
        }
        alpha::call(h, routine, types, form, args)
    }
}

/// The type of a function's operands.
fn elem(types: NameTypes) -> Elem {
    types.map_or(Elem::F32, |(t, _)| t)
}
