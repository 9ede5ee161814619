//! Writes the C functions of hipBLAS from its ABI table: `exports.rs`.
//!
//! Each is exported as `compat_` and its name; the link script of a shared library gives it the names that the library's
//! ABI has (see `cargo xtask compat`). Ex functions are exported a second time as `compat_old_...`, with data types
//! numbered as before hipBLAS 3. Batched functions that may have coefficients for each entry go through `run_each`. An auxiliary function calls the function of its name in `auxiliary`.

use std::fmt::Write;

use hipblas_abi::{Elem, FAMILIES, Family, Form, Function, Kind, Level, Param, Part, Ty};

/// Rows whose batched functions take alpha, and beta, of each entry when a stride is set for them, from hipBLAS 3.5 (gemv
/// and ger) or 3.6 on, by AMD's release notes.
const EACH: [&str; 11] =
    ["gemv", "ger", "geru", "gerc", "symv", "hemv", "sbmv", "spmv", "syr", "scal", "scal_ex"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut out = String::new();
    for function in FAMILIES.iter().flat_map(Family::functions) {
        if function.family.level == Level::Aux {
            write_auxiliary(&mut out, &function)?;
            continue;
        }
        write_function(&mut out, &function, false)?;
        if function.family.level == Level::Ex {
            write_function(&mut out, &function, true)?;
        }
    }
    let dir = std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    std::fs::write(std::path::Path::new(&dir).join("exports.rs"), out)?;
    Ok(())
}

fn write_function(out: &mut String, function: &Function, old_types: bool) -> std::fmt::Result {
    let name = function.name();
    let params = function.params();
    let list: Vec<String> = params.iter().map(|p| format!("{}: {}", p.name, rust_type(p))).collect();
    let prefix = if old_types { "old_" } else { "" };
    // The two forms of trmm have the same name in different releases.
    let suffix = if function.family.name == "trmm_in_place" { "_in_place" } else { "" };
    writeln!(out, "#[unsafe(export_name = \"compat_{prefix}{name}{suffix}\")]")?;
    writeln!(
        out,
        "pub(super) unsafe extern \"C\" fn {prefix}{name}{suffix}({}) -> c_int {{",
        list.join(", ")
    )?;

    let elem = |e: Elem| format!("Elem::{e:?}");
    let types = match function.types() {
        Some(t) => format!("Some(({}, {}))", elem(t.elem), elem(t.second)),
        None => "None".to_owned(),
    };
    writeln!(
        out,
        "    static ENTRY: Entry = Entry {{ name: \"{name}\", types: {types}, form: Form::{:?}, wide: {} }};",
        function.form, function.wide
    )?;
    writeln!(out, "    let args = calls::{} {{", struct_name(function.family))?;
    for (i, arg) in function.family.args.iter().enumerate() {
        let value = field(function, i, &params, old_types);
        let value = if value == arg.name { value } else { format!("{}: {value}", arg.name) };
        writeln!(out, "        {value},")?;
    }
    writeln!(out, "    }};")?;
    writeln!(out, "    // SAFETY: the caller keeps the rules of hipBLAS for this function.")?;
    let each = function.form != Form::Plain && EACH.contains(&function.family.name);
    writeln!(out, "    unsafe {{ {}(handle, &ENTRY, args) }}\n}}", if each { "run_each" } else { "run" })
}

fn write_auxiliary(out: &mut String, function: &Function) -> std::fmt::Result {
    let name = function.name();
    let params = function.params();
    let list: Vec<String> = params.iter().map(|p| format!("{}: {}", p.name, rust_type(p))).collect();
    let values: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
    let snake: String = function.family.name.char_indices().fold(String::new(), |mut s, (i, c)| {
        if i > 0 && c.is_uppercase() {
            s.push('_');
        }
        s.push(c.to_ascii_lowercase());
        s
    });
    let call = format!("auxiliary::{snake}({})", values.join(", "));
    let (returns, body) = match function.returns() {
        "hipblasStatus_t" => ("c_int", format!("status_of(\"{name}\", || unsafe {{ {call} }})")),
        _ => ("*const c_char", format!("unsafe {{ {call} }}")),
    };
    writeln!(out, "#[unsafe(export_name = \"compat_{name}\")]")?;
    writeln!(out, "pub(super) unsafe extern \"C\" fn {name}({}) -> {returns} {{", list.join(", "))?;
    writeln!(out, "    // SAFETY: the caller keeps the rules of hipBLAS for this function.\n    {body}\n}}")
}

/// Rust name of a row, as hipblas-abi has it.
fn struct_name(family: &Family) -> String {
    let word = |w: &str| w[..1].to_uppercase() + &w[1..];
    family.name.split('_').map(word).collect()
}

/// The expression of a field from the function's parameters.
fn field(function: &Function, i: usize, params: &[Param], old_types: bool) -> String {
    let part = |part| params.iter().find(|p| p.arg == i && p.part == part);
    let value = part(Part::Value).map(|p| p.name.as_str());
    let int = |p: Option<&Param>, absent: &str| match p {
        Some(p) if rust_type(p) == "i64" => p.name.clone(),
        Some(p) => format!("i64::from({})", p.name),
        None => absent.to_owned(),
    };
    match function.family.args[i].kind {
        Kind::Batch => int(part(Part::Value), "1"),
        Kind::Size => int(part(Part::Value), "0"),
        Kind::Type if old_types => format!("new_type({})", value.unwrap_or_default()),
        Kind::Compute if old_types => format!("compute_type({})", value.unwrap_or_default()),
        Kind::Enum(_) | Kind::Type | Kind::Compute | Kind::Flags | Kind::Out(_) => {
            value.unwrap_or_default().to_owned()
        }
        Kind::Scalar(_) | Kind::Groups(_) => format!("{}.cast_const()", value.unwrap_or_default()),
        Kind::Raw(_) => unreachable!("only auxiliary functions have such arguments"),
        Kind::Operand(..)
        | Kind::Opaque(_)
        | Kind::Untyped(_)
        | Kind::Array(_)
        | Kind::Pivots
        | Kind::Inverse => {
            let dtype = match (part(Part::Type), function.types()) {
                (Some(p), _) if old_types => format!("new_type({})", p.name),
                (Some(p), _) => p.name.clone(),
                (None, Some(t)) if function.family.args[i].kind == Kind::Array(Ty::Real) => {
                    data_type(t.elem.real()).to_string()
                }
                (None, Some(t)) => data_type(t.elem).to_string(),
                (None, None) => "-1".to_owned(),
            };
            format!(
                "Operand {{ ptr: {}, dtype: {dtype}, ld: {}, stride: {} }}",
                value.unwrap_or_default(),
                int(part(Part::Ld), "1"),
                int(part(Part::Stride), "0"),
            )
        }
    }
}

fn data_type(elem: Elem) -> i32 {
    use hipblas_abi::data_type;
    match elem {
        Elem::F16 => data_type::R_16F,
        Elem::BF16 => data_type::R_16BF,
        Elem::F32 => data_type::R_32F,
        Elem::F64 => data_type::R_64F,
        Elem::C32 => data_type::C_32F,
        Elem::C64 => data_type::C_64F,
    }
}

fn rust_type(p: &Param) -> &'static str {
    match p.c_type.as_str() {
        "hipblasHandle_t" => "Handle",
        t if t.ends_with('*') => "*mut c_void",
        "hipStream_t" => "*mut c_void",
        "size_t" => "usize",
        "int64_t" | "hipblasStride" | "long long" => "i64",
        _ => "c_int",
    }
}
