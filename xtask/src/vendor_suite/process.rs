//! One process of a Google Test program, watched while it runs.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Passed,
    Failed,
    Skipped,
}

/// What the program prints about tests.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Line<'a> {
    Starts(&'a str),
    Ends(Verdict, &'a str),
    Other(&'a str),
}

/// A test that ended, and what was printed while it ran.
pub(super) struct Ended {
    pub(super) test: String,
    pub(super) verdict: Verdict,
    pub(super) output: Vec<String>,
}

/// How a process ended.
pub(super) struct End {
    /// The test that was running.
    pub(super) running: Option<String>,
    /// Whether it was stopped because that test took too long.
    pub(super) stopped: bool,
    pub(super) status: ExitStatus,
    /// The last lines printed.
    pub(super) output: Vec<String>,
    /// The first lines printed, before any test.
    pub(super) heading: Vec<String>,
}

/// No more lines are kept of what a test prints.
const KEPT: usize = 20;

/// Runs the tests that a file of flags names, and hands over each as it ends.
pub(super) fn watch(
    mut command: Command,
    flags: &Path,
    limit: Duration,
    each: &mut dyn FnMut(Ended),
) -> std::io::Result<End> {
    let (reader, writer) = std::io::pipe()?;
    command.arg(format!("--gtest_flagfile={}", flags.display()));
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The command holds the pipe's writing end, which must close for the reader to see the end.
    drop(command);
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        // The device's name may be any bytes.
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });

    let mut end = End {
        running: None,
        stopped: false,
        status: ExitStatus::default(),
        output: Vec::new(),
        heading: Vec::new(),
    };
    let mut deadline = Instant::now() + limit;
    loop {
        let text = match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(text) => text,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                end.stopped = true;
                child.kill()?;
                break;
            }
        };
        match parse(&text) {
            Line::Starts(test) => {
                if end.heading.is_empty() {
                    end.heading = std::mem::take(&mut end.output);
                }
                end.output.clear();
                end.running = Some(test.to_owned());
                deadline = Instant::now() + limit;
            }
            // Names are repeated in a summary at the end.
            Line::Ends(verdict, test) if end.running.as_deref() == Some(test) => {
                let output = std::mem::take(&mut end.output);
                each(Ended { test: test.to_owned(), verdict, output });
                end.running = None;
                deadline = Instant::now() + limit;
            }
            Line::Ends(..) => {}
            Line::Other(text) => {
                if end.running.is_none() && end.output.len() == KEPT {
                    end.output.remove(0);
                }
                if !text.is_empty() && end.output.len() < KEPT {
                    end.output.push(text.to_owned());
                }
            }
        }
    }
    end.status = child.wait()?;
    Ok(end)
}

/// What a test prints without a newline at its end comes before the verdict.
fn parse(line: &str) -> Line<'_> {
    let after = |marker: &str| {
        let rest = line.split_once(marker)?.1;
        // `name`, `name (12 ms)`, `name, where GetParam() = ... (12 ms)`.
        Some(rest.split([' ', ',']).next().unwrap_or(rest))
    };
    if let Some(test) = after("[ RUN      ] ") {
        return Line::Starts(test);
    }
    for (marker, verdict) in [
        ("[       OK ] ", Verdict::Passed),
        ("[  FAILED  ] ", Verdict::Failed),
        ("[  SKIPPED ] ", Verdict::Skipped),
    ] {
        if let Some(test) = after(marker) {
            return Line::Ends(verdict, test);
        }
    }
    Line::Other(line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_google_test_are_read() {
        assert_eq!(parse("[ RUN      ] _/gels.solver/quick_x"), Line::Starts("_/gels.solver/quick_x"));
        assert_eq!(parse("done[       OK ] a/b.c/0 (0 ms)"), Line::Ends(Verdict::Passed, "a/b.c/0"));
        assert_eq!(
            parse("[  FAILED  ] a/b.c/0, where GetParam() = ({ 1, 2 }) (3 ms)"),
            Line::Ends(Verdict::Failed, "a/b.c/0")
        );
        assert_eq!(parse("[  SKIPPED ] a/b.c/0 (0 ms)"), Line::Ends(Verdict::Skipped, "a/b.c/0"));
        assert_eq!(parse("[==========] Running 12 tests"), Line::Other("[==========] Running 12 tests"));
    }

    #[cfg(unix)]
    #[test]
    fn a_crash_and_a_hang_name_the_test_that_was_running() {
        let script = |text: &str| {
            let mut command = Command::new("sh");
            command.arg("-c").arg(text);
            command
        };
        let run = |text: &str, limit: u64| {
            let mut ended = Vec::new();
            let watched = watch(script(text), Path::new("none"), Duration::from_millis(limit), &mut |e| {
                ended.push((e.test, e.verdict));
            });
            (ended, watched.unwrap())
        };
        let passed = "echo heading; echo '[ RUN      ] a.b'; echo '[       OK ] a.b (0 ms)'; ";
        let (ended, end) =
            run(&format!("{passed} echo '[ RUN      ] a.c'; echo why >&2; kill -11 $$"), 60_000);
        assert_eq!(ended, [("a.b".to_owned(), Verdict::Passed)]);
        assert_eq!((end.running.as_deref(), end.stopped, end.status.success()), (Some("a.c"), false, false));
        assert_eq!(end.heading, ["heading"]);
        assert!(end.output.iter().any(|l| l == "why"));

        let (ended, end) = run(&format!("{passed} echo '[ RUN      ] a.c'; exec sleep 1000"), 500);
        assert_eq!(ended.len(), 1);
        assert_eq!((end.running.as_deref(), end.stopped), (Some("a.c"), true));
    }
}
