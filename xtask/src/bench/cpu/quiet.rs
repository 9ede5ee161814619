//! The processors that other work disturbs least, for machines that have more than a run needs: where cores are shared with
//! other machines, each may have half of its speed for some seconds.

use std::io::Result;
use std::sync::Barrier;
use std::time::{Duration, Instant};

/// How long a choice holds.
const HOLDS: Duration = Duration::from_millis(500);
/// How long a processor is tried.
const TRIAL: Duration = Duration::from_millis(1);

/// The choice of processors for a number of threads.
pub(super) struct Quiet {
    allowed: Vec<usize>,
    threads: usize,
    last: Option<Instant>,
}

impl Quiet {
    pub(super) fn new(threads: usize) -> Result<Self> {
        Ok(Quiet { allowed: allowed()?, threads, last: None })
    }

    /// The processors to go on with, if they may have to change.
    pub(super) fn choose(&mut self) -> Result<Option<Vec<usize>>> {
        if self.allowed.len() <= self.threads || self.last.is_some_and(|last| last.elapsed() < HOLDS) {
            return Ok(None);
        }
        let mut chosen = Vec::new();
        for _ in 0..self.threads {
            // Each is tried together with those chosen before: two may share a core.
            let mut best = (0, None);
            for &cpu in self.allowed.iter().filter(|cpu| !chosen.contains(*cpu)) {
                let steps = trial(&[&chosen[..], &[cpu]].concat())?;
                if steps > best.0 {
                    best = (steps, Some(cpu));
                }
            }
            chosen.extend(best.1);
        }
        self.last = Some(Instant::now());
        Ok(Some(chosen))
    }
}

/// The steps that the slowest of some processors does when all are busy.
fn trial(cpus: &[usize]) -> Result<u64> {
    let start = Barrier::new(cpus.len());
    std::thread::scope(|scope| {
        let threads: Vec<_> = cpus
            .iter()
            .map(|&cpu| {
                let start = &start;
                scope.spawn(move || {
                    let pinned = pin(0, &[cpu]);
                    start.wait();
                    pinned.map(|()| steps())
                })
            })
            .collect();
        let steps = threads.into_iter().map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e)));
        steps.collect::<Result<Vec<u64>>>().map(|steps| steps.into_iter().min().unwrap_or(0))
    })
}

/// Steps of chains of arithmetic, more of them than a core can do at once, in the time of a trial.
fn steps() -> u64 {
    let (start, mut steps) = (Instant::now(), 0);
    let mut chains = std::hint::black_box([1.0_f64; 16]);
    while start.elapsed() < TRIAL {
        for _ in 0..256 {
            chains = chains.map(|x| x * 0.5 + 0.5);
        }
        chains = std::hint::black_box(chains);
        steps += 1;
    }
    steps
}

/// The processors that this process may use.
#[cfg(target_os = "linux")]
fn allowed() -> Result<Vec<usize>> {
    // SAFETY: a set of bits, of which none is valid too.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set is as large as is said.
    if unsafe { libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: each index is within the set.
    Ok((0..8 * size_of_val(&set)).filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &set) }).collect())
}

/// Lets a thread (0: this one) run on these processors alone.
#[cfg(target_os = "linux")]
pub(super) fn pin(thread: libc::pid_t, cpus: &[usize]) -> Result<()> {
    // SAFETY: a set of bits, of which none is valid too.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the processors are those of such a set.
    cpus.iter().for_each(|&cpu| unsafe { libc::CPU_SET(cpu, &mut set) });
    // SAFETY: the set is as large as is said.
    match unsafe { libc::sched_setaffinity(thread, size_of_val(&set), &raw const set) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// No choice: elsewhere threads are not told where to run.
#[cfg(not(target_os = "linux"))]
fn allowed() -> Result<Vec<usize>> {
    Ok(Vec::new())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn pin(_: libc::pid_t, _: &[usize]) -> Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_made_where_there_is_one_and_holds() {
        let all = allowed().expect("Linux");
        let mut quiet = Quiet::new(all.len()).expect("Linux");
        assert_eq!(quiet.choose().expect("Linux"), None);
        if all.len() > 1 {
            let mut quiet = Quiet::new(all.len() - 1).expect("Linux");
            let chosen = quiet.choose().expect("Linux").expect("a choice");
            assert_eq!(chosen.len(), all.len() - 1);
            assert!(chosen.iter().all(|cpu| all.contains(cpu)));
            assert_eq!(quiet.choose().expect("Linux"), None);
        }
    }
}
