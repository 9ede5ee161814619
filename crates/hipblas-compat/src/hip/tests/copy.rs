use super::super::copy::Snapshot;
use super::*;

#[test]
fn copies_of_every_kind_move_the_bytes() {
    let _alone = alone();
    let (a, b) = (device(&[1.0, 2.0, 3.0]), malloc(12));
    let (source, mut host) = ([4.0f32, 5.0, 6.0], [0.0f32; 3]);
    ok!(hipMemcpy(b, a, 12, memcpy::DEVICE_TO_DEVICE));
    assert_eq!(numbers(b, 3), [1.0, 2.0, 3.0]);
    ok!(hipMemcpy(b, source.as_ptr().cast(), 12, memcpy::DEFAULT);
        hipMemcpy(host.as_mut_ptr().cast(), b, 12, memcpy::DEFAULT));
    assert_eq!(host, source);
    ok!(hipMemcpy(host.as_mut_ptr().cast(), [7.0f32; 3].as_ptr().cast(), 12, memcpy::HOST_TO_HOST));
    assert_eq!(host, [7.0; 3]);
    ok!(hipMemcpyPeer(a, 0, b, 0, 12));
    assert_eq!(numbers(a, 3), source);
    // Ranges that overlap.
    ok!(hipMemcpy(a.wrapping_byte_add(4), a, 8, memcpy::DEVICE_TO_DEVICE));
    assert_eq!(numbers(a, 3), [4.0, 4.0, 5.0]);
    ok!(hipFree(a); hipFree(b));
}

#[test]
fn wrong_copies_are_errors() {
    let _alone = alone();
    let (ptr, mut host) = (malloc(64), [0u8; 128]);
    let host = host.as_mut_ptr().cast();
    fails!(INVALID_VALUE, hipMemcpy(ptr, host, 65, memcpy::HOST_TO_DEVICE));
    fails!(INVALID_VALUE, hipMemcpy(host, ptr.wrapping_byte_add(32), 33, memcpy::DEVICE_TO_HOST));
    fails!(INVALID_VALUE, hipMemcpy(host, host.wrapping_byte_add(8), 8, memcpy::HOST_TO_DEVICE));
    fails!(INVALID_VALUE, hipMemcpy(ptr, std::ptr::null(), 8, memcpy::DEFAULT));
    fails!(INVALID_MEMCPY_DIRECTION, hipMemcpy(ptr, host, 8, 9));
    fails!(INVALID_PITCH_VALUE, hipMemcpy2D(ptr, 4, host, 8, 8, 2, memcpy::HOST_TO_DEVICE));
    fails!(INVALID_VALUE, hipMemset(host, 0, 8));
    fails!(INVALID_VALUE, hipMemset(ptr, 0, 65));
    fails!(INVALID_DEVICE, hipMemcpyPeer(ptr, 1, ptr, 0, 8));
    ok!(hipMemcpy(std::ptr::null_mut(), std::ptr::null(), 0, memcpy::DEFAULT); hipFree(ptr));
}

#[test]
fn rows_are_copied_and_filled_without_what_is_between() {
    let _alone = alone();
    let (mut ptr, mut pitch) = (std::ptr::null_mut(), 0);
    ok!(hipMallocPitch(&mut ptr, &mut pitch, 12, 4));
    assert_eq!(pitch, 256);
    let source: Vec<f32> = (0..20u8).map(f32::from).collect();
    let mut host = [-1.0f32; 12];
    ok!(hipMemset2D(ptr, pitch, 0, 12, 4);
        hipMemcpy2D(ptr, pitch, source.as_ptr().cast(), 20, 8, 4, memcpy::HOST_TO_DEVICE);
        hipMemcpy2DAsync(host.as_mut_ptr().cast(), 12, ptr, pitch, 12, 4, memcpy::DEVICE_TO_HOST, NULL);
        hipDeviceSynchronize());
    assert_eq!(host, [0.0, 1.0, 0.0, 5.0, 6.0, 0.0, 10.0, 11.0, 0.0, 15.0, 16.0, 0.0]);
    ok!(hipFree(ptr));
}

#[test]
fn fills_repeat_values_of_each_size() {
    let _alone = alone();
    let ptr = malloc(100_000);
    let mut host = vec![0u8; 100_000];
    for (width, value) in [(1, 0x11), (2, 0x2211), (4, 0x4433_2211)] {
        let count = 99_996 / width;
        ok!(hipMemset(ptr, 0, 100_000));
        ok!(match width {
            1 => hipMemsetD8(ptr, value as u8, count),
            2 => hipMemsetD16(ptr, value as u16, count),
            _ => hipMemsetD32(ptr, value, count),
        });
        ok!(hipMemcpy(host.as_mut_ptr().cast(), ptr, 100_000, memcpy::DEVICE_TO_HOST));
        let value = value.to_le_bytes();
        assert!(host[..99_996].chunks(width).all(|c| *c == value[..width]), "{width} bytes");
        assert_eq!(host[99_996..], [0; 4]);
    }
    ok!(hipFree(ptr));
}

#[test]
fn pageable_sources_are_read_at_once_and_pinned_ones_in_order() {
    let _alone = alone();
    let (stream, a, b) = (stream(), malloc(4), malloc(4));
    let mut pinned = std::ptr::null_mut();
    ok!(hipHostMalloc(&mut pinned, 4, 0));
    let pinned: *mut f32 = pinned.cast();
    let mut pageable = 1.0f32;
    // SAFETY: four bytes of host memory.
    unsafe { pinned.write(1.0) };
    slow(stream);
    ok!(hipMemcpyAsync(a, (&raw const pageable).cast(), 4, memcpy::HOST_TO_DEVICE, stream);
        hipMemcpyAsync(b, pinned.cast(), 4, memcpy::HOST_TO_DEVICE, stream));
    pageable += 1.0;
    // SAFETY: as above.
    unsafe { pinned.write(2.0) };
    ok!(hipStreamSynchronize(stream));
    assert_eq!((numbers(a, 1), numbers(b, 1), pageable), (vec![1.0], vec![2.0], 2.0));
    ok!(hipFree(a); hipFree(b); hipHostFree(pinned.cast()); hipStreamDestroy(stream));
}

#[test]
fn what_is_kept_of_pageable_sources_is_limited() {
    let _alone = alone();
    let source = vec![0u8; 150 << 20];
    let first = Snapshot::take(&source);
    assert!(first.is_some());
    assert!(Snapshot::take(&source).is_none(), "both would be too much");
    drop(first);
    assert!(Snapshot::take(&source).is_some());
    assert!(Snapshot::take(&vec![0u8; 300 << 20]).is_none());
    // A copy that cannot be kept is done when the function returns.
    let (stream, ptr) = (stream(), malloc(300 << 20));
    let host = vec![7u8; 300 << 20];
    slow(stream);
    ok!(hipMemcpyAsync(ptr, host.as_ptr().cast(), host.len(), memcpy::HOST_TO_DEVICE, stream);
        hipStreamQuery(stream));
    assert_eq!(get(ptr), 0x0707_0707);
    ok!(hipFree(ptr); hipStreamDestroy(stream));
}
