//! From edges to spans: what plays along a walk, and when.
//!
//! The one place that says how an edge of a graph is played. Time is counted in output frames from the walk's start. An edge of n
//! source frames at rate r lasts n·R/r output frames at rate R, a whole number where the rates agree, so nothing is rounded
//! at the source rate. In a blend the clip entered is timed from its *end*: it arrives at its node exactly when the blend is
//! over, whatever working boundaries were rounded to, and plays on without a jump in time. A cut is timed by the clip it
//! enters, and ends where its displacement does.

use gaitway_core::Planar;
use gaitway_graph::{ClipId, EdgeId, MotionGraph, TransitionKind};
use gaitway_runtime::timeline::{Blend, Join, Span, Timeline, Track};

use super::AssembleOptions;
use crate::{SynthError, Walk};

/// What plays along one whole edge, from time 0 on, and what carries the clip at its end into the world. `source` gives the number
/// by which the span names a clip.
pub(crate) fn edge_span(
    graph: &MotionGraph,
    edge: EdgeId,
    rate_hz: f64,
    blend: Blend,
    world_from_clip: Planar,
    mut source: impl FnMut(ClipId) -> usize,
) -> (Span, Planar) {
    let (clip, range) = graph.source_range(edge);
    let step = graph.clip_info(clip).rate_hz() / rate_hz;
    let length = range.len() as f64 / step;
    let mut span = Span {
        origin: 0.0,
        end: length,
        length,
        from: Track::new(source(clip), range.start as f64, step, world_from_clip),
        to: None,
        join: Join::None,
        tag: edge.0,
    };
    let Some(t) = graph.transition(edge) else {
        return (span, world_from_clip);
    };
    let world_after = world_from_clip.compose(t.before_from_after);
    match t.kind {
        TransitionKind::Blend => {
            let info = graph.clip_info(t.to_clip);
            let arrives = info.source_boundary(graph.node(graph.to(edge)).boundary) as f64;
            let step = info.rate_hz() / rate_hz;
            let first = arrives - length * step;
            span.to = Some(Track::new(source(t.to_clip), first, step, world_after));
            span.join = Join::Blend(blend);
        }
        TransitionKind::Cut => {
            let entered = Track::new(source(clip), range.start as f64, step, world_after);
            let info = graph.clip_info(t.from_clip);
            let left = info.source_boundary(t.from_frame) as f64;
            let step = info.rate_hz() / rate_hz;
            span.from = Track::new(source(t.from_clip), left, step, world_from_clip);
            span.to = Some(entered);
            span.join = Join::Cut;
        }
    }
    (span, world_after)
}

/// The timeline of a walk; its spans carry the numbers of their edges, and its sources those of their clips, in the order in
/// which they are first played. Comes with what carries the clip under way at the end into the world.
///
/// # Errors
/// When the walk is not one of this graph, the rate is not possible, or the graph's frames are damaged.
pub fn timeline(
    graph: &MotionGraph,
    walk: &Walk,
    options: &AssembleOptions,
) -> Result<(Timeline, Planar), SynthError> {
    walk.check(graph)?;
    let rate_hz = options.out_fps.unwrap_or_else(|| graph.output_rate_hz());
    let mut out = Timeline::new(graph.skeleton().clone(), rate_hz)?;
    let mut number: Vec<Option<usize>> = vec![None; graph.clip_count()];
    for &edge in walk.edges() {
        let t = graph.transition(edge);
        let clips = match t {
            Some(t) => [Some(t.from_clip), Some(t.to_clip)],
            None => [Some(graph.timed_by(edge).clip), None],
        };
        for clip in clips.into_iter().flatten() {
            if number[clip.index()].is_none() {
                number[clip.index()] = Some(out.add_source(graph.source(clip)?)?);
            }
        }
    }
    let mut world = options.world_from_start;
    let mut clock = 0.0;
    for (place, &edge) in walk.edges().iter().enumerate() {
        let of = |clip: ClipId| number[clip.index()].unwrap_or(0);
        let (mut span, after) = edge_span(graph, edge, rate_hz, options.blend, world, of);
        let (clip, range) = graph.source_range(edge);
        let (_, first, last) = walk.source_range(graph, place);
        let step = graph.clip_info(clip).rate_hz() / rate_hz;
        span.origin = clock - (first - range.start) as f64 / step;
        clock += (last - first) as f64 / step;
        span.end = clock;
        out.push(span)?;
        world = after;
    }
    Ok((out, world))
}
