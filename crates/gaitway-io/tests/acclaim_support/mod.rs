//! What the tests of several formats share.
#![allow(dead_code)] // Each test file uses its part.

use std::path::{Path, PathBuf};

use gaitway_core::{Clip, Skeleton, TranslationTrack, fk, rotation};
use gaitway_io::RawClip;

/// A clip in metres from what a parser gives; the file's axes stay.
pub fn clip_of(raw: &RawClip) -> Clip {
    let unit = raw.unit_m.unwrap_or(1.0);
    let mut body = Skeleton::builder();
    for joint in &raw.joints {
        let offset = (joint.offset * unit).as_vec3();
        match joint.parent {
            None => body.root(&joint.name, offset),
            Some(p) => body.joint(&joint.name, gaitway_core::JointIdx(p as u32), offset),
        };
    }
    for (joint, offset) in &raw.end_sites {
        body.end_site(
            gaitway_core::JointIdx(*joint as u32),
            (*offset * unit).as_vec3(),
        );
    }
    let body = body.build().unwrap().shared();
    let root = raw.root.iter().map(|p| *p * unit).collect();
    let tracks = raw.translations.iter().map(|t| TranslationTrack {
        joint: gaitway_core::JointIdx(t.joint as u32),
        values: t.values.iter().map(|v| *v * unit as f32).collect(),
    });
    Clip::new("clip", body, raw.rate_hz, root, raw.rotations.clone())
        .unwrap()
        .with_translations(tracks.collect())
        .unwrap()
}

/// The largest angle between two clips' local rotations, in radians.
pub fn largest_turn(a: &Clip, b: &Clip) -> f64 {
    assert_eq!(a.rotations().len(), b.rotations().len());
    let pairs = a.rotations().iter().zip(b.rotations());
    pairs.fold(0.0, |m, (a, b)| m.max(rotation::angle_between(*a, *b)))
}

/// The largest distance between points of two clips, in metres.
pub fn largest_distance(a: &fk::WorldPoints, b: &fk::WorldPoints) -> f64 {
    let (frames, points) = (a.frame_count(), a.point_count());
    assert_eq!((frames, points), (b.frame_count(), b.point_count()));
    let all = (0..frames).flat_map(|f| (0..points).map(move |p| (f, p)));
    all.fold(0.0, |m, (f, p)| m.max(a.at(f, p).distance(b.at(f, p))))
}

/// All files of an extension below a folder, sorted.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case(extension))
            {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}
