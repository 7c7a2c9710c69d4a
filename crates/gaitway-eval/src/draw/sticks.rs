//! The figure as lines between joints and as points of light.

use gaitway_core::anatomy::{Arm, Leg, Side};
use gaitway_core::figure::{Figure, Form, Held, Kind};

use super::body::{Assembly, Spot, Tone};
use super::outline::{tone, waist};

/// Adds lines and dots.
pub(super) fn add(work: &mut Assembly<'_>, figure: &Figure) {
    let anatomy = &figure.anatomy;
    let legs = anatomy.both_legs();
    work.body.pelvis = match legs {
        Some([l, r]) => {
            let (l, r) = (work.joint(l.hip), work.joint(r.hip));
            work.between(l, r, 0.5)
        }
        None => work.joint(figure.top),
    };
    let sides = [Side::Left, Side::Right];
    for (leg, side) in legs.iter().flatten().zip(sides) {
        add_leg(work, figure, *leg, side);
    }
    for (arm, side) in anatomy.arms.iter().zip(sides) {
        if let Some(arm) = arm {
            add_arm(work, figure, *arm, side);
        }
    }
    add_trunk(work, figure);
    add_rest(work, figure);
}

/// The form of the first part of a kind.
fn form(figure: &Figure, kind: Kind, side: Option<Side>) -> Option<&Form> {
    let mut parts = figure.parts.iter();
    let part = parts.find(|p| p.kind == kind && p.side == side)?;
    Some(&part.form)
}

fn add_leg(work: &mut Assembly<'_>, figure: &Figure, leg: Leg, side: Side) {
    let tone = Tone::from(side);
    let (hip, knee, ankle) = (
        work.joint(leg.hip),
        work.joint(leg.knee),
        work.joint(leg.ankle),
    );
    let ball = leg.toe.map_or(ankle, |toe| work.joint(toe));
    let tip = match form(figure, Kind::Foot, Some(side)) {
        Some(Form::Tube { rings, .. }) => rings
            .last()
            .map_or(ball, |ring| work.follows(ring.centre, ring.follows)),
        _ => ball,
    };
    for (a, b) in [(hip, knee), (knee, ankle), (ankle, ball), (ball, tip)] {
        if a != b {
            work.bone(a, b, tone);
        }
    }
    work.bone(work.body.pelvis, hip, tone);
    work.body
        .dots
        .extend([hip, knee, ankle, tip].map(|s| (s, tone)));
}

fn add_arm(work: &mut Assembly<'_>, figure: &Figure, arm: Arm, side: Side) {
    let tone = Tone::from(side);
    let (shoulder, elbow, wrist) = (
        work.joint(arm.shoulder),
        work.joint(arm.elbow),
        work.joint(arm.wrist),
    );
    for (a, b) in [(shoulder, elbow), (elbow, wrist)] {
        work.bone(a, b, tone);
    }
    if let Some(Form::Egg { centre, axes, .. }) = form(figure, Kind::Hand, Some(side)) {
        let place = centre.place + axes[2] * 0.4;
        let tip = work.held(Held { place, ..*centre });
        work.bone(wrist, tip, tone);
    }
    work.body
        .dots
        .extend([shoulder, elbow, wrist].map(|s| (s, tone)));
}

/// Spine, shoulders and head.
fn add_trunk(work: &mut Assembly<'_>, figure: &Figure) {
    let Some(Form::Tube { rings, .. }) = form(figure, Kind::Trunk, None) else {
        return;
    };
    let middle = rings[waist(rings)];
    let waist = work.follows(middle.centre, middle.follows);
    let shoulders: Vec<Spot> = figure
        .anatomy
        .arms
        .iter()
        .flatten()
        .map(|a| work.joint(a.shoulder))
        .collect();
    let neck = match *shoulders {
        [l, r] => work.between(l, r, 0.5),
        _ => {
            let last = rings[rings.len() - 1];
            work.follows(last.centre, last.follows)
        }
    };
    work.bone(work.body.pelvis, waist, Tone::Trunk);
    work.bone(waist, neck, Tone::Trunk);
    for shoulder in shoulders {
        work.bone(neck, shoulder, Tone::Trunk);
    }
    let (Some(head), Some(Form::Egg { centre, .. })) =
        (figure.anatomy.head, form(figure, Kind::Head, None))
    else {
        return;
    };
    let (base, skull) = (work.joint(head), work.held(*centre));
    work.bone(neck, base, Tone::Trunk);
    work.bone(base, skull, Tone::Trunk);
    work.body.head = Some((skull, 0.1 * work.body.unit));
    work.body.dots.push((skull, Tone::Head));
}

/// What no part of a human body stands for.
fn add_rest(work: &mut Assembly<'_>, figure: &Figure) {
    for part in figure.parts.iter().filter(|p| p.kind == Kind::Bone) {
        let spot = match &part.form {
            Form::Capsule { ends, .. } | Form::Link { ends, .. } => {
                let (from, to) = (work.held(ends[0]), work.held(ends[1]));
                work.bone(from, to, tone(part));
                to
            }
            Form::Egg { centre, .. } => work.held(*centre),
            Form::Tube { .. } => continue,
        };
        work.body.dots.push((spot, tone(part)));
    }
    if work.body.dots.is_empty() {
        let spot = work.joint(figure.top);
        work.body.dots.push((spot, Tone::Trunk));
        work.bone(spot, spot, Tone::Trunk);
    }
}
