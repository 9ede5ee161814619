//! Copies and fills.

use std::ffi::{c_int, c_uchar, c_ushort, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use blas_api::Location;
use hipblas_abi::hip::{Stream, error, memcpy};

use super::backend::{Queue, Rows};
use super::error::{Result, function};
use super::memory::{self, Kind, check_device};
use super::stream::{self, DEFAULT_STREAM, Job};
use super::{Ptr, device, graph};

/// `hipMemcpyDeviceToDeviceNoCU`
const DEVICE_TO_DEVICE_NO_CU: c_int = 1024;

/// So many bytes of pageable sources are kept for copies that are enqueued. Beyond that a caller waits for its copy.
const SNAPSHOTS: usize = 256 << 20;

/// Where memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Of the device or of both.
    Device,
    /// Of the host, and known to the device.
    Pinned,
    /// Not known to the runtime.
    Pageable,
}

impl Place {
    fn location(self) -> Location {
        if self == Place::Device { Location::Device } else { Location::Host }
    }
}

/// A copy of `height` rows of `width` bytes.
#[derive(Clone, Copy)]
struct Copy {
    dst: Ptr,
    dpitch: usize,
    src: Ptr,
    spitch: usize,
    width: usize,
    height: usize,
}

impl Copy {
    fn line(dst: *mut c_void, src: *const c_void, bytes: usize) -> Self {
        let (dst, src) = (Ptr(dst.cast()), Ptr(src.cast_mut().cast()));
        Copy { dst, dpitch: bytes, src, spitch: bytes, width: bytes, height: 1 }
    }

    /// Rows that follow each other without a gap are one.
    fn flat(self) -> Self {
        if self.dpitch == self.width && self.spitch == self.width {
            Copy { width: self.width * self.height, height: 1, ..self }
        } else {
            self
        }
    }

    /// Checks as HIP does, and says where destination and source are. `None` if there is nothing to copy.
    fn check(self, kind: c_int) -> Result<Option<(Place, Place)>> {
        if self.width == 0 || self.height == 0 {
            return Ok(None);
        }
        if self.dst.get().is_null() || self.src.get().is_null() {
            return Err(error::INVALID_VALUE);
        }
        if !matches!(kind, memcpy::HOST_TO_HOST..=memcpy::DEFAULT | DEVICE_TO_DEVICE_NO_CU) {
            return Err(error::INVALID_MEMCPY_DIRECTION);
        }
        if self.height > 1 && (self.dpitch < self.width || self.spitch < self.width) {
            return Err(error::INVALID_PITCH_VALUE);
        }
        let to = extent(self.dpitch, self.width, self.height)?;
        let from = extent(self.spitch, self.width, self.height)?;
        self.check_kind(kind, to, from)?;
        match (place(self.dst, to)?, place(self.src, from)?) {
            (Place::Pageable, Place::Pageable) if !matches!(kind, memcpy::HOST_TO_HOST | memcpy::DEFAULT) => {
                Err(error::INVALID_VALUE)
            }
            places => Ok(Some(places)),
        }
    }

    /// The copy as a job.
    fn job(self, (dst, src): (Place, Place)) -> Job {
        let copy = self.flat();
        // SAFETY: the caller of the function answers for both sides.
        Arc::new(move |queue| unsafe { copy.run(queue, dst, src) })
    }

    /// The copy as a job for which the source has been read. `None` if too much is kept already.
    fn job_with_snapshot(self, dst: Place) -> Option<Job> {
        let bytes = extent(self.spitch, self.width, self.height).ok()?;
        // SAFETY: the caller of the function answers for the source.
        let snapshot = Snapshot::take(unsafe { std::slice::from_raw_parts(self.src.get(), bytes) })?;
        let copy = self.flat();
        Some(Arc::new(move |queue| {
            let src = Ptr(snapshot.0.as_ptr().cast_mut());
            // SAFETY: as above for the destination; the source is ours.
            unsafe { Copy { src, ..copy }.run(queue, dst, Place::Pageable) }
        }))
    }

    /// Checking mode: what the kind calls device memory must be.
    fn check_kind(self, kind: c_int, to: usize, from: usize) -> Result {
        if matches!(kind, memcpy::HOST_TO_DEVICE | memcpy::DEVICE_TO_DEVICE | DEVICE_TO_DEVICE_NO_CU) {
            check_device(self.dst.get().cast(), to, function(), "dst")?;
        }
        if matches!(kind, memcpy::DEVICE_TO_HOST | memcpy::DEVICE_TO_DEVICE | DEVICE_TO_DEVICE_NO_CU) {
            check_device(self.src.get().cast(), from, function(), "src")?;
        }
        Ok(())
    }

    /// # Safety
    /// All rows of both sides are there.
    unsafe fn run(self, queue: &dyn Queue, dst: Place, src: Place) -> blas_api::Result {
        let from = Rows { ptr: self.src.get(), pitch: self.spitch, on: src.location() };
        let to = Rows { ptr: self.dst.get(), pitch: self.dpitch, on: dst.location() };
        let rows = (0..self.height).map(|i| (from.row(i), to.row(i)));
        if src == Place::Pinned || (from.on, to.on) == (Location::Host, Location::Host) {
            // Work before this may use memory that is known to the device.
            queue.sync()?;
        }
        match (from.on, to.on) {
            (Location::Host, Location::Host) => {
                // SAFETY: the caller's promise.
                rows.for_each(|(from, to)| unsafe { to.copy_from(from, self.width) });
                Ok(())
            }
            // SAFETY: the caller's promise.
            (Location::Device, Location::Device) if self.may_overlap() => unsafe {
                rows.into_iter().try_for_each(|(from, to)| move_within(queue, from, to, self.width))
            },
            // SAFETY: the caller's promise.
            _ => unsafe { queue.copy_rows(from, to, self.width, self.height) },
        }
    }

    /// Whether the sides are closer to each other than their rows are long in all.
    fn may_overlap(&self) -> bool {
        let extent = self.dpitch.max(self.spitch).saturating_mul(self.height - 1).saturating_add(self.width);
        self.dst.get().addr().abs_diff(self.src.get().addr()) < extent
    }
}

/// Copies a row within the device.
///
/// # Safety
/// Both are valid for so many bytes.
unsafe fn move_within(queue: &dyn Queue, from: *mut u8, to: *mut u8, bytes: usize) -> blas_api::Result {
    if to == from {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    unsafe {
        if to.addr().abs_diff(from.addr()) >= bytes {
            return queue.copy_device(from, to, bytes);
        }
        // HIP leaves it open what comes of ranges that overlap; it is as if there were a copy between.
        let mut between = vec![0u8; bytes];
        queue.download(from, between.as_mut_ptr(), bytes)?;
        queue.upload(between.as_ptr(), to, bytes)
    }
}

/// Bytes from the first to the last of some rows.
fn extent(pitch: usize, width: usize, height: usize) -> Result<usize> {
    let rows = pitch.checked_mul(height - 1);
    rows.and_then(|r| r.checked_add(width)).ok_or(error::INVALID_VALUE)
}

/// Where a range is. One that does not fit the allocation that it starts in is an error.
fn place(ptr: Ptr, bytes: usize) -> Result<Place> {
    match memory::find(ptr.get().cast()) {
        None => Ok(Place::Pageable),
        Some((start, size, ..)) if bytes > start + size - ptr.get().addr() => Err(error::INVALID_VALUE),
        Some((.., Kind::Device | Kind::Managed, _)) => Ok(Place::Device),
        Some((.., Kind::Host | Kind::Registered, _)) => Ok(Place::Pinned),
    }
}

/// A copy of a pageable source, counted in [`HELD`].
pub(super) struct Snapshot(Vec<u8>);

/// Bytes in snapshots.
static HELD: AtomicUsize = AtomicUsize::new(0);

impl Snapshot {
    pub(super) fn take(source: &[u8]) -> Option<Self> {
        let mut bytes = Vec::new();
        if source.len() > SNAPSHOTS || HELD.load(Ordering::Relaxed) > SNAPSHOTS - source.len() {
            return None;
        }
        bytes.try_reserve_exact(source.len()).ok()?;
        bytes.extend_from_slice(source);
        HELD.fetch_add(bytes.len(), Ordering::Relaxed);
        Some(Snapshot(bytes))
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        HELD.fetch_sub(self.0.len(), Ordering::Relaxed);
    }
}

/// A copy that is done when the function returns.
fn copy(c: Copy, kind: c_int, stream: Stream) -> Result {
    graph::refuse_any(error::STREAM_CAPTURE_IMPLICIT)?;
    match c.check(kind)? {
        Some(places) => stream::run(stream, c.job(places)),
        None => Ok(()),
    }
}

/// A copy in stream order. A pageable source may be reused when the function returns, but a graph reads it each time it
/// runs.
fn copy_async(c: Copy, kind: c_int, stream: Stream) -> Result {
    stream::check(stream)?;
    let Some((dst, src)) = c.check(kind)? else { return Ok(()) };
    if src != Place::Pageable || stream::is_capturing(stream) {
        return stream::enqueue(stream, c.job((dst, src)));
    }
    match c.job_with_snapshot(dst) {
        Some(job) => stream::enqueue(stream, job),
        None => stream::run(stream, c.job((dst, src))),
    }
}

pub(super) unsafe fn hipMemcpy(dst: *mut c_void, src: *const c_void, bytes: usize, kind: c_int) -> Result {
    copy(Copy::line(dst, src, bytes), kind, DEFAULT_STREAM)
}

pub(super) unsafe fn hipMemcpyWithStream(
    dst: *mut c_void,
    src: *const c_void,
    bytes: usize,
    kind: c_int,
    stream: Stream,
) -> Result {
    copy(Copy::line(dst, src, bytes), kind, stream)
}

pub(super) unsafe fn hipMemcpyAsync(
    dst: *mut c_void,
    src: *const c_void,
    bytes: usize,
    kind: c_int,
    stream: Stream,
) -> Result {
    copy_async(Copy::line(dst, src, bytes), kind, stream)
}

pub(super) unsafe fn hipMemcpyHtoD(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Result {
    copy(Copy::line(dst, src, bytes), memcpy::HOST_TO_DEVICE, DEFAULT_STREAM)
}

pub(super) unsafe fn hipMemcpyDtoH(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Result {
    copy(Copy::line(dst, src, bytes), memcpy::DEVICE_TO_HOST, DEFAULT_STREAM)
}

pub(super) unsafe fn hipMemcpyDtoD(dst: *mut c_void, src: *mut c_void, bytes: usize) -> Result {
    copy(Copy::line(dst, src, bytes), memcpy::DEVICE_TO_DEVICE, DEFAULT_STREAM)
}

pub(super) unsafe fn hipMemcpyHtoDAsync(
    dst: *mut c_void,
    src: *const c_void,
    bytes: usize,
    stream: Stream,
) -> Result {
    copy_async(Copy::line(dst, src, bytes), memcpy::HOST_TO_DEVICE, stream)
}

pub(super) unsafe fn hipMemcpyDtoHAsync(
    dst: *mut c_void,
    src: *mut c_void,
    bytes: usize,
    stream: Stream,
) -> Result {
    copy_async(Copy::line(dst, src, bytes), memcpy::DEVICE_TO_HOST, stream)
}

pub(super) unsafe fn hipMemcpyDtoDAsync(
    dst: *mut c_void,
    src: *mut c_void,
    bytes: usize,
    stream: Stream,
) -> Result {
    copy_async(Copy::line(dst, src, bytes), memcpy::DEVICE_TO_DEVICE, stream)
}

fn plane(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
) -> Copy {
    Copy { dpitch, spitch, height, ..Copy::line(dst, src, width) }
}

pub(crate) unsafe fn hipMemcpy2D(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: c_int,
) -> Result {
    copy(plane(dst, dpitch, src, spitch, width, height), kind, DEFAULT_STREAM)
}

pub(crate) unsafe fn hipMemcpy2DAsync(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: c_int,
    stream: Stream,
) -> Result {
    copy_async(plane(dst, dpitch, src, spitch, width, height), kind, stream)
}

pub(super) unsafe fn hipMemcpyPeer(
    dst: *mut c_void,
    dst_device: c_int,
    src: *const c_void,
    src_device: c_int,
    bytes: usize,
) -> Result {
    device::check_number(dst_device)?;
    device::check_number(src_device)?;
    copy(Copy::line(dst, src, bytes), memcpy::DEVICE_TO_DEVICE, DEFAULT_STREAM)
}

pub(super) unsafe fn hipMemcpyPeerAsync(
    dst: *mut c_void,
    dst_device: c_int,
    src: *const c_void,
    src_device: c_int,
    bytes: usize,
    stream: Stream,
) -> Result {
    device::check_number(dst_device)?;
    device::check_number(src_device)?;
    copy_async(Copy::line(dst, src, bytes), memcpy::DEVICE_TO_DEVICE, stream)
}

/// A fill of `height` rows of `width` bytes with a repeated value.
struct Fill {
    dst: Ptr,
    pitch: usize,
    width: usize,
    height: usize,
    value: Vec<u8>,
}

impl Fill {
    fn line(dst: *mut c_void, value: &[u8], count: usize) -> Result<Self> {
        let width = count.checked_mul(value.len()).ok_or(error::INVALID_VALUE)?;
        Ok(Fill::plane(dst, width, value, width, 1))
    }

    fn plane(dst: *mut c_void, pitch: usize, value: &[u8], width: usize, height: usize) -> Self {
        Fill { dst: Ptr(dst.cast()), pitch, width, height, value: value.to_vec() }
    }

    /// The fill as a job, checked as HIP does. `None` if there is nothing to fill.
    fn job(self) -> Result<Option<Job>> {
        if self.width == 0 || self.height == 0 {
            return Ok(None);
        }
        if self.height > 1 && self.pitch < self.width {
            return Err(error::INVALID_VALUE);
        }
        let bytes = extent(self.pitch, self.width, self.height)?;
        check_device(self.dst.get().cast(), bytes, function(), "dst")?;
        let place = place(self.dst, bytes)?;
        if place == Place::Pageable {
            return Err(error::INVALID_VALUE);
        }
        // SAFETY: the caller of the function answers for the rows.
        Ok(Some(Arc::new(move |queue| unsafe { self.run(queue, place) })))
    }

    /// # Safety
    /// All rows are there.
    unsafe fn run(&self, queue: &dyn Queue, place: Place) -> blas_api::Result {
        let rows = Rows { ptr: self.dst.get(), pitch: self.pitch, on: place.location() };
        if place == Place::Device {
            // SAFETY: the caller's promise.
            return unsafe { queue.fill_rows(rows, &self.value, self.width, self.height) };
        }
        // Work before this may use memory that is known to the device.
        queue.sync()?;
        for i in 0..self.height {
            // SAFETY: the caller's promise.
            let row = unsafe { std::slice::from_raw_parts_mut(rows.row(i), self.width) };
            row.chunks_exact_mut(self.value.len()).for_each(|to| to.copy_from_slice(&self.value));
        }
        Ok(())
    }
}

/// A fill that is done when the function returns.
fn fill(f: Fill) -> Result {
    graph::refuse_any(error::STREAM_CAPTURE_IMPLICIT)?;
    f.job()?.map_or(Ok(()), |job| stream::run(DEFAULT_STREAM, job))
}

/// A fill in stream order.
fn fill_async(f: Fill, stream: Stream) -> Result {
    stream::check(stream)?;
    f.job()?.map_or(Ok(()), |job| stream::enqueue(stream, job))
}

pub(super) unsafe fn hipMemset(dst: *mut c_void, value: c_int, bytes: usize) -> Result {
    fill(Fill::line(dst, &[value as u8], bytes)?)
}

pub(super) unsafe fn hipMemsetAsync(dst: *mut c_void, value: c_int, bytes: usize, stream: Stream) -> Result {
    fill_async(Fill::line(dst, &[value as u8], bytes)?, stream)
}

pub(super) unsafe fn hipMemsetD8(dst: *mut c_void, value: c_uchar, count: usize) -> Result {
    fill(Fill::line(dst, &[value], count)?)
}

pub(super) unsafe fn hipMemsetD8Async(
    dst: *mut c_void,
    value: c_uchar,
    count: usize,
    stream: Stream,
) -> Result {
    fill_async(Fill::line(dst, &[value], count)?, stream)
}

pub(super) unsafe fn hipMemsetD16(dst: *mut c_void, value: c_ushort, count: usize) -> Result {
    fill(Fill::line(dst, &value.to_ne_bytes(), count)?)
}

pub(super) unsafe fn hipMemsetD16Async(
    dst: *mut c_void,
    value: c_ushort,
    count: usize,
    stream: Stream,
) -> Result {
    fill_async(Fill::line(dst, &value.to_ne_bytes(), count)?, stream)
}

pub(super) unsafe fn hipMemsetD32(dst: *mut c_void, value: c_int, count: usize) -> Result {
    fill(Fill::line(dst, &value.to_ne_bytes(), count)?)
}

pub(super) unsafe fn hipMemsetD32Async(
    dst: *mut c_void,
    value: c_int,
    count: usize,
    stream: Stream,
) -> Result {
    fill_async(Fill::line(dst, &value.to_ne_bytes(), count)?, stream)
}

pub(super) unsafe fn hipMemset2D(
    dst: *mut c_void,
    pitch: usize,
    value: c_int,
    width: usize,
    height: usize,
) -> Result {
    fill(Fill::plane(dst, pitch, &[value as u8], width, height))
}

pub(super) unsafe fn hipMemset2DAsync(
    dst: *mut c_void,
    pitch: usize,
    value: c_int,
    width: usize,
    height: usize,
    stream: Stream,
) -> Result {
    fill_async(Fill::plane(dst, pitch, &[value as u8], width, height), stream)
}
