//! Roles on rigs of many makers, and on what is no person.

mod common;

use common::{rewritten, rigs, walk};
use gaitway_core::performer::{Move, Performer, Script};
use gaitway_core::{Clip, JointIdx, Skeleton, fk};
use gaitway_retarget::{Body, Part, RetargetOptions, Role, RoleSide, retarget};
use glam::{DVec3, Quat, Vec3};

fn some_turn(joint: usize, seed: usize) -> Quat {
    let k = (joint * 7 + seed * 13) as f32;
    Quat::from_euler(
        glam::EulerRot::XYZ,
        3.0 * (k * 1.3).sin(),
        1.4 * (k * 0.7).cos(),
        3.0 * (k * 2.1).sin(),
    )
}

#[test]
fn every_rig_is_read_as_the_performer_is() {
    let clip = walk();
    let own = Body::of_clip(&clip, None).expect("roles");
    for (name, names) in rigs() {
        for seed in 0..3 {
            let turn = |j: usize| {
                if seed == 0 {
                    Quat::IDENTITY
                } else {
                    some_turn(j, seed)
                }
            };
            let body = Body::of_clip(&rewritten(&clip, &names, turn), None).expect("roles");
            for role in Role::all() {
                // Rigify numbers neck and head as spine joints: where one ends is for the shape to say.
                let free = name == "rigify" && matches!(role.part, Part::Neck | Part::Head);
                let free = free
                    || name == "nameless"
                        && matches!(role.part, Part::Neck | Part::Head | Part::Shoulder);
                if !free {
                    assert_eq!(
                        body.roles.joints(role),
                        own.roles.joints(role),
                        "{name} {seed}: {}",
                        role.name()
                    );
                }
            }
            let least = if name == "nameless" { 0.4 } else { 0.75 };
            assert!(
                body.roles.confidence() > least,
                "{name}: {}",
                body.roles.confidence()
            );
        }
    }
}

/// The farthest any joint of one is from that of the other.
fn farthest(a: &Clip, b: &Clip) -> f64 {
    let (frames, joints) = (a.frame_count(), a.joint_count());
    let (a, b) = (fk::world_points(a), fk::world_points(b));
    (0..frames)
        .flat_map(|f| (0..joints).map(move |j| (f, j)))
        .map(|(f, j)| a.at(f, j).distance(b.at(f, j)))
        .fold(0.0, f64::max)
}

#[test]
fn other_names_and_axes_give_the_same_motion() {
    let clip = walk();
    let source = Body::of_clip(&clip, None).expect("roles");
    for (name, names) in rigs() {
        for seed in 0..3 {
            let turn = |j: usize| {
                if seed == 0 {
                    Quat::IDENTITY
                } else {
                    some_turn(j, seed)
                }
            };
            let other = rewritten(&clip, &names, turn);
            let target = Body::of_clip(&other, None).expect("roles");
            let put = |o: &RetargetOptions| retarget(&clip, &source, &target, o).expect("a clip");
            let copied = farthest(&put(&RetargetOptions::default()).first, &clip);
            assert!(copied < 1e-4, "{name} with axes {seed}: {copied} m off");
            let done = put(&RetargetOptions::planted());
            let worst = farthest(&done.clip, &clip);
            assert!(worst < 0.002, "{name} with axes {seed}: {worst} m off");
            assert!(
                done.report.after_mm[0] < 1.0,
                "{name}: {:?}",
                done.report.after_mm
            );
        }
    }
}

/// A body that shows itself in another motion than the one it is given: then how it stands is a guess, but one that axes have no part in.
#[test]
fn axes_do_not_matter_to_a_body_known_by_another_motion() {
    let clip = walk();
    let source = Body::of_clip(&clip, None).expect("roles");
    let script = Script::new("other", [Move::walk(6, 0.9), Move::Stop]);
    let seen = Performer::new(8).perform(&script).expect("a walk").clip;
    let names = &rigs()[1].1;
    let put = |seed: usize| {
        let rig = rewritten(&seen, names, |j| some_turn(j, seed));
        let target = Body::of_clip(&rig, None).expect("roles");
        retarget(&clip, &source, &target, &RetargetOptions::default())
            .expect("a clip")
            .first
    };
    let (one, two) = (put(1), put(2));
    let off = farthest(&one, &clip);
    assert!(off < 0.005, "{off} m off");
    let between = farthest(&one, &two);
    assert!(between < 1e-4, "{between} m apart");
}

fn still(skeleton: Skeleton) -> Clip {
    let joints = skeleton.joint_count();
    let frames = 12;
    Clip::new(
        "still",
        skeleton.shared(),
        30.0,
        vec![DVec3::Y; frames],
        vec![Quat::IDENTITY; joints * frames],
    )
    .expect("a clip")
}

fn told(clip: &Clip, part: &str) {
    let body = Body::of_clip(clip, None).expect("roles");
    let all = body.roles.notes.join("; ");
    assert!(all.contains(part), "`{part}` is not told: {all}");
    let walk = walk();
    let person = Body::of_clip(&walk, None).expect("roles");
    for (clip, from, to) in [(&walk, &person, &body), (clip, &body, &person)] {
        let done = retarget(clip, from, to, &RetargetOptions::planted()).expect("a clip");
        assert!(done.clip.root().iter().all(|p| p.is_finite()));
        assert!(!done.report.notes.is_empty());
    }
}

#[test]
fn what_is_no_person_is_told() {
    let mut chain = Skeleton::builder();
    let mut at = chain.root("a", Vec3::ZERO);
    for k in 0..6 {
        at = chain.joint(format!("link{k}"), at, Vec3::new(0.0, 0.2, 0.0));
    }
    told(&still(chain.build().expect("a tree")), "no legs");

    let mut one_leg = Skeleton::builder();
    let hips = one_leg.root("Hips", Vec3::ZERO);
    let thigh = one_leg.joint("LeftUpLeg", hips, Vec3::new(0.1, 0.0, 0.0));
    let shin = one_leg.joint("LeftLeg", thigh, Vec3::new(0.0, -0.4, 0.0));
    one_leg.joint("LeftFoot", shin, Vec3::new(0.0, -0.4, 0.0));
    one_leg.joint("Head", hips, Vec3::new(0.0, 0.6, 0.0));
    told(&still(one_leg.build().expect("a tree")), "only one leg");

    let mut short = Skeleton::builder();
    let hips = short.root("Hips", Vec3::ZERO);
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        short.joint(format!("{side}Leg"), hips, Vec3::new(x, 0.0, 0.0));
        short.joint(format!("{side}Arm"), hips, Vec3::new(x, 0.5, 0.0));
    }
    told(
        &still(short.build().expect("a tree")),
        "fewer than three joints",
    );

    let nothing = Skeleton::builder();
    let mut nothing = nothing;
    let hips = nothing.root("Hips", Vec3::ZERO);
    for side in ["Left", "Right"] {
        let thigh = nothing.joint(format!("{side}UpLeg"), hips, Vec3::ZERO);
        let shin = nothing.joint(format!("{side}Leg"), thigh, Vec3::ZERO);
        nothing.joint(format!("{side}Foot"), shin, Vec3::ZERO);
    }
    told(&still(nothing.build().expect("a tree")), "no left arm");
}

#[test]
fn two_characters_in_one_skeleton_are_told() {
    let one = gaitway_core::performer::skeleton();
    let mut b = Skeleton::builder();
    let root = b.root("scene", Vec3::ZERO);
    for (who, x) in [("A", 0.0), ("B", 1.5)] {
        let first = 1 + if who == "A" {
            0
        } else {
            one.joint_count() as u32
        };
        for j in one.joints() {
            let parent = one.parent(j).map_or(root, |p| JointIdx(first + p.0));
            let offset = if j == JointIdx::ROOT {
                Vec3::new(x, 0.96, 0.0)
            } else {
                one.offset(j)
            };
            b.joint(format!("{who}:{}", one.name(j)), parent, offset);
        }
    }
    told(&still(b.build().expect("a tree")), "2 characters");
}

#[test]
fn sides_that_lie_are_found_out() {
    let clip = walk();
    let names: Vec<String> = clip
        .skeleton()
        .names()
        .iter()
        .map(|n| match n {
            n if n.starts_with("Left") => n.replace("Left", "Right"),
            n => n.replace("Right", "Left"),
        })
        .collect();
    let body = Body::of_clip(&rewritten(&clip, &names, |_| Quat::IDENTITY), None).expect("roles");
    let own = Body::of_clip(&clip, None).expect("roles");
    assert_eq!(
        body.roles.joint(Part::Foot, RoleSide::Left),
        own.roles.joint(Part::Foot, RoleSide::Left)
    );
    assert!(
        body.roles.notes.iter().any(|n| n.contains("left")),
        "{:?}",
        body.roles.notes
    );
}
