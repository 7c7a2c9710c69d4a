//! Numbers of clips put on another body: `cargo run --release -p gaitway-retarget --example measure -- TARGET CLIP... [--fps 60] [--copy] [--roles] [--left] [--parts] [--back]`.
#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use gaitway_core::{Clip, fk, ground};
use gaitway_eval::{QualityOptions, quality};
use gaitway_io::{ReadOptions, read_file};
use gaitway_retarget::measure::{power_above, power_of, turning_above};
use gaitway_retarget::{Body, Part, RetargetOptions, Role, retarget};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let copy = files
        .iter()
        .position(|a| a == "--copy")
        .map(|at| files.remove(at))
        .is_some();
    let table = files
        .iter()
        .position(|a| a == "--roles")
        .map(|at| files.remove(at))
        .is_some();
    let back = files
        .iter()
        .position(|a| a == "--back")
        .map(|at| files.remove(at))
        .is_some();
    let parts_of = files
        .iter()
        .position(|a| a == "--parts")
        .map(|at| files.remove(at))
        .is_some();
    let left = files
        .iter()
        .position(|a| a == "--left")
        .map(|at| files.remove(at))
        .is_some();
    let mut read = ReadOptions {
        repair_spikes: true,
        ..ReadOptions::default()
    };
    if let Some(at) = files.iter().position(|a| a == "--fps") {
        files.remove(at);
        read.source_fps = Some(files.remove(at).parse()?);
    }
    let target = read_file(files[0].as_ref(), &ReadOptions::default())?;
    let target = Body::of_clip(&ground::travel_to_root(&target[0].clip), None)?;
    println!(
        "{:24} {:>6} {:>7} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6} {:>6}  bars missed",
        "clip",
        "s",
        "scale",
        "before",
        "splines",
        "after",
        "p95 °",
        "max °",
        "root",
        "steps",
        "x real",
        "fast",
        "turns"
    );
    for file in &files[1..] {
        for import in read_file(file.as_ref(), &read)? {
            let clip = ground::travel_to_root(&import.clip);
            let began = Instant::now();
            let source = Body::of_clip(&clip, None)?;
            let options = if copy {
                RetargetOptions::default()
            } else {
                RetargetOptions::planted()
            };
            let done = retarget(&clip, &source, &target, &options)?;
            let work = began.elapsed().as_secs_f64();
            let r = &done.report;
            let parts = [
                Part::Hips,
                Part::Spine,
                Part::Head,
                Part::UpperArm,
                Part::Forearm,
                Part::Hand,
                Part::Thigh,
                Part::Shank,
                Part::Foot,
            ];
            let shared: Vec<Role> = Role::all()
                .filter(|x| {
                    parts.contains(&x.part)
                        && !source.roles.joints(*x).is_empty()
                        && !target.roles.joints(*x).is_empty()
                })
                .collect();
            let joints = |b: &Body| {
                shared
                    .iter()
                    .map(|x| b.roles.joints(*x)[0])
                    .collect::<Vec<_>>()
            };
            let power = |c, b: &Body| power_above(c, b, &joints(b), 8.0);
            let result = power(&done.clip, &target);
            let turning = |c: &Clip, b: &Body| turning_above(c, &joints(b), 8.0);
            let turns = turning(&done.clip, &target) / turning(&clip, &source).max(1e-12);
            let fast = result / power(&clip, &source).max(1e-12);
            let name = file.rsplit('/').next().unwrap_or(file);
            let missed = missed(&done.clip)?;
            println!(
                "{name:24} {:6.1} {:7.3} {:8.1} {:8.2} {:8.3} {:6.1} {:6.1} {:6.1} {:6} {:7.0} {:6.2} {:6.2}  {missed}",
                r.seconds,
                r.scale,
                r.before_mm[0],
                r.splines_mm[0],
                r.after_mm[0],
                r.change.p95_deg,
                r.change.max_deg,
                r.change.root_max_cm,
                r.steps,
                r.seconds / work,
                fast,
                turns
            );
            if back {
                println!("  {}", there_and_back(&clip, &source, &target, &options)?);
            }
            if parts_of {
                let first = &done.first;
                for x in &shared {
                    let (s, t) = (source.roles.joints(*x)[0], target.roles.joints(*x)[0]);
                    let of = |c, j, b: &Body| power_of(c, b, j, 8.0);
                    println!(
                        "  {:16} source {:.5} first guess {:.5} result {:.5}",
                        x.name(),
                        of(&clip, s, &source),
                        of(first, t, &target),
                        of(&done.clip, t, &target)
                    );
                }
            }
            if left {
                for l in r.left.iter().take(6) {
                    println!(
                        "  {} {}..{} {:.2} mm, rms {:.2}",
                        l.name, l.start, l.end, l.max_mm, l.rms_mm
                    );
                }
                for m in &r.change.most {
                    println!("  {} {:.2} s {:.1}", m.joint, m.at_s, m.deg);
                }
            }
            if table {
                for row in &r.roles {
                    println!(
                        "  {:16} {:40} {:40} {:.2} {}",
                        row.role.name(),
                        row.source.join(" "),
                        row.target.join(" "),
                        row.confidence,
                        row.note
                    );
                }
                println!(
                    "  {:?} {:?} {:.2} {:.2} {:?}",
                    r.source_rest, r.target_rest, r.source_confidence, r.target_confidence, r.notes
                );
            }
        }
    }
    Ok(())
}

/// Bars of motion that is made which a clip does not hold, contacts found anew as `gaitway quality` finds them in a file.
fn missed(clip: &Clip) -> Result<String, Box<dyn std::error::Error>> {
    let q = quality(
        &clip.clone().with_contacts(None)?,
        None,
        &QualityOptions::default(),
    );
    let rows = [
        ("skate", q.skate_cm_s.mean, 0.2),
        ("plant", q.worst_plant_cm, 1.0),
        ("stretch", Some(100.0 * (q.stretch.max - 1.0)), 3.0),
        ("feet", q.penetration_cm.feet, 0.2),
    ];
    let past = rows.into_iter().filter_map(|(name, value, bar)| {
        let value = value.filter(|v| *v > bar)?;
        Some(format!("{name} {value:.2}"))
    });
    Ok(past.collect::<Vec<_>>().join(" "))
}

/// How far from where they began head, hands and feet are when a clip is put on another body and back, 95 % of frames.
fn there_and_back(
    clip: &Clip,
    source: &Body,
    target: &Body,
    options: &RetargetOptions,
) -> Result<String, Box<dyn std::error::Error>> {
    let there = retarget(clip, source, target, options)?.clip;
    let back = retarget(&there, &Body::of_clip(&there, None)?, source, options)?.clip;
    let (a, b) = (fk::world_points(clip), fk::world_points(&back));
    let mut out = String::from("there and back, cm:");
    for role in Role::all().filter(|r| matches!(r.part, Part::Hand | Part::Foot | Part::Head)) {
        let Some(joint) = source.roles.joints(role).first() else {
            continue;
        };
        let mut off: Vec<f64> = (0..clip.frame_count())
            .map(|f| a.at(f, joint.index()).distance(b.at(f, joint.index())))
            .collect();
        off.sort_by(f64::total_cmp);
        let p95 = off.get(off.len() * 95 / 100).copied().unwrap_or(0.0);
        out += &format!(" {} {:.1}", role.name(), 100.0 * p95);
    }
    Ok(out)
}
