//! Per edge, the root's way on the ground, computed once per graph.
//!
//! A row per working frame of every edge, in the coordinates of the clip the edge leaves: place, step of arc length, and
//! what its naturalness costs whatever the walk before it was. What plays along an edge is read off its span, as assembly does at
//! the output rate, with the centered blend: costs of a search are costs of the motion, but for what another blend or planted
//! feet change.

mod measure;

use std::collections::HashMap;

use gaitway_core::Planar;
use gaitway_core::events::EventKind;
use gaitway_graph::events::events_of;
use gaitway_graph::{ClipId, EdgeId, LabelId, LabelSet, MotionGraph};

use self::measure::{Measured, ahead, body_height, climbs, measured, samples, typical_aside};
use super::manner::Manner;
use super::options::Naturalness;
use super::steer::SteeringCache;
use crate::{FeetApart, SynthError};

/// Slower than this is standing: it has no direction of travel.
pub(crate) const MOVING_M_S: f64 = 0.3;
/// Window over which sway of the root is taken out, about a stride.
pub(crate) const SWAY_S: f64 = 1.0;
/// Window over which travel and speed are measured.
pub(crate) const TRAVEL_S: f64 = 0.5;

/// A working frame of an edge.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub x: f64,
    pub z: f64,
    /// Arc length from the frame before; in row 0 only where arc length is smoothed.
    pub ds: f64,
    /// Cost of naturalness that every walk pays here.
    pub nat: f32,
    /// Cost of changing speed, paid on straight pieces.
    pub hurry: f32,
}

/// A turn and a shift as numbers ready to multiply: cos θ, sin θ, x, z.
pub(crate) type Turn = [f64; 4];

/// What is known of a node ahead of any search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeAhead {
    /// The root at the boundary's frame.
    pub at: [f64; 2],
    /// Where the clip takes it next, as a difference: in half a second, or as long as it takes to go a little way.
    pub ahead: [f64; 2],
    /// Arc length of that.
    pub ahead_s: f64,
    /// Working frames of that.
    pub ahead_frames: f64,
    /// Where the body faces.
    pub facing: f64,
}

/// What a glance at a transition needs, in one place: in a dense graph most edges get no more than that.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    /// Its last root.
    pub end: [f32; 2],
    /// Where the clip entered takes that next.
    pub ahead: [f32; 2],
    /// Arc length of the transition.
    pub length: f32,
    /// Arc length from its end to `ahead`.
    pub ahead_s: f32,
    /// Working frames of that.
    pub ahead_frames: f32,
    /// What taking it costs.
    pub nat: f32,
}

/// Ways on the ground of all edges of a graph.
pub struct EdgePaths {
    /// What they were measured with: weights, and whether without sway.
    pub(crate) made_with: (Naturalness, bool),
    pub(crate) first: Vec<u32>,
    pub(crate) rows: Vec<Row>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) is_transition: Vec<bool>,
    /// Arc length of each edge, from its first frame to its last.
    pub(crate) lengths: Vec<f64>,
    pub(crate) nodes: Vec<NodeAhead>,
    pub(crate) looks: Vec<Look>,
    /// Per row, the angle between facing and travel.
    pub(crate) aside: Vec<f32>,
    /// Per label, the angle between facing and travel that is usual in it, radians.
    pub(crate) typical_aside: Vec<f64>,
    /// Per row, m/s.
    pub(crate) speed: Vec<f32>,
    /// Per row, the root above the floor.
    pub(crate) height: Vec<f32>,
    /// Per label, how far the root climbs while it travels, metres.
    pub(crate) climbs: Vec<f64>,
    /// From the floor to the crown, metres.
    pub(crate) body_height: f64,
    /// What is played where nothing is asked for.
    pub(crate) manner: Manner,
    /// Per edge, actions that are under way in it, and for how many of its frames.
    pub(crate) acts: Vec<(LabelSet, f32)>,
    /// How well they steer, by which of them may be taken.
    pub(crate) steering: SteeringCache,
}

pub(crate) fn apply(t: &Turn, p: [f64; 2]) -> [f64; 2] {
    [
        p[0] * t[0] + p[1] * t[1] + t[2],
        -p[0] * t[1] + p[1] * t[0] + t[3],
    ]
}

/// First `inner`, then `outer`.
pub(crate) fn compose(outer: &Turn, inner: &Turn) -> Turn {
    let shift = apply(outer, [inner[2], inner[3]]);
    [
        outer[0] * inner[0] - outer[1] * inner[1],
        outer[1] * inner[0] + outer[0] * inner[1],
        shift[0],
        shift[1],
    ]
}

pub(crate) fn turn_of(p: gaitway_core::Planar) -> Turn {
    let (sin, cos) = p.theta.sin_cos();
    [cos, sin, p.x, p.z]
}

/// Per edge, the actions whose event is less than a second away, and how many of its frames are that near to one.
fn acts(graph: &MotionGraph) -> Result<Vec<(LabelSet, f32)>, SynthError> {
    /// An action is under way this long before its event and after it, seconds.
    const ABOUT_S: f64 = 0.8;
    let mut out = vec![(LabelSet::EMPTY, 0.0); graph.edge_count()];
    let labels: Vec<LabelId> = acting(graph).iter().collect();
    if labels.is_empty() {
        return Ok(out);
    }
    let about = (ABOUT_S * graph.working_rate_hz()).round() as u32;
    let mut near: HashMap<ClipId, Vec<(LabelId, u32, u32)>> = HashMap::new();
    for event in events_of(graph, &labels)? {
        let at = event.working_frame;
        let span = (event.label, at.saturating_sub(about), at + about);
        near.entry(event.clip).or_default().push(span);
    }
    for edge in graph.edges() {
        let node = graph.timed_by(edge);
        let (from, to) = (node.boundary, node.boundary + graph.working_length(edge));
        for &(label, a, b) in near.get(&node.clip).into_iter().flatten() {
            let frames = to.min(b).saturating_sub(from.max(a));
            if frames > 0 {
                let (labels, all) = &mut out[edge.index()];
                *labels = labels.union(LabelSet::of(label));
                *all += frames as f32;
            }
        }
    }
    Ok(out)
}

/// Labels that name an action.
pub(crate) fn acting(graph: &MotionGraph) -> LabelSet {
    let acts = |l: &LabelId| {
        let kind = EventKind::of_label(graph.labels().name(*l));
        kind.is_some_and(EventKind::is_act)
    };
    let all = graph.labels().ids().filter(acts);
    all.fold(LabelSet::EMPTY, |set, l| set.union(LabelSet::of(l)))
}

impl EdgePaths {
    /// Measures all edges of a graph.
    ///
    /// # Errors
    /// When the graph's frames are damaged.
    pub fn new(
        graph: &MotionGraph,
        weights: &Naturalness,
        smooth_arc: bool,
    ) -> Result<Self, SynthError> {
        let clips = measured(graph)?;
        let feet = FeetApart::new(graph);
        let mut out = Self {
            made_with: (*weights, smooth_arc),
            first: Vec::with_capacity(graph.edge_count() + 1),
            rows: Vec::new(),
            turns: Vec::with_capacity(graph.edge_count()),
            is_transition: Vec::with_capacity(graph.edge_count()),
            lengths: Vec::with_capacity(graph.edge_count()),
            nodes: graph.nodes().map(|n| ahead(graph, &clips, n)).collect(),
            looks: Vec::with_capacity(graph.edge_count()),
            aside: Vec::new(),
            typical_aside: typical_aside(graph, &clips),
            speed: Vec::new(),
            height: Vec::new(),
            climbs: climbs(graph, &clips),
            body_height: body_height(graph)?,
            manner: Manner::Measured(Vec::new()),
            acts: acts(graph)?,
            steering: SteeringCache::default(),
        };
        for edge in graph.edges() {
            out.first.push(out.rows.len() as u32);
            out.turns.push(match graph.transition(edge) {
                Some(t) => turn_of(t.before_from_after),
                None => [1.0, 0.0, 0.0, 0.0],
            });
            out.is_transition.push(graph.is_transition(edge));
            out.add(graph, &clips, edge, weights, smooth_arc);
            out.add_feet(&feet, edge, weights.feet_cm2);
            let length = out.rows[*out.first.last().unwrap_or(&0) as usize..]
                .iter()
                .map(|r| r.ds)
                .sum();
            out.lengths.push(length);
            let look = out.look(graph, edge);
            out.looks.push(look);
        }
        out.first.push(out.rows.len() as u32);
        out.manner = Manner::of(graph, &out);
        Ok(out)
    }

    /// What a glance at the edge added last needs.
    fn look(&self, graph: &MotionGraph, edge: EdgeId) -> Look {
        let rows = &self.rows[self.first[edge.index()] as usize..];
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Look::default();
        };
        let node = &self.nodes[graph.to(edge).index()];
        let turn = &self.turns[edge.index()];
        let way = apply(&[turn[0], turn[1], 0.0, 0.0], node.ahead);
        Look {
            end: [last.x as f32, last.z as f32],
            ahead: [(last.x + way[0]) as f32, (last.z + way[1]) as f32],
            length: self.lengths[edge.index()] as f32,
            ahead_s: node.ahead_s as f32,
            ahead_frames: node.ahead_frames as f32,
            nat: first.nat,
        }
    }

    pub(crate) fn rows(&self, edge: EdgeId) -> &[Row] {
        let (a, b) = (self.first[edge.index()], self.first[edge.index() + 1]);
        &self.rows[a as usize..b as usize]
    }

    /// Rows of an edge that travel at a speed or faster and face within an angle of where they go.
    fn rows_ahead(&self, edge: EdgeId, speed: f64, angle: f32) -> impl Iterator<Item = usize> {
        let (a, b) = (self.first[edge.index()], self.first[edge.index() + 1]);
        let goes = move |&k: &usize| f64::from(self.speed[k]) >= speed && self.aside[k] <= angle;
        (a as usize..b as usize).filter(goes)
    }

    /// How many of them there are.
    pub(crate) fn frames_ahead(&self, edge: EdgeId, speed: f64, angle: f32) -> f64 {
        self.rows_ahead(edge, speed, angle).count() as f64
    }

    /// How high the root is in them.
    pub(crate) fn heights_ahead(
        &self,
        edge: EdgeId,
        speed: f64,
        angle: f32,
    ) -> impl Iterator<Item = f32> {
        self.rows_ahead(edge, speed, angle).map(|k| self.height[k])
    }

    /// The part of an edge's frames that face further than an angle off their way, or whose root is higher or lower than usual
    /// by more than a part of it.
    pub(crate) fn part_outside(&self, edge: EdgeId, angle: f32, usual: f32, off_m: f32) -> f64 {
        let (a, b) = (self.first[edge.index()], self.first[edge.index() + 1]);
        let out = |k: &usize| self.aside[*k] > angle || (self.height[*k] - usual).abs() > off_m;
        let count = (a as usize..b as usize).filter(out).count();
        count as f64 / f64::from((b - a).max(1))
    }

    /// Where the root is at each working frame of some edges, the last of them played for so many frames: the way of a walk
    /// without its motion.
    pub fn ground_path(
        &self,
        world_from_start: Planar,
        edges: &[EdgeId],
        last_frames: u32,
    ) -> Vec<[f64; 2]> {
        self.way_from(turn_of(world_from_start), edges, last_frames)
    }

    pub(crate) fn way_from(
        &self,
        world: Turn,
        edges: &[EdgeId],
        last_frames: u32,
    ) -> Vec<[f64; 2]> {
        let mut out = Vec::new();
        let mut w = world;
        for (k, &edge) in edges.iter().enumerate() {
            let rows = self.rows(edge);
            let last = k + 1 == edges.len();
            let count = if last {
                last_frames as usize
            } else {
                rows.len()
            };
            out.extend(rows.iter().take(count).map(|r| apply(&w, [r.x, r.z])));
            w = compose(&w, &self.turns[edge.index()]);
        }
        out
    }

    /// What is played where no style is asked for.
    pub fn manner(&self) -> &Manner {
        &self.manner
    }

    /// From the floor to the crown, metres.
    pub fn body_height(&self) -> f64 {
        self.body_height
    }

    /// What moving feet that stand apart costs, on the first row of the edge added last.
    fn add_feet(&mut self, feet: &FeetApart<'_>, edge: EdgeId, feet_cm2: f64) {
        let begin = *self.first.last().unwrap_or(&0) as usize;
        if feet_cm2 > 0.0
            && let Some(row) = self.rows.get_mut(begin)
        {
            let cm = 100.0 * feet.metres(edge);
            row.nat += (feet_cm2 * cm * cm) as f32;
        }
    }

    fn add(
        &mut self,
        graph: &MotionGraph,
        clips: &[Option<Measured>],
        edge: EdgeId,
        weights: &Naturalness,
        smooth_arc: bool,
    ) {
        let samples = samples(graph, clips, edge);
        let dt = 1.0 / graph.working_rate_hz();
        let begin = self.rows.len();
        for (k, s) in samples.iter().enumerate() {
            let before = if k > 0 { samples[k - 1] } else { *s };
            let raw = (s.p[0] - before.p[0]).hypot(s.p[1] - before.p[1]);
            let turned = (s.aside.abs() - weights.facing_free_rad).max(0.0);
            let hurry = (s.speed - before.speed) / dt;
            self.aside.push(s.aside.abs() as f32);
            self.speed.push(s.speed as f32);
            self.height.push(s.height as f32);
            self.rows.push(Row {
                x: s.p[0],
                z: s.p[1],
                ds: if smooth_arc { s.way } else { raw },
                nat: (weights.facing * turned * turned) as f32,
                hurry: (weights.speed_change * hurry * hurry) as f32,
            });
        }
        if let (Some(t), Some(row)) = (graph.transition(edge), self.rows.get_mut(begin)) {
            let cm = t.distance_cm();
            row.nat += (weights.per_transition + weights.transition_cm2 * cm * cm) as f32;
        }
    }
}
