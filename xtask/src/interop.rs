//! The crates of `interop`, which need a vendor's installation to build: built and tested with stand-ins. For `hip-sys` that is a HIP
//! installation of real headers and our own libraries; for `cust` a CUDA folder with a driver of which every function answers
//! that it is a stub, as NVIDIA's own does.

use std::fmt::Write;
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
    /// Only build the example of blas-cuda-cust, and leave it in this folder: it runs on any machine with an NVIDIA driver
    #[arg(long, value_name = "FOLDER")]
    example_binary: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let folder = target().canonicalize()?.join("interop");
    if let Some(out) = &args.example_binary {
        let example = Cust::new(&folder)?.example()?;
        std::fs::create_dir_all(out)?;
        std::fs::copy(example, out.join(EXAMPLE))?;
        say!("{}", out.join(EXAMPLE).display())?;
        return Ok(true);
    }
    Ok(hip_sys(&Packages::new(args.packages.as_deref())?, &folder)? & cust(&folder)?)
}

/// hip-sys declares hipBLAS 0.x; programs with it are linked with others too.
const ABIS: [Abi; 2] = [Abi::V0, Abi::V3];

const CHECKS: [&[&str]; 2] = [&["clippy", "--all-targets", "--", "-D", "warnings"], &["test"]];

fn hip_sys(packages: &Packages, folder: &Path) -> Outcome {
    let mut ok = true;
    for abi in ABIS {
        let release = RELEASES.iter().find(|r| r.abi == abi).ok_or("no release has this ABI")?;
        let hip = folder.join(abi.major().to_string());
        std::fs::create_dir_all(&hip)?;
        compat::symlink(release.root(packages)?.join("usr/include"), &hip.join("include"))?;
        compat::symlink(compat::build(abi)?, &hip.join("lib"))?;
        for command in CHECKS {
            say!("blas-hip-sys with hipBLAS {}.x: cargo {}", abi.major(), command.join(" "))?;
            let status = cargo("blas-hip-sys", folder)
                .args(command)
                .envs([("HIP_PATH", &hip), ("HIPBLAS_PATH", &hip), ("LD_LIBRARY_PATH", &hip.join("lib"))])
                .status()?;
            ok &= status.success();
        }
    }
    Ok(ok)
}

fn cust(folder: &Path) -> Outcome {
    let cust = Cust::new(folder)?;
    let mut ok = true;
    for command in CHECKS {
        say!("blas-cuda-cust: cargo {}", command.join(" "))?;
        ok &= cust.cargo().args(command).status()?.success();
    }
    let mut example = Command::new(cust.example()?);
    if Path::new("/dev/nvidiactl").exists() {
        say!("blas-cuda-cust: {EXAMPLE} on this machine's driver")?;
        return Ok(ok & example.status()?.success());
    }
    // Without a driver the program starts on the stub, and says what that answers.
    say!("blas-cuda-cust: {EXAMPLE} on a driver that is a stub")?;
    let output = example.env("LD_LIBRARY_PATH", cust.stubs()).output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    say!("{}", text.trim_end())?;
    Ok(ok & (output.status.code() == Some(1)) & text.starts_with("error "))
}

/// The example of blas-cuda-cust.
const EXAMPLE: &str = "cust_gemm";

/// What blas-cuda-cust is built with.
struct Cust {
    folder: PathBuf,
}

impl Cust {
    /// Makes the CUDA folder.
    fn new(folder: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let cust = Cust { folder: folder.to_owned() };
        std::fs::create_dir_all(cust.stubs())?;
        let source = cust.cuda().join("stub.c");
        // CUDA_ERROR_STUB_LIBRARY. Any number of arguments may be given where they are in registers or the caller's to clean.
        let functions = cust.functions()?.into_iter().fold(String::new(), |mut text, name| {
            let _ = writeln!(text, "int {name}(void) {{ return 34; }}");
            text
        });
        std::fs::write(&source, functions)?;
        let library = cust.stubs().join("libcuda.so.1");
        let made = Command::new("cc")
            .args(["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o"])
            .arg(&library)
            .arg(&source)
            .status()?;
        if !made.success() {
            return Err("the stub of libcuda could not be made".into());
        }
        compat::symlink("libcuda.so.1", &cust.stubs().join("libcuda.so"))?;
        Ok(cust)
    }

    /// What CUDA_LIBRARY_PATH names.
    fn cuda(&self) -> PathBuf {
        self.folder.join("cuda")
    }

    fn stubs(&self) -> PathBuf {
        self.cuda().join("lib64/stubs")
    }

    fn cargo(&self) -> Command {
        let mut command = cargo("blas-cuda-cust", &self.folder);
        command.env("CUDA_LIBRARY_PATH", self.cuda()).env("LD_LIBRARY_PATH", self.stubs());
        command
    }

    /// The functions of the driver that cust declares.
    fn functions(&self) -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let output = self.cargo().args(["metadata", "--format-version", "1"]).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let packages = metadata["packages"].as_array().ok_or("cargo metadata names no packages")?;
        let manifest =
            packages.iter().find(|p| p["name"] == "cust_raw").and_then(|p| p["manifest_path"].as_str());
        let bindings =
            Path::new(manifest.ok_or("cust has no cust_raw")?).with_file_name("src").join("cuda.rs");
        let text = std::fs::read_to_string(bindings)?;
        let names = text
            .lines()
            .filter_map(|line| Some(line.trim_start().strip_prefix("pub fn ")?.split_once('(')?.0));
        Ok(names.map(str::to_owned).collect())
    }

    /// Builds the example.
    fn example(&self) -> Result<PathBuf, Box<dyn std::error::Error>> {
        let built = self
            .cargo()
            .args(["build", "--release", "--example", EXAMPLE, "--config", "profile.release.strip=true"])
            .status()?;
        if !built.success() {
            return Err(format!("{EXAMPLE} could not be built").into());
        }
        Ok(self.folder.join("target/release/examples").join(EXAMPLE))
    }
}

/// Cargo, in a crate of `interop`.
fn cargo(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../interop").join(name))
        .env("CARGO_TARGET_DIR", folder.join("target"));
    command
}
