use std::ffi::{CStr, c_char};

use hipblas_abi::hip::{PROPERTIES_OLD, PROPERTIES_R0600, attribute};
use hipblas_abi::status;

use super::*;

fn text(bytes: &[u8]) -> &str {
    CStr::from_bytes_until_nul(bytes).unwrap().to_str().unwrap()
}

#[test]
fn there_is_one_device_with_a_name_and_memory() {
    let (mut count, mut free, mut total, mut bytes) = (0, 0, 0, 0);
    let mut name: [c_char; 8] = [1; 8];
    ok!(hipInit(0);
        hipGetDeviceCount(&mut count);
        hipSetDevice(0);
        hipMemGetInfo(&mut free, &mut total);
        hipDeviceTotalMem(&mut bytes, 0);
        hipDeviceGetName(name.as_mut_ptr(), 8, 0));
    assert_eq!(count, 1);
    assert!(free > 0 && free <= total && total == bytes, "{free} of {total}");
    assert_eq!(text(&name.map(|c| c as u8)), "anyblas");
    fails!(INVALID_DEVICE, hipSetDevice(1));
    fails!(INVALID_DEVICE, hipDeviceTotalMem(&mut bytes, -1));
    fails!(INVALID_VALUE, hipGetDeviceCount(std::ptr::null_mut()));
}

#[test]
fn both_layouts_of_the_properties_are_filled() {
    let int = |bytes: &[u8], at: usize| i32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap());
    for (layout, arch, gcn, warp) in
        [(PROPERTIES_OLD, "gfx908", Some(908), 64), (PROPERTIES_R0600, "gfx1030", None, 32)]
    {
        let mut bytes = [0xaa; 2000];
        let to = bytes.as_mut_ptr().cast();
        ok!(if gcn.is_some() { hipGetDeviceProperties(to, 0) } else { hipGetDevicePropertiesR0600(to, 0) });
        assert!(bytes[layout.size..].iter().all(|b| *b == 0xaa), "written past the end");
        assert!(bytes[layout.size - 1] != 0xaa, "not written to the end");
        assert!(text(&bytes).starts_with("anyblas CPU device"));
        assert_eq!(text(&bytes[layout.gcn_arch_name..]), arch);
        assert_eq!(layout.gcn_arch.map(|at| int(&bytes, at)), gcn);
        assert_eq!(int(&bytes, layout.warp_size), warp);
        assert_eq!(int(&bytes, layout.max_threads_per_block), 1024);
        assert!(int(&bytes, layout.clock_rate) > 0);
        assert!(int(&bytes, layout.multi_processor_count) > 0);
        let total = &bytes[layout.total_global_mem..layout.total_global_mem + 8];
        let mut expected = 0;
        ok!(hipDeviceTotalMem(&mut expected, 0));
        assert_eq!(usize::from_ne_bytes(total.try_into().unwrap()), expected);
    }
}

#[test]
fn attributes_agree_with_the_properties() {
    let get = |attribute| {
        let mut value = -1;
        ok!(hipDeviceGetAttribute(&mut value, attribute, 0));
        value
    };
    assert_eq!(get(attribute::WARP_SIZE), 32);
    assert_eq!(get(attribute::MAX_THREADS_PER_BLOCK), 1024);
    assert_eq!((get(attribute::COMPUTE_CAPABILITY_MAJOR), get(attribute::COMPUTE_CAPABILITY_MINOR)), (10, 3));
    assert_eq!(get(attribute::INTEGRATED), 0);
    let mut value = 0;
    fails!(INVALID_VALUE, hipDeviceGetAttribute(&mut value, 5000, 0));
}

#[test]
fn the_last_error_stays_until_it_is_read() {
    fails!(INVALID_DEVICE, hipSetDevice(7));
    ok!(hipSetDevice(0));
    // SAFETY: no arguments.
    unsafe {
        // The outcome of the last call, and the last error.
        assert_eq!(hipExtGetLastError(), error::SUCCESS);
        assert_eq!(hipPeekAtLastError(), error::INVALID_DEVICE);
        assert_eq!(hipGetLastError(), error::INVALID_DEVICE);
        assert_eq!(hipGetLastError(), error::SUCCESS);
    }
}

#[test]
fn older_releases_are_presented_as_they_were() {
    unsafe extern "C" {
        safe fn compat_init_0();
        safe fn compat_init_2();
    }
    let output = in_child("device::older_releases_are_presented_as_they_were", &[], || {
        let last = || {
            fails!(INVALID_DEVICE, hipSetDevice(7));
            ok!(hipSetDevice(0));
            // SAFETY: no arguments.
            unsafe { hipGetLastError() }
        };
        let null = std::ptr::null_mut();
        let ptr = malloc(8);
        for (initialise, number, warp, kind) in
            [(compat_init_0 as extern "C" fn(), 50_731_921, 64, 1), (compat_init_2, 60_443_484, 32, 2)]
        {
            initialise();
            let (mut version, mut size) = (0, 0);
            ok!(hipRuntimeGetVersion(&mut version); hipDeviceGetAttribute(&mut size, attribute::WARP_SIZE, 0));
            assert_eq!((version, size), (number, warp));
            assert_eq!(last(), error::SUCCESS, "each call's outcome replaces the last error");
            fails!(INVALID_VALUE, hipFreeAsync(null, NULL));
            assert_eq!(super::memory::attributes(ptr).kind, kind);
        }
        // Since 6, memory that HIP does not know is no error.
        let host = 0u8;
        assert_eq!(super::memory::attributes((&raw const host).cast()).kind, 0);
    });
    let Some(output) = output else { return };
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn errors_have_names_and_texts() {
    // SAFETY: the functions give texts of C.
    let name = |e| unsafe { CStr::from_ptr(hipGetErrorName(e)) }.to_str().unwrap();
    assert_eq!(name(2), "hipErrorOutOfMemory");
    assert_eq!(name(904), "hipErrorStreamCaptureUnjoined");
    assert_eq!(name(123_456), "hipErrorUnknown");
    // SAFETY: as above.
    let text = unsafe { CStr::from_ptr(hipGetErrorString(2)) };
    assert_eq!(text, c"out of memory");
}

#[test]
fn the_device_can_be_hidden() {
    for (variable, value) in
        [("HIP_VISIBLE_DEVICES", "-1"), ("HIP_VISIBLE_DEVICES", ""), ("HIP_COMPAT_DEVICE", "none")]
    {
        let output = in_child("device::the_device_can_be_hidden", &[(variable, value)], || {
            let (mut count, mut version, mut ptr) = (7, 0, std::ptr::null_mut());
            fails!(NO_DEVICE, hipGetDeviceCount(&mut count));
            assert_eq!(count, 0);
            fails!(NO_DEVICE, hipInit(0));
            fails!(NO_DEVICE, hipMalloc(&mut ptr, 8));
            assert_eq!(crate::blas::tests::create(), Err(status::INTERNAL_ERROR));
            ok!(hipRuntimeGetVersion(&mut version));
            assert_eq!(version, 70_253_211);
        });
        let Some(output) = output else { return };
        assert!(output.status.success(), "{output:?}");
    }
}
