//! What plays when: sources one after another, with joins between them, in one world.
//!
//! ```text
//!  source A  ──[ piece ]──╲                     a span: which sources, where in them, where in the world,
//!                          [ blend ]            and how two become one
//!  source B                 ╲──[ piece ]──┐
//!  source C                                └►[ cut: C, and what B differed by, fading ]──[ piece ]──
//! ```
//!
//! Whatever decides on a motion (a walk through a graph, a plan, a controller) ends as a [`Timeline`]; whatever shows, measures
//! or writes a motion begins from one. Times are counted in frames of the timeline's own rate, with fractions: at the sources'
//! rate whole frames stay whole and nothing is rounded.
//!
//! A second of one clip, half a second of blend into another, and a cut back into the first:
//!
//! ```
//! use std::sync::Arc;
//! use gaitway_core::testing::swinging_clip;
//! use gaitway_runtime::timeline::{Blend, Join, Span, Timeline, TimelinePlayer, Track};
//! use gaitway_core::{Planar, PoseSource};
//!
//! let a = Arc::new(swinging_clip("a", 120, 60.0));
//! let b = Arc::new(swinging_clip("b", 180, 60.0));
//! let mut timeline = Timeline::new(a.skeleton().clone(), 60.0)?;
//! let (left, entered) = (timeline.add_source(a.clone())?, timeline.add_source(b)?);
//!
//! // A source that is at its own frame `first` where the span begins; it stays where it was recorded.
//! let track = |source, first| Track::new(source, first, 1.0, Planar::IDENTITY);
//! let span = |start, end, from, to, join| Span { origin: start, end, length: end - start, from, to, join, tag: 0 };
//! timeline.push(span(0.0, 60.0, track(left, 0.0), None, Join::None))?;
//! timeline.push(span(60.0, 90.0, track(left, 60.0), Some(track(entered, 0.0)), Join::Blend(Blend::Centered)))?;
//! timeline.push(span(90.0, 150.0, track(entered, 30.0), None, Join::None))?;
//! timeline.push(span(150.0, 180.0, track(entered, 90.0), Some(track(left, 10.0)), Join::Cut))?;
//!
//! let mut player = TimelinePlayer::new(Arc::new(timeline));
//! let mut pose = player.pose();
//! for frame in 0..player.timeline().frame_count() {
//!     let at = frame as f64;
//!     let span = player.timeline().span_at(at);
//!     let origin = player.timeline().spans()[span].origin;
//!     player.pose_into(span, at - origin, &mut pose);
//!     if frame == 30 {
//!         assert_eq!(pose.rotations, a.frame_rotations(30)); // along a piece, the source's own bits
//!     }
//! }
//! # Ok::<(), gaitway_runtime::timeline::TimelineError>(())
//! ```
//!
//! | module | its part |
//! | --- | --- |
//! | `span` | one stretch, and the sources it plays |
//! | `blend` | weights, blends, offsets that fade |
//! | `meet` | what two sources differ by at a cut |
//! | `contacts` | contacts of all sources in one alphabet |
//! | `player` | poses, one after another |

mod blend;
mod contacts;
mod meet;
mod player;
mod span;

use std::sync::Arc;

use thiserror::Error;

use gaitway_core::{JointIdx, PoseSource, Skeleton};

pub use blend::{Blend, Offsets, ease, fades};
pub use meet::CutSamples;
pub use player::TimelinePlayer;
pub use span::{Join, Span, Track};

use gaitway_core::source::SNAP;

/// A slip of the keyboard beyond this, not a wish.
pub const HIGHEST_RATE_HZ: f64 = 100_000.0;

/// Why spans do not make a timeline.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TimelineError {
    /// The rate is not possible.
    #[error("a rate of {0} frames a second is not possible")]
    Rate(f64),
    /// A source's body is not the timeline's.
    #[error("a source has another skeleton than the timeline")]
    Skeleton,
    /// A span plays a source that is not there.
    #[error("span {span} plays source {source_number}, but there are {sources}")]
    Source {
        /// The span, counted from 0.
        span: usize,
        /// What it names.
        source_number: usize,
        /// How many there are.
        sources: usize,
    },
    /// A span lasts less than nothing, or a number of it is not finite.
    #[error("span {span} would play from frame {start} to {end}")]
    Length {
        /// The span, counted from 0.
        span: usize,
        /// Where it begins.
        start: f64,
        /// Where it ends.
        end: f64,
    },
    /// A blend or a cut without the source it leads to, or a piece with one.
    #[error("span {span} joins two sources, but names {sources}")]
    Join {
        /// The span, counted from 0.
        span: usize,
        /// How many sources it names.
        sources: usize,
    },
}

/// Spans of sources, one after another.
#[derive(Clone)]
pub struct Timeline {
    skeleton: Arc<Skeleton>,
    rate_hz: f64,
    sources: Vec<Arc<dyn PoseSource>>,
    spans: Vec<Span>,
}

impl Timeline {
    /// An empty timeline for a body, its times counted in frames of a rate.
    ///
    /// # Errors
    /// When the rate is not possible.
    pub fn new(skeleton: Arc<Skeleton>, rate_hz: f64) -> Result<Self, TimelineError> {
        if !(rate_hz > 0.0 && rate_hz <= HIGHEST_RATE_HZ) {
            return Err(TimelineError::Rate(rate_hz));
        }
        Ok(Self {
            skeleton,
            rate_hz,
            sources: Vec::new(),
            spans: Vec::new(),
        })
    }

    /// Adds a source; spans name it by the number that comes back.
    ///
    /// # Errors
    /// When its body is another one.
    pub fn add_source(&mut self, source: Arc<dyn PoseSource>) -> Result<usize, TimelineError> {
        let own = source.skeleton();
        if !Arc::ptr_eq(own, &self.skeleton) && **own != *self.skeleton {
            return Err(TimelineError::Skeleton);
        }
        self.sources.push(source);
        Ok(self.sources.len() - 1)
    }

    /// Adds a span after the last. It begins where that one ends.
    ///
    /// # Errors
    /// When it lasts less than nothing, or what it names is not there.
    pub fn push(&mut self, span: Span) -> Result<(), TimelineError> {
        let (at, start) = (self.spans.len(), self.end());
        let numbers = [span.origin, span.end, span.length];
        if !(span.end >= start && span.length >= 0.0 && numbers.iter().all(|n| n.is_finite())) {
            return Err(TimelineError::Length {
                span: at,
                start,
                end: span.end,
            });
        }
        for track in span.tracks() {
            if track.source >= self.sources.len() {
                return Err(TimelineError::Source {
                    span: at,
                    source_number: track.source,
                    sources: self.sources.len(),
                });
            }
        }
        let sources = span.tracks().count();
        if (span.join == Join::None) != (sources == 1) {
            return Err(TimelineError::Join { span: at, sources });
        }
        self.spans.push(span);
        Ok(())
    }

    /// The body that moves.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Frames a second in which times are counted.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// The sources, by number.
    pub fn sources(&self) -> &[Arc<dyn PoseSource>] {
        &self.sources
    }

    /// The spans in order.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The time at which the last span ends, in frames.
    pub fn end(&self) -> f64 {
        self.spans.last().map_or(0.0, |s| s.end)
    }

    /// Whole frames of it all; the last may be cut short.
    pub fn frame_count(&self) -> usize {
        (self.end() - SNAP).ceil().max(0.0) as usize
    }

    /// The span that plays at a time in frames; the last where it is over.
    pub fn span_at(&self, at: f64) -> usize {
        let after = self.spans.partition_point(|s| s.end <= at + SNAP);
        after.min(self.spans.len().saturating_sub(1))
    }

    /// Joints that move in their parents in any of the sources, in joint order.
    pub fn moving_joints(&self) -> Vec<JointIdx> {
        let all = self.sources.iter().flat_map(|s| s.moving_joints());
        let mut out: Vec<JointIdx> = all.copied().collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}
