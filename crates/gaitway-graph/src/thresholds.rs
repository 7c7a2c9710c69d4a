//! Thresholds in centimetres of √D per ordered pair of labels.

use crate::{LabelId, LabelSet};

/// A threshold per ordered pair of labels, and one for pairs that have none of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct ThresholdMatrix {
    /// Where no pair matches.
    pub default_cm: f64,
    /// Row `from`, column `to`; NaN where the pair has none.
    cells: Vec<f64>,
    labels: usize,
}

impl ThresholdMatrix {
    /// One value everywhere.
    pub fn uniform(cm: f64, labels: usize) -> Self {
        Self {
            default_cm: cm,
            cells: vec![f64::NAN; labels * labels],
            labels,
        }
    }

    /// Sets the threshold of an ordered pair.
    pub fn set(&mut self, from: LabelId, to: LabelId, cm: f64) {
        self.cells[from.index() * self.labels + to.index()] = cm;
    }

    /// The pair's own threshold, where it has one.
    pub fn get(&self, from: LabelId, to: LabelId) -> Option<f64> {
        let cm = self.cells[from.index() * self.labels + to.index()];
        (!cm.is_nan()).then_some(cm)
    }

    /// The pairs that have thresholds of their own, by (from, to).
    pub fn pairs(&self) -> impl Iterator<Item = (LabelId, LabelId, f64)> + '_ {
        let n = self.labels.max(1);
        let all = self.cells.iter().enumerate().filter(|(_, cm)| !cm.is_nan());
        all.map(move |(k, &cm)| (LabelId((k / n) as u32), LabelId((k % n) as u32), cm))
    }

    /// The threshold from frames of one label set to frames of another: the most permissive matching pair,
    /// the default where none matches.
    pub fn between(&self, from: LabelSet, to: LabelSet) -> f64 {
        let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (a, b)));
        pairs
            .filter_map(|(a, b)| self.get(a, b))
            .reduce(f64::max)
            .unwrap_or(self.default_cm)
    }
}
