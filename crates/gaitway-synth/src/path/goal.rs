//! Actions asked for, as a search sees them: which pieces play their events, and how far off each would be.
//!
//!   cost of an event = c₂ ((x′ − x)² + (z′ − z)²) + c₁ (θ′ − θ)²                        [Kovar04] section 4.2.2
//!
//! (x, z, θ) is where it is wanted, (x′, z′, θ′) where the walk so far puts it. An event further off than a metre, or 60° off a
//! heading that was asked for, is passed by: it is not the one asked for. Along a path θ is the path's direction, which is
//! only preferred.

use gaitway_core::planar::wrap_angle;
use gaitway_graph::events::{ClipEvent, events_of};
use gaitway_graph::{ClipId, EdgeId, LabelId, MotionGraph, NodeId};
use glam::DVec2;

use super::PathError;
use super::edge_paths::{Turn, apply};
use crate::SynthError;

/// c₂ where nothing else is said, per metre squared.
pub(crate) const PER_M2: f64 = 100.0;
/// c₁ where nothing else is said, per radian squared.
pub(crate) const PER_RAD2: f64 = 40.0;
/// c₁ along a path, which says where and not facing where.
pub(crate) const PER_RAD2_ALONG: f64 = 8.0;
/// An event further off is not the one asked for, metres and radians.
const PASSED_M: f64 = 1.0;
const PASSED_RAD: f64 = 1.05;
/// How far off a fair event is, where nothing is known of it yet: metres and radians.
const FAIR_M: f64 = 0.2;
const FAIR_RAD: f64 = 0.2;
/// Frames of its clip this near to an event belong to it, whatever they are labelled, seconds.
const ABOUT_S: f64 = 3.0;
/// No entry, in tables by edge and node.
const NONE: u32 = u32::MAX;

/// Which clip, or any clip of which label.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// This one, by name or a unique suffix: its first frame is what is placed.
    Clip(String),
    /// Any with this label in its frames: the event of the label is what is placed.
    Label(String),
}

/// What is to be placed, in the coordinates of its clip.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Anchor {
    at: [f64; 2],
    facing: f64,
    /// Working frames the clip goes on for after the edge that holds it.
    stays: u32,
}

/// An action asked for at a place.
pub(crate) struct ActionGoal {
    /// What may be played for it beside the style around it; `None` for a clip by name.
    pub(crate) label: Option<LabelId>,
    pub(crate) place: DVec2,
    pub(crate) heading: f64,
    pub(crate) per_m2: f64,
    pub(crate) per_rad2: f64,
    /// Further off this heading it is passed by, radians.
    pub(crate) passed_rad: f64,
    anchors: Vec<Anchor>,
    /// Per edge, the anchor it plays.
    of_edge: Vec<u32>,
    /// Per node, whether it lies about an event, whatever its labels: its lead-in, and the way out of it.
    own: Vec<bool>,
    /// Per node, the anchor that its clip comes to next.
    of_node: Vec<u32>,
}

impl ActionGoal {
    /// The events of a label, to be placed, but for some.
    pub(crate) fn of_label(
        graph: &MotionGraph,
        label: LabelId,
        (place, heading): (DVec2, f64),
        passed_over: &[(ClipId, usize)],
    ) -> Result<Self, SynthError> {
        let events = events_of(graph, &[label])?;
        let name = graph.labels().name(label).to_owned();
        let bad = |what: &str| PathError::Action {
            label: name.clone(),
            what: what.to_owned(),
        };
        if events.is_empty() {
            return Err(bad("nothing in its clips stands out from standing and walking").into());
        }
        let wanted =
            |e: &&ClipEvent| e.piece.is_some() && !passed_over.contains(&(e.clip, e.event.frame));
        let kept: Vec<&ClipEvent> = events.iter().filter(wanted).collect();
        if kept.is_empty() {
            return Err(bad("the graph kept none of its moments").into());
        }
        let mut out = Self::empty(graph, place, heading);
        out.label = Some(label);
        for event in kept {
            let Some(edge) = event.piece else { continue };
            let e = &event.event;
            out.add(
                graph,
                edge,
                [e.place.x, e.place.z],
                e.heading,
                event.working_frame,
            );
        }
        Ok(out)
    }

    /// The first frame of a clip, to be placed; whoever enters it within its first third plays it.
    pub(crate) fn of_clip(
        graph: &MotionGraph,
        name: &str,
        place: DVec2,
        heading: f64,
    ) -> Result<Self, SynthError> {
        let clip = graph
            .find_clip(name)
            .ok_or_else(|| SynthError::UnknownClip {
                clip: name.to_owned(),
            })?;
        let mut out = Self::empty(graph, place, heading);
        for n in graph.nodes_of(clip) {
            out.own[n as usize] = true;
        }
        let played = graph.clip(clip)?;
        let latest = graph.clip_info(clip).working_frames() / 3;
        if let (Some(root), Some(&faces)) = (
            played.root().first(),
            gaitway_core::ground::facing(&played).first(),
        ) {
            out.anchors.push(Anchor {
                at: [root.x, root.z],
                facing: faces,
                stays: 0,
            });
            for edge in graph.edges().filter(|&e| graph.is_transition(e)) {
                let to = graph.node(graph.to(edge));
                if to.clip == clip && to.boundary <= latest {
                    out.of_edge[edge.index()] = 0;
                }
            }
        }
        Ok(out)
    }

    fn empty(graph: &MotionGraph, place: DVec2, heading: f64) -> Self {
        Self {
            label: None,
            place,
            heading,
            per_m2: PER_M2,
            per_rad2: PER_RAD2,
            passed_rad: PASSED_RAD,
            anchors: Vec::new(),
            of_edge: vec![NONE; graph.edge_count()],
            of_node: vec![NONE; graph.node_count()],
            own: vec![false; graph.node_count()],
        }
    }

    fn add(&mut self, graph: &MotionGraph, edge: EdgeId, at: [f64; 2], facing: f64, frame: u32) {
        let node = graph.to(edge);
        let number = self.anchors.len() as u32;
        let mut last = node;
        while let Some(piece) = graph.out_edges(last).find(|&e| !graph.is_transition(e)) {
            last = graph.to(piece);
        }
        let stays = graph.node(last).boundary - graph.node(node).boundary;
        self.anchors.push(Anchor { at, facing, stays });
        // The first event of a piece is the one that is met.
        if self.of_edge[edge.index()] == NONE {
            self.of_edge[edge.index()] = number;
        }
        let clip = graph.node(node).clip;
        let about = (ABOUT_S * graph.working_rate_hz()) as u32;
        for n in graph.nodes_of(clip) {
            let near = graph.node(NodeId(n)).boundary.abs_diff(frame) <= about;
            self.own[n as usize] |= near;
        }
        // Backwards through the clip, up to the event before.
        for n in graph.nodes_of(clip).rev() {
            let (boundary, n) = (graph.node(NodeId(n)).boundary, n as usize);
            if boundary > frame {
                continue;
            }
            if self.of_node[n] != NONE {
                break;
            }
            self.of_node[n] = number;
        }
    }

    /// Whether a node lies about an event.
    pub(crate) fn is_own(&self, node: NodeId) -> bool {
        self.own[node.index()]
    }

    /// Whether an edge plays what is asked for.
    pub(crate) fn is_event(&self, edge: EdgeId) -> bool {
        self.of_edge[edge.index()] != NONE
    }

    /// What it costs that an edge plays it there, and how long the clip goes on; `None` where it is not played, or far off.
    /// `world` is that of the clip the edge ends in.
    pub(crate) fn met(&self, edge: EdgeId, world: &Turn) -> Option<(f64, u32)> {
        let anchor = self.anchors.get(self.of_edge[edge.index()] as usize)?;
        let (metres, radians) = self.error(anchor, world);
        let near = metres < PASSED_M && radians < self.passed_rad;
        near.then(|| (self.cost(metres, radians), anchor.stays))
    }

    /// What it costs that an edge plays an event of the label elsewhere: as much as one at the very limit of what counts, so that
    /// nobody sits down on the way to the seat unless there is no other way to it.
    pub(crate) fn elsewhere(&self, edge: EdgeId) -> f64 {
        match self.label {
            Some(_) if self.is_event(edge) => self.cost(PASSED_M, 0.0),
            _ => 0.0,
        }
    }

    /// How far off the edges of a walk put it, metres and radians: the last of them that plays it.
    pub(crate) fn reached(
        &self,
        edges: impl Iterator<Item = (EdgeId, Turn)>,
    ) -> Option<(f64, f64)> {
        let played = edges.filter(|(e, world)| self.met(*e, world).is_some());
        let (edge, world) = played.last()?;
        let anchor = self.anchors.get(self.of_edge[edge.index()] as usize)?;
        Some(self.error(anchor, &world))
    }

    /// Whether the clip of a node comes to an event.
    pub(crate) fn is_ahead(&self, node: NodeId) -> bool {
        self.of_node[node.index()] != NONE
    }

    /// What it would cost to play on in the clip under way up to its event; where it comes to none, what a fair one costs.
    pub(crate) fn expected(&self, node: NodeId, world: &Turn) -> f64 {
        match self.anchors.get(self.of_node[node.index()] as usize) {
            Some(anchor) => {
                let (metres, radians) = self.error(anchor, world);
                self.cost(metres.min(PASSED_M), radians.min(self.passed_rad))
            }
            None => self.cost(FAIR_M, FAIR_RAD),
        }
    }

    fn cost(&self, metres: f64, radians: f64) -> f64 {
        self.per_m2 * metres * metres + self.per_rad2 * radians * radians
    }

    fn error(&self, anchor: &Anchor, world: &Turn) -> (f64, f64) {
        let p = apply(world, anchor.at);
        let theta = world[1].atan2(world[0]);
        let off = DVec2::from_array(p).distance(self.place);
        let turned = wrap_angle(anchor.facing + theta - self.heading).abs();
        (off, turned)
    }
}
