//! Nodes and edges, and what plays along an edge.
//!
//! An edge says for itself how long it is, what it costs, what carries on what follows it, and what plays along it: nothing about
//! it is the same for all edges of a graph. Along a *piece* a clip plays as recorded. A *blend* leaves one clip and enters
//! another, both playing for as long as it lasts. A *cut* leaves a clip at a boundary and plays the other from a boundary on,
//! with what the first differed by added to it and fading: its frames are frames of the clip entered, so it takes no
//! time of its own, and it is there until nothing of the jump is left.

use gaitway_core::Planar;

use crate::model::array::Array;
use crate::{CandidateId, ClipId, EndCandidateId, LabelSet, NodeId};

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
    /// Seconds it plays.
    pub seconds: f64,
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
    /// From one clip into another (or into another place of the same).
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

/// How a transition gets from one clip into another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionKind {
    /// Both clips play, one blended into the other.
    Blend,
    /// The clip entered plays, under a displacement that fades.
    Cut,
}

/// Where a transition was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// At a candidate, from its first clip to its second or the other way.
    Candidate {
        /// The candidate.
        id: CandidateId,
        /// From its second clip to its first.
        reversed: bool,
    },
    /// Near the end of the clip left or the start of the one entered.
    End(EndCandidateId),
}

/// A transition from one clip into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// How it gets there.
    pub kind: TransitionKind,
    /// Where it was found.
    pub via: Via,
    /// The clip it leaves.
    pub from_clip: ClipId,
    /// The frame of the clip left that meets `to_frame`, at the working rate: a blend's middle, or where a cut leaves. One past
    /// the last frame where a clip is played to its end.
    pub from_frame: u32,
    /// The clip it enters.
    pub to_clip: ClipId,
    /// The frame of the clip entered: a blend's middle, or where a cut enters.
    pub to_frame: u32,
    /// Working frames it lasts.
    pub frames: u32,
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

    /// Working frames from its start to where the two frames meet: the middle of a blend, the start of a cut.
    pub fn frames_to_meeting(&self) -> u32 {
        match self.kind {
            TransitionKind::Blend => self.frames / 2,
            TransitionKind::Cut => 0,
        }
    }
}

/// How an edge is told in arrays and in the file.
pub(crate) mod kind {
    pub const PIECE: u8 = 0;
    /// A blend from a candidate's first clip to its second.
    pub const BLEND: u8 = 1;
    /// A blend the other way.
    pub const BLEND_BACK: u8 = 2;
    /// A cut from a candidate's first clip to its second.
    pub const CUT: u8 = 3;
    /// A cut the other way.
    pub const CUT_BACK: u8 = 4;
    /// A cut near an end; its candidate is in the table of ends.
    pub const END_CUT: u8 = 5;

    pub fn is_cut(kind: u8) -> bool {
        matches!(kind, CUT | CUT_BACK | END_CUT)
    }
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
    /// Working frames.
    pub lengths: Array<u32>,
    pub seconds: Array<f64>,
    /// D in m²; 0 along pieces.
    pub costs: Array<f64>,
    pub out_starts: Vec<u32>,
    pub in_starts: Vec<u32>,
    pub in_edges: Vec<u32>,
}

impl Topology {
    /// Fills in the adjacency; ends must be in range and sorted by `from`.
    pub fn index(&mut self) {
        let nodes = self.nodes.len();
        self.out_starts = row_offsets(nodes, self.ends.iter().map(|e| e[0]));
        self.in_starts = row_offsets(nodes, self.ends.iter().map(|e| e[1]));
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
pub(crate) fn row_offsets(nodes: usize, of: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; nodes + 1];
    of.for_each(|n| starts[n as usize + 1] += 1);
    for n in 0..nodes {
        starts[n + 1] += starts[n];
    }
    starts
}
