//! What retargeting keeps, whatever the motion.

mod common;

use common::{proportions, scaled, walk, with_factor};
use gaitway_core::mirror::MirrorMap;
use gaitway_core::{Clip, ContactTrack, fk};
use gaitway_retarget::solve::{freedoms, residuals};
use gaitway_retarget::{
    Body, Constraint, RetargetOptions, SolveOptions, Target, Wish, retarget, solve,
};
use glam::DVec3;

fn body(clip: &Clip) -> Body {
    Body::of_clip(clip, None).expect("roles")
}

fn farthest(a: &Clip, b: &Clip) -> f64 {
    let (a, b) = (fk::world_points(a), fk::world_points(b));
    a.places()
        .iter()
        .zip(b.places())
        .map(|(p, q)| p.distance(*q))
        .fold(0.0, f64::max)
}

#[test]
fn the_same_body_gives_the_same_bits() {
    let clip = walk();
    let done = retarget(
        &clip,
        &body(&clip),
        &body(&clip),
        &RetargetOptions::planted(),
    )
    .expect("a clip");
    assert_eq!(done.clip.rotations(), clip.rotations());
    assert_eq!(done.clip.root(), clip.root());
}

#[test]
fn a_body_of_another_size_scales_everything() {
    let clip = walk();
    for by in [0.5_f32, 1.6] {
        let target = body(&scaled(&clip, by));
        let done =
            retarget(&clip, &body(&clip), &target, &RetargetOptions::planted()).expect("a clip");
        // About the place on the floor below the first frame's hips.
        let (from, to) = (fk::world_points(&clip), fk::world_points(&done.clip));
        let still = to.at(0, 0) - from.at(0, 0) * f64::from(by);
        let off = from
            .places()
            .iter()
            .zip(to.places())
            .map(|(p, q)| (*p * f64::from(by) + still).distance(*q));
        let worst = off.fold(0.0, f64::max);
        assert!(worst < 0.002 * f64::from(by), "{by}: {worst}");
        assert!(still.y.abs() < 0.002, "the floor stays: {still}");
    }
}

#[test]
fn without_constraints_it_is_the_plain_copy() {
    let clip = walk();
    let target = body(&proportions(&clip, 1.2, 0.9, 1.1));
    let free = RetargetOptions {
        free_feet: true,
        ..RetargetOptions::planted()
    };
    let done = retarget(&clip, &body(&clip), &target, &free).expect("a clip");
    assert!(done.constraints.is_empty());
    let copied =
        retarget(&clip, &body(&clip), &target, &RetargetOptions::default()).expect("a clip");
    assert!(farthest(&done.clip, &copied.clip) < 1e-6);
    assert_eq!(copied.clip.rotations(), copied.first.rotations());
}

/// Feet of a motion on other proportions, as constraints on its first guess.
fn problem(other: impl Fn(&Clip) -> Clip) -> (Clip, Body, Vec<Constraint>) {
    let clip = walk();
    let target = body(&other(&clip));
    let copied =
        retarget(&clip, &body(&clip), &target, &RetargetOptions::default()).expect("a clip");
    let feet = copied
        .constraints
        .into_iter()
        .filter(|c| matches!(c.wish, Wish::At { .. }))
        .collect();
    (copied.first, target, feet)
}

#[test]
fn halving_knots_never_leaves_more() {
    // By the joints that bones lead to: thighs, then shins, then both the other way.
    let legs = |thighs: f32, shins: f32| {
        move |clip: &Clip| {
            with_factor(clip, |name| match name {
                "LeftLeg" | "RightLeg" => thighs,
                "LeftFoot" | "RightFoot" => shins,
                _ => 1.0,
            })
        }
    };
    let problems = [(0.7, 1.0), (1.4, 1.0), (1.0, 1.3), (1.2, 0.8)];
    let problems = problems.map(|(thighs, shins)| problem(legs(thighs, shins)));
    for (k, (first, target, constraints)) in problems.into_iter().enumerate() {
        let free = freedoms(&target, &first, &constraints);
        let left = |clip: &Clip| {
            let rows = residuals(clip, &constraints);
            let squares = rows
                .iter()
                .map(|r| r.rms_mm * r.rms_mm * (r.end - r.start) as f64);
            squares.sum::<f64>()
        };
        let mut last = left(&first);
        for halvings in 0..4 {
            let options = SolveOptions {
                halvings,
                ..SolveOptions::default()
            };
            let (solved, _) = solve(&first, &free, &constraints, &options);
            let now = left(&solved);

            assert!(
                now <= last + 1e-9,
                "body {k}: {halvings} halvings leave {now} of {last}"
            );
            last = now;
        }
        assert!(
            last < 1e-3 * left(&first),
            "body {k}: {last} of {}",
            left(&first)
        );
    }
}

#[test]
fn a_mirrored_source_gives_the_mirrored_result() {
    let clip = walk();
    let target = proportions(&clip, 1.2, 0.9, 1.0);
    let to = body(&target);
    let mirrored = |c: &Clip| gaitway_core::mirror::mirror(c, &MirrorMap::new(c.skeleton(), &[c]));
    let once = retarget(&clip, &body(&clip), &to, &RetargetOptions::planted()).expect("a clip");
    let over = mirrored(&clip);
    let other = retarget(&over, &body(&over), &to, &RetargetOptions::planted()).expect("a clip");
    let worst = farthest(&mirrored(&once.clip), &other.clip);
    assert!(worst < 1e-4, "{worst}");
}

#[test]
fn time_reversed_gives_the_reversed_result() {
    let clip = walk();
    let to = body(&proportions(&clip, 1.15, 1.0, 1.0));
    let once = retarget(&clip, &body(&clip), &to, &RetargetOptions::planted()).expect("a clip");
    let back = reversed(&clip);
    let other = retarget(&back, &body(&back), &to, &RetargetOptions::planted()).expect("a clip");
    // Travel is scaled about where a motion begins, which the reversed one ends at.
    let (a, b) = (
        fk::world_points(&reversed(&once.clip)),
        fk::world_points(&other.clip),
    );
    let shift = a.at(0, 0) - b.at(0, 0);
    let off = a
        .places()
        .iter()
        .zip(b.places())
        .map(|(p, q)| (*p - *q - DVec3::new(shift.x, 0.0, shift.z)).length());
    let worst = off.fold(0.0, f64::max);
    assert!(worst < 5e-3, "{worst}");
}

fn reversed(clip: &Clip) -> Clip {
    let mut parts = clip.clone().into_parts();
    let (frames, joints) = (clip.frame_count(), clip.joint_count());
    parts.root.reverse();
    parts.rotations = (0..frames)
        .rev()
        .flat_map(|f| clip.rotations()[f * joints..(f + 1) * joints].to_vec())
        .collect();
    parts.labels = gaitway_core::LabelTrack::default();
    parts.contacts = clip.contacts().map(|c| {
        let mut out = ContactTrack::new(c.points().to_vec(), frames);
        for f in 0..frames {
            (0..c.points().len()).for_each(|k| out.set(f, k, c.get(frames - 1 - f, k)));
        }
        out
    });
    parts.build().expect("a clip")
}

#[test]
fn a_hand_goes_where_it_is_wanted_and_nothing_else_far_away() {
    let clip = walk();
    let own = body(&clip);
    let hand = clip.skeleton().find("LeftHand").expect("a hand");
    let middle = clip.frame_count() / 2;
    let there = fk::world_points(&clip).at(middle, hand.index()) + DVec3::new(0.05, 0.15, 0.05);
    let wish = Constraint {
        name: "left_hand".into(),
        frames: middle..middle + 1,
        wish: Wish::At {
            point: hand.into(),
            target: Target::Place(there),
        },
    };
    let free = freedoms(&own, &clip, std::slice::from_ref(&wish));
    let (solved, report) = solve(
        &clip,
        &free,
        std::slice::from_ref(&wish),
        &SolveOptions::default(),
    );
    assert!(report.worst_mm < 15.0, "{report:?}");
    // A second before and after nothing has changed.
    let rate = clip.rate_hz() as usize;
    let (a, b) = (fk::world_points(&clip), fk::world_points(&solved));
    for f in (0..clip.frame_count()).filter(|f| f.abs_diff(middle) > rate) {
        for j in 0..clip.joint_count() {
            assert!(a.at(f, j).distance(b.at(f, j)) < 5e-3, "frame {f}");
        }
    }
}
