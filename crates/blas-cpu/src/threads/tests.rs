use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::*;

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Runs a call whose operands are on the stack, and checks that each part was computed once.
fn call(parts: usize, round: u64) {
    let results: Vec<AtomicU64> = (0..parts).map(|_| AtomicU64::new(0)).collect();
    run(parts, false, &|i| _ = results[i].fetch_add(round + i as u64, Ordering::Relaxed));
    for (i, result) in results.into_iter().enumerate() {
        assert_eq!(result.into_inner(), round + i as u64, "part {i} of {parts}");
    }
}

fn calls(rounds: u64) {
    for round in 1..=rounds {
        call(2 + (round % 5) as usize, round);
    }
}

#[test]
fn each_part_is_computed_once() {
    for threads in [1, 2, 3, 8] {
        pool(threads).install(|| {
            calls(2000);
            for parts in [0, 1, 100] {
                call(parts, 7);
            }
        });
    }
    calls(2000);
}

#[test]
fn calls_with_pauses_meet_workers_that_come_and_go() {
    let pool = pool(3);
    for pause in [1, 20, 60, 190, 200, 210, 400] {
        pool.install(|| {
            for round in 1..=40 {
                call(3, round);
                let start = Instant::now();
                while start.elapsed() < Duration::from_micros(pause) {
                    spin_loop();
                }
            }
        });
    }
}

#[test]
fn many_threads_call_at_once_and_end_while_workers_linger() {
    let pool = pool(4);
    thread::scope(|scope| {
        for i in 0..6 {
            let pool = &pool;
            scope.spawn(move || {
                for _ in 0..20 {
                    if i % 2 == 0 { pool.install(|| calls(20)) } else { calls(20) }
                }
            });
            // Threads that end, and with them their teams.
            scope.spawn(|| (0..20).for_each(|_| thread::scope(|scope| _ = scope.spawn(|| calls(5)))));
        }
    });
}

#[test]
fn all_threads_of_a_pool_call_at_once() {
    use rayon::prelude::*;
    for threads in [1, 2, 4] {
        pool(threads).install(|| (0..64).into_par_iter().for_each(|_| calls(50)));
    }
}

#[test]
fn calls_and_pools_nest() {
    let (outer, inner) = (pool(3), pool(2));
    outer.install(|| {
        run(3, false, &|_| {
            run(2, false, &|_| calls(20));
            inner.install(|| run(2, false, &|_| calls(20)));
            rayon::join(|| calls(20), || calls(20));
        });
    });
}

#[test]
fn a_panic_reaches_the_caller_when_all_parts_are_done() {
    for panics in 0..4 {
        let done = AtomicUsize::new(0);
        let call = || {
            run(4, false, &|i| {
                if i == panics {
                    panic!("part {i}");
                }
                // Long enough for others to come.
                thread::sleep(Duration::from_millis(1));
                done.fetch_add(1, Ordering::Relaxed);
            });
        };
        let panic = pool(3).install(|| catch_unwind(AssertUnwindSafe(call)).unwrap_err());
        assert_eq!(*panic.downcast::<String>().unwrap(), format!("part {panics}"));
        // The parts of the same thread after the one that panicked are not begun.
        assert!((2..=3).contains(&done.into_inner()));
    }
    calls(10);
}

/// Otherwise teams whose jobs find each other would nest until the stack is full.
#[test]
fn who_lingers_does_not_linger_at_another_seat() {
    let done = AtomicUsize::new(0);
    let count = |_| _ = done.fetch_add(1, Ordering::Relaxed);
    // SAFETY: what is offered is computed before this function ends.
    let f =
        unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(&count) };
    let owner = pool(2).install(Owner::new);
    let (team, seat) = (&owner.team, &owner.team.seats[0]);
    // How long it takes to do what is offered and leave.
    let time = || {
        assert!(seat.enter());
        // SAFETY: nothing is offered or taken.
        assert!(unsafe { seat.offer(Round { f, parts: 2, threads: 2 }) });
        let start = Instant::now();
        LINGERS.set(true);
        team.help(0);
        assert_eq!(seat.state.load(Ordering::Relaxed), 0, "the seat is left");
        start.elapsed()
    };
    // A thread may lose its processor now and then.
    assert!((0..20).map(|_| time()).min() < Some(LINGER));
    LINGERS.set(false);
    assert_eq!(done.load(Ordering::Relaxed), 20);
}

#[test]
fn workers_find_other_work_in_a_series_of_calls() {
    let pool = pool(2);
    pool.install(|| {
        let done = Arc::new(AtomicBool::new(false));
        call(2, 1);
        let set = Arc::clone(&done);
        rayon::spawn(move || set.store(true, Ordering::Relaxed));
        let start = Instant::now();
        while !done.load(Ordering::Relaxed) {
            call(2, 1);
            assert!(start.elapsed() < Duration::from_secs(20), "the job has waited for too long");
        }
    });
}

#[test]
fn a_busy_pool_keeps_no_call_waiting() {
    let pool = pool(2);
    let (started, free) = (AtomicBool::new(false), AtomicBool::new(false));
    pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            started.store(true, Ordering::Relaxed);
            while !free.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        });
        while !started.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        // The only other worker computes these.
        pool.install(|| calls(100));
        free.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_seat_has_one_worker_and_its_parts_one_taker() {
    let seat = Seat::default();
    let round = Round { f: &|_| {}, parts: 7, threads: 2 };
    // SAFETY: this thread is the owner, and calls this when nothing is offered or taken.
    let offer = || unsafe { seat.offer(round) };
    let take = || seat.take().is_some_and(|round| round.parts == 7);
    assert!(!take() && !seat.call());
    assert!(!offer(), "nobody is there");
    assert!(seat.call() && !seat.call());
    assert!(take() && !take());
    assert!(!seat.leave() && !seat.enter(), "parts are being computed");
    seat.finish();
    seat.wait();
    assert!(offer(), "the worker is there");
    assert!(!seat.call() && !seat.leave(), "there is something to do");
    assert!(take());
    seat.finish();
    assert!(seat.leave() && !seat.leave());
    assert!(seat.enter() && !seat.enter() && seat.leave());
    assert!(!offer() && take(), "the owner needs no worker");
    assert!(!seat.call() && seat.enter(), "a worker may come in the meantime");
    seat.finish();
    assert!(seat.leave());
}

#[test]
fn a_brief_call_wakes_a_worker_only_if_it_follows_another() {
    let strangers = || {
        let (caller, count) = (thread::current().id(), AtomicUsize::new(0));
        run(2, true, &|_| {
            if thread::current().id() != caller {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        count.into_inner()
    };
    pool(2).install(|| {
        for _ in 0..3 {
            assert_eq!(strangers(), 0);
            thread::sleep(2 * LINGER);
        }
        let start = Instant::now();
        while strangers() == 0 {
            assert!(start.elapsed() < Duration::from_secs(20), "nobody has been woken");
        }
    });
}
