//! One function per reader for fuzzing: any bytes in, no panic. `fuzz/` calls these, and so does the test that
//! replays its corpus.

use crate::acclaim::{AcclaimSkeleton, AmcWriteOptions, read_amc, read_asf, write_amc};
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

/// Any bytes as ASF; a skeleton that can be read takes a motion, which is written and read again.
pub fn asf(bytes: &[u8]) {
    if let Ok(skeleton) = read_asf("fuzz.asf", bytes) {
        acclaim_motion(b"1\nroot\n", &skeleton);
        acclaim_motion(b":FULLY-SPECIFIED\n1\n2\n", &skeleton);
    }
}

/// Any bytes as AMC of a small skeleton with every kind of channel.
pub fn amc(bytes: &[u8]) {
    const SKELETON: &str = ":units length 0.45 angle deg\n:root order TX TY TZ RX RY RZ axis XYZ\n\
        :bonedata begin name a direction 0 1 0 length 2 axis 10 20 30 XYZ\ndof rx ry rz\nend\n\
        begin name b direction 1 0 0 length 1 axis 0 0 20 ZYX\ndof rx rz\nend\n\
        begin name c direction 0 0 1 length 3 axis 0 90 0 XYZ\ndof tx ry l\nend\n\
        begin name d direction 0 0 1 length 1\nend\n\
        :hierarchy\nroot a c\na b\nc d\n";
    let skeleton = read_asf("fuzz.asf", SKELETON.as_bytes()).expect("our own skeleton is good");
    acclaim_motion(bytes, &skeleton);
}

fn acclaim_motion(bytes: &[u8], skeleton: &AcclaimSkeleton) {
    let Ok(raw) = read_amc("fuzz.amc", bytes, skeleton) else {
        return;
    };
    assert_eq!(raw.rotations.len(), raw.root.len() * raw.joints.len());
    let options = ReadOptions::default();
    let name = String::from("fuzz");
    let Ok(import) = admit("fuzz.amc", name, Format::Amc, raw, Layout::Plain, &options) else {
        return;
    };
    let mut file = Vec::new();
    let written = write_amc(
        &mut file,
        &import.clip,
        skeleton,
        &AmcWriteOptions::default(),
    );
    if written.is_ok() {
        // Not every file comes back: numbers at the limit of what we read may round past it.
        let _ = read_amc("again.amc", &file, skeleton);
    }
}

/// Any bytes as C3D.
pub fn c3d(bytes: &[u8]) {
    if let Ok(clip) = crate::markers::c3d::read("fuzz.c3d", bytes) {
        markers(clip, bytes.len() / 8);
    }
}

/// Any bytes as TRC.
pub fn trc(bytes: &[u8]) {
    if let Ok(clip) = crate::markers::trc::read("fuzz.trc", bytes) {
        markers(clip, usize::MAX);
    }
}

fn markers(clip: crate::MarkerClip, most_samples: usize) {
    assert_eq!(clip.positions.len(), clip.frames * clip.marker_count());
    assert_eq!(clip.positions.len(), clip.visible.len());
    assert!(clip.positions.len() <= most_samples);
    let up = clip.guess_up().unwrap_or(UpAxis::Z);
    assert!(clip.into_y_up(up).positions.iter().all(|p| p.is_finite()));
}

/// Any bytes as glTF or GLB; nothing lies beside them.
pub fn gltf(bytes: &[u8]) {
    let nothing = |name: &str| Err(std::io::Error::other(name.to_owned()));
    for clip in crate::gltf::read("fuzz.glb", bytes, &nothing).unwrap_or_default() {
        fits(&clip);
    }
}

/// Any bytes as a user's own character: one that can be read takes a clip of its own body, and the result is read again.
pub fn character(bytes: &[u8]) {
    let nothing = |name: &str| Err(std::io::Error::other(name.to_owned()));
    let Ok(character) = crate::gltf::Character::read("fuzz.glb", bytes, &nothing) else {
        return;
    };
    let rest = character.rest();
    fits(&rest);
    let (format, options) = (Format::Glb, ReadOptions::default());
    let name = String::from("fuzz");
    let Ok(import) = admit("fuzz.glb", name, format, rest, Layout::Plain, &options) else {
        return;
    };
    let mut file = Vec::new();
    let options = crate::gltf::OntoOptions::default();
    if character
        .write_glb(&mut file, &import.clip, &options)
        .is_ok()
    {
        let again = crate::gltf::read("again.glb", &file, &nothing);
        assert!(again.is_ok(), "{again:?}");
    }
}

/// Any bytes as poses of a body model; what is read is written and read again.
pub fn amass(bytes: &[u8]) {
    use crate::amass::{Body, read, write};
    let Ok(body) = Body::of_height(1.7) else {
        return;
    };
    let Ok((raw, info)) = read("fuzz.npz", bytes, &body, (None, Some(60.0))) else {
        return;
    };
    fits(&raw);
    let options = ReadOptions::default();
    let (name, layout) = (String::from("fuzz"), Layout::Plain);
    let Ok(import) = admit("fuzz.npz", name, Format::Amass, raw, layout, &options) else {
        return;
    };
    let mut file = Vec::new();
    let written = write(&mut file, &import.clip, Some(&info), None, "fuzz.npz");
    assert!(written.is_ok(), "{written:?}");
    let again = read("again.npz", &file, &body, (None, None));
    assert!(import.clip.frame_count() == 0 || again.is_ok());
}

/// Any bytes as a curve on the ground.
pub fn curve(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(curve) = crate::parse_curve("fuzz.svg", text) {
        assert!((1..=crate::curve::MOST_POINTS).contains(&curve.points.len()));
        assert!(curve.points.iter().all(|p| p.is_finite()));
    }
}

/// Any bytes as a table of labels, put on a clip.
pub fn labels(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(labels) = crate::Labels::from_csv(&text, "labels.csv", "") else {
        return;
    };
    let clip = gaitway_core::testing::swinging_clip("walk", 30, 30.0);
    if let Ok(clips) = labels.label(vec![clip]) {
        assert!(clips[0].labels().spans().iter().all(|s| s.end <= 30));
    }
}

/// Any bytes as a table of contacts.
pub fn contacts(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().count();
    for row in crate::parse_contacts("fuzz.csv", &text).unwrap_or_default() {
        assert!((1..=lines).contains(&row.line) && !row.file.is_empty());
        assert!(row.end_s.is_none_or(|end| end > row.start_s.unwrap_or(0.0)));
    }
}

#[cfg(feature = "fbx")]
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
