//! The hot stages, compiled once per instruction set, and the choice among them at run time.
//!
//! Every stage has a safe face here; `unsafe` lives in the files below, where raw pointers and
//! instruction sets meet. Their safe twin is [`crate::naive`], and the tests hold all of them equal.
#![allow(unsafe_code)]

pub(crate) mod eight;
pub(crate) mod filter;
pub(crate) mod finish;
pub(crate) mod lanes;
pub(crate) mod products;

use crate::window::Filter;
use filter::filter;
use finish::{Finish, finish, minima};
use lanes::{Lanes, Portable};
use products::{Products, products};
use serde::{Deserialize, Serialize};

/// Rows of a packed block.
pub(crate) const ROWS: usize = 8;
/// Columns of a packed panel.
pub(crate) const COLS: usize = 16;
/// Lanes on each side of a skewed row that blocks at the strip's border may write: up to 15 for where a panel
/// starts, 15 for the rows of a cell.
pub(crate) const PAD: usize = 32;

/// Floats from one skewed row to the next: the strip and its padding, an odd number of cache lines, since rows at a
/// power of two apart would all fall into the same few sets of the first cache.
#[inline(always)]
pub(crate) fn row_stride(width: usize) -> usize {
    let lines = (width + 2 * PAD).div_ceil(COLS);
    (lines | 1) * COLS
}

/// Whether a block of `MR` skewed rows whose first row starts at `lane` misses the strip altogether.
#[inline(always)]
pub(crate) fn beside<S: Lanes, const MR: usize>(lane: isize, width: usize) -> bool {
    lane + S::N as isize <= PAD as isize || lane - MR as isize + 1 >= (PAD + width) as isize
}

/// Which compilation of the kernel runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KernelChoice {
    /// The widest the processor has.
    #[default]
    Auto,
    /// AVX-512; refused where the processor lacks it.
    Avx512,
    /// AVX2 with fused multiply-add; refused where the processor lacks it.
    Avx2,
    /// Plain Rust.
    Portable,
}

/// A kernel that this processor can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl KernelChoice {
    /// The kernel to run, or none if the processor lacks what was asked for.
    pub(crate) fn backend(self) -> Option<Backend> {
        #[cfg(target_arch = "x86_64")]
        {
            let avx512 = is_x86_feature_detected!("avx512f");
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            match self {
                KernelChoice::Auto | KernelChoice::Avx512 if avx512 => {
                    return Some(Backend::Avx512);
                }
                KernelChoice::Auto | KernelChoice::Avx2 if avx2 => return Some(Backend::Avx2),
                _ => {}
            }
        }
        matches!(self, KernelChoice::Auto | KernelChoice::Portable).then_some(Backend::Portable)
    }

    /// The name of the kernel that this choice runs here, or none if it cannot.
    pub fn resolved(self) -> Option<&'static str> {
        self.backend().map(|b| match b {
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => "avx2",
            Backend::Portable => "portable",
        })
    }
}

/// Defines a stage for each instruction set and the safe function that picks one.
/// AVX-512 has registers for blocks of eight rows, the others for four.
macro_rules! stage {
    ($name:ident, ($($arg:ident: $ty:ty),*), $wide:expr, $avx2:expr, $portable:expr) => {
        pub(crate) fn $name(backend: Backend, $($arg: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx2,fma")]
            unsafe fn avx512($($arg: $ty),*) {
                unsafe { $wide($($arg),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn avx2($($arg: $ty),*) {
                unsafe { $avx2($($arg),*) }
            }
            // SAFETY: a `Backend` is only made by `KernelChoice::backend`, after asking the processor.
            match backend {
                #[cfg(target_arch = "x86_64")]
                Backend::Avx512 => unsafe { avx512($($arg),*) },
                #[cfg(target_arch = "x86_64")]
                Backend::Avx2 => unsafe { avx2($($arg),*) },
                Backend::Portable => unsafe { $portable($($arg),*) },
            }
        }
    };
}

stage!(
    run_products,
    (p: &Products<'_>, out: &mut [Vec<f32>; 3]),
    products::<lanes::Avx512, 8>,
    products::<lanes::Avx2, 4>,
    products::<Portable, 4>
);
stage!(
    run_filter,
    (grid: &mut [f32], width: usize, rows: usize, kind: &Filter, half: usize, scratch: &mut Vec<f32>),
    filter::<lanes::Avx512>,
    filter::<lanes::Avx2>,
    filter::<Portable>
);
stage!(
    run_finish_free,
    (f: &Finish<'_>, grids: &[Vec<f32>; 3], out: &mut [f32]),
    finish::<lanes::Avx512, 8, false>,
    finish::<lanes::Avx2, 4, false>,
    finish::<Portable, 4, false>
);
stage!(
    run_finish_fixed,
    (f: &Finish<'_>, grids: &[Vec<f32>; 3], out: &mut [f32]),
    finish::<lanes::Avx512, 8, true>,
    finish::<lanes::Avx2, 4, true>,
    finish::<Portable, 4, true>
);
stage!(
    run_minima,
    (d: &[f32], width: usize, rows: usize, ceiling: f32, hits: &mut Vec<(u32, u32)>),
    minima::<lanes::Avx512>,
    minima::<lanes::Avx2>,
    minima::<Portable>
);
