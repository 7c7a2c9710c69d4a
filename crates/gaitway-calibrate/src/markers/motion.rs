//! The motion of a known model that fits markers: frame by frame, each from the one before.

use glam::{DQuat, DVec3};
use rayon::prelude::*;

use crate::model::{BodyPose, Model, Observed, Solver, Weights};
use crate::sensors::motion::{Moved, filled, measure};

/// Frames of one run; each run begins at the key frame nearest in time, so that threads do not change what is found.
const RUN: usize = 256;

/// Squared standard deviations a marker that is seen may be off on average; a pose that is off by more is lost.
const LOST: f64 = 6.0;

/// Fits every frame. `places` hold the model's points; `keys` are frames whose pose is known.
pub(crate) fn solve(
    model: &Model,
    places: &[Vec<Option<DVec3>>],
    keys: &[(usize, BodyPose)],
    usual: &[DQuat],
    marker_m: f64,
) -> Moved {
    let weights = Weights {
        point: 1.0 / marker_m,
        turn: 0.0,
        usual: 1.0,
        huber: 3.0,
    };
    let runs: Vec<Vec<BodyPose>> = places
        .par_chunks(RUN)
        .enumerate()
        .map(|(run, rows)| {
            let begin = run * RUN;
            let nearest = |frame: usize| keys.iter().min_by_key(|k| k.0.abs_diff(frame));
            let mut solver = Solver::new(model, weights, usual);
            let Some((_, start)) = nearest(begin) else {
                return Vec::new();
            };
            let mut pose = start.clone();
            shift(model, &mut pose, &rows[0]);
            rows.iter()
                .enumerate()
                .map(|(k, points)| {
                    let seen = points.iter().flatten().count();
                    if seen < 3 {
                        return pose.clone();
                    }
                    let observed = Observed { points, turns: &[] };
                    let cost = solver.fit(&mut pose, observed, if k == 0 { 60 } else { 8 });
                    // Lost after a gap: once more from the key frame nearest in time, and the better of both.
                    if cost > LOST * seen as f64
                        && let Some((_, key)) = nearest(begin + k)
                    {
                        let mut other = key.clone();
                        shift(model, &mut other, points);
                        let tried = solver.fit(&mut other, observed, 60);
                        let on = solver.fit(&mut pose, observed, 60);
                        if tried < on {
                            pose = other;
                        }
                    }
                    pose.clone()
                })
                .collect()
        })
        .collect();
    let mut poses: Vec<BodyPose> = runs.into_iter().flatten().collect();
    fill(model, &mut poses, places);
    measure(model, poses, places)
}

/// Puts the root where the markers are.
fn shift(model: &Model, pose: &mut BodyPose, row: &[Option<DVec3>]) {
    let points = model.points(pose);
    let off: Vec<DVec3> = points
        .iter()
        .zip(row)
        .filter_map(|(p, q)| Some((*q)? - *p))
        .collect();
    if !off.is_empty() {
        pose.root += off.iter().sum::<DVec3>() / off.len() as f64;
    }
}

/// Bodies of which nothing was seen, nor of what hangs on them, turn from what they were before to what they are after.
fn fill(model: &Model, poses: &mut [BodyPose], places: &[Vec<Option<DVec3>>]) {
    let bodies = model.body_count();
    let mut seen = vec![vec![false; bodies]; poses.len()];
    for (row, seen) in places.iter().zip(&mut seen) {
        for (point, place) in model.points.iter().zip(row) {
            let mut at = Some(point.body).filter(|_| place.is_some());
            while let Some(body) = at {
                seen[body] = true;
                at = model.parents[body];
            }
        }
    }
    let locals: Vec<Vec<DQuat>> = (0..bodies)
        .map(|body| {
            let local: Vec<Option<DQuat>> = (poses.iter().zip(&seen))
                .map(|(pose, seen)| seen[body].then(|| model.local(pose, body)))
                .collect();
            filled(&local)
        })
        .collect();
    for (f, pose) in poses.iter_mut().enumerate() {
        for body in 0..bodies {
            if seen[f][body] {
                continue;
            }
            pose.turns[body] = match model.parents[body] {
                Some(p) => pose.turns[p] * locals[body][f],
                None => locals[body][f],
            };
        }
    }
}
