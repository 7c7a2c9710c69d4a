//! What is to be expanded next: the least f first, of equals the newest node.
//!
//! Both queues keep that order exactly, so that both find the same. An entry has 12 bytes. Entries are not taken out when their state is
//! reached more cheaply or settled: whoever takes one looks whether its state is still open.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::OpenList;
use super::arena::Full;

/// f, which is not negative, and a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    // In halves, so that an entry needs no room for alignment.
    high: u32,
    low: u32,
    pub(super) node: u32,
}

impl Entry {
    #[inline]
    pub(super) fn new(f: f64, node: u32) -> Self {
        // Bits of numbers that are not negative are in the order of their values.
        let bits = f.max(0.0).to_bits();
        Self {
            high: (bits >> 32) as u32,
            low: bits as u32,
            node,
        }
    }

    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }

    #[inline]
    pub(super) fn f(self) -> f64 {
        f64::from_bits(self.bits())
    }
}

impl Ord for Entry {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let first = self.bits().cmp(&other.bits());
        // A newer node is further along, as a rule.
        first.then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Entry {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

const EACH: usize = size_of::<Entry>();
/// Entries of the first allocation.
const FEW: usize = 256;
/// Buckets, and the one for what lies beyond them.
const BUCKETS: usize = 4096;
/// Bytes of buckets that hold nothing.
const HEADS: usize = (BUCKETS + 1) * size_of::<Vec<Entry>>();

pub(super) struct Queue {
    /// All entries, or those of the lowest buckets.
    front: BinaryHeap<Reverse<Entry>>,
    buckets: Option<Buckets>,
    len: usize,
}

/// Entries above those in front, unsorted, by how far their f lies above the base.
struct Buckets {
    base: f64,
    per_width: f64,
    /// Everything up to this one is in front.
    at: usize,
    all: Vec<Vec<Entry>>,
    bytes: usize,
}

impl Queue {
    pub(super) fn new(kind: OpenList) -> Self {
        let buckets = || Buckets {
            base: 0.0,
            per_width: 0.0,
            at: BUCKETS,
            all: vec![Vec::new(); BUCKETS + 1],
            bytes: 0,
        };
        Self {
            front: BinaryHeap::new(),
            buckets: (kind == OpenList::Buckets).then(buckets),
            len: 0,
        }
    }

    /// Entries, those of states that are no longer open among them.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        let beyond = self.buckets.as_ref().map_or(0, |b| b.bytes + HEADS);
        EACH * self.front.capacity() + beyond
    }

    /// What the next entry may add to them while it is taken in: a place a quarter larger than the old one.
    #[inline]
    pub(super) fn next_bytes(&self) -> usize {
        EACH * (self.len + self.len / 4 + FEW)
    }

    /// Empty again, for so many entries whose f lies between the first of the limits and, mostly, the second.
    pub(super) fn restart(
        &mut self,
        (low, high): (f64, f64),
        entries: usize,
        bytes: usize,
    ) -> Result<(), Full> {
        // What grows by a quarter at a time, while the old place is still there.
        let need = 2 * EACH * (entries + entries / 4 + FEW);
        let heads = self.buckets.as_ref().map_or(0, |_| HEADS);
        if need.saturating_add(heads) > bytes {
            return Err(Full);
        }
        self.len = 0;
        self.front = BinaryHeap::new();
        if let Some(b) = &mut self.buckets {
            b.start(low, high);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.len += 1;
        let front = match &mut self.buckets {
            Some(b) => b.take(entry),
            None => Some(entry),
        };
        if let Some(entry) = front {
            if self.front.len() == self.front.capacity() {
                self.front.reserve_exact(self.front.len() / 4 + FEW);
            }
            self.front.push(Reverse(entry));
        }
    }

    /// The next, which stays.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<Entry> {
        while self.front.is_empty() {
            let next = self.buckets.as_mut()?.next()?;
            let spent = std::mem::replace(&mut self.front, next.into_iter().map(Reverse).collect());
            drop(spent);
        }
        self.front.peek().map(|e| e.0)
    }

    pub(super) fn pop(&mut self) {
        self.len -= usize::from(self.front.pop().is_some());
    }
}

impl Buckets {
    fn start(&mut self, low: f64, high: f64) {
        for bucket in &mut self.all {
            *bucket = Vec::new();
        }
        let width = (high - low) / BUCKETS as f64;
        let width = if width.is_finite() && width > 0.0 {
            width
        } else {
            1.0
        };
        (self.base, self.per_width, self.at, self.bytes) = (low, 1.0 / width, 0, 0);
    }

    /// Keeps an entry, or gives back one that belongs in front.
    #[inline]
    fn take(&mut self, entry: Entry) -> Option<Entry> {
        // Casts of numbers below 0 or too large end at the limits.
        let k = (((entry.f() - self.base) * self.per_width) as usize).min(BUCKETS);
        if k <= self.at {
            return Some(entry);
        }
        let bucket = &mut self.all[k];
        if bucket.len() == bucket.capacity() {
            let more = bucket.len() / 4 + 4;
            bucket.reserve_exact(more);
            self.bytes += EACH * more;
        }
        bucket.push(entry);
        None
    }

    /// The lowest bucket that holds anything.
    fn next(&mut self) -> Option<Vec<Entry>> {
        if self.at < BUCKETS
            && let Some(k) = (self.at + 1..=BUCKETS).find(|&k| !self.all[k].is_empty())
        {
            self.at = k;
            let bucket = std::mem::take(&mut self.all[k]);
            self.bytes = self.bytes.saturating_sub(EACH * bucket.capacity());
            return Some(bucket);
        }
        None
    }
}
