//! Editing by the means of retargeting: what is asked for is met by the smallest change of low frequency, and feet stay where they stand.
//!
//! In this order, whatever order they are asked in, and each only where it is asked for:
//!
//! | step | module | what it does |
//! | --- | --- | --- |
//! | style | `style` | the difference of two clips is added, stride by stride |
//! | lengths | `lengths` | taller, longer legs, longer arms |
//! | path | `path` | the way is led along a drawn curve |
//! | holds | `hold` | joints are dragged to places, or kept on moving things |
//! | speed | `speed` | faster or slower, all of it or in part |
//!
//! Times are seconds of the clip as it came. Feet are held as they were (on their places as they are, not as they should be: `clean` does
//! that), so an edit that asks for what is there changes nothing, to the bit; only lengths plant them anew, as retargeting does.

mod feet;
mod hold;
mod lengths;
mod path;
mod report;
mod speed;
mod style;

use gaitway_core::{Clip, ClipError, JointIdx};
use glam::{DVec2, DVec3};
use thiserror::Error;

pub use lengths::{height, reached};
pub use path::own_path;
pub use report::{ChangedSpan, EditReport, EditStep};

use crate::body::Body;
use crate::roles::{OverrideError, Role, RoleOverrides};
use crate::solve::SolveOptions;

/// How tall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// Times as tall as before.
    Times(f64),
    /// Metres from the soles to the top of the skeleton, standing.
    Metres(f64),
}

/// Where a joint shall be.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// There, in metres of the world.
    At(DVec3),
    /// So far from where it is.
    By(DVec3),
    /// Along with something that moves: seconds and places, seconds rising; between them straight.
    Along(Vec<(f64, DVec3)>),
}

/// A joint that is dragged or kept somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    /// A joint's name, or a role's (`LeftHand`).
    pub joint: String,
    /// From when, seconds.
    pub from_s: f64,
    /// Until when; the same for one moment.
    pub to_s: f64,
    /// Where.
    pub place: Place,
}

/// How fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Times as fast as before.
    pub times: f64,
    /// From when until when, seconds; all of it where absent.
    pub span: Option<(f64, f64)>,
}

/// A manner: what one clip does otherwise than another.
#[derive(Clone, Debug)]
pub struct Style {
    /// The clip with the manner.
    pub from: Clip,
    /// The same without it.
    pub of: Clip,
    /// How much of the difference is added: 1 is all of it.
    pub amount: f64,
}

/// What to change.
#[derive(Clone, Debug)]
pub struct Edits {
    /// A manner that is added.
    pub style: Option<Style>,
    /// How tall.
    pub taller: Option<Size>,
    /// Thighs and shanks times as long.
    pub legs: f64,
    /// Upper arms and forearms times as long.
    pub arms: f64,
    /// A curve on the ground, points in metres, x and z.
    pub path: Option<Vec<DVec2>>,
    /// Joints that are dragged or kept.
    pub holds: Vec<Hold>,
    /// How fast, later ones over earlier ones.
    pub speed: Vec<Pace>,
    /// τ: over how many seconds a drag comes and goes.
    pub spread_s: f64,
    /// Which joint is what, where it was not found.
    pub roles: Option<RoleOverrides>,
}

impl Default for Edits {
    fn default() -> Self {
        Self {
            style: None,
            taller: None,
            legs: 1.0,
            arms: 1.0,
            path: None,
            holds: Vec::new(),
            speed: Vec::new(),
            spread_s: 0.25,
            roles: None,
        }
    }
}

/// Why a clip cannot be edited so.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EditError {
    /// No joint and no role is called that.
    #[error("no joint is called `{name}`{near}")]
    Joint {
        /// As it was written.
        name: String,
        /// What there is, as the end of a sentence.
        near: String,
    },
    /// A time outside the clip.
    #[error("{what}: the clip lasts from 0 to {seconds:.2} s")]
    Time {
        /// What was asked for.
        what: String,
        /// How long it lasts.
        seconds: f64,
    },
    /// A number that cannot be.
    #[error("{0}")]
    Number(String),
    /// A part of the body that is not there.
    #[error("{0}")]
    Body(String),
    /// A way that cannot be led along a curve.
    #[error("{0}")]
    Path(String),
    /// The same with what the curve would have to be scaled by.
    #[error("the curve is {curve_m:.2} m long and the clip goes {clip_m:.2} m: steps would be {:.2} times as long", curve_m / clip_m)]
    PathLength {
        /// How long the curve is.
        curve_m: f64,
        /// How far the clip goes.
        clip_m: f64,
    },
    /// A manner that cannot be taken over.
    #[error("{0}")]
    Style(String),
    /// Roles that do not fit.
    #[error(transparent)]
    Roles(#[from] OverrideError),
    /// Arrays that make no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// A clip that was edited.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The motion.
    pub clip: Clip,
    /// What was changed.
    pub report: EditReport,
}

/// How edits are solved: over wider spans than retargeting, for what is dragged shall not twitch.
pub(crate) fn options(spread_s: f64) -> SolveOptions {
    SolveOptions {
        smooth_s: spread_s,
        steps: 6,
        tolerance_m: 1e-4,
        ..SolveOptions::default()
    }
}

/// Edits a clip.
///
/// # Errors
/// What is asked for by a name, a time or a number that does not fit the clip.
pub fn edit(clip: &Clip, edits: &Edits) -> Result<Edited, EditError> {
    let body = Body::of_clip(clip, edits.roles.as_ref())?;
    let mut report = EditReport::new(clip, &body);
    let mut now = clip.clone();
    let mut body = body;
    if !(edits.spread_s.is_finite() && (0.0..=5.0).contains(&edits.spread_s)) {
        return Err(EditError::Number(format!(
            "a change spreads over 0 to 5 s, not {}",
            edits.spread_s
        )));
    }
    if let Some(style) = &edits.style {
        let (next, step) = style::add(&now, &body, style)?;
        report.step(step, &now, &next);
        now = next;
    }
    if let Some((next, longer, step)) = lengths::change(&now, &body, edits)? {
        report.step(step, &now, &next);
        (now, body) = (next, longer);
    }
    if let Some(curve) = &edits.path {
        let (next, step) = path::lead(&now, &body, curve)?;
        report.step(step, &now, &next);
        now = next;
    }
    if !edits.holds.is_empty() {
        let (next, steps) = hold::hold(&now, &body, &edits.holds, edits.spread_s)?;
        report.steps(steps, &now, &next);
        now = next;
    }
    report.compare(clip, &now, &body);
    if !edits.speed.is_empty() {
        let (next, step) = speed::change(&now, &edits.speed)?;
        report.step(step, &next, &next);
        now = next;
    }
    report.seconds = now.seconds();
    Ok(Edited { clip: now, report })
}

/// A joint by its name, or by a role's.
fn joint(body: &Body, name: &str) -> Result<JointIdx, EditError> {
    let by_role = || Role::from_name(name).and_then(|r| body.roles.joints(r).last().copied());
    body.skeleton.find(name).or_else(by_role).ok_or_else(|| {
        let wanted = name.to_lowercase();
        let alike = |n: &&String| {
            let n = n.to_lowercase();
            n.contains(&wanted)
                || wanted.contains(&n)
                || n.chars()
                    .zip(wanted.chars())
                    .take_while(|(a, b)| a == b)
                    .count()
                    >= 5
        };
        let near: Vec<&str> = body
            .skeleton
            .names()
            .iter()
            .filter(alike)
            .take(4)
            .map(String::as_str)
            .collect();
        let near = match near.is_empty() {
            true => String::new(),
            false => format!("; there are {}", near.join(", ")),
        };
        EditError::Joint {
            name: name.to_owned(),
            near,
        }
    })
}

/// A number of times: positive, and not more than makes sense of.
fn times(what: &str, value: f64) -> Result<f64, EditError> {
    match value.is_finite() && (0.1..=10.0).contains(&value) {
        true => Ok(value),
        false => Err(EditError::Number(format!(
            "{what}: expected 0.1 to 10 times as much, found {value}"
        ))),
    }
}
