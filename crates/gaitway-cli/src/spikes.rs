//! Frames that capture got wrong, as reports list them.

use gaitway::io::Import;
use serde_json::{Value, json};

/// A row per joint and stretch of frames; frames are counted from the first one kept.
pub fn rows(import: &Import) -> Vec<Value> {
    let row = |spike: &gaitway::core::spikes::Spike| {
        let (size, unit) = spike.measure();
        json!({
            "joint": import.clip.skeleton().name(spike.joint),
            "motion": spike.kind.as_str(),
            "frame": spike.frames.start,
            "frames": spike.frames.len(),
            "time_s": spike.frames.start as f64 / import.clip.rate_hz(),
            "size": size,
            "unit": unit,
        })
    };
    import.spikes.iter().map(row).collect()
}
