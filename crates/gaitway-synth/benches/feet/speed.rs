//! How much faster than motion plays.

use std::fmt::Write;
use std::time::Instant;

use gaitway_core::Clip;
use gaitway_core::contacts::{ContactOptions, detect};
use gaitway_synth::cleanup::{FrameIn, OnlinePlanter, PlantOptions, plant_feet};

use crate::measure::Set;

/// Runs of which the median counts.
const RUNS: usize = 7;

fn median(mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

/// Times over playing time, and the online planter's time per frame.
pub fn table(page: &mut String, sets: &[Set]) {
    let _ = writeln!(
        page,
        "Times faster than the motion plays, on one core, median of {RUNS} runs over all clips of a row. *Online* is the mean \
         time from a frame going in to the frame coming out, `PlantOptions::for_play`.\n\n\
         | clips | seconds | detection | cleanup | online, µs a frame | look-ahead, frames (s) |\n\
         | --- | --- | --- | --- | --- | --- |"
    );
    for set in sets {
        let seconds: f64 = set.clips.iter().map(Clip::seconds).sum();
        let options = ContactOptions::default();
        let detection = median(|| {
            for clip in &set.clips {
                std::hint::black_box(detect(clip, &options).expect("feet"));
            }
        });
        let ready: Vec<Clip> = set
            .clips
            .iter()
            .map(|c| {
                let track = detect(c, &options).expect("feet").track;
                c.clone().with_contacts(Some(track)).expect("fits")
            })
            .collect();
        let cleanup = median(|| {
            for clip in &ready {
                std::hint::black_box(
                    plant_feet(clip, None, &PlantOptions::default()).expect("feet"),
                );
            }
        });
        let (per_frame, ahead) = online(&ready[0]);
        let _ = writeln!(
            page,
            "| {} | {seconds:.0} | {:.0} × | {:.0} × | {per_frame:.1} | {ahead} ({:.2}) |",
            set.name,
            seconds / detection,
            seconds / cleanup,
            ahead as f64 / ready[0].rate_hz(),
        );
    }
}

/// Microseconds a frame, and the look-ahead in frames.
fn online(clip: &Clip) -> (f64, usize) {
    let track = clip.contacts().expect("detected").clone();
    let planted = plant_feet(clip, Some(&track), &PlantOptions::default()).expect("feet");
    let options = PlantOptions {
        heights: Some(planted.heights),
        ..PlantOptions::for_play()
    };
    let start = || {
        OnlinePlanter::new(
            clip.skeleton().clone(),
            clip.rate_hz(),
            track.points(),
            &options,
        )
        .expect("feet")
    };
    let ahead = start().look_ahead();
    let time = median(|| {
        let mut planter = start();
        for f in 0..clip.frame_count() {
            let frame = FrameIn {
                root: clip.root()[f],
                rotations: clip.frame_rotations(f),
                translations: &[],
                contacts: track.mask(f),
                in_transition: false,
            };
            std::hint::black_box(planter.push(frame).expect("fits"));
        }
        while planter.drain().is_some() {}
    });
    (1e6 * time / clip.frame_count() as f64, ahead)
}
