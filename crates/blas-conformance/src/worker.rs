//! A thread that runs cells, and is given up with a cell that does not end: a call that hangs can't be ended from outside.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};

use blas_api::{Any, Routine, Types};

use crate::properties::Open;
use crate::report::{Cell, DeviationReport, Failure};
use crate::suite::{Options, run_cell};

/// A cell, and the deviations that were seen before it or with it.
type Order = ((Routine, Types), Vec<DeviationReport>);
type Answer = Result<(Cell, Vec<DeviationReport>), String>;

/// Runs cells with a handle of its own.
pub(crate) struct Worker {
    open: Open<Any>,
    options: Options,
    thread: Option<Thread>,
}

struct Thread {
    orders: Sender<Order>,
    answers: Receiver<Answer>,
    ends: JoinHandle<()>,
}

impl Worker {
    pub(crate) fn new(open: Open<Any>, options: &Options) -> Self {
        Worker { open, options: options.clone(), thread: None }
    }

    /// Runs a cell. It has failed if the thread does not answer in time.
    pub(crate) fn run(&mut self, cell: (Routine, Types), deviations: &mut Vec<DeviationReport>) -> Cell {
        let why = match self.ask(cell, deviations) {
            Ok(cell) => return cell,
            Err(why) => why,
        };
        // The next cell has another thread and another handle.
        self.thread = None;
        let mut failed = Cell::new(cell.0, cell.1);
        failed.fail(Failure::of_cell(&failed, &why, "an end of the cell"));
        failed
    }

    fn ask(&mut self, cell: (Routine, Types), deviations: &mut Vec<DeviationReport>) -> Result<Cell, String> {
        let ended = || "the thread of the cell has ended".to_owned();
        let Thread { orders, answers, .. } = match &mut self.thread {
            Some(thread) => thread,
            none => none.insert(start(self.open.clone(), self.options.clone())?),
        };
        orders.send((cell, deviations.clone())).map_err(|_| ended())?;
        let (cell, seen) = answers.recv_timeout(self.options.limit).map_err(|e| match e {
            RecvTimeoutError::Timeout => format!("no end within {:?}", self.options.limit),
            RecvTimeoutError::Disconnected => ended(),
        })??;
        *deviations = seen;
        Ok(cell)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(Thread { orders, ends, .. }) = self.thread.take() {
            // No more orders. The thread closes its handle, which takes a GPU's libraries some time, and those must not be
            // at work when the process ends.
            drop(orders);
            let _ = ends.join();
        }
    }
}

/// As large as that of a main thread.
const STACK: usize = 8 << 20;

fn start(open: Open<Any>, options: Options) -> Result<Thread, String> {
    let (orders, inbox) = channel::<Order>();
    let (outbox, answers) = channel();
    let work = move || {
        let handle = match open() {
            Ok(handle) => handle,
            Err(e) => return drop(outbox.send(Err(e.to_string()))),
        };
        // Until the other side is gone.
        for (cell, mut deviations) in inbox {
            let cell = run_cell(&handle, &options, cell, &mut deviations);
            if outbox.send(Ok((cell, deviations))).is_err() {
                return;
            }
        }
    };
    let thread = thread::Builder::new().name("cells".to_owned()).stack_size(STACK);
    let ends = thread.spawn(work).map_err(|e| format!("no thread for a cell: {e}"))?;
    Ok(Thread { orders, answers, ends })
}
