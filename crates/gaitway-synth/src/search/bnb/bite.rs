//! One bite: the best walks of n frames from a state.

use super::arena::{Arena, Best, Child};
use super::{BnbOptions, Order};
use crate::search::problem::{Ask, Cuts, Problem};
use crate::search::run::Meter;

/// Bites grow no longer than so many times n.
pub(super) const DEEPEST: u32 = 8;
/// A bite that took less than this part of what it may spend, and left nothing out, is searched again at twice the length.
const CHEAP: u64 = 8;

/// How a bite ended.
pub(super) struct Bite {
    /// Nothing was left to try.
    pub(super) whole: bool,
}

pub(super) struct Search<'p, P: Problem> {
    pub(super) problem: &'p P,
    pub(super) options: BnbOptions,
    pub(super) frames: u32,
    pub(super) cuts: Cuts<P::State>,
}

impl<P: Problem> Search<'_, P> {
    /// Pushes the children of a state, the cheapest last, so that it is taken first.
    fn branch(
        &mut self,
        arena: &mut Arena<P::State>,
        meter: &mut Meter<'_>,
        from: &P::State,
        (cost, total, depth, until): (f64, u32, u32, u64),
    ) -> bool {
        let first = arena.stack.len();
        let graph = self.problem.graph();
        for edge in graph.out_edges(self.problem.node(from)) {
            if arena.stack.len() >= arena.most {
                return false;
            }
            meter.expansions += 1;
            let ask = Ask {
                most_frames: self.frames - total,
                limit: arena.bound() - cost,
            };
            match self.problem.step(from, edge, ask) {
                Ok(step) => arena.stack.push(Child {
                    state: step.state,
                    edge,
                    cost: cost + step.cost,
                    frames: step.frames,
                    total: total + step.frames.max(1),
                    depth: depth + 1,
                    until,
                    first: false,
                }),
                Err(cut) => self.cuts.note(self.problem, from, cut),
            }
        }
        // Dearest first; equals in reverse order of edges, so that the lower edge is taken first.
        let per_frame = self.options.order == Order::PerFrame;
        let key = |c: &Child<P::State>| {
            let frames = if per_frame { c.total - total } else { 1 };
            (c.cost - cost) / f64::from(frames)
        };
        arena.stack[first..]
            .sort_unstable_by(|a, b| key(b).total_cmp(&key(a)).then(b.edge.cmp(&a.edge)));
        if let Some(best) = arena.stack[first..].last_mut() {
            best.first = true;
        }
        true
    }

    /// Best walks of `frames` frames, or to the goal, from a state.
    fn bite(
        &mut self,
        arena: &mut Arena<P::State>,
        meter: &mut Meter<'_>,
        starts: &[P::State],
    ) -> Bite {
        arena.clear();
        let limit = meter
            .limit
            .min(meter.expansions.saturating_add(self.options.per_bite));
        let mut whole = true;
        for (which, start) in starts.iter().enumerate() {
            // Starts share what a bite may spend, so that the first does not take it all.
            let share = (limit - meter.expansions.min(limit)) / (starts.len() - which) as u64;
            let until = meter.expansions + share;
            arena.stack.clear();
            arena.way.clear();
            whole &= self.branch(arena, meter, start, (0.0, 0, 0, until));
            while let Some(child) = arena.stack.pop() {
                if child.cost + self.problem.estimate(&child.state) >= arena.bound() {
                    continue;
                }
                arena.way.truncate(child.depth as usize - 1);
                arena.way.push((child.edge, child.frames));
                if child.total >= self.frames || self.problem.is_goal(&child.state) {
                    arena.offer(child.cost, which, child.state);
                    if child.cost < self.options.epsilon {
                        return Bite { whole: false };
                    }
                    continue;
                }
                if meter.spent() {
                    whole = false;
                    break;
                }
                let left = child.until.saturating_sub(meter.expansions);
                if left == 0 && !child.first {
                    whole = false;
                    continue;
                }
                // The last of its siblings, or an only child, leaves nothing for others.
                let alone = arena.stack.last().is_none_or(|c| c.depth != child.depth);
                let share = meter.expansions + if alone { left } else { left.div_ceil(2) };
                let so_far = (child.cost, child.total, child.depth, share);
                whole &= self.branch(arena, meter, &child.state, so_far);
            }
        }
        Bite { whole }
    }

    /// A bite, and where it took next to nothing to see all of it, a longer one.
    ///
    /// Where a graph is thin, n frames may end before the next choice: whoever walks into a part that only leads straight on
    /// then never sees the way out. Longer bites cost little there.
    pub(super) fn deep_bite(
        &mut self,
        arena: &mut Arena<P::State>,
        meter: &mut Meter<'_>,
        starts: &[P::State],
    ) -> Bite {
        let frames = self.frames;
        let mut kept: Option<Vec<Best<P::State>>> = None;
        let bite = loop {
            let before = meter.expansions;
            let bite = self.bite(arena, meter, starts);
            let arrives = |b: &Best<P::State>| b.end.is_some_and(|e| self.problem.is_goal(&e));
            let longer = self.frames.saturating_mul(2);
            let cheap = meter.expansions - before < self.options.per_bite / CHEAP;
            if bite.whole && cheap && longer <= frames.saturating_mul(DEEPEST) {
                if arena.best[0].end.is_none() || arrives(&arena.best[0]) || meter.spent() {
                    break bite;
                }
                kept = Some(arena.best.clone());
                self.frames = longer;
                continue;
            }
            // What could not be seen whole is no better than the shorter bite that was.
            if let (false, Some(best)) = (bite.whole && arena.best[0].end.is_some(), kept) {
                arena.best = best;
                break Bite { whole: true };
            }
            break bite;
        };
        self.frames = frames;
        bite
    }

    /// The starts whose greedy walks of a bite are cheapest.
    pub(super) fn rank_starts(
        &mut self,
        meter: &mut Meter<'_>,
        starts: Vec<P::State>,
    ) -> Vec<P::State> {
        if starts.len() <= 1 {
            return starts;
        }
        // First by what the problem guesses, then by a greedy walk, while half of the first bite lasts.
        let mut likely: Vec<(f64, usize)> = starts
            .iter()
            .map(|s| self.problem.guide(s))
            .zip(0..)
            .collect();
        likely.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let until = meter.expansions + self.options.per_bite.min(meter.limit) / 2;
        let mut ranked: Vec<(f64, usize)> = Vec::with_capacity(starts.len());
        for (_, k) in likely {
            if meter.expansions > until && !ranked.is_empty() {
                break;
            }
            let start = &starts[k];
            let (mut state, mut cost, mut total) = (*start, 0.0, 0);
            while total < self.frames && !self.problem.is_goal(&state) {
                let graph = self.problem.graph();
                let mut next: Option<(f64, P::State, u32)> = None;
                for edge in graph.out_edges(self.problem.node(&state)) {
                    meter.expansions += 1;
                    let ask = Ask {
                        most_frames: self.frames - total,
                        limit: next.map_or(f64::INFINITY, |n| n.0 * 40.0),
                    };
                    // By the mean over its frames: a long piece is not dearer for being long.
                    match self.problem.step(&state, edge, ask) {
                        Ok(s) => {
                            let mean = s.cost / f64::from(s.frames.max(1));
                            if next.is_none_or(|n| mean < n.0) {
                                next = Some((mean, s.state, s.frames));
                            }
                        }
                        Err(cut) => self.cuts.note(self.problem, &state, cut),
                    }
                }
                let Some((mean, s, frames)) = next else {
                    cost = f64::INFINITY;
                    break;
                };
                cost += mean * f64::from(frames);
                total += frames.max(1);
                state = s;
            }
            if cost < f64::INFINITY {
                ranked.push((cost, k));
            }
        }
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        ranked.truncate(self.options.starts.max(1));
        ranked.into_iter().map(|(_, k)| starts[k]).collect()
    }
}
