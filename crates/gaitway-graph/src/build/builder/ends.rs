//! Candidates for cuts near the ends of clips: those of a known graph where they still hold, the rest computed.

use std::collections::HashMap;
use std::sync::Arc;

use gaitway_core::ClipSet;
use gaitway_metric::{
    EndCandidate, EndOptions, EndPair, EndSearch, PointCloud, Progress, find_end_candidates,
};

use super::GraphBuilder;
use crate::build::end_cuts::{self, least_fade};
use crate::build::lost_frames::LostFrames;
use crate::model::candidates::EndTable;
use crate::model::library::Library;
use crate::{ClipId, EndCandidateId, GraphError, GraphWarning, MotionGraph};

impl GraphBuilder<'_> {
    /// Candidates for cuts near the ends of clips, where transitions shall reach them.
    #[allow(clippy::too_many_arguments)] // What is compared, what is known of it, and who listens.
    pub(super) fn end_candidates(
        &self,
        clouds: &[PointCloud],
        clips: &ClipSet,
        library: &Arc<Library>,
        lost: &LostFrames,
        rows: &[usize],
        known: &[Option<ClipId>],
        progress: &mut dyn Progress,
        warnings: &mut Vec<GraphWarning>,
    ) -> Result<EndTable, GraphError> {
        if !self.options.transitions.reach_ends() || rows.is_empty() {
            return Ok(EndTable::empty());
        }
        // A graph of blends alone has compared no ends.
        let graph = self.known.filter(|g| g.options.transitions.reach_ends());
        let none = vec![None; known.len()];
        let known = if graph.is_some() { known } else { &none };
        let mut search = if rows.iter().all(|&k| known[k].is_some()) {
            EndSearch::default()
        } else {
            let how = EndOptions {
                // One more than a fade needs: a clip may be entered a frame later.
                room: least_fade(self.options.fps) + 1,
                ..EndOptions::default()
            };
            let apart = self.keep_apart(clips, rows, known);
            let mut found =
                find_end_candidates(clouds, &self.options.metric, &how, &apart, progress)?;
            // Fewer frames in common do not tell how fast both go.
            let seen = |c: &EndCandidate| c.frames >= end_cuts::LEAST_SEEN;
            found
                .pairs
                .iter_mut()
                .for_each(|p| p.candidates.retain(seen));
            end_cuts::drop_hasty(library, &self.options, rows, &mut found.pairs)?;
            found
        };
        if let Some(graph) = graph {
            search.pairs.extend(known_ends(graph, rows, known));
        }
        for pair in &mut search.pairs {
            let (from, to) = (rows[pair.from], rows[pair.to]);
            pair.candidates
                .retain(|c| !lost.touched(from, c.i) && !lost.touched(to, c.j));
        }
        if search.dropped > 0 {
            warnings.push(GraphWarning::CandidatesCapped {
                dropped: search.dropped,
            });
        }
        let table = EndTable::new(&search.pairs, |row| ClipId(rows[row] as u32));
        if table.len() >= (u32::MAX / 2) as usize {
            return Err(GraphError::Options {
                what: "there are more candidates than can be counted; lower the ceiling".to_owned(),
            });
        }
        Ok(table)
    }
}

/// The known graph's candidates near ends between clips that are still there.
fn known_ends(graph: &MotionGraph, rows: &[usize], known: &[Option<ClipId>]) -> Vec<EndPair> {
    let row_of: HashMap<ClipId, usize> = rows
        .iter()
        .enumerate()
        .filter_map(|(row, &k)| Some((known[k]?, row)))
        .collect();
    let groups = graph.ends.groups().filter_map(|g| {
        // Joins of a well-connected graph stand in the same table, and go with its interpolated clips.
        let near_ends = |k: &u32| graph.ends.own_fade(*k as usize).is_none();
        let rows = (g.start..g.end).filter(near_ends);
        let candidates = rows.map(|k| graph.ends.get(EndCandidateId(k)));
        Some(EndPair {
            from: *row_of.get(&g.a)?,
            to: *row_of.get(&g.b)?,
            candidates: candidates.collect(),
        })
    });
    groups.collect()
}
