//! One bite: the best walks of n frames from a state.

use super::arena::Child;
use super::{ArenaOf, BestOf, BnbOptions, FIRST_PASS, Order};
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
    /// What a bite may spend.
    pub(super) per_bite: u64,
    /// What it may spend at most where what is left is shared.
    pub(super) most_per_bite: u64,
    /// The bites of the whole way, where they share what is left of the budget.
    pub(super) shared: Option<u64>,
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
        let (space, order, keep) = (self.space, self.options.order, self.options.keep);
        let key = |c: &Child<S::State, S::Action>| {
            let per_frame = (c.cost - cost) / f64::from(c.total - total);
            match order {
                Order::Cost => c.cost - cost,
                Order::PerFrame => per_frame,
                Order::Guided => f64::from(keep) * per_frame + space.guide(&c.state),
            }
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
        let most = meter.expansions.saturating_add(self.per_bite);
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
                let arrived = self.space.is_goal(&child.state);
                if child.total >= self.frames || arrived {
                    let keeps = if arrived {
                        arena.way.len()
                    } else {
                        self.keeps(&arena.way)
                    };
                    let ahead = match self.options.order {
                        Order::Guided if !arrived => self.space.guide(&child.state),
                        _ => 0.0,
                    };
                    arena.offer((child.cost, ahead), which, child.state, keeps);
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

    /// How many actions of a walk are kept: up to the first end of one at or after m frames.
    fn keeps(&self, way: &[(S::Action, u32)]) -> usize {
        let mut total = 0;
        let before = way.iter().take_while(|(_, frames)| {
            let more = total < self.options.keep;
            total += frames;
            more
        });
        before.count().max(1)
    }

    /// Sets what the next bite may spend: an even share of what is left for those to come.
    pub(super) fn share_out(&mut self, meter: &Meter<'_, S>, from: &S::State) {
        let Some(bites) = self.shared else {
            return;
        };
        let goal = self.space.progress_at_goal().max(1e-9);
        let to_go = (1.0 - self.space.progress(from) / goal).clamp(0.0, 1.0);
        let bites = (bites as f64 * to_go).ceil().max(1.0);
        let left = meter.limit.saturating_sub(meter.expansions);
        self.per_bite = ((left as f64 / bites) as u64).clamp(1, self.most_per_bite);
    }

    /// Whether what is left would still lead to the goal after another bite in vain, so that going back never costs the arrival.
    pub(super) fn may_go_back(&self, meter: &Meter<'_, S>, from: &S::State, bites: u64) -> bool {
        let each = match self.shared {
            // Shares shrink with what is left.
            Some(_) => FIRST_PASS.min(self.per_bite),
            None => self.per_bite,
        };
        let here = self.space.progress(from).max(0.0);
        let to_go = (self.space.progress_at_goal() - here).max(0.0);
        let per_bite = here / bites.max(1) as f64;
        let bites = 2.0 + to_go / per_bite.max(1e-9);
        let left = meter.limit.saturating_sub(meter.expansions);
        bites * each as f64 <= left as f64
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
            let cheap = meter.expansions - before < self.per_bite / CHEAP;
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
        let until = meter.expansions + self.per_bite.min(meter.limit) / 2;
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
