//! Feet where they are, and how an edit is brought to an end.

use std::ops::Range;

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, PointIdx};
use glam::DVec3;

use crate::body::Body;
use crate::legs;
use crate::plants;
use crate::solve::{Constraint, SolveOptions, Target, Wish, freedoms, residuals, solve};

/// What is left that is worth another round, millimetres.
const GOOD_MM: f64 = 0.2;
/// Rounds of solving and bending legs.
const ROUNDS: usize = 4;

/// Places of a point over all frames.
pub(super) fn way(clip: &Clip, point: PointIdx) -> Vec<DVec3> {
    let mut scratch = FkScratch::new(clip.skeleton());
    let at = |frame: usize| {
        scratch.solve(clip, frame);
        clip.root()[frame] + scratch.from_root[point.index()].as_dvec3()
    };
    (0..clip.frame_count()).map(at).collect()
}

/// Feet stand where and as they stand in a clip, each plant carried by `carry` (its middle frame, its place), and no sole goes lower than it
/// does in that stand or swing. Met by the clip itself where nothing is carried.
pub(super) fn as_they_are(
    clip: &Clip,
    body: &Body,
    carry: impl Fn(usize, DVec3) -> DVec3,
) -> Vec<Constraint> {
    let stands = plants::stands(clip, body);
    let mut out = Vec::new();
    for (side, foot) in body.feet.iter().enumerate() {
        let Some(foot) = foot else { continue };
        let ends = [Some(foot.heel), foot.toe];
        let names = [["left_heel", "left_toe"], ["right_heel", "right_toe"]][side];
        let ways = ends.map(|p| p.map(|p| way(clip, p)));
        for (end, point) in ends.into_iter().enumerate() {
            let (Some(point), Some(places)) = (point, &ways[end]) else {
                continue;
            };
            for (run, _) in &stands.feet[side][end] {
                // Heel and toe of one step are carried alike, so that the foot keeps its shape.
                let step = step(&stands.feet[side], run);
                let middle = usize::midpoint(step.start, step.end.saturating_sub(1));
                let path = run.clone().map(|f| carry(middle, places[f])).collect();
                out.push(Constraint {
                    name: names[end].to_owned(),
                    frames: run.clone(),
                    wish: Wish::At {
                        point,
                        target: Target::Path(path),
                    },
                });
            }
        }
        let soles: Vec<Vec<DVec3>> = foot.points.iter().map(|&p| way(clip, p)).collect();
        for span in spans(&stands.feet[side], clip.frame_count()) {
            let low = soles.iter().flat_map(|w| &w[span.clone()]);
            out.push(Constraint {
                name: format!("{}_floor", ["left", "right"][side]),
                wish: Wish::Above {
                    points: ends.into_iter().flatten().collect(),
                    height: low.map(|p| p.y).fold(f64::INFINITY, f64::min),
                },
                frames: span,
            });
        }
    }
    out
}

/// Stands of a foot and what is between them, in order: all frames.
fn spans(foot: &[Vec<(Range<usize>, f64)>; 2], frames: usize) -> Vec<Range<usize>> {
    let mut borders = vec![0, frames];
    for (run, _) in foot.iter().flatten() {
        let step = step(foot, run);
        borders.extend([step.start.min(frames), step.end.min(frames)]);
    }
    borders.sort_unstable();
    borders.dedup();
    borders.windows(2).map(|w| w[0]..w[1]).collect()
}

/// All that heel and toe stand without a break, about one of their runs.
fn step(foot: &[Vec<(Range<usize>, f64)>; 2], run: &Range<usize>) -> Range<usize> {
    let mut out = run.clone();
    loop {
        let touches = |r: &&(Range<usize>, f64)| r.0.start <= out.end && out.start <= r.0.end;
        let all: Vec<&Range<usize>> = foot
            .iter()
            .flatten()
            .filter(touches)
            .map(|r| &r.0)
            .collect();
        let start = all.iter().map(|r| r.start).fold(out.start, usize::min);
        let end = all.iter().map(|r| r.end).fold(out.end, usize::max);
        if (start..end) == out {
            return out;
        }
        out = start..end;
    }
}

/// Solves, bends legs to the last millimetre, and goes on while anything is left. A clip that keeps all its constraints is given back as it is.
pub(super) fn settle(
    first: &Clip,
    body: &Body,
    constraints: &[Constraint],
    options: &SolveOptions,
) -> Clip {
    let worst = |clip: &Clip| {
        residuals(clip, constraints)
            .iter()
            .map(|r| r.max_mm)
            .fold(0.0, f64::max)
    };
    let mut best = (worst(first), first.clone());
    // What single precision leaves is nothing amiss.
    if best.0 < 1e-2 {
        return best.1;
    }
    let free = freedoms(body, first, constraints);
    let mut options = options.clone();
    for _ in 0..ROUNDS {
        let (solved, _) = solve(&best.1, &free, constraints, &options);
        // What is left is asked for more firmly.
        options.slack *= 0.2;
        options.halvings += 1;
        let bent = legs::bend_toes(&legs::plant(&solved, body, constraints), body, constraints);
        let left = worst(&bent);
        if left >= best.0 {
            break;
        }
        best = (left, bent);
        if left < GOOD_MM {
            break;
        }
    }
    best.1
}
