//! Random walks that look as if someone meant them.
//!
//! A walk that flips a coin at every node would leave a clip several times a second. Ours stays: for `dwell_s` after a
//! transition it takes no other, and then leaves with a chance of 1 − exp(−Δ/τ) per stretch of Δ seconds that brings it to
//! a node with transitions, τ = `mean_s`: how often it leaves does not depend on how densely the graph is cut.
//! Where the clip does not go on, it leaves at once. Which transition is drawn by weight exp(−√D / `prefer_cm`).
//! It never goes straight back: for `no_return_s` after a transition, transitions that land that near to the place it
//! left are taken only where nothing else goes on.

use gaitway_graph::inspect::label_members;
use gaitway_graph::{ClipId, EdgeId, LabelId, MotionGraph, NodeId};

use super::connect::{ConnectBy, nearest};
use super::place::{ClipTime, Spot, locate};
use super::rng::Rng;
use crate::{SynthError, Walk};

/// What a random walk should be like.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomWalk {
    /// How long; default 60 s.
    pub seconds: f64,
    /// Stay in this label's component. Other labels are gone through only to reach it from `start`.
    pub label: Option<LabelId>,
    /// Same seed, same walk.
    pub seed: u64,
    /// Where it begins; drawn by clip seconds where not given.
    pub start: Option<ClipTime>,
    /// No transition for this long after one; default 0.5 s.
    pub dwell_s: f64,
    /// Mean time to the next transition after that, where the clip goes on; default 1.5 s. With `dwell_s` a
    /// transition about every two seconds: two to four steps, as long as people go on doing one thing.
    pub mean_s: f64,
    /// A transition worse by this many centimetres is chosen e times less often; default 2. `None` for all alike.
    pub prefer_cm: Option<f64>,
    /// How long after a transition it does not go back to where it came from; default 2 s.
    pub no_return_s: f64,
}

impl Default for RandomWalk {
    fn default() -> Self {
        Self {
            seconds: 60.0,
            label: None,
            seed: 0,
            start: None,
            dwell_s: 0.5,
            mean_s: 1.5,
            prefer_cm: Some(2.0),
            no_return_s: 2.0,
        }
    }
}

impl RandomWalk {
    fn check(&self) -> Result<(), SynthError> {
        /// A day; longer ones are a slip of the keyboard.
        const LONGEST_S: f64 = 86_400.0;
        let bad = |what: String| Err(SynthError::Options { what });
        if !(self.seconds > 0.0 && self.seconds <= LONGEST_S) {
            return bad(format!("a walk of {} s is not possible", self.seconds));
        }
        let times = [self.dwell_s, self.mean_s, self.no_return_s];
        if times.iter().any(|t| t.is_nan() || *t < 0.0) {
            return bad("times of a random walk must not be negative".to_owned());
        }
        match self.prefer_cm {
            Some(cm) if cm.is_nan() || cm <= 0.0 => {
                bad(format!("cannot prefer transitions by {cm} cm"))
            }
            _ => Ok(()),
        }
    }
}

/// A random walk of at least the seconds asked for, at most a working frame longer. It never ends before: only edges
/// from which endless motion is possible are taken.
///
/// # Errors
/// When the graph has no edges, the label no component, the start is not in the graph or leads to no such
/// component, or an option is not possible.
pub fn random_walk(graph: &MotionGraph, options: &RandomWalk) -> Result<Walk, SynthError> {
    options.check()?;
    let region = Region::new(graph, options.label)?;
    let mut rng = Rng::new(options.seed);
    let mut way = WalkSoFar::begin(graph, &region, options, &mut rng)?;
    // Seconds are sums of frames over rates: a millionth is rounding, not a frame that is missing.
    while way.seconds < options.seconds - 1e-6 {
        let edge = way.draw(&region, options, &mut rng);
        way.take(edge);
    }
    way.finish(options.seconds)
}

/// Edges along which a walk may go for ever.
struct Region {
    allowed: Vec<bool>,
    nodes: Vec<bool>,
}

impl Region {
    fn new(graph: &MotionGraph, label: Option<LabelId>) -> Result<Self, SynthError> {
        if graph.edge_count() == 0 {
            return Err(SynthError::EmptyGraph);
        }
        let Some(label) = label else {
            return Self::endless(graph, |_| true).ok_or(SynthError::EmptyGraph);
        };
        let member = label_members(graph);
        let inside = |n: NodeId| member[n.index()].contains(label);
        let carries = |e: EdgeId| {
            graph.edge_labels(e).contains(label) && inside(graph.from(e)) && inside(graph.to(e))
        };
        Self::endless(graph, carries).ok_or_else(|| SynthError::NoComponent {
            label: graph
                .labels()
                .names_of(gaitway_graph::LabelSet::of(label))
                .join(""),
        })
    }

    /// Takes edges into dead ends away until none is left; `None` if nothing is.
    fn endless(graph: &MotionGraph, follow: impl Fn(EdgeId) -> bool) -> Option<Self> {
        let mut allowed: Vec<bool> = graph.edges().map(follow).collect();
        let mut ways: Vec<u32> = vec![0; graph.node_count()];
        let kept = graph.edges().filter(|e| allowed[e.index()]);
        kept.for_each(|e| ways[graph.from(e).index()] += 1);
        let mut dead: Vec<NodeId> = graph.nodes().filter(|n| ways[n.index()] == 0).collect();
        while let Some(node) = dead.pop() {
            for edge in graph.in_edges(node) {
                if std::mem::replace(&mut allowed[edge.index()], false) {
                    let from = graph.from(edge);
                    ways[from.index()] -= 1;
                    if ways[from.index()] == 0 {
                        dead.push(from);
                    }
                }
            }
        }
        let nodes: Vec<bool> = ways.iter().map(|&w| w > 0).collect();
        nodes.contains(&true).then_some(Self { allowed, nodes })
    }
}

/// A walk under way.
struct WalkSoFar<'g> {
    graph: &'g MotionGraph,
    start: NodeId,
    edges: Vec<EdgeId>,
    skip: u32,
    node: NodeId,
    seconds: f64,
    /// Seconds since the last transition.
    since: f64,
    /// Seconds of the piece that led to this node.
    stretch: f64,
    /// Where the last transition left.
    left: Option<(ClipId, f64)>,
}

impl<'g> WalkSoFar<'g> {
    fn begin(
        graph: &'g MotionGraph,
        region: &Region,
        options: &RandomWalk,
        rng: &mut Rng,
    ) -> Result<Self, SynthError> {
        let mut way = Self {
            graph,
            start: NodeId(0),
            edges: Vec::new(),
            skip: 0,
            node: NodeId(0),
            seconds: 0.0,
            since: options.dwell_s,
            stretch: 0.0,
            left: None,
        };
        let Some(place) = options.start else {
            way.start = way.draw_start(region, rng);
            way.node = way.start;
            return Ok(way);
        };
        match locate(graph, place)? {
            Spot::Node(node) => (way.start, way.node) = (node, node),
            Spot::Inside(piece, into) => {
                (way.start, way.skip) = (graph.from(piece), into);
                way.take(piece);
                let info = graph.clip_info(place.clip);
                let boundary = graph.node(way.start).boundary;
                way.seconds -= info.seconds_between(boundary, boundary + into);
            }
        }
        let found = nearest(graph, way.node, ConnectBy::Time, |n| {
            region.nodes[n.index()]
        });
        let Ok(edges) = found else {
            let label = options.label.map_or("any", |l| graph.labels().name(l));
            return Err(SynthError::NotConnected {
                from: place.name(graph),
                from_labels: place.label_words(graph),
                to: format!("the component of `{label}`"),
                to_labels: label.to_owned(),
                reason: "a bridge is missing".to_owned(),
            });
        };
        edges.into_iter().for_each(|e| way.take(e));
        Ok(way)
    }

    /// The node before a piece drawn by its seconds, or any node where there are no pieces.
    fn draw_start(&mut self, region: &Region, rng: &mut Rng) -> NodeId {
        let graph = self.graph;
        let edges = graph.edges().filter(|e| region.allowed[e.index()]);
        let pieces: Vec<EdgeId> = edges.filter(|&e| !graph.is_transition(e)).collect();
        if pieces.is_empty() {
            let at = region.nodes.iter().position(|&n| n).unwrap_or(0);
            return NodeId(at as u32);
        }
        let weights: Vec<f64> = pieces.iter().map(|&e| graph.seconds(e)).collect();
        graph.from(pieces[rng.pick(&weights)])
    }

    fn draw(&mut self, region: &Region, options: &RandomWalk, rng: &mut Rng) -> EdgeId {
        let graph = self.graph;
        let out = graph.out_edges(self.node);
        let out = out.filter(|e| region.allowed[e.index()]);
        let (transitions, pieces): (Vec<EdgeId>, Vec<EdgeId>) =
            out.partition(|&e| graph.is_transition(e));
        let piece = pieces.first().copied();
        let waited = (self.since - options.dwell_s).min(self.stretch);
        let leaves = waited >= 0.0 && rng.unit() < 1.0 - (-waited / options.mean_s).exp();
        if let Some(piece) = piece.filter(|_| !leaves) {
            return piece;
        }
        let onward = transitions.iter().copied();
        let onward: Vec<EdgeId> = onward.filter(|&e| !self.goes_back(e, options)).collect();
        match (onward.is_empty(), piece) {
            (true, Some(piece)) => piece,
            (true, None) => self.choose(&transitions, options.prefer_cm, rng),
            (false, _) => self.choose(&onward, options.prefer_cm, rng),
        }
    }

    /// Whether a transition lands near to where the last one left.
    fn goes_back(&self, edge: EdgeId, options: &RandomWalk) -> bool {
        let Some((clip, seconds)) = self.left.filter(|_| self.since < options.no_return_s) else {
            return false;
        };
        let Some(t) = self.graph.transition(edge) else {
            return false;
        };
        let lands = self.graph.clip_info(t.to_clip).seconds_at(t.to_frame);
        t.to_clip == clip && (lands - seconds).abs() < options.no_return_s
    }

    fn choose(&self, among: &[EdgeId], prefer_cm: Option<f64>, rng: &mut Rng) -> EdgeId {
        let cm = |e: &EdgeId| self.graph.transition(*e).map_or(0.0, |t| t.distance_cm());
        let least = among.iter().map(cm).fold(f64::INFINITY, f64::min);
        let weight = |e: &EdgeId| prefer_cm.map_or(1.0, |p| (-(cm(e) - least) / p).exp());
        let weights: Vec<f64> = among.iter().map(weight).collect();
        among[rng.pick(&weights)]
    }

    fn take(&mut self, edge: EdgeId) {
        let seconds = self.graph.seconds(edge);
        self.edges.push(edge);
        self.node = self.graph.to(edge);
        self.seconds += seconds;
        match self.graph.transition(edge) {
            Some(t) => {
                let info = self.graph.clip_info(t.from_clip);
                self.left = Some((t.from_clip, info.seconds_at(t.from_frame)));
                (self.since, self.stretch) = (0.0, 0.0);
            }
            None => {
                self.since += seconds;
                self.stretch = seconds;
            }
        }
    }

    /// Leaves out the working frames past the end asked for.
    fn finish(self, seconds: f64) -> Result<Walk, SynthError> {
        let over = ((self.seconds - seconds) * self.graph.working_rate_hz() + 1e-4).floor();
        let last = self
            .edges
            .last()
            .map_or(0, |&e| self.graph.working_length(e));
        let spare = if self.edges.len() == 1 {
            last - self.skip
        } else {
            last
        };
        let drop = (over.max(0.0) as u32).min(spare.saturating_sub(1));
        Walk::new(self.graph, self.start, self.edges)?.trimmed(self.graph, self.skip, drop)
    }
}
