//! Lapses planted in clean motion are found, and filled where they are short; nothing else is touched.

use glam::{DVec3, Quat};
use proptest::prelude::*;

use super::tests::waves;
use super::*;
use crate::rotation::angle_between;

/// The clip with a joint held at one turn through these frames.
fn held(clip: &Clip, joint: usize, frames: Range<usize>, turn: Quat) -> Clip {
    let joints = clip.joint_count();
    let mut parts = clip.clone().into_parts();
    for f in frames {
        parts.rotations[f * joints + joint] = turn;
    }
    parts.build().expect("finite")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn smooth_motion_has_none(seed in any::<u64>(), rate in 0_usize..4, noise in 0.0..0.01_f64) {
        let rate = [30.0, 60.0, 120.0, 240.0][rate];
        let clip = waves(seed, 4.0, rate, 400, noise);
        prop_assert!(lapses(&clip).is_empty(), "{:?}", lapses(&clip));
        prop_assert!(bridge(&clip).is_none());
    }

    #[test]
    fn a_planted_lapse_is_found_and_filled_where_it_is_short(
        seed in any::<u64>(),
        joint in 0_usize..9,
        start in 0_usize..300,
        long in 6_usize..90,
        degrees in 40.0..120.0_f32,
    ) {
        let clip = waves(seed, 0.5, 120.0, 400, 0.0);
        let frames = start..start + long;
        let there = clip.rotation(start, JointIdx(joint as u32));
        let lost = held(&clip, joint, frames.clone(), there * Quat::from_rotation_z(degrees.to_radians()));
        let found = lapses(&lost);
        prop_assert_eq!(found.len(), 1, "{:?}", &found);
        prop_assert_eq!((found[0].joint.index(), found[0].frames.clone()), (joint, frames.clone()));
        let bridged = bridge(&lost).expect("a lapse");
        let filled = bridged.lapses[0].filled;
        let longest = if start == 0 { 12 } else { 24 };
        prop_assert_eq!(filled, long <= longest, "{} frames", long);
        prop_assert_eq!(lapses(&bridged.clip).is_empty(), filled);
        let joints = clip.joint_count();
        for (at, (now, was)) in bridged.clip.rotations().iter().zip(lost.rotations()).enumerate() {
            let touched = filled && at % joints == joint && frames.contains(&(at / joints));
            prop_assert!(touched || now == was, "{}", at);
            let truth = clip.rotations()[at];
            // Waves of 0.5 Hz over a fifth of a second, between their ends: a fraction of what was planted.
            let off = angle_between(*now, truth);
            prop_assert!(!touched || off < 0.12, "{off} rad at {at}");
        }
        prop_assert_eq!(bridged.clip.root(), lost.root());
    }

    #[test]
    fn a_root_at_the_origin_is_found_wherever_it_is(start in 0_usize..200, long in 1_usize..200, far in 0.6..5.0_f64) {
        let clip = waves(7, 0.5, 120.0, 200, 0.0);
        let mut parts = clip.into_parts();
        parts.root.iter_mut().for_each(|p| *p = *p * 0.05 + DVec3::new(far, 0.9, 0.0));
        let end = (start + long).min(200);
        parts.root[start..end].fill(DVec3::ZERO);
        let lost = parts.build().expect("finite");
        let found = dropouts(&lost);
        if end - start == 200 {
            // Somebody who is there all the time.
            prop_assert!(found.is_empty() && lapses(&lost).is_empty());
        } else {
            prop_assert_eq!(found, vec![start..end]);
            let told: Vec<_> = lapses(&lost).into_iter().map(|l| l.frames).collect();
            prop_assert_eq!(told, vec![start..end]);
        }
    }
}

#[test]
fn what_waits_with_a_lost_limb_goes_along() {
    let clip = waves(3, 0.5, 120.0, 400, 0.0);
    let lost = held(&clip, 8, 100..115, Quat::from_rotation_z(1.5));
    // The chest stops where it is: by itself nobody's business.
    let chest = clip.rotation(100, JointIdx(7));
    assert!(bridge(&held(&clip, 7, 100..115, chest)).is_none());
    let lost = held(&lost, 7, 100..115, chest);
    let bridged = bridge(&lost).expect("a lapse");
    let joints: Vec<u32> = bridged.lapses.iter().map(|l| l.at.joint.0).collect();
    assert_eq!(joints, [7, 8]);
    assert!(bridged.lapses.iter().all(|l| l.filled));
}

#[test]
fn steps_holds_and_stopped_takes_are_left() {
    let clip = waves(5, 0.5, 120.0, 400, 0.0);
    // Somebody who stands still to the bit and goes on from there.
    let there = clip.rotation(200, JointIdx(3));
    assert!(lapses(&held(&clip, 3, 195..206, there)).is_empty());
    // Padding at the end.
    let last = clip.rotation(340, JointIdx(3));
    assert!(lapses(&held(&clip, 3, 340..400, last)).is_empty());
    // Keyed in steps: eight a second.
    let stepped = (0..26).fold(clip.clone(), |c, k| {
        let turn = Quat::from_rotation_z(if k % 2 == 0 { 0.5 } else { -0.5 });
        held(&c, 3, 15 * k..15 * k + 15, turn)
    });
    assert!(lapses(&stepped).is_empty());
}
