use hipblas_abi::hip::PointerAttributes;

use super::*;

pub(super) fn attributes(ptr: *const c_void) -> PointerAttributes {
    let null = std::ptr::null_mut();
    let mut a = PointerAttributes {
        kind: -1,
        device: -1,
        device_pointer: null,
        host_pointer: null,
        is_managed: -1,
        allocation_flags: 0,
    };
    ok!(hipPointerGetAttributes(&mut a, ptr));
    a
}

#[test]
fn blocks_of_every_size_are_aligned_and_apart() {
    let _alone = alone();
    let sizes = [1, 255, 256, 257, 4096, 65_536, 65_537, 1 << 21];
    let blocks: Vec<(*mut c_void, usize)> = sizes.into_iter().map(|n| (malloc(n), n)).collect();
    for (i, (ptr, n)) in blocks.iter().enumerate() {
        assert!(ptr.addr().is_multiple_of(256), "{n} bytes at {ptr:?}");
        ok!(hipMemset(*ptr, i as c_int + 1, *n));
    }
    for (i, (ptr, n)) in blocks.iter().enumerate() {
        let mut host = vec![0u8; *n];
        ok!(hipMemcpy(host.as_mut_ptr().cast(), *ptr, *n, memcpy::DEVICE_TO_HOST); hipFree(*ptr));
        assert!(host.iter().all(|b| *b == i as u8 + 1), "{n} bytes");
    }
}

#[test]
fn wrong_sizes_and_pointers_are_errors() {
    let _alone = alone();
    let mut ptr = std::ptr::dangling_mut();
    ok!(hipMalloc(&mut ptr, 0); hipFree(ptr));
    assert!(ptr.is_null());
    fails!(INVALID_VALUE, hipMalloc(std::ptr::null_mut(), 8));
    for bytes in [usize::MAX, 1 << 60, usize::MAX / 2] {
        fails!(OUT_OF_MEMORY, hipMalloc(&mut ptr, bytes));
    }
    let ptr = malloc(1000);
    let mut host = 0u8;
    fails!(INVALID_VALUE, hipFree(ptr.wrapping_byte_add(1)));
    fails!(INVALID_VALUE, hipFree((&raw mut host).cast()));
    fails!(INVALID_VALUE, hipHostFree(ptr));
    ok!(hipFree(ptr));
    fails!(INVALID_VALUE, hipFree(ptr));
}

#[test]
fn attributes_tell_what_memory_is() {
    let _alone = alone();
    let (device, mut managed, mut pinned) = (malloc(100), std::ptr::null_mut(), std::ptr::null_mut());
    let mut own = [0u8; 64];
    ok!(hipMallocManaged(&mut managed, 100, 1);
        hipHostMalloc(&mut pinned, 100, 0);
        hipHostRegister(own.as_mut_ptr().cast(), 32, 0));
    let inside = attributes(device.wrapping_byte_add(50));
    assert_eq!((inside.kind, inside.is_managed), (2, 0));
    assert_eq!((inside.device_pointer, inside.host_pointer), (device.wrapping_byte_add(50), NULL));
    assert_eq!((attributes(managed).kind, attributes(managed).is_managed), (3, 1));
    assert_eq!((attributes(pinned).kind, attributes(pinned).host_pointer), (1, pinned));
    assert_eq!(attributes(own.as_ptr().cast()).kind, 1);
    assert_eq!((attributes(own[32..].as_ptr().cast()).kind, attributes(std::ptr::null()).kind), (0, 0));

    fails!(HOST_MEMORY_ALREADY_REGISTERED, hipHostRegister(own[16..].as_mut_ptr().cast(), 32, 0));
    let mut mapped = std::ptr::null_mut();
    ok!(hipHostGetDevicePointer(&mut mapped, own.as_mut_ptr().cast(), 0);
        hipHostUnregister(own.as_mut_ptr().cast()));
    assert_eq!(mapped, own.as_mut_ptr().cast());
    fails!(HOST_MEMORY_NOT_REGISTERED, hipHostUnregister(own.as_mut_ptr().cast()));
    fails!(INVALID_VALUE, hipFree(pinned));
    ok!(hipFree(device); hipFree(managed); hipHostFree(pinned));
    assert_eq!(attributes(device).kind, 0);
}

#[test]
fn memory_is_freed_in_stream_order() {
    let _alone = alone();
    let stream = stream();
    let (mut ptr, kept) = (std::ptr::null_mut(), malloc(4));
    slow(stream);
    ok!(hipMallocAsync(&mut ptr, 4, stream));
    ok!(set(ptr, 17, stream);
        hipMemcpyAsync(kept, ptr, 4, memcpy::DEVICE_TO_DEVICE, stream);
        hipFreeAsync(ptr, stream));
    fails!(INVALID_VALUE, hipFreeAsync(ptr, stream));
    ok!(hipStreamSynchronize(stream));
    assert_eq!(get(kept), 17);
    ok!(hipFreeAsync(std::ptr::null_mut(), stream); hipStreamDestroy(stream); hipFree(kept));
}

#[test]
fn pool_of_the_device_gives_memory() {
    let _alone = alone();
    let (mut pool, mut ptr, mut threshold) = (std::ptr::null_mut(), std::ptr::null_mut(), u64::MAX);
    ok!(hipDeviceGetDefaultMemPool(&mut pool, 0);
        hipMemPoolSetAttribute(pool, 4, (&raw mut threshold).cast());
        hipMallocFromPoolAsync(&mut ptr, 4, pool, NULL);
        hipFreeAsync(ptr, NULL);
        hipMemPoolTrimTo(pool, 0);
        hipMemPoolGetAttribute(pool, 4, (&raw mut threshold).cast()));
    assert_eq!(threshold, u64::MAX);
    fails!(INVALID_VALUE, hipMemPoolTrimTo(std::ptr::null_mut(), 0));
}
