//! The ABI table against the hipBLAS and HIP of three releases, as Debian packages them: names against the libraries'
//! exports, prototypes, constants and layouts against the headers, and blas-hip against the libraries themselves.

mod checks;
mod elf;
pub(crate) mod header;
mod real;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hipblas_abi::Abi;
use serde::Serialize;

use crate::Outcome;
use crate::packages::{Packages, target};
use header::Header;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this release (may be repeated)
    #[arg(long, value_name = "5.5.1|6.4.4|7.2.4", value_parser = release)]
    release: Vec<&'static Release>,
    /// The unpacked packages of the release, instead of fetching them
    #[arg(long, value_name = "DIR", requires = "release")]
    root: Option<PathBuf>,
    /// Folder for fetched packages
    #[arg(long, value_name = "DIR")]
    packages: Option<PathBuf>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
}

/// A release that Debian packages.
pub(crate) struct Release {
    /// Version of ROCm.
    pub rocm: &'static str,
    /// Version of the HIP runtime packaged with it.
    pub hip: (u32, u32),
    pub abi: Abi,
    pub suite: &'static str,
    /// Headers and libraries.
    pub packages: &'static [&'static str],
    /// Its hipBLAS, which depends on the rest.
    pub hipblas: &'static str,
}

impl Release {
    /// Version of ROCm as the table counts: 702 for 7.2.4.
    fn number(&self) -> u32 {
        let mut numbers = self.rocm.split('.').map(|n| n.parse().unwrap_or(0));
        numbers.next().unwrap_or(0) * 100 + numbers.next().unwrap_or(0)
    }
}

/// All of them, oldest first.
pub(crate) static RELEASES: [Release; 3] = [
    Release {
        rocm: "5.5.1",
        hip: (5, 7),
        abi: Abi::V0,
        suite: "trixie",
        packages: &[
            "libhipblas-dev=5.5.1*",
            "libamdhip64-dev=5.7.1*",
            "libamdhip64-5=5.7.1*",
            "libhipblas0=5.5.1*",
        ],
        hipblas: "libhipblas0=5.5.1*",
    },
    Release {
        rocm: "6.4.4",
        hip: (6, 4),
        abi: Abi::V2,
        suite: "sid",
        packages: &[
            "libhipblas-dev=6.4.4*",
            "libhipblas-common-dev",
            "libamdhip64-dev=6.4.3*",
            "libamdhip64-6=6.4.3*",
            "libhipblas2=6.4.4*",
        ],
        hipblas: "libhipblas2=6.4.4*",
    },
    Release {
        rocm: "7.2.4",
        hip: (7, 2),
        abi: Abi::V3,
        suite: "experimental",
        packages: &[
            "libhipblas-dev=7.2.4*",
            "libhipblas-common-dev=7.2.4*",
            "libamdhip64-dev=7.2.4*",
            "libamdhip64-7=7.2.4*",
            "libhipblas3=7.2.4*",
        ],
        hipblas: "libhipblas3=7.2.4*",
    },
];

fn release(version: &str) -> Result<&'static Release, String> {
    RELEASES.iter().find(|r| r.rocm == version).ok_or_else(|| format!("no release {version:?} is known"))
}

impl Release {
    /// Its headers and libraries, fetched if they are not there.
    pub(crate) fn root(&self, packages: &Packages) -> Result<PathBuf, Box<dyn std::error::Error>> {
        packages.fetch(self.suite, self.packages)
    }

    fn hipblas_library(&self, root: &Path) -> PathBuf {
        libraries(root).join(format!("libhipblas.so.{}", self.abi.major()))
    }

    fn hip_library(&self, root: &Path) -> PathBuf {
        libraries(root).join(format!("libamdhip64.so.{}", self.abi.hip_major()))
    }
}

/// Where Debian keeps libraries.
pub(crate) fn libraries(root: &Path) -> PathBuf {
    root.join("usr/lib/x86_64-linux-gnu")
}

/// Outcome of one kind of check.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    passed: usize,
    /// Each difference in words.
    differences: Vec<String>,
}

/// Outcome for a release.
#[derive(Serialize)]
struct ReleaseReport {
    rocm: &'static str,
    abi: usize,
    /// Packages compared with, and their versions.
    packages: BTreeMap<String, String>,
    coverage: checks::Coverage,
    /// What blas-hip found when it loaded the libraries.
    found: BTreeMap<String, String>,
    checks: Vec<Check>,
}

#[derive(Serialize)]
struct Totals {
    passed: usize,
    failed: usize,
}

#[derive(Serialize)]
struct Report {
    totals: Totals,
    releases: Vec<ReleaseReport>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let packages = Packages::new(args.packages.as_deref())?;
    let all: Vec<&Release> = RELEASES.iter().collect();
    let chosen = if args.release.is_empty() { &all } else { &args.release };
    let probe = real::build_probe()?;
    let mut releases = Vec::new();
    for release in chosen {
        let root = match &args.root {
            Some(root) => root.clone(),
            None => {
                release.root(&packages)?;
                packages.fetch_closure(release.suite, &[release.hipblas])?
            }
        };
        releases.push(check(release, &root, &packages, &probe)?);
    }
    let all_checks = || releases.iter().flat_map(|r| &r.checks);
    let totals = Totals {
        passed: all_checks().map(|c| c.passed).sum(),
        failed: all_checks().map(|c| c.differences.len()).sum(),
    };
    let report = Report { totals, releases };
    print(&report)?;
    if let Some(path) = &args.report {
        std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n")
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(report.totals.failed == 0)
}

fn check(
    release: &'static Release,
    root: &Path,
    packages: &Packages,
    probe: &Path,
) -> Result<ReleaseReport, Box<dyn std::error::Error>> {
    let header = Header::read(root, &target().join("abi").join(release.rocm))?;
    let exports = elf::exports(&release.hipblas_library(root))?;
    let hip_exports = elf::exports(&release.hip_library(root))?;
    let versions = release.packages.iter().filter_map(|p| {
        let name = p.split('=').next()?;
        Some((name.to_owned(), packages.version(release.suite, name)?))
    });
    let (loaded, found) = real::check(release, root, probe)?;
    Ok(ReleaseReport {
        rocm: release.rocm,
        abi: release.abi.major(),
        packages: versions.collect(),
        coverage: checks::coverage(release, &exports),
        found,
        checks: vec![
            checks::names(release, &exports),
            checks::signatures(release, &header),
            checks::enums(&header)?,
            checks::hip_names(release, &hip_exports),
            checks::hip_signatures(release, &header),
            checks::hip_constants(release, &header)?,
            checks::layouts(release, &header)?,
            loaded,
        ],
    })
}

fn print(report: &Report) -> std::io::Result<()> {
    for release in &report.releases {
        let c = &release.coverage;
        say!("ROCm {}, ABI {}", release.rocm, release.abi)?;
        for (name, version) in &release.packages {
            say!("  {name} {version}")?;
        }
        say!(
            "  {} of {} exports in the table: {} plain, {} _64, {} _v2",
            c.in_table,
            c.exports,
            c.plain,
            c.wide,
            c.v2
        )?;
        for (name, value) in &release.found {
            say!("  {name}: {value}")?;
        }
        for check in &release.checks {
            say!("  {:<28}{:>6} passed {:>4} failed", check.name, check.passed, check.differences.len())?;
            for difference in &check.differences {
                say!("    {difference}")?;
            }
        }
    }
    say!("{} passed, {} failed", report.totals.passed, report.totals.failed)
}
