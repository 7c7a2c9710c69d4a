//! One frame pair in f64: the value that is stored, reported and compared with thresholds.
//!
//! The same sums as the kernel's, from the unrounded cloud, with squared height differences taken directly.
//! Sums run over eight fixed lanes without fused multiply-adds, so every processor gives the same bits.
//! Cost: 7 × markers × (2L + 1) operations; only candidates pay it.

use crate::cloud::MARKER_LANES;
use crate::naive::Alignment;
use crate::prepare::Prepared;
use crate::simd::Backend;
use crate::window::Window;

/// Exact D and transform of centre frames (i, j).
pub(crate) fn align(a: &Prepared<'_>, i: usize, b: &Prepared<'_>, j: usize, window: &Window, fixed: bool, backend: Backend) -> Alignment {
    let half = window.half();
    let (ia, jb) = (i - half, j - half);
    let [mut re, mut im, upright] = body(a, ia, b, jb, window, backend);
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
        return Alignment { distance_m2, theta: 0.0, x0: 0.0, z0: 0.0 };
    }
    let reach = (re * re + im * im).sqrt();
    let theta = if reach > 0.0 { -im.atan2(re) } else { 0.0 };
    // e^{−iθ} = Z / |Z|
    let (c, s) = if reach > 0.0 { (re / reach, -im / reach) } else { (1.0, 0.0) };
    Alignment {
        distance_m2: (ground + upright - 2.0 * reach).max(0.0),
        theta,
        x0: ma[0] - (mb[0] * c + mb[1] * s),
        z0: ma[1] - (mb[1] * c - mb[0] * s),
    }
}

/// Windowed Σ v conj(v′) (real, imaginary) and Σ (y − y′)² from first frames `ia`, `jb` of the two windows.
fn body(a: &Prepared<'_>, ia: usize, b: &Prepared<'_>, jb: usize, window: &Window, backend: Backend) -> [f64; 3] {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    {
        #[target_feature(enable = "avx512f")]
        unsafe fn wide(a: &Prepared<'_>, ia: usize, b: &Prepared<'_>, jb: usize, window: &Window) -> [f64; 3] {
            body_lanes(a, ia, b, jb, window)
        }
        #[target_feature(enable = "avx2")]
        unsafe fn avx2(a: &Prepared<'_>, ia: usize, b: &Prepared<'_>, jb: usize, window: &Window) -> [f64; 3] {
            body_lanes(a, ia, b, jb, window)
        }
        // SAFETY: a `Backend` other than portable is only made after asking the processor for its features;
        // the functions are the same safe Rust, compiled for wider registers.
        match backend {
            Backend::Avx512 => return unsafe { wide(a, ia, b, jb, window) },
            Backend::Avx2 => return unsafe { avx2(a, ia, b, jb, window) },
            Backend::Portable => {}
        }
    }
    let _ = backend;
    body_lanes(a, ia, b, jb, window)
}

#[inline(always)]
fn body_lanes(a: &Prepared<'_>, ia: usize, b: &Prepared<'_>, jb: usize, window: &Window) -> [f64; 3] {
    const N: usize = MARKER_LANES;
    let weights = a.cloud.padded_weights().as_chunks::<N>().0;
    let (mut re, mut im, mut up) = ([0.0; N], [0.0; N], [0.0; N]);
    for (r, &rho) in window.weights().iter().enumerate() {
        let [ax, az, ay] = a.cloud.frame(ia + r).map(|v| v.as_chunks::<N>().0);
        let [bx, bz, by] = b.cloud.frame(jb + r).map(|v| v.as_chunks::<N>().0);
        for (s, weight) in weights.iter().enumerate() {
            for k in 0..N {
                let w = rho * weight[k];
                let dy = ay[s][k] - by[s][k];
                re[k] += w * (ax[s][k] * bx[s][k] + az[s][k] * bz[s][k]);
                im[k] += w * (az[s][k] * bx[s][k] - ax[s][k] * bz[s][k]);
                up[k] += w * (dy * dy);
            }
        }
    }
    [re, im, up].map(|v| v.iter().sum())
}
