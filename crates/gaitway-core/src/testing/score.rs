//! Found contacts against true ones, and noise to find them in.

use std::ops::Range;

use glam::Vec3;

use crate::anatomy::Anatomy;
use crate::{Clip, ContactTrack, TranslationTrack};

/// How plants that were found fit true ones, summed over the tracks that were added.
///
/// Plants are matched point by point where they have at least half of the time of both in common (intersection over
/// union). Plants cut off by a clip's ends count like others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlantScore {
    /// True plants that were found.
    pub matched: usize,
    /// Plants of both tracks.
    pub plants: usize,
    /// Distances of the borders of matched plants, summed, in frames.
    pub borders: usize,
}

impl PlantScore {
    /// Adds a track with the same points as the true one.
    pub fn add(&mut self, found: &ContactTrack, truth: &ContactTrack) {
        for point in 0..truth.points().len() {
            let (found, truth) = (found.plants(point), truth.plants(point));
            self.plants += found.len() + truth.len();
            for t in &truth {
                let fits = |f: &&Range<usize>| {
                    let both = f.end.min(t.end).saturating_sub(f.start.max(t.start));
                    2 * both >= f.end.max(t.end) - f.start.min(t.start)
                };
                if let Some(f) = found.iter().find(fits) {
                    self.matched += 1;
                    self.borders += f.start.abs_diff(t.start) + f.end.abs_diff(t.end);
                }
            }
        }
    }

    /// The harmonic mean of precision and recall; 1 where there is nothing to find.
    pub fn f1(&self) -> f64 {
        if self.plants == 0 {
            return 1.0;
        }
        2.0 * self.matched as f64 / self.plants as f64
    }

    /// How far off the borders of matched plants are on average, in frames; 0 where none matched.
    pub fn border_frames(&self) -> f64 {
        self.borders as f64 / (2 * self.matched).max(1) as f64
    }
}

/// White noise of a deviation in metres on every coordinate of the ankles, and so of all below them; the same for
/// every call.
///
/// # Panics
/// When an ankle has a translation track already.
pub fn with_foot_noise(clip: &Clip, deviation: f64) -> Clip {
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
        tracks.push(TranslationTrack {
            joint: leg.ankle,
            values: (0..clip.frame_count()).map(|_| value()).collect(),
        });
    }
    clip.clone()
        .with_translations(tracks)
        .expect("ankles without translation tracks")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::walker_points;

    fn track(plants: &[Range<usize>]) -> ContactTrack {
        let mut track = ContactTrack::new(walker_points(), 100);
        for plant in plants {
            plant.clone().for_each(|f| track.set(f, 1, true));
        }
        track
    }

    #[test]
    fn plants_match_at_half_of_both() {
        let truth = track(&[10..30, 60..80]);
        let mut score = PlantScore::default();
        score.add(&track(&[12..30, 70..95]), &truth);
        assert_eq!((score.matched, score.plants, score.borders), (1, 4, 2));
        assert_eq!((score.f1(), score.border_frames()), (0.5, 1.0));
        score.add(&truth, &truth);
        assert_eq!(score.f1(), 0.75);
        assert_eq!(PlantScore::default().f1(), 1.0);
    }
}
