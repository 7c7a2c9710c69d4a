//! The takes for plans: what it needs to get through a course of obstacles, fetch things and sit down.
//!
//! Every act comes between walks, so that a graph of these takes leads from each to each, and every take says when what it shows happens
//! ([`Truth::moments`](super::Truth::moments), and the same in the clip's labels). Picks lie on a grid of height × reach for each hand, so that any two
//! neighbours can be interpolated.

use std::f64::consts::{FRAC_PI_2, PI};

use super::{Move, PerformError, PerformedClip, Performer, Script};
use crate::anatomy::Side::{Left, Right};

/// Heights at which things are taken, metres.
pub(super) const PICK_HEIGHTS: [f64; 6] = [0.06, 0.35, 0.65, 0.95, 1.25, 1.6];
/// How far away they are, near and far.
pub(super) const PICK_REACHES: [f64; 2] = [0.38, 0.56];

/// The takes for plans at a rate, on one shared skeleton (that of [`library`](super::library)).
///
/// # Errors
/// When the rate is out of range.
pub fn course(seed: u64, rate_hz: f64) -> Result<Vec<PerformedClip>, PerformError> {
    let performer = Performer::new(seed);
    course_scripts()
        .into_iter()
        .map(|script| performer.perform(&script.at_rate(rate_hz)))
        .collect()
}

/// What the takes for plans do.
pub fn course_scripts() -> Vec<Script> {
    let mut out = Vec::new();
    let mut take = |name: String, moves: Vec<Move>| {
        out.push(Script::new(format!("course/{name}"), moves).with_moments());
    };
    ways(&mut take);
    hands(&mut take);
    obstacles(&mut take);
    out
}

type Take<'a> = &'a mut dyn FnMut(String, Vec<Move>);

fn ways(take: Take<'_>) {
    let idle = |seconds: f64| Move::Idle { seconds };
    let walk = Move::walk;
    take(
        "walk_01".into(),
        vec![idle(0.6), walk(12, 1.3), Move::Stop, idle(0.6)],
    );
    take(
        "walk_02".into(),
        vec![walk(10, 1.1), walk(8, 1.45), Move::Stop],
    );
    take(
        "walk_slow".into(),
        vec![idle(0.5), walk(8, 0.85), Move::Stop],
    );
    // Steps of other lengths, for stones and narrow ways.
    for (name, length) in [("short", 0.4), ("long", 0.8)] {
        let steps = Move::Walk {
            steps: 8,
            speed: 1.8 * length,
            step_length: Some(length),
            turn: 0.0,
        };
        take(
            format!("walk_{name}"),
            vec![walk(4, 1.2), steps, walk(4, 1.2), Move::Stop],
        );
    }
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        for (name, radius) in [("wide", 2.5), ("tight", 1.0)] {
            let curve = Move::curve(1.15, sign * radius, 1.25 * PI);
            take(
                format!("walk_{side}_{name}"),
                vec![walk(4, 1.2), curve, walk(4, 1.2), Move::Stop],
            );
        }
        let turn = |angle: f64| Move::Turn {
            angle: sign * angle,
        };
        take(
            format!("turn_{side}"),
            vec![
                walk(4, 1.2),
                turn(FRAC_PI_2),
                walk(5, 1.2),
                turn(PI),
                walk(4, 1.2),
                Move::Stop,
                turn(FRAC_PI_2),
                idle(0.5),
                turn(PI),
                idle(0.5),
            ],
        );
    }
}

fn hands(take: Take<'_>) {
    let walk = Move::walk;
    for side in [Left, Right] {
        let (name, sign) = if side == Left {
            ("left", 1.0)
        } else {
            ("right", -1.0)
        };
        for (i, height) in PICK_HEIGHTS.into_iter().enumerate() {
            let mut moves = vec![walk(4, 1.2)];
            for (k, reach) in PICK_REACHES.into_iter().enumerate() {
                // Low things lie nearer to where the hand hangs, others ahead; every second one farther aside.
                let bearing = sign * if (i + k) % 2 == 0 { 0.15 } else { 0.4 };
                moves.push(Move::Take {
                    side,
                    height,
                    reach,
                    bearing,
                });
                moves.push(walk(4, 1.2));
            }
            moves.push(Move::Stop);
            take(format!("pick_{name}_{:03.0}", 100.0 * height), moves);
        }
        for (low, high) in [(0.45, 0.75), (0.9, 1.3)] {
            let put = |height: f64, reach: f64, bearing: f64| Move::Put {
                side,
                height,
                reach,
                bearing: sign * bearing,
            };
            take(
                format!("put_{name}_{:03.0}", 100.0 * low),
                vec![
                    walk(4, 1.2),
                    put(low, 0.4, 0.15),
                    walk(4, 1.2),
                    put(high, 0.55, 0.3),
                    walk(4, 1.2),
                    Move::Stop,
                ],
            );
        }
    }
}

fn obstacles(take: Take<'_>) {
    let walk = Move::walk;
    let mut act = |name: String, act: Move| {
        let moves = vec![walk(4, 1.2), act, walk(5, 1.2), Move::Stop];
        take(name, moves);
    };
    for height in [1.1, 1.25, 1.4] {
        act(
            format!("duck_{:03.0}", 100.0 * height),
            Move::DuckUnder { height },
        );
    }
    for height in [0.12, 0.22, 0.32] {
        act(
            format!("box_{:03.0}", 100.0 * height),
            Move::StepOnto { height },
        );
    }
    for (count, spacing, height) in [(4, 0.5, 0.1), (4, 0.62, 0.2), (5, 0.45, 0.3)] {
        let stones = Move::Stones {
            count,
            spacing,
            height,
        };
        act(
            format!("stones_{:03.0}_{:03.0}", 100.0 * height, 100.0 * spacing),
            stones,
        );
    }
    for height in [0.12, 0.22, 0.32] {
        act(
            format!("beam_{:03.0}", 100.0 * height),
            Move::StepOver { height },
        );
    }
    for gap in [0.3, 0.55, 0.8, 1.05] {
        act(format!("gap_{:03.0}", 100.0 * gap), Move::LeapOver { gap });
    }
    for height in [0.38, 0.44, 0.5, 0.58] {
        // Up to the seat, about face, down, and away from it.
        let sit = Move::Sit {
            height,
            seconds: 1.4,
        };
        let about = Move::Turn { angle: PI };
        take(
            format!("sit_{:03.0}", 100.0 * height),
            vec![
                walk(4, 1.2),
                about,
                Move::Stop,
                sit,
                walk(5, 1.2),
                Move::Stop,
            ],
        );
    }
}
