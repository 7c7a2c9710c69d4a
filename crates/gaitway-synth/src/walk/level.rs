//! Level ground: stairs and platforms that were there at capture are not there later.
//!
//! Clips do not bring along what they were captured on. Where somebody climbs, feet stand above the floor on nothing, so a walk
//! keeps off such frames unless they are asked for. A frame's ground is the lowest point that stands in it, or that stood
//! last; the graph's floor is the median over all its frames, and a frame whose ground is further from it than [`STEP_M`] is off.

use gaitway_core::fk;
use gaitway_core::interpolate::Interpolated;
use gaitway_graph::{ClipId, EdgeId, LabelId, MotionGraph, Recipe};

/// Half the rise of a usual stair, in metres: more than feet and floors differ by, less than anybody climbs.
const STEP_M: f64 = 0.09;
/// A label with more than this part of its frames off the floor is one of climbing, and asks for it.
const CLIMBING: f64 = 0.2;

/// Which frames of a graph's clips are on its floor.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// Per clip and working frame, whether it is off the floor; empty where nothing can be told.
    off: Vec<Vec<bool>>,
}

impl Level {
    /// Measures every clip once; clips without contacts, or whose frames are damaged, count as level.
    pub fn of(graph: &MotionGraph) -> Self {
        let own = graph.captured_ids();
        let grounds: Vec<Vec<f64>> = own.map(|c| grounds(graph, c)).collect();
        let mut all: Vec<f64> = grounds.iter().flatten().copied().collect();
        if all.is_empty() {
            return Self {
                off: vec![Vec::new(); graph.clip_count()],
            };
        }
        let middle = all.len() / 2;
        let floor = *all.select_nth_unstable_by(middle, f64::total_cmp).1;
        let off = |g: &Vec<f64>| g.iter().map(|y| (y - floor).abs() > STEP_M).collect();
        let mut level = Self {
            off: grounds.iter().map(off).collect(),
        };
        for clip in graph.clip_ids().skip(graph.captured_count()) {
            let between = level.between(graph, clip);
            level.off.push(between);
        }
        level
    }

    /// An interpolated frame is where its sources are: off the floor where one of them is. Its own feet do not tell, since what stands in
    /// one of them alone is in the air.
    fn between(&self, graph: &MotionGraph, clip: ClipId) -> Vec<bool> {
        let info = graph.clip_info(clip);
        let Some(Recipe::Interpolation { first, second, how }) = info.recipe() else {
            return Vec::new();
        };
        let sources = [*first, *second];
        let (Ok(a), Ok(b)) = (graph.source(*first), graph.source(*second)) else {
            return Vec::new();
        };
        let Ok(made) = Interpolated::new(a, b, how.clone()) else {
            return Vec::new();
        };
        let off = |frame: u32| {
            let at = info.source_frame(frame) as f64;
            (0..2).any(|s| {
                let of = graph.clip_info(sources[s]);
                let place = made.place(s, at).max(0.0) / of.rate_hz() * graph.working_rate_hz();
                self.is_off(sources[s], place as u32)
            })
        };
        (0..info.working_frames()).map(off).collect()
    }

    fn is_off(&self, clip: ClipId, frame: u32) -> bool {
        let clip = &self.off[clip.index()];
        clip.get(frame as usize).or(clip.last()).is_some_and(|o| *o)
    }

    /// Whether every frame that an edge plays is on the floor; of a blend, where it leaves and where it enters.
    pub fn keeps(&self, graph: &MotionGraph, edge: EdgeId) -> bool {
        match graph.transition(edge) {
            Some(t) => {
                let frames = t.to_frame..t.to_frame + t.frames.max(1);
                !self.is_off(t.from_clip, t.from_frame)
                    && !frames.into_iter().any(|f| self.is_off(t.to_clip, f))
            }
            None => {
                let (from, to) = (graph.node(graph.from(edge)), graph.node(graph.to(edge)));
                !(from.boundary..to.boundary).any(|f| self.is_off(from.clip, f))
            }
        }
    }

    /// Whether a label is one of climbing.
    pub fn climbs(&self, graph: &MotionGraph, label: LabelId) -> bool {
        let (mut off, mut all) = (0_usize, 0_usize);
        for clip in graph.clip_ids() {
            let info = graph.clip_info(clip);
            for run in info
                .label_runs()
                .iter()
                .filter(|r| r.labels.contains(label))
            {
                all += (run.end - run.start) as usize;
                off += (run.start..run.end)
                    .filter(|&f| self.is_off(clip, f))
                    .count();
            }
        }
        off as f64 > CLIMBING * all as f64
    }
}

/// The ground under each working frame of a clip; nothing where no point ever stands.
fn grounds(graph: &MotionGraph, id: ClipId) -> Vec<f64> {
    let Ok(clip) = graph.clip(id) else {
        return Vec::new();
    };
    let Some(track) = clip.contacts() else {
        return Vec::new();
    };
    let world = fk::world_points(&clip);
    let standing = |f: usize| {
        let points = track.points().iter().enumerate();
        let bits = points.filter(|(k, _)| track.mask(f) >> k & 1 == 1);
        let heights = bits.map(|(_, p)| world.at(f, p.point.index()).y);
        heights.reduce(f64::min)
    };
    let info = graph.clip_info(id);
    let frames = (0..info.working_frames()).map(|f| info.source_frame(f));
    let frames = frames.map(|f| f.min(clip.frame_count().saturating_sub(1)));
    let found: Vec<Option<f64>> = frames.map(standing).collect();
    let Some(mut last) = found.iter().copied().flatten().next() else {
        return Vec::new();
    };
    let held = found.into_iter().map(|y| {
        last = y.unwrap_or(last);
        last
    });
    held.collect()
}
