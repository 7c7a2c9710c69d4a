//! All states that a search has met: nodes in blocks, and a table from identities to them.
//!
//! A node is its state, g, the node it was reached from, the action that led there, and two bits of status in the parent's number: 32
//! bytes where the state has 16 and the action 4. Blocks are never moved. The table has one 32-bit slot for each 4/5 of a state: the
//! node's number, and in the bits that are left a piece of its identity's hash, so that most nodes of other identities are not looked
//! at. Bytes are counted before they are taken: nothing grows past its limit.

use std::hash::{Hash, Hasher};

use crate::search::heuristics::Identity;

/// Nodes of a block, as a power of two.
const BLOCK_BITS: u32 = 14;
const BLOCK: usize = 1 << BLOCK_BITS;
/// Numbers of nodes leave two bits for the status.
const PARENT_BITS: u32 = 30;
/// No node.
pub(super) const NOBODY: u32 = (1 << PARENT_BITS) - 1;

/// Where a state stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Expanded for an earlier ε, and its cost has not fallen since.
    Settled,
    /// To be expanded.
    Open,
    /// Expanded for the present ε.
    Closed,
    /// Expanded for the present ε, and its cost has fallen since: for the next.
    Inconsistent,
}

pub(super) struct Node<S, A> {
    pub(super) g: f64,
    pub(super) state: S,
    /// The node it was reached from in the low bits, its status in the two highest.
    link: u32,
    pub(super) action: A,
}

impl<S, A> Node<S, A> {
    pub(super) fn new(state: S, g: f64, parent: u32, action: A) -> Self {
        Self {
            g,
            state,
            link: parent,
            action,
        }
    }

    #[inline]
    pub(super) fn parent(&self) -> u32 {
        self.link & NOBODY
    }

    #[inline]
    pub(super) fn status(&self) -> Status {
        match self.link >> PARENT_BITS {
            0 => Status::Settled,
            1 => Status::Open,
            2 => Status::Closed,
            _ => Status::Inconsistent,
        }
    }

    #[inline]
    pub(super) fn set_status(&mut self, status: Status) {
        self.link = self.link & NOBODY | (status as u32) << PARENT_BITS;
    }

    /// A cheaper way to it.
    #[inline]
    pub(super) fn reached(&mut self, g: f64, parent: u32, action: A) {
        (self.g, self.action) = (g, action);
        self.link = self.link & !NOBODY | parent;
    }
}

/// There is no memory left.
#[derive(Debug)]
pub(super) struct Full;

pub(super) struct Arena<S: Identity> {
    blocks: Vec<Vec<Node<S::State, S::Action>>>,
    count: usize,
    slots: Vec<u32>,
    /// Bits of a slot that number nodes; those above are of the hash.
    index_bits: u32,
    /// The most nodes there may ever be.
    most: usize,
}

impl<S: Identity> Arena<S> {
    const NODE: usize = size_of::<Node<S::State, S::Action>>();
    const FIRST_SLOTS: usize = 1 << 12;

    /// At most so many bytes, so that numbers and tables can be sized.
    pub(super) fn new(memory: usize) -> Self {
        let most = (memory / (Self::NODE + 5)).clamp(1, NOBODY as usize - 1);
        Self {
            blocks: Vec::new(),
            count: 0,
            slots: vec![0; Self::FIRST_SLOTS.min(Self::slots_for(most))],
            // One more than the largest number, since an empty slot is 0.
            index_bits: usize::BITS - (most + 1).leading_zeros(),
            most,
        }
    }

    fn slots_for(nodes: usize) -> usize {
        nodes + nodes / 4 + 2
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// What it takes now.
    pub(super) fn bytes(&self) -> usize {
        let each = size_of::<Vec<Node<S::State, S::Action>>>();
        self.blocks.len() * (BLOCK * Self::NODE)
            + self.blocks.capacity() * each
            + 4 * self.slots.len()
    }

    #[inline]
    pub(super) fn node(&self, at: u32) -> &Node<S::State, S::Action> {
        &self.blocks[(at >> BLOCK_BITS) as usize][at as usize & (BLOCK - 1)]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, at: u32) -> &mut Node<S::State, S::Action> {
        &mut self.blocks[(at >> BLOCK_BITS) as usize][at as usize & (BLOCK - 1)]
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// The part of a slot that tells whose it may be.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        // The low bits: the high ones chose the place.
        ((hash as u32).checked_shl(self.index_bits)).unwrap_or(0)
    }

    /// Brings what is known of a hash near: many of these, one after the other, wait for memory together.
    #[inline]
    pub(super) fn touch(&self, hash: u64) -> u64 {
        let slot = self.slots[self.place(hash)];
        let mask = self.index_mask();
        if slot != 0 && slot & !mask == self.tag(hash) {
            return self.node((slot & mask) - 1).g.to_bits();
        }
        0
    }

    #[inline]
    fn index_mask(&self) -> u32 {
        u32::MAX >> (32 - self.index_bits)
    }

    /// The node of an identity.
    #[inline]
    pub(super) fn find(&self, space: &S, id: S::Id, hash: u64) -> Option<u32> {
        let (mask, tag) = (self.index_mask(), self.tag(hash));
        let mut at = self.place(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot & !mask == tag {
                let node = (slot & mask) - 1;
                if space.identity(&self.node(node).state) == id {
                    return Some(node);
                }
            }
            at = if at + 1 == self.slots.len() {
                0
            } else {
                at + 1
            };
        }
    }

    /// Takes in a node whose identity is not there yet, within so many bytes.
    #[inline]
    pub(super) fn add(
        &mut self,
        space: &S,
        node: Node<S::State, S::Action>,
        hash: u64,
        bytes: usize,
    ) -> Result<u32, Full> {
        if self.count == self.most {
            return Err(Full);
        }
        if Self::slots_for(self.count + 1) > self.slots.len() {
            self.grow(space, bytes)?;
        }
        if self.count == self.blocks.len() << BLOCK_BITS {
            if self.bytes() + BLOCK * Self::NODE > bytes {
                return Err(Full);
            }
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let at = self.count as u32;
        self.blocks[self.count >> BLOCK_BITS].push(node);
        self.count += 1;
        self.enter(at, hash);
        Ok(at)
    }

    fn enter(&mut self, node: u32, hash: u64) {
        let mut at = self.place(hash);
        while self.slots[at] != 0 {
            at = if at + 1 == self.slots.len() {
                0
            } else {
                at + 1
            };
        }
        self.slots[at] = self.tag(hash) | (node + 1);
    }

    /// Makes the table half as large again, while the old one is still there.
    fn grow(&mut self, space: &S, bytes: usize) -> Result<(), Full> {
        let wider = self.slots.len() + self.slots.len() / 2;
        let slots = wider.min(Self::slots_for(self.most));
        if self.bytes() + 4 * slots > bytes {
            return Err(Full);
        }
        self.slots = vec![0; slots];
        for at in 0..self.count as u32 {
            let hash = hash_of(&space.identity(&self.node(at).state));
            self.enter(at, hash);
        }
        Ok(())
    }

    /// All nodes, in the order they were met.
    pub(super) fn nodes_mut(
        &mut self,
    ) -> impl Iterator<Item = (u32, &mut Node<S::State, S::Action>)> {
        (0..).zip(self.blocks.iter_mut().flatten())
    }
}

/// The hash of an identity: the same everywhere, and quick for a few words.
#[inline]
pub(super) fn hash_of<T: Hash>(id: &T) -> u64 {
    let mut mix = Mix(0);
    id.hash(&mut mix);
    mix.finish()
}

struct Mix(u64);

impl Mix {
    #[inline]
    fn word(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        self.0 = wide as u64 ^ (wide >> 64) as u64;
    }
}

impl Hasher for Mix {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.word(u64::from_le_bytes(word));
        }
        self.word(bytes.len() as u64);
    }
    #[inline]
    fn write_u8(&mut self, v: u8) {
        self.word(u64::from(v));
    }
    #[inline]
    fn write_u16(&mut self, v: u16) {
        self.word(u64::from(v));
    }
    #[inline]
    fn write_u32(&mut self, v: u32) {
        self.word(u64::from(v));
    }
    #[inline]
    fn write_u64(&mut self, v: u64) {
        self.word(v);
    }
    #[inline]
    fn write_u128(&mut self, v: u128) {
        self.word(v as u64);
        self.word((v >> 64) as u64);
    }
    #[inline]
    fn write_usize(&mut self, v: usize) {
        self.word(v as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        let wide = u128::from(self.0) * 0xff51_afd7_ed55_8ccd_u128;
        wide as u64 ^ (wide >> 64) as u64
    }
}
