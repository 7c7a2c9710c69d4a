//! Memory of a bite, sized ahead.

/// An open branch.
#[derive(Clone, Copy)]
pub(super) struct Child<S, A> {
    pub(super) state: S,
    pub(super) action: A,
    /// Σ g up to and with this action.
    pub(super) cost: f64,
    /// Frames of this action that were taken.
    pub(super) frames: u32,
    /// Frames of the bite with this action.
    pub(super) total: u32,
    pub(super) depth: u32,
    /// The count of expansions at which its parent's share is spent.
    pub(super) until: u64,
    /// Its parent's best: always followed to the end, so that every share bears a walk.
    pub(super) first: bool,
}

/// A complete walk of a bite.
#[derive(Clone)]
pub(super) struct Best<S, A> {
    /// Σ g, and what is guessed to come after it.
    pub(super) cost: f64,
    /// What is guessed to come after it alone.
    pub(super) ahead: f64,
    pub(super) start: usize,
    pub(super) actions: Vec<(A, u32)>,
    /// How many of its actions are kept when it is taken.
    pub(super) keeps: usize,
    pub(super) end: Option<S>,
}

impl<S, A> Best<S, A> {
    /// What it costs a frame.
    pub(super) fn mean(&self) -> f64 {
        let frames: u32 = self.actions.iter().map(|a| a.1.max(1)).sum();
        (self.cost - self.ahead) / f64::from(frames.max(1))
    }
}

/// Memory of a bite, kept from bite to bite.
pub(super) struct Arena<S, A> {
    pub(super) stack: Vec<Child<S, A>>,
    pub(super) way: Vec<(A, u32)>,
    pub(super) best: Vec<Best<S, A>>,
    pub(super) kept: usize,
    pub(super) most: usize,
}

impl<S: Copy, A: Copy + PartialEq> Arena<S, A> {
    /// Room for every child of the deepest branch there can be, or, where nobody knows how wide branches are, all of the
    /// memory.
    pub(super) fn new(depth: usize, widest: Option<usize>, best: usize, memory: usize) -> Self {
        let each = std::mem::size_of::<Child<S, A>>();
        let most = match widest {
            Some(widest) => (depth + 1)
                .saturating_mul(widest.max(1))
                .min((memory / each).max(widest + 1)),
            None => (memory / each).max(1024),
        };
        Self {
            stack: Vec::with_capacity(most),
            way: Vec::with_capacity(depth + 1),
            best: (0..best.max(1) + 1)
                .map(|_| Best {
                    cost: f64::INFINITY,
                    ahead: 0.0,
                    start: 0,
                    actions: Vec::with_capacity(depth + 1),
                    keeps: 0,
                    end: None,
                })
                .collect(),
            kept: best.max(1),
            most,
        }
    }

    pub(super) fn clear(&mut self) {
        self.stack.clear();
        self.way.clear();
        for b in &mut self.best {
            (b.cost, b.end) = (f64::INFINITY, None);
        }
    }

    /// What a complete walk must cost less than to be of use.
    pub(super) fn bound(&self) -> f64 {
        self.best[self.kept - 1].cost
    }

    /// Takes the present way in among the best, which stay sorted. Of ways that begin with the same kept part only the best
    /// stays: the others would lead to the same next bite.
    pub(super) fn offer(&mut self, (cost, ahead): (f64, f64), start: usize, end: S, keeps: usize) {
        let cost = cost + ahead;
        let kept = &self.way[..keeps];
        let same = |b: &Best<S, A>| {
            let alike = b.keeps == keeps && b.start == start && b.end.is_some();
            alike && b.actions[..keeps].iter().zip(kept).all(|(a, b)| a.0 == b.0)
        };
        let mut at = match self.best[..self.kept].iter().position(same) {
            Some(at) if self.best[at].cost <= cost => return,
            Some(at) => at,
            None => self.kept,
        };
        let slot = &mut self.best[at];
        (slot.cost, slot.start, slot.end, slot.keeps) = (cost, start, Some(end), keeps);
        slot.ahead = ahead;
        slot.actions.clear();
        slot.actions.extend_from_slice(&self.way);
        // Insertion keeps the order of discovery among equals.
        while at > 0 && self.best[at - 1].cost > self.best[at].cost {
            self.best.swap(at - 1, at);
            at -= 1;
        }
    }
}
