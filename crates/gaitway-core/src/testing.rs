//! What tests across the crates share: where real clips are, small bodies to try things on, and how found contacts
//! are held against true ones.

mod score;
mod walker;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};

use crate::{Clip, Skeleton};

pub use score::{PlantScore, with_foot_noise};
pub use walker::{
    ANKLE_HEIGHT, FootPose, Walker, clip_from_feet, walker_body, walker_points, walking_clip,
};

/// The folder of real clips named by `GAITWAY_DATA`. Where it is not set the caller skips its test, and
/// a line says so; with `GAITWAY_REQUIRE_DATA=1` (as in continuous integration) that is a failure.
///
/// # Panics
/// When data is required and not there.
#[allow(clippy::print_stderr)] // The one place where a library speaks: a skipped test must be seen.
pub fn data_dir() -> Option<PathBuf> {
    let dir = std::env::var_os("GAITWAY_DATA")
        .map(PathBuf::from)
        .filter(|d| d.is_dir());
    if dir.is_none() {
        let required = std::env::var_os("GAITWAY_REQUIRE_DATA").is_some_and(|v| v == "1");
        assert!(
            !required,
            "GAITWAY_REQUIRE_DATA=1, but GAITWAY_DATA names no folder"
        );
        eprintln!("skipped: GAITWAY_DATA names no folder of real clips");
    }
    dir
}

/// The folders whose BVH clips were looked at when tests over all captured clips were written. Counts and ranges in them are
/// about these 173 clips; folders that came later have tests of their own.
pub const BVH_FOLDERS: [&str; 5] = [
    "bandai-namco-bvh",
    "cmu-bvh",
    "cmu-three-formats",
    "lafan1-bvh",
    "pfnn-bvh",
];

/// The BVH files in and below these folders of the data folder, sorted.
///
/// # Panics
/// When a folder is not there or cannot be read.
pub fn bvh_files(data: &Path, folders: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = folders.iter().map(|f| data.join(f)).collect();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder);
        let entries = entries.unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "bvh") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The performer's standard takes whose names hold one of the words, at a rate.
///
/// # Panics
/// When the rate is not one the performer takes.
pub fn performed_clips(rate_hz: f64, wanted: &[&str]) -> Vec<Clip> {
    let takes = crate::performer::library(1, rate_hz).expect("a rate");
    takes
        .into_iter()
        .map(|t| t.clip)
        .filter(|c| wanted.iter().any(|w| c.name().contains(w)))
        .collect()
}

/// A body of eleven joints with legs and arms, 1.7 m tall, facing +Z, in a T-pose at rest.
pub fn small_body() -> Arc<Skeleton> {
    let mut b = Skeleton::builder();
    let hips = b.root("Hips", Vec3::ZERO);
    for (side, x) in [("Left", 1.0_f32), ("Right", -1.0)] {
        let thigh = b.joint(format!("{side}UpLeg"), hips, Vec3::new(0.1 * x, 0.0, 0.0));
        let shin = b.joint(format!("{side}Leg"), thigh, Vec3::new(0.0, -0.42, 0.0));
        let foot = b.joint(format!("{side}Foot"), shin, Vec3::new(0.0, -0.42, 0.0));
        b.end_site(foot, Vec3::new(0.0, -0.08, 0.14));
    }
    let chest = b.joint("Chest", hips, Vec3::new(0.0, 0.45, 0.0));
    b.end_site(chest, Vec3::new(0.0, 0.33, 0.0));
    for (side, x) in [("Left", 1.0_f32), ("Right", -1.0)] {
        let arm = b.joint(format!("{side}Arm"), chest, Vec3::new(0.18 * x, 0.05, 0.0));
        b.end_site(arm, Vec3::new(0.55 * x, 0.0, 0.0));
    }
    b.build().expect("the small body is a tree").shared()
}

/// The small body swinging its limbs and strolling along +Z: smooth, deterministic, not human.
pub fn swinging_clip(name: &str, frames: usize, rate_hz: f64) -> Clip {
    let skeleton = small_body();
    let mut root = Vec::with_capacity(frames);
    let mut rotations = Vec::with_capacity(frames * skeleton.joint_count());
    for f in 0..frames {
        let t = f as f64 / rate_hz;
        root.push(DVec3::new(0.02 * (3.0 * t).sin(), 0.92, 1.2 * t));
        for j in 0..skeleton.joint_count() {
            let phase = 5.0 * t + 1.3 * j as f64;
            let angle = (0.35 * phase.sin()) as f32;
            rotations.push(Quat::from_rotation_x(angle) * Quat::from_rotation_y(0.2 * angle));
        }
    }
    Clip::new(name, skeleton, rate_hz, root, rotations).expect("arrays fit the small body")
}
