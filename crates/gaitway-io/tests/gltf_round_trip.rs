//! Clips that go through glTF come back the same.

mod support;

use gaitway_core::testing::{small_body, swinging_clip};
use gaitway_core::{Clip, ContactPoint, ContactTrack, LabelSpan, LabelTrack, PointIdx, fk};
use gaitway_io::gltf::{self, GlbOptions, write_glb, write_gltf};
use gaitway_io::{RawClip, WriteError};
use glam::{DVec3, Quat, Vec3};
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

/// A clip of numbers that every machine computes alike.
fn exact_clip() -> Clip {
    let mut b = gaitway_core::Skeleton::builder();
    let hips = b.root("Hips", Vec3::ZERO);
    let knee = b.joint("Knee", hips, Vec3::new(0.0, -0.5, 0.0));
    b.end_site(knee, Vec3::new(0.0, -0.25, 0.125));
    let turned = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    let still = Quat::IDENTITY;
    let rotations = vec![still, still, turned.conjugate(), turned];
    let root = vec![DVec3::Y, DVec3::new(0.25, 1.0, -0.5)];
    let skeleton = b.build().unwrap().shared();
    let point = |name: &str, point| ContactPoint {
        name: name.into(),
        point: PointIdx(point),
    };
    let mut contacts = ContactTrack::new(vec![point("toe", 2), point("heel", 1)], 2);
    contacts.set(1, 0, true);
    let span = |start, label: &str| LabelSpan {
        start,
        end: 2,
        label: label.into(),
    };
    Clip::new("step", skeleton, 4.0, root, rotations)
        .unwrap()
        .with_labels(LabelTrack::new(vec![span(1, "walk"), span(0, "turn-left")]))
        .with_contacts(Some(contacts))
        .unwrap()
}

/// Held to bytes that are written down, since a time, a random order or a name of this run would be the same twice in one run.
#[test]
fn the_same_clip_gives_the_same_bytes() {
    let mut bytes = Vec::new();
    let bare = GlbOptions {
        body: false,
        ..GlbOptions::default()
    };
    write_glb(&mut bytes, &[&exact_clip()], &bare).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (head, long) = (20, number(12));
    let text = std::str::from_utf8(&bytes[head..head + long]).unwrap();
    let generator = concat!("gaitway ", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        text.trim_end(),
        EXACT_JSON.replace('\n', "").replace("GENERATOR", generator)
    );
    assert_eq!(
        (&bytes[..4], number(4), number(8)),
        (&b"glTF"[..], 2, bytes.len())
    );
    let bin = &bytes[head + long + 8..];
    assert_eq!(number(head + long), bin.len());
    let floats: Vec<f32> = bin
        .chunks(4)
        .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
        .collect();
    assert_eq!(floats, EXACT_FLOATS);
    // The body is made of curves that machines may round their own way; one machine makes it the same each time.
    let clip = swinging_clip("a", 20, 30.0);
    assert_eq!(glb(&[&clip]), glb(&[&swinging_clip("a", 20, 30.0)]));
}

/// One object a line; the file has no line ends.
const EXACT_JSON: &str = r#"
{"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"},
{"bufferView":1,"componentType":5126,"count":2,"max":[0.25],"min":[0.0],"type":"SCALAR"},
{"bufferView":2,"componentType":5126,"count":2,"type":"VEC4"},
{"bufferView":3,"componentType":5126,"count":2,"type":"VEC4"},
{"bufferView":4,"componentType":5126,"count":2,"type":"MAT4"}],
"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}},
{"sampler":1,"target":{"node":0,"path":"rotation"}},{"sampler":2,"target":{"node":1,"path":"rotation"}}],
"extras":{"gaitway":{"contacts":[{"name":"toe","node":2,"plants":[[1,2]]},{"name":"heel","node":1,"plants":[]}],
"frames":2,"labels":[{"end":2,"label":"turn-left","start":0},{"end":2,"label":"walk","start":1}],"rate_hz":4.0}},
"name":"step","samplers":[{"input":1,"interpolation":"LINEAR","output":0},
{"input":1,"interpolation":"LINEAR","output":2},{"input":1,"interpolation":"LINEAR","output":3}]}],
"asset":{"generator":"GENERATOR","version":"2.0"},
"bufferViews":[{"buffer":0,"byteLength":24,"byteOffset":0},{"buffer":0,"byteLength":8,"byteOffset":24},
{"buffer":0,"byteLength":32,"byteOffset":32},{"buffer":0,"byteLength":32,"byteOffset":64},{"buffer":0,"byteLength":128,"byteOffset":96}],
"buffers":[{"byteLength":224}],
"nodes":[{"children":[1],"extras":{"gaitway":{"root_offset":[0.0,0.0,0.0]}},"name":"Hips","translation":[0.0,0.75,0.0]},
{"children":[2],"name":"Knee","translation":[0.0,-0.5,0.0]},
{"extras":{"gaitway":{"end_site":true}},"name":"Knee_end","translation":[0.0,-0.25,0.125]}],
"scene":0,"scenes":[{"nodes":[0]}],
"skins":[{"inverseBindMatrices":4,"joints":[0,1],"skeleton":0}]}
"#;

/// The root's places, times, the turns of hips and knee, and what brings both joints home from where they stand.
#[rustfmt::skip]
const EXACT_FLOATS: &[f32] = &[
    0.0, 1.0, 0.0,  0.25, 1.0, -0.5,
    0.0, 0.25,
    0.0, 0.0, 0.0, 1.0,  -0.5, -0.5, -0.5, 0.5,
    0.0, 0.0, 0.0, 1.0,  0.5, 0.5, 0.5, 0.5,
    1.0, 0.0, 0.0, 0.0,  0.0, 1.0, 0.0, 0.0,  0.0, 0.0, 1.0, 0.0,  0.0, -0.75, 0.0, 1.0,
    1.0, 0.0, 0.0, 0.0,  0.0, 1.0, 0.0, 0.0,  0.0, 0.0, 1.0, 0.0,  0.0, -0.25, 0.0, 1.0,
];

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
