//! Detection against the performer, who knows what stands when.

use std::fmt::Write;
use std::ops::Range;

use gaitway_core::contacts::{ContactOptions, detect};
use gaitway_core::{Clip, ContactTrack, TranslationTrack, anatomy::Anatomy, performer};
use glam::Vec3;

/// Matches, plants of both, and the summed distance of matched borders in frames.
#[derive(Default)]
struct Score {
    matched: f64,
    plants: f64,
    borders: f64,
}

impl Score {
    fn add(&mut self, found: &ContactTrack, truth: &ContactTrack) {
        for point in 0..truth.points().len() {
            let (found, truth) = (found.plants(point), truth.plants(point));
            self.plants += (found.len() + truth.len()) as f64;
            for t in &truth {
                let fits = |f: &&Range<usize>| {
                    let both = f.end.min(t.end).saturating_sub(f.start.max(t.start));
                    2 * both >= f.end.max(t.end) - f.start.min(t.start)
                };
                if let Some(f) = found.iter().find(fits) {
                    self.matched += 1.0;
                    self.borders += (f.start.abs_diff(t.start) + f.end.abs_diff(t.end)) as f64;
                }
            }
        }
    }
}

/// F1 per plant over the performer's library at three rates, clean and with noise on the feet.
pub fn table(page: &mut String) {
    let _ = writeln!(
        page,
        "The performer's library (seed 7), plants matched at an intersection over union of one half or more.\n\n\
         | rate, Hz | noise on the feet, mm | F1 | borders off, frames | borders off, ms |\n| --- | --- | --- | --- | --- |"
    );
    for rate in [120.0, 60.0, 30.0] {
        for noise in [0.0, 0.002] {
            let mut score = Score::default();
            for take in performer::library(7, rate).expect("the library performs") {
                let truth = take.clip.contacts().expect("known").clone();
                let found = detect(&noisy(&take.clip, noise), &ContactOptions::default());
                score.add(&found.expect("feet").track, &truth);
            }
            let off = score.borders / (2.0 * score.matched);
            let _ = writeln!(
                page,
                "| {rate} | {} | {:.4} | {off:.2} | {:.1} |",
                1000.0 * noise,
                2.0 * score.matched / score.plants,
                1000.0 * off / rate
            );
        }
    }
}

/// White noise on every coordinate of the ankles, and so of all below them.
fn noisy(clip: &Clip, deviation: f64) -> Clip {
    if deviation == 0.0 {
        return clip.clone();
    }
    let mut state = 1_u64;
    let mut noise = || {
        // The sum of twelve uniform numbers is near enough to a Gaussian one.
        let mut sum = -6.0;
        for _ in 0..12 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            sum += (state >> 11) as f64 / (1_u64 << 53) as f64;
        }
        (sum * deviation) as f32
    };
    let mut tracks = clip.translations().to_vec();
    for leg in Anatomy::of_clip(clip).legs.into_iter().flatten() {
        let rest = clip.skeleton().offset(leg.ankle);
        let mut value = || rest + Vec3::new(noise(), noise(), noise());
        let values = (0..clip.frame_count()).map(|_| value()).collect();
        tracks.push(TranslationTrack {
            joint: leg.ankle,
            values,
        });
    }
    clip.clone()
        .with_translations(tracks)
        .expect("ankles had no tracks")
}
