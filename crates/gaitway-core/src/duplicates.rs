//! Clips that are there twice: the same motion of the same body, whatever file it lies in.
//!
//! A take that was copied to another folder is the same to the bit; one that was converted on the way (BVH to glTF, say) is the
//! same up to what the format rounds. Two takes of a living person never agree that closely in every frame.

use std::collections::HashMap;

use glam::{Quat, Vec3};

use crate::clip_set::OFFSET_TOLERANCE;
use crate::{Clip, JointIdx};

/// Places may differ by this much, in metres: a tenth of a millimetre, which no format we read rounds away.
const PLACE_M: f64 = 1e-4;
/// Rotations may differ by this much, in radians: six hundredths of a degree.
const TURN_RAD: f32 = 1e-3;
/// Rates may differ by this share: files write frame times with six digits.
const RATE_SHARE: f64 = 1e-4;

/// Whether two clips show the same motion of the same body: equal joints, rate and number of frames, and in every frame
/// places within 0.1 mm and rotations within 1 mrad. Names, labels and contacts do not count, and no clip without
/// frames is like another.
pub fn same_motion(a: &Clip, b: &Clip) -> bool {
    let alike = a.frame_count() == b.frame_count()
        && a.frame_count() > 0
        && (a.rate_hz() / b.rate_hz() - 1.0).abs() < RATE_SHARE
        && a.skeleton().agrees(b.skeleton(), OFFSET_TOLERANCE);
    if !alike {
        return false;
    }
    let last = a.frame_count() - 1;
    // Most clips differ at once; the whole of both is only looked at where these frames agree.
    [0, last / 2, last]
        .into_iter()
        .chain(0..=last)
        .all(|f| same_frame(a, b, f))
}

fn same_frame(a: &Clip, b: &Clip, frame: usize) -> bool {
    let tracks = a.translations().iter().chain(b.translations());
    a.root()[frame].distance(b.root()[frame]) <= PLACE_M
        && a.frame_rotations(frame)
            .iter()
            .zip(b.frame_rotations(frame))
            .all(|(p, q)| same_turn(*p, *q))
        && tracks
            .map(|t| t.joint)
            .all(|j| f64::from(offset(a, j, frame).distance(offset(b, j, frame))) <= PLACE_M)
}

/// |p ∓ q| is 2 sin(angle / 4), which small angles do not cancel in, as they do in the cosine.
fn same_turn(p: Quat, q: Quat) -> bool {
    let near = (p - q).length().min((p + q).length());
    near <= TURN_RAD / 2.0
}

fn offset(clip: &Clip, joint: JointIdx, frame: usize) -> Vec3 {
    match clip.translation_track(joint) {
        Some(track) => track.values[frame],
        None => clip.skeleton().offset(joint),
    }
}

/// For every clip the first one before it that shows the same motion.
pub fn earlier_duplicates(clips: &[&Clip]) -> Vec<Option<usize>> {
    let mut firsts: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    let mut out = Vec::with_capacity(clips.len());
    for (k, clip) in clips.iter().enumerate() {
        let alike = firsts
            .entry((clip.frame_count(), clip.joint_count()))
            .or_default();
        let twin = alike.iter().copied().find(|&j| same_motion(clips[j], clip));
        if twin.is_none() {
            alike.push(k);
        }
        out.push(twin);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit;
    use crate::testing::swinging_clip;

    #[test]
    fn names_and_rounding_do_not_matter_motion_does() {
        let clip = swinging_clip("a", 90, 60.0);
        assert!(same_motion(&clip, &clip.clone().with_name("b")));
        let mut rounded = clip.clone().into_parts();
        rounded.root.iter_mut().for_each(|p| p.x += 4e-5);
        rounded.rotations.iter_mut().for_each(|q| *q = -*q);
        let rounded = rounded.build().expect("a clip");
        assert!(same_motion(&clip, &rounded));
        let mut bent = clip.clone().into_parts();
        bent.rotations[700] *= Quat::from_rotation_x(0.002);
        assert!(!same_motion(&clip, &bent.build().expect("a clip")));
        let slower = clip.clone().with_rate(59.0).expect("a rate");
        assert!(!same_motion(&clip, &slower));
        assert!(!same_motion(&clip, &edit::cut(&clip, 0..89)));
        let none = edit::cut(&clip, 0..0);
        assert!(!same_motion(&none, &none));
    }

    #[test]
    fn the_first_of_equals_is_named() {
        let (a, b) = (swinging_clip("a", 60, 60.0), swinging_clip("b", 61, 60.0));
        let list = [&a, &b, &a, &b, &a];
        assert_eq!(
            earlier_duplicates(&list),
            [None, None, Some(0), Some(1), Some(0)]
        );
    }
}
