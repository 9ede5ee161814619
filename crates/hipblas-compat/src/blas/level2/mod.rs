//! Level 2, one file a family (a Hermitian family is with its symmetric twin).

mod gemv;
