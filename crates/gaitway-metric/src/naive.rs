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
    let [theta, x0, z0] = transform;
    let mut sum = 0.0;
    for (r, rho) in window.weights().iter().enumerate() {
        let (fi, fj) = (i + r - window.half(), j + r - window.half());
        for (s, sigma) in a.weights().iter().enumerate() {
            let gap = a.position(fi, s) - moved(b.position(fj, s), theta, x0, z0);
            sum += rho * sigma * gap.length_squared();
        }
    }
    sum
}

/// The best transform in closed form, and the cost *at* that transform, summed as 4.1 says.
///
/// Both frames need L frames on each side.
pub fn align(a: &PointCloud, i: usize, b: &PointCloud, j: usize, window: &Window) -> Alignment {
    let (mut ma, mut mb) = ([0.0; 2], [0.0; 2]);
    each(a, i, b, j, window, |w, p, q| {
        ma = [ma[0] + w * p.x, ma[1] + w * p.z];
        mb = [mb[0] + w * q.x, mb[1] + w * q.z];
    });
    let (mut re, mut im) = (0.0, 0.0);
    each(a, i, b, j, window, |w, p, q| {
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
        distance_m2: cost(a, i, b, j, window, [theta, x0, z0]),
        theta,
        x0,
        z0,
    }
}

/// The distance without any transform, for motion tied to its place.
pub fn fixed(a: &PointCloud, i: usize, b: &PointCloud, j: usize, window: &Window) -> f64 {
    cost(a, i, b, j, window, [0.0; 3])
}

fn each(
    a: &PointCloud,
    i: usize,
    b: &PointCloud,
    j: usize,
    window: &Window,
    mut f: impl FnMut(f64, DVec3, DVec3),
) {
    for (r, rho) in window.weights().iter().enumerate() {
        let (fi, fj) = (i + r - window.half(), j + r - window.half());
        for (s, sigma) in a.weights().iter().enumerate() {
            f(rho * sigma, a.position(fi, s), b.position(fj, s));
        }
    }
}
