//! Markers and sensors: uploads, how they are shown, the body in them, the clip made of it.

use gaitway_calibrate::virtual_data::{VirtualOptions, markers, sensors};
use gaitway_calibrate::{MarkerOptions, calibrate_markers};
use gaitway_core::testing::performed_clips;
use gaitway_io::markers::{trc, write_trc};
use gaitway_io::sensors::write_table;
use gaitway_io::{MarkerClip, WriteOptions, write_file};
use gaitway_studio::wire::gwmo::decode;
use serde_json::{Value, json};

use super::client::Running;

fn walking() -> gaitway_core::Clip {
    performed_clips(60.0, &["walk_normal"]).swap_remove(0)
}

fn marker_file(options: &VirtualOptions) -> (MarkerClip, Vec<u8>) {
    let mut bytes = Vec::new();
    write_trc(&mut bytes, &markers(&walking(), options)).expect("written");
    (trc::read("take.trc", &bytes).expect("read"), bytes)
}

fn added(server: &Running, name: &str, bytes: &[u8]) -> Value {
    let answer = server.upload(&[(name, bytes)]);
    let text = String::from_utf8_lossy(&answer.bytes).into_owned();
    assert_eq!(answer.status, 201, "{text}");
    answer.json()["recordings"][0].clone()
}

#[test]
fn markers_become_a_clip_as_on_the_command_line() {
    let server = Running::start();
    let options = VirtualOptions {
        dropouts: 0.02,
        ..VirtualOptions::default()
    };
    let (clip, bytes) = marker_file(&options);
    let entry = added(&server, "../My take.trc", &bytes);
    assert_eq!(entry["kind"], "markers");
    assert_eq!(entry["points"], clip.marker_count());
    assert_eq!(entry["frames"], clip.frames);
    let id = entry["id"].as_str().expect("an id");
    let listed = server.get("/api/recordings").ok().json();
    assert_eq!(listed[0], entry);
    // No clip yet: a recording has no body to show or join.
    let clips = server.get("/api/clips").ok().json();
    let named = |c: &Value| c["name"].as_str().is_some_and(|n| n.starts_with("My_take"));
    assert!(!clips.as_array().expect("a list").iter().any(named));

    let found = server
        .get(&format!("/api/recordings/{id}/body"))
        .ok()
        .json();
    let direct = calibrate_markers("My_take", &clip, &MarkerOptions::default()).expect("a body");
    assert_eq!(
        found["bodies"].as_array().map(Vec::len),
        Some(direct.bodies.len())
    );
    assert_eq!(
        found["joints"].as_array().map(Vec::len),
        Some(direct.joints.len())
    );
    let seen: usize = (found["bodies"].as_array().expect("bodies").iter())
        .map(|b| b["seen_by"].as_array().map_or(0, Vec::len))
        .sum();
    assert!(seen <= clip.marker_count() && seen > clip.marker_count() / 2);
    assert!(found["filled"].as_u64().expect("a count") > 0);
    let command = found["command"].as_str().expect("a command");
    assert_eq!(command, "gaitway calibrate My_take.trc -o My_take.bvh");

    let made = server.post(&format!("/api/recordings/{id}/clip"), &json!({}));
    assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.bytes));
    let made = made.json();
    assert_eq!(made["name"], "My_take");
    assert_eq!(made["joints"], direct.clip.joint_count());
    let written = server.folder().join("clips/My_take.bvh");
    let other = tempfile::tempdir().expect("a folder");
    let other = other.path().join("My_take.bvh");
    write_file(&other, &direct.clip, &WriteOptions::default()).expect("written");
    assert_eq!(
        std::fs::read(written).expect("made"),
        std::fs::read(other).expect("written")
    );
    // It plays like any other clip, and a second one does not take its place.
    let clip_id = made["id"].as_str().expect("an id");
    server.get(&format!("/api/clips/{clip_id}/motion")).ok();
    let again = server
        .post(&format!("/api/recordings/{id}/clip"), &json!({}))
        .json();
    assert_eq!(again["name"], "My_take_2");
    // On a body that is known, lengths are that one's.
    let on = json!({ "on": clip_id });
    let known = server
        .post(&format!("/api/recordings/{id}/clip"), &on)
        .json();
    assert_eq!(known["body"], made["body"], "{known}");
}

#[test]
fn markers_are_shown_where_they_are_and_gaps_are_told() {
    let server = Running::start();
    let options = VirtualOptions {
        dropouts: 0.1,
        ..VirtualOptions::default()
    };
    let (clip, bytes) = marker_file(&options);
    let entry = added(&server, "take.trc", &bytes);
    let id = entry["id"].as_str().expect("an id");
    let part = server.get(&format!("/api/recordings/{id}/motion?from=10&count=20"));
    let sent = part.ok().bytes;
    let shown = decode(&sent).expect("GWMO");
    assert_eq!(shown.header.joints, clip.names);
    assert_eq!((shown.header.from, shown.header.count), (10, 20));
    let n = clip.marker_count();
    // Steps as they came: −32768 is what was not seen.
    let points = sent.len() - 4 * 20 - (20 * n * 6) % 4 - 20 * n * 6;
    let mut gaps = 0;
    for frame in 0..20 {
        for k in 0..n {
            let at = points + (frame * n + k) * 6;
            let step = i16::from_le_bytes([sent[at], sent[at + 1]]);
            assert_eq!(step == i16::MIN, clip.at(10 + frame, k).is_none());
            match clip.at(10 + frame, k) {
                Some(place) => {
                    let p = shown.points[frame * n + k];
                    let off = (0..3).map(|a| (p[a] - place[a]).abs()).fold(0.0, f64::max);
                    assert!(off < 2e-4, "{off}");
                }
                None => gaps += 1,
            }
        }
    }
    assert!(gaps > 0);
    let body = server
        .get(&format!("/api/recordings/{id}/body/motion?count=5"))
        .ok();
    let body = decode(&body.bytes).expect("GWMO");
    assert_eq!(body.header.frames, clip.frames);
    assert!(body.header.parents.contains(&0));
}

#[test]
fn a_table_of_sensors_becomes_a_clip() {
    let server = Running::start();
    let mut bytes = Vec::new();
    write_table(&mut bytes, &sensors(&walking(), &VirtualOptions::default())).expect("written");
    let entry = added(&server, "suit.csv", &bytes);
    assert_eq!(entry["kind"], "sensors");
    let id = entry["id"].as_str().expect("an id");
    let found = server
        .get(&format!("/api/recordings/{id}/body"))
        .ok()
        .json();
    assert!(
        found["residual_mm"].as_f64().expect("a number") < 0.1,
        "{found}"
    );
    let made = server.post(&format!("/api/recordings/{id}/clip"), &json!({}));
    assert_eq!(made.status, 201);
}

#[test]
fn recordings_stay_and_go_with_the_project() {
    let server = Running::start();
    let (_, bytes) = marker_file(&VirtualOptions::default());
    let first = added(&server, "a.trc", &bytes);
    let second = added(&server, "b.trc", &bytes);
    let file = server.folder().join("recordings/a.trc");
    assert!(file.exists());
    let again = server.upload(&[("a.trc", &bytes)]);
    assert_eq!(again.status, 409);
    let id = first["id"].as_str().expect("an id");
    let gone = server.ask("DELETE", &format!("/api/recordings/{id}"), &[], None);
    assert_eq!(gone.status, 204);
    assert!(!file.exists());
    assert_eq!(
        server.get(&format!("/api/recordings/{id}/motion")).status,
        404
    );
    // The next server finds what is left.
    let folder = server.stop();
    let config = gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    };
    let server = Running::serve(config);
    let listed = server.get("/api/recordings").ok().json();
    assert_eq!(listed, json!([second]));
}

#[test]
fn what_makes_no_body_is_said() {
    let server = Running::start();
    // A table that is none, an empty trial, a file that lies about itself.
    for (name, bytes) in [
        ("labels.csv", &b"file,label,start_s,end_s\na,walk,0,1\n"[..]),
        ("a.c3d", b"no C3D"),
        ("a.npz", b"PK no"),
        ("a.trc", b""),
    ] {
        let answer = server.upload(&[(name, bytes)]);
        assert_eq!(answer.status, 422, "{name}");
        let said = answer.json()["error"]["message"].to_string();
        assert!(said.contains(name) && !said.contains(".upload-"), "{said}");
    }
    let (_, bytes) = marker_file(&VirtualOptions::default());
    let entry = added(&server, "take.trc", &bytes);
    let id = entry["id"].as_str().expect("an id");
    let body = |query: &str| server.get(&format!("/api/recordings/{id}/body?{query}"));
    for (query, status, says) in [
        ("bodies=0", 400, "at least one body"),
        ("bodies=5000", 422, "5000"),
        ("without=TAIL", 422, "TAIL"),
        ("on=nobody", 404, "nobody"),
        ("x=1", 400, "x"),
    ] {
        let answer = body(query);
        assert_eq!(answer.status, status, "{query}");
        let error = answer.json()["error"].clone();
        assert!(error["message"].to_string().contains(says), "{error}");
    }
    let other = server.post(
        &format!("/api/recordings/{id}/clip"),
        &json!({"bodies": "x"}),
    );
    assert_eq!(other.status, 400);
    assert_eq!(server.get("/api/recordings/none/body").status, 404);
}

#[test]
fn one_frame_is_shown_and_has_no_body() {
    let server = Running::start();
    let table = "PathFileType\t4\t(X/Y/Z)\ta.trc\n\
        DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n\
        100\t100\t1\t1\tmm\n\
        Frame#\tTime\tHEAD\t\t\n\
        \t\tX1\tY1\tZ1\n\
        \n\
        1\t0.00\t1\t2\t3\n";
    let entry = added(&server, "a.trc", table.as_bytes());
    let id = entry["id"].as_str().expect("an id");
    server.get(&format!("/api/recordings/{id}/motion")).ok();
    let answer = server.get(&format!("/api/recordings/{id}/body"));
    assert_eq!(answer.status, 422);
    let error = answer.json()["error"].clone();
    let said = error["message"].as_str().unwrap_or_default();
    assert!(said.starts_with("a.trc: expected at least"), "{said}");
    assert!(error["hint"].is_string(), "{error}");
}
