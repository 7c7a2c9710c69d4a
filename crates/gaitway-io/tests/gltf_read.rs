//! Files made by hand: interpolations, sparse accessors, odd layouts, and real figures.

mod support;

use gaitway_core::{WarningCode, fk, testing::data_dir};
use gaitway_io::{RawClip, gltf};
use glam::{DVec3, Quat, Vec3};
use serde_json::{Value, json};
use support::to_clip;

fn none(name: &str) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::new(
        std::io::ErrorKind::NotFound,
        name.to_owned(),
    ))
}

/// A document whose buffer is the given floats, each list an accessor of its own in one view each.
fn document(lists: &[(&str, &[f32])], rest: Value) -> Vec<u8> {
    let (mut bytes, mut views, mut accessors) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, list) in lists {
        let width = match *kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        views.push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": 4 * list.len()}));
        accessors.push(json!({
            "bufferView": views.len() - 1, "componentType": 5126, "type": kind, "count": list.len() / width,
        }));
        bytes.extend(list.iter().flat_map(|v| v.to_le_bytes()));
    }
    let hex: String = bytes.iter().map(|b| format!("%{b:02x}")).collect();
    let mut whole = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:application/octet-stream,{hex}")}],
        "bufferViews": views,
        "accessors": accessors,
    });
    for (key, value) in rest.as_object().unwrap() {
        match key.strip_prefix('+') {
            Some(list) => whole[list]
                .as_array_mut()
                .unwrap()
                .extend(value.as_array().unwrap().clone()),
            None => whole[key] = value.clone(),
        }
    }
    whole.to_string().into_bytes()
}

fn one(bytes: &[u8]) -> RawClip {
    let mut clips = gltf::read("made.gltf", bytes, &none).unwrap();
    assert_eq!(clips.len(), 1);
    clips.remove(0)
}

fn moving(path: &str, interpolation: &str) -> Value {
    json!({
        "nodes": [{"name": "a", "children": [1]}, {"name": "b", "translation": [0, 1, 0]}],
        "animations": [{
            "samplers": [{"input": 0, "output": 1, "interpolation": interpolation}],
            "channels": [
                {"sampler": 0, "target": {"node": 0, "path": path}},
                {"sampler": 0, "target": {"path": "pointer"}},
            ],
        }],
    })
}

const TIMES: (&str, &[f32]) = ("SCALAR", &[0.0, 0.1, 0.2]);

#[test]
fn step_and_linear() {
    let values: &[f32] = &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 6.0, 3.0, 0.0];
    let clip = one(&document(
        &[TIMES, ("VEC3", values)],
        moving("translation", "STEP"),
    ));
    assert_eq!(clip.rate_hz, 30.0);
    let x: Vec<f64> = clip.root.iter().map(|p| p.x).collect();
    assert_eq!(x, [0.0, 0.0, 0.0, 3.0, 3.0, 3.0, 6.0]);
    let clip = one(&document(
        &[TIMES, ("VEC3", values)],
        moving("translation", "LINEAR"),
    ));
    let x: Vec<f64> = clip
        .root
        .iter()
        .map(|p| (p.x * 1e4).round() / 1e4)
        .collect();
    assert_eq!(x, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn rotations_take_the_shorter_way() {
    let half = 0.25_f32;
    let (sin, cos) = (half.sin(), half.cos());
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, -sin, 0.0, -cos, 0.0, 0.0, 0.0, 1.0];
    let clip = one(&document(
        &[TIMES, ("VEC4", &values)],
        moving("rotation", "LINEAR"),
    ));
    let joints = clip.joints.len();
    let expected = Quat::from_rotation_y(2.0 * half * 2.0 / 3.0);
    assert!(clip.rotations[2 * joints].angle_between(expected) < 1e-3);
}

/// A cubic spline through a cubic is that cubic: x(t) = t³ − t over three keys.
#[test]
fn cubic_splines_follow_a_cubic() {
    let x = |t: f32| t * t * t - t;
    let slope = |t: f32| 3.0 * t * t - 1.0;
    let times = [0.0, 0.5, 1.5];
    let mut values = Vec::new();
    for t in times {
        for v in [slope(t), x(t), slope(t)] {
            values.extend([v, 0.0, 0.0]);
        }
    }
    let lists = [("SCALAR", &times[..]), ("VEC3", &values[..])];
    let clip = one(&document(&lists, moving("translation", "CUBICSPLINE")));
    assert_eq!(clip.root.len(), 46);
    for (f, p) in clip.root.iter().enumerate() {
        let t = f as f32 / 30.0;
        assert!((p.x - f64::from(x(t))).abs() < 1e-5, "frame {f}");
    }
}

#[test]
fn sparse_accessors_replace_values() {
    // Accessor 2 has no bytes of its own: zeros, with element 1 replaced by (9, 0, 0).
    let indices = f32::from_le_bytes([1, 0, 0, 0]);
    let lists = [
        TIMES,
        ("SCALAR", &[indices][..]),
        ("VEC3", &[9.0, 0.0, 0.0][..]),
    ];
    let mut rest = moving("translation", "STEP");
    rest["animations"][0]["samplers"][0]["output"] = json!(3);
    rest["+accessors"] = json!([{
        "componentType": 5126, "type": "VEC3", "count": 3,
        "sparse": {
            "count": 1,
            "indices": {"bufferView": 1, "componentType": 5125},
            "values": {"bufferView": 2},
        },
    }]);
    let clip = one(&document(&lists, rest));
    let x: Vec<f64> = clip.root.iter().map(|p| p.x).collect();
    assert_eq!(x, [0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 0.0]);
}

#[test]
fn strides_and_normalized_integers() {
    // Rotations as normalized shorts, 8 bytes each, 12 bytes apart.
    let short = |v: f32| ((v * 32767.0).round() as i16).to_le_bytes();
    let mut raw = Vec::new();
    for angle in [0.0_f32, 0.4, 0.8] {
        let q = Quat::from_rotation_z(angle);
        raw.extend(q.to_array().iter().flat_map(|v| short(*v)));
        raw.extend([0; 4]);
    }
    let floats: Vec<f32> = raw
        .chunks(4)
        .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
        .collect();
    let mut rest = moving("rotation", "LINEAR");
    rest["animations"][0]["samplers"][0]["output"] = json!(2);
    rest["+bufferViews"] =
        json!([{"buffer": 0, "byteOffset": 12, "byteLength": 36, "byteStride": 12}]);
    rest["+accessors"] = json!([{"bufferView": 2, "componentType": 5122, "normalized": true, "type": "VEC4", "count": 3}]);
    let clip = one(&document(&[TIMES, ("SCALAR", &floats)], rest));
    let last = clip.rotations[6 * clip.joints.len()];
    assert!(last.angle_between(Quat::from_rotation_z(0.8)) < 1e-3);
}

#[test]
fn matrices_above_are_taken_apart_and_scale_is_baked() {
    // A still node above: scaled by 0.01, turned from Z up to Y up, moved by one along x.
    let mut rest = moving("translation", "LINEAR");
    rest["nodes"] = json!([
        {"name": "a", "children": [1]},
        {"name": "b", "translation": [0, 0, 50]},
        {"name": "Z_UP", "children": [0], "matrix":
            [0.01, 0, 0, 0, 0, 0, -0.01, 0, 0, 0.01, 0, 0, 1, 0, 0, 1]},
    ]);
    let values: &[f32] = &[0.0, 0.0, 100.0, 0.0, 0.0, 100.0, 100.0, 0.0, 100.0];
    rest["skins"] = json!([{"joints": [0, 1]}]);
    let clip = one(&document(&[TIMES, ("VEC3", values)], rest));
    assert!(clip.warnings.has(WarningCode::ScaleBaked));
    assert_eq!(clip.joints.len(), 2);
    assert!(clip.root[0].distance(DVec3::new(1.0, 1.0, 0.0)) < 1e-6);
    assert!(clip.root[6].distance(DVec3::new(2.0, 1.0, 0.0)) < 1e-6);
    let points = fk::world_points(&to_clip(&clip));
    assert!(points.at(0, 1).distance(DVec3::new(1.0, 1.5, 0.0)) < 1e-6);
}

#[test]
fn animated_scale_moves_the_joints_below() {
    let values: &[f32] = &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0];
    let clip = one(&document(&[TIMES, ("VEC3", values)], {
        let mut rest = moving("scale", "LINEAR");
        rest["skins"] = json!([{"joints": [0, 1]}]);
        rest
    }));
    assert!(clip.warnings.has(WarningCode::ScaleBaked));
    assert!(clip.translations[0].values[6].distance(Vec3::new(0.0, 3.0, 0.0)) < 1e-5);
}

#[test]
fn several_roots_stand_under_one() {
    let mut rest = moving("translation", "LINEAR");
    rest["nodes"] = json!([{"name": "a"}, {"name": "b", "translation": [0, 1, 0]}]);
    rest["skins"] = json!([{"joints": [0, 1]}]);
    let values: &[f32] = &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 6.0, 3.0, 0.0];
    let clip = one(&document(&[TIMES, ("VEC3", values)], rest));
    assert!(clip.warnings.has(WarningCode::SeveralRoots));
    let names: Vec<&str> = clip.joints.iter().map(|j| &*j.name).collect();
    assert_eq!(names, ["root", "a", "b"]);
    assert_eq!(clip.joints[2].offset, DVec3::Y);
}

#[test]
fn buffers_beside_the_file_are_asked_for_by_name() {
    let values: &[f32] = &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 6.0, 3.0, 0.0];
    let mut rest = moving("translation", "LINEAR");
    rest["buffers"] = json!([{"byteLength": 48, "uri": "my%20file.bin"}]);
    let text = document(&[TIMES, ("VEC3", values)], rest);
    let beside = |name: &str| {
        assert_eq!(name, "my file.bin");
        let floats = TIMES.1.iter().chain(values);
        Ok(floats.flat_map(|v| v.to_le_bytes()).collect())
    };
    let clips = gltf::read("made.gltf", &text, &beside).unwrap();
    assert_eq!(clips[0].root[6], DVec3::new(6.0, 3.0, 0.0));
    let error = gltf::read("made.gltf", &text, &none).unwrap_err();
    assert!(error.to_string().contains("my file.bin") && error.hint().is_some());
}

/// Expected per file: clips, joints, frames and rate of the first.
const FIGURES: [(&str, usize, usize, usize, f64); 7] = [
    ("CesiumMan.glb", 1, 19, 48, 24.0),
    ("Fox.glb", 3, 24, 83, 24.0),
    ("RiggedFigure.glb", 1, 19, 31, 24.0),
    ("RiggedFigure-embedded.gltf", 1, 19, 31, 24.0),
    ("RiggedFigure-separate/RiggedFigure.gltf", 1, 19, 31, 24.0),
    ("RecursiveSkeletons.glb", 1, 841, 61, 30.0),
    ("RobotExpressive.glb", 14, 43, 81, 24.0),
];

#[test]
fn real_figures_are_read() {
    let Some(data) = data_dir() else { return };
    for (name, clips, joints, frames, rate) in FIGURES {
        let path = data.join("gltf").join(name);
        let folder = path.parent().unwrap().to_owned();
        let beside = |file: &str| std::fs::read(folder.join(file));
        let read = gltf::read(name, &std::fs::read(&path).unwrap(), &beside).unwrap();
        let first = &read[0];
        for clip in &read {
            let points = fk::world_points(&to_clip(clip));
            let near = |p: &DVec3| p.is_finite() && p.length() < 1e3;
            assert!(points.places().iter().all(near), "{name}");
        }
        assert_eq!(read.len(), clips, "{name}");
        let facts = (first.joints.len(), first.root.len(), first.rate_hz);
        assert_eq!(facts, (joints, frames, rate), "{name}");
    }
}
