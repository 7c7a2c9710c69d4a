//! Other people's bodies: a character's own mesh, and poses of a body model.

use serde_json::Value;

use crate::support::{Place, names_in, text};

/// The document of a GLB file.
fn document(place: &Place, name: &str) -> Value {
    let glb = std::fs::read(place.path(name)).expect("a file");
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four")) as usize;
    serde_json::from_slice(&glb[20..20 + length]).expect("JSON")
}

#[test]
fn a_clip_moves_a_characters_own_mesh() {
    let place = Place::new();
    place.clip("short.bvh", 30);
    place.clip("walk.bvh", 90);
    assert!(
        place
            .run(&["convert", "short.bvh", "hero.glb"])
            .status
            .success()
    );
    let onto = ["convert", "walk.bvh", "out.glb", "--onto", "hero.glb"];
    let output = place.run(&onto);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (hero, out) = (document(&place, "hero.glb"), document(&place, "out.glb"));
    for key in ["meshes", "materials", "skins"] {
        assert_eq!(hero[key], out[key]);
    }
    assert_eq!(out["animations"].as_array().map(Vec::len), Some(1));
    let rows = place.json(&["info", "out.glb", "--json"]);
    assert_eq!(
        (&rows[0]["frames"], &rows[0]["rate_hz"]),
        (&90.into(), &60.0.into())
    );
    let both = [&onto[..], &["--keep-animations"]].concat();
    assert!(place.run(&both).status.success());
    let rows = place.json(&["info", "out.glb", "--json"]);
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
}

#[test]
fn what_cannot_be_put_onto_a_character_says_so_and_writes_nothing() {
    let place = Place::new();
    place.clip("walk.bvh", 30);
    assert!(
        place
            .run(&["convert", "walk.bvh", "hero.glb"])
            .status
            .success()
    );
    let other = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
                 MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n0 0 1\n";
    std::fs::write(place.path("other.bvh"), other).expect("written");
    let before = names_in(&place.path(""));
    for (arguments, words) in [
        (
            ["other.bvh", "out.glb", "hero.glb"],
            "retarget CLIP --to hero.glb",
        ),
        (
            ["walk.bvh", "out.bvh", "hero.glb"],
            "written as .glb or .gltf",
        ),
        (["walk.bvh", "hero.glb", "hero.glb"], "would be overwritten"),
        (
            ["walk.bvh", "out.glb", "walk.bvh"],
            "export the character as .glb",
        ),
        (["walk.bvh", "out.glb", "none.glb"], "none.glb"),
    ] {
        let [input, output, onto] = arguments;
        let output = place.run(&["convert", input, output, "--onto", onto]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
    assert_eq!(names_in(&place.path("")), before);
}

#[test]
fn poses_of_a_body_model_come_in_and_go_out() {
    let place = Place::new();
    let corpus = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fuzz/corpus/amass/smpl.npz"
    );
    std::fs::create_dir(place.path("in")).expect("a folder");
    std::fs::copy(corpus, place.path("in/a_poses.npz")).expect("copied");
    let rows = place.json(&["info", "in", "--json", "--body-height", "1.9"]);
    assert_eq!(rows[0]["format"], "amass");
    assert_eq!(rows[0]["joints"], 24);
    let codes: Vec<&str> = rows[0]["warnings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|w| w["code"].as_str())
        .collect();
    assert!(codes.contains(&"body-assumed") && codes.contains(&"up-axis-turned"));
    // By way of BVH, into one file and into a folder; our own arrays stay what `.npz` alone means.
    for arguments in [
        ["convert", "in/a_poses.npz", "a.bvh"].as_slice(),
        &["convert", "a.bvh", "b.npz", "--to", "amass"],
        &["convert", "in", "out", "--to", "amass"],
        &["convert", "a.bvh", "ours.npz"],
    ] {
        let output = place.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
    }
    for file in ["b.npz", "out/a_poses.npz"] {
        let rows = place.json(&["info", file, "--json"]);
        assert_eq!(
            (&rows[0]["format"], &rows[0]["frames"]),
            (&"amass".into(), &3.into())
        );
    }
    let output = place.run(&["info", "ours.npz"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stdout).contains("written and not read")
            || text(&output.stderr).contains("written and not read")
    );
    place.clip("walk.bvh", 30);
    let output = place.run(&["convert", "walk.bvh", "c.npz", "--to", "amass"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("retarget"));
    assert!(!place.path("c.npz").exists());
    let output = place.run(&["info", "in", "--body-height", "12"]);
    assert!(text(&output.stderr).contains("0.3 to 3 m"));
}
