//! Benchmarks of the distance engine.
#![allow(clippy::print_stdout)]
#![allow(unsafe_code)] // instruction sets, in the peak measurement only
mod peak;
mod walker;
use gaitway_metric::*;
use std::time::Instant;
fn main() {
    let one = peak::one_core();
    let two = peak::cores(2);
    println!("peak {:.1} G, two {:.1} G", one/1e9, two/1e9);
    let n: usize = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(6200);
    let c = walker::cloud("w", n, 31, 0.0);
    for threads in [1usize,2] {
      let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
      for choice in [KernelChoice::Avx512, KernelChoice::Avx2, KernelChoice::Portable] {
        let o = MetricOptions { skipping: Skipping::Off, kernel_choice: choice, ..Default::default() };
        let mut best = f64::MAX; let mut found = Found::default();
        for _ in 0..5 { let t = Instant::now(); found = pool.install(|| candidates_between(&c,&c,&o).unwrap()); best = best.min(t.elapsed().as_secs_f64()); }
        let rate = found.pairs as f64/best;
        println!("{threads} {choice:?}: {:.4} s, {:.1} Mpairs/s, {} candidates, {:.1}% of peak", best, rate/1e6, found.candidates.len(), 100.0*rate*155.0/(if threads==1 {one} else {two}));
      }
    }
}
