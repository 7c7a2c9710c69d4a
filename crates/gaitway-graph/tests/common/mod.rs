//! Clips that walk, run and stand, made up for tests.
#![allow(dead_code)] // Each test file uses its own part.

use gaitway_core::testing::small_body;
use gaitway_core::{Clip, ClipSet, LabelSpan, LabelTrack};
use gaitway_graph::{Account, BuildOptions, GraphBuilder, MotionGraph, Thresholds, Transitions};
use glam::{DVec3, Quat};

/// A body that swings its limbs at `tempo` radians a second with some unevenness, strolling along +Z.
pub fn stroll(name: &str, label: &str, seconds: f64, rate_hz: f64, tempo: f64, phase: f64) -> Clip {
    let skeleton = small_body();
    let frames = (seconds * rate_hz).round() as usize;
    let mut root = Vec::with_capacity(frames);
    let mut rotations = Vec::with_capacity(frames * skeleton.joint_count());
    for f in 0..frames {
        let t = f as f64 / rate_hz;
        let uneven = 0.1 * (0.83 * t + phase).sin();
        root.push(DVec3::new(
            0.02 * (3.0 * t).sin(),
            0.92 + 0.01 * (2.0 * tempo * t).cos(),
            0.2 * tempo * t,
        ));
        for j in 0..skeleton.joint_count() {
            let angle = (0.35 + uneven) * (tempo * t + phase + 1.3 * j as f64).sin();
            rotations.push(
                Quat::from_rotation_x(angle as f32) * Quat::from_rotation_y(0.2 * angle as f32),
            );
        }
    }
    let clip =
        Clip::new(name, skeleton, rate_hz, root, rotations).expect("arrays fit the small body");
    if label.is_empty() {
        clip
    } else {
        clip.with_labels(LabelTrack::whole(label, frames))
    }
}

/// Five clips of two actions, one of them changing over half-way, at two rates.
pub fn clips() -> Vec<Clip> {
    let both = |frames: usize| {
        LabelTrack::new(vec![
            LabelSpan {
                start: 0,
                end: frames / 2,
                label: "walk".into(),
            },
            LabelSpan {
                start: frames / 2 - 10,
                end: frames,
                label: "run".into(),
            },
        ])
    };
    vec![
        stroll("data/walk1", "walk", 6.0, 60.0, 5.0, 0.0),
        stroll("data/walk2", "walk", 4.5, 120.0, 5.0, 1.0),
        stroll("data/run1", "run", 4.0, 60.0, 8.0, 0.4),
        stroll("data/change", "", 5.0, 60.0, 6.0, 2.0).with_labels(both(300)),
        stroll("data/tiny", "walk", 0.3, 60.0, 5.0, 0.0),
        stroll("data/none", "", 2.0, 60.0, 5.5, 0.7),
    ]
}

pub fn set(clips: Vec<Clip>) -> ClipSet {
    ClipSet::new(clips).expect("one skeleton")
}

pub fn build(
    clips: Vec<Clip>,
    thresholds: Thresholds,
    options: BuildOptions,
) -> (MotionGraph, Account) {
    GraphBuilder::new(set(clips))
        .thresholds(thresholds)
        .options(options)
        .build(&mut ())
        .expect("a graph")
}

/// Blends alone.
pub fn blends() -> BuildOptions {
    BuildOptions {
        transitions: Transitions::Blend,
        ..BuildOptions::default()
    }
}

/// A graph of blends.
pub fn graph() -> (MotionGraph, Account) {
    build(clips(), Thresholds::cm(6.0), blends())
}

/// The same clips with cuts at their ends, or everywhere.
pub fn graph_with(transitions: Transitions) -> (MotionGraph, Account) {
    let options = BuildOptions {
        transitions,
        ..BuildOptions::default()
    };
    build(clips(), Thresholds::cm(6.0), options)
}
