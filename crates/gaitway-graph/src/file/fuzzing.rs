//! Any bytes as a graph file: no panic, and what loads can be used and written again. `fuzz/` calls this, and so do
//! the tests of the file.

use std::ops::Range;

use serde_json::Value;

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

/// The same with checksums made to fit, so that hostile bytes get past them.
///
/// # Errors
/// Whatever else is wrong with them.
pub fn gway_mended(bytes: &[u8]) -> Result<(), GraphError> {
    let mut bytes = bytes.to_vec();
    mend(&mut bytes);
    gway(&bytes)
}

/// Makes both checksums fit the bytes again; `None` where the header cannot be read.
pub fn mend(bytes: &mut [u8]) -> Option<()> {
    let length = usize::try_from(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?)).ok()?;
    let start = length.checked_add(8)?;
    let header: Value = serde_json::from_slice(bytes.get(8..start)?).ok()?;
    let rows = rows(&header, start)?;
    let hash_of = |bytes: &[u8], frames: bool, seed: &[u8]| {
        let mut hash = blake3::Hasher::new();
        hash.update(seed);
        for (range, name) in &rows {
            if name.starts_with("frame_") == frames && *name != "checksum" {
                hash.update(bytes.get(range.clone()).unwrap_or(&[]));
            }
        }
        *hash.finalize().as_bytes()
    };
    for (name, frames) in [("frames_checksum", true), ("checksum", false)] {
        let seed = if frames {
            Vec::new()
        } else {
            bytes[..start].to_vec()
        };
        let sum = hash_of(bytes, frames, &seed);
        let place = rows.iter().find(|r| r.1 == name).map(|r| r.0.clone());
        let slot = place.and_then(|r| bytes.get_mut(r));
        if let Some(slot) = slot.filter(|s| s.len() == 32) {
            slot.copy_from_slice(&sum);
        }
    }
    Some(())
}

/// Where each array lies, in the order of the file.
fn rows(header: &Value, start: usize) -> Option<Vec<(Range<usize>, &str)>> {
    let range = |v: &Value| {
        let at = |k: usize| {
            let offset = v["data_offsets"][k].as_u64();
            offset.map(|n| start.saturating_add(n as usize))
        };
        Some(at(0)?..at(1)?)
    };
    let object = header.as_object()?.iter();
    let mut rows: Vec<(Range<usize>, &str)> = object
        .filter_map(|(k, v)| Some((range(v)?, k.as_str())))
        .collect();
    rows.sort_by_key(|r| (r.0.start, r.0.end));
    Some(rows)
}
