//! What was found beside what is true.

use gaitway_core::{Clip, JointIdx};
use glam::DVec3;
use serde::Serialize;

use super::World;
use crate::report::Calibration;

/// One joint beside its truth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointError {
    /// The body that turns about it.
    pub name: String,
    /// Its kind as found.
    pub kind: &'static str,
    /// RMS distance from the true joint, millimetres; for hinges from the true axis is not told here, see `across_mm`.
    pub error_mm: f64,
    /// The same across the axis about which it turned most, millimetres.
    pub across_mm: f64,
}

/// A whole calibration beside its truth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TruthReport {
    /// Joints that are joints of the clip.
    pub joints: Vec<JointError>,
    /// Joints found where the clip has none, with the clip's joints that the two bodies are of: the tree is wrong there.
    pub wrong: Vec<String>,
    /// Markers and sensors that were put on a body of others.
    pub misplaced: Vec<String>,
    /// RMS distance over all frames of the joints' places, millimetres.
    pub motion_mm: f64,
}

/// A point that strays by more than this in a body is no joint of it, metres.
const NO_JOINT_M: f64 = 0.005;

/// Compares a calibration with the clip its virtual data came from. `joint_of` says on which joint of the clip a sensor or marker
/// sits, by its name.
pub fn compare(
    found: &Calibration,
    clip: &Clip,
    joint_of: impl Fn(&str) -> Option<JointIdx>,
) -> TruthReport {
    const LOOKED_AT: usize = 400;
    let skeleton = clip.skeleton();
    let mut out = TruthReport::default();
    let mut groups: Vec<Vec<JointIdx>> = Vec::new();
    for body in &found.bodies {
        let on: Vec<JointIdx> = body.seen_by.iter().filter_map(|s| joint_of(s)).collect();
        let group = mostly(&on);
        let strays = |s: &&String| joint_of(s).is_some_and(|j| !group.contains(&j));
        let list = body.seen_by.iter().filter(strays);
        out.misplaced.extend(list.cloned());
        groups.push(group);
    }
    let called = |body: usize| {
        let list: Vec<&str> = groups[body].iter().map(|&j| skeleton.name(j)).collect();
        format!("{} ({})", found.bodies[body].name, list.join(", "))
    };
    let index = |name: &str| found.bodies.iter().position(|b| b.name == name);
    let step = clip.frame_count().div_ceil(LOOKED_AT).max(1);
    let frames: Vec<usize> = (0..clip.frame_count().min(found.poses.len()))
        .step_by(step)
        .collect();
    let world = World::new(clip);
    let truth: Vec<_> = frames.iter().map(|&f| world.at(f)).collect();
    let seen: Vec<Vec<DVec3>> = frames
        .iter()
        .map(|&f| found.model.joints(&found.poses[f]))
        .collect();
    let mut total = (0.0, 0.0);
    for joint in &found.joints {
        let (Some(child), Some(parent)) = (index(&joint.name), index(&joint.parent)) else {
            continue;
        };
        let Some(true_joint) = between(clip, &groups[parent], &groups[child]) else {
            // A hand that only twists about the forearm turns about the elbow too, and a trunk that hardly bends about any of its
            // joints: whatever is a point of both bodies is a joint.
            let off = gap(&truth, &seen, child, [&groups[parent], &groups[child]]);
            if off > NO_JOINT_M {
                out.wrong
                    .push(format!("{} – {}", called(parent), called(child)));
            } else {
                out.joints.push(JointError {
                    name: joint.name.clone(),
                    kind: joint.kind,
                    error_mm: 1e3 * off,
                    across_mm: 1e3 * off,
                });
            }
            continue;
        };
        let at = true_joint.index();
        // The body below the true joint and the one above it: the axis they turn about most is fixed in both.
        let above = skeleton.parent(true_joint).map_or(0, JointIdx::index);
        let axis = main_axis(&truth, above, at);
        let (mut sum, mut across) = (0.0, 0.0);
        for (truth, seen) in truth.iter().zip(&seen) {
            let off = seen[child] - truth[at].0;
            sum += off.length_squared();
            let axis = truth[at].1 * axis;
            across += (off - axis * off.dot(axis)).length_squared();
        }
        let n = truth.len().max(1) as f64;
        total = (total.0 + sum, total.1 + n);
        out.joints.push(JointError {
            name: joint.name.clone(),
            kind: joint.kind,
            error_mm: 1e3 * (sum / n).sqrt(),
            across_mm: 1e3 * (across / n).sqrt(),
        });
    }
    out.motion_mm = 1e3 * (total.0 / f64::max(total.1, 1.0)).sqrt();
    out
}

/// How far the places of a found joint in two true bodies part as these move, as RMS, metres. A place in a body is the mean over all
/// frames, so that what noise does to the poses that were found does not count: poses are another matter than joints.
fn gap(
    truth: &[Vec<(DVec3, glam::DQuat)>],
    seen: &[Vec<DVec3>],
    joint: usize,
    groups: [&[JointIdx]; 2],
) -> f64 {
    let n = truth.len().max(1) as f64;
    let carried = |body: JointIdx| -> Vec<DVec3> {
        let local = truth.iter().zip(seen).map(|(t, s)| {
            let (place, turn) = t[body.index()];
            turn.conjugate() * (s[joint] - place)
        });
        let mean = local.sum::<DVec3>() / n;
        let world = |t: &Vec<(DVec3, glam::DQuat)>| {
            let (place, turn) = t[body.index()];
            place + turn * mean
        };
        truth.iter().map(world).collect()
    };
    let [first, second] =
        groups.map(|g| -> Vec<Vec<DVec3>> { g.iter().map(|&b| carried(b)).collect() });
    let apart = |a: &[DVec3], b: &[DVec3]| {
        let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
        (sum / n).sqrt()
    };
    let all = first
        .iter()
        .flat_map(|a| second.iter().map(|b| apart(a, b)));
    all.fold(f64::MAX, f64::min)
}

/// The bodies that a group is of: those with at least half as many of its markers as the one with most.
fn mostly(group: &[JointIdx]) -> Vec<JointIdx> {
    let count = |j: JointIdx| group.iter().filter(|&&g| g == j).count();
    let most = group.iter().map(|&j| count(j)).max().unwrap_or(0);
    let mut out: Vec<JointIdx> = group.to_vec();
    out.sort_unstable();
    out.dedup();
    out.retain(|&j| 2 * count(j) >= most);
    out
}

/// The joint of the clip between two sets of its joints: where the way from one to the other leaves the first, as long as all of the
/// way is at one point.
fn between(clip: &Clip, above: &[JointIdx], below: &[JointIdx]) -> Option<JointIdx> {
    let skeleton = clip.skeleton();
    let up = |from: &[JointIdx], to: &[JointIdx]| {
        from.iter().find_map(|&start| {
            let (mut at, mut crossed): (JointIdx, Option<JointIdx>) = (start, None);
            loop {
                let parent = skeleton.parent(at)?;
                if from.contains(&parent) {
                    at = parent;
                    crossed = None;
                    continue;
                }
                // All joints that are crossed must be at one point.
                if crossed.is_some_and(|c| skeleton.offset(c).length() > 1e-6) {
                    return None;
                }
                crossed = Some(at);
                if to.contains(&parent) {
                    return crossed;
                }
                at = parent;
            }
        })
    };
    up(below, above)
        .or_else(|| up(above, below))
        .or_else(|| shared_point(clip, above, below))
}

/// Two bodies that hang on one point of a third: bones of no length make any tree over them right.
fn shared_point(clip: &Clip, a: &[JointIdx], b: &[JointIdx]) -> Option<JointIdx> {
    let skeleton = clip.skeleton();
    let places = World::new(clip).at(clip.frame_count() / 2);
    for &x in a {
        for &y in b {
            let parents = (skeleton.parent(x), skeleton.parent(y));
            let same = parents.0 == parents.1 && parents.0.is_some();
            if same && places[x.index()].0.distance(places[y.index()].0) < 1e-9 {
                return Some(x);
            }
        }
    }
    None
}

/// The axis about which a body turns most against another, in its own frame.
fn main_axis(truth: &[Vec<(DVec3, glam::DQuat)>], above: usize, below: usize) -> DVec3 {
    use crate::linalg::{Square, mean_rotation, outer, rotation_vector, symmetric_eigen};
    let local = |f: &Vec<(DVec3, glam::DQuat)>| f[above].1.conjugate() * f[below].1;
    let mean = mean_rotation(truth.iter().map(local));
    let mut spread = Square::zero(3);
    for f in truth {
        let v = rotation_vector(mean.conjugate() * local(f));
        spread.add_block(0, 0, &outer(v, v));
    }
    let (_, vectors) = symmetric_eigen(&spread);
    DVec3::new(vectors[2][0], vectors[2][1], vectors[2][2])
}
