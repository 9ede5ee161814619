//! One line of a case file, read and checked in form; see `data/README.md` for the format.

use blas_api::DType;
use serde_json::{Map, Value as Json};

use super::name::{CallName, dtypes};

/// Real and imaginary part of a number of the file.
pub(super) type Parts = [f64; 2];

/// One argument as the file gives it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// An integer.
    Int(i64),
    /// A character.
    Char(char),
    /// A floating-point scalar.
    Scalar(Parts),
    /// A floating-point array.
    Array(Vec<Parts>),
}

/// A named argument.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) value: Value,
}

/// A number that a result must equal. None is not checked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Want {
    /// A real number.
    Real(Option<f64>),
    /// The two parts of a complex number.
    Pair([Option<f64>; 2]),
}

impl Want {
    /// The parts that are checked.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        match self {
            Want::Real(v) => std::slice::from_mut(v).iter_mut().flatten(),
            Want::Pair(p) => p.as_mut_slice().iter_mut().flatten(),
        }
    }
}

/// Values that an array must have after the call.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Expected {
    pub(super) name: String,
    pub(super) values: Vec<Want>,
}

/// One line of a case file.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    pub(super) call: CallName,
    pub(super) arguments: Vec<Argument>,
    pub(super) arrays: Vec<Expected>,
    pub(super) returns: Option<Want>,
    /// The call must be refused, and write nothing.
    pub(super) refused: bool,
    pub(super) tol: f64,
    /// Further values that the row declares acceptable for its one array.
    pub(super) accepted: Vec<Expected>,
    /// Types that the row is run for, with the routine that takes the complex ones where it is another.
    pub(super) dtypes: Vec<DType>,
    pub(super) complex_routine: Option<String>,
}

/// The id of a line, for reports: also of one that is otherwise malformed.
pub(super) fn id(line: &Json, number: usize) -> String {
    line.get("id").and_then(Json::as_str).map_or_else(|| format!("line {number}"), str::to_owned)
}

impl Row {
    /// Reads a line.
    pub(super) fn read(line: &Json) -> Result<Row, String> {
        let input = object(line, "input")?;
        let api = text(input.get("api"), "input.api")?;
        let call = CallName::parse(api, text(input.get("call"), "input.call")?)?;
        let arguments = list(input.get("args"), "input.args")?
            .iter()
            .enumerate()
            .map(|(i, a)| argument(a).map_err(|e| format!("argument {}: {e}", i + 1)))
            .collect::<Result<Vec<_>, _>>()?;
        let expected = object(line, "expected")?;
        let refused = match expected.get("error") {
            None => false,
            Some(Json::Bool(b)) => *b,
            Some(other) => return Err(format!("expected.error is {other}, must be true or false")),
        };
        let tol = match expected.get("tol") {
            None => 0.0,
            Some(t) => t.as_f64().filter(|t| *t >= 0.0).ok_or("expected.tol is not a number >= 0")?,
        };
        let mut arrays = Vec::new();
        let mut returns = expected.get("return").map(want).transpose()?;
        if expected.contains_key("out") || !refused {
            for (name, value) in object_of(expected.get("out"), "expected.out")? {
                if name == "return" {
                    returns = Some(want(value)?);
                } else {
                    arrays.push(expected_array(name, value, &arguments)?);
                }
            }
        }
        if arrays.is_empty() && returns.is_none() && !refused {
            return Err("the row checks nothing".to_owned());
        }
        let (dtypes, complex_routine) = match line.get("dtype") {
            None | Some(Json::Null) => (vec![call.dtype], None),
            some => dtypes(text(some, "dtype")?, call.dtype)?,
        };
        let accepted = accepted(line, &arrays);
        Ok(Row { call, arguments, arrays, returns, refused, tol, accepted, dtypes, complex_routine })
    }
}

fn object<'a>(line: &'a Json, key: &str) -> Result<&'a Map<String, Json>, String> {
    object_of(line.get(key), key)
}

fn object_of<'a>(value: Option<&'a Json>, key: &str) -> Result<&'a Map<String, Json>, String> {
    value.and_then(Json::as_object).ok_or_else(|| format!("{key} is missing or not an object"))
}

fn list<'a>(value: Option<&'a Json>, key: &str) -> Result<&'a [Json], String> {
    let list = value.and_then(Json::as_array).ok_or_else(|| format!("{key} is missing or not a list"))?;
    Ok(list)
}

fn text<'a>(value: Option<&'a Json>, key: &str) -> Result<&'a str, String> {
    value.and_then(Json::as_str).ok_or_else(|| format!("{key} is missing or not a string"))
}

fn argument(json: &Json) -> Result<Argument, String> {
    let [name, kind, value] = json.as_array().map_or(&[][..], Vec::as_slice) else {
        return Err(format!("{json} is not [name, kind, value]"));
    };
    let name = text(Some(name), "its name")?.to_owned();
    let value = match text(Some(kind), "its kind")? {
        "i" => Value::Int(value.as_i64().ok_or_else(|| format!("{value} is not an integer"))?),
        "c" => {
            let mut chars = text(Some(value), "its value")?.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => Value::Char(c),
                _ => return Err(format!("{value} is not one character")),
            }
        }
        "s" => Value::Scalar(single(real(value)?)),
        "d" => Value::Scalar(real(value)?),
        "cs" => Value::Scalar(single(pair(value)?)),
        "z" => Value::Scalar(pair(value)?),
        "S" => Value::Array(
            list(Some(value), "its value")?.iter().map(|v| real(v).map(single)).collect::<Result<_, _>>()?,
        ),
        "D" => Value::Array(list(Some(value), "its value")?.iter().map(real).collect::<Result<_, _>>()?),
        "C" => Value::Array(
            list(Some(value), "its value")?.iter().map(|v| pair(v).map(single)).collect::<Result<_, _>>()?,
        ),
        "Z" => Value::Array(list(Some(value), "its value")?.iter().map(pair).collect::<Result<_, _>>()?),
        other => return Err(format!("there is no kind {other:?}")),
    };
    Ok(Argument { name, value })
}

/// A single-precision value is what f32 makes of the decimal number.
fn single(v: Parts) -> Parts {
    v.map(|p| f64::from(p as f32))
}

fn number(json: &Json) -> Result<f64, String> {
    match json {
        Json::Number(n) => n.as_f64().ok_or_else(|| format!("{n} is not a number that f64 holds")),
        Json::String(s) if s == "NaN" => Ok(f64::NAN),
        Json::String(s) if s == "Inf" => Ok(f64::INFINITY),
        Json::String(s) if s == "-Inf" => Ok(f64::NEG_INFINITY),
        other => Err(format!("{other} is not a number, \"NaN\", \"Inf\" or \"-Inf\"")),
    }
}

fn real(json: &Json) -> Result<Parts, String> {
    Ok([number(json)?, 0.0])
}

fn pair(json: &Json) -> Result<Parts, String> {
    match json.as_array().map(Vec::as_slice) {
        Some([re, im]) => Ok([number(re)?, number(im)?]),
        _ => Err(format!("{json} is not a pair [re, im]")),
    }
}

fn want(json: &Json) -> Result<Want, String> {
    let part = |v: &Json| if v.is_null() { Ok(None) } else { number(v).map(Some) };
    match json.as_array().map(Vec::as_slice) {
        Some([re, im]) => Ok(Want::Pair([part(re)?, part(im)?])),
        Some(_) => Err(format!("{json} is not a pair [re, im]")),
        None => Ok(Want::Real(part(json)?)),
    }
}

fn expected_array(name: &str, json: &Json, arguments: &[Argument]) -> Result<Expected, String> {
    let key = format!("expected.out.{name}");
    let values = list(Some(json), &key)?.iter().map(want).collect::<Result<Vec<_>, _>>()?;
    let argument = arguments.iter().find(|a| a.name == name);
    match argument.map(|a| &a.value) {
        Some(Value::Array(v)) if v.len() == values.len() => Ok(Expected { name: name.to_owned(), values }),
        Some(Value::Array(v)) => {
            Err(format!("{key} has {} elements, the argument has {}", values.len(), v.len()))
        }
        _ => Err(format!("{key}: there is no array argument of that name")),
    }
}

/// Values in brackets of an `allowed_deviation` that says "accept": both readings are legal, so both pass.
fn accepted(line: &Json, arrays: &[Expected]) -> Vec<Expected> {
    let (Some(note), [array]) = (line.get("allowed_deviation").and_then(Json::as_str), arrays) else {
        return Vec::new();
    };
    if !note.to_lowercase().contains("accept") {
        return Vec::new();
    }
    let read = |inside: &str| -> Option<Vec<f64>> {
        inside
            .split(',')
            .map(|word| match word.trim() {
                "NaN" => Some(f64::NAN),
                "Inf" => Some(f64::INFINITY),
                "-Inf" => Some(f64::NEG_INFINITY),
                number => number.parse().ok(),
            })
            .collect()
    };
    let lists = note.split('[').skip(1).filter_map(|s| s.split_once(']')).filter_map(|(s, _)| read(s));
    lists
        .filter_map(|list| {
            let pairs = matches!(array.values.first(), Some(Want::Pair(_)));
            let values: Vec<Want> = if pairs {
                list.chunks(2)
                    .filter_map(|p| Some(Want::Pair([Some(*p.first()?), Some(*p.get(1)?)])))
                    .collect()
            } else {
                list.into_iter().map(|v| Want::Real(Some(v))).collect()
            };
            (values.len() == array.values.len()).then(|| Expected { name: array.name.clone(), values })
        })
        .collect()
}
