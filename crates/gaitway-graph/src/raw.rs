//! The graph before pruning: every clip whole, every selected transition.
//!
//! Nodes are numbered by rank in a table of all boundaries, edges placed by counting; nothing is sorted by
//! comparison and nothing is allocated per edge. Cost: O(working frames + candidates).

use crate::LabelSet;
use crate::graph::{NO_CANDIDATE, kind, starts};
use crate::select::{FORWARD, Material, REVERSED};

/// Nodes and edges as arrays; edges sorted by the node they leave, pieces before transitions, transitions by
/// candidate.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawGraph {
    /// Clip, boundary.
    pub nodes: Vec<[u32; 2]>,
    pub ends: Vec<[u32; 2]>,
    pub candidates: Vec<u32>,
    pub kinds: Vec<u8>,
    pub labels: Vec<LabelSet>,
    /// Working frames.
    pub lengths: Vec<u32>,
    pub out_starts: Vec<u32>,
}

impl RawGraph {
    /// Builds the whole graph from the directions each candidate passes and the labels it then carries.
    pub fn new(material: &Material<'_>, pass: &[u8], labels: &[LabelSet]) -> Self {
        let offsets = boundary_offsets(material);
        let mut rank = mark(material, pass, &offsets);
        let mut graph = Self {
            nodes: number(material, &offsets, &mut rank),
            ..Self::default()
        };
        graph.place_edges(material, pass, labels, &offsets, &rank);
        graph
    }

    fn place_edges(
        &mut self,
        material: &Material<'_>,
        pass: &[u8],
        labels: &[LabelSet],
        offsets: &[u32],
        rank: &[u32],
    ) {
        let nodes = &self.nodes;
        let piece_from =
            (0..nodes.len().saturating_sub(1)).filter(|&n| nodes[n][0] == nodes[n + 1][0]);
        let pieces: Vec<u32> = piece_from.map(|n| n as u32).collect();
        let mut from_nodes = pieces.clone();
        for_each_transition(material, pass, offsets, |_, _, from, _| {
            from_nodes.push(rank[from as usize])
        });
        self.out_starts = starts(nodes.len(), from_nodes.iter().copied());
        let count = from_nodes.len();
        self.ends = vec![[0; 2]; count];
        self.candidates = vec![NO_CANDIDATE; count];
        self.kinds = vec![kind::PIECE; count];
        self.labels = vec![LabelSet::EMPTY; count];
        self.lengths = vec![2 * material.half + 1; count];
        let mut next = self.out_starts.clone();
        let mut take = |node: u32| {
            let at = next[node as usize] as usize;
            next[node as usize] += 1;
            at
        };
        for n in pieces {
            let ([clip, start], [_, end]) = (self.nodes[n as usize], self.nodes[n as usize + 1]);
            let at = take(n);
            self.ends[at] = [n, n + 1];
            self.labels[at] = material
                .index
                .labels(material.index.at(crate::ClipId(clip), start));
            self.lengths[at] = end - start;
        }
        for_each_transition(material, pass, offsets, |k, kind, from, to| {
            let (from, to) = (rank[from as usize], rank[to as usize]);
            let at = take(from);
            self.ends[at] = [from, to];
            self.candidates[at] = k as u32;
            self.kinds[at] = kind;
            self.labels[at] = labels[k];
        });
    }

    /// Seconds of clip frames along an edge; 0 for transitions.
    pub fn piece_seconds(&self, material: &Material<'_>, edge: usize) -> f64 {
        if self.kinds[edge] != kind::PIECE {
            return 0.0;
        }
        let [from, to] = self.ends[edge];
        let ([clip, start], [_, end]) = (self.nodes[from as usize], self.nodes[to as usize]);
        material.clips[clip as usize].seconds_between(start, end)
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.ends.len()
    }
}

/// First boundary of each clip when all are counted through.
fn boundary_offsets(material: &Material<'_>) -> Vec<u32> {
    let mut next = 0;
    let offset = |clip: &crate::ClipInfo| {
        let at = next;
        next += clip.working_frames + 1;
        at
    };
    let mut offsets: Vec<u32> = material.clips.iter().map(offset).collect();
    offsets.push(next);
    offsets
}

/// Calls with candidate, kind, and the boundaries left and entered, candidates in order, forward first.
#[inline]
fn for_each_transition(
    material: &Material<'_>,
    pass: &[u8],
    offsets: &[u32],
    mut each: impl FnMut(usize, u8, u32, u32),
) {
    let half = material.half;
    for group in material.candidates.groups() {
        let (a0, b0) = (offsets[group.a.index()], offsets[group.b.index()]);
        let range = group.start as usize..group.end as usize;
        let frames = &material.candidates.frames[range.clone()];
        for ((k, &[i, j]), &pass) in range.clone().zip(frames).zip(&pass[range]) {
            if pass & FORWARD != 0 {
                each(k, kind::FORWARD, a0 + i - half, b0 + j + half + 1);
            }
            if pass & REVERSED != 0 {
                each(k, kind::REVERSED, b0 + j - half, a0 + i + half + 1);
            }
        }
    }
}

/// 1 for each boundary that is a node: clip ends, label borders, transition ends.
fn mark(material: &Material<'_>, pass: &[u8], offsets: &[u32]) -> Vec<u32> {
    let mut marks = vec![0; *offsets.last().unwrap_or(&0) as usize];
    for (clip, &offset) in material.clips.iter().zip(offsets) {
        marks[offset as usize] = 1;
        clip.runs
            .iter()
            .for_each(|r| marks[(offset + r.end) as usize] = 1);
    }
    for_each_transition(material, pass, offsets, |_, _, from, to| {
        marks[from as usize] = 1;
        marks[to as usize] = 1;
    });
    marks
}

/// Turns marks into node numbers and lists the nodes.
fn number(material: &Material<'_>, offsets: &[u32], marks: &mut [u32]) -> Vec<[u32; 2]> {
    let mut nodes = Vec::new();
    for clip in 0..material.clips.len() {
        for at in offsets[clip]..offsets[clip + 1] {
            if marks[at as usize] != 0 {
                marks[at as usize] = nodes.len() as u32;
                nodes.push([clip as u32, at - offsets[clip]]);
            }
        }
    }
    nodes
}
