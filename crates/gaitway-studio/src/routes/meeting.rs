//! Where two clips meet: the transition about two frames, whether a graph has it or not.

use gaitway_core::Planar;
use gaitway_graph::{
    CandidateId, ClipId, EndCandidateId, Transition, TransitionKind, Transitions, Via,
};
use gaitway_metric::{Candidate, PointCloud, naive};
use gaitway_synth::{Blend, PreviewOptions};

use super::minima::{MinimumState, candidates, end_candidates, judge, judge_end};
use crate::error::{ApiError, ApiResult};
use crate::extract::is_id;
use crate::state::GraphState;
use crate::wire::gwmo::{KindJson, TransitionMarkJson};

/// Shown before and after a transition.
const CONTEXT_S: f64 = 1.0;

/// Two frames of the graph, the transition about them, and what became of it.
pub struct Meeting {
    /// The frames compared.
    pub from: (ClipId, u32),
    pub to: (ClipId, u32),
    /// The transition as it is shown.
    pub shown: PreviewOptions,
    pub distance_cm: f64,
    /// What the distance is held to.
    pub threshold_cm: f64,
    /// The threshold of the labels, which holds where a whole window could be compared.
    pub label_threshold_cm: f64,
    /// Frames of the window that both clips have.
    pub compared: u32,
    pub state: MinimumState,
    pub why: String,
}

impl Meeting {
    /// Finds the transition about frame `i` of a clip and frame `j` of another, given by their ids.
    pub fn find(state: &GraphState, a: &str, i: u32, b: &str, j: u32) -> ApiResult<Self> {
        let from = (clip(state, "a", a, i)?, i);
        let to = (clip(state, "b", b, j)?, j);
        let end = end_candidates(state, from.0, to.0).find(|(_, c)| (c.i, c.j) == (i, j));
        if let Some((id, c)) = end {
            return Self::near_end(state, from, to, id, c.frames);
        }
        for (field, at) in [("a", from), ("b", to)] {
            if !has_window(state, at) {
                return Err(no_cut(state, field, at));
            }
        }
        Self::with_window(state, from, to)
    }

    /// A cut that the graph has a candidate for.
    fn near_end(
        state: &GraphState,
        from: (ClipId, u32),
        to: (ClipId, u32),
        id: EndCandidateId,
        compared: u32,
    ) -> ApiResult<Self> {
        let graph = &state.graph;
        let transition = graph.end_transition(id)?;
        let (what, why) = judge_end(state, id)?;
        Ok(Self {
            shown: PreviewOptions {
                context_s: CONTEXT_S,
                ..PreviewOptions::of(&transition)
            },
            distance_cm: transition.distance_cm(),
            threshold_cm: graph.end_threshold_cm(id),
            label_threshold_cm: label_threshold_cm(state, from, to),
            compared,
            from,
            to,
            state: what,
            why,
        })
    }

    /// Both frames have a whole window: a candidate, or a place beside one.
    fn with_window(state: &GraphState, from: (ClipId, u32), to: (ClipId, u32)) -> ApiResult<Self> {
        let graph = &state.graph;
        // Of a clip with itself each candidate is told once, and leads both ways.
        let both = |(c, id, turned): (Candidate, CandidateId, bool)| {
            let back = (from.0 == to.0).then(|| (c.reversed(), id, !turned));
            [Some((c, id, turned)), back].into_iter().flatten()
        };
        let known = candidates(state, from.0, to.0)
            .into_iter()
            .flat_map(both)
            .find(|(c, ..)| (c.i, c.j) == (from.1, to.1));
        let (onto, distance_m2, (what, why)) = match known {
            Some((c, id, turned)) => (
                Planar::new(c.theta, c.x0, c.z0),
                c.distance_m2,
                judge(state, from, to, id, turned)?,
            ),
            None => {
                let (onto, distance_m2) = measured(state, from, to)?;
                let why = "no local minimum, so no candidate: a place beside it is nearer";
                (onto, distance_m2, (MinimumState::Out, why.to_owned()))
            }
        };
        let threshold_cm = label_threshold_cm(state, from, to);
        let (kind, frames) = graph.transition_kind_at(to.0, to.1)?;
        Ok(Self {
            shown: PreviewOptions {
                kind,
                frames,
                from,
                to,
                before_from_after: onto,
                context_s: CONTEXT_S,
                blend: Blend::default(),
            },
            distance_cm: distance_m2.max(0.0).sqrt() * 100.0,
            threshold_cm,
            label_threshold_cm: threshold_cm,
            compared: 2 * graph.half_window() + 1,
            from,
            to,
            state: what,
            why,
        })
    }

    /// Working frames from the transition's start to where the clips meet.
    fn to_meeting(&self) -> u32 {
        match self.shown.kind {
            TransitionKind::Blend => self.shown.frames / 2,
            TransitionKind::Cut => 0,
        }
    }

    /// Seconds of the clip left at which it begins.
    pub fn leaves_s(&self, state: &GraphState) -> f64 {
        let (clip, frame) = self.shown.from;
        boundary_s(state, clip, frame - self.to_meeting())
    }

    /// Seconds of the clip entered at which it is over.
    pub fn arrives_s(&self, state: &GraphState) -> f64 {
        let (clip, frame) = self.shown.to;
        boundary_s(state, clip, frame - self.to_meeting() + self.shown.frames)
    }
}

/// The mark of a transition that is shown, with what its preview says of when it begins and ends.
pub fn mark(
    state: &GraphState,
    shown: &PreviewOptions,
    distance_cm: f64,
    (start_s, end_s): (f64, f64),
) -> TransitionMarkJson {
    let name = |(clip, frame): (ClipId, u32)| {
        let info = state.graph.clip_info(clip);
        let seconds = info.source_frame(frame) as f64 / info.rate_hz();
        format!("{}@{seconds:.3}", info.name())
    };
    TransitionMarkJson {
        kind: shown.kind.into(),
        t: match shown.kind {
            TransitionKind::Blend => (start_s + end_s) / 2.0,
            TransitionKind::Cut => start_s,
        },
        start_s: Some(start_s),
        end_s: Some(end_s),
        seconds: end_s - start_s,
        distance_cm,
        from: name(shown.from),
        to: name(shown.to),
    }
}

/// The two frames by which a transition is asked for: those its candidate compares.
pub fn frames_of(state: &GraphState, t: &Transition) -> (u32, u32) {
    match t.via {
        Via::Candidate { .. } => (t.from_frame, t.to_frame),
        Via::End(id) => {
            let c = state.graph.end_candidates().get(id);
            (c.i, c.j)
        }
    }
}

/// How a graph gets from clip to clip where both have a whole window.
pub fn usual_kind(transitions: Transitions) -> KindJson {
    match transitions {
        Transitions::Cut => KindJson::Cut,
        Transitions::Auto | Transitions::Blend => KindJson::Blend,
    }
}

/// The clip of an id, which must have the frame.
fn clip(state: &GraphState, field: &str, id: &str, frame: u32) -> ApiResult<ClipId> {
    let missing = || {
        ApiError::not_found(format!("clip `{id}` in the graph"))
            .field(field)
            .hint("clips that are new come into the graph when it is built again")
    };
    let clip = if is_id(id) { state.find(id) } else { None }.ok_or_else(missing)?;
    let count = state.graph.clip_info(clip).working_frames();
    if frame >= count {
        let message = format!("the clip has no frame {frame}");
        return Err(ApiError::unprocessable(message)
            .field(field)
            .hint(format!("it has {count} at the working rate, from 0")));
    }
    Ok(clip)
}

fn has_window(state: &GraphState, (clip, frame): (ClipId, u32)) -> bool {
    let (half, count) = (
        state.graph.half_window(),
        state.graph.clip_info(clip).working_frames(),
    );
    frame >= half && frame.saturating_add(half) < count
}

/// Nothing leads from here to there, and why.
fn no_cut(state: &GraphState, field: &str, (_, frame): (ClipId, u32)) -> ApiError {
    let end = format!("frame {frame} has no whole window around it");
    if state.graph.options().transitions.reach_ends() {
        ApiError::unprocessable(format!(
            "{end}, and no cut was found from the one to the other"
        ))
        .field(field)
        .hint("take one of the marks on the distance map, or a frame further from the clip's ends")
    } else {
        ApiError::unprocessable(format!("{end}, and this graph was built with blends only"))
            .field(field)
            .hint("take a frame further from the clip's ends, or build with cuts at the ends of clips")
    }
}

/// √D is measured for whoever points beside a minimum.
fn measured(
    state: &GraphState,
    from: (ClipId, u32),
    to: (ClipId, u32),
) -> ApiResult<(Planar, f64)> {
    let options = state.graph.options();
    let cloud = |clip: ClipId| -> ApiResult<PointCloud> {
        let clip = state.graph.clip(clip)?;
        Ok(PointCloud::from_clip(&clip, &options.markers, options.fps)?)
    };
    let window = options.metric.window(options.fps)?;
    let (one, other) = (cloud(from.0)?, cloud(to.0)?);
    let found = naive::align(&one, from.1 as usize, &other, to.1 as usize, &window);
    let onto = Planar::new(found.theta, found.x0, found.z0);
    Ok((onto, found.distance_m2))
}

fn label_threshold_cm(state: &GraphState, from: (ClipId, u32), to: (ClipId, u32)) -> f64 {
    let labels = |(clip, frame): (ClipId, u32)| state.graph.clip_info(clip).labels_at(frame);
    state.graph.thresholds().between(labels(from), labels(to))
}

/// Seconds from a clip's first frame to a boundary at the working rate.
pub fn boundary_s(state: &GraphState, clip: ClipId, boundary: u32) -> f64 {
    let info = state.graph.clip_info(clip);
    info.source_boundary(boundary) as f64 / info.rate_hz()
}
