//! Branch and bound, whole or in bites.                                            [Kovar04] section 4.2.1
//!
//! Depth first, children in order of g. A branch ends when its cost and the estimate of the rest reach the cost of the
//! r-th best complete walk. A bite that is too large for its budget is not searched from its left edge alone: of what a
//! branch may spend its best child gets half, the next half of the rest, and so on, so that early choices are
//! reconsidered too; where the budget suffices nothing is left out. Incrementally: the best walk of n frames, its first m frames kept, and on from there.
//!
//! Cost: a child is one [`Problem::step`]. Children of all open branches lie on one stack, whose size is known ahead: no
//! branch is deeper than n edges, and no node has more children than the graph's widest. Nothing else is allocated
//! while a bite is searched. Checked by: full enumeration on small graphs (tests/search.rs).

use gaitway_graph::EdgeId;

use super::problem::{Ask, Cuts, Problem};
use super::run::{Budget, Control, Found, Meter, Outcome, Way};
use crate::walks::Rng;

/// In which order children are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By g: the paper's.
    Cost,
    /// By g over the frames it pays for. Where a graph is cut densely, g alone prefers the shortest edge, and
    /// transitions, which are long, come last.
    #[default]
    PerFrame,
}

/// How branch and bound searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BnbOptions {
    /// n: frames of a bite; `None` searches complete walks at once, which proves its result and takes for ever.
    pub horizon: Option<u32>,
    /// m: frames kept of a bite; a bite is kept up to the first node at or after them.
    pub keep: u32,
    /// Halt a bite when a walk costs less than this.
    pub epsilon: f64,
    /// r: how many best walks of a bite are kept to draw from.
    pub best: usize,
    /// Those within this factor of the best are drawn from.
    pub tolerance: f64,
    /// Edges tried per bite, about: the walk under way is finished. Default 30,000.
    pub per_bite: u64,
    /// In which order children are tried.
    pub order: Order,
    /// Starts looked at closely, by the cost of their greedy walks.
    pub starts: usize,
    /// Same seed, same walk. Only matters with `best` above 1.
    pub seed: u64,
}

impl Default for BnbOptions {
    fn default() -> Self {
        Self {
            horizon: Some(90),
            keep: 30,
            epsilon: 0.0,
            best: 1,
            tolerance: 1.1,
            per_bite: 30_000,
            order: Order::default(),
            starts: 16,
            seed: 0,
        }
    }
}

/// An open branch.
#[derive(Clone, Copy)]
struct Child<S> {
    state: S,
    edge: EdgeId,
    /// Σ g up to and with this edge.
    cost: f64,
    /// Frames of this edge that were walked.
    frames: u32,
    /// Frames of the bite with this edge.
    total: u32,
    depth: u32,
    /// The count of expansions at which its parent's share is spent.
    until: u64,
    /// Its parent's best: always followed to the end, so that every share bears a walk.
    first: bool,
}

/// A complete walk of a bite.
#[derive(Clone)]
struct Best<S> {
    cost: f64,
    start: usize,
    edges: Vec<(EdgeId, u32)>,
    end: Option<S>,
}

/// Memory of a bite, kept from bite to bite.
struct Arena<S> {
    stack: Vec<Child<S>>,
    way: Vec<(EdgeId, u32)>,
    best: Vec<Best<S>>,
    kept: usize,
    most: usize,
}

impl<S: Copy> Arena<S> {
    /// Room for every child of the deepest branch there can be.
    fn new(depth: usize, widest: usize, best: usize, memory: usize) -> Self {
        let each = std::mem::size_of::<Child<S>>();
        let most = (depth + 1)
            .saturating_mul(widest.max(1))
            .min((memory / each).max(widest + 1));
        Self {
            stack: Vec::with_capacity(most),
            way: Vec::with_capacity(depth + 1),
            best: (0..best.max(1) + 1)
                .map(|_| Best {
                    cost: f64::INFINITY,
                    start: 0,
                    edges: Vec::with_capacity(depth + 1),
                    end: None,
                })
                .collect(),
            kept: best.max(1),
            most,
        }
    }

    fn clear(&mut self) {
        self.stack.clear();
        self.way.clear();
        for b in &mut self.best {
            (b.cost, b.end) = (f64::INFINITY, None);
        }
    }

    /// What a complete walk must cost less than to be of use.
    fn bound(&self) -> f64 {
        self.best[self.kept - 1].cost
    }

    /// Takes the present way in among the best, which stay sorted.
    fn offer(&mut self, cost: f64, start: usize, end: S) {
        let spare = self.kept;
        let slot = &mut self.best[spare];
        (slot.cost, slot.start, slot.end) = (cost, start, Some(end));
        slot.edges.clear();
        slot.edges.extend_from_slice(&self.way);
        // Insertion keeps the order of discovery among equals.
        let mut at = spare;
        while at > 0 && self.best[at - 1].cost > self.best[at].cost {
            self.best.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// How a bite ended.
struct Bite {
    /// Nothing was left to try.
    whole: bool,
}

struct Search<'p, P: Problem> {
    problem: &'p P,
    options: BnbOptions,
    frames: u32,
    cuts: Cuts<P::State>,
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
                let share = meter.expansions + left.div_ceil(2);
                let so_far = (child.cost, child.total, child.depth, share);
                whole &= self.branch(arena, meter, &child.state, so_far);
            }
        }
        Bite { whole }
    }

    /// The starts whose greedy walks of a bite are cheapest.
    fn rank_starts(&mut self, meter: &mut Meter<'_>, starts: Vec<P::State>) -> Vec<P::State> {
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

/// Searches by branch and bound.
pub fn branch_and_bound<P: Problem>(
    problem: &P,
    options: &BnbOptions,
    budget: &Budget,
    control: Control<'_>,
) -> Found<P::State> {
    let mut meter = Meter::new(budget, control);
    let graph = problem.graph();
    let widest = graph
        .nodes()
        .map(|n| graph.out_edges(n).len())
        .max()
        .unwrap_or(0);
    // Walks without a horizon are as deep as the goal is far; the arena's memory then is the limit.
    let frames = options.horizon.unwrap_or(u32::MAX).max(1);
    let depth = frames.min(100_000) as usize;
    let mut arena = Arena::new(depth, widest, options.best, budget.memory);
    let mut search = Search {
        problem,
        options: *options,
        frames,
        cuts: Cuts::default(),
    };
    let all = problem.starts();
    let mut starts = if options.horizon.is_some() {
        search.rank_starts(&mut meter, all)
    } else {
        all
    };
    if starts.is_empty() {
        return Found::none(problem.explain(&search.cuts));
    }
    let mut rng = Rng::new(options.seed);
    let mut found = Found {
        outcome: Outcome::BudgetSpent,
        deterministic: meter.deterministic(),
        ..Found::none(String::new())
    };
    loop {
        let bite = search.bite(&mut arena, &mut meter, &starts);
        if arena.best[0].end.is_none() {
            found.outcome = if bite.whole {
                Outcome::NoWalk {
                    reason: problem.explain(&search.cuts),
                }
            } else {
                Outcome::BudgetSpent
            };
            break;
        }
        let chosen = draw(&arena, options, &mut rng);
        let before = found.edges.len();
        let end = take(&mut found, problem, &arena.best[chosen], &starts, options);
        if found.edges.len() == before {
            found.outcome = Outcome::NoWalk {
                reason: problem.explain(&search.cuts),
            };
            break;
        }
        let first_bite = before == 0;
        if found.complete {
            found.outcome = Outcome::Solved;
            let proven = bite.whole && first_bite && chosen == 0 && options.horizon.is_none();
            found.bound = proven.then_some(found.cost);
            break;
        }
        let part = problem.progress(&end) / problem.progress_at_goal().max(1e-9);
        meter.tell(part, None);
        if let (true, Some(start)) = (meter.may_show(), found.start) {
            let way = Way {
                start,
                end,
                edges: found.edges.clone(),
                last_frames: found.last_frames,
                cost: found.cost,
                complete: false,
            };
            meter.show(problem, way);
        }
        if meter.spent() {
            break;
        }
        starts = vec![end];
    }
    found.expansions = meter.expansions;
    found.seconds = meter.since.elapsed().as_secs_f64();
    found
}

/// One of the best within tolerance.
fn draw<S>(arena: &Arena<S>, options: &BnbOptions, rng: &mut Rng) -> usize {
    let limit = arena.best[0].cost * options.tolerance.max(1.0);
    let near = arena.best[..arena.kept]
        .iter()
        .take_while(|b| b.end.is_some() && b.cost <= limit)
        .count();
    if near <= 1 {
        return 0;
    }
    ((rng.unit() * near as f64) as usize).min(near - 1)
}

/// Appends the part of a bite that is kept, and gives the state after it.
fn take<P: Problem>(
    found: &mut Found<P::State>,
    problem: &P,
    best: &Best<P::State>,
    starts: &[P::State],
    options: &BnbOptions,
) -> P::State {
    let start = starts[best.start];
    let complete = best.end.is_some_and(|e| problem.is_goal(&e));
    found.start.get_or_insert(start);
    let (mut state, mut total) = (start, 0);
    for &(edge, frames) in &best.edges {
        if !complete && total >= options.keep {
            break;
        }
        // What is kept ends at a node: an edge cut by the horizon is walked whole.
        let ask = Ask {
            most_frames: if complete { frames } else { u32::MAX },
            limit: f64::INFINITY,
        };
        let Ok(step) = problem.step(&state, edge, ask) else {
            // The rest of a cut edge runs into something: the bite goes on from the node before.
            break;
        };
        state = step.state;
        total += step.frames;
        found.cost += step.cost;
        found.edges.push(edge);
        found.last_frames = step.frames;
        if problem.is_goal(&state) {
            found.complete = true;
            break;
        }
    }
    found.end = Some(state);
    state
}
