//! A clip made ready for drawing: its body, the floor, its way, and which moments to show.

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, edit, ground};
use glam::DVec3;

use super::DrawError;
use super::body::Body;

/// The longest side of a box around a motion that is drawn, in metres.
pub const MAX_EXTENT_M: f64 = 1e6;
/// Frames the floor is estimated from; more would not move it.
const FLOOR_FRAMES: usize = 20_000;

/// A clip with what drawing it needs.
#[derive(Clone, Debug)]
pub struct Actor<'a> {
    /// The clip.
    pub clip: &'a Clip,
    /// What of it is drawn.
    pub body: Body,
    /// The height that is drawn as floor, in metres: below the soles, or a little below the lowest resting points where there are none.
    pub floor: f64,
    /// Where the pelvis is in every frame.
    pub way: Vec<DVec3>,
    /// The heading of the body in every frame, smoothed over half a second, without jumps.
    pub facing: Vec<f64>,
}

impl<'a> Actor<'a> {
    /// Reads a clip.
    ///
    /// # Errors
    /// When it has no frames or its motion is larger than [`MAX_EXTENT_M`].
    pub fn new(clip: &'a Clip) -> Result<Self, DrawError> {
        if clip.frame_count() == 0 {
            return Err(DrawError::NoFrames);
        }
        let facing = ground::smooth_facing(clip, 0.5);
        let body = Body::of(clip);
        let mut actor = Self {
            clip,
            body,
            floor: 0.0,
            way: Vec::with_capacity(clip.frame_count()),
            facing,
        };
        actor.walk_through()?;
        actor.floor = actor.body.floor.unwrap_or_else(|| {
            let few = clip.frame_count().min(FLOOR_FRAMES);
            ground::floor_height(&edit::cut(clip, 0..few)) - 0.02 * actor.body.unit
        });
        Ok(actor)
    }

    /// Fills the way and checks that everything stays in reach.
    fn walk_through(&mut self) -> Result<(), DrawError> {
        let mut solved = FkScratch::new(self.clip.skeleton());
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (frame, root) in self.clip.root().iter().enumerate() {
            solved.solve(self.clip, frame);
            let places = self.body.places(&solved, *root);
            for p in &places {
                if !p.is_finite() {
                    return Err(DrawError::Extent {
                        metres: f64::INFINITY,
                    });
                }
                low = low.min(*p);
                high = high.max(*p);
            }
            self.way.push(places[self.body.pelvis]);
        }
        let metres = (high - low).max_element();
        if metres <= MAX_EXTENT_M {
            Ok(())
        } else {
            Err(DrawError::Extent { metres })
        }
    }

    /// Where all spots of the body are in a frame.
    pub fn pose(&self, frame: usize) -> Vec<DVec3> {
        let mut solved = FkScratch::new(self.clip.skeleton());
        solved.solve(self.clip, frame);
        self.body.places(&solved, self.clip.root()[frame])
    }

    /// The balls a pose is made of: what must fit into the picture.
    pub fn balls(&self, places: &[DVec3]) -> Vec<(DVec3, f64)> {
        let balls = self.body.parts.iter().flat_map(|p| &p.balls);
        balls.map(|&(spot, r)| (places[spot], r)).collect()
    }

    /// From the first to the last frame on the ground.
    pub fn net(&self) -> DVec3 {
        let net = self.way[self.way.len() - 1] - self.way[0];
        DVec3::new(net.x, 0.0, net.z)
    }

    /// Where the motion goes: the way of the pelvis, or where the body faces on average when it hardly travels.
    pub fn heading(&self) -> f64 {
        let net = self.net();
        if net.length() > 0.8 * self.body.unit {
            return net.x.atan2(net.z);
        }
        let (sin, cos) = self
            .facing
            .iter()
            .fold((0.0, 0.0), |(s, c), a| (s + a.sin(), c + a.cos()));
        sin.atan2(cos)
    }

    /// The way gone on the ground up to every frame, in metres, sway and standing taken out: steps shorter than a
    /// hundredth of the body's unit since the last counted place do not count.
    pub fn gone(&self) -> Vec<f64> {
        let mut last = self.way[0];
        let mut sum = 0.0;
        self.way
            .iter()
            .map(|p| {
                let step = DVec3::new(p.x - last.x, 0.0, p.z - last.z).length();
                if step > 0.01 * self.body.unit {
                    sum += step;
                    last = *p;
                }
                sum
            })
            .collect()
    }

    /// Time of a frame in seconds.
    pub fn seconds(&self, frame: usize) -> f64 {
        frame as f64 / self.clip.rate_hz()
    }

    /// One line about the clip: length, rate, frames.
    pub fn summary(&self) -> String {
        let rate = self.clip.rate_hz();
        let rate = if (rate - rate.round()).abs() < 0.005 {
            format!("{rate:.0} Hz")
        } else {
            format!("{rate:.2} Hz")
        };
        let frames = self.clip.frame_count();
        format!("{:.1} s · {rate} · {frames} frames", self.clip.seconds())
    }
}

/// `count` frames at which a rising measure (seconds, metres) passes equal steps, from first to last frame.
pub fn even_frames(measure: &[f64], count: usize) -> Vec<usize> {
    let last = measure.len().saturating_sub(1);
    if count <= 1 || last == 0 {
        return vec![last / 2];
    }
    let (from, to) = (measure[0], measure[last]);
    let mut frames: Vec<usize> = (0..count)
        .map(|k| {
            let want = from + (to - from) * k as f64 / (count - 1) as f64;
            measure.partition_point(|&m| m < want - 1e-12).min(last)
        })
        .collect();
    frames.dedup();
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_frames_cover_the_measure() {
        let measure: Vec<f64> = (0..101).map(f64::from).collect();
        assert_eq!(even_frames(&measure, 5), [0, 25, 50, 75, 100]);
        assert_eq!(even_frames(&measure, 1), [50]);
        assert_eq!(even_frames(&[0.0], 7), [0]);
        assert_eq!(even_frames(&[0.0, 0.0, 0.0], 3), [0]);
    }
}
