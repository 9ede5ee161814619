//! The problems that are measured, and what they are called and counted as.

use super::protocol::{Dtype, Form, Problem, Routine};

/// Rows that are summed up together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub(super) enum Group {
    Gemm,
    Batched,
    Half,
    Level3,
    Level2,
    Level1,
}

impl Group {
    pub(super) const ALL: [Group; 6] =
        [Group::Gemm, Group::Batched, Group::Half, Group::Level3, Group::Level2, Group::Level1];

    /// As a heading.
    pub(super) fn title(self) -> &'static str {
        match self {
            Group::Gemm => "gemm",
            Group::Batched => "gemm, batched",
            Group::Half => "gemm, half types",
            Group::Level3 => "the rest of Level 3",
            Group::Level2 => "Level 2",
            Group::Level1 => "Level 1",
        }
    }
}

const TYPES: [Dtype; 4] = [Dtype::F32, Dtype::F64, Dtype::C32, Dtype::C64];

/// The whole grid, or a sample of it.
pub(super) fn problems(quick: bool) -> Vec<Problem> {
    use Routine::*;
    let types: &[Dtype] = if quick { &TYPES[..2] } else { &TYPES };
    let mut all = Vec::new();
    let mut add = |routine, dtype, form, [m, n, k]: [usize; 3], batch| {
        all.push(Problem { routine, dtype, form, m, n, k, batch });
    };
    let square = |n| [n, n, n];
    for &t in types {
        let sizes: &[usize] = if quick {
            &[8, 32, 128, 512]
        } else {
            &[8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 1024, 2048]
        };
        sizes.iter().for_each(|&n| add(Gemm, t, Form::N, square(n), 1));
        for form in [Form::T, Form::NT, Form::TT] {
            let sizes: &[usize] = if quick { &[256] } else { &[256, 1024] };
            sizes.iter().for_each(|&n| add(Gemm, t, form, square(n), 1));
        }
        [Form::Row, Form::Mixed].into_iter().for_each(|form| add(Gemm, t, form, square(512), 1));
        let skinny = [[4096, 16, 4096], [16, 4096, 4096], [2000, 2000, 16], [1, 4096, 4096]];
        skinny.into_iter().for_each(|size| add(Gemm, t, Form::N, size, 1));
    }
    for &t in types {
        [4, 8, 16, 32].into_iter().for_each(|n| add(Gemm, t, Form::N, square(n), 10_000));
    }
    [Dtype::F16, Dtype::Bf16].into_iter().for_each(|t| add(Gemm, t, Form::N, square(1024), 1));
    for routine in [Trsm, Trmm, Symm, Hemm, Syrk, Herk, Syr2k] {
        for &t in types.iter().filter(|t| is_complex(**t) || !matches!(routine, Hemm | Herk)) {
            let sizes: &[usize] = if quick { &[64, 256] } else { &[64, 256, 1024] };
            sizes.iter().for_each(|&n| add(routine, t, Form::N, square(n), 1));
        }
    }
    for (routine, form) in
        [(Gemv, Form::N), (Gemv, Form::T), (Ger, Form::N), (Symv, Form::N), (Trsv, Form::N), (Trmv, Form::N)]
    {
        for &t in types {
            let sizes: &[usize] = if quick { &[100, 1000] } else { &[100, 1000, 4000] };
            sizes.iter().for_each(|&n| add(routine, t, form, square(n), 1));
        }
    }
    for routine in [Axpy, Dot, Nrm2, Scal, Asum, Iamax, Copy] {
        for &t in types {
            [100, 10_000, 1_000_000].into_iter().for_each(|n| add(routine, t, Form::N, [n, 1, 1], 1));
        }
    }
    all
}

fn is_complex(t: Dtype) -> bool {
    matches!(t, Dtype::C32 | Dtype::C64)
}

impl Problem {
    pub(super) fn group(&self) -> Group {
        use Routine::*;
        match self.routine {
            Gemm if self.batch > 1 => Group::Batched,
            Gemm if matches!(self.dtype, Dtype::F16 | Dtype::Bf16) => Group::Half,
            Gemm => Group::Gemm,
            Trsm | Trmm | Symm | Hemm | Syrk | Herk | Syr2k => Group::Level3,
            Gemv | Ger | Symv | Trsv | Trmv => Group::Level2,
            Axpy | Dot | Nrm2 | Scal | Asum | Iamax | Copy => Group::Level1,
        }
    }

    /// Name of the row: `dgemm NT 256`.
    pub(super) fn name(&self) -> String {
        let complex = is_complex(self.dtype);
        let letter = match self.dtype {
            Dtype::F32 => "s",
            Dtype::F64 => "d",
            Dtype::C32 => "c",
            Dtype::C64 => "z",
            Dtype::F16 => "f16 ",
            Dtype::Bf16 => "bf16 ",
        };
        let routine = match self.routine {
            Routine::Ger if complex => "geru".to_owned(),
            Routine::Dot if complex => "dotu".to_owned(),
            Routine::Symv if complex => "hemv".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        let form = match (self.routine, self.form) {
            (Routine::Gemm, Form::N) => " NN",
            (Routine::Gemm, Form::T) => " TN",
            (_, Form::T) => " T",
            (Routine::Gemv, Form::N) => " N",
            (_, Form::N) => "",
            (_, Form::NT) => " NT",
            (_, Form::TT) => " TT",
            (_, Form::Row) => " row-major",
            (_, Form::Mixed) => " mixed layout",
        };
        let size = match self.group() {
            Group::Gemm if (self.m, self.n) != (self.n, self.k) => {
                format!("{}x{}x{}", self.m, self.n, self.k)
            }
            Group::Batched => format!("{} x {}", self.batch, self.m),
            _ => self.m.to_string(),
        };
        format!("{letter}{routine}{form} {size}")
    }

    /// Floating-point operations, or bytes read and written for Level 1.
    pub(super) fn work(&self) -> f64 {
        let [m, n, k] = [self.m as f64, self.n as f64, self.k as f64];
        let complex = is_complex(self.dtype);
        // A complex product is four real ones and two sums; a complex sum is two.
        let flops = |pairs: f64| if complex { 8.0 * pairs } else { 2.0 * pairs };
        let bytes = |moved: f64| moved * m * self.element() as f64;
        match self.routine {
            Routine::Gemm => flops(m * n * k) * self.batch as f64,
            Routine::Trsm | Routine::Trmm => flops(m * m * n / 2.0),
            Routine::Symm | Routine::Hemm => flops(m * m * n),
            Routine::Syrk | Routine::Herk => flops(m * m * k / 2.0),
            Routine::Syr2k => flops(m * m * k),
            Routine::Gemv => flops(m * k),
            Routine::Ger => flops(m * n),
            Routine::Symv => flops(m * m),
            Routine::Trsv | Routine::Trmv => flops(m * m / 2.0),
            Routine::Axpy => bytes(3.0),
            Routine::Dot | Routine::Scal | Routine::Copy => bytes(2.0),
            Routine::Nrm2 | Routine::Asum | Routine::Iamax => bytes(1.0),
        }
    }

    /// Size of an element in bytes.
    fn element(&self) -> usize {
        match self.dtype {
            Dtype::F16 | Dtype::Bf16 => 2,
            Dtype::F32 => 4,
            Dtype::F64 | Dtype::C32 => 8,
            Dtype::C64 => 16,
        }
    }

    /// Whether the parts are f64.
    pub(super) fn is_double(&self) -> bool {
        matches!(self.dtype, Dtype::F64 | Dtype::C64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_names_of_their_own() {
        let mut names: Vec<String> = problems(false).iter().map(Problem::name).collect();
        let n = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), n);
        assert!(names.contains(&"dgemm NT 256".to_owned()));
        assert!(problems(true).iter().all(|p| names.contains(&p.name())));
    }
}
