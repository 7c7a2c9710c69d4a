//! What thresholds would give, in numbers, without making the graph: for those who drag a slider and look.

use rayon::prelude::*;

use crate::account::{kept_frames, labels_of};
use crate::build::auto::reached_labels;
use crate::build::draft::Draft;
use crate::build::label_index::LabelIndex;
use crate::build::scc::SccScratch;
use crate::model::topology::kind;
use crate::{GraphError, LabelAccount, LabelId, LabelSet, MotionGraph, Thresholds};

/// A graph that was not made.
#[derive(Clone, Debug, PartialEq)]
pub struct TryOut {
    /// Transitions it would have.
    pub transitions: usize,
    /// Nodes it would have.
    pub nodes: usize,
    /// Edges it would have.
    pub edges: usize,
    /// Seconds of each clip on kept pieces, by clip id.
    pub kept_seconds: Vec<f64>,
    /// Per label that some frame carries.
    pub labels: Vec<LabelAccount>,
    /// Strongly connected components with a loop, over all labels.
    pub components: usize,
    /// Per label id, the labels whose components can be reached from its own.
    pub reach: Vec<LabelSet>,
}

impl MotionGraph {
    /// The numbers of [`MotionGraph::rethreshold`] with the graph's own options, several times faster.
    ///
    /// # Errors
    /// As [`MotionGraph::rethreshold`].
    pub fn try_thresholds(&self, thresholds: &Thresholds) -> Result<TryOut, GraphError> {
        let index = LabelIndex::new(&self.library.clips);
        let material = self.material(&index)?;
        let matrix = match thresholds.matrix(&self.labels, self.options.metric.ceiling_cm)? {
            Some(matrix) => matrix,
            None => crate::build::auto::choose(&material, &self.labels, &self.options)?,
        };
        let draft = Draft::new(&material, &matrix, &self.options, &self.labels)?;
        let ids: Vec<LabelId> = self.labels.ids().collect();
        let (components, reach) = rayon::join(
            || components(&draft),
            || {
                ids.par_iter()
                    .map(|&l| LabelSet(reached_labels(&draft, l)))
                    .collect()
            },
        );
        let stays = draft.lasting_nodes();
        let (mut transitions, mut pieces) = (0, 0);
        for e in (0..draft.raw.edge_count()).filter(|&e| draft.pruned.keep[e]) {
            if draft.raw.kinds[e] != kind::PIECE {
                transitions += 1;
            } else if stays[draft.raw.ends[e][0] as usize] {
                pieces += 1;
            }
        }
        let kept = kept_frames(&material, &draft);
        Ok(TryOut {
            transitions,
            nodes: stays.iter().filter(|s| **s).count(),
            edges: transitions + pieces,
            kept_seconds: kept
                .iter()
                .zip(self.library.clips.iter())
                .map(|(&f, c)| f as f64 / c.rate_hz)
                .collect(),
            labels: labels_of(self, &draft),
            components,
            reach,
        })
    }
}

/// Components of the kept part that have an edge inside.
fn components(draft: &Draft) -> usize {
    let raw = &draft.raw;
    let mut scratch = SccScratch::default();
    let nodes = 0..raw.nodes.len() as u32;
    let count = scratch.run(&raw.out_starts, &raw.ends, nodes, |e| draft.pruned.keep[e]) as usize;
    let mut loops = vec![false; count];
    for (ends, _) in raw
        .ends
        .iter()
        .zip(&draft.pruned.keep)
        .filter(|(_, keep)| **keep)
    {
        let [from, to] = ends.map(|n| scratch.component[n as usize]);
        if from == to {
            loops[from as usize] = true;
        }
    }
    loops.into_iter().filter(|l| *l).count()
}
