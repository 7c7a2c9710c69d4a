//! From a clip at a place to finished motions that end there.

use std::time::Duration;

use gaitway_core::edit;
use gaitway_graph::MotionGraph;
use gaitway_runtime::timeline::Blend;
use serde_json::{Value, json};

use super::edge_paths::EdgePaths;
use super::goal::Wanted;
use super::options::PathOptions;
use super::place_clip::{PlaceWish, PlacedClip, place_clip};
use crate::SynthError;
use crate::motion::{AssembleOptions, FinishOptions, Motion, finish_motion};
use crate::report::{ActionRow, Asked, action_rows};
use crate::search::{Budget, Control};
use crate::walk::find_label;

/// A clip to end in, how it is searched, and how walks become motion.
#[derive(Clone, Debug)]
pub struct PlaceRequest {
    /// Which clip, and where.
    pub wish: PlaceWish,
    /// What is asked for on the way there; its start does not count.
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
    /// What came of the label wanted, looked up on the motion; nothing for a clip by name.
    pub action: Option<ActionRow>,
    /// Why its feet were left as they are, where they could not be planted.
    pub not_planted: Option<String>,
    /// What `quality` says of the motion; filled in by whoever measures it.
    pub quality: Option<Value>,
}

impl PlacedMotion {
    /// `Solved`, or `ActionMissed` where the label wanted does not happen in the motion, or not as asked.
    pub fn status(&self) -> &'static str {
        match &self.action {
            Some(row) if !row.as_asked => "ActionMissed",
            _ => "Solved",
        }
    }

    /// How far off the place wanted it came to be, metres: in the motion, where it happens there.
    pub fn place_error_m(&self) -> f64 {
        let measured = self.action.as_ref().and_then(|a| a.off_m);
        measured.unwrap_or(self.placed.place_error_m)
    }

    /// How far off the heading wanted, radians.
    pub fn heading_error_rad(&self) -> f64 {
        let measured = self.action.as_ref().and_then(|a| a.off_deg);
        measured.map_or(self.placed.heading_error_rad, f64::to_radians)
    }

    /// The row of a report as `path --end --report` writes it. `file` is where the motion was written.
    pub fn row(&self, graph: &MotionGraph, file: &str) -> Value {
        let (placed, motion) = (&self.placed, &self.motion);
        json!({
            "status": self.status(),
            "search": placed.search,
            "file": file,
            "clip": graph.clip_info(placed.clip).name(),
            "seconds": motion.clip.seconds(),
            "frames": motion.clip.frame_count(),
            "place_error_m": self.place_error_m(),
            "heading_error_rad": self.heading_error_rad(),
            "actions": self.action.as_ref().map_or_else(Vec::new, |a| vec![a]),
            "cost": placed.cost,
            "expansions": placed.expansions,
            "transitions": motion.transition_rows(graph),
            "quality": self.quality,
        })
    }
}

/// Plans motions that end in a clip at a place and heading, the best first.
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
        let action = action(graph, wish, &finished.motion)?;
        Ok(PlacedMotion {
            placed,
            action,
            motion: finished.motion,
            not_planted: finished.not_planted,
            quality: None,
        })
    };
    let mut all = placed
        .into_iter()
        .map(one)
        .collect::<Result<Vec<_>, SynthError>>()?;
    // Those that do what was asked first, each by its cost.
    all.sort_by_key(|m: &PlacedMotion| m.status() != "Solved");
    Ok(all)
}

/// What came of a label wanted at a place.
fn action(
    graph: &MotionGraph,
    wish: &PlaceWish,
    motion: &Motion,
) -> Result<Option<ActionRow>, SynthError> {
    let Wanted::Label(name) = &wish.wanted else {
        return Ok(None);
    };
    let asked = Asked {
        label: find_label(graph, name)?,
        at_m: None,
        place: wish.at,
        heading: wish.heading,
    };
    Ok(action_rows(graph, &[asked], Some(motion)).pop())
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
