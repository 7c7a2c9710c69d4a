//! Whether what was asked for is kept: looked up on the finished motion, whatever the search says.
//!
//! A search keeps its constraints at working frames of a walk; blends, bending and planted feet come after it. So every one that was given
//! is measured again, on the roots of the motion that is handed out.

use gaitway_core::ground::facing;
use gaitway_core::is_mark;
use gaitway_core::planar::wrap_angle;
use gaitway_graph::{MotionGraph, UNLABELLED};
use glam::DVec2;
use serde::Serialize;

use crate::Motion;
use crate::path::bend::places_along;
use crate::path::keep_time::{frames_of, is_end, mean_speed, reached};
use crate::path::solid::Solid;
use crate::path::{APPROACH_M, Path, PathOptions, Schedule, Start, Styles, on_the_way};

/// A start that was given is met within this, metres: planted feet move a root by a few centimetres.
const START_M: f64 = 0.1;
/// Nor facing further aside than this, degrees.
const START_DEG: f64 = 15.0;
/// Nobody changes style at a line: what lies this near after a border is not looked at, metres…
const AFTER_M: f64 = 3.0;
/// …nor this near before it: half a body's height, from where on the next style may begin.
const BEFORE_M: f64 = 1.0;

/// Nor is a moment missed that is met within this, seconds: half a step…
const TIME_S: f64 = 0.25;
/// …or within this part of a long one.
const TIME_PART: f64 = 0.02;
/// A speed is kept within this, m/s…
const SPEED_M_S: f64 = 0.1;
/// …or this part of it.
const SPEED_PART: f64 = 0.1;

/// A wish that is a number beside what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WishNumber {
    /// What was asked for.
    pub asked: f64,
    /// What the motion has.
    pub found: f64,
    /// How far apart the two may be.
    pub within: f64,
    /// Of all three.
    pub unit: &'static str,
    /// Where on the way that is followed it begins to count, metres: a moment counts from the start…
    pub from_m: f64,
    /// …and up to where.
    pub to_m: f64,
}

impl WishNumber {
    fn kept(&self) -> bool {
        (self.found - self.asked).abs() <= self.within
    }
}

/// Something asked for, and whether the motion keeps to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConstraintRow {
    /// `start`, `end`, `duration`, `arrival`, `speed`, `corridor`, `obstacle`, `others`, `style` or `forbid`.
    pub what: &'static str,
    /// What was asked for, in words.
    pub asked: String,
    /// What was found where it is worst, in words.
    pub found: String,
    /// When that is, seconds from the motion's start.
    pub time_s: f64,
    /// Whether it is kept throughout.
    pub kept: bool,
    /// The same as numbers, of wishes in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<WishNumber>,
}

impl ConstraintRow {
    /// One line for people.
    pub fn words(&self) -> String {
        let Self { what, found, .. } = self;
        format!(
            "{what} not kept: {found} at {:.1} s, asked for was {}",
            self.time_s, self.asked
        )
    }
}

/// What a motion is measured on.
struct Measured<'a> {
    motion: &'a Motion,
    options: &'a PathOptions,
    roots: Vec<DVec2>,
}

impl Measured<'_> {
    fn seconds(&self, frame: usize) -> f64 {
        frame as f64 / self.motion.clip.rate_hz()
    }

    /// The frame at which something is largest, and how large it is there.
    fn worst(&self, of: impl Fn(usize, DVec2) -> f64) -> (usize, f64) {
        let all = self.roots.iter().enumerate().map(|(f, &p)| (f, of(f, p)));
        all.fold((0, f64::NEG_INFINITY), |a, b| if b.1 > a.1 { b } else { a })
    }

    fn row(
        &self,
        what: &'static str,
        asked: String,
        found: String,
        at: usize,
        kept: bool,
    ) -> ConstraintRow {
        ConstraintRow {
            what,
            asked,
            found,
            time_s: self.seconds(at),
            kept,
            number: None,
        }
    }

    /// A wish that is kept where what was found is near enough to what was asked for.
    fn wish(
        &self,
        what: &'static str,
        asked: String,
        found: String,
        at: usize,
        number: WishNumber,
    ) -> ConstraintRow {
        ConstraintRow {
            number: Some(number),
            ..self.row(what, asked, found, at, number.kept())
        }
    }

    fn start(&self, path: Option<&Path>) -> Option<ConstraintRow> {
        let first = *self.roots.first()?;
        Some(match self.options.start {
            Start::At { x, z, heading } => {
                let away = first.distance(DVec2::new(x, z));
                let faces = facing(&self.motion.clip)
                    .first()
                    .copied()
                    .unwrap_or(heading);
                let aside = wrap_angle(faces - heading).abs().to_degrees();
                let asked = format!("({x:.2}, {z:.2}) facing {:.0}°", heading.to_degrees());
                let found = format!("{away:.2} m away, {aside:.0}° aside");
                let kept = away <= START_M && aside <= START_DEG;
                self.row("start", asked, found, 0, kept)
            }
            Start::Best => {
                let away = first.distance(path?.at(0.0));
                let most = self.options.off_path_m;
                let asked = format!("within {most:.2} m of the path's start");
                self.row("start", asked, format!("{away:.2} m away"), 0, away <= most)
            }
        })
    }

    fn end(&self, path: &Path) -> Option<ConstraintRow> {
        let (at, last) = (self.roots.len().checked_sub(1)?, *self.roots.last()?);
        let away = last.distance(path.at(path.length()));
        let most = self.options.off_path_m;
        let asked = format!("within {most:.2} m of the path's end");
        Some(self.row("end", asked, format!("{away:.2} m away"), at, away <= most))
    }

    fn corridor(&self, path: &Path) -> Option<ConstraintRow> {
        let width = self.options.corridor_m?;
        let (at, away) = self.worst(|_, p| path.distance(p));
        let asked = format!("nowhere further than {width:.2} m from the path");
        Some(self.row(
            "corridor",
            asked,
            format!("{away:.2} m away"),
            at,
            away <= width,
        ))
    }

    fn obstacles(&self) -> Vec<ConstraintRow> {
        let body = self.options.body_radius_m;
        let solid = Solid::new(&self.options.obstacles);
        let one = |(k, o): (usize, &crate::path::Obstacle)| {
            let (at, inside) = self.worst(|_, p| body - solid.distance(k, p));
            let middle = o.middle();
            let asked = format!(
                "{body:.2} m from obstacle {k} at ({:.2}, {:.2})",
                middle.x, middle.y
            );
            let found = format!("{:.2} m away", body - inside);
            self.row("obstacle", asked, found, at, inside <= 0.0)
        };
        self.options.obstacles.iter().enumerate().map(one).collect()
    }

    /// Others on the move, at the working frames of their clock.
    fn others(&self, working_hz: f64) -> Option<ConstraintRow> {
        let o = self.options;
        if o.moving_obstacles.is_empty() {
            return None;
        }
        let clock = |f: usize| (self.seconds(f) * working_hz).round() as u32 + o.clock_frame;
        let into = |f: usize, p: DVec2| {
            let near = o.moving_obstacles.iter().filter_map(|m| {
                let q = DVec2::from_array(m.at(clock(f))?);
                Some(o.body_radius_m + m.radius_m - p.distance(q))
            });
            near.fold(f64::NEG_INFINITY, f64::max)
        };
        let (at, inside) = self.worst(into);
        if inside == f64::NEG_INFINITY {
            return None;
        }
        let asked = "bodies apart from everybody else's".to_owned();
        let found = format!("{:.2} m between bodies", -inside);
        // A working frame of two who meet is a few centimetres.
        Some(self.row("others", asked, found, at, inside <= o.margin_m))
    }

    /// Styles over stretches: which of their frames carry the label.
    fn styles(
        &self,
        graph: &MotionGraph,
        styles: &Styles,
        places: &[f64],
        length: f64,
    ) -> Vec<ConstraintRow> {
        let spans = self.motion.clip.labels().spans();
        let acts = |s: f64| styles.actions.iter().any(|a| (s - a.at).abs() < APPROACH_M);
        let mut out = Vec::new();
        for piece in styles.pieces.iter().filter(|p| p.action.is_none()) {
            let Some(label) = piece.label else { continue };
            let name = graph.labels().name(label);
            let from = if piece.from > 0.0 {
                piece.from + AFTER_M
            } else {
                0.0
            };
            let to = if piece.to < length {
                piece.to - BEFORE_M
            } else {
                length
            };
            // What has no label has no span either.
            let carries = |f: usize| {
                let mut here = spans.iter().filter(|s| (s.start..s.end).contains(&f));
                match name == UNLABELLED {
                    true => here.all(|s| is_mark(&s.label)),
                    false => here.any(|s| s.label == name),
                }
            };
            let (mut inside, mut without, mut first) = (0_usize, 0_usize, None);
            for (f, &s) in places.iter().enumerate() {
                if (from..=to).contains(&s) && !acts(s) {
                    inside += 1;
                    if !carries(f) {
                        without += 1;
                        first = first.or(Some(f));
                    }
                }
            }
            let rate = self.motion.clip.rate_hz();
            let asked = format!("{name} from {:.1} to {:.1} m", piece.from, piece.to);
            let found = format!("{:.1} s of something else", without as f64 / rate);
            // A tenth of a second at a border is no other style.
            let kept = without as f64 <= 0.1 * rate;
            if inside > 0 {
                out.push(self.row("style", asked, found, first.unwrap_or(0), kept));
            }
        }
        out
    }

    /// When it is where, and how fast.
    fn times(&self, schedule: &Schedule, places: &[f64], length: f64) -> Vec<ConstraintRow> {
        let mut out = Vec::new();
        for due in &schedule.due {
            let at = reached(places, due.at_m, length);
            let (asked_s, found_s) = (due.time_s, self.seconds(at));
            let number = WishNumber {
                asked: asked_s,
                found: found_s,
                within: TIME_S.max(TIME_PART * asked_s),
                unit: "s",
                from_m: 0.0,
                to_m: due.at_m,
            };
            let (what, asked) = match is_end(due.at_m, length) {
                true => ("duration", format!("{asked_s:.2} s")),
                false => (
                    "arrival",
                    format!("at {:.2} m after {asked_s:.2} s", due.at_m),
                ),
            };
            let off = match found_s > asked_s {
                true => "late",
                false => "early",
            };
            let found = format!("{found_s:.2} s, {:.2} s {off}", (found_s - asked_s).abs());
            out.push(self.wish(what, asked, found, at, number));
        }
        let rate = self.motion.clip.rate_hz();
        for pace in &schedule.paces {
            let frames = frames_of(pace, places, length);
            let Some(m_s) = mean_speed(places, &frames, rate) else {
                continue;
            };
            let asked = format!(
                "{:.2} m/s from {:.1} to {:.1} m",
                pace.m_s, pace.from_m, pace.to_m
            );
            let found = format!("{m_s:.2} m/s on average");
            let number = WishNumber {
                asked: pace.m_s,
                found: m_s,
                within: SPEED_M_S.max(SPEED_PART * pace.m_s),
                unit: "m/s",
                from_m: pace.from_m,
                to_m: pace.to_m,
            };
            out.push(self.wish("speed", asked, found, frames.start, number));
        }
        out
    }

    fn forbidden(&self, graph: &MotionGraph) -> Vec<ConstraintRow> {
        let one = |name: &String| {
            let clip = graph.find_clip(name)?;
            let played = self.motion.origin.iter().position(|o| o.clip == clip);
            let found = if played.is_some() {
                "played"
            } else {
                "not played"
            };
            let asked = format!("nothing of {name}");
            let at = played.unwrap_or(0);
            Some(self.row("forbid", asked, found.to_owned(), at, played.is_none()))
        };
        self.options.forbid.iter().filter_map(one).collect()
    }
}

/// Everything asked for along a path, or where none is given on the way to a place, measured on the motion. `arrives`: it is to end where the path
/// does.
pub(crate) fn constraint_rows(
    graph: &MotionGraph,
    path: Option<&Path>,
    options: &PathOptions,
    motion: &Motion,
    arrives: bool,
) -> Vec<ConstraintRow> {
    let ground = |p: &glam::DVec3| DVec2::new(p.x, p.z);
    let measured = Measured {
        motion,
        options,
        roots: motion.clip.root().iter().map(ground).collect(),
    };
    let mut rows = Vec::new();
    rows.extend(measured.start(path));
    if let Some(path) = path {
        rows.extend(measured.end(path).filter(|_| arrives));
        rows.extend(measured.corridor(path));
        if let Ok((followed, styles)) = on_the_way(graph, path, options) {
            let places = places_along(&motion.clip, &followed);
            rows.extend(measured.styles(graph, &styles, &places, followed.length()));
            if let Some(schedule) = &styles.schedule {
                rows.extend(measured.times(schedule, &places, followed.length()));
            }
        }
    }
    rows.extend(measured.obstacles());
    rows.extend(measured.others(graph.working_rate_hz()));
    rows.extend(measured.forbidden(graph));
    rows
}
