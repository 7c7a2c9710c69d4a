//! Hands that hold one another do so on other bodies, too.

mod common;

use common::{proportions, walk};
use gaitway_core::{Clip, fk};
use gaitway_retarget::solve::{SolveOptions, freedoms, solve};
use gaitway_retarget::{Body, Constraint, Part, RetargetOptions, RoleSide, Target, Wish, retarget};
use glam::DVec3;

fn body(clip: &Clip) -> Body {
    Body::of_clip(clip, None).expect("roles")
}

fn wrists(body: &Body) -> [usize; 2] {
    RoleSide::BOTH.map(|s| body.roles.joint(Part::Hand, s).expect("a hand").index())
}

/// How far apart hands are, least and most over all frames.
fn apart(clip: &Clip) -> (f64, f64) {
    let [l, r] = wrists(&body(clip));
    let world = fk::world_points(clip);
    let all = (0..clip.frame_count()).map(|f| world.at(f, l).distance(world.at(f, r)));
    all.fold((f64::INFINITY, 0.0), |(a, b), d| (a.min(d), b.max(d)))
}

/// A walk with both hands held together before the chest.
fn clasped() -> Clip {
    let clip = walk();
    let own = body(&clip);
    let chest = own
        .roles
        .joints(gaitway_retarget::Role::trunk(Part::Spine))
        .last()
        .copied();
    let chest = chest.expect("a spine").index();
    let world = fk::world_points(&clip);
    let [l, r] = wrists(&own);
    let ahead = |f: usize| {
        let next =
            world.at((f + 1).min(clip.frame_count() - 1), 0) - world.at(f.saturating_sub(1), 0);
        next.with_y(0.0).normalize_or(DVec3::Z)
    };
    let at = |side: f64| {
        let place = |f: usize| {
            let ahead = ahead(f);
            world.at(f, chest) + 0.3 * ahead + side * 0.05 * DVec3::Y.cross(ahead)
        };
        Target::Path((0..clip.frame_count()).map(place).collect())
    };
    let wishes = [(l, 1.0), (r, -1.0)].map(|(joint, side)| Constraint {
        name: "hand".to_owned(),
        frames: 0..clip.frame_count(),
        wish: Wish::At {
            point: gaitway_core::PointIdx(joint as u32),
            target: at(side),
        },
    });
    let free = freedoms(&own, &clip, &wishes);
    let options = SolveOptions {
        steps: 12,
        slack: 1e-4,
        still_root: true,
        ..SolveOptions::default()
    };
    solve(&clip, &free, &wishes, &options).0
}

#[test]
fn clasped_hands_stay_clasped_on_longer_arms() {
    let clip = clasped();
    let (least, most) = apart(&clip);
    assert!(
        most < 0.16,
        "they are together to begin with: {least} to {most}"
    );
    let target = body(&proportions(&clip, 1.0, 1.25, 0.95));
    let put = |free_hands: bool| {
        let options = RetargetOptions {
            free_hands,
            ..RetargetOptions::planted()
        };
        retarget(&clip, &body(&clip), &target, &options).expect("a clip")
    };
    let (free, kept) = (put(true), put(false));
    let off = |clip: &Clip| {
        let (a, b) = apart(clip);
        (a - least).abs().max((b - most).abs())
    };
    assert!(
        off(&free.clip) > 0.02,
        "longer arms part them: {}",
        off(&free.clip)
    );
    assert!(off(&kept.clip) < 0.005, "{:?}", apart(&kept.clip));
    let told = kept.report.notes.join("; ");
    assert!(told.contains("hands are together"), "{told}");
    assert!(kept.report.after_mm[0] < 1.0, "{:?}", kept.report.left);
}

#[test]
fn hands_of_a_walk_are_left_alone() {
    let clip = walk();
    let target = body(&proportions(&clip, 1.1, 1.2, 1.0));
    let done = retarget(&clip, &body(&clip), &target, &RetargetOptions::planted()).expect("a clip");
    assert!(done.constraints.iter().all(|c| c.name != "hands"));
}
