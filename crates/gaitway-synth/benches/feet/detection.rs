//! Detection against the performer, who knows what stands when.

use std::fmt::Write;

use gaitway_core::contacts::{ContactOptions, detect};
use gaitway_core::performer;
use gaitway_core::testing::{PlantScore, with_foot_noise};

/// F1 per plant over the performer's library at three rates, clean and with noise on the feet.
pub fn table(page: &mut String) {
    let _ = writeln!(
        page,
        "The performer's library (seed 7), plants matched at an intersection over union of one half or more.\n\n\
         | rate, Hz | noise on the feet, mm | F1 | borders off, frames | borders off, ms |\n| --- | --- | --- | --- | --- |"
    );
    for rate in [120.0, 60.0, 30.0] {
        for noise in [0.0, 0.002] {
            let mut score = PlantScore::default();
            for take in performer::library(7, rate).expect("the library performs") {
                let truth = take.clip.contacts().expect("known").clone();
                let found = detect(
                    &with_foot_noise(&take.clip, noise),
                    &ContactOptions::default(),
                );
                score.add(&found.expect("feet").track, &truth);
            }
            let off = score.border_frames();
            let _ = writeln!(
                page,
                "| {rate} | {} | {:.4} | {off:.2} | {:.1} |",
                1000.0 * noise,
                score.f1(),
                1000.0 * off / rate
            );
        }
    }
}
