use super::*;

const GLOBAL: c_int = hip::flag::CAPTURE_GLOBAL;
const RELAXED: c_int = hip::flag::CAPTURE_RELAXED;

fn end(stream: hip::Stream) -> hip::GraphExec {
    let (mut graph, mut exec) = (std::ptr::null_mut(), std::ptr::null_mut());
    let null = std::ptr::null_mut();
    ok!(hipStreamEndCapture(stream, &mut graph);
        hipGraphInstantiate(&mut exec, graph, null, null.cast(), 0);
        hipGraphDestroy(graph));
    exec
}

/// Ends a capture that was spoilt.
fn fail_to_end(stream: hip::Stream, expected: Error) {
    let mut graph = std::ptr::dangling_mut();
    // SAFETY: a stream that is capturing.
    assert_eq!(unsafe { hipStreamEndCapture(stream, &mut graph) }, expected);
    assert!(graph.is_null());
    let mut status = -1;
    ok!(hipStreamIsCapturing(stream, &mut status));
    assert_eq!(status, 0);
}

#[test]
fn a_graph_runs_as_often_as_it_is_launched() {
    let _alone = alone();
    let (stream, a, b) = (stream(), device(&[1.0]), device(&[2.0]));
    let mut source = [3.0f32];
    let mut status = -1;
    ok!(hipStreamBeginCapture(stream, GLOBAL));
    ok!(hipStreamIsCapturing(stream, &mut status);
        hipMemcpyAsync(b, a, 4, memcpy::DEVICE_TO_DEVICE, stream);
        hipMemcpyAsync(a, source.as_ptr().cast(), 4, memcpy::HOST_TO_DEVICE, stream));
    assert_eq!(status, 1);
    let exec = end(stream);
    assert_eq!((numbers(a, 1), numbers(b, 1)), (vec![1.0], vec![2.0]), "nothing ran while capturing");
    ok!(hipGraphLaunch(exec, stream); hipStreamSynchronize(stream));
    assert_eq!((numbers(a, 1), numbers(b, 1)), (vec![3.0], vec![1.0]));
    // Sources are read each time.
    source[0] = 4.0;
    ok!(hipGraphLaunch(exec, stream); hipGraphLaunch(exec, NULL); hipGraphExecDestroy(exec);
        hipDeviceSynchronize());
    assert_eq!((numbers(a, 1), numbers(b, 1)), (vec![source[0]], vec![4.0]));
    fails!(INVALID_VALUE, hipGraphLaunch(exec, stream));
    ok!(hipStreamDestroy(stream); hipFree(a); hipFree(b));
}

#[test]
fn a_capture_forks_to_other_streams_and_must_be_joined() {
    let _alone = alone();
    let (a, b, ptr) = (stream(), stream(), malloc(8));
    let (fork, join) = (event(), event());
    let second = ptr.wrapping_byte_add(4);
    let mut status = -1;
    ok!(hipStreamBeginCapture(a, GLOBAL); hipEventRecord(fork, a); hipStreamWaitEvent(b, fork, 0);
        hipStreamIsCapturing(b, &mut status));
    assert_eq!(status, 1);
    ok!(set(second, 1, b); hipEventRecord(join, b); set(ptr, 2, a); hipStreamWaitEvent(a, join, 0);
        hipMemcpyAsync(ptr, second, 4, memcpy::DEVICE_TO_DEVICE, a));
    let mut graph = std::ptr::null_mut();
    fails!(STREAM_CAPTURE_UNMATCHED, hipStreamEndCapture(b, &mut graph));
    let exec = end(a);
    ok!(hipStreamIsCapturing(b, &mut status); hipEventQuery(join));
    assert_eq!(status, 0);
    ok!(hipGraphLaunch(exec, b); hipStreamSynchronize(b));
    assert_eq!((get(ptr), get(second)), (1, 1));

    ok!(hipStreamBeginCapture(a, GLOBAL); hipEventRecord(fork, a); hipStreamWaitEvent(b, fork, 0); set(ptr, 3, b));
    fail_to_end(a, error::STREAM_CAPTURE_UNJOINED);
    ok!(hipStreamBeginCapture(a, GLOBAL); hipEventRecord(fork, a));
    fails!(CAPTURED_EVENT, hipEventQuery(fork));
    fail_to_end(a, error::STREAM_CAPTURE_INVALIDATED);
    ok!(set(ptr, 4, b); hipStreamSynchronize(b));
    assert_eq!(get(ptr), 4);
    ok!(hipGraphExecDestroy(exec); hipStreamDestroy(a); hipStreamDestroy(b); hipFree(ptr);
        hipEventDestroy(fork); hipEventDestroy(join));
}

#[test]
fn what_is_not_permitted_spoils_a_capture() {
    let _alone = alone();
    let (a, other, mut ptr) = (stream(), stream(), std::ptr::null_mut());
    let begin = || ok!(hipStreamBeginCapture(a, GLOBAL));
    begin();
    fails!(ILLEGAL_STATE, hipStreamBeginCapture(a, GLOBAL));
    fails!(STREAM_CAPTURE_UNSUPPORTED, hipStreamSynchronize(a));
    fails!(STREAM_CAPTURE_INVALIDATED, hipLaunchHostFunc(a, Some(nothing), std::ptr::null_mut()));
    fail_to_end(a, error::STREAM_CAPTURE_INVALIDATED);
    begin();
    fails!(STREAM_CAPTURE_UNSUPPORTED, hipMalloc(&mut ptr, 8));
    fail_to_end(a, error::STREAM_CAPTURE_INVALIDATED);
    begin();
    fails!(STREAM_CAPTURE_UNSUPPORTED, hipDeviceSynchronize());
    fail_to_end(a, error::STREAM_CAPTURE_INVALIDATED);
    begin();
    fails!(STREAM_CAPTURE_IMPLICIT, hipMemset(ptr, 0, 8));
    fail_to_end(a, error::STREAM_CAPTURE_INVALIDATED);
    begin();
    fails!(STREAM_CAPTURE_UNSUPPORTED, hipStreamAddCallback(a, Some(no_callback), std::ptr::null_mut(), 0));
    fail_to_end(a, error::STREAM_CAPTURE_INVALIDATED);
    let before = event();
    ok!(hipEventRecord(before, other));
    begin();
    fails!(STREAM_CAPTURE_ISOLATION, hipStreamWaitEvent(a, before, 0));
    fail_to_end(a, error::STREAM_CAPTURE_INVALIDATED);
    fails!(STREAM_CAPTURE_UNSUPPORTED, hipStreamBeginCapture(NULL, GLOBAL));
    fails!(ILLEGAL_STATE, hipStreamEndCapture(a, &mut ptr));
    fails!(INVALID_VALUE, hipStreamBeginCapture(a, 3));

    // A blocking stream that is captured cannot wait for the default one; and in relaxed mode one may allocate.
    let mut blocking = NULL;
    ok!(hipStreamCreate(&mut blocking); hipStreamBeginCapture(blocking, RELAXED); hipMalloc(&mut ptr, 8));
    fails!(STREAM_CAPTURE_IMPLICIT, hipLaunchHostFunc(NULL, Some(nothing), std::ptr::null_mut()));
    fail_to_end(blocking, error::STREAM_CAPTURE_INVALIDATED);
    ok!(hipStreamDestroy(blocking); hipStreamDestroy(a); hipStreamDestroy(other); hipFree(ptr); hipEventDestroy(before));
}

unsafe extern "C" fn nothing(_: *mut c_void) {}
unsafe extern "C" fn no_callback(_: hip::Stream, _: Error, _: *mut c_void) {}

#[test]
fn a_capture_ends_on_its_thread_or_with_its_stream() {
    let _alone = alone();
    let a = stream();
    ok!(hipStreamBeginCapture(a, GLOBAL));
    let address = a.addr();
    let elsewhere = std::thread::spawn(move || {
        let mut graph = std::ptr::null_mut();
        // SAFETY: a stream that is capturing.
        unsafe { hipStreamEndCapture(std::ptr::without_provenance_mut(address), &mut graph) }
    });
    assert_eq!(elsewhere.join().unwrap(), error::STREAM_CAPTURE_WRONG_THREAD);
    ok!(hipStreamDestroy(a));
    // No capture is left that forbids this.
    ok!(hipDeviceSynchronize());
}

#[test]
fn memory_allocated_in_a_capture_is_the_graph_s() {
    let _alone = alone();
    let (a, kept, mut ptr) = (stream(), malloc(4), std::ptr::null_mut());
    ok!(hipStreamBeginCapture(a, GLOBAL); hipMallocAsync(&mut ptr, 4, a));
    ok!(set(ptr, 5, a); hipMemcpyAsync(kept, ptr, 4, memcpy::DEVICE_TO_DEVICE, a); hipFreeAsync(ptr, a));
    fails!(STREAM_CAPTURE_UNSUPPORTED, hipFreeAsync(kept, a));
    let exec = end(a);
    for _ in 0..3 {
        ok!(hipMemset(kept, 0, 4); hipGraphLaunch(exec, a); hipStreamSynchronize(a));
        assert_eq!(get(kept), 5);
    }
    ok!(hipGraphExecDestroy(exec); hipStreamDestroy(a); hipFree(kept));
    fails!(INVALID_VALUE, hipFree(ptr));
}

#[test]
fn graphs_can_be_recorded_into_graphs() {
    let _alone = alone();
    let (a, x) = (stream(), device(&[1.0, 2.0]));
    ok!(hipStreamBeginCapture(a, GLOBAL);
        hipMemcpyAsync(x, x.wrapping_byte_add(4), 4, memcpy::DEVICE_TO_DEVICE, a));
    let inner = end(a);
    ok!(hipStreamBeginCapture(a, GLOBAL); hipGraphLaunch(inner, a));
    let outer = end(a);
    ok!(hipGraphExecDestroy(inner); hipGraphLaunch(outer, a); hipStreamSynchronize(a));
    assert_eq!(numbers(x, 2), [2.0, 2.0]);
    ok!(hipGraphExecDestroy(outer); hipStreamDestroy(a); hipFree(x));
}
