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

/// Any bytes as glTF or GLB; nothing lies beside them.
pub fn gltf(bytes: &[u8]) {
    let nothing = |name: &str| Err(std::io::Error::other(name.to_owned()));
    for clip in crate::gltf::read("fuzz.glb", bytes, &nothing).unwrap_or_default() {
        fits(&clip);
    }
}

/// Any bytes as FBX.
pub fn fbx(bytes: &[u8]) {
    for clip in crate::fbx::read("fuzz.fbx", bytes).unwrap_or_default() {
        fits(&clip);
    }
}

/// What every parser promises: parents first, arrays that fit, finite numbers.
fn fits(clip: &crate::RawClip) {
    let frames = clip.root.len();
    assert!(clip.joints.first().is_some_and(|j| j.parent.is_none()));
    let above = |(i, j): (usize, &crate::RawJoint)| j.parent.is_some_and(|p| p < i);
    assert!(clip.joints.iter().enumerate().skip(1).all(above));
    assert_eq!(clip.rotations.len(), frames * clip.joints.len());
    assert!(clip.translations.iter().all(|t| t.values.len() == frames));
    assert!(clip.rotations.iter().all(|q| q.is_finite()));
}
