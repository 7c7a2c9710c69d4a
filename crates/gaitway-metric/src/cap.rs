//! Keeping the best candidates of every part of the grid when there are too many.
//!
//! With a cap of N, the largest k is taken for which Σ_blocks min(candidates of the block, k) ≤ N, and each block of
//! [`BLOCK`] × [`BLOCK`] frames of each clip pair keeps its k best. The rule looks only at the final counts, so
//! the result does not depend on the order of work: a k found from part of the blocks can only fall as more come in,
//! and thinning early by it loses nothing that the final k would keep.

use crate::candidate::{Candidate, CandidateList};
use std::collections::BTreeMap;

/// Frames of a block's side: about ten seconds at the working rate.
pub(crate) const BLOCK: u32 = 256;

/// Candidates of one clip pair under way, bounded by the cap.
pub(crate) struct Keeper {
    cap: usize,
    kept: Vec<Candidate>,
    dropped: u64,
    /// Candidates ever seen per block.
    counts: BTreeMap<(u32, u32), usize>,
}

fn block(c: &Candidate) -> (u32, u32) {
    (c.i / BLOCK, c.j / BLOCK)
}

/// The largest k with Σ min(count, k) ≤ cap.
pub(crate) fn quota(counts: impl Iterator<Item = usize> + Clone, cap: usize) -> usize {
    let total = |k: usize| -> usize { counts.clone().map(|c| c.min(k)).sum() };
    let (mut low, mut high) = (0, counts.clone().max().unwrap_or(0));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if total(middle) <= cap {
            low = middle
        } else {
            high = middle - 1
        }
    }
    low
}

/// Keeps the `k` best of each block (ties: first by frames); returns how many went.
pub(crate) fn thin(candidates: &mut Vec<Candidate>, k: usize) -> u64 {
    let before = candidates.len();
    candidates.sort_unstable_by(|a, b| {
        block(a)
            .cmp(&block(b))
            .then(a.distance_m2.total_cmp(&b.distance_m2))
            .then((a.i, a.j).cmp(&(b.i, b.j)))
    });
    let (mut now, mut taken) = (None, 0);
    candidates.retain(|c| {
        if now != Some(block(c)) {
            (now, taken) = (Some(block(c)), 0);
        }
        taken += 1;
        taken <= k
    });
    (before - candidates.len()) as u64
}

/// Candidates per block of one clip pair.
pub(crate) fn block_counts(candidates: &[Candidate]) -> Vec<usize> {
    let mut counts = BTreeMap::new();
    candidates
        .iter()
        .for_each(|c| *counts.entry(block(c)).or_insert(0) += 1);
    counts.into_values().collect()
}

impl Keeper {
    pub(crate) fn new(cap: usize) -> Self {
        Self {
            cap,
            kept: Vec::new(),
            dropped: 0,
            counts: BTreeMap::new(),
        }
    }

    pub(crate) fn add(&mut self, found: Vec<Candidate>) {
        found
            .iter()
            .for_each(|c| *self.counts.entry(block(c)).or_insert(0) += 1);
        self.kept.extend(found);
        if self.kept.len() > self.cap.saturating_add(self.cap / 4) {
            self.thin();
        }
    }

    fn thin(&mut self) {
        self.dropped += thin(
            &mut self.kept,
            quota(self.counts.values().copied(), self.cap),
        );
    }

    /// The candidates in order of frames, how many were dropped, and how many each block had.
    pub(crate) fn finish(mut self) -> (Vec<Candidate>, u64, Vec<usize>) {
        if self.kept.len() > self.cap || self.dropped > 0 {
            self.thin();
        }
        self.kept.sort_unstable_by_key(|c| (c.i, c.j));
        self.kept.shrink_to_fit();
        (self.kept, self.dropped, self.counts.into_values().collect())
    }
}

/// The candidates of all clip pairs under way, bounded by the cap.
pub(crate) struct Pool {
    cap: usize,
    rows: Vec<Option<CandidateList>>,
    kept: usize,
    counts: Vec<usize>,
}

impl Pool {
    pub(crate) fn new(cap: usize, pairs: usize) -> Self {
        Self {
            cap,
            rows: vec![None; pairs],
            kept: 0,
            counts: Vec::new(),
        }
    }

    /// Takes what clip pair number `row` found, and how many candidates its blocks had.
    pub(crate) fn add(&mut self, row: usize, found: CandidateList, counts: Vec<usize>) {
        self.kept += found.candidates.len();
        self.counts.extend(counts);
        self.rows[row] = Some(found);
        if self.kept > self.cap.saturating_add(self.cap / 4) {
            self.thin();
        }
    }

    fn thin(&mut self) {
        let k = quota(self.counts.iter().copied(), self.cap);
        for found in self.rows.iter_mut().flatten() {
            found.dropped += thin(&mut found.candidates, k);
            found.candidates.sort_unstable_by_key(|c| (c.i, c.j));
            found.candidates.shrink_to_fit();
        }
        self.kept = self.rows.iter().flatten().map(|f| f.candidates.len()).sum();
    }

    /// What all pairs found, or none if one is missing.
    pub(crate) fn finish(mut self) -> Option<Vec<CandidateList>> {
        if self.counts.iter().sum::<usize>() > self.cap {
            self.thin();
        }
        self.rows.into_iter().collect()
    }
}
