//! What the beam compares states by: cells, and guesses at what is to come.

use gaitway_graph::EdgeId;

use super::PathProblem;
use super::state::PathState;
use crate::search::path::edge_paths::{apply, compose};

impl PathProblem<'_> {
    /// Node, piece, 10 cm on the ground, and about 5° of turn.
    pub(super) fn cell_of(&self, s: &PathState) -> u64 {
        let of = |v: f64, step: f64| (v / step).floor() as i64 as u64;
        let mut h = u64::from(s.node.0) << 16 | u64::from(s.piece);
        // Others on the move make time matter: a third of a second.
        let clock = if self.options.movers.is_empty() {
            0
        } else {
            u64::from(s.frames / 10)
        };
        for part in [
            of(s.last[0], 0.1),
            of(s.last[1], 0.1),
            of(s.world[0], 0.087),
            of(s.world[1], 0.087),
            clock,
        ] {
            h = (h.rotate_left(21) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            h ^= h >> 29;
        }
        h
    }

    /// How far off the path the clip under way would be in half a second.
    pub(super) fn guess(&self, s: &PathState) -> f64 {
        /// Frames for which that is taken to last.
        const FRAMES: f64 = 8.0;
        let n = &self.edges.nodes[s.node.index()];
        let way = apply(&[s.world[0], s.world[1], 0.0, 0.0], n.ahead);
        let end = self.pieces[s.piece as usize].to;
        let target = self.path.at((s.arc + n.ahead_s).min(end));
        let d = [s.last[0] + way[0] - target.x, s.last[1] + way[1] - target.y];
        // Beyond the path's end nothing is asked for.
        let part = ((end - s.arc) / n.ahead_s.max(0.05)).clamp(0.0, 1.0);
        // A style that can only be changed past the border: the path waits there.
        let late = match self.to_next.get(s.piece as usize) {
            Some(metres) => (s.arc + metres[s.node.index()] - end).max(0.0),
            None => 0.0,
        };
        FRAMES * (part * (d[0] * d[0] + d[1] * d[1]) + late * late)
    }

    /// From the last frame of a transition alone.
    pub(super) fn look(&self, s: &PathState, edge: EdgeId) -> Option<(f64, f64)> {
        if !self.edges.is_transition[edge.index()] {
            return None;
        }
        let rows = self.edges.rows(edge);
        let (first, last) = (rows.first()?, rows.last()?);
        let mut end = *s;
        end.last = apply(&s.world, [last.x, last.z]);
        end.arc = s.arc + self.edges.lengths[edge.index()];
        end.world = compose(&s.world, &self.edges.turns[edge.index()]);
        end.node = self.graph.to(edge);
        let target = self.path.at(end.arc.min(self.pieces[s.piece as usize].to));
        let d = [end.last[0] - target.x, end.last[1] - target.y];
        let least = f64::from(first.nat) + d[0] * d[0] + d[1] * d[1];
        Some((end.arc, least + self.guess(&end)))
    }
}
