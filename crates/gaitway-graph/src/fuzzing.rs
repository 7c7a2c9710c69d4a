//! Any bytes as a graph file: no panic, and what loads can be used and written again. `fuzz/` calls this, and so do
//! the tests of the file.

use crate::{Account, GraphError, MotionGraph};

/// Opens bytes and uses everything in them.
///
/// # Errors
/// Whatever is wrong with them.
pub fn gway(bytes: &[u8]) -> Result<(), GraphError> {
    let graph = MotionGraph::from_bytes(bytes)?;
    graph.verify()?;
    for edge in graph.edges() {
        assert!(graph.edge(edge).to.index() < graph.node_count());
        assert!(graph.seconds(edge) >= 0.0);
    }
    Account::of(&graph)?;
    MotionGraph::from_bytes(&graph.to_bytes()?).map(drop)
}
