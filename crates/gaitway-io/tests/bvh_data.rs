//! Every real BVH clip is read, written and read again.

mod bvh_support;

use bvh_support::{differences, to_clip, written};
use gaitway_core::testing::{BVH_FOLDERS, bvh_files, data_dir};
use gaitway_core::{WarningCode, edit};
use gaitway_io::{UpAxis, bvh};

/// Metres per unit: CMU and its like in 1/0.45 inch, the others in centimetres.
fn unit_m(name: &str) -> f64 {
    if name.contains("cmu") || name.contains("pfnn") {
        0.0254 / 0.45
    } else {
        0.01
    }
}

#[test]
fn every_real_clip_is_read_written_and_read_again() {
    let Some(dir) = data_dir() else { return };
    let files = bvh_files(&dir, &BVH_FOLDERS);
    assert!(files.len() > 100, "{} files", files.len());
    for file in files {
        let name = file.display().to_string();
        let bytes = std::fs::read(&file).unwrap();
        let (raw, layout) = bvh::read(&name, &bytes).unwrap();
        assert_eq!(raw.rotations.len(), raw.root.len() * raw.joints.len());
        assert!(
            [30.0, 120.0].contains(&raw.rate_hz),
            "{name}: {}",
            raw.rate_hz
        );
        assert!(raw.warnings.is_empty(), "{name}: {:?}", raw.warnings);
        let moving: Vec<_> = raw
            .translations
            .iter()
            .map(|t| raw.joints[t.joint].name.as_str())
            .collect();
        let expected: &[&str] = if name.contains("bandai") {
            &["Hips"]
        } else {
            &[]
        };
        assert_eq!(moving, expected, "{name}");

        let unit = unit_m(&name);
        let clip = to_clip(&raw, unit, UpAxis::Y);
        let again = written(&clip, Some(&layout), unit, UpAxis::Y);
        let (raw_again, layout_again) = bvh::read(&name, &again).unwrap();
        let (degrees, metres) = differences(&clip, &to_clip(&raw_again, unit, UpAxis::Y));
        assert!(
            degrees < 0.001 && metres < 1e-5,
            "{name}: {degrees}° {metres} m"
        );
        assert_eq!(layout.joints, layout_again.joints, "{name}");
        assert_eq!(
            (layout.frame_time, layout.line_end, layout.indent),
            (
                layout_again.frame_time,
                layout_again.line_end,
                layout_again.indent
            ),
            "{name}"
        );
        // A piece from the middle, without the source's layout.
        let piece = edit::cut(&clip, clip.frame_count() / 2..clip.frame_count() / 2 + 20);
        let (raw_again, _) = bvh::read(&name, &written(&piece, None, 0.01, UpAxis::Z)).unwrap();
        assert!(
            !raw_again.warnings.has(WarningCode::PositionsAdded),
            "{name}"
        );
        let (degrees, metres) = differences(&piece, &to_clip(&raw_again, 0.01, UpAxis::Z));
        assert!(
            degrees < 0.001 && metres < 1e-5,
            "{name}: {degrees}° {metres} m"
        );
    }
}

#[test]
fn the_travelling_hips_below_a_still_root_replace_their_offset() {
    let Some(dir) = data_dir() else { return };
    let file = dir.join("bandai-namco-bvh/dataset-1_walk_normal_001.bvh");
    let (raw, _) = bvh::read("walk", &std::fs::read(file).unwrap()).unwrap();
    // Hips near 90 cm; added to their offset they would be at 180 cm.
    let heights = raw.translations[0].values.iter().map(|v| v.y);
    let (low, high) = heights.fold((f32::MAX, f32::MIN), |(l, h), y| (l.min(y), h.max(y)));
    assert!(low > 80.0 && high < 100.0, "{low} to {high}");
}
