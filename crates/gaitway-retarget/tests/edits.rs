//! Laws of editing: nothing asked, nothing changed; what is asked for is met; feet stay; mirrored edits mirror.

use gaitway_core::mirror::{MirrorMap, mirror};
use gaitway_core::performer::{Move, Performer, Script};
use gaitway_core::testing::data_dir;
use gaitway_core::{Clip, JointIdx, fk, ground};
use gaitway_retarget::edit::{Hold, Pace, Place, Size, Style, own_path};
use gaitway_retarget::{Body, Edits, edit};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

fn walk() -> Clip {
    let script = Script::new("walk", [Move::walk(6, 1.3)]);
    Performer::new(3).perform(&script).expect("a walk").clip
}

fn place(clip: &Clip, frame: usize, joint: JointIdx) -> DVec3 {
    fk::naive_world_point(clip, frame, joint.into())
}

fn hand(clip: &Clip) -> JointIdx {
    clip.skeleton().find("LeftHand").expect("a hand")
}

fn at(joint: &str, s: f64, place: Place) -> Edits {
    let hold = Hold {
        joint: joint.to_owned(),
        from_s: s,
        to_s: s,
        place,
    };
    Edits {
        holds: vec![hold],
        ..Edits::default()
    }
}

/// How far apart joints of two clips are at most, metres.
fn apart(a: &Clip, b: &Clip) -> f64 {
    assert_eq!(a.frame_count(), b.frame_count());
    let frames = (0..a.frame_count()).step_by(3);
    frames
        .flat_map(|f| {
            a.skeleton()
                .joints()
                .map(move |j| place(a, f, j).distance(place(b, f, j)))
        })
        .fold(0.0, f64::max)
}

fn assert_same(a: &Clip, b: &Clip) {
    assert_eq!(a.root(), b.root());
    assert_eq!(a.rotations(), b.rotations());
}

#[test]
fn nothing_asked_for_changes_nothing() {
    let clip = walk();
    let done = edit(&clip, &Edits::default()).expect("edited");
    assert_same(&clip, &done.clip);
    assert!(done.report.spans.is_empty() && done.report.asked.is_empty());
}

#[test]
fn what_is_there_already_changes_nothing() {
    let clip = walk();
    let here = place(&clip, 60, hand(&clip));
    let seconds = 60.0 / clip.rate_hz();
    let way: Vec<(f64, DVec3)> = (0..clip.frame_count())
        .map(|f| (f as f64 / clip.rate_hz(), place(&clip, f, hand(&clip))))
        .collect();
    let mut kept = at("LeftHand", 0.5, Place::Along(way));
    kept.holds[0].to_s = 1.5;
    let all = [
        at("LeftHand", seconds, Place::At(here)),
        at("LeftHand", seconds, Place::By(DVec3::ZERO)),
        kept,
        Edits {
            taller: Some(Size::Times(1.0)),
            speed: vec![Pace {
                times: 1.0,
                span: None,
            }],
            ..Edits::default()
        },
        Edits {
            style: Some(Style {
                from: clip.clone(),
                of: clip.clone(),
                amount: 0.7,
            }),
            ..Edits::default()
        },
    ];
    for edits in all {
        let done = edit(&clip, &edits).expect("edited");
        assert_same(&clip, &done.clip);
    }
    let own = Edits {
        path: Some(own_path(&clip)),
        ..Edits::default()
    };
    let done = edit(&clip, &own).expect("edited");
    assert!(
        apart(&clip, &done.clip) < 1e-3,
        "{}",
        apart(&clip, &done.clip)
    );
}

#[test]
fn taller_is_the_same_motion_scaled_about_the_floor() {
    let clip = walk();
    let edits = Edits {
        taller: Some(Size::Times(1.1)),
        ..Edits::default()
    };
    let done = edit(&clip, &edits).expect("edited");
    let centre = {
        let (a, b) = (
            place(&clip, 0, JointIdx::ROOT),
            place(&done.clip, 0, JointIdx::ROOT),
        );
        (b - 1.1 * a) / (1.0 - 1.1)
    };
    for f in (0..clip.frame_count()).step_by(17) {
        for j in clip.skeleton().joints() {
            let wanted = centre + 1.1 * (place(&clip, f, j) - centre);
            assert!(wanted.distance(place(&done.clip, f, j)) < 1e-4);
        }
    }
    let [before, after] = done.report.height_m;
    assert!((after / before - 1.1).abs() < 1e-4);
    let metres = Edits {
        taller: Some(Size::Metres(1.1 * before)),
        ..Edits::default()
    };
    assert!(apart(&done.clip, &edit(&clip, &metres).expect("edited").clip) < 1e-4);
}

#[test]
fn longer_legs_stand_and_are_longer() {
    let clip = walk();
    for times in [0.9, 1.06] {
        let edits = Edits {
            legs: times,
            ..Edits::default()
        };
        let done = edit(&clip, &edits).expect("edited");
        let leg = |c: &Clip| {
            Body::of_clip(c, None)
                .expect("a body")
                .leg_length
                .expect("legs")
        };
        assert!((leg(&done.clip) / leg(&clip) - times).abs() < 1e-3);
        assert!(
            done.report.asked[0].left_mm.expect("planted") < 1.0,
            "{:?}",
            done.report.asked
        );
        let low = |c: &Clip| {
            (0..c.frame_count())
                .flat_map(|f| c.skeleton().joints().map(move |j| (f, j)))
                .map(|(f, j)| place(c, f, j).y)
                .fold(f64::INFINITY, f64::min)
        };
        assert!(
            (low(&clip) - low(&done.clip)).abs() < 0.03,
            "{} {}",
            low(&clip),
            low(&done.clip)
        );
    }
}

#[test]
fn a_way_led_along_an_arc_follows_it_and_feet_stand() {
    let clip = walk();
    let length: f64 = own_path(&clip)
        .windows(2)
        .map(|w| w[0].distance(w[1]))
        .sum();
    let radius = 2.0;
    let steps = 400;
    let arc: Vec<DVec2> = (0..=steps)
        .map(|k| {
            let a = length * f64::from(k) / f64::from(steps) / radius;
            DVec2::new(5.0 + radius - radius * a.cos(), radius * a.sin())
        })
        .collect();
    let edits = Edits {
        path: Some(arc),
        ..Edits::default()
    };
    let done = edit(&clip, &edits).expect("edited");
    assert!(
        done.report.asked[0].left_mm.expect("planted") < 1.0,
        "{:?}",
        done.report.asked
    );
    for p in own_path(&done.clip) {
        let off = (p.distance(DVec2::new(5.0 + radius, 0.0)) - radius).abs();
        assert!(off < 0.12, "{off}");
    }
}

#[test]
fn faster_takes_less_time_and_goes_through_the_same_places() {
    let clip = walk();
    let edits = Edits {
        speed: vec![Pace {
            times: 1.25,
            span: None,
        }],
        ..Edits::default()
    };
    let done = edit(&clip, &edits).expect("edited").clip;
    assert!((done.seconds() * 1.25 - clip.seconds()).abs() < 2.0 / clip.rate_hz());
    // Every fourth frame is every fifth of the clip.
    for n in (0..done.frame_count()).step_by(40) {
        let f = n * 5 / 4;
        assert!(place(&clip, f, hand(&clip)).distance(place(&done, n, hand(&done))) < 1e-5);
    }
    let part = Edits {
        speed: vec![Pace {
            times: 0.5,
            span: Some((1.0, 2.0)),
        }],
        ..Edits::default()
    };
    let done = edit(&clip, &part).expect("edited").clip;
    assert!(
        (done.seconds() - clip.seconds() - 1.0).abs() < 0.1,
        "{}",
        done.seconds()
    );
    assert_eq!(done.frame_rotations(30), clip.frame_rotations(30));
}

#[test]
fn a_manner_is_what_two_clips_differ_by() {
    let clip = walk();
    // A chest that leans by 0.3 rad more is a manner.
    let chest = clip
        .skeleton()
        .find("Spine")
        .or(clip.skeleton().find("Chest"))
        .expect("a trunk");
    let mut parts = clip.clone().into_parts();
    let joints = clip.joint_count();
    for f in 0..clip.frame_count() {
        let q = &mut parts.rotations[f * joints + chest.index()];
        *q = (*q * glam::Quat::from_rotation_x(0.3)).normalize();
    }
    let leaning = parts.build().expect("a clip");
    let edits = Edits {
        style: Some(Style {
            from: leaning.clone(),
            of: clip.clone(),
            amount: 1.0,
        }),
        ..Edits::default()
    };
    let done = edit(&clip, &edits).expect("edited").clip;
    assert!(apart(&leaning, &done) < 5e-3, "{}", apart(&leaning, &done));
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let clip = walk();
    let said = |edits: &Edits| edit(&clip, edits).expect_err("refused").to_string();
    assert!(said(&at("LeftHnd", 1.0, Place::By(DVec3::X))).contains("no joint is called"));
    assert!(said(&at("LeftHand", 100.0, Place::By(DVec3::X))).contains("the clip lasts"));
    assert!(said(&at("LeftHand", 1.0, Place::At(DVec3::NAN))).contains("place"));
    let curve = |points: Vec<DVec2>| Edits {
        path: Some(points),
        ..Edits::default()
    };
    assert!(said(&curve(vec![DVec2::ZERO])).contains("two points"));
    assert!(said(&curve(vec![DVec2::ZERO, DVec2::new(0.0, 500.0)])).contains("times as long"));
    let legs = Edits {
        legs: f64::NAN,
        ..Edits::default()
    };
    assert!(said(&legs).contains("legs"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn a_drag_meets_its_place_and_feet_stay(
        s in 0.4_f64..2.5, x in -0.12_f64..0.12, y in -0.12_f64..0.12, z in -0.12_f64..0.12, which in 0_usize..3,
    ) {
        let clip = walk();
        let joint = ["LeftHand", "RightHand", "Head"][which];
        let by = DVec3::new(x, y, z) * if which == 2 { 0.3 } else { 1.0 };
        let done = edit(&clip, &at(joint, s, Place::By(by))).expect("edited");
        let frame = (s * clip.rate_hz()).round() as usize;
        let found = clip.skeleton().find(joint).expect("a joint");
        let wanted = place(&clip, frame, found) + by;
        prop_assert!(place(&done.clip, frame, found).distance(wanted) < 1e-3, "{:?}", done.report.asked);
        // Feet that stand are where they stood.
        let body = Body::of_clip(&clip, None).expect("a body");
        let contacts = clip.contacts().expect("the performer's contacts");
        for (k, point) in contacts.points().iter().enumerate() {
            let foot = body.feet.iter().flatten().find(|f| f.heel == point.point || f.toe == Some(point.point));
            for f in (0..clip.frame_count()).filter(|&f| foot.is_some() && contacts.get(f, k)).step_by(5) {
                let moved = fk::naive_world_point(&clip, f, point.point).distance(fk::naive_world_point(&done.clip, f, point.point));
                prop_assert!(moved < 1e-3, "{} {moved}", point.name);
            }
        }
    }

    #[test]
    fn mirrored_edits_of_mirrored_clips_mirror(s in 0.4_f64..2.5, x in -0.15_f64..0.15, y in -0.15_f64..0.15, legs in 0.95_f64..1.05) {
        let clip = walk();
        let map = MirrorMap::new(clip.skeleton(), &[&clip]);
        let plain = Edits { legs, ..at("LeftHand", s, Place::By(DVec3::new(x, y, 0.05))) };
        let turned = Edits { legs, ..at("RightHand", s, Place::By(DVec3::new(-x, y, 0.05))) };
        let one = mirror(&edit(&clip, &plain).expect("edited").clip, &map);
        let other = edit(&mirror(&clip, &map), &turned).expect("edited").clip;
        prop_assert!(apart(&one, &other) < 4e-3, "{}", apart(&one, &other));
    }
}

#[test]
fn real_walks_keep_their_feet_through_every_edit() {
    let Some(data) = data_dir() else { return };
    let read = |file: &str| {
        let options = gaitway_io::ReadOptions::default();
        let clip = gaitway_io::read_file(&data.join(file), &options).expect("read");
        ground::travel_to_root(&clip.into_iter().next().expect("a clip").clip)
    };
    let clip = read("cmu-bvh/16/16_15.bvh");
    let (from, of) = (read("cmu-bvh/16/16_15.bvh"), read("cmu-bvh/16/16_21.bvh"));
    let own = own_path(&clip);
    let (a, b) = (own[0], own[own.len() - 1]);
    let side = (b - a).perp();
    let bow: Vec<DVec2> = (0..=50)
        .map(|k| f64::from(k) / 50.0)
        .map(|t| a.lerp(b, t) + side * 0.25 * (t * std::f64::consts::PI).sin())
        .collect();
    let all = [
        (
            "drag",
            at("RightHand", 1.0, Place::By(DVec3::new(0.0, 0.2, 0.0))),
        ),
        (
            "legs",
            Edits {
                legs: 1.05,
                ..Edits::default()
            },
        ),
        (
            "path",
            Edits {
                path: Some(bow),
                ..Edits::default()
            },
        ),
        (
            "style",
            Edits {
                style: Some(Style {
                    from,
                    of,
                    amount: 0.5,
                }),
                ..Edits::default()
            },
        ),
    ];
    for (what, edits) in all {
        let done = edit(&clip, &edits).expect("edited");
        let left = done.report.asked[0].left_mm.expect("constraints");
        assert!(left < 1.0, "{what}: {left} mm left");
    }
}
