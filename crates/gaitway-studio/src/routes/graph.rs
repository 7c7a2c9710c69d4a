//! The graph: its account and its shape.

use axum::Json;
use axum::extract::State;
use gaitway_graph::MotionGraph;
use gaitway_graph::inspect::layout;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::meeting::frames_of;
use super::{Shared, blocking};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::wire::account::AccountView;
use crate::wire::gwmo::KindJson;

/// What the graph keeps, loses, and why: as `gaitway inspect --json` tells it.
#[utoipa::path(get, path = "/api/graph/account", tag = "graph",
    responses((status = 200, body = AccountView), (status = 404, body = ErrorReply)))]
pub async fn account(State(studio): State<Shared>) -> ApiResult<Json<Value>> {
    let graph = studio.graph()?;
    let value = serde_json::to_value(&graph.account).map_err(ApiError::internal)?;
    Ok(Json(value))
}

/// A lane of the drawing.
#[derive(Debug, Serialize, ToSchema)]
pub struct TopologyClip {
    id: String,
    name: String,
    /// At the working rate.
    frames: u32,
    seconds: f64,
}

/// Nodes by column.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct TopologyNodes {
    /// Place in the list of clips.
    clip: Vec<u32>,
    /// Working boundary.
    frame: Vec<u32>,
    /// 0 is the component with the most seconds; −1: on no loop.
    component: Vec<i32>,
}

/// Transitions by column.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct TopologyTransitions {
    edge: Vec<u32>,
    /// The node each leaves.
    from: Vec<u32>,
    /// The node each enters, where it is over.
    to: Vec<u32>,
    distance_cm: Vec<f32>,
    kind: Vec<KindJson>,
    /// How long each lasts, in working frames.
    frames: Vec<u32>,
    /// How long each lasts, in seconds.
    seconds: Vec<f32>,
    /// The frame of the clip left by which `/api/graph/transition` asks for it: a blend's middle, a cut's start.
    from_frame: Vec<u32>,
    /// The frame of the clip entered.
    to_frame: Vec<u32>,
}

/// Pieces of clips by column.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct TopologyPieces {
    edge: Vec<u32>,
    from: Vec<u32>,
    to: Vec<u32>,
}

/// Ways through interpolated clips by column: from where a captured clip is left to the captured place that comes first.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct TopologyWays {
    /// Place in the list of clips.
    from_clip: Vec<u32>,
    from_s: Vec<f32>,
    to_clip: Vec<u32>,
    to_s: Vec<f32>,
    /// Of the largest jump on the way.
    distance_cm: Vec<f32>,
}

/// The most ways through interpolated clips that are told, the nearest.
const MOST_WAYS: usize = 4000;

/// The graph's shape. Interpolated clips have no lane: ways through them are told instead.
#[derive(Debug, Serialize, ToSchema)]
pub struct Topology {
    /// Captured ones.
    clips: Vec<TopologyClip>,
    interpolated: TopologyWays,
    nodes: TopologyNodes,
    transitions: TopologyTransitions,
    pieces: TopologyPieces,
}

/// Nodes and edges, column by column.
#[utoipa::path(get, path = "/api/graph/topology", tag = "graph",
    responses((status = 200, body = Topology), (status = 404, body = ErrorReply)))]
pub async fn topology(State(studio): State<Shared>) -> ApiResult<Json<Topology>> {
    blocking(&studio, |studio| {
        let state = studio.graph()?;
        let graph = &state.graph;
        let clips = graph.captured_ids().map(|c| {
            let info = graph.clip_info(c);
            TopologyClip {
                id: state.id(c).to_owned(),
                name: info.name().to_owned(),
                frames: info.working_frames(),
                seconds: info.seconds(),
            }
        });
        // Captured clips come first, and nodes are in the order of clips.
        let mut nodes = TopologyNodes::default();
        for n in graph.nodes() {
            let node = graph.node(n);
            if graph.is_interpolated(node.clip) {
                break;
            }
            nodes.clip.push(node.clip.0);
            nodes.frame.push(node.boundary);
            nodes.component.push(state.components.of_node[n.index()]);
        }
        let own = nodes.clip.len() as u32;
        let mut transitions = TopologyTransitions::default();
        let mut pieces = TopologyPieces::default();
        for edge in graph.edges() {
            let (from, to) = (graph.from(edge).0, graph.to(edge).0);
            if from >= own || to >= own {
                continue;
            }
            match graph.transition(edge) {
                Some(t) => {
                    transitions.edge.push(edge.0);
                    transitions.from.push(from);
                    transitions.to.push(to);
                    // Hundredths of a centimetre are all that anyone reads.
                    transitions
                        .distance_cm
                        .push(((t.distance_cm() * 100.0).round() / 100.0) as f32);
                    let (i, j) = frames_of(&state, &t);
                    transitions.kind.push(t.kind.into());
                    transitions.frames.push(t.frames);
                    transitions
                        .seconds
                        .push(((graph.seconds(edge) * 1000.0).round() / 1000.0) as f32);
                    transitions.from_frame.push(i);
                    transitions.to_frame.push(j);
                }
                None => {
                    pieces.edge.push(edge.0);
                    pieces.from.push(from);
                    pieces.to.push(to);
                }
            }
        }
        Ok(Json(Topology {
            clips: clips.collect(),
            interpolated: ways_through(graph),
            nodes,
            transitions,
            pieces,
        }))
    })
    .await
}

fn ways_through(graph: &MotionGraph) -> TopologyWays {
    let mut out = TopologyWays::default();
    if !graph.is_enriched() {
        return out;
    }
    for way in layout(graph, MOST_WAYS).interpolated {
        out.from_clip.push(way.from_lane);
        out.from_s.push(way.from_s as f32);
        out.to_clip.push(way.to_lane);
        out.to_s.push(way.to_s as f32);
        out.distance_cm
            .push(((way.distance_cm * 100.0).round() / 100.0) as f32);
    }
    out
}
