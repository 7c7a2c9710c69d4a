//! Frames that capture got wrong, as reports list them.

use gaitway::core::spikes::{Lapse, Spike};
use gaitway::io::Import;
use serde_json::{Value, json};

/// A row per joint and stretch of frames; `frame` is counted from the first one kept, `file_frame` as the file counts.
pub fn rows(import: &Import) -> Vec<Value> {
    import.spikes.iter().map(|s| row(import, s)).collect()
}

/// The same for longer stretches that capture lost, and whether each was filled.
pub fn lapses(import: &Import) -> Vec<Value> {
    let row = |lapse: &Lapse| {
        let mut row = row(import, &lapse.at);
        row["filled"] = lapse.filled.into();
        row
    };
    import.lapses.iter().map(row).collect()
}

fn row(import: &Import, spike: &Spike) -> Value {
    let (size, unit) = spike.measure();
    json!({
        "joint": import.clip.skeleton().name(spike.joint),
        "motion": spike.kind.as_str(),
        "frame": spike.frames.start,
        "file_frame": import.source.first_frame + spike.frames.start,
        "frames": spike.frames.len(),
        "time_s": spike.frames.start as f64 / import.clip.rate_hz(),
        "size": size,
        "unit": unit,
    })
}
