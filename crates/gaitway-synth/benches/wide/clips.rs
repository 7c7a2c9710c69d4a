//! What `clean` does to clips of many people, clip by clip.

use std::path::Path;

use gaitway_core::anatomy::{Anatomy, Leg};
use gaitway_core::{fk, ground};
use gaitway_eval::{Quality, QualityOptions, quality};
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
    pub in_floor_before_cm: f64,
    /// Frames of legs captured straight, and those of them that are bent by more than [`KEPT`] now.
    pub straight: usize,
    pub bent: usize,
    pub report: PlantReport,
    pub notes: Vec<String>,
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
    let mut notes = Vec::new();
    for f in 1..clip.frame_count() - 1 {
        for l in &legs {
            for j in [l.knee.index()].into_iter().chain(foot_points(l)) {
                let (a, b) = (off(&is, f, j), off(&was, f, j));
                if a > JUMP && b < CALM {
                    let side = if std::ptr::eq(l, &legs[0]) {
                        "left"
                    } else {
                        "right"
                    };
                    let near: Vec<String> = planted
                        .report
                        .plants
                        .iter()
                        .filter(|p| p.point.starts_with(side) && p.start < f + 12 && p.end + 12 > f)
                        .map(|p| {
                            format!(
                                "{}[{}..{}]m{:.1}",
                                p.point,
                                p.start,
                                p.end,
                                100.0 * p.moved_m
                            )
                        })
                        .collect();
                    let skipped: Vec<String> = planted
                        .report
                        .skipped
                        .iter()
                        .filter(|p| p.point.starts_with(side) && p.start < f + 12 && p.end + 12 > f)
                        .map(|p| format!("{}[{}..{}]{:?}", p.point, p.start, p.end, p.reason))
                        .collect();
                    notes.push(format!(
                        "JUMP {name} f{f} j{j} {:.1} cm (was {:.1}) bend {:.0}->{:.0} | {} | {}",
                        100.0 * a,
                        100.0 * b,
                        bend(&was, f, l),
                        bend(&is, f, l),
                        near.join(" "),
                        skipped.join(" ")
                    ));
                }
            }
        }
    }
    {
        let rate2 = clip.rate_hz() * clip.rate_hz();
        let joints = clip.joint_count();
        let mut all: Vec<(f64, f64, usize, usize)> = Vec::new();
        for f in 1..clip.frame_count() - 1 {
            for j in 0..joints {
                all.push((
                    2.0 * rate2 * off(&is, f, j),
                    2.0 * rate2 * off(&was, f, j),
                    f,
                    j,
                ));
            }
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.truncate((all.len() / 500).max(20));
        let mut count: std::collections::BTreeMap<(usize, usize), (usize, f64, f64)> =
            Default::default();
        for (a, b, f, j) in &all {
            if *a > 1.3 * b {
                let e = count.entry((*j, *f / 10)).or_default();
                e.0 += 1;
                if *a > e.1 {
                    e.1 = *a;
                    e.2 = *b;
                }
            }
        }
        let mut list: Vec<_> = count.into_iter().collect();
        list.sort_by_key(|x| std::cmp::Reverse(x.1.0));
        for ((j, f), (n, a, b)) in list.into_iter().take(4) {
            let near: Vec<String> = planted
                .report
                .plants
                .iter()
                .filter(|p| p.start < 10 * f + 16 && p.end + 6 > 10 * f)
                .map(|p| {
                    format!(
                        "{}[{}..{}]m{:.1}",
                        p.point,
                        p.start,
                        p.end,
                        100.0 * p.moved_m
                    )
                })
                .collect();
            let bends: Vec<String> = legs
                .iter()
                .map(|l| {
                    format!(
                        "{:.0}->{:.0}",
                        bend(&was, (10 * f + 5).min(clip.frame_count() - 1), l),
                        bend(&is, (10 * f + 5).min(clip.frame_count() - 1), l)
                    )
                })
                .collect();
            notes.push(format!(
                "ACC {name} {} f{}.. n{n} {b:.0}->{a:.0} bends {} | {}",
                clip.skeleton().name(gaitway_core::JointIdx(j as u32)),
                10 * f,
                bends.join(" "),
                near.join(" ")
            ));
        }
    }
    let knees: Vec<usize> = legs.iter().map(|l| l.knee.index()).collect();
    let feet: Vec<usize> = legs.iter().flat_map(foot_points).collect();
    let (mut straight, mut bent) = (0, 0);
    for leg in &legs {
        for f in 0..clip.frame_count() {
            let now = bend(&was, f, leg);
            if now < STRAIGHT {
                straight += 1;
                let held = planted.clip.contacts().unwrap();
                let side = if std::ptr::eq(leg, &legs[0]) {
                    "left"
                } else {
                    "right"
                };
                let down = |what: &str| {
                    held.points()
                        .iter()
                        .position(|p| p.name == format!("{side}_{what}"))
                        .is_some_and(|b| held.mask(f) >> b & 1 == 1)
                };
                let state = match (down("heel"), down("toe")) {
                    (true, true) => "both",
                    (true, false) => "heel",
                    (false, true) => "toe",
                    _ => "none",
                };
                let at = |w: &fk::WorldPoints, j: gaitway_core::JointIdx| w.at(f, j.index());
                let reach = |w: &fk::WorldPoints| 1e3 * at(w, leg.hip).distance(at(w, leg.ankle));
                notes.push(format!(
                    "BENT {state} {:.1} {:.1} {:.2} {name} f{f} {side}",
                    now,
                    bend(&is, f, leg),
                    reach(&is) - reach(&was)
                ));
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
        in_floor_before_cm: number(&before, |q| q.penetration_cm.feet),
        straight,
        bent,
        report: planted.report,
        notes,
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
