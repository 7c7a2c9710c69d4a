use glam::{DVec3, Quat, Vec3};

use super::*;
use crate::testing;

fn figure(clip: &Clip) -> (Bind, Figure) {
    let bind = Bind::of(clip);
    let figure = Figure::of(clip, &bind);
    (bind, figure)
}

fn count(figure: &Figure, kind: Kind) -> usize {
    figure.parts.iter().filter(|p| p.kind == kind).count()
}

/// Places a form reaches to, without its thickness.
fn places(form: &Form) -> Vec<Vec3> {
    match form {
        Form::Capsule { ends, .. } | Form::Link { ends, .. } => {
            ends.iter().map(|e| e.place).collect()
        }
        Form::Egg { centre, axes, .. } => axes
            .iter()
            .flat_map(|a| [centre.place - *a, centre.place + *a])
            .collect(),
        Form::Tube { rings, .. } => rings
            .iter()
            .flat_map(|r| [r.deep, -r.deep, r.wide, -r.wide].map(|a| r.centre + a))
            .collect(),
    }
}

/// A skeleton's clip in which nothing moves.
fn still(skeleton: Skeleton) -> Clip {
    let joints = skeleton.joint_count();
    let turns = vec![Quat::IDENTITY; 3 * joints];
    Clip::new("still", skeleton.shared(), 30.0, vec![DVec3::Y; 3], turns).expect("arrays fit")
}

#[test]
fn a_person_has_all_parts_in_proportion() {
    let clip = testing::walking_clip(&testing::Walker {
        seconds: 2.0,
        ..testing::Walker::default()
    });
    let (bind, figure) = figure(&clip);
    assert!((figure.height - 0.84 / 0.49).abs() < 1e-4);
    for (kind, parts) in [
        (Kind::Trunk, 1),
        (Kind::Collar, 2),
        (Kind::Neck, 1),
        (Kind::Head, 1),
        (Kind::Limb, 8),
        (Kind::Foot, 2),
        (Kind::Hand, 2),
        (Kind::Palm, 0),
        (Kind::Bone, 0),
    ] {
        assert_eq!(count(&figure, kind), parts, "{kind:?}");
    }
    let all: Vec<Vec3> = figure.parts.iter().flat_map(|p| places(&p.form)).collect();
    assert!(all.iter().all(|p| p.is_finite()));
    // Soles are below the ankles, and the skull is the highest of all.
    let ankle = bind.point(3).y;
    let low = all.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    assert!((0.03..0.11).contains(&(ankle - low)), "{}", ankle - low);
    let high = |kind: Kind| {
        let parts = figure.parts.iter().filter(|p| p.kind == kind);
        let places = parts.flat_map(|p| places(&p.form));
        places.map(|p| p.y).fold(f32::NEG_INFINITY, f32::max)
    };
    assert!(high(Kind::Head) > high(Kind::Trunk) + 0.1);
}

#[test]
fn limbs_share_a_radius_where_they_meet() {
    let clip = testing::walking_clip(&testing::Walker::default());
    let (_, figure) = figure(&clip);
    let limbs: Vec<([Held; 2], [f32; 2])> = figure
        .parts
        .iter()
        .filter(|p| p.kind == Kind::Limb)
        .filter_map(|p| match &p.form {
            Form::Capsule { ends, radii } => Some((*ends, *radii)),
            _ => None,
        })
        .collect();
    let mut met = 0;
    for (ends, radii) in &limbs {
        for (others, theirs) in &limbs {
            if ends[1].joint == others[0].joint {
                assert_eq!(radii[1], theirs[0]);
                met += 1;
            }
        }
    }
    assert_eq!(met, 4, "two knees and two elbows");
}

#[test]
fn both_sides_are_mirror_images() {
    let clip = testing::walking_clip(&testing::Walker::default());
    let (_, figure) = figure(&clip);
    let of = |side: Side| -> Vec<Vec3> {
        let parts = figure.parts.iter().filter(|p| p.side == Some(side));
        let limbs = parts.filter(|p| p.kind != Kind::Foot && p.kind != Kind::Hand);
        limbs.flat_map(|p| places(&p.form)).collect()
    };
    let (left, right) = (of(Side::Left), of(Side::Right));
    assert_eq!(left.len(), right.len());
    for (l, r) in left.iter().zip(&right) {
        assert!((*l * Vec3::new(-1.0, 1.0, 1.0)).distance(*r) < 1e-4);
    }
}

#[test]
fn what_is_no_person_has_a_capsule_per_bone() {
    let mut b = Skeleton::builder();
    let mut joint = b.root("a", Vec3::ZERO);
    for k in 0..5 {
        joint = b.joint(format!("b{k}"), joint, Vec3::X * 0.3);
    }
    b.end_site(joint, Vec3::X * 0.3);
    let clip = still(b.build().expect("a chain"));
    let (_, figure) = figure(&clip);
    assert_eq!(count(&figure, Kind::Bone), figure.parts.len());
    assert_eq!(figure.parts.len(), 6);
}

#[test]
fn a_body_of_no_size_has_no_parts() {
    let mut b = Skeleton::builder();
    b.root("a", Vec3::ZERO);
    let (_, figure) = figure(&still(b.build().expect("one joint")));
    assert_eq!(figure.height, 0.0);
    assert!(figure.parts.is_empty());
}
