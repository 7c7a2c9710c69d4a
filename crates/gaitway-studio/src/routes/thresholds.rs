//! Thresholds: what holds, what others would give, and putting others in force.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use gaitway_graph::{LabelId, MotionGraph, Thresholds};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Shared, blocking, heavy};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Body, Params};
use crate::state::{Curves, GraphState, GraphSummary, Studio};

/// Points of the curves up to the ceiling.
const CURVE_POINTS: usize = 25;

/// Thresholds in force, and what one number for all pairs would give.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThresholdsView {
    /// The labels that frames carry: rows (from) and columns (to) of the tables.
    labels: Vec<String>,
    /// Where a cell is null.
    default_cm: f64,
    /// No threshold lies above.
    ceiling_cm: f64,
    /// Row = label left.
    cells: Vec<Vec<Option<f64>>>,
    /// Candidates from label to label.
    candidates: Vec<Vec<u64>>,
    /// What one number for all pairs would give.
    curves: Curves,
}

/// Thresholds as the page sends them.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ThresholdsBody {
    /// Where a cell is null.
    pub default_cm: f64,
    /// Row = label left, in the order of the labels told; none: the default everywhere.
    #[serde(default)]
    #[schema(default = json!([]))]
    pub cells: Vec<Vec<Option<f64>>>,
}

/// Thresholds to put in force.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ApplyBody {
    /// Chosen from the data.
    Auto {
        /// Must be true.
        auto: bool,
    },
    /// As given.
    Given(ThresholdsBody),
}

/// A label under some thresholds.
#[derive(Debug, Serialize, ToSchema)]
pub struct LabelShare {
    label: String,
    /// Of clips that carry it.
    seconds: f64,
    /// In its largest component.
    kept_seconds: f64,
    /// Components with a loop.
    components: u32,
}

/// A clip under some thresholds.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClipShare {
    id: String,
    kept_seconds: f64,
}

/// Preview: what other thresholds would give.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rethresholded {
    transitions: usize,
    nodes: usize,
    edges: usize,
    kept_seconds: f64,
    seconds: f64,
    components: usize,
    labels: Vec<LabelShare>,
    /// From label i one can get to label j, in the order of the labels told.
    reach: Vec<Vec<bool>>,
    kept_by_clip: Vec<ClipShare>,
    /// How long it took to work out.
    compute_ms: f64,
}

/// Labels that frames carry: those of the account, by id.
fn used(state: &GraphState) -> Vec<LabelId> {
    let table = state.graph.labels();
    let names = state.account.labels.iter();
    names.filter_map(|l| table.find(&l.label)).collect()
}

/// Labels and their order come from the server.
const LABELS: &str =
    "labels and their order are those of GET /api/graph/thresholds; they may have changed since";

/// Thresholds from a body, checked.
pub fn parse(state: &GraphState, body: &ThresholdsBody) -> ApiResult<Thresholds> {
    let labels = used(state);
    let ceiling = state.graph.options().metric.ceiling_cm;
    let check = |cm: f64, field: &dyn Fn() -> String| {
        if (0.0..=ceiling).contains(&cm) {
            return Ok(cm);
        }
        Err(ApiError::bad(format!(
            "{cm} cm is not between 0 and the ceiling of {ceiling} cm"
        ))
        .hint("a higher ceiling is a matter of the build; the graph has no candidates above it")
        .field(field()))
    };
    let default_cm = check(body.default_cm, &|| "default_cm".to_owned())?;
    if !body.cells.is_empty() && body.cells.len() != labels.len() {
        let message = format!(
            "expected {} rows, one per label, found {}",
            labels.len(),
            body.cells.len()
        );
        return Err(ApiError::bad(message).hint(LABELS).field("cells"));
    }
    let name = |l: LabelId| state.graph.labels().name(l).to_owned();
    let mut pairs = Vec::new();
    for (a, row) in body.cells.iter().enumerate() {
        if row.len() != labels.len() {
            let message = format!(
                "expected {} cells, one per label, found {}",
                labels.len(),
                row.len()
            );
            return Err(ApiError::bad(message)
                .hint(LABELS)
                .field(format!("cells[{a}]")));
        }
        for (b, cell) in row.iter().enumerate() {
            if let Some(cm) = *cell {
                let cm = check(cm, &|| format!("cells[{a}][{b}]"))?;
                pairs.push((name(labels[a]), name(labels[b]), cm));
            }
        }
    }
    Ok(Thresholds::Pairs { default_cm, pairs })
}

/// The thresholds in force, candidates per pair of labels, and curves.
#[utoipa::path(get, path = "/api/graph/thresholds", tag = "graph",
    responses((status = 200, body = ThresholdsView), (status = 404, body = ErrorReply)))]
pub async fn thresholds(State(studio): State<Shared>) -> ApiResult<Json<ThresholdsView>> {
    heavy(&studio, |studio| {
        let state = studio.graph()?;
        let labels = used(&state);
        let (graph, matrix) = (&state.graph, state.graph.thresholds());
        let row = |&a: &LabelId| labels.iter().map(|&b| matrix.get(a, b)).collect();
        Ok(Json(ThresholdsView {
            labels: labels
                .iter()
                .map(|&l| graph.labels().name(l).to_owned())
                .collect(),
            default_cm: matrix.default_cm,
            ceiling_cm: graph.options().metric.ceiling_cm,
            cells: labels.iter().map(row).collect(),
            candidates: candidate_counts(graph, &labels),
            curves: match state.curves.get() {
                Some(curves) => curves.clone(),
                None => {
                    let made = curves(graph)?;
                    state.curves.get_or_init(|| made).clone()
                }
            },
        }))
    })
    .await
}

/// Candidates from frames of one label to frames of another, both ways of each.
fn candidate_counts(graph: &MotionGraph, labels: &[LabelId]) -> Vec<Vec<u64>> {
    let all = graph.labels().len();
    let mut counts = vec![0_u64; all * all];
    for group in graph.candidates().groups() {
        let (a, b) = (graph.clip_info(group.a), graph.clip_info(group.b));
        for k in group.start..group.end {
            let c = graph.candidates().get(gaitway_graph::CandidateId(k));
            let (from, to) = (a.labels_at(c.i), b.labels_at(c.j));
            for p in from.iter() {
                for q in to.iter() {
                    counts[p.index() * all + q.index()] += 1;
                    counts[q.index() * all + p.index()] += 1;
                }
            }
        }
    }
    let row = |&a: &LabelId| {
        labels
            .iter()
            .map(|&b| counts[a.index() * all + b.index()])
            .collect()
    };
    labels.iter().map(row).collect()
}

fn curves(graph: &MotionGraph) -> ApiResult<Curves> {
    let ceiling = graph.options().metric.ceiling_cm;
    let steps: Vec<f64> = (1..=CURVE_POINTS)
        .map(|k| ceiling * k as f64 / CURVE_POINTS as f64)
        .collect();
    let point = |&cm: &f64| {
        let at = graph.try_thresholds(&Thresholds::cm(cm))?;
        // Interpolated clips follow the captured ones and are nobody's motion.
        let own = at.kept_seconds.iter().take(graph.captured_count());
        Ok((own.sum(), at.transitions))
    };
    let points: Vec<(f64, usize)> = steps
        .par_iter()
        .map(point)
        .collect::<Result<_, gaitway_graph::GraphError>>()?;
    Ok(Curves {
        kept_seconds: points.iter().map(|p| p.0).collect(),
        transitions: points.iter().map(|p| p.1).collect(),
        cm: steps,
    })
}

/// Who asks.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Asker {
    /// A name of the asker's own choosing, such as a tab's: a newer question of the same name takes the place of those that wait,
    /// which are answered with 409. Without a name every question is answered.
    client: Option<String>,
}

/// Preview: what other thresholds would give. Nothing changes.
#[utoipa::path(post, path = "/api/graph/rethreshold", tag = "graph", params(Asker), request_body = ThresholdsBody,
    responses((status = 200, body = Rethresholded), (status = 400, body = ErrorReply), (status = 409, body = ErrorReply)))]
pub async fn rethreshold(
    State(studio): State<Shared>,
    Params(asker): Params<Asker>,
    Body(body): Body<ThresholdsBody>,
) -> ApiResult<Json<Rethresholded>> {
    let _turn = match &asker.client {
        Some(name) => Some(studio.askers.turn(name).await?),
        None => None,
    };
    blocking(&studio, move |studio| {
        let state = studio.graph()?;
        Ok(Json(try_out(&state, &body)?))
    })
    .await
}

/// What the graph would be under other thresholds.
pub fn try_out(state: &GraphState, body: &ThresholdsBody) -> ApiResult<Rethresholded> {
    let begin = Instant::now();
    let tried = state.graph.try_thresholds(&parse(state, body)?)?;
    let labels = used(state);
    let label_rows = tried.labels.into_iter().map(|l| LabelShare {
        label: l.label,
        seconds: l.seconds,
        kept_seconds: l.kept_seconds,
        components: l.components,
    });
    let reach = |a: &LabelId| {
        labels
            .iter()
            .map(|&b| tried.reach[a.index()].contains(b))
            .collect()
    };
    Ok(Rethresholded {
        transitions: tried.transitions,
        nodes: tried.nodes,
        edges: tried.edges,
        kept_seconds: tried.kept_seconds[..state.graph.captured_count()]
            .iter()
            .sum(),
        seconds: state.account.seconds,
        components: tried.components,
        labels: label_rows.collect(),
        reach: labels.iter().map(reach).collect(),
        kept_by_clip: state
            .graph
            .captured_ids()
            .map(|c| ClipShare {
                id: state.id(c).to_owned(),
                kept_seconds: tried.kept_seconds[c.index()],
            })
            .collect(),
        compute_ms: begin.elapsed().as_secs_f64() * 1000.0,
    })
}

/// After the graph was cut anew.
#[derive(Debug, Serialize, ToSchema)]
pub struct Applied {
    /// The graph as it is now.
    #[serde(flatten)]
    pub graph: GraphSummary,
    /// Of the project.
    pub revision: u64,
}

/// Puts thresholds in force: the graph is cut anew and saved.
#[utoipa::path(post, operation_id = "apply_thresholds", path = "/api/graph/thresholds", tag = "graph", request_body = ApplyBody,
    responses((status = 200, body = Applied), (status = 400, body = ErrorReply), (status = 409, body = ErrorReply)))]
pub async fn apply(
    State(studio): State<Shared>,
    Body(body): Body<ApplyBody>,
) -> ApiResult<Json<Applied>> {
    heavy(&studio, move |studio| put_in_force(studio, &body)).await
}

fn put_in_force(studio: &Studio, body: &ApplyBody) -> ApiResult<Json<Applied>> {
    let state = studio.graph()?;
    let wanted = match body {
        ApplyBody::Auto { auto: true } => Thresholds::Auto,
        ApplyBody::Auto { auto: false } => {
            return Err(ApiError::bad("expected true, or thresholds")
                .field("auto")
                .hint("to keep what is in force, send nothing"));
        }
        ApplyBody::Given(body) => parse(&state, body)?,
    };
    let (graph, account) = state.graph.rethreshold(&wanted, state.graph.options())?;
    let auto = graph.thresholds().auto;
    let (summary, revision) = studio.replace_graph(&state, graph, account, |inner| {
        inner.project.build.auto = auto;
        inner.project.build.threshold_cm = None;
    })?;
    Ok(Json(Applied {
        graph: summary,
        revision,
    }))
}
