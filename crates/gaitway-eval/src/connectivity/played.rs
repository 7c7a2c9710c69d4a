//! Transitions as they are played: what would be seen of them, before feet are planted.
//!
//! | number | what it is |
//! | --- | --- |
//! | `jump_cm` | where the two clips meet, how far the worst joint of one is from where the other has it: what a blend or a fade has to bridge |
//! | `contacts_differ` | transitions at which other points stand in the clip entered than in the clip left |
//! | `slide_cm_s` | speed over the floor of what stands, over all of the motion and while transitions last |
//! | `pops` | transitions in which a joint is accelerated as `quality` lists it, and neither clip is so sharp there by itself ([`visible`](super::visible())) |

use std::collections::BTreeMap;
use std::ops::Range;

use gaitway_core::anatomy::Anatomy;
use gaitway_core::{Clip, JointIdx, fk, resample};
use gaitway_graph::{ClipId, EdgeId, GraphError, MotionGraph, Recipe, Transition};
use serde::Serialize;

use super::bend::Spread;
use super::visible::{Shown, sharpest, shown};
use crate::quality::pops::{self, POP_TIMES};
use crate::quality::trace::slide_traces;

/// What is seen of transitions as they are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Played {
    /// Transitions looked at.
    pub transitions: usize,
    /// How far the worst joint jumps, centimetres.
    pub jump_cm: Spread,
    /// Share of transitions at which other points stand; `None` where contacts are not known.
    pub contacts_differ: Option<f64>,
    /// Share of transitions that are seen as a pop.
    pub pops: f64,
    /// Speed over the floor of what stands, cm/s, all along; `None` where contacts are not known.
    pub slide_cm_s: Option<f64>,
    /// The same while transitions last.
    pub slide_in_transitions_cm_s: Option<f64>,
}

/// Looks at motions made of a graph, one after another.
pub struct PlayedWays<'a> {
    graph: &'a MotionGraph,
    joints: Vec<JointIdx>,
    clips: BTreeMap<ClipId, Option<Shown>>,
    jumps: Vec<f64>,
    differ: Vec<bool>,
    pops: usize,
    /// Sum and number of speeds: all along, and while transitions last.
    slides: [(f64, usize); 2],
}

impl<'a> PlayedWays<'a> {
    /// Nothing is looked at yet.
    ///
    /// # Errors
    /// When the graph's frames are damaged.
    pub fn new(graph: &'a MotionGraph) -> Result<Self, GraphError> {
        let joints = graph.clip_ids().next().map_or(Ok(Vec::new()), |id| {
            let clip = graph.clip(id)?;
            Ok::<_, GraphError>(pops::joints(&clip, &Anatomy::of_clip(&clip)))
        })?;
        Ok(Self {
            graph,
            joints,
            clips: BTreeMap::new(),
            jumps: Vec::new(),
            differ: Vec::new(),
            pops: 0,
            slides: [(0.0, 0); 2],
        })
    }

    /// Looks at a motion whose feet are as the transitions left them, and at these of its transitions: the edge, and the seconds
    /// of the motion that it takes.
    ///
    /// # Errors
    /// When the graph's frames are damaged.
    pub fn add(
        &mut self,
        motion: &Clip,
        transitions: &[(EdgeId, Range<f64>)],
    ) -> Result<(), GraphError> {
        self.slide(motion, transitions);
        let rate = self.graph.working_rate_hz();
        // Motion too short to be shown at the working rate shows nothing either.
        let Ok(working) = resample::resample(motion, rate) else {
            return Ok(());
        };
        let world = fk::world_points(&working);
        for (edge, seconds) in transitions {
            let Some(t) = self.graph.transition(*edge) else {
                continue;
            };
            let both = [t.from_clip, t.to_clip].map(|c| self.shows(c));
            for clip in both.into_iter().flatten() {
                if !self.clips.contains_key(&clip) {
                    self.clips.insert(clip, shown(self.graph, clip)?);
                }
            }
            // A frame before and after: an acceleration takes three.
            let first = ((seconds.start * rate).round() as usize).saturating_sub(2);
            let last = ((seconds.end * rate).round() as usize + 2).min(world.frame_count());
            let played = |joint: usize| sharpest((first..last).map(|f| world.at(f, joint)));
            self.look(&t, &played);
        }
        Ok(())
    }

    /// The clip itself, and what it is interpolated between.
    fn shows(&self, clip: ClipId) -> Vec<ClipId> {
        match self.graph.clip_info(clip).recipe() {
            Some(Recipe::Interpolation { first, second, .. }) => vec![clip, *first, *second],
            _ => vec![clip],
        }
    }

    /// What captured motion does in a clip, or in those that it is interpolated between: 99.9th percentile of accelerations.
    fn usual(&self, clip: ClipId) -> f64 {
        let all = self.shows(clip);
        let captured = if all.len() > 1 { &all[1..] } else { &all[..] };
        let known = captured.iter().filter_map(|c| self.clips.get(c)?.as_ref());
        known.map(|s| s.usual).fold(0.0, f64::max)
    }

    fn look(&mut self, t: &Transition, played: &dyn Fn(usize) -> f64) {
        let of = |c: ClipId| self.clips.get(&c).and_then(Option::as_ref);
        let (Some(a), Some(b)) = (of(t.from_clip), of(t.to_clip)) else {
            return;
        };
        // A clip that is played to its end is left one past its last frame.
        let within = |s: &Shown, f: u32| (f as usize).min(s.world.frame_count().saturating_sub(1));
        let (i, j) = (within(a, t.from_frame), within(b, t.to_frame));
        let length = t.frames as usize + 1;
        let (mut jump, mut sharp, mut own) = (0.0_f64, 0.0_f64, 0.0_f64);
        for joint in self.joints.iter().map(|j| j.index()) {
            let there = t.before_from_after.apply(b.world.at(j, joint));
            jump = jump.max(a.world.at(i, joint).distance(there));
            sharp = sharp.max(played(joint));
            for (clip, f) in [(a, i), (b, j)] {
                let end = (f + length + 1).min(clip.world.frame_count());
                let frames = f.saturating_sub(length)..end;
                own = own.max(sharpest(frames.map(|f| clip.world.at(f, joint))));
            }
        }
        let rate = self.graph.working_rate_hz();
        let usual = self.usual(t.from_clip).max(self.usual(t.to_clip));
        let stands = |s: &Shown, f: usize| s.stands.as_ref().and_then(|all| all.get(f)).cloned();
        let differ = stands(a, i).zip(stands(b, j)).map(|(x, y)| x != y);
        self.pops += usize::from(sharp * rate * rate > (POP_TIMES * usual).max(own * rate * rate));
        self.jumps.push(100.0 * jump);
        self.differ.extend(differ);
    }

    fn slide(&mut self, motion: &Clip, transitions: &[(EdgeId, Range<f64>)]) {
        let Some(contacts) = motion.contacts() else {
            return;
        };
        let within = |s: f64| transitions.iter().any(|(_, t)| t.contains(&s));
        for (_, curve) in slide_traces(motion, contacts) {
            for (seconds, speed) in curve.into_iter().filter(|p| p.1.is_finite()) {
                let counted = [true, within(seconds)];
                for (sum, _) in self.slides.iter_mut().zip(counted).filter(|(_, c)| *c) {
                    *sum = (sum.0 + speed, sum.1 + 1);
                }
            }
        }
    }

    /// What was seen.
    pub fn told(self) -> Played {
        let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
        let mean = |(sum, count): (f64, usize)| (count > 0).then(|| sum / count as f64);
        let differ = self.differ.iter().filter(|d| **d).count();
        Played {
            transitions: self.jumps.len(),
            contacts_differ: (!self.differ.is_empty()).then(|| share(differ, self.differ.len())),
            pops: share(self.pops, self.jumps.len()),
            jump_cm: Spread::of(self.jumps),
            slide_cm_s: mean(self.slides[0]),
            slide_in_transitions_cm_s: mean(self.slides[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::ClipSet;
    use gaitway_core::testing::{Walker, walking_clip};
    use gaitway_graph::{GraphBuilder, Thresholds};

    fn walker(slide: f64) -> Clip {
        walking_clip(&Walker {
            slide,
            ..Walker::default()
        })
    }

    /// The motion with its body thrown a metre up for two frames.
    fn thrown(clip: &Clip, frame: usize) -> Clip {
        let mut parts = clip.clone().into_parts();
        parts.root[frame..frame + 2]
            .iter_mut()
            .for_each(|p| p.y += 1.0);
        parts.build().expect("a clip as before")
    }

    #[test]
    fn a_throw_is_a_pop_and_a_sliding_foot_slides() {
        let clips = ClipSet::new(vec![walker(0.0)]).expect("one clip");
        let builder = GraphBuilder::new(clips).thresholds(Thresholds::cm(6.0));
        let graph = builder.build(&mut ()).expect("built").0;
        let edge = graph.edges().find(|&e| graph.is_transition(e));
        let edge = edge.expect("steps are alike");
        let told = |motion: &Clip| {
            let mut ways = PlayedWays::new(&graph).expect("whole");
            ways.add(motion, &[(edge, 4.0..4.5)]).expect("whole");
            ways.told()
        };
        let good = told(&walker(0.0));
        assert_eq!((good.transitions, good.pops), (1, 0.0));
        assert!(
            good.jump_cm.max > 0.0 && good.jump_cm.max < 20.0,
            "{good:?}"
        );
        assert_eq!(good.contacts_differ, Some(0.0), "{good:?}");
        assert!(good.slide_cm_s < Some(1.0), "{good:?}");
        assert_eq!(told(&thrown(&walker(0.0), 255)).pops, 1.0);
        assert_eq!(told(&thrown(&walker(0.0), 60)).pops, 0.0, "elsewhere");
        let slides = told(&walker(0.1));
        for speed in [slides.slide_cm_s, slides.slide_in_transitions_cm_s] {
            assert!(speed > Some(9.0) && speed < Some(11.0), "{slides:?}");
        }
        let none = PlayedWays::new(&graph).expect("whole").told();
        assert_eq!(none, Played::default());
    }
}
