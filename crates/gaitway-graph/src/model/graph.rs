//! The motion graph: nodes are boundaries between frames, edges are pieces of clips or transitions.
//!
//! ```text
//!  clip A   ──o────────────o─────────o──►        o  node: (clip, boundary at the working rate)
//!              \          ▲           ╷           ─  edge: frames [start, end) of a clip
//!               \ 2L+1   /            ╷ cut       \  edge: blend about frames (i, j): leaves A before
//!                \frames/             ▼              frame i−L, enters B at frame j+L+1   (DESIGN 3.3)
//!  clip B   ──────o────o──────────────────►      ╷  edge: cut, at the ends of clips, where no blend fits
//! ```
//!
//! Three parts: the [`Library`] of clips, the tables of candidates, and the topology made from both. A graph is built once, then
//! immutable and shared between threads.

use std::sync::Arc;

use gaitway_core::{Clip, ContactPoint, Planar, PoseSource, Skeleton};

use crate::build::options::BuildOptions;
use crate::build::thresholds::ThresholdMatrix;
use crate::model::candidates::{CandidateTable, EndTable};
use crate::model::clip_info::ClipInfo;
use crate::model::library::Library;
use crate::model::topology::{
    Edge, EdgeKind, Node, Piece, Topology, Transition, TransitionKind, Via, kind,
};
use crate::{
    CandidateId, ClipId, EdgeId, EndCandidateId, GraphError, LabelSet, LabelTable, NodeId,
};

/// A motion graph with everything it was built from.
#[derive(Clone, Debug)]
pub struct MotionGraph {
    pub(crate) options: BuildOptions,
    pub(crate) half: u32,
    pub(crate) thresholds: ThresholdMatrix,
    pub(crate) labels: Arc<LabelTable>,
    pub(crate) library: Arc<Library>,
    pub(crate) candidates: CandidateTable,
    pub(crate) ends: EndTable,
    pub(crate) topology: Topology,
}

impl MotionGraph {
    /// How it was built.
    pub fn options(&self) -> &BuildOptions {
        &self.options
    }

    /// The thresholds in use.
    pub fn thresholds(&self) -> &ThresholdMatrix {
        &self.thresholds
    }

    /// Frames a second at which nodes and distances live.
    pub fn working_rate_hz(&self) -> f64 {
        self.options.fps
    }

    /// L: working frames on each side of a candidate's middle, and so of a blend's.
    pub fn half_window(&self) -> u32 {
        self.half
    }

    /// The highest source rate: at which motion is assembled unless asked otherwise.
    pub fn output_rate_hz(&self) -> f64 {
        self.library
            .clips
            .iter()
            .map(|c| c.rate_hz)
            .fold(0.0, f64::max)
    }

    /// The body.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.library.skeleton
    }

    /// The labels there are.
    pub fn labels(&self) -> &LabelTable {
        &self.labels
    }

    /// All candidates, also those above threshold.
    pub fn candidates(&self) -> &CandidateTable {
        &self.candidates
    }

    /// All candidates for cuts near the ends of clips, also those above threshold.
    pub fn end_candidates(&self) -> &EndTable {
        &self.ends
    }

    /// Number of clips, lost ones included.
    pub fn clip_count(&self) -> usize {
        self.library.clips.len()
    }

    /// All clips.
    pub fn clip_ids(&self) -> impl ExactSizeIterator<Item = ClipId> + use<> {
        (0..self.library.clips.len() as u32).map(ClipId)
    }

    /// What is known about a clip.
    pub fn clip_info(&self, clip: ClipId) -> &ClipInfo {
        &self.library.clips[clip.index()]
    }

    /// The clip of this name, or the captured one with the only name that ends in it (after a `/`): what interpolated clips are called is
    /// made of the names of others, and nobody means them by one.
    pub fn find_clip(&self, name: &str) -> Option<ClipId> {
        let exact = self.library.clips.iter().position(|c| c.name == name);
        let suffix = |c: &ClipInfo| {
            c.name
                .strip_suffix(name)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let unique = || {
            let mut found = (0..self.captured_count()).filter(|&k| suffix(&self.library.clips[k]));
            found.next().filter(|_| found.next().is_none())
        };
        exact.or_else(unique).map(|k| ClipId(k as u32))
    }

    /// The contact points whose bits a clip's frames carry; `None` where contacts are not known.
    pub fn contact_points(&self, clip: ClipId) -> Option<&[ContactPoint]> {
        self.library.contact_points(clip)
    }

    /// How many clips are captured, or mirrored copies of such; they come before all interpolated ones.
    pub fn captured_count(&self) -> usize {
        let clips = &self.library.clips;
        clips.partition_point(|c| !c.is_interpolated())
    }

    /// Captured clips and mirrored copies: the clips users know.
    pub fn captured_ids(&self) -> impl ExactSizeIterator<Item = ClipId> + use<> {
        (0..self.captured_count() as u32).map(ClipId)
    }

    /// Whether a clip is interpolated between two others.
    pub fn is_interpolated(&self, clip: ClipId) -> bool {
        clip.index() >= self.captured_count()
    }

    /// Seconds of captured frames that an edge plays as recorded: none of transitions and of interpolated clips.
    pub fn captured_seconds(&self, edge: EdgeId) -> f64 {
        let piece = self.topology.kinds[edge.index()] == kind::PIECE;
        match piece && !self.is_interpolated(self.node(self.from(edge)).clip) {
            true => self.seconds(edge),
            false => 0.0,
        }
    }

    /// Whether an edge is a cut of a well-connected graph, with a length of its own, rather than one near the end of a clip.
    pub fn is_join(&self, edge: EdgeId) -> bool {
        let e = edge.index();
        let row = self.topology.candidates[e] as usize;
        self.topology.kinds[e] == kind::END_CUT && self.ends.own_fade(row).is_some()
    }

    /// The clips, captured and made.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// A clip as a source of poses. Frames from a file are checked against their checksum on the first call.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn source(&self, clip: ClipId) -> Result<Arc<dyn PoseSource>, GraphError> {
        self.library.source(clip)
    }

    /// A clip with all its frames, equal to the one the graph was built from.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn clip(&self, clip: ClipId) -> Result<Clip, GraphError> {
        self.library.clip(clip)
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.topology.nodes.len()
    }

    /// Number of edges, pieces and transitions together.
    pub fn edge_count(&self) -> usize {
        self.topology.ends.len()
    }

    /// Number of transitions.
    pub fn transition_count(&self) -> usize {
        self.topology
            .kinds
            .iter()
            .filter(|&&k| k != kind::PIECE)
            .count()
    }

    /// All nodes, by clip, then boundary.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.topology.nodes.len() as u32).map(NodeId)
    }

    /// All edges, by the node they leave.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeId> + use<> {
        (0..self.topology.ends.len() as u32).map(EdgeId)
    }

    /// Where a node is.
    pub fn node(&self, node: NodeId) -> Node {
        let [clip, boundary] = self.topology.nodes[node.index()];
        Node {
            clip: ClipId(clip),
            boundary,
        }
    }

    /// The nodes of a clip, by boundary.
    pub fn nodes_of(&self, clip: ClipId) -> std::ops::Range<u32> {
        let at = |c: u32| self.topology.nodes.partition_point(|n| n[0] < c) as u32;
        at(clip.0)..at(clip.0.saturating_add(1))
    }

    /// The last node of a clip at or before a boundary.
    pub fn node_at_or_before(&self, clip: ClipId, boundary: u32) -> Option<NodeId> {
        let at = self
            .topology
            .nodes
            .partition_point(|n| (n[0], n[1]) <= (clip.0, boundary))
            .checked_sub(1)?;
        (self.topology.nodes[at][0] == clip.0).then_some(NodeId(at as u32))
    }

    /// An edge with all that is known of it.
    pub fn edge(&self, edge: EdgeId) -> Edge {
        let [from, to] = self.topology.ends[edge.index()];
        Edge {
            from: NodeId(from),
            to: NodeId(to),
            seconds: self.seconds(edge),
            labels: self.edge_labels(edge),
            kind: match self.transition(edge) {
                Some(transition) => EdgeKind::Transition(transition),
                None => EdgeKind::Piece(Piece {
                    clip: self.node(NodeId(from)).clip,
                    start: self.node(NodeId(from)).boundary,
                    end: self.node(NodeId(to)).boundary,
                }),
            },
        }
    }

    /// The node an edge leaves.
    pub fn from(&self, edge: EdgeId) -> NodeId {
        NodeId(self.topology.ends[edge.index()][0])
    }

    /// The node an edge enters.
    pub fn to(&self, edge: EdgeId) -> NodeId {
        NodeId(self.topology.ends[edge.index()][1])
    }

    /// Labels that all of an edge's frames carry.
    pub fn edge_labels(&self, edge: EdgeId) -> LabelSet {
        LabelSet::from_words(self.topology.labels[edge.index()])
    }

    /// Whether an edge is a transition.
    pub fn is_transition(&self, edge: EdgeId) -> bool {
        self.topology.kinds[edge.index()] != kind::PIECE
    }

    /// The transition along an edge; `None` for a piece of a clip.
    pub fn transition(&self, edge: EdgeId) -> Option<Transition> {
        let e = edge.index();
        let code = self.topology.kinds[e];
        let number = self.topology.candidates[e];
        let via = match code {
            kind::PIECE => return None,
            kind::END_CUT => Via::End(EndCandidateId(number)),
            _ => Via::Candidate {
                id: CandidateId(number),
                reversed: matches!(code, kind::BLEND_BACK | kind::CUT_BACK),
            },
        };
        let [from, to] = self.topology.ends[e].map(|n| self.topology.nodes[n as usize]);
        let frames = self.topology.lengths[e];
        // A blend is told by its middle, a cut by where it leaves and enters; both end at their node.
        let (kind, into) = match kind::is_cut(code) {
            true => (TransitionKind::Cut, 0),
            false => (TransitionKind::Blend, frames / 2),
        };
        let [theta, x, z] = self.topology.transforms[e];
        Some(Transition {
            kind,
            via,
            from_clip: ClipId(from[0]),
            from_frame: from[1] + into,
            to_clip: ClipId(to[0]),
            to_frame: to[1] - frames + into,
            frames,
            distance_m2: self.topology.costs[e],
            before_from_after: Planar::new(theta, x, z),
        })
    }

    /// Edges that leave a node: a range of ids.
    pub fn out_edges(
        &self,
        node: NodeId,
    ) -> impl ExactSizeIterator<Item = EdgeId> + DoubleEndedIterator + use<> {
        let starts = &self.topology.out_starts;
        (starts[node.index()]..starts[node.index() + 1]).map(EdgeId)
    }

    /// Edges that enter a node, by id.
    pub fn in_edges(
        &self,
        node: NodeId,
    ) -> impl ExactSizeIterator<Item = EdgeId> + DoubleEndedIterator + '_ {
        let starts = &self.topology.in_starts;
        let range = starts[node.index()] as usize..starts[node.index() + 1] as usize;
        self.topology.in_edges[range].iter().map(|&e| EdgeId(e))
    }

    /// Working frames along an edge.
    pub fn working_length(&self, edge: EdgeId) -> u32 {
        self.topology.lengths[edge.index()]
    }

    /// The clip that keeps time along an edge, and its boundary at the edge's start: that of a piece, the one a blend leaves, the
    /// one a cut enters.
    pub fn timed_by(&self, edge: EdgeId) -> Node {
        let e = edge.index();
        let [from, to] = self.topology.ends[e];
        if kind::is_cut(self.topology.kinds[e]) {
            let node = self.node(NodeId(to));
            return Node {
                boundary: node.boundary - self.topology.lengths[e],
                ..node
            };
        }
        self.node(NodeId(from))
    }

    /// The source frames by which an edge is timed: see [`MotionGraph::timed_by`].
    pub fn source_range(&self, edge: EdgeId) -> (ClipId, std::ops::Range<usize>) {
        let node = self.timed_by(edge);
        let info = self.clip_info(node.clip);
        let end = node.boundary + self.working_length(edge);
        (
            node.clip,
            info.source_boundary(node.boundary)..info.source_boundary(end),
        )
    }

    /// The clips that play along an edge and their working frames: one, or the two that are blended.
    pub fn played(
        &self,
        edge: EdgeId,
    ) -> impl Iterator<Item = (ClipId, std::ops::Range<u32>)> + use<> {
        let e = edge.index();
        let length = self.topology.lengths[e];
        let [from, to] = self.topology.ends[e].map(|n| self.topology.nodes[n as usize]);
        let left = (ClipId(from[0]), from[1]..from[1] + length);
        let entered = (ClipId(to[0]), to[1] - length..to[1]);
        let code = self.topology.kinds[e];
        let left = (!kind::is_cut(code)).then_some(left);
        let entered = (code != kind::PIECE).then_some(entered);
        [left, entered].into_iter().flatten()
    }

    /// Seconds an edge plays.
    pub fn seconds(&self, edge: EdgeId) -> f64 {
        self.topology.seconds[edge.index()]
    }
}
