//! What would bring lost motion back, tried out before it is told.
//!
//! A candidate near a lost stretch promises nothing: its transition may lead from a dead end to a dead end, or be thinned away.
//! So the graph is cut again from its candidates with its thresholds raised to a row of values as `--at-least` does it, and the least
//! is told at which the stretch is kept and nothing else is lost: no second of another clip, no second in which a label goes on
//! within itself, no way from a label to another. (One value for all labels would also lower some, and what it
//! brings back here it takes elsewhere.) Where no value does that, the least that keeps the stretch is told with what it costs.
//! Cost: a cut per value tried, at most [`MOST_VALUES`], another for each that is told, and none where nothing is lost.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::account::kept::{component_seconds, kept_frames};
use crate::account::{LostReason, Reconnect, stretches};
use crate::build::auto::reached_labels;
use crate::build::draft::Draft;
use crate::build::end_cuts::least_fade;
use crate::build::select::Material;
use crate::build::thresholds::ThresholdMatrix;
use crate::{BuildOptions, ClipId, LabelId, LabelSet, MotionGraph};

/// Thresholds that are tried at most.
const MOST_VALUES: usize = 48;
/// Steps between thresholds that are tried beside those of candidates, cm.
const STEP_CM: f64 = 0.5;
/// Bridges that are tried, seconds.
const BRIDGES_S: [f64; 4] = [20.0, 40.0, 80.0, 160.0];
/// Of what the ceiling would bring back of a row, the part that a lower threshold must.
const MOST_OF_IT: f64 = 0.9;

/// What can be done about a row of lost motion. Thresholds and bridges were tried on the graph's own candidates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "try", rename_all = "kebab-case")]
pub enum Remedy {
    /// No threshold lower than this: `build --rethreshold G.gway --at-least CM`.
    AtLeast {
        /// Centimetres.
        cm: f64,
        /// Seconds of the row that are kept then.
        seconds: f64,
        /// What is lost elsewhere; empty where nothing is.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        costs: Vec<RemedyCost>,
    },
    /// Longer ways between components: `build --rethreshold G.gway --bridge S`.
    Bridge {
        /// The longest way, in seconds.
        bridge_s: f64,
        /// Seconds of the row that are kept then.
        seconds: f64,
    },
    /// No threshold up to the ceiling brings it back. Whether one above would can only be told by building from the clips with a
    /// higher `--ceiling`.
    Ceiling {
        /// The graph's ceiling, centimetres.
        cm: f64,
    },
    /// The clip is too short: it must have more than so many seconds.
    Longer {
        /// Seconds.
        than_s: f64,
    },
    /// Blends cannot reach it: `build --transitions auto` can.
    ReachEnds,
}

/// What a remedy takes away elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RemedyCost {
    /// The clip or label, in words.
    pub what: String,
    /// Seconds fewer; 0 where it is a way from one label to another.
    pub seconds: f64,
}

/// A row as it is looked for in other graphs.
pub(crate) struct Row {
    pub clip: ClipId,
    pub reason: LostReason,
    /// Boundaries around each lost stretch.
    pub stretches: Vec<(u32, u32)>,
}

/// What a graph cut otherwise keeps.
struct Trial {
    /// Source frames per clip.
    kept: Vec<usize>,
    stretches: Vec<Vec<(u32, u32)>>,
}

/// Tries things out on one graph.
struct Trials<'a> {
    graph: &'a MotionGraph,
    material: &'a Material<'a>,
    now: Vec<usize>,
    /// By threshold in tenths of a centimetre.
    tried: BTreeMap<u64, Option<Trial>>,
    /// What else is lost then.
    costs: BTreeMap<u64, Vec<RemedyCost>>,
    draft: &'a Draft,
}

/// For every row, what can be done about it.
pub(crate) fn remedies(
    graph: &MotionGraph,
    material: &Material<'_>,
    draft: &Draft,
    rows: &[Row],
    reconnect: &[Vec<Reconnect>],
) -> Vec<Option<Remedy>> {
    let ceiling = graph.options.metric.ceiling_cm;
    let mut trials = Trials {
        graph,
        material,
        now: kept_frames(material, draft),
        tried: BTreeMap::new(),
        costs: BTreeMap::new(),
        draft,
    };
    let values = values(graph, ceiling, reconnect);
    let one = |row: &Row| match row.reason {
        LostReason::Short => {
            let frames = match material.transitions.reach_ends() {
                true => least_fade(graph.options.fps) + 1,
                false => 2 * material.half + 1,
            };
            Some(Remedy::Longer {
                than_s: f64::from(frames) / graph.options.fps,
            })
        }
        LostReason::Border => Some(Remedy::ReachEnds),
        _ => trials.remedy(row, &values, ceiling),
    };
    rows.iter().map(one).collect()
}

/// The thresholds that are tried: what candidates near lost motion would need, and steps up to the ceiling; in tenths of a
/// centimetre, as they are told.
fn values(graph: &MotionGraph, ceiling: f64, reconnect: &[Vec<Reconnect>]) -> Vec<u64> {
    let least = graph.thresholds.pairs().map(|p| p.2);
    let least = least.fold(graph.thresholds.default_cm, f64::min);
    let tenths = |cm: f64| (cm * 10.0 - 1e-9).ceil().max(0.0) as u64;
    let last = (ceiling * 10.0 + 1e-9).floor() as u64;
    let mut near: Vec<u64> = reconnect
        .iter()
        .flatten()
        .map(|r| tenths(r.distance_cm))
        .collect();
    near.sort_unstable();
    near.dedup();
    near.retain(|&t| t <= last);
    let steps = (((ceiling - least) / STEP_CM).floor().max(0.0) as usize).min(MOST_VALUES / 2);
    let step = (ceiling - least) / steps.max(1) as f64;
    let mut all: Vec<u64> = (1..steps)
        .map(|k| tenths(least + step * k as f64))
        .collect();
    // Where there are more than can be tried, every so many: what is told is then a little more than the least.
    let every = near.len().div_ceil(MOST_VALUES / 2).max(1);
    all.extend(near.iter().step_by(every));
    all.push(last);
    all.sort_unstable();
    all.dedup();
    all.retain(|&t| t <= last);
    all
}

impl Trials<'_> {
    fn remedy(&mut self, row: &Row, values: &[u64], ceiling: f64) -> Option<Remedy> {
        if row.reason == LostReason::Far
            && let Some(found) = self.bridge(row)
        {
            return Some(found);
        }
        let most = self.back(row, *values.last()?);
        if most <= 0.0 {
            return Some(Remedy::Ceiling { cm: ceiling });
        }
        let mut first = None;
        for &tenths in values {
            let seconds = self.back(row, tenths);
            if seconds < MOST_OF_IT * most {
                continue;
            }
            let costs = self.costs_at(tenths);
            let found = Remedy::AtLeast {
                cm: tenths as f64 / 10.0,
                seconds,
                costs: costs.clone(),
            };
            if costs.is_empty() {
                return Some(found);
            }
            first.get_or_insert(found);
        }
        first
    }

    /// Seconds of a row that are kept with no threshold below a value; nothing where less is kept in all.
    fn back(&mut self, row: &Row, tenths: u64) -> f64 {
        if !self.tried.contains_key(&tenths) {
            let matrix = self.graph.thresholds.at_least(tenths as f64 / 10.0);
            let trial = self.cut(&matrix, &self.graph.options);
            self.tried.insert(tenths, trial);
        }
        let trial = self.tried.get(&tenths).and_then(Option::as_ref);
        trial.map_or(0.0, |t| self.seconds(row, t))
    }

    /// What is lost elsewhere with no threshold below a value.
    fn costs_at(&mut self, tenths: u64) -> &Vec<RemedyCost> {
        let (graph, material, now) = (self.graph, self.material, self.draft);
        let kept_now = &self.now;
        self.costs.entry(tenths).or_insert_with(|| {
            let matrix = graph.thresholds.at_least(tenths as f64 / 10.0);
            // What cannot be cut was not kept and is not asked about.
            let Ok(then) = Draft::new(material, &matrix, &graph.options, &graph.labels) else {
                return Vec::new();
            };
            costs(graph, material, (kept_now, now), &then)
        })
    }

    fn bridge(&self, row: &Row) -> Option<Remedy> {
        let own = self.graph.options.bridge_s;
        BRIDGES_S.into_iter().filter(|&s| s > own).find_map(|s| {
            let options = BuildOptions {
                bridge_s: s,
                ..self.graph.options.clone()
            };
            let trial = self.cut(&self.graph.thresholds, &options)?;
            let seconds = self.seconds(row, &trial);
            (seconds > 0.0).then_some(Remedy::Bridge {
                bridge_s: s,
                seconds,
            })
        })
    }

    fn cut(&self, matrix: &ThresholdMatrix, options: &BuildOptions) -> Option<Trial> {
        let draft = Draft::new(self.material, matrix, options, &self.graph.labels).ok()?;
        let kept = kept_frames(self.material, &draft);
        let frames = |kept: &[usize]| kept.iter().sum::<usize>();
        (frames(&kept) >= frames(&self.now)).then(|| Trial {
            kept,
            stretches: stretches(&draft, |e| draft.pruned.keep[e]),
        })
    }

    /// Seconds of a row that are kept: never more than its clip gained.
    fn seconds(&self, row: &Row, trial: &Trial) -> f64 {
        let clip = row.clip.index();
        let info = &self.material.clips[clip];
        let Some(kept) = trial.stretches.get(clip) else {
            return 0.0;
        };
        let common = |a: (u32, u32), b: (u32, u32)| {
            let (from, to) = (a.0.max(b.0), a.1.min(b.1));
            match from < to {
                true => info.source_boundary(to) - info.source_boundary(from),
                false => 0,
            }
        };
        let pairs = row
            .stretches
            .iter()
            .flat_map(|&s| kept.iter().map(move |&k| (s, k)));
        let frames: usize = pairs.map(|(s, k)| common(s, k)).sum();
        let gained = trial.kept[clip].saturating_sub(self.now[clip]);
        frames.min(gained) as f64 / info.rate_hz
    }
}

/// Seconds below which a difference is rounding: less than a frame.
const ROUNDING_S: f64 = 1e-6;

/// What a graph has that the same graph cut otherwise has not.
fn costs(
    graph: &MotionGraph,
    material: &Material<'_>,
    (kept_now, now): (&[usize], &Draft),
    then: &Draft,
) -> Vec<RemedyCost> {
    let mut out = Vec::new();
    let kept = kept_frames(material, then);
    for ((info, &had), &has) in material.clips.iter().zip(kept_now).zip(&kept) {
        if has < had {
            out.push(RemedyCost {
                what: info.name.clone(),
                seconds: (had - has) as f64 / info.rate_hz,
            });
        }
    }
    for l in graph.labels.ids() {
        let name = |l: LabelId| graph.labels.name(l);
        let within = |draft: &Draft| component_seconds(graph, draft, l);
        let fewer = within(now) - within(then);
        if fewer > ROUNDING_S {
            out.push(RemedyCost {
                what: format!("going on within `{}`", name(l)),
                seconds: fewer,
            });
        }
        let lost = LabelSet(reached_labels(now, l) & !reached_labels(then, l));
        out.extend(lost.iter().map(|to| RemedyCost {
            what: format!("the way from `{}` to `{}`", name(l), name(to)),
            seconds: 0.0,
        }));
    }
    out
}
