//! One transition, in the graph or not: numbers, and motions to look at.

use axum::Json;
use axum::extract::{Path, State};
use gaitway_core::{Clip, Planar, edit};
use gaitway_graph::{ClipId, EdgeId, EdgeKind, TransitionKind};
use gaitway_metric::{PointCloud, naive};
use gaitway_synth::{Blend, PreviewOptions, preview};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::minima::{MinimumState, candidates, judge};
use super::{Binary, Shared, blocking};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Params, is_id};
use crate::state::GraphState;
use crate::wire::gwmo::{self, Extra, TransitionMarkJson};

/// Shown before and after a transition.
const CONTEXT_S: f64 = 1.0;

/// A pair of frames.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct At {
    /// Clip left.
    a: String,
    /// Working frame there.
    i: u32,
    /// Clip entered.
    b: String,
    /// Working frame there.
    j: u32,
}

/// Which motion.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AtPart {
    /// Clip left.
    a: String,
    /// Working frame there.
    i: u32,
    /// Clip entered.
    b: String,
    /// Working frame there.
    j: u32,
    /// from, to or blend.
    part: String,
}

/// What stands at the middle frames.
#[derive(Debug, Serialize, ToSchema)]
pub struct TwoContacts {
    from: Vec<String>,
    to: Vec<String>,
}

/// A transition about two frames.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransitionView {
    distance_cm: f64,
    /// Of the labels it leads from and to.
    threshold_cm: f64,
    state: MinimumState,
    /// In words.
    why: String,
    labels_from: Vec<String>,
    labels_to: Vec<String>,
    /// How long the blend lasts.
    seconds: f64,
    contacts: TwoContacts,
    /// Working frames of the blend.
    frames: u32,
}

/// A pair of frames of the graph, and how one is carried onto the other.
struct Meeting {
    from: (ClipId, u32),
    to: (ClipId, u32),
    before_from_after: Planar,
    distance_cm: f64,
    state: MinimumState,
    why: String,
}

fn meeting(state: &GraphState, a: &str, i: u32, b: &str, j: u32) -> ApiResult<Meeting> {
    let clip = |field: &str, id: &str, frame: u32| {
        let missing = || {
            ApiError::not_found(format!("clip `{id}` in the graph"))
                .field(field)
                .hint("clips that are new come into the graph when it is built again")
        };
        let clip = if is_id(id) { state.find(id) } else { None }.ok_or_else(missing)?;
        let (half, count) = (
            state.graph.half_window(),
            state.graph.clip_info(clip).working_frames(),
        );
        if frame < half || frame.saturating_add(half) >= count {
            let message = format!("frame {frame} has no whole window around it");
            return Err(ApiError::unprocessable(message)
                .field(field)
                .hint("take a frame further from the clip's ends"));
        }
        Ok(clip)
    };
    let (from, to) = ((clip("a", a, i)?, i), (clip("b", b, j)?, j));
    let known = candidates(state, from.0, to.0)
        .into_iter()
        .find(|(c, ..)| (c.i, c.j) == (i, j));
    if let Some((c, id, turned)) = known {
        let (what, why) = judge(state, from, to, id, turned)?;
        return Ok(Meeting {
            from,
            to,
            before_from_after: Planar::new(c.theta, c.x0, c.z0),
            distance_cm: c.distance_cm(),
            state: what,
            why,
        });
    }
    // No minimum: measured for whoever points beside one.
    let options = state.graph.options();
    let cloud = |clip: ClipId| -> ApiResult<PointCloud> {
        Ok(PointCloud::from_clip(
            &state.graph.clip(clip)?,
            &options.markers,
            options.fps,
        )?)
    };
    let window = options.metric.window(options.fps)?;
    let found = naive::align(
        &cloud(from.0)?,
        i as usize,
        &cloud(to.0)?,
        j as usize,
        &window,
    );
    Ok(Meeting {
        from,
        to,
        before_from_after: Planar::new(found.theta, found.x0, found.z0),
        distance_cm: found.distance_m2.max(0.0).sqrt() * 100.0,
        state: MinimumState::Out,
        why: "no local minimum, so no candidate: a place beside it is nearer".to_owned(),
    })
}

/// A transition about two frames: distance, threshold, state, and why.
#[utoipa::path(get, path = "/api/graph/transition", tag = "graph", params(At),
    responses((status = 200, body = TransitionView), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn transition(
    State(studio): State<Shared>,
    Params(at): Params<At>,
) -> ApiResult<Json<TransitionView>> {
    blocking(&studio, move |studio| {
        let state = studio.graph()?;
        let graph = &state.graph;
        let m = meeting(&state, &at.a, at.i, &at.b, at.j)?;
        let labels = |(clip, frame): (ClipId, u32)| graph.clip_info(clip).labels_at(frame);
        let names = |set| {
            graph
                .labels()
                .names_of(set)
                .into_iter()
                .map(str::to_owned)
                .collect()
        };
        let (from, to) = (labels(m.from), labels(m.to));
        let window = 2 * graph.half_window() + 1;
        Ok(Json(TransitionView {
            distance_cm: m.distance_cm,
            threshold_cm: graph.thresholds().between(from, to),
            state: m.state,
            why: m.why,
            labels_from: names(from),
            labels_to: names(to),
            seconds: f64::from(window) / graph.working_rate_hz(),
            contacts: TwoContacts {
                from: standing(&state, m.from)?,
                to: standing(&state, m.to)?,
            },
            frames: window,
        }))
    })
    .await
}

/// Contact points that stand in a working frame.
fn standing(state: &GraphState, (clip, frame): (ClipId, u32)) -> ApiResult<Vec<String>> {
    let graph = &state.graph;
    let Some(points) = graph.contact_points(clip) else {
        return Ok(Vec::new());
    };
    let at = graph.clip_info(clip).source_frame(frame);
    let mask = graph.source(clip)?.contact_mask(at);
    let stand = points
        .iter()
        .enumerate()
        .filter(|(k, _)| mask >> k & 1 == 1);
    Ok(stand.map(|(_, p)| p.name.clone()).collect())
}

/// The motion left, the motion entered, or their blend, as GWMO.
#[utoipa::path(get, path = "/api/graph/transition/motion", tag = "graph", params(AtPart),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn transition_motion(
    State(studio): State<Shared>,
    Params(at): Params<AtPart>,
) -> ApiResult<Binary> {
    blocking(&studio, move |studio| {
        let state = studio.graph()?;
        let m = meeting(&state, &at.a, at.i, &at.b, at.j)?;
        let shown = preview(
            &state.graph,
            &PreviewOptions {
                kind: TransitionKind::Blend,
                frames: 2 * state.graph.half_window() + 1,
                from: m.from,
                to: m.to,
                before_from_after: m.before_from_after,
                context_s: CONTEXT_S,
                blend: Blend::default(),
            },
        )?;
        let clip = match at.part.as_str() {
            "from" => &shown.from,
            "to" => &shown.to,
            "blend" => &shown.blend,
            _ => {
                return Err(ApiError::bad("expected from, to or blend")
                    .field("part")
                    .hint("all three have the same clock: from, to and the blend between them"));
            }
        };
        let name = |(clip, frame): (ClipId, u32)| {
            let info = state.graph.clip_info(clip);
            format!(
                "{}@{:.3}",
                info.name(),
                info.source_frame(frame) as f64 / info.rate_hz()
            )
        };
        let (start, end) = shown.window_s;
        let mark = TransitionMarkJson {
            t: (start + end) / 2.0,
            seconds: end - start,
            distance_cm: m.distance_cm,
            from: name(m.from),
            to: name(m.to),
        };
        Ok(show(clip, vec![mark]))
    })
    .await
}

fn show(clip: &Clip, transitions: Vec<TransitionMarkJson>) -> Binary {
    let extra = Extra {
        floor_m: gaitway_core::ground::floor_height(clip),
        transitions,
        ..Extra::default()
    };
    Binary(gwmo::encode(clip, 0..clip.frame_count(), extra))
}

/// An edge of the graph to look at: a transition with a second around it, or a piece of a clip.
#[utoipa::path(get, path = "/api/graph/edge/{edge}/motion", tag = "graph", params(("edge" = u32, Path)),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply)))]
pub async fn edge_motion(
    State(studio): State<Shared>,
    edge: Result<Path<u32>, axum::extract::rejection::PathRejection>,
) -> ApiResult<Binary> {
    let Path(edge) = edge.map_err(|e| ApiError::bad(e.body_text()))?;
    blocking(&studio, move |studio| {
        let state = studio.graph()?;
        let graph = &state.graph;
        if edge as usize >= graph.edge_count() {
            return Err(ApiError::not_found(format!("edge {edge}")).hint("edges are numbered anew when the graph is built or cut; /api/graph/topology has them"));
        }
        match graph.edge(EdgeId(edge)).kind {
            EdgeKind::Piece(piece) => {
                let info = graph.clip_info(piece.clip);
                let range = info.source_boundary(piece.start)..info.source_boundary(piece.end);
                Ok(show(
                    &edit::cut(&graph.clip(piece.clip)?, range),
                    Vec::new(),
                ))
            }
            EdgeKind::Transition(t) => {
                let shown = preview(graph, &PreviewOptions::of(&t))?;
                let name = |clip: ClipId, frame: u32| {
                    let info = graph.clip_info(clip);
                    format!(
                        "{}@{:.3}",
                        info.name(),
                        info.source_frame(frame) as f64 / info.rate_hz()
                    )
                };
                let (start, end) = shown.window_s;
                let mark = TransitionMarkJson {
                    t: (start + end) / 2.0,
                    seconds: end - start,
                    distance_cm: t.distance_cm(),
                    from: name(t.from_clip, t.from_frame),
                    to: name(t.to_clip, t.to_frame),
                };
                Ok(show(&shown.blend, vec![mark]))
            }
        }
    })
    .await
}
