//! Quickest ways, as a form asks for them.

use super::arcs::{Arcs, Quickest};
use super::bound::{Bound, Bounded};

/// Quickest ways, with a bound or without.
#[derive(Clone, Debug)]
pub(super) enum Search<'a> {
    Free(Quickest<'a>),
    Bounded(Bounded<'a>),
}

impl<'a> Search<'a> {
    pub fn new(arcs: &'a Arcs, bound: Option<Bound>) -> Self {
        match bound {
            None => Self::Free(Quickest::new(arcs)),
            Some(bound) => Self::Bounded(Bounded::new(arcs, bound)),
        }
    }

    /// Finds the quickest ways from any of some nodes to all.
    pub fn from(&mut self, sources: impl Iterator<Item = u32>) {
        match self {
            Self::Free(search) => search.from(sources),
            Self::Bounded(search) => search.from(sources),
        }
    }

    /// Frames to each node; [`NEVER`](super::NEVER) where there is no way.
    pub fn time(&self) -> &[u32] {
        match self {
            Self::Free(search) => &search.time,
            Self::Bounded(search) => &search.time,
        }
    }

    /// The arcs of the way found to a node.
    pub fn way(&self, node: u32) -> Vec<u32> {
        match self {
            Self::Free(search) => search.way(node),
            Self::Bounded(search) => search.way(node),
        }
    }
}
