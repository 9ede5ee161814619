use std::os::unix::process::ExitStatusExt;

use super::*;

const FAR: &[(&str, &str)] = &[("HIP_COMPAT_DEVICE", "cpu-far")];

#[test]
fn the_host_cannot_touch_far_memory() {
    let output = in_child("far::the_host_cannot_touch_far_memory", FAR, || {
        let ptr = device(&[1.0, 2.0]);
        assert_eq!(numbers(ptr, 2), [1.0, 2.0]);
        // Memory of both can be used by both.
        let (mut managed, mut pinned) = (std::ptr::null_mut(), std::ptr::null_mut());
        ok!(hipMallocManaged(&mut managed, 8, 1); hipHostMalloc(&mut pinned, 8, 0));
        ok!(hipMemcpy(managed, ptr, 8, memcpy::DEVICE_TO_DEVICE));
        ok!(hipMemcpy(pinned, ptr, 8, memcpy::DEVICE_TO_HOST));
        for both in [managed, pinned] {
            // SAFETY: all work is done.
            assert_eq!(unsafe { both.cast::<[f32; 2]>().read() }, [1.0, 2.0]);
        }
        println!("so far, so good");
        // SAFETY: not kept, which ends the process.
        unsafe { std::hint::black_box(ptr.cast::<f32>().read_volatile()) };
    });
    let Some(output) = output else { return };
    assert!(String::from_utf8_lossy(&output.stdout).contains("so far, so good"), "{output:?}");
    assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{output:?}");
}
