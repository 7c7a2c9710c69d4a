//! From selected candidates to the finished graph: build whole, prune, number anew.

use gaitway_metric::Candidate;
use rayon::prelude::*;

use crate::graph::{NO_CANDIDATE, Topology, kind};
use crate::options::BuildOptions;
use crate::prune::{Pruned, prune};
use crate::raw::RawGraph;
use crate::select::{Material, apply_contacts, below_threshold, thin, transition_labels};
use crate::thresholds::ThresholdMatrix;
use crate::{GraphError, LabelSet};

/// A graph before and after pruning, for those who ask what was lost.
pub(crate) struct Cut {
    /// Directions each candidate passes by threshold alone.
    pub below: Vec<u8>,
    pub raw: RawGraph,
    /// Clip seconds per raw edge.
    pub seconds: Vec<f64>,
    pub pruned: Pruned,
}

impl Cut {
    /// Selects, builds and prunes.
    pub fn new(
        material: &Material<'_>,
        matrix: &ThresholdMatrix,
        options: &BuildOptions,
        labels: usize,
    ) -> Result<Self, GraphError> {
        let below = below_threshold(material, matrix);
        let mut pass = below.clone();
        apply_contacts(material, options.contacts, &mut pass);
        let carried = transition_labels(material, &pass);
        thin(
            material,
            &carried,
            frames_of(options.thin_s, options.fps, "thinning")?,
            &mut pass,
        );
        let raw = RawGraph::new(material, &pass, &carried);
        let seconds: Vec<f64> = (0..raw.edge_count())
            .map(|e| raw.piece_seconds(material, e))
            .collect();
        let pruned = prune(
            &raw,
            labels,
            &seconds,
            frames_of(options.bridge_s, options.fps, "bridge")?,
        );
        Ok(Self {
            below,
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
        }
        let transforms: Vec<[f64; 3]> = candidates
            .par_iter()
            .zip(&kinds)
            .map(|(&candidate, &how)| before_from_after(material, candidate, how))
            .collect();
        let mut topology = Topology {
            nodes: nodes.into(),
            ends: ends.into(),
            candidates: candidates.into(),
            kinds: kinds.into(),
            labels: labels.into(),
            transforms: transforms.into(),
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

/// θ, x, z that carry what follows; zeros along a clip.
fn before_from_after(material: &Material<'_>, candidate: u32, how: u8) -> [f64; 3] {
    if candidate == NO_CANDIDATE {
        return [0.0; 3];
    }
    let k = candidate as usize;
    let [theta, x0, z0] = material.candidates.transforms[k];
    if how == kind::FORWARD {
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
