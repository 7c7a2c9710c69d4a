//! Well-connected graphs: motions that were never captured, where captured ones need them to get to each other.
//!
//! After Zhao and Safonova, "Achieving good connectivity in motion graphs" (2009): clips are cut where contacts change, segments with the
//! same contacts are interpolated at several weights, everything is compared with everything, and only what best ways between captured frames
//! need is kept.
//!
//! | step | module |
//! | --- | --- |
//! | segments, and which go together | `segments` |
//! | interpolated clips, and whether they could be | `made`, `plausible` |
//! | where clips meet | `joins` |
//! | what is needed | `reduce` |
//! | the graph with it | `assemble` |
//!
//! What comes out is an ordinary graph: interpolated clips are clips with a recipe, and what leads into them are cuts, as near the ends of
//! clips. A cut is an edge as long as its jump takes to fade, here [`FADE_S`], a quarter of a second: so no second one begins while one
//! fades, no more than two begin in any half second, and what they jump there sums up to twice the threshold at most, whatever search
//! finds the way. A rule that lets larger jumps fade longer has the same bound and takes longer over the same way, since it leaves room for
//! fewer jumps in short stretches.

mod assemble;
mod joins;
mod made;
mod plausible;
mod reduce;
mod segments;

use std::path::Path;
use std::time::Instant;

use gaitway_metric::{KeepApart, Progress};
use serde::{Deserialize, Serialize};

pub use self::assemble::INTERPOLATED;
use self::joins::{Meeting, meetings};
use self::made::Workshop;
use self::reduce::{Join, MOST_WORK, Net};
use crate::account::Account;
use crate::build::lost_frames::LostFrames;
use crate::{ClipId, GraphError, MotionGraph};

/// How long the jump of a join fades, in seconds: two fit into half a second, and no third.
pub const FADE_S: f64 = 0.25;

/// How a join gets from one clip into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JoinForm {
    /// By a jump that fades over [`FADE_S`]: what is played is smooth.
    #[default]
    Fading,
    /// Within a frame, as in the paper: to compare with it. What is played jumps.
    Frame,
}

/// How a graph is connected better.
#[derive(Clone, Debug, PartialEq)]
pub struct EnrichOptions {
    /// Weights at which two segments are interpolated, evenly between the two. What is tried is bounded, the nearest first: two dozen others for
    /// each segment, and 25,000 frames for each weight.
    pub weights: usize,
    /// The largest √D of a join, in centimetres.
    pub threshold_cm: f64,
    /// How much dearer what is not kept yet is: 1 keeps all that best ways need, more keeps less.
    pub mu: f64,
    /// How a join gets from one clip into another.
    pub form: JoinForm,
    /// Contacts are taken to last so much longer at both ends, in seconds.
    pub widen_s: f64,
    /// The most one segment may be longer than the other, as a ratio.
    pub stretch: f64,
    /// Segments go together only where what stands before and after them is the same, too.
    pub neighbours: bool,
}

impl Default for EnrichOptions {
    fn default() -> Self {
        Self {
            weights: 3,
            threshold_cm: 3.0,
            mu: 5.0,
            form: JoinForm::default(),
            widen_s: 2.0 / 30.0,
            stretch: 2.0,
            neighbours: true,
        }
    }
}

/// A step of [`MotionGraph::enrich`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnrichStep {
    /// Segments are interpolated.
    Interpolate,
    /// Everything is compared with everything.
    Compare,
    /// What best ways need is kept.
    Reduce,
}

/// Hears how far it is; what it says as [`Progress`] is about comparing.
pub trait EnrichProgress: Progress {
    /// So many of so many are done in a step; false stops it.
    fn step(&mut self, step: EnrichStep, done: usize, total: usize) -> bool {
        let _ = (step, done, total);
        !self.cancelled()
    }
}

impl EnrichProgress for () {}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Enriched {
    /// Stretches of captured clips with the same contacts.
    pub segments: usize,
    /// Pairs of them that go together.
    pub pairs: usize,
    /// Interpolated clips that were tried, and their frames at the working rate.
    pub tried: [usize; 2],
    /// Stretches that go together and were not tried: farther apart than those that fill what is tried, see [`EnrichOptions::weights`].
    pub untried: usize,
    /// Interpolated clips left out because they could not be: what flies does not fall, or what stands slides.
    pub implausible: usize,
    /// Where clips meet below the threshold.
    pub meetings: usize,
    /// Interpolated clips that were kept, and how many of their frames ways need.
    pub kept: [usize; 2],
    /// Captured frames from which best ways were searched, and from which there are any: fewer than all where that would take too long.
    pub sources: [usize; 2],
    /// Joins that were kept.
    pub joins: usize,
    /// Captured frames, for scale.
    pub frames: usize,
    /// Seconds of interpolating, comparing and reducing.
    pub seconds: [f64; 3],
}

/// The clips that are compared: captured, then interpolated.
struct Clips<'a> {
    pub captured: &'a [ClipId],
    pub workshop: &'a Workshop,
    /// Which captured clips may not be compared.
    pub apart: &'a KeepApart,
    pub lost: &'a LostFrames,
}

impl Clips<'_> {
    fn sources(&self, clip: u32) -> [usize; 2] {
        match (clip as usize).checked_sub(self.captured.len()) {
            None => [clip as usize; 2],
            Some(made) => self.workshop.made[made].sources.map(ClipId::index),
        }
    }

    /// Whether all that two clips are made from may be compared.
    fn may_meet(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.sources(a), self.sources(b));
        a.iter()
            .all(|&p| b.iter().all(|&q| self.apart.may_meet(p, q)))
    }

    /// Whether a frame of a captured clip lies in what capture lost.
    fn is_lost(&self, (clip, frame): (u32, u32)) -> bool {
        (clip as usize) < self.captured.len() && self.lost.touched(clip as usize, frame)
    }
}

impl MotionGraph {
    /// Whether clips among its own are interpolated.
    pub fn is_enriched(&self) -> bool {
        let last = self.library.clips.last();
        last.is_some_and(crate::ClipInfo::is_interpolated)
    }

    /// The same graph, connected better: with interpolated clips where they shorten ways between captured ones. A graph that has been
    /// enriched before is enriched anew, from its captured clips. With a journal, what was compared is not compared again. The same on
    /// any number of threads.
    ///
    /// # Errors
    /// When options do not fit, nothing can be interpolated, or it is stopped.
    pub fn enrich(
        &self,
        options: &EnrichOptions,
        journal: Option<&Path>,
        progress: &mut dyn EnrichProgress,
    ) -> Result<(Self, Account, Enriched), GraphError> {
        self.check_enrich(options)?;
        let plain = self.without_interpolations();
        let begin = Instant::now();
        let cuts = segments::cut(&plain, options)?;
        if cuts.is_empty() {
            return Err(GraphError::Options {
                what: "no clip's contacts are known, so nothing says which stretches go together: give contacts with the clips, or a skeleton whose feet can be found".to_owned(),
            });
        }
        let apart = plain.kept_apart();
        let may_meet = |a: ClipId, b: ClipId| apart.may_meet(a.index(), b.index());
        // Between two labels only where one may be switched to from the other.
        let may_switch = |a: (ClipId, u32), b: (ClipId, u32)| {
            let [p, q] = [a, b].map(|(clip, f)| plain.clip_info(clip).labels_at(f));
            plain.thresholds.between(p, q) > 0.0 || plain.thresholds.between(q, p) > 0.0
        };
        let matched = segments::chains(&cuts, options, may_meet, may_switch);
        let mut report = Enriched {
            segments: cuts.iter().map(|c| c.segments.len()).sum(),
            pairs: matched.pairs,
            frames: plain
                .library
                .clips
                .iter()
                .map(|c| c.working_frames as usize)
                .sum(),
            ..Enriched::default()
        };
        let stopped = || GraphError::Metric(gaitway_metric::MetricError::Cancelled);
        if !progress.step(EnrichStep::Interpolate, 0, 1) {
            return Err(stopped());
        }
        let lost = LostFrames::of_graph(&plain)?;
        let mut on = |done, total| progress.step(EnrichStep::Interpolate, done, total);
        let workshop = Workshop::new(&plain, &cuts, &matched.chains, &lost, options, &mut on)?
            .ok_or_else(stopped)?;
        if workshop.made.is_empty() {
            return Err(GraphError::Options {
                what: format!(
                    "no two stretches of these clips have the same contacts for long enough to be interpolated ({} segments of {} clips); the graph stays as it is",
                    report.segments,
                    cuts.len()
                ),
            });
        }
        let tried = |m: &made::Made| m.working_frames as usize;
        report.tried = [workshop.made.len(), workshop.made.iter().map(tried).sum()];
        report.implausible = workshop.implausible;
        report.untried = workshop.untried;
        report.seconds[0] = begin.elapsed().as_secs_f64();

        let begin = Instant::now();
        let captured: Vec<ClipId> = plain.clip_ids().collect();
        let clips = Clips {
            captured: &captured,
            workshop: &workshop,
            apart: &apart,
            lost: &lost,
        };
        let meetings = meetings(&plain, &clips, options, journal, progress)?;
        report.meetings = meetings.len();
        report.seconds[1] = begin.elapsed().as_secs_f64();

        let begin = Instant::now();
        let counts: Vec<u32> = captured
            .iter()
            .map(|&c| plain.clip_info(c).working_frames())
            .chain(workshop.made.iter().map(|m| m.working_frames))
            .collect();
        let joins = joins(&meetings, &counts, plain.options.fps, options);
        let ends = assemble::end_joins(&plain, options.threshold_cm);
        let all: Vec<Join> = joins.iter().map(|j| j.0).chain(ends).collect();
        let net = Net::new(captured.len() as u32, &all);
        let mut on = |done, total| progress.step(EnrichStep::Reduce, done, total);
        let kept = net
            .reduce(options.mu, all.len(), MOST_WORK, &mut on)
            .ok_or_else(stopped)?;
        report.seconds[2] = begin.elapsed().as_secs_f64();
        report.sources = kept.sources;

        let chosen: Vec<(Join, Meeting, bool)> = joins
            .iter()
            .zip(&kept.joins)
            .filter(|(_, kept)| **kept)
            .map(|((join, meeting, back), _)| (*join, meetings[*meeting], *back))
            .collect();
        report.joins = chosen.len();
        let (graph, account) =
            plain.with_interpolations(&workshop, &chosen, &mut report, &kept.pieces)?;
        Ok((graph, account, report))
    }

    fn check_enrich(&self, options: &EnrichOptions) -> Result<(), GraphError> {
        let wrong = |what: String| Err(GraphError::Options { what });
        let ceiling = self.options.metric.ceiling_cm;
        if !(1..=63).contains(&options.weights) {
            return wrong(format!("{} weights: give 1 to 63", options.weights));
        }
        if !(options.threshold_cm > 0.0 && options.threshold_cm <= ceiling) {
            return wrong(format!(
                "a threshold of {} cm: give one above 0 and at most {ceiling}, the ceiling this graph was built with",
                options.threshold_cm
            ));
        }
        if !(1.0..=1000.0).contains(&options.mu) {
            return wrong(format!("a mu of {}: give 1 to 1000", options.mu));
        }
        if !(options.stretch >= 1.0 && options.widen_s >= 0.0 && options.widen_s < 10.0) {
            return wrong(
                "segments may differ by a ratio of 1 at least, and contacts last up to 10 s longer"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

impl EnrichOptions {
    /// Working frames that a jump fades.
    fn fade(&self, fps: f64) -> u32 {
        match self.form {
            JoinForm::Frame => 1,
            JoinForm::Fading => (FADE_S * fps - 1e-9).ceil().max(1.0) as u32,
        }
    }

    /// The shortest chain that can be entered and left again, in working frames.
    fn least_chain(&self, fps: f64) -> u32 {
        self.fade(fps) + 2
    }
}

/// Both directions of all meetings that leave room to fade, with the meeting and whether it is taken backwards.
fn joins(
    meetings: &[Meeting],
    counts: &[u32],
    fps: f64,
    options: &EnrichOptions,
) -> Vec<(Join, usize, bool)> {
    let mut out = Vec::with_capacity(2 * meetings.len());
    for (k, m) in meetings.iter().enumerate() {
        let cm = m.distance_m2.sqrt() * 100.0;
        let frames = options.fade(fps);
        for back in [false, true] {
            let (from, to) = (usize::from(back), usize::from(!back));
            let (leaves, enters) = (m.frames[from], m.frames[to]);
            if enters + frames <= counts[m.clips[to] as usize] {
                let join = Join {
                    from: (m.clips[from], leaves),
                    to: (m.clips[to], enters + frames),
                    frames,
                    cm: cm as f32,
                };
                out.push((join, k, back));
            }
        }
    }
    out
}
