//! Ways to what comes next, measured ahead: to the next style, to an action's events; and how far an action may be approached in
//! other labels than its style.

use gaitway_graph::{EdgeId, LabelId};

use super::PathProblem;
use super::walking::OVERRUN_M;
use crate::path::reach::metres_to;
use crate::path::styles::{APPROACH_M, StylePiece};

impl PathProblem<'_> {
    /// How far it is from every node to the next style, and to each action's events. Where there is no way to an action within
    /// its style, or none back, other labels may be played about it.
    pub(super) fn measure_ways(&mut self) {
        for k in 0..self.pieces.len() {
            let Some(action) = self.pieces[k].action else {
                continue;
            };
            let style = StylePiece {
                action: None,
                ..self.pieces[k]
            };
            let starts = |e: EdgeId| self.may(e, &style);
            let comes = self.way_to_event(k);
            let there = self.graph.edges().filter(|&e| starts(e));
            let least = there
                .map(|e| comes[self.graph.to(e).index()])
                .fold(f64::INFINITY, f64::min);
            let reached = least <= APPROACH_M + OVERRUN_M;
            let back = self.pieces.get(k + 1).is_none_or(|_| {
                let way = self.way_to_next(k);
                let events = self
                    .graph
                    .edges()
                    .filter(|&e| self.actions[action].is_event(e));
                events
                    .map(|e| self.graph.to(e))
                    .any(|n| way[n.index()].is_finite())
            });
            self.pieces[k].relaxed |= !(reached && back);
            if self.pieces[k].relaxed {
                self.lengthen(k, &style);
            }
        }
        let next = (1..self.pieces.len()).map(|k| self.way_to_next(k - 1));
        let to_next = next.collect();
        let acting = (0..self.pieces.len()).filter(|&k| self.pieces[k].action.is_some());
        let to_event = acting.map(|k| self.way_to_event(k)).collect();
        (self.to_next, self.to_event) = (to_next, to_event);
    }

    /// Where an action is far from its style through the graph, the approach begins as far before it, at the style's start at the
    /// earliest.
    fn lengthen(&mut self, k: usize, style: &StylePiece) {
        let comes = self.way_to_event(k);
        let starts = self.graph.edges().filter(|&e| self.may(e, style));
        let metres = starts.map(|e| comes[self.graph.to(e).index()]);
        let least = metres.fold(f64::INFINITY, f64::min);
        let before = k.checked_sub(1).filter(|&b| {
            let b = &self.pieces[b];
            b.action.is_none() && (b.label, b.any) == (style.label, style.any)
        });
        let (Some(before), true) = (before, least.is_finite()) else {
            return;
        };
        let begin = (self.pieces[k].to - least - self.delta).max(self.pieces[before].from);
        if begin < self.pieces[k].from {
            (self.pieces[before].to, self.pieces[k].from) = (begin, begin);
        }
    }

    /// The label of the last stretch, where other labels had to be let in for its action.
    pub(crate) fn leaves_style(&self) -> Option<LabelId> {
        let last = self.pieces.last().filter(|p| p.relaxed)?;
        last.label
    }

    fn may(&self, edge: EdgeId, piece: &StylePiece) -> bool {
        !self.forbidden[edge.index()] && self.permits(piece, edge)
    }

    fn way_to_next(&self, k: usize) -> Vec<f64> {
        let (now, next) = (&self.pieces[k], &self.pieces[k + 1]);
        let goal = |e: EdgeId| {
            let crosses = !self.forbidden[e.index()] && self.crosses(now, next, e);
            crosses || self.may(e, next)
        };
        metres_to(self.graph, self.edges, goal, |e| self.may(e, now))
    }

    fn way_to_event(&self, k: usize) -> Vec<f64> {
        let piece = &self.pieces[k];
        let plays = |e: EdgeId| piece.action.is_some_and(|a| self.actions[a].is_event(e));
        let goal = |e: EdgeId| self.may(e, piece) && plays(e);
        metres_to(self.graph, self.edges, goal, |e| self.may(e, piece))
    }
}
