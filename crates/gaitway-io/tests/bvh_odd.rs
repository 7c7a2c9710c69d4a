//! Odd but legal BVH files, and those that can be mended: read right, and told where something was done.

use gaitway_core::rotation::{self, Axis};
use gaitway_core::{WarningCode, Warnings};
use gaitway_io::RawClip;
use gaitway_io::bvh::{self, BvhLayout, Channel, Indent, PositionMode};
use glam::{DVec3, Quat, Vec3};

fn read(text: &str) -> (RawClip, BvhLayout) {
    bvh::read("odd.bvh", text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn codes(warnings: &Warnings) -> Vec<WarningCode> {
    warnings.iter().map(|w| w.code).collect()
}

fn near(a: Quat, axes: &[Axis], degrees: &[f64]) -> bool {
    let radians: Vec<f64> = degrees.iter().map(|d| d.to_radians()).collect();
    rotation::angle_between(a, rotation::from_euler(axes, &radians).as_quat()) < 1e-6
}

/// A root with six channels and a child with the given lines; frames follow.
fn with_child(child: &str, frames: &str) -> String {
    let count = frames.lines().count();
    format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 1 2 3\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation \
         Yrotation\nJOINT Spine\n{{\n{child}\n}}\n}}\nMOTION\nFrames: {count}\nFrame Time: 0.033333\n{frames}"
    )
}

#[test]
fn letter_case_tabs_line_ends_and_no_final_newline() {
    let text = "\u{feff}hierarchy\nRoot  Bip01 L Thigh:x \n{\n\tOffset\t1e0 -2.5E+0 +.5\n\tchannels 3 ZROTATION xrotation yRotation\n\
        \tEND SITE\n\t{\n\t\toffset 0 1 0\n\t}\n}\nmotion\nFRAMES:2\nframe time:\t.04166667\n1 2 3\n4\t5  6";
    for end in ["\n", "\r\n", "\r"] {
        let (clip, layout) = read(&text.replace('\n', end));
        assert!(clip.warnings.is_empty(), "{:?}", clip.warnings);
        assert_eq!(clip.joints[0].name, "Bip01 L Thigh:x");
        assert_eq!(clip.joints[0].offset, DVec3::new(1.0, -2.5, 0.5));
        assert_eq!(clip.end_sites, [(0, DVec3::Y)]);
        assert_eq!((clip.rate_hz, clip.root.len()), (24.0, 2));
        assert!(near(
            clip.rotations[1],
            &[Axis::Z, Axis::X, Axis::Y],
            &[4.0, 5.0, 6.0]
        ));
        assert_eq!((layout.line_end, layout.indent), (end, Indent::Tab));
        assert_eq!(layout.frame_time, ".04166667");
    }
}

#[test]
fn a_tree_on_one_line_and_a_colon_apart() {
    let text = "HIERARCHY ROOT a b{OFFSET 0 0 0 CHANNELS 1 Yrotation JOINT c{OFFSET 0 1 0 CHANNELS 0}End Site{OFFSET 0 0 1}} \
        MOTION Frame Time : 0.5 Frames : 2 \n 10\n20";
    let (clip, _) = read(text);
    assert_eq!(
        clip.joints
            .iter()
            .map(|j| j.name.as_str())
            .collect::<Vec<_>>(),
        ["a b", "c"]
    );
    assert_eq!(
        (clip.rate_hz, clip.root.len(), clip.end_sites.len()),
        (2.0, 2, 1)
    );
    assert!(near(clip.rotations[2], &[Axis::Y], &[20.0]));
    assert_eq!(clip.rotations[3], Quat::IDENTITY);
}

#[test]
fn rotation_first_roots_and_partial_positions() {
    let text = "HIERARCHY\nROOT a\n{\n    OFFSET 1 2 3\n    CHANNELS 5 Yrotation Zposition Xrotation Xposition Zrotation\n}\n\
        MOTION\nFrames: 1\nFrame Time: 0.0333\n10 7 20 5 30\n";
    let (clip, layout) = read(text);
    assert_eq!(clip.root, [DVec3::new(5.0, 2.0, 7.0)]);
    assert!(near(
        clip.rotations[0],
        &[Axis::Y, Axis::X, Axis::Z],
        &[10.0, 20.0, 30.0]
    ));
    assert_eq!((clip.rate_hz, layout.indent), (30.0, Indent::Spaces(4)));
}

#[test]
fn any_axes_any_number() {
    for (channels, axes) in [
        ("1 Xrotation", vec![Axis::X]),
        ("2 Yrotation Xrotation", vec![Axis::Y, Axis::X]),
        (
            "3 Zrotation Xrotation Zrotation",
            vec![Axis::Z, Axis::X, Axis::Z],
        ),
        (
            "3 Zrotation Zrotation Yrotation",
            vec![Axis::Z, Axis::Z, Axis::Y],
        ),
        (
            "4 Xrotation Yrotation Zrotation Xrotation",
            vec![Axis::X, Axis::Y, Axis::Z, Axis::X],
        ),
    ] {
        let values = [33.0, -120.0, 250.0, 14.0];
        let line: Vec<String> = values[..axes.len()].iter().map(f64::to_string).collect();
        let frames = format!("9 8 7 0 0 0 {}\n", line.join(" "));
        let (clip, _) = read(&with_child(
            &format!("OFFSET 0 1 0\nCHANNELS {channels}"),
            &frames,
        ));
        assert!(near(clip.rotations[1], &axes, &values), "{channels}");
        assert_eq!(clip.root, [DVec3::new(9.0, 8.0, 7.0)]);
    }
}

#[test]
fn a_root_without_positions_stays_at_its_offset() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 1 Yrotation\n}\nMOTION\nFrames: 2\nFrame Time: 1\n1\n2\n";
    assert_eq!(read(text).0.root, [DVec3::new(1.0, 2.0, 3.0); 2]);
}

const SIX: &str =
    "OFFSET 0 10 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";

#[test]
fn positions_that_repeat_the_offset_replace_it() {
    let frames = "0 0 0 0 0 0 0.05 10.02 0 0 0 0\n0 0 0 0 0 0 0 14 3 0 0 0\n";
    let (clip, layout) = read(&with_child(SIX, frames));
    assert!(clip.warnings.is_empty());
    assert_eq!(
        clip.translations[0].values,
        [Vec3::new(0.05, 10.02, 0.0), Vec3::new(0.0, 14.0, 3.0)]
    );
    assert_eq!(layout.joints[1].positions, PositionMode::Replace);
}

#[test]
fn positions_that_differ_add_to_the_offset_and_it_is_told() {
    let frames = "0 0 0 0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 1 2 3 0 0 0\n";
    let (clip, layout) = read(&with_child(SIX, frames));
    assert_eq!(codes(&clip.warnings), [WarningCode::PositionsAdded]);
    assert_eq!(
        clip.translations[0].values,
        [Vec3::new(0.0, 10.0, 0.0), Vec3::new(1.0, 12.0, 3.0)]
    );
    assert_eq!(layout.joints[1].positions, PositionMode::Add);
}

#[test]
fn positions_that_never_leave_the_offset_make_no_track() {
    let frames = "0 0 0 0 0 0 0 10 0 0 0 0\n0 0 0 0 0 0 0 10.000001 0 1 2 3\n";
    let (clip, layout) = read(&with_child(SIX, frames));
    assert!(clip.translations.is_empty());
    assert_eq!(layout.joints[1].channels.len(), 6);
}

#[test]
fn one_position_channel_below_the_root() {
    let child = "OFFSET 0 10 5\nCHANNELS 1 Yposition";
    let (clip, _) = read(&with_child(child, "0 0 0 0 0 0 10\n0 0 0 0 0 0 12\n"));
    assert_eq!(
        clip.translations[0].values,
        [Vec3::new(0.0, 10.0, 5.0), Vec3::new(0.0, 12.0, 5.0)]
    );
}

#[test]
fn frame_counts_that_are_off() {
    let root = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Yrotation Xrotation\n}\nMOTION\n";
    for (declared, lines, frames, expected) in [
        ("5", "1 2\n3 4\n", 2, vec![WarningCode::FrameCount]),
        ("1", "1 2\n3 4\n", 2, vec![WarningCode::FrameCount]),
        ("0", "1 2\n3 4\n", 2, vec![WarningCode::FrameCount]),
        ("2", "1 2\n3 4\n\n \n", 2, vec![]),
        (
            "3",
            "1 2\n3 4\n5",
            2,
            vec![WarningCode::PartialFrame, WarningCode::FrameCount],
        ),
        (
            "3",
            "1 2\n3 4\n5 -",
            2,
            vec![WarningCode::PartialFrame, WarningCode::FrameCount],
        ),
        (
            "2",
            "1 2\n3 4\nend of motion\n",
            2,
            vec![WarningCode::LeftOut],
        ),
        ("2", "1 2\n\n3 4\n\0\0\u{1a}", 2, vec![]),
        ("2", "1\n2\n3\n4\n", 2, vec![]),
        ("2", "1 2 3 4\n", 2, vec![]),
        ("3", "1 2 3 4\n5 6", 3, vec![]),
    ] {
        let (clip, _) = read(&format!(
            "{root}Frames: {declared}\nFrame Time: 0.01\n{lines}"
        ));
        assert_eq!(clip.root.len(), frames, "{lines:?}");
        assert_eq!(codes(&clip.warnings), expected, "{lines:?}");
        assert!(
            near(clip.rotations[1], &[Axis::Y, Axis::X], &[3.0, 4.0]),
            "{lines:?}"
        );
        assert_eq!(clip.frames_in_file, frames);
    }
}

#[test]
fn odd_frame_times_are_told() {
    let root = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n}\nMOTION\nFrames: 1\nFrame Time: ";
    for (time, hz) in [
        ("0", 30.0),
        ("0.000000", 30.0),
        ("33.3333", 1.0 / 33.3333),
        ("120", 1.0 / 120.0),
    ] {
        let (clip, _) = read(&format!("{root}{time}\n1\n"));
        assert_eq!(codes(&clip.warnings), [WarningCode::Unusual], "{time}");
        assert_eq!(clip.rate_hz, hz);
    }
}

#[test]
fn several_roots_come_under_one_and_go_out_as_several() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nROOT b\n{\nOFFSET 5 0 0\n\
        CHANNELS 4 Xposition Yposition Zposition Yrotation\n End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n\
        1 2 3 4 5 6 7\n1 2 3 14 15 16 17\n";
    let (clip, layout) = read(text);
    assert_eq!(codes(&clip.warnings), [WarningCode::SeveralRoots]);
    let parents: Vec<_> = clip.joints.iter().map(|j| j.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0)]);
    assert_eq!(clip.root, [DVec3::ZERO; 2]);
    assert_eq!(
        clip.translations[1].values,
        [Vec3::new(4.0, 5.0, 6.0), Vec3::new(14.0, 15.0, 16.0)]
    );
    assert_eq!(clip.end_sites, [(2, DVec3::Y)]);
    assert!(near(clip.rotations[5], &[Axis::Y], &[17.0]));
    let inside = bvh_support::to_clip(&clip, 0.01, gaitway_io::UpAxis::Z);
    let bytes = bvh_support::written(&inside, Some(&layout), 0.01, gaitway_io::UpAxis::Z);
    let (again, layout_again) = read(std::str::from_utf8(&bytes).unwrap());
    assert_eq!(layout_again.joints, layout.joints);
    let (degrees, metres) = bvh_support::differences(
        &inside,
        &bvh_support::to_clip(&again, 0.01, gaitway_io::UpAxis::Z),
    );
    assert!(degrees < 0.001 && metres < 1e-5);
}

#[test]
fn scale_is_left_out_and_a_missing_offset_told() {
    let child = "CHANNELS 2 Xscale Yrotation";
    let (clip, layout) = read(&with_child(child, "0 0 0 0 0 0 2 40\n"));
    assert_eq!(
        codes(&clip.warnings),
        [WarningCode::Unusual, WarningCode::LeftOut]
    );
    assert!(near(clip.rotations[1], &[Axis::Y], &[40.0]));
    assert_eq!(layout.joints[1].channels[0], Channel::Scale(Axis::X));
}

#[test]
fn a_very_deep_tree_needs_no_stack() {
    let depth = 4000;
    let mut text = String::from("HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n");
    for j in 0..depth {
        text += &format!("JOINT j{j}\n{{\nOFFSET 0 1 0\n");
    }
    text += &"}\n".repeat(depth + 1);
    text += "MOTION\nFrames: 1\nFrame Time: 0.01\n5\n";
    let (clip, layout) = read(&text);
    assert_eq!(clip.joints.len(), depth + 1);
    let inside = bvh_support::to_clip(&clip, 0.01, gaitway_io::UpAxis::Y);
    let bytes = bvh_support::written(&inside, Some(&layout), 0.01, gaitway_io::UpAxis::Y);
    assert_eq!(
        read(std::str::from_utf8(&bytes).unwrap()).0.joints.len(),
        depth + 1
    );
}

#[test]
fn old_names_are_latin_and_numbers_are_exact() {
    let text = b"HIERARCHY\nROOT H\xFCfte\n{\nOFFSET 0.1234567890123456789 1.0e-3 100000000000000000\nCHANNELS 1 Yrotation\n}\n\
        MOTION\nFrames: 1\nFrame Time: 0.01\n3.00000000000000000001e1\n";
    let (clip, _) = bvh::read("odd.bvh", text).unwrap();
    assert_eq!(clip.joints[0].name, "Hüfte");
    assert_eq!(
        clip.joints[0].offset,
        DVec3::new(0.123_456_789_012_345_68, 1e-3, 1e17)
    );
    assert!(near(clip.rotations[0], &[Axis::Y], &[30.0]));
}

mod bvh_support;
