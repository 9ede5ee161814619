//! What `cargo xtask bench` and the process that measures say to each other: a JSON value a line, each request answered
//! by one line. (xtask includes this file too.)

use serde::{Deserialize, Serialize};

/// A problem to be measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Problem {
    /// What is computed.
    pub(crate) routine: Routine,
    /// Type of the elements.
    pub(crate) dtype: Dtype,
    /// Layout and transposition, where the routine has them.
    pub(crate) form: Form,
    /// Rows of the result; the length of a vector; the order of a square matrix.
    pub(crate) m: usize,
    /// Columns of the result.
    pub(crate) n: usize,
    /// Terms of a sum.
    pub(crate) k: usize,
    /// Number of products.
    pub(crate) batch: usize,
}

/// BLAS routines. Triangles are lower ones, sides left, diagonals not unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Routine {
    Axpy,
    Dot,
    Nrm2,
    Scal,
    Asum,
    Iamax,
    Copy,
    Gemv,
    Ger,
    /// hemv for complex types.
    Symv,
    Trsv,
    Trmv,
    Gemm,
    Trsm,
    Trmm,
    Symm,
    Hemm,
    Syrk,
    Herk,
    Syr2k,
}

/// Element types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Dtype {
    F32,
    F64,
    C32,
    C64,
    F16,
    Bf16,
}

/// How operands lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Form {
    /// Column-major, nothing transposed.
    N,
    /// Column-major, A transposed.
    T,
    /// Column-major, B transposed.
    NT,
    /// Column-major, both transposed.
    TT,
    /// All operands row-major.
    Row,
    /// A row-major, B and C column-major, as three owners of matrices may have it.
    Mixed,
}

/// A request.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Measure the peak of fused multiply-adds on one core. Answered by [`Answer::Peak`].
    Peak,
    /// Open a handle of blas-cpu and multiply two small matrices. Answered by [`Answer::Seconds`].
    FirstCall,
    /// Make operands and find how many calls make a sample. Answered by [`Answer::Libraries`].
    Prepare(Problem),
    /// Time calls of the library of this index. Answered by [`Answer::Seconds`].
    Sample(usize),
}

/// An answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// GFLOP/s in f32 and f64; None if the machine has no fused multiply-add that the loop knows.
    Peak(Option<[f64; 2]>),
    /// Indices, in the order of the command line, of the libraries that can solve the problem.
    Libraries(Vec<usize>),
    /// Seconds a call.
    Seconds(f64),
}
