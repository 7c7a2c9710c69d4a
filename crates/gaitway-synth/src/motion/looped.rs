//! One round of a loop whose last frame flows into its first, feet included.
//!
//! What is done to feet looks some way ahead and back: where a plant is placed, how corrections fade, what the root does. So a
//! round is taken out of many, played one after the other, with [`AROUND_S`] or more on either side: all that is looked at is
//! then the same at both ends of the round but for the loop's net motion, and plants go on over the seam. Where a foot never
//! lifts, its plant is longer than any number of rounds and is moved now in one, now in another: there the end of the round is
//! faded into the end of the round before it, which leads to the first frame by itself.

use gaitway_core::{Clip, ClipError, edit};
use gaitway_graph::MotionGraph;

use super::finish::{FinishOptions, FinishedMotion, finish_motion};
use crate::{Loop, SynthError, Walk};

/// Seconds that are played before and after the round that is kept: as long as a plant and all windows of its cleanup.
const AROUND_S: f64 = 4.0;

/// Seconds at the end of a round that are faded into the round before it.
const FADE_S: f64 = 0.5;

/// Makes the finished motion of one round of a loop; the next round is the same moved by [`Loop::net`].
///
/// # Errors
/// As [`finish_motion`].
pub fn finish_loop(
    graph: &MotionGraph,
    found: &Loop,
    options: &FinishOptions<'_>,
) -> Result<FinishedMotion, SynthError> {
    // Loops of no length are none; a bound all the same, so that nothing is repeated without end.
    let around = (AROUND_S / found.seconds.max(0.05)).ceil().max(1.0) as usize;
    let rounds = 2 * around + 1;
    let walk = Walk::new(graph, found.walk.start(), found.walk.edges().repeat(rounds))?;
    let mut out = finish_motion(graph, &walk, options)?;
    let motion = &mut out.motion;
    let count = motion.clip.frame_count() / rounds;
    let (from, to) = (around * count, (around + 1) * count);
    let mut before = edit::cut(&motion.clip, from - count..from).moved(found.net);
    motion.clip = edit::cut(&motion.clip, from..to);
    for _ in 0..around {
        before = before.moved(found.net.inverse());
        motion.clip = motion.clip.clone().moved(found.net.inverse());
    }
    motion.clip = faded(&motion.clip, &before).map_err(SynthError::Clip)?;
    motion.origin = motion.origin[from..to].to_vec();
    let rate = motion.clip.rate_hz();
    let (start_s, end_s) = (from as f64 / rate, to as f64 / rate);
    motion
        .transitions
        .retain(|m| (start_s..end_s).contains(&m.t));
    for mark in &mut motion.transitions {
        mark.t -= start_s;
        mark.start_s -= start_s;
        mark.end_s -= start_s;
    }
    Ok(out)
}

/// A round whose last frames go over into those of another.
fn faded(round: &Clip, before: &Clip) -> Result<Clip, ClipError> {
    let (count, joints) = (round.frame_count(), round.joint_count());
    let frames = ((FADE_S * round.rate_hz()).round() as usize).clamp(1, count.div_ceil(2));
    let mut parts = round.clone().into_parts();
    for frame in count - frames..count {
        let t = (frame + 1 - (count - frames)) as f64 / frames as f64;
        // Flat at both ends: neither the fade's beginning nor the seam changes a velocity.
        let w = t * t * (3.0 - 2.0 * t);
        parts.root[frame] = parts.root[frame].lerp(before.root()[frame], w);
        for q in frame * joints..(frame + 1) * joints {
            parts.rotations[q] = parts.rotations[q].slerp(before.rotations()[q], w as f32);
        }
        for track in &mut parts.translations {
            let same = before
                .translations()
                .iter()
                .find(|t| t.joint == track.joint);
            if let Some(other) = same {
                track.values[frame] = track.values[frame].lerp(other.values[frame], w as f32);
            }
        }
    }
    parts.build()
}
