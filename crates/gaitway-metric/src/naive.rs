//! The obvious, slow distance in f64, straight from equation 4.1 of the paper: the twin of the kernel.
//!
//!   D(i,j) = min over θ, x₀, z₀ of Σ_r ρ_r Σ_s σ_s ‖ p_{i+r,s} − T(θ,x₀,z₀) p′_{j+r,s} ‖²
//!
//! Cost: O(L · markers) per pair, nothing shared between pairs. Used by tests and by the `naive` column of
//! the benchmarks; the fast path never calls it.

use crate::cloud::PointCloud;
use crate::window::Window;
use glam::DVec3;

/// A frame pair's distance and the planar motion that carries the second clip onto the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// D in m².
    pub distance_m2: f64,
    /// Turn about the vertical, in radians; positive turns left.
    pub theta: f64,
    /// Shift along x after the turn.
    pub x0: f64,
    /// Shift along z after the turn.
    pub z0: f64,
}

/// T(θ, x₀, z₀) p: turn about the vertical axis, then shift on the ground.
pub fn moved(p: DVec3, theta: f64, x0: f64, z0: f64) -> DVec3 {
    let (s, c) = theta.sin_cos();
    DVec3::new(p.x * c + p.z * s + x0, p.y, -p.x * s + p.z * c + z0)
}

/// The sum that equation 4.1 minimises, for one choice of the transform.
pub fn cost(
    a: &PointCloud,
    i: usize,
    b: &PointCloud,
    j: usize,
    window: &Window,
    transform: [f64; 3],
) -> f64 {
    let half = window.half();
    cost_over(a, i - half, b, j - half, window.weights(), transform)
}

/// The best transform in closed form, and the cost *at* that transform, summed as 4.1 says.
///
/// Both frames need L frames on each side.
pub fn align(a: &PointCloud, i: usize, b: &PointCloud, j: usize, window: &Window) -> Alignment {
    let half = window.half();
    align_over(a, i - half, b, j - half, window.weights())
}

/// The distance without any transform, for motion tied to its place.
pub fn fixed(a: &PointCloud, i: usize, b: &PointCloud, j: usize, window: &Window) -> f64 {
    cost(a, i, b, j, window, [0.0; 3])
}

/// [`align`] near the ends of clips: over the frames of the window that both clips have, with ρ scaled to sum to one
/// over those; and how many they are. The twin of [`find_end_candidates`](crate::find_end_candidates).
pub fn end_align(
    a: &PointCloud,
    i: usize,
    b: &PointCloud,
    j: usize,
    window: &Window,
) -> (Alignment, usize) {
    let (before, rho) = shared(a, i, b, j, window);
    (align_over(a, i - before, b, j - before, &rho), rho.len())
}

/// [`fixed`] near the ends of clips, as [`end_align`] is to [`align`].
pub fn end_fixed(
    a: &PointCloud,
    i: usize,
    b: &PointCloud,
    j: usize,
    window: &Window,
) -> (f64, usize) {
    let (before, rho) = shared(a, i, b, j, window);
    let d = cost_over(a, i - before, b, j - before, &rho, [0.0; 3]);
    (d, rho.len())
}

/// Frames before (i, j) that both clips have of the window, and the weights of all they have, scaled to sum to one.
fn shared(a: &PointCloud, i: usize, b: &PointCloud, j: usize, w: &Window) -> (usize, Vec<f64>) {
    let half = w.half();
    let has = |r: &usize| {
        let inside = |at: usize, c: &PointCloud| at + r >= half && at + r - half < c.frame_count();
        inside(i, a) && inside(j, b)
    };
    let seen: Vec<usize> = (0..w.frames()).filter(has).collect();
    let sum: f64 = seen.iter().map(|&r| w.weights()[r]).sum();
    let rho = seen.iter().map(|&r| w.weights()[r] / sum).collect();
    (half - seen[0], rho)
}

fn cost_over(
    a: &PointCloud,
    ia: usize,
    b: &PointCloud,
    jb: usize,
    rho: &[f64],
    [theta, x0, z0]: [f64; 3],
) -> f64 {
    let mut sum = 0.0;
    each(a, ia, b, jb, rho, |w, p, q| {
        sum += w * (p - moved(q, theta, x0, z0)).length_squared();
    });
    sum
}

fn align_over(a: &PointCloud, ia: usize, b: &PointCloud, jb: usize, rho: &[f64]) -> Alignment {
    let (mut ma, mut mb) = ([0.0; 2], [0.0; 2]);
    each(a, ia, b, jb, rho, |w, p, q| {
        ma = [ma[0] + w * p.x, ma[1] + w * p.z];
        mb = [mb[0] + w * q.x, mb[1] + w * q.z];
    });
    let (mut re, mut im) = (0.0, 0.0);
    each(a, ia, b, jb, rho, |w, p, q| {
        let (x, z, x2, z2) = (p.x - ma[0], p.z - ma[1], q.x - mb[0], q.z - mb[1]);
        re += w * (x * x2 + z * z2);
        im += w * (z * x2 - x * z2);
    });
    let theta = -im.atan2(re);
    let (s, c) = theta.sin_cos();
    let (x0, z0) = (
        ma[0] - (mb[0] * c + mb[1] * s),
        ma[1] - (-mb[0] * s + mb[1] * c),
    );
    Alignment {
        distance_m2: cost_over(a, ia, b, jb, rho, [theta, x0, z0]),
        theta,
        x0,
        z0,
    }
}

/// Every marker of every frame of two windows that begin at frames `ia` and `jb`, with its weight.
fn each(
    a: &PointCloud,
    ia: usize,
    b: &PointCloud,
    jb: usize,
    rho: &[f64],
    mut f: impl FnMut(f64, DVec3, DVec3),
) {
    for (r, rho) in rho.iter().enumerate() {
        for (s, sigma) in a.weights().iter().enumerate() {
            f(rho * sigma, a.position(ia + r, s), b.position(jb + r, s));
        }
    }
}
