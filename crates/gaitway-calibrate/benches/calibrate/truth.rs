//! Virtual data, whose truth is known.

use std::fmt::Write;
use std::path::Path;

use gaitway_calibrate::joint::{FitOptions, JointKind, fit_joint};
use gaitway_calibrate::linalg::from_rotation_vector;
use gaitway_calibrate::noise::Noise;
use gaitway_calibrate::rng::Rng;
use gaitway_calibrate::tracks::{Sample, Track};
use gaitway_calibrate::virtual_data::{TruthReport, VirtualOptions, compare, markers, sensors};
use gaitway_calibrate::{MarkerOptions, SensorOptions, calibrate_markers, calibrate_sensors};
use gaitway_core::Clip;
use gaitway_core::testing::bvh_files;
use gaitway_io::{ReadOptions, read_file};
use glam::{DMat3, DVec3};

pub fn clips(data: &Path, folder: &str, step: usize) -> Vec<Clip> {
    let files = bvh_files(data, &[folder]);
    let clip = |p: &std::path::PathBuf| {
        let mut list = read_file(p, &ReadOptions::default()).ok()?;
        (!list.is_empty()).then(|| list.swap_remove(0).clip)
    };
    files.iter().step_by(step).filter_map(clip).collect()
}

/// Which clips of a folder.
fn looked_at(step: usize) -> &'static str {
    match step {
        1 => "all clips",
        _ => "every tenth clip",
    }
}

fn of_sensors(clip: &Clip, options: &VirtualOptions) -> Option<TruthReport> {
    let found = calibrate_sensors("v", &sensors(clip, options), &SensorOptions::default()).ok()?;
    Some(compare(&found, clip, |n| clip.skeleton().find(n)))
}

pub fn exact(page: &mut String, data: &Path, step: usize) {
    let _ = writeln!(page, "## Virtual sensors without noise\n");
    let _ = writeln!(
        page,
        "A sensor on every joint of {}. Bar: 0.001 mm for balls, 0.001 mm from the axis for hinges.\n",
        looked_at(step)
    );
    let _ = writeln!(
        page,
        "| clips of | clips | balls, worst mm | hinges, worst mm from the axis | not observable | joints where the clip has none | no body found |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    for folder in [
        "cmu-bvh",
        "cmu-wide",
        "cmu-three-formats",
        "lafan1-bvh",
        "pfnn-bvh",
        "bandai-namco-bvh",
    ] {
        let (mut balls, mut hinges, mut dark, mut wrong, mut none) =
            ((0, 0.0_f64), (0, 0.0_f64), 0, 0, 0);
        let list = clips(data, folder, step);
        for clip in &list {
            let Some(truth) = of_sensors(clip, &VirtualOptions::default()) else {
                none += 1;
                continue;
            };
            wrong += truth.wrong.len();
            for j in &truth.joints {
                match j.kind {
                    "ball" => balls = (balls.0 + 1, balls.1.max(j.error_mm)),
                    "hinge" => hinges = (hinges.0 + 1, hinges.1.max(j.across_mm)),
                    _ => dark += 1,
                }
            }
        }
        let _ = writeln!(
            page,
            "| `{folder}` | {} | {}, {:.1e} | {}, {:.1e} | {dark} | {wrong} | {none} |",
            list.len(),
            balls.0,
            balls.1,
            hinges.0,
            hinges.1
        );
    }
}

fn ball(most: f64, noise: Noise, rng: &mut Rng) -> (Track, Track, DVec3) {
    let c = rng.direction() * rng.range(0.1, 0.2);
    let l = rng.direction() * rng.range(0.1, 0.2);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for _ in 0..2000 {
        let p = from_rotation_vector(rng.direction() * rng.range(0.0, 3.0));
        let v = DVec3::new(
            rng.range(-most, most),
            rng.range(-most, most),
            rng.range(-most, most),
        );
        let q = p * from_rotation_vector(v);
        let mut sample = |place: DVec3, turn: glam::DQuat| Sample {
            place: place + rng.normal3() * noise.place_m,
            turn: DMat3::from_quat(turn * from_rotation_vector(rng.normal3() * noise.turn_rad)),
            seen: true,
        };
        first.push(sample(DVec3::ZERO, p));
        second.push(sample(p * c - q * l, q));
    }
    (Track { poses: first }, Track { poses: second }, c)
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
}

pub fn noise(page: &mut String) {
    let _ = writeln!(
        page,
        "\n## White noise\n\n3 mm and 0.6° per axis, ball joints, levers of 0.1 to 0.2 m, 2,000 frames, 100 draws. Bars: 1 mm at ±60°, 2 mm at ±15°.\n"
    );
    let _ = writeln!(
        page,
        "| turned by | median error mm | with the bias of rotation noise left in | said to be unobservable |\n| --- | --- | --- | --- |"
    );
    let noise = Noise {
        place_m: 0.003,
        turn_rad: 0.6_f64.to_radians(),
    };
    for degrees in [60.0_f64, 30.0, 15.0, 5.0, 2.0] {
        let mut rng = Rng::new(1);
        let (mut with, mut plain, mut dark) = (Vec::new(), Vec::new(), 0);
        for _ in 0..100 {
            let (a, b, c) = ball(degrees.to_radians(), noise, &mut rng);
            let options = FitOptions::default();
            if let Some(fit) = fit_joint(&a, &b, [noise; 2], &options) {
                if fit.kind == JointKind::Ball {
                    with.push(1e3 * fit.in_first.distance(c));
                } else {
                    dark += 1;
                }
            }
            if let Some(fit) = fit_joint(&a, &b, [Noise::default(); 2], &options) {
                plain.push(1e3 * fit.in_first.distance(c));
            }
        }
        let _ = writeln!(
            page,
            "| ±{degrees:.0}° | {:.2} | {:.2} | {dark} |",
            median(with),
            median(plain)
        );
    }
}

/// Rows whose name holds a word; `tell` says which joints are where the clip has none.
pub fn wide(page: &mut String, folder: &str, list: &[Clip], step: usize, word: &str, tell: bool) {
    let _ = writeln!(
        page,
        "\n## Faults, on people nobody tuned for\n\n`{folder}`, {}; joints of kinds that can be told.\n",
        looked_at(step)
    );
    let _ = writeln!(
        page,
        "| data | clips | joints | median error mm | 90 % below mm | not observable | joints where the clip has none | on a body of others | clips with the right tree | no body found |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    let plain = VirtualOptions::default();
    let rows: [(&str, bool, VirtualOptions); 6] = [
        (
            "sensors, 3 mm, 0.6°",
            false,
            VirtualOptions {
                place_noise_m: 0.003,
                turn_noise_rad: 0.0105,
                ..plain.clone()
            },
        ),
        (
            "sensors, 5 % dropouts",
            false,
            VirtualOptions {
                dropouts: 0.05,
                ..plain.clone()
            },
        ),
        (
            "sensors, metal 10 mm",
            false,
            VirtualOptions {
                metal_m: 0.01,
                ..plain.clone()
            },
        ),
        ("markers, no fault", true, plain.clone()),
        (
            "markers, 1 mm, 5 % dropouts, 2 swaps",
            true,
            VirtualOptions {
                place_noise_m: 0.001,
                dropouts: 0.05,
                swaps: 2,
                ..plain.clone()
            },
        ),
        (
            "markers, tissue 10 mm",
            true,
            VirtualOptions {
                tissue_m: 0.01,
                ..plain.clone()
            },
        ),
    ];
    for (name, with_markers, options) in rows.into_iter().filter(|r| r.0.contains(word)) {
        // Markers take seconds a clip: of all, every fifth is looked at.
        let every = if with_markers && step == 1 { 5 } else { 1 };
        let (mut errors, mut dark, mut wrong, mut strays, mut right, mut none, mut n) =
            (Vec::new(), 0, 0, 0, 0, 0, 0);
        for clip in list.iter().step_by(every) {
            n += 1;
            let truth = if with_markers {
                let found =
                    calibrate_markers("v", &markers(clip, &options), &MarkerOptions::default());
                found.ok().map(|f| {
                    compare(&f, clip, |m| {
                        clip.skeleton().find(m.rsplit_once('-').map_or(m, |s| s.0))
                    })
                })
            } else {
                of_sensors(clip, &options)
            };
            let Some(truth) = truth else {
                none += 1;
                continue;
            };
            wrong += truth.wrong.len();
            if tell {
                eprintln!(
                    "{name}: {}: {:?}, misplaced {:?}",
                    clip.name(),
                    truth.wrong,
                    truth.misplaced
                );
            }
            strays += truth.misplaced.len();
            right += usize::from(truth.wrong.is_empty());
            for j in &truth.joints {
                match j.kind {
                    "ball" => errors.push(j.error_mm),
                    "hinge" => errors.push(j.across_mm),
                    _ => dark += 1,
                }
            }
        }
        errors.sort_by(f64::total_cmp);
        let at = |share: f64| {
            errors
                .get((share * errors.len() as f64) as usize)
                .copied()
                .unwrap_or(f64::NAN)
        };
        let _ = writeln!(
            page,
            "| {name} | {n} | {} | {:.2} | {:.1} | {dark} | {wrong} | {strays} | {right} | {none} |",
            errors.len(),
            at(0.5),
            at(0.9)
        );
    }
}
