//! From a clip at a place to finished motions that end there.

use std::time::Duration;

use gaitway_core::edit;
use gaitway_core::events::{EventFinder, EventKind};
use gaitway_core::is_mark;
use gaitway_core::planar::wrap_angle;
use gaitway_graph::events::usual;
use gaitway_graph::{MotionGraph, UNLABELLED};
use gaitway_runtime::timeline::Blend;
use glam::DVec2;
use serde::Serialize;
use serde_json::{Value, json};

use super::edge_paths::EdgePaths;
use super::goal::Wanted;
use super::lead::{Left, lead};
use super::options::{PathOptions, Start};
use super::place_clip::{PlaceWish, PlacedClip, place_round};
use super::styles::APPROACH_M;
use crate::SynthError;
use crate::motion::{AssembleOptions, Motion, assemble, plant};
use crate::report::{
    ACTION_OFF_DEG, ACTION_OFF_M, ActionRow, Asked, ConstraintRow, action_rows, constraint_rows,
};
use crate::search::{Budget, Control};
use crate::walk::find_label;

/// Rounds of searches where the one before brought nothing that does what is asked with something to spare.
const ROUNDS: usize = 3;
/// Rounds where the first found no walk at all.
const ROUNDS_OF_NONE: usize = 2;

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
    /// Play what follows a label that lasts, as sitting does, as well: getting up again. Default false: the motion ends while it
    /// lasts.
    pub play_out: bool,
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
            play_out: false,
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

/// Where a style asked for on the way is left before the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftStyle {
    /// The style.
    pub label: String,
    /// Metres of way between its last frame and what was wanted.
    pub before_m: f64,
    /// Why, in words.
    pub words: String,
}

/// A motion that ends in the clip wanted.
#[derive(Clone, Debug)]
pub struct PlacedMotion {
    /// The walk, and how near it came.
    pub placed: PlacedClip,
    /// The motion. Where a label was wanted it ends with the label; with one that lasts, while it lasts, unless it is to be played
    /// out.
    pub motion: Motion,
    /// What came of the label wanted, looked up on the motion; nothing for a clip by name.
    pub action: Option<ActionRow>,
    /// What else was asked for on the way, measured on the motion: whether it is kept.
    pub constraints: Vec<ConstraintRow>,
    /// Where the style asked for is left, since nothing was found that keeps to it up to what was wanted.
    pub left_style: Option<LeftStyle>,
    /// Why its feet were left as they are, where they could not be planted.
    pub not_planted: Option<String>,
    /// What `quality` says of the motion; filled in by whoever measures it.
    pub quality: Option<Value>,
}

impl PlacedMotion {
    /// `Solved`; `ActionMissed` where the label wanted does not happen in the motion, or not as asked; `ConstraintMissed` where
    /// something else that was asked for is not kept.
    pub fn status(&self) -> &'static str {
        match &self.action {
            Some(row) if !row.as_asked => "ActionMissed",
            _ if self.constraints.iter().any(|c| !c.kept) => "ConstraintMissed",
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
        let mut row = json!({
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
        });
        let interpolated = motion.interpolated(graph);
        if !interpolated.is_empty() {
            row["interpolated"] = json!(interpolated);
        }
        if !self.constraints.is_empty() {
            row["constraints"] = json!(self.constraints);
        }
        if let Some(left) = &self.left_style {
            row["left_style"] = json!(left);
        }
        row
    }

    fn rank(&self) -> (bool, bool) {
        (self.status() != "Solved", !self.is_near())
    }

    /// Less is better among those of one rank.
    fn worth(&self) -> f64 {
        if self.status() == "Solved" {
            return self.placed.cost;
        }
        let turned = self.heading_error_rad().to_degrees() / ACTION_OFF_DEG;
        let happens = self.action.as_ref().is_some_and(|a| a.happened);
        let off = (self.place_error_m() / ACTION_OFF_M).max(turned);
        if happens { off } else { f64::INFINITY }
    }

    /// Whether it does what was asked with something to spare: half of what may be off.
    fn is_near(&self) -> bool {
        let (m, deg) = (self.place_error_m(), self.heading_error_rad().to_degrees());
        self.status() == "Solved" && m <= ACTION_OFF_M / 2.0 && deg <= ACTION_OFF_DEG / 2.0
    }
}

/// Plans motions that end in a clip at a place and heading, the best first. What comes near, but not very, is searched for again in
/// other ways, unless a budget is given.
///
/// # Errors
/// As [`place_clip`](super::place_clip()) and [`assemble`].
pub fn plan_place(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PlaceRequest,
    control: Control<'_>,
) -> Result<Vec<PlacedMotion>, SynthError> {
    let (wish, options, budget) = (&request.wish, &request.options, request.budget());
    let count = wish.alternatives.clamp(1, 100);
    let mut all: Vec<PlacedMotion> = Vec::new();
    let mut none = None;
    for round in 0..ROUNDS {
        let cancelled = control
            .cancel
            .is_some_and(|c| c.load(std::sync::atomic::Ordering::Relaxed));
        let enough = all.first().is_some_and(PlacedMotion::is_near);
        let in_vain = none.is_some() && round >= ROUNDS_OF_NONE;
        if round > 0 && (enough || cancelled || in_vain || budget.is_some()) {
            break;
        }
        // Who cannot get there in the style asked for may leave it before the end, which is told.
        let relaxed =
            !options.styles.is_empty() && round > 0 && (none.is_some() || round + 1 == ROUNDS);
        let how = (budget, round, relaxed);
        match place_round(graph, edges, wish, options, how, control) {
            Err(error @ SynthError::NoWalk { .. }) => none = none.or(Some(error)),
            Err(other) => return Err(other),
            Ok(placed) => {
                for one in placed {
                    all.push(made(graph, request, one)?);
                }
            }
        }
        // Those that do what was asked first, those that come near before others, each by its cost; then what is least off.
        all.sort_by(|a, b| {
            a.rank()
                .cmp(&b.rank())
                .then(a.worth().total_cmp(&b.worth()))
        });
        all.truncate(count);
    }
    match none {
        Some(error) if all.is_empty() => Err(error),
        _ => Ok(all),
    }
}

/// The finished motion of a walk: led to its place, feet planted, cut where it is over.
fn made(
    graph: &MotionGraph,
    request: &PlaceRequest,
    placed: PlacedClip,
) -> Result<PlacedMotion, SynthError> {
    let wish = &request.wish;
    let how = AssembleOptions {
        world_from_start: placed.world_from_start,
        out_fps: request.out_fps,
        blend: request.blend,
        ..AssembleOptions::default()
    };
    let mut motion = assemble(graph, &placed.walk, &how)?;
    let mut not_planted = None;
    if request.clean {
        // Obstacles are kept clear of by the walk as it was searched; feet that nobody plants would slide.
        let free = request.options.obstacles.is_empty();
        if let Some(left) = action(graph, wish, &motion)?
            .filter(|_| free)
            .and_then(|row| left(&row, wish, motion.clip.rate_hz()))
        {
            motion.clip = lead(&motion.clip, &left)?;
        }
        not_planted = plant(graph, &mut motion);
    }
    if let Wanted::Label(label) = &wish.wanted {
        end_with(&mut motion, label);
    }
    let action = action(graph, wish, &motion)?;
    let at = action.as_ref().and_then(|a| a.time_s);
    let at = at.map(|s| (s * motion.clip.rate_hz()).round() as usize);
    if let (Wanted::Label(label), Some(frame), false) = (&wish.wanted, at, request.play_out) {
        end_while_it_lasts(graph, &mut motion, label, frame)?;
    }
    let start = wish.start.map_or(Start::Best, |(p, heading)| Start::At {
        x: p.x,
        z: p.y,
        heading,
    });
    let options = PathOptions {
        start,
        ..request.options.clone()
    };
    let mut constraints = constraint_rows(graph, None, &options, &motion, false);
    constraints.extend(style_row(&request.options, wish, &motion, at));
    Ok(PlacedMotion {
        constraints,
        left_style: at.and_then(|frame| left_style(graph, &placed, wish, &motion, frame)),
        placed,
        action,
        motion,
        not_planted,
        quality: None,
    })
}

/// What is left between where a label happens and where it is wanted.
fn left(row: &ActionRow, wish: &PlaceWish, rate_hz: f64) -> Option<Left> {
    let (time_s, [x, _, z], heading) = (row.time_s?, row.place_m?, row.heading_deg?);
    let at = DVec2::new(x, z);
    Some(Left {
        frame: (time_s * rate_hz).round() as usize,
        at,
        shift: wish.at - at,
        turn: wrap_angle(wish.heading - heading.to_radians()),
    })
}

/// Where a style that does not lead to what is wanted is left.
fn left_style(
    graph: &MotionGraph,
    placed: &PlacedClip,
    wish: &PlaceWish,
    motion: &Motion,
    frame: usize,
) -> Option<LeftStyle> {
    let label = graph.labels().name(placed.leaves_style?).to_owned();
    let (Wanted::Label(what) | Wanted::Clip(what)) = &wish.wanted;
    let clip = &motion.clip;
    let has = |f: &usize| clip.labels().at(*f).any(|l| l == label);
    let last = (0..frame).rev().find(has)?;
    let step = |f: usize| {
        let d = clip.root()[f + 1] - clip.root()[f];
        d.x.hypot(d.z)
    };
    let before_m: f64 = (last..frame).map(step).sum();
    let words = format!(
        "leaves {label} {before_m:.1} m before {what}: no way there was found within the labels `{label}` and `{what}`"
    );
    Some(LeftStyle {
        label,
        before_m,
        words,
    })
}

/// Whether the style asked for holds on the way there. The last of it, 4 m and at most half of the way, may be the action's: who sits down has walked up to the seat.
fn style_row(
    options: &PathOptions,
    wish: &PlaceWish,
    motion: &Motion,
    event: Option<usize>,
) -> Option<ConstraintRow> {
    /// So much of something else is a change of style, not a miss, seconds.
    const CHANGE_S: f64 = 0.5;
    let [style] = options.styles.as_slice() else {
        return None;
    };
    let (Wanted::Label(what) | Wanted::Clip(what)) = &wish.wanted;
    if style.label == "any" || style.label == *what {
        return None;
    }
    let clip = &motion.clip;
    let end = event.unwrap_or(clip.frame_count()).min(clip.frame_count());
    // Way that is left to go, per frame.
    let mut left = vec![0.0; end + 1];
    for f in (0..end).rev() {
        let next = clip.root()[(f + 1).min(clip.frame_count() - 1)];
        let d = next - clip.root()[f];
        left[f] = left[f + 1] + d.x.hypot(d.z);
    }
    let free_m = APPROACH_M.min(0.5 * left[0]);
    let frames: Vec<usize> = (0..end).filter(|&f| left[f] > free_m).collect();
    // What has no label has no span either.
    let carries = |mut here: Vec<&str>| match style.label == UNLABELLED {
        true => here.drain(..).all(is_mark),
        false => here.drain(..).any(|l| l == style.label),
    };
    let other = |f: &&usize| !carries(clip.labels().at(**f).collect());
    let without: Vec<&usize> = frames.iter().filter(other).collect();
    let (rate, first) = (clip.rate_hz(), without.first().map_or(0, |f| **f));
    let other_s = without.len() as f64 / rate;
    Some(ConstraintRow {
        what: "style",
        asked: format!("{} up to {free_m:.1} m before {what}", style.label),
        found: format!("{other_s:.1} s of something else"),
        time_s: first as f64 / rate,
        kept: other_s <= CHANGE_S.max(0.1 * frames.len() as f64 / rate),
        number: None,
    })
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
    cut(motion, end);
}

/// A label that lasts is not followed by what ends it: who was to sit down does not get up again.
fn end_while_it_lasts(
    graph: &MotionGraph,
    motion: &mut Motion,
    label: &str,
    frame: usize,
) -> Result<(), SynthError> {
    let Some(kind) = EventKind::of_label(label).filter(|k| k.lasts()) else {
        return Ok(());
    };
    let lasts = EventFinder::new(&motion.clip).lasts(frame, kind, &usual(graph)?);
    // A moment that somebody wrote down need not look like one.
    if lasts.len() > 1 {
        cut(motion, lasts.end);
    }
    Ok(())
}

fn cut(motion: &mut Motion, end: usize) {
    if end < motion.clip.frame_count() {
        let seconds = end as f64 / motion.clip.rate_hz();
        motion.clip = edit::cut(&motion.clip, 0..end);
        motion.origin.truncate(end);
        motion.transitions.retain(|t| t.t < seconds);
    }
}
