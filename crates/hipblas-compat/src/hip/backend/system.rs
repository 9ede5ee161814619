//! What the system says of the machine.

use std::ffi::c_int;
use std::fs::read_to_string;
use std::sync::OnceLock;

use crate::hip::arena;

/// A number of kibibytes from the system, in bytes.
fn meminfo(name: &str) -> Option<usize> {
    let info = read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|l| l.strip_prefix(name))?;
    let kib: usize = line.trim_start_matches(':').trim_end_matches("kB").trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The machine's memory in bytes, or what its control group may use. All that can be addressed where the system does not
/// say, so that only the system refuses.
pub(in crate::hip) fn total_memory() -> usize {
    static TOTAL: OnceLock<usize> = OnceLock::new();
    *TOTAL.get_or_init(|| {
        let number = |path| read_to_string(path).ok()?.trim().parse::<usize>().ok();
        let limit = number("/sys/fs/cgroup/memory.max")
            .or_else(|| number("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
        meminfo("MemTotal").unwrap_or(usize::MAX).min(limit.unwrap_or(usize::MAX))
    })
}

/// What may still be allocated, in bytes.
pub(in crate::hip) fn free_memory() -> usize {
    let unused = total_memory().saturating_sub(arena::used());
    meminfo("MemAvailable").map_or(unused, |available| available.min(unused))
}

/// Clock rate in kHz: the highest, or the present one, or a guess where the system does not say.
pub(super) fn clock() -> c_int {
    let highest = || {
        let khz = read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq").ok()?;
        khz.trim().parse().ok()
    };
    let present = || {
        let info = read_to_string("/proc/cpuinfo").ok()?;
        let mhz = info.lines().find(|l| l.starts_with("cpu MHz"))?.split(':').nth(1)?;
        Some((mhz.trim().parse::<f64>().ok()? * 1e3) as c_int)
    };
    highest().or_else(present).unwrap_or(1_000_000)
}
