//! Per edge, the root's way on the ground, computed once per graph.
//!
//! A row per working frame of every edge, in the coordinates of the clip the edge leaves: place, step of arc length, and
//! what its naturalness costs whatever the walk before it was. Blended rows use the weights with which assembly
//! blends at the output rate, so that costs of a search are costs of the motion.

use gaitway_core::ground::{facing, smooth};
use gaitway_core::planar::wrap_angle;
use gaitway_core::{Clip, fk};
use gaitway_graph::{ClipId, EdgeId, Frames, MotionGraph, NodeId};

use super::options::Naturalness;
use crate::SynthError;
use crate::assemble::ease;

/// Slower than this is standing: it has no direction of travel.
pub(crate) const MOVING_M_S: f64 = 0.3;
/// Window over which sway of the root is taken out, about a stride.
pub(crate) const SWAY_S: f64 = 1.0;
/// Window over which travel and speed are measured.
pub(crate) const TRAVEL_S: f64 = 0.5;

/// A working frame of an edge.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub x: f64,
    pub z: f64,
    /// Arc length from the frame before; in row 0 only where arc length is smoothed.
    pub ds: f64,
    /// Cost of naturalness that every walk pays here.
    pub nat: f32,
    /// Cost of changing speed, paid on straight pieces.
    pub hurry: f32,
}

/// A turn and a shift as numbers ready to multiply: cos θ, sin θ, x, z.
pub(crate) type Turn = [f64; 4];

/// What is known of a node ahead of any search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeAhead {
    /// The root at the boundary's frame.
    pub at: [f64; 2],
    /// Where the clip takes it in half a second, as a difference.
    pub ahead: [f64; 2],
    /// Arc length of that.
    pub ahead_s: f64,
    /// Where the body faces.
    pub facing: f64,
}

/// Ways on the ground of all edges of a graph.
pub struct EdgePaths {
    pub(crate) first: Vec<u32>,
    pub(crate) rows: Vec<Row>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) is_transition: Vec<bool>,
    /// Arc length of each edge, from its first frame to its last.
    pub(crate) lengths: Vec<f64>,
    pub(crate) nodes: Vec<NodeAhead>,
    /// From the floor to the crown, metres.
    pub(crate) body_height: f64,
}

/// A clip at its source rate, measured.
struct Measured {
    root: Vec<[f64; 2]>,
    smooth: Vec<[f64; 2]>,
    /// Angle between facing and travel, 0 where it stands.
    aside: Vec<f64>,
    speed: Vec<f64>,
    facing: Vec<f64>,
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

pub(crate) fn apply(t: &Turn, p: [f64; 2]) -> [f64; 2] {
    [
        p[0] * t[0] + p[1] * t[1] + t[2],
        -p[0] * t[1] + p[1] * t[0] + t[3],
    ]
}

/// First `inner`, then `outer`.
pub(crate) fn compose(outer: &Turn, inner: &Turn) -> Turn {
    let shift = apply(outer, [inner[2], inner[3]]);
    [
        outer[0] * inner[0] - outer[1] * inner[1],
        outer[1] * inner[0] + outer[0] * inner[1],
        shift[0],
        shift[1],
    ]
}

pub(crate) fn turn_of(p: gaitway_core::Planar) -> Turn {
    let (sin, cos) = p.theta.sin_cos();
    [cos, sin, p.x, p.z]
}

/// One frame of an edge before costs are put on it.
#[derive(Clone, Copy)]
struct Sample {
    p: [f64; 2],
    /// Smoothed place, and the one a working frame earlier.
    way: f64,
    aside: f64,
    speed: f64,
}

impl EdgePaths {
    /// Measures all edges of a graph.
    ///
    /// # Errors
    /// When the graph's frames are damaged.
    pub fn new(
        graph: &MotionGraph,
        weights: &Naturalness,
        smooth_arc: bool,
    ) -> Result<Self, SynthError> {
        let frames = graph.frames()?;
        let clips = measured(graph, &frames)?;
        let mut out = Self {
            first: Vec::with_capacity(graph.edge_count() + 1),
            rows: Vec::new(),
            turns: Vec::with_capacity(graph.edge_count()),
            is_transition: Vec::with_capacity(graph.edge_count()),
            lengths: Vec::with_capacity(graph.edge_count()),
            nodes: graph.nodes().map(|n| ahead(graph, &clips, n)).collect(),
            body_height: body_height(graph, &frames)?,
        };
        for edge in graph.edges() {
            out.first.push(out.rows.len() as u32);
            out.turns.push(match graph.transition(edge) {
                Some(t) => turn_of(t.before_from_after),
                None => [1.0, 0.0, 0.0, 0.0],
            });
            out.is_transition.push(graph.is_transition(edge));
            out.add(graph, &clips, edge, weights, smooth_arc);
            let length = out.rows[*out.first.last().unwrap_or(&0) as usize..]
                .iter()
                .map(|r| r.ds)
                .sum();
            out.lengths.push(length);
        }
        out.first.push(out.rows.len() as u32);
        Ok(out)
    }

    pub(crate) fn rows(&self, edge: EdgeId) -> &[Row] {
        let (a, b) = (self.first[edge.index()], self.first[edge.index() + 1]);
        &self.rows[a as usize..b as usize]
    }

    /// From the floor to the crown, metres.
    pub fn body_height(&self) -> f64 {
        self.body_height
    }

    fn add(
        &mut self,
        graph: &MotionGraph,
        clips: &[Option<Measured>],
        edge: EdgeId,
        weights: &Naturalness,
        smooth_arc: bool,
    ) {
        let samples = samples(graph, clips, edge);
        let dt = 1.0 / graph.working_rate_hz();
        let begin = self.rows.len();
        for (k, s) in samples.iter().enumerate() {
            let before = if k > 0 { samples[k - 1] } else { *s };
            let raw = (s.p[0] - before.p[0]).hypot(s.p[1] - before.p[1]);
            let turned = (s.aside.abs() - weights.facing_free_rad).max(0.0);
            let hurry = (s.speed - before.speed) / dt;
            self.rows.push(Row {
                x: s.p[0],
                z: s.p[1],
                ds: if smooth_arc { s.way } else { raw },
                nat: (weights.facing * turned * turned) as f32,
                hurry: (weights.speed_change * hurry * hurry) as f32,
            });
        }
        if let (Some(t), Some(row)) = (graph.transition(edge), self.rows.get_mut(begin)) {
            let cm = t.distance_cm();
            row.nat += (weights.per_transition + weights.transition_cm2 * cm * cm) as f32;
        }
    }
}

fn measured(graph: &MotionGraph, frames: &Frames<'_>) -> Result<Vec<Option<Measured>>, SynthError> {
    let used: Vec<bool> = graph
        .clip_ids()
        .map(|c| !graph.nodes_of(c).is_empty())
        .collect();
    graph
        .clip_ids()
        .map(
            |c| match used[c.index()] && graph.clip_info(c).frame_count() > 0 {
                true => Ok(Some(Measured::of(&frames.clip(c)?))),
                false => Ok(None),
            },
        )
        .collect()
}

fn samples(graph: &MotionGraph, clips: &[Option<Measured>], edge: EdgeId) -> Vec<Sample> {
    let from = graph.node(graph.from(edge));
    let info = graph.clip_info(from.clip);
    let Some(a) = &clips[from.clip.index()] else {
        return Vec::new();
    };
    let start = info.source_boundary(from.boundary) as f64;
    let length = graph.working_length(edge);
    let source_step = info.rate_hz() / graph.working_rate_hz();
    let one = |m: &Measured, at: f64, step: f64| {
        let (now, before) = (lerp(&m.smooth, at), lerp(&m.smooth, at - step));
        Sample {
            p: lerp(&m.root, at),
            way: (now[0] - before[0]).hypot(now[1] - before[1]),
            aside: pick(&m.aside, at),
            speed: pick(&m.speed, at),
        }
    };
    let at = |k: u32| info.source_frame(from.boundary + k) as f64;
    let Some(t) = graph.transition(edge) else {
        return (0..length).map(|k| one(a, at(k), source_step)).collect();
    };
    let Some(b) = &clips[t.to_clip.index()] else {
        return Vec::new();
    };
    // As assembly does it: the clip entered is timed from its end, weights count output frames.
    let to = graph.clip_info(t.to_clip);
    let out_rate = graph.output_rate_hz();
    let step = info.rate_hz() / out_rate;
    let source = info.source_boundary(from.boundary + length) as f64 - start;
    let frames_out = source / step;
    let to_step = to.rate_hz() / out_rate;
    let arrives = to.source_boundary(graph.node(graph.to(edge)).boundary) as f64;
    let turn = turn_of(t.before_from_after);
    (0..length)
        .map(|k| {
            let offset = (at(k) - start) / step;
            let alpha = ease(((offset + 1.0) / (frames_out + 1.0)).clamp(0.0, 1.0));
            let there = arrives - frames_out * to_step + offset * to_step;
            let p = one(a, at(k), source_step);
            let q = one(b, there, to.rate_hz() / graph.working_rate_hz());
            let moved = apply(&turn, q.p);
            let mix = |u: f64, v: f64| alpha * u + (1.0 - alpha) * v;
            Sample {
                p: [mix(p.p[0], moved[0]), mix(p.p[1], moved[1])],
                way: mix(p.way, q.way),
                aside: mix(p.aside.abs(), q.aside.abs()),
                speed: mix(p.speed, q.speed),
            }
        })
        .collect()
}

fn ahead(graph: &MotionGraph, clips: &[Option<Measured>], node: NodeId) -> NodeAhead {
    let n = graph.node(node);
    let info = graph.clip_info(n.clip);
    let Some(m) = &clips[n.clip.index()] else {
        return NodeAhead::default();
    };
    let at =
        |k: u32| info.source_frame((n.boundary + k).min(info.working_frames().saturating_sub(1)));
    let reach = (0.5 * graph.working_rate_hz()).round() as u32;
    let here = m.root[at(0)];
    let there = m.root[at(reach)];
    let steps = (0..reach).map(|k| {
        let (p, q) = (m.root[at(k)], m.root[at(k + 1)]);
        (q[0] - p[0]).hypot(q[1] - p[1])
    });
    NodeAhead {
        at: here,
        ahead: [there[0] - here[0], there[1] - here[1]],
        ahead_s: steps.sum(),
        facing: m.facing[at(0)],
    }
}

fn body_height(graph: &MotionGraph, frames: &Frames<'_>) -> Result<f64, SynthError> {
    /// Where a clip says nothing.
    const USUAL_M: f64 = 1.7;
    let clip = graph
        .clip_ids()
        .find(|&c: &ClipId| graph.clip_info(c).frame_count() > 0);
    let Some(clip) = clip else { return Ok(USUAL_M) };
    let clip = frames.clip(clip)?;
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
