//! What every walk along a path costs at least: ARA* on the path problem itself.
//!
//! The states are those of the walk, to the last bit ([`PathState`]): places are not rounded, and two states are one only where all that the objective knows of
//! them is equal. So the bound is of the objective, not of a lattice: **no walk through this graph that begins as this search's walks may and
//! keeps what is asked costs less.** (Where walks may begin: at the path's start at any node of the style, turned so that the clip's next half second lies along the
//! path; or at the start given.) The price is that hardly any two ways lead to one state; proofs are for short paths.
//!
//! The estimate is what it costs at least to get on by the metres that are left, wherever the walk lies:
//!
//!   H(n, r) = min over edges e from n of  c(e) + H(n′, r − p(e)),        H(n, r) = 0 for r ≤ 0
//!
//! with c what an edge costs whatever its place (transitions, facing), and p the most progress it can make: each step by as much more as a root can
//! be ahead that costs less than a walk known already. It is worked out ahead for all nodes and metres at steps of a centimetre, rounded down. *Consistent:* a step
//! along e costs c(e) or more and leaves r − p(e) or more, H does not fall with r, and of an edge that ends the walk the frames up to there are paid.

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};

use super::follow::default_budget;
use super::objective::{PathProblem, PathState};
use super::progress::Progress;
use crate::search::{
    AraOptions, AraResult, Ask, BeamOptions, BestSolution, Bounded, Budget, Control, DeadEnd,
    DeadEnds, Estimate, Explain, GraphProblem, Identity, SearchEnd, SearchResult, Step, ara_star,
    beam_search,
};

/// A step of the table, metres, and the most entries of it.
const STEP_M: f64 = 0.01;
const MOST_ENTRIES: usize = 8_000_000;
/// What is left of a path when it is over, and what sums of progress are off by at most, metres.
const SLACK_M: f64 = 1e-6;

/// H, for one problem and what a walk costs that is known.
struct LeastToGo {
    step: f64,
    count: usize,
    /// Per node, per step of metres left.
    values: Vec<f64>,
}

impl LeastToGo {
    /// Nothing where it would not hold: with the paper's arc length, whose first step depends on the place, and with actions, which end walks before their
    /// path does.
    fn new(problem: &PathProblem<'_>, known: f64) -> Option<Self> {
        let options = problem.options();
        let acts = problem.pieces().iter().any(|p| p.action.is_some());
        if acts || !options.smooth_arc {
            return None;
        }
        let graph = problem.graph();
        let length = problem.path().length();
        let most = (MOST_ENTRIES / graph.node_count().max(1)).max(2);
        let count = ((length / STEP_M).ceil() as usize + 1).min(most);
        let step = length / (count - 1).max(1) as f64;
        let edges = problem.least_of_edges(
            Progress {
                smooth: true,
                least_m: options.least_progress_m,
            },
            known.max(0.0).sqrt(),
        );
        let mut values = vec![0.0; graph.node_count() * count];
        for b in 1..count {
            let left = b as f64 * step;
            for n in graph.nodes() {
                let by = graph.out_edges(n).filter_map(|e| {
                    let least = edges[e.index()].as_ref()?;
                    let after = left - least.progress;
                    if after <= SLACK_M {
                        return Some(least.until(left - SLACK_M));
                    }
                    // Less is left than before, by one step of the table at least: edges make some progress.
                    let b = ((after - SLACK_M) / step).floor().max(0.0) as usize;
                    Some(least.cost + values[graph.to(e).index() * count + b])
                });
                let least = by.fold(f64::INFINITY, f64::min);
                values[n.index() * count + b] = least;
            }
        }
        Some(Self {
            step,
            count,
            values,
        })
    }

    #[inline]
    fn at(&self, node: NodeId, left: f64) -> f64 {
        let b = ((left - SLACK_M) / self.step).max(0.0) as usize;
        self.values[node.index() * self.count + b.min(self.count - 1)]
    }
}

/// What an edge costs at least, and how far it leads at most.
pub(crate) struct LeastOfEdge {
    pub(crate) cost: f64,
    pub(crate) progress: f64,
    /// Per frame, both up to and with it.
    pub(crate) frames: Vec<(f64, f64)>,
}

impl LeastOfEdge {
    /// What it costs until it has led so far.
    fn until(&self, metres: f64) -> f64 {
        let there = self.frames.iter().find(|f| f.1 >= metres);
        there.map_or(self.cost, |f| f.0)
    }
}

/// A path problem with exact states and a consistent estimate.
struct Exact<'a, 'g> {
    problem: &'a PathProblem<'g>,
    least: Option<LeastToGo>,
}

/// All that the objective knows of a state, by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Bits {
    world: [u64; 4],
    last: [u64; 2],
    along: [u64; 2],
    counts: [u32; 3],
    piece: (u16, bool),
    recent: [u16; 6],
}

impl GraphProblem for Exact<'_, '_> {
    type State = PathState;

    fn graph(&self) -> &MotionGraph {
        self.problem.graph()
    }

    fn node(&self, state: &PathState) -> NodeId {
        self.problem.node(state)
    }

    fn start_states(&self) -> Vec<PathState> {
        GraphProblem::start_states(self.problem)
    }

    #[inline]
    fn step(&self, from: &PathState, edge: EdgeId, ask: Ask) -> Result<Step<PathState>, DeadEnd> {
        GraphProblem::step(self.problem, from, edge, ask)
    }

    fn is_goal(&self, state: &PathState) -> bool {
        GraphProblem::is_goal(self.problem, state)
    }

    fn placement(&self, start: &PathState) -> Planar {
        self.problem.placement(start)
    }
}

impl Identity for Exact<'_, '_> {
    type Id = Bits;

    fn identity(&self, s: &PathState) -> Bits {
        Bits {
            world: s.world.map(f64::to_bits),
            last: s.last.map(f64::to_bits),
            along: [s.arc.to_bits(), s.waited.to_bits()],
            counts: [s.node.0, s.frames, s.piece_frames],
            piece: (s.piece, s.happened),
            recent: s.recent,
        }
    }
}

impl Estimate for Exact<'_, '_> {
    #[inline]
    fn estimate(&self, s: &PathState) -> f64 {
        match &self.least {
            Some(least) if !s.done => least.at(s.node, self.problem.path().length() - s.arc),
            _ => 0.0,
        }
    }

    fn consistent(&self) -> bool {
        true
    }
}

impl Explain for Exact<'_, '_> {
    fn explain(&self, dead_ends: &DeadEnds<PathState>) -> String {
        self.problem.explain(dead_ends)
    }
}

/// The beam's walk, and then ARA*: a cheaper one, or the proof that there is none, or as much of it as the budget pays for.
pub(super) fn search(
    problem: &PathProblem<'_>,
    options: &AraOptions,
    (beam, budget): (&BeamOptions, &Budget),
    control: Control<'_, BestSolution<PathState, EdgeId>>,
) -> SearchResult<PathState> {
    // The beam has what it has by default, or half of less.
    let usual = default_budget(problem.path());
    let first = Budget {
        expansions: usual.expansions.min(budget.expansions / 2),
        time: budget.time.map(|t| t / 2),
        memory: usual.memory.min(budget.memory / 2),
    };
    let known = beam_search(problem, beam, &first, control);
    let spent = std::time::Duration::from_secs_f64(known.seconds);
    let cost = known.complete.then_some(known.cost);
    let exact = Exact {
        problem,
        least: LeastToGo::new(problem, cost.unwrap_or(f64::INFINITY)),
    };
    let rest = Budget {
        expansions: budget.expansions.saturating_sub(known.expansions),
        time: budget.time.map(|t| t.saturating_sub(spent)),
        ..*budget
    };
    let show = |b: Bounded<PathState, EdgeId>| {
        if let Some(best) = control.best {
            best(b.way);
        }
    };
    let options = AraOptions {
        known: cost,
        ..*options
    };
    let watch = Control {
        cancel: control.cancel,
        progress: control.progress,
        best: control.best.is_some().then_some(&show as _),
        best_every: control.best_every,
    };
    better_of(known, ara_star(&exact, &options, &rest, watch))
}

/// The cheaper of two walks, with what was proven of both.
fn better_of(
    known: SearchResult<PathState>,
    proven: AraResult<PathState, EdgeId>,
) -> SearchResult<PathState> {
    let searches = known.searches;
    let (expansions, seconds) = (
        known.expansions + proven.found.expansions,
        known.seconds + proven.found.seconds,
    );
    let (bound, end) = (proven.found.bound, proven.found.search);
    let deterministic = known.deterministic && proven.found.deterministic;
    let whole = end == SearchEnd::Complete;
    // A walk that does not arrive: that of the beam came furthest, but that there is none only the other has seen.
    let mut out = match (proven.found.complete, known.complete) {
        (true, _) => proven.found,
        (false, true) => known,
        (false, false) => SearchResult {
            outcome: if whole {
                proven.found.outcome
            } else {
                known.outcome.clone()
            },
            ..known
        },
    };
    (out.bound, out.search, out.deterministic) = (bound, end, deterministic);
    (out.expansions, out.seconds, out.searches) = (expansions, seconds, searches);
    out
}
