//! The graph in use, with what is worked out from it once and asked for often.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use gaitway_graph::inspect::{Components, components_of};
use gaitway_graph::{Account, ClipId, GraphError, MotionGraph, TransitionKind, Verdicts};
use gaitway_synth::SynthError;
use gaitway_synth::path::{EdgePaths, Naturalness};
use serde::Serialize;
use utoipa::ToSchema;

use super::connected::Connected;
use super::library::clip_id;

/// A graph in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GraphSummary {
    /// Captured ones, mirrored copies included.
    pub clips: usize,
    /// Interpolated clips beside them.
    pub interpolated_clips: usize,
    /// Of motion in all.
    pub seconds: f64,
    /// Of motion that is in reach.
    pub kept_seconds: f64,
    /// Nodes.
    pub nodes: usize,
    /// Edges, pieces and transitions.
    pub edges: usize,
    /// Transitions, blends and cuts.
    pub transitions: usize,
    /// Those of them that are cuts.
    pub cuts: usize,
    /// Also those above threshold.
    pub candidates: usize,
    /// At which nodes and distances live.
    pub working_rate_hz: f64,
    /// Frames that are compared around two that may meet, and that a blend lasts. A cut lasts as long as it says itself.
    pub window_frames: u32,
    /// Above this nothing was looked at.
    pub ceiling_cm: f64,
    /// Where no pair of labels matches.
    pub default_threshold_cm: f64,
    /// Strongly connected, over all labels.
    pub components: usize,
    /// Tells graphs apart: results have that of the graph they were made from (`walk.graph`).
    pub tag: String,
}

/// What one number for all pairs would give, from threshold to threshold.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Curves {
    /// The thresholds.
    pub cm: Vec<f64>,
    /// At each of them.
    pub kept_seconds: Vec<f64>,
    /// At each of them.
    pub transitions: Vec<usize>,
}

/// A graph that does not change any more.
pub struct GraphState {
    /// The graph.
    pub graph: MotionGraph,
    /// The project's revision when it came.
    pub revision: u64,
    /// The account, as `inspect --json` has it.
    pub account: Account,
    /// Which nodes can reach one another.
    pub components: Components,
    ids: Vec<String>,
    by_id: HashMap<String, ClipId>,
    edge_paths: Mutex<HashMap<bool, Arc<EdgePaths>>>,
    /// Worked out on first use by those who draw thresholds.
    pub curves: OnceLock<Curves>,
    verdicts: OnceLock<Verdicts>,
    connected: OnceLock<Connected>,
    tag: String,
    /// How many transitions are cuts.
    cuts: usize,
}

impl GraphState {
    /// A graph with its account.
    pub fn new(graph: MotionGraph, account: Account, revision: u64) -> Self {
        let ids: Vec<String> = graph
            .clip_ids()
            .map(|c| clip_id(graph.clip_info(c).name()))
            .collect();
        let by_id = ids
            .iter()
            .enumerate()
            .map(|(k, id)| (id.clone(), ClipId(k as u32)))
            .collect();
        let tag = graph.tag();
        let transitions = graph.edges().filter_map(|e| graph.transition(e));
        let cuts = transitions
            .filter(|t| t.kind == TransitionKind::Cut)
            .count();
        Self {
            components: components_of(&graph),
            graph,
            revision,
            account,
            ids,
            by_id,
            edge_paths: Mutex::default(),
            curves: OnceLock::new(),
            verdicts: OnceLock::new(),
            connected: OnceLock::new(),
            tag,
            cuts,
        }
    }

    /// A graph whose account is worked out anew.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn of(graph: MotionGraph, revision: u64) -> Result<Self, GraphError> {
        let account = Account::of(&graph)?;
        Ok(Self::new(graph, account, revision))
    }

    /// The id of a clip.
    pub fn id(&self, clip: ClipId) -> &str {
        &self.ids[clip.index()]
    }

    /// The clip of an id, mirrored copies included.
    pub fn find(&self, id: &str) -> Option<ClipId> {
        self.by_id.get(id).copied()
    }

    /// Tells graphs apart: two with the same tag have the same nodes and edges.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// A few numbers.
    pub fn summary(&self) -> GraphSummary {
        let (graph, account) = (&self.graph, &self.account);
        GraphSummary {
            clips: account.clips,
            interpolated_clips: graph.clip_count() - graph.captured_count(),
            seconds: account.seconds,
            kept_seconds: account.kept_seconds,
            nodes: account.nodes,
            edges: account.edges,
            transitions: account.transitions,
            cuts: self.cuts,
            candidates: account.candidates,
            working_rate_hz: graph.working_rate_hz(),
            window_frames: 2 * graph.half_window() + 1,
            ceiling_cm: graph.options().metric.ceiling_cm,
            default_threshold_cm: account.default_threshold_cm,
            components: self.components.seconds.len(),
            tag: self.tag.clone(),
        }
    }

    /// What became of every candidate, worked out once.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn verdicts(&self) -> Result<&Verdicts, GraphError> {
        if let Some(found) = self.verdicts.get() {
            return Ok(found);
        }
        let made = self.graph.verdicts()?;
        Ok(self.verdicts.get_or_init(|| made))
    }

    /// How well it holds together, worked out once.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn connected(&self) -> Result<&Connected, GraphError> {
        if let Some(found) = self.connected.get() {
            return Ok(found);
        }
        let made = Connected::of(self)?;
        Ok(self.connected.get_or_init(|| made))
    }

    /// Works out ahead what the first search along a path would wait for, on a thread of its own.
    pub fn warm_up(self: &Arc<Self>) {
        let state = self.clone();
        // Where no thread can be had, or frames are damaged, the first search finds out.
        let thread = std::thread::Builder::new().name("warm-up".to_owned());
        let _ = thread.spawn(move || drop(state.edge_paths(false)));
    }

    /// Ways on the ground of all edges, measured once per kind of arc length.
    ///
    /// # Errors
    /// When the file's frames are damaged.
    pub fn edge_paths(&self, smooth_arc: bool) -> Result<Arc<EdgePaths>, SynthError> {
        let held = |state: &Self| {
            let map = state
                .edge_paths
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            map.get(&smooth_arc).cloned()
        };
        if let Some(found) = held(self) {
            return Ok(found);
        }
        let made = Arc::new(EdgePaths::new(
            &self.graph,
            &Naturalness::default(),
            smooth_arc,
        )?);
        let mut map = self
            .edge_paths
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(map.entry(smooth_arc).or_insert(made).clone())
    }
}

/// Seconds per clip that the graph plays as recorded or under a cut, each frame once, as the account counts them.
pub fn kept_by_clip(graph: &MotionGraph) -> Vec<f64> {
    let clips = graph.clip_ids().map(|c| graph.clip_info(c));
    let mut played: Vec<Vec<bool>> = clips
        .map(|info| vec![false; info.working_frames() as usize])
        .collect();
    let blend = |e| {
        graph
            .transition(e)
            .is_some_and(|t| t.kind == TransitionKind::Blend)
    };
    for edge in graph.edges().filter(|&e| !blend(e)) {
        for (clip, frames) in graph.played(edge) {
            played[clip.index()][frames.start as usize..frames.end as usize].fill(true);
        }
    }
    let seconds = |clip: ClipId| {
        let (info, marks) = (graph.clip_info(clip), &played[clip.index()]);
        let kept = (0..marks.len()).filter(|&f| marks[f]);
        kept.map(|f| info.seconds_between(f as u32, f as u32 + 1))
            .sum()
    };
    graph.clip_ids().map(seconds).collect()
}
