//! The motion of a model of fixed lengths that fits sensors.

use gaitway_io::SensorClip;
use glam::{DQuat, DVec3};
use rayon::prelude::*;

use super::pairs::Pairs;
use super::usual_turns;
use crate::model::{BodyPose, Model, Observed, Solver, Weights};
use crate::noise::Noise;

/// A motion, and how well it fits.
pub(crate) struct Moved {
    pub(crate) poses: Vec<BodyPose>,
    /// RMS distance of points, metres.
    pub(crate) residual_m: f64,
    pub(crate) point_residual_m: Vec<f64>,
    pub(crate) point_filled: Vec<usize>,
    pub(crate) filled: usize,
}

/// Fits every frame. `speakers` are the sensors whose frames the bodies have, `sensors` those of the model's points.
pub(super) fn solve(
    clip: &SensorClip,
    model: &Model,
    speakers: &[usize],
    sensors: &[usize],
    pairs: &Pairs<'_>,
    noise: Noise,
) -> Moved {
    let mounts: Vec<DQuat> = (model.points.iter().zip(sensors))
        .map(|(point, &s)| match speakers[point.body] {
            speaker if speaker == s => DQuat::IDENTITY,
            speaker => pairs.mounted(clip, speaker, s),
        })
        .collect();
    // What each body's rotation is by any of its sensors that was seen.
    let turns: Vec<Vec<Option<DQuat>>> = (0..clip.frames)
        .map(|frame| {
            let mut row = vec![None; model.body_count()];
            for ((point, &s), mount) in model.points.iter().zip(sensors).zip(&mounts) {
                if let Some(pose) = clip.at(frame, s).filter(|_| row[point.body].is_none()) {
                    row[point.body] = Some(pose.turn * mount.conjugate());
                }
            }
            row
        })
        .collect();
    let places: Vec<Vec<Option<DVec3>>> = (0..clip.frames)
        .map(|frame| {
            let place = |s: &usize| clip.at(frame, *s).map(|p| p.place);
            sensors.iter().map(place).collect()
        })
        .collect();
    let mut poses = start(model, &turns, &places);
    let usual = usual_turns(model, &poses);
    let weights = Weights {
        point: 1.0 / noise.place_m,
        turn: 1.0 / noise.turn_rad,
        // A tenth of what a sensor that is seen weighs at most.
        usual: 0.01,
        huber: 5.0,
    };
    poses
        .par_iter_mut()
        .zip(turns.par_iter().zip(&places))
        .for_each_init(
            || Solver::new(model, weights, &usual),
            |solver, (pose, (turns, points))| {
                if points.iter().any(Option::is_some) {
                    solver.fit(pose, Observed { points, turns }, 8);
                }
            },
        );
    measure(model, poses, &places)
}

/// First poses: rotations as sensors say, gaps filled between what was seen, the root where its points are.
fn start(
    model: &Model,
    turns: &[Vec<Option<DQuat>>],
    places: &[Vec<Option<DVec3>>],
) -> Vec<BodyPose> {
    let frames = turns.len();
    let mut world: Vec<Vec<DQuat>> = vec![Vec::with_capacity(model.body_count()); frames];
    for (body, parent) in model.parents.iter().enumerate() {
        let local: Vec<Option<DQuat>> = (0..frames)
            .map(|f| match parent {
                None => turns[f][body],
                Some(p) => Some(turns[f][*p]?.conjugate() * turns[f][body]?),
            })
            .collect();
        let local = filled(&local);
        for f in 0..frames {
            let turn = turns[f][body].unwrap_or_else(|| match parent {
                None => local[f],
                Some(p) => world[f][*p] * local[f],
            });
            world[f].push(turn);
        }
    }
    let mut last = DVec3::ZERO;
    world
        .into_iter()
        .zip(places)
        .map(|(turns, places)| {
            let mut pose = BodyPose {
                root: DVec3::ZERO,
                turns,
            };
            // Where the root must be for the points to be where they were seen, on average.
            let points = model.points(&pose);
            let both = points
                .iter()
                .zip(places)
                .filter_map(|(p, q)| Some((*q)? - *p));
            let (sum, count) = both.fold((DVec3::ZERO, 0.0), |a, d| (a.0 + d, a.1 + 1.0));
            if count > 0.0 {
                last = sum / count;
            }
            pose.root = last;
            pose
        })
        .collect()
}

/// Rotations with gaps filled: between two seen by the shortest turn, held before the first and after the last.
pub(crate) fn filled(turns: &[Option<DQuat>]) -> Vec<DQuat> {
    let mut out = vec![DQuat::IDENTITY; turns.len()];
    let mut last: Option<(usize, DQuat)> = None;
    for (f, turn) in turns.iter().enumerate() {
        let Some(turn) = *turn else { continue };
        match last {
            None => out[..f].fill(turn),
            Some((from, before)) => {
                for (k, o) in out[from + 1..f].iter_mut().enumerate() {
                    let t = (k + 1) as f64 / (f - from) as f64;
                    *o = before.slerp(turn, t);
                }
            }
        }
        out[f] = turn;
        last = Some((f, turn));
    }
    if let Some((from, turn)) = last {
        out[from + 1..].fill(turn);
    }
    out
}

/// How far the points of a motion are from where they were seen.
pub(crate) fn measure(model: &Model, poses: Vec<BodyPose>, places: &[Vec<Option<DVec3>>]) -> Moved {
    let count = model.points.len();
    let mut sums = vec![(0.0, 0_usize); count];
    for (pose, seen) in poses.iter().zip(places) {
        for ((at, seen), sum) in model.points(pose).iter().zip(seen).zip(&mut sums) {
            if let Some(seen) = seen {
                sum.0 += at.distance_squared(*seen);
                sum.1 += 1;
            }
        }
    }
    let rms = |s: f64, n: usize| (s / n.max(1) as f64).sqrt();
    let total = sums.iter().fold((0.0, 0), |a, s| (a.0 + s.0, a.1 + s.1));
    Moved {
        residual_m: rms(total.0, total.1),
        point_residual_m: sums.iter().map(|s| rms(s.0, s.1)).collect(),
        point_filled: sums.iter().map(|s| poses.len() - s.1).collect(),
        filled: poses.len() * count - total.1,
        poses,
    }
}
