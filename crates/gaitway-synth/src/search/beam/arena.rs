//! All memory of a beam, sized ahead.

use super::BeamOptions;
use crate::search::heuristics::Layers;
use crate::search::result::{SearchResult, Solution};
use crate::search::run::Budget;
use crate::search::space::Space;

/// No entry.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
pub(super) struct Entry<S, A> {
    pub(super) state: S,
    pub(super) cost: f64,
    /// NONE for a start.
    pub(super) parent: u32,
    /// What led here; for a start whatever [`Action::NONE`](crate::search::Action::NONE) is: an `Option` would make entries
    /// larger, and fewer of them fit into the memory there is.
    pub(super) action: A,
    /// Frames of the action that were taken.
    pub(super) frames: u32,
    /// See [`Layers::group`].
    pub(super) group: u32,
}

/// What sorting a layer needs of an entry, apart from the rest: layers are walked through often.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) rank: f64,
    /// The next entry of the same layer.
    pub(super) next: u32,
    pub(super) group: u32,
}

/// The entries of a layer.
#[derive(Clone, Copy)]
pub(super) struct Layer {
    /// The one put in last.
    pub(super) first: u32,
    /// Lowest and highest group.
    pub(super) groups: (u32, u32),
}

impl Layer {
    pub(super) const EMPTY: Self = Self {
        first: NONE,
        groups: (u32::MAX, 0),
    };
}

/// All memory of a round.
pub(super) struct Arena<S, A> {
    pub(super) entries: Vec<Entry<S, A>>,
    /// One per entry.
    pub(super) links: Vec<Link>,
    pub(super) most: usize,
    pub(super) layers: Vec<Layer>,
    /// The best rank in each layer so far, by the parity of the group.
    pub(super) best: Vec<[f64; 2]>,
    /// How far behind a layer's best the last that went on was, of late, by the parity of the group.
    pub(super) slack: [f64; 2],
    /// Rank and place of a layer's entries.
    pub(super) order: Vec<(f64, u32)>,
    /// Room for those of other groups, and for both in turns.
    others: Vec<(f64, u32)>,
    mixed: Vec<(f64, u32)>,
    pub(super) seen: Seen,
    /// How hard each layer up to the goal's is, next to the others, and how hard all from there on are together.
    pub(super) hard: Vec<(f64, f64)>,
}

/// Which of two numbers is a group's. Ranks of different groups say nothing about one another.
#[inline]
pub(super) fn side(group: u32) -> usize {
    group as usize % 2
}

impl<S, A> Arena<S, A> {
    /// Notes how far behind the best of its kind the last was that went on, when `went_on` of a sorted layer have.
    pub(super) fn note_slack(&mut self, went_on: usize) {
        let mut ends = [None::<(f64, f64)>; 2];
        for &(rank, at) in &self.order[..=went_on.min(self.order.len() - 1)] {
            let end = &mut ends[side(self.links[at as usize].group)];
            *end = Some((end.map_or(rank, |e| e.0), rank));
        }
        for (slack, end) in self.slack.iter_mut().zip(ends) {
            let Some((first, last)) = end else { continue };
            let behind = last - first;
            *slack = if slack.is_finite() {
                0.8 * *slack + 0.2 * behind
            } else {
                behind
            };
        }
    }

    /// Fills `order` with the `most` best of a layer's entries, the best first; those of the last group and of all others in
    /// turns, where there are both.
    pub(super) fn sort(&mut self, layer: Layer, most: usize) {
        let (low, high) = layer.groups;
        let pick = |into: &mut Vec<(f64, u32)>, of: &dyn Fn(u32) -> bool| {
            into.clear();
            let mut at = layer.first;
            while at != NONE {
                let link = self.links[at as usize];
                if of(link.group) {
                    into.push((link.rank, at));
                }
                at = link.next;
            }
            best_first(into, most);
        };
        pick(&mut self.order, &|g| g == high);
        if low == high {
            return;
        }
        pick(&mut self.others, &|g| g != high);
        let (mut a, mut b) = (0, 0);
        self.mixed.clear();
        while a < self.order.len() || b < self.others.len() {
            self.mixed.extend(self.order.get(a));
            self.mixed.extend(self.others.get(b));
            (a, b) = (a + 1, b + 1);
        }
        std::mem::swap(&mut self.order, &mut self.mixed);
    }
}

fn best_first(order: &mut Vec<(f64, u32)>, most: usize) {
    let by = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if order.len() > most {
        order.select_nth_unstable_by(most, by);
        order.truncate(most);
    }
    order.sort_unstable_by(by);
}

/// A set of cells, emptied by changing the stamp.
pub(super) struct Seen {
    slots: Vec<(u64, u32)>,
    /// As many slots as are in use, a power of two, less one.
    mask: usize,
    stamp: u32,
    count: usize,
}

impl Seen {
    /// Empties it for about so many cells: no more of it is used than they need, so that it stays in the cache.
    pub(super) fn clear(&mut self, cells: u64) {
        self.stamp += 1;
        self.count = 0;
        let wanted = (cells.min(1 << 40) as usize * 4).next_power_of_two();
        self.mask = wanted.clamp(1 << 12, self.slots.len()) - 1;
    }

    /// Whether a cell is new. A full table says no: what it cannot hold is not followed.
    pub(super) fn insert(&mut self, cell: u64) -> bool {
        let mask = self.mask;
        if self.count * 4 > mask * 3 {
            return false;
        }
        let mut at = (cell ^ cell >> 32) as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.1 != self.stamp {
                *slot = (cell, self.stamp);
                self.count += 1;
                return true;
            }
            if slot.0 == cell {
                return false;
            }
            at = (at + 1) & mask;
        }
    }
}

/// The arena of a space.
pub(super) type ArenaOf<S> = Arena<<S as Space>::State, <S as Space>::Action>;

pub(super) fn arena<S: Layers>(
    space: &S,
    options: &BeamOptions,
    budget: &Budget,
    starts: usize,
) -> ArenaOf<S> {
    let each = std::mem::size_of::<Entry<S::State, S::Action>>() + std::mem::size_of::<Link>();
    let wanted = (budget.expansions as usize).saturating_add(starts + 16);
    let most = wanted
        .min((budget.memory / each).max(1024))
        .min(NONE as usize - 1);
    // Past the goal's progress there is room for styles that change late.
    let layers = (space.progress_at_goal() / options.layer).ceil() as usize
        + (4.0 / options.layer) as usize
        + 2;
    // A layer's states only, and small enough to stay in the cache.
    let slots = (most / 16).clamp(1 << 12, 1 << 20).next_power_of_two();
    Arena {
        entries: Vec::with_capacity(most),
        links: Vec::with_capacity(most),
        most,
        layers: vec![Layer::EMPTY; layers],
        best: vec![[f64::INFINITY; 2]; layers],
        slack: [f64::INFINITY; 2],
        order: Vec::with_capacity(most.min(1 << 22)),
        others: Vec::with_capacity(most.min(1 << 22)),
        mixed: Vec::with_capacity(most.min(1 << 22)),
        hard: even(space, options),
        seen: Seen {
            slots: vec![(0, 0); slots],
            mask: slots - 1,
            stamp: 0,
            count: 0,
        },
    }
}

/// Layers up to the goal's, one as hard as the other.
fn even<S: Layers>(space: &S, options: &BeamOptions) -> Vec<(f64, f64)> {
    let goal = (space.progress_at_goal() / options.layer) as usize + 1;
    (0..goal)
        .rev()
        .map(|left| (1.0, left as f64 + 1.0))
        .collect()
}

/// The way that leads to an entry.
pub(super) fn way_to<S: Copy, A: Copy>(
    arena: &Arena<S, A>,
    end: u32,
    complete: bool,
) -> Solution<S, A> {
    let last = &arena.entries[end as usize];
    let mut actions = Vec::new();
    let mut at = end;
    while arena.entries[at as usize].parent != NONE {
        let entry = &arena.entries[at as usize];
        actions.push(entry.action);
        at = entry.parent;
    }
    actions.reverse();
    Solution {
        start: arena.entries[at as usize].state,
        end: last.state,
        actions,
        last_frames: last.frames,
        cost: last.cost,
        complete,
    }
}

/// The same, put into what is found.
pub(super) fn collect<S: Copy, A: Copy>(
    arena: &Arena<S, A>,
    end: u32,
    found: &mut SearchResult<S, A>,
) {
    let way = way_to(arena, end, false);
    (found.start, found.end) = (Some(way.start), Some(way.end));
    (found.cost, found.last_frames) = (way.cost, way.last_frames);
    found.actions = way.actions;
}
