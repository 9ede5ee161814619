//! What was found, against the targets, as text and JSON.

use std::fmt;

use anyblas::Device;
use serde::Serialize;

use super::graph::Replay;
use super::pair::{Row, What, median};
use super::torch::Product;

/// Sizes from which on the device's time is judged. Below, it is some microseconds, of which a launch is most.
const JUDGED: usize = 256;

/// The result of a run.
#[derive(Serialize)]
pub(super) struct Report {
    suite: &'static str,
    device: String,
    pub(super) versions: Vec<(String, String)>,
    anyblas: &'static str,
    totals: Totals,
    targets: Vec<Target>,
    /// What could not be measured, and why.
    errors: Vec<(String, String)>,
    pub(super) rows: Vec<Row>,
    pub(super) replay: Option<Replay>,
    pub(super) torch: Vec<Product>,
}

/// Numbers of targets.
#[derive(Default, Serialize)]
struct Totals {
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// A number that must not be above or below another.
#[derive(Serialize)]
struct Target {
    what: &'static str,
    bound: Bound,
    limit: f64,
    /// What was found, the worst or the median, and where. `None` if there is nothing to judge, which is a failure.
    found: Option<(f64, String)>,
    ok: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Bound {
    AtMost,
    AtLeast,
}

impl Report {
    pub(super) fn new(device: &Device) -> Self {
        let mut versions = device.versions.clone();
        versions.extend(toolkit().map(|v| ("cuda toolkit".to_owned(), v)));
        Report {
            suite: "anyblas bench cuda",
            device: format!("{} ({}) {}", device.id, device.name, device.arch),
            versions,
            anyblas: env!("CARGO_PKG_VERSION"),
            totals: Totals::default(),
            targets: Vec::new(),
            errors: Vec::new(),
            rows: Vec::new(),
            replay: None,
            torch: Vec::new(),
        }
    }

    /// Notes what could not be measured.
    pub(super) fn failed(&mut self, errors: impl IntoIterator<Item = (String, String)>) {
        self.errors.extend(errors);
    }

    /// Compares what was found with the targets.
    pub(super) fn judge(&mut self) {
        use Bound::{AtLeast, AtMost};
        let worst = |bound: Bound, found: &mut dyn Iterator<Item = (f64, String)>| {
            found.reduce(|a, b| if (a.0 < b.0) == (bound == AtMost) { b } else { a })
        };
        let device = &mut self
            .rows
            .iter()
            .filter(|r| r.what.size >= JUDGED || r.what.op != "gemm")
            .map(|r| (r.device_ratio, r.what.to_string()));
        let device = worst(AtMost, device);
        // Rows of one run differ by more than the code does: by what else the host does.
        let host: Vec<&Row> = self.rows.iter().filter(|r| r.tells_host_time()).collect();
        let added: Vec<f64> = host.iter().map(|r| r.host_added_ns).collect();
        let most = host.iter().max_by(|a, b| a.host_added_ns.total_cmp(&b.host_added_ns));
        let host = most.map(|r| {
            let of = format!("{}; median of {} kinds of call: {:.0}", r.what, host.len(), median(&added));
            (r.host_added_ns, of)
        });
        let bits = self.rows.iter().filter(|r| !r.same_bits).count() as f64;
        let bf16 = self.torch.iter().find(|p| p.dtype == "bf16" && p.size == 8192);
        let replay = |ratio: fn(&Replay) -> f64| self.replay.as_ref().map(|r| (ratio(r), "f32".to_owned()));
        let target = |what, bound, limit: f64, found: Option<(f64, String)>| {
            let ok =
                found.as_ref().is_some_and(|(v, _)| if bound == AtMost { *v <= limit } else { *v >= limit });
            Target { what, bound, limit, found, ok }
        };
        self.targets = vec![
            target("device time of our call, as a multiple of cuBLAS's own", AtMost, 1.01, device),
            target("host time that our call adds, in ns", AtMost, 150.0, host),
            target(
                "kinds of call of which the results differ from cuBLAS's own",
                AtMost,
                0.0,
                Some((bits, "all".to_owned())),
            ),
            target(
                "speed of our bf16 product of order 8192, as a multiple of torch.mm's",
                AtLeast,
                0.99,
                bf16.map(|p| (p.speed, "bf16 8192".to_owned())),
            ),
            target(
                "speed of 100 captured products of order 64, as a multiple of that of 100 calls",
                AtLeast,
                3.0,
                replay(|r| r.calls_us / r.graph_us),
            ),
            target(
                "the same, as the host sees it",
                AtLeast,
                3.0,
                replay(|r| r.host_calls_us / r.host_graph_us),
            ),
        ];
        let passed = self.targets.iter().filter(|t| t.ok).count();
        let failed = self.targets.len() - passed + self.errors.len();
        self.totals = Totals { passed, failed, skipped: 0 };
    }

    pub(super) fn ok(&self) -> bool {
        self.totals.failed == 0
    }
}

/// Release of the toolkit that is installed, if any is.
fn toolkit() -> Option<String> {
    let text = std::fs::read_to_string("/usr/local/cuda/version.json").ok()?;
    let json: serde_json::Value = serde_json::from_str(&text).ok()?;
    Some(json.get("cuda")?.get("version")?.as_str()?.to_owned())
}

/// The columns of [`Row`]'s text.
pub(super) const HEADING: &str = "                              host, ns                   device, us                      GFLOP/s\n\
     call                       ours       raw   added         ours          raw   ratio     or GB/s  bits";

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} {} {}", self.op, self.dtype, self.size))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { what, host_ours_ns, host_raw_ns, host_added_ns, device_ours_us, device_raw_us, .. } = self;
        let Row { device_ratio, rate, same_bits, .. } = self;
        let bits = if *same_bits { "same" } else { "OTHER" };
        write!(f, "{what:<24} {host_ours_ns:>7.0} {host_raw_ns:>9.0} {host_added_ns:>7.0}")?;
        write!(f, " {device_ours_us:>12.3} {device_raw_us:>12.3} {device_ratio:>7.4} {rate:>11.1}  {bits}")
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Product { dtype, size, ours_us, torch_us, speed } = self;
        let what = format!("torch.mm {dtype} {size}");
        write!(f, "{what:<24} ours {ours_us:.1} us, torch {torch_us:.1} us, speed {speed:.4}")
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Replay { gemms, order, calls_us, graph_us, host_calls_us, host_graph_us } = self;
        write!(
            f,
            "{gemms} products of order {order}, each: {calls_us:.3} us by calls ({host_calls_us:.3} of the host), \
             {graph_us:.3} us by a graph ({host_graph_us:.3} of the host)"
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(replay) = &self.replay {
            writeln!(f, "{replay}")?;
        }
        for (what, why) in &self.errors {
            writeln!(f, "NOT MEASURED {what}: {why}")?;
        }
        for Target { what, bound, limit, found, ok } in &self.targets {
            let verdict = if *ok { "ok    " } else { "FAILED" };
            let bound = if *bound == Bound::AtMost { "at most" } else { "at least" };
            write!(f, "{verdict} {what}: ")?;
            match found {
                Some((value, of)) => writeln!(f, "{value:.4} ({of}), must be {bound} {limit}")?,
                None => writeln!(f, "nothing was measured, must be {bound} {limit}")?,
            }
        }
        let Totals { passed, failed, .. } = self.totals;
        write!(f, "{} on {}: {passed} passed, {failed} failed", self.suite, self.device)
    }
}
