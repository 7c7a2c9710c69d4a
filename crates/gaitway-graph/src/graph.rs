//! The motion graph: nodes are boundaries between frames, edges are pieces of clips or transitions.
//!
//! ```text
//!  clip A   ──o────────────o─────────o──►        o  node: (clip, boundary at the working rate)
//!              \          ▲                       ─  edge: frames [start, end) of a clip
//!               \ 2L+1   /                        \  edge: transition about frames (i, j): leaves A before
//!                \frames/                            frame i−L, enters B at frame j+L+1   (DESIGN 3.3)
//!  clip B   ──────o────o───────────────►
//! ```
//!
//! A graph is built once, then immutable and shared between threads.

use std::sync::Arc;

use gaitway_core::{Clip, ContactPoint, Planar, Skeleton};

use crate::array::Array;
use crate::candidates::CandidateTable;
use crate::clip_info::{ClipInfo, ContactPoints};
use crate::frames::{FrameStore, Frames};
use crate::options::BuildOptions;
use crate::thresholds::ThresholdMatrix;
use crate::{CandidateId, ClipId, EdgeId, GraphError, LabelSet, LabelTable, NodeId};

/// A node: the boundary before working frame `boundary` of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// Its clip.
    pub clip: ClipId,
    /// Boundary at the working rate, 0 before the first frame.
    pub boundary: u32,
}

/// An edge and where it leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The node it leaves.
    pub from: NodeId,
    /// The node it enters.
    pub to: NodeId,
    /// Labels that all of its frames carry.
    pub labels: LabelSet,
    /// What plays along it.
    pub kind: EdgeKind,
}

/// What plays along an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeKind {
    /// Frames of a clip as recorded.
    Piece(Piece),
    /// A blend from one clip into another (or into another place of the same).
    Transition(Transition),
}

/// Working frames [start, end) of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The clip.
    pub clip: ClipId,
    /// First boundary.
    pub start: u32,
    /// Last boundary.
    pub end: u32,
}

/// A transition about frame `from_frame` of one clip and `to_frame` of another: frames
/// `from_frame − half ..= from_frame + half` blended with `to_frame − half ..= to_frame + half`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// The candidate it was made from.
    pub candidate: CandidateId,
    /// Whether it goes from the candidate's second clip to its first.
    pub reversed: bool,
    /// The clip it leaves.
    pub from_clip: ClipId,
    /// Middle frame i in the clip it leaves, at the working rate.
    pub from_frame: u32,
    /// The clip it enters.
    pub to_clip: ClipId,
    /// Middle frame j in the clip it enters.
    pub to_frame: u32,
    /// L: frames on each side of the middle.
    pub half: u32,
    /// D in m².
    pub distance_m2: f64,
    /// Carries the entered clip, and all that follows, onto the clip left.
    pub before_from_after: Planar,
}

impl Transition {
    /// √D: RMS marker distance in centimetres.
    pub fn distance_cm(&self) -> f64 {
        self.distance_m2.sqrt() * 100.0
    }
}

/// How an edge is told in arrays and in the file.
pub(crate) mod kind {
    pub const PIECE: u8 = 0;
    pub const FORWARD: u8 = 1;
    pub const REVERSED: u8 = 2;
}

/// No candidate: the edge is a piece of a clip.
pub(crate) const NO_CANDIDATE: u32 = u32::MAX;

/// Nodes and edges as arrays; edges sorted by the node they leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Topology {
    pub nodes: Array<[u32; 2]>,
    /// From, to.
    pub ends: Array<[u32; 2]>,
    pub candidates: Array<u32>,
    pub kinds: Array<u8>,
    pub labels: Array<[u64; 2]>,
    /// θ, x, z of `before_from_after`; zeros for pieces.
    pub transforms: Array<[f64; 3]>,
    pub out_starts: Vec<u32>,
    pub in_starts: Vec<u32>,
    pub in_edges: Vec<u32>,
}

impl Topology {
    /// Fills in the adjacency; ends must be in range and sorted by `from`.
    pub fn index(&mut self) {
        let nodes = self.nodes.len();
        self.out_starts = starts(nodes, self.ends.iter().map(|e| e[0]));
        self.in_starts = starts(nodes, self.ends.iter().map(|e| e[1]));
        let mut next = self.in_starts.clone();
        self.in_edges = vec![0; self.ends.len()];
        for (edge, &[_, to]) in self.ends.iter().enumerate() {
            let at = &mut next[to as usize];
            self.in_edges[*at as usize] = edge as u32;
            *at += 1;
        }
    }
}

/// Prefix sums of counts: where each node's edges begin, one more at the end.
pub(crate) fn starts(nodes: usize, of: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; nodes + 1];
    of.for_each(|n| starts[n as usize + 1] += 1);
    for n in 0..nodes {
        starts[n + 1] += starts[n];
    }
    starts
}

/// A motion graph with everything it was built from.
#[derive(Clone, Debug)]
pub struct MotionGraph {
    pub(crate) options: BuildOptions,
    pub(crate) half: u32,
    pub(crate) thresholds: ThresholdMatrix,
    pub(crate) skeleton: Arc<Skeleton>,
    pub(crate) clips: Arc<Vec<ClipInfo>>,
    pub(crate) contact_points: Arc<Vec<ContactPoints>>,
    pub(crate) labels: Arc<LabelTable>,
    pub(crate) store: Arc<FrameStore>,
    pub(crate) candidates: CandidateTable,
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

    /// L: working frames on each side of a transition's middle.
    pub fn half_window(&self) -> u32 {
        self.half
    }

    /// The highest source rate: at which motion is assembled unless asked otherwise.
    pub fn output_rate_hz(&self) -> f64 {
        self.clips.iter().map(|c| c.rate_hz).fold(0.0, f64::max)
    }

    /// The body.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The labels there are.
    pub fn labels(&self) -> &LabelTable {
        &self.labels
    }

    /// All candidates, also those above threshold.
    pub fn candidates(&self) -> &CandidateTable {
        &self.candidates
    }

    /// Number of clips, lost ones included.
    pub fn clip_count(&self) -> usize {
        self.clips.len()
    }

    /// All clips.
    pub fn clip_ids(&self) -> impl ExactSizeIterator<Item = ClipId> + use<> {
        (0..self.clips.len() as u32).map(ClipId)
    }

    /// What is known about a clip.
    pub fn clip_info(&self, clip: ClipId) -> &ClipInfo {
        &self.clips[clip.index()]
    }

    /// The clip of this name, or with the only name that ends in it (after a `/`).
    pub fn find_clip(&self, name: &str) -> Option<ClipId> {
        let exact = self.clips.iter().position(|c| c.name == name);
        let suffix = |c: &ClipInfo| {
            c.name
                .strip_suffix(name)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let unique = || {
            let mut found = (0..self.clips.len()).filter(|&k| suffix(&self.clips[k]));
            found.next().filter(|_| found.next().is_none())
        };
        exact.or_else(unique).map(|k| ClipId(k as u32))
    }

    /// The contact points whose bits a clip's frames carry; `None` where contacts are not known.
    pub fn contact_points(&self, clip: ClipId) -> Option<&[ContactPoint]> {
        let list = self.clips[clip.index()].contact_points?;
        Some(&self.contact_points[list])
    }

    /// Read access to the frames. Frames from a file are checked against their checksum on the first call.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn frames(&self) -> Result<Frames<'_>, GraphError> {
        Frames::new(self)
    }

    /// A clip made from the frames, equal to the one the graph was built from.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn clip(&self, clip: ClipId) -> Result<Clip, GraphError> {
        self.frames()?.clip(clip)
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

    /// The first node of a clip at or after a boundary.
    pub fn node_at_or_after(&self, clip: ClipId, boundary: u32) -> Option<NodeId> {
        let at = self
            .topology
            .nodes
            .partition_point(|n| (n[0], n[1]) < (clip.0, boundary));
        let found = self.topology.nodes.get(at)?;
        (found[0] == clip.0).then_some(NodeId(at as u32))
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
        let reversed = match self.topology.kinds[e] {
            kind::PIECE => return None,
            k => k == kind::REVERSED,
        };
        let candidate = CandidateId(self.topology.candidates[e]);
        let [i, j] = self.candidates.frames[candidate.index()];
        let (from_frame, to_frame) = if reversed { (j, i) } else { (i, j) };
        let [from, to] = self.topology.ends[e];
        let [theta, x, z] = self.topology.transforms[e];
        Some(Transition {
            candidate,
            reversed,
            from_clip: ClipId(self.topology.nodes[from as usize][0]),
            from_frame,
            to_clip: ClipId(self.topology.nodes[to as usize][0]),
            to_frame,
            half: self.half,
            distance_m2: self.candidates.distances[candidate.index()],
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
        if self.is_transition(edge) {
            return 2 * self.half + 1;
        }
        let [from, to] = self.topology.ends[edge.index()];
        self.topology.nodes[to as usize][1] - self.topology.nodes[from as usize][1]
    }

    /// The source frames of an edge, in the clip of the node it leaves: those of a piece, or those a
    /// transition blends out of.
    pub fn source_range(&self, edge: EdgeId) -> (ClipId, std::ops::Range<usize>) {
        let from = self.node(self.from(edge));
        let info = self.clip_info(from.clip);
        let end = from.boundary + self.working_length(edge);
        (
            from.clip,
            info.source_boundary(from.boundary)..info.source_boundary(end),
        )
    }

    /// Seconds an edge plays: its source frames over their rate.
    pub fn seconds(&self, edge: EdgeId) -> f64 {
        let (clip, range) = self.source_range(edge);
        range.len() as f64 / self.clip_info(clip).rate_hz
    }
}
