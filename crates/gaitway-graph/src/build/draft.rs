//! From selected candidates to the finished graph: build whole, prune, number anew.

use gaitway_metric::Candidate;
use rayon::prelude::*;

use crate::build::end_cuts;
use crate::build::options::{BuildOptions, Transitions};
use crate::build::prune::{Pruned, prune};
use crate::build::raw::{Picked, RawGraph};
use crate::build::select::{Material, apply_contacts, below_threshold, thin, transition_labels};
use crate::build::thresholds::ThresholdMatrix;
use crate::model::topology::{NO_CANDIDATE, Topology, kind};
use crate::{ClipId, GraphError, LabelSet, LabelTable};

/// A graph before and after pruning, for those who ask what was lost.
pub(crate) struct Draft {
    /// Directions each candidate passes by threshold alone.
    pub below: Vec<u8>,
    /// The same for candidates near ends, which have one direction.
    pub below_ends: Vec<u8>,
    pub raw: RawGraph,
    /// Clip seconds per raw edge.
    pub seconds: Vec<f64>,
    pub pruned: Pruned,
}

impl Draft {
    /// Selects, builds and prunes.
    pub fn new(
        material: &Material<'_>,
        matrix: &ThresholdMatrix,
        options: &BuildOptions,
        labels: &LabelTable,
    ) -> Result<Self, GraphError> {
        let below = below_threshold(material, matrix);
        let mut pass = below.clone();
        apply_contacts(material, options.contacts, &mut pass)?;
        if material.transitions == Transitions::Cut {
            end_cuts::forbid_fast(material, &mut pass)?;
        }
        let carried = transition_labels(material, &pass);
        let near = frames_of(options.thin_s, options.fps, "thinning")?;
        thin(material, &carried, near, &mut pass);
        let below_ends = end_cuts::below_threshold(material, matrix);
        let ends = end_cuts::select(material, &below_ends, options.contacts, near)?;
        let picked = Picked {
            pass: &pass,
            labels: &carried,
            ends: &ends,
        };
        let raw = RawGraph::new(material, &picked);
        let seconds: Vec<f64> = (0..raw.edge_count())
            .map(|e| raw.piece_seconds(material, e))
            .collect();
        let pruned = prune(
            &raw,
            labels.len(),
            labels.marks(),
            &seconds,
            frames_of(options.bridge_s, options.fps, "bridge")?,
        );
        Ok(Self {
            below,
            below_ends,
            raw,
            seconds,
            pruned,
        })
    }

    /// The kept part, numbered anew. Where nothing but a clip goes through a node, its two pieces become one.
    pub fn topology(&self, material: &Material<'_>) -> Topology {
        let (raw, keep) = (&self.raw, &self.pruned.keep);
        let stays = self.lasting_nodes();
        let mut number = vec![u32::MAX; raw.nodes.len()];
        let mut nodes = Vec::new();
        for (n, _) in stays.iter().enumerate().filter(|(_, s)| **s) {
            number[n] = nodes.len() as u32;
            nodes.push(raw.nodes[n]);
        }
        let count = keep.iter().filter(|k| **k).count();
        let mut ends = Vec::with_capacity(count);
        let mut candidates = Vec::with_capacity(count);
        let mut kinds = Vec::with_capacity(count);
        let mut labels: Vec<[u64; 2]> = Vec::with_capacity(count);
        let mut lengths = Vec::with_capacity(count);
        for e in (0..raw.edge_count()).filter(|&e| keep[e]) {
            let [from, mut to] = raw.ends[e];
            if !stays[from as usize] {
                continue;
            }
            if raw.kinds[e] == kind::PIECE {
                // Nodes of a clip follow one another, so a merged piece ends at the next node that stays.
                while !stays[to as usize] {
                    to += 1;
                }
            }
            ends.push([number[from as usize], number[to as usize]]);
            candidates.push(raw.candidates[e]);
            kinds.push(raw.kinds[e]);
            labels.push(raw.labels[e].to_words());
            lengths.push(match raw.kinds[e] {
                kind::PIECE => raw.nodes[to as usize][1] - raw.nodes[from as usize][1],
                _ => raw.lengths[e],
            });
        }
        let transforms: Vec<[f64; 3]> = candidates
            .par_iter()
            .zip(&kinds)
            .map(|(&candidate, &how)| before_from_after(material, candidate, how))
            .collect();
        let costs = candidates
            .iter()
            .zip(&kinds)
            .map(|(&candidate, &how)| match how {
                kind::PIECE => 0.0,
                kind::END_CUT => material.ends.distances[candidate as usize],
                _ => material.candidates.distances[candidate as usize],
            });
        let costs: Vec<f64> = costs.collect();
        let seconds = edge_seconds(material.clips, &nodes, &ends, &kinds, &lengths);
        let mut topology = Topology {
            nodes: nodes.into(),
            ends: ends.into(),
            candidates: candidates.into(),
            kinds: kinds.into(),
            labels: labels.into(),
            transforms: transforms.into(),
            lengths: lengths.into(),
            seconds: seconds.into(),
            costs: costs.into(),
            ..Topology::default()
        };
        topology.index();
        topology
    }

    /// Nodes with a kept edge, but for those that only carry a clip on under the same labels.
    pub fn lasting_nodes(&self) -> Vec<bool> {
        let raw = &self.raw;
        // Per node: kept edges in and out, and the labels of the pieces there.
        let mut degree = vec![(0_u32, 0_u32); raw.nodes.len()];
        let mut before = vec![LabelSet::EMPTY; raw.nodes.len()];
        let mut after = vec![LabelSet::EMPTY; raw.nodes.len()];
        let mut only_pieces = vec![true; raw.nodes.len()];
        for e in (0..raw.edge_count()).filter(|&e| self.pruned.keep[e]) {
            let [from, to] = raw.ends[e].map(|n| n as usize);
            degree[from].1 += 1;
            degree[to].0 += 1;
            if raw.kinds[e] == kind::PIECE {
                after[from] = raw.labels[e];
                before[to] = raw.labels[e];
            } else {
                only_pieces[from] = false;
                only_pieces[to] = false;
            }
        }
        let stays = |n: usize| {
            let through = only_pieces[n] && degree[n] == (1, 1) && before[n] == after[n];
            degree[n] != (0, 0) && !through
        };
        (0..raw.nodes.len()).map(stays).collect()
    }
}

/// Seconds each edge plays: frames of the clip that keeps its time (see `MotionGraph::timed_by`), over their rate.
pub(crate) fn edge_seconds(
    clips: &[crate::ClipInfo],
    nodes: &[[u32; 2]],
    ends: &[[u32; 2]],
    kinds: &[u8],
    lengths: &[u32],
) -> Vec<f64> {
    let one = |e: usize| {
        let (node, start) = match kind::is_cut(kinds[e]) {
            true => (
                nodes[ends[e][1] as usize],
                nodes[ends[e][1] as usize][1] - lengths[e],
            ),
            false => (nodes[ends[e][0] as usize], nodes[ends[e][0] as usize][1]),
        };
        clips[ClipId(node[0]).index()].seconds_between(start, start + lengths[e])
    };
    (0..ends.len()).map(one).collect()
}

/// θ, x, z that carry what follows; zeros along a clip.
fn before_from_after(material: &Material<'_>, candidate: u32, how: u8) -> [f64; 3] {
    if candidate == NO_CANDIDATE {
        return [0.0; 3];
    }
    let k = candidate as usize;
    if how == kind::END_CUT {
        return material.ends.transforms[k];
    }
    let [theta, x0, z0] = material.candidates.transforms[k];
    if matches!(how, kind::BLEND | kind::CUT) {
        return [theta, x0, z0];
    }
    let back = Candidate {
        distance_m2: 0.0,
        theta,
        x0,
        z0,
        i: 0,
        j: 0,
    }
    .reversed();
    [back.theta, back.x0, back.z0]
}

/// Seconds as whole working frames, rounded down.
pub(crate) fn frames_of(seconds: f64, fps: f64, what: &str) -> Result<u32, GraphError> {
    /// Nine hours at 30 Hz; longer is a slip.
    const MOST: f64 = 1e6;
    let frames = (seconds * fps + 1e-9).floor();
    if !(0.0..=MOST).contains(&frames) {
        return Err(GraphError::Options {
            what: format!("{seconds} s is not a possible length for {what}"),
        });
    }
    Ok(frames as u32)
}
