//! What is known about a clip beside its poses: labels (what is done) and contacts (what stands).

use std::ops::Range;

use crate::PointIdx;

/// One label over a half-open range of frames.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelSpan {
    /// First frame.
    pub start: usize,
    /// One past the last frame.
    pub end: usize,
    /// What is done, e.g. `walk`.
    pub label: String,
}

/// A frame at which what a label names happens, as somebody wrote it down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelMoment {
    /// The frame.
    pub frame: usize,
    /// The label, e.g. `sit`.
    pub label: String,
}

/// Whether a label says of whom or what a frame is (`person=16`) rather than what is done in it (`walk`): a *mark*. Marks can be asked for
/// as all labels can, but they name no action: thresholds are not chosen by them, and frames with nothing else are unlabelled.
pub fn is_mark(label: &str) -> bool {
    label.contains('=')
}

/// Labels over time; spans may overlap, since one frame can carry several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelTrack {
    spans: Vec<LabelSpan>,
    moments: Vec<LabelMoment>,
}

impl LabelTrack {
    /// Sorts the spans and joins those of one label that touch or overlap.
    pub fn new(mut spans: Vec<LabelSpan>) -> Self {
        spans.retain(|s| s.start < s.end);
        spans.sort_by(|a, b| (&a.label, a.start, a.end).cmp(&(&b.label, b.start, b.end)));
        spans.dedup_by(|next, kept| {
            let joined = next.label == kept.label && next.start <= kept.end;
            if joined {
                kept.end = kept.end.max(next.end);
            }
            joined
        });
        spans.sort();
        Self {
            spans,
            moments: Vec::new(),
        }
    }

    /// The same spans with moments at which their actions happen; those outside every span of their label are left out.
    pub fn with_moments(mut self, mut moments: Vec<LabelMoment>) -> Self {
        let spans = &self.spans;
        moments.retain(|m| {
            let holds = |s: &LabelSpan| s.label == m.label && (s.start..s.end).contains(&m.frame);
            spans.iter().any(holds)
        });
        moments.sort();
        moments.dedup();
        self.moments = moments;
        self
    }

    /// Moments at which actions happen, by frame.
    pub fn moments(&self) -> &[LabelMoment] {
        &self.moments
    }

    /// One label over a whole clip.
    pub fn whole(label: impl Into<String>, frames: usize) -> Self {
        Self::new(vec![LabelSpan {
            start: 0,
            end: frames,
            label: label.into(),
        }])
    }

    /// All spans, by start.
    pub fn spans(&self) -> &[LabelSpan] {
        &self.spans
    }

    /// Whether nothing is labelled.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The labels a frame carries, in order of their spans' starts.
    pub fn at(&self, frame: usize) -> impl Iterator<Item = &str> {
        self.spans
            .iter()
            .filter(move |s| (s.start..s.end).contains(&frame))
            .map(|s| s.label.as_str())
    }

    /// The part of the track inside a range of frames, counted from the range's start.
    pub fn cut(&self, frames: Range<usize>) -> Self {
        let spans = self.spans.iter().map(|s| LabelSpan {
            start: s.start.clamp(frames.start, frames.end) - frames.start,
            end: s.end.clamp(frames.start, frames.end) - frames.start,
            label: s.label.clone(),
        });
        let inside = self.moments.iter().filter(|m| frames.contains(&m.frame));
        let moments = inside.map(|m| LabelMoment {
            frame: m.frame - frames.start,
            label: m.label.clone(),
        });
        Self::new(spans.collect()).with_moments(moments.collect())
    }

    /// The track with every border mapped through `frame` (e.g. to another rate).
    pub fn map_frames(&self, frame: impl Fn(usize) -> usize) -> Self {
        let spans = self.spans.iter().map(|s| LabelSpan {
            start: frame(s.start),
            end: frame(s.end),
            label: s.label.clone(),
        });
        let moments = self.moments.iter().map(|m| LabelMoment {
            frame: frame(m.frame),
            label: m.label.clone(),
        });
        Self::new(spans.collect()).with_moments(moments.collect())
    }

    /// The track with other names, e.g. left and right swapped.
    pub fn map_labels(&self, name: impl Fn(&str) -> String) -> Self {
        let spans = self.spans.iter().map(|s| LabelSpan {
            label: name(&s.label),
            ..s.clone()
        });
        let moments = self.moments.iter().map(|m| LabelMoment {
            label: name(&m.label),
            ..m.clone()
        });
        Self::new(spans.collect()).with_moments(moments.collect())
    }
}

/// A point of the body that can stand on something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactPoint {
    /// What users call it, e.g. `left_heel`.
    pub name: String,
    /// The joint or end site whose place is held.
    pub point: PointIdx,
}

/// Which contact points stand, per frame: one bit per point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactTrack {
    points: Vec<ContactPoint>,
    frames: Vec<u32>,
}

impl ContactTrack {
    /// The most contact points a track may have.
    pub const MAX_POINTS: usize = 32;

    /// A track of `frames` frames in which nothing stands yet. Points beyond
    /// [`ContactTrack::MAX_POINTS`] are dropped.
    pub fn new(mut points: Vec<ContactPoint>, frames: usize) -> Self {
        points.truncate(Self::MAX_POINTS);
        Self {
            points,
            frames: vec![0; frames],
        }
    }

    /// The points, in bit order.
    pub fn points(&self) -> &[ContactPoint] {
        &self.points
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// Whether a point stands in a frame.
    pub fn get(&self, frame: usize, point: usize) -> bool {
        self.frames[frame] >> point & 1 == 1
    }

    /// Says whether a point stands in a frame.
    pub fn set(&mut self, frame: usize, point: usize, stands: bool) {
        let bit = 1 << point;
        if stands {
            self.frames[frame] |= bit
        } else {
            self.frames[frame] &= !bit
        }
    }

    /// All points of a frame as bits, point 0 lowest.
    pub fn mask(&self, frame: usize) -> u32 {
        self.frames[frame]
    }

    /// All frames' bits.
    pub fn masks(&self) -> &[u32] {
        &self.frames
    }

    /// Sets all points of a frame at once; bits beyond the points are dropped.
    pub fn set_mask(&mut self, frame: usize, mask: u32) {
        let known = ((1_u64 << self.points.len()) - 1) as u32;
        self.frames[frame] = mask & known;
    }

    /// The stretches in which a point stands, as half-open ranges of frames.
    pub fn plants(&self, point: usize) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let mut start = None;
        for frame in 0..=self.frames.len() {
            let stands = frame < self.frames.len() && self.get(frame, point);
            match (stands, start) {
                (true, None) => start = Some(frame),
                (false, Some(first)) => {
                    out.push(first..frame);
                    start = None;
                }
                _ => {}
            }
        }
        out
    }

    /// The part of the track inside a range of frames.
    pub fn cut(&self, frames: Range<usize>) -> Self {
        Self {
            points: self.points.clone(),
            frames: self.frames[frames].to_vec(),
        }
    }

    /// The same points over other frames: frame `f` of the result takes its bits from `source(f)`.
    pub fn gather(&self, count: usize, source: impl Fn(usize) -> usize) -> Self {
        let last = self.frames.len().saturating_sub(1);
        let frames = (0..count).map(|f| self.frames.get(source(f).min(last)).copied().unwrap_or(0));
        Self {
            points: self.points.clone(),
            frames: frames.collect(),
        }
    }
}
