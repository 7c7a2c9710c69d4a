//! A global beam: all walks at once, compared at equal progress.
//!
//! States wait in layers of progress (10 cm of path). Layers are taken in order; in each, states are sorted by cost and
//! guide, all but the cheapest of a cell are dropped (dominance), and the best go on, as many as the layer's share of
//! the budget pays for. A walk is judged by all of the path before it, not by a second of it, and a detour that pays
//! later survives as long as it ranks among the best. Rounds with growing budgets make it anytime: each knows the
//! cost of the best walk so far and drops what costs more. With what is left the walk is cut at a few places and what
//! follows each cut is solved again.
//!
//! Cost: a step per edge tried, a sort and a hash look-up per state kept. Entries lie in one arena sized ahead; nothing
//! else is allocated while a layer is expanded. Same problem, options and budget: same walk.

use gaitway_graph::EdgeId;

use super::problem::{Ask, Cuts, Problem};
use super::run::{Budget, Control, Found, Meter, Outcome, replay};

/// How the beam searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamOptions {
    /// What the first round may spend, as a part of all; default 0.06.
    pub first: f64,
    /// Each round may spend this much more than the one before; default 3.5.
    pub growth: f64,
    /// What is kept for solving the ends of the walk again, as a part of all; default 0.25.
    pub improve: f64,
    /// Progress per layer; default 0.1 (metres, for paths).
    pub layer: f64,
    /// Jitter of ranks by the seed, as a part of them; no jitter with seed 0.
    pub jitter: f64,
    /// Same seed, same walk; another seed, another walk.
    pub seed: u64,
}

impl Default for BeamOptions {
    fn default() -> Self {
        Self {
            first: 0.06,
            growth: 3.5,
            improve: 0.25,
            layer: 0.1,
            jitter: 0.15,
            seed: 0,
        }
    }
}

const NONE: u32 = u32::MAX;
/// What a pass over a layer may spend of what the layer has left, by round: most at once suits corners, where much must be
/// tried; even shares suit smooth paths in densely cut graphs, where a walk leaves a layer after several short edges.
const PASS: [f64; 2] = [0.67, 0.4];
/// An edge whose end looks further behind its layer's best than this part of what was the last to go on of late is left out.
const HOPELESS: f64 = 0.7;
/// Steps that stay in their layer are followed this often.
const PASSES: usize = 40;

#[derive(Clone, Copy)]
struct Entry<S> {
    state: S,
    cost: f64,
    rank: f64,
    parent: u32,
    /// NONE for a start.
    edge: u32,
    /// Frames of the edge that were walked.
    frames: u32,
    /// The next entry of the same layer.
    next: u32,
}

/// All memory of a round.
struct Arena<S> {
    entries: Vec<Entry<S>>,
    most: usize,
    layers: Vec<u32>,
    /// The best rank in each layer so far.
    best: Vec<f64>,
    /// How far behind a layer's best the last that went on was, of late.
    slack: f64,
    /// Rank and place of a layer's entries.
    order: Vec<(f64, u32)>,
    seen: Seen,
}

impl<S> Arena<S> {
    /// Fills `order` with the `most` best of a layer's entries, the best first.
    fn sort(&mut self, mut at: u32, most: usize) {
        self.order.clear();
        while at != NONE {
            let entry = &self.entries[at as usize];
            self.order.push((entry.rank, at));
            at = entry.next;
        }
        let by = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if self.order.len() > most {
            self.order.select_nth_unstable_by(most, by);
            self.order.truncate(most);
        }
        self.order.sort_unstable_by(by);
    }
}

/// A set of cells, emptied by changing the stamp.
struct Seen {
    slots: Vec<(u64, u32)>,
    stamp: u32,
    count: usize,
}

impl Seen {
    fn clear(&mut self) {
        self.stamp += 1;
        self.count = 0;
    }

    /// Whether a cell is new. A full table says no: what it cannot hold is not followed.
    fn insert(&mut self, cell: u64) -> bool {
        let mask = self.slots.len() - 1;
        if self.count * 4 > self.slots.len() * 3 {
            return false;
        }
        let mut at = (cell ^ cell >> 32) as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.1 != self.stamp {
                *slot = (cell, self.stamp);
                self.count += 1;
                return true;
            }
            if slot.0 == cell {
                return false;
            }
            at = (at + 1) & mask;
        }
    }
}

/// The end of a round's best walk.
#[derive(Default)]
struct Round {
    best: Option<u32>,
    /// The furthest state, for a walk that does not arrive.
    furthest: u32,
    spent: bool,
    full: bool,
}

struct Beam<'p, P: Problem> {
    problem: &'p P,
    options: BeamOptions,
    cuts: Cuts<P::State>,
}

impl<P: Problem> Beam<'_, P> {
    fn layer(&self, arena: &Arena<P::State>, state: &P::State) -> usize {
        let layer = (self.problem.progress(state) / self.options.layer).max(0.0) as usize;
        layer.min(arena.layers.len() - 1)
    }

    fn push(&self, arena: &mut Arena<P::State>, mut entry: Entry<P::State>) -> bool {
        if arena.entries.len() >= arena.most {
            return false;
        }
        let at = arena.entries.len() as u32;
        let layer = self.layer(arena, &entry.state);
        arena.best[layer] = arena.best[layer].min(entry.rank);
        entry.next = std::mem::replace(&mut arena.layers[layer], at);
        arena.entries.push(entry);
        true
    }

    fn rank(&self, cost: f64, state: &P::State, edge: u32) -> f64 {
        let rank = cost + self.problem.guide(state);
        if self.options.seed == 0 {
            return rank;
        }
        let mut h = self.options.seed ^ u64::from(edge).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h = (h ^ h >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let unit = (h >> 11) as f64 / (1_u64 << 53) as f64;
        // A part of the rank and a little of its own, so that equals are told apart too.
        rank * (1.0 + self.options.jitter * unit) + 0.01 * self.options.jitter * unit
    }

    fn round(
        &mut self,
        arena: &mut Arena<P::State>,
        meter: &mut Meter<'_>,
        starts: &[P::State],
        (share, pass, mut limit): (u64, f64, f64),
    ) -> Round {
        arena.entries.clear();
        arena.layers.fill(NONE);
        arena.best.fill(f64::INFINITY);
        arena.slack = f64::INFINITY;
        let mut out = Round::default();
        for state in starts {
            let entry = Entry {
                state: *state,
                cost: 0.0,
                rank: self.rank(0.0, state, self.problem.node(state).0),
                parent: NONE,
                edge: NONE,
                frames: 0,
                next: NONE,
            };
            out.full |= !self.push(arena, entry);
        }
        let until = meter.expansions.saturating_add(share);
        // Layers past the goal are seldom reached: nothing is put by for them.
        let goal = (self.problem.progress_at_goal() / self.options.layer) as usize + 1;
        for layer in 0..arena.layers.len() {
            arena.seen.clear();
            let left = until.saturating_sub(meter.expansions);
            // Starts cost nothing yet: more of them get a chance.
            let mut quota = left / (goal.saturating_sub(layer)).max(8) as u64;
            if layer == 0 {
                quota = quota.max(left / 12);
            }
            for _ in 0..PASSES {
                let at = std::mem::replace(&mut arena.layers[layer], NONE);
                if at == NONE {
                    break;
                }
                let before = meter.expansions;
                let part = ((quota as f64 * pass) as u64).max(8);
                // Each that goes on tries an edge at least; as many again may fall to dominance.
                arena.sort(at, 2 * part as usize + 64);
                self.expand(arena, meter, part, &mut limit, &mut out);
                quota = quota.saturating_sub(meter.expansions - before);
                if out.spent || out.full {
                    return out;
                }
            }
            if layer % 16 == 0 {
                meter.tell(layer as f64 / arena.layers.len() as f64, None);
            }
        }
        out
    }

    /// Expands the best of the layer in `arena.order`.
    fn expand(
        &mut self,
        arena: &mut Arena<P::State>,
        meter: &mut Meter<'_>,
        quota: u64,
        limit: &mut f64,
        out: &mut Round,
    ) {
        let graph = self.problem.graph();
        let until = meter.expansions + quota;
        for k in 0..arena.order.len() {
            if meter.expansions >= until {
                let behind = arena.order[k].0 - arena.order[0].0;
                arena.slack = if arena.slack.is_finite() {
                    0.8 * arena.slack + 0.2 * behind
                } else {
                    behind
                };
                break;
            }
            let at = arena.order[k].1;
            let Entry { state, cost, .. } = arena.entries[at as usize];
            if cost + self.problem.estimate(&state) >= *limit {
                continue;
            }
            if !arena.seen.insert(self.problem.cell(&state)) {
                continue;
            }
            let so_far = self
                .problem
                .progress(&arena.entries[out.furthest as usize].state);
            if self.problem.progress(&state) > so_far {
                out.furthest = at;
            }
            for edge in graph.out_edges(self.problem.node(&state)) {
                if meter.spent() {
                    out.spent = true;
                    return;
                }
                if let Some((progress, rank)) = self.problem.glance(&state, edge) {
                    let layer = (progress / self.options.layer).max(0.0) as usize;
                    let best = arena.best[layer.min(arena.best.len() - 1)];
                    if cost + rank > best + HOPELESS * arena.slack {
                        continue;
                    }
                }
                meter.expansions += 1;
                let ask = Ask {
                    limit: *limit - cost,
                    ..Ask::ALL
                };
                let step = match self.problem.step(&state, edge, ask) {
                    Ok(step) => step,
                    Err(cut) => {
                        self.cuts.note(self.problem, &state, cut);
                        continue;
                    }
                };
                let total = cost + step.cost;
                let entry = Entry {
                    state: step.state,
                    cost: total,
                    rank: self.rank(total, &step.state, edge.0),
                    parent: at,
                    edge: edge.0,
                    frames: step.frames,
                    next: NONE,
                };
                if self.problem.is_goal(&step.state) {
                    if total < *limit {
                        *limit = total;
                        if arena.entries.len() >= arena.most {
                            out.full = true;
                            return;
                        }
                        arena.entries.push(entry);
                        out.best = Some(arena.entries.len() as u32 - 1);
                    }
                } else if !self.push(arena, entry) {
                    out.full = true;
                    return;
                }
            }
        }
    }
}

/// Where a walk is cut to solve what follows again, as parts of its progress.
const CUTS: [f64; 5] = [0.2, 0.4, 0.55, 0.7, 0.85];

impl<P: Problem> Beam<'_, P> {
    /// Solves what follows a cut again: a shorter way to go with the same budget is searched more widely. Only what costs less
    /// than before is taken.
    fn improve(
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

/// Searches by a global beam in rounds.
pub fn beam_search<P: Problem>(
    problem: &P,
    options: &BeamOptions,
    budget: &Budget,
    control: Control<'_>,
) -> Found<P::State> {
    let mut meter = Meter::new(budget, control);
    let starts = problem.starts();
    let mut beam = Beam {
        problem,
        options: *options,
        cuts: Cuts::default(),
    };
    if starts.is_empty() {
        return Found::none(problem.explain(&beam.cuts));
    }
    let mut arena = arena(problem, options, budget, starts.len());
    let mut found = Found {
        outcome: Outcome::BudgetSpent,
        deterministic: meter.deterministic(),
        cost: f64::INFINITY,
        ..Found::none(String::new())
    };
    // What is left for the rounds when the ends of the walk are to be solved again.
    let kept = (budget.expansions as f64 * options.improve.clamp(0.0, 0.9)) as u64;
    let mut share = (budget.expansions as f64 * options.first.clamp(0.001, 1.0)) as u64;
    let mut round = 0;
    let mut partial: Option<Found<P::State>> = None;
    loop {
        let before = meter.expansions;
        let pass = PASS[round % PASS.len()];
        round += 1;
        let limit = if found.complete {
            found.cost
        } else {
            f64::INFINITY
        };
        let end = beam.round(
            &mut arena,
            &mut meter,
            &starts,
            (share.max(64), pass, limit),
        );
        match end.best {
            Some(best) => collect(&arena, best, &mut found),
            None if !found.complete && !arena.entries.is_empty() => {
                let mut way = found.clone();
                collect(&arena, end.furthest, &mut way);
                let of = |f: &Found<P::State>| f.end.as_ref().map_or(0.0, |e| problem.progress(e));
                if partial.as_ref().is_none_or(|p| of(&way) > of(p)) {
                    partial = Some(way);
                }
            }
            None => {}
        }
        found.complete |= end.best.is_some();
        meter.tell(1.0, found.complete.then_some(found.cost));
        let left = meter.limit.saturating_sub(meter.expansions + kept);
        let used = meter.expansions - before;
        // A round that did not use its share has seen all there is.
        if end.spent || end.full || left < share || used < share / 4 {
            break;
        }
        let next = (share as f64 * options.growth.max(1.5)) as u64;
        share = if next.saturating_mul(2) > left {
            left
        } else {
            next
        };
    }
    if found.complete {
        found.outcome = Outcome::Solved;
        found.edges_checked(problem);
        beam.improve(&mut arena, &mut meter, &mut found);
    } else {
        let spent = meter.spent();
        if let Some(way) = partial {
            found = way;
        }
        let reason = problem.explain(&beam.cuts);
        found.outcome = if spent {
            Outcome::BudgetSpent
        } else {
            Outcome::NoWalk { reason }
        };
    }
    found.expansions = meter.expansions;
    found.seconds = meter.since.elapsed().as_secs_f64();
    found
}

impl<S: Copy> Found<S> {
    /// The end and cost as a replay of the walk gives them: sums in walking order.
    fn edges_checked<P: Problem<State = S>>(&mut self, problem: &P) {
        if let Some((end, cost)) = self
            .start
            .and_then(|s| replay(problem, &s, &self.edges, self.last_frames))
        {
            (self.end, self.cost) = (Some(end), cost);
        }
    }
}

fn arena<P: Problem>(
    problem: &P,
    options: &BeamOptions,
    budget: &Budget,
    starts: usize,
) -> Arena<P::State> {
    let each = std::mem::size_of::<Entry<P::State>>() + 4;
    let wanted = (budget.expansions as usize).saturating_add(starts + 16);
    let most = wanted
        .min((budget.memory / each).max(1024))
        .min(NONE as usize - 1);
    // Past the goal's progress there is room for styles that change late.
    let layers = (problem.progress_at_goal() / options.layer).ceil() as usize
        + (4.0 / options.layer) as usize
        + 2;
    // A layer's states only, and small enough to stay in the cache.
    let slots = (most / 16).clamp(1 << 12, 1 << 20).next_power_of_two();
    Arena {
        entries: Vec::with_capacity(most),
        most,
        layers: vec![NONE; layers],
        best: vec![f64::INFINITY; layers],
        slack: f64::INFINITY,
        order: Vec::with_capacity(most.min(1 << 22)),
        seen: Seen {
            slots: vec![(0, 0); slots],
            stamp: 0,
            count: 0,
        },
    }
}

/// The walk that leads to an entry.
fn collect<S: Copy>(arena: &Arena<S>, end: u32, found: &mut Found<S>) {
    let last = &arena.entries[end as usize];
    found.end = Some(last.state);
    found.cost = last.cost;
    found.last_frames = last.frames;
    found.edges.clear();
    let mut at = end;
    while arena.entries[at as usize].edge != NONE {
        let entry = &arena.entries[at as usize];
        found.edges.push(EdgeId(entry.edge));
        at = entry.parent;
    }
    found.edges.reverse();
    found.start = Some(arena.entries[at as usize].state);
}
