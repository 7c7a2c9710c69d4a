//! Random walks that look as if someone meant them.
//!
//! A walk that flips a coin at every node would leave a clip several times a second. Ours stays: for `dwell_s` after a
//! transition it takes no other, and then leaves with a chance of 1 − exp(−Δ/τ) per stretch of Δ seconds that brings it to
//! a node with transitions, τ = `mean_s`: how often it leaves does not depend on how densely the graph is cut.
//! Where the clip does not go on, it leaves at once. Which transition is drawn by weight exp(−c / `prefer_cm`), with
//!
//!   c = √D + f + h · `recent_cm`
//!
//! in centimetres, where f is what feet that stand apart add ([`FeetApart`](crate::FeetApart)) and h how often what comes next was played lately
//! ([`recent`](super::recent)). Where the clip itself leads on to what was played more than what the best transition leads to, it is left
//! sooner, else later: the rate of leaving is multiplied by e^(h_on − h_off), within e^±1.5. Where all of it was
//! played lately more than once, it goes the cheapest way to what was not ([`escape`](super::escape)), if there is one.
//! It keeps to level ground ([`level`](super::level)).
//! It never goes straight back: for `no_return_s` after a transition, transitions that land that near to the place it
//! left are taken only where nothing else goes on.

use std::cell::{OnceCell, RefCell};

use gaitway_graph::{ClipId, EdgeId, LabelId, MotionGraph, NodeId};

use super::connect::{ConnectBy, nearest};
use super::escape::way_out;
use super::level::Level;
use super::place::{ClipTime, Spot, locate};
use super::recent::Recent;
use super::region::Region;
use super::repeats::{Repeats, repeats};
use super::rng::Rng;
use crate::{FeetApart, SynthError, Walk};

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
    /// What has been played once just now costs so many centimetres more; default 4. 0 for no memory.
    pub recent_cm: f64,
    /// How long that lasts: after so many seconds it costs e times less; default 20.
    pub memory_s: f64,
    /// Also climb what was there at capture. Labels of climbing do so without.
    pub any_height: bool,
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
            recent_cm: 4.0,
            memory_s: 20.0,
            any_height: false,
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
        let times = [
            self.dwell_s,
            self.mean_s,
            self.no_return_s,
            self.recent_cm,
            self.memory_s,
        ];
        if times.iter().any(|t| t.is_nan() || *t < 0.0) {
            return bad("times and costs of a random walk must not be negative".to_owned());
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
    Ok(Wanderer::new(graph).walk(options)?.walk)
}

/// A random walk, and what is worth saying about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wandering {
    /// The walk.
    pub walk: Walk,
    /// Seconds of clip that it may play.
    pub region_s: f64,
    /// Seconds of clip that it might play, but for being off level ground.
    pub climbing_s: f64,
    /// Whether it climbs all the same, since nothing on level ground goes on for ever.
    pub climbs: bool,
    /// How often it goes the same way round running.
    pub repeats: Repeats,
}

/// As [`random_walk`], with what is worth saying about the walk.
///
/// # Errors
/// As [`random_walk`].
pub fn wander(graph: &MotionGraph, options: &RandomWalk) -> Result<Wandering, SynthError> {
    Wanderer::new(graph).walk(options)
}

/// Draws walks in one graph; what it measures of clips and transitions is measured once.
pub(super) struct Wanderer<'g> {
    graph: &'g MotionGraph,
    feet: FeetApart<'g>,
    /// Per edge, √D and what feet apart add; NaN where nobody asked yet.
    costs: RefCell<Vec<f64>>,
    level: OnceCell<Level>,
}

impl<'g> Wanderer<'g> {
    pub fn new(graph: &'g MotionGraph) -> Self {
        Self {
            graph,
            feet: FeetApart::new(graph),
            costs: RefCell::new(vec![f64::NAN; graph.edge_count()]),
            level: OnceCell::new(),
        }
    }

    pub fn walk(&self, options: &RandomWalk) -> Result<Wandering, SynthError> {
        options.check()?;
        let region = self.region(options)?;
        let mut rng = Rng::new(options.seed);
        let mut way = WalkSoFar::begin(self, &region, options, &mut rng)?;
        // Seconds are sums of frames over rates: a millionth is rounding, not a frame that is missing.
        while way.seconds < options.seconds - 1e-6 {
            let edge = way.draw(&region, options, &mut rng);
            way.take(edge);
        }
        let walk = way.finish(options.seconds)?;
        Ok(Wandering {
            repeats: repeats(self.graph, &walk),
            walk,
            region_s: region.seconds,
            climbing_s: region.climbing_s,
            climbs: region.climbs,
        })
    }

    /// Seconds of clip that a walk may play.
    pub fn region_seconds(&self, options: &RandomWalk) -> Result<f64, SynthError> {
        Ok(self.region(options)?.seconds)
    }

    fn region(&self, options: &RandomWalk) -> Result<Region, SynthError> {
        let level = || self.level.get_or_init(|| Level::of(self.graph));
        Region::new(self.graph, options, level)
    }

    fn cost_cm(&self, edge: EdgeId) -> f64 {
        let known = self.costs.borrow()[edge.index()];
        if !known.is_nan() {
            return known;
        }
        let cm = self
            .graph
            .transition(edge)
            .map_or(0.0, |t| t.distance_cm() + self.feet.as_distance_cm(edge));
        self.costs.borrow_mut()[edge.index()] = cm;
        cm
    }
}

/// A walk under way.
struct WalkSoFar<'w, 'g> {
    graph: &'g MotionGraph,
    wanderer: &'w Wanderer<'g>,
    recent: Recent,
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
    /// Edges on the way out of what was played too often, the next one last.
    plan: Vec<EdgeId>,
    /// When no such way was found.
    stuck_since: Option<f64>,
}

/// Played more often than this lately, each time counting for less with its age, is too often.
const HOT: f64 = 1.5;
/// Played less than this is worth going to.
const COLD: f64 = 0.5;
/// Where there was no way out, it is looked for again after so many seconds: memory fades no faster.
const STUCK_S: f64 = 5.0;

impl<'w, 'g> WalkSoFar<'w, 'g> {
    fn begin(
        wanderer: &'w Wanderer<'g>,
        region: &Region,
        options: &RandomWalk,
        rng: &mut Rng,
    ) -> Result<Self, SynthError> {
        let graph = wanderer.graph;
        let memory_s = match options.recent_cm > 0.0 {
            true => options.memory_s,
            false => 0.0,
        };
        let mut way = Self {
            graph,
            wanderer,
            recent: Recent::new(graph, memory_s),
            start: NodeId(0),
            edges: Vec::new(),
            skip: 0,
            node: NodeId(0),
            seconds: 0.0,
            since: options.dwell_s,
            stretch: 0.0,
            left: None,
            plan: Vec::new(),
            stuck_since: None,
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
        if let Some(edge) = self.plan.pop() {
            return edge;
        }
        let on = piece.map(|_| self.heat_at(self.node));
        let ways = transitions.iter().map(|&e| self.heat(e));
        let coolest = ways.chain(on).fold(f64::INFINITY, f64::min);
        if coolest > HOT && self.stuck_since.is_none_or(|s| self.seconds - s > STUCK_S) {
            let found = way_out(
                graph,
                self.node,
                |e| region.allowed[e.index()],
                |e| self.wanderer.cost_cm(e),
                |n| self.heat_at(n) < COLD,
            );
            match found {
                Some(way) => self.plan = way.into_iter().rev().collect(),
                None => self.stuck_since = Some(self.seconds),
            }
            if let Some(edge) = self.plan.pop() {
                return edge;
            }
        }
        let onward = transitions.iter().copied();
        let onward: Vec<EdgeId> = onward.filter(|&e| !self.goes_back(e, options)).collect();
        let waited = (self.since - options.dwell_s).min(self.stretch);
        let urge = || self.urge(on.unwrap_or(0.0), &onward);
        let chance = || 1.0 - (-waited * urge() / options.mean_s).exp();
        let leaves = waited >= 0.0 && rng.unit() < chance();
        if let Some(piece) = piece.filter(|_| !leaves) {
            return piece;
        }
        match (onward.is_empty(), piece) {
            (true, Some(piece)) => piece,
            (true, None) => self.choose(&transitions, options, rng),
            (false, _) => self.choose(&onward, options, rng),
        }
    }

    /// How often what a transition leads to was played lately.
    fn heat(&self, edge: EdgeId) -> f64 {
        self.graph.transition(edge).map_or(0.0, |t| {
            let lands = self.graph.clip_info(t.to_clip).seconds_at(t.to_frame);
            self.recent.ahead(t.to_clip, lands, self.seconds)
        })
    }

    /// How much sooner than usual the clip is left: by how much more what it leads on to was played than what the best
    /// of some transitions leads to.
    fn urge(&self, on: f64, onward: &[EdgeId]) -> f64 {
        /// The most that it is sooner or later, as a power of e.
        const MOST: f64 = 1.5;
        let least = onward.iter().map(|&e| self.heat(e)).reduce(f64::min);
        least.map_or(1.0, |off| (on - off).clamp(-MOST, MOST).exp())
    }

    /// How often what the clip leads on to after a node was played lately.
    fn heat_at(&self, node: NodeId) -> f64 {
        let at = self.graph.node(node);
        let here = self.graph.clip_info(at.clip).seconds_at(at.boundary);
        self.recent.ahead(at.clip, here, self.seconds)
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

    fn choose(&self, among: &[EdgeId], options: &RandomWalk, rng: &mut Rng) -> EdgeId {
        let Some(prefer_cm) = options.prefer_cm else {
            return among[rng.pick(&vec![1.0; among.len()])];
        };
        let cost = |&e: &EdgeId| self.wanderer.cost_cm(e) + options.recent_cm * self.heat(e);
        let costs: Vec<f64> = among.iter().map(cost).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let weights: Vec<f64> = costs
            .iter()
            .map(|c| (-(c - least) / prefer_cm).exp())
            .collect();
        among[rng.pick(&weights)]
    }

    fn take(&mut self, edge: EdgeId) {
        let seconds = self.graph.seconds(edge);
        self.edges.push(edge);
        self.node = self.graph.to(edge);
        self.seconds += seconds;
        // What keeps the time of an edge is what is seen of it.
        let timed = self.graph.timed_by(edge);
        let from_s = self.graph.clip_info(timed.clip).seconds_at(timed.boundary);
        self.recent
            .play(timed.clip, from_s, from_s + seconds, self.seconds);
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
