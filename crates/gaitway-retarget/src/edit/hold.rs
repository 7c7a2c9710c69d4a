//! Joints dragged to a place at a time, or kept on a moving thing.

use std::ops::Range;

use gaitway_core::{Clip, PointIdx};
use glam::DVec3;

use super::feet::{as_they_are, settle, way};
use super::{EditError, EditStep, Hold, Place, joint, options};
use crate::body::Body;
use crate::solve::{Constraint, Target, Wish, residuals};

pub(super) fn hold(
    clip: &Clip,
    body: &Body,
    holds: &[Hold],
    spread_s: f64,
) -> Result<(Clip, Vec<EditStep>), EditError> {
    let mut constraints = Vec::with_capacity(holds.len());
    for hold in holds {
        constraints.push(constraint(clip, body, hold)?);
    }
    let count = constraints.len();
    let mut feet = as_they_are(clip, body, |_, p| p);
    // A foot that is dragged does not stand meanwhile.
    let mut let_go: Vec<String> = Vec::new();
    let apart = |a: &Range<usize>, b: &Range<usize>| a.end <= b.start || b.end <= a.start;
    for held in &constraints[..count] {
        let Some(side) = foot_of(body, held) else {
            continue;
        };
        feet.retain(|c| {
            let stands = matches!(c.wish, Wish::At { .. }) && c.name.starts_with(side);
            let goes = stands && !apart(&c.frames, &held.frames);
            if goes {
                let at = |f: usize| f as f64 / clip.rate_hz();
                let (from, to) = (at(c.frames.start), at(c.frames.end));
                let_go.push(format!(
                    "{} stands from {from:.2} to {to:.2} s, and is let go of",
                    c.name
                ));
            }
            !goes
        });
    }
    constraints.extend(feet);
    let done = settle(clip, body, &constraints, &options(spread_s));
    let (before, after) = (
        residuals(clip, &constraints[..count]),
        residuals(&done, &constraints[..count]),
    );
    let steps = holds
        .iter()
        .zip(before.iter().zip(&after))
        .map(|(hold, (before, after))| {
            let what = if hold.to_s > hold.from_s {
                "keep"
            } else {
                "drag"
            };
            let mut step = EditStep::new(what, words(hold));
            (step.before_mm, step.left_mm) = (Some(before.max_mm), Some(after.max_mm));
            step.notes.append(&mut let_go);
            if after.max_mm > 1.0 {
                step.notes.push(format!(
                    "`{}` cannot get there: {:.0} mm are left",
                    hold.joint, after.max_mm
                ));
            }
            step
        });
    Ok((done, steps.collect()))
}

/// Which foot a held point belongs to, as its constraints are called.
fn foot_of(body: &Body, held: &Constraint) -> Option<&'static str> {
    let Wish::At { point, .. } = &held.wish else {
        return None;
    };
    let of = |s: usize| {
        body.feet[s]
            .as_ref()
            .is_some_and(|f| f.points.contains(point))
    };
    ["left_", "right_"]
        .into_iter()
        .enumerate()
        .find_map(|(s, name)| of(s).then_some(name))
}

fn words(hold: &Hold) -> String {
    let when = match hold.to_s > hold.from_s {
        true => format!("{:.2}..{:.2}", hold.from_s, hold.to_s),
        false => format!("{:.2}", hold.from_s),
    };
    let place = match &hold.place {
        Place::At(p) => format!("{:.3},{:.3},{:.3}", p.x, p.y, p.z),
        Place::By(p) => format!("+{:.3},{:.3},{:.3}", p.x, p.y, p.z),
        Place::Along(all) => format!("{} places", all.len()),
    };
    format!("{}@{when}={place}", hold.joint)
}

fn constraint(clip: &Clip, body: &Body, hold: &Hold) -> Result<Constraint, EditError> {
    let point = PointIdx::from(joint(body, &hold.joint)?);
    let (rate, frames, seconds) = (clip.rate_hz(), clip.frame_count(), clip.seconds());
    let inside = |s: f64| s.is_finite() && s >= 0.0 && s * rate <= frames as f64 - 0.5;
    if frames == 0 || hold.to_s < hold.from_s || !inside(hold.from_s) || !inside(hold.to_s) {
        return Err(EditError::Time {
            what: words(hold),
            seconds,
        });
    }
    let frame = |s: f64| ((s * rate).round() as usize).min(frames - 1);
    let span = frame(hold.from_s)..frame(hold.to_s) + 1;
    let finite = |p: &DVec3| p.is_finite() && p.abs().max_element() < 1e5;
    let target = match &hold.place {
        Place::At(p) | Place::By(p) if !finite(p) => {
            return Err(EditError::Number(format!(
                "{}: is no place in metres",
                words(hold)
            )));
        }
        Place::At(p) => Target::Place(*p),
        Place::By(by) => Target::Path(
            way(clip, point)[span.clone()]
                .iter()
                .map(|p| *p + *by)
                .collect(),
        ),
        Place::Along(all) => {
            if all.is_empty() || !all.iter().all(|(t, p)| t.is_finite() && finite(p)) {
                return Err(EditError::Number(format!(
                    "{}: places need finite times and metres",
                    words(hold)
                )));
            }
            Target::Path(span.clone().map(|f| along(all, f as f64 / rate)).collect())
        }
    };
    Ok(Constraint {
        name: hold.joint.clone(),
        frames: span,
        wish: Wish::At { point, target },
    })
}

/// The place at a time: straight between rows, the first and last held beyond them.
fn along(all: &[(f64, DVec3)], at: f64) -> DVec3 {
    let next = all.partition_point(|r| r.0 <= at);
    match (next.checked_sub(1).map(|k| all[k]), all.get(next)) {
        (Some((t0, a)), Some(&(t1, b))) if t1 > t0 => a.lerp(b, (at - t0) / (t1 - t0)),
        (Some((_, a)), _) => a,
        (None, Some(&(_, b))) => b,
        (None, None) => DVec3::ZERO,
    }
}
