//! Frames that capture got wrong: told at the door, mended where asked.

use std::path::Path;

use gaitway_core::glam::Quat;
use gaitway_core::spikes::{SpikeKind, repair};
use gaitway_core::testing::{BVH_FOLDERS, Walker, bvh_files, data_dir, walking_clip};
use gaitway_core::{Clip, JointIdx, WarningCode};
use gaitway_io::{Import, ReadOptions, WriteOptions, read_file, write_file};

fn read(path: &Path, repair_spikes: bool) -> Import {
    let options = ReadOptions {
        repair_spikes,
        ..ReadOptions::default()
    };
    let mut imports = read_file(path, &options).expect("reads");
    imports.remove(0)
}

/// A walk in which the left knee is bent by 60° for one frame.
fn spiked() -> Clip {
    let clip = walking_clip(&Walker {
        rate_hz: 120.0,
        ..Walker::default()
    });
    let knee = clip.skeleton().find("LeftLeg").expect("a knee").index();
    let mut parts = clip.clone().into_parts();
    parts.rotations[200 * clip.joint_count() + knee] *= Quat::from_rotation_x(1.05);
    parts.build().expect("finite")
}

#[test]
fn spikes_are_told_and_mended_only_where_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("spiked.bvh");
    write_file(&path, &spiked(), &WriteOptions::default()).expect("written");
    let kept = read(&path, false);
    let warning = kept
        .warnings
        .iter()
        .find(|w| w.code == WarningCode::Spikes)
        .expect("told");
    for words in [
        "`LeftLeg` by 60.",
        "frame 200",
        "1.667 s",
        "--repair-spikes",
    ] {
        assert!(warning.message.contains(words), "{}", warning.message);
    }
    assert_eq!(warning.value, Some(("spikes", 1.0)));
    let mended = read(&path, true);
    let warning = mended
        .warnings
        .iter()
        .find(|w| w.code == WarningCode::Spikes)
        .expect("told");
    assert!(
        warning.message.contains("--keep-spikes"),
        "{}",
        warning.message
    );
    assert!(!mended.warnings.has(WarningCode::JointFlip));
    assert_eq!(kept.spikes, mended.spikes);
    let joints = kept.clip.joint_count();
    let at = 200 * joints + kept.spikes[0].joint.index();
    for (i, (a, b)) in kept
        .clip
        .rotations()
        .iter()
        .zip(mended.clip.rotations())
        .enumerate()
    {
        assert_eq!(a != b, i == at, "rotation {i}");
    }
}

/// What is found in real clips was looked at kind by kind; this holds the counts, so that no later change touches more, or less,
/// without anyone looking.
#[test]
fn real_clips_lose_their_spikes_and_nothing_else() {
    let Some(data) = data_dir() else { return };
    let files = bvh_files(&data, &BVH_FOLDERS);
    let (mut clips, mut touched, mut frames, mut all, mut told) = (0, 0, 0, 0, 0);
    for file in files {
        let import = read(&file, false);
        clips += 1;
        all += import.clip.frame_count();
        if import.spikes.is_empty() {
            continue;
        }
        let name = file.strip_prefix(&data).expect("inside").to_string_lossy();
        assert!(name.starts_with("cmu"), "{name}: {:?}", import.spikes);
        touched += 1;
        told += import.spikes.len();
        let mut holes: Vec<usize> = import
            .spikes
            .iter()
            .flat_map(|s| s.frames.clone())
            .collect();
        holes.sort_unstable();
        holes.dedup();
        frames += holes.len();
        let mended = read(&file, true).clip;
        assert!(
            repair(&mended).is_none(),
            "{name}: more after the first time"
        );
        assert_eq!(mended.frame_count(), import.clip.frame_count(), "{name}");
        assert_eq!(mended.translations(), import.clip.translations(), "{name}");
        // Joint by joint: also in a frame that is touched, what is not told stays.
        let told = |joint: JointIdx, kind: SpikeKind, f: usize| {
            let mut own = import.spikes.iter();
            own.any(|s| s.joint == joint && s.kind == kind && s.frames.contains(&f))
        };
        for f in 0..import.clip.frame_count() {
            for joint in import.clip.skeleton().joints() {
                let same = mended.rotation(f, joint) == import.clip.rotation(f, joint);
                assert_eq!(
                    same,
                    !told(joint, SpikeKind::Rotation, f),
                    "{name} {f} {joint:?}"
                );
            }
            let same = mended.root()[f] == import.clip.root()[f];
            assert_eq!(
                same,
                !told(JointIdx::ROOT, SpikeKind::Position, f),
                "{name} {f}"
            );
        }
    }
    assert_eq!(
        (clips, touched, frames, told, all),
        (173, 52, 91, 269, 90_532),
        "clips, clips with spikes, frames, joints in them, all frames"
    );
    let found = |file: &str, joint: &str, kind: SpikeKind, frame: usize| {
        let import = read(&data.join(file), false);
        let fits = |s: &&gaitway_core::spikes::Spike| {
            import.clip.skeleton().name(s.joint) == joint
                && s.kind == kind
                && s.frames.contains(&frame)
        };
        let size = import.spikes.iter().find(fits).map(|s| s.measure().0);
        size.unwrap_or_else(|| panic!("{file}: {joint} at {frame}: {:?}", import.spikes))
    };
    let hips = found("cmu-bvh/16/16_17.bvh", "Hips", SpikeKind::Rotation, 474);
    assert!((hips - 29.6).abs() < 0.5, "{hips}");
    let hips = found("cmu-bvh/16/16_17.bvh", "Hips", SpikeKind::Position, 474);
    assert!((hips - 2.0).abs() < 0.2, "{hips}");
    for (file, joint) in [("16_15", "LeftArm"), ("16_23", "RightArm")] {
        let arm = found(
            &format!("cmu-bvh/16/{file}.bvh"),
            joint,
            SpikeKind::Rotation,
            1,
        );
        assert!(arm > 80.0, "{arm}");
    }
}
