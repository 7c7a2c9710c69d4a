//! Plays timelines tick by tick: time goes in as `dt`, a pose comes out.

use std::collections::VecDeque;
use std::sync::Arc;

use gaitway_core::{ContactPoint, Pose};

use crate::timeline::{Timeline, TimelineError, TimelinePlayer};

/// Plays a timeline, and what is queued after it. It owns all it plays, asks no clock, and allocates only where the next timeline
/// begins.
///
/// ```
/// use std::sync::Arc;
/// use gaitway_core::{Planar, testing::swinging_clip};
/// use gaitway_runtime::timeline::{Join, Span, Timeline, Track};
/// use gaitway_runtime::Player;
///
/// let clip = Arc::new(swinging_clip("stroll", 120, 60.0));
/// let mut timeline = Timeline::new(clip.skeleton().clone(), 60.0)?;
/// let source = timeline.add_source(clip)?;
/// let from = Track::new(source, 0.0, 1.0, Planar::IDENTITY);
/// timeline.push(Span { origin: 0.0, end: 120.0, length: 120.0, from, to: None, join: Join::None, tag: 7 })?;
///
/// let mut player = Player::new(Arc::new(timeline));
/// while !player.tick(1.0 / 144.0).over {
///     let _skin_me = &player.pose().rotations;
/// }
/// assert!((player.seconds() - 2.0).abs() < 1.0 / 144.0);
/// # Ok::<(), gaitway_runtime::timeline::TimelineError>(())
/// ```
#[derive(Clone)]
pub struct Player {
    inner: TimelinePlayer,
    queue: VecDeque<Arc<Timeline>>,
    pose: Pose,
    /// In the timeline under way, in its frames.
    at: f64,
    /// Of the timelines before it, in seconds.
    before_s: f64,
}

/// What a tick came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// The span under way.
    pub span: usize,
    /// That span's [`tag`](crate::timeline::Span::tag).
    pub tag: u32,
    /// What stands, a bit per point of [`Player::contact_points`].
    pub contacts: u32,
    /// Whether this tick began another timeline.
    pub next: bool,
    /// Whether everything was played: the last pose is held.
    pub over: bool,
}

impl Player {
    /// A player at the start of a timeline, with its first pose.
    pub fn new(timeline: Arc<Timeline>) -> Self {
        let inner = TimelinePlayer::new(timeline);
        let mut player = Self {
            pose: inner.pose(),
            inner,
            queue: VecDeque::new(),
            at: 0.0,
            before_s: 0.0,
        };
        player.show();
        player
    }

    /// Plays another timeline after what is there. Where it is to go on smoothly, it begins as what is before it ends.
    ///
    /// # Errors
    /// When it is of another body.
    pub fn queue(&mut self, timeline: Arc<Timeline>) -> Result<(), TimelineError> {
        let (own, new) = (self.inner.timeline().skeleton(), timeline.skeleton());
        if !Arc::ptr_eq(own, new) && **own != **new {
            return Err(TimelineError::Skeleton);
        }
        self.queue.push_back(timeline);
        Ok(())
    }

    /// Goes on by `dt` seconds and fills in the pose. A `dt` that is no time (negative, or no number) holds still.
    pub fn tick(&mut self, dt: f64) -> Tick {
        let dt = if dt > 0.0 && dt.is_finite() { dt } else { 0.0 };
        self.at += dt * self.rate_hz();
        let mut next = false;
        while self.at >= self.end() {
            let Some(timeline) = self.queue.pop_front() else {
                break;
            };
            let rest_s = (self.at - self.end()) / self.rate_hz();
            self.before_s += self.end() / self.rate_hz();
            self.inner = TimelinePlayer::new(timeline);
            self.at = rest_s * self.rate_hz();
            next = true;
        }
        let over = self.at >= self.end();
        if over {
            self.at = self.end();
        }
        let (span, tag, contacts) = self.show();
        Tick {
            span,
            tag,
            contacts,
            next,
            over,
        }
    }

    /// Goes to a time of the timeline under way, in seconds from its start, and fills in the pose.
    pub fn seek(&mut self, seconds: f64) {
        let at = seconds * self.rate_hz();
        self.at = if at > 0.0 { at.min(self.end()) } else { 0.0 };
        self.show();
    }

    /// The pose now: the root's place, every joint's local rotation.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Seconds played, of all timelines.
    pub fn seconds(&self) -> f64 {
        self.before_s + self.at / self.rate_hz()
    }

    /// Seconds until the timeline under way and all that is queued is over.
    pub fn seconds_left(&self) -> f64 {
        let queued = self.queue.iter().map(|t| t.end() / t.rate_hz());
        (self.end() - self.at) / self.rate_hz() + queued.sum::<f64>()
    }

    /// What plays.
    pub fn timeline(&self) -> &Arc<Timeline> {
        self.inner.timeline()
    }

    /// The points whose bits [`Tick::contacts`] has; `None` where a source has no contacts.
    pub fn contact_points(&self) -> Option<&[ContactPoint]> {
        self.inner.contact_points()
    }

    fn rate_hz(&self) -> f64 {
        self.inner.timeline().rate_hz()
    }

    fn end(&self) -> f64 {
        self.inner.timeline().end()
    }

    /// Fills in the pose at this time. Past the last whole frame that frame is held: what a source does after it is not asked for.
    fn show(&mut self) -> (usize, u32, u32) {
        let timeline = self.inner.timeline();
        let Some(last) = timeline.frame_count().checked_sub(1) else {
            return (0, 0, 0);
        };
        let at = self.at.min(last as f64);
        let span = timeline.span_at(at);
        let (origin, tag) = (timeline.spans()[span].origin, timeline.spans()[span].tag);
        let offset = (at - origin).max(0.0);
        self.inner.pose_into(span, offset, &mut self.pose);
        (span, tag, self.inner.contacts(span, offset))
    }
}
