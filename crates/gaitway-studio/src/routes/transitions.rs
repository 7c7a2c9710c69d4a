//! One transition, in the graph or not: numbers, and motions to look at.

use axum::Json;
use axum::extract::{Path, State};
use gaitway_core::{Clip, edit};
use gaitway_graph::{ClipId, EdgeId, EdgeKind};
use gaitway_synth::{PreviewOptions, preview};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::meeting::{Meeting, boundary_s, mark};
use super::minima::MinimumState;
use super::{Binary, Shared, blocking};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::Params;
use crate::state::GraphState;
use crate::wire::gwmo::{self, Extra, KindJson, TransitionMarkJson};
use crate::wire::words;

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
    /// from, to or blend: the clip left, the clip entered, or what the transition shows, be it a blend or a cut.
    #[param(schema_with = words::part)]
    part: String,
}

/// What stands at the frames that meet.
#[derive(Debug, Serialize, ToSchema)]
pub struct TwoContacts {
    from: Vec<String>,
    to: Vec<String>,
}

/// A transition about two frames.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransitionView {
    /// Blend, or cut: at the ends of clips, or everywhere where the graph was built so.
    kind: KindJson,
    distance_cm: f64,
    /// What the distance is held to. For a cut near an end it is stricter than that of the labels: times
    /// √(compared_frames / window_frames).
    threshold_cm: f64,
    /// Of the labels it leads from and to.
    label_threshold_cm: f64,
    /// Frames around the two that both clips have and that were compared.
    compared_frames: u32,
    /// Frames of a whole window.
    window_frames: u32,
    state: MinimumState,
    /// In words.
    why: String,
    labels_from: Vec<String>,
    labels_to: Vec<String>,
    /// How long it lasts: both clips under a blend, the displacement of a cut until it has faded.
    seconds: f64,
    /// Working frames it lasts.
    frames: u32,
    /// Seconds of the clip left at which it begins.
    leaves_s: f64,
    /// Seconds of the clip left where both meet: a blend's middle, a cut's start.
    from_s: f64,
    /// Seconds of the clip entered where both meet.
    to_s: f64,
    /// Seconds of the clip entered at which it is over.
    arrives_s: f64,
    contacts: TwoContacts,
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
        let m = Meeting::find(&state, &at.a, at.i, &at.b, at.j)?;
        let names = |(clip, frame): (ClipId, u32)| {
            let set = graph.clip_info(clip).labels_at(frame);
            let names = graph.labels().names_of(set).into_iter();
            names.map(str::to_owned).collect()
        };
        let seconds = |(clip, frame): (ClipId, u32)| boundary_s(&state, clip, frame);
        Ok(Json(TransitionView {
            kind: m.shown.kind.into(),
            distance_cm: m.distance_cm,
            threshold_cm: m.threshold_cm,
            label_threshold_cm: m.label_threshold_cm,
            compared_frames: m.compared,
            window_frames: 2 * graph.half_window() + 1,
            labels_from: names(m.from),
            labels_to: names(m.to),
            seconds: f64::from(m.shown.frames) / graph.working_rate_hz(),
            frames: m.shown.frames,
            leaves_s: m.leaves_s(&state),
            from_s: seconds(m.shown.from),
            to_s: seconds(m.shown.to),
            arrives_s: m.arrives_s(&state),
            contacts: TwoContacts {
                from: standing(&state, m.from)?,
                to: standing(&state, m.to)?,
            },
            state: m.state,
            why: m.why,
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

/// The motion left, the motion entered, or the transition between them, as GWMO.
#[utoipa::path(get, path = "/api/graph/transition/motion", tag = "graph", params(AtPart),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn transition_motion(
    State(studio): State<Shared>,
    Params(at): Params<AtPart>,
) -> ApiResult<Binary> {
    blocking(&studio, move |studio| {
        let state = studio.graph()?;
        let m = Meeting::find(&state, &at.a, at.i, &at.b, at.j)?;
        let shown = preview(&state.graph, &m.shown)?;
        let clip = match at.part.as_str() {
            "from" => &shown.from,
            "to" => &shown.to,
            "blend" => &shown.blend,
            _ => {
                return Err(ApiError::bad("expected from, to or blend")
                    .field("part")
                    .hint(
                        "all three have the same clock: from, to and the transition between them",
                    ));
            }
        };
        let mark = mark(&state, &m.shown, m.distance_cm, shown.window_s);
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
                let wish = PreviewOptions::of(&t);
                let shown = preview(graph, &wish)?;
                let mark = mark(&state, &wish, t.distance_cm(), shown.window_s);
                Ok(show(&shown.blend, vec![mark]))
            }
        }
    })
    .await
}
