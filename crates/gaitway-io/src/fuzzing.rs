//! One function per reader for fuzzing: any bytes in, no panic. `fuzz/` calls these, and so does the test that
//! replays its corpus.

/// Any bytes as BVH.
pub fn bvh(bytes: &[u8]) {
    let Ok((clip, layout)) = crate::bvh::read("fuzz.bvh", bytes) else {
        return;
    };
    assert_eq!(clip.rotations.len(), clip.root.len() * clip.joints.len());
    assert_eq!(layout.joints.len(), clip.joints.len());
}
