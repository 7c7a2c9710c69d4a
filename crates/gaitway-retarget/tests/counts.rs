//! Bodies with joints more or fewer than the source has, and bodies that nothing moves.

mod common;

use common::{proportions, walk};
use gaitway_core::{Clip, EndSite, JointIdx, Skeleton, fk};
use gaitway_retarget::{Body, Part, RetargetOptions, Retargeted, Role, retarget};
use glam::{DVec3, Quat, Vec3};

fn body(clip: &Clip) -> Body {
    Body::of_clip(clip, None).expect("roles")
}

/// A clip whose joints are given anew, each by the old joint it turns as (none: it does not turn), its parent and offset.
struct Rig {
    joints: Vec<(String, Option<usize>, Option<JointIdx>, Vec3)>,
    sites: Vec<(usize, Vec3)>,
}

impl Rig {
    fn of(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints().map(|j| {
            let parent = skeleton.parent(j).map(|p| p.index());
            (
                skeleton.name(j).to_owned(),
                parent,
                Some(j),
                skeleton.offset(j),
            )
        });
        let sites = skeleton.end_sites().iter();
        Self {
            joints: joints.collect(),
            sites: sites
                .map(|EndSite { parent, offset }| (parent.index(), *offset))
                .collect(),
        }
    }

    fn find(&self, name: &str) -> usize {
        let found = self.joints.iter().position(|j| j.0 == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    }

    /// A joint in the middle of the bone that leads to another.
    fn split(mut self, name: &str, new: &str) -> Self {
        let at = self.find(name);
        let (_, parent, _, offset) = self.joints[at].clone();
        let moved = |k: usize| if k >= at { k + 1 } else { k };
        for joint in &mut self.joints {
            joint.1 = joint.1.map(moved);
        }
        self.sites.iter_mut().for_each(|s| s.0 = moved(s.0));
        self.joints[at].1 = Some(at);
        self.joints[at].3 = offset * 0.5;
        self.joints
            .insert(at, (new.to_owned(), parent, None, offset * 0.5));
        self
    }

    /// A joint that hangs halfway along the bone from one to another.
    fn hung(mut self, on: &str, towards: &str, new: &str) -> Self {
        let (on, towards) = (self.find(on), self.find(towards));
        let offset = self.joints[towards].3 * 0.5;
        self.joints.push((new.to_owned(), Some(on), None, offset));
        self
    }

    /// A last joint made the end of the one it hangs on.
    fn without(mut self, name: &str) -> Self {
        let at = self.find(name);
        let (_, parent, _, offset) = self.joints.remove(at);
        self.sites.retain(|s| s.0 != at);
        let moved = |k: usize| if k > at { k - 1 } else { k };
        for joint in &mut self.joints {
            joint.1 = joint.1.map(moved);
        }
        self.sites.iter_mut().for_each(|s| s.0 = moved(s.0));
        self.sites.extend(parent.map(|p| (moved(p), offset)));
        self
    }

    fn clip(&self, of: &Clip) -> Clip {
        let mut b = Skeleton::builder();
        for (name, parent, _, offset) in &self.joints {
            match parent {
                None => b.root(name.clone(), *offset),
                Some(p) => b.joint(name.clone(), JointIdx(*p as u32), *offset),
            };
        }
        for (parent, offset) in &self.sites {
            b.end_site(JointIdx(*parent as u32), *offset);
        }
        let turn = |f: usize, j: &Option<JointIdx>| j.map_or(Quat::IDENTITY, |j| of.rotation(f, j));
        let rotations = (0..of.frame_count())
            .flat_map(|f| self.joints.iter().map(move |j| turn(f, &j.2)))
            .collect();
        let skeleton = b.build().expect("a tree").shared();
        Clip::new("rig", skeleton, of.rate_hz(), of.root().to_vec(), rotations).expect("a clip")
    }
}

fn put(clip: &Clip, rig: &Clip, options: &RetargetOptions) -> Retargeted {
    retarget(clip, &body(clip), &body(rig), options).expect("a clip")
}

/// How far joints of the same names are apart at most.
fn apart(a: &Clip, b: &Clip, wanted: impl Fn(&str) -> bool) -> f64 {
    let (pa, pb) = (fk::world_points(a), fk::world_points(b));
    let pairs: Vec<(usize, usize)> = a
        .skeleton()
        .joints()
        .filter(|&j| wanted(a.skeleton().name(j)))
        .filter_map(|j| Some((j.index(), b.skeleton().find(a.skeleton().name(j))?.index())))
        .collect();
    assert!(!pairs.is_empty());
    (0..a.frame_count())
        .flat_map(|f| pairs.iter().map(move |p| (f, p)))
        .map(|(f, p)| pa.at(f, p.0).distance(pb.at(f, p.1)))
        .fold(0.0, f64::max)
}

#[test]
fn twist_joints_take_their_share_and_move_nothing_else() {
    let clip = walk();
    let rig = Rig::of(clip.skeleton())
        .hung("LeftForeArm", "LeftHand", "LeftForeArmTwist")
        .hung("RightForeArm", "RightHand", "RightForeArmTwist")
        .clip(&clip);
    let target = body(&rig);
    assert_eq!(target.roles.twists.len(), 2, "{:?}", target.roles.twists);
    // A hand that is turned about its forearm by half a radian more turns the twist joint by a quarter more.
    let hand = clip.skeleton().find("LeftHand").expect("a hand");
    let along = clip.skeleton().offset(hand).normalize();
    let mut parts = clip.clone().into_parts();
    let joints = clip.joint_count();
    for f in 0..clip.frame_count() {
        let q = &mut parts.rotations[f * joints + hand.index()];
        *q = Quat::from_axis_angle(along, 0.5) * *q;
    }
    let turned = parts.build().expect("a clip");
    let copy = |c: &Clip| {
        retarget(c, &body(&clip), &target, &RetargetOptions::default())
            .expect("a clip")
            .first
    };
    let (one, two) = (copy(&clip), copy(&turned));
    assert!(apart(&clip, &one, |_| true) < 1e-4);
    let twist = rig.skeleton().find("LeftForeArmTwist").expect("a joint");
    for f in 0..clip.frame_count() {
        let by = one.rotation(f, twist).angle_between(two.rotation(f, twist));
        assert!((by - 0.25).abs() < 0.02, "frame {f}: {by}");
    }
}

#[test]
fn more_joints_of_spine_and_neck_bend_as_the_fewer_do_and_back() {
    let clip = walk();
    let rig = Rig::of(clip.skeleton())
        .split("Chest", "SpineHalf")
        .split("Head", "Neck1")
        .clip(&clip);
    let target = body(&rig);
    let count = |b: &Body, p: Part| b.roles.joints(Role::trunk(p)).len();
    let own = body(&clip);
    assert_eq!(count(&target, Part::Spine), count(&own, Part::Spine) + 1);
    assert_eq!(count(&target, Part::Neck), count(&own, Part::Neck) + 1);
    for (from, to) in [(&clip, &rig), (&rig, &clip)] {
        let done = put(from, to, &RetargetOptions::planted());
        assert!(done.report.after_mm[0] < 1.0, "{:?}", done.report.after_mm);
        let off = apart(from, &done.clip, |n| n.ends_with("Hand") || n == "Head");
        assert!(off < 0.02, "{off}");
        assert!(apart(from, &done.clip, |n| n.ends_with("Foot")) < 0.005);
    }
}

#[test]
fn a_body_without_toe_joints_stands_on_the_ends_of_its_feet() {
    let clip = walk();
    let toe = |side: &str| {
        let mut names = clip.skeleton().names().iter();
        let found = names.find(|n| n.starts_with(side) && n.contains("Toe"));
        found.expect("a toe").clone()
    };
    let rig = Rig::of(clip.skeleton())
        .without(&toe("Left"))
        .without(&toe("Right"))
        .clip(&clip);
    for (from, to) in [(&clip, &rig), (&rig, &clip)] {
        let done = put(from, to, &RetargetOptions::planted());
        let report = &done.report;
        assert!(
            report.constraints > 4 && report.after_mm[0] < 1.0,
            "{:?}",
            report.after_mm
        );
        let off = apart(from, &done.clip, |n| {
            n.ends_with("Hand") || n.ends_with("Foot")
        });
        assert!(off < 0.02, "{off}");
    }
}

/// A character that only rests, as many files of rigs are.
#[test]
fn a_body_that_nothing_moves_is_known_by_its_rest() {
    let clip = walk();
    let moving = proportions(&clip, 1.15, 0.95, 1.0);
    let joints = moving.joint_count();
    let still = Clip::new(
        "still",
        moving.skeleton().clone(),
        30.0,
        vec![DVec3::Y],
        vec![Quat::IDENTITY; joints],
    )
    .expect("a clip");
    let by_rest = put(&clip, &still, &RetargetOptions::planted());
    let by_motion = put(&clip, &moving, &RetargetOptions::planted());
    assert!(by_rest.report.constraints > 4 && by_rest.report.after_mm[0] < 1.0);
    let off = apart(&by_motion.clip, &by_rest.clip, |_| true);
    assert!(off < 0.03, "{off}");
}
