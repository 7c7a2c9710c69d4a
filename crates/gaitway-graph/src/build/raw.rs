//! The graph before pruning: every clip whole, every selected transition.
//!
//! Nodes are numbered by rank in a table of all boundaries, edges placed by counting; nothing is sorted by
//! comparison and nothing is allocated per edge. Cost: O(working frames + candidates).

use crate::build::end_cuts::{EndCut, fade};
use crate::build::options::Transitions;
use crate::build::select::{FORWARD, Material, REVERSED};
use crate::model::topology::{NO_CANDIDATE, kind, row_offsets};
use crate::{ClipId, LabelSet};

/// Nodes and edges as arrays; edges sorted by the node they leave, pieces before transitions, transitions by
/// candidate, those near ends last.
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

/// The transitions of a graph before pruning.
pub(crate) struct Picked<'a> {
    /// The directions each candidate passes.
    pub pass: &'a [u8],
    /// The labels that blends there carry.
    pub labels: &'a [LabelSet],
    /// Cuts near the ends of clips.
    pub ends: &'a [EndCut],
}

/// A transition as it is placed.
struct PlacedTransition {
    candidate: u32,
    kind: u8,
    /// Boundaries left and entered, counted through all clips.
    from: u32,
    to: u32,
    length: u32,
    labels: LabelSet,
}

impl RawGraph {
    /// Builds the whole graph.
    pub fn new(material: &Material<'_>, picked: &Picked<'_>) -> Self {
        let offsets = boundary_offsets(material);
        let mut rank = mark(material, picked, &offsets);
        let mut graph = Self {
            nodes: number(material, &offsets, &mut rank),
            ..Self::default()
        };
        graph.place_edges(material, picked, &offsets, &rank);
        graph
    }

    fn place_edges(
        &mut self,
        material: &Material<'_>,
        picked: &Picked<'_>,
        offsets: &[u32],
        rank: &[u32],
    ) {
        let nodes = &self.nodes;
        let piece_from =
            (0..nodes.len().saturating_sub(1)).filter(|&n| nodes[n][0] == nodes[n + 1][0]);
        let pieces: Vec<u32> = piece_from.map(|n| n as u32).collect();
        let mut from_nodes = pieces.clone();
        for_each_transition(material, picked, offsets, |way| {
            from_nodes.push(rank[way.from as usize])
        });
        self.out_starts = row_offsets(nodes.len(), from_nodes.iter().copied());
        let count = from_nodes.len();
        self.ends = vec![[0; 2]; count];
        self.candidates = vec![NO_CANDIDATE; count];
        self.kinds = vec![kind::PIECE; count];
        self.labels = vec![LabelSet::EMPTY; count];
        self.lengths = vec![0; count];
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
                .labels(material.index.at(ClipId(clip), start));
            self.lengths[at] = end - start;
        }
        for_each_transition(material, picked, offsets, |way| {
            let (from, to) = (rank[way.from as usize], rank[way.to as usize]);
            let at = take(from);
            self.ends[at] = [from, to];
            self.candidates[at] = way.candidate;
            self.kinds[at] = way.kind;
            self.labels[at] = way.labels;
            self.lengths[at] = way.length;
        });
    }

    /// The clip frames an edge plays, as recorded or under a displacement: clip, first and last boundary. A blend plays none.
    #[inline]
    pub fn clip_frames(&self, edge: usize) -> Option<(ClipId, u32, u32)> {
        let [from, to] = self.ends[edge];
        let [clip, end] = self.nodes[to as usize];
        match self.kinds[edge] {
            kind::PIECE => Some((ClipId(clip), self.nodes[from as usize][1], end)),
            k if kind::is_cut(k) => Some((ClipId(clip), end - self.lengths[edge], end)),
            _ => None,
        }
    }

    /// Seconds of captured frames along an edge; 0 for transitions, and for interpolated clips, which lead from one to another and are
    /// nothing that a component could be large by.
    pub fn piece_seconds(&self, material: &Material<'_>, edge: usize) -> f64 {
        if self.kinds[edge] != kind::PIECE {
            return 0.0;
        }
        let [from, to] = self.ends[edge];
        let ([clip, start], [_, end]) = (self.nodes[from as usize], self.nodes[to as usize]);
        match &material.clips[clip as usize] {
            c if c.is_interpolated() => 0.0,
            c => c.seconds_between(start, end),
        }
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

/// Calls with each transition: candidates in order, forward first, then cuts near ends.
#[inline]
fn for_each_transition(
    material: &Material<'_>,
    picked: &Picked<'_>,
    offsets: &[u32],
    mut each: impl FnMut(PlacedTransition),
) {
    if material.transitions == Transitions::Cut {
        for_each_cut(material, picked, offsets, &mut each);
    } else {
        let half = material.half;
        for group in material.candidates.groups() {
            let (a0, b0) = (offsets[group.a.index()], offsets[group.b.index()]);
            let range = group.start as usize..group.end as usize;
            let frames = &material.candidates.frames[range.clone()];
            for ((k, &[i, j]), &pass) in range.clone().zip(frames).zip(&picked.pass[range]) {
                let blend = |kind: u8, from: u32, to: u32| PlacedTransition {
                    candidate: k as u32,
                    kind,
                    from,
                    to,
                    length: 2 * half + 1,
                    labels: picked.labels[k],
                };
                if pass & FORWARD != 0 {
                    each(blend(kind::BLEND, a0 + i - half, b0 + j + half + 1));
                }
                if pass & REVERSED != 0 {
                    each(blend(kind::BLEND_BACK, b0 + j - half, a0 + i + half + 1));
                }
            }
        }
    }
    for cut in picked.ends {
        each(PlacedTransition {
            candidate: cut.candidate,
            kind: kind::END_CUT,
            from: offsets[cut.from.index()] + cut.leaves,
            to: offsets[cut.to.index()] + cut.enters + cut.frames,
            length: cut.frames,
            labels: cut.labels,
        });
    }
}

/// Cuts at candidates, in order, forward first.
fn for_each_cut(
    material: &Material<'_>,
    picked: &Picked<'_>,
    offsets: &[u32],
    each: &mut impl FnMut(PlacedTransition),
) {
    for group in material.candidates.groups() {
        for k in group.start..group.end {
            let [i, j] = material.candidates.frames[k as usize];
            for (bit, code, from, i, to, j) in [
                (FORWARD, kind::CUT, group.a, i, group.b, j),
                (REVERSED, kind::CUT_BACK, group.b, j, group.a, i),
            ] {
                if picked.pass[k as usize] & bit == 0 {
                    continue;
                }
                let length = fade(j, material.clips[to.index()].working_frames, material.fade);
                each(PlacedTransition {
                    candidate: k,
                    kind: code,
                    from: offsets[from.index()] + i,
                    to: offsets[to.index()] + j + length,
                    length,
                    labels: material.index.stretch(material.index.at(to, j), length),
                });
            }
        }
    }
}

/// 1 for each boundary that is a node: clip ends, label borders, transition ends.
fn mark(material: &Material<'_>, picked: &Picked<'_>, offsets: &[u32]) -> Vec<u32> {
    let mut marks = vec![0; *offsets.last().unwrap_or(&0) as usize];
    for (clip, &offset) in material.clips.iter().zip(offsets) {
        marks[offset as usize] = 1;
        clip.runs
            .iter()
            .for_each(|r| marks[(offset + r.end) as usize] = 1);
    }
    for_each_transition(material, picked, offsets, |way| {
        marks[way.from as usize] = 1;
        marks[way.to as usize] = 1;
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
