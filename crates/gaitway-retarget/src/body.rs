//! A body to take motion from or to put motion on: its roles, and the pose in which bodies are compared.
//!
//! Bodies are compared standing. Where the file's own rest pose (all joints unturned) is one a person stands in, that is it: T-poses, A-poses.
//! Many rigs lay their bones along one axis instead (LAFAN1, Bandai-Namco, most of glTF), and their unturned pose is no pose at all. Then the
//! clip's own frames say how the body stands: of up to 240 of them the half in which legs and trunk are straightest up and down, each joint's turn
//! averaged with the heading taken out (chordal mean); the trunk is then straightened (`straight`). What is uncertain in it is only the turn of a bone about itself; where bones point
//! to is known from their lengths, see [`mod@crate::align`].

mod sides;
mod stand;
mod straight;

use std::sync::Arc;

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::contacts::{ContactOptions, detect};
use gaitway_core::fk::FkScratch;
use gaitway_core::rotation::angle_between;
use gaitway_core::{Clip, JointIdx, PointIdx, Skeleton};
use glam::{DQuat, DVec3, Quat};
use serde::Serialize;

use stand::{DQuatSum, heading, mean_pose, placed, tallest};

use crate::roles::{self, OverrideError, Part, RoleMap, RoleOverrides, RoleSide};

/// Where the pose to compare at comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RestFrom {
    /// The file's own rest pose.
    Rest,
    /// Frames of the clip: the rest pose is none a person stands in.
    Frames,
}

/// A foot as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// The joint it hangs on.
    pub ankle: JointIdx,
    /// What stands at the back: a point behind the ankle, else the ankle.
    pub heel: PointIdx,
    /// What stands at the front: the ball, else the tip; `None` where all is in one place.
    pub toe: Option<PointIdx>,
    /// All points of the foot.
    pub points: Vec<PointIdx>,
    /// World rotation of the ankle in a foot that stands flat and points to +Z.
    pub level: DQuat,
    /// The same of the toe joint, where there is one.
    pub toe_level: Option<DQuat>,
    /// How high the ankle, the heel point and the toe point are above the sole, metres.
    pub heights: [f64; 3],
}

/// A body: skeleton, roles, how it stands.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its joints.
    pub skeleton: Arc<Skeleton>,
    /// Who is what.
    pub roles: RoleMap,
    /// World rotations of all joints where bodies are compared, facing +Z.
    pub rest: Vec<DQuat>,
    /// Places of all points there, the root at the origin.
    pub places: Vec<DVec3>,
    /// Local rotations there, in the file's own heading.
    pub locals: Vec<Quat>,
    /// Where that pose is from.
    pub rest_from: RestFrom,
    /// World rotations of all joints as its frames have it standing, facing +Z, the trunk as it is carried; `None` where they do not show it so.
    pub seen: Option<Vec<DQuat>>,
    /// Left and right foot.
    pub feet: [Option<Foot>; 2],
    /// Thigh and shank, metres, mean of both legs: bones alone, so that all clips of a person are scaled alike.
    pub leg_length: Option<f64>,
    /// Axes that knees bend about, in the shank's frame; a positive turn bends the shin backwards.
    pub knees: [Option<DVec3>; 2],
    /// The same of elbows, in the forearm's frame, where the clip shows them bent; a positive turn bends further.
    pub elbows: [Option<DVec3>; 2],
}

/// The heading a foot points to at rest, where the body faces +Z: from its ankle to its toe in a foot that lies, the body's in one whose toe joint is under its ankle (rigs of few
/// joints), where that way may go anywhere; from the one to the other between slopes of 37° and 60°.
fn points_to(ahead: DVec3) -> f64 {
    let level = ahead.with_y(0.0);
    let lies = ((level.length() / ahead.length().max(1e-9) - 0.5) / 0.3).clamp(0.0, 1.0);
    let lies = lies * lies * (3.0 - 2.0 * lies);
    let way = level.normalize_or_zero() * lies + DVec3::Z * (1.0 - lies);
    way.x.atan2(way.z)
}

/// A foot that turns slower than this, radians per second, rests: one that rolls turns several times as fast.
const STILL: f64 = 2.0;

/// How fast a joint turns in the world from a frame to the next (or from the one before), radians per second.
fn turning(
    clip: &Clip,
    frame: usize,
    joint: JointIdx,
    here: &FkScratch,
    other: &mut FkScratch,
) -> f64 {
    let beside = if frame + 1 < clip.frame_count() {
        frame + 1
    } else {
        frame.saturating_sub(1)
    };
    other.solve(clip, beside);
    let turn = |s: &FkScratch| s.rotations[joint.index()];
    angle_between(turn(here), turn(other)) * clip.rate_hz()
}

/// A foot in a frame in which heel and toe stand.
struct Flat {
    /// Turns of the ankle and of the toe in the world.
    ankle: DQuat,
    toe: Option<DQuat>,
    /// What it counts for: little while the foot turns, as a runner's does in nearly all frames in which both ends touch.
    weight: f64,
}

impl Flat {
    fn of(foot: &Foot, toe: Option<JointIdx>, solved: &FkScratch, turning: f64) -> Self {
        let turn = |j: JointIdx| solved.rotations[j.index()].as_dquat();
        Self {
            ankle: turn(foot.ankle),
            toe: toe.map(turn),
            weight: 1.0 / (1.0 + (turning / STILL).powi(2)),
        }
    }

    /// What takes its heading out: the turn about the vertical since a level one that points to +Z. (Where a steep foot's toe is seen from its ankle says nothing about it.) `None` where it is
    /// upside down against that.
    fn back(&self, level: DQuat) -> Option<DQuat> {
        let since = self.ankle * level.inverse();
        let about = DQuat::from_xyzw(0.0, since.y, 0.0, since.w);
        (about.length() > 0.1).then(|| about.normalize().inverse())
    }
}

/// Rounds in which a level foot is found; each leaves a tenth of what was amiss, or less.
const LEVEL_ROUNDS: usize = 4;

/// Frames that are looked at, at most.
const SAMPLES: usize = 240;

/// A limb bent by 20° on average, sin³ 20°: what the hips' line counts for beside what is seen of a knee, as planting feet has it.
const BENT: f64 = 0.04;

impl Body {
    /// The body of a clip.
    ///
    /// # Errors
    /// When a joint that `given` names is not in it.
    pub fn of_clip(clip: &Clip, given: Option<&RoleOverrides>) -> Result<Self, OverrideError> {
        let skeleton = clip.skeleton().clone();
        let unturned = vec![Quat::IDENTITY; skeleton.joint_count()];
        let rest_places = roles::place_of(&skeleton, &unturned);
        let apply = |mut map: RoleMap| match given {
            Some(given) => given.apply(&skeleton, &mut map).map(|()| map),
            None => Ok(map),
        };
        let at_rest = apply(roles::find(&skeleton, &rest_places, true))?;
        let own = at_rest.stands(&skeleton, &rest_places);
        let (map, world, rest_from) = if own || clip.frame_count() == 0 {
            let world = vec![DQuat::IDENTITY; skeleton.joint_count()];
            (at_rest, world, RestFrom::Rest)
        } else {
            // By what can be told of it in the frame in which it is tallest, its mean pose: in a stride no leg is straight.
            let tall = tallest(clip);
            let tall = placed(
                &skeleton,
                &mean_pose(clip, &apply(roles::find(&skeleton, &tall, true))?),
            )
            .1;
            let found = apply(roles::find(&skeleton, &tall, true))?;
            // A pose no person stands in says nothing by its shape.
            let map = if found.stands(&skeleton, &tall) {
                found
            } else {
                apply(roles::find(&skeleton, &tall, false))?
            };
            let mean = mean_pose(clip, &map);
            let by_axis = straight::axes(&skeleton, &map, &mean, false);
            let world = straight::straightened(&skeleton, &map, mean, by_axis);
            (map, world, RestFrom::Frames)
        };
        let mut body = Self::posed(skeleton, map, world, rest_from);
        body.seen = body.seen_standing(clip);
        body.feet = RoleSide::BOTH.map(|s| body.foot(s));
        body.settle_feet(clip);
        body.leg_length = body.measure_leg();
        body.knees = RoleSide::BOTH.map(|s| body.knee(clip, s));
        body.elbows = RoleSide::BOTH.map(|s| body.elbow(clip, s));
        body.share_sides(clip);
        Ok(body)
    }

    fn posed(
        skeleton: Arc<Skeleton>,
        roles: RoleMap,
        world: Vec<DQuat>,
        rest_from: RestFrom,
    ) -> Self {
        let (locals, places) = placed(&skeleton, &world);
        let heading = heading(&roles, &places);
        let back = DQuat::from_rotation_y(-heading);
        Self {
            rest: world.iter().map(|&q| (back * q).normalize()).collect(),
            places: places.iter().map(|&p| back * p).collect(),
            skeleton,
            roles,
            locals,
            rest_from,
            seen: None,
            feet: [None, None],
            leg_length: None,
            knees: [None, None],
            elbows: [None, None],
        }
    }

    /// The mean of its frames, where a person stands so.
    fn seen_standing(&self, clip: &Clip) -> Option<Vec<DQuat>> {
        if clip.frame_count() == 0 {
            return None;
        }
        let mean = mean_pose(clip, &self.roles);
        let (_, places) = placed(&self.skeleton, &mean);
        let stands = self.roles.stands(&self.skeleton, &places);
        stands.then_some(mean)
    }

    /// Two bodies in poses that can be compared. Their own where both rest standing. Where one is known by its frames alone, both are taken as their frames
    /// show them, or how people carry shoulders and bend elbows would be taken for how bodies are built; and axes are asked only where both have them.
    pub(crate) fn compared(&self, other: &Self) -> [Self; 2] {
        let both = [self, other];
        let own = both.iter().all(|b| b.rest_from == RestFrom::Rest);
        let (false, Some(one), Some(two)) = (own, &self.seen, &other.seen) else {
            return [self.clone(), other.clone()];
        };
        let axes = |b: &Self, mean: &[DQuat]| {
            let stands = b.rest_from == RestFrom::Rest;
            straight::axes(&b.skeleton, &b.roles, mean, stands)
        };
        let (a, b) = (axes(self, one), axes(other, two));
        let by_axis = [a[0] && b[0], a[1] && b[1]];
        [(self, one), (other, two)].map(|(body, mean)| {
            let world = straight::straightened(&body.skeleton, &body.roles, mean.clone(), by_axis);
            let posed = Self::posed(
                body.skeleton.clone(),
                body.roles.clone(),
                world,
                RestFrom::Frames,
            );
            Self {
                rest: posed.rest,
                places: posed.places,
                locals: posed.locals,
                rest_from: RestFrom::Frames,
                ..body.clone()
            }
        })
    }

    /// Whether that pose is one a person stands in.
    pub fn stands(&self) -> bool {
        self.roles.stands(&self.skeleton, &self.places)
    }

    /// The place of a joint in the pose where bodies are compared.
    pub fn place(&self, joint: JointIdx) -> DVec3 {
        self.places[joint.index()]
    }

    /// Both hip joints, where there are two legs.
    pub fn hip_joints(&self) -> Option<[JointIdx; 2]> {
        let of = |s| self.roles.joint(Part::Thigh, s);
        Some([of(RoleSide::Left)?, of(RoleSide::Right)?])
    }

    fn foot(&self, side: RoleSide) -> Option<Foot> {
        let ankle = self.roles.joint(Part::Foot, side)?;
        let skeleton = &self.skeleton;
        let points: Vec<PointIdx> = (0..skeleton.point_count() as u32)
            .map(PointIdx)
            .filter(|&p| is_at_or_below(skeleton, skeleton.point_joint(p), ankle))
            .collect();
        let from = |p: PointIdx| self.places[p.index()] - self.place(ankle);
        let toe_joint = self.roles.joint(Part::Toe, side);
        let apart = |p: &PointIdx| from(*p).length() > 1e-3;
        let farthest = || {
            points
                .iter()
                .copied()
                .max_by(|&a, &b| from(a).length().total_cmp(&from(b).length()))
        };
        let toe = toe_joint
            .map(PointIdx::from)
            .filter(apart)
            .or_else(|| farthest().filter(apart));
        let ahead = toe.map_or(DVec3::ZERO, from);
        let behind = |p: &PointIdx| {
            let at = from(*p);
            let named = skeleton.point_name(*p).to_lowercase().contains("heel");
            at.length() > 1e-3 && (named || at.dot(ahead) < -0.1 * at.length() * ahead.length())
        };
        let heel = points
            .iter()
            .copied()
            .filter(behind)
            .max_by(|&a, &b| from(a).length().total_cmp(&from(b).length()));
        let heel = heel.unwrap_or(ankle.into());
        let back = DQuat::from_rotation_y(-points_to(ahead));
        let mut foot = Foot {
            ankle,
            heel,
            toe,
            points,
            level: back * self.rest[ankle.index()],
            toe_level: toe_joint.map(|t| back * self.rest[t.index()]),
            heights: [0.0; 3],
        };
        foot.heights = self.sole(&foot);
        Some(foot)
    }

    /// Heights of ankle, heel and toe over the lowest point of a foot that stands flat.
    fn sole(&self, foot: &Foot) -> [f64; 3] {
        let ankle = foot.ankle;
        let toe = self.skeleton.joints().find(|&j| foot.toe == Some(j.into()));
        let into = self.rest[ankle.index()].inverse();
        let height = |p: PointIdx| {
            let joint = self.skeleton.point_joint(p);
            let flat = foot.level * (into * (self.places[p.index()] - self.place(ankle)));
            match (toe, foot.toe_level) {
                (Some(t), Some(level))
                    if joint != t && is_at_or_below(&self.skeleton, joint, t)
                        || toe == Some(joint) && p != t.into() =>
                {
                    let base = foot.level * (into * (self.place(t) - self.place(ankle)));
                    let from = self.places[p.index()] - self.place(t);
                    base.y + (level * (self.rest[t.index()].inverse() * from)).y
                }
                _ => flat.y,
            }
        };
        let low = foot
            .points
            .iter()
            .map(|&p| height(p))
            .fold(f64::INFINITY, f64::min);
        let low = if low.is_finite() { low } else { 0.0 };
        [ankle.into(), foot.heel, foot.toe.unwrap_or(ankle.into())].map(|p| height(p) - low)
    }

    /// Where the clip shows feet standing flat, that is how they stand: rest poses often have them a few degrees off.
    fn settle_feet(&mut self, clip: &Clip) {
        let Ok(found) = detect(clip, &ContactOptions::default()) else {
            return;
        };
        let mut scratch = FkScratch::new(&self.skeleton);
        let mut next = FkScratch::new(&self.skeleton);
        let points = found.track.points();
        let side_points: [Vec<usize>; 2] = [0, 1].map(|s| {
            let Some(foot) = &self.feet[s] else {
                return Vec::new();
            };
            (0..points.len())
                .filter(|&k| foot.points.contains(&points[k].point))
                .collect()
        });
        let mut seen: [Vec<Flat>; 2] = Default::default();
        for frame in 0..clip.frame_count() {
            let flat = |s: usize| {
                side_points[s].len() >= 2
                    && side_points[s].iter().all(|&k| found.track.get(frame, k))
            };
            if !flat(0) && !flat(1) {
                continue;
            }
            scratch.solve(clip, frame);
            for s in [0, 1] {
                if let Some(foot) = self.feet[s].as_ref().filter(|_| flat(s)) {
                    let toe = self.roles.joint(Part::Toe, RoleSide::BOTH[s]);
                    let turning = turning(clip, frame, foot.ankle, &scratch, &mut next);
                    seen[s].push(Flat::of(foot, toe, &scratch, turning));
                }
            }
        }
        let enough = (0.3 * clip.rate_hz()).ceil() as usize;
        for s in [0, 1] {
            let Some(mut foot) = self.feet[s].clone() else {
                continue;
            };
            let frames = &seen[s];
            if frames.len() < enough {
                continue;
            }
            // What a heading is depends on the level it is taken out against, a little: found anew with the one that was found.
            for _ in 0..LEVEL_ROUNDS {
                let mut sums: [DQuatSum; 2] = Default::default();
                for flat in frames {
                    let Some(back) = flat.back(foot.level) else {
                        continue;
                    };
                    sums[0].add_weighted(back * flat.ankle, flat.weight);
                    let toe = flat.toe.into_iter();
                    toe.for_each(|t| sums[1].add_weighted(back * t, flat.weight));
                }
                foot.level = sums[0].mean();
                foot.toe_level = foot.toe_level.map(|_| sums[1].mean());
            }
            let into = self.rest[foot.ankle.index()].inverse();
            let toe = foot.toe.map_or(DVec3::Z, |t| {
                foot.level * (into * (self.places[t.index()] - self.place(foot.ankle)))
            });
            let back = DQuat::from_rotation_y(-points_to(toe));
            foot.level = back * foot.level;
            foot.toe_level = foot.toe_level.map(|t| back * t);
            foot.heights = self.sole(&foot);
            self.feet[s] = Some(foot);
        }
    }

    fn measure_leg(&self) -> Option<f64> {
        let length = |s: RoleSide| {
            // A foot that hangs on no leg is where the leg ends all the same.
            let [a, b, c] = [
                self.roles.joint(Part::Thigh, s)?,
                self.roles.joint(Part::Shank, s)?,
                self.roles.joint(Part::Foot, s)?,
            ];
            Some(self.place(a).distance(self.place(b)) + self.place(b).distance(self.place(c)))
        };
        let legs: Vec<f64> = RoleSide::BOTH.into_iter().filter_map(length).collect();
        (!legs.is_empty())
            .then(|| legs.iter().sum::<f64>() / legs.len() as f64)
            .filter(|l| *l > 1e-3)
    }

    /// A knee's axis, from deep bends where the clip has them and from the hips' line where it has not.
    fn knee(&self, clip: &Clip, side: RoleSide) -> Option<DVec3> {
        let [hip, knee, ankle] = self.roles.leg(&self.skeleton, side)?;
        let shin_at_rest = (self.place(ankle) - self.place(knee)).try_normalize()?;
        let usual = DVec3::X
            .reject_from_normalized(shin_at_rest)
            .try_normalize()?;
        let line = (self.rest[knee.index()].inverse() * usual) * BENT;
        (line + self.bend_axis(clip, [hip, knee, ankle])).try_normalize()
    }

    /// An elbow's axis, where the clip bends it: at rest arms are straight and say nothing about it.
    fn elbow(&self, clip: &Clip, side: RoleSide) -> Option<DVec3> {
        let of = |part| self.roles.joint(part, side);
        let arm = [of(Part::UpperArm)?, of(Part::Forearm)?, of(Part::Hand)?];
        let seen = self.bend_axis(clip, arm);
        (seen.length() > BENT).then(|| seen.normalize())
    }

    /// The axis that the second bone of a limb turns about as the limb bends, in that bone's frame; deep bends count for more, and its length is the mean of sin³ of the bend.
    fn bend_axis(&self, clip: &Clip, [top, middle, end]: [JointIdx; 3]) -> DVec3 {
        let frames = clip.frame_count();
        let mut scratch = FkScratch::new(&self.skeleton);
        let (mut seen, mut count) = (DVec3::ZERO, 0.0_f64);
        for frame in (0..frames).step_by(frames.div_ceil(SAMPLES).max(1)) {
            scratch.solve(clip, frame);
            let at = |j: JointIdx| scratch.from_root[j.index()].as_dvec3();
            let (u, v) = (
                (at(middle) - at(top)).normalize_or_zero(),
                (at(end) - at(middle)).normalize_or_zero(),
            );
            // Thigh × shin: a bent knee turns the shin about it, backwards.
            let n = u.cross(v);
            seen += scratch.rotations[middle.index()].as_dquat().inverse() * n * n.length_squared();
            count += 1.0;
        }
        seen / count.max(1.0)
    }
}
