//! Two clips against each other: the grid, its minima, and why each is a transition or not.

use axum::Json;
use axum::extract::State;
use gaitway_graph::{CandidateId, ClipId, EndCandidateId, LostReason, Verdict};
use gaitway_metric::{Candidate, EndCandidate, PointCloud, candidates_between, distance_grid};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::meeting::usual_kind;
use super::{Binary, Shared, heavy};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{IDS, Params, is_id};
use crate::state::{GraphState, Studio};
use crate::wire::gwmo::KindJson;
use crate::wire::heatmap;

/// The most pairs of frames one picture is worked out from: half a gigabyte of numbers. Of longer clips not every frame is
/// compared.
const MOST_PAIRS: u64 = 1 << 27;

/// Two clips.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Pair {
    /// Rows.
    a: String,
    /// Columns.
    b: String,
}

/// Two clips, and how fine.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HeatmapParams {
    /// Rows.
    a: String,
    /// Columns.
    b: String,
    /// The most cells a side, 768 unless given, at most 4096.
    max: Option<usize>,
}

fn check_ids(a: &str, b: &str) -> ApiResult<()> {
    for (field, id) in [("a", a), ("b", b)] {
        if !is_id(id) {
            return Err(ApiError::bad("an id has only a to z, 0 to 9 and -")
                .hint(IDS)
                .field(field));
        }
    }
    Ok(())
}

/// Both clips as clouds, under the graph's options where there is a graph.
fn clouds(
    studio: &Studio,
    a: &str,
    b: &str,
) -> ApiResult<(PointCloud, Option<PointCloud>, gaitway_graph::BuildOptions)> {
    let options = match studio.read().graph.as_ref() {
        Some(state) => state.graph.options().clone(),
        None => Default::default(),
    };
    let first = studio.loaded(a)?;
    let second = if a == b {
        None
    } else {
        Some(studio.loaded(b)?)
    };
    if let Some(second) = &second {
        let differences = gaitway_core::clip_set::body_differences(&first.clip, &second.clip);
        if let Some(one) = differences.first() {
            return Err(ApiError::unprocessable(format!(
                "the clips have different skeletons: {one}"
            ))
            .hint(
                "only clips of one body can be compared; a graph is made of those of one skeleton",
            ));
        }
    }
    let cloud =
        |clip: &gaitway_core::Clip| PointCloud::from_clip(clip, &options.markers, options.fps);
    let one = cloud(&first.clip)?;
    let two = second.map(|s| cloud(&s.clip)).transpose()?;
    Ok((one, two, options))
}

/// How many pairs of frames there are; of a clip against itself too.
fn pairs(a: &PointCloud, b: Option<&PointCloud>) -> u64 {
    a.frame_count() as u64 * b.unwrap_or(a).frame_count() as u64
}

/// √D between all frames of two clips as GWHM. Of clips too long for that, between every n-th frame, and the answer says so.
#[utoipa::path(get, path = "/api/graph/heatmap", tag = "graph", params(HeatmapParams),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn heatmap(
    State(studio): State<Shared>,
    Params(asked): Params<HeatmapParams>,
) -> ApiResult<Binary> {
    check_ids(&asked.a, &asked.b)?;
    let most = asked.max.unwrap_or(768);
    if !(1..=4096).contains(&most) {
        return Err(ApiError::bad("expected 1 to 4096 cells")
            .field("max")
            .hint("a cell stands for several frames where there are more; 768 fills a screen"));
    }
    heavy(&studio, move |studio| {
        let (a, b, options) = clouds(studio, &asked.a, &asked.b)?;
        let every = heatmap::every(pairs(&a, b.as_ref()), MOST_PAIRS);
        let (a, b) = match every {
            1 => (a, b),
            n => (a.thinned(n), b.map(|b| b.thinned(n))),
        };
        let grid = distance_grid(&a, b.as_ref().unwrap_or(&a), &options.metric)?;
        Ok(Binary(heatmap::encode(&grid, options.fps, every, most)))
    })
    .await
}

/// What became of a minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MinimumState {
    /// A transition of the graph.
    In,
    /// Above threshold, or kept out by a rule.
    Out,
    /// Below threshold, but pruned.
    Pruned,
}

/// A place where two clips look alike.
#[derive(Debug, Serialize, ToSchema)]
pub struct MinimumView {
    /// Working frame of a.
    i: u32,
    /// Working frame of b.
    j: u32,
    /// Blend, or cut: near the ends of clips, from a to b only; everywhere where the graph was built so.
    kind: KindJson,
    /// How long it lasts, or would.
    seconds: f64,
    distance_cm: f64,
    /// Carries b onto a.
    theta_rad: f64,
    x0_m: f64,
    z0_m: f64,
    state: MinimumState,
    /// In words.
    why: String,
}

/// The minima of two clips.
#[derive(Debug, Serialize, ToSchema)]
pub struct Minima {
    /// Working rate.
    rate_hz: f64,
    /// Nearest first.
    minima: Vec<MinimumView>,
}

/// The minima between two clips, and what became of each; with them the cuts near their ends, from the first to the second.
#[utoipa::path(get, path = "/api/graph/minima", tag = "graph", params(Pair),
    responses((status = 200, body = Minima), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn minima(
    State(studio): State<Shared>,
    Params(asked): Params<Pair>,
) -> ApiResult<Json<Minima>> {
    check_ids(&asked.a, &asked.b)?;
    heavy(&studio, move |studio| {
        let state = studio.read().graph.clone();
        let known = state
            .as_ref()
            .and_then(|s| Some((s.find(&asked.a)?, s.find(&asked.b)?)));
        let mut out = match (&state, known) {
            (Some(state), Some((a, b))) => known_minima(state, a, b)?,
            _ => fresh_minima(studio, &asked)?,
        };
        out.minima.sort_by(|p, q| {
            p.distance_cm
                .total_cmp(&q.distance_cm)
                .then((p.i, p.j).cmp(&(q.i, q.j)))
        });
        Ok(Json(out))
    })
    .await
}

/// Minima of clips that are not in the graph.
fn fresh_minima(studio: &Studio, asked: &Pair) -> ApiResult<Minima> {
    let (a, b, options) = clouds(studio, &asked.a, &asked.b)?;
    if pairs(&a, b.as_ref()) > MOST_PAIRS {
        return Err(ApiError::unprocessable(
            "these clips are too long to find their minima while you wait",
        )
        .hint("build the graph with them: what it finds is kept"));
    }
    let found = candidates_between(&a, b.as_ref().unwrap_or(&a), &options.metric)?;
    let kind = usual_kind(options.transitions);
    let seconds = match kind {
        KindJson::Blend => options.metric.window_s,
        KindJson::Cut => options.fade_s,
    };
    let view = |c: &Candidate| {
        let why = "not in the graph yet: build it again".to_owned();
        of_candidate(c, (kind, seconds), MinimumState::Out, why)
    };
    Ok(Minima {
        rate_hz: options.fps,
        minima: found.candidates.iter().map(view).collect(),
    })
}

fn of_candidate(
    c: &Candidate,
    (kind, seconds): (KindJson, f64),
    state: MinimumState,
    why: String,
) -> MinimumView {
    MinimumView {
        i: c.i,
        j: c.j,
        kind,
        seconds,
        distance_cm: c.distance_cm(),
        theta_rad: c.theta,
        x0_m: c.x0,
        z0_m: c.z0,
        state,
        why,
    }
}

/// Candidates between two clips of the graph, seen from the first: the candidate, turned where needed, and its id.
pub fn candidates(state: &GraphState, a: ClipId, b: ClipId) -> Vec<(Candidate, CandidateId, bool)> {
    let (low, high, turned) = if a <= b { (a, b, false) } else { (b, a, true) };
    let table = state.graph.candidates();
    let group = table.groups().find(|g| (g.a, g.b) == (low, high));
    let ids = group
        .into_iter()
        .flat_map(|g| (g.start..g.end).map(CandidateId));
    ids.map(|id| {
        let c = table.get(id);
        (if turned { c.reversed() } else { c }, id, turned)
    })
    .collect()
}

/// Candidates for cuts near the ends of two clips, from the first to the second.
pub fn end_candidates(
    state: &GraphState,
    from: ClipId,
    to: ClipId,
) -> impl Iterator<Item = (EndCandidateId, EndCandidate)> {
    let table = state.graph.end_candidates();
    let group = table.groups().find(|g| (g.a, g.b) == (from, to));
    let ids = group
        .into_iter()
        .flat_map(|g| (g.start..g.end).map(EndCandidateId));
    ids.map(|id| (id, table.get(id)))
}

fn known_minima(state: &GraphState, a: ClipId, b: ClipId) -> ApiResult<Minima> {
    let mut minima = Vec::new();
    for (c, id, turned) in candidates(state, a, b) {
        let (what, why) = judge(state, (a, c.i), (b, c.j), id, turned)?;
        let (kind, frames) = state.graph.transition_kind_at(b, c.j)?;
        let lasts = (
            kind.into(),
            f64::from(frames) / state.graph.working_rate_hz(),
        );
        minima.push(of_candidate(&c, lasts, what, why));
    }
    for (id, c) in end_candidates(state, a, b) {
        let (what, why) = judge_end(state, id)?;
        let frames = state.graph.end_transition(id)?.frames;
        minima.push(MinimumView {
            i: c.i,
            j: c.j,
            kind: KindJson::Cut,
            seconds: f64::from(frames) / state.graph.working_rate_hz(),
            distance_cm: c.distance_cm(),
            theta_rad: c.theta,
            x0_m: c.x0,
            z0_m: c.z0,
            state: what,
            why,
        });
    }
    Ok(Minima {
        rate_hz: state.graph.working_rate_hz(),
        minima,
    })
}

/// What became of a candidate, seen from one clip to the other.
pub fn judge(
    state: &GraphState,
    from: (ClipId, u32),
    to: (ClipId, u32),
    id: CandidateId,
    turned: bool,
) -> ApiResult<(MinimumState, String)> {
    let verdicts = state.verdicts()?;
    let (mut there, mut back) = (verdicts.forward(id), verdicts.back(id));
    if turned {
        std::mem::swap(&mut there, &mut back);
    }
    let is_in = |v: Verdict| matches!(v, Verdict::In(_));
    let not = |v: Verdict, from, to| words(state, v, from, to);
    Ok(match (is_in(there), is_in(back)) {
        (true, true) => (MinimumState::In, "a transition, both ways".to_owned()),
        (true, false) => (
            MinimumState::In,
            format!("a transition; not back: {}", not(back, to, from)),
        ),
        (false, true) => (
            MinimumState::In,
            format!(
                "a transition, but only the other way round; this way: {}",
                not(there, from, to)
            ),
        ),
        (false, false) => {
            let pruned = |v: Verdict| matches!(v, Verdict::Pruned(_));
            let what = if pruned(there) || pruned(back) {
                MinimumState::Pruned
            } else {
                MinimumState::Out
            };
            let (one, other) = (not(there, from, to), not(back, to, from));
            let why = if one == other {
                one
            } else {
                format!("{one}; back: {other}")
            };
            (what, why)
        }
    })
}

/// What became of a candidate for a cut near an end.
pub fn judge_end(state: &GraphState, id: EndCandidateId) -> ApiResult<(MinimumState, String)> {
    let (graph, verdict) = (&state.graph, state.verdicts()?.end(id));
    let (group, c) = (
        graph.end_candidates().group_of(id),
        graph.end_candidates().get(id),
    );
    let whole = 2 * graph.half_window() + 1;
    let mut why = words(state, verdict, (group.a, c.i), (group.b, c.j));
    let what = match verdict {
        Verdict::In(_) => {
            why = "a cut, this way only".to_owned();
            MinimumState::In
        }
        Verdict::Pruned(_) => MinimumState::Pruned,
        Verdict::Above { .. } => {
            if c.frames < whole {
                why += &format!(
                    ", which is stricter here: near an end only {} of {whole} frames could be compared",
                    c.frames
                );
            }
            MinimumState::Out
        }
        Verdict::Contacts | Verdict::Fast | Verdict::Thinned => MinimumState::Out,
    };
    Ok((what, why))
}

/// Why a candidate is no transition, in words.
fn words(state: &GraphState, verdict: Verdict, from: (ClipId, u32), to: (ClipId, u32)) -> String {
    match verdict {
        Verdict::In(_) => "a transition".to_owned(),
        Verdict::Above { threshold_cm } => {
            let (a, b) = (label_names(state, from), label_names(state, to));
            format!("above the threshold of {threshold_cm:.2} cm for {a} → {b}")
        }
        Verdict::Contacts => "the contact rule keeps it out".to_owned(),
        Verdict::Fast => {
            "a cut here would turn a joint faster, or jerk it harder, than the clips do".to_owned()
        }
        Verdict::Thinned => {
            format!(
                "a better one lies within {} s",
                state.graph.options().thin_s
            )
        }
        Verdict::Pruned(reason) => {
            let why = match reason {
                LostReason::DeadEnd | LostReason::Border => "it leads to a dead end",
                LostReason::Sink => "it leads where there is no way back",
                LostReason::NoEntry => "nothing leads to it",
                LostReason::Island => "it joins motion that is cut off from what is kept",
                LostReason::Far => "it lies only on ways longer than a bridge may be",
                LostReason::Short | LostReason::NoCandidate => "its clip is lost",
            };
            format!("pruned: {why}")
        }
    }
}

/// The labels of a frame, joined.
pub fn label_names(state: &GraphState, (clip, frame): (ClipId, u32)) -> String {
    let set = state.graph.clip_info(clip).labels_at(frame);
    state.graph.labels().names_of(set).join("+")
}
