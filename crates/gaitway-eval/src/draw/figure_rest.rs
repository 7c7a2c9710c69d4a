//! What of a skeleton no part of a human body stands for: tails, props, and legs of rigs whose feet are led by hand.

use gaitway_core::{Clip, JointIdx, PointIdx};

use super::body::{Assembly, Bone, Tone, ancestors};
use super::figure_parts::Sample;

/// Whether a joint beside the trunk belongs to the body: it moves, and is not what an animator leads other joints by.
pub(super) fn is_body(clip: &Clip, joint: JointIdx) -> bool {
    const HELPERS: [&str; 5] = ["pole", "target", "ik", "ctrl", "control"];
    let skeleton = clip.skeleton();
    let helper = |j: JointIdx| {
        let words = gaitway_core::anatomy::words(skeleton.name(j));
        words.iter().any(|w| HELPERS.contains(&w.as_str()))
    };
    let turns = |j: JointIdx| {
        let first = clip.rotation(0, j);
        (1..clip.frame_count()).any(|f| clip.rotation(f, j).angle_between(first) > 1e-2)
    };
    let moves = |j: JointIdx| clip.translation_track(j).is_some() || turns(j);
    let chain = || ancestors(skeleton, joint).take_while(|&j| j != JointIdx::ROOT);
    chain().any(moves) && !chain().any(helper)
}

/// How much a limb that is solved for its end may stretch: strides are longer than legs now and then.
const GIVE: f64 = 0.12;

/// The least and the largest distance of two points over the samples.
fn distances(samples: &[Sample], a: PointIdx, b: PointIdx) -> (f64, f64) {
    let lengths = samples.iter().map(|s| {
        let p = &s.solved.from_root;
        f64::from(p[a.index()].distance(p[b.index()]))
    });
    lengths.fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)))
}

/// Whether the way from one point to another is a bone: as long in every frame as in any other. What is moved about by
/// itself is none.
fn is_rigid(samples: &[Sample], unit: f64, a: PointIdx, b: PointIdx) -> bool {
    let (low, high) = distances(samples, a, b);
    high - low <= (0.05 * high).max(0.01 * unit)
}

/// What no part stands for: thin capsules along bones that have a length, and balls at joints that move by themselves.
pub(super) fn add_rest(work: &mut Assembly<'_>, samples: &[Sample], top: JointIdx) {
    let unit = work.body.unit;
    let mut drawn = false;
    for index in 0..work.skeleton.point_count() {
        let point = PointIdx(index as u32);
        let Some(parent) = holder(work, point, top) else {
            continue;
        };
        let length = work.apart(parent.into(), point);
        if length < 0.02 * unit || length > 3.0 * unit {
            continue;
        }
        drawn = true;
        if is_rigid(samples, unit, parent.into(), point) {
            capsule(work, parent.into(), point);
        } else {
            loose(work, samples, point);
        }
    }
    if !drawn && work.body.parts.is_empty() {
        let spot = work.joint(top);
        work.part(Tone::Trunk, &[(spot, 0.08)]);
        work.body.dots.push((spot, Tone::Trunk));
        work.body.bones.push(Bone {
            from: spot,
            to: spot,
            tone: Tone::Trunk,
        });
    }
}

/// The joint a point hangs on, unless the way between them is covered or lies above the body.
fn holder(work: &Assembly<'_>, point: PointIdx, top: JointIdx) -> Option<JointIdx> {
    let covered = work.covered[point.index()];
    if point.index() < work.skeleton.joint_count() {
        return work.skeleton.parent(JointIdx(point.0)).filter(|_| !covered);
    }
    let holder = work.skeleton.point_joint(point);
    let below = holder == top || !work.is_at_or_below(top, holder) && !work.hidden(holder);
    (below && !covered).then_some(holder)
}

fn capsule(work: &mut Assembly<'_>, from: PointIdx, to: PointIdx) {
    let unit = work.body.unit;
    let tone = work.tone_of(work.skeleton.point_joint(to));
    let thick = (0.2 * work.apart(from, to) / unit).clamp(0.022, 0.06);
    let (a, b) = (work.point(from), work.point(to));
    work.part(tone, &[(a, thick), (b, 0.75 * thick)]);
    work.bone(a, b, tone);
    work.body.dots.push((b, tone));
}

/// A joint that moves by itself: a ball, joined to the nearest end of a limb that keeps its distance from it, as a shin does
/// from the foot it is solved for.
fn loose(work: &mut Assembly<'_>, samples: &[Sample], point: PointIdx) {
    let (unit, joint) = (work.body.unit, work.skeleton.point_joint(point));
    let tone = work.tone_of(joint);
    let ends = work.skeleton.joints().filter(|&j| {
        let leaf = work.skeleton.children(j).next().is_none();
        let kin = work.is_at_or_below(j, joint) || work.is_at_or_below(joint, j);
        leaf && !kin && !work.covered[j.index()] && work.tone_of(j) == tone
    });
    let near = ends
        .filter(|_| tone != Tone::Trunk)
        .map(|j| (j, distances(samples, j.into(), point)))
        .filter(|(_, (low, high))| {
            *high - *low <= GIVE * *high && (0.02 * unit..unit).contains(high)
        })
        .min_by(|a, b| a.1.1.total_cmp(&b.1.1));
    match near {
        Some((j, _)) => capsule(work, j.into(), point),
        None => {
            let spot = work.point(point);
            work.part(tone, &[(spot, 0.05)]);
            work.body.dots.push((spot, tone));
        }
    }
}
