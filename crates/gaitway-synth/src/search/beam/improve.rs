//! A found walk, made better: what follows a cut is solved again.

use super::arena::{Arena, collect};
use super::round::{Beam, Before, PASS};
use crate::search::problem::{Ask, Problem};
use crate::search::run::{Found, Meter, replay};

/// Where a walk is cut to solve what follows again, as parts of its progress.
const CUTS: [f64; 5] = [0.2, 0.4, 0.55, 0.7, 0.85];

impl<P: Problem> Beam<'_, P> {
    /// Solves what follows a cut again: a shorter way to go with the same budget is searched more widely. Only what costs less
    /// than before is taken.
    pub(super) fn improve(
        &mut self,
        arena: &mut Arena<P::State>,
        meter: &mut Meter<'_>,
        found: &mut Found<P::State>,
    ) {
        for (k, part) in CUTS.iter().enumerate() {
            let share = meter.limit.saturating_sub(meter.expansions) / (CUTS.len() - k) as u64;
            if share < 64 || meter.spent() {
                return;
            }
            let at = part * self.problem.progress_at_goal();
            let Some((state, cost, count)) = self.cut(found, at) else {
                continue;
            };
            let limit = found.cost - cost;
            self.before = found.start.map(|start| Before {
                start,
                edges: found.edges[..count].to_vec(),
                cost,
            });
            let end = self.round(arena, meter, &[state], (share, PASS[k % 2], limit));
            if let Some(best) = end.best {
                let mut tail = found.clone();
                collect(arena, best, &mut tail);
                found.edges.truncate(count);
                found.edges.append(&mut tail.edges);
                found.last_frames = tail.last_frames;
                found.edges_checked(self.problem);
            }
        }
    }

    /// The first state of a walk at some progress, its cost, and the edges before it.
    fn cut(&self, found: &Found<P::State>, at: f64) -> Option<(P::State, f64, usize)> {
        let (mut state, mut cost) = (found.start?, 0.0);
        for (k, &edge) in found.edges.iter().enumerate() {
            if self.problem.progress(&state) >= at {
                return (k > 0).then_some((state, cost, k));
            }
            let step = self.problem.step(&state, edge, Ask::ALL).ok()?;
            state = step.state;
            cost += step.cost;
        }
        None
    }
}

impl<S: Copy> Found<S> {
    /// The end and cost as a replay of the walk gives them: sums in walking order.
    pub(super) fn edges_checked<P: Problem<State = S>>(&mut self, problem: &P) {
        if let Some((end, cost)) = self
            .start
            .and_then(|s| replay(problem, &s, &self.edges, self.last_frames))
        {
            (self.end, self.cost) = (Some(end), cost);
        }
    }
}
