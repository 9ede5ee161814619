//! Level 3.

use blas_api::*;

crate::handle::unwritten! {
    gemm: GemmDesc,
    gemm_ex: GemmDesc,
    symm: SymmDesc,
    hemm: SymmDesc,
    syrk: SyrkDesc,
    herk: SyrkDesc,
    syr2k: Syr2kDesc,
    her2k: Syr2kDesc,
    syrkx: Syr2kDesc,
    herkx: Syr2kDesc,
    trmm: TrmmDesc,
    trsm: TrsmDesc,
    trtri: TrtriDesc,
    geam: GeamDesc,
    dgmm: DgmmDesc,
}
