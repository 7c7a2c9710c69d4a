//! Ids are types: a node is never taken for an edge.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into arrays.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A clip of a graph, by its place among the clips sorted by name.
    ClipId
);
id!(
    /// A node: a boundary between two working frames of a clip. Sorted by clip, then boundary.
    NodeId
);
id!(
    /// An edge: a piece of a clip, or a transition. Sorted by the node it leaves.
    EdgeId
);
id!(
    /// A candidate, by its place in the graph's table.
    CandidateId
);
id!(
    /// A candidate for a cut near an end, by its place in the graph's table of ends.
    EndCandidateId
);
id!(
    /// A label, by its place in the label table; 0 is `unlabelled`.
    LabelId
);

impl LabelId {
    /// What frames without a label carry.
    pub const UNLABELLED: Self = Self(0);
}
