//! One function per reader for fuzzing: any bytes in, no panic. `fuzz/` calls these, and so does the test that
//! replays its corpus.

use crate::bvh::BvhWriteOptions;
use crate::door::{Layout, ReadOptions, admit};
use crate::{Format, UpAxis};

/// Any bytes as BVH; what comes through the door is written and read again.
pub fn bvh(bytes: &[u8]) {
    let Ok((raw, layout)) = crate::bvh::read("fuzz.bvh", bytes) else {
        return;
    };
    assert_eq!(raw.rotations.len(), raw.root.len() * raw.joints.len());
    assert_eq!(layout.joints.len(), raw.joints.len());
    let options = ReadOptions::default();
    let Ok(import) = admit(
        "fuzz.bvh",
        "fuzz".into(),
        Format::Bvh,
        raw,
        Layout::Plain,
        &options,
    ) else {
        return;
    };
    let options = BvhWriteOptions {
        file_name: "fuzz.bvh",
        layout: Some(&layout),
        unit_m: import.source.unit.metres,
        up: UpAxis::Y,
    };
    let mut file = Vec::new();
    if crate::bvh::write(&mut file, &import.clip, &options).is_ok() {
        let again = crate::bvh::read("again.bvh", &file);
        assert!(import.clip.frame_count() == 0 || again.is_ok(), "{again:?}");
    }
}
