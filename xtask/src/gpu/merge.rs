//! The parts of a conformance run, put together to the report that one process would have written.

use std::collections::BTreeMap;

use anyblas::Routine;
use serde_json::{Map, Value, json};

const TOTALS: [&str; 4] = ["passed", "failed", "skipped", "deviated"];

/// One report of several, each of which has the cells of some routines. Cells come in the order of the routines' list; counts
/// of deviations and totals are added up.
pub(super) fn merge(parts: Vec<Value>) -> Option<Value> {
    let mut whole = parts.first()?.as_object()?.clone();
    let all = |key: &str| -> Vec<Value> {
        parts.iter().filter_map(|p| p.get(key)?.as_array()).flatten().cloned().collect()
    };
    let mut cells = all("cells");
    cells.sort_by_key(|cell| Routine::ALL.iter().position(|r| cell["routine"] == r.name()));
    whole.insert("cells".to_owned(), cells.into());
    whole.insert("sections".to_owned(), all("sections").into());
    whole.insert("deviations".to_owned(), deviations(all("deviations")).into());
    let totals: Vec<&Value> = parts.iter().filter_map(|p| p.get("totals")).collect();
    whole.insert("totals".to_owned(), sum(&totals).into());
    Some(whole.into())
}

/// Sums of totals.
pub(super) fn sum(totals: &[&Value]) -> Map<String, Value> {
    let count = |key: &str| totals.iter().filter_map(|t| t.get(key)?.as_u64()).sum::<u64>();
    TOTALS.iter().map(|&key| (key.to_owned(), count(key).into())).collect()
}

/// Each part lists all deviations, with the counts of its own cells.
fn deviations(all: Vec<Value>) -> Vec<Value> {
    let mut merged: Vec<Value> = Vec::new();
    for d in all {
        let same = |m: &&mut Value| m["routine"] == d["routine"] && m["rule"] == d["rule"];
        match merged.iter_mut().find(same) {
            Some(m) => {
                for key in ["broken", "kept"] {
                    m[key] = json!(m[key].as_u64().unwrap_or(0) + d[key].as_u64().unwrap_or(0));
                }
            }
            None => merged.push(d),
        }
    }
    merged
}

/// The bits of each cell's results, as two runs are compared by.
pub(super) fn digests(report: &Value) -> BTreeMap<String, String> {
    let cells = report.get("cells").and_then(Value::as_array).into_iter().flatten();
    let digest = |cell: &Value| {
        let name = format!("{} {}", cell.get("routine")?.as_str()?, cell.get("types")?.as_str()?);
        Some((name, cell.get("digest")?.as_str()?.to_owned()))
    };
    cells.filter_map(digest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_a_whole() {
        let part = |routine: &str, passed: u64, broken: u64| {
            json!({
                "device": "cuda:0",
                "totals": {"passed": passed, "failed": 1, "skipped": 0, "deviated": broken},
                "cells": [{"routine": routine, "types": "f32", "digest": "1f"}],
                "deviations": [{"routine": "trsm", "rule": "nan", "broken": broken, "kept": 1}],
                "sections": [],
            })
        };
        let whole = merge(vec![part("trsm", 5, 2), part("axpy", 7, 0)]).unwrap();
        assert_eq!(whole["totals"], json!({"passed": 12, "failed": 2, "skipped": 0, "deviated": 2}));
        assert_eq!(whole["cells"][0]["routine"], "axpy");
        assert_eq!(whole["deviations"], json!([{"routine": "trsm", "rule": "nan", "broken": 2, "kept": 2}]));
        assert_eq!(digests(&whole)["trsm f32"], "1f");
        assert_eq!(merge(Vec::new()), None);
    }
}
