//! The facade builds with each combination of its features.

use std::path::Path;
use std::process::Command;

/// The features declared in the manifest, but for `default`.
fn features() -> Vec<String> {
    let manifest = include_str!("../crates/anyblas/Cargo.toml");
    manifest
        .lines()
        .skip_while(|l| *l != "[features]")
        .skip(1)
        .take_while(|l| !l.starts_with('['))
        .filter_map(|l| l.split_once(" = ").map(|(name, _)| name.to_owned()))
        .filter(|name| name != "default")
        .collect()
}

#[test]
fn each_combination_builds() {
    let all = features();
    assert!(all.iter().any(|f| f == "cpu"), "found {all:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for subset in 0..1u32 << all.len() {
        let chosen: Vec<_> =
            (0..all.len()).filter(|i| subset >> i & 1 == 1).map(|i| all[i].as_str()).collect();
        let chosen = chosen.join(",");
        let output = Command::new(env!("CARGO"))
            .args([
                "check",
                "--locked",
                "--package",
                "anyblas",
                "--no-default-features",
                "--features",
                &chosen,
            ])
            // A folder of its own: the running test holds none of cargo's locks, and evicts nothing that others built.
            .env("CARGO_TARGET_DIR", root.join("target/features"))
            .env("RUSTFLAGS", "-D warnings")
            .current_dir(&root)
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "features [{chosen}]:\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
