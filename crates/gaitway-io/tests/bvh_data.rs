//! Every real BVH clip is read, written and read again.

use std::path::{Path, PathBuf};

use gaitway_core::testing::data_dir;
use gaitway_io::bvh;

fn bvh_files(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            bvh_files(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("bvh"))
        {
            found.push(path);
        }
    }
}

#[test]
fn every_real_clip_is_read() {
    let Some(dir) = data_dir() else { return };
    let mut files = Vec::new();
    bvh_files(&dir, &mut files);
    assert!(files.len() > 100, "{} files", files.len());
    for file in files {
        let name = file.display().to_string();
        let bytes = std::fs::read(&file).unwrap();
        let (clip, layout) = bvh::read(&name, &bytes).unwrap();
        assert_eq!(clip.rotations.len(), clip.root.len() * clip.joints.len());
        assert_eq!(layout.joints.len(), clip.joints.len());
        assert!(
            [30.0, 120.0].contains(&clip.rate_hz),
            "{name}: {}",
            clip.rate_hz
        );
        assert!(clip.warnings.is_empty(), "{name}: {:?}", clip.warnings);
        if name.contains("bandai") {
            let moving: Vec<_> = clip
                .translations
                .iter()
                .map(|t| clip.joints[t.joint].name.as_str())
                .collect();
            assert_eq!(moving, ["Hips"], "{name}");
        } else {
            assert!(clip.translations.is_empty(), "{name}");
        }
    }
}
