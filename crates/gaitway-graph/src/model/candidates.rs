//! All candidates of a graph, grouped by clip pair, so that thresholds can change without computing distances.

use gaitway_core::Planar;
use gaitway_metric::{Candidate, EndCandidate, EndPair, PairCandidates};

use crate::model::array::Array;
use crate::{CandidateId, ClipId, EndCandidateId};

/// Candidates of all clip pairs, `a <= b`, sorted by (a, b, i, j). Pairs without candidates are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateTable {
    /// Clips a and b of each group.
    pub(crate) pairs: Array<[u32; 2]>,
    /// Where each group begins; one more at the end.
    pub(crate) starts: Array<u32>,
    /// D in m².
    pub(crate) distances: Array<f64>,
    /// θ, x₀, z₀ that carry b onto a.
    pub(crate) transforms: Array<[f64; 3]>,
    /// Working frames i of a and j of b.
    pub(crate) frames: Array<[u32; 2]>,
}

/// The candidates of one clip pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateGroup {
    /// First clip.
    pub a: ClipId,
    /// Second clip, the same for a clip with itself.
    pub b: ClipId,
    /// First candidate.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl CandidateTable {
    /// Puts the rows of a search together; `clip` says which clip a row's number means, and must keep order.
    pub(crate) fn new(rows: &[PairCandidates], clip: impl Fn(usize) -> ClipId) -> Self {
        let mut order: Vec<&PairCandidates> = rows
            .iter()
            .filter(|r| !r.found.candidates.is_empty())
            .collect();
        order.sort_by_key(|r| (clip(r.a), clip(r.b)));
        let count = order.iter().map(|r| r.found.candidates.len()).sum();
        let mut starts = Vec::with_capacity(order.len() + 1);
        let mut distances = Vec::with_capacity(count);
        let mut transforms = Vec::with_capacity(count);
        let mut frames = Vec::with_capacity(count);
        starts.push(0);
        for row in &order {
            for c in &row.found.candidates {
                distances.push(c.distance_m2);
                transforms.push([c.theta, c.x0, c.z0]);
                frames.push([c.i, c.j]);
            }
            starts.push(distances.len() as u32);
        }
        Self {
            pairs: order
                .iter()
                .map(|r| [clip(r.a).0, clip(r.b).0])
                .collect::<Vec<_>>()
                .into(),
            starts: starts.into(),
            distances: distances.into(),
            transforms: transforms.into(),
            frames: frames.into(),
        }
    }

    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// The groups, sorted by (a, b).
    pub fn groups(&self) -> impl ExactSizeIterator<Item = CandidateGroup> + '_ {
        self.pairs
            .iter()
            .enumerate()
            .map(|(k, &[a, b])| CandidateGroup {
                a: ClipId(a),
                b: ClipId(b),
                start: self.starts[k],
                end: self.starts[k + 1],
            })
    }

    /// The group a candidate belongs to.
    pub fn group_of(&self, candidate: CandidateId) -> CandidateGroup {
        let k = self.starts.partition_point(|&s| s <= candidate.0) - 1;
        let [a, b] = self.pairs[k];
        CandidateGroup {
            a: ClipId(a),
            b: ClipId(b),
            start: self.starts[k],
            end: self.starts[k + 1],
        }
    }

    /// One candidate.
    pub fn get(&self, candidate: CandidateId) -> Candidate {
        let k = candidate.index();
        let ([theta, x0, z0], [i, j]) = (self.transforms[k], self.frames[k]);
        Candidate {
            distance_m2: self.distances[k],
            theta,
            x0,
            z0,
            i,
            j,
        }
    }

    /// √D of a candidate in centimetres.
    pub fn distance_cm(&self, candidate: CandidateId) -> f64 {
        self.distances[candidate.index()].sqrt() * 100.0
    }

    /// What carries the second clip onto the first.
    pub fn a_from_b(&self, candidate: CandidateId) -> Planar {
        let [theta, x, z] = self.transforms[candidate.index()];
        Planar::new(theta, x, z)
    }
}

/// Candidates for cuts near the ends of clips, and to, from and between interpolated ones: ordered pairs of clips, from and to, sorted by (from, to, i, j). Pairs without
/// any are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EndTable {
    /// The clip left and the clip entered of each group.
    pub(crate) pairs: Array<[u32; 2]>,
    /// Where each group begins; one more at the end.
    pub(crate) starts: Array<u32>,
    /// D in m² over the frames that both clips have.
    pub(crate) distances: Array<f64>,
    /// θ, x₀, z₀ that carry the clip entered onto the clip left.
    pub(crate) transforms: Array<[f64; 3]>,
    /// Working frames i of the clip left and j of the clip entered.
    pub(crate) frames: Array<[u32; 2]>,
    /// n: frames of the window that both clips have.
    pub(crate) windows: Array<u32>,
    /// Working frames that a cut there fades, 0 where the graph's options say it; empty where they say it of all. A well-connected graph has cuts
    /// of its own, anywhere in clips.
    pub(crate) fades: Array<u32>,
}

impl EndTable {
    /// No candidate.
    pub(crate) fn empty() -> Self {
        Self {
            starts: vec![0].into(),
            ..Self::default()
        }
    }

    /// Puts the rows of a search together; `clip` says which clip a row's number means, and must keep order.
    pub(crate) fn new(rows: &[EndPair], clip: impl Fn(usize) -> ClipId) -> Self {
        let mut order: Vec<&EndPair> = rows.iter().filter(|r| !r.candidates.is_empty()).collect();
        order.sort_by_key(|r| (clip(r.from), clip(r.to)));
        let all = || order.iter().flat_map(|r| &r.candidates);
        let mut starts = vec![0];
        for row in &order {
            starts.push(starts[starts.len() - 1] + row.candidates.len() as u32);
        }
        let of = |r: &&EndPair| [clip(r.from).0, clip(r.to).0];
        Self {
            pairs: order.iter().map(of).collect::<Vec<_>>().into(),
            starts: starts.into(),
            distances: all().map(|c| c.distance_m2).collect::<Vec<_>>().into(),
            transforms: all()
                .map(|c| [c.theta, c.x0, c.z0])
                .collect::<Vec<_>>()
                .into(),
            frames: all().map(|c| [c.i, c.j]).collect::<Vec<_>>().into(),
            windows: all().map(|c| c.frames).collect::<Vec<_>>().into(),
            fades: Array::default(),
        }
    }

    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// How many of them are joins of a well-connected graph, anywhere in clips.
    pub fn joins(&self) -> usize {
        self.fades.iter().filter(|f| **f > 0).count()
    }

    /// The groups, sorted by (from, to): `a` is the clip left, `b` the one entered.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = CandidateGroup> + '_ {
        let group = |(k, &[a, b]): (usize, &[u32; 2])| CandidateGroup {
            a: ClipId(a),
            b: ClipId(b),
            start: self.starts[k],
            end: self.starts[k + 1],
        };
        self.pairs.iter().enumerate().map(group)
    }

    /// The group a candidate belongs to.
    pub fn group_of(&self, candidate: EndCandidateId) -> CandidateGroup {
        let k = self.starts.partition_point(|&s| s <= candidate.0) - 1;
        let [a, b] = self.pairs[k];
        CandidateGroup {
            a: ClipId(a),
            b: ClipId(b),
            start: self.starts[k],
            end: self.starts[k + 1],
        }
    }

    /// One candidate.
    pub fn get(&self, candidate: EndCandidateId) -> EndCandidate {
        let k = candidate.index();
        let ([theta, x0, z0], [i, j]) = (self.transforms[k], self.frames[k]);
        EndCandidate {
            distance_m2: self.distances[k],
            theta,
            x0,
            z0,
            i,
            j,
            frames: self.windows[k],
        }
    }

    /// How long a cut that has its own length fades, in working frames.
    #[inline]
    pub fn own_fade(&self, k: usize) -> Option<u32> {
        self.fades.get(k).copied().filter(|&f| f > 0)
    }

    /// D as it is held against a threshold, which is stricter the fewer frames were seen: D · (2L + 1) / n.
    #[inline]
    pub(crate) fn judged_m2(&self, k: usize, half: u32) -> f64 {
        self.distances[k] * f64::from(2 * half + 1) / f64::from(self.windows[k])
    }
}
