//! What the beam compares states by: cells, and guesses at what is to come.

use gaitway_graph::EdgeId;

use super::PathProblem;
use super::state::PathState;
use crate::path::edge_paths::apply;

impl PathProblem<'_> {
    /// Node, piece, 5 cm on the ground, and about 3° of turn: what is much the same, not what is like it.
    pub(super) fn cell_of(&self, s: &PathState) -> u64 {
        let of = |v: f64, step: f64| (v / step).floor() as i64 as u64;
        let mut h = u64::from(s.node.0) << 16 | u64::from(s.piece);
        // Others on the move make time matter: a third of a second.
        let clock = if self.options.moving_obstacles.is_empty() {
            0
        } else {
            u64::from(s.frames / 10)
        };
        for part in [
            of(s.last[0], 0.05),
            of(s.last[1], 0.05),
            of(s.world[0], 0.05),
            of(s.world[1], 0.05),
            clock,
        ] {
            h = (h.rotate_left(21) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            h ^= h >> 29;
        }
        h
    }

    /// How far off the path the clip under way would be in a little while, taken to last for about half of that.
    pub(super) fn guess(&self, s: &PathState) -> f64 {
        let n = &self.edges.nodes[s.node.index()];
        let way = apply(&[s.world[0], s.world[1], 0.0, 0.0], n.ahead);
        let there = [s.last[0] + way[0], s.last[1] + way[1]];
        let late = match self.to_next.get(s.piece as usize) {
            Some(metres) => metres[s.node.index()],
            None => 0.0,
        };
        self.to_come(s.piece, s.arc, there, (n.ahead_s, n.ahead_frames), late)
    }

    /// What is to come when the root is `there` after so much arc length and so many frames; `late` is how far it is to the
    /// next style.
    #[inline]
    fn to_come(
        &self,
        piece: u16,
        arc: f64,
        there: [f64; 2],
        (ahead_s, frames): (f64, f64),
        late: f64,
    ) -> f64 {
        /// Of the frames of the look ahead, how many are taken to be that far off.
        const PART: f64 = 0.53;
        let end = self.pieces[piece as usize].to;
        let target = self.path.at((arc + ahead_s).min(end));
        let d = [there[0] - target.x, there[1] - target.y];
        // Beyond the path's end nothing is asked for.
        let part = ((end - arc) / ahead_s.max(0.05)).clamp(0.0, 1.0);
        // A style that can only be changed past the border: the path waits there.
        let late = if self.to_next.len() > piece as usize {
            (arc + late - end).max(0.0)
        } else {
            0.0
        };
        PART * frames * part * (d[0] * d[0] + d[1] * d[1]) + 8.0 * late * late
    }

    /// From the last frame of a transition, and what follows it, alone.
    #[inline]
    pub(super) fn look(&self, s: &PathState, edge: EdgeId) -> Option<(f64, f64)> {
        if !self.edges.is_transition[edge.index()] {
            return None;
        }
        // Where the style may change, an edge is to be judged in a piece that this look knows nothing of.
        if self.changes_style(s, edge) {
            return None;
        }
        let look = &self.edges.looks[edge.index()];
        let at = |p: [f32; 2]| apply(&s.world, [f64::from(p[0]), f64::from(p[1])]);
        let (end, there) = (at(look.end), at(look.ahead));
        let arc = s.arc + f64::from(look.length);
        let target = self.path.at(arc.min(self.pieces[s.piece as usize].to));
        let d = [end[0] - target.x, end[1] - target.y];
        let least = f64::from(look.nat) + d[0] * d[0] + d[1] * d[1];
        let late = match self.to_next.get(s.piece as usize) {
            Some(metres) => metres[self.graph.to(edge).index()],
            None => 0.0,
        };
        let ahead = (f64::from(look.ahead_s), f64::from(look.ahead_frames));
        Some((arc, least + self.to_come(s.piece, arc, there, ahead, late)))
    }
}
