//! Cycles of the graph that can be played for ever.
//!
//! The best cycle is the one with the least cost per second, Σ √D of its transitions and what feet that stand apart add
//! ([`FeetApart`]), among cycles of at most a few transitions whose duration lies
//! in a range. Its best transition e₀ is taken as the one that closes it, so each cycle is looked at once: from where e₀
//! arrives, along clips and over transitions no better than e₀, back to where e₀ leaves. Pieces of one clip that follow
//! each other are one *run*; whether a run leads back is a comparison, so a search looks at transitions only:
//! O(T) for one, O(T·t) for two, O(T·t²) for three, with T transitions in all and t within reach. Candidates for e₀ come
//! best first, and (cost so far + √D₀) / longest ≥ best so far cuts branches: exact, since cost per second can only be
//! worse. Few transitions are tried before many, so the cut is sharp when it is needed. A budget of expansions
//! bounds the rest; the result says whether it was enough.

use gaitway_core::Planar;
use gaitway_graph::{ClipId, EdgeId, LabelId, MotionGraph, NodeId};

use super::pace::Pace;
use super::place::piece_from;
use crate::{FeetApart, SynthError, Walk};

/// A loop that turns by less than this once round goes straight, in radians (10°): taken out over a second or more, such a turn
/// moves feet by less than a few centimetres.
pub const STRAIGHT_RAD: f64 = 0.175;

/// Which part of the graph a loop may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopScope {
    /// All of it.
    #[default]
    Graph,
    /// One clip and transitions within it.
    Clip(ClipId),
    /// Edges all of whose frames carry a label.
    Label(LabelId),
}

/// What a loop should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopOptions {
    /// Which part of the graph it may use.
    pub within: LoopScope,
    /// Shortest, in seconds; default 1, a walking cycle.
    pub min_s: f64,
    /// Longest; default 10.
    pub max_s: f64,
    /// Most transitions in the cycle; default 3.
    pub max_transitions: usize,
    /// The most it may turn once round, either way, in radians; default: any. [`STRAIGHT_RAD`] for loops on the spot.
    pub max_turn_rad: Option<f64>,
    /// The least part of the usual speed of what it may use that it must go at, so that a loop of walking walks; default 0.5, 0 for
    /// any. The usual speed is the median over all frames.
    pub least_pace: f64,
    /// The least part of the way it walks by which it must get on, so that it does not go round or out and back; default 0, any.
    pub least_straight: f64,
    /// Most transitions looked at; default 20 million, a few seconds.
    pub budget: u64,
}

impl Default for LoopOptions {
    fn default() -> Self {
        Self {
            within: LoopScope::Graph,
            min_s: 1.0,
            max_s: 10.0,
            max_transitions: 3,
            max_turn_rad: None,
            least_pace: 0.5,
            least_straight: 0.0,
            budget: 20_000_000,
        }
    }
}

/// A walk that ends where it began, but for a planar motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The cycle, once round; its last edge is its best transition.
    pub walk: Walk,
    /// Seconds once round.
    pub seconds: f64,
    /// Σ √D of its transitions.
    pub distance_cm: f64,
    /// How the body has moved and turned after each round: the next round is the first one moved by this.
    pub net: Planar,
    /// How far it has moved, metres.
    pub travel_m: f64,
    /// Transitions looked at.
    pub expansions: u64,
    /// Whether the search saw everything, so that no better loop of these options exists.
    pub complete: bool,
}

/// The best loop in a part of the graph.
///
/// # Errors
/// When there is none, or the options are not possible.
pub fn find_loop(graph: &MotionGraph, options: &LoopOptions) -> Result<Loop, SynthError> {
    if !(options.min_s >= 0.0 && options.max_s >= options.min_s && options.max_s.is_finite()) {
        let what = format!(
            "a loop of {} to {} s is not possible",
            options.min_s, options.max_s
        );
        return Err(SynthError::Options { what });
    }
    let mut search = Search::new(graph, options);
    // Few transitions first: the bound is then sharp when there are many ways.
    for more in 0..options.max_transitions.max(1) {
        search.close_each(more);
    }
    let Some(best) = search.best.take() else {
        return Err(no_loop(graph, options, search.transitions.len()));
    };
    let walk = search.walk_of(&best)?;
    let net = net_of(graph, best.transitions.iter().copied());
    let start = graph.node(walk.start);
    let start = search.pace.place(start.clip, start.boundary);
    Ok(Loop {
        travel_m: start.distance(net.apply_ground(start)),
        seconds: walk.seconds(graph),
        distance_cm: walk.distance_cm(graph),
        walk,
        net,
        expansions: search.expansions,
        complete: search.expansions < options.budget,
    })
}

/// How far a body has moved and turned after some transitions.
fn net_of(graph: &MotionGraph, transitions: impl Iterator<Item = EdgeId>) -> Planar {
    let steps = transitions.filter_map(|e| graph.transition(e));
    steps.fold(Planar::IDENTITY, |n, t| n.compose(t.before_from_after))
}

fn no_loop(graph: &MotionGraph, options: &LoopOptions, transitions: usize) -> SynthError {
    let within = match options.within {
        LoopScope::Graph => "the graph".to_owned(),
        LoopScope::Clip(c) => format!("clip `{}`", graph.clip_info(c).name()),
        LoopScope::Label(l) => format!("label `{}`", graph.labels().name(l)),
    };
    SynthError::NoLoop {
        within,
        min_s: options.min_s,
        max_s: options.max_s,
        hint: if transitions == 0 {
            "there is no transition in it: raise the threshold or use more clips".to_owned()
        } else {
            let mut what = format!("its {transitions} transitions close none of that length");
            if let Some(rad) = options.max_turn_rad {
                let most = rad.to_degrees();
                what.push_str(&format!(" that turns by less than {most:.0}°"));
            }
            what
        },
    }
}

/// A cycle found.
struct Cycle {
    /// Its transitions in order; the last closes it.
    transitions: Vec<EdgeId>,
    cost_per_s: f64,
}

/// The transition that closes the cycle under way.
#[derive(Clone, Copy)]
struct Closing {
    edge: EdgeId,
    cm: f64,
    seconds: f64,
    leaves: NodeId,
}

struct Search<'g> {
    graph: &'g MotionGraph,
    options: LoopOptions,
    allowed: Vec<bool>,
    /// Transitions with their cost in centimetres and their seconds, best first.
    transitions: Vec<(EdgeId, f64, f64)>,
    /// Place of each transition in that list.
    rank: Vec<u32>,
    /// The node a run goes on to.
    next: Vec<Option<NodeId>>,
    run: Vec<u32>,
    /// Seconds from the clip's start.
    at_s: Vec<f64>,
    pace: Pace,
    /// Slower loops are not taken, m/s.
    least_m_s: f64,
    best: Option<Cycle>,
    expansions: u64,
}

impl<'g> Search<'g> {
    fn new(graph: &'g MotionGraph, options: &LoopOptions) -> Self {
        let clip_of = |n: NodeId| graph.node(n).clip;
        let allow = |e: EdgeId| match options.within {
            LoopScope::Graph => true,
            LoopScope::Clip(c) => clip_of(graph.from(e)) == c && clip_of(graph.to(e)) == c,
            LoopScope::Label(l) => graph.edge_labels(e).contains(l),
        };
        let allowed: Vec<bool> = graph.edges().map(allow).collect();
        let kept = graph.edges().filter(|e| allowed[e.index()]);
        let feet = FeetApart::new(graph);
        let measured = kept.filter_map(|e| {
            let t = graph.transition(e)?;
            let cm = t.distance_cm() + feet.as_distance_cm(e);
            Some((e, cm, graph.seconds(e)))
        });
        let mut transitions: Vec<(EdgeId, f64, f64)> = measured.collect();
        transitions.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let mut rank = vec![u32::MAX; graph.edge_count()];
        for (k, t) in transitions.iter().enumerate() {
            rank[t.0.index()] = k as u32;
        }
        let mut next = vec![None; graph.node_count()];
        let mut run: Vec<u32> = (0..graph.node_count() as u32).collect();
        // Nodes are sorted along each clip: a run's number reaches a node before the node hands it on.
        for node in graph.nodes() {
            let piece = piece_from(graph, node).filter(|e| allowed[e.index()]);
            if let Some(piece) = piece {
                let to = graph.to(piece);
                next[node.index()] = Some(to);
                run[to.index()] = run[node.index()];
            }
        }
        let at = |n: NodeId| {
            graph
                .clip_info(clip_of(n))
                .seconds_at(graph.node(n).boundary)
        };
        let pace = Pace::of(graph);
        let pieces = graph
            .edges()
            .filter(|&e| allowed[e.index()] && !graph.is_transition(e));
        let least_m_s = options.least_pace * pace.usual(graph, pieces);
        Self {
            graph,
            options: *options,
            pace,
            least_m_s,
            allowed,
            transitions,
            rank,
            next,
            run,
            at_s: graph.nodes().map(at).collect(),
            best: None,
            expansions: 0,
        }
    }

    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |b| b.cost_per_s)
    }

    /// Tries every transition as the one that closes a cycle with `more` others.
    fn close_each(&mut self, more: usize) {
        let mut path = Vec::with_capacity(more + 1);
        for k in 0..self.transitions.len() {
            let (edge, cm, seconds) = self.transitions[k];
            // All transitions of the cycle cost at least this one's.
            if cm * (more + 1) as f64 / self.options.max_s >= self.limit() {
                break;
            }
            let leaves = self.graph.from(edge);
            let closing = Closing {
                edge,
                cm,
                seconds,
                leaves,
            };
            self.extend(&closing, self.graph.to(edge), 0.0, 0.0, more, &mut path);
            if self.expansions >= self.options.budget {
                break;
            }
        }
    }

    /// From a node, `elapsed` seconds and `cost` after the closing transition, with `more` transitions to take.
    fn extend(
        &mut self,
        closing: &Closing,
        node: NodeId,
        elapsed: f64,
        cost: f64,
        more: usize,
        path: &mut Vec<EdgeId>,
    ) {
        if more == 0 {
            self.close(closing, node, elapsed, cost, path);
            return;
        }
        let floor = self.rank[closing.edge.index()];
        let mut at = Some(node);
        while let Some(here) = at {
            let now = elapsed + self.at_s[here.index()] - self.at_s[node.index()];
            if now + closing.seconds > self.options.max_s {
                return;
            }
            for edge in self.graph.out_edges(here) {
                let rank = self.rank[edge.index()];
                if !self.allowed[edge.index()] || rank == u32::MAX || rank <= floor {
                    continue;
                }
                let (_, cm, seconds) = self.transitions[rank as usize];
                if (cost + cm + closing.cm) / self.options.max_s >= self.limit() {
                    continue;
                }
                self.expansions += 1;
                if self.expansions >= self.options.budget {
                    return;
                }
                path.push(edge);
                let to = self.graph.to(edge);
                self.extend(closing, to, now + seconds, cost + cm, more - 1, path);
                path.pop();
            }
            at = self.next[here.index()];
        }
    }

    fn close(&mut self, closing: &Closing, node: NodeId, elapsed: f64, cost: f64, path: &[EdgeId]) {
        let (here, goal) = (node.index(), closing.leaves.index());
        if self.run[here] != self.run[goal] || self.at_s[here] > self.at_s[goal] {
            return;
        }
        let seconds = elapsed + self.at_s[goal] - self.at_s[here] + closing.seconds;
        // A millionth of a second is rounding, not length.
        let range = self.options.min_s - 1e-6..=self.options.max_s + 1e-6;
        let cost_per_s = (cost + closing.cm) / seconds;
        if range.contains(&seconds)
            && cost_per_s < self.limit()
            && self.turns_little(path, closing)
            && self.gets_on(path, closing, seconds)
        {
            let transitions = path.iter().copied().chain([closing.edge]).collect();
            self.best = Some(Cycle {
                transitions,
                cost_per_s,
            });
        }
    }

    fn turns_little(&self, path: &[EdgeId], closing: &Closing) -> bool {
        let Some(most) = self.options.max_turn_rad else {
            return true;
        };
        let net = net_of(self.graph, path.iter().copied().chain([closing.edge]));
        gaitway_core::planar::wrap_angle(net.theta).abs() <= most
    }

    /// Whether the body gets on as fast as it must.
    fn gets_on(&self, path: &[EdgeId], closing: &Closing, seconds: f64) -> bool {
        let mut metres = 0.0;
        let mut at = self.graph.node(self.graph.to(closing.edge));
        for &edge in path.iter().chain([&closing.edge]) {
            let leaves = self.graph.node(self.graph.from(edge));
            metres += self.pace.metres(at.clip, at.boundary, leaves.boundary);
            metres += self.pace.along(self.graph, edge);
            at = self.graph.node(self.graph.to(edge));
        }
        let start = self.graph.node(self.graph.to(closing.edge));
        let start = self.pace.place(start.clip, start.boundary);
        let net = net_of(self.graph, path.iter().copied().chain([closing.edge]));
        let straight = start.distance(net.apply_ground(start));
        metres >= self.least_m_s * seconds && straight >= self.options.least_straight * metres
    }

    /// The cycle with the pieces between its transitions.
    fn walk_of(&self, cycle: &Cycle) -> Result<Walk, SynthError> {
        let start = cycle
            .transitions
            .last()
            .map_or(NodeId(0), |&e| self.graph.to(e));
        let mut edges = Vec::new();
        let mut node = start;
        for &transition in &cycle.transitions {
            while node != self.graph.from(transition) {
                let Some(piece) = piece_from(self.graph, node) else {
                    break;
                };
                edges.push(piece);
                node = self.graph.to(piece);
            }
            edges.push(transition);
            node = self.graph.to(transition);
        }
        Walk::new(self.graph, start, edges)
    }
}
