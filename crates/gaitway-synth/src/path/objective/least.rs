//! What edges cost wherever they lie.

use gaitway_graph::EdgeId;

use super::PathProblem;
use crate::path::bound::LeastOfEdge;
use crate::path::progress::Progress;

impl PathProblem<'_> {
    /// Per edge, what it costs at least and how far it leads at most, with a root that is no more than so far ahead; nothing of one that no piece
    /// lets be played.
    pub(crate) fn least_of_edges(
        &self,
        progress: Progress,
        lead_m: f64,
    ) -> Vec<Option<LeastOfEdge>> {
        let n = &self.options.naturalness;
        // A label that goes sideways excuses what facing costs.
        let excuses = self.typical_aside.iter().any(|a| *a > 0.0);
        let one = |edge: EdgeId| {
            let of_any = self.pieces.iter().any(|p| self.permits(p, edge));
            let between = self.pieces.windows(2);
            let mut between = between.map(|w| self.crosses(&w[0], &w[1], edge));
            if self.is_forbidden(edge) || !(of_any || between.any(|c| c)) {
                return None;
            }
            let first = self.edges.first[edge.index()] as usize;
            let extra = self
                .extra_cost
                .get(edge.index())
                .map_or(0.0, |c| f64::from(*c));
            let (mut cost, mut metres) = (0.0, 0.0);
            let frames = self.edges.rows(edge).iter().enumerate().map(|(k, row)| {
                let aside = f64::from(self.edges.aside[first + k]);
                let turned = (aside - n.facing_free_rad).max(0.0);
                // A little more than was paid for it, since that was rounded.
                let facing = if excuses {
                    1.000_001 * n.facing * turned * turned
                } else {
                    0.0
                };
                cost += (f64::from(row.nat) - facing).max(0.0) + extra;
                metres += progress.most(row.ds, lead_m);
                (cost, metres)
            });
            let frames: Vec<(f64, f64)> = frames.collect();
            let &(cost, progress) = frames.last()?;
            Some(LeastOfEdge {
                cost,
                progress,
                frames,
            })
        };
        self.graph.edges().map(one).collect()
    }
}
