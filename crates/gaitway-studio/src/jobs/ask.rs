//! From a path as the page sends it to what the library takes, and to the words of the command line.
//!
//! Both come from the same numbers: styles are written as the command line reads them and read back, a heading goes
//! through degrees, the path's points are those of `path.json`. So the command that is offered does the same.

use std::time::Duration;

use gaitway_core::limits;
use gaitway_graph::MotionGraph;
use gaitway_synth::find_label;
use gaitway_synth::path::{
    Arrival, Obstacle, Path, PathError, PathOptions, PathPosition, PathRequest, PlaceRequest,
    PlaceWish, Schedule, Search, Speed, Start, TimeWish, Times, Wanted, parse_styles,
};
use glam::DVec2;

use super::request::{
    ArrivalJson, ObstacleJson, PathRequestJson, PlaceRequestJson, SpeedJson, StartJson,
};
use crate::error::ApiError;

/// The most people.
pub const MOST_PEOPLE: usize = 100;
/// The most alternatives.
pub const MOST_ALTERNATIVES: usize = 6;
/// The longest search.
const LONGEST_S: f64 = 600.0;
/// More obstacles than anybody draws.
const MOST_OBSTACLES: usize = 1000;
/// Edges that may be tried: minutes of searching.
const MOST_EXPANSIONS: u64 = 1_000_000_000;

/// What the page asks for, as the library takes it.
pub struct Asked {
    /// One path, and all that is asked for along it.
    pub request: PathRequest,
    /// As `--style` takes it.
    pub style: Option<String>,
}

impl Asked {
    /// The path.
    pub fn path(&self) -> &Path {
        &self.request.paths[0]
    }
}

/// Reads a request; the field that is wrong is named.
///
/// # Errors
/// When it cannot be done.
pub fn read(request: &PathRequestJson, graph: Option<&MotionGraph>) -> Result<Asked, ApiError> {
    if !(1..=MOST_PEOPLE).contains(&request.count) {
        return Err(bad("count", format!("expected 1 to {MOST_PEOPLE} people")));
    }
    count_of_alternatives(request.alternatives)?;
    if request.count > 1 && request.alternatives > 1 {
        return Err(bad(
            "alternatives",
            "a crowd has no alternatives".to_owned(),
        ));
    }
    let search = Search::from_name(&request.search)
        // Proofs take longer than anybody waits before a page.
        .filter(|s| !matches!(s, Search::Ara(_)))
        .ok_or_else(|| bad("search", "expected beam or bnb".to_owned()))?;
    let positive = |name: &str, value: Option<f64>, most: f64| match value {
        Some(v) if !(v > 0.0 && v <= most) => {
            Err(bad(name, format!("expected above 0 and at most {most}")))
        }
        _ => Ok(()),
    };
    positive("corridor_m", request.corridor_m, 1000.0)?;
    positive("bend_m", request.bend_m, 10.0)?;
    positive("max_s", request.max_s, LONGEST_S)?;
    expansions(request.expansions)?;
    let path = path(request).map_err(|e| bad("points", e.to_string()))?;
    let style = style(request, &path)?;
    let styles = match &style {
        Some(text) => parse_styles(text).map_err(|e| bad("styles", e.to_string()))?,
        None => Vec::new(),
    };
    if let Some(graph) = graph {
        for style in styles.iter().filter(|s| s.label != "any") {
            find_label(graph, &style.label).map_err(|e| bad("styles", e.to_string()))?;
        }
        forbidden(&request.forbid, graph)?;
    }
    let times = times(request);
    Schedule::new(&times, path.length()).map_err(|e| bad(&time_field(&e), e.to_string()))?;
    let start = match &request.start {
        None => Start::Best,
        Some(s) => {
            let (at, heading) = stand(s, "start")?;
            Start::At {
                x: at.x,
                z: at.y,
                heading,
            }
        }
    };
    let obstacles = obstacles(&request.obstacles)?;
    let options = PathOptions {
        styles,
        times,
        start,
        smooth_arc: !request.short_cuts,
        obstacles,
        corridor_m: request.corridor_m,
        forbid: request.forbid.clone(),
        ..PathOptions::default()
    };
    let request = PathRequest {
        options,
        search,
        seed: request.seed,
        time: request.max_s.map(Duration::from_secs_f64),
        expansions: request.expansions,
        people: request.count,
        alternatives: request.alternatives,
        bend_m: request.bend_m,
        clean: request.clean,
        ..PathRequest::new(path)
    };
    Ok(Asked { request, style })
}

/// What is wished in time.
fn times(request: &PathRequestJson) -> Times {
    let to = |m: Option<f64>| m.map_or(PathPosition::End, PathPosition::Metres);
    let arrival = |a: &ArrivalJson| Arrival {
        time_s: a.time_s,
        at: PathPosition::Metres(a.at_m),
    };
    let speed = |s: &SpeedJson| Speed {
        m_s: s.m_s,
        from: PathPosition::Metres(s.from_m),
        to: to(s.to_m),
    };
    Times {
        duration_s: request.duration_s,
        arrivals: request.arrivals.iter().map(arrival).collect(),
        speeds: request.speeds.iter().map(speed).collect(),
    }
}

/// The field of a wish in time that cannot be.
fn time_field(error: &PathError) -> String {
    match error {
        PathError::Time {
            wish: Some(TimeWish::Arrival(k)),
            ..
        } => format!("arrivals[{k}]"),
        PathError::Time {
            wish: Some(TimeWish::Speed(k)),
            ..
        } => format!("speeds[{k}]"),
        _ => "duration_s".to_owned(),
    }
}

/// Reads what shall happen at a place, on a graph that knows which words are labels.
///
/// # Errors
/// When it cannot be done, with the field that is wrong.
pub fn place(request: &PlaceRequestJson, graph: &MotionGraph) -> Result<PlaceRequest, ApiError> {
    let what = request.what.trim();
    let wanted = match (graph.labels().find(what), graph.find_clip(what)) {
        (Some(_), _) => Wanted::Label(what.to_owned()),
        (None, Some(_)) => Wanted::Clip(what.to_owned()),
        (None, None) => {
            let known = graph.labels().names().join(", ");
            let message = format!("the graph has no label or clip `{what}`; labels: {known}");
            return Err(bad("what", message));
        }
    };
    count_of_alternatives(request.alternatives)?;
    expansions(request.expansions)?;
    forbidden(&request.forbid, graph)?;
    let (at, heading) = stand(&request.end, "end")?;
    let start = request.start.map(|s| stand(&s, "start")).transpose()?;
    let styles = match &request.style {
        None => Vec::new(),
        Some(label) => {
            if label != "any" {
                find_label(graph, label).map_err(|e| bad("style", e.to_string()))?;
            }
            parse_styles(label).map_err(|e| bad("style", e.to_string()))?
        }
    };
    let wish = PlaceWish {
        start,
        alternatives: request.alternatives,
        seed: request.seed,
        ..PlaceWish::new(wanted, at, heading)
    };
    Ok(PlaceRequest {
        options: PathOptions {
            styles,
            obstacles: obstacles(&request.obstacles)?,
            forbid: request.forbid.clone(),
            ..PathOptions::default()
        },
        expansions: request.expansions,
        clean: request.clean,
        play_out: request.play_out,
        ..PlaceRequest::new(wish)
    })
}

fn bad(field: &str, message: String) -> ApiError {
    ApiError::bad(message)
        .hint(hint(field))
        .field(format!("request.{field}"))
}

fn count_of_alternatives(count: usize) -> Result<(), ApiError> {
    if (1..=MOST_ALTERNATIVES).contains(&count) {
        return Ok(());
    }
    let message = format!("expected 1 to {MOST_ALTERNATIVES}");
    Err(bad("alternatives", message))
}

fn expansions(wished: Option<u64>) -> Result<(), ApiError> {
    match wished {
        Some(n) if !(1..=MOST_EXPANSIONS).contains(&n) => Err(bad(
            "expansions",
            format!("expected 1 to {MOST_EXPANSIONS}"),
        )),
        _ => Ok(()),
    }
}

fn forbidden(clips: &[String], graph: &MotionGraph) -> Result<(), ApiError> {
    match clips.iter().find(|c| graph.find_clip(c).is_none()) {
        Some(clip) => Err(bad("forbid", format!("there is no clip `{clip}`"))),
        None => Ok(()),
    }
}

/// A place and where one faces there, by way of degrees, as the command line has it.
fn stand(at: &StartJson, field: &str) -> Result<(DVec2, f64), ApiError> {
    limits::places([at.x, at.z]).map_err(|e| bad(field, e.to_string()))?;
    let degrees = at.heading_rad.to_degrees();
    let most = limits::MOST_DEGREES;
    if degrees.is_nan() || degrees.abs() > most {
        return Err(bad(
            field,
            format!("expected a heading within {most} degrees"),
        ));
    }
    Ok((DVec2::new(at.x, at.z), degrees.to_radians()))
}

fn obstacles(given: &[ObstacleJson]) -> Result<Vec<Obstacle>, ApiError> {
    if given.len() > MOST_OBSTACLES {
        return Err(bad("obstacles", format!("at most {MOST_OBSTACLES}")));
    }
    let obstacles: Vec<Obstacle> = given.iter().map(Into::into).collect();
    // Checked by the reader of files, so that what is offered for download can be read.
    let text = serde_json::to_string(&obstacles).map_err(ApiError::internal)?;
    gaitway_synth::path::parse_obstacles(&text).map_err(|e| bad("obstacles", e.to_string()))?;
    Ok(obstacles)
}

/// What to do about a field that is wrong, or one of its list.
fn hint(field: &str) -> &'static str {
    match field.split_once('[').map_or(field, |(list, _)| list) {
        "count" => "a crowd larger than that does not fit on one path",
        "alternatives" => "ask for people or for alternatives, one or the other",
        "search" => "beam is the default; bnb is the paper's branch and bound",
        "corridor_m" => "metres to each side of the path; leave it out for none",
        "bend_m" => "metres by which the motion may be bent; 0.1 is hardly seen",
        "max_s" => "seconds; leave it out for as long as the search needs",
        "obstacles" => {
            "circle [x, z, r], box [x0, z0, x1, z1], polygon of three corners or more, in metres"
        }
        "start" | "end" => "x and z in metres, heading_rad in radians, 0 along +Z",
        "points" => "a path has two points or more that are not at one place, in metres",
        "expansions" => "leave it out for as many as the way's length asks for",
        "what" => "a label whose event is to happen there, or a clip by its name",
        "style" => "one label for all of the way, any for whatever leads there, or nothing",
        "styles" | "actions" => "labels are those of the graph's clips; metres are along the path",
        "duration_s" | "arrivals" => {
            "seconds from the motion's start, later the farther along the path"
        }
        "speeds" => "metres a second; parts that do not overlap, in metres along the path",
        "forbid" => "clips are called as in the library",
        _ => "GET /api describes every field",
    }
}

/// The points that are followed: as drawn, or with corners rounded.
pub fn points(request: &PathRequestJson) -> Vec<[f64; 2]> {
    let mut points = request.points.clone();
    if request.smooth && points.len() > 2 {
        for _ in 0..3 {
            points = cut_corners(&points, request.closed);
        }
    }
    points
}

/// Chaikin's: every corner gives way to two points at a quarter of its sides. The ends of an open path stay.
fn cut_corners(points: &[[f64; 2]], closed: bool) -> Vec<[f64; 2]> {
    let mix =
        |a: [f64; 2], b: [f64; 2], t: f64| [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    let mut out = Vec::with_capacity(2 * points.len() + 2);
    let mut sides: Vec<([f64; 2], [f64; 2])> = points.windows(2).map(|w| (w[0], w[1])).collect();
    if closed {
        sides.extend(points.last().copied().zip(points.first().copied()));
    } else {
        out.extend(points.first());
    }
    for (a, b) in sides {
        out.push(mix(a, b, 0.25));
        out.push(mix(a, b, 0.75));
    }
    if !closed {
        out.extend(points.last());
    }
    out
}

fn path(request: &PathRequestJson) -> Result<Path, PathError> {
    let points = points(request).into_iter().map(DVec2::from_array).collect();
    Path::new(points, request.closed)
}

/// Styles and actions as `--style` takes them; stretches that were left out may be anything.
fn style(request: &PathRequestJson, path: &Path) -> Result<Option<String>, ApiError> {
    let bad = |k: usize, list: &str, what: &str| {
        ApiError::bad(what)
            .hint(hint(list))
            .field(format!("request.{list}[{k}]"))
    };
    let mut pieces: Vec<(f64, f64, &str)> = Vec::new();
    for (k, s) in request.styles.iter().enumerate() {
        let to = s.to_m.unwrap_or(path.length()).min(path.length());
        if !(s.from_m >= 0.0 && to.is_finite() && to > s.from_m) {
            return Err(bad(
                k,
                "styles",
                "expected metres along the path, the end after the start",
            ));
        }
        if s.label.trim().is_empty() || s.label.contains([',', '@']) {
            return Err(bad(k, "styles", "no label is called that"));
        }
        pieces.push((s.from_m, to, s.label.trim()));
    }
    pieces.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut words = Vec::new();
    let mut at = 0.0;
    for &(from, to, label) in &pieces {
        if from > at + 0.01 {
            words.push(format!("any@{at}..{from}"));
        }
        // A centimetre is a slip of the mouse, more is two wishes at one place.
        if from < at - 0.01 || to <= from.max(at) {
            return Err(ApiError::bad("styles overlap")
                .hint("end one where the next begins")
                .field("request.styles"));
        }
        let from = from.max(at);
        words.push(format!("{label}@{from}..{to}"));
        at = to;
    }
    if !pieces.is_empty() && at < path.length() - 0.01 {
        words.push(format!("any@{at}.."));
    }
    for (k, a) in request.actions.iter().enumerate() {
        if !(a.at_m >= 0.0 && a.at_m <= path.length() + 1e-6) {
            return Err(bad(k, "actions", "expected metres along the path"));
        }
        if a.label.trim().is_empty() || a.label.contains([',', '@']) {
            return Err(bad(k, "actions", "no label is called that"));
        }
        words.push(format!("{}@{}", a.label.trim(), a.at_m));
    }
    Ok((!words.is_empty()).then(|| words.join(",")))
}

#[cfg(test)]
mod tests {
    use super::super::request::{Action, StyleJson};
    use super::*;

    fn request() -> PathRequestJson {
        PathRequestJson {
            points: vec![[0.0, 0.0], [0.0, 10.0]],
            ..PathRequestJson::default()
        }
    }

    #[test]
    fn styles_are_said_as_the_command_line_reads_them() {
        let piece = |label: &str, from_m: f64, to_m: Option<f64>| StyleJson {
            label: label.to_owned(),
            from_m,
            to_m,
        };
        let mut r = request();
        assert_eq!(read(&r, None).map(|a| a.style).ok(), Some(None));
        r.styles = vec![
            piece("sneak", 4.0, Some(6.5)),
            piece("walk", 0.0, Some(3.0)),
        ];
        r.actions = vec![Action {
            label: "pick-up".to_owned(),
            at_m: 5.0,
        }];
        let asked = read(&r, None).expect("possible");
        assert_eq!(
            asked.style.as_deref(),
            Some("walk@0..3,any@3..4,sneak@4..6.5,any@6.5..,pick-up@5")
        );
        r.styles.push(piece("run", 5.0, None));
        let error = read(&r, None).err().expect("an overlap");
        assert_eq!(error.body().field.as_deref(), Some("request.styles"));
    }

    #[test]
    fn what_cannot_be_is_told_with_its_field() {
        let field = |change: &dyn Fn(&mut PathRequestJson)| {
            let mut r = request();
            change(&mut r);
            read(&r, None)
                .err()
                .and_then(|e| e.body().field.clone())
                .unwrap_or_default()
        };
        assert_eq!(field(&|r| r.points.clear()), "request.points");
        assert_eq!(field(&|r| r.points[0][0] = f64::NAN), "request.points");
        assert_eq!(field(&|r| r.count = 0), "request.count");
        assert_eq!(field(&|r| r.count = 101), "request.count");
        assert_eq!(
            field(&|r| (r.count, r.alternatives) = (2, 2)),
            "request.alternatives"
        );
        assert_eq!(field(&|r| r.search = "magic".to_owned()), "request.search");
        assert_eq!(field(&|r| r.max_s = Some(f64::INFINITY)), "request.max_s");
        assert_eq!(field(&|r| r.bend_m = Some(-1.0)), "request.bend_m");
        let arrival = |time_s, at_m| ArrivalJson { time_s, at_m };
        let speed = |m_s, from_m, to_m| SpeedJson { m_s, from_m, to_m };
        let wrong = field(&|r| r.arrivals = vec![arrival(3.0, 4.0), arrival(2.0, 6.0)]);
        assert_eq!(wrong, "request.arrivals[1]");
        let wrong = field(&|r| (r.arrivals, r.duration_s) = (vec![arrival(8.0, 4.0)], Some(6.0)));
        assert_eq!(wrong, "request.duration_s");
        let wrong = field(&|r| r.speeds = vec![speed(1.0, 0.0, Some(5.0)), speed(40.0, 5.0, None)]);
        assert_eq!(wrong, "request.speeds[1]");
    }

    #[test]
    fn rounded_corners_keep_the_ends() {
        let mut r = request();
        r.points = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]];
        r.smooth = true;
        let out = points(&r);
        assert_eq!((out[0], out[out.len() - 1]), ([0.0, 0.0], [4.0, 4.0]));
        assert!(
            out.iter()
                .all(|p| p.iter().all(|v| (0.0..=4.0).contains(v)))
        );
    }
}
