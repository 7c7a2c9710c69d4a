//! Knees of planted legs: straight, overextended, noisy, twisted.

use gaitway_cleanup::{PlantOptions, Planted, plant_feet};
use gaitway_core::anatomy::{Anatomy, Leg};
use gaitway_core::fk::{self, WorldPoints};
use gaitway_core::testing::{
    ANKLE_HEIGHT, FootPose, Walker, clip_from_feet, walker_points, walking_clip,
};
use gaitway_core::{Clip, ContactTrack, JointIdx};
use glam::{DVec3, Quat};
use proptest::prelude::*;

/// A skating walker whose knees are bent further by `by` degrees (negative: backwards), with noise of `noise` degrees, and whose
/// thighs are twisted by half a turn in every seventh frame, their knees bent the other way round: the same pose, in other angles.
fn walker(by: f64, noise: f64, twisted: bool) -> Clip {
    let clip = walking_clip(&Walker {
        slide: 0.04,
        seconds: 4.0,
        ..Walker::default()
    });
    let legs = legs(&clip);
    let joints = clip.joint_count();
    let mut parts = clip.into_parts();
    let mut seed = 7_u64;
    for (f, pose) in parts.rotations.chunks_mut(joints).enumerate() {
        for leg in &legs {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            let random = (seed >> 40) as f64 / (1_u64 << 24) as f64 - 0.5;
            let further = (by + 2.0 * noise * random).to_radians() as f32;
            let knee = &mut pose[leg.knee.index()];
            *knee = (Quat::from_rotation_x(further) * *knee).normalize();
            if twisted && f % 7 == 0 {
                let half = Quat::from_rotation_y(std::f32::consts::PI);
                let (hip, knee) = (leg.hip.index(), leg.knee.index());
                pose[hip] *= half;
                pose[knee] = half.inverse() * pose[knee];
            }
        }
    }
    parts.build().expect("finite")
}

fn legs(clip: &Clip) -> Vec<Leg> {
    Anatomy::of_clip(clip)
        .legs
        .iter()
        .flatten()
        .copied()
        .collect()
}

fn planted(clip: &Clip) -> Planted {
    plant_feet(clip, None, &PlantOptions::default()).expect("walkers have feet")
}

/// How far a knee is bent, in degrees, and to the front (positive) or backwards.
fn bend(world: &WorldPoints, frame: usize, leg: &Leg) -> f64 {
    let at = |j: JointIdx| world.at(frame, j.index());
    let (u, v) = (at(leg.knee) - at(leg.hip), at(leg.ankle) - at(leg.knee));
    // Walkers go along z, and their left is x.
    v.cross(u).dot(DVec3::NEG_X).signum() * u.angle_between(v).to_degrees()
}

fn jump(world: &WorldPoints, frame: usize, joint: JointIdx) -> f64 {
    let at = |f: usize| world.at(f, joint.index());
    at(frame).distance(0.5 * (at(frame - 1) + at(frame + 1)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The whole range: bent as captured, straight, and backwards by more than any knee.
    #[test]
    fn knees_bend_to_the_front_and_do_not_jump(by in -35.0..10.0_f64, noise in 0.0..0.3_f64, twisted in any::<bool>()) {
        let clip = walker(by, noise, twisted);
        let done = planted(&clip);
        let (was, is) = (fk::world_points(&clip), fk::world_points(&done.clip));
        for leg in legs(&clip) {
            for f in 1..clip.frame_count() - 1 {
                let now = bend(&is, f, &leg);
                prop_assert!(now > -0.5, "bends by {now}° in frame {f}");
                let (before, after) = (jump(&was, f, leg.knee), jump(&is, f, leg.knee));
                prop_assert!(after < before + 0.02, "jumps by {after} m in frame {f}, {before} before");
            }
        }
        let deepest = legs(&clip).iter().flat_map(|l| (0..clip.frame_count()).map(|f| bend(&was, f, l)).collect::<Vec<_>>())
            .fold(f64::INFINITY, f64::min);
        let told = done.report.overextended.iter().map(|k| k.most_deg).fold(0.0, f64::max);
        prop_assert!((told - (-deepest).max(0.0)).abs() < 1.2, "{told}° told, {deepest}° captured");
    }
}

#[test]
fn what_is_twisted_in_angles_alone_is_cleaned_alike() {
    let (plain, twisted) = (walker(-12.0, 0.0, false), walker(-12.0, 0.0, true));
    let (a, b) = (
        fk::world_points(&planted(&plain).clip),
        fk::world_points(&planted(&twisted).clip),
    );
    for leg in legs(&plain) {
        for f in 0..plain.frame_count() {
            for joint in [leg.hip, leg.knee, leg.ankle] {
                let apart = a.at(f, joint.index()).distance(b.at(f, joint.index()));
                assert!(apart < 1e-4, "frame {f}: {joint:?} by {apart} m");
            }
        }
    }
}

/// Somebody who stands on straight legs and sways, while both feet drift by centimetres, one of them higher than the other.
fn standing() -> Clip {
    let sway = |t: f64, hz: f64, by: f64| by * (std::f64::consts::TAU * hz * t).sin();
    let hips = |t: f64| {
        let height = 0.84 + ANKLE_HEIGHT - 0.0012 + sway(t, 0.7, 0.0008);
        DVec3::new(sway(t, 0.4, 0.01), height, sway(t, 0.3, 0.01))
    };
    let foot = |t: f64, side: usize| FootPose {
        ankle: DVec3::new(
            [0.1, -0.1][side] + sway(t, 0.4, 0.01),
            ANKLE_HEIGHT + [0.006, 0.0][side] + sway(t, 0.9, 0.001),
            sway(t, [0.5, 0.35][side], 0.015),
        ),
        pitch: 0.0,
    };
    let clip = clip_from_feet("standing", 480, 120.0, hips, foot);
    let mut track = ContactTrack::new(walker_points(), 480);
    (0..480).for_each(|f| track.set_mask(f, 0b1111));
    clip.with_contacts(Some(track)).expect("fits")
}

#[test]
fn straight_legs_stay_straight() {
    let clip = standing();
    let done = planted(&clip);
    assert!(done.report.worst_residual_m < 1e-4, "{:?}", done.report);
    let (was, is) = (fk::world_points(&clip), fk::world_points(&done.clip));
    let mut straight = 0;
    for leg in legs(&clip) {
        for f in 0..clip.frame_count() {
            let (before, after) = (bend(&was, f, &leg), bend(&is, f, &leg));
            straight += usize::from(before < 8.0);
            assert!(
                before > 8.0 || (after - before).abs() < 4.0,
                "frame {f}: {before}° became {after}°"
            );
        }
    }
    assert!(straight > 300, "{straight} frames");
}
