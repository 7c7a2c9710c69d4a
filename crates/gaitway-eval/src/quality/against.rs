//! A made motion against the clips it was made from.

use std::collections::BTreeSet;

use gaitway_core::Clip;
use gaitway_graph::{ClipId, GraphError, MotionGraph};

use super::{Quality, QualityOptions, quality};

/// What [`quality`] says of a motion made from clips of a graph: the worst jolt of those clips is what its own are held
/// against. `transitions` are the times at which its clips meet, in seconds; `file` is what the row is called.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn quality_against(
    graph: &MotionGraph,
    used: impl IntoIterator<Item = ClipId>,
    motion: &Clip,
    transitions: Vec<f64>,
    file: &str,
) -> Result<Quality, GraphError> {
    let used: BTreeSet<ClipId> = used.into_iter().collect();
    let mut source = None;
    for clip in used {
        let own = quality(&graph.clip(clip)?, None, &QualityOptions::default());
        source = [source, own.accel_m_s2.p999]
            .into_iter()
            .flatten()
            .reduce(f64::max);
    }
    let options = QualityOptions {
        file: file.to_owned(),
        source_accel_p999: source,
        transitions: Some(transitions),
        ..QualityOptions::default()
    };
    Ok(quality(motion, None, &options))
}
