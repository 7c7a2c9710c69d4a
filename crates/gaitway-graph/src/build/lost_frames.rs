//! Frames that capture lost: no transition may touch them, since what is seen there is no motion.

use std::ops::Range;

use gaitway_core::spikes::lapses;
use gaitway_core::{Clip, ClipSet};
use rayon::prelude::*;

use crate::model::library::Library;
use crate::{ClipInfo, GraphError, MotionGraph};

/// Per clip, working frames a transition's window must not have its middle in.
pub(crate) struct LostFrames(Vec<Vec<Range<u32>>>);

impl LostFrames {
    /// Lapses of all clips, wider by half a window on either side.
    pub fn new(clips: &ClipSet, library: &Library, half: usize) -> Self {
        let pairs = clips.clips().par_iter().zip(&library.clips);
        Self(pairs.map(|(clip, info)| of(clip, info, half)).collect())
    }

    /// The same of a graph's clips.
    pub fn of_graph(graph: &MotionGraph) -> Result<Self, GraphError> {
        let ids: Vec<_> = graph.clip_ids().collect();
        let of_clip = |&id| {
            let clip = graph.clip(id)?;
            Ok(of(&clip, graph.clip_info(id), graph.half as usize))
        };
        Ok(Self(
            ids.par_iter()
                .map(of_clip)
                .collect::<Result<_, GraphError>>()?,
        ))
    }

    /// Whether a window around a working frame of a clip holds a lost frame.
    pub fn touched(&self, clip: usize, frame: u32) -> bool {
        self.0[clip].iter().any(|r| r.contains(&frame))
    }

    /// Whether any window around these working frames of a clip holds one.
    pub fn touches(&self, clip: usize, frames: Range<u32>) -> bool {
        let meets = |r: &Range<u32>| r.start < frames.end && frames.start < r.end;
        self.0[clip].iter().any(meets)
    }
}

fn of(clip: &Clip, info: &ClipInfo, half: usize) -> Vec<Range<u32>> {
    let half = half as f64;
    let wide = |frames: Range<usize>| {
        let first = (frames.start as f64 / info.step).floor() - half;
        let last = (frames.end as f64 / info.step).ceil() + half;
        first.max(0.0) as u32..last as u32 + 1
    };
    lapses(clip).into_iter().map(|l| wide(l.frames)).collect()
}
