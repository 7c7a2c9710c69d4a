//! Foot traces before and after, for the book; strobe sheets to look at.

use std::path::Path;

use gaitway_core::rotation::angle_between;
use gaitway_core::spikes::repair;
use gaitway_core::{Clip, PointIdx, fk};
use gaitway_eval::draw::axes::Axis;
use gaitway_eval::draw::chart::{Chart, Mark, Series};
use gaitway_eval::draw::{RenderOptions, still};
use gaitway_io::{ReadOptions, read_file};
use gaitway_synth::cleanup::{PlantOptions, Planted, plant_feet};
use glam::DVec3;

/// The pictures of the book: CMU 69_01, a slow walk; and a spike of CMU 16_17.
pub fn draw(data: &Path, into: &Path) {
    let (clip, planted) = done(&data.join("cmu-bvh/69/69_01.bvh"));
    write(&into.join("feet-trace.svg"), &trace(&clip, &planted));
    write(&into.join("feet-speed.svg"), &speed(&clip, &planted));
    write(
        &into.join("spike.svg"),
        &spike(&data.join("cmu-bvh/16/16_17.bvh")),
    );
}

/// How the joints that spike in CMU 16_17 are turned, as captured and mended.
fn spike(file: &Path) -> Chart {
    let mut clips = read_file(file, &ReadOptions::default()).expect("the data reads");
    let clip = clips.remove(0).clip;
    let mended = repair(&clip).expect("it has one");
    let mut series = Vec::new();
    for name in ["Hips", "LeftUpLeg"] {
        let joint = clip.skeleton().find(name).expect("a CMU body");
        for (moving, what, mark) in [
            (&clip, "captured", Mark::Line),
            (&mended.clip, "mended", Mark::Dot),
        ] {
            let turn = |f: usize| {
                let angle = angle_between(clip.rotation(455, joint), moving.rotation(f, joint));
                (f as f64, angle.to_degrees())
            };
            let points = (455..495).map(turn).collect();
            series.push(Series::line(format!("{name}, {what}"), points).with_mark(mark));
        }
    }
    Chart {
        title: "One frame of CMU 16_17: hips and thigh turned against each other".into(),
        x: Axis::linear("frame"),
        y: Axis::linear("degrees from frame 455"),
        series,
        markers: Vec::new(),
    }
}

/// Strobe sheets of a file before and after.
pub fn strobes(file: &Path, into: &Path) {
    let (clip, planted) = done(file);
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    for (clip, when) in [(&clip, "before"), (&planted.clip, "after")] {
        let picture = still(clip, &RenderOptions::default()).expect("clips can be drawn");
        let png = picture.to_png().expect("pictures can be written");
        std::fs::write(into.join(format!("{stem}-{when}.png")), png).expect("the folder is there");
    }
    for (name, chart) in [
        ("trace", trace(&clip, &planted)),
        ("speed", speed(&clip, &planted)),
    ] {
        let png = chart
            .draw(900, 480)
            .and_then(|s| s.to_png())
            .expect("drawn");
        std::fs::write(into.join(format!("{stem}-{name}.png")), png).expect("the folder is there");
    }
}

fn done(file: &Path) -> (Clip, Planted) {
    let mut clips = read_file(file, &ReadOptions::default()).expect("the data reads");
    let clip = clips.remove(0).clip;
    let planted = plant_feet(&clip, None, &PlantOptions::default()).expect("captured feet");
    (clip, planted)
}

fn write(path: &Path, chart: &Chart) {
    let scene = chart.draw(900, 420).expect("finite points");
    std::fs::write(path, scene.to_svg()).expect("the folder is there");
}

fn point(planted: &Planted, name: &str) -> PointIdx {
    let points = planted.clip.contacts().expect("held").points();
    points
        .iter()
        .find(|p| p.name == name)
        .expect("both feet")
        .point
}

/// Ways of planted points seen from above, in centimetres about the place each is held at, plants side by side.
fn trace(clip: &Clip, planted: &Planted) -> Chart {
    /// From one plant to the next on the picture.
    const APART_CM: f64 = 6.0;
    let mut series = Vec::new();
    for (moving, name, mark) in [
        (clip, "captured", Mark::Line),
        (&planted.clip, "planted", Mark::Dot),
    ] {
        let world = fk::world_points(moving);
        let mut points = Vec::new();
        for (k, plant) in planted.report.plants.iter().enumerate() {
            let at = point(planted, &plant.point).index();
            // Dots that lie on one another need not be many.
            let every = if mark == Mark::Dot { 8 } else { 1 };
            for f in (plant.start..plant.end).step_by(every) {
                let off = 100.0 * (world.at(f, at) - DVec3::from(plant.place));
                points.push((APART_CM * k as f64 + off.z, off.x));
            }
            points.push((f64::NAN, f64::NAN));
        }
        series.push(Series::line(name, points).with_mark(mark));
    }
    Chart {
        title: "Heels and toes on the floor plane, each while it stands".into(),
        x: Axis::linear("cm, plants side by side"),
        y: Axis::linear("cm"),
        series,
        markers: Vec::new(),
    }
}

/// Horizontal speed of the left heel over time.
fn speed(clip: &Clip, planted: &Planted) -> Chart {
    let at = point(planted, "left_heel").index();
    let mut series = Vec::new();
    for (moving, name) in [(clip, "captured"), (&planted.clip, "planted")] {
        let world = fk::world_points(moving);
        let rate = clip.rate_hz();
        let value = |f: usize| {
            let step = world.at(f, at) - world.at(f - 1, at);
            (
                f as f64 / rate,
                (100.0 * step.x.hypot(step.z) * rate).min(60.0),
            )
        };
        series.push(Series::line(
            name,
            (1..clip.frame_count()).map(value).collect(),
        ));
    }
    Chart {
        title: "Speed of the left heel over the floor (cut off at 60 cm/s)".into(),
        x: Axis::linear("s"),
        y: Axis::linear("cm/s"),
        series,
        markers: Vec::new(),
    }
}
