//! The processor's own multiply-add peak: independent chains, nothing loaded, nothing stored.

use std::hint::black_box;
use std::time::Instant;

/// f32 multiply-adds per second of one core, the best of several short runs.
pub fn one_core() -> f64 {
    (0..7).map(|_| run(20_000_000)).fold(0.0, f64::max)
}

/// f32 multiply-adds per second of `threads` cores at once.
pub fn cores(threads: usize) -> f64 {
    (0..7)
        .map(|_| {
            let turns = 20_000_000;
            let start = Instant::now();
            std::thread::scope(|s| {
                for _ in 0..threads {
                    s.spawn(|| black_box(run(turns)));
                }
            });
            threads as f64 * turns as f64 * per_turn() / start.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max)
}

const CHAINS: usize = 12;

fn per_turn() -> f64 {
    let lanes = match () {
        #[cfg(target_arch = "x86_64")]
        () if is_x86_feature_detected!("avx512f") => 16,
        #[cfg(target_arch = "x86_64")]
        () if is_x86_feature_detected!("fma") => 8,
        () => 4,
    };
    (lanes * CHAINS) as f64
}

fn run(turns: u64) -> f64 {
    let start = Instant::now();
    match () {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the feature was detected.
        () if is_x86_feature_detected!("avx512f") => unsafe { avx512(turns) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the feature was detected.
        () if is_x86_feature_detected!("fma") => unsafe { avx2(turns) },
        () => {
            let mut acc = [black_box(0.5f32); 4 * CHAINS];
            for _ in 0..turns {
                acc.iter_mut().for_each(|a| *a = *a * 0.999 + 0.001);
            }
            black_box(acc);
        }
    }
    turns as f64 * per_turn() / start.elapsed().as_secs_f64()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512(turns: u64) {
    use std::arch::x86_64::*;
    let (m, c) = (_mm512_set1_ps(black_box(0.999)), _mm512_set1_ps(black_box(0.001)));
    let mut acc = [_mm512_set1_ps(black_box(0.5)); CHAINS];
    for _ in 0..turns {
        for a in &mut acc {
            *a = _mm512_fmadd_ps(*a, m, c);
        }
    }
    black_box(acc);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2(turns: u64) {
    use std::arch::x86_64::*;
    let (m, c) = (_mm256_set1_ps(black_box(0.999)), _mm256_set1_ps(black_box(0.001)));
    let mut acc = [_mm256_set1_ps(black_box(0.5)); CHAINS];
    for _ in 0..turns {
        for a in &mut acc {
            *a = _mm256_fmadd_ps(*a, m, c);
        }
    }
    black_box(acc);
}
