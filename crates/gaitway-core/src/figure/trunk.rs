//! The trunk as one tube that bends with the spine, collar bones, neck and head.

use glam::Vec3;

use super::{Follows, Form, Held, Kind, Work, right_handed, ring};
use crate::JointIdx;
use crate::anatomy::Side;

/// Half width and half depth of the trunk, in parts of the height, from the seat (0) to the shoulders (1).
const PROFILE: [(f32, f32, f32); 9] = [
    (0.00, 0.064, 0.048),
    (0.06, 0.084, 0.060),
    (0.16, 0.095, 0.065),
    (0.30, 0.087, 0.060),
    (0.46, 0.077, 0.054),
    (0.64, 0.088, 0.062),
    (0.82, 0.097, 0.066),
    (0.95, 0.088, 0.056),
    (1.03, 0.058, 0.042),
];

/// Adds trunk, collar bones, neck and head.
pub(super) fn add(work: &mut Work<'_>) {
    let h = work.height;
    let spine = Spine::of(work);
    let up = (spine.top - spine.seat).normalize_or(Vec3::Y);
    let rings: Vec<_> = PROFILE
        .iter()
        .map(|&(s, wide, deep)| {
            let (centre, follows) = spine.at(s);
            let across = spine
                .across(work, s)
                .reject_from_normalized(up)
                .normalize_or(Vec3::X);
            let front = across.cross(up);
            let axes = [across * (wide * h), front * (deep * h), up];
            ring(centre, axes, 2.4, follows)
        })
        .collect();
    let beyond = 0.018 * h;
    work.add(Kind::Trunk, None, Form::Tube { rings, beyond });
    let arms = work.anatomy.arms;
    for (arm, side) in arms.iter().zip([Side::Left, Side::Right]) {
        let Some(arm) = arm else { continue };
        let shoulder = work.at(arm.shoulder);
        let follows = work.skeleton.parent(arm.shoulder).unwrap_or(spine.chest);
        let inner = spine.top.lerp(shoulder, 0.35) - up * (0.012 * h);
        let collar = along(follows, [inner, shoulder], [0.034 * h, 0.031 * h]);
        work.add(Kind::Collar, Some(side), collar);
    }
    head(work, &spine, up);
}

/// A capsule that moves with one joint.
fn along(joint: JointIdx, places: [Vec3; 2], radii: [f32; 2]) -> Form {
    let ends = places.map(|place| Held { joint, place });
    Form::Capsule { ends, radii }
}

fn head(work: &mut Work<'_>, spine: &Spine, up: Vec3) {
    let Some(head) = work.anatomy.head else {
        return;
    };
    let h = work.height;
    let place = work.at(head);
    let tip = work.skeleton.end_sites().iter().enumerate();
    let tip = tip
        .filter(|(_, site)| site.parent == head)
        .map(|(e, _)| work.bind.point(work.skeleton.end_site_point(e).index()) - place)
        .find(|d| d.length() > 0.02 * h);
    // The skull's axis: towards the tip, unless that points forwards (a nose) or down.
    let axis = tip
        .and_then(Vec3::try_normalize)
        .filter(|d| d.dot(up) > 0.7);
    let axis = axis.unwrap_or(up);
    let across = spine
        .across(work, 1.0)
        .reject_from_normalized(axis)
        .normalize_or(Vec3::X);
    let front = across.cross(axis);
    // The chin is 0.87 of the height up, about 0.04 H above the shoulders' line.
    let above_shoulders = (place - spine.top).dot(up);
    let lift = (0.115 * h - above_shoulders).clamp(0.02 * h, 0.075 * h);
    let centre = place + axis * lift + front * (0.008 * h);
    let axes = [
        across * (0.043 * h),
        front * (0.053 * h),
        axis * (0.066 * h),
    ];
    let egg = Form::Egg {
        centre: Held {
            joint: head,
            place: centre,
        },
        axes: right_handed(axes),
        power: 2.1,
    };
    work.add(Kind::Head, None, egg);
    let neck = work.skeleton.parent(head).unwrap_or(spine.chest);
    let ends = [spine.top - up * (0.01 * h), centre - axis * (0.03 * h)];
    let neck = along(neck, ends, [0.036 * h, 0.031 * h]);
    work.add(Kind::Neck, None, neck);
}

/// The line the trunk follows, and the joints that bend it.
struct Spine {
    seat: Vec3,
    top: Vec3,
    /// Where each bending joint begins, in parts of the way from seat to top; rising.
    bends: Vec<(f32, JointIdx)>,
    /// Corners of the line.
    corners: Vec<(f32, Vec3)>,
    chest: JointIdx,
}

impl Spine {
    fn of(work: &Work<'_>) -> Self {
        let anatomy = &work.anatomy;
        let shoulders: Vec<JointIdx> = anatomy.arms.iter().flatten().map(|a| a.shoulder).collect();
        let pelvis = anatomy.pelvis;
        let chest = chest_of(work, &shoulders).unwrap_or(pelvis);
        let mut chain = vec![chest];
        while let Some(&low) = chain.last()
            && low != pelvis
            && let Some(parent) = work.skeleton.parent(low)
        {
            chain.push(parent);
        }
        chain.reverse();
        let hips = work.anatomy.both_legs();
        let hips = hips.map_or(work.at(pelvis), |[l, r]| {
            0.5 * (work.at(l.hip) + work.at(r.hip))
        });
        let h = work.height;
        let sum: Vec3 = shoulders.iter().map(|&s| work.at(s)).sum();
        let top = sum / shoulders.len().max(1) as f32;
        let up = (top - hips).normalize_or(Vec3::Y);
        let top = top + up * (0.012 * h);
        let seat = hips - up * (0.035 * h);
        let whole = (top - seat).dot(up).max(1e-6);
        let mut bends: Vec<(f32, JointIdx)> = Vec::new();
        let mut corners = vec![(0.0, seat)];
        for joint in chain {
            let s = ((work.at(joint) - seat).dot(up) / whole).clamp(0.0, 1.0);
            let s = bends.last().map_or(0.0, |b| s.max(b.0));
            bends.push((s, joint));
            if s > corners[corners.len() - 1].0 + 0.05 && s < 0.95 {
                corners.push((s, work.at(joint)));
            }
        }
        corners.push((1.0, top));
        // Bones of no length: the last joint at one place carries all turns of those before it.
        bends.dedup_by(|next, kept| {
            let same = next.0 - kept.0 < 0.03 && kept.1 != pelvis;
            if same {
                kept.1 = next.1;
            }
            same
        });
        Self {
            seat,
            top,
            bends,
            corners,
            chest,
        }
    }

    /// The line's place at a part of its way, and what it follows there.
    fn at(&self, s: f32) -> (Vec3, Follows) {
        let after = self.corners.iter().position(|c| c.0 >= s);
        let after = after.unwrap_or(self.corners.len() - 1).max(1);
        let (a, b) = (self.corners[after - 1], self.corners[after]);
        let t = (s - a.0) / (b.0 - a.0).max(1e-6);
        let place = a.1 + (b.1 - a.1) * t;
        // Within a tenth of the trunk round a joint, vertices go over from the one below to it.
        let reach = 0.1;
        let mut follows = Follows::one(self.bends[0].1);
        for &(start, joint) in &self.bends[1..] {
            let share = ((s - start) / (2.0 * reach) + 0.5).clamp(0.0, 1.0);
            if share >= 1.0 {
                follows = Follows::one(joint);
            } else if share > 0.0 {
                let joint_below = follows.joint;
                follows = Follows {
                    joint: joint_below,
                    other: joint.index(),
                    share,
                };
            }
        }
        (place, follows)
    }

    /// Left of the body: the hips' line at the seat, the shoulders' line at the top.
    fn across(&self, work: &Work<'_>, s: f32) -> Vec3 {
        let hips = work.across();
        let shoulders = work
            .anatomy
            .both_arms()
            .map(|[l, r]| (work.at(l.shoulder) - work.at(r.shoulder)).normalize_or(hips));
        hips.lerp(shoulders.unwrap_or(hips), s.clamp(0.0, 1.0))
            .normalize_or(hips)
    }
}

/// The lowest joint that both arms hang on (or the one arm's parent).
fn chest_of(work: &Work<'_>, shoulders: &[JointIdx]) -> Option<JointIdx> {
    let line = |joint: JointIdx| {
        let mut out = vec![joint];
        let mut at = joint;
        while let Some(parent) = work.skeleton.parent(at) {
            out.push(parent);
            at = parent;
        }
        out
    };
    let first = line(*shoulders.first()?);
    let other = line(*shoulders.last()?);
    let chest = first.iter().skip(1).find(|j| other[1..].contains(j))?;
    // Never below the pelvis: a rig whose arms hang on the root has no spine to bend.
    line(*chest)
        .contains(&work.anatomy.pelvis)
        .then_some(*chest)
}
