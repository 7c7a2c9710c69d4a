//! What of a skeleton no part of a human body stands for: tails, props, and legs of rigs whose feet are led by hand.

use glam::Vec3;

use super::person::bone;
use super::{Form, Held, Kind, Work, ancestors};
use crate::anatomy::{Anatomy, Side, is_at_or_below, side_of, words};
use crate::fk::FkScratch;
use crate::{Clip, JointIdx, PointIdx, Skeleton};

/// The lowest joint that holds the whole body.
pub(super) fn top_of(skeleton: &Skeleton, anatomy: &Anatomy) -> JointIdx {
    let legs = anatomy.legs.iter().flatten().map(|l| l.hip);
    let arms = anatomy.arms.iter().flatten().map(|a| a.shoulder);
    let holders: Vec<JointIdx> = legs.chain(arms).chain(anatomy.head).collect();
    if let Some(&first) = holders.first() {
        let all = |j: &JointIdx| holders.iter().all(|&h| is_at_or_below(skeleton, h, *j));
        return ancestors(skeleton, first)
            .find(all)
            .unwrap_or(JointIdx::ROOT);
    }
    let branches = |j: JointIdx| {
        let sites = skeleton.end_sites().iter();
        skeleton.children(j).count() + sites.filter(|e| e.parent == j).count() > 1
    };
    skeleton
        .joints()
        .find(|&j| branches(j))
        .unwrap_or(JointIdx::ROOT)
}

/// Points whose bones are no part of the body. Above it: a root that stays at the origin while the hips travel. Beside it:
/// what an animator leads joints by. Where legs are not known as such, what hangs beside the rest may be one all the
/// same: feet that are led by hand hang on the root.
pub(super) fn beside_the_body(clip: &Clip, anatomy: &Anatomy, top: JointIdx) -> Vec<bool> {
    let skeleton = clip.skeleton();
    let may_be_legs = anatomy.both_legs().is_none();
    let above = |j: JointIdx| is_at_or_below(skeleton, top, j);
    let aside = |j: JointIdx| {
        let inside = is_at_or_below(skeleton, j, top);
        !(above(j) || inside || may_be_legs && is_body(clip, j))
    };
    let joints: Vec<bool> = skeleton.joints().map(|j| above(j) || aside(j)).collect();
    let sites = skeleton.end_sites().iter().map(|e| e.parent);
    let sites = sites.map(|j| j != top && joints[j.index()]);
    joints.iter().copied().chain(sites).collect()
}

/// Whether a joint beside the trunk belongs to the body: it moves, and is not what an animator leads other joints by.
fn is_body(clip: &Clip, joint: JointIdx) -> bool {
    const HELPERS: [&str; 5] = ["pole", "target", "ik", "ctrl", "control"];
    let skeleton = clip.skeleton();
    let helper = |j: JointIdx| {
        let words = words(skeleton.name(j));
        words.iter().any(|w| HELPERS.contains(&w.as_str()))
    };
    let turns = |j: JointIdx| {
        let at = |f: usize| clip.rotation(f, j);
        (1..clip.frame_count()).any(|f| at(f).angle_between(at(0)) > 1e-2)
    };
    let moves = |j: JointIdx| clip.translation_track(j).is_some() || turns(j);
    let chain = || ancestors(skeleton, joint).take_while(|&j| j != JointIdx::ROOT);
    chain().any(moves) && !chain().any(helper)
}

/// How much a limb that is solved for its end may stretch: strides are longer than legs now and then.
const GIVE: f32 = 0.12;

/// The least and the largest distance of two points over the samples.
fn distances(samples: &[FkScratch], a: PointIdx, b: PointIdx) -> (f32, f32) {
    let lengths = samples.iter().map(|s| {
        let p = &s.from_root;
        p[a.index()].distance(p[b.index()])
    });
    lengths.fold((f32::INFINITY, 0.0_f32), |(l, h), v| (l.min(v), h.max(v)))
}

/// Thin capsules along bones that have a length, and balls at joints that move by themselves.
pub(super) fn add(work: &mut Work<'_>, samples: &[FkScratch]) {
    let h = work.height;
    let mut out = Vec::new();
    for point in (0..work.skeleton.point_count() as u32).map(PointIdx) {
        let parent = work.skeleton.point_parent(point);
        let Some(parent) = parent.filter(|_| !work.covered[point.index()]) else {
            continue;
        };
        let (low, high) = distances(samples, parent.into(), point);
        if !(0.012 * h..1.8 * h).contains(&high) {
            continue;
        }
        let side = side_by_chain(work.skeleton, work.skeleton.point_joint(point));
        // As long in every frame as in any other: a bone. What is moved about by itself is none.
        let rigid = high - low <= (0.05 * high).max(0.006 * h);
        let form = if rigid {
            bone(work, point, thickness(high, h))
        } else {
            Some(loose(work, samples, point, side))
        };
        out.extend(form.map(|form| (side, form)));
    }
    for (side, form) in out {
        work.add(Kind::Bone, side, form);
    }
}

/// Radii of a bone of a length.
fn thickness(length: f32, height: f32) -> [f32; 2] {
    let thick = (0.2 * length).clamp(0.013 * height, 0.036 * height);
    [thick, 0.75 * thick]
}

/// The side of a joint that no part knows: its own, or that of what it hangs on.
fn side_by_chain(skeleton: &Skeleton, joint: JointIdx) -> Option<Side> {
    ancestors(skeleton, joint).find_map(|j| side_of(skeleton.name(j)))
}

/// A joint that moves by itself: a ball, joined to the nearest end of a limb that keeps its distance from it, as a shin does
/// from the foot it is solved for.
fn loose(work: &Work<'_>, samples: &[FkScratch], point: PointIdx, side: Option<Side>) -> Form {
    let (h, skeleton) = (work.height, work.skeleton);
    let joint = skeleton.point_joint(point);
    let ends = skeleton.joints().filter(|&j| {
        let leaf = skeleton.children(j).next().is_none();
        let kin = is_at_or_below(skeleton, j, joint) || is_at_or_below(skeleton, joint, j);
        leaf && !kin && !work.covered[j.index()] && side_by_chain(skeleton, j) == side
    });
    let near = ends
        .filter(|_| side.is_some())
        .map(|j| (j, distances(samples, j.into(), point)))
        .filter(|(_, (low, high))| {
            *high - *low <= GIVE * *high && (0.012 * h..0.6 * h).contains(high)
        })
        .min_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let place = work.bind.point(point.index());
    let to = Held { joint, place };
    match near {
        Some((end, (_, length))) => Form::Link {
            ends: [work.held(end), to],
            radii: thickness(length, h),
        },
        None => {
            let r = 0.03 * h;
            Form::Egg {
                centre: to,
                axes: [Vec3::X * r, Vec3::Y * r, Vec3::Z * r],
                power: 2.0,
            }
        }
    }
}
