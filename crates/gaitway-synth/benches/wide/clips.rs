//! What `clean` does to clips of many people, clip by clip.

use std::path::{Path, PathBuf};

use gaitway_core::anatomy::{Anatomy, Leg};
use gaitway_core::{fk, ground};
use gaitway_eval::{Quality, QualityLimits, QualityOptions, quality};
use gaitway_io::{ReadOptions, read_file};
use gaitway_synth::cleanup::{PlantOptions, PlantReport, plant_feet};
use glam::DVec3;

/// A joint this far from the mean of the frames before and after jumps, in metres…
const JUMP: f64 = 0.02;
/// …where it was nearer than this as captured.
const CALM: f64 = 0.01;
/// Legs straighter than this as captured, in degrees, are watched.
const STRAIGHT: f64 = 8.0;
/// They keep their extension within this, in degrees.
const KEPT: f64 = 4.0;

/// The bars of docs/book/guides/gate-your-build-on-quality.md.
fn gate() -> QualityLimits {
    QualityLimits {
        max_skate: Some(0.2),
        max_plant: Some(2.0),
        max_stretch: Some(3.0),
        max_feet_penetration: Some(0.2),
        ..QualityLimits::default()
    }
}

/// One clip, cleaned.
pub struct Row {
    pub name: String,
    pub knee_jumps: usize,
    pub foot_jumps: usize,
    /// 99.9th percentile of acceleration, after over before.
    pub rougher: f64,
    pub skate_cm_s: f64,
    /// With contacts found anew in the result.
    pub skate_anew_cm_s: f64,
    pub in_floor_cm: f64,
    /// Whether it passes the gate of the guide, as a file does: with contacts found anew.
    pub passes: bool,
    /// Frames of legs captured straight, and those of them that are bent by more than [`KEPT`] now.
    pub straight: usize,
    pub bent: usize,
    pub report: PlantReport,
}

/// Cleans all clips, on all cores.
pub fn rows(input: &str, only: Option<&str>) -> Vec<Row> {
    let mut files: Vec<PathBuf> = gaitway_io::expand(&[input.to_owned()])
        .expect("the data is there")
        .into_iter()
        .map(|i| i.path)
        .collect();
    files.retain(|p| only.is_none_or(|o| p.to_string_lossy().contains(o)));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = files.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> = files
            .chunks(share)
            .map(|part| scope.spawn(|| part.iter().map(|f| row(f)).collect::<Vec<_>>()))
            .collect();
        parts
            .into_iter()
            .flat_map(|p| p.join().expect("a clip that cannot be cleaned"))
            .collect()
    })
}

/// Reads a file as `clean` does, cleans it and measures.
pub fn row(file: &Path) -> Row {
    let name = file
        .file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let options = ReadOptions {
        repair_spikes: true,
        ..ReadOptions::default()
    };
    let read = read_file(file, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
    let clip = ground::travel_to_root(&read[0].clip);
    let planted = plant_feet(&clip, None, &PlantOptions::default());
    let planted = planted.unwrap_or_else(|e| panic!("{name}: {e}"));
    let numbers = |c| quality(c, planted.clip.contacts(), &QualityOptions::default());
    let (before, after) = (numbers(&clip), numbers(&planted.clip));
    let bare = planted.clip.clone().with_contacts(None).expect("fits all");
    let anew = quality(&bare, None, &QualityOptions::default());
    let number = |q: &Quality, of: fn(&Quality) -> Option<f64>| of(q).unwrap_or(0.0);
    let legs: Vec<Leg> = Anatomy::of_clip(&clip)
        .legs
        .iter()
        .flatten()
        .copied()
        .collect();
    let (was, is) = (fk::world_points(&clip), fk::world_points(&planted.clip));
    let jumps = |joints: &[usize]| {
        let frames = 1..clip.frame_count().saturating_sub(1);
        let jumped = |f: &usize| {
            joints
                .iter()
                .any(|&j| off(&is, *f, j) > JUMP && off(&was, *f, j) < CALM)
        };
        frames.filter(jumped).count()
    };
    let knees: Vec<usize> = legs.iter().map(|l| l.knee.index()).collect();
    let feet: Vec<usize> = legs.iter().flat_map(foot_points).collect();
    let (mut straight, mut bent) = (0, 0);
    for leg in &legs {
        for f in 0..clip.frame_count() {
            let now = bend(&was, f, leg);
            if now < STRAIGHT {
                straight += 1;
                bent += usize::from((bend(&is, f, leg) - now).abs() > KEPT);
            }
        }
    }
    Row {
        knee_jumps: jumps(&knees),
        foot_jumps: jumps(&feet),
        rougher: number(&after, |q| q.accel_m_s2.p999) / number(&before, |q| q.accel_m_s2.p999),
        skate_cm_s: number(&after, |q| q.skate_cm_s.mean),
        skate_anew_cm_s: number(&anew, |q| q.skate_cm_s.mean),
        in_floor_cm: number(&after, |q| q.penetration_cm.feet),
        passes: gate().check(&anew).is_empty(),
        straight,
        bent,
        report: planted.report,
        name,
    }
}

fn foot_points(leg: &Leg) -> Vec<usize> {
    let toe = leg.toe.map(|t| t.index());
    let tip = leg.tip.map(|t| t.index());
    [Some(leg.ankle.index()), toe, tip]
        .into_iter()
        .flatten()
        .collect()
}

/// How far a point is from the mean of where it is in the frames before and after.
fn off(world: &fk::WorldPoints, frame: usize, point: usize) -> f64 {
    let at = |f: usize| -> DVec3 { world.at(f, point) };
    at(frame).distance(0.5 * (at(frame - 1) + at(frame + 1)))
}

/// How far a knee is from straight, in degrees.
fn bend(world: &fk::WorldPoints, frame: usize, leg: &Leg) -> f64 {
    let at = |j: gaitway_core::JointIdx| world.at(frame, j.index());
    let (upper, lower) = (at(leg.knee) - at(leg.hip), at(leg.ankle) - at(leg.knee));
    upper.angle_between(lower).to_degrees()
}
