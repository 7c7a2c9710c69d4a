//! One frame pair in f64: the value that is stored, reported and compared with thresholds.
//!
//! The same sums as the kernel's, from the unrounded cloud, with squared height differences taken directly.
//! Sums run over eight fixed lanes without fused multiply-adds, so every processor gives the same bits.
//! Cost: 7 × markers × (2L + 1) operations; only candidates pay it.

use crate::naive::Alignment;
use crate::prepare::Prepared;
use crate::simd::Backend;
use crate::simd::eight::{Windows, window_sums};
use crate::window::Window;

/// Exact D and transform of centre frames (i, j).
pub(crate) fn align(
    a: &Prepared<'_>,
    i: usize,
    b: &Prepared<'_>,
    j: usize,
    window: &Window,
    fixed: bool,
    backend: Backend,
) -> Alignment {
    let half = window.half();
    let (ia, jb) = (i - half, j - half);
    let windows = Windows {
        a: a.cloud.run(ia, window.frames()),
        b: b.cloud.run(jb, window.frames()),
        sigma: a.cloud.padded_weights(),
        rho: window.weights(),
    };
    let [mut re, mut im, upright] = window_sums(backend, &windows);
    let (ma, mb) = (a.mean[ia], b.mean[jb]);
    for (r, rho) in window.weights().iter().enumerate() {
        let (p, q) = (a.cloud.path()[ia + r], b.cloud.path()[jb + r]);
        let (x, z, x2, z2) = (p[0] - ma[0], p[1] - ma[1], q[0] - mb[0], q[1] - mb[1]);
        re += rho * (x * x2 + z * z2);
        im += rho * (z * x2 - x * z2);
    }
    let ground = a.ground[ia] + b.ground[jb];
    if fixed {
        let gap = (ma[0] - mb[0]).powi(2) + (ma[1] - mb[1]).powi(2);
        let distance_m2 = (ground + upright + gap - 2.0 * re).max(0.0);
        return Alignment {
            distance_m2,
            theta: 0.0,
            x0: 0.0,
            z0: 0.0,
        };
    }
    let reach = (re * re + im * im).sqrt();
    let theta = if reach > 0.0 { -im.atan2(re) } else { 0.0 };
    // e^{−iθ} = Z / |Z|
    let (c, s) = if reach > 0.0 {
        (re / reach, -im / reach)
    } else {
        (1.0, 0.0)
    };
    Alignment {
        distance_m2: (ground + upright - 2.0 * reach).max(0.0),
        theta,
        x0: ma[0] - (mb[0] * c + mb[1] * s),
        z0: ma[1] - (mb[1] * c - mb[0] * s),
    }
}
