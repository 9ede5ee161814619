use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};

use super::super::stream::{enqueue, synchronize};
use super::*;

#[test]
fn work_of_a_stream_runs_in_order_and_without_the_caller() {
    let _alone = alone();
    let (stream, ptr) = (stream(), malloc(4));
    slow(stream);
    for i in 0..100 {
        assert_eq!(set(ptr, i, stream), error::SUCCESS);
    }
    fails!(NOT_READY, hipStreamQuery(stream));
    ok!(hipStreamSynchronize(stream); hipStreamQuery(stream));
    assert_eq!(get(ptr), 99);
    ok!(hipStreamDestroy(stream); hipFree(ptr));
}

#[test]
fn a_full_queue_makes_the_caller_wait_and_loses_nothing() {
    let _alone = alone();
    let (stream, ptr) = (stream(), malloc(4));
    slow(stream);
    for i in 0..5000 {
        assert_eq!(set(ptr, i, stream), error::SUCCESS);
    }
    ok!(hipStreamSynchronize(stream));
    assert_eq!(get(ptr), 4999);
    ok!(hipStreamDestroy(stream); hipFree(ptr));
}

#[test]
fn default_stream_waits_for_blocking_streams_only_and_they_for_it() {
    let _alone = alone();
    let (mut blocking, free, ptr) = (NULL, stream(), malloc(4));
    ok!(hipStreamCreate(&mut blocking));
    // The default stream after a blocking one.
    slow(blocking);
    ok!(set(ptr, 1, blocking); set(ptr, 2, NULL); hipStreamSynchronize(NULL));
    assert_eq!(get(ptr), 2);
    // A blocking stream after the default one.
    slow(NULL);
    ok!(set(ptr, 3, NULL); set(ptr, 4, blocking); hipStreamSynchronize(blocking));
    assert_eq!(get(ptr), 4);
    // Another waits for nothing.
    slow(NULL);
    ok!(set(ptr, 5, free); hipStreamSynchronize(free));
    fails!(NOT_READY, hipStreamQuery(NULL));
    ok!(hipDeviceSynchronize(); hipStreamDestroy(blocking); hipStreamDestroy(free); hipFree(ptr));
}

#[test]
fn memory_of_the_host_shows_what_was_before_a_wait() {
    let _alone = alone();
    unsafe extern "C" fn double(value: *mut c_void) {
        // SAFETY: the pinned memory below.
        unsafe { *value.cast::<c_int>() *= 2 };
    }
    let (stream, ptr) = (stream(), malloc(4));
    let (mut pinned, stop) = (std::ptr::null_mut(), event());
    ok!(hipHostMalloc(&mut pinned, 4, 0));
    // SAFETY: nothing that was enqueued uses it after a wait.
    let value = || unsafe { pinned.cast::<c_int>().read_volatile() };
    // SAFETY: both have four bytes until the work is done.
    let copy = |to, from| unsafe { hipMemcpyAsync(to, from, 4, memcpy::DEFAULT, stream) };
    // A host function after a fill by the device, and a copy and a fill after the function.
    ok!(hipMemsetD32Async(pinned, 4, 1, stream);
        hipLaunchHostFunc(stream, Some(double), pinned);
        copy(ptr, pinned);
        set(pinned, 5, stream);
        hipEventRecord(stop, stream);
        hipEventSynchronize(stop));
    assert_eq!((get(ptr), value()), (8, 5));
    // A query that says that all is done is a wait too.
    ok!(copy(pinned, ptr));
    // SAFETY: the stream is there.
    while unsafe { hipStreamQuery(stream) } == error::NOT_READY {
        std::thread::yield_now();
    }
    assert_eq!(value(), 8);
    ok!(hipStreamDestroy(stream); hipEventDestroy(stop); hipFree(ptr); hipHostFree(pinned));
}

#[test]
fn each_thread_has_a_stream_of_its_own() {
    let _alone = alone();
    const LEGACY: hip::Stream = std::ptr::without_provenance_mut(1);
    const PER_THREAD: hip::Stream = std::ptr::without_provenance_mut(2);
    let id = |stream| {
        let mut id = 0;
        ok!(hipStreamGetId(stream, &mut id));
        id
    };
    assert_eq!(id(LEGACY), id(NULL));
    let here = id(PER_THREAD);
    assert_eq!(id(PER_THREAD), here);
    let ptr = malloc(4).addr();
    let there = std::thread::spawn(move || {
        slow(PER_THREAD);
        assert_eq!(set(std::ptr::with_exposed_provenance_mut(ptr), 8, PER_THREAD), error::SUCCESS);
        id(PER_THREAD)
    });
    assert_ne!(there.join().unwrap(), here);
    // The work of a thread that is gone is done, and the default stream waits for it.
    assert_eq!(get(std::ptr::with_exposed_provenance_mut(ptr)), 8);
    fails!(INVALID_HANDLE, hipStreamDestroy(PER_THREAD));
}

#[test]
fn events_order_streams_and_measure_time() {
    let _alone = alone();
    let (a, b, ptr) = (stream(), stream(), malloc(4));
    let (start, stop, never) = (event(), event(), event());
    let mut ms = -1.0;
    ok!(hipEventRecord(start, a));
    slow(a);
    ok!(set(ptr, 1, a); hipEventRecord(stop, a));
    fails!(NOT_READY, hipEventQuery(stop));
    fails!(NOT_READY, hipEventElapsedTime(&mut ms, start, stop));
    ok!(hipStreamWaitEvent(b, stop, 0); set(ptr, 2, b); hipStreamSynchronize(b));
    assert_eq!(get(ptr), 2);
    ok!(hipEventQuery(stop); hipEventSynchronize(stop); hipEventElapsedTime(&mut ms, start, stop));
    assert!((29.0..10_000.0).contains(&ms), "{ms} ms");
    ok!(hipEventQuery(never); hipEventSynchronize(never); hipStreamWaitEvent(b, never, 0));
    fails!(INVALID_HANDLE, hipEventElapsedTime(&mut ms, start, never));
    let mut untimed = std::ptr::null_mut();
    ok!(hipEventCreateWithFlags(&mut untimed, hip::flag::EVENT_DISABLE_TIMING); hipEventRecord(untimed, a));
    fails!(INVALID_HANDLE, hipEventElapsedTime(&mut ms, start, untimed));
    ok!(hipEventDestroy(start); hipEventDestroy(stop); hipEventDestroy(never); hipEventDestroy(untimed));
    fails!(INVALID_HANDLE, hipEventDestroy(start));
    ok!(hipStreamDestroy(a); hipStreamDestroy(b); hipFree(ptr));
}

#[test]
fn a_destroyed_stream_finishes_its_work() {
    let _alone = alone();
    let (stream, ptr, done) = (stream(), malloc(4), event());
    slow(stream);
    ok!(set(ptr, 6, stream); hipEventRecord(done, stream); hipStreamDestroy(stream));
    fails!(CONTEXT_IS_DESTROYED, hipStreamSynchronize(stream));
    fails!(CONTEXT_IS_DESTROYED, set(ptr, 7, stream));
    ok!(hipEventSynchronize(done));
    assert_eq!(get(ptr), 6);
    ok!(hipEventDestroy(done); hipFree(ptr));
}

#[test]
fn errors_of_jobs_are_reported_by_the_next_wait() {
    let _alone = alone();
    let stream = stream();
    let failing = || Err(blas_api::Error::NotAvailable { what: "this", backend: "test" });
    assert_eq!(enqueue(stream, Arc::new(move |_| failing())), Ok(()));
    assert_eq!(synchronize(stream), Err(error::LAUNCH_FAILURE));
    assert_eq!(synchronize(stream), Ok(()));
    assert_eq!(enqueue(stream, Arc::new(|_| panic!("a job of a test"))), Ok(()));
    fails!(LAUNCH_FAILURE, hipDeviceSynchronize());
    // The worker is still there.
    let (send, receive) = mpsc::channel();
    assert_eq!(
        enqueue(
            stream,
            Arc::new(move |_| {
                send.send(1).unwrap();
                Ok(())
            })
        ),
        Ok(())
    );
    assert_eq!(receive.recv(), Ok(1));
    ok!(hipStreamDestroy(stream));
}

#[test]
fn callbacks_run_in_order_and_may_not_wait_for_themselves() {
    let _alone = alone();
    static OUTCOME: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn callback(stream: hip::Stream, status: Error, data: *mut c_void) {
        assert_eq!((status, get_on_host(data)), (error::SUCCESS, 3));
        // SAFETY: a stream.
        OUTCOME.store(unsafe { hipStreamSynchronize(stream) } as u32, Ordering::SeqCst);
        // The memory of what is queued behind it would be freed.
        // SAFETY: refused.
        assert_eq!(unsafe { hipDeviceReset() }, error::ILLEGAL_STATE);
    }
    fn get_on_host(data: *mut c_void) -> c_int {
        // SAFETY: an int of pinned memory.
        unsafe { data.cast::<c_int>().read() }
    }
    let (stream, mut pinned) = (stream(), std::ptr::null_mut());
    ok!(hipHostMalloc(&mut pinned, 4, 0));
    slow(stream);
    ok!(set(pinned, 3, stream); hipStreamAddCallback(stream, Some(callback), pinned, 0);
        hipStreamSynchronize(stream));
    assert_eq!(OUTCOME.load(Ordering::SeqCst) as Error, error::ILLEGAL_STATE);
    fails!(INVALID_VALUE, hipStreamAddCallback(stream, None, pinned, 0));
    ok!(hipStreamDestroy(stream); hipHostFree(pinned));
}

#[test]
fn streams_have_flags_and_priorities() {
    let (mut stream, mut flags, mut priority) = (NULL, 9, 9);
    ok!(hipStreamCreateWithPriority(&mut stream, 1, -5);
        hipStreamGetFlags(stream, &mut flags);
        hipStreamGetPriority(stream, &mut priority));
    assert_eq!((flags, priority), (1, -1));
    ok!(hipStreamDestroy(stream));
    fails!(INVALID_VALUE, hipStreamCreateWithFlags(&mut stream, 2));
    fails!(INVALID_HANDLE, hipStreamDestroy(NULL));
}

#[test]
fn many_threads_and_streams_at_once() {
    let _alone = alone();
    let worker = |seed: usize| {
        let (own, mut blocking, marker) = (stream(), NULL, event());
        ok!(hipStreamCreate(&mut blocking));
        for round in 0..50 {
            let streams = [own, blocking, NULL];
            let (first, second) = (streams[(seed + round) % 3], streams[(seed + round + 1) % 3]);
            let (mut ptr, value) = (std::ptr::null_mut(), (seed * 1000 + round) as c_int);
            ok!(hipMallocAsync(&mut ptr, 64 << (round % 12), first));
            ok!(set(ptr, -1, first); hipEventRecord(marker, first); hipStreamWaitEvent(second, marker, 0);
                set(ptr, value, second); hipStreamSynchronize(second));
            assert_eq!(get(ptr), value);
            ok!(if round % 2 == 0 { hipFree(ptr) } else { hipFreeAsync(ptr, second) });
        }
        ok!(hipStreamDestroy(own); hipStreamDestroy(blocking); hipEventDestroy(marker));
    };
    std::thread::scope(|scope| {
        for seed in 0..6 {
            scope.spawn(move || worker(seed));
        }
    });
    ok!(hipDeviceSynchronize());
}

#[test]
fn a_process_may_end_with_work_pending() {
    let output = in_child("stream::a_process_may_end_with_work_pending", &[], || {
        let stream = stream();
        for _ in 0..1000 {
            slow(stream);
        }
        std::process::exit(0);
    });
    assert!(output.unwrap().status.success());
}
