//! The C programs of `tests/c`: compiled with the headers of each release, linked with our own libraries of its ABI, and
//! run.

use std::path::{Path, PathBuf};
use std::process::Command;

use hipblas_abi::Abi;

use crate::Outcome;
use crate::abi::header::compiler;
use crate::abi::{RELEASES, Release};
use crate::compat;
use crate::packages::{Packages, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the programs whose names contain this
    #[arg(long, value_name = "NAME")]
    program: Option<String>,
    /// Folder for fetched packages
    #[arg(long, value_name = "DIR")]
    packages: Option<PathBuf>,
}

/// Headers that programs are compiled with, and the ABI of the library that they run on.
struct Setting {
    release: &'static Release,
    abi: Abi,
    define: Option<&'static str>,
}

impl Setting {
    const fn new(release: usize, abi: Abi, define: Option<&'static str>) -> Self {
        Setting { release: &RELEASES[release], abi, define }
    }
}

static SETTINGS: [Setting; 5] = [
    Setting::new(0, Abi::V0, None),
    // Debian never had 1.x. For these programs its headers are those of 0.54.
    Setting::new(0, Abi::V1, None),
    Setting::new(1, Abi::V2, None),
    Setting::new(1, Abi::V2, Some("HIPBLAS_V2")),
    Setting::new(2, Abi::V3, None),
];

/// Ways to run a program: as it is; with reports of accesses outside of device memory; and on a device whose memory the host
/// cannot touch.
const MODES: [(&str, &[(&str, &str)]); 3] = [
    ("as it is", &[]),
    ("checking memory", &[("HIP_COMPAT_CHECK", "1")]),
    ("far memory", &[("HIP_COMPAT_DEVICE", "cpu-far")]),
];

pub(crate) fn run(args: &Args) -> Outcome {
    let packages = Packages::new(args.packages.as_deref())?;
    let programs = programs(args.program.as_deref().unwrap_or_default())?;
    let (mut passed, mut failed) = (0, 0);
    for setting in &SETTINGS {
        let include = setting.release.root(&packages)?.join("usr/include");
        let libraries = compat::build(setting.abi)?;
        let define = setting.define.map_or_else(String::new, |d| format!(" with {d}"));
        let title =
            format!("hipBLAS {}.x, headers of ROCm {}{define}", setting.abi.major(), setting.release.rocm);
        say!("{title}")?;
        let folder = target().join("c-programs").join(title.replace([' ', ','], "-"));
        std::fs::create_dir_all(&folder)?;
        for source in &programs {
            let name = source.file_stem().unwrap_or_default();
            let program = folder.join(name);
            let compiled = compile(setting, &include, &libraries, source, &program);
            for (mode, variables) in MODES {
                match compiled.clone().and_then(|()| start(&program, &libraries, variables)) {
                    Ok(()) => passed += 1,
                    Err(why) => {
                        failed += 1;
                        say!("  {}, {mode}: {why}", name.display())?;
                    }
                }
            }
        }
    }
    say!("{passed} passed, {failed} failed")?;
    Ok(failed == 0)
}

/// The sources, in order of their names.
fn programs(filter: &str) -> Result<Vec<PathBuf>, Box<dyn std::error::Error>> {
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/c"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.extension().is_some_and(|e| e == "c") && name.contains(filter) {
            programs.push(path);
        }
    }
    programs.sort();
    Ok(programs)
}

fn compile(
    setting: &Setting,
    include: &Path,
    libraries: &Path,
    source: &Path,
    program: &Path,
) -> Result<(), String> {
    let mut cc = compiler(include);
    // trmm is declared as to be changed in the headers of 0.54.
    cc.args(["-O2", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations"]);
    cc.args(setting.define.map(|d| format!("-D{d}")));
    cc.arg(source).arg("-o").arg(program).arg("-L").arg(libraries).args(["-lhipblas", "-lamdhip64"]);
    succeed(&mut cc)
}

fn start(program: &Path, libraries: &Path, variables: &[(&str, &str)]) -> Result<(), String> {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", libraries).envs(variables.iter().copied());
    succeed(&mut command)
}

/// Runs a program, which must succeed and have nothing to complain about.
fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|e| format!("{name}: {e}"))?;
    let complaints = String::from_utf8_lossy(&out.stderr).trim().to_owned();
    if out.status.success() && complaints.is_empty() {
        Ok(())
    } else {
        Err(format!("{}: {complaints}", out.status))
    }
}
