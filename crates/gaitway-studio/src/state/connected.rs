//! How well a graph holds together, with interpolated clips and without them.

use gaitway_eval::connectivity::{
    Form, FrameGraph, FrameOptions, MeasureOptions, Measures, measure, same_frames,
};
use gaitway_graph::{Account, GraphError, MotionGraph, Thresholds};
use serde::Serialize;
use utoipa::ToSchema;

use super::graph::GraphState;

/// A graph's connectivity in figures, as it is played.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ConnectedFigures {
    /// Share of captured frames from each of which one can get to each other and back.
    pub largest_share: f64,
    /// Seconds of them.
    pub largest_seconds: f64,
    /// Seconds of captured motion that the graph keeps.
    pub kept_seconds: f64,
    /// Seconds until another label is reached, in the mean (local maneuverability). With interpolated clips it is measured over the
    /// frames that hold together without them. Null with fewer than two labels.
    #[schema(required)]
    pub to_other_label_s: Option<f64>,
    /// From label i one can get to label j, in the order of `labels`.
    pub reach: Vec<Vec<bool>>,
}

/// How well the graph holds together.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Connected {
    /// The labels that frames carry.
    pub labels: Vec<String>,
    /// Captured clips, mirrored copies included.
    pub captured_clips: usize,
    /// Interpolated clips beside them.
    pub interpolated_clips: usize,
    /// Seconds of interpolated motion in use.
    pub interpolated_seconds: f64,
    /// The graph as it is.
    pub now: ConnectedFigures,
    /// Under the same thresholds with captured clips alone; null where the graph has no others.
    #[schema(required)]
    pub captured_alone: Option<ConnectedFigures>,
}

impl Connected {
    /// Measures a graph.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn of(state: &GraphState) -> Result<Self, GraphError> {
        let (graph, account) = (&state.graph, &state.account);
        let told = account.interpolated.as_ref();
        let (now, alone) = if graph.is_enriched() {
            let (plain, plain_account) = graph.captured_alone()?;
            let before = frames_of(&plain)?;
            let measured = measured(&plain, &before, None);
            let frames = frames_of(graph)?;
            let over = measured
                .as_ref()
                .and_then(|m| same_frames(&before, &m.inside, &frames));
            let now = figures(
                graph,
                account,
                self::measured(graph, &frames, over.as_deref()),
            )?;
            (now, Some(figures(&plain, &plain_account, measured)?))
        } else {
            let measured = measured(graph, &frames_of(graph)?, None);
            (figures(graph, account, measured)?, None)
        };
        Ok(Self {
            labels: account.labels.iter().map(|l| l.label.clone()).collect(),
            captured_clips: graph.captured_count(),
            interpolated_clips: graph.clip_count() - graph.captured_count(),
            interpolated_seconds: told.map_or(0.0, |t| t.kept_seconds),
            now,
            captured_alone: alone,
        })
    }
}

/// The moments of a graph as it is played, under its own thresholds.
fn frames_of(graph: &MotionGraph) -> Result<FrameGraph, GraphError> {
    let options = FrameOptions {
        form: Form::Blend,
        ..FrameOptions::default()
    };
    FrameGraph::new(graph, &options)
}

/// Component and times to labels; what takes searches from many frames is left out.
fn measured(graph: &MotionGraph, frames: &FrameGraph, over: Option<&[bool]>) -> Option<Measures> {
    let options = MeasureOptions {
        samples: Some(0),
        ways: 0,
        ..MeasureOptions::default()
    };
    // Nobody stops it.
    measure(frames, graph.labels(), over, &options, &mut |_, _| true).ok()
}

fn figures(
    graph: &MotionGraph,
    account: &Account,
    measured: Option<Measures>,
) -> Result<ConnectedFigures, GraphError> {
    let rows = account.thresholds.iter();
    let now = Thresholds::Pairs {
        default_cm: account.default_threshold_cm,
        pairs: rows.map(|t| (t.from.clone(), t.to.clone(), t.cm)).collect(),
    };
    let tried = graph.try_thresholds(&now)?;
    let used = account.labels.iter();
    let used: Vec<_> = used.filter_map(|l| graph.labels().find(&l.label)).collect();
    let reach = |a: &gaitway_graph::LabelId| {
        let to = &tried.reach[a.index()];
        used.iter().map(|&b| to.contains(b)).collect()
    };
    let largest = measured.as_ref().map(|m| m.component).unwrap_or_default();
    let maneuverability = measured.and_then(|m| m.maneuverability);
    Ok(ConnectedFigures {
        largest_share: largest.share,
        largest_seconds: largest.seconds,
        kept_seconds: account.kept_seconds,
        to_other_label_s: maneuverability
            .filter(|m| m.behaviours.len() > 1)
            .map(|m| m.lm_s)
            .filter(|s| s.is_finite()),
        reach: used.iter().map(reach).collect(),
    })
}
