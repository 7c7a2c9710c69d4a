//! Leads a motion to the place of its action: what the search leaves of the error is spread over the way there.
//!
//!   p′(f) = E + R(w φ) (p(f) − E) + w d,      w(f) = way gone up to f / way gone up to the event, 1 from there on
//!
//! E is where the event is, d and φ what is left to where it is wanted. Nobody who stands is shifted or turned, since w changes with
//! the way alone. The body comes to face up to φ off its travel where it sets out, so φ is kept within what costs a search
//! nothing ([`Naturalness::facing_free_rad`]), and d within what a way may be bent by ([`BendOptions`]). Feet shift with the body:
//! plant them afterwards.
//!
//! Cost: one pass over the frames before the event.

use gaitway_core::Clip;
use gaitway_core::ground::{smooth, smooth_ground_path};
use glam::{DVec2, Quat};

use super::bend::BendOptions;
use super::edge_paths::SWAY_S;
use super::options::Naturalness;
use crate::SynthError;
use crate::report::ACTION_OFF_M;

/// What is left between where an event is and where it is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Left {
    /// The frame of the event.
    pub(super) frame: usize,
    /// Where it is.
    pub(super) at: DVec2,
    /// From there to where it is wanted.
    pub(super) shift: DVec2,
    /// From its heading to that wanted, radians.
    pub(super) turn: f64,
}

/// The motion led there, as far as the bounds allow.
///
/// # Errors
/// When the clip's frames are damaged.
pub(super) fn lead(clip: &Clip, left: &Left) -> Result<Clip, SynthError> {
    let way = smooth_ground_path(clip, SWAY_S);
    let event = left.frame.min(way.len().saturating_sub(1));
    let mut gone = vec![0.0; way.len()];
    for f in 1..way.len() {
        gone[f] = gone[f - 1] + way[f].distance(way[f - 1]);
    }
    let whole = gone.get(event).copied().unwrap_or(0.0);
    if whole <= 0.0 {
        return Ok(clip.clone());
    }
    let most = (BendOptions::default().per_metre * whole).min(ACTION_OFF_M);
    let free = Naturalness::default().facing_free_rad;
    let (shift, turn) = (
        left.shift.clamp_length_max(most),
        left.turn.clamp(-free, free),
    );
    let part: Vec<f64> = gone.iter().map(|g| (g / whole).min(1.0)).collect();
    // The corner at the event would be a kink in the motion.
    let part = smooth(&part, (0.15 * clip.rate_hz()).round() as usize);
    let joints = clip.joint_count();
    let mut parts = clip.clone().into_parts();
    for (f, &w) in part.iter().enumerate() {
        let (sin, cos) = (w * turn).sin_cos();
        let p = DVec2::new(parts.root[f].x, parts.root[f].z) - left.at;
        let turned = DVec2::new(p.x * cos + p.y * sin, p.y * cos - p.x * sin);
        let to = left.at + turned + shift * w;
        (parts.root[f].x, parts.root[f].z) = (to.x, to.y);
        let root = &mut parts.rotations[f * joints];
        *root = (Quat::from_rotation_y((w * turn) as f32) * *root).normalize();
    }
    Ok(parts.build()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::ground::facing;
    use gaitway_core::performer::library;
    use gaitway_core::planar::wrap_angle;

    #[test]
    fn an_event_comes_to_lie_where_it_is_wanted_and_the_start_stays() {
        let takes = library(1, 30.0).expect("performer");
        let mut clips = takes.iter().map(|t| &t.clip);
        let clip = clips.find(|c| c.name().contains("walk_")).expect("a walk");
        let frame = clip.frame_count() - 20;
        let root = clip.root()[frame];
        let at = DVec2::new(root.x, root.z);
        for (x, z, turn) in [(0.1, -0.05, 0.1), (-0.12, 0.1, -0.15), (0.0, 0.0, 0.0)] {
            let left = Left {
                frame,
                at,
                shift: DVec2::new(x, z),
                turn,
            };
            let led = lead(clip, &left).expect("led");
            let now = led.root()[frame];
            let off = DVec2::new(now.x, now.z).distance(at + left.shift);
            assert!(off < 0.01, "{off} m off");
            let turned = wrap_angle(facing(&led)[frame] - facing(clip)[frame]);
            assert!((turned - turn).abs() < 0.02, "{turned} for {turn}");
            let first = (led.root()[0] - clip.root()[0]).length();
            assert!(first < 0.02, "the start moved by {first} m");
        }
    }
}
