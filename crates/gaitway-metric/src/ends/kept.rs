//! The candidates found so far, bounded by the cap.
//!
//! With a cap of N, the largest k is taken for which Σ min(candidates of an ordered pair of clips, k) ≤ N, and each
//! keeps its k best. As in [`crate::cap`], a k found from part of the work can only fall as more comes in, so thinning
//! early loses nothing that the final k would keep, and the order of work does not matter.

use super::{EndCandidate, EndPair, EndSearch};
use crate::cap::quota;
use std::collections::BTreeMap;

pub(super) struct Kept {
    cap: usize,
    /// By (from, to): candidates ever seen, and those still here.
    pairs: BTreeMap<(usize, usize), (usize, Vec<EndCandidate>)>,
    held: usize,
    /// The k of the last thinning.
    limit: usize,
}

impl Kept {
    pub(super) fn new(cap: usize) -> Self {
        Self {
            cap,
            pairs: BTreeMap::new(),
            held: 0,
            limit: usize::MAX,
        }
    }

    pub(super) fn add(&mut self, from: usize, to: usize, found: &[EndCandidate]) {
        let pair = self.pairs.entry((from, to)).or_default();
        pair.0 += found.len();
        // More pairs of clips than the cap has places: nothing will be kept, and counting is enough.
        if self.limit == 0 {
            return;
        }
        pair.1.extend_from_slice(found);
        self.held += found.len();
        if self.held > self.cap.saturating_add(self.cap / 4) {
            self.thin();
        }
    }

    fn thin(&mut self) {
        let k = quota(self.pairs.values().map(|p| p.0), self.cap);
        self.limit = k;
        for (_, kept) in self.pairs.values_mut().filter(|p| p.1.len() > k) {
            kept.sort_unstable_by(|a, b| {
                let rank = |c: &EndCandidate| c.distance_m2 / f64::from(c.frames);
                let near = rank(a).total_cmp(&rank(b));
                near.then((a.i, a.j).cmp(&(b.i, b.j)))
            });
            kept.truncate(k);
            kept.shrink_to_fit();
        }
        self.held = self.pairs.values().map(|p| p.1.len()).sum();
    }

    pub(super) fn finish(mut self) -> EndSearch {
        let seen: usize = self.pairs.values().map(|p| p.0).sum();
        if seen > self.cap {
            self.thin();
        }
        let dropped = (seen - self.held) as u64;
        let kept = self.pairs.into_iter().filter(|(_, p)| !p.1.is_empty());
        let pairs = kept.map(|((from, to), (_, mut candidates))| {
            candidates.sort_unstable_by_key(|c| (c.i, c.j));
            EndPair {
                from,
                to,
                candidates,
            }
        });
        EndSearch {
            pairs: pairs.collect(),
            dropped,
        }
    }
}
