//! Where an interpolation is on the ground, frame by frame.
//!
//! Two motions of different speed and turn part ways after a step, so one placement of the second on the first does not serve
//! a walk. Poses are compared in the first's heading at every frame: θ is the turn that carries the second onto the first best, over
//! all joints. What is played then turns as both do, weighted:
//!
//!   γ = −(1 − w)(θ − θ₀)          turns the mixed pose, whose heading is the first's
//!
//! and goes on from frame to frame so that points that stand stay where they are. With αₚ how much point p stands (the rest is
//! the root's), aₚ and bₚ its places in both sources and oₚ its place from the root in the mixed pose,
//!
//!   Δroot = Σ αₚ (w R(γ) Δaₚ + (1 − w) R(γ + θ) Δbₚ − Δoₚ)        on the ground
//!   root  = Σ αₚ (w aₚ + (1 − w) bₚ − oₚ)                          in height, where nothing adds up
//!
//! α changes over a tenth of a second on either side of a contact, so that no point takes over at once.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::{Interpolated, mix};
use crate::fk::FkScratch;
use crate::planar::wrap_angle;
use crate::{JointIdx, Planar, Pose, PoseSource};

/// Over so many seconds on either side a contact comes and goes.
const SOFTLY_S: f64 = 0.1;

/// Where the mixed pose of one frame is put.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// θ: carries the second's heading onto the first's.
    pub onto_first: f64,
    /// γ.
    pub turn: f64,
    /// The root.
    pub root: DVec3,
}

/// The places of frames, the first of them `before` frames before the interpolation's own first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Places {
    pub before: usize,
    pub places: Vec<Place>,
    /// Both sources are the same throughout.
    pub same: bool,
    /// Carries the second onto the first at the interpolation's own first frame.
    pub first_from_second: Planar,
}

/// One frame of both sources and of what is between them.
struct Moment {
    roots: [DVec3; 2],
    /// Points that can stand, then the root itself.
    points: Vec<[DVec3; 2]>,
    /// The same, from the root of the mixed pose before it is turned.
    offsets: Vec<DVec3>,
    /// How much each stands; sums to one.
    stands: Vec<f64>,
    onto_first: f64,
    /// Mean ground places of the joints.
    centres: [DVec2; 2],
    same: bool,
}

impl Places {
    /// Of all frames and `beyond` more on either side.
    pub fn new(of: &Interpolated, beyond: usize) -> Self {
        let count = of.frames + 2 * beyond;
        let mut look = Look::new(of);
        let moments: Vec<Moment> = (0..count)
            .map(|k| look.moment(of, k as f64 - beyond as f64))
            .collect();
        let w = of.how.weight;
        let start = &moments[beyond];
        let first_from_second = carry(start.onto_first, start.centres);
        // θ without leaps, from the first frame of its own both ways.
        let mut theta = vec![start.onto_first; count];
        for k in beyond + 1..count {
            theta[k] = theta[k - 1] + wrap_angle(moments[k].onto_first - theta[k - 1]);
        }
        for k in (0..beyond).rev() {
            theta[k] = theta[k + 1] + wrap_angle(moments[k].onto_first - theta[k + 1]);
        }
        let turn = |k: usize| -(1.0 - w) * (theta[k] - theta[beyond]);
        let height = |k: usize| -> f64 {
            let m = &moments[k];
            let each = m.points.iter().zip(&m.offsets).zip(&m.stands);
            each.map(|(([a, b], o), s)| s * (w * a.y + (1.0 - w) * b.y - o.y))
                .sum()
        };
        let step = |k: usize| -> DVec2 {
            let (now, next) = (&moments[k], &moments[k + 1]);
            let (here, there) = (turn(k), turn(k + 1));
            let middle = Planar::new(0.5 * (here + there), 0.0, 0.0);
            let second = Planar::new(middle.theta + 0.5 * (theta[k] + theta[k + 1]), 0.0, 0.0);
            let (here, there) = (Planar::new(here, 0.0, 0.0), Planar::new(there, 0.0, 0.0));
            let mut sum = DVec2::ZERO;
            for p in 0..now.points.len() {
                let [a, b] = [0, 1].map(|s| ground(next.points[p][s]) - ground(now.points[p][s]));
                let moved = middle.turn_ground(a) * w + second.turn_ground(b) * (1.0 - w);
                let own = there.turn_ground(ground(next.offsets[p]))
                    - here.turn_ground(ground(now.offsets[p]));
                sum += (moved - own) * (0.5 * (now.stands[p] + next.stands[p]));
            }
            sum
        };
        let mut at = vec![DVec2::ZERO; count];
        at[beyond] = ground(start.roots[0]) * w
            + first_from_second.apply_ground(ground(start.roots[1])) * (1.0 - w);
        for k in beyond..count - 1 {
            at[k + 1] = at[k] + step(k);
        }
        for k in (0..beyond).rev() {
            at[k] = at[k + 1] - step(k);
        }
        let place = |k: usize| Place {
            onto_first: theta[k],
            turn: turn(k),
            root: DVec3::new(at[k].x, height(k), at[k].y),
        };
        Self {
            before: beyond,
            places: (0..count).map(place).collect(),
            same: moments.iter().all(|m| m.same),
            first_from_second,
        }
    }
}

fn ground(p: DVec3) -> DVec2 {
    DVec2::new(p.x, p.z)
}

/// The turn, and what carries the second's centre onto the first's.
fn carry(theta: f64, [first, second]: [DVec2; 2]) -> Planar {
    let shift = first - Planar::new(theta, 0.0, 0.0).turn_ground(second);
    Planar::new(theta, shift.x, shift.y)
}

/// Room to look at frames in.
struct Look {
    fk: FkScratch,
    poses: [Pose; 2],
    between: Pose,
    mixed: Pose,
    places: [Vec<DVec3>; 2],
    near: [usize; 2],
}

impl Look {
    fn new(of: &Interpolated) -> Self {
        let skeleton = of.skeleton();
        let moving: Arc<[JointIdx]> = of.moving.clone();
        let pose = Pose::new(skeleton.joint_count(), moving);
        Self {
            fk: FkScratch::new(skeleton),
            poses: [pose.clone(), pose.clone()],
            between: pose.clone(),
            mixed: pose,
            places: Default::default(),
            near: [0, 1].map(|s| (SOFTLY_S * of.sources[s].rate_hz()).round() as usize),
        }
    }

    fn moment(&mut self, of: &Interpolated, frame: f64) -> Moment {
        let skeleton = of.skeleton();
        for s in 0..2 {
            of.sources[s].sample(of.place(s, frame), &mut self.poses[s], &mut self.between);
            self.fk.solve_moving(skeleton, &self.poses[s]);
            let root = self.poses[s].root;
            self.places[s].clear();
            let placed = self.fk.from_root.iter().map(|p| root + p.as_dvec3());
            self.places[s].extend(placed);
        }
        let joints = skeleton.joint_count();
        let [a, b] = [0, 1].map(|s| &self.places[s][..joints]);
        let centre = |p: &[DVec3]| {
            // From the root, so that nothing is lost far from the origin.
            let from = ground(p[0]);
            from + p.iter().map(|p| ground(*p) - from).sum::<DVec2>() / joints as f64
        };
        let centres = [centre(a), centre(b)];
        let (mut re, mut im) = (0.0, 0.0);
        for (p, q) in a.iter().zip(b) {
            let (u, v) = (ground(*p) - centres[0], ground(*q) - centres[1]);
            re += u.x * v.x + u.y * v.y;
            im += u.y * v.x - u.x * v.y;
        }
        let onto_first = if im == 0.0 && re >= 0.0 {
            0.0
        } else {
            -im.atan2(re)
        };
        let same = self.poses[0] == self.poses[1];
        mix(&self.poses, onto_first, of.how.weight, &mut self.mixed);
        self.fk.solve_moving(skeleton, &self.mixed);
        let standing = of.contact_points().unwrap_or(&[]);
        let mut points: Vec<[DVec3; 2]> = Vec::with_capacity(standing.len() + 1);
        let mut offsets = Vec::with_capacity(standing.len() + 1);
        for p in standing {
            points.push([0, 1].map(|s| self.places[s][p.point.index()]));
            offsets.push(self.fk.from_root[p.point.index()].as_dvec3());
        }
        let roots = [self.poses[0].root, self.poses[1].root];
        points.push(roots);
        offsets.push(DVec3::ZERO);
        Moment {
            roots,
            points,
            offsets,
            stands: self.stands(of, frame, standing.len()),
            onto_first,
            centres,
            same,
        }
    }

    /// How much each point stands, and the root where none does.
    fn stands(&self, of: &Interpolated, frame: f64, points: usize) -> Vec<f64> {
        let mut out = vec![0.0; points + 1];
        for (s, weight) in [of.how.weight, 1.0 - of.how.weight].into_iter().enumerate() {
            let (source, near) = (&of.sources[s], self.near[s] as isize);
            let at = of.place(s, frame).round() as isize;
            let last = source.frame_count() as isize - 1;
            let share = weight / ((near + 1) * (near + 1)) as f64;
            for r in -near..=near {
                let mask = source.contact_mask((at + r).clamp(0, last) as usize);
                let part = share * (near + 1 - r.abs()) as f64;
                for (p, stands) in out.iter_mut().take(points).enumerate() {
                    if mask >> p & 1 == 1 {
                        *stands += part;
                    }
                }
            }
        }
        let sum: f64 = out.iter().sum();
        if sum > 1.0 {
            out.iter_mut().for_each(|s| *s /= sum);
        } else {
            out[points] = 1.0 - sum;
        }
        out
    }
}
