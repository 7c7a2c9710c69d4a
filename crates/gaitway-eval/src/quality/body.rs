//! The body and the floor, its bones, and its travel.

use gaitway_core::anatomy::Anatomy;
use gaitway_core::contacts::foot_points;
use gaitway_core::{Clip, JointIdx, ground};

use super::{BoneStretch, Event, MeanMax, Measured, Penetration, largest, mean, worst_first};

pub(super) struct Ground {
    pub penetration: Penetration,
    pub float: MeanMax,
}

/// A level counts for a point that is at most this much below it, in metres; deeper, the next one down does.
const WITHIN: f64 = 0.06;

/// Per frame, the lowest point of the body and its height.
fn lowest(measured: &Measured<'_>) -> Vec<(f64, usize)> {
    let body = ground::body_points(measured.clip);
    (0..measured.world.frame_count())
        .map(|f| {
            let row = measured.world.frame(f);
            let lower = |a: &usize, b: &usize| row[*a].y.total_cmp(&row[*b].y);
            let point = body.iter().copied().min_by(lower).unwrap_or(0);
            (row[point].y, point)
        })
        .collect()
}

/// Height over the level that a height belongs to.
fn above(levels: &[f64], height: f64) -> f64 {
    let level = levels.iter().rev().find(|&&l| l <= height + WITHIN);
    height - level.or(levels.first()).copied().unwrap_or(0.0)
}

fn stands(measured: &Measured<'_>, frame: usize) -> bool {
    measured.track.is_some_and(|t| t.mask(frame) != 0)
}

/// How deep in the floor and how high above it when it should stand.
pub(super) fn ground(measured: &Measured<'_>) -> Ground {
    let lowest = lowest(measured);
    let floor = measured.levels.first().copied().unwrap_or(0.0);
    let depth: Vec<f64> = lowest
        .iter()
        .map(|(y, _)| (100.0 * (floor - y)).max(0.0))
        .collect();
    let float: Vec<f64> = lowest
        .iter()
        .enumerate()
        .filter(|(f, _)| stands(measured, *f))
        .map(|(_, (y, _))| (100.0 * above(&measured.levels, *y)).max(0.0))
        .collect();
    Ground {
        penetration: Penetration {
            max: largest(&depth),
            feet: feet_depth(measured),
        },
        float: MeanMax {
            mean: mean(&float),
            max: largest(&float),
        },
    }
}

/// The level nearest to a height.
fn nearest(levels: &[f64], height: f64) -> f64 {
    let apart = |l: &&f64| (**l - height).abs();
    let best = levels.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
    best.copied().unwrap_or(0.0)
}

/// The largest depth of a point of a foot below the level its toe stands on, below the lowest level while it does
/// not stand, in centimetres.
fn feet_depth(measured: &Measured<'_>) -> Option<f64> {
    let skeleton = measured.clip.skeleton();
    let floor = measured.levels.first().copied()?;
    let mut worst: Option<f64> = None;
    for leg in Anatomy::of_clip(measured.clip).legs.into_iter().flatten() {
        let foot = foot_points(skeleton, leg.ankle);
        // Bits of the track that are on this foot, their points, and how high those sit.
        let mut own: Vec<(usize, usize, f64)> = Vec::new();
        for (bit, p) in measured
            .track
            .iter()
            .flat_map(|t| t.points().iter().enumerate())
        {
            let sole = measured.soles.iter().find(|(point, _)| *point == p.point);
            if let (true, Some((_, sole))) = (foot.contains(&p.point), sole) {
                own.push((bit, p.point.index(), *sole));
            }
        }
        for f in 0..measured.world.frame_count() {
            let row = measured.world.frame(f);
            let heights = foot.iter().map(|p| row[p.index()].y);
            let low = heights.fold(f64::INFINITY, f64::min);
            let mask = measured.track.map_or(0, |t| t.mask(f));
            // The toe says what a foot stands on: a heel may be held in the air.
            let toe = own.last().filter(|(bit, ..)| mask >> bit & 1 == 1);
            let level = toe.map(|(_, point, sole)| nearest(&measured.levels, row[*point].y - sole));
            let height = low - level.unwrap_or(floor);
            let depth = (-100.0 * height).max(0.0);
            worst = Some(worst.map_or(depth, |w| w.max(depth)));
        }
    }
    worst
}

/// Stretches below the floor or above it while standing, by more than can be seen.
pub(super) fn events(measured: &Measured<'_>, most: usize) -> Vec<Event> {
    const DEEP_CM: f64 = 2.0;
    const HIGH_CM: f64 = 4.0;
    let floor = measured.levels.first().copied().unwrap_or(0.0);
    let lowest = lowest(measured);
    let depth = lowest.iter().map(|(y, p)| (100.0 * (floor - y), *p));
    let float = lowest.iter().enumerate().map(|(f, (y, p))| {
        let height = 100.0 * above(&measured.levels, *y);
        (if stands(measured, f) { height } else { 0.0 }, *p)
    });
    let mut out = worst_first(spans(measured, "penetration", DEEP_CM, depth), most);
    out.extend(worst_first(spans(measured, "float", HIGH_CM, float), most));
    out
}

fn spans(
    measured: &Measured<'_>,
    kind: &str,
    limit: f64,
    values: impl Iterator<Item = (f64, usize)>,
) -> Vec<Event> {
    let rate = measured.clip.rate_hz();
    let name = |p: usize| {
        let point = gaitway_core::PointIdx(p as u32);
        measured.clip.skeleton().point_name(point)
    };
    let mut out: Vec<Event> = Vec::new();
    let mut last_point = usize::MAX;
    let mut open = false;
    for (f, (value, point)) in values.enumerate() {
        if value <= limit {
            open = false;
            continue;
        }
        let end_s = (f + 1) as f64 / rate;
        match out.last_mut().filter(|_| open) {
            Some(event) => {
                event.end_s = end_s;
                if value > event.value {
                    event.value = value;
                    if point != last_point {
                        event.point = name(point);
                        last_point = point;
                    }
                }
            }
            None => {
                last_point = point;
                out.push(Event {
                    kind: kind.into(),
                    start_s: f as f64 / rate,
                    end_s,
                    point: name(point),
                    value,
                    unit: "cm".into(),
                });
            }
        }
        open = true;
    }
    out
}

/// Lengths of bones that move by a translation track against their rest lengths, and the largest change of
/// one length over the clip, in millimetres. The joint that carries the travel, and those above it, are no bones.
pub(super) fn stretch(clip: &Clip) -> (BoneStretch, f64) {
    /// Shorter bones have no length to speak of.
    const LEAST: f32 = 0.005;
    /// Off by more than this is stretched.
    const OFF: f64 = 1e-3;
    let skeleton = clip.skeleton();
    let travel = ground::travel_joint(clip);
    let carries = |j: JointIdx| gaitway_core::anatomy::is_at_or_below(skeleton, travel, j);
    let mut out = BoneStretch {
        max: 1.0,
        min: 1.0,
        frames: 0.0,
    };
    let mut drift = 0.0_f64;
    let mut off = vec![false; clip.frame_count()];
    for track in clip.translations() {
        let rest = skeleton.bone_length(track.joint);
        if carries(track.joint) {
            continue;
        }
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0_f64);
        for (f, value) in track.values.iter().enumerate() {
            let length = f64::from(value.length());
            (shortest, longest) = (shortest.min(length), longest.max(length));
            if rest > LEAST {
                let ratio = length / f64::from(rest);
                (out.min, out.max) = (out.min.min(ratio), out.max.max(ratio));
                off[f] |= (ratio - 1.0).abs() > OFF;
            }
        }
        if longest > 0.0 {
            drift = drift.max(1000.0 * (longest - shortest));
        }
    }
    let stretched = off.iter().filter(|o| **o).count();
    out.frames = stretched as f64 / clip.frame_count().max(1) as f64;
    (out, drift)
}

/// Speed of travel over the ground, sway smoothed away over half a second.
pub(super) fn speed(clip: &Clip) -> MeanMax {
    const WINDOW_S: f64 = 0.5;
    let moved;
    let clip = if ground::travel_joint(clip) == JointIdx::ROOT {
        clip
    } else {
        moved = ground::travel_to_root(clip);
        &moved
    };
    let way = ground::smooth_ground_path(clip, WINDOW_S);
    let speeds: Vec<f64> = way
        .windows(2)
        .map(|w| w[0].distance(w[1]) * clip.rate_hz())
        .collect();
    MeanMax {
        mean: mean(&speeds),
        max: largest(&speeds),
    }
}
