//! The account: what a graph keeps of its clips, what it loses, why, and what would bring it back.
//!
//! Every second of every clip is either on a kept piece or in one row of `lost`. Why a piece is lost is read off
//! the whole graph, before pruning, by what it can reach and what reaches it:
//!
//! | reason | the piece |
//! | --- | --- |
//! | `short` | belongs to a clip too short for any transition |
//! | `no-candidate` | belongs to a clip that no transition below threshold touches |
//! | `border` | lies within a window of its clip's start or end, which blends cannot reach (with `--transitions blend`) |
//! | `no-entry` | leads to kept motion, but nothing leads to it |
//! | `dead-end` | can be entered, but leads nowhere |
//! | `sink` | can be entered and loops, but never leads back |
//! | `island` | loops or lies between loops that have no way to or from what is kept |
//! | `far` | lies only on bridges longer than the limit |
//!
//! Seconds are counted in whole source frames, so kept and lost add up to what went in.

pub mod events;
pub mod inspect;
mod interpolated;
mod kept;
pub(crate) mod reconnect;
mod remedy;
pub(crate) mod warning;

use std::collections::BTreeMap;

use serde::Serialize;

pub use self::interpolated::{Between, InterpolatedAccount};
use self::kept::{component_seconds, gaps, label_seconds};
pub(crate) use self::kept::{kept_frames, stretches};
pub use self::remedy::{Remedy, RemedyCost};
use self::remedy::{Row, remedies};
use crate::account::reconnect::{Wanted, cheapest};
use crate::build::draft::Draft;
use crate::build::label_index::LabelIndex;
use crate::build::prune::{Direction, incoming};
use crate::build::select::Material;
use crate::model::topology::kind;
use crate::{ClipId, GraphError, GraphWarning, LabelId, MotionGraph};

/// Why clip frames are not in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LostReason {
    /// The clip is too short for any transition.
    Short,
    /// No transition below threshold touches the clip.
    NoCandidate,
    /// Too near to the clip's start or end for a blend.
    Border,
    /// Nothing leads here.
    NoEntry,
    /// Leads nowhere.
    DeadEnd,
    /// Loops, but never leads back.
    Sink,
    /// Loops by itself, cut off from what is kept.
    Island,
    /// Only on bridges that are too long.
    Far,
}

impl LostReason {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::NoCandidate => "no-candidate",
            Self::Border => "border",
            Self::NoEntry => "no-entry",
            Self::DeadEnd => "dead-end",
            Self::Sink => "sink",
            Self::Island => "island",
            Self::Far => "far",
        }
    }
}

/// A candidate above threshold that would bring something back.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reconnect {
    /// The clip at the other end.
    pub clip: String,
    /// Middle of the transition in the clip it would leave, in seconds.
    pub from_s: f64,
    /// Middle of the transition in the clip it would enter, in seconds.
    pub to_s: f64,
    /// √D in centimetres.
    pub distance_cm: f64,
    /// `out`: from the lost clip to `clip`; `in`: from `clip` to the lost clip.
    pub direction: &'static str,
}

/// Seconds of one clip lost for one reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lost {
    /// The clip.
    pub clip: String,
    /// Seconds of its frames.
    pub seconds: f64,
    /// Why.
    pub reason: LostReason,
    /// The cheapest candidates above threshold that touch it, best first: where to look, not what is enough.
    pub reconnect: Vec<Reconnect>,
    /// What brings it back; tried, where it is a threshold or a bridge.
    pub remedy: Option<Remedy>,
}

/// One label in figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelAccount {
    /// The label.
    pub label: String,
    /// Seconds of clip frames that carry it.
    pub seconds: f64,
    /// Seconds of clip frames in its largest component: what can be walked without end and without leaving the label.
    pub kept_seconds: f64,
    /// Seconds of its clip frames that are in the graph at all.
    pub graph_seconds: f64,
    /// Components with a loop.
    pub components: u32,
}

/// A threshold in use.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThresholdRow {
    /// Label of the frame left.
    pub from: String,
    /// Label of the frame entered.
    pub to: String,
    /// Centimetres of √D.
    pub cm: f64,
}

/// Seconds spent; those of reading and saving are the caller's to fill in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Timings {
    /// Reading the clips.
    pub read: f64,
    /// Searching for candidates, contacts and resampling included.
    pub candidates: f64,
    /// Thresholds, transitions, pruning and this account.
    pub graph: f64,
    /// Writing the file.
    pub save: f64,
}

/// What became of the clips. Serializes as the fixed fields of `build --report` and `inspect`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    /// Number of clips, interpolated ones left out, here and in all that follows but nodes, edges and transitions.
    pub clips: usize,
    /// Seconds of motion in all.
    pub seconds: f64,
    /// Seconds of clip frames on kept pieces or under a kept cut, each once.
    pub kept_seconds: f64,
    /// Nodes.
    pub nodes: usize,
    /// Edges, pieces and transitions.
    pub edges: usize,
    /// Transitions.
    pub transitions: usize,
    /// Candidates, also those above threshold.
    pub candidates: usize,
    /// Candidates that became transitions; one may serve in both directions.
    pub candidates_used: usize,
    /// Transitions that are cuts near the ends of clips, which have candidates of their own.
    pub end_cuts: usize,
    /// Interpolated clips, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolated: Option<InterpolatedAccount>,
    /// Per label, those that some frame carries.
    pub labels: Vec<LabelAccount>,
    /// A row per clip and reason.
    pub lost: Vec<Lost>,
    /// Where the time went.
    pub timings_s: Timings,
    /// Where no pair of labels matches, in centimetres.
    pub default_threshold_cm: f64,
    /// Thresholds of label pairs.
    pub thresholds: Vec<ThresholdRow>,
    /// What the user should know.
    #[serde(serialize_with = "as_sentences")]
    pub warnings: Vec<GraphWarning>,
}

fn as_sentences<S: serde::Serializer>(warnings: &[GraphWarning], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(
        warnings
            .iter()
            .map(|w| BTreeMap::from([("code", w.code().to_owned()), ("message", w.to_string())])),
    )
}

impl Account {
    /// The account of a graph, worked out anew from its candidates and thresholds. Without times.
    ///
    /// # Errors
    /// When contacts are needed and the file's frames are damaged.
    pub fn of(graph: &MotionGraph) -> Result<Self, GraphError> {
        let index = LabelIndex::new(&graph.library.clips);
        let material = graph.material(&index)?;
        let draft = Draft::new(&material, &graph.thresholds, &graph.options, &graph.labels)?;
        Ok(Self::new(graph, &material, &draft))
    }

    pub(crate) fn new(graph: &MotionGraph, material: &Material<'_>, draft: &Draft) -> Self {
        let kept = kept_frames(material, draft);
        let seconds_of = |frames: &[usize]| {
            frames
                .iter()
                .zip(material.clips)
                .take(graph.captured_count())
                .map(|(&f, c)| f as f64 / c.rate_hz)
                .sum()
        };
        let all: Vec<usize> = material.clips.iter().map(|c| c.frame_count()).collect();
        let name = |l: LabelId| graph.labels.name(l).to_owned();
        let row = |(from, to, cm)| ThresholdRow {
            from: name(from),
            to: name(to),
            cm,
        };
        let mut account = Self {
            clips: graph.captured_count(),
            seconds: seconds_of(&all),
            kept_seconds: seconds_of(&kept),
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            transitions: graph.transition_count(),
            candidates: graph.candidates.len(),
            candidates_used: candidates_used(graph),
            end_cuts: graph
                .edges()
                .filter(|&e| graph.topology.kinds[e.index()] == kind::END_CUT && !graph.is_join(e))
                .count(),
            interpolated: interpolated::interpolated(graph, material, &kept),
            labels: labels_of(graph, draft),
            lost: lost(graph, material, draft),
            timings_s: Timings::default(),
            default_threshold_cm: graph.thresholds.default_cm,
            thresholds: graph.thresholds.pairs().map(row).collect(),
            warnings: Vec::new(),
        };
        account.warnings = warnings(graph, draft, &account.labels);
        account
    }
}

/// How many candidates some transition was made of, cuts near ends left out.
fn candidates_used(graph: &MotionGraph) -> usize {
    let mut used = vec![false; graph.candidates.len()];
    let t = &graph.topology;
    for (&k, &candidate) in t.kinds.iter().zip(t.candidates.iter()) {
        if k != kind::PIECE && k != kind::END_CUT {
            used[candidate as usize] = true;
        }
    }
    used.into_iter().filter(|u| *u).count()
}

fn for_each_piece(draft: &Draft, mut each: impl FnMut(usize, ClipId, u32, u32)) {
    for e in (0..draft.raw.edge_count()).filter(|&e| draft.raw.kinds[e] == kind::PIECE) {
        let [from, to] = draft.raw.ends[e];
        let ([clip, start], [_, end]) =
            (draft.raw.nodes[from as usize], draft.raw.nodes[to as usize]);
        each(e, ClipId(clip), start, end);
    }
}

pub(crate) fn labels_of(graph: &MotionGraph, draft: &Draft) -> Vec<LabelAccount> {
    let mut seconds = vec![0.0; graph.labels.len()];
    let own = graph.captured_count() as u32;
    let captured = |e: usize| draft.raw.nodes[draft.raw.ends[e][0] as usize][0] < own;
    for (e, labels) in draft.raw.labels.iter().enumerate() {
        if captured(e) {
            labels
                .iter()
                .for_each(|l| seconds[l.index()] += draft.seconds[e]);
        }
    }
    let used = graph.labels.ids().filter(|l| seconds[l.index()] > 0.0);
    let has_cuts = draft.raw.kinds.iter().any(|&k| kind::is_cut(k));
    used.map(|l| {
        let component = &draft.pruned.components[l.index()];
        LabelAccount {
            label: graph.labels.name(l).to_owned(),
            seconds: seconds[l.index()],
            kept_seconds: if has_cuts {
                component_seconds(graph, draft, l)
            } else {
                component.seconds
            },
            graph_seconds: label_seconds(graph, draft, l),
            components: component.count,
        }
    })
    .collect()
}

/// What each node can reach and what reaches it, over the whole graph, however long it takes.
pub(crate) struct Reach {
    /// A kept component leads here.
    from_kept: Vec<bool>,
    /// This leads to a kept component.
    to_kept: Vec<bool>,
    /// The node's strongly connected component, over all labels.
    component: Vec<u32>,
}

impl Reach {
    pub(crate) fn new(draft: &Draft) -> Self {
        let raw = &draft.raw;
        let mut scratch = crate::build::scc::SccScratch::default();
        scratch.run(
            &raw.out_starts,
            &raw.ends,
            0..raw.nodes.len() as u32,
            |_| true,
        );
        Self {
            from_kept: reach(draft, Direction::Ahead),
            to_kept: reach(draft, Direction::Back),
            component: scratch.component,
        }
    }
}

fn reach(draft: &Draft, direction: Direction) -> Vec<bool> {
    let raw = &draft.raw;
    let back = direction == Direction::Back;
    let (in_starts, in_edges) = incoming(raw);
    let mut seen: Vec<bool> = draft.pruned.member.iter().map(|&m| m != 0).collect();
    let mut stack: Vec<usize> = (0..seen.len()).filter(|&n| seen[n]).collect();
    while let Some(n) = stack.pop() {
        let mut visit = |to: u32| {
            if !std::mem::replace(&mut seen[to as usize], true) {
                stack.push(to as usize);
            }
        };
        if back {
            let range = in_starts[n] as usize..in_starts[n + 1] as usize;
            in_edges[range]
                .iter()
                .for_each(|&e| visit(raw.ends[e as usize][0]));
        } else {
            (raw.out_starts[n] as usize..raw.out_starts[n + 1] as usize)
                .for_each(|e| visit(raw.ends[e][1]));
        }
    }
    seen
}

/// Rows of lost seconds, by clip, then reason.
fn lost(graph: &MotionGraph, material: &Material<'_>, draft: &Draft) -> Vec<Lost> {
    let reach = Reach::new(draft);
    let mut touched = vec![false; material.clips.len()];
    for (e, ends) in draft.raw.ends.iter().enumerate() {
        if draft.raw.kinds[e] != kind::PIECE {
            ends.iter()
                .for_each(|&n| touched[draft.raw.nodes[n as usize][0] as usize] = true);
        }
    }
    let reaches_ends = material.transitions.reach_ends();
    let window = 2 * material.half + 1;
    // Cuts leave nothing to borders, and take clips that no window fits into.
    let (border, shortest) = match reaches_ends {
        true => (0, crate::build::end_cuts::least_fade(graph.options.fps) + 1),
        false => (window, window),
    };
    let under_cuts = stretches(draft, |e| {
        draft.pruned.keep[e] && kind::is_cut(draft.raw.kinds[e])
    });
    // Frames and stretches between boundaries per clip and reason.
    type Stretches = (usize, Vec<(u32, u32)>);
    let mut rows: BTreeMap<(ClipId, LostReason), Stretches> = BTreeMap::new();
    for_each_piece(draft, |e, clip, start, end| {
        if draft.pruned.keep[e] || graph.is_interpolated(clip) {
            return;
        }
        let info = &material.clips[clip.index()];
        let mut add = |reason, start: u32, end: u32| {
            let frames = info.source_boundary(end) - info.source_boundary(start);
            if frames > 0 {
                let row = rows.entry((clip, reason)).or_default();
                row.0 += frames;
                row.1.push((start, end));
            }
        };
        let reason = if info.working_frames < shortest {
            LostReason::Short
        } else if !touched[clip.index()] {
            LostReason::NoCandidate
        } else {
            reason(draft, &reach, e)
        };
        // What plays under a kept cut is kept, though the piece it belongs to is not.
        for (start, end) in gaps(under_cuts.get(clip.index()), start, end) {
            // No blend enters before boundary 2L + 1 or leaves after boundary W − (2L + 1).
            let (first, last) = (
                border.clamp(start, end),
                info.working_frames.saturating_sub(border).clamp(start, end),
            );
            match reason {
                LostReason::NoEntry => {
                    add(LostReason::Border, start, first);
                    add(reason, first, end);
                }
                LostReason::DeadEnd => {
                    add(reason, start, last);
                    add(LostReason::Border, last, end);
                }
                _ => add(reason, start, end),
            }
        }
    });
    let wanted: Vec<Wanted> = rows
        .iter()
        .map(|(&(clip, reason), (_, stretches))| Wanted {
            clip,
            reason,
            start: stretches.iter().map(|s| s.0).min().unwrap_or(0),
            end: stretches.iter().map(|s| s.1).max().unwrap_or(0),
        })
        .collect();
    let found = cheapest(graph, material, draft, &wanted);
    let (mut frames_of, mut looked_for) = (Vec::new(), Vec::new());
    for ((clip, reason), (frames, stretches)) in rows {
        frames_of.push(frames);
        looked_for.push(Row {
            clip,
            reason,
            stretches,
        });
    }
    let remedies = remedies(graph, material, draft, &looked_for, &found);
    let told = looked_for.into_iter().zip(frames_of);
    told.zip(found.into_iter().zip(remedies))
        .map(|((row, frames), (reconnect, remedy))| {
            let info = &material.clips[row.clip.index()];
            Lost {
                clip: info.name.clone(),
                seconds: frames as f64 / info.rate_hz,
                reason: row.reason,
                reconnect,
                remedy,
            }
        })
        .collect()
}

pub(crate) fn reason(draft: &Draft, reach: &Reach, edge: usize) -> LostReason {
    let [from, to] = draft.raw.ends[edge].map(|n| n as usize);
    let loops = reach.component[from] == reach.component[to];
    match (reach.from_kept[from], reach.to_kept[to]) {
        (true, true) => LostReason::Far,
        (true, false) if loops => LostReason::Sink,
        (true, false) => LostReason::DeadEnd,
        (false, true) => LostReason::NoEntry,
        (false, false) => LostReason::Island,
    }
}

fn warnings(graph: &MotionGraph, draft: &Draft, labels: &[LabelAccount]) -> Vec<GraphWarning> {
    let mut out = Vec::new();
    if draft.raw.kinds.iter().all(|&k| k == kind::PIECE) {
        let best = graph.candidates.distances.iter().copied().reduce(f64::min);
        let cheapest_cm = best.map(|d| d.sqrt() * 100.0);
        return vec![GraphWarning::NoTransitions { cheapest_cm }];
    }
    // Marks hold together as what is done does; whether they do by themselves is nobody's worry.
    for row in labels.iter().filter(|r| !gaitway_core::is_mark(&r.label)) {
        let (label, seconds, kept_seconds) = (row.label.clone(), row.seconds, row.kept_seconds);
        if row.components == 0 {
            out.push(GraphWarning::NoComponent { label, seconds });
        } else if kept_seconds < graph.options.small_component_s {
            out.push(GraphWarning::SmallComponent {
                label,
                kept_seconds,
                seconds,
            });
        }
    }
    out.extend(
        unreachable(graph)
            .into_iter()
            .map(|(a, b)| GraphWarning::Unreachable {
                from: graph.labels.name(a).to_owned(),
                to: graph.labels.name(b).to_owned(),
            }),
    );
    out
}

/// Ordered pairs of labels whose components have no walk between them in the kept graph.
fn unreachable(graph: &MotionGraph) -> Vec<(LabelId, LabelId)> {
    let members = crate::account::inspect::members(graph);
    let members = &members;
    let of = |l: LabelId| (0..members.len()).filter(move |&n| members[n] >> l.0 & 1 == 1);
    let labels: Vec<LabelId> = graph
        .labels
        .ids()
        .filter(|&l| of(l).next().is_some() && !graph.labels.is_mark(l))
        .collect();
    let mut out = Vec::new();
    for &a in &labels {
        let mut seen = vec![false; graph.node_count()];
        let mut stack: Vec<usize> = of(a).collect();
        stack.iter().for_each(|&n| seen[n] = true);
        while let Some(n) = stack.pop() {
            for e in graph.out_edges(crate::NodeId(n as u32)) {
                let to = graph.to(e).index();
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push(to);
                }
            }
        }
        out.extend(
            labels
                .iter()
                .filter(|&&b| b != a && !of(b).any(|n| seen[n]))
                .map(|&b| (a, b)),
        );
    }
    out
}
