//! How fast a body gets on along the clips of a graph.

use gaitway_core::ground::smooth_ground_path;
use gaitway_graph::{ClipId, EdgeId, MotionGraph};
use glam::DVec2;

/// Seconds over which the root's way is smoothed: about a stride, so that sway is no travel.
const STRIDE_S: f64 = 1.0;

/// Metres gone since a clip's start, per clip and working boundary.
pub(super) struct Pace {
    gone: Vec<Vec<f64>>,
    /// Where the root's way is, sway left out, likewise.
    places: Vec<Vec<DVec2>>,
}

impl Pace {
    /// Measures every clip once; one whose frames are damaged goes nowhere.
    pub fn of(graph: &MotionGraph) -> Self {
        let places: Vec<Vec<DVec2>> = graph.clip_ids().map(|c| places(graph, c)).collect();
        Self {
            gone: places.iter().map(|p| gone(p)).collect(),
            places,
        }
    }

    /// Where a clip's root is at a boundary.
    pub fn place(&self, clip: ClipId, at: u32) -> DVec2 {
        let places = &self.places[clip.index()];
        let here = places.get(at as usize).or(places.last());
        here.copied().unwrap_or_default()
    }

    /// Metres between two boundaries of a clip.
    pub fn metres(&self, clip: ClipId, from: u32, to: u32) -> f64 {
        let gone = &self.gone[clip.index()];
        let at = |b: u32| gone.get(b as usize).or(gone.last()).copied().unwrap_or(0.0);
        at(to) - at(from)
    }

    /// Metres along an edge, in the clip that keeps its time.
    pub fn along(&self, graph: &MotionGraph, edge: EdgeId) -> f64 {
        let node = graph.timed_by(edge);
        let end = node.boundary + graph.working_length(edge);
        self.metres(node.clip, node.boundary, end)
    }

    /// The median speed over the frames of some pieces, in m/s; 0 where there are none.
    pub fn usual(&self, graph: &MotionGraph, pieces: impl Iterator<Item = EdgeId>) -> f64 {
        let mut speeds = Vec::new();
        for edge in pieces {
            let (node, rate) = (graph.node(graph.from(edge)), graph.working_rate_hz());
            let frames = node.boundary..node.boundary + graph.working_length(edge);
            speeds.extend(frames.map(|f| self.metres(node.clip, f, f + 1) * rate));
        }
        let middle = speeds.len() / 2;
        if speeds.is_empty() {
            return 0.0;
        }
        *speeds.select_nth_unstable_by(middle, f64::total_cmp).1
    }
}

fn places(graph: &MotionGraph, id: ClipId) -> Vec<DVec2> {
    let Ok(clip) = graph.clip(id) else {
        return Vec::new();
    };
    let way = smooth_ground_path(&clip, STRIDE_S);
    let info = graph.clip_info(id);
    let at = |b: u32| way.get(info.source_frame(b)).or(way.last()).copied();
    (0..=info.working_frames()).filter_map(at).collect()
}

fn gone(places: &[DVec2]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut out = Vec::with_capacity(places.len());
    for (k, p) in places.iter().enumerate() {
        sum += p.distance(places[k.saturating_sub(1)]);
        out.push(sum);
    }
    out
}
