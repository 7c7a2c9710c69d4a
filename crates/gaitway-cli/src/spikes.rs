//! Frames that capture got wrong, as reports list them.

use gaitway::core::spikes::Motion;
use gaitway::io::Import;
use serde_json::{Value, json};

/// One joint in one stretch of frames.
pub struct SpikeRow {
    joint: String,
    motion: &'static str,
    frame: usize,
    frames: usize,
    time_s: f64,
    size: f64,
    unit: &'static str,
}

/// All of a clip; frames are counted from the first one kept.
pub fn rows(import: &Import) -> Vec<SpikeRow> {
    let row = |spike: &gaitway::core::spikes::Spike| {
        let (size, unit) = spike.measure();
        SpikeRow {
            joint: import.clip.skeleton().name(spike.joint).to_owned(),
            motion: match spike.motion {
                Motion::Place => "place",
                Motion::Turn => "turn",
            },
            frame: spike.frames.start,
            frames: spike.frames.len(),
            time_s: spike.frames.start as f64 / import.clip.rate_hz(),
            size,
            unit,
        }
    };
    import.spikes.iter().map(row).collect()
}

impl SpikeRow {
    /// For machines.
    pub fn json(&self) -> Value {
        json!({
            "joint": self.joint,
            "motion": self.motion,
            "frame": self.frame,
            "frames": self.frames,
            "time_s": self.time_s,
            "size": self.size,
            "unit": self.unit,
        })
    }

    /// For people.
    pub fn words(&self) -> String {
        let Self {
            joint,
            motion,
            frame,
            time_s,
            size,
            unit,
            ..
        } = self;
        format!("{joint} {motion} by {size:.1} {unit} at frame {frame} ({time_s:.3} s)")
    }
}
