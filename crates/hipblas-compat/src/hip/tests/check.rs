use std::os::unix::process::ExitStatusExt;
use std::sync::Arc;

use super::super::Ptr;
use super::super::backend::Queue;
use super::super::error::enter;
use super::super::memory::check_device;
use super::super::stream::{enqueue, synchronize};
use super::*;

const CHECK: &[(&str, &str)] = &[("HIP_COMPAT_CHECK", "1")];

/// What a process in checking mode printed before a signal ended it.
fn report(output: &Output) -> String {
    assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().find(|l| l.contains("illegal access")).unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// Reads a float of device memory on a stream, as a routine.
fn read(ptr: *mut c_void) {
    let _function = enter("hipblasTest");
    let at = Ptr(ptr.cast());
    let job = Arc::new(move |queue: &dyn Queue| {
        let mut value = 0f32;
        // SAFETY: not kept by the tests, whose processes it ends.
        unsafe { queue.download(at.get(), (&raw mut value).cast(), 4) }
    });
    assert_eq!(enqueue(NULL, job), Ok(()));
    assert_eq!(synchronize(NULL), Ok(()));
}

#[test]
fn one_element_past_the_end_is_found() {
    let output = in_child("check::one_element_past_the_end_is_found", CHECK, || {
        let ptr = device(&[1.0, 2.0, 3.0]);
        read(ptr.wrapping_byte_add(8));
        read(ptr.wrapping_byte_add(12));
    });
    let Some(output) = output else { return };
    let report = report(&output);
    assert!(report.contains("by hipblasTest"), "{report}");
    assert!(report.contains("0 bytes past the end of 12 bytes"), "{report}");
    assert!(report.contains("hipMalloc has allocated"), "{report}");
}

#[test]
fn freed_memory_is_found() {
    let output = in_child("check::freed_memory_is_found", CHECK, || {
        let ptr = device(&[1.0; 1000]);
        ok!(hipFree(ptr));
        read(ptr.wrapping_byte_add(40));
    });
    let Some(output) = output else { return };
    let report = report(&output);
    assert!(report.contains("40 bytes into 4000 bytes") && report.contains("hipFree has freed"), "{report}");
}

#[test]
fn device_memory_that_the_host_frees_early_is_named() {
    let output = in_child("check::device_memory_that_the_host_frees_early_is_named", CHECK, || {
        let ptr = malloc(4096);
        ok!(hipFree(ptr));
        // SAFETY: not kept, which ends the process.
        unsafe { ptr.cast::<u8>().write_volatile(1) };
    });
    let Some(output) = output else { return };
    assert!(report(&output).contains("by the program"), "{output:?}");
}

#[test]
fn faults_of_the_program_are_its_own() {
    let output = in_child("check::faults_of_the_program_are_its_own", CHECK, || {
        ok!(hipDeviceSynchronize());
        // SAFETY: not kept, which ends the process.
        unsafe { std::ptr::without_provenance_mut::<u8>(64).write_volatile(1) };
    });
    let Some(output) = output else { return };
    assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("hipblas-compat"), "{output:?}");
}

#[test]
fn host_pointers_are_told_from_device_pointers() {
    let output = in_child("check::host_pointers_are_told_from_device_pointers", CHECK, || {
        let (ptr, host) = (malloc(64), [0.0f32; 16]);
        assert_eq!(check_device(ptr, 64, "hipblasSscal", "x"), Ok(()));
        assert_eq!(check_device(host.as_ptr().cast(), 0, "hipblasSscal", "x"), Ok(()));
        assert_eq!(check_device(ptr, 65, "hipblasSscal", "x"), Err(error::ILLEGAL_ADDRESS));
        assert_eq!(check_device(host.as_ptr().cast(), 64, "hipblasSaxpy", "y"), Err(error::ILLEGAL_ADDRESS));
        // The error stays until the device is reset.
        fails!(ILLEGAL_ADDRESS, hipDeviceSynchronize());
        fails!(ILLEGAL_ADDRESS, hipStreamSynchronize(NULL));
        ok!(hipDeviceReset(); hipDeviceSynchronize());
        fails!(INVALID_VALUE, hipFree(ptr));
    });
    let Some(output) = output else { return };
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("hipblasSscal: x has 65 bytes"), "{text}");
    assert!(
        text.contains("hipblasSaxpy: y is") && text.contains("a host pointer passed as a device"),
        "{text}"
    );
    assert!(text.contains("hipFree: ") && text.contains("cannot be freed"), "{text}");
}

#[test]
fn writes_before_the_start_are_found_when_memory_is_freed() {
    let output = in_child("check::writes_before_the_start_are_found_when_memory_is_freed", CHECK, || {
        let ptr = malloc(100);
        let before = Ptr(ptr.wrapping_byte_sub(4).cast());
        let job = Arc::new(move |queue: &dyn Queue| {
            // SAFETY: the page that the block starts in.
            unsafe { queue.upload([7u8].as_ptr(), before.get(), 1) }
        });
        assert_eq!(enqueue(NULL, job), Ok(()));
        ok!(hipFree(ptr));
        fails!(ILLEGAL_ADDRESS, hipDeviceSynchronize());
    });
    let Some(output) = output else { return };
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("before the start"), "{output:?}");
}

#[test]
fn memory_that_was_never_written_is_nan() {
    let output = in_child("check::memory_that_was_never_written_is_nan", CHECK, || {
        assert!(numbers(malloc(40), 10).iter().all(|x| x.is_nan()));
    });
    assert!(output.is_none_or(|o| o.status.success()));
}
