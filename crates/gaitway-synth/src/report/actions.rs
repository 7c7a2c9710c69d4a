//! Whether the actions asked for happened, when and where: looked up on the finished motion.
//!
//! A search's word is that a piece with the event was played. Blends, bending and planted feet come after that, so the motion
//! is searched for the event anew, by the finder that found it in the clips, within 0.3 s of where it should be.

use gaitway_core::events::{Event, EventFinder, Usual};
use gaitway_core::planar::wrap_angle;
use gaitway_graph::events::{ClipEvent, events_of, usual};
use gaitway_graph::{ClipId, LabelId, MotionGraph};
use glam::DVec2;
use serde::Serialize;

use crate::motion::Motion;
use crate::path::{Path, PathOptions, on_the_way};

/// An action further off its place than this was not done where it was asked, metres.
pub const ACTION_OFF_M: f64 = 0.3;
/// An action further off a heading that was asked for was not done as asked, degrees.
pub const ACTION_OFF_DEG: f64 = 15.0;

/// Seconds to each side of where an event should be in which it is looked for.
const NEAR_S: f64 = 0.3;

/// An action asked for at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// Its label.
    pub label: LabelId,
    /// Metres along the path, where it has one.
    pub at_m: Option<f64>,
    /// Where.
    pub place: DVec2,
    /// Facing where: the path's direction, or as asked; radians.
    pub heading: f64,
}

/// An action asked for, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionRow {
    /// The label asked for.
    pub label: String,
    /// Metres along the path at which it was asked for; nothing for a place of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_m: Option<f64>,
    /// x and z at which it was asked for, metres.
    pub asked_place_m: [f64; 2],
    /// The heading asked for; along a path its direction, degrees.
    pub asked_heading_deg: f64,
    /// Whether it happens in the motion.
    pub happened: bool,
    /// Whether it happens within 30 cm of its place and, where a heading was asked for, within 15° of it.
    pub as_asked: bool,
    /// When, seconds from the motion's start.
    pub time_s: Option<f64>,
    /// x, height above the floor, and z of the hand, foot or pelvis that it is about.
    pub place_m: Option<[f64; 3]>,
    /// Where the body faces then, degrees.
    pub heading_deg: Option<f64>,
    /// Distance from where it was asked for, metres.
    pub off_m: Option<f64>,
    /// Angle off the heading, degrees, without sign.
    pub off_deg: Option<f64>,
    /// The clip it was recorded in.
    pub clip: Option<String>,
    /// Why it did not happen as asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ActionRow {
    /// The heading asked for, in words.
    fn faced(&self) -> String {
        match self.asked_m {
            Some(_) => "the path's direction".to_owned(),
            None => format!("{:.0}°", self.asked_heading_deg),
        }
    }

    /// One line for people.
    pub fn words(&self) -> String {
        let asked = match self.asked_m {
            Some(m) => format!("{} at {m:.1} m", self.label),
            None => {
                let [x, z] = self.asked_place_m;
                format!("{} at ({x:.2}, {z:.2})", self.label)
            }
        };
        match (self.time_s, self.place_m, self.off_m, self.off_deg) {
            (Some(t), Some([x, height, z]), Some(m), Some(deg)) => format!(
                "{asked}: happens at {t:.2} s at ({x:.2}, {z:.2}), {height:.2} m high: {:.0} cm from there, facing {deg:.0}° off {}",
                100.0 * m,
                self.faced()
            ),
            _ => format!(
                "{asked}: {}",
                self.reason.as_deref().unwrap_or("does not happen")
            ),
        }
    }
}

/// The actions that a path's styles ask for.
pub(crate) fn asked_along(graph: &MotionGraph, path: &Path, options: &PathOptions) -> Vec<Asked> {
    let Ok((way, styles)) = on_the_way(graph, path, options) else {
        return Vec::new();
    };
    let one = |a: &crate::path::ActionAsked| Asked {
        label: a.label,
        at_m: Some(a.at),
        place: way.at(a.at),
        heading: way.heading(a.at),
    };
    styles.actions.iter().map(one).collect()
}

/// The events of the actions asked for whose frames a motion plays, whatever is left of them: clip and frame.
pub(crate) fn events_played(
    graph: &MotionGraph,
    asked: &[Asked],
    motion: &Motion,
) -> Vec<(ClipId, usize)> {
    let labels: Vec<LabelId> = asked.iter().map(|a| a.label).collect();
    let Ok(events) = events_of(graph, &labels) else {
        return Vec::new();
    };
    let shown = events
        .iter()
        .filter(|e| frames_of(graph, motion, e).next().is_some());
    shown.map(|e| (e.clip, e.event.frame)).collect()
}

/// What came of each, in order of time. Without a motion none happened.
pub fn action_rows(
    graph: &MotionGraph,
    asked: &[Asked],
    motion: Option<&Motion>,
) -> Vec<ActionRow> {
    if asked.is_empty() {
        return Vec::new();
    }
    let labels: Vec<LabelId> = asked.iter().map(|a| a.label).collect();
    let known = events_of(graph, &labels).and_then(|events| Ok((events, usual(graph)?)));
    let look = match (motion, &known) {
        (Some(motion), Ok((events, usual))) => Some((motion, events, usual)),
        _ => None,
    };
    let finder = motion.map(|m| EventFinder::new(&m.clip));
    let mut after = 0;
    let mut out = Vec::with_capacity(asked.len());
    for one in asked {
        let found = match (look, &finder) {
            (Some((motion, events, usual)), Some(finder)) => {
                let near = Look {
                    graph,
                    motion,
                    finder,
                    events,
                    usual,
                };
                near.nearest(one, after)
            }
            _ => Err("there is no motion".to_owned()),
        };
        if let Ok((event, _)) = &found {
            after = event.frame + 1;
        }
        out.push(row(graph, one, motion, found));
    }
    out
}

fn row(
    graph: &MotionGraph,
    asked: &Asked,
    motion: Option<&Motion>,
    found: Result<(Event, String), String>,
) -> ActionRow {
    let mut row = ActionRow {
        label: graph.labels().name(asked.label).to_owned(),
        asked_m: asked.at_m,
        asked_place_m: asked.place.to_array(),
        asked_heading_deg: wrap_angle(asked.heading).to_degrees(),
        happened: found.is_ok(),
        as_asked: false,
        time_s: None,
        place_m: None,
        heading_deg: None,
        off_m: None,
        off_deg: None,
        clip: None,
        reason: None,
    };
    match found {
        Ok((event, clip)) => {
            let at = DVec2::new(event.place.x, event.place.z);
            let off_m = at.distance(asked.place);
            let off_deg = wrap_angle(event.heading - asked.heading).abs().to_degrees();
            // A path says where, not facing where.
            row.as_asked =
                off_m <= ACTION_OFF_M && (asked.at_m.is_some() || off_deg <= ACTION_OFF_DEG);
            if !row.as_asked {
                row.reason = Some(format!(
                    "the nearest that was found happens {:.0} cm from its place, facing {off_deg:.0}° off {}",
                    100.0 * off_m,
                    row.faced()
                ));
            }
            row.time_s = motion.map(|m| event.frame as f64 / m.clip.rate_hz());
            row.place_m = Some(event.place.to_array());
            row.heading_deg = Some(wrap_angle(event.heading).to_degrees());
            (row.off_m, row.off_deg) = (Some(off_m), Some(off_deg));
            row.clip = Some(clip);
        }
        Err(why) => row.reason = Some(why),
    }
    row
}

struct Look<'a> {
    graph: &'a MotionGraph,
    motion: &'a Motion,
    finder: &'a EventFinder<'a>,
    events: &'a [ClipEvent],
    usual: &'a Usual,
}

impl Look<'_> {
    /// The event nearest to its place, after a frame, and its clip.
    fn nearest(&self, asked: &Asked, after: usize) -> Result<(Event, String), String> {
        let name = self.graph.labels().name(asked.label);
        let clip = &self.motion.clip;
        let half = (NEAR_S * clip.rate_hz()).round() as usize;
        let mut best: Option<(f64, Event, String)> = None;
        let mut played = false;
        for known in self.events.iter().filter(|e| e.label == asked.label) {
            for frame in frames_of(self.graph, self.motion, known).filter(|&f| f >= after) {
                played = true;
                let found = if known.event.given {
                    Some(self.finder.given(frame, name))
                } else {
                    let range = frame.saturating_sub(half).max(after)..frame + half + 1;
                    let all = self.finder.events_in(range, name, self.usual);
                    all.into_iter().min_by_key(|e| e.frame.abs_diff(frame))
                };
                let Some(event) = found else { continue };
                let off = DVec2::new(event.place.x, event.place.z).distance(asked.place);
                if best.as_ref().is_none_or(|b| off < b.0) {
                    let of = self.graph.clip_info(known.clip).name().to_owned();
                    best = Some((off, event, of));
                }
            }
        }
        match best {
            Some((_, event, clip)) => Ok((event, clip)),
            None if played => {
                Err("it is played, but nothing of it is left in the motion".to_owned())
            }
            None => Err("it is not played".to_owned()),
        }
    }
}

/// Frames of a motion that show an event's own frame, one for each time it is played.
fn frames_of<'m>(
    graph: &MotionGraph,
    motion: &'m Motion,
    known: &ClipEvent,
) -> impl Iterator<Item = usize> + use<'m> {
    let rate = graph.clip_info(known.clip).rate_hz();
    let at = known.event.frame as f64 / rate;
    let near = 0.51 / rate.min(motion.clip.rate_hz());
    let (origin, clip) = (&motion.origin, known.clip);
    let shows = move |f: usize| {
        let o = &origin[f];
        o.clip == clip && (o.seconds - at).abs() <= near
    };
    (0..origin.len()).filter(move |&f| shows(f) && (f == 0 || !shows(f - 1)))
}
