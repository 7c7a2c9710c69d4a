//! What must not be played: clips, and single transitions.

use gaitway_graph::{ClipId, MotionGraph, Recipe};
use serde::{Deserialize, Serialize};

use super::options::PathOptions;
use crate::walk::{ClipTime, parse_clip_time};
use crate::{SynthError, TransitionRow};

/// A transition from one moment to another that is not taken, with its near neighbours: blends whose middles lie within a tenth
/// of a second in both clips look alike. Both are CLIP@SECONDS, as reports tell transitions; the clip by name or a unique
/// suffix.
///
/// ```
/// use gaitway_synth::path::ForbiddenTransition;
/// let one: ForbiddenTransition = serde_json::from_str(r#"{"from": "walk_1@2.5", "to": "walk_2@0.7"}"#)?;
/// assert_eq!(one.from, "walk_1@2.5");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ForbiddenTransition {
    /// The middle of the transition in the clip it leaves.
    pub from: String,
    /// The middle in the clip it enters.
    pub to: String,
}

impl From<&TransitionRow> for ForbiddenTransition {
    fn from(row: &TransitionRow) -> Self {
        Self {
            from: row.from.clone(),
            to: row.to.clone(),
        }
    }
}

/// Middles nearer than this are the same transition to the eye, seconds.
const SAME_S: f64 = 0.1;

/// Which edges of a graph may not be played.
///
/// # Errors
/// When a clip is not in the graph, or a moment cannot be read.
pub(crate) fn forbidden_edges(
    graph: &MotionGraph,
    options: &PathOptions,
) -> Result<Vec<bool>, SynthError> {
    let mut clips = vec![false; graph.clip_count()];
    for name in &options.forbid {
        let clip = graph
            .find_clip(name)
            .ok_or_else(|| SynthError::UnknownClip { clip: name.clone() })?;
        clips[clip.index()] = true;
    }
    // What lies between two clips is half of each.
    for clip in graph.clip_ids() {
        let of = |c: ClipId| clips[c.index()];
        if let Some(&Recipe::Interpolation { first, second, .. }) = graph.clip_info(clip).recipe()
            && (of(first) || of(second))
        {
            clips[clip.index()] = true;
        }
    }
    let pairs: Vec<(ClipTime, ClipTime)> = options
        .forbid_transitions
        .iter()
        .map(|t| {
            Ok((
                parse_clip_time(graph, &t.from)?,
                parse_clip_time(graph, &t.to)?,
            ))
        })
        .collect::<Result<_, SynthError>>()?;
    let of = |n| clips[graph.node(n).clip.index()];
    let one = |edge| {
        if of(graph.from(edge)) || of(graph.to(edge)) {
            return true;
        }
        let Some(t) = graph.transition(edge) else {
            return false;
        };
        let near = |clip, frame, place: &ClipTime| {
            let at = graph.clip_info(clip).seconds_at(frame);
            clip == place.clip && (at - place.seconds).abs() <= SAME_S
        };
        pairs.iter().any(|(from, to)| {
            near(t.from_clip, t.from_frame, from) && near(t.to_clip, t.to_frame, to)
        })
    };
    Ok(graph.edges().map(one).collect())
}
