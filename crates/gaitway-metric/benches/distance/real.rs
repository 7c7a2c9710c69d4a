//! Captured clips for the tables, and variations of them where more frames are wanted than there are.

use gaitway_io::{ReadOptions, read_file};
use gaitway_metric::{MarkerSet, PointCloud, naive};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// Files of a subject of the CMU set, sorted. Subjects 75, 77 and 143 were captured at 60 Hz whatever the header says.
pub fn files(data: &Path, subject: &str) -> Vec<PathBuf> {
    let dir = data.join("cmu-bvh").join(subject);
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .map(|d| d.filter_map(|e| e.ok().map(|e| e.path())).collect())
        .unwrap_or_default();
    files.retain(|f| f.extension().is_some_and(|e| e == "bvh"));
    files.sort();
    files
}

/// Clouds of a subject's clips at 30 Hz that are at least a second long.
pub fn clouds(data: &Path, subject: &str, markers: &MarkerSet) -> Vec<PointCloud> {
    let source_fps = ["75", "77", "143"].contains(&subject).then_some(60.0);
    let options = ReadOptions {
        source_fps,
        ..ReadOptions::default()
    };
    let mut out = Vec::new();
    for file in files(data, subject) {
        for import in read_file(&file, &options).unwrap_or_default() {
            let cloud = PointCloud::from_clip(&import.clip, markers, 30.0)
                .expect("a clip that was read has a cloud");
            if cloud.frame_count() >= 30 {
                out.push(cloud);
            }
        }
    }
    out
}

/// At least `frames` frames in all: the clips themselves, then copies played faster or slower, turned, moved, and
/// swayed by a few centimetres, so that no two are alike.
pub fn varied(clips: &[PointCloud], frames: usize) -> Vec<PointCloud> {
    let mut out: Vec<PointCloud> = Vec::new();
    let (mut total, mut round) = (0, 0u32);
    while total < frames {
        for clip in clips {
            let left = frames - total;
            if left < 30 {
                return out;
            }
            let cloud = vary(clip, round, left);
            total += cloud.frame_count();
            out.push(cloud);
        }
        round += 1;
    }
    out
}

fn vary(clip: &PointCloud, round: u32, limit: usize) -> PointCloud {
    let k = f64::from(round);
    let speed = if round == 0 {
        1.0
    } else {
        1.0 + 0.25 * (k * 2.4).sin()
    };
    let (theta, x0, z0) = (k * 0.7, 3.0 * (k * 1.1).sin(), 3.0 * (k * 1.9).cos());
    let count = (((clip.frame_count() - 1) as f64 / speed) as usize + 1).min(limit);
    let mut positions = Vec::with_capacity(count * clip.marker_count());
    for f in 0..count {
        let t = (f as f64 * speed).min((clip.frame_count() - 1) as f64);
        let (low, part) = (t as usize, t.fract());
        let high = (low + 1).min(clip.frame_count() - 1);
        for s in 0..clip.marker_count() {
            let sway = if round == 0 {
                0.0
            } else {
                0.02 * (f as f64 * 0.05 + s as f64 + k).sin()
            };
            let p = clip.position(low, s).lerp(clip.position(high, s), part)
                + DVec3::new(sway, 0.5 * sway, -sway);
            positions.push(naive::moved(p, theta, x0, z0));
        }
    }
    PointCloud::from_positions(
        format!("{}~{round}", clip.name()),
        30.0,
        clip.weights(),
        &positions,
    )
    .expect("finite")
}
