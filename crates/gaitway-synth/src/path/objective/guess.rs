//! What the beam compares states by: cells, and guesses at what is to come.

use gaitway_graph::EdgeId;

use super::PathProblem;
use super::state::PathState;
use super::walking::NEAR_ACTION;
use crate::path::edge_paths::{NodeAhead, apply, compose};

impl PathProblem<'_> {
    /// Node, piece, 5 cm on the ground, and about 3° of turn: what is much the same, not what is like it.
    pub(super) fn cell_of(&self, s: &PathState) -> u64 {
        let of = |v: f64, step: f64| (v / step).floor() as i64 as u64;
        let mut h = u64::from(s.node.0) << 17 | u64::from(s.piece) << 1 | u64::from(s.happened);
        // Others on the move and wishes in time make time matter: a third of a second.
        let clock = if self.options.moving_obstacles.is_empty() && self.schedule.is_none() {
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
        self.guess_by(s, &self.edges.nodes[s.node.index()])
    }

    /// The same by where the way leads from its node.
    pub(crate) fn guess_by(&self, s: &PathState, n: &NodeAhead) -> f64 {
        let way = apply(&[s.world[0], s.world[1], 0.0, 0.0], n.ahead);
        let there = [s.last[0] + way[0], s.last[1] + way[1]];
        let ahead = self.ahead(s.piece, s.happened, s.node);
        let acts = match self.pieces[s.piece as usize].action {
            Some(a) if !s.happened => self.actions[a].expected(s.node, &s.world),
            _ => 0.0,
        };
        let here = (s.piece, s.happened, s.arc);
        let later = self.late(s.frames, s.arc, (n.ahead_s, n.ahead_frames));
        acts + later + self.to_come(here, there, (n.ahead_s, n.ahead_frames), ahead)
    }

    /// What it costs to go on early or late for as far as is looked ahead.
    #[inline]
    fn late(&self, frames: u32, arc: f64, (ahead_s, ahead_frames): (f64, f64)) -> f64 {
        let Some(schedule) = &self.schedule else {
            return 0.0;
        };
        let then_s = (f64::from(frames) + ahead_frames) / self.graph.working_rate_hz();
        let there = (arc + ahead_s).min(self.path.length());
        ahead_frames * schedule.cost_of_late(there, then_s)
    }

    /// What is to come when the root is `there` after so much arc length and so many frames; `next` is how far it is to the
    /// next style or action, and where that is wanted.
    #[inline]
    fn to_come(
        &self,
        (piece, happened, arc): (u16, bool, f64),
        there: [f64; 2],
        (ahead_s, frames): (f64, f64),
        next: Option<(f64, f64)>,
    ) -> f64 {
        /// Of the frames of the look ahead, how many are taken to be that far off.
        const PART: f64 = 0.53;
        let end = match happened {
            true => self.path.length(),
            false => self.pieces[piece as usize].to,
        };
        let target = self.path.at((arc + ahead_s).min(end));
        let d = [there[0] - target.x, there[1] - target.y];
        // Beyond the path's end nothing is asked for.
        let part = ((end - arc) / ahead_s.max(0.05)).clamp(0.0, 1.0);
        // What can only be come to past its place: the path waits there.
        let late = next.map_or(0.0, |(metres, at)| (arc + metres - at).clamp(0.0, 10.0));
        let nearness = match self.pieces[piece as usize].action {
            Some(_) => NEAR_ACTION,
            None => 1.0,
        };
        nearness * PART * frames * part * (d[0] * d[0] + d[1] * d[1]) + 8.0 * late * late
    }

    /// From the last frame of a transition, and what follows it, alone.
    #[inline]
    pub(super) fn look(&self, s: &PathState, edge: EdgeId) -> Option<(f64, f64)> {
        self.look_by(s, edge, None)
    }

    /// The same by where the way leads from the transition's end, where that is known better.
    #[inline]
    pub(crate) fn look_by(
        &self,
        s: &PathState,
        edge: EdgeId,
        onward: Option<&NodeAhead>,
    ) -> Option<(f64, f64)> {
        if !self.edges.is_transition[edge.index()] {
            return None;
        }
        // Where the style may change, an edge is to be judged in a piece that this look knows nothing of.
        if self.changes_style(s, edge) {
            return None;
        }
        let look = &self.edges.looks[edge.index()];
        let at = |p: [f32; 2]| apply(&s.world, [f64::from(p[0]), f64::from(p[1])]);
        let end = at(look.end);
        let (there, ahead) = match onward {
            None => {
                let ahead = (f64::from(look.ahead_s), f64::from(look.ahead_frames));
                (at(look.ahead), ahead)
            }
            Some(n) => {
                let world = compose(&s.world, &self.edges.turns[edge.index()]);
                let way = apply(&[world[0], world[1], 0.0, 0.0], n.ahead);
                let there = [end[0] + way[0], end[1] + way[1]];
                (there, (n.ahead_s, n.ahead_frames))
            }
        };
        let arc = s.arc + f64::from(look.length);
        let to = match s.happened {
            true => self.path.length(),
            false => self.pieces[s.piece as usize].to,
        };
        let target = self.path.at(arc.min(to));
        let d = [end[0] - target.x, end[1] - target.y];
        let nearness = match self.pieces[s.piece as usize].action {
            Some(_) => NEAR_ACTION,
            None => 1.0,
        };
        let least = f64::from(look.nat) + nearness * (d[0] * d[0] + d[1] * d[1]);
        let node = self.graph.to(edge);
        let next = self.ahead(s.piece, s.happened, node);
        let acts = match self.pieces[s.piece as usize].action {
            Some(a) if !s.happened => {
                let world = compose(&s.world, &self.edges.turns[edge.index()]);
                self.actions[a].expected(node, &world)
            }
            _ => 0.0,
        };
        let here = (s.piece, s.happened, arc);
        let then = s.frames + self.graph.working_length(edge);
        let later = self.late(then, arc, ahead);
        let to_come = self.to_come(here, there, ahead, next);
        Some((arc, least + acts + later + to_come))
    }
}
