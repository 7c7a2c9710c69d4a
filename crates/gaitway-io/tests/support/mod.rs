//! What the tests of several formats share.
#![allow(dead_code)]
#![allow(clippy::print_stderr)] // Skips must be seen.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use gaitway_core::{Clip, Skeleton, TranslationTrack};
use gaitway_io::RawClip;
use glam::{DVec3, Quat, Vec3};
use proptest::prelude::*;

/// A raw clip as a clip, with no repairs: what the door does, less its detections.
pub fn to_clip(raw: &RawClip) -> Clip {
    let unit = raw.unit_m.unwrap_or(1.0);
    let mut b = Skeleton::builder();
    let mut seen = std::collections::HashSet::new();
    let mut ids = Vec::new();
    for (i, joint) in raw.joints.iter().enumerate() {
        let mut name = joint.name.clone();
        if !seen.insert(name.clone()) {
            name = format!("{name}#{i}");
        }
        let offset = (joint.offset * unit).as_vec3();
        ids.push(match joint.parent {
            None => b.root(name, offset),
            Some(p) => b.joint(name, ids[p], offset),
        });
    }
    for (parent, offset) in &raw.end_sites {
        b.end_site(ids[*parent], (*offset * unit).as_vec3());
    }
    let tracks = raw.translations.iter().map(|t| TranslationTrack {
        joint: ids[t.joint],
        values: t.values.iter().map(|v| *v * unit as f32).collect(),
    });
    let root = raw.root.iter().map(|p| *p * unit).collect();
    Clip::new(
        "raw",
        b.build().unwrap().shared(),
        raw.rate_hz,
        root,
        raw.rotations.clone(),
    )
    .unwrap()
    .with_translations(tracks.collect())
    .unwrap()
    .with_labels(raw.labels.clone())
    .with_contacts(raw.contacts.clone())
    .unwrap()
}

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(Vec3::from)
}

fn rotation() -> impl Strategy<Value = Quat> {
    (vector(1.0), -3.1_f32..3.1).prop_map(|(axis, angle)| {
        Quat::from_axis_angle(axis.try_normalize().unwrap_or(Vec3::Y), angle)
    })
}

prop_compose! {
    /// Any tree of up to nine joints with end sites.
    pub fn skeletons()(
        joints in prop::collection::vec((any::<prop::sample::Index>(), vector(0.6)), 1..9),
        sites in prop::collection::vec((any::<prop::sample::Index>(), vector(0.2)), 0..4),
    ) -> Arc<Skeleton> {
        let mut b = Skeleton::builder();
        let mut ids = vec![b.root("root", joints[0].1)];
        for (i, (parent, offset)) in joints.iter().enumerate().skip(1) {
            let parent = ids[parent.index(ids.len())];
            ids.push(b.joint(format!("joint {i}"), parent, *offset));
        }
        for (parent, offset) in &sites {
            b.end_site(ids[parent.index(ids.len())], *offset);
        }
        b.build().unwrap().shared()
    }
}

/// Any clip: random poses, some joints still, some with translation tracks.
pub fn clips() -> impl Strategy<Value = Clip> {
    (skeletons(), 1_usize..12, 5.0_f64..240.0, any::<u64>()).prop_flat_map(
        |(skeleton, frames, rate, still)| {
            let joints = skeleton.joint_count();
            let rotations = prop::collection::vec(rotation(), frames * joints);
            let places = prop::collection::vec(vector(80.0), frames);
            let moving = prop::collection::vec(vector(0.5), frames);
            (rotations, places, moving).prop_map(move |(mut rotations, places, moving)| {
                for i in 0..rotations.len() {
                    if still >> (i % joints) & 1 == 1 {
                        rotations[i] = rotations[i % joints];
                    }
                }
                let root: Vec<DVec3> = places.iter().map(|p| p.as_dvec3()).collect();
                let clip = Clip::new("any", skeleton.clone(), rate, root, rotations).unwrap();
                if joints < 2 {
                    return clip;
                }
                let joint = gaitway_core::JointIdx(joints as u32 - 1);
                let track = TranslationTrack {
                    joint,
                    values: moving,
                };
                clip.with_translations(vec![track]).unwrap()
            })
        },
    )
}

/// The largest distance between the same points of two clips, in metres.
pub fn apart(a: &Clip, b: &Clip) -> f64 {
    let (a, b) = (
        gaitway_core::fk::world_points(a),
        gaitway_core::fk::world_points(b),
    );
    assert_eq!(
        a.places().len(),
        b.places().len(),
        "points or frames differ"
    );
    let pairs = a.places().iter().zip(b.places());
    pairs.map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
}

/// Joints, parents, end sites, rate and frames of two clips are the same.
pub fn assert_same_frame(a: &Clip, b: &Clip) {
    let (s, t) = (a.skeleton(), b.skeleton());
    assert_eq!(s.names(), t.names());
    assert!(
        s.differences(t, 1e-6).is_empty(),
        "{:?}",
        s.differences(t, 1e-6)
    );
    assert_eq!(s.end_sites().len(), t.end_sites().len());
    for (x, y) in s.end_sites().iter().zip(t.end_sites()) {
        assert_eq!(x.parent, y.parent);
        assert!(x.offset.distance(y.offset) < 1e-6);
    }
    assert_eq!(a.rate_hz(), b.rate_hz());
    assert_eq!(a.frame_count(), b.frame_count());
}

/// A small, repeatable source of numbers for damage done to files.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

/// The bytes with some damage: bytes changed, cut out, or repeated.
pub fn damaged(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..1 + dice.roll(6) {
        if out.is_empty() {
            break;
        }
        let at = dice.roll(out.len());
        match dice.roll(6) {
            0 => out.truncate(at),
            1 => {
                let end = (at + dice.roll(40)).min(out.len());
                out.drain(at..end);
            }
            2 => {
                let piece = out[at..(at + dice.roll(40)).min(out.len())].to_vec();
                out.splice(at..at, piece);
            }
            3 => out[at] = b"0123456789-e.,[]{}\""[dice.roll(19)],
            4 => out[at] = [0, 1, 0x7F, 0x80, 0xFF][dice.roll(5)],
            _ => out[at] ^= 1 << dice.roll(8),
        }
    }
    out
}

/// A Python with NumPy: named by `GAITWAY_PYTHON`, or in `.venv`. With `GAITWAY_REQUIRE_PYTHON=1` a missing one is a failure.
pub fn python() -> Option<PathBuf> {
    let named = std::env::var_os("GAITWAY_PYTHON").map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let local = [".venv/bin/python", ".venv/Scripts/python.exe"].map(|p| root.join(p));
    let found = named.into_iter().chain(local).find(|python| {
        let numpy = Command::new(python).args(["-c", "import numpy"]).output();
        numpy.is_ok_and(|out| out.status.success())
    });
    if found.is_none() {
        let required = std::env::var_os("GAITWAY_REQUIRE_PYTHON").is_some_and(|v| v == "1");
        assert!(
            !required,
            "GAITWAY_REQUIRE_PYTHON=1, but no Python with NumPy was found"
        );
        eprintln!("skipped: no Python with NumPy (GAITWAY_PYTHON or .venv)");
    }
    found
}
