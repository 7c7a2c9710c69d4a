//! Laws of writing and reading on random bodies, channels and values.

mod bvh_support;

use bvh_support::{differences, to_clip, written};
use gaitway_core::rotation::{self, Axis};
use gaitway_core::testing::swinging_clip;
use gaitway_core::{Clip, JointIdx, Skeleton, TranslationTrack};
use gaitway_io::bvh::{self, BvhWriteOptions, Channel};
use gaitway_io::{UpAxis, WriteError};
use glam::{DVec3, Quat, Vec3};
use proptest::prelude::*;

const DEGREES: f64 = 0.001;
const METRES: f64 = 1e-5;

fn channel() -> impl Strategy<Value = Channel> {
    (0..9_usize).prop_map(|n| {
        let axis = [Axis::X, Axis::Y, Axis::Z][n % 3];
        match n / 3 {
            0 => Channel::Position(axis),
            _ => Channel::Rotation(axis),
        }
    })
}

/// A joint: whose child it is, offset, channels (positions at most once each), whether it has an end site.
fn joint() -> impl Strategy<Value = (usize, [i32; 3], Vec<Channel>, bool)> {
    let channels = proptest::collection::vec(channel(), 0..8).prop_map(|mut list| {
        let mut seen = Vec::new();
        list.retain(|c| {
            let first = !seen.contains(c);
            seen.push(*c);
            first || matches!(c, Channel::Rotation(_))
        });
        list
    });
    (
        0..100_usize,
        proptest::array::uniform3(-30_000..30_000),
        channels,
        any::<bool>(),
    )
}

/// Angles people meet, gimbal lock among them.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-3_600_000..3_600_000_i32).prop_map(|n| f64::from(n) / 1e4),
        1 => prop_oneof![Just(90.0), Just(-90.0), Just(180.0), Just(0.0), Just(89.9999), Just(270.0)],
    ]
}

/// The text of a random file; the tree comes out in file order.
fn file() -> impl Strategy<Value = String> {
    (
        proptest::collection::vec(joint(), 1..8),
        proptest::collection::vec(number(), 64),
        1..5_usize,
    )
        .prop_map(|(mut joints, numbers, frames)| {
            joints[0].2.push(Channel::Rotation(Axis::Y));
            let mut text = String::from("HIERARCHY\n");
            let count = tree_text(&joints, 0, &mut text);
            text += &format!("MOTION\nFrames: {frames}\nFrame Time: 0.0083333\n");
            for f in 0..frames {
                for c in 0..count {
                    text += &format!("{} ", numbers[(f * 7 + c * (f + 1)) % numbers.len()]);
                }
                text += "\n";
            }
            text
        })
}

type JointSpec = (usize, [i32; 3], Vec<Channel>, bool);

fn tree_text(joints: &[JointSpec], j: usize, text: &mut String) -> usize {
    let (_, offset, channels, tip) = &joints[j];
    let word = if j == 0 { "ROOT" } else { "JOINT" };
    let [x, y, z] = offset.map(|v| f64::from(v) / 1e3);
    *text += &format!(
        "{word} joint {j}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {}",
        channels.len()
    );
    for c in channels {
        *text += &format!(" {}", c.as_str());
    }
    *text += "\n";
    let mut count = channels.len();
    for child in j + 1..joints.len() {
        if joints[child].0 % child == j {
            count += tree_text(joints, child, text);
        }
    }
    if *tip {
        *text += &format!("End Site\n{{\nOFFSET {y} {x} {z}\n}}\n");
    }
    *text += "}\n";
    count
}

proptest! {
    #[test]
    fn any_file_comes_back_with_its_own_layout(text in file(), up in 0..3_usize) {
        let up = [UpAxis::Y, UpAxis::Z, UpAxis::X][up];
        let (raw, layout) = bvh::read("a.bvh", text.as_bytes()).unwrap();
        let clip = to_clip(&raw, 0.01, up);
        let again = written(&clip, Some(&layout), 0.01, up);
        let (raw_again, layout_again) = bvh::read("b.bvh", &again).unwrap();
        let (degrees, metres) = differences(&clip, &to_clip(&raw_again, 0.01, up));
        prop_assert!(degrees < DEGREES && metres < METRES, "{degrees}° {metres} m\n{text}");
        prop_assert_eq!(layout.frame_time, layout_again.frame_time);
        // Angles were made by these channels, unless more than three were repeated or left out of use.
        for (a, b) in layout.joints.iter().zip(&layout_again.joints) {
            prop_assert_eq!(&a.name, &b.name);
            let places = |c: &&Channel| matches!(c, Channel::Position(_));
            prop_assert_eq!(a.channels.iter().filter(places).count(), b.channels.iter().filter(places).count());
        }
    }

    #[test]
    fn any_file_comes_back_without_a_layout(text in file()) {
        let (raw, _) = bvh::read("a.bvh", text.as_bytes()).unwrap();
        let clip = to_clip(&raw, 0.01, UpAxis::Y);
        let (raw_again, _) = bvh::read("b.bvh", &written(&clip, None, 1.0, UpAxis::X)).unwrap();
        let (degrees, metres) = differences(&clip, &to_clip(&raw_again, 1.0, UpAxis::X));
        prop_assert!(degrees < DEGREES && metres < METRES, "{degrees}° {metres} m\n{text}");
    }
}

#[test]
fn a_clip_of_our_own_comes_back() {
    let clip = swinging_clip("clip", 50, 59.94);
    let (raw, layout) = bvh::read("a.bvh", &written(&clip, None, 0.01, UpAxis::Y)).unwrap();
    assert!(raw.warnings.is_empty());
    assert!((raw.rate_hz - 59.94).abs() < 1e-9);
    let (degrees, metres) = differences(&clip, &to_clip(&raw, 0.01, UpAxis::Y));
    assert!(degrees < DEGREES && metres < METRES);
    assert_eq!(layout.joints[0].channels.len(), 6);
    assert_eq!(layout.joints[1].channels.len(), 3);
}

#[test]
fn angles_do_not_jump_through_half_turns_and_gimbal_lock() {
    let mut builder = Skeleton::builder();
    builder.root("Hips", Vec3::ZERO);
    let skeleton = builder.build().unwrap().shared();
    // Two turns about Y pass its lock at ±90° and the seam at 180°.
    let turn = |f: usize| {
        let (y, x) = ((f as f64 * 2.0).to_radians(), (f as f64 * 0.3).to_radians());
        rotation::from_euler(&[Axis::Z, Axis::Y, Axis::X], &[0.2, y, x]).as_quat()
    };
    let clip = Clip::new(
        "spin",
        skeleton,
        60.0,
        vec![DVec3::ZERO; 361],
        (0..361).map(turn).collect(),
    )
    .unwrap();
    let text = String::from_utf8(written(&clip, None, 0.01, UpAxis::Y)).unwrap();
    let lines = text
        .lines()
        .skip_while(|l| !l.starts_with("Frame Time"))
        .skip(1);
    let frames: Vec<Vec<f64>> = lines
        .map(|l| l.split(' ').map(|n| n.parse().unwrap()).collect())
        .collect();
    for pair in frames.windows(2) {
        for c in 3..6 {
            assert!((pair[0][c] - pair[1][c]).abs() < 5.0, "{pair:?}");
        }
    }
    let (raw, _) = bvh::read("a.bvh", text.as_bytes()).unwrap();
    assert!(differences(&clip, &to_clip(&raw, 0.01, UpAxis::Y)).0 < DEGREES);
}

fn two_joints() -> Clip {
    let mut builder = Skeleton::builder();
    let hips = builder.root("Hips", Vec3::new(0.0, 1.0, 0.0));
    builder.joint("Spine", hips, Vec3::new(0.0, 0.2, 0.0));
    let skeleton = builder.build().unwrap().shared();
    Clip::new(
        "two",
        skeleton,
        30.0,
        vec![DVec3::Y; 3],
        vec![Quat::from_rotation_x(0.3); 6],
    )
    .unwrap()
}

#[test]
fn joints_get_the_channels_they_need_and_it_is_said() {
    let text = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 100 0\nCHANNELS 1 Xrotation\nJOINT Spine\n{\nOFFSET 0 20 0\n\
        CHANNELS 1 Zrotation\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.033333\n17 0\n";
    let (_, layout) = bvh::read("a.bvh", text.as_bytes()).unwrap();
    let clip = two_joints();
    let values = vec![
        Vec3::new(0.0, 0.2, 0.0),
        Vec3::new(0.0, 0.25, 0.1),
        Vec3::new(0.0, 0.3, 0.0),
    ];
    let clip = clip
        .with_translations(vec![TranslationTrack {
            joint: JointIdx(1),
            values,
        }])
        .unwrap();
    let options = BvhWriteOptions {
        file_name: "o",
        layout: Some(&layout),
        unit_m: 0.01,
        up: UpAxis::Y,
    };
    let mut bytes = Vec::new();
    let warnings = bvh::write(&mut bytes, &clip, &options).unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let (raw, layout) = bvh::read("b.bvh", &bytes).unwrap();
    assert_eq!(layout.joints[0].channels, [Channel::Rotation(Axis::X)]);
    assert_eq!(layout.joints[1].channels.len(), 6);
    assert_eq!(layout.frame_time, "0.033333");
    let (degrees, metres) = differences(&clip, &to_clip(&raw, 0.01, UpAxis::Y));
    assert!(degrees < DEGREES && metres < METRES);
}

#[test]
fn a_first_frame_that_would_be_misread_is_written_another_way() {
    // Twice the offset: replacing reads as adding, and adding as replacing.
    let up = |y: f32| Vec3::new(0.0, y, 0.0);
    for first in [0.4, 0.2, 0.0, 0.9] {
        let values = vec![up(first), up(0.21), up(0.5)];
        let clip = two_joints()
            .with_translations(vec![TranslationTrack {
                joint: JointIdx(1),
                values: values.clone(),
            }])
            .unwrap();
        let (raw, _) = bvh::read("b.bvh", &written(&clip, None, 0.01, UpAxis::Y)).unwrap();
        for (read, wanted) in raw.translations[0].values.iter().zip(values) {
            assert!(
                (*read * 0.01).distance(wanted) < 1e-5,
                "{first}: {read} {wanted}"
            );
        }
    }
}

#[test]
fn names_from_other_formats_do_not_break_the_tree() {
    let mut builder = Skeleton::builder();
    let hips = builder.root("a {b}\nJOINT c", Vec3::ZERO);
    builder.joint(" ", hips, Vec3::Y);
    let skeleton = builder.build().unwrap().shared();
    let clip = Clip::new(
        "n",
        skeleton,
        30.0,
        vec![DVec3::Y; 2],
        vec![Quat::IDENTITY; 4],
    )
    .unwrap();
    let (raw, _) = bvh::read("b.bvh", &written(&clip, None, 0.01, UpAxis::Y)).unwrap();
    assert_eq!(raw.joints.len(), 2);
    assert_eq!(raw.joints[0].name, "a _b__JOINT c");
}

#[test]
fn a_unit_that_is_none_is_refused() {
    for unit_m in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = BvhWriteOptions {
            unit_m,
            ..BvhWriteOptions::default()
        };
        let result = bvh::write(&mut Vec::new(), &two_joints(), &options);
        assert!(matches!(result, Err(WriteError::CannotHold { .. })));
    }
}
