//! The processor's own multiply-add peak: independent chains, nothing loaded, nothing stored. What a kernel reaches is held
//! against it, measured in the same run.
#![allow(unsafe_code)] // instruction sets, behind run-time detection

use std::hint::black_box;
use std::time::Instant;

/// f32 multiply-adds per second of `threads` cores at once, the best of several short runs: by the clock on the wall,
/// and per second that a core really spent on it, which does not suffer from other work on a shared machine.
pub fn cores(threads: usize) -> (f64, f64) {
    let (mut wall, mut busy) = (0.0f64, 0.0f64);
    for _ in 0..3 {
        // A third of a second: processor time is only kept to a few milliseconds.
        let turns = 100_000_000u64;
        let work = threads as f64 * turns as f64 * per_turn();
        let start = Instant::now();
        let spent: f64 = std::thread::scope(|s| {
            let workers: Vec<_> = (0..threads)
                .map(|_| {
                    s.spawn(|| {
                        let before = thread_seconds();
                        run(turns);
                        thread_seconds() - before
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|w| w.join().unwrap_or(f64::NAN))
                .sum()
        });
        wall = wall.max(work / start.elapsed().as_secs_f64());
        busy = busy.max(work / spent);
    }
    (wall, busy)
}

fn schedstat(path: &str) -> f64 {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace()
        .next()
        .and_then(|v| v.parse::<f64>().ok())
        .unwrap_or(f64::NAN)
        / 1e9
}

/// Seconds this thread has run.
fn thread_seconds() -> f64 {
    schedstat("/proc/thread-self/schedstat")
}

/// Seconds all living threads of this process have run; NaN where the system does not tell.
pub fn process_seconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    tasks
        .map(|t| schedstat(&t.path().join("schedstat").to_string_lossy()))
        .sum()
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

fn run(turns: u64) {
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
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512(turns: u64) {
    use std::arch::x86_64::*;
    let (m, c) = (
        _mm512_set1_ps(black_box(0.999)),
        _mm512_set1_ps(black_box(0.001)),
    );
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
    let (m, c) = (
        _mm256_set1_ps(black_box(0.999)),
        _mm256_set1_ps(black_box(0.001)),
    );
    let mut acc = [_mm256_set1_ps(black_box(0.5)); CHAINS];
    for _ in 0..turns {
        for a in &mut acc {
            *a = _mm256_fmadd_ps(*a, m, c);
        }
    }
    black_box(acc);
}
