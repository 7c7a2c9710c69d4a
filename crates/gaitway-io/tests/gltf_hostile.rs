//! Bytes that mean harm, or were harmed: an error that says where, never a panic or a wild allocation.

mod support;

use gaitway_core::testing::{data_dir, swinging_clip};
use gaitway_io::fuzzing;
use gaitway_io::gltf::{self, GlbOptions, write_glb, write_gltf};
use serde_json::{Value, json};
use support::{Dice, damaged};

fn nothing(name: &str) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::new(
        std::io::ErrorKind::NotFound,
        name.to_owned(),
    ))
}

fn text() -> Vec<u8> {
    let mut bytes = Vec::new();
    let clip = swinging_clip("a", 6, 30.0);
    let options = GlbOptions {
        body: false,
        ..GlbOptions::default()
    };
    write_gltf(&mut bytes, &[&clip], &options).unwrap();
    bytes
}

fn binary() -> Vec<u8> {
    let mut bytes = Vec::new();
    write_glb(
        &mut bytes,
        &[&swinging_clip("a", 6, 30.0)],
        &GlbOptions::default(),
    )
    .unwrap();
    bytes
}

fn refused(bytes: &[u8]) -> String {
    let error = gltf::read("bad.gltf", bytes, &nothing).expect_err("refused");
    format!("{error}")
}

/// The message for our document after one change.
fn after(change: impl FnOnce(&mut Value)) -> String {
    let mut document: Value = serde_json::from_slice(&text()).unwrap();
    change(&mut document);
    refused(document.to_string().as_bytes())
}

#[track_caller]
fn says(message: &str, words: &[&str]) {
    assert!(message.starts_with("bad.gltf"), "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

#[test]
fn broken_documents_are_refused_with_their_place() {
    says(&refused(b""), &["empty file"]);
    says(&refused(b"HIERARCHY"), &["GLB file"]);
    says(&refused(b"{"), &["bad.gltf:1:1"]);
    says(&refused(b"{\n  \"asset\": 7\n}"), &["bad.gltf:2:"]);
    says(&refused(b"{}"), &["asset"]);
    says(
        &refused(br#"{"asset":{"version":"1.0"}}"#),
        &["glTF version 2", "version 1.0"],
    );
    says(
        &refused(br#"{"asset":{"version":"2.0"}}"#),
        &["no node moves"],
    );
    says(
        &after(|d| d["animations"] = json!([])),
        &["no animation moves the body"],
    );
    says(
        &after(|d| d["nodes"][1]["translation"] = json!([0, 1e39, 0])),
        &["bad.gltf"],
    );
}

#[test]
fn bad_indices_are_refused_with_their_place() {
    says(
        &after(|d| d["nodes"][0]["children"] = json!([999])),
        &["nodes[0].children[0]", "999"],
    );
    says(
        &after(|d| d["nodes"][1]["children"] = json!([0])),
        &["ring"],
    );
    says(
        &after(|d| d["nodes"][0]["children"] = json!([0])),
        &["ring"],
    );
    says(
        &after(|d| d["nodes"][3]["children"] = json!([2])),
        &["another parent"],
    );
    says(
        &after(|d| d["skins"][0]["joints"] = json!([12345])),
        &["skins[0].joints[0]", "12345"],
    );
    let channel =
        |d: &mut Value, to: Value| d["animations"][0]["channels"][0]["target"]["node"] = to;
    says(
        &after(|d| channel(d, json!(77))),
        &["animations[0].channels[0].target", "77"],
    );
    says(
        &after(|d| d["animations"][0]["channels"][0]["sampler"] = json!(500)),
        &["channels[0]", "500"],
    );
    says(
        &after(|d| d["animations"][0]["samplers"][0]["input"] = json!(900)),
        &["samplers[0].input", "accessors[900]"],
    );
    says(
        &after(|d| d["accessors"][0]["bufferView"] = json!(900)),
        &["bufferViews[900]"],
    );
    says(
        &after(|d| d["bufferViews"][0]["buffer"] = json!(3)),
        &["buffers[3]"],
    );
}

#[test]
fn counts_beyond_the_file_are_refused() {
    let count = |n: u64| after(|d| d["accessors"][0]["count"] = json!(n));
    says(&count(4_000_000_000), &["accessors[0]", "4000000000"]);
    says(&count(u64::MAX), &["accessors[0]"]);
    says(
        &after(|d| d["bufferViews"][0]["byteLength"] = json!(u64::MAX)),
        &["bufferViews[0]"],
    );
    says(
        &after(|d| d["bufferViews"][0]["byteOffset"] = json!(u64::MAX)),
        &["bufferViews[0]"],
    );
    says(
        &after(|d| d["accessors"][0]["byteOffset"] = json!(u64::MAX)),
        &["bufferViews[0]"],
    );
    says(
        &after(|d| d["bufferViews"][0]["byteStride"] = json!(1)),
        &["accessors[0]", "every 1 bytes"],
    );
    says(
        &after(|d| d["buffers"][0]["byteLength"] = json!(1_000_000)),
        &["buffers[0]", "1000000"],
    );
    says(
        &after(|d| d["accessors"][0]["componentType"] = json!(1)),
        &["component type"],
    );
    says(
        &after(|d| d["accessors"][0]["type"] = json!("MAT4")),
        &["MAT4"],
    );
    // Zeros by the billion, from no bytes at all.
    let zeros = json!({"componentType": 5126, "type": "VEC3", "count": 8_000_000_000_u64});
    says(
        &after(|d| d["accessors"][0] = zeros),
        &["file's size justifies"],
    );
    // Frames by the billion, from two keys or from our own extras.
    let far =
        |d: &mut Value| d["animations"][0]["extras"]["gaitway"]["frames"] = json!(1_u64 << 60);
    says(&after(far), &["file's size justifies"]);
}

#[test]
fn buffers_that_lead_elsewhere_are_refused() {
    for uri in [
        "../secret.bin",
        "%2e%2e/secret.bin",
        "/etc/passwd",
        "file:///etc/passwd",
        "http://a/b.bin",
    ] {
        says(
            &after(|d| d["buffers"][0]["uri"] = json!(uri)),
            &["own folder"],
        );
    }
    says(
        &after(|d| d["buffers"][0]["uri"] = json!("lost.bin")),
        &["lost.bin"],
    );
    says(
        &after(|d| d["buffers"][0]["uri"] = json!("data:;base64,A*")),
        &["base 64"],
    );
    says(
        &after(|d| d["buffers"][0]["uri"] = json!("data:nothing")),
        &["comma"],
    );
    let message = after(|d| {
        d["buffers"][0].as_object_mut().unwrap().remove("uri");
    });
    says(&message, &["neither a `uri`"]);
}

#[test]
fn times_must_rise() {
    let message = after(|d| {
        // Times that are the values of a rotation's w: they fall.
        let samplers = d["animations"][0]["samplers"].as_array_mut().unwrap();
        let output = samplers[1]["output"].clone();
        samplers[0]["input"] = output;
    });
    says(&message, &["samplers[0].input"]);
}

#[test]
fn cut_and_damaged_glb_files_never_panic() {
    let whole = binary();
    for length in (0..whole.len()).step_by(whole.len() / 300 + 1) {
        assert!(
            gltf::read("bad.glb", &whole[..length], &nothing).is_err(),
            "{length}"
        );
    }
    let message = gltf::read("bad.glb", &whole[..whole.len() - 10], &nothing).unwrap_err();
    assert!(message.to_string().contains(" at byte "), "{message}");
    let mut dice = Dice(3);
    for _ in 0..1500 {
        fuzzing::gltf(&damaged(&whole[..whole.len().min(20_000)], &mut dice));
        fuzzing::gltf(&damaged(&text(), &mut dice));
    }
}

#[test]
fn damaged_real_files_never_panic() {
    let Some(data) = data_dir() else { return };
    let mut dice = Dice(11);
    for name in ["CesiumMan.glb", "RiggedFigure-embedded.gltf", "Fox.glb"] {
        let bytes = std::fs::read(data.join("gltf").join(name)).unwrap();
        for _ in 0..60 {
            fuzzing::gltf(&damaged(&bytes, &mut dice));
        }
    }
}
