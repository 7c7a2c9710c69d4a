//! Telling graphs apart.

use crate::MotionGraph;

impl MotionGraph {
    /// Tells graphs apart: two with the same tag have the same clips, nodes and edges, so that what names them by number fits both.
    pub fn tag(&self) -> String {
        let mut hash = blake3::Hasher::new();
        for clip in self.clip_ids() {
            hash.update(self.clip_info(clip).content_checksum());
        }
        for node in self.nodes().map(|n| self.node(n)) {
            hash.update(&node.clip.0.to_le_bytes());
            hash.update(&node.boundary.to_le_bytes());
        }
        for edge in self.edges() {
            hash.update(&self.from(edge).0.to_le_bytes());
            hash.update(&self.to(edge).0.to_le_bytes());
            hash.update(&self.topology.candidates[edge.index()].to_le_bytes());
        }
        hash.finalize().to_hex()[..32].to_owned()
    }
}
