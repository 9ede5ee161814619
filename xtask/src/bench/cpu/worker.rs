//! The process that measures, `bench/` of the repository.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::protocol::{Answer, Request};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Builds the program and returns its path. Its target folder is inside our own.
pub(super) fn build() -> Result<PathBuf> {
    let target = crate::packages::target().join("bench");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--locked", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/Cargo.toml"))
        .env("CARGO_TARGET_DIR", &target)
        .status()?;
    if !status.success() {
        return Err(format!("the program that measures does not build: {status}").into());
    }
    Ok(target.join("release/anyblas-bench"))
}

/// A running process, which is stopped while it is not asked.
pub(super) struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts one that may use `threads` threads.
    pub(super) fn start(program: &Path, threads: usize, libraries: &[String]) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(libraries);
        for name in THREADS {
            command.env(name, threads.to_string());
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let requests = child.stdin.take().ok_or("no standard input")?;
        let answers = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Worker { child, requests, answers })
    }

    /// Asks, and waits for the answer.
    pub(super) fn ask(&mut self, request: &Request) -> Result<Answer> {
        self.signal(libc::SIGCONT)?;
        writeln!(self.requests, "{}", serde_json::to_string(request)?)?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(format!("the program that measures has ended at {request:?}").into());
        }
        self.signal(libc::SIGSTOP)?;
        Ok(serde_json::from_str(&line)?)
    }

    /// Asks for a time.
    pub(super) fn seconds(&mut self, request: &Request) -> Result<f64> {
        match self.ask(request)? {
            Answer::Seconds(s) => Ok(s),
            other => Err(format!("{other:?} is no time").into()),
        }
    }

    /// Lets all its threads, and those that they start, run on these processors alone.
    pub(super) fn pin(&self, cpus: &[usize]) -> Result<()> {
        for task in std::fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let thread = task?.file_name().to_string_lossy().parse()?;
            match super::quiet::pin(thread, cpus) {
                // It has ended since.
                Err(e) if e.raw_os_error() == Some(libc::ESRCH) => {}
                pinned => pinned?,
            }
        }
        Ok(())
    }

    fn signal(&self, signal: libc::c_int) -> Result<()> {
        let pid = libc::pid_t::try_from(self.child.id())?;
        // SAFETY: the process is our child and has not been waited for.
        match unsafe { libc::kill(pid, signal) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error().into()),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be in the middle of a call; that it has gone already is no matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The environment variables by which libraries learn how many threads they may use.
const THREADS: [&str; 6] = [
    "RAYON_NUM_THREADS",
    "MATMUL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
];
