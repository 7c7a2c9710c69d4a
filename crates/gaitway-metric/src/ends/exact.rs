//! One pair near an end in f64: the value that is stored, reported and compared with the ceiling.
//!
//! The sums of [`crate::exact`] over the frames that both clips have. Cost: 7 × markers × n operations; only
//! candidates pay it.

use super::clip::Member;
use crate::naive::Alignment;
use crate::simd::Backend;
use crate::simd::eight::{Windows, window_sums};
use crate::window::Window;

/// Exact D and transform of the pair (i, j), and n.
pub(super) fn align(
    (a, i): (&Member<'_>, usize),
    (b, j): (&Member<'_>, usize),
    window: &Window,
    fixed: bool,
    backend: Backend,
) -> (Alignment, usize) {
    let half = window.half();
    let before = half.min(i).min(j);
    let after = half.min(a.frames() - 1 - i).min(b.frames() - 1 - j);
    let (ia, jb, n) = (i - before, j - before, before + after + 1);
    let seen = &window.weights()[half - before..=half + after];
    let sum: f64 = seen.iter().sum();
    let rho: Vec<f64> = seen.iter().map(|w| w / sum).collect();
    let [mut re, mut im, upright] = window_sums(
        backend,
        &Windows {
            a: a.cloud.run(ia, n),
            b: b.cloud.run(jb, n),
            sigma: a.cloud.padded_weights(),
            rho: &rho,
        },
    );
    let (pa, pb) = (&a.cloud.path()[ia..ia + n], &b.cloud.path()[jb..jb + n]);
    let (ma, mb) = (mean(pa, &rho), mean(pb, &rho));
    let mut ground = 0.0;
    for (r, rho) in rho.iter().enumerate() {
        let (x, z) = (pa[r][0] - ma[0], pa[r][1] - ma[1]);
        let (x2, z2) = (pb[r][0] - mb[0], pb[r][1] - mb[1]);
        re += rho * (x * x2 + z * z2);
        im += rho * (z * x2 - x * z2);
        let body = a.ground[ia + r] + b.ground[jb + r];
        ground += rho * (body + x * x + z * z + x2 * x2 + z2 * z2);
    }
    let alignment = if fixed {
        let gap = (ma[0] - mb[0]).powi(2) + (ma[1] - mb[1]).powi(2);
        Alignment {
            distance_m2: (ground + upright + gap - 2.0 * re).max(0.0),
            theta: 0.0,
            x0: 0.0,
            z0: 0.0,
        }
    } else {
        let reach = (re * re + im * im).sqrt();
        // e^{−iθ} = Z / |Z|
        let (theta, c, s) = if reach > 0.0 {
            (-im.atan2(re), re / reach, -im / reach)
        } else {
            (0.0, 1.0, 0.0)
        };
        Alignment {
            distance_m2: (ground + upright - 2.0 * reach).max(0.0),
            theta,
            x0: ma[0] - (mb[0] * c + mb[1] * s),
            z0: ma[1] - (mb[1] * c - mb[0] * s),
        }
    };
    (alignment, n)
}

/// The weighted mean of a path, summed from its first place so that nothing is lost far from the origin.
fn mean(path: &[[f64; 2]], rho: &[f64]) -> [f64; 2] {
    let [x0, z0] = path[0];
    let (x, z) = path.iter().zip(rho).fold((0.0, 0.0), |(x, z), (p, w)| {
        (x + w * (p[0] - x0), z + w * (p[1] - z0))
    });
    [x0 + x, z0 + z]
}
