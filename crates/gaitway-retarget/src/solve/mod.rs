//! The smallest change of low frequency that keeps constraints.
//!
//! The motion is m(t) = m₁(t) ⊕ d(t): the first guess, and a displacement of the root's place and of some joints (rotation vectors composed on
//! the right), each a sum of uniform cubic B-splines. Wanted is the least
//!
//!   ½ ∫ dᵀ W d + τ² ḋᵀ W ḋ dt  +  1/(2λ) ∑ over constrained frames of w ‖target − f(m)‖²            (Gleicher 1998; Lee and Shin 1999)
//!
//! with W the squared motion of the body's points per unit of a degree of freedom. Gauss and Newton: with r = target − f and J = ∂f/∂x
//!
//!   (W + JᵀJ/λ) Δ = −W x + Jᵀ r/λ
//!
//! A spline touches four knots, so the matrix is banded in time and one step costs O(frames). Steps are halved until the sum falls. Inequalities (the floor, how
//! far knees bend) are rows only while they are broken. Where more than the tolerance is left, knots are halved there and the rest is solved for anew from where
//! it stands: what is left never grows by that. Long clips go through in windows that overlap, so memory and work per second are bounded.
//!
//! Cost: frames × (rows × n + 4² n²/2) + knots × 16 n³ per step, n degrees of freedom (about 25).
//! Checked by: finite differences, laws (halving knots, mirrored, reversed), and residuals of real clips.

mod band;
mod chain;
mod freedom;
mod level;
mod spline;
mod stretch;
mod windows;

use std::ops::Range;

use gaitway_core::{Clip, JointIdx, PointIdx};
use glam::DVec3;
use serde::Serialize;

pub use band::Band;
pub use freedom::{Freedom, Turn, freedoms};
pub use windows::solve;

/// Where a point shall be.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One place over the whole span.
    Place(DVec3),
    /// One place per frame of the span.
    Path(Vec<DVec3>),
}

impl Target {
    /// The place at the n-th frame of the span.
    pub fn at(&self, n: usize) -> DVec3 {
        match self {
            Self::Place(p) => *p,
            Self::Path(all) => all.get(n).or(all.last()).copied().unwrap_or(DVec3::ZERO),
        }
    }
}

/// What shall hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// A point is somewhere.
    At {
        /// The point.
        point: PointIdx,
        /// Where.
        target: Target,
    },
    /// Two points are apart by a vector: hands that hold one another.
    Apart {
        /// From this point
        from: PointIdx,
        /// to this one
        to: PointIdx,
        /// it goes so, in the world.
        by: Target,
    },
    /// Points are not below a height.
    Above {
        /// The points.
        points: Vec<PointIdx>,
        /// The height, metres.
        height: f64,
    },
}

/// One constraint over a span of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// What it is called in reports: `left_heel`.
    pub name: String,
    /// First frame to one past the last.
    pub frames: Range<usize>,
    /// What shall hold.
    pub wish: Wish,
}

/// How to solve.
#[derive(Clone, Debug, PartialEq)]
pub struct SolveOptions {
    /// Seconds between knots to begin with; 0.1 to 0.3 (Gleicher 1998).
    pub knots_s: f64,
    /// How often knots may be halved where something is left.
    pub halvings: usize,
    /// Steps at each spacing of knots, at most.
    pub steps: usize,
    /// What may be left, metres.
    pub tolerance_m: f64,
    /// Over how many frames a constraint comes and goes.
    pub ramp: usize,
    /// λ: what a metre left costs against a metre that the whole body moves.
    pub slack: f64,
    /// τ, seconds: how much the speed of the change counts against the change.
    pub smooth_s: f64,
    /// The longest stretch that is solved at once, seconds.
    pub window_s: f64,
    /// The root keeps its place: only joints turn.
    pub still_root: bool,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            knots_s: 0.2,
            halvings: 2,
            steps: 4,
            tolerance_m: 5e-4,
            ramp: 0,
            slack: 6e-3,
            smooth_s: 0.05,
            window_s: 20.0,
            still_root: false,
        }
    }
}

/// What is left of one constraint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Residual {
    /// The constraint's name.
    pub name: String,
    /// First frame.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// Largest over its frames, millimetres.
    pub max_mm: f64,
    /// Root of the mean square, millimetres.
    pub rms_mm: f64,
}

/// What came of a solve.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SolveReport {
    /// One per constraint, in their order.
    pub constraints: Vec<Residual>,
    /// Largest of all, millimetres.
    pub worst_mm: f64,
    /// Steps taken over all windows and spacings of knots.
    pub steps: usize,
    /// Shortest spacing of knots that was used, seconds.
    pub finest_knots_s: f64,
}

/// What is left of constraints on a clip.
pub fn residuals(clip: &Clip, constraints: &[Constraint]) -> Vec<Residual> {
    let mut scratch = gaitway_core::fk::FkScratch::new(clip.skeleton());
    let mut sums = vec![(0.0_f64, 0.0_f64, 0_usize); constraints.len()];
    for frame in 0..clip.frame_count() {
        if !constraints.iter().any(|c| c.frames.contains(&frame)) {
            continue;
        }
        scratch.solve(clip, frame);
        let at = |p: PointIdx| clip.root()[frame] + scratch.from_root[p.index()].as_dvec3();
        for (c, sum) in constraints.iter().zip(&mut sums) {
            if !c.frames.contains(&frame) {
                continue;
            }
            let n = frame - c.frames.start;
            let left = match &c.wish {
                Wish::At { point, target } => at(*point).distance(target.at(n)),
                Wish::Apart { from, to, by } => (at(*to) - at(*from)).distance(by.at(n)),
                Wish::Above { points, height } => {
                    points.iter().map(|&p| height - at(p).y).fold(0.0, f64::max)
                }
            };
            sum.0 = sum.0.max(left);
            sum.1 += left * left;
            sum.2 += 1;
        }
    }
    let rows = constraints
        .iter()
        .zip(sums)
        .map(|(c, (max, square, count))| Residual {
            name: c.name.clone(),
            start: c.frames.start,
            end: c.frames.end,
            max_mm: 1000.0 * max,
            rms_mm: 1000.0 * (square / count.max(1) as f64).sqrt(),
        });
    rows.collect()
}

/// Joints from a point up to the root.
pub(crate) fn ancestors(clip: &Clip, point: PointIdx) -> impl Iterator<Item = JointIdx> + '_ {
    let skeleton = clip.skeleton();
    std::iter::successors(Some(skeleton.point_joint(point)), move |&j| {
        skeleton.parent(j)
    })
}
