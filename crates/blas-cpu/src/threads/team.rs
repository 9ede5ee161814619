//! A thread that calls, and the workers of its pool that compute parts of its calls.
//!
//! To wake a sleeping worker takes longer than most calls. So a worker that has come to a team lingers: for a while it
//! polls its seat for parts of the next call, which then costs some hundred nanoseconds to hand out. It is a job of the
//! pool, and now and then it looks for other work there, does that, and leaves.
//!
//! A call never waits for a worker to come. The caller computes its own parts and then those that nobody has begun, so
//! that workers which sleep or are busy elsewhere cost it no more than the call for them.

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long a worker stays after its last part.
const LINGER: Duration = Duration::from_micros(200);

/// How long it polls before it lets other threads have the processor between looks at its seat.
const ALERT: Duration = Duration::from_micros(50);

/// How often it looks for work elsewhere.
const LOOK: Duration = Duration::from_micros(50);

/// Polls between two looks at the clock.
const POLLS: usize = 32;

thread_local! {
    /// The team of this thread, while it is in no call. All calls of a thread are in the same pool.
    static TEAM: Cell<Option<Owner>> = const { Cell::new(None) };

    /// Whether this thread lingers, also while it does other work that it has found meanwhile.
    static LINGERS: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f(0)`, ..., `f(parts - 1)` on the caller's thread and on workers of its pool. Which thread computes a part is
/// chance where some are busy, and otherwise the same in each call, so that it finds in its caches what it has left there.
/// A `brief` call takes less time than to wake a worker: it does so only where it follows another one that found none.
pub(super) fn run(parts: usize, brief: bool, f: &(dyn Fn(usize) + Sync)) {
    // A call inside a part of another one finds no team, and neither does one in a destructor of this thread.
    let mut owner = TEAM.try_with(Cell::take).ok().flatten().unwrap_or_else(Owner::new);
    let Owner { team, alone } = &mut owner;
    team.compute(parts, f, || {
        !brief || alone.replace(Instant::now()).is_some_and(|last| last.elapsed() < LINGER)
    });
    let _ = TEAM.try_with(|team| team.set(Some(owner)));
}

/// A team in the hands of the thread that calls.
struct Owner {
    team: Arc<Team>,
    /// When a brief call last found no worker.
    alone: Option<Instant>,
}

impl Owner {
    fn new() -> Self {
        let workers = rayon::current_num_threads() - 1;
        let team = Arc::new(Team {
            owner: thread::current().id(),
            seats: (0..workers).map(|_| Seat::default()).collect(),
            panicked: AtomicBool::new(false),
            panic: Mutex::new(None),
            over: AtomicBool::new(false),
        });
        Owner { team, alone: None }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.team.over.store(true, Ordering::Relaxed);
    }
}

/// What is computed in one call.
#[derive(Clone, Copy)]
struct Round {
    f: &'static (dyn Fn(usize) + Sync),
    parts: usize,
    /// Threads that share them: thread `i` has the parts `i`, `i + threads`, ...
    threads: usize,
}

struct Team {
    owner: ThreadId,
    /// One for each worker that can help. (The caller is thread 0, and seat `i` is that of thread `i + 1`.)
    seats: Box<[Seat]>,
    /// Whether a part has panicked, and with what. (All look at the first in each call, and nobody writes it.)
    panicked: AtomicBool,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// Whether there will be no more calls.
    over: AtomicBool,
}

impl Team {
    /// One call, which wakes workers if some are missing and `wake` says so. Only the owner calls this, and not again before it
    /// has returned.
    fn compute(self: &Arc<Self>, parts: usize, f: &(dyn Fn(usize) + Sync), wake: impl FnOnce() -> bool) {
        let seats = &self.seats[..self.seats.len().min(parts.saturating_sub(1))];
        // SAFETY: this changes the lifetime only. Nothing below returns or unwinds before all parts are done, and nobody
        // calls the function for a part of another call.
        let f = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(f) };
        let round = Round { f, parts, threads: seats.len() + 1 };
        // SAFETY: the last call was over when nothing was offered or taken.
        let missing = seats.iter().filter(|seat| unsafe { !seat.offer(round) }).count();
        if missing > 0 && wake() {
            self.call_some();
        }
        self.work(0, round);
        (0..seats.len()).for_each(|i| _ = self.take(i));
        seats.iter().for_each(Seat::wait);
        if self.panicked.load(Ordering::Relaxed) {
            self.panicked.store(false, Ordering::Relaxed);
            let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(panic) = panic {
                resume_unwind(panic);
            }
        }
    }

    /// Calls workers to seats whose parts nobody is there for: two, who call others when they come. (To call one takes a
    /// microsecond or two, which would add up where a pool is large and asleep.)
    fn call_some(self: &Arc<Self>) {
        for (i, _) in self.seats.iter().enumerate().filter(|(_, seat)| seat.call()).take(2) {
            let team = Arc::clone(self);
            rayon::spawn(move || team.help(i));
        }
    }

    /// Computes the parts of a thread.
    fn work(&self, thread: usize, Round { f, parts, threads }: Round) {
        let all = || (thread..parts).step_by(threads).for_each(f);
        // Others may be at work for this call, which has to outlive them.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(all)) {
            *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
            self.panicked.store(true, Ordering::Relaxed);
        }
    }

    /// Computes what is offered at a seat and not begun. Returns whether there was something.
    fn take(&self, i: usize) -> bool {
        let seat = &self.seats[i];
        seat.take()
            .map(|round| {
                self.work(i + 1, round);
                seat.finish();
            })
            .is_some()
    }

    /// The job of a worker: computes what is offered at its seat, and [lingers](Self::linger).
    fn help(self: &Arc<Self>, i: usize) {
        let seat = &self.seats[i];
        // A pool that is busy elsewhere leaves the job to the owner, who is out of the call then.
        if thread::current().id() == self.owner && seat.leave() {
            return;
        }
        self.call_some();
        if !LINGERS.replace(true) {
            self.linger(i);
            LINGERS.set(false);
            return;
        }
        // The other work of a worker that lingers may be the seat of another team. To linger there too, and find a third one, would
        // take a stack without end.
        while !seat.leave() {
            if !self.take(i) {
                thread::yield_now();
            }
        }
    }

    /// Computes what is offered at a seat, and stays for more, until nothing has come for a while or there is other work.
    fn linger(self: &Arc<Self>, i: usize) {
        let seat = &self.seats[i];
        let mut now = Instant::now();
        let (mut last, mut look) = (now, now + LOOK);
        loop {
            let taken = (0..POLLS).any(|_| {
                let taken = self.take(i);
                if !taken {
                    spin_loop();
                }
                taken
            });
            now = Instant::now();
            if taken {
                last = now;
            }
            let idle = now - last;
            let over = idle > LINGER || self.over.load(Ordering::Relaxed);
            if (over || now > look) && seat.leave() {
                if over {
                    return;
                }
                // Parts that are late, and then what else there is to do.
                let late = (0..self.seats.len()).any(|i| self.take(i));
                if !late && rayon::yield_now() == Some(rayon::Yield::Executed) || !seat.enter() {
                    return;
                }
                look = Instant::now() + LOOK;
            }
            if idle > ALERT {
                thread::yield_now();
            }
        }
    }
}

/// There are parts to be taken.
const OFFERED: u8 = 1;
/// They are being computed.
const TAKEN: u8 = 2;
/// A worker is there or has been called.
const ATTENDED: u8 = 4;

/// Where a worker is handed its parts, in a cache line of its own. (Processors fetch them in pairs.)
#[repr(align(128))]
struct Seat {
    state: AtomicU8,
    /// The call whose parts are offered or taken. The owner writes it when there are none, who takes them reads it.
    round: UnsafeCell<Round>,
}

// SAFETY: access to `round` is ordered by the state.
unsafe impl Sync for Seat {}

impl Default for Seat {
    fn default() -> Self {
        let round = Round { f: &|_| {}, parts: 0, threads: 1 };
        Seat { state: AtomicU8::new(0), round: UnsafeCell::new(round) }
    }
}

impl Seat {
    /// Offers parts of a call. What was written before is seen by who takes them. Returns whether a worker is there.
    ///
    /// # Safety
    /// Only the owner offers, and nothing is offered or taken.
    unsafe fn offer(&self, round: Round) -> bool {
        // SAFETY: nobody reads it, as the caller promises.
        unsafe { *self.round.get() = round };
        self.state.fetch_or(OFFERED, Ordering::Release) & ATTENDED != 0
    }

    /// Whether parts are offered that no worker is there for; if so, one must be called now.
    fn call(&self) -> bool {
        self.state.load(Ordering::Relaxed) == OFFERED && self.enter()
    }

    /// Takes what is offered, if there is something.
    fn take(&self) -> Option<Round> {
        // (Polls that find nothing do not write, and leave the cache line to the owner.)
        let taken = |state| (state & OFFERED != 0).then_some(state ^ (OFFERED | TAKEN));
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, taken).ok()?;
        // SAFETY: it was written before it was offered, and is not written until this is finished.
        Some(unsafe { *self.round.get() })
    }

    /// Says that what was taken is done; the owner sees all that was written for it.
    fn finish(&self) {
        self.state.fetch_and(!TAKEN, Ordering::Release);
    }

    /// Waits until nothing is offered or taken.
    fn wait(&self) {
        let mut polls = 0;
        while self.state.load(Ordering::Acquire) & (OFFERED | TAKEN) != 0 {
            // A worker that has lost its processor needs one.
            if polls < 1000 {
                spin_loop()
            } else {
                thread::yield_now()
            }
            polls += 1;
        }
    }

    /// The worker is gone, unless there is something to do.
    fn leave(&self) -> bool {
        self.state.compare_exchange(ATTENDED, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// A worker comes, unless there is one.
    fn enter(&self) -> bool {
        self.state.fetch_or(ATTENDED, Ordering::Relaxed) & ATTENDED == 0
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
