//! What may be played where: both ends of a transition belong to the style of a piece.

use gaitway_core::anatomy::words;
use gaitway_graph::{EdgeId, LabelId, LabelSet, MotionGraph, NodeId};

use super::PathProblem;
use crate::path::goal::ActionGoal;
use crate::path::styles::StylePiece;

/// A frame of an action outside the style around it, m²: so that no more of it is played than is needed.
const ACTION_FRAME: f64 = 0.01;
/// A frame of neither, where there is no other way, m²: that of a root 25 cm off the path.
const OTHER_FRAME: f64 = 0.06;

/// A frame of an action that nobody asked for, m²: that of a root half a metre off the path.
const UNASKED_FRAME: f64 = 0.25;

/// Labels at both ends of an edge: of the frames it leaves and of those it enters.
pub(super) fn ends(graph: &MotionGraph, edge: EdgeId) -> [LabelSet; 2] {
    match graph.transition(edge) {
        Some(t) => [
            graph.clip_info(t.from_clip).labels_at(t.from_frame),
            graph.clip_info(t.to_clip).labels_at(t.to_frame),
        ],
        None => [graph.edge_labels(edge); 2],
    }
}

/// Labels of standing and turning: what lies between going and an action that begins and ends in standing.
pub(super) fn neutral(graph: &MotionGraph) -> LabelSet {
    const WORDS: [&str; 7] = ["idle", "stand", "standing", "stop", "start", "turn", "wait"];
    let stands = |l: &LabelId| {
        let said = words(graph.labels().name(*l));
        said.iter().any(|w| WORDS.contains(&w.as_str()))
    };
    let all = graph.labels().ids().filter(stands);
    all.fold(LabelSet::EMPTY, |set, l| set.union(LabelSet::of(l)))
}

impl PathProblem<'_> {
    /// Whether frames with these labels are of a piece's style, without its action.
    fn of_style(&self, piece: &StylePiece, labels: LabelSet) -> bool {
        match piece.label {
            Some(l) => labels.contains(l),
            None => piece.any || self.edges.manner.fits(labels),
        }
    }

    fn fits(&self, piece: &StylePiece, labels: LabelSet) -> bool {
        let action = piece.action.map(|k| &self.actions[k]);
        let acts = |a: &ActionGoal| a.label.is_some_and(|l| labels.contains(l));
        let between = || {
            let idle = !labels.intersection(self.neutral).is_empty();
            idle && labels.intersection(self.acting).is_empty()
        };
        self.of_style(piece, labels) || action.is_some_and(|a| acts(a) || between())
    }

    /// Whether an edge may be played in a piece: both its ends are of its style, or of the action it leads to.
    #[inline]
    pub(crate) fn permits(&self, piece: &StylePiece, edge: EdgeId) -> bool {
        if piece.relaxed {
            return true;
        }
        let [from, to] = self.ends[edge.index()];
        let Some(action) = piece.action.map(|k| &self.actions[k]) else {
            let both = self.of_style(piece, from) && self.of_style(piece, to);
            return both && self.moves_so(piece, edge);
        };
        let (a, b) = (self.graph.from(edge), self.graph.to(edge));
        let of_action = action.is_own(b) || action.label.is_some_and(|l| to.contains(l));
        (self.fits(piece, from) || action.is_own(a))
            && (self.fits(piece, to) || action.is_own(b))
            && (of_action || self.moves_so(piece, edge))
    }

    /// Whether an edge is of a piece's style at both ends, whatever an action lets be played there beside it.
    pub(crate) fn is_of_style(&self, piece: &StylePiece, edge: EdgeId) -> bool {
        let ends = self.ends[edge.index()];
        ends.into_iter().all(|labels| self.of_style(piece, labels))
    }

    /// What a frame of an edge costs beside all else for what it shows: little where it is of an action alone, more where it
    /// is of neither style nor action.
    pub(super) fn out_of_style(&self, piece: &StylePiece, edge: EdgeId) -> f64 {
        let [from, to] = self.ends[edge.index()];
        if piece.action.is_none() || (self.of_style(piece, from) && self.of_style(piece, to)) {
            0.0
        } else if !piece.relaxed || (self.fits(piece, from) && self.fits(piece, to)) {
            ACTION_FRAME
        } else {
            OTHER_FRAME
        }
    }

    /// What it costs that an edge plays some of an action that nobody asked for: a take that is labelled `walk` and `pick-up` from end to end is
    /// walking all the same, but for the bow in its middle.
    pub(super) fn unasked(&self, piece: &StylePiece, edge: EdgeId) -> f64 {
        let (acts, frames) = self.edges.acts[edge.index()];
        if acts.is_empty() || piece.any || piece.label.is_some_and(|l| self.acting.contains(l)) {
            return 0.0;
        }
        let wanted = piece.action.and_then(|k| self.actions[k].label);
        match acts.iter().all(|l| Some(l) == wanted) {
            true => 0.0,
            false => UNASKED_FRAME * f64::from(frames),
        }
    }

    /// What the motion itself has to say, where labels say nothing.
    fn moves_so(&self, piece: &StylePiece, edge: EdgeId) -> bool {
        piece.label.is_some() || piece.any || self.edges.manner.plays(edge)
    }

    /// Whether a transition leads from one piece's style into the next one's.
    #[inline]
    pub(super) fn crosses(&self, now: &StylePiece, next: &StylePiece, edge: EdgeId) -> bool {
        let [from, to] = self.ends[edge.index()];
        let own = |p: &StylePiece, n: NodeId| p.action.is_some_and(|k| self.actions[k].is_own(n));
        let leaves = now.relaxed || self.fits(now, from) || own(now, self.graph.from(edge));
        let enters = next.relaxed || self.fits(next, to) || own(next, self.graph.to(edge));
        self.edges.is_transition[edge.index()] && leaves && enters
    }
}
