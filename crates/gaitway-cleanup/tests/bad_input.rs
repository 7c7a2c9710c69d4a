//! Bad input: a clear message, and the motion as it was.

use gaitway_cleanup::{FrameIn, OnlinePlanter, PlantError, PlantOptions, SkipReason, plant_feet};
use gaitway_core::contacts::override_contacts;
use gaitway_core::testing::{Walker, walking_clip};
use gaitway_core::{Clip, ContactPoint, ContactTrack, PointIdx, Skeleton, edit};
use glam::{DVec3, Quat, Vec3};

fn walker() -> Clip {
    walking_clip(&Walker {
        seconds: 3.0,
        ..Walker::default()
    })
}

fn still(skeleton: Skeleton, frames: usize) -> Clip {
    let joints = skeleton.joint_count();
    Clip::new(
        "s",
        skeleton.shared(),
        60.0,
        vec![DVec3::Y; frames],
        vec![Quat::IDENTITY; frames * joints],
    )
    .expect("fits")
}

fn refused(clip: &Clip, contacts: Option<&ContactTrack>) -> String {
    let options = PlantOptions::default();
    plant_feet(clip, contacts, &options)
        .expect_err("refused")
        .to_string()
}

#[test]
fn no_feet() {
    let mut b = Skeleton::builder();
    b.root("stone", Vec3::ZERO);
    let message = refused(&still(b.build().expect("one joint"), 30), None);
    assert!(message.contains("no foot was found"), "{message}");
}

#[test]
fn legs_of_one_joint() {
    let mut b = Skeleton::builder();
    let hips = b.root("Hips", Vec3::ZERO);
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let foot = b.joint(format!("{side}Foot"), hips, Vec3::new(x, -0.9, 0.0));
        b.end_site(foot, Vec3::new(0.0, -0.05, 0.15));
    }
    let message = refused(&still(b.build().expect("a tree"), 30), None);
    assert!(
        message.contains("left_heel") && message.contains("knee"),
        "{message}"
    );
}

#[test]
fn a_foot_never_down() {
    let clip = walker();
    let mut track = clip.contacts().expect("known").clone();
    (0..clip.frame_count()).for_each(|f| track.set_mask(f, track.mask(f) & 0b0011));
    let done =
        plant_feet(&clip, Some(&track), &PlantOptions::default()).expect("one foot is enough");
    assert!(
        done.report
            .plants
            .iter()
            .all(|p| p.point.starts_with("left"))
    );
}

#[test]
fn a_single_frame_and_none() {
    let clip = walker();
    for frames in [0, 1] {
        let short = edit::cut(&clip, 0..frames);
        let bare = short.clone().with_contacts(None).expect("fits");
        assert!(refused(&bare, None).contains("too few"));
        let done = plant_feet(&short, None, &PlantOptions::default()).expect("contacts are known");
        assert_eq!(done.clip.rotations(), short.rotations());
    }
}

#[test]
fn contacts_of_another_motion_or_skeleton() {
    let clip = walker();
    let other = ContactTrack::new(clip.contacts().expect("known").points().to_vec(), 7);
    assert!(refused(&clip, Some(&other)).contains("7 frames"));
    let nose = ContactPoint {
        name: "nose".into(),
        point: PointIdx(99),
    };
    let track = ContactTrack::new(vec![nose], clip.frame_count());
    assert!(refused(&clip, Some(&track)).contains("`nose`"));
}

#[test]
fn a_contacts_file_with_unknown_joints() {
    let clip = walker();
    let rows = gaitway_io::parse_contacts("c.csv", "walker,tail,0,1\n").expect("reads");
    let message = override_contacts(&clip, clip.contacts(), &rows)
        .expect_err("no tail")
        .to_string();
    assert!(
        message.contains("`tail`") && message.contains("left_heel"),
        "{message}"
    );
}

#[test]
fn hands_are_left_alone_and_told() {
    let clip = walker();
    let mut points = clip.contacts().expect("known").points().to_vec();
    let hand = clip.skeleton().find("LeftHand").expect("has hands");
    points.push(ContactPoint {
        name: "left_hand".into(),
        point: hand.into(),
    });
    let mut track = ContactTrack::new(points, clip.frame_count());
    (20..60).for_each(|f| track.set(f, 4, true));
    let done = plant_feet(&clip, Some(&track), &PlantOptions::default()).expect("has legs");
    assert_eq!(done.clip.rotations(), clip.rotations());
    assert_eq!(done.report.skipped.len(), 1);
    assert_eq!(done.report.skipped[0].reason, SkipReason::NotAFoot);
}

#[test]
fn options_out_of_range() {
    let clip = walker();
    let wrong = [
        PlantOptions {
            ease_s: -1.0,
            ..PlantOptions::default()
        },
        PlantOptions {
            root_s: f64::NAN,
            ..PlantOptions::default()
        },
        PlantOptions {
            horizon_s: Some(1e9),
            ..PlantOptions::default()
        },
        PlantOptions {
            max_stretch: 2.0,
            ..PlantOptions::default()
        },
        PlantOptions {
            full_reach: 0.0,
            ..PlantOptions::default()
        },
    ];
    for options in wrong {
        let refused = plant_feet(&clip, None, &options);
        assert!(
            matches!(refused, Err(PlantError::Option { .. })),
            "{options:?}"
        );
    }
}

#[test]
fn playing_needs_a_horizon_heights_and_whole_frames() {
    let clip = walker();
    let points = clip.contacts().expect("known").points();
    let start =
        |options: &PlantOptions| OnlinePlanter::new(clip.skeleton().clone(), 60.0, points, options);
    assert_eq!(
        start(&PlantOptions::default()).err(),
        Some(PlantError::Online("horizon_s"))
    );
    assert_eq!(
        start(&PlantOptions::for_play()).err(),
        Some(PlantError::Online("heights"))
    );
    let heights = plant_feet(&clip, None, &PlantOptions::default())
        .expect("feet")
        .heights;
    let options = PlantOptions {
        heights: Some(heights),
        ..PlantOptions::for_play()
    };
    let mut planter = start(&options).expect("complete");
    let frame = FrameIn {
        root: DVec3::ZERO,
        rotations: &[Quat::IDENTITY; 3],
        translations: &[],
        contacts: 0,
        in_transition: false,
    };
    assert!(matches!(
        planter.push(frame),
        Err(PlantError::Frame { found: 3, .. })
    ));
    let rotations = vec![Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0); clip.joint_count()];
    assert!(
        planter
            .push(FrameIn {
                rotations: &rotations,
                ..frame
            })
            .is_err()
    );
    assert!(planter.drain().is_none());
}
