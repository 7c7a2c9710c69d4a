//! Markers and sensors for the page, as GWMO: points without parents.
//!
//! The root is the middle of what was seen; a point that was not seen has −32768 in all three, which no place comes to.

use std::ops::Range;

use glam::DVec3;

use super::gwmo::{FINEST_M, Header, begin};
use crate::state::Recorded;

/// Of a point that was not seen.
pub const UNSEEN: i16 = i16::MIN;

/// Frames of a recording; the range is clamped to it.
pub fn encode(name: &str, recorded: &Recorded, frames: Range<usize>) -> Vec<u8> {
    let end = frames.end.min(recorded.frames());
    let frames = frames.start.min(end)..end;
    let points = recorded.names().len();
    let mut last = DVec3::ZERO;
    let mut middles = Vec::with_capacity(frames.len());
    let mut widest = 0.0_f64;
    for frame in frames.clone() {
        let seen = (0..points).filter_map(|k| recorded.at(frame, k));
        let (sum, n) = seen.fold((DVec3::ZERO, 0.0), |(s, n), p| (s + p, n + 1.0));
        if n > 0.0 {
            last = sum / n;
        }
        for place in (0..points).filter_map(|k| recorded.at(frame, k)) {
            widest = widest.max((place - last).abs().max_element());
        }
        middles.push(last);
    }
    let unit_m = FINEST_M.max(widest / f64::from(i16::MAX));
    let header = Header {
        name: name.to_owned(),
        rate_hz: recorded.rate_hz(),
        frames: recorded.frames(),
        from: frames.start,
        count: frames.len(),
        unit_m,
        joints: recorded.names().to_vec(),
        parents: vec![-1; points],
        contacts: Vec::new(),
        transitions: Vec::new(),
        floor_m: 0.0,
        way: None,
        labels: None,
    };
    let mut out = begin(&header);
    out.reserve(frames.len() * (12 + 6 * points + 4) + 2);
    for middle in &middles {
        let parts = middle.to_array();
        parts
            .iter()
            .for_each(|v| out.extend((*v as f32).to_le_bytes()));
    }
    for (frame, middle) in frames.clone().zip(&middles) {
        for point in 0..points {
            let steps = recorded.at(frame, point).map_or([UNSEEN; 3], |place| {
                let most = f64::from(i16::MAX);
                let step = |v: f64| (v / unit_m).round().clamp(-most, most) as i16;
                (place - *middle).to_array().map(step)
            });
            steps.iter().for_each(|v| out.extend(v.to_le_bytes()));
        }
    }
    out.resize(out.len().next_multiple_of(4), 0);
    out.resize(out.len() + 4 * frames.len(), 0);
    out
}
