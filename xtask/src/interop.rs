//! The crates of `interop`, which need a HIP installation: built and tested with one made of real headers and our own
//! libraries.

use std::path::{Path, PathBuf};
use std::process::Command;

use hipblas_abi::Abi;

use crate::Outcome;
use crate::abi::RELEASES;
use crate::compat;
use crate::packages::{Packages, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder for fetched packages
    #[arg(long, value_name = "DIR")]
    packages: Option<PathBuf>,
}

/// hip-sys declares hipBLAS 0.x; programs with it are linked with others too.
const ABIS: [Abi; 2] = [Abi::V0, Abi::V3];

pub(crate) fn run(args: &Args) -> Outcome {
    let packages = Packages::new(args.packages.as_deref())?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = target().canonicalize()?;
    let mut ok = true;
    for abi in ABIS {
        let release = RELEASES.iter().find(|r| r.abi == abi).ok_or("no release has this ABI")?;
        let hip = folder.join("interop").join(abi.major().to_string());
        std::fs::create_dir_all(&hip)?;
        compat::symlink(release.root(&packages)?.join("usr/include"), &hip.join("include"))?;
        compat::symlink(compat::build(abi)?, &hip.join("lib"))?;
        let commands: [&[&str]; 2] = [&["clippy", "--all-targets", "--", "-D", "warnings"], &["test"]];
        for command in commands {
            println!("blas-hip-sys with hipBLAS {}.x: cargo {}", abi.major(), command.join(" "));
            let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            let status = Command::new(cargo)
                .args(command)
                .current_dir(root.join("interop/blas-hip-sys"))
                .env("CARGO_TARGET_DIR", folder.join("interop/target"))
                .envs([("HIP_PATH", &hip), ("HIPBLAS_PATH", &hip), ("LD_LIBRARY_PATH", &hip.join("lib"))])
                .status()?;
            ok &= status.success();
        }
    }
    Ok(ok)
}
