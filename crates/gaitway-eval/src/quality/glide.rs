//! Toes that go low over the floor without being lifted, in short.

use gaitway_core::Clip;
use gaitway_core::contacts::{Detection, Glide, GlideKind, NearTransitions, glides};
use serde::{Deserialize, Serialize};

use super::{Event, Measured, worst_first};

/// How often something happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GlideRate {
    /// How many there are.
    pub count: usize,
    /// In how many seconds of motion.
    pub seconds: f64,
    /// How many a second; `null` where there is no such time.
    pub per_s: Option<f64>,
}

impl GlideRate {
    /// So many in some seconds.
    pub fn new(count: usize, seconds: f64) -> Self {
        Self {
            count,
            seconds,
            per_s: (seconds > 0.0).then(|| count as f64 / seconds),
        }
    }
}

/// Glides of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slides {
    /// How many there are.
    pub count: usize,
    /// How many a second.
    pub per_s: f64,
    /// The longest way, 0 without any.
    pub longest_cm: f64,
    /// Those within 0.4 s of a transition, where transitions are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<usize>,
}

/// All glides of a motion ([`gaitway_core::contacts::glide`] says what one is).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Glides {
    /// How many there are.
    pub count: usize,
    /// Those that are slides, not toes that pass low in a swing ([`GlideKind`]).
    #[serde(default)]
    pub slides: Slides,
    /// How many a second.
    pub per_s: f64,
    /// The longest way, 0 without glides.
    pub longest_cm: f64,
    /// The largest speed, 0 without glides.
    pub fastest_cm_s: f64,
    /// The mean speed while gliding, 0 without glides.
    pub mean_cm_s: f64,
    /// How long all of them take, each foot for itself.
    pub seconds: f64,
    /// Those within 0.4 s of a transition, where transitions are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<GlideRate>,
    /// Those elsewhere, where transitions are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub away: Option<GlideRate>,
}

impl Glides {
    /// Of some glides of a clip, with the times of its transitions where they are known.
    pub fn of(glides: &[Glide], clip: &Clip, transitions: Option<&[f64]>) -> Self {
        let (rate, seconds) = (clip.rate_hz(), clip.seconds());
        let frames: usize = glides.iter().map(|g| g.frames.len()).sum();
        let speeds = glides.iter().map(|g| g.mean_m_s * g.frames.len() as f64);
        let largest = |of: fn(&Glide) -> f64| glides.iter().map(of).fold(0.0, f64::max);
        let parts = transitions.map(|times| {
            let near = NearTransitions::new(times, seconds);
            let count = glides.iter().filter(|g| near.has(g.middle_s(rate))).count();
            let rest = (seconds - near.seconds()).max(0.0);
            (
                GlideRate::new(count, near.seconds()),
                GlideRate::new(glides.len() - count, rest),
            )
        });
        let slid: Vec<&Glide> = glides
            .iter()
            .filter(|g| g.kind == GlideKind::Slide)
            .collect();
        let slides = Slides {
            count: slid.len(),
            per_s: slid.len() as f64 / seconds.max(1.0 / rate),
            longest_cm: 100.0 * slid.iter().map(|g| g.travel_m).fold(0.0, f64::max),
            near: transitions.map(|times| {
                let near = NearTransitions::new(times, seconds);
                slid.iter().filter(|g| near.has(g.middle_s(rate))).count()
            }),
        };
        Self {
            count: glides.len(),
            slides,
            per_s: glides.len() as f64 / seconds.max(1.0 / rate),
            longest_cm: 100.0 * largest(|g| g.travel_m),
            fastest_cm_s: 100.0 * largest(|g| g.fastest_m_s),
            mean_cm_s: 100.0 * speeds.fold(0.0, |a, b| a + b) / frames.max(1) as f64,
            seconds: frames as f64 / rate,
            near: parts.map(|p| p.0),
            away: parts.map(|p| p.1),
        }
    }
}

/// All glides; none without feet.
pub(super) fn measure(measured: &Measured<'_>, found: Option<&Detection>) -> Vec<Glide> {
    found.map_or(Vec::new(), |found| {
        glides(measured.world, found, measured.clip.rate_hz())
    })
}

/// Every glide as something to look at, slides before low swings, of each the longest first.
pub(super) fn events(
    glides: &[Glide],
    found: Option<&Detection>,
    rate_hz: f64,
    most: usize,
) -> Vec<Event> {
    let points = found.map_or(&[][..], |f| f.track.points());
    let event = |g: &Glide| Event {
        kind: match g.kind {
            GlideKind::Slide => "slide".into(),
            GlideKind::LowSwing => "low swing".into(),
        },
        start_s: g.frames.start as f64 / rate_hz,
        end_s: g.frames.end as f64 / rate_hz,
        point: points[g.point].name.clone(),
        value: 100.0 * g.travel_m,
        unit: "cm".into(),
    };
    let of = |kind: GlideKind| glides.iter().filter(move |g| g.kind == kind);
    let mut out = worst_first(of(GlideKind::Slide).map(event).collect(), most);
    let rest = most - out.len();
    out.extend(worst_first(
        of(GlideKind::LowSwing).map(event).collect(),
        rest,
    ));
    out
}
