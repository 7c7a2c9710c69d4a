//! What edges are measured from: clips, frame by frame.

use gaitway_core::ground::{facing, floor_height, smooth};
use gaitway_core::planar::wrap_angle;
use gaitway_core::{Clip, Planar, fk};
use gaitway_graph::{ClipId, EdgeId, LabelId, MotionGraph, NodeId};
use gaitway_runtime::timeline::{Blend, CutSamples, Join, Span, Track, fades};

use super::{MOVING_M_S, NodeAhead, SWAY_S, TRAVEL_S, apply, turn_of};
use crate::SynthError;
use crate::motion::edge_span;

/// A clip at its source rate, measured.
pub(super) struct Measured {
    pub(super) root: Vec<[f64; 2]>,
    pub(super) smooth: Vec<[f64; 2]>,
    /// Angle between facing and travel, 0 where it stands.
    pub(super) aside: Vec<f64>,
    pub(super) speed: Vec<f64>,
    pub(super) facing: Vec<f64>,
    /// The root above the clip's floor.
    pub(super) height: Vec<f64>,
}

impl Measured {
    fn of(clip: &Clip) -> Self {
        let rate = clip.rate_hz();
        let column =
            |pick: fn(&glam::DVec3) -> f64| clip.root().iter().map(pick).collect::<Vec<_>>();
        let (x, z) = (column(|p| p.x), column(|p| p.z));
        let over = |window: f64| {
            let half = (window * rate / 2.0).round() as usize;
            let pairs = smooth(&x, half).into_iter().zip(smooth(&z, half));
            pairs.map(|(x, z)| [x, z]).collect::<Vec<[f64; 2]>>()
        };
        let travel = over(TRAVEL_S);
        let floor = floor_height(clip);
        let facing = facing(clip);
        let count = x.len();
        let mut speed = vec![0.0; count];
        let mut aside = vec![0.0; count];
        for f in 0..count {
            let (a, b) = (f.saturating_sub(1), (f + 1).min(count - 1));
            if a == b {
                continue;
            }
            let d = [travel[b][0] - travel[a][0], travel[b][1] - travel[a][1]];
            speed[f] = d[0].hypot(d[1]) * rate / (b - a) as f64;
            if speed[f] > MOVING_M_S {
                aside[f] = wrap_angle(facing[f] - gaitway_core::planar::heading_of(d[0], d[1]));
            }
        }
        Self {
            root: x.iter().zip(&z).map(|(&x, &z)| [x, z]).collect(),
            smooth: over(SWAY_S),
            aside,
            speed,
            facing,
            height: clip.root().iter().map(|p| p.y - floor).collect(),
        }
    }
}

fn lerp(values: &[[f64; 2]], at: f64) -> [f64; 2] {
    let last = values.len() - 1;
    let at = at.clamp(0.0, last as f64);
    let low = at as usize;
    let part = at - low as f64;
    let (a, b) = (values[low], values[(low + 1).min(last)]);
    [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]
}

fn pick(values: &[f64], at: f64) -> f64 {
    values[(at.max(0.0).round() as usize).min(values.len() - 1)]
}

/// One frame of an edge before costs are put on it.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) p: [f64; 2],
    /// Length of the smoothed way from a working frame earlier.
    pub(super) way: f64,
    pub(super) aside: f64,
    pub(super) speed: f64,
    pub(super) height: f64,
}

pub(super) fn measured(graph: &MotionGraph) -> Result<Vec<Option<Measured>>, SynthError> {
    let used = |c: ClipId| !graph.nodes_of(c).is_empty() && graph.clip_info(c).frame_count() > 0;
    let of = |c: ClipId| match used(c) {
        true => Ok(Some(Measured::of(&graph.clip(c)?))),
        false => Ok(None),
    };
    graph.clip_ids().map(of).collect()
}

/// The frames of an edge at the working rate, in the coordinates of the clip it leaves: as assembly plays it, with the centered
/// blend, which is the default.
pub(super) fn samples(
    graph: &MotionGraph,
    clips: &[Option<Measured>],
    edge: EdgeId,
) -> Vec<Sample> {
    let out_rate = graph.output_rate_hz();
    let number = |c: ClipId| c.index();
    let blend = Blend::Centered;
    let (span, _) = edge_span(graph, edge, out_rate, blend, Planar::IDENTITY, number);
    let node = graph.timed_by(edge);
    let info = graph.clip_info(node.clip);
    let start = info.source_boundary(node.boundary) as f64;
    let step = info.rate_hz() / out_rate;
    let one = |track: &Track, offset: f64| {
        let m = clips[track.source].as_ref()?;
        let at = track.frame_at(offset);
        let rate = graph.clip_info(ClipId(track.source as u32)).rate_hz();
        let (now, before) = (
            lerp(&m.smooth, at),
            lerp(&m.smooth, at - rate / graph.working_rate_hz()),
        );
        Some(Sample {
            p: apply(&turn_of(track.world_from_source()), lerp(&m.root, at)),
            way: (now[0] - before[0]).hypot(now[1] - before[1]),
            aside: pick(&m.aside, at),
            speed: pick(&m.speed, at),
            height: pick(&m.height, at),
        })
    };
    let jump = jump(clips, &span);
    let sample = |k: u32| {
        let at = info.source_frame(node.boundary + k) as f64;
        let offset = (at - start) / step;
        let mut playing = span.weights(offset);
        let (track, alpha) = playing.next()?;
        let mut s = one(track, offset)?;
        if let Some((other, _)) = playing.next() {
            let q = one(other, offset)?;
            let mix = |u: f64, v: f64| alpha * u + (1.0 - alpha) * v;
            s = Sample {
                p: [mix(s.p[0], q.p[0]), mix(s.p[1], q.p[1])],
                way: mix(s.way, q.way),
                aside: mix(s.aside.abs(), q.aside.abs()),
                speed: mix(s.speed, q.speed),
                height: mix(s.height, q.height),
            };
        }
        if let Some([place, speed]) = jump {
            let (left, moving) = fades(offset, span.length);
            for c in 0..2 {
                s.p[c] += place[c] * left + speed[c] * moving;
            }
        }
        Some(s)
    };
    let rows: Option<Vec<Sample>> = (0..graph.working_length(edge)).map(sample).collect();
    rows.unwrap_or_default()
}

/// Where the root is when a cut leaves, less where it is when it enters, and how that changes per output frame: as the timeline
/// closes the jump, on the ground.
fn jump(clips: &[Option<Measured>], span: &Span) -> Option<[[f64; 2]; 2]> {
    let to = span.to.as_ref().filter(|_| span.join == Join::Cut)?;
    let root = |track: &Track| clips[track.source].as_ref().map(|m| &m.root);
    let (a, b) = (root(&span.from)?, root(to)?);
    let at = |track: &Track, root: &[[f64; 2]], offset: f64| {
        let turn = turn_of(track.world_from_source());
        apply(&turn, lerp(root, track.frame_at(offset)))
    };
    let apart = |offset: f64| {
        let (p, q) = (at(&span.from, a, offset), at(to, b, offset));
        [p[0] - q[0], p[1] - q[1]]
    };
    let Some(meeting) = CutSamples::find(&span.from, to, [a.len(), b.len()]) else {
        return Some([apart(0.0), [0.0; 2]]);
    };
    let mut out = [[0.0; 2]; 2];
    for (offset, value, speed) in meeting.weights() {
        let d = apart(offset);
        for c in 0..2 {
            out[0][c] += value * d[c];
            out[1][c] += speed * d[c];
        }
    }
    Some(out)
}

pub(super) fn ahead(graph: &MotionGraph, clips: &[Option<Measured>], node: NodeId) -> NodeAhead {
    let n = graph.node(node);
    let info = graph.clip_info(n.clip);
    let Some(m) = &clips[n.clip.index()] else {
        return NodeAhead::default();
    };
    let at =
        |k: u32| info.source_frame((n.boundary + k).min(info.working_frames().saturating_sub(1)));
    /// Half a second at the least, three at the most, and between them as long as it takes to go so far.
    const AHEAD_M: f64 = 0.5;
    let rate = graph.working_rate_hz();
    let (least, most) = ((0.5 * rate).round() as u32, (3.0 * rate).round() as u32);
    let here = m.root[at(0)];
    let (mut k, mut ahead_s) = (0, 0.0);
    while k < least || (k < most && ahead_s < AHEAD_M) {
        let (p, q) = (m.root[at(k)], m.root[at(k + 1)]);
        ahead_s += (q[0] - p[0]).hypot(q[1] - p[1]);
        k += 1;
    }
    let there = m.root[at(k)];
    NodeAhead {
        at: here,
        ahead: [there[0] - here[0], there[1] - here[1]],
        ahead_s,
        ahead_frames: f64::from(k),
        facing: m.facing[at(0)],
    }
}

/// Per label, the median angle between facing and travel over the frames that go. One who creeps sideways goes sideways.
pub(super) fn typical_aside(graph: &MotionGraph, clips: &[Option<Measured>]) -> Vec<f64> {
    let mut angles: Vec<Vec<f64>> = vec![Vec::new(); graph.labels().names().len()];
    for clip in graph.clip_ids() {
        let (Some(m), info) = (&clips[clip.index()], graph.clip_info(clip)) else {
            continue;
        };
        for f in 0..info.working_frames() {
            let source = info.source_frame(f).min(m.speed.len() - 1);
            if m.speed[source] <= MOVING_M_S {
                continue;
            }
            let labels = info.labels_at(f);
            for (l, of) in angles.iter_mut().enumerate() {
                if labels.contains(LabelId(l as _)) {
                    of.push(m.aside[source].abs());
                }
            }
        }
    }
    let median = |mut a: Vec<f64>| {
        let middle = a.len() / 2;
        if a.is_empty() {
            return 0.0;
        }
        *a.select_nth_unstable_by(middle, f64::total_cmp).1
    };
    angles.into_iter().map(median).collect()
}

/// Per label, how far the root climbs: between the lowest and the highest tenth of its frames that travel, over a stride.
pub(super) fn climbs(graph: &MotionGraph, clips: &[Option<Measured>]) -> Vec<f64> {
    let mut heights: Vec<Vec<f64>> = vec![Vec::new(); graph.labels().names().len()];
    for clip in graph.clip_ids() {
        let (Some(m), info) = (&clips[clip.index()], graph.clip_info(clip)) else {
            continue;
        };
        let half = (SWAY_S * info.rate_hz() / 2.0).round() as usize;
        let calm = smooth(&m.height, half);
        for f in 0..info.working_frames() {
            let source = info.source_frame(f).min(m.speed.len() - 1);
            if m.speed[source] > MOVING_M_S {
                for l in info.labels_at(f).iter() {
                    heights[l.index()].push(calm[source]);
                }
            }
        }
    }
    let spread = |mut h: Vec<f64>| {
        if h.is_empty() {
            return 0.0;
        }
        h.sort_by(f64::total_cmp);
        h[(h.len() - 1) * 9 / 10] - h[(h.len() - 1) / 10]
    };
    heights.into_iter().map(spread).collect()
}

pub(super) fn body_height(graph: &MotionGraph) -> Result<f64, SynthError> {
    /// Where a clip says nothing.
    const USUAL_M: f64 = 1.7;
    let clip = graph
        .clip_ids()
        .find(|&c: &ClipId| graph.clip_info(c).frame_count() > 0);
    let Some(clip) = clip else { return Ok(USUAL_M) };
    let clip = graph.clip(clip)?;
    let middle = clip.frame_count() / 2;
    let points = fk::world_points(&clip);
    let ys = points.frame(middle).iter().map(|p| p.y);
    let (low, high) = ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| {
        (l.min(y), h.max(y))
    });
    let height = high - low;
    Ok(if height.is_finite() && height > 0.2 {
        height
    } else {
        USUAL_M
    })
}
