//! Quality numbers on motions whose quality is known.

use gaitway_core::testing::{
    ANKLE_HEIGHT, FootPose, Walker, clip_from_feet, small_body, walking_clip,
};
use gaitway_core::{Clip, TranslationTrack, edit};
use gaitway_eval::quality::{ContactsSource, feet_words, table};
use gaitway_eval::{Quality, QualityLimits, QualityOptions, quality};
use glam::{DVec3, Quat};

fn measure(clip: &Clip) -> Quality {
    quality(clip, None, &QualityOptions::default())
}

/// The clip without the contacts it knows.
fn bare(clip: Clip) -> Clip {
    clip.with_contacts(None).expect("none always fits")
}

fn near(value: Option<f64>, expected: f64, within: f64) {
    let value = value.expect("measured");
    assert!(
        (value - expected).abs() <= within,
        "{value} is not {expected} ± {within}"
    );
}

#[test]
fn a_clean_walker_is_clean() {
    let clip = walking_clip(&Walker::default());
    let given = measure(&clip);
    assert_eq!(given.contacts.source, ContactsSource::Given);
    near(given.skate_cm_s.mean, 0.0, 0.02);
    near(given.worst_plant_cm, 0.0, 0.01);
    near(given.speed_m_s.mean, 1.2, 0.02);
    near(given.float_cm.max, 0.0, 2.5);
    assert!((given.stretch.max - 1.0).abs() < 1e-6 && given.limb_drift_mm == 0.0);
    assert!(given.floor_m.abs() < 0.025, "{}", given.floor_m);
    let found = measure(&bare(clip));
    assert_eq!(found.contacts.source, ContactsSource::Detected);
    assert!(
        found.skate_cm_s.mean.expect("plants") < 1.0,
        "{:?}",
        found.skate_cm_s
    );
    assert!(found.plants.iter().all(|p| p.confidence.is_some()));
}

#[test]
fn a_sliding_foot_skates_at_its_speed() {
    for rate_hz in [30.0, 60.0, 120.0] {
        for slide in [0.01, 0.05] {
            let walker = Walker {
                slide,
                rate_hz,
                ..Walker::default()
            };
            let clip = walking_clip(&walker);
            let given = measure(&clip);
            near(given.skate_cm_s.mean, 100.0 * slide, 0.1);
            // A toe stands for 0.54 of a cycle and slides evenly: half the way is the farthest from its mean.
            let expected = 100.0 * slide * 0.54 * walker.cycle_s / 2.0;
            near(
                given.worst_plant_cm,
                expected,
                0.1 + 100.0 * slide / rate_hz,
            );
            let found = measure(&bare(clip));
            near(found.skate_cm_s.mean, 100.0 * slide, 1.0);
            assert!(slide < 0.02 || found.events.iter().any(|e| e.kind == "skate"));
        }
    }
}

#[test]
fn a_pop_is_seen_where_it_is() {
    let clip = bare(walking_clip(&Walker::default()));
    let before = measure(&clip);
    let mut parts = clip.clone().into_parts();
    for place in &mut parts.root[300..] {
        place.y += 0.05;
    }
    let after = measure(&parts.build().expect("still a clip"));
    // A step of 5 cm between two frames at 60 Hz: 0.05 · 60² = 180 m/s² on top of what was there.
    let rise = after.accel_m_s2.max.expect("frames") - before.accel_m_s2.max.expect("frames");
    assert!(rise > 60.0, "{rise}");
    let pop = after
        .events
        .iter()
        .find(|e| e.kind == "pop")
        .expect("a pop");
    assert!(pop.start_s <= 5.0 && pop.end_s >= 4.98, "{pop:?}");
    let held = QualityOptions {
        source_accel_p999: before.accel_m_s2.p999,
        ..QualityOptions::default()
    };
    assert!(quality(&clip, None, &held).pop_ratio.expect("frames") >= 1.0);
}

#[test]
fn acceleration_and_turning_have_their_analytic_values() {
    // A body on a circle of 1 m at 2 rad/s, turning with it: 4 m/s² at its root, no angular acceleration.
    let frames = 600;
    let skeleton = small_body();
    let joints = skeleton.joint_count();
    let mut rotations = vec![Quat::IDENTITY; frames * joints];
    let mut root = Vec::new();
    for f in 0..frames {
        let angle = 2.0 * f as f64 / 120.0;
        root.push(DVec3::new(angle.sin(), 1.0, angle.cos()));
        rotations[f * joints] = Quat::from_rotation_y(angle as f32);
    }
    let clip = Clip::new("round", skeleton, 120.0, root, rotations).expect("fits");
    let q = measure(&clip);
    assert!(q.accel_m_s2.max.expect("frames") >= 3.9);
    assert!(
        q.accel_m_s2.max.expect("frames") < 6.5,
        "{:?}",
        q.accel_m_s2
    );
    near(q.angular_accel_rad_s2.p999, 0.0, 0.1);
    near(q.speed_m_s.mean, 2.0, 0.05);
    near(q.knee_velocity_rad_s.max, 0.0, 0.05);
}

#[test]
fn stretch_and_drift_are_read_from_translations() {
    let clip = walking_clip(&Walker::default());
    let knee = clip.skeleton().find("LeftLeg").expect("a knee");
    let rest = clip.skeleton().offset(knee);
    let mut values = vec![rest; clip.frame_count()];
    values[100] = rest * 1.05;
    values[101] = rest * 0.99;
    let track = TranslationTrack {
        joint: knee,
        values,
    };
    let q = measure(&clip.with_translations(vec![track]).expect("fits"));
    near(Some(q.stretch.max), 1.05, 1e-4);
    near(Some(q.stretch.min), 0.99, 1e-4);
    near(Some(q.stretch.frames), 2.0 / q.frames as f64, 1e-9);
    near(Some(q.limb_drift_mm), 0.06 * 420.0, 0.1);
}

#[test]
fn below_the_floor_and_above_it() {
    let stand = |dip: f64| {
        clip_from_feet(
            "stand",
            240,
            60.0,
            |_| DVec3::new(0.0, 0.8, 0.0),
            move |t, side| FootPose {
                ankle: DVec3::new(
                    if side == 0 { 0.1 } else { -0.1 },
                    ANKLE_HEIGHT + if (2.0..2.2).contains(&t) { dip } else { 0.0 },
                    0.0,
                ),
                pitch: 0.0,
            },
        )
    };
    let sunk = measure(&stand(-0.03));
    near(sunk.penetration_cm.max, 3.0, 0.05);
    near(sunk.penetration_cm.feet, 3.0, 0.05);
    assert!(
        sunk.events
            .iter()
            .any(|e| e.kind == "penetration" && (e.start_s - 2.0).abs() < 0.02)
    );
    let clip = stand(0.05);
    let mut all = gaitway_core::ContactTrack::new(gaitway_core::testing::walker_points(), 240);
    (0..240).for_each(|f| all.set_mask(f, 15));
    let floats = quality(&clip, Some(&all), &QualityOptions::default());
    near(floats.float_cm.max, 5.0, 0.05);
    near(floats.penetration_cm.max, 0.0, 0.05);
    near(floats.penetration_cm.feet, 0.0, 0.05);
}

#[test]
fn a_whole_cycle_loops_and_a_part_does_not() {
    let walker = Walker {
        seconds: 4.0,
        cycle_s: 1.0,
        ..Walker::default()
    };
    let clip = walking_clip(&walker);
    let options = QualityOptions {
        loop_seam: true,
        ..QualityOptions::default()
    };
    let seam = |frames: std::ops::Range<usize>| {
        let part = edit::cut(&clip, frames).moved(gaitway_core::Planar::new(0.7, 3.0, -2.0));
        quality(&part, None, &options)
            .loop_seam
            .expect("long enough")
    };
    let whole = seam(10..130);
    assert!(whole.position_cm < 1.0, "{whole:?}");
    let repeats = seam(10..131);
    assert!(repeats.position_cm < 0.1, "{repeats:?}");
    let part = seam(10..95);
    assert!(part.position_cm > 10.0, "{part:?}");
    assert!(measure(&clip).loop_seam.is_none(), "only where asked");
}

#[test]
fn bars_are_held_and_the_unmeasured_does_not_pass() {
    let sliding = walking_clip(&Walker {
        slide: 0.05,
        ..Walker::default()
    });
    let q = measure(&sliding);
    let limits = QualityLimits {
        max_skate: Some(0.5),
        max_stretch: Some(3.0),
        ..QualityLimits::default()
    };
    let exceeded = limits.check(&q);
    assert_eq!(exceeded.len(), 1);
    assert_eq!(exceeded[0].field, "skate_cm_s.mean");
    // In words: the JSON name is for programs.
    assert!(exceeded[0].message.contains("planted feet slide"));
    assert!(!exceeded[0].message.contains("skate_cm_s"));
    assert!(
        exceeded[0].message.contains("more than 0.5 cm/s"),
        "{}",
        exceeded[0].message
    );
    assert!(QualityLimits::default().check(&q).is_empty());
    let single = measure(&bare(edit::cut(&sliding, 0..1)));
    let exceeded = limits.check(&single);
    assert!(
        exceeded[0].message.contains("could not be measured"),
        "{}",
        exceeded[0].message
    );
    assert!(
        exceeded[0].message.contains("too few"),
        "{}",
        exceeded[0].message
    );
}

#[test]
fn feet_and_the_whole_body_have_bars_of_their_own() {
    let mut q = measure(&walking_clip(&Walker::default()));
    let fields = |q: &Quality, limits: QualityLimits| -> Vec<&'static str> {
        limits.check(q).into_iter().map(|e| e.field).collect()
    };
    let feet = QualityLimits {
        max_feet_penetration: Some(0.2),
        ..QualityLimits::default()
    };
    let body = QualityLimits {
        max_penetration: Some(0.2),
        ..QualityLimits::default()
    };
    // Hands on the floor.
    (q.penetration_cm.max, q.penetration_cm.feet) = (Some(4.0), Some(0.1));
    assert!(fields(&q, feet).is_empty());
    assert_eq!(fields(&q, body), ["penetration_cm.max"]);
    // A foot on a step, in the step and above the floor.
    (q.penetration_cm.max, q.penetration_cm.feet) = (Some(0.0), Some(0.3));
    assert_eq!(fields(&q, feet), ["penetration_cm.feet"]);
    assert!(fields(&q, body).is_empty());
    q.penetration_cm.feet = None;
    assert_eq!(fields(&q, feet), ["penetration_cm.feet"], "not measured");
}

#[test]
fn little_or_nothing_gives_a_result() {
    let clip = bare(walking_clip(&Walker::default()));
    for frames in 0..12 {
        let options = QualityOptions {
            loop_seam: true,
            ..QualityOptions::default()
        };
        let q = quality(&edit::cut(&clip, 0..frames), None, &options);
        assert_eq!(q.frames, frames);
        assert_eq!(q.contacts.reason.is_some(), frames < 4);
        serde_json::to_string(&q).expect("JSON");
    }
    // A track of another length is not taken.
    let other = walking_clip(&Walker {
        seconds: 1.0,
        ..Walker::default()
    });
    let q = quality(&clip, other.contacts(), &QualityOptions::default());
    assert_eq!(q.contacts.source, ContactsSource::Detected);
}

#[test]
fn json_has_the_fixed_fields() {
    let options = QualityOptions {
        file: "a/walk.bvh".into(),
        ..QualityOptions::default()
    };
    let q = quality(&walking_clip(&Walker::default()), None, &options);
    let json = serde_json::to_value(&q).expect("JSON");
    assert_eq!(json["file"], "a/walk.bvh");
    assert_eq!(json["frames"], 600);
    for path in [
        "/skate_cm_s/mean",
        "/skate_cm_s/p95",
        "/worst_plant_cm",
        "/accel_m_s2/p999",
        "/accel_m_s2/max",
        "/stretch/max_percent",
        "/penetration_cm/max",
        "/penetration_cm/feet",
        "/speed_m_s/mean",
        "/float_cm/max",
        "/knee_velocity_rad_s/max",
        "/angular_accel_rad_s2/p999",
        "/rate_hz",
        "/seconds",
        "/floor_m",
    ] {
        let value = json
            .pointer(path)
            .unwrap_or_else(|| panic!("{path} is missing"));
        assert!(value.is_number(), "{path} is {value}");
    }
    assert_eq!(json["contacts"]["source"], "given");
    let back: Quality = serde_json::from_value(json).expect("reads back");
    assert_eq!(back.frames, q.frames);
    let t = table(&[q.clone(), q]);
    assert!(t.rows.len() == 2 && t.rows.iter().all(|r| r.len() == t.header.len()));
}

/// Both feet stand; from 1 s on the left one slides 20 cm at 50 cm/s.
fn slides() -> Clip {
    let foot = |t: f64, side: usize| FootPose {
        ankle: DVec3::new(
            if side == 0 { 0.1 } else { -0.1 },
            ANKLE_HEIGHT,
            if side == 0 {
                (0.5 * (t - 1.0)).clamp(0.0, 0.2)
            } else {
                0.0
            },
        ),
        pitch: 0.0,
    };
    gaitway_core::testing::clip_from_feet(
        "slides",
        600,
        120.0,
        |_| DVec3::new(0.0, 0.78, 0.0),
        foot,
    )
}

#[test]
fn a_gliding_foot_is_told_with_how_far_how_fast_and_where() {
    let options = |times: Option<Vec<f64>>| QualityOptions {
        transitions: times,
        ..QualityOptions::default()
    };
    let clip = slides();
    let q = quality(&clip, None, &options(None));
    let glides = q.glides.expect("feet");
    assert_eq!(glides.count, 1);
    assert!((glides.per_s - 0.2).abs() < 1e-3, "{glides:?}");
    near(Some(glides.longest_cm), 20.0, 1.5);
    near(Some(glides.fastest_cm_s), 50.0, 0.5);
    near(Some(glides.seconds), 0.4, 0.03);
    assert_eq!((glides.near, glides.away), (None, None));
    let event = q.events.iter().find(|e| e.kind == "slide").expect("listed");
    assert_eq!(event.point, "left_toe");
    // Its middle is at 1.2 s.
    for (times, expected) in [(vec![1.5], [1, 0]), (vec![3.0], [0, 1]), (vec![], [0, 1])] {
        let found = quality(&clip, None, &options(Some(times.clone()))).glides;
        let found = found.expect("feet");
        let (near, away) = (found.near.expect("known"), found.away.expect("known"));
        assert_eq!([near.count, away.count], expected, "{times:?}");
        assert!((near.seconds - 0.8 * times.len() as f64).abs() < 1e-9);
        assert!((near.seconds + away.seconds - clip.seconds()).abs() < 1e-9);
        assert_eq!(near.per_s.is_some(), !times.is_empty());
    }
    let limits = |cm: f64, per_s: f64| QualityLimits {
        max_glide: Some(cm),
        max_glides: Some(per_s),
        ..QualityLimits::default()
    };
    assert_eq!(glides.slides.count, 1);
    near(Some(glides.slides.longest_cm), 20.0, 1.5);
    let slid = |cm: f64, per_s: f64| QualityLimits {
        max_slide: Some(cm),
        max_slides: Some(per_s),
        ..QualityLimits::default()
    };
    assert!(slid(25.0, 0.3).check(&q).is_empty());
    assert_eq!(slid(10.0, 0.1).check(&q).len(), 2);
    let said = feet_words(&q);
    assert!(
        said.contains("1 slide over the floor, the longest 2"),
        "{said}"
    );
    assert!(limits(25.0, 0.3).check(&q).is_empty());
    let fields = |l: QualityLimits| l.check(&q).iter().map(|e| e.field).collect::<Vec<_>>();
    assert_eq!(fields(limits(10.0, 0.3)), ["glides.longest_cm"]);
    assert_eq!(fields(limits(25.0, 0.1)), ["glides.per_s"]);
    let single = measure(&bare(edit::cut(&clip, 0..1)));
    assert_eq!(single.glides, None);
    assert_eq!(
        limits(25.0, 0.3).check(&single).len(),
        2,
        "unmeasured does not pass"
    );
}
