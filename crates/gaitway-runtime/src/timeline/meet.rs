//! Where two sources meet at a cut: what they differ by there, and how fast that changes.
//!
//! The difference o is looked at where both sources have frames: five around the cut, or the last five before it where one ends
//! there, or the first five after it where one begins. Its slope by a straight line over those is what fades as velocity;
//! its value at the cut is o(0) itself, or the line's where one source is just over. The same frames of both are compared, so
//! that two copies of one motion differ by nothing, and a foot that strikes the floor in both does not look like a
//! change of speed. Sources that have no frames in common are closed in place alone: the one left is carried on by a
//! parabola through its last five frames,
//!
//!   y(x) = ȳ + x Σ x y / 10 + (x² − 2) Σ (x² − 2) y / 14     over x = −2 … 2,     taken at x = 3,
//!
//! and how fast they should go on cannot be known. Checked by: a clip cut in two is given back (tests/timeline.rs).

use glam::Vec3;

use super::Track;
use super::blend::{Offsets, turn_between};
use gaitway_core::{Pose, PoseSource};

/// Frames of a fit.
const POINTS: usize = 5;

/// The times, from the cut, at which two sources are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutSamples {
    /// In frames of the timeline; `count` of them.
    offsets: [f64; POINTS],
    count: usize,
    /// Both have a frame at the cut itself.
    exact: bool,
}

impl CutSamples {
    /// The frames that two tracks have in common around a span's origin; `None` where they have fewer than three. `counts` are the
    /// frames of their sources.
    pub fn find(from: &Track, to: &Track, counts: [usize; 2]) -> Option<Self> {
        // A frame of the slower source apart: between its frames it has nothing to say.
        let apart = (1.0 / from.step).max(1.0 / to.step).max(1.0);
        let has = |track: &Track, count: usize, r: i32| {
            let at = track.frame_at(f64::from(r) * apart);
            (-1e-6..=count as f64 - 1.0 + 1e-6).contains(&at)
        };
        let both = |r: i32| has(from, counts[0], r) && has(to, counts[1], r);
        let runs = [
            (-2, 5),
            (-4, 5),
            (-5, 5),
            (0, 5),
            (-1, 3),
            (-2, 3),
            (-3, 3),
            (0, 3),
        ];
        let (first, count) = runs
            .into_iter()
            .find(|&(first, count)| (first..first + count).all(both))?;
        let mut offsets = [0.0; POINTS];
        for (k, offset) in offsets.iter_mut().take(count as usize).enumerate() {
            *offset = f64::from(first + k as i32) * apart;
        }
        Some(Self {
            offsets,
            count: count as usize,
            exact: (first..first + count).contains(&0),
        })
    }

    /// Times from the cut with the weights that give a value there, and its slope.
    pub fn weights(&self) -> impl Iterator<Item = (f64, f64, f64)> + use<> {
        let Self {
            offsets,
            count,
            exact,
        } = *self;
        let n = count as f64;
        let mean = offsets[..count].iter().sum::<f64>() / n;
        let spread: f64 = offsets[..count].iter().map(|r| (r - mean).powi(2)).sum();
        (0..count).map(move |k| {
            let r = offsets[k];
            let slope = (r - mean) / spread;
            let value = match exact {
                true => f64::from(r == 0.0),
                false => 1.0 / n - mean * slope,
            };
            (r, value, slope)
        })
    }
}

impl Offsets {
    /// Takes what a source that is left differs by from one that is entered, at the origin of their tracks, and how fast that
    /// changes. `room` is for poses that fit both.
    pub fn at_cut(
        &mut self,
        (left, from): (&dyn PoseSource, &Track),
        (entered, to): (&dyn PoseSource, &Track),
        (pose, other, between): (&mut Pose, &mut Pose, &mut Pose),
    ) {
        let counts = [left.frame_count(), entered.frame_count()];
        self.clear();
        let mut near = None;
        if let Some(meeting) = CutSamples::find(from, to, counts) {
            for (offset, value, speed) in meeting.weights() {
                left.sample(from.frame_at(offset), pose, between);
                from.place(pose);
                entered.sample(to.frame_at(offset), other, between);
                to.place(other);
                self.gather(pose, other, (value, speed), &mut near);
            }
            return;
        }
        // Nothing in common: closed in place alone.
        if from.first > counts[0] as f64 - 1.0 {
            past_the_end(left, pose);
        } else {
            left.sample(from.first, pose, between);
        }
        from.place(pose);
        entered.sample(to.first, other, between);
        to.place(other);
        self.gather(pose, other, (1.0, 0.0), &mut near);
    }
}

/// The rotation vector nearest to another that turns the same way about: no leap where a difference passes π.
pub(super) fn nearest_turn(turn: Vec3, to: Vec3) -> Vec3 {
    let length = turn.length();
    if length <= 1.0 {
        return turn;
    }
    let about = turn * (1.0 - std::f32::consts::TAU / length);
    if about.distance_squared(to) < turn.distance_squared(to) {
        about
    } else {
        turn
    }
}

/// The pose of a source one frame past its last, as its last five go on; the last where it has fewer.
fn past_the_end(source: &dyn PoseSource, pose: &mut Pose) {
    let count = source.frame_count();
    let Some(last) = count.checked_sub(1) else {
        return;
    };
    source.frame_into(last, pose);
    if count < POINTS {
        return;
    }
    // y(3), frame by frame.
    let weight = |x: f64| 0.2 + 3.0 * x / 10.0 + 7.0 * (x * x - 2.0) / 14.0;
    let (end, mut frame) = (pose.clone(), pose.clone());
    let mut turns = vec![Vec3::ZERO; end.rotations.len()];
    for k in 0..POINTS {
        source.frame_into(last + 1 - POINTS + k, &mut frame);
        let w = weight(k as f64 - 2.0);
        // From the last frame, so that a walk kilometres away keeps its millimetres.
        pose.root += (frame.root - end.root) * w;
        for (turn, (&q, &e)) in turns
            .iter_mut()
            .zip(frame.rotations.iter().zip(&end.rotations))
        {
            *turn += turn_between(q, e) * w as f32;
        }
        for (p, (&v, &e)) in pose
            .translations
            .iter_mut()
            .zip(frame.translations.iter().zip(&end.translations))
        {
            *p += (v - e) * w as f32;
        }
    }
    for (q, turn) in pose.rotations.iter_mut().zip(turns) {
        *q = (glam::Quat::from_scaled_axis(turn) * *q).normalize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::Planar;

    #[test]
    fn a_line_is_its_own_fit() {
        let track = |first: f64, step: f64| Track::new(0, first, step, Planar::IDENTITY);
        let cases = [
            (track(50.0, 1.0), track(10.0, 0.5), [100, 100], true),
            (track(100.0, 1.0), track(10.0, 0.5), [100, 100], false),
            (track(50.0, 1.0), track(0.0, 1.0), [100, 100], true),
            (track(30.0, 1.0), track(3.0, 1.0), [30, 9], false),
        ];
        for (from, to, counts, exact) in cases {
            let meeting = CutSamples::find(&from, &to, counts).expect("frames in common");
            assert_eq!(meeting.exact, exact);
            let y = |r: f64| 0.7 - 0.02 * r;
            let value: f64 = meeting.weights().map(|(r, v, _)| v * y(r)).sum();
            let slope: f64 = meeting.weights().map(|(r, _, s)| s * y(r)).sum();
            assert!((value - y(0.0)).abs() < 1e-12 && (slope + 0.02).abs() < 1e-12);
        }
        let (end, start) = (track(30.0, 1.0), track(0.0, 1.0));
        assert_eq!(CutSamples::find(&end, &start, [30, 40]), None);
    }
}
