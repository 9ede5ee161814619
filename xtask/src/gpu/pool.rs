//! Processes side by side, each with a limit of time.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A process to run.
pub(super) struct Job {
    /// Names the job and its files.
    pub(super) name: String,
    /// Program and arguments.
    pub(super) command: Vec<String>,
    pub(super) environment: BTreeMap<String, String>,
    /// How many processors it takes.
    pub(super) slots: usize,
    /// Time after which it is stopped.
    pub(super) limit: Duration,
    /// Where its output goes.
    pub(super) log: PathBuf,
}

/// How a job ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// With this exit status, or by a signal.
    Exited(Option<i32>),
    /// It took too long.
    Stopped,
    /// It could not be started.
    NotStarted,
}

/// How a job ended, and after how long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) end: End,
    pub(super) time: Duration,
}

/// Runs the jobs in their order, as many at a time as there are slots, and hands over each as it ends. None runs beyond the
/// deadline; one that has not begun by then counts as stopped.
pub(super) fn run(
    jobs: &[Job],
    slots: usize,
    deadline: Instant,
    ended: &mut (dyn FnMut(&Job, Ended) + Send),
) -> Vec<Ended> {
    let free = Mutex::new(slots);
    let changed = Condvar::new();
    let ended = Mutex::new(ended);
    let lock = || free.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for job in jobs {
            let need = job.slots.min(slots);
            let mut now = lock();
            while *now < need {
                now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
            }
            *now -= need;
            drop(now);
            let (changed, ended) = (&changed, &ended);
            threads.push(scope.spawn(move || {
                let end = process(job, deadline);
                *lock() += need;
                changed.notify_all();
                ended.lock().unwrap_or_else(PoisonError::into_inner)(job, end);
                end
            }));
        }
        let not_started = Ended { end: End::NotStarted, time: Duration::ZERO };
        threads.into_iter().map(|t| t.join().unwrap_or(not_started)).collect()
    })
}

/// Runs one. `timeout` ends the children of a process with it.
fn process(job: &Job, deadline: Instant) -> Ended {
    let start = Instant::now();
    let limit = job.limit.min(deadline.saturating_duration_since(start));
    if limit.is_zero() {
        return Ended { end: End::Stopped, time: limit };
    }
    let end = match start_process(job, limit) {
        // What timeout answers with, and what a process that it had to kill does.
        Ok(status) if matches!(status, Some(124 | 137)) && start.elapsed() >= limit => End::Stopped,
        Ok(status) => End::Exited(status),
        Err(_) => End::NotStarted,
    };
    Ended { end, time: start.elapsed() }
}

fn start_process(job: &Job, limit: Duration) -> std::io::Result<Option<i32>> {
    let log = File::create(&job.log)?;
    let status = Command::new("timeout")
        .args(["--kill-after=5", &format!("{:.1}", limit.as_secs_f64())])
        .args(&job.command)
        .envs(&job.environment)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .status()?;
    Ok(status.code())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn job(name: &str, script: &str, slots: usize, limit: f64) -> Job {
        Job {
            name: name.to_owned(),
            command: ["sh", "-c", script].map(str::to_owned).to_vec(),
            environment: BTreeMap::from([("WORD".to_owned(), "said".to_owned())]),
            slots,
            limit: Duration::from_secs_f64(limit),
            log: std::env::temp_dir().join(format!("anyblas-pool-{}-{name}.log", std::process::id())),
        }
    }

    #[test]
    fn jobs_end_in_all_ways() {
        let jobs = [
            job("well", "echo $WORD", 1, 60.0),
            job("badly", "exit 3", 2, 60.0),
            job("by-a-signal", "kill -9 $$", 9, 60.0),
            job("never", "sleep 1000 & wait", 1, 0.3),
        ];
        let mut seen = 0;
        let ends = run(&jobs, 2, Instant::now() + Duration::from_secs(60), &mut |_, _| seen += 1);
        let ends: Vec<End> = ends.iter().map(|e| e.end).collect();
        // timeout answers for its child's signal with 128 + its number.
        assert_eq!(ends[..2], [End::Exited(Some(0)), End::Exited(Some(3))]);
        assert!(matches!(ends[2], End::Exited(None | Some(137))), "{:?}", ends[2]);
        assert_eq!(ends[3], End::Stopped);
        assert_eq!((seen, std::fs::read_to_string(&jobs[0].log).unwrap().trim()), (4, "said"));
        let late = run(&jobs[..1], 2, Instant::now(), &mut |_, _| {});
        assert_eq!(late[0].end, End::Stopped);
        for job in &jobs {
            std::fs::remove_file(&job.log).unwrap();
        }
    }
}
