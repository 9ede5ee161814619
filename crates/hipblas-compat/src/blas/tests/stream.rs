//! Work is in stream order, and in graphs.

use hipblas_abi::hip::flag;

use super::*;
use crate::hip::exports as runtime;
use crate::hip::tests::{slow, stream};

#[test]
fn work_waits_for_what_is_before_it() {
    let blas = Blas::new();
    let stream = stream();
    let (x, alpha) = (device(&[1.0f32, 2.0]), device(&[1.0f32]));
    blas.device_mode();
    ok!(hipblasSetStream(blas.handle, stream));
    slow(stream);
    ok!(hipblasSscal(blas.handle, 1, device(&[3.0f32]), alpha, 1);
        hipblasSscal(blas.handle, 2, alpha, x, 1);
        runtime::hipStreamSynchronize(stream));
    assert_eq!(host::<f32, 2>(x), [3.0, 6.0]);

    let mut sum = 0.0f32;
    slow(stream);
    ok!(hipblasSetPointerMode(blas.handle, pointer_mode::HOST);
        hipblasSasum(blas.handle, 2, x, 1, at(&mut sum)));
    assert_eq!(sum, 9.0);
}

#[test]
fn a_graph_has_no_results_on_the_host() {
    let blas = Blas::new();
    let stream = stream();
    let (x, mut sum) = (device(&[1.0f32, -2.0]), -1.0f32);
    let on_device = device(&[0.0f32, 0.0]);
    let mut two = 2.0f32;
    ok!(hipblasSetStream(blas.handle, stream));
    ok!(runtime::hipStreamBeginCapture(stream, flag::CAPTURE_RELAXED));
    fails!(INTERNAL_ERROR, hipblasSasum(blas.handle, 2, x, 1, at(&mut sum)));
    // A coefficient on the host is taken at the call.
    ok!(hipblasSscal(blas.handle, 2, at(&mut two), x, 1));
    two = 5.0;
    ok!(hipblasSetPointerMode(blas.handle, pointer_mode::DEVICE);
        hipblasSasum(blas.handle, 2, x, 1, on_device));
    let (mut graph, mut exec): (hip::Graph, hip::GraphExec) = (NULL, NULL);
    ok!(runtime::hipStreamEndCapture(stream, &mut graph);
        runtime::hipGraphInstantiate(&mut exec, graph, std::ptr::null_mut(), std::ptr::null_mut(), 0));
    assert_eq!(host::<f32, 2>(x), [1.0, -2.0]);
    ok!(runtime::hipGraphLaunch(exec, stream); runtime::hipGraphLaunch(exec, stream);
        runtime::hipStreamSynchronize(stream);
        runtime::hipGraphExecDestroy(exec);
        runtime::hipGraphDestroy(graph));
    assert_eq!((host::<f32, 2>(x), host::<f32, 1>(on_device)), ([4.0, -8.0], [12.0]));
    assert_eq!((sum, two), (-1.0, 5.0));
}

#[test]
fn memory_of_the_host_is_an_operand() {
    let blas = Blas::new();
    let stream = stream();
    let (x, mut two, mut pinned) = (device(&[0.0f32; 2]), 2.0f32, NULL);
    ok!(runtime::hipHostMalloc(&mut pinned, 8, 0); hipblasSetStream(blas.handle, stream));
    // SAFETY: nothing that was enqueued uses it before the first call and after a wait.
    let numbers = || unsafe { &mut *pinned.cast::<[f32; 2]>() };
    *numbers() = [1.0, 2.0];
    // The copy comes after the call that writes its source.
    ok!(hipblasSscal(blas.handle, 2, at(&mut two), pinned, 1);
        runtime::hipMemcpyAsync(x, pinned, 8, memcpy::DEFAULT, stream);
        hipblasSscal(blas.handle, 2, at(&mut two), pinned, 1);
        runtime::hipStreamSynchronize(stream));
    assert_eq!((host::<f32, 2>(x), *numbers()), ([2.0, 4.0], [4.0, 8.0]));
    ok!(runtime::hipHostFree(pinned));
}
