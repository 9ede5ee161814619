//! Writes the typed calls of the table: `calls.rs`.

#[allow(dead_code, unreachable_pub, reason = "the library's own modules, of which this uses a part")]
#[path = "src/function.rs"]
mod function;
#[allow(dead_code, unreachable_pub, reason = "as above")]
#[path = "src/table.rs"]
mod table;

use std::fmt::Write;

use function::{Form, Function, Param, Part};
use table::{FAMILIES, Family, Kind, Level, Ty};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=src/table.rs");
    println!("cargo::rerun-if-changed=src/function.rs");
    let mut out = String::new();
    for family in FAMILIES.iter().filter(|f| f.level != Level::Aux) {
        write_family(&mut out, family)?;
    }
    let dir = std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    std::fs::write(std::path::Path::new(&dir).join("calls.rs"), out)?;
    Ok(())
}

/// Rust name of a row: `gemm_ex` is `GemmEx`.
fn struct_name(family: &Family) -> String {
    let word = |w: &str| w[..1].to_uppercase() + &w[1..];
    family.name.split('_').map(word).collect()
}

fn write_family(out: &mut String, family: &'static Family) -> std::fmt::Result {
    let name = struct_name(family);
    writeln!(out, "/// Arguments of `{}`.", family.name)?;
    writeln!(out, "#[derive(Clone, Copy, PartialEq, Eq, Debug)]\npub struct {name} {{")?;
    for arg in family.args {
        let ty = match arg.kind {
            Kind::Enum(_) | Kind::Type | Kind::Compute | Kind::Flags => "c_int",
            Kind::Size | Kind::Batch => "i64",
            Kind::Scalar(_) | Kind::Groups(_) => "*const c_void",
            Kind::Out(_) => "*mut c_void",
            Kind::Operand(..)
            | Kind::Opaque(_)
            | Kind::Untyped(_)
            | Kind::Array(_)
            | Kind::Pivots
            | Kind::Inverse => "Operand",
            Kind::Raw(_) => continue,
        };
        writeln!(out, "    pub {}: {ty},", arg.name)?;
    }
    writeln!(out, "}}")?;

    let row = FAMILIES.iter().position(|f| std::ptr::eq(f, family)).unwrap_or_default();
    writeln!(out, "impl Arguments for {name} {{\n    const FAMILY: &'static str = {:?};", family.name)?;
    writeln!(out, "    const ROW: usize = {row};")?;
    writeln!(out, "    fn beyond_i32(&self, form: Form) -> Option<(&'static str, i64)> {{")?;
    writeln!(out, "        let plain = form == Form::Plain;\n        let sizes = [")?;
    let widest = Function { family, typing: 0, form: Form::Strided, wide: family.wide_since.is_some() };
    for p in widest.params().iter().filter(|p| p.arg != usize::MAX && is_size(family, p)) {
        let value = value(family, p);
        let value = if family.args[p.arg].kind == Kind::Batch {
            format!("if plain {{ 1 }} else {{ {value} }}")
        } else {
            value
        };
        writeln!(out, "            ({:?}, {value}),", p.name)?;
    }
    writeln!(out, "        ];\n        let _ = plain;")?;
    writeln!(
        out,
        "        sizes.into_iter().find(|&(_, v): &(&str, i64)| i32::try_from(v).is_err())\n    }}"
    )?;

    let batch = if family.args.iter().any(|a| a.kind == Kind::Batch) { "batch" } else { "group_count" };
    writeln!(
        out,
        "    fn batch_count(&self) -> usize {{\n        usize::try_from(self.{batch}).unwrap_or(0)\n    }}"
    )?;
    write_old_types(out, family)?;
    write_numbers(out, family)?;
    write_entry(out, family)?;

    writeln!(
        out,
        "    #[inline]\n    unsafe fn call(&self, function: *const c_void, handle: Handle, form: Form, wide: bool) -> c_int {{"
    )?;
    writeln!(out, "        // SAFETY: the caller's promise about the function, and so about its type.")?;
    writeln!(out, "        unsafe {{ match (form, wide) {{")?;
    for form in Form::ALL.into_iter().filter(|&f| family.forms[f as usize]) {
        for wide in [false, true] {
            if wide && family.wide_since.is_none() {
                continue;
            }
            let params = Function { family, typing: 0, form, wide }.params();
            let types: Vec<&str> = params.iter().map(rust_type).collect();
            let values: Vec<String> = params.iter().map(|p| argument(family, p)).collect();
            writeln!(out, "            (Form::{form:?}, {wide}) => {{")?;
            writeln!(
                out,
                "                let f: unsafe extern \"C\" fn({}) -> c_int = std::mem::transmute(function);",
                types.join(", ")
            )?;
            writeln!(out, "                f({})\n            }}", values.join(", "))?;
        }
    }
    writeln!(
        out,
        "            #[allow(unreachable_patterns)]\n            _ => crate::status::NOT_SUPPORTED,"
    )?;
    writeln!(out, "        }} }}\n    }}\n}}")
}

/// Writes the translation of data types. Compute types were data types too: those of C, real or complex.
fn write_old_types(out: &mut String, family: &'static Family) -> std::fmt::Result {
    let mut fields = String::new();
    for arg in family.args {
        let name = arg.name;
        match arg.kind {
            Kind::Operand(Ty::Void, _) | Kind::Opaque(_) => writeln!(
                fields,
                "            {name}: Operand {{ dtype: crate::to_old_data_type(self.{name}.dtype)?, ..self.{name} }},"
            )?,
            Kind::Type => writeln!(fields, "            {name}: crate::to_old_data_type(self.{name})?,")?,
            Kind::Compute => writeln!(
                fields,
                "            {name}: crate::to_old_data_type(crate::data_type_of_compute(\n                \
                 self.{name}, crate::is_complex(self.c.dtype))?)?,"
            )?,
            _ => {}
        }
    }
    let value = if fields.is_empty() {
        "*self".to_owned()
    } else {
        format!("Self {{\n{fields}            ..*self\n        }}")
    };
    writeln!(out, "    fn with_old_types(&self) -> Option<Self> {{\n        Some({value})\n    }}")
}

/// Writes the translation of enums.
fn write_numbers(out: &mut String, family: &'static Family) -> std::fmt::Result {
    let mut fields = String::new();
    for arg in family.args {
        let method = match arg.kind {
            Kind::Enum("hipblasOperation_t") => "operation",
            Kind::Enum("hipblasFillMode_t") => "fill",
            Kind::Enum("hipblasDiagType_t") => "diag",
            Kind::Enum("hipblasSideMode_t") => "side",
            Kind::Enum("hipblasGemmAlgo_t") => "gemm_algo",
            Kind::Compute => "compute",
            _ => continue,
        };
        writeln!(fields, "            {0}: N::{method}(self.{0}),", arg.name)?;
    }
    write_method(out, "fn with_numbers<N: Numbers>(&self) -> Self", &fields)
}

/// Writes how an entry of a batch is taken out of it.
fn write_entry(out: &mut String, family: &'static Family) -> std::fmt::Result {
    let size = |ty, of: String| match ty {
        Ty::T => "t.size()".to_owned(),
        Ty::Real => "t.real().size()".to_owned(),
        Ty::Second => "second.size()".to_owned(),
        Ty::Void => format!("crate::size_of_data_type({of})"),
        Ty::Int | Ty::Index => "4".to_owned(),
    };
    let mut fields = String::new();
    for arg in family.args {
        let name = arg.name;
        let size = match arg.kind {
            Kind::Operand(ty, _) | Kind::Array(ty) => size(ty, format!("self.{name}.dtype")),
            Kind::Opaque(_) => size(Ty::Void, format!("self.{name}.dtype")),
            Kind::Untyped(_) | Kind::Inverse => size(Ty::Void, "self.compute_type".to_owned()),
            Kind::Pivots => size(Ty::Int, String::new()),
            Kind::Out(ty) => {
                let size = if ty == Ty::Index {
                    "if self.beyond_i32(Form::Plain).is_some() { 8 } else { 4 }".to_owned()
                } else {
                    size(ty, "self.result_type".to_owned())
                };
                writeln!(fields, "            {name}: self.{name}.wrapping_byte_add(i * {{ {size} }}),")?;
                continue;
            }
            _ => continue,
        };
        writeln!(
            fields,
            "            {name}: Operand {{ ptr: at(self.{name}, {size}), stride: 0, ..self.{name} }},"
        )?;
    }
    let prelude = if family.types.is_empty() {
        "let _ = (i, types);"
    } else {
        "let (t, second) = types.unwrap_or((Elem::F32, Elem::F32));\n        let _ = (i, t, second);"
    };
    writeln!(
        out,
        "    fn entry(\n        &self, i: usize, types: Option<(Elem, Elem)>, mut at: impl FnMut(Operand, usize) -> *mut c_void,\n    \
         ) -> Self {{\n        {prelude}\n        Self {{\n{fields}            ..*self\n        }}\n    }}"
    )
}

/// Writes a method that gives the struct with some fields changed.
fn write_method(out: &mut String, signature: &str, fields: &str) -> std::fmt::Result {
    let value = if fields.is_empty() {
        "*self".to_owned()
    } else {
        format!("Self {{\n{fields}            ..*self\n        }}")
    };
    writeln!(out, "    {signature} {{\n        {value}\n    }}")
}

/// Whether a parameter is an `int` that `_64` functions widen.
fn is_size(family: &Family, p: &Param) -> bool {
    match family.args[p.arg].kind {
        Kind::Size | Kind::Batch => true,
        Kind::Operand(..) | Kind::Opaque(_) | Kind::Untyped(_) | Kind::Inverse => p.part == Part::Ld,
        _ => false,
    }
}

/// The expression of a parameter's value, as the struct has it.
fn value(family: &Family, p: &Param) -> String {
    let arg = &family.args[p.arg];
    let field = match (arg.kind, p.part) {
        (
            Kind::Operand(..)
            | Kind::Opaque(_)
            | Kind::Untyped(_)
            | Kind::Array(_)
            | Kind::Pivots
            | Kind::Inverse,
            part,
        ) => match part {
            Part::Value => ".ptr",
            Part::Type => ".dtype",
            Part::Ld => ".ld",
            Part::Stride => ".stride",
        },
        _ => "",
    };
    format!("self.{}{field}", arg.name)
}

/// The expression of a parameter's value, as the function takes it.
fn argument(family: &Family, p: &Param) -> String {
    if p.arg == usize::MAX {
        return "handle".to_owned();
    }
    let value = value(family, p);
    match (family.args[p.arg].kind, rust_type(p)) {
        (Kind::Scalar(_) | Kind::Groups(_), _) => format!("{value}.cast_mut()"),
        (_, "c_int") if is_size(family, p) => format!("{value} as c_int"),
        _ => value,
    }
}

fn rust_type(p: &Param) -> &'static str {
    match p.c_type.as_str() {
        "hipblasHandle_t" => "Handle",
        t if t.ends_with('*') => "*mut c_void",
        "int64_t" | "hipblasStride" | "long long" => "i64",
        _ => "c_int",
    }
}
