//! A stretch of frames and what its constraints lack in each of them.

use gaitway_core::{Clip, PointIdx};
use glam::DVec3;

use super::chain::{Chain, Solved};
use super::freedom::Freedom;
use super::{Constraint, SolveOptions, Wish};

/// A stretch of frames with what shall hold in it.
pub(super) struct Stretch<'a> {
    pub clip: Clip,
    pub freedoms: &'a [Freedom],
    pub(super) chain: Chain,
    rows: Vec<Row<'a>>,
    /// Rows that speak about each frame.
    pub(super) at: Vec<Vec<u32>>,
    pub(super) options: &'a SolveOptions,
    /// The frame of the whole clip that the stretch begins at.
    pub(super) start: usize,
}

struct Row<'a> {
    constraint: &'a Constraint,
    tips: Vec<usize>,
}

impl<'a> Stretch<'a> {
    pub fn new(
        clip: Clip,
        start: usize,
        freedoms: &'a [Freedom],
        constraints: &'a [Constraint],
        options: &'a SolveOptions,
    ) -> Self {
        let frames = clip.frame_count();
        let mut points: Vec<PointIdx> = Vec::new();
        let mut tip = |p: PointIdx| match points.iter().position(|&q| q == p) {
            Some(k) => k,
            None => {
                points.push(p);
                points.len() - 1
            }
        };
        let mut rows = Vec::new();
        let mut at = vec![Vec::new(); frames];
        for constraint in constraints {
            let (from, to) = (
                constraint.frames.start.max(start),
                constraint.frames.end.min(start + frames),
            );
            if from >= to {
                continue;
            }
            let tips = match &constraint.wish {
                Wish::At { point, .. } => vec![tip(*point)],
                Wish::Apart { from, to, .. } => vec![tip(*from), tip(*to)],
                Wish::Above { points, .. } => points.iter().map(|&p| tip(p)).collect(),
            };
            for frame in from..to {
                at[frame - start].push(rows.len() as u32);
            }
            rows.push(Row { constraint, tips });
        }
        // Hips and legs that nothing asks anything of would make the system singular for nothing: the chain has only what leads to a point.
        let chain = Chain::new(&clip, freedoms, &points, options.still_root);
        Self {
            clip,
            freedoms,
            chain,
            rows,
            at,
            options,
            start,
        }
    }

    pub(super) fn frames(&self) -> usize {
        self.at.len()
    }

    /// Calls back with the residual of each row of a frame: tips with signs, what is missing, and its weight.
    pub(super) fn residuals(
        &self,
        frame: usize,
        solved: &Solved,
        mut each: impl FnMut(&[(usize, f64)], DVec3, f64),
    ) {
        for &r in &self.at[frame] {
            let row = &self.rows[r as usize];
            let span = &row.constraint.frames;
            let n = frame + self.start - span.start;
            let weight = self.ramp(n, span.len());
            let at = |k: usize| self.chain.place(solved, row.tips[k]);
            match &row.constraint.wish {
                Wish::At { target, .. } => {
                    each(&[(row.tips[0], 1.0)], target.at(n) - at(0), weight)
                }
                Wish::Apart { by, .. } => {
                    let tips = [(row.tips[1], 1.0), (row.tips[0], -1.0)];
                    each(&tips, by.at(n) - (at(1) - at(0)), weight);
                }
                Wish::Above { height, .. } => {
                    for (k, &tip) in row.tips.iter().enumerate() {
                        let below = height - at(k).y;
                        if below > 0.0 {
                            each(&[(tip, 1.0)], DVec3::Y * below, weight);
                        }
                    }
                }
            }
        }
    }

    /// Constraints come and go over a few frames.
    fn ramp(&self, n: usize, length: usize) -> f64 {
        let ramp = self.options.ramp.min(length / 3);
        let from_end = n.min(length - 1 - n);
        if from_end >= ramp {
            1.0
        } else {
            (from_end + 1) as f64 / (ramp + 1) as f64
        }
    }

    /// How far off each frame is at most, metres.
    pub(super) fn worst(&self) -> Vec<f64> {
        let zero = vec![0.0; self.chain.columns];
        let mut solved = Solved::default();
        (0..self.frames())
            .map(|frame| {
                let mut worst = 0.0_f64;
                if !self.at[frame].is_empty() {
                    self.chain.solve(&self.clip, frame, &zero, &mut solved);
                    self.residuals(frame, &solved, |_, r, _| worst = worst.max(r.length()));
                }
                worst
            })
            .collect()
    }
}
