//! Frames that capture lost: no transition may touch them, since what is seen there is no motion.

use std::ops::Range;

use gaitway_core::ClipSet;
use gaitway_core::spikes::lapses;
use rayon::prelude::*;

use crate::model::library::Library;

/// Per clip, working frames a transition's window must not have its middle in.
pub(super) struct LostFrames(Vec<Vec<Range<u32>>>);

impl LostFrames {
    /// Lapses of all clips, wider by half a window on either side.
    pub fn new(clips: &ClipSet, library: &Library, half: usize) -> Self {
        let of = |(clip, info): (&gaitway_core::Clip, &crate::ClipInfo)| {
            let half = half as f64;
            let wide = |frames: Range<usize>| {
                let first = (frames.start as f64 / info.step).floor() - half;
                let last = (frames.end as f64 / info.step).ceil() + half;
                first.max(0.0) as u32..last as u32 + 1
            };
            let lost = lapses(clip).into_iter();
            lost.map(|l| wide(l.frames)).collect()
        };
        let pairs = clips.clips().par_iter().zip(&library.clips);
        Self(pairs.map(of).collect())
    }

    /// Whether a window around a working frame of a clip holds a lost frame.
    pub fn touched(&self, clip: usize, frame: u32) -> bool {
        self.0[clip].iter().any(|r| r.contains(&frame))
    }
}
