//! What points up is told by how a body stands at rest, however it lies or rolls in the motion.

use gaitway_core::testing::{Walker, walking_clip};
use gaitway_core::{Clip, WarningCode};
use gaitway_io::{Import, ReadOptions, UpAxis, WriteOptions, read_file, write_file};
use glam::Quat;
use proptest::prelude::*;

/// A walk, turned as a whole about its root: a body that lies, or stands on its head.
fn turned(by: Quat) -> Clip {
    let clip = walking_clip(&Walker::default());
    let joints = clip.joint_count();
    let mut parts = clip.into_parts();
    let roots = parts.rotations.iter_mut().step_by(joints);
    roots.for_each(|q| *q = by * *q);
    parts.build().expect("finite")
}

fn read_back(clip: &Clip, up: UpAxis) -> Import {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("clip.bvh");
    let options = WriteOptions {
        up: Some(up),
        ..WriteOptions::default()
    };
    write_file(&path, clip, &options).expect("written");
    read_file(&path, &ReadOptions::default())
        .expect("read")
        .remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_body_that_lies_or_rolls_turns_no_axis(axis in any::<[f32; 3]>(), angle in 0.0..3.0_f32, up in 0_usize..3) {
        let axis = glam::Vec3::from(axis.map(|v| v.sin()));
        prop_assume!(axis.length() > 0.1);
        let clip = turned(Quat::from_axis_angle(axis.normalize(), angle));
        let up = [UpAxis::Y, UpAxis::Z, UpAxis::X][up];
        let import = read_back(&clip, up);
        prop_assert_eq!(import.source.up_axis, up);
        prop_assert_eq!(import.warnings.has(WarningCode::UpAxisTurned), up != UpAxis::Y);
    }
}

#[test]
fn a_body_that_lies_all_the_time_is_told_with_the_switch_that_sets_it_upright() {
    let clip = turned(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
    let import = read_back(&clip, UpAxis::Y);
    let mut told = import.warnings.iter();
    let told = told.find(|w| w.code == WarningCode::Unusual);
    let told = &told.expect("a word").message;
    assert!(
        told.contains("--up z") && told.contains("at rest"),
        "{told}"
    );
}
