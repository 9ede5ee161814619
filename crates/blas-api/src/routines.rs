//! The list of routines: each is declared once, here.
//!
//! From the list come the raw backend interface with its defaults, the forwarder of `Box<dyn RawHandle>`,
//! [`Layered`](crate::Layered) (tracing, counting, fault injection), [`Routine`], [`Call`](crate::Call), the support
//! table and the registration of benchmarks and conformance cells.

use std::fmt;

use crate::{Compute, DType};

/// Calls the macro `$cb` with every routine: `name: Variant(Descriptor), LEVEL, [types];`.
///
/// `types` names a list in [`types`].
#[macro_export]
macro_rules! for_each_routine {
    ($cb:ident) => {
        $cb! {
            swap:   Swap(SwapDesc),     One, SCALAR;
            scal:   Scal(ScalDesc),     One, SCALAR;
            copy:   Copy(CopyDesc),     One, SCALAR;
            axpy:   Axpy(AxpyDesc),     One, SCALAR;
            axpby:  Axpby(AxpbyDesc),   One, SCALAR;
            dot:    Dot(DotDesc),       One, SCALAR;
            dotc:   Dotc(DotDesc),      One, COMPLEX;
            dsdot:  Dsdot(DotDesc),     One, SINGLE;
            nrm2:   Nrm2(ReduceDesc),   One, SCALAR;
            asum:   Asum(ReduceDesc),   One, SCALAR;
            iamax:  Iamax(ReduceDesc),  One, SCALAR;
            iamin:  Iamin(ReduceDesc),  One, SCALAR;
            rot:    Rot(RotDesc),       One, SCALAR;
            rotg:   Rotg(RotgDesc),     One, FIELD;
            rotm:   Rotm(RotmDesc),     One, REAL;
            rotmg:  Rotmg(RotmgDesc),   One, REAL;

            gemv:   Gemv(GemvDesc),     Two, SCALAR;
            gbmv:   Gbmv(GbmvDesc),     Two, FIELD;
            ger:    Ger(GerDesc),       Two, REAL;
            geru:   Geru(GerDesc),      Two, COMPLEX;
            gerc:   Gerc(GerDesc),      Two, COMPLEX;
            symv:   Symv(SymvDesc),     Two, FIELD;
            hemv:   Hemv(SymvDesc),     Two, COMPLEX;
            sbmv:   Sbmv(SbmvDesc),     Two, REAL;
            hbmv:   Hbmv(SbmvDesc),     Two, COMPLEX;
            spmv:   Spmv(SpmvDesc),     Two, REAL;
            hpmv:   Hpmv(SpmvDesc),     Two, COMPLEX;
            syr:    Syr(SyrDesc),       Two, FIELD;
            her:    Her(SyrDesc),       Two, COMPLEX;
            spr:    Spr(SprDesc),       Two, FIELD;
            hpr:    Hpr(SprDesc),       Two, COMPLEX;
            syr2:   Syr2(Syr2Desc),     Two, FIELD;
            her2:   Her2(Syr2Desc),     Two, COMPLEX;
            spr2:   Spr2(Spr2Desc),     Two, REAL;
            hpr2:   Hpr2(Spr2Desc),     Two, COMPLEX;
            trmv:   Trmv(TrmvDesc),     Two, FIELD;
            trsv:   Trsv(TrmvDesc),     Two, FIELD;
            tbmv:   Tbmv(TbmvDesc),     Two, FIELD;
            tbsv:   Tbsv(TbmvDesc),     Two, FIELD;
            tpmv:   Tpmv(TpmvDesc),     Two, FIELD;
            tpsv:   Tpsv(TpmvDesc),     Two, FIELD;

            gemm:   Gemm(GemmDesc),     Three, SCALAR;
            gemm_ex: GemmEx(GemmDesc),  Three, GEMM_EX;
            symm:   Symm(SymmDesc),     Three, FIELD;
            hemm:   Hemm(SymmDesc),     Three, COMPLEX;
            syrk:   Syrk(SyrkDesc),     Three, FIELD;
            herk:   Herk(SyrkDesc),     Three, COMPLEX;
            syr2k:  Syr2k(Syr2kDesc),   Three, FIELD;
            her2k:  Her2k(Syr2kDesc),   Three, COMPLEX;
            syrkx:  Syrkx(Syr2kDesc),   Three, FIELD;
            herkx:  Herkx(Syr2kDesc),   Three, COMPLEX;
            trmm:   Trmm(TrmmDesc),     Three, FIELD;
            trsm:   Trsm(TrsmDesc),     Three, FIELD;
            trtri:  Trtri(TrtriDesc),   Three, FIELD;
            geam:   Geam(GeamDesc),     Three, FIELD;
            dgmm:   Dgmm(DgmmDesc),     Three, FIELD;

            getrf:  Getrf(GetrfDesc),   Solver, FIELD;
            getrs:  Getrs(GetrsDesc),   Solver, FIELD;
            getri:  Getri(GetriDesc),   Solver, FIELD;
            geqrf:  Geqrf(GeqrfDesc),   Solver, FIELD;
            gels:   Gels(GelsDesc),     Solver, FIELD;
        }
    };
}

/// Level of BLAS, or the LAPACK-like group that hipBLAS and cuBLAS carry along.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Vector-vector.
    One,
    /// Matrix-vector.
    Two,
    /// Matrix-matrix.
    Three,
    /// Factorisations and solves.
    Solver,
}

/// Element types of one call: a single one, or the four of a mixed GEMM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Types {
    /// All operands have this type.
    One(DType),
    /// A and B, C, and the type computed in.
    Gemm(GemmTypes),
}

/// Types of a mixed GEMM. A and B have one type in every legal combination.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GemmTypes {
    /// Type of A.
    pub a: DType,
    /// Type of B.
    pub b: DType,
    /// Type of C.
    pub c: DType,
    /// Type of products, sums, alpha and beta.
    pub compute: Compute,
}

impl GemmTypes {
    /// The plain GEMM of one type.
    pub const fn plain(t: DType) -> Self {
        let compute = match t {
            DType::F64 | DType::C64 => Compute::F64,
            DType::I8 | DType::I32 | DType::I64 => Compute::I32,
            _ => Compute::F32,
        };
        GemmTypes { a: t, b: t, c: t, compute }
    }

    const fn mixed(ab: DType, c: DType, compute: Compute) -> Self {
        GemmTypes { a: ab, b: ab, c, compute }
    }

    /// Type of alpha and beta.
    pub const fn coef(&self) -> DType {
        match (self.compute, self.c.is_complex()) {
            (Compute::I32, _) => DType::I32,
            (Compute::F32, false) => DType::F32,
            (Compute::F32, true) => DType::C32,
            (Compute::F64, false) => DType::F64,
            (Compute::F64, true) => DType::C64,
        }
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Types::One(t) => f.pad(t.name()),
            Types::Gemm(g) => f.pad(&format!("{}>{}:{}", g.a, g.c, g.compute.name())),
        }
    }
}

/// The lists of types that [`for_each_routine!`] names.
pub mod types {
    use super::Types::One;
    use super::{Compute, DType, GemmTypes, Types};

    /// f32, f64, c32, c64.
    pub const FIELD: &[Types] = &[One(DType::F32), One(DType::F64), One(DType::C32), One(DType::C64)];
    /// f32, f64.
    pub const REAL: &[Types] = &[One(DType::F32), One(DType::F64)];
    /// c32, c64.
    pub const COMPLEX: &[Types] = &[One(DType::C32), One(DType::C64)];
    /// f32.
    pub const SINGLE: &[Types] = &[One(DType::F32)];
    /// f16, bf16, f32, f64, c32, c64.
    pub const SCALAR: &[Types] = &[
        One(DType::F16),
        One(DType::BF16),
        One(DType::F32),
        One(DType::F64),
        One(DType::C32),
        One(DType::C64),
    ];
    /// The legal combinations of `gemm_ex`.
    pub const GEMM_EX: &[Types] = &[
        Types::Gemm(GemmTypes::plain(DType::F16)),
        Types::Gemm(GemmTypes::mixed(DType::F16, DType::F32, Compute::F32)),
        Types::Gemm(GemmTypes::plain(DType::BF16)),
        Types::Gemm(GemmTypes::mixed(DType::BF16, DType::F32, Compute::F32)),
        Types::Gemm(GemmTypes::plain(DType::F32)),
        Types::Gemm(GemmTypes::plain(DType::F64)),
        Types::Gemm(GemmTypes::plain(DType::C32)),
        Types::Gemm(GemmTypes::plain(DType::C64)),
        Types::Gemm(GemmTypes::mixed(DType::I8, DType::I32, Compute::I32)),
    ];
}

macro_rules! routine_enum { ($($name:ident: $variant:ident($desc:ident), $level:ident, $types:ident;)*) => {
    /// Every routine of the contract.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    #[non_exhaustive]
    pub enum Routine {
        $(#[doc = concat!("`", stringify!($name), "`")] $variant,)*
    }

    impl Routine {
        /// All of them, in the order of the list.
        pub const ALL: &[Routine] = &[$(Routine::$variant,)*];

        /// BLAS name without type letter.
        pub const fn name(self) -> &'static str {
            match self { $(Routine::$variant => stringify!($name),)* }
        }

        /// Level.
        pub const fn level(self) -> Level {
            match self { $(Routine::$variant => Level::$level,)* }
        }

        /// The types for which the contract defines the routine.
        pub const fn types(self) -> &'static [Types] {
            match self { $(Routine::$variant => types::$types,)* }
        }
    }
}}
for_each_routine!(routine_enum);

impl fmt::Display for Routine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Routine {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Routine::ALL.iter().copied().find(|r| r.name() == s).ok_or_else(|| format!("no routine named {s:?}"))
    }
}

/// Whether a backend has a routine for some types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Support {
    /// Yes, in plain, strided-batched and pointer-array form.
    Yes,
    /// No, and why.
    No(&'static str),
}

/// A rule of the contract that a backend is known not to keep. The conformance suite prints each one, and fails
/// when the backend has come to keep the rule after all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deviation {
    /// Routine concerned.
    pub routine: Routine,
    /// The rule: the name of a conformance check.
    pub rule: &'static str,
    /// Why it is not kept.
    pub reason: &'static str,
}
