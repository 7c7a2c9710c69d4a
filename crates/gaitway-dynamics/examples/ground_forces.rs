//! Ground forces of clips: `cargo run --release -p gaitway-dynamics --example ground_forces -- CLIP... [--fps 60] [--window 0.09] [--curve]`.
//!
//! A line per clip: the body, how its flights fall, what no ground could give, and how each foot's push goes over its stance (first peak, trough between, second
//! peak, in body weights, the mean over all stances of a walk's length).
#![allow(clippy::print_stdout, missing_docs)]

use gaitway_core::anatomy::is_at_or_below;
use gaitway_core::contacts::{ContactOptions, detect};
use gaitway_core::{Clip, PoseSource, ground};
use gaitway_dynamics::{
    CostKind, CostOptions, CostTrack, ForceReader, GRAVITY, MassBody, MassOptions, Moment,
    Smoothing,
};
use gaitway_io::{ReadOptions, read_file};

/// Points of a stance's curve.
const POINTS: usize = 41;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut value = |name: &str| -> Option<f64> {
        let at = files.iter().position(|a| a == name)?;
        files.remove(at);
        files.remove(at).parse().ok()
    };
    let mut read = ReadOptions {
        repair_spikes: true,
        ..ReadOptions::default()
    };
    read.source_fps = value("--fps");
    let smoothing = value("--window").map_or_else(Smoothing::default, |half_window_s| Smoothing {
        half_window_s,
    });
    let curve = files.iter().position(|a| a == "--curve");
    let curve = curve.map(|at| files.remove(at)).is_some();
    println!(
        "{:18} {:>5} {:>5} {:>5} | {:>5} {:>5} {:>5} | {:>6} {:>6} {:>6} | {:>3} {:>5} {:>5} {:>5} | {:>8} {:>7}",
        "clip",
        "m",
        "kg",
        "s",
        "mean",
        "force",
        "Nm",
        "fly s",
        "fall",
        "spin",
        "n",
        "peak",
        "dip",
        "peak",
        "torque/s",
        "x real"
    );
    for file in &files {
        for import in read_file(file.as_ref(), &read)? {
            let clip = ground::travel_to_root(&import.clip);
            match line(&clip, smoothing, curve) {
                Ok(()) => {}
                Err(e) => println!("{:18} {e}", clip.name()),
            }
        }
    }
    Ok(())
}

fn line(clip: &Clip, smoothing: Smoothing, curve: bool) -> Result<(), Box<dyn std::error::Error>> {
    let body = MassBody::of_clip(clip, &MassOptions::default())?;
    let found = detect(clip, &ContactOptions::default())?;
    let clip = clip.clone().with_contacts(Some(found.track))?;
    let began = std::time::Instant::now();
    let mut reader = ForceReader::new(&clip, &body, smoothing);
    let frames = PoseSource::frame_count(&clip);
    let moments: Vec<Moment> = (0..frames).map(|f| reader.read(f as f64)).collect();
    let took = began.elapsed().as_secs_f64();
    let weight = body.mass * GRAVITY;
    let of = |flies: bool| moments.iter().filter(move |m| m.flies() == flies);
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let up = mean(moments.iter().map(|m| m.weights(&body)).collect());
    let force = mean(
        of(false)
            .map(|m| m.ground.residual_force.length() / weight)
            .collect(),
    );
    let moment = mean(
        of(false)
            .map(|m| m.ground.residual_moment.length())
            .collect(),
    );
    // Inside flights alone: at their borders the window sees the ground.
    let margin = (smoothing.half_window_s * clip.rate_hz()).ceil() as usize;
    let inside: Vec<&Moment> = (margin..frames.saturating_sub(margin))
        .filter(|&f| moments[f - margin..=f + margin].iter().all(Moment::flies))
        .map(|f| &moments[f])
        .collect();
    let fall = mean(inside.iter().map(|m| m.centre_acceleration.y).collect());
    let spin = mean(
        inside
            .iter()
            .map(|m| m.ground.residual_moment.length())
            .collect(),
    );
    let stances = stances(&clip, &body, &moments, weight);
    let shape: Vec<f64> = (0..POINTS)
        .map(|k| mean(stances.iter().map(|s| s[k]).collect()))
        .collect();
    let top = |r: std::ops::Range<usize>| shape[r].iter().copied().fold(0.0, f64::max);
    let (first, second) = (top(0..POINTS / 2), top(POINTS / 2..POINTS));
    let dip = shape[POINTS / 3..2 * POINTS / 3]
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min);
    let cost = CostTrack::new(&clip, &body, &CostOptions::of(CostKind::Torque));
    println!(
        "{:18} {:5.2} {:5.1} {:5.1} | {up:5.2} {force:5.2} {moment:5.1} | {:6.2} {fall:6.2} {spin:6.1} | {:3} {first:5.2} {dip:5.2} {second:5.2} | {:8.0} {:7.0}",
        clip.name(),
        body.stature,
        body.mass,
        clip.seconds(),
        of(true).count() as f64 / clip.rate_hz(),
        stances.len(),
        cost.total() / clip.seconds(),
        clip.seconds() / took,
    );
    for note in &body.notes {
        println!("    {note}");
    }
    if curve {
        let values: Vec<String> = shape.iter().step_by(2).map(|v| format!("{v:.2}")).collect();
        println!("    stance: {}", values.join(" "));
    }
    Ok(())
}

/// Each foot's push over its stances of 0.4 s to 1.2 s, in body weights, from strike to toe-off.
fn stances(clip: &Clip, body: &MassBody, moments: &[Moment], weight: f64) -> Vec<Vec<f64>> {
    let mut out = Vec::new();
    for sole in &body.soles {
        let Some(ankle) = sole.ankle else { continue };
        let points = clip.contacts().map(|c| c.points()).unwrap_or_default();
        let mine: u32 = (0..points.len())
            .filter(|&k| {
                is_at_or_below(
                    clip.skeleton(),
                    clip.skeleton().point_joint(points[k].point),
                    ankle,
                )
            })
            .map(|k| 1 << k)
            .sum();
        let push = |m: &Moment| {
            let own = m.ground.pushes.iter();
            let own = own.filter(|p| is_at_or_below(clip.skeleton(), p.joint, ankle));
            own.map(|p| p.force.y).sum::<f64>() / weight
        };
        let mut from = None;
        for (f, m) in moments.iter().enumerate() {
            match (m.mask & mine != 0, from) {
                (true, None) => from = Some(f),
                (false, Some(start)) => {
                    let seconds = (f - start) as f64 / clip.rate_hz();
                    if start > 0 && (0.4..1.2).contains(&seconds) {
                        let at = |k: usize| start + k * (f - 1 - start) / (POINTS - 1);
                        out.push((0..POINTS).map(|k| push(&moments[at(k)])).collect());
                    }
                    from = None;
                }
                _ => {}
            }
        }
    }
    out
}
