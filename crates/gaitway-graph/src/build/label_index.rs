//! Labels of every working frame of every clip as flat arrays, for loops over many candidates.

use std::collections::BTreeMap;

use crate::build::thresholds::ThresholdMatrix;
use crate::model::clip_info::ClipInfo;
use crate::{ClipId, LabelSet};

/// Which label run each working frame lies in; frames of all clips counted through.
pub(crate) struct LabelIndex {
    /// First frame of each clip, one more at the end.
    offsets: Vec<u32>,
    run_of: Vec<u32>,
    runs: Vec<LabelSet>,
    /// Distinct label sets, and which one each run has.
    sets: Vec<LabelSet>,
    set_of: Vec<u32>,
}

impl LabelIndex {
    pub fn new(clips: &[ClipInfo]) -> Self {
        let total = clips.iter().map(|c| c.working_frames as usize).sum();
        let mut index = Self {
            offsets: vec![0],
            run_of: Vec::with_capacity(total),
            runs: Vec::new(),
            sets: Vec::new(),
            set_of: Vec::new(),
        };
        let mut known: BTreeMap<LabelSet, u32> = BTreeMap::new();
        for clip in clips {
            for run in &clip.runs {
                let next = known.len() as u32;
                let set = *known.entry(run.labels).or_insert(next);
                if set == next {
                    index.sets.push(run.labels);
                }
                let id = index.runs.len() as u32;
                index.runs.push(run.labels);
                index.set_of.push(set);
                index
                    .run_of
                    .extend(std::iter::repeat_n(id, (run.end - run.start) as usize));
            }
            index.offsets.push(index.run_of.len() as u32);
        }
        index
    }

    /// A clip's frame, counted through.
    #[inline]
    pub fn at(&self, clip: ClipId, frame: u32) -> u32 {
        self.offsets[clip.index()] + frame
    }

    /// The labels of a frame.
    #[inline]
    pub fn labels(&self, at: u32) -> LabelSet {
        self.runs[self.run_of[at as usize] as usize]
    }

    /// The labels a transition about two frames carries: those that each of its frames has from either side.
    #[inline]
    pub fn transition(&self, a: u32, b: u32, half: u32) -> LabelSet {
        let run = |at: u32| self.run_of[at as usize];
        let uniform = |at: u32| run(at - half) == run(at + half);
        if uniform(a) && uniform(b) {
            return self.labels(a).union(self.labels(b));
        }
        let frames = (a - half..=a + half).zip(b - half..=b + half);
        frames.fold(LabelSet(u128::MAX), |all, (p, q)| {
            all.intersection(self.labels(p).union(self.labels(q)))
        })
    }

    /// The labels that all of some frames carry; frames of one clip.
    #[inline]
    pub fn stretch(&self, first: u32, count: u32) -> LabelSet {
        let run = |at: u32| self.run_of[at as usize];
        if run(first) == run(first + count - 1) {
            return self.labels(first);
        }
        let frames = first..first + count;
        frames.fold(LabelSet(u128::MAX), |all, at| {
            all.intersection(self.labels(at))
        })
    }

    /// Thresholds on D in m² between any two frames.
    pub fn limits<'a>(&'a self, matrix: &'a ThresholdMatrix) -> Limits<'a> {
        /// A table larger than this is not worth its memory; such label sets are looked up one by one.
        const LARGEST: usize = 1 << 11;
        let n = self.sets.len();
        let squared = |cm: f64| (cm / 100.0) * (cm / 100.0);
        let table = (n <= LARGEST).then(|| {
            let cell = |k: usize| squared(matrix.between(self.sets[k / n], self.sets[k % n]));
            (0..n * n).map(cell).collect()
        });
        Limits {
            index: self,
            matrix,
            table,
        }
    }
}

/// See [`LabelIndex::limits`].
pub(crate) struct Limits<'a> {
    index: &'a LabelIndex,
    matrix: &'a ThresholdMatrix,
    table: Option<Vec<f64>>,
}

impl Limits<'_> {
    /// The largest D in m² that may lead from one frame to another.
    #[inline]
    pub fn m2(&self, from: u32, to: u32) -> f64 {
        let set = |at: u32| self.index.set_of[self.index.run_of[at as usize] as usize] as usize;
        match &self.table {
            Some(table) => table[set(from) * self.index.sets.len() + set(to)],
            None => {
                let cm = self
                    .matrix
                    .between(self.index.labels(from), self.index.labels(to));
                (cm / 100.0) * (cm / 100.0)
            }
        }
    }
}
