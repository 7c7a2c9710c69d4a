//! Forward kinematics of those joints alone that lead to constrained points, in `f64`, with how points move with each degree of freedom.

use gaitway_core::{Clip, JointIdx, PointIdx};
use glam::{DMat3, DQuat, DVec3};

use super::freedom::{Freedom, Turn};

/// What a place that shall not change costs, against one that may: a tenth of a metre wanted moves it by less than a micrometre.
const STILL: f64 = 1e9;

/// A joint that is solved: its parent among those solved, and its freedom.
#[derive(Clone, Debug)]
struct Link {
    joint: JointIdx,
    parent: Option<usize>,
    /// Column of its first degree of freedom, and how many it has.
    columns: Option<(usize, Turn)>,
    /// Whether a track moves it in its parent.
    moving: bool,
}

/// A point of interest: the link it moves with, and where in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tip {
    link: usize,
    offset: DVec3,
}

/// The solved joints of a body.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    links: Vec<Link>,
    tips: Vec<Tip>,
    /// Degrees of freedom: three of the root's place first.
    pub columns: usize,
    pub weights: Vec<f64>,
}

/// Places and turns of one frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    rotations: Vec<DQuat>,
    places: Vec<DVec3>,
    /// World axes of each column's turn; the root's place has none.
    axes: Vec<DVec3>,
}

impl Chain {
    pub fn new(clip: &Clip, freedoms: &[Freedom], points: &[PointIdx], still_root: bool) -> Self {
        let skeleton = clip.skeleton();
        let mut needed = vec![false; skeleton.joint_count()];
        for &point in points {
            super::ancestors(clip, point).for_each(|j| needed[j.index()] = true);
        }
        needed[0] = true;
        let (mut links, mut index) = (Vec::<Link>::new(), vec![usize::MAX; needed.len()]);
        let mut columns = 3;
        let mut weights = vec![if still_root { STILL } else { 1.0 }; 3];
        for joint in skeleton.joints().filter(|j| needed[j.index()]) {
            let free = freedoms.iter().find(|f| f.joint == joint);
            let own = free.map(|f| {
                let count = if f.turn == Turn::Free { 3 } else { 1 };
                let at = columns;
                columns += count;
                weights.extend(std::iter::repeat_n(f.weight, count));
                (at, f.turn)
            });
            index[joint.index()] = links.len();
            links.push(Link {
                joint,
                parent: skeleton.parent(joint).map(|p| index[p.index()]),
                columns: own,
                moving: clip.translation_track(joint).is_some(),
            });
        }
        let tips = points.iter().map(|&point| {
            let joint = skeleton.point_joint(point);
            let site = point.index().checked_sub(skeleton.joint_count());
            let offset = site.map_or(DVec3::ZERO, |s| skeleton.end_sites()[s].offset.as_dvec3());
            Tip {
                link: index[joint.index()],
                offset,
            }
        });
        Self {
            tips: tips.collect(),
            links,
            columns,
            weights,
        }
    }

    /// Whether a joint is among those solved.
    pub fn has(&self, joint: JointIdx) -> bool {
        self.links.iter().any(|l| l.joint == joint)
    }

    /// Solves a frame with displacements `d`, one per column.
    pub fn solve(&self, clip: &Clip, frame: usize, d: &[f64], out: &mut Solved) {
        out.rotations.clear();
        out.places.clear();
        out.axes.clear();
        out.axes.resize(self.columns, DVec3::ZERO);
        for link in &self.links {
            let first = clip.rotation(frame, link.joint).as_dquat();
            let above = link.parent.map(|p| (out.rotations[p], out.places[p]));
            let (mut turn, place) = match above {
                None => (first, clip.root()[frame] + DVec3::new(d[0], d[1], d[2])),
                Some((rotation, place)) => {
                    let offset = match link.moving {
                        true => clip
                            .translation_track(link.joint)
                            .map_or(DVec3::ZERO, |t| t.values[frame].as_dvec3()),
                        false => clip.skeleton().offset(link.joint).as_dvec3(),
                    };
                    (rotation * first, place + rotation * offset)
                }
            };
            match link.columns {
                None => {}
                Some((at, Turn::Hinge(axis))) => {
                    turn *= DQuat::from_axis_angle(axis, d[at]);
                    out.axes[at] = turn * axis;
                }
                Some((at, Turn::Free)) => {
                    let v = DVec3::new(d[at], d[at + 1], d[at + 2]);
                    turn *= DQuat::from_scaled_axis(v);
                    let columns = DMat3::from_quat(turn) * right_jacobian(v);
                    out.axes[at..at + 3].copy_from_slice(&[
                        columns.x_axis,
                        columns.y_axis,
                        columns.z_axis,
                    ]);
                }
            }
            out.rotations.push(turn.normalize());
            out.places.push(place);
        }
    }

    /// Where a point is.
    pub fn place(&self, solved: &Solved, tip: usize) -> DVec3 {
        let tip = self.tips[tip];
        solved.places[tip.link] + solved.rotations[tip.link] * tip.offset
    }

    /// How a point moves with each column, times `sign`, added to a dense row of vectors.
    pub fn add_jacobian(&self, solved: &Solved, tip: usize, sign: f64, out: &mut [DVec3]) {
        let place = self.place(solved, tip);
        out[0] += DVec3::X * sign;
        out[1] += DVec3::Y * sign;
        out[2] += DVec3::Z * sign;
        let mut at = Some(self.tips[tip].link);
        while let Some(k) = at {
            let link = &self.links[k];
            if let Some((first, turn)) = link.columns {
                let count = if turn == Turn::Free { 3 } else { 1 };
                let arm = place - solved.places[k];
                let axes = &solved.axes[first..first + count];
                let columns = &mut out[first..first + count];
                columns
                    .iter_mut()
                    .zip(axes)
                    .for_each(|(o, a)| *o += a.cross(arm) * sign);
            }
            at = link.parent;
        }
    }
}

/// exp(v + δ) ≈ exp(v) exp(J δ):  J = I − (1 − cos θ)/θ² [v]× + (θ − sin θ)/θ³ [v]×².
fn right_jacobian(v: DVec3) -> DMat3 {
    let angle2 = v.length_squared();
    let (a, b) = if angle2 < 1e-8 {
        (0.5 - angle2 / 24.0, 1.0 / 6.0 - angle2 / 120.0)
    } else {
        let angle = angle2.sqrt();
        (
            (1.0 - angle.cos()) / angle2,
            (angle - angle.sin()) / (angle2 * angle),
        )
    };
    let cross = DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    );
    DMat3::IDENTITY - cross * a + cross * cross * b
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::performer::{Move, Performer, Script};

    #[test]
    fn points_move_as_the_jacobian_says() {
        let take = Performer::new(3)
            .perform(&Script::new("j", [Move::walk(4, 1.2)]))
            .expect("a walk");
        let skeleton = take.clip.skeleton().clone();
        let joint = |name: &str| skeleton.find(name).expect("a joint");
        let freedoms = [
            Freedom {
                joint: JointIdx::ROOT,
                turn: Turn::Free,
                weight: 1.0,
            },
            Freedom {
                joint: joint("LeftUpLeg"),
                turn: Turn::Free,
                weight: 1.0,
            },
            Freedom {
                joint: joint("LeftLeg"),
                turn: Turn::Hinge(DVec3::X),
                weight: 1.0,
            },
            Freedom {
                joint: joint("LeftFoot"),
                turn: Turn::Free,
                weight: 1.0,
            },
        ];
        let points = [
            skeleton.find_point("LeftFoot_end").expect("a heel"),
            joint("LeftToeBase").into(),
        ];
        let chain = Chain::new(&take.clip, &freedoms, &points, false);
        let d: Vec<f64> = (0..chain.columns)
            .map(|c| 0.3 * ((7 * c) as f64).sin())
            .collect();
        let (mut here, mut there) = (Solved::default(), Solved::default());
        chain.solve(&take.clip, 9, &d, &mut here);
        for tip in 0..points.len() {
            let mut jacobian = vec![DVec3::ZERO; chain.columns];
            chain.add_jacobian(&here, tip, 1.0, &mut jacobian);
            for (c, said) in jacobian.iter().enumerate() {
                let step = 1e-6;
                let moved: Vec<f64> = d
                    .iter()
                    .enumerate()
                    .map(|(k, v)| if k == c { v + step } else { *v })
                    .collect();
                chain.solve(&take.clip, 9, &moved, &mut there);
                let found = (chain.place(&there, tip) - chain.place(&here, tip)) / step;
                assert!(
                    found.distance(*said) < 1e-5,
                    "column {c}: {found} for {}",
                    said
                );
            }
        }
    }
}
