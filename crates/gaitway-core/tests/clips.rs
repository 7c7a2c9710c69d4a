//! Laws that hold for every clip: what editing keeps, what kinematics gives.

use gaitway_core::glam::{DVec3, Quat, Vec3};
use gaitway_core::mirror::{MirrorMap, mirror};
use gaitway_core::testing::{small_body, swinging_clip, walker_body};
use gaitway_core::{
    Clip, ClipSet, ClipSetError, ContactPoint, ContactTrack, JointIdx, LabelSpan, LabelTrack,
    Planar, PointIdx, Skeleton, TranslationTrack, edit, fk, ground, resample, rotation,
};
use proptest::prelude::*;

fn worst(a: &fk::WorldPoints, b: &fk::WorldPoints) -> f64 {
    let pairs = a.places().iter().zip(b.places());
    pairs.map(|(x, y)| x.distance(*y)).fold(0.0, f64::max)
}

fn any_clip() -> impl Strategy<Value = Clip> {
    (1..40_usize, 20.0..240.0_f64, any::<u64>()).prop_map(|(frames, rate, seed)| {
        let base = swinging_clip("any", frames, rate);
        let turn = (seed % 628) as f64 / 100.0;
        let shift = (seed / 628 % 1000) as f64 - 500.0;
        let clip = base.moved(Planar::new(turn, shift, 0.3 * shift));
        let values = (0..frames)
            .map(|f| Vec3::new(0.1, 0.01 * f as f32, 0.0))
            .collect();
        let track = TranslationTrack {
            joint: JointIdx(1),
            values,
        };
        clip.with_translations(vec![track]).expect("the track fits")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn fast_kinematics_equal_the_slow_twin(clip in any_clip(), pick in any::<u32>()) {
        let points = fk::world_points(&clip);
        let frame = pick as usize % clip.frame_count();
        for p in 0..clip.skeleton().point_count() {
            let slow = fk::naive_world_point(&clip, frame, PointIdx(p as u32));
            prop_assert!(points.at(frame, p).distance(slow) < 2e-6);
        }
    }

    #[test]
    fn mirroring_twice_changes_nothing(clip in any_clip()) {
        let map = MirrorMap::new(clip.skeleton(), &[&clip]);
        let once = mirror(&clip, &map);
        let twice = mirror(&once, &map);
        prop_assert!(worst(&fk::world_points(&clip), &fk::world_points(&twice)) < 1e-5);
    }

    #[test]
    fn a_mirrored_body_is_the_mirror_image(clip in any_clip()) {
        let clip = clip.with_translations(Vec::new()).expect("no tracks");
        let map = MirrorMap::new(clip.skeleton(), &[&clip]);
        let (here, there) = (fk::world_points(&clip), fk::world_points(&mirror(&clip, &map)));
        for frame in 0..clip.frame_count() {
            for p in 0..clip.skeleton().point_count() {
                let q = map.partner_point(PointIdx(p as u32));
                let seen = here.at(frame, q.index()) * DVec3::new(-1.0, 1.0, 1.0);
                prop_assert!(there.at(frame, p).distance(seen) < 1e-5);
            }
        }
    }

    #[test]
    fn moving_a_clip_moves_every_point_alike(clip in any_clip(), theta in -3.0..3.0_f64, x in -9.0..9.0_f64) {
        let t = Planar::new(theta, x, 2.0 * x);
        let moved = fk::world_points(&clip.clone().moved(t));
        let here = fk::world_points(&clip);
        for (a, b) in here.places().iter().zip(moved.places()) {
            prop_assert!(t.apply(*a).distance(*b) < 1e-5);
        }
    }

    #[test]
    fn planar_motions_compose_and_invert(
        a in (-9.0..9.0_f64, -9.0..9.0_f64, -9.0..9.0_f64),
        b in (-9.0..9.0_f64, -9.0..9.0_f64, -9.0..9.0_f64),
    ) {
        let (s, t) = (Planar::new(a.0, a.1, a.2), Planar::new(b.0, b.1, b.2));
        let p = DVec3::new(0.3, 1.0, -2.0);
        prop_assert!(s.compose(t).apply(p).distance(s.apply(t.apply(p))) < 1e-9);
        prop_assert!(s.inverse().apply(s.apply(p)).distance(p) < 1e-9);
    }

    #[test]
    fn cutting_keeps_the_frames_inside(clip in any_clip(), a in 0..50_usize, b in 0..50_usize) {
        let (start, end) = (a.min(b), a.max(b));
        let part = edit::cut(&clip, start..end);
        let end = end.min(clip.frame_count());
        let start = start.min(end);
        prop_assert_eq!(part.root(), &clip.root()[start..end]);
        for f in 0..part.frame_count() {
            prop_assert_eq!(part.frame_rotations(f), clip.frame_rotations(start + f));
        }
    }

    #[test]
    fn going_up_by_a_whole_number_keeps_every_source_frame(clip in any_clip(), k in 2..5_usize) {
        let up = resample::resample(&clip, clip.rate_hz() * k as f64).expect("a valid rate");
        for f in 0..clip.frame_count() {
            prop_assert_eq!(up.frame_rotations(f * k), clip.frame_rotations(f));
            prop_assert_eq!(up.root()[f * k], clip.root()[f]);
        }
    }
}

#[test]
fn going_down_does_not_fold_a_shake_into_a_wobble() {
    // 55 Hz at 120 Hz, down to 60 Hz: picking every second frame would show a slow 5 Hz wave.
    let skeleton = small_body();
    let shake = |f: usize| 0.02 * (std::f64::consts::TAU * 55.0 * f as f64 / 120.0).sin();
    let root = (0..480).map(|f| DVec3::new(shake(f), 0.9, 0.0)).collect();
    let still = vec![Quat::IDENTITY; 480 * skeleton.joint_count()];
    let clip = Clip::new("shake", skeleton, 120.0, root, still).expect("arrays fit");
    let swing = |c: &Clip| {
        c.root()
            .iter()
            .skip(20)
            .take(100)
            .map(|p| p.x.abs())
            .fold(0.0, f64::max)
    };
    let smooth = resample::resample(&clip, 60.0).expect("a valid rate");
    let picked =
        resample::resample_with(&clip, 60.0, resample::Filter::None).expect("a valid rate");
    assert!(
        swing(&smooth) < 0.3 * swing(&picked),
        "{} {}",
        swing(&smooth),
        swing(&picked)
    );
}

#[test]
fn resampling_keeps_what_moves_slowly() {
    let clip = swinging_clip("swing", 480, 120.0);
    let down = resample::resample(&clip, 30.0).expect("a valid rate");
    assert_eq!(down.frame_count(), 120);
    let (a, b) = (fk::world_points(&clip), fk::world_points(&down));
    for f in 5..115 {
        for p in 0..a.point_count() {
            assert!(
                a.at(4 * f, p).distance(b.at(f, p)) < 2e-3,
                "frame {f} point {p}"
            );
        }
    }
    assert!(resample::resample(&clip, f64::NAN).is_err());
    assert!(resample::resample(&clip, 0.0).is_err());
    assert!(resample::resample(&clip, 1e12).is_err());
}

fn contact_point(skeleton: &Skeleton, name: &str, point: &str) -> ContactPoint {
    ContactPoint {
        name: name.into(),
        point: skeleton.find_point(point).expect("a point of the body"),
    }
}

#[test]
fn labels_and_contacts_follow_the_mirror() {
    let clip = swinging_clip("turn", 10, 30.0);
    let body = clip.skeleton().clone();
    let span = |start, end, label: &str| LabelSpan {
        start,
        end,
        label: label.into(),
    };
    // Sides are not in the order of bits, an end site is among them, and the chest has no side.
    let points = [
        ("right_toe", "RightFoot_end"),
        ("left_heel", "LeftFoot"),
        ("chest", "Chest"),
        ("left_toe", "LeftFoot_end"),
        ("right_heel", "RightFoot"),
    ]
    .map(|(name, point)| contact_point(&body, name, point));
    let mut contacts = ContactTrack::new(points.to_vec(), 10);
    // Each point by itself, so that no wrong swap looks like the right one; then some together.
    let stand = [
        0b1, 0b10, 0b100, 0b1000, 0b10000, 0b11, 0b1010, 0b10100, 0, 0b11111,
    ];
    for (f, &mask) in stand.iter().enumerate() {
        contacts.set_mask(f, mask);
    }
    let clip = clip
        .with_labels(LabelTrack::new(vec![
            span(2, 5, "turn-left"),
            span(4, 8, "walk"),
        ]))
        .with_contacts(Some(contacts))
        .expect("one mask per frame");
    let map = MirrorMap::new(&body, &[&clip]);
    let seen = mirror(&clip, &map);
    assert_eq!(
        seen.labels().spans(),
        [span(2, 5, "turn-right"), span(4, 8, "walk")]
    );
    let track = seen.contacts().expect("contacts");
    assert_eq!(track.points(), points);
    let swapped = [
        0b1000, 0b10000, 0b100, 0b1, 0b10, 0b11000, 0b10001, 0b110, 0, 0b11111,
    ];
    assert_eq!(track.masks(), swapped);
    let back = mirror(&seen, &map);
    assert_eq!(back.labels(), clip.labels());
    assert_eq!(back.contacts(), clip.contacts());
    assert_eq!(map.pairs().len(), 4);
    assert!(map.rejected().is_empty());
}

#[test]
fn a_contact_whose_twin_is_not_watched_is_not_made_up() {
    let clip = swinging_clip("step", 1, 30.0);
    let body = clip.skeleton().clone();
    let map = MirrorMap::new(&body, &[&clip]);
    let seen = |points: &[(&str, &str)]| {
        let points = points.iter().map(|(n, p)| contact_point(&body, n, p));
        let mut track = ContactTrack::new(points.collect(), 1);
        track.set_mask(0, 0b1);
        let clip = clip.clone().with_contacts(Some(track)).expect("fits");
        mirror(&clip, &map).contacts().expect("contacts").mask(0)
    };
    // One heel is the ankle, the other a point of its own: their names pair them.
    let uneven = [("left_heel", "LeftFoot"), ("right_heel", "RightFoot_end")];
    assert_eq!(seen(&uneven), 0b10);
    // Nobody watched the right foot, so nobody knows when the left one stands in the mirror.
    assert_eq!(seen(&[("left_heel", "LeftFoot"), ("chest", "Chest")]), 0);
    let unpaired = [("chest", "Chest"), ("left_heel", "LeftFoot")];
    assert_eq!(seen(&unpaired), 0b1);
}

#[test]
fn a_pair_that_geometry_denies_is_not_swapped() {
    let mut b = Skeleton::builder();
    let hips = b.root("Hips", Vec3::ZERO);
    b.joint("LeftFoot", hips, Vec3::new(0.1, -0.9, 0.0));
    b.joint("RightFoot", hips, Vec3::new(-0.1, -0.2, 0.0));
    let map = MirrorMap::new(&b.build().expect("a tree"), &[]);
    assert!(map.pairs().is_empty());
    assert_eq!(map.rejected().len(), 1);
}

#[test]
fn a_set_names_the_joints_that_differ() {
    let a = swinging_clip("a", 5, 30.0);
    let mut b = Skeleton::builder();
    let hips = b.root("Hips", Vec3::ZERO);
    b.joint("Tail", hips, Vec3::X);
    let other = b.build().expect("a tree").shared();
    let b = Clip::new("b", other, 30.0, vec![DVec3::ZERO], vec![Quat::IDENTITY; 2]).expect("fits");
    let error = ClipSet::new(vec![a.clone(), b.clone()]).expect_err("skeletons differ");
    assert!(
        error
            .to_string()
            .contains("`LeftUpLeg` is missing in the other"),
        "{error}"
    );
    assert_eq!(
        ClipSet::new(Vec::new()).expect_err("empty"),
        ClipSetError::Empty
    );
    assert_eq!(
        ClipSet::group(vec![a.clone(), b, a.with_name("c")]).len(),
        2
    );
}

#[test]
fn travel_moves_to_the_root_and_nothing_else_moves() {
    let mut b = Skeleton::builder();
    let world = b.root("World", Vec3::ZERO);
    let hips = b.joint("Hips", world, Vec3::new(0.0, 0.9, 0.0));
    let knee = b.joint("Knee", hips, Vec3::new(0.0, -0.4, 0.0));
    b.end_site(knee, Vec3::new(0.0, -0.4, 0.0));
    b.joint("Prop", world, Vec3::new(1.0, 0.0, 0.0));
    let skeleton = b.build().expect("a tree").shared();
    let frames = 30;
    let turned = Quat::from_rotation_y(0.4);
    let mut rotations = vec![turned; frames * 4];
    rotations
        .iter_mut()
        .skip(1)
        .step_by(4)
        .for_each(|q| *q = Quat::from_rotation_x(0.2));
    let values = (0..frames)
        .map(|f| Vec3::new(0.0, 0.9, 0.04 * f as f32))
        .collect();
    let clip = Clip::new("way", skeleton, 30.0, vec![DVec3::ZERO; frames], rotations)
        .and_then(|c| {
            c.with_translations(vec![TranslationTrack {
                joint: hips,
                values,
            }])
        })
        .expect("arrays fit");
    assert_eq!(ground::travel_joint(&clip), hips);
    let moved = ground::travel_to_root(&clip);
    assert!((moved.root()[29].length() - 0.04 * 29.0).abs() < 1e-5);
    let (a, b) = (fk::world_points(&clip), fk::world_points(&moved));
    for f in 0..frames {
        for p in 1..5 {
            assert!(
                a.at(f, p).distance(b.at(f, p)) < 1e-5,
                "frame {f} point {p}"
            );
        }
    }
}

#[test]
fn in_place_takes_travel_out_and_leaves_the_body() {
    let clip = swinging_clip("stroll", 240, 60.0).moved(Planar::new(1.0, 3.0, 4.0));
    let still = edit::in_place(&clip).expect("finite");
    let far = still
        .root()
        .iter()
        .map(|p| (*p - still.root()[0]).length())
        .fold(0.0, f64::max);
    assert!(far < 0.1, "still travels {far} m");
    let heights = clip
        .root()
        .iter()
        .zip(still.root())
        .map(|(a, b)| (a.y - b.y).abs());
    assert!(heights.fold(0.0, f64::max) < 1e-12);
    for f in (0..240).step_by(17) {
        let angle = rotation::angle_between(
            clip.rotation(f, JointIdx(3)),
            still.rotation(f, JointIdx(3)),
        );
        assert!(angle < 1e-6);
    }
}

#[test]
fn the_floor_is_where_the_lowest_points_rest() {
    let skeleton = small_body();
    let frames = 120;
    // Stands on a floor at 0.3 m, and jumps once.
    let hop = |f: usize| {
        if (50..70).contains(&f) {
            0.02 * ((f - 50) * (70 - f)) as f64 / 10.0
        } else {
            0.0
        }
    };
    let root = (0..frames)
        .map(|f| DVec3::new(0.0, 0.3 + 0.92 + hop(f), 0.0))
        .collect();
    let clip = Clip::new(
        "hop",
        skeleton.clone(),
        60.0,
        root,
        vec![Quat::IDENTITY; frames * skeleton.joint_count()],
    );
    let floor = ground::floor_height(&clip.expect("arrays fit"));
    assert!((floor - 0.3).abs() < 0.005, "floor at {floor}");
}

/// The same motion on a rig whose root joint is turned by `turn` in its own frame; every joint stands where it did.
fn with_turned_root(clip: &Clip, turn: Quat) -> Clip {
    let body = clip.skeleton();
    let seen = |parent: JointIdx, offset: Vec3| match parent {
        JointIdx::ROOT => turn.inverse() * offset,
        _ => offset,
    };
    let mut b = Skeleton::builder();
    for joint in body.joints() {
        let (name, offset) = (body.name(joint), body.offset(joint));
        match body.parent(joint) {
            None => b.root(name, offset),
            Some(parent) => b.joint(name, parent, seen(parent, offset)),
        };
    }
    for site in body.end_sites() {
        b.end_site(site.parent, seen(site.parent, site.offset));
    }
    let mut parts = clip.clone().into_parts();
    for row in parts.rotations.chunks_mut(body.joint_count()) {
        row[0] *= turn;
        for joint in body.joints() {
            if body.parent(joint) == Some(JointIdx::ROOT) {
                row[joint.index()] = turn.inverse() * row[joint.index()];
            }
        }
    }
    parts.skeleton = b.build().expect("the same tree").shared();
    parts.build().expect("finite")
}

#[test]
fn facing_follows_the_body_and_not_the_root_joint() {
    let clip = swinging_clip("ahead", 30, 30.0);
    let ahead = ground::facing(&clip);
    assert!(ahead.iter().all(|a| a.abs() < 0.15), "{ahead:?}");
    let odd = Quat::from_rotation_y(2.1) * Quat::from_rotation_x(-1.4);
    let rig = with_turned_root(&clip, odd);
    assert!(worst(&fk::world_points(&clip), &fk::world_points(&rig)) < 1e-5);
    for (a, b) in ahead.iter().zip(ground::facing(&rig)) {
        assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    }
    let turned = rig.moved(Planar::new(0.7, 0.0, 0.0));
    for (a, b) in ahead.iter().zip(ground::facing(&turned)) {
        assert!((b - a - 0.7).abs() < 1e-4, "{a} and {b}");
    }
}

#[test]
fn hips_and_shoulders_have_equal_say_in_facing() {
    let body = walker_body();
    let chest = body.find("Chest").expect("a chest").index();
    let twisted = |hips: f32, shoulders: f32| {
        let mut rotations = vec![Quat::IDENTITY; body.joint_count()];
        rotations[0] = Quat::from_rotation_y(hips);
        rotations[chest] = Quat::from_rotation_y(shoulders - hips);
        let clip = Clip::new("twist", body.clone(), 30.0, vec![DVec3::Y], rotations);
        ground::facing(&clip.expect("arrays fit"))[0]
    };
    for (hips, shoulders, expected) in [(0.0, 0.8, 0.4), (0.8, 0.0, 0.4), (-1.0, 0.4, -0.3)] {
        let found = twisted(hips, shoulders);
        assert!(
            (found - expected).abs() < 1e-5,
            "{hips} {shoulders}: {found}"
        );
    }
}

#[test]
fn without_pairs_the_root_says_where_a_body_faces() {
    let mut b = Skeleton::builder();
    let root = b.root("Root", Vec3::ZERO);
    b.joint("Tip", root, Vec3::Y);
    let turned = vec![Quat::from_rotation_y(-0.9), Quat::from_rotation_y(2.0)];
    let skeleton = b.build().expect("a tree").shared();
    let clip = Clip::new("post", skeleton, 30.0, vec![DVec3::ZERO], turned).expect("fits");
    assert!((ground::facing(&clip)[0] + 0.9).abs() < 1e-5);
}
