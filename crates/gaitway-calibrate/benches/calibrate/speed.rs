//! How long it takes.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use gaitway_calibrate::virtual_data::{VirtualOptions, sensors};
use gaitway_calibrate::{MarkerOptions, SensorOptions, calibrate_markers, calibrate_sensors};
use gaitway_io::{SensorClip, read_markers};

/// The best of some runs, seconds.
fn best(runs: usize, mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let begin = Instant::now();
        run();
        begin.elapsed().as_secs_f64()
    };
    (0..runs).map(time).fold(f64::MAX, f64::min)
}

pub fn table(page: &mut String, data: &Path) {
    let _ = writeln!(
        page,
        "\n## Speed\n\nThe best of a few runs in one process.\n\n| what | seconds | bar |\n| --- | --- | --- |"
    );
    let clips = super::truth::clips(data, "pfnn-bvh", 1);
    if let Some(clip) = clips.first() {
        let long = repeated(
            &sensors(
                clip,
                &VirtualOptions {
                    place_noise_m: 0.003,
                    turn_noise_rad: 0.01,
                    ..VirtualOptions::default()
                },
            ),
            4,
            50_000,
        );
        let joints = best(5, || {
            let tracks: Vec<_> = (0..4)
                .map(|k| gaitway_calibrate::tracks::Track::of(&long, k))
                .collect();
            let noise = gaitway_calibrate::noise::measure(&long);
            for i in 0..4 {
                for j in i + 1..4 {
                    let fit = gaitway_calibrate::joint::fit_joint(
                        &tracks[i],
                        &tracks[j],
                        [noise[i], noise[j]],
                        &Default::default(),
                    );
                    std::hint::black_box(fit);
                }
            }
        });
        let _ = writeln!(
            page,
            "| 4 sensors × 50,000 frames: all joints | {joints:.3} | 0.05 |"
        );
        let whole = best(2, || {
            std::hint::black_box(calibrate_sensors("s", &long, &SensorOptions::default()).is_ok());
        });
        let _ = writeln!(
            page,
            "| the same with the motion of every frame | {whole:.3} | |"
        );
    }
    let markers = read_markers(&data.join("cmu-three-formats/01_01.c3d")).expect("reads");
    let mut body = None;
    let whole = best(2, || {
        body = calibrate_markers("m", &markers, &MarkerOptions::default()).ok();
    });
    let _ = writeln!(
        page,
        "| 42 markers × 2,751 frames: body and motion | {whole:.2} | 5 |"
    );
    if let Some(body) = body {
        let options = MarkerOptions {
            skeleton: Some(body.clip.skeleton().clone()),
            ..MarkerOptions::default()
        };
        let known = best(2, || {
            std::hint::black_box(calibrate_markers("m", &markers, &options).is_ok());
        });
        let _ = writeln!(
            page,
            "| motion on a known body | {known:.2} ({:.0} × real time) | 20 × |",
            markers.seconds() / known
        );
    }
}

/// The first sensors of a clip, over and over.
fn repeated(clip: &SensorClip, sensors: usize, frames: usize) -> SensorClip {
    let poses = (0..frames)
        .flat_map(|f| (0..sensors).map(move |s| (f, s)))
        .map(|(f, s)| clip.at(f % clip.frames, s))
        .collect();
    SensorClip {
        names: clip.names[..sensors].to_vec(),
        rate_hz: clip.rate_hz,
        frames,
        poses,
        warnings: Default::default(),
    }
}
