//! What the BVH tests share: a plain door from raw clips to clips, and comparisons.
#![allow(dead_code)] // Each test file uses its part.

use gaitway_core::{Clip, JointIdx, Skeleton, TranslationTrack, rotation};
use gaitway_io::bvh::{self, BvhLayout, BvhWriteOptions};
use gaitway_io::{RawClip, UpAxis};

/// Metres and Y up, nothing repaired; names are made unique by number.
pub fn to_clip(raw: &RawClip, unit_m: f64, up: UpAxis) -> Clip {
    let turn = up.to_y_up();
    let mut builder = Skeleton::builder();
    let mut seen = std::collections::HashSet::new();
    for (j, joint) in raw.joints.iter().enumerate() {
        let mut name = joint.name.clone();
        if !seen.insert(name.clone()) {
            name = format!("{name}#{j}");
        }
        let offset = (turn.as_dquat() * joint.offset * unit_m).as_vec3();
        match joint.parent {
            None => builder.root(name, offset),
            Some(parent) => builder.joint(name, JointIdx(parent as u32), offset),
        };
    }
    for (parent, offset) in &raw.end_sites {
        builder.end_site(
            JointIdx(*parent as u32),
            (turn.as_dquat() * *offset * unit_m).as_vec3(),
        );
    }
    let root = raw
        .root
        .iter()
        .map(|p| turn.as_dquat() * *p * unit_m)
        .collect();
    let rotations = raw
        .rotations
        .iter()
        .map(|q| turn * *q * turn.inverse())
        .collect();
    let tracks = raw.translations.iter().map(|t| TranslationTrack {
        joint: JointIdx(t.joint as u32),
        values: t.values.iter().map(|v| turn * *v * unit_m as f32).collect(),
    });
    Clip::new(
        "clip",
        builder.build().unwrap().shared(),
        raw.rate_hz,
        root,
        rotations,
    )
    .unwrap()
    .with_translations(tracks.collect())
    .unwrap()
}

pub fn written(clip: &Clip, layout: Option<&BvhLayout>, unit_m: f64, up: UpAxis) -> Vec<u8> {
    let options = BvhWriteOptions {
        file_name: "out.bvh",
        layout,
        unit_m,
        up,
    };
    let mut bytes = Vec::new();
    bvh::write(&mut bytes, clip, &options).unwrap();
    bytes
}

/// Largest differences: rotation in degrees, places (root, translations, offsets, tips) in metres.
pub fn differences(a: &Clip, b: &Clip) -> (f64, f64) {
    assert_eq!(a.frame_count(), b.frame_count());
    assert_eq!(a.joint_count(), b.joint_count());
    let (sa, sb) = (a.skeleton(), b.skeleton());
    assert_eq!(sa.names(), sb.names());
    assert_eq!(sa.end_sites().len(), sb.end_sites().len());
    let turns = a.rotations().iter().zip(b.rotations());
    let degrees = turns
        .map(|(p, q)| rotation::angle_between(*p, *q).to_degrees())
        .fold(0.0, f64::max);
    let mut metres = a
        .root()
        .iter()
        .zip(b.root())
        .map(|(p, q)| p.distance(*q))
        .fold(0.0, f64::max);
    for joint in sa.joints() {
        assert_eq!(sa.parent(joint), sb.parent(joint));
        metres = metres.max(sa.offset(joint).distance(sb.offset(joint)).into());
        for frame in 0..a.frame_count() {
            let at = |c: &Clip| match c.translation_track(joint) {
                Some(track) => track.values[frame],
                None => c.skeleton().offset(joint),
            };
            if a.translation_track(joint).is_some() || b.translation_track(joint).is_some() {
                metres = metres.max(at(a).distance(at(b)).into());
            }
        }
    }
    for (p, q) in sa.end_sites().iter().zip(sb.end_sites()) {
        assert_eq!(p.parent, q.parent);
        metres = metres.max(p.offset.distance(q.offset).into());
    }
    (degrees, metres)
}
