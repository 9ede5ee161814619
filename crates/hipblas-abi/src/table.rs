//! The table: every family of hipBLAS functions once.
//!
//! A row gives the stem of the name, the types, the arguments, and since when the `_64` forms are there. The names,
//! prototypes and typed calls of all functions in every release follow from it: see [`Function`](crate::Function).
//!
//! Source: `hipblas.h` and the export lists of hipBLAS 0.54 (ROCm 5.5.1), 2.4 (6.4.4) and 3.2 (7.2.4), and the headers
//! of the tags between them. Functions younger than 3.2 are those that AMD's release notes of ROCm 7.14 and 10.2 name, with
//! the prototypes that the reference of hipFORT, AMD's Fortran bindings, has of them.

/// Families of releases whose C ABIs differ. They are told apart by the symbols that a library has, not by its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Abi {
    /// hipBLAS 0.x, ROCm 5.0 to 5.5: trmm in place, data types numbered from 150.
    V0,
    /// hipBLAS 1.x, ROCm 5.6 and 5.7: as 0.x, with `?trmmOutofplace` beside it.
    V1,
    /// hipBLAS 2.x, ROCm 6: trmm out of place; plain Ex functions as in 0.x, `_v2` ones with `hipDataType`.
    V2,
    /// hipBLAS 3.x, ROCm 7 and later: `_v2` signatures under the plain names.
    V3,
}

impl Abi {
    /// All of them, oldest first.
    pub const ALL: [Abi; 4] = [Abi::V0, Abi::V1, Abi::V2, Abi::V3];

    /// Major version of hipBLAS, which is the number in its soname.
    pub const fn major(self) -> usize {
        self as usize
    }

    /// Major version of the HIP runtime that goes with it: the number in that library's soname.
    pub const fn hip_major(self) -> usize {
        match self {
            Abi::V0 | Abi::V1 => 5,
            Abi::V2 => 6,
            Abi::V3 => 7,
        }
    }
}

/// Level of a family, as hipBLAS groups them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// Handles, modes, copies.
    Aux,
    /// Vector-vector.
    One,
    /// Matrix-vector.
    Two,
    /// Matrix-matrix and the BLAS-like extensions.
    Three,
    /// Types given at run time.
    Ex,
    /// LAPACK-like.
    Solver,
}

/// C element types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Elem {
    /// `hipblasHalf`
    F16,
    /// `hipblasBfloat16`
    BF16,
    /// `float`
    F32,
    /// `double`
    F64,
    /// `hipComplex`
    C32,
    /// `hipDoubleComplex`
    C64,
}

impl Elem {
    /// Name in the headers of hipBLAS 3.
    pub const fn c_name(self) -> &'static str {
        match self {
            Elem::F16 => "hipblasHalf",
            Elem::BF16 => "hipblasBfloat16",
            Elem::F32 => "float",
            Elem::F64 => "double",
            Elem::C32 => "hipComplex",
            Elem::C64 => "hipDoubleComplex",
        }
    }

    /// Whether it is complex.
    pub const fn is_complex(self) -> bool {
        matches!(self, Elem::C32 | Elem::C64)
    }

    /// Type of the parts of a complex type; a real type itself.
    pub const fn real(self) -> Elem {
        match self {
            Elem::C32 => Elem::F32,
            Elem::C64 => Elem::F64,
            real => real,
        }
    }

    /// Size in bytes.
    pub const fn size(self) -> usize {
        match self {
            Elem::F16 | Elem::BF16 => 2,
            Elem::F32 => 4,
            Elem::F64 | Elem::C32 => 8,
            Elem::C64 => 16,
        }
    }
}

/// One instance of a family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Typing {
    /// Letters before the stem.
    pub prefix: &'static str,
    /// Type of the operands.
    pub elem: Elem,
    /// Type of the coefficients that may differ from it (alpha of scal, s of rot).
    pub second: Elem,
}

const fn t(prefix: &'static str, elem: Elem) -> Typing {
    Typing { prefix, elem, second: elem }
}
const fn mixed(prefix: &'static str, elem: Elem) -> Typing {
    Typing { prefix, elem, second: elem.real() }
}

const S: Typing = t("S", Elem::F32);
const D: Typing = t("D", Elem::F64);
const C: Typing = t("C", Elem::C32);
const Z: Typing = t("Z", Elem::C64);
const H: Typing = t("H", Elem::F16);
const BF: Typing = t("Bf", Elem::BF16);

const SDCZ: &[Typing] = &[S, D, C, Z];
const SD: &[Typing] = &[S, D];
const CZ: &[Typing] = &[C, Z];
const HSDCZ: &[Typing] = &[H, S, D, C, Z];
const HBFSD: &[Typing] = &[H, BF, S, D];
const WITH_REAL: &[Typing] = &[S, D, C, Z, mixed("Cs", Elem::C32), mixed("Zd", Elem::C64)];
const NORM: &[Typing] = &[S, D, t("Sc", Elem::C32), t("Dz", Elem::C64)];
const INDEX: &[Typing] = &[t("Is", Elem::F32), t("Id", Elem::F64), t("Ic", Elem::C32), t("Iz", Elem::C64)];
/// Functions without a type letter.
const UNTYPED: &[Typing] = &[];

/// What an operand or scalar points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// The family's element type.
    T,
    /// Its real type.
    Real,
    /// [`Typing::second`].
    Second,
    /// `void`: the type is an argument.
    Void,
    /// `int`, also in `_64` functions.
    Int,
    /// `int`, and `int64_t` in `_64` functions.
    Index,
}

/// One argument, or a group of them that belong to one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An enum passed by value: its C type.
    Enum(&'static str),
    /// `int`, and `int64_t` in `_64` functions.
    Size,
    /// Pointer to a coefficient: one for all batch entries.
    Scalar(Ty),
    /// Pointer, then (in `Ex` functions) its type, leading dimension or increment, and stride: a matrix or vector. The
    /// text is the name of the leading dimension or increment.
    Operand(Ty, &'static str),
    /// As `Operand`, and the batched form takes `void*` for what is an array of pointers.
    Opaque(&'static str),
    /// As `Opaque` without a type argument.
    Untyped(&'static str),
    /// Pointer and stride: packed matrices, and scalars that each batch entry has for itself.
    Array(Ty),
    /// Pivots: a pointer in every form, with a stride in the strided one.
    Pivots,
    /// Pointer in every form: results and status words.
    Out(Ty),
    /// Number of batch entries, in batched forms.
    Batch,
    /// `const void* invA, int invAsize`, with a stride at the end in the strided form.
    Inverse,
    /// A data type given as a number.
    Type,
    /// `hipblasComputeType_t`, a data type in releases that lack it.
    Compute,
    /// `hipblasGemmFlags_t`, in the functions `...WithFlags`.
    Flags,
    /// Array on the host with one value a group of a grouped function: the values' C type, where `int` is `int64_t` in
    /// `_64` functions.
    Groups(&'static str),
    /// Anything else, by its C type: auxiliary functions.
    Raw(&'static str),
}

/// An argument with its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    /// Name in the typed calls.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
}

const fn arg(name: &'static str, kind: Kind) -> Arg {
    Arg { name, kind }
}
const fn mat(name: &'static str, ld: &'static str) -> Arg {
    arg(name, Kind::Operand(Ty::T, ld))
}
const fn ex(name: &'static str, ld: &'static str) -> Arg {
    arg(name, Kind::Operand(Ty::Void, ld))
}
const fn opaque(name: &'static str, inc: &'static str) -> Arg {
    arg(name, Kind::Opaque(inc))
}
const fn size(name: &'static str) -> Arg {
    arg(name, Kind::Size)
}
const fn ty(name: &'static str) -> Arg {
    arg(name, Kind::Type)
}

const fn group_size(name: &'static str) -> Arg {
    arg(name, Kind::Groups("int"))
}

const TRANS: Arg = arg("trans", Kind::Enum("hipblasOperation_t"));
const TRANS_A: Arg = arg("trans_a", Kind::Enum("hipblasOperation_t"));
const TRANS_B: Arg = arg("trans_b", Kind::Enum("hipblasOperation_t"));
const GROUP_TRANS_A: Arg = arg("trans_a", Kind::Groups("hipblasOperation_t"));
const GROUP_TRANS_B: Arg = arg("trans_b", Kind::Groups("hipblasOperation_t"));
const UPLO: Arg = arg("uplo", Kind::Enum("hipblasFillMode_t"));
const DIAG: Arg = arg("diag", Kind::Enum("hipblasDiagType_t"));
const SIDE: Arg = arg("side", Kind::Enum("hipblasSideMode_t"));
const ALGO: Arg = arg("algo", Kind::Enum("hipblasGemmAlgo_t"));
const M: Arg = size("m");
const N: Arg = size("n");
const K: Arg = size("k");
const KL: Arg = size("kl");
const KU: Arg = size("ku");
const NRHS: Arg = size("nrhs");
const ALPHA: Arg = arg("alpha", Kind::Scalar(Ty::T));
const BETA: Arg = arg("beta", Kind::Scalar(Ty::T));
const REAL_ALPHA: Arg = arg("alpha", Kind::Scalar(Ty::Real));
const REAL_BETA: Arg = arg("beta", Kind::Scalar(Ty::Real));
const VOID_ALPHA: Arg = arg("alpha", Kind::Scalar(Ty::Void));
const VOID_BETA: Arg = arg("beta", Kind::Scalar(Ty::Void));
const A: Arg = mat("a", "lda");
const B: Arg = mat("b", "ldb");
const C_: Arg = mat("c", "ldc");
const X: Arg = mat("x", "incx");
const Y: Arg = mat("y", "incy");
const AP: Arg = arg("ap", Kind::Array(Ty::T));
const BATCH: Arg = arg("batch", Kind::Batch);
const IPIV: Arg = arg("pivots", Kind::Pivots);
const INFO: Arg = arg("info", Kind::Out(Ty::Int));
const STREAM: Arg = arg("stream", Kind::Raw("hipStream_t"));

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// Name of the typed call: the stem, and what tells it from another row with that stem.
    pub name: &'static str,
    /// Stem of the symbols.
    pub stem: &'static str,
    /// Letters after the form.
    pub suffix: &'static str,
    /// Group.
    pub level: Level,
    /// Types.
    pub types: &'static [Typing],
    /// Whether there are a plain, a batched and a strided-batched form.
    pub forms: [bool; 3],
    /// First ROCm release with the family, as major * 100 + minor.
    pub since: u32,
    /// First with its `_64` functions, if there are any.
    pub wide_since: Option<u32>,
    /// First and last ABI that has it.
    pub abis: [Abi; 2],
    /// C type of batch strides.
    pub stride: &'static str,
    /// The arguments after the handle.
    pub args: &'static [Arg],
}

const ALL_ABIS: [Abi; 2] = [Abi::V0, Abi::V3];

const fn row(
    level: Level,
    name: &'static str,
    types: &'static [Typing],
    wide_since: Option<u32>,
    args: &'static [Arg],
) -> Family {
    Family {
        name,
        stem: name,
        suffix: "",
        level,
        types,
        forms: [true; 3],
        since: 500,
        wide_since,
        abis: ALL_ABIS,
        stride: "hipblasStride",
        args,
    }
}
const fn one(name: &'static str, types: &'static [Typing], args: &'static [Arg]) -> Family {
    row(Level::One, name, types, Some(601), args)
}
const fn two(name: &'static str, types: &'static [Typing], args: &'static [Arg]) -> Family {
    row(Level::Two, name, types, Some(602), args)
}
const fn three(name: &'static str, types: &'static [Typing], args: &'static [Arg]) -> Family {
    row(Level::Three, name, types, Some(603), args)
}
const fn solver(name: &'static str, since: u32, args: &'static [Arg]) -> Family {
    Family { since, ..row(Level::Solver, name, SDCZ, None, args) }
}
const fn ex_row(
    name: &'static str,
    stem: &'static str,
    wide_since: Option<u32>,
    args: &'static [Arg],
) -> Family {
    Family { stem, suffix: "Ex", ..row(Level::Ex, name, UNTYPED, wide_since, args) }
}
const fn aux(name: &'static str, since: u32, args: &'static [Arg]) -> Family {
    Family { since, forms: [true, false, false], ..row(Level::Aux, name, UNTYPED, None, args) }
}
const fn only_in(first: Abi, last: Abi, stem: &'static str, suffix: &'static str, family: Family) -> Family {
    Family { stem, suffix, abis: [first, last], ..family }
}

const GEMM_EX: &[Arg] = &[
    TRANS_A,
    TRANS_B,
    M,
    N,
    K,
    VOID_ALPHA,
    ex("a", "lda"),
    ex("b", "ldb"),
    VOID_BETA,
    ex("c", "ldc"),
    BATCH,
    arg("compute", Kind::Compute),
    ALGO,
    arg("flags", Kind::Flags),
];
const COPY_VECTOR: &[Arg] = &[
    N,
    size("elem_size"),
    arg("x", Kind::Raw("const void*")),
    size("incx"),
    arg("y", Kind::Raw("void*")),
    size("incy"),
    STREAM,
];
const COPY_MATRIX: &[Arg] = &[
    size("rows"),
    size("cols"),
    size("elem_size"),
    arg("a", Kind::Raw("const void*")),
    size("lda"),
    arg("b", Kind::Raw("void*")),
    size("ldb"),
    STREAM,
];
const TRMM: &[Arg] = &[SIDE, UPLO, TRANS_A, DIAG, M, N, ALPHA, A, B, C_, BATCH];
const DOT_EX: &[Arg] = &[
    N,
    opaque("x", "incx"),
    opaque("y", "incy"),
    BATCH,
    arg("result", Kind::Out(Ty::Void)),
    ty("result_type"),
    ty("execution_type"),
];
const GROUPED_GEMM: &[Arg] = &[
    GROUP_TRANS_A,
    GROUP_TRANS_B,
    group_size("m"),
    group_size("n"),
    group_size("k"),
    ALPHA,
    arg("a", Kind::Array(Ty::T)),
    group_size("lda"),
    arg("b", Kind::Array(Ty::T)),
    group_size("ldb"),
    BETA,
    arg("c", Kind::Array(Ty::T)),
    group_size("ldc"),
    size("group_count"),
    group_size("group_size"),
];
const GROUPED_GEMM_EX: &[Arg] = &[
    GROUP_TRANS_A,
    GROUP_TRANS_B,
    group_size("m"),
    group_size("n"),
    group_size("k"),
    VOID_ALPHA,
    arg("a", Kind::Array(Ty::Void)),
    ty("a_type"),
    group_size("lda"),
    arg("b", Kind::Array(Ty::Void)),
    ty("b_type"),
    group_size("ldb"),
    VOID_BETA,
    arg("c", Kind::Array(Ty::Void)),
    ty("c_type"),
    group_size("ldc"),
    arg("d", Kind::Array(Ty::Void)),
    ty("d_type"),
    group_size("ldd"),
    size("group_count"),
    group_size("group_size"),
    arg("compute", Kind::Compute),
    ALGO,
    arg("flags", Kind::Flags),
];
const fn without_last(args: &'static [Arg]) -> &'static [Arg] {
    args.split_at(args.len() - 1).0
}
const SYRK_EX: &[Arg] =
    &[UPLO, TRANS_A, N, K, VOID_ALPHA, ex("a", "lda"), VOID_BETA, ex("c", "ldc"), BATCH, ty("compute_type")];
const RANK_2K: &[Arg] = &[UPLO, TRANS_A, N, K, ALPHA, A, B, BETA, C_, BATCH];
const HERMITIAN_2K: &[Arg] = &[UPLO, TRANS_A, N, K, ALPHA, A, B, REAL_BETA, C_, BATCH];
const SYMV: &[Arg] = &[UPLO, N, ALPHA, A, X, BETA, Y, BATCH];
const SBMV: &[Arg] = &[UPLO, N, K, ALPHA, A, X, BETA, Y, BATCH];
const SPMV: &[Arg] = &[UPLO, N, ALPHA, AP, X, BETA, Y, BATCH];
const GER: &[Arg] = &[M, N, ALPHA, X, Y, A, BATCH];
const TRMV: &[Arg] = &[UPLO, TRANS_A, DIAG, N, A, X, BATCH];
const TBMV: &[Arg] = &[UPLO, TRANS_A, DIAG, N, K, A, X, BATCH];
const TPMV: &[Arg] = &[UPLO, TRANS_A, DIAG, N, AP, X, BATCH];
const SYMM: &[Arg] = &[SIDE, UPLO, M, N, ALPHA, A, B, BETA, C_, BATCH];
const DOT: &[Arg] = &[N, X, Y, BATCH, arg("result", Kind::Out(Ty::T))];
const NRM2: &[Arg] = &[N, X, BATCH, arg("result", Kind::Out(Ty::Real))];
const AMAX: &[Arg] = &[N, X, BATCH, arg("result", Kind::Out(Ty::Index))];
const fn each(name: &'static str, ty: Ty) -> Arg {
    arg(name, Kind::Array(ty))
}

/// A function of 3.7 over groups of batches.
const fn grouped(family: Family) -> Family {
    Family {
        forms: [false, true, false],
        since: 1002,
        wide_since: Some(1002),
        abis: [Abi::V3, Abi::V3],
        ..family
    }
}

/// A function with one problem that came after 3.2 and before 3.4: the release notes that are public do not say when.
const fn in_3_3(family: Family) -> Family {
    Family { forms: [true, false, false], since: 709, abis: [Abi::V3, Abi::V3], ..family }
}

/// The table.
pub static FAMILIES: &[Family] = &[
    aux("Create", 500, &[arg("handle_out", Kind::Raw("hipblasHandle_t*"))]),
    aux("Destroy", 500, &[]),
    aux("SetStream", 500, &[STREAM]),
    aux("GetStream", 500, &[arg("stream", Kind::Raw("hipStream_t*"))]),
    aux("SetPointerMode", 500, &[arg("mode", Kind::Enum("hipblasPointerMode_t"))]),
    aux("GetPointerMode", 500, &[arg("mode", Kind::Raw("hipblasPointerMode_t*"))]),
    aux("SetAtomicsMode", 500, &[arg("mode", Kind::Enum("hipblasAtomicsMode_t"))]),
    aux("GetAtomicsMode", 500, &[arg("mode", Kind::Raw("hipblasAtomicsMode_t*"))]),
    aux("SetMathMode", 601, &[arg("mode", Kind::Enum("hipblasMath_t"))]),
    aux("GetMathMode", 601, &[arg("mode", Kind::Raw("hipblasMath_t*"))]),
    only_in(
        Abi::V0,
        Abi::V0,
        "SetInt8Datatype",
        "",
        aux("SetInt8Datatype", 504, &[arg("mode", Kind::Enum("hipblasInt8Datatype_t"))]),
    ),
    only_in(
        Abi::V0,
        Abi::V0,
        "GetInt8Datatype",
        "",
        aux("GetInt8Datatype", 504, &[arg("mode", Kind::Raw("hipblasInt8Datatype_t*"))]),
    ),
    aux("SetWorkspace", 700, &[arg("workspace", Kind::Raw("void*")), arg("bytes", Kind::Raw("size_t"))]),
    aux("SetVector", 500, without_last(COPY_VECTOR)),
    aux("GetVector", 500, without_last(COPY_VECTOR)),
    aux("SetVectorAsync", 500, COPY_VECTOR),
    aux("GetVectorAsync", 500, COPY_VECTOR),
    aux("SetMatrix", 500, without_last(COPY_MATRIX)),
    aux("GetMatrix", 500, without_last(COPY_MATRIX)),
    aux("SetMatrixAsync", 500, COPY_MATRIX),
    aux("GetMatrixAsync", 500, COPY_MATRIX),
    aux("StatusToString", 500, &[arg("status", Kind::Enum("hipblasStatus_t"))]),
    //
    one("amax", INDEX, AMAX),
    one("amin", INDEX, AMAX),
    one("asum", NORM, NRM2),
    one("axpy", HSDCZ, &[N, ALPHA, X, Y, BATCH]),
    one("copy", SDCZ, &[N, X, Y, BATCH]),
    one("dot", HBFSD, DOT),
    one("dotc", CZ, DOT),
    one("dotu", CZ, DOT),
    one("nrm2", NORM, NRM2),
    one(
        "rot",
        WITH_REAL,
        &[N, X, Y, arg("c", Kind::Scalar(Ty::Real)), arg("s", Kind::Scalar(Ty::Second)), BATCH],
    ),
    one("rotg", SDCZ, &[each("a", Ty::T), each("b", Ty::T), each("c", Ty::Real), each("s", Ty::T), BATCH]),
    one("rotm", SD, &[N, X, Y, each("param", Ty::T), BATCH]),
    one(
        "rotmg",
        SD,
        &[
            each("d1", Ty::T),
            each("d2", Ty::T),
            each("x1", Ty::T),
            each("y1", Ty::T),
            each("param", Ty::T),
            BATCH,
        ],
    ),
    one("scal", WITH_REAL, &[N, arg("alpha", Kind::Scalar(Ty::Second)), X, BATCH]),
    one("swap", SDCZ, &[N, X, Y, BATCH]),
    //
    two("gbmv", SDCZ, &[TRANS, M, N, KL, KU, ALPHA, A, X, BETA, Y, BATCH]),
    two("gemv", SDCZ, &[TRANS, M, N, ALPHA, A, X, BETA, Y, BATCH]),
    two("ger", SD, GER),
    two("geru", CZ, GER),
    two("gerc", CZ, GER),
    two("hbmv", CZ, SBMV),
    two("hemv", CZ, SYMV),
    two("her", CZ, &[UPLO, N, REAL_ALPHA, X, A, BATCH]),
    two("her2", CZ, &[UPLO, N, ALPHA, X, Y, A, BATCH]),
    two("hpmv", CZ, SPMV),
    two("hpr", CZ, &[UPLO, N, REAL_ALPHA, X, AP, BATCH]),
    two("hpr2", CZ, &[UPLO, N, ALPHA, X, Y, AP, BATCH]),
    two("sbmv", SD, SBMV),
    two("spmv", SD, SPMV),
    two("spr", SDCZ, &[UPLO, N, ALPHA, X, AP, BATCH]),
    two("spr2", SD, &[UPLO, N, ALPHA, X, Y, AP, BATCH]),
    two("symv", SDCZ, SYMV),
    two("syr", SDCZ, &[UPLO, N, ALPHA, X, A, BATCH]),
    two("syr2", SDCZ, &[UPLO, N, ALPHA, X, Y, A, BATCH]),
    two("tbmv", SDCZ, TBMV),
    two("tbsv", SDCZ, TBMV),
    two("tpmv", SDCZ, TPMV),
    two("tpsv", SDCZ, TPMV),
    two("trmv", SDCZ, TRMV),
    two("trsv", SDCZ, TRMV),
    //
    Family {
        stride: "long long",
        ..three("gemm", HSDCZ, &[TRANS_A, TRANS_B, M, N, K, ALPHA, A, B, BETA, C_, BATCH])
    },
    three("symm", SDCZ, SYMM),
    three("hemm", CZ, SYMM),
    three("syrk", SDCZ, &[UPLO, TRANS_A, N, K, ALPHA, A, BETA, C_, BATCH]),
    three("herk", CZ, &[UPLO, TRANS_A, N, K, REAL_ALPHA, A, REAL_BETA, C_, BATCH]),
    three("syr2k", SDCZ, RANK_2K),
    three("her2k", CZ, HERMITIAN_2K),
    three("syrkx", SDCZ, RANK_2K),
    three("herkx", CZ, HERMITIAN_2K),
    only_in(Abi::V2, Abi::V3, "trmm", "", three("trmm", SDCZ, TRMM)),
    only_in(
        Abi::V0,
        Abi::V1,
        "trmm",
        "",
        row(
            Level::Three,
            "trmm_in_place",
            SDCZ,
            None,
            &[SIDE, UPLO, TRANS_A, DIAG, M, N, ALPHA, A, B, BATCH],
        ),
    ),
    only_in(
        Abi::V1,
        Abi::V1,
        "trmmOutofplace",
        "",
        Family { since: 506, ..row(Level::Three, "trmm_out_of_place", SDCZ, None, TRMM) },
    ),
    three("trsm", SDCZ, &[SIDE, UPLO, TRANS_A, DIAG, M, N, ALPHA, A, B, BATCH]),
    row(Level::Three, "trtri", SDCZ, None, &[UPLO, DIAG, N, A, mat("inv", "ldinv"), BATCH]),
    three("geam", SDCZ, &[TRANS_A, TRANS_B, M, N, ALPHA, A, BETA, B, C_, BATCH]),
    three("dgmm", SDCZ, &[SIDE, M, N, A, X, C_, BATCH]),
    //
    ex_row(
        "axpy_ex",
        "Axpy",
        Some(602),
        &[
            N,
            VOID_ALPHA,
            ty("alpha_type"),
            opaque("x", "incx"),
            opaque("y", "incy"),
            BATCH,
            ty("execution_type"),
        ],
    ),
    ex_row("dot_ex", "Dot", Some(602), DOT_EX),
    ex_row("dotc_ex", "Dotc", Some(602), DOT_EX),
    ex_row(
        "nrm2_ex",
        "Nrm2",
        Some(602),
        &[
            N,
            opaque("x", "incx"),
            BATCH,
            arg("result", Kind::Out(Ty::Void)),
            ty("result_type"),
            ty("execution_type"),
        ],
    ),
    ex_row(
        "rot_ex",
        "Rot",
        Some(602),
        &[
            N,
            opaque("x", "incx"),
            opaque("y", "incy"),
            arg("c", Kind::Scalar(Ty::Void)),
            arg("s", Kind::Scalar(Ty::Void)),
            ty("cs_type"),
            BATCH,
            ty("execution_type"),
        ],
    ),
    ex_row(
        "scal_ex",
        "Scal",
        Some(602),
        &[N, VOID_ALPHA, ty("alpha_type"), opaque("x", "incx"), BATCH, ty("execution_type")],
    ),
    ex_row("gemm_ex", "Gemm", Some(603), without_last(GEMM_EX)),
    Family { since: 600, suffix: "ExWithFlags", ..ex_row("gemm_ex_with_flags", "Gemm", Some(603), GEMM_EX) },
    ex_row(
        "trsm_ex",
        "Trsm",
        None,
        &[
            SIDE,
            UPLO,
            TRANS_A,
            DIAG,
            M,
            N,
            VOID_ALPHA,
            arg("a", Kind::Untyped("lda")),
            arg("b", Kind::Untyped("ldb")),
            BATCH,
            arg("inv_a", Kind::Inverse),
            ty("compute_type"),
        ],
    ),
    //
    solver("getrf", 500, &[N, A, IPIV, INFO, BATCH]),
    solver("getrs", 500, &[TRANS, N, NRHS, A, IPIV, B, INFO, BATCH]),
    Family { forms: [false, true, false], ..solver("getri", 500, &[N, A, IPIV, C_, INFO, BATCH]) },
    solver("geqrf", 500, &[M, N, A, each("tau", Ty::T), INFO, BATCH]),
    solver("gels", 504, &[TRANS, M, N, NRHS, A, B, INFO, arg("device_info", Kind::Out(Ty::Int)), BATCH]),
    //
    in_3_3(ex_row("syrk_ex", "Syrk", None, SYRK_EX)),
    in_3_3(ex_row("herk_ex", "Herk", None, SYRK_EX)),
    aux("GetVersion", 714, &[arg("version", Kind::Raw("int*"))]),
    aux(
        "GetProperty",
        714,
        &[arg("property", Kind::Enum("hipblasLibraryProperty_t")), arg("value", Kind::Raw("int*"))],
    ),
    aux("SetBatchAlphaStride", 714, &[arg("stride", Kind::Raw("int64_t"))]),
    aux("GetBatchAlphaStride", 714, &[arg("stride", Kind::Raw("int64_t*"))]),
    aux("SetBatchBetaStride", 714, &[arg("stride", Kind::Raw("int64_t"))]),
    aux("GetBatchBetaStride", 714, &[arg("stride", Kind::Raw("int64_t*"))]),
    grouped(Family { stem: "gemmGrouped", ..row(Level::Three, "gemm_grouped", SD, None, GROUPED_GEMM) }),
    grouped(ex_row("gemm_grouped_ex", "GemmGrouped", None, without_last(GROUPED_GEMM_EX))),
    grouped(Family {
        suffix: "ExWithFlags",
        ..ex_row("gemm_grouped_ex_with_flags", "GemmGrouped", None, GROUPED_GEMM_EX)
    }),
];
