//! Why branches end.

use super::heuristics::Layers;

/// Why a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeadEnd {
    /// Dearer than the limit.
    Bound,
    /// The edge does not carry the label asked for.
    Label,
    /// Into an obstacle, by its place in the list.
    Obstacle(u32),
    /// Too near another motion, by its place in the list.
    MovingObstacle(u32),
    /// Out of the corridor.
    Corridor,
    /// Forbidden by name.
    Forbidden,
    /// Longer in time than allowed.
    TooSlow,
    /// Anything else.
    Other,
}

impl DeadEnd {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Bound => "it costs too much",
            Self::Label => "no edge carries the label asked for",
            Self::Obstacle(_) => "an obstacle is in the way",
            Self::MovingObstacle(_) => "somebody else is in the way",
            Self::Corridor => "it leaves the corridor",
            Self::Forbidden => "the clip is forbidden",
            Self::TooSlow => "it takes too long",
            Self::Other => "a hard constraint does not hold",
        }
    }
}

/// The branch that came furthest before a hard constraint ended it.
#[derive(Clone, Copy, Debug)]
pub struct DeadEnds<S> {
    /// The state before it, and why it went no further.
    pub furthest: Option<(S, DeadEnd)>,
    progress: f64,
}

impl<S: Copy> Default for DeadEnds<S> {
    fn default() -> Self {
        Self {
            furthest: None,
            progress: f64::NEG_INFINITY,
        }
    }
}

impl<S: Copy> DeadEnds<S> {
    /// Notes a dead end; those by price do not count.
    pub fn note<L: Layers<State = S>>(&mut self, space: &L, state: &S, why: DeadEnd) {
        if why != DeadEnd::Bound {
            self.note_at(space.progress(state), state, why);
        }
    }

    /// The same by any number that grows on the way.
    pub(crate) fn note_at(&mut self, progress: f64, state: &S, why: DeadEnd) {
        if why == DeadEnd::Bound {
            return;
        }
        // An obstacle says more than the labels beside it, at the same place.
        let better = match self.furthest {
            None => true,
            Some((_, DeadEnd::Label | DeadEnd::Forbidden)) => progress >= self.progress - 0.25,
            Some(_) => {
                progress > self.progress && !matches!(why, DeadEnd::Label | DeadEnd::Forbidden)
            }
        };
        if better {
            self.progress = self.progress.max(progress);
            self.furthest = Some((*state, why));
        }
    }
}
