//! Labels as bits.

use crate::LabelId;

/// The name that frames without a label carry.
pub const UNLABELLED: &str = "unlabelled";

/// A set of labels, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelSet(pub u128);

impl LabelSet {
    /// No label at all; no frame has this, a transition between unlike actions may.
    pub const EMPTY: Self = Self(0);
    /// The most labels a graph can tell apart, `unlabelled` included.
    pub const MAX_LABELS: usize = 128;

    /// The set of one label.
    pub fn of(label: LabelId) -> Self {
        Self(1 << label.0)
    }

    /// Whether a label is in the set.
    pub fn contains(self, label: LabelId) -> bool {
        self.0 >> label.0 & 1 == 1
    }

    /// Whether every label of the other set is in this one.
    pub fn includes(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Labels in both.
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Labels in either.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The labels, lowest id first.
    pub fn iter(self) -> impl Iterator<Item = LabelId> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let label = (rest != 0).then(|| LabelId(rest.trailing_zeros()))?;
            rest &= rest - 1;
            Some(label)
        })
    }

    /// As two words, low first: how files hold it.
    pub fn to_words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// From two words, low first.
    pub fn from_words(words: [u64; 2]) -> Self {
        Self(u128::from(words[0]) | u128::from(words[1]) << 64)
    }
}

/// The names of a graph's labels: `unlabelled` first, then the others sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelTable {
    names: Vec<String>,
}

impl LabelTable {
    /// A table of these names; doubles are dropped. `None` if there are more than
    /// [`LabelSet::MAX_LABELS`].
    pub fn new(names: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut names: Vec<String> = names.into_iter().filter(|n| n != UNLABELLED).collect();
        names.sort();
        names.dedup();
        names.insert(0, UNLABELLED.to_owned());
        (names.len() <= LabelSet::MAX_LABELS).then_some(Self { names })
    }

    /// All names, by id.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of labels, `unlabelled` included.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: `unlabelled` is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = LabelId> + use<> {
        (0..self.names.len() as u32).map(LabelId)
    }

    /// The name of a label.
    pub fn name(&self, label: LabelId) -> &str {
        &self.names[label.index()]
    }

    /// Whether a label is a mark: see [`gaitway_core::is_mark`].
    pub fn is_mark(&self, label: LabelId) -> bool {
        gaitway_core::is_mark(self.name(label))
    }

    /// All marks.
    pub fn marks(&self) -> LabelSet {
        let marks = self.ids().filter(|&l| self.is_mark(l));
        marks.fold(LabelSet::EMPTY, |s, l| s.union(LabelSet::of(l)))
    }

    /// Whether a label names what is done: neither `unlabelled` nor a mark.
    pub fn is_action(&self, label: LabelId) -> bool {
        label != LabelId::UNLABELLED && !self.is_mark(label)
    }

    /// The label of a name.
    pub fn find(&self, name: &str) -> Option<LabelId> {
        self.names
            .iter()
            .position(|n| n == name)
            .map(|i| LabelId(i as u32))
    }

    /// The names of a set, in order of id.
    pub fn names_of(&self, set: LabelSet) -> Vec<&str> {
        set.iter()
            .filter_map(|l| self.names.get(l.index()))
            .map(String::as_str)
            .collect()
    }

    /// The set with every bit the table has.
    pub fn all(&self) -> LabelSet {
        LabelSet(if self.names.len() >= 128 {
            u128::MAX
        } else {
            (1 << self.names.len()) - 1
        })
    }
}
