//! A transition to look at, whether a graph has it or not: the motion left, the motion entered, and the blend of both, on
//! one clock and in one world.

use std::sync::Arc;

use gaitway_core::clip::ClipParts;
use gaitway_core::{Clip, ContactTrack, LabelTrack, Planar, TranslationTrack};
use gaitway_graph::{ClipId, MotionGraph, Transition, TransitionKind};
use gaitway_runtime::timeline::{Blend, Join, Span, Timeline, TimelinePlayer, Track};

use crate::SynthError;

/// A transition about two working frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreviewOptions {
    /// Whether both clips are blended, or one is cut into the other.
    pub kind: TransitionKind,
    /// Working frames it lasts.
    pub frames: u32,
    /// The clip left and the frame there that meets `to`: a blend's middle, or where a cut leaves.
    pub from: (ClipId, u32),
    /// The clip entered and the frame there.
    pub to: (ClipId, u32),
    /// Carries the entered clip onto the one left.
    pub before_from_after: Planar,
    /// Seconds shown before and after the transition.
    pub context_s: f64,
    /// How both become one.
    pub blend: Blend,
}

impl PreviewOptions {
    /// A transition of a graph with a second around it.
    pub fn of(transition: &Transition) -> Self {
        Self {
            kind: transition.kind,
            frames: transition.frames,
            from: (transition.from_clip, transition.from_frame),
            to: (transition.to_clip, transition.to_frame),
            before_from_after: transition.before_from_after,
            context_s: 1.0,
            blend: Blend::default(),
        }
    }
}

/// Three motions with equal frames: frame k of each is the same moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The clip left, as it goes on; held at its ends.
    pub from: Clip,
    /// The clip entered, moved onto the one left; held at its ends.
    pub to: Clip,
    /// What the transition would show.
    pub blend: Clip,
    /// Seconds at which the transition begins and ends.
    pub window_s: (f64, f64),
}

/// Makes the three motions.
///
/// # Errors
/// When a clip or frame is not there, the context is no time, or the graph's frames are damaged.
pub fn preview(graph: &MotionGraph, wish: &PreviewOptions) -> Result<Preview, SynthError> {
    // A cut may leave a clip at its very end, a boundary past its last frame.
    let past = u32::from(wish.kind == TransitionKind::Cut);
    for ((clip, frame), past) in [(wish.from, past), (wish.to, 0)] {
        let known = clip.index() < graph.clip_count();
        if !known || frame >= graph.clip_info(clip).working_frames() + past {
            let what = format!("frame {frame} of clip {}", clip.0);
            return Err(SynthError::NotInGraph { what });
        }
    }
    if !(0.0..=60.0).contains(&wish.context_s) {
        let what = format!("{} s is no context to show", wish.context_s);
        return Err(SynthError::Options { what });
    }
    let rate = |clip: ClipId| graph.clip_info(clip).rate_hz();
    let out_hz = rate(wish.from.0).max(rate(wish.to.0));
    let context = (wish.context_s * out_hz).round();
    let length = (f64::from(wish.frames) * out_hz / graph.working_rate_hz()).round();
    // Output frames from the transition's start to where the clips meet.
    let (meets, join) = match wish.kind {
        TransitionKind::Blend => (0.5 * (length - 1.0), Join::Blend(wish.blend)),
        TransitionKind::Cut => (0.0, Join::Cut),
    };
    let track = |source: usize, (clip, frame): (ClipId, u32), world: Planar| {
        let info = graph.clip_info(clip);
        let (step, boundary) = (rate(clip) / out_hz, info.source_boundary(frame));
        Track::new(source, boundary as f64 - meets * step, step, world)
    };
    let from = track(0, wish.from, Planar::IDENTITY);
    let to = track(1, wish.to, wish.before_from_after);
    let whole = 2.0 * context + length;
    let span = |origin: f64, end: f64, from: Track, to: Option<Track>, join: Join| Span {
        origin,
        end,
        length: if to.is_some() { length } else { end },
        from,
        to,
        join,
        tag: 0,
    };
    let alone = |track: Track| vec![span(context, whole, track, None, Join::None)];
    let joined = vec![
        span(context, context, from, None, Join::None),
        span(context, context + length, from, Some(to), join),
        span(context, whole, to, None, Join::None),
    ];
    let make = |name: &str, spans: Vec<Span>| -> Result<Clip, SynthError> {
        let mut timeline = Timeline::new(graph.skeleton().clone(), out_hz)?;
        timeline.add_source(graph.source(wish.from.0)?)?;
        timeline.add_source(graph.source(wish.to.0)?)?;
        for span in spans {
            timeline.push(span)?;
        }
        play(name, timeline, whole as usize)
    };
    Ok(Preview {
        from: make("from", alone(from))?,
        to: make("to", alone(to))?,
        blend: make("blend", joined)?,
        window_s: (context / out_hz, (context + length) / out_hz),
    })
}

/// The frames of a timeline, with contacts where all of its sources name the same points.
fn play(name: &str, timeline: Timeline, count: usize) -> Result<Clip, SynthError> {
    let timeline = Arc::new(timeline);
    let mut player = TimelinePlayer::new(timeline.clone());
    let mut pose = player.pose();
    let track = |&joint: &_| TranslationTrack {
        joint,
        values: Vec::with_capacity(count),
    };
    let mut parts = ClipParts {
        name: name.to_owned(),
        skeleton: timeline.skeleton().clone(),
        rate_hz: timeline.rate_hz(),
        root: Vec::with_capacity(count),
        rotations: Vec::with_capacity(count * timeline.skeleton().joint_count()),
        translations: player.moving_joints().iter().map(track).collect(),
        labels: LabelTrack::default(),
        contacts: None,
    };
    let mut masks = Vec::with_capacity(count);
    for k in 0..count {
        let at = timeline.span_at(k as f64);
        // Before its origin a track runs backwards: a context is held at the clip's start where there is no more.
        let offset = k as f64 - timeline.spans()[at].origin;
        player.pose_into(at, offset, &mut pose);
        parts.root.push(pose.root);
        parts.rotations.extend_from_slice(&pose.rotations);
        for (track, &value) in parts.translations.iter_mut().zip(&pose.translations) {
            track.values.push(value);
        }
        masks.push(player.contacts(at, offset));
    }
    parts.contacts = player.contact_points().map(|points| {
        let mut track = ContactTrack::new(points.to_vec(), count);
        let all = masks.iter().enumerate();
        all.for_each(|(k, &mask)| track.set_mask(k, mask));
        track
    });
    Ok(parts.build()?)
}
