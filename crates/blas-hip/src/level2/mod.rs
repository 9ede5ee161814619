//! Level 2.

use blas_api::*;

crate::handle::unwritten! {
    gemv: GemvDesc,
    gbmv: GbmvDesc,
    ger: GerDesc,
    geru: GerDesc,
    gerc: GerDesc,
    symv: SymvDesc,
    hemv: SymvDesc,
    sbmv: SbmvDesc,
    hbmv: SbmvDesc,
    spmv: SpmvDesc,
    hpmv: SpmvDesc,
    syr: SyrDesc,
    her: SyrDesc,
    spr: SprDesc,
    hpr: SprDesc,
    syr2: Syr2Desc,
    her2: Syr2Desc,
    spr2: Spr2Desc,
    hpr2: Spr2Desc,
    trmv: TrmvDesc,
    trsv: TrmvDesc,
    tbmv: TbmvDesc,
    tbsv: TbmvDesc,
    tpmv: TpmvDesc,
    tpsv: TpmvDesc,
}
