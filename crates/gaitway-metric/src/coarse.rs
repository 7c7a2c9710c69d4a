//! Coarse to fine: minima looked for at a fraction of the rate, then walked downhill at the full one.
//!
//! At every `step`-th frame a grid has step² fewer pairs. Each coarse minimum below a widened ceiling starts a walk
//! over the full grid's eight neighbours in f64 until none is nearer. Narrow minima between the coarse frames are
//! missed; how many is measured on a sample of the grid and told. The exact search is the default everywhere.

use crate::candidate::{Candidate, CandidateList, Matcher};
use crate::cloud::PointCloud;
use crate::error::MetricError;
use crate::naive::Alignment;
use crate::options::MetricOptions;
use crate::strip::Scratch;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Options of [`coarse_candidates_between`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoarseOptions {
    /// Every how many frames the coarse grid takes; default 2.
    pub step: usize,
    /// The coarse ceiling over the true one; default 1.5.
    pub slack: f64,
    /// One piece of the grid in this many is searched exactly, to say what was missed; default 8.
    pub sample_every: usize,
}

impl Default for CoarseOptions {
    fn default() -> Self {
        Self {
            step: 2,
            slack: 1.5,
            sample_every: 8,
        }
    }
}

/// What a coarse search found, and how much it missed where that was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CoarseCandidates {
    /// Candidates: all of them true local minima.
    pub found: CandidateList,
    /// Exact candidates in the sampled pieces.
    pub sampled: usize,
    /// Those of them that the coarse search missed.
    pub missed: usize,
}

/// Candidates between two clouds by the coarse way. May miss minima; the result says how many of a sample.
pub fn coarse_candidates_between(
    a: &PointCloud,
    b: &PointCloud,
    options: &MetricOptions,
    coarse: &CoarseOptions,
) -> Result<CoarseCandidates, MetricError> {
    if coarse.step < 2
        || !coarse.slack.is_finite()
        || coarse.slack < 1.0
        || coarse.sample_every == 0
    {
        return Err(MetricError::Options {
            what: "coarse search needs a step of 2 or more, slack of 1 or more, and a sample"
                .to_owned(),
        });
    }
    let itself = std::ptr::eq(a, b);
    let clouds: &[&PointCloud] = if itself { &[a] } else { &[a, b] };
    let matcher = Matcher::new(clouds, options)?;
    let other = clouds.len() - 1;
    let thin: Vec<PointCloud> = clouds.iter().map(|c| c.thinned(coarse.step)).collect();
    let wide = MetricOptions {
        ceiling_cm: options.ceiling_cm * coarse.slack,
        ..options.clone()
    };
    let starts = crate::candidate::candidates_between(&thin[0], &thin[other], &wide)?;
    let fine = Descent {
        matcher: &matcher,
        other,
        itself,
    };
    let ends: Vec<Option<Candidate>> = starts
        .candidates
        .par_iter()
        .map(|c| fine.walk(c.i as usize * coarse.step, c.j as usize * coarse.step))
        .collect();
    let ceiling = options.ceiling_m2()?;
    let unique: BTreeMap<(u32, u32), Candidate> = ends
        .into_iter()
        .flatten()
        .filter(|c| c.distance_m2 < ceiling)
        .map(|c| ((c.i, c.j), c))
        .collect();
    let (sampled, missed) = fine.check(&unique, coarse.sample_every);
    let pairs = matcher.pair_count(0, other);
    let found = CandidateList {
        candidates: unique.into_values().collect(),
        pairs,
        skipped_share: 0.0,
        dropped: 0,
    };
    Ok(CoarseCandidates {
        found,
        sampled,
        missed,
    })
}

struct Descent<'a> {
    matcher: &'a Matcher<'a>,
    other: usize,
    itself: bool,
}

impl Descent<'_> {
    /// D at a pair of frames, infinite where there is no window.
    fn at(&self, i: isize, j: isize) -> Option<Alignment> {
        let half = self.matcher.window.half() as isize;
        let last = |k: usize| self.matcher.prepared[k].frames() as isize - half;
        let inside = (half..last(0)).contains(&i) && (half..last(self.other)).contains(&j);
        inside.then(|| self.matcher.align(0, i as usize, self.other, j as usize))
    }

    /// The local minimum below a pair, ties to the lexicographically first; none if it may not be a candidate.
    fn walk(&self, i: usize, j: usize) -> Option<Candidate> {
        let half = self.matcher.window.half() as isize;
        let clamp = |k: usize, v: usize| {
            (v as isize).clamp(half, self.matcher.prepared[k].frames() as isize - half - 1)
        };
        let mut now = (clamp(0, i), clamp(self.other, j));
        let mut best = self.at(now.0, now.1)?;
        loop {
            let mut next = None;
            for (di, dj) in [
                (-1, -1),
                (-1, 0),
                (-1, 1),
                (0, -1),
                (0, 1),
                (1, -1),
                (1, 0),
                (1, 1),
            ] {
                let to = (now.0 + di, now.1 + dj);
                let Some(d) = self.at(to.0, to.1) else {
                    continue;
                };
                if d.distance_m2 < best.distance_m2
                    || (d.distance_m2 == best.distance_m2 && to < next.unwrap_or(now))
                {
                    best = d;
                    next = Some(to);
                }
            }
            match next {
                Some(to) => now = to,
                None => break,
            }
        }
        let allowed = !self.itself || now.1 - now.0 > 2 * half + 1;
        let Alignment {
            distance_m2,
            theta,
            x0,
            z0,
        } = best;
        allowed.then_some(Candidate {
            distance_m2,
            theta,
            x0,
            z0,
            i: now.0 as u32,
            j: now.1 as u32,
        })
    }

    /// Exact candidates in every n-th task, and how many of them are not in `found`.
    fn check(&self, found: &BTreeMap<(u32, u32), Candidate>, every: usize) -> (usize, usize) {
        let context = self.matcher.context(0, self.other);
        let tasks: Vec<_> = context.tasks().into_iter().step_by(every).collect();
        let exact: Vec<Candidate> = tasks
            .par_iter()
            .map_init(Scratch::default, |scratch, task| {
                self.matcher
                    .run_task((0, self.other), &context, task, scratch)
                    .0
            })
            .flatten_iter()
            .collect();
        let missed = exact
            .iter()
            .filter(|c| !found.contains_key(&(c.i, c.j)))
            .count();
        (exact.len(), missed)
    }
}
