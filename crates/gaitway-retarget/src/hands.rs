//! Hands that are together: found in the source, kept on the target.
//!
//! Clasped hands, a staff held with both, a ball between them: the way from one hand to the other is what matters, and on longer arms or a wider chest copied angles
//! part them or push them through each other. Hands are together while their wrists are near and hardly move against each other.

use std::ops::Range;

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx, PointIdx};
use glam::DVec3;

use crate::body::Body;
use crate::roles::{Part, RoleSide};
use crate::solve::{Constraint, Target, Wish};

/// Wrists nearer than this part of a leg are together: two hands' lengths of a person, 17 cm of 85.
const NEAR: f64 = 0.2;
/// They part where they are farther than this.
const APART: f64 = 0.25;
/// And they move against each other by less than this part of a leg in a second: hands that pass each other do so at a leg's length.
const SLOW: f64 = 0.2;
/// Shorter than this, seconds, they only met.
const LEAST_S: f64 = 0.25;

/// What keeps hands together on the target that are so in the source, and words about it.
pub(crate) fn together(
    clip: &Clip,
    source: &Body,
    target: &Body,
    scale: f64,
) -> (Vec<Constraint>, Option<String>) {
    let (Some(from), Some(to), Some(leg)) = (wrists(source), wrists(target), source.leg_length)
    else {
        return (Vec::new(), None);
    };
    let between = ways(clip, from);
    let spans = spans(&between, leg, clip.rate_hz());
    let kept = spans.iter().map(|span| Constraint {
        name: "hands".to_owned(),
        frames: span.clone(),
        wish: Wish::Apart {
            from: PointIdx::from(to[0]),
            to: PointIdx::from(to[1]),
            by: Target::Path(between[span.clone()].iter().map(|v| *v * scale).collect()),
        },
    });
    let kept: Vec<Constraint> = kept.collect();
    let seconds: usize = spans.iter().map(Range::len).sum();
    let told = (!spans.is_empty()).then(|| {
        let rate = clip.rate_hz();
        let first = &spans[0];
        let (from, to) = (first.start as f64 / rate, first.end as f64 / rate);
        let all = seconds as f64 / rate;
        match spans.len() {
            1 => format!("hands are together from {from:.2} to {to:.2} s, and are kept so"),
            n => format!("hands are together {n} times for {all:.1} s, first from {from:.2} to {to:.2} s, and are kept so"),
        }
    });
    (kept, told)
}

fn wrists(body: &Body) -> Option<[JointIdx; 2]> {
    let of = |s| body.roles.joint(Part::Hand, s);
    Some([of(RoleSide::Left)?, of(RoleSide::Right)?])
}

/// From the left wrist to the right one, per frame.
fn ways(clip: &Clip, [left, right]: [JointIdx; 2]) -> Vec<DVec3> {
    let mut scratch = FkScratch::new(clip.skeleton());
    let of = |frame: usize| {
        scratch.solve(clip, frame);
        (scratch.from_root[right.index()] - scratch.from_root[left.index()]).as_dvec3()
    };
    (0..clip.frame_count()).map(of).collect()
}

/// Frames in which hands are together, with hysteresis. How the way between them turns does not matter, only how long it is: hands that hold one another swing as one.
fn spans(between: &[DVec3], leg: f64, rate: f64) -> Vec<Range<usize>> {
    let over = ((0.1 * rate).round() as usize).max(1);
    let slow = |f: usize| {
        let (a, b) = (f.saturating_sub(over), (f + over).min(between.len() - 1));
        let seconds = (b - a).max(1) as f64 / rate;
        (between[b].length() - between[a].length()).abs() / seconds < SLOW * leg
    };
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut open: Option<usize> = None;
    for (f, way) in between.iter().enumerate() {
        let far = way.length();
        let holds = far < if open.is_some() { APART } else { NEAR } * leg && slow(f);
        match (open, holds) {
            (None, true) => open = Some(f),
            (Some(start), false) => {
                out.push(start..f);
                open = None;
            }
            _ => {}
        }
    }
    out.extend(open.map(|start| start..between.len()));
    let least = (LEAST_S * rate).round() as usize;
    out.retain(|span| span.len() >= least.max(1));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_that_pass_are_not_together_and_hands_that_rest_are() {
        let rate = 60.0;
        let at = |f: usize| {
            let t = f as f64 / rate;
            // Pass at 1 s, then rest at 12 cm from 3 to 5 s.
            let x = if t < 2.0 {
                (t - 1.0).abs() * 2.0
            } else {
                0.12 + (3.0 - t).max(0.0) + (t - 5.0).max(0.0)
            };
            DVec3::new(x, 0.0, 0.0)
        };
        let between: Vec<DVec3> = (0..420).map(at).collect();
        let found = spans(&between, 0.85, rate);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].start.abs_diff(180) < 8 && found[0].end.abs_diff(300) < 8,
            "{found:?}"
        );
    }

    #[test]
    fn no_frames_are_no_hands() {
        assert!(spans(&[], 0.85, 60.0).is_empty());
    }
}
