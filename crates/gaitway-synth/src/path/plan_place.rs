//! From a clip at a place to finished motions that end there.

use std::time::Duration;

use gaitway_core::edit;
use gaitway_graph::MotionGraph;
use gaitway_runtime::timeline::Blend;
use serde_json::{Value, json};

use super::edge_paths::EdgePaths;
use super::options::PathOptions;
use super::place_clip::{PlaceWish, PlacedClip, Wanted, place_clip};
use crate::SynthError;
use crate::motion::{AssembleOptions, FinishOptions, Motion, finish_motion};
use crate::search::{Budget, Control};

/// A clip to end in, how it is searched, and how walks become motion.
#[derive(Clone, Debug)]
pub struct PlaceRequest {
    /// Which clip, and where.
    pub wish: PlaceWish,
    /// What is asked for on the way there; its start and styles do not count.
    pub options: PathOptions,
    /// Edges that each search may try; by the length of the way where not given.
    pub expansions: Option<u64>,
    /// Wall-clock time of each search; what is found then depends on the machine.
    pub time: Option<Duration>,
    /// Frames a second; the highest source rate in the graph where not given.
    pub out_fps: Option<f64>,
    /// How transitions are made.
    pub blend: Blend,
    /// Plant the feet; default true.
    pub clean: bool,
}

impl PlaceRequest {
    /// A clip at a place, the rest by default.
    pub fn new(wish: PlaceWish) -> Self {
        Self {
            wish,
            options: PathOptions::default(),
            expansions: None,
            time: None,
            out_fps: None,
            blend: Blend::default(),
            clean: true,
        }
    }

    /// The budget where one was set.
    fn budget(&self) -> Option<Budget> {
        let given = self.expansions.is_some() || self.time.is_some();
        let default = Budget::default();
        given.then(|| Budget {
            expansions: self.expansions.unwrap_or(default.expansions),
            time: self.time,
            ..default
        })
    }
}

/// A motion that ends in the clip wanted.
#[derive(Clone, Debug)]
pub struct PlacedMotion {
    /// The walk, and how near it came.
    pub placed: PlacedClip,
    /// The motion. Where a label was wanted it ends with the label.
    pub motion: Motion,
    /// Why its feet were left as they are, where they could not be planted.
    pub not_planted: Option<String>,
    /// What `quality` says of the motion; filled in by whoever measures it.
    pub quality: Option<Value>,
}

impl PlacedMotion {
    /// The row of a report as `path --end --report` writes it. `file` is where the motion was written.
    pub fn row(&self, graph: &MotionGraph, file: &str) -> Value {
        let (placed, motion) = (&self.placed, &self.motion);
        json!({
            "status": "Solved",
            "search": placed.search,
            "file": file,
            "clip": graph.clip_info(placed.clip).name(),
            "seconds": motion.clip.seconds(),
            "frames": motion.clip.frame_count(),
            "place_error_m": placed.place_error_m,
            "heading_error_rad": placed.heading_error_rad,
            "cost": placed.cost,
            "expansions": placed.expansions,
            "transitions": motion.transition_rows(graph),
            "quality": self.quality,
        })
    }
}

/// Plans motions that end in a clip at a place and heading, the best first; none where it cannot be reached there.
///
/// # Errors
/// As [`place_clip`] and [`finish_motion`].
pub fn plan_place(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PlaceRequest,
    control: Control<'_>,
) -> Result<Vec<PlacedMotion>, SynthError> {
    let (wish, options) = (&request.wish, &request.options);
    let placed = place_clip(graph, edges, wish, options, request.budget(), control)?;
    let one = |placed: PlacedClip| {
        let finish = FinishOptions {
            assemble: AssembleOptions {
                world_from_start: placed.world_from_start,
                out_fps: request.out_fps,
                blend: request.blend,
                ..AssembleOptions::default()
            },
            bend: None,
            clean: request.clean,
        };
        let mut finished = finish_motion(graph, &placed.walk, &finish)?;
        if let Wanted::Label(label) = &wish.wanted {
            end_with(&mut finished.motion, label);
        }
        Ok(PlacedMotion {
            placed,
            motion: finished.motion,
            not_planted: finished.not_planted,
            quality: None,
        })
    };
    placed.into_iter().map(one).collect()
}

/// Where a label was wanted, the motion ends with it: what the clip does afterwards was not asked for.
fn end_with(motion: &mut Motion, label: &str) {
    let last = motion.clip.labels().spans().iter().rev();
    let Some(end) = last.filter(|s| s.label == label).map(|s| s.end).max() else {
        return;
    };
    if end < motion.clip.frame_count() {
        let seconds = end as f64 / motion.clip.rate_hz();
        motion.clip = edit::cut(&motion.clip, 0..end);
        motion.origin.truncate(end);
        motion.transitions.retain(|t| t.t < seconds);
    }
}
