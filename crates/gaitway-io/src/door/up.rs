//! Which axis points up. Where a format does not say, the body does: heads are above feet in a T-pose that a converter put
//! before the motion, and at rest. Only where neither stands is the motion asked, since bodies also lie, swim and roll.

use gaitway_core::anatomy::{Side, side_of, words};
use gaitway_core::{WarningCode, Warnings};
use glam::{DVec3, Quat, Vec3};

use super::first_frame::leap_from_first;
use crate::{RawClip, UpAxis};

/// How much of the way from feet to head must be along one axis.
const ALONG: f64 = 0.8;

/// The user's word, then the file's, then the body's.
pub(super) fn choose(raw: &RawClip, asked: Option<UpAxis>, warnings: &mut Warnings) -> UpAxis {
    let (axis, why) = match (asked, raw.up) {
        (Some(axis), _) => (axis, "as asked".to_owned()),
        (None, Some(axis)) => (axis, "as the file says".to_owned()),
        (None, None) => by_body(raw, warnings),
    };
    if axis != UpAxis::Y {
        let name = axis.as_str().to_uppercase();
        warnings.add(
            WarningCode::UpAxisTurned,
            format!("{name} points up ({why}); turned to Y up (--up says otherwise)"),
        );
    }
    axis
}

fn by_body(raw: &RawClip, warnings: &mut Warnings) -> (UpAxis, String) {
    let custom = (UpAxis::Y, String::new());
    let Some(body) = Body::of(raw) else {
        return custom;
    };
    let moving = body.rise_in_motion();
    let stance = body
        .t_pose_rise()
        .map(|rise| (rise, "in the T-pose of frame 0"))
        .or_else(|| Some((body.rest_rise()?, "at rest")));
    let (rise, where_) = stance.unwrap_or((moving, "in motion"));
    // A body that lies, crawls or tumbles gives no clear answer; Y is the custom then.
    let Some((axis, share)) = main_axis(rise) else {
        return custom;
    };
    if share < 0.0 {
        warnings.add(
            WarningCode::Unusual,
            format!(
                "the head is below the feet along {}; read as it is",
                axis.as_str().to_uppercase()
            ),
        );
        return custom;
    }
    if let Some((lies, _)) = main_axis(moving).filter(|(a, s)| *a != axis && *s > 0.0) {
        let (name, up) = (lies.as_str(), axis.as_str().to_uppercase());
        warnings.add(
            WarningCode::Unusual,
            format!(
                "the body stretches along {} for most of the clip, but stands along {up} {where_}; it is taken to lie \
                 (--up {name} sets it upright)",
                name.to_uppercase()
            ),
        );
    }
    let share = 100.0 * share;
    (
        axis,
        format!("{where_}, from feet to head, {share:.0} % of the way is along it"),
    )
}

/// The axis a way goes along, and its share of it, below 0 where it goes against it; `None` where it is askew.
fn main_axis(way: DVec3) -> Option<(UpAxis, f64)> {
    let share = way.try_normalize()?;
    let axes = [
        (UpAxis::X, share.x),
        (UpAxis::Y, share.y),
        (UpAxis::Z, share.z),
    ];
    axes.into_iter().find(|(_, s)| s.abs() >= ALONG)
}

/// The joints that say how a body stands.
struct Body<'a> {
    raw: &'a RawClip,
    head: usize,
    feet: [usize; 2],
    /// What both legs hang on.
    hips: usize,
    /// Shoulder and hand of either arm, where both are known.
    arms: Option<[[usize; 2]; 2]>,
}

impl<'a> Body<'a> {
    fn of(raw: &'a RawClip) -> Option<Self> {
        let is = |name: &str, parts: &[&str]| {
            words(name)
                .iter()
                .any(|w| parts.iter().any(|part| w == part))
        };
        let head = raw
            .joints
            .iter()
            .rposition(|j| is(&j.name, &["head", "neck"]))?;
        let first = |side: Side, parts: &[&str]| {
            let mut joints = raw.joints.iter();
            joints.position(|j| side_of(&j.name) == Some(side) && is(&j.name, parts))
        };
        let foot = |side| first(side, &["foot", "ankle"]);
        let feet = [foot(Side::Left)?, foot(Side::Right)?];
        let arm = |side| {
            let shoulder = first(side, &["arm", "shoulder", "humerus"])?;
            Some([shoulder, first(side, &["hand", "wrist"])?])
        };
        let above = |j: usize| std::iter::successors(Some(j), |&j| raw.joints[j].parent);
        let hips = above(feet[0]).find(|&j| above(feet[1]).any(|k| k == j))?;
        let arms = arm(Side::Left).zip(arm(Side::Right));
        Some(Self {
            raw,
            head,
            feet,
            hips,
            arms: arms.map(|(l, r)| [l, r]),
        })
    }

    /// Places from the root, with the rotations of a frame or with none.
    fn places(&self, frame: Option<usize>) -> Vec<Vec3> {
        let joints = &self.raw.joints;
        let mut places = vec![Vec3::ZERO; joints.len()];
        let mut turns = vec![Quat::IDENTITY; joints.len()];
        for (j, joint) in joints.iter().enumerate() {
            let local = frame.map_or(Quat::IDENTITY, |f| self.raw.rotations[f * joints.len() + j]);
            let Some(p) = joint.parent else {
                turns[j] = local;
                continue;
            };
            turns[j] = turns[p] * local;
            places[j] = places[p] + turns[p] * joint.offset.as_vec3();
        }
        places
    }

    fn rise(&self, places: &[Vec3]) -> DVec3 {
        let low = (places[self.feet[0]] + places[self.feet[1]]) * 0.5;
        (places[self.head] - low).as_dvec3()
    }

    /// From feet to head where they are on opposite sides of the hips, in line: bones of many rigs lie along one axis at rest,
    /// legs beside the trunk, and that is no stance.
    fn standing_rise(&self, places: &[Vec3]) -> Option<DVec3> {
        /// Legs may be spread by 30°.
        const IN_LINE: f32 = 0.86;
        let from_hips = |j: usize| (places[j] - places[self.hips]).normalize_or_zero();
        let up = from_hips(self.head);
        let stands = self
            .feet
            .iter()
            .all(|&f| from_hips(f).dot(up) < -IN_LINE && up != Vec3::ZERO);
        stands.then(|| self.rise(places))
    }

    fn rest_rise(&self) -> Option<DVec3> {
        self.standing_rise(&self.places(None))
    }

    /// From feet to head in frame 0, where that is no motion and stands with its arms stretched out to either side.
    fn t_pose_rise(&self) -> Option<DVec3> {
        /// 15° off at most.
        const LEVEL: f32 = 0.26;
        leap_from_first(&self.raw.rotations, self.raw.joints.len())?;
        let places = self.places(Some(0));
        let rise = self.standing_rise(&places)?;
        let up = rise.as_vec3().normalize_or_zero();
        let [left, right] = self
            .arms?
            .map(|[shoulder, hand]| (places[hand] - places[shoulder]).normalize_or_zero());
        let level = |v: Vec3| v != Vec3::ZERO && v.dot(up).abs() < LEVEL;
        (level(left) && level(right) && left.dot(right) < -0.9).then_some(rise)
    }

    /// From feet to head over a sample of frames.
    fn rise_in_motion(&self) -> DVec3 {
        const SAMPLE: usize = 32;
        let frames = self.raw.root.len();
        (0..frames)
            .step_by((frames / SAMPLE).max(1))
            .map(|f| self.rise(&self.places(Some(f))))
            .sum()
    }
}
