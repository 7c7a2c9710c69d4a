//! FBX files: a clip that is also there as BVH, other rigs, and damaged bytes.
#![allow(clippy::print_stdout, clippy::print_stderr)] // Measurements and skips must be seen.

mod support;

use gaitway_core::testing::data_dir;
use gaitway_core::{Clip, fk};
use gaitway_io::{RawClip, UpAxis, bvh, fbx};
use support::{Dice, damaged, to_clip};

fn read(name: &str) -> Option<(Vec<u8>, Vec<RawClip>)> {
    let bytes = std::fs::read(data_dir()?.join("fbx").join(name)).unwrap();
    let clips = fbx::read(name, &bytes).unwrap();
    Some((bytes, clips))
}

/// Distances between all pairs of joints that both clips have, frame by frame: the same in both, whatever
/// the axes and the place of the world's origin.
fn shape_differences(a: &Clip, a_frame: usize, b: &Clip, b_frame: usize) -> Vec<f64> {
    let (pa, pb) = (fk::world_points(a), fk::world_points(b));
    let pairs: Vec<(usize, usize)> = a
        .skeleton()
        .joints()
        .filter_map(|j| Some((j.index(), b.skeleton().find(a.skeleton().name(j))?.index())))
        .collect();
    assert!(pairs.len() > 20, "only {} joints in common", pairs.len());
    let mut out = Vec::new();
    for &(a1, b1) in &pairs {
        for &(a2, b2) in &pairs {
            let x = pa.at(a_frame, a1).distance(pa.at(a_frame, a2));
            let y = pb.at(b_frame, b1).distance(pb.at(b_frame, b2));
            out.push((x - y).abs());
        }
    }
    out
}

#[test]
fn the_cmu_walk_is_the_one_of_the_bvh() {
    let Some((_, clips)) = read("07_01_cmu.fbx") else {
        return;
    };
    let data = data_dir().unwrap();
    let text = std::fs::read(data.join("cmu-bvh/07/07_01.bvh")).unwrap();
    let (mut from_bvh, _) = bvh::read("07_01.bvh", &text).unwrap();
    let mut from_fbx = clips[0].clone();
    assert_eq!((clips.len(), from_fbx.rate_hz), (1, 120.0));
    assert_eq!(
        (from_fbx.unit_m, from_fbx.up),
        (Some(0.01), Some(UpAxis::Y))
    );
    assert_eq!(from_fbx.root.len(), from_bvh.root.len());
    // Whoever converted the clip took BVH units (56.444 mm) for metres.
    from_bvh.unit_m = Some(0.056_444);
    from_fbx.unit_m = Some(0.000_564_44);
    let (a, b) = (to_clip(&from_fbx), to_clip(&from_bvh));
    let frames = (0..a.frame_count()).step_by(9);
    let mut all: Vec<f64> = frames
        .flat_map(|f| shape_differences(&a, f, &b, f))
        .collect();
    all.sort_by(f64::total_cmp);
    let (middle, worst) = (all[all.len() / 2], all[all.len() - 1]);
    println!(
        "07_01: FBX and BVH differ by {:.4} mm, at most {:.4} mm",
        1e3 * middle,
        1e3 * worst
    );
    // The exporter thinned out most curves (25 of 290 have all 317 keys), which costs up to two millimetres.
    assert!(middle < 1e-6 && worst < 2.5e-3, "{middle} {worst}");
}

/// File, joints, frames, rate and the height of the body in metres (the Kenney figure is larger than life).
const RIGS: [(&str, usize, usize, f64, f64); 3] = [
    ("pab-walk.fbx", 67, 41, 30.0, 1.8),
    ("pab-run.fbx", 67, 21, 30.0, 1.7),
    ("maya_kenney_character_7700_binary.fbx", 58, 17, 24.0, 3.7),
];

#[test]
fn other_rigs_load() {
    for (name, joints, frames, rate, tall) in RIGS {
        let Some((_, clips)) = read(name) else { return };
        let clip = &clips[0];
        assert_eq!(
            (clips.len(), clip.root.len(), clip.rate_hz),
            (1, frames, rate),
            "{name}"
        );
        assert!((joints..=joints + 2).contains(&clip.joints.len()), "{name}");
        assert_eq!((clip.unit_m, clip.up), (Some(0.01), Some(UpAxis::Y)));
        let points = fk::world_points(&to_clip(clip));
        let heights = || points.frame(0).iter().map(|p| p.y);
        let height = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
        assert!((height - tall).abs() < 0.15, "{name}: {height}");
    }
}

#[test]
fn damaged_bytes_give_errors_and_no_panic() {
    let Some((bytes, _)) = read("07_01_cmu.fbx") else {
        return;
    };
    let mut dice = Dice(7);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..150 {
        match fbx::read("damaged.fbx", &damaged(&bytes, &mut dice)) {
            Ok(clips) => {
                read += 1;
                for clip in clips {
                    assert_eq!(clip.rotations.len(), clip.root.len() * clip.joints.len());
                }
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().starts_with("damaged.fbx"));
            }
        }
    }
    println!("{read} read, {refused} refused");
}

#[test]
fn what_is_no_fbx_is_refused_by_name() {
    for bytes in [
        &b""[..],
        b"HIERARCHY",
        b"Kaydara FBX Binary",
        b"; FBX 7.4.0 project file\n",
        b"v 0 0 0\n",
    ] {
        let error = fbx::read("x.fbx", bytes).unwrap_err();
        assert!(
            error.to_string().starts_with("x.fbx") && error.hint().is_some(),
            "{error}"
        );
    }
}

fn corpus(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/fbx");
    std::fs::read(folder.join(name)).unwrap()
}

/// A text file made by hand: a knee that bends a quarter turn in a second.
#[test]
fn a_small_text_file_is_read() {
    let clips = fbx::read("knee.fbx", &corpus("bending_knee.fbx")).unwrap();
    let clip = &clips[0];
    assert_eq!(
        (clips.len(), clip.joints.len(), clip.root.len()),
        (1, 2, 31)
    );
    assert_eq!(
        (clip.rate_hz, clip.unit_m, clip.up),
        (30.0, Some(0.01), Some(UpAxis::Y))
    );
    let quarter = glam::Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    assert!(clip.rotations[61].angle_between(quarter) < 1e-3);
    let ankle_of_the_rest = clip.joints[1].offset;
    assert!(ankle_of_the_rest.distance(glam::DVec3::new(0.0, -40.0, 0.0)) < 1e-9);
}

#[test]
fn axes_no_clip_can_name_are_turned_and_told() {
    let clips = fbx::read("down.fbx", &corpus("up_is_minus_z.fbx")).unwrap();
    assert!(
        clips[0]
            .warnings
            .has(gaitway_core::WarningCode::UpAxisTurned)
    );
    assert_eq!(clips[0].up, Some(UpAxis::Y));
}

#[test]
fn a_key_far_away_asks_for_too_much() {
    let error = fbx::read("far.fbx", &corpus("key_far_away.fbx")).unwrap_err();
    assert!(
        error.to_string().contains("file's size justifies"),
        "{error}"
    );
}
