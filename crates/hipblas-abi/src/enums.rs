//! The enums of hipBLAS and HIP: names and numbers. None was ever renumbered within its type; the data types of hipBLAS
//! 0.x to 2.x are another type than those of 3.x (see [`old_data_type`] and [`data_type`]).

/// The C name of a constant: prefix and Rust name, or what stands in place of a name that Rust cannot have.
macro_rules! c_name {
    ($prefix:literal $name:ident) => {
        concat!($prefix, stringify!($name))
    };
    ($prefix:literal $name:ident $c:literal) => {
        concat!($prefix, $c)
    };
}

macro_rules! constants {
    ($(#[$doc:meta])* $module:ident: $c_type:literal, $prefix:literal {
        $($name:ident $(($c:literal))? = $value:literal),* $(,)?
    }) => {
        $(#[$doc])*
        pub mod $module {
            $(#[doc = concat!("`", c_name!($prefix $name $($c)?), "`")] pub const $name: i32 = $value;)*

            /// Name of the C type.
            pub const C_TYPE: &str = $c_type;

            /// C name and number of each.
            pub const ALL: &[(&str, i32)] = &[$((c_name!($prefix $name $($c)?), $value)),*];

            /// The C name of a number.
            pub fn name(value: i32) -> Option<&'static str> {
                ALL.iter().find(|(_, v)| *v == value).map(|(name, _)| *name)
            }
        }
    };
}

constants!(
    /// What a hipBLAS function returns.
    status: "hipblasStatus_t", "HIPBLAS_STATUS_" {
        SUCCESS = 0, NOT_INITIALIZED = 1, ALLOC_FAILED = 2, INVALID_VALUE = 3, MAPPING_ERROR = 4,
        EXECUTION_FAILED = 5, INTERNAL_ERROR = 6, NOT_SUPPORTED = 7, ARCH_MISMATCH = 8, HANDLE_IS_NULLPTR = 9,
        INVALID_ENUM = 10, UNKNOWN = 11,
    }
);
constants!(
    /// op(A).
    operation: "hipblasOperation_t", "HIPBLAS_OP_" { N = 111, T = 112, C = 113 }
);
constants!(
    /// Which triangle.
    fill: "hipblasFillMode_t", "HIPBLAS_FILL_MODE_" { UPPER = 121, LOWER = 122, FULL = 123 }
);
constants!(
    /// Whether the diagonal is stored.
    diag: "hipblasDiagType_t", "HIPBLAS_DIAG_" { NON_UNIT = 131, UNIT = 132 }
);
constants!(
    /// Which side the structured operand is on.
    side: "hipblasSideMode_t", "HIPBLAS_SIDE_" { LEFT = 141, RIGHT = 142, BOTH = 143 }
);
constants!(
    /// Where coefficients and scalar results are.
    pointer_mode: "hipblasPointerMode_t", "HIPBLAS_POINTER_MODE_" { HOST = 0, DEVICE = 1 }
);
constants!(
    /// Whether results may differ from run to run.
    atomics: "hipblasAtomicsMode_t", "HIPBLAS_ATOMICS_" { NOT_ALLOWED = 0, ALLOWED = 1 }
);
constants!(
    /// GEMM algorithm.
    gemm_algo: "hipblasGemmAlgo_t", "HIPBLAS_GEMM_" { DEFAULT = 160 }
);
constants!(
    /// GEMM flags, 2.x and later.
    gemm_flags: "hipblasGemmFlags_t", "HIPBLAS_GEMM_FLAGS_" {
        NONE = 0, USE_CU_EFFICIENCY = 2, FP16_ALT_IMPL = 4, CHECK_SOLUTION_INDEX = 8, FP16_ALT_IMPL_RNZ = 16,
    }
);
constants!(
    /// Math mode, 2.1 and later. AMD's library takes the first two.
    math: "hipblasMath_t", "HIPBLAS_" {
        DEFAULT_MATH = 0, XF32_XDL_MATH = 1, PEDANTIC_MATH = 2, TF32_TENSOR_OP_MATH = 3,
        MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 4, TENSOR_OP_MATH = 5,
    }
);
constants!(
    /// What a GEMM computes in, 2.x (`_v2`) and 3.x. Those from 100 are for hipBLASLt, which shares the type.
    compute: "hipblasComputeType_t", "HIPBLAS_COMPUTE_" {
        F16("16F") = 0, F16_PEDANTIC("16F_PEDANTIC") = 1, F32("32F") = 2, F32_PEDANTIC("32F_PEDANTIC") = 3,
        F32_FAST_16F("32F_FAST_16F") = 4, F32_FAST_16BF("32F_FAST_16BF") = 5, F32_FAST_TF32("32F_FAST_TF32") = 6,
        F64("64F") = 7, F64_PEDANTIC("64F_PEDANTIC") = 8, I32("32I") = 9, I32_PEDANTIC("32I_PEDANTIC") = 10,
        F32_FAST_8F_FNUZ("32F_FAST_8F_FNUZ") = 100, F32_FAST_8BF_FNUZ("32F_FAST_8BF_FNUZ") = 101,
        F32_FAST_8F8BF_FNUZ("32F_FAST_8F8BF_FNUZ") = 102, F32_FAST_8BF8F_FNUZ("32F_FAST_8BF8F_FNUZ") = 103,
    }
);
constants!(
    /// What `hipblasGetProperty` is asked for, 3.5 and later.
    property: "hipblasLibraryProperty_t", "HIPBLAS_" { MAJOR_VERSION = 0, MINOR_VERSION = 1, PATCH_LEVEL = 2 }
);
constants!(
    /// Layout of int8 matrices, 0.53 and 0.54.
    int8: "hipblasInt8Datatype_t", "HIPBLAS_INT8_DATATYPE_" { DEFAULT = 0, INT8 = 1, PACK_INT8X4("PACK_INT8x4") = 2 }
);
constants!(
    /// Data types of 0.x, 1.x and of the plain Ex functions of 2.x.
    old_data_type: "hipblasDatatype_t", "HIPBLAS_" {
        R_16F = 150, R_32F = 151, R_64F = 152, C_16F = 153, C_32F = 154, C_64F = 155,
        R_8I = 160, R_8U = 161, R_32I = 162, R_32U = 163, C_8I = 164, C_8U = 165, C_32I = 166, C_32U = 167,
        R_16B = 168, C_16B = 169, INVALID("DATATYPE_INVALID") = 255,
    }
);
constants!(
    /// Data types of 3.x and of the `_v2` functions of 2.x.
    data_type: "hipDataType", "HIP_" {
        R_32F = 0, R_64F = 1, R_16F = 2, R_8I = 3, C_32F = 4, C_64F = 5, C_16F = 6, C_8I = 7, R_8U = 8, C_8U = 9,
        R_32I = 10, C_32I = 11, R_32U = 12, C_32U = 13, R_16BF = 14, C_16BF = 15,
    }
);

/// A data type of 3.x as 0.x to 2.x number it.
pub fn to_old_data_type(new: i32) -> Option<i32> {
    PAIRS.iter().find(|(_, n)| *n == new).map(|(old, _)| *old)
}

/// A data type of 0.x to 2.x as 3.x numbers it.
pub fn from_old_data_type(old: i32) -> Option<i32> {
    PAIRS.iter().find(|(o, _)| *o == old).map(|(_, new)| *new)
}

const PAIRS: &[(i32, i32)] = {
    use {data_type as new, old_data_type as old};
    &[
        (old::R_16F, new::R_16F),
        (old::R_32F, new::R_32F),
        (old::R_64F, new::R_64F),
        (old::C_16F, new::C_16F),
        (old::C_32F, new::C_32F),
        (old::C_64F, new::C_64F),
        (old::R_8I, new::R_8I),
        (old::R_8U, new::R_8U),
        (old::R_32I, new::R_32I),
        (old::R_32U, new::R_32U),
        (old::C_8I, new::C_8I),
        (old::C_8U, new::C_8U),
        (old::C_32I, new::C_32I),
        (old::C_32U, new::C_32U),
        (old::R_16B, new::R_16BF),
        (old::C_16B, new::C_16BF),
    ]
};

/// Whether a data type of 3.x is complex.
pub const fn is_complex(new: i32) -> bool {
    use data_type::{C_8I, C_8U, C_16BF, C_16F, C_32F, C_32I, C_32U, C_64F};
    matches!(new, C_8I | C_8U | C_16BF | C_16F | C_32F | C_32I | C_32U | C_64F)
}

/// Size in bytes of an element of a data type of 3.x.
pub const fn size_of_data_type(new: i32) -> usize {
    use data_type::{C_8I, C_8U, C_32F, C_32I, C_32U, C_64F, R_8I, R_8U, R_16BF, R_16F, R_64F};
    match new {
        R_8I | R_8U => 1,
        R_16F | R_16BF | C_8I | C_8U => 2,
        R_64F | C_32F | C_32I | C_32U => 8,
        C_64F => 16,
        _ => 4,
    }
}

/// The compute type that a data type stands for in the GEMM functions of 0.x to 2.x.
pub fn compute_of_data_type(new: i32) -> Option<i32> {
    Some(match new {
        data_type::R_16F => compute::F16,
        data_type::R_32F | data_type::C_32F => compute::F32,
        data_type::R_64F | data_type::C_64F => compute::F64,
        data_type::R_32I => compute::I32,
        _ => return None,
    })
}

/// The data type that stands for a compute type in the GEMM functions of 0.x to 2.x, for a C of that type.
pub fn data_type_of_compute(compute_type: i32, c_is_complex: bool) -> Option<i32> {
    Some(match (compute_type, c_is_complex) {
        (compute::F16, false) => data_type::R_16F,
        (compute::F32, false) => data_type::R_32F,
        (compute::F32, true) => data_type::C_32F,
        (compute::F64, false) => data_type::R_64F,
        (compute::F64, true) => data_type::C_64F,
        (compute::I32, false) => data_type::R_32I,
        _ => return None,
    })
}
