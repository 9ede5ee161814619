//! Tables for people: on the terminal and in docs/performance.

use std::fmt::Write;
use std::path::Path;

use super::grid::Group;
use super::measure::{Row, Run};
use super::{Report, plot};
use crate::bench::statistics::geometric_mean;

/// The machine.
pub(super) fn head(report: &Report) -> String {
    let peak = report.peak.map_or(String::new(), |[single, double]| {
        format!("; peak of one core {single:.0} GFLOP/s in f32, {double:.0} GFLOP/s in f64")
    });
    format!("{}{peak}; first call after {:.2} ms", report.processor, report.first_call * 1e3)
}

/// Means and worst rows by group.
pub(super) fn summary(run: &Run) -> String {
    let mut text = String::from("| rows | number | geometric mean | of medians | under 0.9 | worst |\n");
    text += "| --- | --- | --- | --- | --- | --- |\n";
    for group in Group::ALL {
        let rows: Vec<(&Row, f64)> =
            run.rows.iter().filter(|r| r.group == group).filter_map(|r| Some((r, r.ratio?))).collect();
        let ratios: Vec<f64> = rows.iter().map(|r| r.1).collect();
        let Some((worst, ratio)) = rows.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        let low = ratios.iter().filter(|r| **r < 0.9).count();
        let mean = geometric_mean(&ratios);
        let medians: Vec<f64> = rows.iter().filter_map(|r| r.0.median).collect();
        let medians = geometric_mean(&medians);
        let _ = writeln!(
            text,
            "| {} | {} | {mean:.2} | {medians:.2} | {low} | {}: {ratio:.2} |",
            group.title(),
            rows.len(),
            worst.name
        );
    }
    text
}

/// Writes the tables.
pub(super) fn write(report: &Report, path: &Path) -> Result<(), String> {
    std::fs::write(path, tables(report, path)).map_err(|e| format!("{}: {e}", path.display()))
}

fn tables(report: &Report, path: &Path) -> String {
    let mut text = format!(
        "# blas-cpu beside its peers, kernels for {}\n\nWritten by `cargo xtask bench --suite cpu --docs FILE.md`: what the numbers mean is \
         in [performance.md](../performance.md).\n\n{}.\n",
        report.kernels,
        head(report)
    );
    for run in &report.runs {
        let threads = run.threads;
        let heading = if threads == 1 { "One thread".to_owned() } else { format!("{threads} threads") };
        let _ = writeln!(text, "\n## {heading}\n\n{}", summary(run));
        let _ = writeln!(text, "![Speed of gemm by size]({})\n", plot::file(path, "gemm", threads));
        let _ = writeln!(text, "![Ratios of all rows]({})", plot::file(path, "ratios", threads));
        for group in Group::ALL {
            let rows: Vec<&Row> = run.rows.iter().filter(|r| r.group == group).collect();
            let Some(first) = rows.first() else { continue };
            let _ = write!(text, "\n### {}, {}\n\n", group.title(), first.unit);
            table(&mut text, &rows);
        }
    }
    text
}

fn table(text: &mut String, rows: &[&Row]) {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|r| &r.peers) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let scaled = rows.iter().any(|r| r.speedup.is_some());
    let shared = rows.iter().any(|r| r.peak_share.is_some());
    let mut columns = vec!["row", "anyblas"];
    columns.extend(&names);
    columns.extend(["ratio to the best", "median"]);
    columns.extend(shared.then_some("share of peak"));
    columns.extend(scaled.then_some("times one thread"));
    let line = |text: &mut String, cells: &[String]| {
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    };
    line(text, &columns.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>());
    line(text, &vec!["---".to_owned(); columns.len()]);
    for row in rows {
        let number = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.2}"));
        let speed = |x: f64| if x < 10.0 { format!("{x:.2}") } else { format!("{x:.1}") };
        let mut cells = vec![row.name.clone(), speed(row.speed)];
        cells.extend(
            names
                .iter()
                .map(|name| row.peers.iter().find(|p| p.0 == *name).map_or(String::new(), |p| speed(p.1))),
        );
        cells.extend([number(row.ratio), number(row.median)]);
        cells.extend(shared.then(|| row.peak_share.map_or(String::new(), |s| format!("{:.0} %", s * 100.0))));
        cells.extend(scaled.then(|| number(row.speedup)));
        line(text, &cells);
    }
}
