//! A motion shown slower or faster, with all that is known of its frames.

use gaitway_core::retime::{TimeMap, retimed};

use super::Motion;
use crate::SynthError;

/// The motion as a map of time shows it.
///
/// # Errors
/// When the map is of another motion.
pub fn retime(motion: Motion, map: TimeMap) -> Result<Motion, SynthError> {
    let clip = retimed(&motion.clip, &map)?;
    let rate = clip.rate_hz();
    let last = motion.origin.len().saturating_sub(1);
    let nearest = |k: usize| {
        let place = map.place(k as f64 / rate).round() as usize;
        motion.origin[place.min(last)]
    };
    let mut transitions = motion.transitions;
    for t in &mut transitions {
        for s in [&mut t.t, &mut t.start_s, &mut t.end_s] {
            *s = map.shown(*s);
        }
    }
    Ok(Motion {
        origin: (0..clip.frame_count()).map(nearest).collect(),
        clip,
        transitions,
        world_from_end: motion.world_from_end,
        times: Some(map),
    })
}
