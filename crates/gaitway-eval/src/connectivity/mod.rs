//! How well a motion graph holds together and how soon it answers, in numbers.
//!
//! | measure | what it is |
//! | --- | --- |
//! | largest component | captured frames from each of which one can get to each other and back ([`Component`]) |
//! | dead ends, coverage | frames from which every way ends; frames that endless motion passes |
//! | reach | who reaches whom at all: the transitive closure ([`Closure`]) |
//! | mean time | least time between two frames, over all pairs ([`MeanTime`]) |
//! | LM | least time to another behaviour ([`Maneuverability`]) |
//! | bend | √D summed over half a second of the quickest ways ([`Bend`]) |
//! | played | what is seen of transitions once ways are motion: joints that jump, feet that slide or stand elsewhere ([`Played`]) |
//!
//! Measures of Zhao and Safonova, "Achieving good connectivity in motion graphs" (2009), and Reitsma and Pollard, "Evaluating motion
//! graphs for character animation" (2007); the last is ours. They are taken on moments of a [`FrameGraph`], which has four forms:
//! two graphs are compared in one of them. [`visible()`] says at which √D a cut begins to be seen.

mod arcs;
mod bend;
mod bound;
mod form;
mod frames;
mod joins;
mod maneuver;
mod parts;
mod played;
mod search;
mod sweep;
mod visible;

use gaitway_core::random::SplitMix64;
use gaitway_graph::LabelTable;
use serde::Serialize;

pub use arcs::{Arc, Arcs, NEVER, Quickest};
pub use bend::{Bend, STRETCH_S, Spread};
pub use bound::Bound;
pub use form::{BOUND_TIMES, DECAY_S, Form, FrameOptions};
pub use frames::{ClipFrames, FrameGraph};
pub use maneuver::{Behaviour, BehaviourPair, Maneuverability};
pub use parts::Component;
pub use played::{Played, PlayedWays};
pub use sweep::{Closure, MeanTime};
pub use visible::{VISIBLE_CM, Visible, VisibleRow, visible};

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasureOptions {
    /// Frames that are searched from; `None`: all of them where that is soon done, else [`SAMPLES`].
    pub samples: Option<usize>,
    /// Quickest ways that are looked at for how much they bend the truth.
    pub ways: usize,
    /// What is drawn is drawn by it.
    pub seed: u64,
}

impl Default for MeasureOptions {
    fn default() -> Self {
        Self {
            samples: None,
            ways: 1000,
            seed: 1,
        }
    }
}

/// Frames that are searched from where searching from all would take long.
pub const SAMPLES: usize = 512;

/// Frames times arcs up to which all frames are searched from: some seconds.
const SOON: u64 = 400_000_000;

/// How many times longer a search within a bound takes, about.
const BOUNDED: usize = 10;

/// What is measured of a graph in one form, at one threshold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// What a join costs.
    pub form: Form,
    /// The threshold in centimetres; `None`: the graph's own.
    pub threshold_cm: Option<f64>,
    /// Joins there are, each direction for itself.
    pub joins: usize,
    /// The largest component.
    pub component: Component,
    /// Components with a loop.
    pub components: usize,
    /// Share of captured frames from which every way ends.
    pub dead_ends: f64,
    /// Share of captured frames that no endless motion leads to.
    pub unreached: f64,
    /// Share of captured frames that endless motion passes.
    pub coverage: f64,
    /// Share of ordered pairs of frames with a way from the first to the second.
    pub reach: f64,
    /// Its standard error.
    pub reach_error: f64,
    /// Mean least time between frames of the component.
    pub mean_time: Option<MeanTime>,
    /// How soon one is in another behaviour, from frames of the component; `None` without labels.
    pub maneuverability: Option<Maneuverability>,
    /// How much its quickest ways bend the truth.
    pub bend: Option<Bend>,
    /// Who reaches whom.
    #[serde(skip)]
    pub closure: Closure,
    /// Frames of the component.
    #[serde(skip)]
    pub inside: Vec<bool>,
}

/// Told how far it is; may stop it.
pub(crate) struct Watch<'a> {
    done: usize,
    total: usize,
    on: &'a mut dyn FnMut(usize, usize) -> bool,
}

impl Watch<'_> {
    pub(crate) fn step(&mut self, by: usize) -> Result<(), EvalError> {
        self.done += by;
        match (self.on)(self.done, self.total) {
            true => Ok(()),
            false => Err(EvalError::Stopped),
        }
    }
}

/// Measures a graph. With `over` (a flag per frame) times, maneuverability and bend are those of these frames, not of its own
/// component: two graphs are compared over the same ones. `on` hears how many searches of how many are done, and says
/// whether to go on.
///
/// # Errors
/// When `on` says no.
pub fn measure(
    graph: &FrameGraph,
    labels: &LabelTable,
    over: Option<&[bool]>,
    options: &MeasureOptions,
    on: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Measures, EvalError> {
    let frames = graph.captured_count();
    let mut parts = parts::Parts::of(graph);
    // Interpolated frames are means, not ends: nobody asks how soon one is there.
    parts.frames.truncate(frames);
    let counts = match over.filter(|o| o.len() >= frames) {
        Some(over) => over[..frames].to_vec(),
        None => parts.frames.clone(),
    };
    let work = graph.arcs.ends.len() * graph.bound.map_or(1, |_| BOUNDED);
    let sources = sources(frames, work, options);
    let mut watch = Watch {
        done: 0,
        total: sources.len(),
        on,
    };
    let swept = sweep::sweep(graph, &counts, &sources, &mut watch)?;
    let maneuverability = maneuver::maneuverability(graph, labels, &counts);
    watch.step(0)?;
    let bend = bend::bend(graph, &counts, options.ways, options.seed);
    watch.step(0)?;
    let captured = graph.original().iter().filter(|o| **o).count().max(1) as f64;
    Ok(Measures {
        form: graph.form,
        threshold_cm: graph.threshold_cm,
        joins: graph.joins,
        component: parts.largest,
        components: parts.loops,
        dead_ends: parts.dead_ends as f64 / captured,
        unreached: parts.unreached as f64 / captured,
        coverage: parts.covered as f64 / captured,
        reach: swept.closure.share,
        reach_error: swept.closure.error,
        mean_time: swept.mean,
        maneuverability,
        bend,
        closure: swept.closure,
        inside: parts.frames,
    })
}

/// Frames of another graph that are frames of this one: same clip by name, same number. `None` where a clip of the other with
/// such frames is missing here.
pub fn same_frames(other: &FrameGraph, flags: &[bool], here: &FrameGraph) -> Option<Vec<bool>> {
    let mut out = vec![false; here.frame_count()];
    for clip in other.clips.iter().filter(|c| c.original) {
        let flags = &flags[clip.first as usize..(clip.first + clip.count) as usize];
        if !flags.iter().any(|&f| f) {
            continue;
        }
        let same = |c: &&ClipFrames| c.name == clip.name && c.count == clip.count;
        let own = here.clips.iter().find(same)?;
        out[own.first as usize..(own.first + own.count) as usize].copy_from_slice(flags);
    }
    Some(out)
}

/// The frames that are searched from, rising.
fn sources(frames: usize, arcs: usize, options: &MeasureOptions) -> Vec<u32> {
    let soon = frames as u64 * arcs as u64 <= SOON;
    let wanted = match options.samples {
        Some(n) => n.min(frames),
        None if soon => frames,
        None => SAMPLES.min(frames),
    };
    let mut all: Vec<u32> = (0..frames as u32).collect();
    if wanted < frames {
        // The first so many of a shuffle.
        let mut random = SplitMix64::new(options.seed);
        for k in 0..wanted {
            let rest = frames - k;
            all.swap(
                k,
                k + ((random.unit() * rest as f64) as usize).min(rest - 1),
            );
        }
        all.truncate(wanted);
        all.sort_unstable();
    }
    all
}

#[cfg(test)]
mod tests;
