//! Which clips are of one body, and that putting them together moves nobody.

use gaitway_core::clip_set::{body_differences, same_body};
use gaitway_core::glam::{DVec3, Quat, Vec3};
use gaitway_core::{Clip, ClipSet, JointIdx, Skeleton, TranslationTrack, fk};
use proptest::prelude::*;

const FRAMES: usize = 20;
const HIPS: JointIdx = JointIdx(1);

/// A root that carries hips with two legs, as exporters write it: hips at an offset, a shin of a length, tips or none.
fn clip(name: &str, hips: Vec3, shin: f32, tip: Vec3) -> Clip {
    let mut b = Skeleton::builder();
    let root = b.root("Root", Vec3::ZERO);
    let pelvis = b.joint("Hips", root, hips);
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let thigh = b.joint(format!("{side}UpLeg"), pelvis, Vec3::new(x, 0.0, 0.0));
        let shin = b.joint(format!("{side}Leg"), thigh, Vec3::new(0.0, -shin, 0.0));
        b.end_site(shin, tip);
    }
    let skeleton = b.build().expect("a tree").shared();
    let joints = skeleton.joint_count();
    let turn = |i: usize| Quat::from_rotation_y(0.1 * i as f32) * Quat::from_rotation_x(0.2);
    let rotations = (0..FRAMES * joints).map(turn).collect();
    let root = (0..FRAMES).map(|f| DVec3::new(0.0, 0.0, 0.01 * f as f64));
    Clip::new(name, skeleton, 30.0, root.collect(), rotations).expect("fits")
}

/// The same with the hips' place written per frame.
fn with_track(clip: Clip) -> Clip {
    let values = (0..FRAMES).map(|f| Vec3::new(0.0, 0.9 + 0.01 * f as f32, 0.0));
    let track = TranslationTrack {
        joint: HIPS,
        values: values.collect(),
    };
    clip.with_translations(vec![track]).expect("the track fits")
}

/// How far joints below the root are moved by putting clips together.
fn moved(before: &[Clip], set: &ClipSet) -> f64 {
    let mut most = 0.0_f64;
    for (a, b) in before.iter().zip(set.clips()) {
        let (was, is) = (fk::world_points(a), fk::world_points(b));
        for f in 0..FRAMES {
            for j in 1..a.joint_count() {
                most = most.max(was.at(f, j).distance(is.at(f, j)));
            }
        }
    }
    most
}

proptest! {
    #[test]
    fn an_offset_that_is_not_used_does_not_count(
        places in proptest::collection::vec((any::<bool>(), -2.0..2.0_f32, -5.0..5.0_f32), 2..6),
        turn in 0_usize..6,
    ) {
        let one = |(k, (track, y, z)): (usize, &(bool, f32, f32))| {
            let clip = clip(&format!("clip{k}"), Vec3::new(0.0, *y, *z), 0.4, Vec3::ZERO);
            if *track { with_track(clip) } else { clip }
        };
        let mut clips: Vec<Clip> = places.iter().enumerate().map(one).collect();
        let set = ClipSet::new(clips.clone()).expect("one body");
        prop_assert!(set.nearly_same().is_none(), "{:?}", set.nearly_same());
        prop_assert!(moved(&clips, &set) < 1e-5);
        prop_assert!(same_body(&clips[0], &clips[1]));
        // Whatever order they come in.
        let by = turn % clips.len();
        clips.rotate_left(by);
        let turned = ClipSet::new(clips).expect("one body");
        prop_assert_eq!(turned.skeleton(), set.skeleton());
    }

    #[test]
    fn less_than_a_millimetre_is_one_body_and_told(mm in 0.15..3.0_f32) {
        prop_assume!((mm - 1.0).abs() > 0.01);
        let at = Vec3::new(0.0, 0.9, 0.0);
        let clips = [clip("a", at, 0.4, Vec3::ZERO), clip("b", at, 0.4 + mm / 1000.0, Vec3::ZERO)];
        let differences = body_differences(&clips[0], &clips[1]);
        match ClipSet::new(clips.to_vec()) {
            Ok(set) => {
                prop_assert!(mm < 1.0 && differences.is_empty());
                let nearly = set.nearly_same().expect("told");
                prop_assert_eq!((nearly.clips, nearly.tips), (1, 0));
                prop_assert!((nearly.apart * 1000.0 - mm).abs() < 0.01, "{}", nearly);
                prop_assert!(moved(&clips, &set) < f64::from(mm) / 1000.0 + 1e-6);
            }
            Err(e) => {
                prop_assert!(mm > 1.0 && !differences.is_empty());
                prop_assert!(e.to_string().contains("`LeftLeg` differs by"), "{}", e);
            }
        }
    }
}

#[test]
fn tips_of_no_length_are_taken_from_clips_that_have_some() {
    let (at, tip) = (Vec3::new(0.0, 0.9, 0.0), Vec3::new(0.0, -0.1, 0.1));
    let (none, some) = (clip("a", at, 0.4, Vec3::ZERO), clip("b", at, 0.4, tip));
    let set = ClipSet::new(vec![none, some.clone()]).expect("one body");
    assert_eq!(set.skeleton().end_sites()[0].offset, tip);
    let told = set.nearly_same().expect("told");
    assert_eq!((told.clips, told.tips), (0, 1), "{told}");
    // Tips of two lengths are two bodies'.
    let other = clip("c", at, 0.4, 2.0 * tip);
    assert!(ClipSet::new(vec![some, other]).is_err());
}
