//! Feet of one body where those of another stand: constraints from contacts.
//!
//! A plant is one place. Heel and toe of one foot that stand together are placed together, as far apart as they are in a foot that stands flat, so
//! that the foot keeps its shape: with H̄, T̄ the means of the first guess, u their direction and L the foot's own length,
//!
//!   H = H̄ + e n_T/(n_H + n_T) u,   T = H + L u,   e = ‖T̄ − H̄‖ − L
//!
//! which is the least sum of squares over the frames. Heights are those of a foot that stands flat on its level; levels above the floor (stairs)
//! are scaled as the way is.

use std::ops::Range;

use gaitway_core::contacts::{ContactOptions, Detection, detect};
use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, ContactPoint, ContactTrack, PointIdx};
use glam::DVec3;

use crate::body::{Body, Foot};
use crate::roles::RoleSide;
use crate::solve::{Constraint, Target, Wish};

/// Frames in which a point stands, and the level it stands on, metres.
pub type Run = (Range<usize>, f64);

/// What stands when in the source.
#[derive(Clone, Debug, Default)]
pub struct Stands {
    /// Per side, runs of the heel and of the toe: frames, and the level they stand on, metres.
    pub feet: [[Vec<Run>; 2]; 2],
    /// The floor, metres.
    pub floor: f64,
    /// The lowest level.
    pub lowest: f64,
    /// Why nothing is planted, where nothing is.
    pub note: Option<String>,
    /// Whether the source's heel point is its ankle.
    pub heel_is_ankle: [bool; 2],
}

/// Finds what stands when: by the clip's contacts where it has them, else by looking.
pub fn stands(clip: &Clip, body: &Body) -> Stands {
    let mut out = Stands::default();
    let options = ContactOptions {
        points: clip.contacts().map(|c| c.points().to_vec()),
        ..ContactOptions::default()
    };
    let found: Option<Detection> = match detect(clip, &options) {
        Ok(found) => Some(found),
        Err(e) => {
            out.note = Some(format!("feet are not planted: {e}"));
            None
        }
    };
    if let Some(found) = &found {
        out.floor = found.floor.main_height();
        out.lowest = found.floor.lowest();
    }
    let Some(track) = clip.contacts().or(found.as_ref().map(|f| &f.track)) else {
        return out;
    };
    let level = |point: usize, run: &Range<usize>| {
        let own = found.as_ref().and_then(|f| {
            let overlap = |p: &&gaitway_core::contacts::Plant| {
                p.point == point && p.frames.start < run.end && run.start < p.frames.end
            };
            f.plants.iter().find(overlap).map(|p| p.height)
        });
        own.unwrap_or(out.floor)
    };
    let mut feet: [[Vec<Run>; 2]; 2] = Default::default();
    for (k, point) in track.points().iter().enumerate() {
        let Some((side, end)) = which(body, point) else {
            continue;
        };
        feet[side][end].extend(runs(track, k).into_iter().map(|r| {
            let height = level(k, &r);
            (r, height)
        }));
        if end == 0 {
            let ankle = body.feet[side].as_ref().map(|f| PointIdx::from(f.ankle));
            out.heel_is_ankle[side] = ankle == Some(point.point);
        }
    }
    out.feet = feet;
    out
}

/// Which foot a contact point belongs to, and whether it is its heel (0) or toe (1).
fn which(body: &Body, point: &ContactPoint) -> Option<(usize, usize)> {
    let side = (0..2).find(|&s| {
        body.feet[s]
            .as_ref()
            .is_some_and(|f| f.points.contains(&point.point))
    })?;
    let foot = body.feet[side].as_ref()?;
    if point.point == foot.heel || point.point == foot.ankle.into() {
        return Some((side, 0));
    }
    // Where it lies says more than what it is called: of two ends of one joint, which is which was guessed by whoever named them.
    if foot.toe == Some(point.point) {
        return Some((side, 1));
    }
    let toe = foot.toe.is_some_and(|t| {
        let (a, b) = (
            body.skeleton.point_joint(point.point),
            body.skeleton.point_joint(t),
        );
        gaitway_core::anatomy::is_at_or_below(&body.skeleton, a, b)
    });
    let named = point.name.to_lowercase();
    if named.contains("heel") {
        Some((side, 0))
    } else if toe || named.contains("toe") {
        Some((side, 1))
    } else {
        None
    }
}

fn runs(track: &ContactTrack, point: usize) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for frame in (0..track.frame_count()).filter(|&f| track.get(f, point)) {
        match out.last_mut() {
            Some(last) if last.end == frame => last.end += 1,
            _ => out.push(frame..frame + 1),
        }
    }
    out
}

/// Heel and toe of one foot over the frames of a clip.
struct Ways {
    heel: Vec<DVec3>,
    toe: Vec<DVec3>,
}

fn mean(way: &[DVec3], run: &Range<usize>) -> DVec3 {
    way[run.clone()].iter().sum::<DVec3>() / run.len().max(1) as f64
}

/// Constraints for a first guess, and the contacts of its points.
pub fn constraints(
    first: &Clip,
    target: &Body,
    stands: &Stands,
    scale: f64,
) -> (Vec<Constraint>, ContactTrack) {
    let ways = ways(first, target);
    let mut out = Vec::new();
    let mut points = Vec::new();
    let mut rows: Vec<Vec<Range<usize>>> = Vec::new();
    for side in RoleSide::BOTH {
        let s = side.index();
        // A foot that hangs on no leg goes where its leg ends, and nothing could hold it elsewhere.
        if target.roles.leg(&target.skeleton, side).is_none() {
            continue;
        }
        let (Some(foot), Some(way)) = (&target.feet[s], &ways[s]) else {
            continue;
        };
        let [heels, toes] = &stands.feet[s];
        let level = |h: f64| stands.floor + scale * (h - stands.floor);
        let toes: Vec<Run> = if foot.toe.is_some() {
            toes.clone()
        } else {
            Vec::new()
        };
        let heels = heels_of(foot, heels, &toes, stands.heel_is_ankle[s]);
        let placed = place(foot, target, way, &heels, &toes);
        let names = match side {
            RoleSide::Left => ["left_heel", "left_toe"],
            RoleSide::Right => ["right_heel", "right_toe"],
        };
        let ends = [
            (foot.heel, &heels, foot.heights[1]),
            (foot.toe.unwrap_or(foot.heel), &toes, foot.heights[2]),
        ];
        for (end, (point, runs, height)) in ends.into_iter().enumerate() {
            if end == 1 && foot.toe.is_none() {
                continue;
            }
            points.push(ContactPoint {
                name: names[end].to_owned(),
                point,
            });
            rows.push(runs.iter().map(|r| r.0.clone()).collect());
            for ((run, h), place) in runs.iter().zip(&placed[end]) {
                let place = DVec3::new(place.x, level(*h) + height, place.z);
                out.push(Constraint {
                    name: names[end].to_owned(),
                    frames: run.clone(),
                    wish: Wish::At {
                        point,
                        target: Target::Place(place),
                    },
                });
            }
        }
        out.push(Constraint {
            name: format!("{}_floor", names[0].trim_end_matches("_heel")),
            frames: 0..first.frame_count(),
            wish: Wish::Above {
                points: [foot.heel].into_iter().chain(foot.toe).collect(),
                height: level(stands.lowest),
            },
        });
    }
    let mut track = ContactTrack::new(points, first.frame_count());
    for (k, runs) in rows.iter().enumerate() {
        runs.iter()
            .cloned()
            .flatten()
            .for_each(|f| track.set(f, k, true));
    }
    (out, track)
}

/// Runs of the heel that the target's point can keep: an ankle stands only in a foot that is flat, that is, while its toe stands.
fn heels_of(foot: &Foot, heels: &[Run], toes: &[Run], source_is_ankle: bool) -> Vec<Run> {
    if foot.heel != foot.ankle.into() || source_is_ankle || toes.is_empty() {
        return heels.to_vec();
    }
    let mut out = Vec::new();
    for (heel, h) in heels {
        for (toe, _) in toes {
            let both = heel.start.max(toe.start)..heel.end.min(toe.end);
            if both.start < both.end {
                out.push((both, *h));
            }
        }
    }
    out
}

/// Places of all runs of heel and toe. Runs that overlap in time are placed together: a pair by least squares; of more the longest keeps its place, and
/// the others follow from it, each as far away as the foot is long and where the first guess has it.
fn place(foot: &Foot, target: &Body, way: &Ways, heels: &[Run], toes: &[Run]) -> [Vec<DVec3>; 2] {
    let length = foot_length(foot, target);
    let flat = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
    let heel_runs = heels
        .iter()
        .map(|h| (0, h.0.clone(), flat(mean(&way.heel, &h.0))));
    let toe_runs = toes
        .iter()
        .map(|t| (1, t.0.clone(), flat(mean(&way.toe, &t.0))));
    let mut all: Vec<(usize, Range<usize>, DVec3)> = heel_runs.chain(toe_runs).collect();
    let overlap = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    let near: Vec<Vec<usize>> = (0..all.len())
        .map(|i| {
            (0..all.len())
                .filter(|&k| all[k].0 != all[i].0 && overlap(&all[k].1, &all[i].1))
                .collect()
        })
        .collect();
    let mut placed = vec![false; all.len()];
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&i| (usize::MAX - all[i].1.len(), i));
    for &seed in &order {
        if placed[seed] {
            continue;
        }
        placed[seed] = true;
        if let [other] = near[seed][..]
            && near[other].len() == 1
        {
            let between = all[other].2 - all[seed].2;
            if let Some(u) = between.try_normalize() {
                let share =
                    all[other].1.len() as f64 / (all[other].1.len() + all[seed].1.len()) as f64;
                all[seed].2 += u * ((between.length() - length) * share);
                all[other].2 = all[seed].2 + u * length;
            }
            placed[other] = true;
            continue;
        }
        let mut open = vec![seed];
        while let Some(at) = open.pop() {
            for &next in &near[at] {
                if !placed[next] {
                    placed[next] = true;
                    if let Some(u) = (all[next].2 - all[at].2).try_normalize() {
                        all[next].2 = all[at].2 + u * length;
                    }
                    open.push(next);
                }
            }
        }
    }
    let of = |end: usize| all.iter().filter(|r| r.0 == end).map(|r| r.2).collect();
    [of(0), of(1)]
}

/// How far apart on the floor heel and toe are in a foot that stands flat.
fn foot_length(foot: &Foot, target: &Body) -> f64 {
    let Some(toe) = foot.toe else { return 0.0 };
    let between = target.places[toe.index()].distance(target.places[foot.heel.index()]);
    let up = foot.heights[2] - foot.heights[1];
    (between * between - up * up).max(0.0).sqrt()
}

fn ways(clip: &Clip, body: &Body) -> [Option<Ways>; 2] {
    let mut scratch = FkScratch::new(clip.skeleton());
    let mut out = [0, 1].map(|s| {
        body.feet[s].as_ref().map(|_| Ways {
            heel: Vec::with_capacity(clip.frame_count()),
            toe: Vec::with_capacity(clip.frame_count()),
        })
    });
    for frame in 0..clip.frame_count() {
        scratch.solve(clip, frame);
        let at = |p: PointIdx| clip.root()[frame] + scratch.from_root[p.index()].as_dvec3();
        for (way, foot) in out.iter_mut().zip(&body.feet) {
            if let (Some(way), Some(foot)) = (way, foot) {
                way.heel.push(at(foot.heel));
                way.toe.push(at(foot.toe.unwrap_or(foot.heel)));
            }
        }
    }
    out
}

/// How much the whole body is to be lifted so that soles stand on their levels: the median over all frames in which something stands.
pub fn lift(first: &Clip, target: &Body, stands: &Stands, scale: f64) -> f64 {
    let ways = ways(first, target);
    let mut lacks = Vec::new();
    for s in [0, 1] {
        let (Some(foot), Some(way)) = (&target.feet[s], &ways[s]) else {
            continue;
        };
        for (end, runs) in stands.feet[s].iter().enumerate() {
            let (way, height) = if end == 0 {
                (&way.heel, foot.heights[1])
            } else {
                (&way.toe, foot.heights[2])
            };
            for (run, h) in runs {
                let wanted = stands.floor + scale * (h - stands.floor) + height;
                lacks.extend(run.clone().map(|f| wanted - way[f].y));
            }
        }
    }
    if lacks.is_empty() {
        return 0.0;
    }
    let at = lacks.len() / 2;
    *lacks.select_nth_unstable_by(at, f64::total_cmp).1
}
