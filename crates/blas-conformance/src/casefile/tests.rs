use super::*;
use blas_cpu::Cpu;

fn report_of(line: &str) -> CaseReport {
    run(&Cpu::handle(), line)
}

/// A ddot row with parts replaced.
fn dot(args: &str, expected: &str) -> String {
    format!(
        r#"{{"id":"t","dtype":"d","input":{{"api":"f77","call":"ddot","args":{args}}},"expected":{expected}}}"#
    )
}

const ARGS: &str = r#"[["n","i",2],["x","D",[1,2]],["incx","i",1],["y","D",[3,4]],["incy","i",1]]"#;

#[test]
fn public_cases_pass() {
    let report = run(&Cpu::handle(), HANDED);
    assert!(report.ok(), "{report}");
    assert!(report.passed() >= 250, "{report}");
}

#[test]
fn own_cases_pass() {
    let report = run(&Cpu::handle(), OWN);
    assert!(report.ok(), "{report}");
    assert!(report.passed() >= 150, "{report}");
}

#[test]
fn every_public_row_runs_for_some_type() {
    let report = run(&Cpu::handle(), HANDED);
    for result in &report.results {
        let ran = |r: &&CaseResult| r.id == result.id && !matches!(r.outcome, CaseOutcome::Skipped(_));
        assert!(report.results.iter().any(|r| ran(&r)), "{} is skipped for every type", result.id);
    }
}

#[test]
fn a_wrong_value_fails_with_got_and_want() {
    let report = report_of(&dot(ARGS, r#"{"out":{"return":12}}"#));
    assert_eq!((report.passed(), report.failed()), (0, 1));
    let text = report.to_string();
    assert_eq!(text, "0 passed, 1 failed, 0 skipped\nFAILED t f64: return: got 1.1e1, want 1.2e1");
}

#[test]
fn a_right_value_passes() {
    assert_eq!(report_of(&dot(ARGS, r#"{"out":{"return":11},"tol":0}"#)).passed(), 1);
}

#[test]
fn a_refusal_that_does_not_come_fails() {
    let report = report_of(&dot(ARGS, r#"{"error":true}"#));
    assert!(report.to_string().contains("an illegal call was not refused"), "{report}");
}

#[test]
fn a_written_input_is_seen() {
    let after = |now| After { name: "x".to_owned(), output: false, before: vec![[f64::NAN, 0.0]], now };
    assert!(untouched(&[after(vec![[f64::NAN, 0.0]])], |_| true).is_ok());
    assert!(untouched(&[after(vec![[-f64::NAN, 0.0]])], |_| true).is_err());
}

#[test]
fn malformed_rows_fail_with_a_message() {
    let ok = r#"{"out":{"return":11}}"#;
    for (line, message) in [
        ("{".to_owned(), "not JSON"),
        ("[]".to_owned(), "input is missing"),
        ("{}".to_owned(), "input is missing"),
        (dot("3", ok), "input.args is missing or not a list"),
        (dot("[]", ok), "too few arguments"),
        (dot(r#"[["n","i"]]"#, ok), "argument 1"),
        (dot(r#"[["n","q",2]]"#, ok), "there is no kind"),
        (dot(r#"[["n","i",2.5]]"#, ok), "is not an integer"),
        (dot(r#"[["n","i",99999999999999999999]]"#, ok), "is not an integer"),
        (dot(r#"[["x","D",[1,"two"]]]"#, ok), "is not a number"),
        (dot(r#"[["x","D",[1,1e999]]]"#, ok), "not JSON"),
        (dot(r#"[["x","Z",[1]]]"#, ok), "is not a pair"),
        (dot(r#"[["t","c","NT"]]"#, ok), "is not one character"),
        (dot(&ARGS.replace(r#"["n","i",2]"#, r#"["n","d",2]"#), ok), "argument n is"),
        (dot(&format!("{},{}", &ARGS[..ARGS.len() - 1], r#"["z","i",1]]"#), ok), "z is an argument too many"),
        (dot(ARGS, "{}"), "expected.out is missing"),
        (dot(ARGS, r#"{"out":{}}"#), "the row checks nothing"),
        (dot(ARGS, r#"{"out":{"w":[1]}}"#), "there is no array argument of that name"),
        (dot(ARGS, r#"{"out":{"x":[1]}}"#), "has 1 elements, the argument has 2"),
        (dot(ARGS, r#"{"out":{"return":11},"tol":-1}"#), "expected.tol"),
        (dot(ARGS, ok).replace("ddot", "qdot"), "is not a f77 name"),
        (dot(ARGS, ok).replace(r#""dtype":"d""#, r#""dtype":"d,q""#), "there is no type"),
        (dot(ARGS, ok).replace(r#""dtype":"d""#, r#""dtype":3"#), "dtype is missing or not a string"),
        (dot(ARGS, ok).replace("f77", "c++"), "input.api"),
        (dot(ARGS, ok).replace(r#""dtype":"d""#, r#""dtype":"z(dott)""#), "no routine named"),
    ] {
        let report = report_of(&line);
        assert_eq!((report.passed(), report.failed()), (0, 1), "{line}\n{report}");
        assert!(report.to_string().contains(message), "{line}\n{report}");
    }
}

#[test]
fn huge_arguments_are_errors() {
    let max = i64::MAX;
    let report = report_of(&dot(&ARGS.replace(r#""i",2"#, &format!(r#""i",{max}"#)), r#"{"error":true}"#));
    assert!(report.ok(), "{report}");
    let report = report_of(&dot(
        &ARGS.replace(r#""incx","i",1"#, &format!(r#""incx","i",{}"#, i64::MIN)),
        r#"{"error":true}"#,
    ));
    assert!(report.ok(), "{report}");
}

#[test]
fn lines_without_text_are_skipped() {
    let line = dot(ARGS, r#"{"out":{"return":11}}"#);
    assert_eq!(report_of(&format!("\n{line}\r\n\n  \n{line}\n")).passed(), 2);
}

#[test]
fn complex_rows_with_imaginary_parts_are_skipped_for_real_types() {
    let row = r#"{"id":"t","dtype":"d,z","input":{"api":"f77","call":"zaxpy","args":[["n","i",1],["alpha","z",[0,1]],["x","Z",[[1,0]]],["incx","i",1],["y","Z",[[0,0]]],["incy","i",1]]},"expected":{"out":{"y":[[0,1]]}}}"#;
    let report = report_of(row);
    assert_eq!((report.passed(), report.failed(), report.skipped()), (1, 0, 1), "{report}");
    assert!(report.to_string().contains("skipped: imaginary parts have no place in f64: t f64"), "{report}");
}

/// Every node of a JSON tree replaced by `with`, one at a time.
fn replaced(tree: &Json, with: &Json) -> Vec<Json> {
    let mut out = vec![with.clone()];
    match tree {
        Json::Array(list) => {
            for (i, node) in list.iter().enumerate() {
                out.extend(replaced(node, with).into_iter().map(|node| {
                    let mut list = list.clone();
                    list[i] = node;
                    Json::Array(list)
                }));
            }
        }
        Json::Object(map) => {
            for (key, node) in map {
                out.extend(replaced(node, with).into_iter().map(|node| {
                    let mut map = map.clone();
                    map.insert(key.clone(), node);
                    Json::Object(map)
                }));
            }
        }
        _ => {}
    }
    out
}

#[test]
fn no_row_makes_the_reader_panic() {
    let handle = Cpu::handle();
    let junk = ["null", "true", "-1", "0", "3", "1e300", "\"NaN\"", "\"\"", "[]", "[1]", "[[1,2]]", "{}"]
        .map(|j| j.parse().unwrap());
    for line in HANDED.lines().chain(OWN.lines()) {
        let mut row: Json = line.parse().unwrap();
        // Its own type alone, and only what is read.
        let keep = ["id", "input", "expected"];
        row.as_object_mut().unwrap().retain(|key, _| keep.contains(&key.as_str()));
        row["expected"].as_object_mut().unwrap().remove("observed");
        for with in &junk {
            for changed in replaced(&row, with) {
                let report = run(&handle, &changed.to_string());
                assert_eq!(report.results.len(), 1, "{changed}");
                assert!(!report.to_string().contains("panicked"), "{changed}\n{report}");
            }
        }
    }
}
