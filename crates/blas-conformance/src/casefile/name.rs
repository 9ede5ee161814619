//! Names of BLAS calls: from `cblas_zdotc_sub` to the routine, its form and its type.

use blas_api::{DType, Routine};

/// What distinguishes calls of one routine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The routine as it is.
    Plain,
    /// Complex vectors with real coefficients: csscal, zdscal, csrot, zdrot.
    RealCoef,
    /// CBLAS's complex dots, which return through their last argument.
    Sub,
    /// sdsdot: a coefficient first, and the result rounded to f32.
    Sdsdot,
    /// gemmt, gemmtr: `syrkx` with two transposes.
    Gemmtr,
}

/// A BLAS name taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CallName {
    pub(super) routine: Routine,
    pub(super) form: Form,
    /// Type of the name's letter.
    pub(super) dtype: DType,
    /// Whether the first argument is a layout.
    pub(super) layout: bool,
}

impl CallName {
    /// Reads a name of the given API, `f77` or `cblas`.
    pub(super) fn parse(api: &str, name: &str) -> Result<CallName, String> {
        let unknown = || format!("{name:?} is not a {api} name of a routine");
        let lower = name.to_ascii_lowercase();
        let (cblas, short) = match api {
            "f77" => (false, lower.trim_end_matches('_')),
            "cblas" => (true, lower.strip_prefix("cblas_").ok_or_else(unknown)?),
            other => return Err(format!("input.api is {other:?}, must be \"f77\" or \"cblas\"")),
        };
        let (short, sub) = match short.strip_suffix("_sub") {
            Some(s) if cblas => (s, true),
            _ => (short, false),
        };
        let (dtype, routine, form) = taken_apart(short).ok_or_else(unknown)?;
        let complex_dot = matches!(routine, Routine::Dot | Routine::Dotc) && dtype.is_complex();
        if sub != (cblas && complex_dot) {
            return Err(unknown());
        }
        let layout = cblas && routine.level() != blas_api::Level::One;
        Ok(CallName { routine, form: if sub { Form::Sub } else { form }, dtype, layout })
    }
}

/// Type, routine and form of a name in lower case without the API's ornaments.
fn taken_apart(name: &str) -> Option<(DType, Routine, Form)> {
    match name {
        "dsdot" => return Some((DType::F32, Routine::Dsdot, Form::Plain)),
        "sdsdot" => return Some((DType::F32, Routine::Dsdot, Form::Sdsdot)),
        _ => {}
    }
    if let Some(rest) = name.strip_prefix('i') {
        let (letter, base) = rest.split_at_checked(1)?;
        let routine = match base {
            "amax" => Routine::Iamax,
            "amin" => Routine::Iamin,
            _ => return None,
        };
        return Some((dtype(letter)?, routine, Form::Plain));
    }
    let (two, base) = name.split_at_checked(2)?;
    let mixed = match (two, base) {
        ("sc", "nrm2" | "asum") => Some((DType::C32, Form::Plain)),
        ("dz", "nrm2" | "asum") => Some((DType::C64, Form::Plain)),
        ("cs", "scal" | "rot") => Some((DType::C32, Form::RealCoef)),
        ("zd", "scal" | "rot") => Some((DType::C64, Form::RealCoef)),
        _ => None,
    };
    if let Some((dtype, form)) = mixed {
        return Some((dtype, base.parse().ok()?, form));
    }
    let (letter, base) = name.split_at_checked(1)?;
    let dtype = dtype(letter)?;
    let (routine, form) = match base {
        "dotu" if dtype.is_complex() => (Routine::Dot, Form::Plain),
        "dot" | "dotc" if dtype.is_complex() != (base == "dotc") => return None,
        "nrm2" | "asum" if dtype.is_complex() => return None,
        "gemmt" | "gemmtr" => (Routine::Syrkx, Form::Gemmtr),
        _ => (blas(base)?, Form::Plain),
    };
    let defined = form == Form::Gemmtr || routine.types().contains(&blas_api::Types::One(dtype));
    defined.then_some((dtype, routine, form))
}

/// A routine of the BLAS proper, whose argument order this format defines.
fn blas(base: &str) -> Option<Routine> {
    let extension = matches!(
        base.parse().ok()?,
        Routine::Iamax
            | Routine::Iamin
            | Routine::Dsdot
            | Routine::GemmEx
            | Routine::Syrkx
            | Routine::Herkx
            | Routine::Trtri
            | Routine::Geam
            | Routine::Dgmm
    );
    let routine: Routine = base.parse().ok()?;
    (!extension && routine.level() != blas_api::Level::Solver).then_some(routine)
}

fn dtype(letter: &str) -> Option<DType> {
    Some(match letter {
        "s" => DType::F32,
        "d" => DType::F64,
        "c" => DType::C32,
        "z" => DType::C64,
        _ => return None,
    })
}

/// The routine that does for another kind of type what `routine` does for its own: `ger` of complex types is `geru`,
/// the real form of `hemv` is `symv`. With real data the two agree.
pub(super) fn for_type(routine: Routine, dtype: DType) -> Routine {
    use Routine::*;
    let pairs = [
        (Ger, Geru),
        (Ger, Gerc),
        (Sbmv, Hbmv),
        (Spmv, Hpmv),
        (Spr2, Hpr2),
        (Dot, Dotc),
        (Symv, Hemv),
        (Syr, Her),
        (Spr, Hpr),
        (Syr2, Her2),
        (Symm, Hemm),
        (Syrk, Herk),
        (Syr2k, Her2k),
    ];
    let defined = |r: Routine| r.types().contains(&blas_api::Types::One(dtype));
    if defined(routine) {
        return routine;
    }
    let other = pairs.iter().find_map(|&(real, complex)| {
        if routine == real { Some(complex) } else { (routine == complex).then_some(real) }
    });
    other.filter(|&r| defined(r)).unwrap_or(routine)
}

/// Reads a `dtype` field: `"s,d,c,z"`, `"f16,bf16"`, `"s,d,c,z(her2)"` (complex types run as `her2`), `"s->d"` (a
/// mixed routine, run as its name says).
pub(super) fn dtypes(field: &str, own: DType) -> Result<(Vec<DType>, Option<String>), String> {
    let mut list = Vec::new();
    let mut complex_routine = None;
    for word in field.split(',').map(str::trim) {
        let word = match word.strip_suffix(')').and_then(|w| w.split_once('(')) {
            Some((word, routine)) => {
                complex_routine = Some(routine.trim().to_owned());
                word.trim()
            }
            None => word,
        };
        match word {
            "s" | "f32" => list.push(DType::F32),
            "d" | "f64" => list.push(DType::F64),
            "c" | "c32" => list.push(DType::C32),
            "z" | "c64" => list.push(DType::C64),
            "f16" => list.push(DType::F16),
            "bf16" => list.push(DType::BF16),
            "all" => list.extend([DType::F32, DType::F64, DType::C32, DType::C64]),
            mixed if mixed.contains("->") => list.push(own),
            other => return Err(format!("dtype: there is no type {other:?}")),
        }
    }
    let mut seen = Vec::new();
    list.retain(|t| {
        !seen.contains(t) && {
            seen.push(*t);
            true
        }
    });
    Ok((list, complex_routine))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(api: &str, name: &str) -> (Routine, Form, DType, bool) {
        let c = CallName::parse(api, name).unwrap();
        (c.routine, c.form, c.dtype, c.layout)
    }

    #[test]
    fn names_are_taken_apart() {
        use Form::*;
        assert_eq!(parse("f77", "dgemm"), (Routine::Gemm, Plain, DType::F64, false));
        assert_eq!(parse("f77", "ZDSCAL_"), (Routine::Scal, RealCoef, DType::C64, false));
        assert_eq!(parse("f77", "csrot"), (Routine::Rot, RealCoef, DType::C32, false));
        assert_eq!(parse("f77", "crot"), (Routine::Rot, Plain, DType::C32, false));
        assert_eq!(parse("f77", "scasum"), (Routine::Asum, Plain, DType::C32, false));
        assert_eq!(parse("f77", "sasum"), (Routine::Asum, Plain, DType::F32, false));
        assert_eq!(parse("f77", "drotmg"), (Routine::Rotmg, Plain, DType::F64, false));
        assert_eq!(parse("f77", "izamin"), (Routine::Iamin, Plain, DType::C64, false));
        assert_eq!(parse("f77", "dsdot"), (Routine::Dsdot, Plain, DType::F32, false));
        assert_eq!(parse("cblas", "cblas_zgemv"), (Routine::Gemv, Plain, DType::C64, true));
        assert_eq!(parse("cblas", "cblas_ddot"), (Routine::Dot, Plain, DType::F64, false));
        assert_eq!(parse("cblas", "cblas_cdotc_sub"), (Routine::Dotc, Sub, DType::C32, false));
        assert_eq!(parse("cblas", "cblas_dgemmt"), (Routine::Syrkx, Gemmtr, DType::F64, true));
    }

    #[test]
    fn other_names_are_errors() {
        for (api, name) in [
            ("f77", "dhemv"),
            ("f77", "zdot"),
            ("f77", "ddotc"),
            ("f77", "znrm2"),
            ("f77", "cblas_dgemm"),
            ("cblas", "dgemm"),
            ("cblas", "cblas_zdotc"),
            ("f77", "zdotc_sub"),
            ("f77", "dgetrf"),
            ("f77", "dgeam"),
            ("f77", "diamax"),
            ("f77", ""),
            ("f77", "é"),
            ("c", "dgemm"),
        ] {
            assert!(CallName::parse(api, name).is_err(), "{api} {name}");
        }
    }

    #[test]
    fn every_blas_routine_has_a_name() {
        let names = [
            "swap scal copy axpy axpby rot rotg gbmv symv syr spr syr2 trmv trsv tbmv tbsv tpmv tpsv gemv",
            "gemm symm syrk syr2k trmm trsm",
        ];
        for base in names.iter().flat_map(|n| n.split(' ')) {
            for letter in ["s", "d", "c", "z"] {
                assert!(CallName::parse("f77", &format!("{letter}{base}")).is_ok(), "{letter}{base}");
            }
        }
        for base in "dot nrm2 asum rotm rotmg ger sbmv spmv spr2".split(' ') {
            assert!(CallName::parse("f77", &format!("d{base}")).is_ok(), "{base}");
        }
        for base in "dotu dotc hemv hbmv hpmv geru gerc her hpr her2 hpr2 hemm herk her2k".split(' ') {
            assert!(CallName::parse("f77", &format!("z{base}")).is_ok(), "{base}");
        }
    }

    #[test]
    fn type_fields_are_read() {
        use DType::*;
        assert_eq!(dtypes("s,d", F64).unwrap(), (vec![F32, F64], None));
        assert_eq!(dtypes("f16, bf16,s", F64).unwrap(), (vec![F16, BF16, F32], None));
        assert_eq!(
            dtypes("s,d,c,z(her2)", F64).unwrap(),
            (vec![F32, F64, C32, C64], Some("her2".to_owned()))
        );
        assert_eq!(dtypes("s->d", F32).unwrap(), (vec![F32], None));
        assert!(dtypes("s,q", F64).is_err());
    }
}
