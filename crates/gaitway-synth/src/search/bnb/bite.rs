//! One bite: the best walks of n frames from a state.

use super::arena::Child;
use super::{ArenaOf, BestOf, BnbOptions, Order};
use crate::search::dead_end::DeadEnds;
use crate::search::heuristics::{Guide, Layers};
use crate::search::run::Meter;
use crate::search::space::{Ask, Space};

/// Bites grow no longer than so many times n.
pub(super) const DEEPEST: u32 = 8;
/// A bite that took less than this part of what it may spend, and left nothing out, is searched again at twice the length.
const CHEAP: u64 = 8;

/// How a bite ended.
pub(super) struct Bite {
    /// Nothing was left to try.
    pub(super) whole: bool,
    /// What was left was left for want of time, memory or edges to try, not of what a bite may spend.
    pub(super) short: bool,
}

pub(super) struct Search<'p, S: Space> {
    pub(super) space: &'p S,
    pub(super) options: BnbOptions,
    pub(super) frames: u32,
    pub(super) dead_ends: DeadEnds<S::State>,
}

impl<S: Layers + Guide> Search<'_, S> {
    /// Pushes the children of a state, the cheapest last, so that it is taken first.
    fn branch(
        &mut self,
        arena: &mut ArenaOf<S>,
        meter: &mut Meter<'_, S>,
        from: &S::State,
        (cost, total, depth, until): (f64, u32, u32, u64),
    ) -> bool {
        let first = arena.stack.len();
        let ask = Ask {
            most_frames: self.frames - total,
            limit: arena.bound() - cost,
        };
        for (action, step) in self.space.successors(from, ask) {
            if arena.stack.len() >= arena.most {
                return false;
            }
            meter.expansions += 1;
            match step {
                Ok(step) => arena.stack.push(Child {
                    state: step.state,
                    action,
                    cost: cost + step.cost,
                    frames: step.frames,
                    total: total + step.frames.max(1),
                    depth: depth + 1,
                    until,
                    first: false,
                }),
                Err(why) => self.dead_ends.note(self.space, from, why),
            }
        }
        // Dearest first; equals in reverse order of actions, so that the lower is taken first.
        let per_frame = self.options.order == Order::PerFrame;
        let key = |c: &Child<S::State, S::Action>| {
            let frames = if per_frame { c.total - total } else { 1 };
            (c.cost - cost) / f64::from(frames)
        };
        arena.stack[first..]
            .sort_unstable_by(|a, b| key(b).total_cmp(&key(a)).then(b.action.cmp(&a.action)));
        if let Some(best) = arena.stack[first..].last_mut() {
            best.first = true;
        }
        true
    }

    /// Best walks of `frames` frames, or to the goal, from a state.
    fn bite(
        &mut self,
        arena: &mut ArenaOf<S>,
        meter: &mut Meter<'_, S>,
        starts: &[S::State],
    ) -> Bite {
        arena.clear();
        let most = meter.expansions.saturating_add(self.options.per_bite);
        let limit = meter.limit.min(most);
        let (mut whole, mut short) = (true, false);
        for (which, start) in starts.iter().enumerate() {
            // Starts share what a bite may spend, so that the first does not take it all.
            let share = (limit - meter.expansions.min(limit)) / (starts.len() - which) as u64;
            let until = meter.expansions + share;
            arena.stack.clear();
            arena.way.clear();
            let room = self.branch(arena, meter, start, (0.0, 0, 0, until));
            (whole, short) = (whole && room, short || !room);
            while let Some(child) = arena.stack.pop() {
                if child.cost + self.space.estimate(&child.state) >= arena.bound() {
                    continue;
                }
                arena.way.truncate(child.depth as usize - 1);
                arena.way.push((child.action, child.frames));
                if child.total >= self.frames || self.space.is_goal(&child.state) {
                    arena.offer(child.cost, which, child.state);
                    if child.cost < self.options.epsilon {
                        return Bite {
                            whole: false,
                            short,
                        };
                    }
                    continue;
                }
                if meter.spent() {
                    (whole, short) = (false, true);
                    break;
                }
                let left = child.until.saturating_sub(meter.expansions);
                if left == 0 && !child.first {
                    (whole, short) = (false, short || meter.limit < most);
                    continue;
                }
                // The last of its siblings, or an only child, leaves nothing for others.
                let alone = arena.stack.last().is_none_or(|c| c.depth != child.depth);
                let share = meter.expansions + if alone { left } else { left.div_ceil(2) };
                let so_far = (child.cost, child.total, child.depth, share);
                let room = self.branch(arena, meter, &child.state, so_far);
                (whole, short) = (whole && room, short || !room);
            }
        }
        Bite { whole, short }
    }

    /// A bite, and where it took next to nothing to see all of it, a longer one.
    ///
    /// Where a graph is thin, n frames may end before the next choice: whoever walks into a part that only leads straight on
    /// then never sees the way out. Longer bites cost little there.
    pub(super) fn deep_bite(
        &mut self,
        arena: &mut ArenaOf<S>,
        meter: &mut Meter<'_, S>,
        starts: &[S::State],
    ) -> Bite {
        let frames = self.frames;
        let mut kept: Option<Vec<BestOf<S>>> = None;
        let bite = loop {
            let before = meter.expansions;
            let bite = self.bite(arena, meter, starts);
            let arrives = |b: &BestOf<S>| b.end.is_some_and(|e| self.space.is_goal(&e));
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
                break Bite {
                    whole: true,
                    ..bite
                };
            }
            break bite;
        };
        self.frames = frames;
        bite
    }

    /// The starts whose greedy walks of a bite are cheapest.
    pub(super) fn rank_starts(
        &mut self,
        meter: &mut Meter<'_, S>,
        starts: Vec<S::State>,
    ) -> Vec<S::State> {
        if starts.len() <= 1 {
            return starts;
        }
        // First by what the space guesses, then by a greedy walk, while half of the first bite lasts.
        let mut likely: Vec<(f64, usize)> = starts
            .iter()
            .map(|s| self.space.guide(s))
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
            while total < self.frames && !self.space.is_goal(&state) {
                let mut next: Option<(f64, S::State, u32)> = None;
                for action in self.space.actions(&state) {
                    meter.expansions += 1;
                    let ask = Ask {
                        most_frames: self.frames - total,
                        limit: next.map_or(f64::INFINITY, |n| n.0 * 40.0),
                    };
                    // By the mean over its frames: a long piece is not dearer for being long.
                    match self.space.step(&state, action, ask) {
                        Ok(s) => {
                            let mean = s.cost / f64::from(s.frames.max(1));
                            if next.is_none_or(|n| mean < n.0) {
                                next = Some((mean, s.state, s.frames));
                            }
                        }
                        Err(why) => self.dead_ends.note(self.space, &state, why),
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
        ranked.truncate(self.options.start_states.max(1));
        ranked.into_iter().map(|(_, k)| starts[k]).collect()
    }
}
