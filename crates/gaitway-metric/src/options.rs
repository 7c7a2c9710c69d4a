//! What a search for candidates can be told.

use crate::error::MetricError;
use crate::simd::{Backend, KernelChoice};
use crate::window::{Window, WindowKernel};
use serde::{Deserialize, Serialize};

/// Whether the second clip may be turned and shifted to meet the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// The best turn about the vertical and shift on the ground are taken out. The default.
    #[default]
    Free,
    /// θ = x₀ = z₀ = 0: motion that is tied to its place, such as leaning on a wall that stands where it stands.
    Fixed,
}

/// Whether pairs that provably lie above the ceiling are left out of the work. Never changes the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Skipping {
    /// On for clip pairs where a sample of cells says that a tenth or more would be left out.
    Auto,
    /// Always on.
    On,
    /// Always off. The default: on real sets the bound costs about what it saves.
    #[default]
    Off,
}

/// Options of the distance and of the search for its minima.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricOptions {
    /// Length of the window in seconds; default 0.5, the length of a transition in the paper.
    pub window_s: f64,
    /// Weights of the window's frames; default triangle.
    pub kernel: WindowKernel,
    /// Candidates lie below this RMS marker distance, in centimetres; default 15.
    pub ceiling_cm: f64,
    /// Free or tied to its place.
    pub placement: Placement,
    /// Use of the exact lower bound.
    pub skipping: Skipping,
    /// Which compilation of the kernel runs.
    pub kernel_choice: KernelChoice,
    /// Most candidates kept in all; past it the best of every clip pair and block stay. Default 20 million.
    pub max_candidates: usize,
}

impl Default for MetricOptions {
    fn default() -> Self {
        Self {
            window_s: 0.5,
            kernel: WindowKernel::default(),
            ceiling_cm: 15.0,
            placement: Placement::default(),
            skipping: Skipping::default(),
            kernel_choice: KernelChoice::default(),
            max_candidates: 20_000_000,
        }
    }
}

impl MetricOptions {
    /// The window at a working rate.
    pub fn window(&self, rate_hz: f64) -> Result<Window, MetricError> {
        Window::new(self.window_s, rate_hz, self.kernel)
    }

    /// The ceiling on D, in m².
    pub fn ceiling_m2(&self) -> Result<f64, MetricError> {
        if !self.ceiling_cm.is_finite() || self.ceiling_cm <= 0.0 {
            return Err(MetricError::Ceiling {
                cm: self.ceiling_cm,
            });
        }
        Ok((self.ceiling_cm / 100.0).powi(2))
    }

    pub(crate) fn backend(&self) -> Result<Backend, MetricError> {
        let kernel = match self.kernel_choice {
            KernelChoice::Auto => "auto",
            KernelChoice::Avx512 => "AVX-512",
            KernelChoice::Avx2 => "AVX2",
            KernelChoice::Portable => "portable",
        };
        self.kernel_choice
            .backend()
            .ok_or(MetricError::Kernel { kernel })
    }

    /// Identifies everything that decides which candidates a clip pair has; how they are computed is no part of it.
    pub(crate) fn key(&self) -> [u8; 32] {
        let text = format!(
            "gaitway candidates 1|{}|{:?}|{}|{:?}",
            self.window_s.to_bits(),
            self.kernel,
            self.ceiling_cm.to_bits(),
            self.placement
        );
        *blake3::hash(text.as_bytes()).as_bytes()
    }
}
