//! A user's own character: whatever a rigged file holds comes back, moved by the clip.
#![allow(clippy::print_stdout, clippy::print_stderr)] // Measurements and skips must be seen.

mod support;

use std::path::{Path, PathBuf};

use gaitway_core::testing::data_dir;
use gaitway_core::{Clip, WarningCode};
use gaitway_io::gltf::{self, Character, OntoOptions};
use gaitway_io::{ReadOptions, WriteOptions, read_character, read_file, read_rest, write_file};
use serde_json::{Value, json};
use support::{Dice, apart, damaged};

fn nothing(name: &str) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::other(name.to_owned()))
}

fn as_read() -> ReadOptions {
    ReadOptions {
        keep_first_frame: true,
        keep_dropouts: true,
        ..ReadOptions::default()
    }
}

/// The document of a GLB file and its bytes.
fn parts(glb: &[u8]) -> (Value, Vec<u8>) {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let document = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    (document, glb[28 + length..].to_vec())
}

fn glb(document: &Value, bin: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF\x02\0\0\0".to_vec();
    let words = |n: usize| (n as u32).to_le_bytes();
    out.extend(words(28 + text.len() + bin.len()));
    out.extend(words(text.len()));
    out.extend(b"JSON");
    out.extend(&text);
    out.extend(words(bin.len()));
    out.extend(b"BIN\0");
    out.extend(bin);
    out
}

/// The bytes an accessor's view holds, whatever buffer they are in now.
fn bytes_of(document: &Value, bin: &[u8], accessor: usize) -> Vec<u8> {
    let view = document["accessors"][accessor]["bufferView"]
        .as_u64()
        .unwrap() as usize;
    let view = &document["bufferViews"][view];
    assert_eq!(view["buffer"], 0);
    let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
    bin[start..start + view["byteLength"].as_u64().unwrap() as usize].to_vec()
}

/// Three joints below a scaled, turned node that stands elsewhere; a triangle skinned to them; a picture inside a URI; a matrix on one
/// joint; things nobody knows.
fn hero() -> (Value, Vec<u8>) {
    let mut bin = Vec::new();
    let mut floats = |values: &[f32]| {
        let at = bin.len();
        values.iter().for_each(|v| bin.extend(v.to_le_bytes()));
        (at, bin.len() - at)
    };
    let places = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let weights = floats(&[1.0, 0.0, 0.0, 0.0].repeat(3));
    let identity = [
        1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.,
    ];
    let binds = floats(&identity.repeat(3));
    let joints = (bin.len(), 24);
    bin.extend([0_u8; 24]);
    let times = (bin.len(), 8);
    bin.extend(0.0_f32.to_le_bytes());
    bin.extend(1.0_f32.to_le_bytes());
    let turns = (bin.len(), 32);
    for v in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8] {
        bin.extend(v.to_le_bytes());
    }
    let views: Vec<Value> = [places, weights, binds, joints, times, turns]
        .iter()
        .map(|(at, length)| json!({ "buffer": 0, "byteOffset": at, "byteLength": length }))
        .collect();
    let accessor = |view: usize, kind: &str, component: u32, count: usize| json!({ "bufferView": view, "type": kind, "componentType": component, "count": count });
    let mut accessors = vec![
        accessor(0, "VEC3", 5126, 3),
        accessor(1, "VEC4", 5126, 3),
        accessor(2, "MAT4", 5126, 3),
        accessor(3, "VEC4", 5123, 3),
        accessor(4, "SCALAR", 5126, 2),
        accessor(5, "VEC4", 5126, 2),
    ];
    accessors[0]["min"] = json!([0.0, 0.0, 0.0]);
    accessors[0]["max"] = json!([1.0, 1.0, 0.0]);
    accessors[4]["min"] = json!([0.0]);
    accessors[4]["max"] = json!([1.0]);
    // One pixel.
    let picture = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let document = json!({
        "asset": { "version": "2.0", "generator": "a test" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 4] }],
        "nodes": [
            { "name": "Armature", "children": [1], "scale": [0.01, 0.01, 0.01],
              "rotation": [0.70710677, 0.0, 0.0, 0.70710677], "translation": [0.5, 0.0, -2.0] },
            { "name": "hips", "children": [2], "translation": [0.0, 100.0, 0.0], "extras": { "mine": 7 } },
            { "name": "spine", "children": [3],
              "matrix": [0.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 40.0, 0.0, 1.0] },
            { "name": "head", "translation": [0.0, 15.0, 5.0], "rotation": [0.0, 0.6, 0.0, 0.8] },
            { "name": "skin", "mesh": 0, "skin": 0 },
        ],
        "meshes": [{ "name": "triangle", "weights": [0.5], "primitives": [{
            "attributes": { "POSITION": 0, "WEIGHTS_0": 1, "JOINTS_0": 3 }, "material": 0,
            "targets": [{ "POSITION": 0 }],
        }] }],
        "materials": [{ "name": "paint", "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "textures": [{ "source": 0 }],
        "images": [{ "uri": picture }],
        "skins": [{ "joints": [1, 2, 3], "inverseBindMatrices": 2 }],
        "animations": [{ "name": "old", "channels": [{ "sampler": 0, "target": { "node": 3, "path": "rotation" } }],
            "samplers": [{ "input": 4, "output": 5 }] }],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{ "byteLength": bin.len() }],
        "extensionsUsed": ["NOBODY_knows"],
        "extensions": { "NOBODY_knows": { "at": 1.25 } },
    });
    (document, bin)
}

fn character(document: &Value, bin: &[u8]) -> Character {
    Character::read("hero.glb", &glb(document, bin), &nothing).unwrap()
}

/// Any motion of the hero's skeleton.
fn dance(character: &Character) -> Clip {
    let folder = tempfile::tempdir().unwrap();
    let rest = read_rest(&folder.path().join("hero.glb"), character, &as_read()).unwrap();
    let skeleton = rest.clip.skeleton().clone();
    let turn = |f: usize, j: usize| {
        let axis = glam::Vec3::new(1.0, j as f32, -0.5).normalize();
        glam::Quat::from_axis_angle(axis, 0.2 * f as f32 - 0.4 * j as f32)
    };
    let rotations = (0..9).flat_map(|f| (0..3).map(move |j| turn(f, j)));
    let root = (0..9).map(|f| glam::DVec3::new(0.1 * f as f64, 1.0, -0.2 * f as f64));
    Clip::new("dance", skeleton, 30.0, root.collect(), rotations.collect()).unwrap()
}

fn written(character: &Character, clip: &Clip, keep_animations: bool) -> Vec<u8> {
    let options = OntoOptions {
        file_name: "out.glb",
        keep_animations,
    };
    let mut out = Vec::new();
    character.write_glb(&mut out, clip, &options).unwrap();
    out
}

fn clip_of(bytes: &[u8], which: usize) -> Clip {
    let raw = gltf::read("out.glb", bytes, &nothing)
        .unwrap()
        .remove(which);
    support::to_clip(&raw)
}

#[test]
fn everything_comes_back_and_the_clip_moves_it() {
    let (document, bin) = hero();
    let hero = character(&document, &bin);
    let clip = dance(&hero);
    let out = written(&hero, &clip, false);
    assert!(apart(&clip, &clip_of(&out, 0)) < 1e-5);
    let (new, new_bin) = parts(&out);
    for key in [
        "meshes",
        "materials",
        "textures",
        "skins",
        "scenes",
        "extensions",
        "extensionsUsed",
        "asset",
    ] {
        assert_eq!(new[key], document[key], "{key}");
    }
    for accessor in 0..6 {
        assert_eq!(
            bytes_of(&new, &new_bin, accessor),
            bytes_of(&document, &bin, accessor)
        );
        assert_eq!(new["accessors"][accessor], document["accessors"][accessor]);
    }
    assert_eq!(new["animations"].as_array().unwrap().len(), 1);
    assert_eq!(new["animations"][0]["name"], "dance");
    assert_eq!(new["nodes"][1]["extras"]["mine"], 7);
    assert_eq!(new["buffers"].as_array().unwrap().len(), 1);
    // The picture is inside now.
    assert_eq!(new["images"][0]["mimeType"], "image/png");
    assert!(new["images"][0].get("uri").is_none());
    // The matrix cannot be moved and became what can.
    assert!(new["nodes"][2].get("matrix").is_none());
    assert_eq!(new["nodes"][2]["scale"], json!([2.0, 2.0, 2.0]));
    // Untouched nodes are.
    assert_eq!(new["nodes"][0], document["nodes"][0]);
    let again = written(&hero, &clip, false);
    assert_eq!(out, again, "the same clip gives the same bytes");
}

#[test]
fn own_animations_can_stay() {
    let (document, bin) = hero();
    let hero = character(&document, &bin);
    let clip = dance(&hero);
    let out = written(&hero, &clip, true);
    let (new, _) = parts(&out);
    assert_eq!(new["animations"][0], document["animations"][0]);
    assert!(apart(&clip, &clip_of(&out, 1)) < 1e-5);
}

#[test]
fn labels_and_contacts_go_along() {
    use gaitway_core::{ContactPoint, ContactTrack, LabelSpan, LabelTrack, PointIdx};
    let (document, bin) = hero();
    let hero = character(&document, &bin);
    let point = ContactPoint {
        name: "head".into(),
        point: PointIdx(2),
    };
    let mut contacts = ContactTrack::new(vec![point], 9);
    (2..5).for_each(|f| contacts.set(f, 0, true));
    let span = LabelSpan {
        start: 1,
        end: 4,
        label: "nod".into(),
    };
    let clip = dance(&hero)
        .with_labels(LabelTrack::new(vec![span]))
        .with_contacts(Some(contacts))
        .unwrap();
    let back = clip_of(&written(&hero, &clip, false), 0);
    assert_eq!(back.labels(), clip.labels());
    assert_eq!(back.contacts(), clip.contacts());
}

#[test]
fn views_of_several_buffers_meet_in_one_and_compressed_ones_stay_as_they_are() {
    let (mut document, bin) = hero();
    // The last two views move to a buffer in a file of their own; a compressed view reads it and is unpacked to a buffer without bytes.
    let (cut, all) = (bin.len() - 40, bin.len());
    document["buffers"] = json!([
        { "byteLength": cut },
        { "byteLength": 40, "uri": "keys.bin" },
        { "byteLength": 64, "extensions": { "EXT_meshopt_compression": { "fallback": true } } },
    ]);
    for (view, at) in [(4, 0), (5, 8)] {
        document["bufferViews"][view]["buffer"] = json!(1);
        document["bufferViews"][view]["byteOffset"] = json!(at);
    }
    let packed = json!({ "buffer": 1, "byteOffset": 4, "byteLength": 12, "byteStride": 4, "count": 16, "mode": "ATTRIBUTES" });
    let view = json!({ "buffer": 2, "byteLength": 64, "extensions": { "EXT_meshopt_compression": packed } });
    document["bufferViews"].as_array_mut().unwrap().push(view);
    let keys = bin[cut..all].to_vec();
    let resolve = |name: &str| match name {
        "keys.bin" => Ok(keys.clone()),
        other => nothing(other),
    };
    let hero = Character::read("hero.glb", &glb(&document, &bin[..cut]), &resolve).unwrap();
    let clip = dance(&hero);
    let out = written(&hero, &clip, false);
    assert!(apart(&clip, &clip_of(&out, 0)) < 1e-5);
    let (new, new_bin) = parts(&out);
    assert_eq!(bytes_of(&new, &new_bin, 5), keys[8..]);
    assert_eq!(new["buffers"].as_array().unwrap().len(), 2);
    let view = &new["bufferViews"][6];
    assert_eq!(view["buffer"], 1);
    let packed = &view["extensions"]["EXT_meshopt_compression"];
    assert_eq!(packed["buffer"], 0);
    let at = packed["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(new_bin[at..at + 12], keys[4..16]);
}

#[test]
fn another_skeleton_is_refused_and_another_size_is_told() {
    let (document, bin) = hero();
    let hero = character(&document, &bin);
    let clip = dance(&hero);
    let refuse = |clip: &Clip| {
        let error = hero
            .write_glb(&mut Vec::new(), clip, &OntoOptions::default())
            .unwrap_err();
        assert!(error.hint().unwrap().contains("retarget"), "{error}");
        error.to_string()
    };
    let other = gaitway_core::testing::swinging_clip("swing", 4, 30.0);
    assert!(refuse(&other).contains("`hips`"), "{}", refuse(&other));
    let with = |factor: [f32; 3]| {
        let mut b = gaitway_core::Skeleton::builder();
        let s = clip.skeleton();
        let o = |j: u32| s.offset(gaitway_core::JointIdx(j)) * factor[j as usize];
        let root = b.root("hips", o(0));
        let spine = b.joint("spine", root, o(1));
        b.joint("head", spine, o(2));
        let skeleton = b.build().unwrap().shared();
        let root = clip.root().iter().map(|p| *p * f64::from(factor[0]));
        Clip::new(
            "d",
            skeleton,
            30.0,
            root.collect(),
            clip.rotations().to_vec(),
        )
        .unwrap()
    };
    let message = refuse(&with([1.0, 1.1, 1.0]));
    assert!(message.contains("other lengths"), "{message}");
    // The same body in another unit: everything by one factor.
    let small = with([0.5; 3]);
    let mut out = Vec::new();
    let told = hero
        .write_glb(&mut out, &small, &OntoOptions::default())
        .unwrap();
    assert!(told.has(WarningCode::Unusual));
    assert!(apart(&clip, &clip_of(&out, 0)) < 1e-5);
}

#[test]
fn what_is_no_character_is_told() {
    let (mut document, bin) = hero();
    document["skins"] = json!([]);
    document["nodes"][4].as_object_mut().unwrap().remove("skin");
    let stiff = character(&document, &bin);
    let told: Vec<&str> = stiff
        .warnings()
        .iter()
        .map(|w| w.message.as_str())
        .collect();
    assert!(
        told.iter().any(|m| m.contains("the file has no skin")),
        "{told:?}"
    );
    document["animations"] = json!([]);
    let error = Character::read("hero.glb", &glb(&document, &bin), &nothing).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no node moves and no skin names joints"),
        "{error}"
    );
    let (mut document, bin) = hero();
    document["bufferViews"][0]["byteLength"] = json!(1_000_000);
    let error = Character::read("hero.glb", &glb(&document, &bin), &nothing).unwrap_err();
    assert!(error.to_string().contains("`bufferViews[0]`"), "{error}");
    document["bufferViews"][0]["buffer"] = json!(9);
    let error = Character::read("hero.glb", &glb(&document, &bin), &nothing).unwrap_err();
    assert!(error.to_string().contains("`bufferViews[0]`"), "{error}");
    let (mut document, bin) = hero();
    document["images"][0]["uri"] = json!("../secret.png");
    let hero = character(&document, &bin);
    assert!(hero.warnings().has(WarningCode::LeftOut));
}

#[test]
fn damaged_characters_are_survived() {
    let (document, bin) = hero();
    let whole = glb(&document, &bin);
    let clip = dance(&character(&document, &bin));
    let mut dice = Dice(11);
    let mut moved = 0;
    for _ in 0..3000 {
        let bytes = damaged(&whole, &mut dice);
        gaitway_io::fuzzing::character(&bytes);
        let Ok(hero) = Character::read("hero.glb", &bytes, &nothing) else {
            continue;
        };
        let mut out = Vec::new();
        if hero
            .write_glb(&mut out, &clip, &OntoOptions::default())
            .is_ok()
        {
            moved += 1;
        }
    }
    assert!(moved > 100, "{moved}");
}

/// Rigged files of the data set.
fn rigged() -> Option<Vec<PathBuf>> {
    let folder = data_dir()?.join("gltf");
    let files = [
        "CesiumMan.glb",
        "Fox.glb",
        "RecursiveSkeletons.glb",
        "RiggedFigure-embedded.gltf",
        "RiggedFigure-separate/RiggedFigure.gltf",
        "RiggedFigure.glb",
        "RobotExpressive.glb",
    ];
    Some(files.map(|f| folder.join(f)).to_vec())
}

#[test]
fn real_characters_move_as_their_own_clips_say() {
    let Some(files) = rigged() else { return };
    for path in files {
        let folder = tempfile::tempdir().unwrap();
        let mut written = 0;
        let character = read_character(&path).unwrap();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        for (k, import) in read_file(&path, &as_read()).unwrap().iter().enumerate() {
            for extension in ["glb", "gltf"] {
                let out = folder.path().join(format!("{stem}-{k}.{extension}"));
                let options = WriteOptions {
                    onto: Some(&character),
                    ..WriteOptions::default()
                };
                write_file(&out, &import.clip, &options).unwrap();
                written += 1;
                let back = read_file(&out, &as_read()).unwrap().remove(0).clip;
                assert_eq!(back.skeleton().names(), import.clip.skeleton().names());
                let off = apart(&import.clip, &back);
                let pairs = import.clip.rotations().iter().zip(back.rotations());
                let same = pairs.map(|(a, b)| a.dot(*b).abs()).fold(1.0, f32::min);
                assert!(same > 1.0 - 1e-6, "{stem} {k}: {same}");
                let size = import.clip.skeleton().offsets().iter().map(|o| o.length());
                let size = f64::from(size.fold(1.0, f32::max));
                println!("{stem} {k} {extension}: {off:.2e} m, longest bone {size:.1} m");
                // Metres where the figure has a person's size; the fox is 150 m long in its own file.
                assert!(off <= 1e-5 * size, "{stem} {k}: {off}");
            }
        }
        // The robot's own weights do not sum to one; a character is passed on as it is, and no worse.
        if let (Some(before), Some(after)) = (errors(&path), errors(folder.path())) {
            assert_eq!(after, written * before);
        }
    }
}

/// Errors that the Khronos validator finds below a path, where `tools/validate-gltf` is installed (`npm ci` there); with
/// `GAITWAY_REQUIRE_VALIDATOR=1` it must be.
fn errors(path: &Path) -> Option<usize> {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/validate-gltf");
    if !tool.join("node_modules").is_dir() {
        let required = std::env::var_os("GAITWAY_REQUIRE_VALIDATOR").is_some_and(|v| v == "1");
        assert!(
            !required,
            "GAITWAY_REQUIRE_VALIDATOR=1, but tools/validate-gltf is not installed"
        );
        eprintln!("skipped: tools/validate-gltf is not installed (npm ci)");
        return None;
    }
    let mut node = std::process::Command::new("node");
    let out = node.arg(tool.join("validate.mjs")).arg(path).output();
    let text = String::from_utf8_lossy(&out.unwrap().stdout).into_owned();
    let totals = text.lines().last().unwrap();
    assert!(totals.contains(" 0 unreadable"), "{text}");
    println!("{}: {totals}", path.display());
    let count = totals.split(", ").find_map(|t| t.strip_suffix(" errors"));
    Some(count.unwrap().parse().unwrap())
}

#[test]
fn every_vertex_of_real_characters_is_where_their_own_animation_has_it() {
    let (Some(files), Some(python)) = (rigged(), support::python()) else {
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/skinning.py");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    for (stem, name) in [
        ("CesiumMan", ""),
        ("RiggedFigure", ""),
        ("Fox", "Run"),
        ("RobotExpressive", "Walking"),
    ] {
        let path = files.iter().find(|p| p.ends_with(format!("{stem}.glb")));
        let path = path.unwrap();
        let imports = read_file(path, &as_read()).unwrap();
        let wanted = |i: &&gaitway_io::Import| i.source.animation.as_deref().unwrap_or("") == name;
        let import = imports.iter().find(wanted).unwrap();
        let options = WriteOptions {
            onto: Some(&read_character(path).unwrap()),
            ..WriteOptions::default()
        };
        write_file(&out, &import.clip, &options).unwrap();
        let mut command = std::process::Command::new(&python);
        let told = command.arg(&script).arg(path).arg(name).arg(&out).output();
        let told = told.unwrap();
        let words = String::from_utf8_lossy(&told.stdout).into_owned();
        let numbers: Vec<f64> = words
            .split_whitespace()
            .map(|w| w.parse().unwrap())
            .collect();
        let [worst, size] = numbers[..] else {
            panic!("{}", String::from_utf8_lossy(&told.stderr));
        };
        println!("{stem} {name}: vertices {worst:.1e} apart, figure {size:.1}");
        assert!(worst <= 1e-5 * size.max(1.0), "{stem}: {worst} of {size}");
    }
}
