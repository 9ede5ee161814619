//! The peak of a core: fused multiply-adds with nothing else to do.

use std::time::{Duration, Instant};

/// How long the loop runs: long enough for the clock to settle, and the best of it counts.
const TIME: Duration = Duration::from_millis(300);

/// GFLOP/s of one core in f32 and f64, with the widest registers that it has. None where the loop knows no fused
/// multiply-add of the machine.
pub(crate) fn peak() -> Option<[f64; 2]> {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: just checked.
            return Some([best(16, || unsafe { avx512_f32() }), best(8, || unsafe { avx512_f64() })]);
        }
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            // SAFETY: just checked.
            return Some([best(8, || unsafe { avx2_f32() }), best(4, || unsafe { avx2_f64() })]);
        }
    }
    None
}

/// Sums that are kept at once: more than latency times throughput of any core.
const CHAINS: usize = 12;
/// Steps of one run of the loop.
const STEPS: usize = 100_000;

/// GFLOP/s of the best run of a loop over registers of `width` numbers.
fn best(width: usize, f: impl Fn() -> f64) -> f64 {
    let flops = (2 * width * CHAINS * STEPS) as f64;
    let (start, mut least) = (Instant::now(), f64::INFINITY);
    while start.elapsed() < TIME {
        let run = Instant::now();
        std::hint::black_box(f());
        least = least.min(run.elapsed().as_secs_f64());
    }
    flops / least / 1e9
}

#[cfg(target_arch = "x86_64")]
macro_rules! loops { ($($name:ident($features:literal, $set:ident, $fma:ident, $reg:ty, $t:ty);)*) => {$(
    #[target_feature(enable = $features)]
    fn $name() -> f64 {
        use std::arch::x86_64::*;
        // Not known at compile time, and the sums stay finite.
        let (a, b) = std::hint::black_box((0.5, 1.0));
        let (a, b) = ($set(a), $set(b));
        let mut sums = [b; CHAINS];
        for _ in 0..STEPS {
            for sum in &mut sums {
                *sum = $fma(*sum, a, b);
            }
        }
        // SAFETY: registers are plain numbers.
        let lanes: [[$t; size_of::<$reg>() / size_of::<$t>()]; CHAINS] = unsafe { std::mem::transmute(sums) };
        lanes.iter().flatten().map(|&x| x as f64).sum()
    }
)*}}
#[cfg(target_arch = "x86_64")]
loops! {
    avx512_f32("avx512f", _mm512_set1_ps, _mm512_fmadd_ps, __m512, f32);
    avx512_f64("avx512f", _mm512_set1_pd, _mm512_fmadd_pd, __m512d, f64);
    avx2_f32("avx2,fma", _mm256_set1_ps, _mm256_fmadd_ps, __m256, f32);
    avx2_f64("avx2,fma", _mm256_set1_pd, _mm256_fmadd_pd, __m256d, f64);
}
