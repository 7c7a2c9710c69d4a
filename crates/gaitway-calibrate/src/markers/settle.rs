//! Markers go to the body in whose frame they keep their place.
//!
//! Distances say which markers go together, and say it badly near a joint: a marker on the axis of a hip keeps its distance to thigh and
//! pelvis alike. Three or more markers have a frame, and in it a marker of the same body stands still in all directions. How still it
//! would stand is known too: its own noise, and what noise of the others does to the frame so far from their middle. So a marker is
//! asked which of the bodies makes where it was seen likeliest.

use glam::DVec3;

use super::frame::Frame;
use super::groups::Variation;

/// How much likelier another body must be, as logarithm per number seen: markers that are at home in two bodies stay where they are.
const CLEARLY: f64 = 0.15;
const PASSES: usize = 8;
/// What fits no body is this many times what is usual from its place in its own.
const ALONE: f64 = 3.0;
/// Skin moves by more on some bodies than on others, by up to so many times what is usual.
const LOOSEST: f64 = 3.0;

/// Key frames, and what markers of one body are usually off by, metres.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) keys: &'a [Vec<Option<DVec3>>],
    pub(super) variation: &'a Variation,
    pub(super) usual_m: f64,
}

impl Seen<'_> {
    fn frame(&self, group: &[usize]) -> Option<Frame> {
        Frame::of(&self.tracks(group))
    }

    pub(super) fn tracks(&self, group: &[usize]) -> Vec<Vec<Option<DVec3>>> {
        let marker = |&m: &usize| self.keys.iter().map(|row| row[m]).collect();
        group.iter().map(marker).collect()
    }

    /// How unlikely a marker's places are in a frame that it is no part of, per number seen: −log of the density but for a constant.
    fn unlikely(&self, marker: usize, frame: &Frame) -> Option<f64> {
        let (off2, expected2) = self.off2(marker, frame)?;
        Some(cost(off2, expected2))
    }

    /// How unlikely they would be at most without it, in a frame that it is part of.
    fn at_most(&self, marker: usize, frame: &Frame) -> Option<f64> {
        const LEANING: f64 = 4.0;
        let (off2, expected2) = self.off2(marker, frame)?;
        Some(cost(LEANING * LEANING * off2, expected2))
    }

    /// Squared deviation of a marker in a frame per number seen, and what would be expected, m².
    fn off2(&self, marker: usize, frame: &Frame) -> Option<(f64, f64)> {
        let rows = self.keys.iter().enumerate();
        let locals: Vec<DVec3> = rows
            .filter_map(|(t, row)| frame.local(t, row[marker]?))
            .collect();
        if locals.len() < 5 {
            return None;
        }
        let n = locals.len() as f64;
        let mean = locals.iter().sum::<DVec3>() / n;
        let off2 = locals.iter().map(|l| l.distance_squared(mean)).sum::<f64>() / (3.0 * n - 3.0);
        // A body that is looser than most is not at home to everything.
        let own = frame
            .deviation_m()
            .clamp(self.usual_m, LOOSEST * self.usual_m);
        let expected2 = own * own * (1.0 + frame.shake2_at(mean) / 3.0);
        Some((off2, expected2))
    }

    /// The same in the body it is counted to.
    fn at_home(&self, marker: usize, group: &[usize]) -> f64 {
        let others: Vec<usize> = group.iter().copied().filter(|&m| m != marker).collect();
        let alone = cost((ALONE * self.usual_m).powi(2), self.usual_m * self.usual_m);
        let apart = self.frame(&others);
        if let Some(own) = apart.and_then(|frame| self.unlikely(marker, &frame)) {
            return own;
        }
        // Without it the rest has no frame: all of them are at home here as far as they keep theirs.
        match self.frame(group) {
            Some(frame) => cost(frame.deviation_m().powi(2), self.usual_m.powi(2)),
            None => alone,
        }
    }
}

/// −log of a normal density per number: squared deviation seen, and expected.
fn cost(off2: f64, expected2: f64) -> f64 {
    0.5 * (off2 / expected2 + expected2.ln())
}

/// Moves markers to the bodies they are at home in; bodies that lose all are gone.
pub(super) fn settle(groups: &mut Vec<Vec<usize>>, seen: Seen<'_>) {
    let mut frames: Vec<Option<Frame>> = groups.iter().map(|g| seen.frame(g)).collect();
    for _ in 0..PASSES {
        let mut moved = false;
        for from in 0..groups.len() {
            for m in groups[from].clone() {
                let far = |g: usize| groups[g].iter().any(|&k| seen.variation.is_far(m, k));
                let others = frames.iter().enumerate();
                let others = others.filter(|f| f.0 != from && !far(f.0));
                let best = others
                    .filter_map(|(g, frame)| Some((seen.unlikely(m, frame.as_ref()?)?, g)))
                    .min_by(|a, b| a.0.total_cmp(&b.0));
                let Some((there, to)) = best else { continue };
                // A frame that the marker is part of leans towards it, and by no more than this.
                let leaning = frames[from].as_ref();
                if leaning.is_some_and(|f| seen.at_most(m, f).is_some_and(|own| there > own)) {
                    continue;
                }
                if there + CLEARLY < seen.at_home(m, &groups[from]) {
                    groups[from].retain(|&k| k != m);
                    groups[to].push(m);
                    frames[from] = seen.frame(&groups[from]);
                    frames[to] = seen.frame(&groups[to]);
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
    }
    groups.retain(|g| !g.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::from_rotation_vector;
    use crate::rng::Rng;
    use proptest::prelude::*;

    /// Key frames of bodies that turn about points of their own, with markers about 5 cm from their middle and noise; the groups are as put on.
    fn bodies(
        sizes: &[usize],
        noise_m: f64,
        rng: &mut Rng,
    ) -> (Vec<Vec<Option<DVec3>>>, Vec<Vec<usize>>) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut places: Vec<(usize, DVec3)> = Vec::new();
        for (body, &size) in sizes.iter().enumerate() {
            groups.push((places.len()..places.len() + size).collect());
            places.extend((0..size).map(|_| (body, rng.direction() * rng.range(0.04, 0.08))));
        }
        let keys = (0..120)
            .map(|_| {
                let turns: Vec<_> = (sizes.iter())
                    .map(|_| from_rotation_vector(rng.normal3() * 0.3))
                    .collect();
                let at = |&(body, offset): &(usize, DVec3)| {
                    let middle = DVec3::new(0.15 * body as f64, 1.0, 0.0);
                    Some(middle + turns[body] * offset + rng.normal3() * noise_m)
                };
                places.iter().map(at).collect()
            })
            .collect();
        (keys, groups)
    }

    fn variation(keys: &[Vec<Option<DVec3>>]) -> Variation {
        Variation::of(&crate::markers::choose::Tracks {
            names: (0..keys[0].len()).map(|k| k.to_string()).collect(),
            rate_hz: 100.0,
            frames: keys.to_vec(),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_marker_goes_home(seed in 0_u64..1_000_000, noise_mm in 0.0_f64..1.5) {
            let mut rng = Rng::new(seed);
            let noise_m = 1e-3 * noise_mm;
            let (keys, truth) = bodies(&[5, 6, 5], noise_m, &mut rng);
            let variation = variation(&keys);
            let seen = Seen { keys: &keys, variation: &variation, usual_m: noise_m.max(2e-4) };
            let mut groups = truth.clone();
            settle(&mut groups, seen);
            prop_assert_eq!(&groups, &truth, "what is at home stays");
            let stray = groups[1].remove(rng.below(6));
            // Markers on a line hold no frame to be at home in.
            prop_assume!(seen.frame(&groups[1]).is_some());
            groups[2].push(stray);
            settle(&mut groups, seen);
            groups.iter_mut().for_each(|g| g.sort_unstable());
            prop_assert_eq!(groups, truth);
        }

        #[test]
        fn noise_is_measured_whatever_the_number_of_markers(seed in 0_u64..1_000_000, count in 3_usize..12) {
            let mut rng = Rng::new(seed);
            let (keys, groups) = bodies(&[count], 1e-3, &mut rng);
            let variation = variation(&keys);
            let seen = Seen { keys: &keys, variation: &variation, usual_m: 1e-3 };
            let template = super::super::template::Template::of(&seen.tracks(&groups[0])).expect("a frame");
            let found = template.deviation_m(&seen.tracks(&groups[0])).expect("free numbers");
            prop_assert!((found - 1e-3).abs() < 1.5e-4, "{} markers: {} mm", count, 1e3 * found);
        }

        #[test]
        fn places_of_a_frame_shake_as_is_said(seed in 0_u64..1_000_000) {
            let mut rng = Rng::new(seed);
            let (keys, groups) = bodies(&[6, 6], 1e-3, &mut rng);
            let variation = variation(&keys);
            let seen = Seen { keys: &keys, variation: &variation, usual_m: 1e-3 };
            let others = &groups[0][..5];
            if let Some(frame) = seen.frame(others) {
                // A marker of the body that is no part of the frame: its own noise, and the frame's.
                let (off2, expected2) = seen.off2(groups[0][5], &frame).expect("seen");
                prop_assert!((0.6..1.6).contains(&(off2 / expected2)), "{} of {}", off2, expected2);
            }
        }
    }
}
