//! The performer: procedural, seeded, human-looking clips whose ground truth is exact.
//!
//! A script is planned as footsteps first (places, times, roll), then the hips' way over them, then posture; the
//! pose at any time t is a closed form of that plan, so a take can be sampled at any rate.
//!
//! ```text
//!  Script ─► director ─► Stage (feet, hips, posture, labels) ─► pose(t) ─► Clip + Truth
//!            gait, steps, actions, …     curves over time        legs by IK on exact feet, then trunk and arms
//! ```
//!
//! Exact: planted points keep their place, limb lengths, steps, speeds, labels, and in flight the hips fall at
//! 9.81 m/s². Everything else is plausible. The same seed and script give the same clip; angles come from the
//! platform's `sin` and `cos`, so the last bits may differ between platforms.
//!
//! ```
//! use gaitway_core::performer::{Move, Performer, Script};
//!
//! let script = Script::new("mine", [Move::walk(6, 1.3), Move::run(6, 3.0), Move::Stop]);
//! let take = Performer::new(7).perform(&script)?;
//! assert!(take.truth.speed("run").is_some_and(|v| v > 2.0));
//! assert!(take.clip.labels().at(40).any(|label| label == "walk"));
//! # Ok::<(), gaitway_core::performer::PerformError>(())
//! ```

mod actions;
mod body;
mod course;
mod curve;
mod director;
mod feet;
mod gait;
mod hands;
mod height;
mod library;
mod obstacles;
mod pose;
mod rng;
mod script;
mod stage;
mod steps;
mod strikes;
mod truth;
mod upper;

use std::sync::Arc;

pub use body::skeleton;
pub use course::{course, course_scripts};
pub use library::{library, library_scripts};
pub use script::{Move, PerformError, Script};
pub use truth::{PerformedClip, Plant, Prop, Step, Truth};

use crate::{Clip, ContactTrack, LabelMoment, LabelSpan, LabelTrack, Skeleton};
use director::Director;
use rng::Rng;
use stage::Stage;

/// Someone who performs scripts; the seed is their habits and their day.
#[derive(Clone, Debug)]
pub struct Performer {
    seed: u64,
    skeleton: Arc<Skeleton>,
}

impl Performer {
    /// A performer with a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            skeleton: skeleton(),
        }
    }

    /// The body, shared by all takes.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Performs a script. Takes differ by seed and by the script's name.
    ///
    /// # Errors
    /// When a value of the script is out of range or the take would last more than an hour.
    pub fn perform(&self, script: &Script) -> Result<PerformedClip, PerformError> {
        script.check()?;
        let mut director = Director::new(Rng::named(self.seed, &script.name));
        for m in &script.moves {
            director.perform(m);
            if director.t > Script::MAX_SECONDS {
                return Err(PerformError::TooLong {
                    seconds: director.t,
                });
            }
        }
        let (stage, end) = director.finish();
        Ok(self.sample(script, &stage, end))
    }

    fn sample(&self, script: &Script, stage: &Stage, end: f64) -> PerformedClip {
        let rate = script.rate_hz;
        let frames = (end * rate).floor() as usize + 1;
        let mut root = Vec::with_capacity(frames);
        let mut rotations = Vec::with_capacity(frames * self.skeleton.joint_count());
        for frame in 0..frames {
            let solved = pose::solve(stage, frame as f64 / rate);
            root.push(solved.root);
            rotations.extend_from_slice(&solved.locals);
        }
        let truth = truth_of(stage, end);
        let mut contacts = ContactTrack::new(body::contact_points(&self.skeleton), frames);
        for plant in &truth.plants {
            // A frame has the plant when its time lies within, borders included.
            let first = (plant.start_s * rate).ceil().max(0.0) as usize;
            for frame in first..frames {
                let t = frame as f64 / rate;
                if t > plant.end_s {
                    break;
                }
                if t >= plant.start_s {
                    contacts.set(frame, plant.point, true);
                }
            }
        }
        let first_after = |t: f64| (((t * rate) - 1e-9).ceil().max(0.0) as usize).min(frames);
        let spans = stage.labels.iter().map(|&(from, to, label)| LabelSpan {
            start: first_after(from),
            // A label that lasts to the end has the last frame too.
            end: if to >= end - 1e-9 {
                frames
            } else {
                first_after(to)
            },
            label: label.to_owned(),
        });
        let moments = truth.moments.iter().filter(|_| script.moments);
        let moments = moments.map(|&(t, label)| LabelMoment {
            frame: ((t * rate).round() as usize).min(frames - 1),
            label: label.to_owned(),
        });
        let labels = LabelTrack::new(spans.collect()).with_moments(moments.collect());
        let clip = Clip::new(&*script.name, self.skeleton.clone(), rate, root, rotations)
            .and_then(|c| c.with_labels(labels).with_contacts(Some(contacts)))
            .expect("a plan with finite numbers makes a clip");
        PerformedClip { clip, truth }
    }
}

/// Everything a plan knows exactly.
fn truth_of(stage: &Stage, end: f64) -> Truth {
    let mut plants = Vec::new();
    for (side, foot) in stage.feet.iter().enumerate() {
        for s in &foot.stances {
            let points = [(s.heel_stands(), s.heel()), (s.toe_stands(), s.ball())];
            for (i, ((start_s, end_s), place)) in points.into_iter().enumerate() {
                if start_s <= end && end_s >= 0.0 {
                    plants.push(Plant {
                        point: 2 * side + i,
                        start_s,
                        end_s,
                        place,
                    });
                }
            }
        }
    }
    plants.sort_by(|a, b| {
        (a.start_s, a.point)
            .partial_cmp(&(b.start_s, b.point))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let flights = stage
        .flights
        .iter()
        .copied()
        .filter(|f| f.1 <= end)
        .collect();
    Truth {
        plants,
        steps: stage.steps.clone(),
        flights,
        props: stage.props.clone(),
        moments: stage
            .moments
            .iter()
            .copied()
            .filter(|m| m.0 <= end)
            .collect(),
    }
}

#[cfg(test)]
mod tests;
