//! Whether a clip can be played round and round.
//!
//! The clip is brought to its own end by the planar motion that lays the hips of its first frame where those of
//! the frame after the last would be. A clip may end one step before its first frame or on it; the better
//! of the two readings counts.

use gaitway_core::anatomy::Anatomy;
use gaitway_core::{Clip, Planar, fk, ground};
use glam::DVec3;

use super::LoopSeam;

/// The seam; `None` for clips too short to have one.
pub(super) fn measure(clip: &Clip) -> Option<LoopSeam> {
    let frames = clip.frame_count();
    if frames < 4 {
        return None;
    }
    let facing = ground::facing(clip);
    let world = fk::world_points(clip);
    let pelvis = Anatomy::of_clip(clip).pelvis.index();
    let joints = clip.joint_count();
    let (last, rate) = (frames - 1, clip.rate_hz());
    // Ahead by a step (the clip ends before its first pose) or by none (it repeats it).
    [1.0, 0.0]
        .map(|steps| {
            let step = |p: usize| world.at(last, p) - world.at(last - 1, p);
            let leads = |p: usize| world.at(last, p) + steps * step(p);
            let turn = facing[last] + steps * wrapped(facing[last] - facing[last - 1]) - facing[0];
            let rotated = Planar::new(turn, 0.0, 0.0);
            let shift = leads(pelvis) - rotated.apply(world.at(0, pelvis));
            let shift = DVec3::new(shift.x, 0.0, shift.z);
            let (mut position, mut velocity) = (0.0_f64, 0.0_f64);
            for p in 0..joints {
                let first = rotated.apply(world.at(0, p)) + shift;
                position = position.max(first.distance(leads(p)));
                let starts = rotated.apply(world.at(1, p)) - rotated.apply(world.at(0, p));
                velocity = velocity.max(starts.distance(step(p)) * rate);
            }
            LoopSeam {
                position_cm: 100.0 * position,
                velocity_m_s: velocity,
            }
        })
        .into_iter()
        .min_by(|a, b| a.position_cm.total_cmp(&b.position_cm))
}

fn wrapped(angle: f64) -> f64 {
    gaitway_core::planar::wrap_angle(angle)
}
