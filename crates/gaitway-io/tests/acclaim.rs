//! Acclaim motion: reading, writing back, and the joint model.

mod acclaim_support;

use acclaim_support::{clip_of, files_below, largest_distance, largest_turn};
use gaitway_core::{WarningCode, fk};
use gaitway_io::acclaim::{
    AcclaimSkeleton, AmcWriteOptions, find_asf, read_amc, read_asf, write_amc,
};
use gaitway_io::door::admit;
use gaitway_io::{Format, Layout, ReadOptions, UpAxis, parse_unit};
use glam::{DVec3, Vec3};

/// A small body with every feature: dof subsets, mixed letter case, limits over lines, a bone that stretches,
/// one that slides, an order of axes that is not XYZ, children before parents in the hierarchy.
const ASF: &str = "\
# a comment
:VERSION 1.10
:name small body
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   begin of free text
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name hip
     direction 1 0 0
     length 2
     axis 0 0 0 XYZ
  end
  BEGIN
     id 2
     Name thigh
     direction 0 -1 0
     length 7
     axis 0 0 20 XYZ
     DOF rx ry rz
     limits (-160.0 20.0)
            (-inf inf)
            (-60.0, 70.0)
  end
  begin
     id 3
     name shin
     direction 0 -1 0   # down
     length 8
     axis 10 0 20 ZYX
     dof rx rz
     limits (-10 170) (0 1)
  end
  begin
     id 4
     name arm
     direction 0.6 0.8 0
     length 5
     axis 0 90 0 XYZ
     dof tx ry l
  end
  begin
     id 5
     name hand
     direction 1 0 0
     length 1
     axis 0 0 0 XYZ
     dof rz
  end
:hierarchy
  begin
    thigh shin
    arm hand
    root hip arm
    hip thigh
  end
";

const AMC: &str = "\
# a motion
:FULLY-SPECIFIED
:DEGREES
1
root 1 17 -2 10 20 30
# between
thigh 10 20 30
shin 5 -7
arm 0.5 40 0.25
hand 90
2
hand -90 # out of order
root 1.5 17 -2 190 20 30
thigh -10 89.9999 30
shin 5 200
arm 0 0 0
";

fn skeleton() -> AcclaimSkeleton {
    read_asf("small.asf", ASF.as_bytes()).expect("the small body is good")
}

#[test]
fn bones_become_joints_at_their_parents_tips() {
    let asf = skeleton();
    assert_eq!(asf.name, "small body");
    assert!(asf.warnings.is_empty(), "{:?}", asf.warnings);
    let names: Vec<&str> = (0..asf.joint_count()).map(|j| asf.joint_name(j)).collect();
    assert_eq!(names, ["root", "hip", "thigh", "shin", "arm", "hand"]);
    let joints = asf.joints();
    assert_eq!(joints[2].parent, Some(1));
    assert_eq!(joints[2].offset, DVec3::new(2.0, 0.0, 0.0));
    assert_eq!(joints[4].parent, Some(0));
    assert_eq!(joints[4].offset, DVec3::ZERO);
    assert_eq!(asf.end_sites(), [(3, DVec3::NEG_Y * 8.0), (5, DVec3::X)]);
    assert!((asf.unit_m.unwrap() - 0.056_444_4).abs() < 1e-6);
    assert_eq!(asf.bones[1].limits[1], (f64::NEG_INFINITY, f64::INFINITY));
}

#[test]
fn channels_turn_about_fixed_axes_in_the_bones_frame() {
    let asf = skeleton();
    let clip = read_amc("small.amc", AMC.as_bytes(), &asf).unwrap();
    assert_eq!((clip.root.len(), clip.frames_in_file), (2, 2));
    assert_eq!(clip.rate_hz, 120.0);
    assert!(clip.warnings.has(WarningCode::Unusual));
    // `hand 90` about z: its tip points along the arm's +Y.
    let tip = clip.rotations[5] * Vec3::X;
    assert!(tip.distance(Vec3::Y) < 1e-6);
    // `arm` turns about y in a frame that is turned 90° about y: the same axis.
    let arm = clip.rotations[4] * Vec3::X;
    let (sin, cos) = 40_f32.to_radians().sin_cos();
    assert!(arm.distance(Vec3::new(cos, 0.0, -sin)) < 1e-6);
    // It slides along its own x, which is the parent's −z, and stretches its child away.
    let track = |joint: usize| {
        let found = clip.translations.iter().find(|t| t.joint == joint);
        &found.unwrap().values
    };
    assert!(track(4)[0].distance(Vec3::new(0.0, 0.0, -0.5)) < 1e-6);
    let stretched = Vec3::new(0.6, 0.8, 0.0) * 5.25;
    assert!(track(5)[0].distance(stretched) < 1e-5);
    assert!(track(5)[1].distance(Vec3::new(3.0, 4.0, 0.0)) < 1e-5);
}

/// A body that is not where its root is: programs differ, we say what we did.
#[test]
fn the_roots_own_place_is_added_and_told() {
    let text = ASF
        .replace("position 0 0 0", "position 1 2 3")
        .replace("orientation 0 0 0", "orientation 0 90 0");
    let asf = read_asf("turned.asf", text.as_bytes()).unwrap();
    assert!(asf.warnings.has(WarningCode::Unusual));
    let clip = read_amc("m.amc", b"1\nroot 1 1 1 0 0 0\n", &asf).unwrap();
    assert_eq!(clip.root[0], DVec3::new(2.0, 3.0, 4.0));
    assert!((clip.rotations[0] * Vec3::X).distance(Vec3::NEG_Z) < 1e-6);
    let (turn, far, told) = written(&asf, AMC, &AmcWriteOptions::default());
    assert!(turn.to_degrees() < 1e-3 && far < 1e-5 && told == 0);
}

fn written(asf: &AcclaimSkeleton, text: &str, options: &AmcWriteOptions) -> (f64, f64, usize) {
    let raw = read_amc("small.amc", text.as_bytes(), asf).unwrap();
    let clip = clip_of(&raw);
    let mut out = Vec::new();
    let warnings = write_amc(&mut out, &clip, asf, options).unwrap();
    let back = clip_of(&read_amc("again.amc", &out, asf).unwrap());
    let far = largest_distance(&fk::world_points(&clip), &fk::world_points(&back));
    (largest_turn(&clip, &back), far, warnings.len())
}

#[test]
fn writing_gives_the_motion_back() {
    for radians in [false, true] {
        let options = AmcWriteOptions {
            radians,
            decimals: 7,
        };
        let (turn, far, told) = written(&skeleton(), AMC, &options);
        assert!(turn.to_degrees() < 1e-3, "{turn}");
        assert!(far < 1e-5, "{far}");
        assert_eq!(told, 0);
    }
}

/// A file with another axis up comes inside turned, and goes out again as it was.
#[test]
fn axes_and_units_are_the_files_own() {
    let asf = skeleton();
    let raw = read_amc("small.amc", AMC.as_bytes(), &asf).unwrap();
    for up in [UpAxis::Y, UpAxis::Z, UpAxis::X] {
        for unit in ["m", "cm"] {
            let options = ReadOptions {
                up: Some(up),
                unit: parse_unit(unit).ok(),
                ..ReadOptions::default()
            };
            let (name, layout) = (String::from("small"), Layout::Plain);
            let inside = admit(
                "small.amc",
                name,
                Format::Amc,
                raw.clone(),
                layout,
                &options,
            );
            let mut out = Vec::new();
            let clip = inside.unwrap().clip;
            let options = AmcWriteOptions::default();
            let warnings = write_amc(&mut out, &clip, &asf, &options).unwrap();
            assert!(warnings.is_empty(), "{warnings:?}");
            let back = read_amc("again.amc", &out, &asf).unwrap();
            let (a, b) = (clip_of(&raw), clip_of(&back));
            assert!(largest_turn(&a, &b).to_degrees() < 1e-3);
            let far = largest_distance(&fk::world_points(&a), &fk::world_points(&b));
            assert!(far < 1e-5, "{up:?} {unit}: {far}");
        }
    }
}

#[test]
fn what_the_channels_cannot_hold_is_told() {
    let asf = skeleton();
    let raw = read_amc("small.amc", AMC.as_bytes(), &asf).unwrap();
    let mut clip = clip_of(&raw).into_parts();
    // A turn about y for a hand that only has z, and a slide for a shin that has none.
    clip.rotations[5] *= glam::Quat::from_rotation_y(0.1);
    let offset = clip.skeleton.offset(gaitway_core::JointIdx(3));
    clip.translations.push(gaitway_core::TranslationTrack {
        joint: gaitway_core::JointIdx(3),
        values: vec![offset, offset + Vec3::X * 0.02],
    });
    clip.translations.sort_by_key(|t| t.joint);
    let clip = clip.build().unwrap();
    let warnings = write_amc(&mut Vec::new(), &clip, &asf, &AmcWriteOptions::default()).unwrap();
    let told: Vec<&str> = warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("`hand` by 5.73°"), "{told:?}");
    assert!(told[1].contains("`shin` by 20.0 mm"), "{told:?}");
}

#[test]
fn a_clip_of_another_body_is_refused() {
    let clip = gaitway_core::testing::swinging_clip("other", 3, 60.0);
    let options = AmcWriteOptions::default();
    let error = write_amc(&mut Vec::new(), &clip, &skeleton(), &options).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("the clip has no joint `hip`"), "{text}");
    assert!(error.hint().is_some());
}

#[test]
fn missing_bones_are_told() {
    let asf = skeleton();
    let read = |text: &str| read_amc("m.amc", text.as_bytes(), &asf).unwrap();
    // Never listed: rest pose.
    let clip = read("1\nroot 0 0 0 0 0 0\n2\nroot 0 0 0 0 0 0\n");
    let told = |m: &str| clip.warnings.iter().any(|w| w.message.contains(m));
    assert!(told("4 bones that can move"));
    assert_eq!(clip.rotations[5], glam::Quat::IDENTITY);
    // Missing now and then, in a file that does not promise all: held.
    let clip = read("1\nhand 90\n2\n3\nhand 0\n");
    assert!(clip.warnings.has(WarningCode::GapsFilled));
    assert_eq!(clip.rotations[5], clip.rotations[6 + 5]);
    // A last frame cut short: dropped.
    let full = ":FULLY-SPECIFIED\n1\nroot 0 0 0 0 0 0\nhand 1\n2\nroot 0 0 0 0 0 0\n";
    for cut in [full, "1\nhand 1\n2\nha", "1\nhand 1\n2\nroot 0 0"] {
        let clip = read(cut);
        assert!(clip.warnings.has(WarningCode::PartialFrame), "{cut}");
        assert_eq!((clip.root.len(), clip.frames_in_file), (1, 2));
    }
    // Skipped frame numbers, a rate, unknown keywords.
    let clip = read(":SAMPLES-PER-SECOND 60\n:OTHER\n1\nhand 1\n5\nhand 1\n");
    assert_eq!(clip.rate_hz, 60.0);
    let told: Vec<_> = clip.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(told.iter().any(|m| m.contains("skip 3 frames")), "{told:?}");
    assert!(told.iter().any(|m| m.contains("`:OTHER`")), "{told:?}");
}

#[test]
fn line_ends_do_not_matter() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let asf = read_asf("crlf.asf", crlf(ASF).replace("  ", "\t").as_bytes()).unwrap();
    assert_eq!(asf, skeleton());
    let a = read_amc("crlf.amc", crlf(AMC).as_bytes(), &asf).unwrap();
    let b = read_amc("lf.amc", AMC.trim_end().as_bytes(), &asf).unwrap();
    assert_eq!((a.rotations, a.root), (b.rotations, b.root));
}

#[test]
fn real_motions_are_read_and_written_back() {
    let Some(data) = gaitway_core::testing::data_dir() else {
        return;
    };
    let mut seen = 0;
    let (mut turn, mut far) = (0.0_f64, 0.0_f64);
    for path in files_below(&data, "amc") {
        let asf_path = find_asf(&path).expect("a skeleton lies beside each motion");
        let asf = read_asf("a.asf", &std::fs::read(&asf_path).unwrap()).unwrap();
        let named = asf_path.display();
        assert!(asf.warnings.is_empty(), "{named}: {:?}", asf.warnings);
        let raw = read_amc("a.amc", &std::fs::read(&path).unwrap(), &asf).unwrap();
        assert_eq!(raw.warnings.len(), 1, "only the rate is told");
        assert_eq!(raw.joints.len(), 31);
        let clip = clip_of(&raw);
        let mut out = Vec::new();
        let warnings = write_amc(&mut out, &clip, &asf, &AmcWriteOptions::default()).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        let back = clip_of(&read_amc("again.amc", &out, &asf).unwrap());
        turn = turn.max(largest_turn(&clip, &back));
        let points = (fk::world_points(&clip), fk::world_points(&back));
        far = far.max(largest_distance(&points.0, &points.1));
        seen += 1;
    }
    assert!(seen >= 21, "{seen}");
    assert!(turn.to_degrees() < 0.001, "{}°", turn.to_degrees());
    assert!(far < 1e-5, "{far} m");
}
