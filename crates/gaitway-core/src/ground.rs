//! The body and the ground: which way it faces, where it goes, how high the floor is, and travel that
//! sits on another joint than the root.

use glam::{DVec2, DVec3, Vec3};

use crate::anatomy::Anatomy;
use crate::fk::{self, FkScratch, WorldPoints};
use crate::planar::{heading_of, wrap_angle};
use crate::{Clip, JointIdx, TranslationTrack};

/// The heading of the body per frame: 0 faces +Z, positive is to the left, in (−π, π].
///
/// Taken from the line between the hips and, with equal weight, between the shoulders, so that it does not
/// depend on how a rig turns its root; where there are no such pairs, from the root's rotation.
pub fn facing(clip: &Clip) -> Vec<f64> {
    let anatomy = Anatomy::of_clip(clip);
    let mut scratch = FkScratch::new(clip.skeleton());
    let pairs: Vec<(usize, usize)> = [
        anatomy
            .both_legs()
            .map(|[l, r]| (l.hip.index(), r.hip.index())),
        anatomy
            .both_arms()
            .map(|[l, r]| (l.shoulder.index(), r.shoulder.index())),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut last = 0.0;
    (0..clip.frame_count())
        .map(|frame| {
            scratch.solve(clip, frame);
            let mut forward = Vec3::ZERO;
            for &(l, r) in &pairs {
                let across = scratch.from_root[l] - scratch.from_root[r];
                forward += across.cross(Vec3::Y).normalize_or_zero();
            }
            if pairs.is_empty() {
                forward = scratch.rotations[0] * Vec3::Z;
            }
            // Lying on the side there is no heading; the last one holds.
            if forward.x.hypot(forward.z) > 1e-3 {
                last = heading_of(f64::from(forward.x), f64::from(forward.z));
            }
            last
        })
        .collect()
}

/// [`facing`] without jumps at ±π and smoothed over a window in seconds.
pub fn smooth_facing(clip: &Clip, window_s: f64) -> Vec<f64> {
    let mut unwrapped = facing(clip);
    for i in 1..unwrapped.len() {
        unwrapped[i] = unwrapped[i - 1] + wrap_angle(unwrapped[i] - unwrapped[i - 1]);
    }
    smooth(
        &unwrapped,
        (window_s * clip.rate_hz() / 2.0).round() as usize,
    )
}

/// The root's way on the ground as (x, z), smoothed over a window in seconds: travel without sway.
pub fn smooth_ground_path(clip: &Clip, window_s: f64) -> Vec<DVec2> {
    let half = (window_s * clip.rate_hz() / 2.0).round() as usize;
    let x = smooth(&clip.root().iter().map(|p| p.x).collect::<Vec<_>>(), half);
    let z = smooth(&clip.root().iter().map(|p| p.z).collect::<Vec<_>>(), half);
    x.into_iter()
        .zip(z)
        .map(|(x, z)| DVec2::new(x, z))
        .collect()
}

/// A triangle window of `half` samples to each side. Near the ends it shortens evenly on both sides, so a
/// straight line stays straight to its ends.
pub fn smooth(values: &[f64], half: usize) -> Vec<f64> {
    let last = values.len().saturating_sub(1);
    (0..values.len())
        .map(|i| {
            let reach = half.min(i).min(last - i);
            let (mut sum, mut weight) = (0.0, 0.0);
            for k in 0..=2 * reach {
                let w = (reach + 1 - k.abs_diff(reach)) as f64;
                sum += w * values[i + k - reach];
                weight += w;
            }
            sum / weight
        })
        .collect()
}

/// The height of the floor in metres: where the body's lowest points come to rest.
///
/// In every frame the lowest point of the body is looked at; those that hardly move (the slower half) stand
/// on something. The floor is the densest height among them (the fullest 2 cm of the distribution), so a few frames in the
/// air, on a box or below ground do not move it. 0 for a clip without frames.
pub fn floor_height(clip: &Clip) -> f64 {
    floor_height_in(clip, &fk::world_points(clip))
}

/// [`floor_height`] for points that are solved already.
pub fn floor_height_in(clip: &Clip, points: &WorldPoints) -> f64 {
    let body = body_points(clip);
    let frames = points.frame_count();
    if frames == 0 {
        return 0.0;
    }
    let lowest = |frame: usize| {
        let row = points.frame(frame);
        let lower = |a: &usize, b: &usize| row[*a].y.total_cmp(&row[*b].y);
        body.iter().copied().min_by(lower).unwrap_or(0)
    };
    let mut rest: Vec<(f64, f64)> = (0..frames)
        .map(|frame| {
            let point = lowest(frame);
            let (a, b) = (frame.saturating_sub(1), (frame + 1).min(frames - 1));
            let moved = (points.at(b, point) - points.at(a, point)).length();
            let speed = moved * clip.rate_hz() / (b - a).max(1) as f64;
            (speed, points.at(frame, point).y)
        })
        .collect();
    rest.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut heights: Vec<f64> = rest[..frames.div_ceil(2)].iter().map(|r| r.1).collect();
    heights.sort_by(f64::total_cmp);
    densest(&heights, 0.02)
}

/// The points that are part of the body, as indices: all but the joints above the pelvis. Those carry the body
/// about; rigs that keep them on the ground, or that had travel moved to them, would have them taken for feet.
pub fn body_points(clip: &Clip) -> Vec<usize> {
    let skeleton = clip.skeleton();
    let pelvis = Anatomy::of_clip(clip).pelvis;
    let above: Vec<usize> = std::iter::successors(skeleton.parent(pelvis), |&j| skeleton.parent(j))
        .map(JointIdx::index)
        .collect();
    (0..skeleton.point_count())
        .filter(|p| !above.contains(p))
        .collect()
}

/// The middle of the window of a given width that holds most of the sorted values.
pub(crate) fn densest(sorted: &[f64], width: f64) -> f64 {
    let mut best = (0, 0, 0);
    let mut end = 0;
    for start in 0..sorted.len() {
        while end < sorted.len() && sorted[end] <= sorted[start] + width {
            end += 1;
        }
        if end - start > best.0 {
            best = (end - start, start, end);
        }
    }
    let inside = &sorted[best.1..best.2];
    inside.get(inside.len() / 2).copied().unwrap_or(0.0)
}

/// Less than this much, in metres, is standing still.
const STILL_M: f64 = 0.01;
/// More than this much, in metres, is travel.
const TRAVELS_M: f64 = 0.05;

/// The size of the box around places.
fn extent(places: impl Iterator<Item = DVec3>) -> f64 {
    let (low, high) = places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| {
        (l.min(p), h.max(p))
    });
    (high - low).length()
}

/// The joint that carries the travel: the root, unless the root stays put and a joint below it, with at least
/// half of the body hanging on it, moves by its translation track (a foot driven by its own target does not
/// carry anybody).
pub fn travel_joint(clip: &Clip) -> JointIdx {
    if clip.frame_count() == 0 || extent(clip.root().iter().copied()) > STILL_M {
        return JointIdx::ROOT;
    }
    carrier(clip).unwrap_or(JointIdx::ROOT)
}

/// The first joint below the root that moves by its translation track and has at least half of the body hanging on it.
fn carrier(clip: &Clip) -> Option<JointIdx> {
    let skeleton = clip.skeleton();
    let mut below = vec![1_usize; clip.joint_count()];
    for joint in skeleton.joints().rev() {
        if let Some(parent) = skeleton.parent(joint) {
            below[parent.index()] += below[joint.index()];
        }
    }
    clip.translations()
        .iter()
        .filter(|t| 2 * below[t.joint.index()] >= clip.joint_count())
        .find(|t| extent(t.values.iter().map(|v| v.as_dvec3())) > TRAVELS_M)
        .map(|t| t.joint)
}

/// Moves travel that sits on another joint to the root, so that everything that asks for the root's way
/// finds it. Every joint but the root and those between keeps its place in the world.
pub fn travel_to_root(clip: &Clip) -> Clip {
    match travel_joint(clip) {
        JointIdx::ROOT => clip.clone(),
        joint => moved_to_root(clip, joint),
    }
}

/// [`travel_to_root`], also of joints that carry the body about below a root that travels by itself: exporters put the way of the hips on the root,
/// on the hips, or a part on each.
pub fn all_travel_to_root(clip: &Clip) -> Clip {
    let mut out = clip.clone();
    // Each turn takes a track away.
    while let Some(joint) = carrier(&out) {
        out = moved_to_root(&out, joint);
    }
    out
}

/// The clip for a skeleton whose `joint`, and all of the body with it, is at another offset: the root moves so that nothing below the
/// joint does.
pub(crate) fn seat_root(clip: &Clip, joint: JointIdx, offset: Vec3) -> Clip {
    let skeleton = clip.skeleton();
    let parent = skeleton.parent(joint).map_or(0, JointIdx::index);
    let shift = skeleton.offset(joint) - offset;
    let mut scratch = FkScratch::new(skeleton);
    let mut parts = clip.clone().into_parts();
    for (frame, root) in parts.root.iter_mut().enumerate() {
        scratch.solve(clip, frame);
        *root += (scratch.rotations[parent] * shift).as_dvec3();
    }
    parts
        .build()
        .expect("finite shifts of a valid clip make a valid clip")
}

fn moved_to_root(clip: &Clip, joint: JointIdx) -> Clip {
    let skeleton = clip.skeleton().clone();
    let rest = skeleton.offset(joint);
    let chain: Vec<JointIdx> =
        std::iter::successors(skeleton.parent(joint), |&j| skeleton.parent(j)).collect();
    // Whatever else hangs on the way down must be held back against the root's new travel.
    let held: Vec<JointIdx> = skeleton
        .joints()
        .filter(|&j| j != joint && !chain.contains(&j))
        .filter(|&j| skeleton.parent(j).is_some_and(|p| chain.contains(&p)))
        .collect();
    let mut parts = clip.clone().into_parts();
    let mut tracks: Vec<TranslationTrack> = parts
        .translations
        .drain(..)
        .filter(|t| t.joint != joint && !held.contains(&t.joint))
        .collect();
    let mut held_tracks: Vec<TranslationTrack> = held
        .iter()
        .map(|&j| TranslationTrack {
            joint: j,
            values: Vec::with_capacity(clip.frame_count()),
        })
        .collect();
    let travel = clip
        .translation_track(joint)
        .expect("the travel joint has a track");
    let mut scratch = FkScratch::new(&skeleton);
    for frame in 0..clip.frame_count() {
        scratch.solve(clip, frame);
        let parent = skeleton.parent(joint).map_or(0, JointIdx::index);
        let shift = scratch.rotations[parent] * (travel.values[frame] - rest);
        parts.root[frame] += shift.as_dvec3();
        for track in &mut held_tracks {
            let now = clip
                .translation_track(track.joint)
                .map_or(skeleton.offset(track.joint), |t| t.values[frame]);
            let parent = skeleton.parent(track.joint).map_or(0, JointIdx::index);
            track
                .values
                .push(now - scratch.rotations[parent].inverse() * shift);
        }
    }
    tracks.extend(held_tracks);
    parts.translations = tracks;
    parts
        .build()
        .expect("finite shifts of a valid clip make a valid clip")
}
