//! The height of the hips from what happens on the ground.
//!
//! A walk is lowest with both feet down and highest over the standing foot (an inverted pendulum, softened by
//! the knee); a run and a jump fly on parabolas, y″ = −g, and bend the knee between them. Every event gives a
//! knot; quintics join them, so height is C² and a flight is exact.

use super::curve::{Knot, Knots};
use super::stage::{HeightEvent, Stage};

/// Metres a second squared.
pub(super) const GRAVITY: f64 = 9.81;

/// Knee flexion that sets the height when standing, with both feet down in a walk, over the standing foot, at
/// the strike and at the toe-off of a run; radians.
const STAND: f64 = 0.13;
const LOW: f64 = 0.34;
const HIGH: f64 = 0.27;
const RUN_STRIKE: f64 = 0.42;
const RUN_OFF: f64 = 0.5;
/// The most a walk rises from low to high, metres.
const RISE: f64 = 0.054;

/// All knots of a take.
pub(super) fn knots(stage: &Stage, events: &[HeightEvent]) -> Knots {
    let low = |e: &HeightEvent| match *e {
        HeightEvent::Low(t, strike) => {
            let y = stage.highest(t, LOW).min(stage.highest(strike, LOW));
            Some(y - stage.crouch(t))
        }
        HeightEvent::Stand(t) => Some(stage.highest(t, STAND) - stage.crouch(t)),
        _ => None,
    };
    let mut out: Vec<Knot> = Vec::new();
    // Knots whose speed and acceleration come from their neighbours.
    let mut free: Vec<usize> = Vec::new();
    for (i, event) in events.iter().enumerate() {
        // The first of several at one time counts.
        if out.last().is_some_and(|k| event.t() - k.t < 1e-6) {
            continue;
        }
        let rest = |t: f64, y: f64| Knot {
            t,
            y,
            v: 0.0,
            a: 0.0,
        };
        match *event {
            HeightEvent::Fixed(knot) => out.push(knot),
            HeightEvent::Stand(t) => out.push(rest(t, low(event).unwrap_or_default())),
            HeightEvent::Low(t, _) => {
                free.push(out.len());
                out.push(rest(t, low(event).unwrap_or_default()));
            }
            HeightEvent::High(t) => {
                let before = i.checked_sub(1).and_then(|j| low(&events[j]));
                let after = events.get(i + 1).and_then(low);
                // Beside a flight the knee gives; there is no high there.
                if let (Some(before), Some(after)) = (before, after) {
                    let crest = before.max(after) + RISE;
                    free.push(out.len());
                    out.push(rest(t, crest.min(stage.highest(t, HIGH) - stage.crouch(t))));
                }
            }
            HeightEvent::Fly(off, strike) => {
                let y = stage
                    .highest(off, RUN_OFF)
                    .min(stage.highest(strike, RUN_STRIKE));
                let (a, b) = (y - stage.crouch(off), y - stage.crouch(strike));
                let air = strike - off;
                let v = (b - a) / air + 0.5 * GRAVITY * air;
                out.push(Knot {
                    t: off,
                    y: a,
                    v,
                    a: -GRAVITY,
                });
                out.push(Knot {
                    t: strike,
                    y: b,
                    v: v - GRAVITY * air,
                    a: -GRAVITY,
                });
            }
        }
    }
    for i in free {
        ease_knot(&mut out, i);
    }
    Knots(out)
}

/// Speed and acceleration of a knot from its neighbours: turning points turn like a cosine through them, others
/// pass through.
fn ease_knot(knots: &mut [Knot], i: usize) {
    if i == 0 || i + 1 >= knots.len() {
        return;
    }
    let (a, k, b) = (knots[i - 1], knots[i], knots[i + 1]);
    let (h0, h1) = (k.t - a.t, b.t - k.t);
    let (d0, d1) = ((k.y - a.y) / h0, (b.y - k.y) / h1);
    if d0 * d1 > 0.0 {
        let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
        knots[i].v = (w0 + w1) / (w0 / d0 + w1 / d1);
    } else {
        let bend = 0.5 * std::f64::consts::PI.powi(2);
        let turn = 0.5 * bend * ((a.y - k.y) / (h0 * h0) + (b.y - k.y) / (h1 * h1));
        knots[i].a = turn.clamp(-7.0, 12.0);
    }
}
