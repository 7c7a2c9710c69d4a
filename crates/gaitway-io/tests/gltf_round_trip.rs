//! Clips that go through glTF come back the same.

mod support;

use gaitway_core::testing::{small_body, swinging_clip};
use gaitway_core::{Clip, ContactPoint, ContactTrack, LabelSpan, LabelTrack, PointIdx, fk};
use gaitway_io::gltf::{self, GlbOptions, write_glb, write_gltf};
use gaitway_io::{RawClip, WriteError};
use glam::{DVec3, Quat};
use proptest::prelude::*;
use support::{apart, assert_same_frame, clips, to_clip};

fn nothing_beside(name: &str) -> std::io::Result<Vec<u8>> {
    panic!("asked for `{name}`, and everything is inside")
}

fn glb(clips: &[&Clip]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_glb(&mut bytes, clips, &GlbOptions::default()).unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Vec<RawClip> {
    gltf::read("test.glb", bytes, &nothing_beside).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_clip_comes_back(clip in clips()) {
        let back = to_clip(&read(&glb(&[&clip]))[0]);
        assert_same_frame(&clip, &back);
        prop_assert!(apart(&clip, &back) < 1e-5);
        for (a, b) in clip.rotations().iter().zip(back.rotations()) {
            prop_assert!(a.dot(*b).abs() > 1.0 - 1e-6);
        }
    }

    #[test]
    fn text_and_binary_say_the_same(clip in clips(), body in any::<bool>()) {
        let options = GlbOptions { body, ..GlbOptions::default() };
        let (mut text, mut binary) = (Vec::new(), Vec::new());
        write_gltf(&mut text, &[&clip], &options).unwrap();
        write_glb(&mut binary, &[&clip], &options).unwrap();
        let (a, b) = (read(&text), read(&binary));
        prop_assert_eq!(&a[0].rotations, &b[0].rotations);
        prop_assert_eq!(&a[0].root, &b[0].root);
        prop_assert_eq!(&a[0].joints, &b[0].joints);
    }
}

#[test]
fn labels_and_contacts_come_back() {
    let points = ["left_foot", "right_foot"].map(|name| ContactPoint {
        name: name.into(),
        point: PointIdx(if name == "left_foot" { 3 } else { 12 }),
    });
    let mut contacts = ContactTrack::new(points.to_vec(), 40);
    (5..17).for_each(|f| contacts.set(f, 0, true));
    (30..40).for_each(|f| contacts.set(f, 1, true));
    let span = |start, end, label: &str| LabelSpan {
        start,
        end,
        label: label.into(),
    };
    let labels = LabelTrack::new(vec![span(0, 25, "walk"), span(20, 40, "turn-left")]);
    let clip = swinging_clip("a", 40, 60.0)
        .with_labels(labels)
        .with_contacts(Some(contacts))
        .unwrap();
    let back = to_clip(&read(&glb(&[&clip]))[0]);
    assert_eq!(back.labels(), clip.labels());
    assert_eq!(back.contacts(), clip.contacts());
}

#[test]
fn several_clips_are_several_animations() {
    let (a, b) = (
        swinging_clip("walk", 30, 60.0),
        swinging_clip("run", 50, 120.0),
    );
    let back = read(&glb(&[&a, &b]));
    let names: Vec<&str> = back.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["walk", "run"]);
    assert_eq!((back[1].rate_hz, back[1].root.len()), (120.0, 50));
    assert!(apart(&b, &to_clip(&back[1])) < 1e-5);
}

#[test]
fn the_same_clip_gives_the_same_bytes() {
    let clip = swinging_clip("a", 20, 30.0);
    assert_eq!(glb(&[&clip]), glb(&[&clip]));
}

#[test]
fn far_from_the_origin_a_tenth_of_a_millimetre_still_counts() {
    let far = DVec3::new(12_345.678_9, 0.9, -54_321.123_4);
    let near = swinging_clip("far", 100, 60.0);
    let root = near.root().iter().map(|p| *p + far).collect();
    let (skeleton, rotations) = (near.skeleton().clone(), near.rotations().to_vec());
    let clip = Clip::new("far", skeleton, 60.0, root, rotations).unwrap();
    let back = to_clip(&read(&glb(&[&clip]))[0]);
    assert!(apart(&clip, &back) < 1e-4, "{}", apart(&clip, &back));
}

#[test]
fn a_body_that_stands_still_keeps_its_length() {
    let body = small_body();
    let rotations = vec![Quat::IDENTITY; 90 * body.joint_count()];
    let clip = Clip::new("still", body, 30.0, vec![DVec3::Y; 90], rotations).unwrap();
    let raw = &read(&glb(&[&clip]))[0];
    assert_eq!(raw.root.len(), 90);
    assert_same_frame(&clip, &to_clip(raw));
}

/// An implementation that is not ours plays the file: joints stand where our kinematics put them.
#[test]
fn another_reader_sees_the_same_pose() {
    let clip = swinging_clip("a", 12, 60.0);
    let bytes = glb(&[&clip]);
    let file = ::gltf::Gltf::from_slice(&bytes).expect("valid by the crate's own checks");
    let blob = file.blob.as_deref().unwrap();
    let frame = 7;
    let mut locals: Vec<_> = file.nodes().map(|n| n.transform().decomposed()).collect();
    for channel in file.animations().next().unwrap().channels() {
        let reader = channel.reader(|_| Some(blob));
        let node = channel.target().node().index();
        match reader.read_outputs().unwrap() {
            ::gltf::animation::util::ReadOutputs::Rotations(r) => {
                let all: Vec<[f32; 4]> = r.into_f32().collect();
                locals[node].1 = all[frame.min(all.len() - 1)];
            }
            ::gltf::animation::util::ReadOutputs::Translations(t) => {
                let all: Vec<[f32; 3]> = t.collect();
                locals[node].0 = all[frame.min(all.len() - 1)];
            }
            _ => panic!("only translations and rotations are written"),
        }
    }
    let points = fk::world_points(&clip);
    let mut stack: Vec<_> = file
        .scenes()
        .next()
        .unwrap()
        .nodes()
        .map(|n| (n, glam::Mat4::IDENTITY))
        .collect();
    let mut seen = 0;
    while let Some((node, above)) = stack.pop() {
        let (t, r, _) = locals[node.index()];
        let here = above * glam::Mat4::from_rotation_translation(Quat::from_array(r), t.into());
        if node.mesh().is_none() {
            let place = here.w_axis.truncate().as_dvec3();
            assert!(place.distance(points.at(frame, node.index())) < 1e-5);
            seen += 1;
        }
        stack.extend(node.children().map(|c| (c, here)));
    }
    assert_eq!(seen, clip.skeleton().point_count());
}

#[test]
fn what_gltf_cannot_hold_is_refused() {
    let refused = |clips: &[&Clip]| {
        let mut sink = Vec::new();
        let error = write_glb(&mut sink, clips, &GlbOptions::default()).unwrap_err();
        assert!(sink.is_empty());
        assert!(matches!(&error, WriteError::CannotHold { .. }) && error.hint().is_some());
        error.to_string()
    };
    assert!(refused(&[]).contains("no clip"));
    let empty = Clip::new("none", small_body(), 60.0, vec![], vec![]).unwrap();
    assert!(refused(&[&empty]).contains("no frames"));
    let other = gaitway_core::testing::small_body();
    let mut b = gaitway_core::Skeleton::builder();
    b.root("Hips", glam::Vec3::ZERO);
    let one = Clip::new(
        "one",
        b.build().unwrap().shared(),
        60.0,
        vec![DVec3::Y],
        vec![Quat::IDENTITY],
    );
    let many = vec![Quat::IDENTITY; other.joint_count()];
    let body = Clip::new("body", other, 60.0, vec![DVec3::Y], many).unwrap();
    assert!(refused(&[&body, &one.unwrap()]).contains("another skeleton"));
}
