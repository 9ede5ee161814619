//! A thread that runs jobs, and is given up with a job that does not end: a call that hangs can't be ended from outside.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use blas_api::{Any, Handle, Result};

use crate::properties::Open;

/// Something to do with a handle, or without one where none could be opened.
type Job = Box<dyn FnOnce(Result<&Handle<Any>>) + Send>;

/// Runs jobs with a handle of its own.
pub(crate) struct Worker {
    open: Open<Any>,
    limit: Duration,
    thread: Option<Thread>,
}

struct Thread {
    jobs: Sender<Job>,
    ends: JoinHandle<()>,
}

impl Worker {
    /// A worker that gives up what takes longer than `limit`.
    pub(crate) fn new(open: &Open<Any>, limit: Duration) -> Self {
        Worker { open: open.clone(), limit, thread: None }
    }

    /// What a job gives, or why it has given nothing. The next one then has another thread and another handle.
    pub(crate) fn run<T: Send + 'static>(
        &mut self,
        job: impl FnOnce(&Handle<Any>) -> T + Send + 'static,
    ) -> Result<T, String> {
        let result = self.ask(job);
        if result.is_err() {
            self.thread = None;
        }
        result
    }

    fn ask<T: Send + 'static>(
        &mut self,
        job: impl FnOnce(&Handle<Any>) -> T + Send + 'static,
    ) -> Result<T, String> {
        let ended = || "its thread has ended".to_owned();
        let thread = match &mut self.thread {
            Some(thread) => thread,
            none => none.insert(start(self.open.clone())?),
        };
        let (outbox, answer) = channel();
        let job: Job = Box::new(move |handle| {
            // Whoever asked may have gone.
            let _ = outbox.send(handle.map(job));
        });
        thread.jobs.send(job).map_err(|_| ended())?;
        let result = answer.recv_timeout(self.limit).map_err(|e| match e {
            RecvTimeoutError::Timeout => format!("no end within {:?}", self.limit),
            RecvTimeoutError::Disconnected => ended(),
        })?;
        result.map_err(|e| e.to_string())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(Thread { jobs, ends }) = self.thread.take() {
            // No more jobs. The thread closes its handle, which takes a GPU's libraries some time, and those must not be
            // at work when the process ends.
            drop(jobs);
            let _ = ends.join();
        }
    }
}

/// As large as that of a main thread.
const STACK: usize = 8 << 20;

fn start(open: Open<Any>) -> Result<Thread, String> {
    let (jobs, inbox) = channel::<Job>();
    let work = move || {
        let handle = open();
        // Until the other side is gone.
        inbox.into_iter().for_each(|job| job(handle.as_ref().map_err(Clone::clone)));
    };
    let thread = thread::Builder::new().name("suite".to_owned()).stack_size(STACK);
    let ends = thread.spawn(work).map_err(|e| format!("no thread: {e}"))?;
    Ok(Thread { jobs, ends })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use blas_api::Error;
    use blas_cpu::Cpu;

    use super::*;

    #[test]
    fn a_job_that_does_not_end_is_given_up_and_the_next_one_runs() {
        let open: Open<Any> = Arc::new(|| Ok(Cpu::handle().erase()));
        let mut worker = Worker::new(&open, Duration::from_secs(1));
        let hangs = worker.run(|_| {
            loop {
                thread::park();
            }
        });
        let none: Result<(), String> = hangs;
        assert_eq!(none, Err("no end within 1s".to_owned()));
        assert_eq!(worker.run(|handle| handle.device()), Ok(Cpu::handle().device()));
    }

    #[test]
    fn jobs_are_told_why_there_is_no_handle() {
        let why = Error::NoDevice { name: "none".to_owned(), why: "a test".to_owned() };
        let text = why.to_string();
        let open: Open<Any> = Arc::new(move || Err(why.clone()));
        let mut worker = Worker::new(&open, Duration::from_secs(5));
        assert_eq!(worker.run(|_| ()), Err(text));
    }
}
