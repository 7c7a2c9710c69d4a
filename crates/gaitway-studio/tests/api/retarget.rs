//! Clips put on another body by a job: as the library puts them, marked, built from, and taken back.

use gaitway_core::testing::{Walker, performed_clips, walking_clip};
use gaitway_core::{Clip, fk};
use gaitway_graph::MotionGraph;
use gaitway_io::{ReadOptions, SetOptions, WriteOptions, read_file, read_set, write_file};
use gaitway_retarget::people::{Onto, PeopleOptions, on_one_body};
use serde_json::{Value, json};

use super::client::Running;

/// Two walks of the performer in one folder, somebody else's in another.
fn two_people() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, clip: &Clip| {
        let path = folder.path().join("set").join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        write_file(&path, clip, &WriteOptions::default()).expect("written");
    };
    for (k, clip) in performed_clips(60.0, &["walk_normal", "walk_fast"])
        .iter()
        .take(2)
        .enumerate()
    {
        write(&format!("ann/a{k}.bvh"), clip);
    }
    write("bob/b.bvh", &walking_clip(&Walker::default()));
    folder
}

/// A chain of three joints that swings.
fn rope() -> String {
    let joint = |name: &str, inner: &str| {
        format!("{name}\n{{\nOFFSET 0 -50 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n{inner}}}\n")
    };
    let tip = "End Site\n{\nOFFSET 0 -50 0\n}\n";
    let chain = joint("JOINT Middle", &joint("JOINT Low", tip));
    let mut out = format!(
        "HIERARCHY\n{}MOTION\nFrames: 60\nFrame Time: 0.0166667\n",
        joint("ROOT Top", &chain)
    );
    for k in 0..60 {
        let turn = 20.0 * (f64::from(k) / 9.0).sin();
        out += &format!("{turn:.4} 0 0 {turn:.4} 0 0 {turn:.4} 0 0\n");
    }
    out
}

fn served(folder: &tempfile::TempDir) -> Running {
    let input = folder.path().join("set").to_string_lossy().into_owned();
    Running::with(|c| c.inputs = vec![input])
}

/// Names of all clips with their labels, each once.
fn library(server: &Running) -> Vec<(String, Vec<String>)> {
    let clips = server.get("/api/clips").ok().json();
    let mut out: Vec<(String, Vec<String>)> = clips
        .as_array()
        .expect("a list")
        .iter()
        .map(|clip| {
            let rows = clip["labels"].as_array().expect("rows");
            let labels = rows.iter().filter_map(|r| r["label"].as_str());
            let name = clip["name"].as_str().expect("a name");
            (name.to_owned(), labels.map(str::to_owned).collect())
        })
        .collect();
    out.sort();
    out
}

fn label(server: &Running, clip: &str, label: &str) {
    let row = json!({ "clip": clip, "label": label, "start_s": 0.0, "end_s": 1.0 });
    server.post("/api/labels", &json!({ "rows": [row] })).ok();
}

#[test]
fn people_are_put_on_one_body_as_the_library_does_and_a_graph_holds_them() {
    let folder = two_people();
    let server = served(&folder);
    let bodies = server.get("/api/bodies").ok().json();
    assert_eq!(bodies.as_array().map(Vec::len), Some(2));
    label(&server, &server.clip("set/bob/b"), "walk");
    let job = server.job(&json!({
        "kind": "retarget",
        "onto": { "clip": server.clip("set/ann/a0") },
    }));
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["can_undo"], true);
    let message = job["message"].as_str().expect("words");
    assert!(
        message.starts_with("1 clip on the body of a0, legs ")
            && message.ends_with("; 2 clips of that body already"),
        "{message}"
    );
    let own = |name: &str| (name.to_owned(), vec!["person=ann".to_owned()]);
    let both = |name: &str| {
        (
            name.to_owned(),
            vec!["person=bob".to_owned(), "walk".to_owned()],
        )
    };
    let now = library(&server);
    assert_eq!(
        now,
        [
            both("b_on_a0"),
            own("set/ann/a0"),
            own("set/ann/a1"),
            ("set/bob/b".to_owned(), vec!["walk".to_owned()]),
        ]
    );

    // To what a file holds, it is what `build --retarget-to` makes of the same files.
    let set = read_set(
        [folder.path().join("set").to_string_lossy()],
        &SetOptions::default(),
    )
    .expect("read");
    let files: gaitway_core::ClipFiles = set.into();
    let hero = files.clips.iter().find(|c| c.name() == "set/ann/a0");
    let onto = Onto::of_clip("a0", hero.expect("the clip"), None).expect("a body");
    let (files, _) = on_one_body(files, &onto, &PeopleOptions::default()).expect("on one body");
    let expected = files.clips.iter().find(|c| c.name() == "set/bob/b");
    let expected = expected.expect("the clip");
    let made = server.folder().join("clips/b_on_a0.bvh");
    let made = read_file(&made, &ReadOptions::default()).expect("read");
    let made = &made[0].clip;
    assert_eq!(made.frame_count(), expected.frame_count());
    let [ours, theirs] = [made, expected].map(fk::world_points);
    assert_eq!(ours.point_count(), theirs.point_count());
    for (a, b) in ours.places().iter().zip(theirs.places()) {
        assert!(a.distance(*b) < 1e-4, "{a} {b}");
    }

    // One body now: a graph of everybody, asked for what one person did.
    let bodies = server.get("/api/bodies").ok().json();
    let largest = &bodies[0];
    assert_eq!(largest["clips"].as_array().map(Vec::len), Some(3));
    let build = server.job(&json!({ "kind": "build", "body": largest["id"] }));
    assert_eq!(build["state"], "done", "{build}");
    let graph = MotionGraph::load(&server.folder().join("graph.gway")).expect("a graph");
    let names = graph.labels().names();
    assert!(names.iter().any(|n| n == "person=bob"), "{names:?}");
    assert!(names.iter().any(|n| n == "person=ann"), "{names:?}");

    // All that is not there yet: nothing but a clip that is new.
    let again =
        server.job(&json!({ "kind": "retarget", "onto": { "clip": server.clip("set/ann/a0") } }));
    assert_eq!(again["state"], "failed", "{again}");
    assert!(again["hint"].is_string());
}

#[test]
fn it_is_taken_back_whole_also_by_the_next_server() {
    let folder = two_people();
    let server = served(&folder);
    label(&server, &server.clip("set/ann/a1"), "walk");
    let before = library(&server);
    let ask = json!({ "kind": "retarget", "onto": { "clip": server.clip("set/bob/b") } });
    let job = server.job(&ask);
    assert_eq!(job["clips"].as_array().map(Vec::len), Some(2), "{job}");
    assert_eq!(library(&server).len(), 5);
    let config = |folder: &tempfile::TempDir| gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    };
    let project = server.stop();
    let server = Running::serve(config(&project));
    let files = || {
        let list = std::fs::read_dir(project.path().join("project/clips"));
        list.expect("a folder").count()
    };
    assert_eq!((library(&server).len(), files()), (5, 2));
    let undo = format!("/api/jobs/{}/undo", job["id"].as_str().expect("an id"));
    let undone = server.post(&undo, &json!({})).ok().json();
    assert_eq!(
        (&undone["can_undo"], &undone["clips"]),
        (&json!(false), &json!([]))
    );
    assert_eq!(library(&server), before);
    assert_eq!(files(), 0);
    let twice = server.post(&undo, &json!({}));
    assert_eq!((twice.status, twice.code()), (409, "conflict".to_owned()));
    assert_eq!(
        server
            .post("/api/jobs/retarget-000009/undo", &json!({}))
            .status,
        404
    );
    // The same once more gives the same.
    let job = server.job(&ask);
    assert_eq!(job["clips"].as_array().map(Vec::len), Some(2), "{job}");
    drop(server);
    let server = Running::serve(config(&project));
    assert_eq!(library(&server).len(), 5);
}

#[test]
fn who_has_no_legs_is_left_out_and_told() {
    let folder = two_people();
    std::fs::write(folder.path().join("set/rope.bvh"), rope()).expect("written");
    let server = served(&folder);
    let job =
        server.job(&json!({ "kind": "retarget", "onto": { "clip": server.clip("set/ann/a0") } }));
    assert_eq!(job["state"], "done", "{job}");
    let message = job["message"].as_str().expect("words");
    assert!(message.contains("left out set/rope: "), "{message}");
    let alone = server.job(&json!({
        "kind": "retarget",
        "clips": [server.clip("set/rope")],
        "onto": { "clip": server.clip("set/ann/a0") },
    }));
    assert_eq!(alone["state"], "failed", "{alone}");
    assert!(alone["hint"].is_string() && alone["error"].to_string().contains("rope"));
    let onto_rope =
        server.job(&json!({ "kind": "retarget", "onto": { "clip": server.clip("set/rope") } }));
    assert_eq!(onto_rope["state"], "failed", "{onto_rope}");
    assert!(
        onto_rope["error"]
            .to_string()
            .contains("nobody can be put on this body")
    );
}

#[test]
fn a_character_takes_clips_and_names_do_not_clash() {
    let folder = two_people();
    let server = served(&folder);
    let body = std::fs::read(folder.path().join("set/bob/b.bvh")).expect("read");
    let made = server.upload_to("/api/clips?characters=true", &[("hero.bvh", &body)]);
    let hero = made.ok().json()["characters"][0]["id"].clone();
    let clip = server.clip("set/ann/a0");
    let ask = json!({ "kind": "retarget", "clips": [clip], "onto": { "character": hero } });
    for name in ["a0_on_hero", "a0_on_hero_2"] {
        let job = server.job(&ask);
        assert_eq!(job["state"], "done", "{job}");
        assert_eq!(job["clips"], json!([server.clip(name)]));
    }
    // Made on it by a press instead: with its labels too.
    label(&server, &clip, "walk");
    let path = format!(
        "/api/characters/{}/clip?clip={clip}",
        hero.as_str().expect("an id")
    );
    let made = server.post(&path, &json!({})).ok().json();
    assert_eq!(made["labels"][0]["label"], "walk");
    // They are of the character's body, which is bob's.
    let bodies = server.get("/api/bodies").ok().json();
    let known = server.get("/api/characters").ok().json()[0]["body"].clone();
    let bobs: Vec<&Value> = (bodies.as_array().expect("a list").iter())
        .filter(|b| {
            b["clips"]
                .as_array()
                .is_some_and(|c| c.contains(&json!(server.clip("set/bob/b"))))
        })
        .collect();
    let count = bobs[0]["clips"].as_array().map(Vec::len);
    assert_eq!((count, &bobs[0]["id"]), (Some(4), &known), "{bodies}");
}

#[test]
fn it_can_be_cancelled_and_odd_requests_are_told_at_once() {
    let folder = two_people();
    let server = served(&folder);
    let before = library(&server);
    let ask = json!({ "kind": "retarget", "onto": { "clip": server.clip("set/bob/b") } });
    let job = server.post("/api/jobs", &ask).ok().json();
    let id = job["id"].as_str().expect("an id");
    server
        .post(&format!("/api/jobs/{id}/cancel"), &json!({}))
        .ok();
    let ended = server.wait(id);
    // Cancelled in time it leaves nothing behind; one that was quicker can be taken back.
    if ended["state"] == "done" {
        server
            .post(&format!("/api/jobs/{id}/undo"), &json!({}))
            .ok();
    } else {
        assert_eq!(ended["state"], "cancelled", "{ended}");
        assert_eq!(ended["can_undo"], false);
    }
    assert_eq!(library(&server), before);
    let left: Vec<_> = std::fs::read_dir(server.folder().join("clips"))
        .expect("a folder")
        .collect();
    assert!(left.is_empty());
    let clip = server.clip("set/ann/a0");
    for (request, status) in [
        (json!({ "kind": "retarget" }), 400),
        (
            json!({ "kind": "retarget", "onto": { "clip": "nobody" } }),
            404,
        ),
        (
            json!({ "kind": "retarget", "onto": { "character": "nobody" } }),
            404,
        ),
        (
            json!({ "kind": "retarget", "onto": { "clip": clip }, "clips": [] }),
            400,
        ),
        (
            json!({ "kind": "retarget", "onto": { "clip": clip }, "clips": ["nobody"] }),
            404,
        ),
        (json!({ "kind": "retarget", "onto": { "tail": clip } }), 400),
    ] {
        assert_eq!(
            server.post("/api/jobs", &request).status,
            status,
            "{request}"
        );
    }
}
