use gaitway_core::testing::{Walker, data_dir, walking_clip};
use gaitway_io::{WriteOptions, write_file};
use serde_json::{Value, json};

use super::client::Running;

fn bvh(walker: &Walker) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.bvh");
    write_file(&path, &walking_clip(walker), &WriteOptions::default()).expect("written");
    std::fs::read(path).expect("read")
}

fn walk(seconds: f64) -> Vec<u8> {
    bvh(&Walker {
        seconds,
        ..Walker::default()
    })
}

/// An empty project.
fn fresh() -> Running {
    let server = Running::start();
    server
        .post("/api/projects", &json!({ "name": "mine" }))
        .ok();
    server
}

fn clip(server: &Running, name: &str) -> Value {
    let clips = server.get("/api/clips").ok().json();
    let found = clips
        .as_array()
        .expect("a list")
        .iter()
        .find(|c| c["name"] == name);
    found
        .unwrap_or_else(|| panic!("no {name}: {clips}"))
        .clone()
}

fn takes() -> Vec<(String, Vec<u8>)> {
    let takes = gaitway_core::performer::library(1, 30.0).expect("takes");
    let folder = tempfile::tempdir().expect("a folder");
    let wanted = takes
        .iter()
        .filter(|t| t.clip.name().contains("walk_"))
        .take(4);
    wanted
        .map(|t| {
            let name = t.clip.name().rsplit('/').next().expect("a name").to_owned();
            let path = folder.path().join("a.bvh");
            write_file(&path, &t.clip, &WriteOptions::default()).expect("written");
            (format!("{name}.bvh"), std::fs::read(&path).expect("read"))
        })
        .collect()
}

#[test]
fn clips_are_grouped_and_one_group_is_built() {
    let server = fresh();
    let takes = takes();
    let mut files: Vec<(&str, &[u8])> = takes.iter().map(|(n, b)| (n.as_str(), &b[..])).collect();
    let other = walk(3.0);
    files.push(("other.bvh", &other));
    server.upload(&files).ok();
    let bodies = server.get("/api/bodies").ok().json();
    assert_eq!(bodies.as_array().map(Vec::len), Some(2), "{bodies}");
    assert_eq!(bodies[0]["clips"].as_array().map(Vec::len), Some(4));
    let picture = bodies[0]["clips"][0].as_str().expect("a clip");
    let svg = server
        .get(&format!("/api/clips/{picture}/thumbnail.svg?poses=1"))
        .ok();
    assert!(String::from_utf8_lossy(&svg.bytes).contains("112"));
    // All of them make no graph, and the words say what to press.
    let failed = server.job(&json!({ "kind": "build" }));
    assert_eq!(failed["state"], "failed");
    assert!(
        failed["error"]
            .as_str()
            .is_some_and(|e| e.contains("one skeleton")),
        "{failed}"
    );
    assert!(
        failed["hint"]
            .as_str()
            .is_some_and(|h| h.contains("Build from this group")),
        "{failed}"
    );
    let done = server.job(&json!({ "kind": "build", "body": bodies[0]["id"] }));
    assert_eq!(done["state"], "done", "{done}");
    let project = server.get("/api/project").ok().json();
    assert_eq!(
        (&project["stale"], &project["graph"]["clips"]),
        (&json!(false), &json!(4))
    );
    assert_eq!(project["basis"].as_array().map(Vec::len), Some(4));
    // Another clip of the other body does not make the graph stale, one of this body does.
    server.upload(&[("another.bvh", &walk(4.0))]).ok();
    assert_eq!(server.get("/api/project").ok().json()["stale"], false);
    server.upload(&[("again.bvh", &takes[0].1)]).ok();
    assert_eq!(server.get("/api/project").ok().json()["stale"], true);
    // Some of them alone.
    let two = json!([clip(&server, "again")["id"], picture]);
    let done = server.job(&json!({ "kind": "build", "clips": two }));
    assert_eq!(done["state"], "done", "{done}");
    assert_eq!(server.get("/api/project").ok().json()["graph"]["clips"], 2);
    for wrong in [
        json!({ "kind": "build", "body": "none" }),
        json!({ "kind": "build", "clips": ["none"] }),
    ] {
        assert_eq!(server.post("/api/jobs", &wrong).status, 404);
    }
    let none = server.job(&json!({ "kind": "build", "clips": [] }));
    assert_ne!(none["state"], "running");
}

/// What lies nowhere but in the graph is not lost to a graph of something else.
#[test]
fn a_graphs_own_clips_are_not_lost() {
    let server = Running::start();
    server
        .upload(&[("other.bvh", &walk(3.0)), ("another.bvh", &walk(4.0))])
        .ok();
    let body = clip(&server, "other")["body"].clone();
    let refused = server.job(&json!({ "kind": "build", "body": body }));
    assert_eq!(refused["state"], "failed", "{refused}");
    assert!(
        refused["hint"]
            .as_str()
            .is_some_and(|h| h.contains("new project")),
        "{refused}"
    );
}

#[test]
fn files_are_read_anew_with_other_options() {
    let server = fresh();
    server
        .upload(&[("one.bvh", &walk(4.0)), ("two.bvh", &walk(3.0))])
        .ok();
    let one = clip(&server, "one");
    let id = one["id"].as_str().expect("an id").to_owned();
    let rows = json!([{ "label": "walk", "start_s": 1.0, "end_s": 2.0 }]);
    server
        .send(
            "PUT",
            &format!("/api/clips/{id}/labels"),
            &json!({ "revision": 0, "rows": rows }),
        )
        .ok();
    let rate = one["rate_hz"].as_f64().expect("a rate");
    let read = |reading: Value| {
        let body = json!({ "clips": [{ "clip": id, "reading": reading }] });
        server.send("PUT", "/api/reading", &body)
    };
    // Half the rate: twice as long, and the label on the frames it was on.
    let half = read(json!({ "source_fps": rate / 2.0 })).ok().json();
    assert_eq!(half[0]["frames"], one["frames"]);
    let labels = server.get(&format!("/api/clips/{id}/labels")).ok().json();
    assert_eq!(
        (&labels["rows"][0]["start_s"], &labels["rows"][0]["end_s"]),
        (&json!(2.0), &json!(4.0))
    );
    let whole = half[0]["seconds"].as_f64().expect("seconds");
    let cut = read(json!({ "source_fps": rate / 2.0, "cut": [3.0, 5.0] }))
        .ok()
        .json();
    assert!(
        (cut[0]["seconds"].as_f64().expect("seconds") - 2.0).abs() < 0.05,
        "{cut}"
    );
    let labels = server.get(&format!("/api/clips/{id}/labels")).ok().json();
    assert_eq!(labels["rows"][0]["start_s"], 0.0);
    assert!(
        (labels["rows"][0]["end_s"].as_f64().expect("an end") - 1.0).abs() < 0.05,
        "{labels}"
    );
    let motion = server.get(&format!("/api/clips/{id}/motion?count=1")).ok();
    assert!(
        String::from_utf8_lossy(&motion.bytes[..400])
            .contains(&format!("\"frames\":{}", cut[0]["frames"]))
    );
    // Kept with the project, and used when it is opened again.
    server
        .post("/api/projects/open", &json!({ "folder": "project" }))
        .ok();
    server
        .post("/api/projects/open", &json!({ "folder": "mine" }))
        .ok();
    assert_eq!(clip(&server, "one")["frames"], cut[0]["frames"]);
    assert_eq!(clip(&server, "one")["reading"]["cut"], json!([3.0, 5.0]));
    let big = read(
        json!({ "unit": "m", "up": "z", "keep_spikes": true, "keep_dropouts": true, "keep_first_frame": true }),
    );
    let big = big.ok().json();
    assert!(
        (big[0]["seconds"].as_f64().expect("seconds") - whole / 2.0).abs() < 0.05,
        "{big}"
    );
    assert_eq!(big[0]["file_says"]["up"], "z");
    for (wrong, field) in [
        (json!({ "source_fps": 0 }), "source_fps"),
        (json!({ "unit": "ell" }), "unit"),
        (json!({ "up": "w" }), "up"),
        (json!({ "cut": [2, 1] }), "cut"),
        (json!({ "cut": [100, 200] }), "cut"),
        (json!({ "skeleton": "../../x.asf" }), "skeleton"),
        (json!({ "speed": 1 }), "speed"),
    ] {
        let answer = read(wrong.clone());
        assert_eq!(answer.status, 400, "{wrong}");
        assert!(
            answer.json().to_string().contains(field),
            "{wrong}: {}",
            answer.json()
        );
    }
    assert_eq!(clip(&server, "one")["frames"], big[0]["frames"]);
    read(json!({})).ok();
    assert_eq!(clip(&server, "one")["seconds"], one["seconds"]);
}

/// 24 clips of one body, captured at 60 Hz and said to be at 120: told once, mended at once. They come one by one, as from a slow hand.
#[test]
fn a_wrong_rate_is_mended_for_all() {
    let Some(data) = data_dir() else {
        return;
    };
    let server = fresh();
    let mut files: Vec<_> = std::fs::read_dir(data.join("cmu-bvh/143"))
        .expect("a folder")
        .map(|f| f.expect("a file").path())
        .collect();
    files.sort();
    for path in &files {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        server
            .upload(&[(&name, &std::fs::read(path).expect("read"))])
            .ok();
    }
    let clips = server.get("/api/clips").ok().json();
    let clips = clips.as_array().expect("a list").clone();
    let finding = |c: &Value, code: &str| {
        let list = c["warnings"].as_array().expect("a list").clone();
        list.into_iter().find(|w| w["code"] == code)
    };
    let wrong: Vec<&Value> = clips
        .iter()
        .filter(|c| finding(c, "rate-implausible").is_some())
        .collect();
    assert_eq!((clips.len(), wrong.len()), (24, 24));
    let told = finding(wrong[0], "rate-implausible").expect("told");
    assert_eq!(
        (&told["value"], &told["level"]),
        (&json!(60.0), &json!("warning"))
    );
    // Routine facts need nobody.
    for code in ["unit-guessed", "t-pose-dropped", "zero-length-bones"] {
        assert_eq!(finding(wrong[0], code).expect(code)["level"], "note");
    }
    let all: Vec<Value> = wrong
        .iter()
        .map(|c| json!({ "clip": c["id"], "reading": { "source_fps": 60.0 } }))
        .collect();
    server
        .send("PUT", "/api/reading", &json!({ "clips": all }))
        .ok();
    let clips = server.get("/api/clips").ok().json();
    for c in clips.as_array().expect("a list") {
        assert_eq!(
            (c["rate_hz"].as_f64(), finding(c, "rate-implausible")),
            (Some(60.0), None)
        );
    }
}

#[test]
fn labels_at_scale() {
    let server = fresh();
    let takes = takes();
    let files: Vec<(&str, &[u8])> = takes.iter().map(|(n, b)| (n.as_str(), &b[..])).collect();
    server.upload(&files).ok();
    let propose = |body: Value| server.post("/api/labels/propose", &body);
    let found = propose(json!({ "kind": "names", "pattern": "WALK_*", "label": "walk" }))
        .ok()
        .json();
    assert_eq!(found["rows"].as_array().map(Vec::len), Some(4), "{found}");
    // Nothing was put on by asking.
    assert_eq!(server.get("/api/project").ok().json()["labels"], json!([]));
    server
        .post("/api/labels", &json!({ "rows": found["rows"] }))
        .ok();
    assert_eq!(
        server.get("/api/project").ok().json()["labels"],
        json!(["walk"])
    );
    let name = takes[0].0.trim_end_matches(".bvh");
    let one = clip(&server, name);
    assert_eq!(one["labels"][0]["end_s"], one["seconds"]);
    // A table, as the command line takes it; what is not here is told.
    let table =
        format!("file,label,start_s,end_s,@\n{name}.bvh,limp,0.5,1.5,1\nelsewhere.bvh,run,,\n");
    let found = propose(json!({ "kind": "table", "name": "t.csv", "text": table }))
        .ok()
        .json();
    assert_eq!(found["rows"][0]["label"], "limp");
    let notes = found["notes"].to_string();
    assert!(
        notes.contains("elsewhere.bvh") && notes.contains("@"),
        "{notes}"
    );
    server
        .post("/api/labels", &json!({ "rows": found["rows"] }))
        .ok();
    let exported = server.get("/api/labels.csv").ok();
    let exported = String::from_utf8_lossy(&exported.bytes).into_owned();
    // What goes out comes in again.
    let back = propose(json!({ "kind": "table", "name": "labels.csv", "text": exported }))
        .ok()
        .json();
    assert_eq!(back["rows"].as_array().map(Vec::len), Some(5), "{back}");
    for (text, line) in [
        ("a,b\n1,2\n", ":1"),
        ("file,label\nx,\n", ":2"),
        ("file,label,start_s\nx,y,z\n", ":2"),
    ] {
        let bad = propose(json!({ "kind": "table", "name": "t.csv", "text": text }));
        assert_eq!(bad.status, 422);
        assert!(
            bad.json()["error"]["message"]
                .as_str()
                .is_some_and(|m| m.contains(&format!("t.csv{line}")))
        );
    }
    // The motion speaks for walking.
    let found = propose(json!({ "kind": "motion", "clips": [one["id"]] }))
        .ok()
        .json();
    assert!(
        found["rows"]
            .as_array()
            .is_some_and(|r| r.iter().any(|r| r["label"] == "walk")),
        "{found}"
    );
    // All or none.
    let bad = json!({ "rows": [
        { "clip": one["id"], "label": "hop", "start_s": 0, "end_s": 1 },
        { "clip": one["id"], "label": "hop", "start_s": 900, "end_s": 901 },
    ] });
    assert_eq!(server.post("/api/labels", &bad).status, 400);
    assert_eq!(
        server.get("/api/project").ok().json()["labels"],
        json!(["limp", "walk"])
    );
    let replaced = json!({ "replace": true, "rows": [{ "clip": one["id"], "label": "hop", "start_s": 0, "end_s": 1 }] });
    server.post("/api/labels", &replaced).ok();
    let rows = server
        .get(&format!(
            "/api/clips/{}/labels",
            one["id"].as_str().expect("an id")
        ))
        .ok()
        .json();
    assert_eq!(rows["rows"].as_array().map(Vec::len), Some(1), "{rows}");
}

#[test]
fn many_are_taken_out_and_home_at_once() {
    let server = fresh();
    server
        .upload(&[
            ("one.bvh", &walk(4.0)),
            ("two.bvh", &walk(3.0)),
            ("three.bvh", &walk(2.0)),
        ])
        .ok();
    let id = |name: &str| {
        clip(&server, name)["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    let (one, two, three) = (id("one"), id("two"), id("three"));
    for format in ["bvh", "glb"] {
        let archive = server
            .get(&format!("/api/clips.zip?clips={one},{two}&format={format}"))
            .ok();
        assert_eq!(&archive.bytes[..2], b"PK");
        let text = String::from_utf8_lossy(&archive.bytes).into_owned();
        assert!(
            text.contains(&format!("{one}.{format}")) && text.contains(&format!("{two}.{format}"))
        );
    }
    assert_eq!(
        server
            .get(&format!("/api/clips.zip?clips={one},none&format=bvh"))
            .status,
        404
    );
    assert_eq!(
        server
            .get(&format!("/api/clips.zip?clips={one}&format=exe"))
            .status,
        400
    );
    assert_eq!(
        server
            .post("/api/clips/remove", &json!({ "clips": [one, "none"] }))
            .status,
        404
    );
    assert_eq!(
        server
            .get("/api/clips")
            .ok()
            .json()
            .as_array()
            .map(Vec::len),
        Some(3)
    );
    server
        .post("/api/clips/remove", &json!({ "clips": [one, three] }))
        .ok();
    let left = server.get("/api/clips").ok().json();
    assert_eq!(
        (left.as_array().map(Vec::len), &left[0]["name"]),
        (Some(1), &json!("two"))
    );
    assert!(
        !server
            .folder()
            .with_file_name("mine")
            .join("clips/one.bvh")
            .exists()
    );
}
