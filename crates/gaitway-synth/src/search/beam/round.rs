//! One round of the beam: layer by layer, the best of each.

use super::BeamOptions;
use super::arena::{ArenaOf, Entry, Layer, Link, NONE, side, way_to};
use crate::search::dead_end::DeadEnds;
use crate::search::heuristics::{Guide, Key, Layers};
use crate::search::run::Meter;
use crate::search::space::{Action, Ask, Space};

/// What a pass over a layer may spend of what the layer has left, by round: most at once suits corners, where much must be
/// tried; even shares suit smooth paths in densely cut graphs, where a walk leaves a layer after several short edges.
pub(super) const PASS: [f64; 2] = [0.67, 0.4];
/// An action whose end looks further behind its layer's best than this part of what was the last to go on of late is left out.
const HOPELESS: f64 = 0.7;
/// Steps that stay in their layer are followed this often.
const PASSES: usize = 40;

/// The end of a round's best walk.
#[derive(Default)]
pub(super) struct Round {
    pub(super) best: Option<u32>,
    /// The furthest state, for a walk that does not arrive.
    pub(super) furthest: u32,
    pub(super) spent: bool,
    pub(super) full: bool,
}

pub(super) struct Beam<'p, S: Space> {
    pub(super) space: &'p S,
    pub(super) options: BeamOptions,
    pub(super) dead_ends: DeadEnds<S::State>,
    /// A complete walk is known: what does not arrive is not worth showing.
    pub(super) known: bool,
    /// What lies before the starts of a round, where only the rest of a walk is solved again.
    pub(super) before: Option<Before<S::State, S::Action>>,
}

/// The kept beginning of a walk.
pub(super) struct Before<S, A> {
    pub(super) start: S,
    pub(super) actions: Vec<A>,
    pub(super) cost: f64,
}

impl<S: Layers + Key + Guide> Beam<'_, S> {
    fn layer(&self, arena: &ArenaOf<S>, state: &S::State) -> usize {
        let layer = (self.space.progress(state) / self.options.layer).max(0.0) as usize;
        layer.min(arena.layers.len() - 1)
    }

    fn push(&self, arena: &mut ArenaOf<S>, entry: Entry<S::State, S::Action>, rank: f64) -> bool {
        if arena.entries.len() >= arena.most {
            return false;
        }
        let at = arena.entries.len() as u32;
        let layer = self.layer(arena, &entry.state);
        let group = entry.group;
        let best = &mut arena.best[layer][side(group)];
        *best = best.min(rank);
        let layer = &mut arena.layers[layer];
        layer.groups = (layer.groups.0.min(group), layer.groups.1.max(group));
        let next = std::mem::replace(&mut layer.first, at);
        arena.links.push(Link { rank, next, group });
        arena.entries.push(entry);
        true
    }

    fn rank(&self, cost: f64, state: &S::State, number: u64) -> f64 {
        let rank = cost + self.space.guide(state);
        if self.options.seed == 0 {
            return rank;
        }
        let mut h = self.options.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h = (h ^ h >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let unit = (h >> 11) as f64 / (1_u64 << 53) as f64;
        // A part of the rank and a little of its own, so that equals are told apart too.
        rank * (1.0 + self.options.jitter * unit) + 0.01 * self.options.jitter * unit
    }

    pub(super) fn round(
        &mut self,
        arena: &mut ArenaOf<S>,
        meter: &mut Meter<'_, S>,
        starts: &[S::State],
        (share, pass, mut limit): (u64, f64, f64),
    ) -> Round {
        arena.entries.clear();
        arena.links.clear();
        arena.layers.fill(Layer::EMPTY);
        arena.best.fill([f64::INFINITY; 2]);
        arena.slack = [f64::INFINITY; 2];
        let mut out = Round::default();
        for state in starts {
            let entry = Entry {
                state: *state,
                cost: 0.0,
                parent: NONE,
                action: S::Action::NONE,
                frames: 0,
                group: self.space.group(state),
            };
            let rank = self.rank(0.0, state, self.space.start_number(state));
            out.full |= !self.push(arena, entry, rank);
        }
        let until = meter.expansions.saturating_add(share);
        for layer in 0..arena.layers.len() {
            let left = until.saturating_sub(meter.expansions);
            // Layers past the goal are seldom reached: nothing is put by for them.
            let (hard, rest) = arena.hard.get(layer).copied().unwrap_or((1.0, 0.0));
            let mut quota = (left as f64 * hard / rest.max(8.0)) as u64;
            // Starts cost nothing yet: more of them get a chance.
            if layer == 0 {
                quota = quota.max(left / 12);
            }
            // Every key that is new tries an action at least; a layer may be gone through a few times.
            arena.seen.clear(quota.saturating_add(64));
            for _ in 0..PASSES {
                let these = std::mem::replace(&mut arena.layers[layer], Layer::EMPTY);
                if these.first == NONE {
                    break;
                }
                let before = meter.expansions;
                let part = ((quota as f64 * pass) as u64).max(8);
                // Each that goes on tries an action at least; as many again may fall to dominance.
                arena.sort(these, 2 * part as usize + 64);
                self.expand(arena, meter, part, &mut limit, &mut out);
                quota = quota.saturating_sub(meter.expansions - before);
                if out.spent || out.full {
                    return out;
                }
            }
            if meter.may_show() {
                self.show(arena, meter, &out);
            }
            if layer % 16 == 0 {
                meter.tell(layer as f64 / arena.layers.len() as f64, None);
            }
        }
        out
    }

    /// Shows the best complete walk of the round, or where there is none yet the best of the layer last sorted.
    fn show(&self, arena: &ArenaOf<S>, meter: &mut Meter<'_, S>, out: &Round) {
        let (at, complete) = match (out.best, arena.order.first()) {
            (Some(best), _) => (best, true),
            (None, Some(&(_, first))) if !self.known => (first, false),
            _ => return,
        };
        let mut way = way_to(arena, at, complete);
        if let Some(before) = &self.before {
            way.start = before.start;
            way.actions.splice(0..0, before.actions.iter().copied());
            way.cost += before.cost;
        }
        meter.show(self.space, way);
    }

    /// Expands the best of the layer in `arena.order`.
    fn expand(
        &mut self,
        arena: &mut ArenaOf<S>,
        meter: &mut Meter<'_, S>,
        quota: u64,
        limit: &mut f64,
        out: &mut Round,
    ) {
        let space = self.space;
        let until = meter.expansions + quota;
        for k in 0..arena.order.len() {
            if meter.expansions >= until {
                arena.note_slack(k);
                break;
            }
            let at = arena.order[k].1;
            let Entry {
                state, cost, group, ..
            } = arena.entries[at as usize];
            if cost + space.estimate(&state) >= *limit {
                continue;
            }
            if !arena.seen.insert(space.key(&state)) {
                continue;
            }
            let furthest = &arena.entries[out.furthest as usize].state;
            if space.progress(&state) > space.progress(furthest) {
                out.furthest = at;
            }
            for action in space.actions(&state) {
                if meter.spent() {
                    out.spent = true;
                    return;
                }
                if let Some((progress, rank)) = space.glance(&state, action) {
                    let layer = (progress / self.options.layer).max(0.0) as usize;
                    let best = arena.best[layer.min(arena.best.len() - 1)];
                    if cost + rank > best[side(group)] + HOPELESS * arena.slack[side(group)] {
                        continue;
                    }
                }
                meter.expansions += 1;
                let ask = Ask {
                    limit: *limit - cost,
                    ..Ask::ALL
                };
                let step = match space.step(&state, action, ask) {
                    Ok(step) => step,
                    Err(why) => {
                        self.dead_ends.note(space, &state, why);
                        continue;
                    }
                };
                let total = cost + step.cost;
                let entry = Entry {
                    state: step.state,
                    cost: total,
                    parent: at,
                    action,
                    frames: step.frames,
                    group: space.group(&step.state),
                };
                if space.is_goal(&step.state) {
                    if total < *limit {
                        *limit = total;
                        if arena.entries.len() >= arena.most {
                            out.full = true;
                            return;
                        }
                        arena.entries.push(entry);
                        // In no layer, but every entry has a link.
                        arena.links.push(Link {
                            rank: total,
                            next: NONE,
                            group: entry.group,
                        });
                        out.best = Some(arena.entries.len() as u32 - 1);
                    }
                } else {
                    let rank = self.rank(total, &step.state, action.number());
                    if !self.push(arena, entry, rank) {
                        out.full = true;
                        return;
                    }
                }
            }
        }
    }
}
