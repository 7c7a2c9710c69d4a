//! The standard takes: what a small capture session would bring home.

use std::f64::consts::{FRAC_PI_2, PI};

use super::{Move, PerformError, PerformedClip, Performer, Script};
use crate::anatomy::Side::{Left, Right};

/// The standard set at a rate, on one shared skeleton.
///
/// # Errors
/// When the rate is out of range.
pub fn library(seed: u64, rate_hz: f64) -> Result<Vec<PerformedClip>, PerformError> {
    let performer = Performer::new(seed);
    library_scripts()
        .into_iter()
        .map(|script| performer.perform(&script.at_rate(rate_hz)))
        .collect()
}

/// What the standard takes do, for those who want some of them, or variations.
pub fn library_scripts() -> Vec<Script> {
    let mut out = Vec::new();
    let mut take = |name: &str, moves: Vec<Move>| {
        out.push(Script::new(format!("performer/{name}"), moves));
    };
    let idle = |seconds: f64| Move::Idle { seconds };
    take("idle_01", vec![idle(14.0)]);
    locomotion(&mut take);
    actions(&mut take);
    transitions(&mut take);
    out
}

fn locomotion(take: &mut dyn FnMut(&str, Vec<Move>)) {
    let idle = |seconds: f64| Move::Idle { seconds };
    let walk = Move::walk;
    take(
        "walk_normal_01",
        vec![idle(0.8), walk(18, 1.35), Move::Stop, idle(0.8)],
    );
    take("walk_normal_02", vec![walk(20, 1.3), Move::Stop]);
    take("walk_slow_01", vec![idle(0.6), walk(12, 0.85), Move::Stop]);
    take("walk_fast_01", vec![idle(0.6), walk(18, 1.8), Move::Stop]);
    let short = Move::Walk {
        steps: 14,
        speed: 0.9,
        step_length: Some(0.45),
        turn: 0.0,
    };
    let long = Move::Walk {
        steps: 12,
        speed: 1.5,
        step_length: Some(0.85),
        turn: 0.0,
    };
    take(
        "walk_steps_01",
        vec![short, long, walk(6, 1.35), Move::Stop],
    );
    for (name, radius) in [("wide", 4.0), ("middle", 2.0), ("tight", 1.0)] {
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            let angle = if radius > 3.0 { PI } else { 1.5 * PI };
            let curve = Move::curve(1.2, sign * radius, angle);
            let moves = vec![walk(4, 1.25), curve, walk(4, 1.25), Move::Stop];
            take(&format!("walk_{side}_{name}_01"), moves);
        }
    }
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let turn = |angle: f64| Move::Turn {
            angle: sign * angle,
        };
        let moves = vec![
            walk(6, 1.25),
            turn(FRAC_PI_2),
            walk(6, 1.25),
            turn(PI),
            walk(6, 1.25),
            Move::Stop,
        ];
        take(&format!("walk_turns_{side}_01"), moves);
        let moves = vec![idle(0.8), turn(FRAC_PI_2), idle(0.8), turn(PI), idle(0.8)];
        take(&format!("turn_on_spot_{side}_01"), moves);
    }
    take(
        "run_01",
        vec![idle(0.5), Move::run(20, 3.2), Move::Stop, idle(0.5)],
    );
    take(
        "run_fast_01",
        vec![Move::run(8, 3.0), Move::run(14, 4.2), Move::Stop],
    );
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let bend = Move::Run {
            steps: 16,
            speed: 2.9,
            turn: sign * 1.5 * PI,
        };
        take(
            &format!("run_{side}_01"),
            vec![Move::run(6, 3.0), bend, Move::run(5, 3.0), Move::Stop],
        );
    }
    take(
        "sneak_01",
        vec![idle(0.6), Move::sneak(14), Move::Stop, idle(0.5)],
    );
    let bend = |sign: f64| Move::Sneak {
        steps: 7,
        speed: 0.6,
        turn: sign * FRAC_PI_2,
    };
    take(
        "sneak_02",
        vec![
            Move::sneak(4),
            bend(1.0),
            bend(-1.0),
            Move::sneak(3),
            Move::Stop,
        ],
    );
}

fn actions(take: &mut dyn FnMut(&str, Vec<Move>)) {
    let idle = |seconds: f64| Move::Idle { seconds };
    let jump = |forward: f64, height: f64| Move::Jump { forward, height };
    take(
        "jump_in_place_01",
        vec![
            idle(0.6),
            jump(0.0, 0.22),
            idle(0.4),
            jump(0.0, 0.32),
            idle(0.6),
        ],
    );
    take(
        "jump_forward_01",
        vec![
            idle(0.6),
            jump(0.7, 0.22),
            idle(0.4),
            jump(1.1, 0.26),
            idle(0.6),
        ],
    );
    let pick = |side, height, reach, aside| Move::PickUp {
        side,
        height,
        reach,
        aside,
    };
    take(
        "pick_up_right_01",
        vec![
            idle(0.6),
            pick(Right, 0.08, 0.4, -0.1),
            idle(0.6),
            pick(Right, 0.75, 0.5, -0.15),
            idle(0.6),
            pick(Right, 1.25, 0.5, -0.1),
            idle(0.6),
        ],
    );
    take(
        "pick_up_left_01",
        vec![
            idle(0.6),
            pick(Left, 0.3, 0.42, 0.12),
            idle(0.6),
            pick(Left, 1.0, 0.6, 0.3),
            idle(0.6),
            pick(Left, 0.1, 0.45, 0.25),
            idle(0.6),
        ],
    );
    let sit = |height: f64, seconds: f64| Move::Sit { height, seconds };
    take(
        "sit_01",
        vec![
            idle(0.6),
            sit(0.45, 2.5),
            idle(0.8),
            sit(0.6, 1.5),
            idle(0.6),
        ],
    );
    take("sit_02", vec![idle(0.6), sit(0.38, 2.0), idle(0.6)]);
    let punch = |side| Move::Punch { side };
    let kick = |side, height| Move::Kick { side, height };
    take(
        "punch_01",
        vec![
            idle(0.5),
            punch(Left),
            punch(Right),
            punch(Left),
            punch(Right),
            idle(0.6),
        ],
    );
    take(
        "kick_01",
        vec![
            idle(0.5),
            kick(Right, 0.75),
            punch(Left),
            kick(Right, 1.0),
            idle(0.6),
        ],
    );
    take(
        "kick_02",
        vec![
            idle(0.5),
            kick(Left, 0.7),
            punch(Right),
            kick(Left, 0.9),
            idle(0.5),
        ],
    );
}

fn transitions(take: &mut dyn FnMut(&str, Vec<Move>)) {
    let idle = |seconds: f64| Move::Idle { seconds };
    let walk = Move::walk;
    let run = Move::run;
    take(
        "walk_run_walk_01",
        vec![walk(7, 1.4), run(10, 3.0), walk(8, 1.4), Move::Stop],
    );
    take(
        "walk_run_walk_02",
        vec![
            idle(0.5),
            walk(6, 1.5),
            run(8, 3.4),
            walk(6, 1.3),
            run(8, 2.8),
            walk(5, 1.3),
            Move::Stop,
        ],
    );
    take(
        "walk_sneak_walk_01",
        vec![walk(6, 1.25), Move::sneak(8), walk(7, 1.3), Move::Stop],
    );
    take(
        "walk_sneak_walk_02",
        vec![
            walk(6, 1.3),
            Move::sneak(6),
            walk(5, 1.2),
            Move::sneak(5),
            Move::Stop,
        ],
    );
    let duck = |steps: usize, depth: f64| Move::Duck { steps, depth };
    take(
        "walk_duck_walk_01",
        vec![
            walk(6, 1.3),
            duck(3, 0.32),
            walk(6, 1.3),
            duck(4, 0.4),
            walk(6, 1.3),
            Move::Stop,
        ],
    );
    take(
        "walk_box_walk_01",
        vec![
            walk(5, 1.2),
            Move::StepOnto { height: 0.28 },
            walk(6, 1.25),
            Move::Stop,
        ],
    );
    take(
        "walk_box_walk_02",
        vec![
            walk(5, 1.2),
            Move::StepOnto { height: 0.18 },
            walk(4, 1.2),
            Move::StepOnto { height: 0.36 },
            walk(5, 1.2),
            Move::Stop,
        ],
    );
    take(
        "walk_pick_walk_01",
        vec![
            walk(6, 1.3),
            Move::pick_up(Right, 0.1),
            walk(6, 1.3),
            Move::pick_up(Left, 0.8),
            walk(6, 1.3),
            Move::Stop,
        ],
    );
    take(
        "walk_pick_walk_02",
        vec![
            walk(5, 1.2),
            Move::pick_up(Left, 0.4),
            walk(6, 1.25),
            Move::pick_up(Right, 1.1),
            walk(5, 1.2),
            Move::Stop,
        ],
    );
    let jump = Move::Jump {
        forward: 0.8,
        height: 0.22,
    };
    take(
        "walk_jump_walk_01",
        vec![walk(6, 1.3), jump, walk(6, 1.3), Move::Stop],
    );
    take(
        "run_jump_run_01",
        vec![run(8, 3.0), jump, run(8, 3.0), Move::Stop],
    );
    let sit = Move::Sit {
        height: 0.45,
        seconds: 1.8,
    };
    take(
        "walk_sit_walk_01",
        vec![
            walk(6, 1.25),
            Move::Turn { angle: PI },
            Move::Stop,
            sit,
            walk(6, 1.25),
            Move::Stop,
        ],
    );
    let (punch, kick) = (
        Move::Punch { side: Left },
        Move::Kick {
            side: Right,
            height: 0.85,
        },
    );
    take(
        "walk_fight_walk_01",
        vec![walk(5, 1.3), punch, kick, walk(6, 1.3), Move::Stop],
    );
    take(
        "sneak_pick_sneak_01",
        vec![
            Move::sneak(6),
            Move::pick_up(Right, 0.12),
            Move::sneak(5),
            Move::Stop,
        ],
    );
    take(
        "sneak_duck_run_01",
        vec![Move::sneak(5), duck(4, 0.36), run(10, 3.1), Move::Stop],
    );
}
