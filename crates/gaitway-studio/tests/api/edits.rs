use serde_json::json;

use super::client::{Running, hear};

#[test]
fn labels_are_saved_and_whoever_is_late_hears_it() {
    let server = Running::start();
    let mut socket = server.socket(None).expect("a socket");
    hear(&mut socket, "hello");
    let id = server.clip("walk_normal_01");
    let path = format!("/api/clips/{id}/labels");
    let first = server.get(&path).ok().json();
    assert_eq!(first["revision"], 0);
    assert!(first["rows"].as_array().is_some_and(|r| !r.is_empty()));
    let mine =
        json!({ "revision": 0, "rows": [{ "label": "stroll", "start_s": 0.5, "end_s": 2.0 }] });
    assert_eq!(server.send("PUT", &path, &mine).ok().json()["revision"], 1);
    let news = hear(&mut socket, "project");
    assert_eq!(news["what"], json!(["labels"]));
    let theirs = json!({ "revision": 0, "rows": [] });
    let late = server.send("PUT", &path, &theirs);
    assert_eq!((late.status, late.code().as_str()), (409, "conflict"));
    assert_eq!(late.json()["current"]["rows"][0]["label"], "stroll");
    let project = server.get("/api/project").ok().json();
    assert_eq!(project["stale"], true);
    assert!(
        project["labels"]
            .as_array()
            .is_some_and(|l| l.contains(&json!("stroll")))
    );
    let table = String::from_utf8(server.get("/api/labels.csv").ok().bytes).expect("text");
    assert!(
        table.contains("walk_normal_01,stroll,0.5000,2.0000"),
        "{table}"
    );
    assert_eq!(
        std::fs::read_to_string(server.folder().join("labels.csv")).expect("saved"),
        table
    );
    // The next build uses them, and knows all distances already.
    let job = server.job(&json!({ "kind": "build" }));
    assert_eq!(job["state"], "done", "{job}");
    let project = server.get("/api/project").ok().json();
    assert_eq!(project["stale"], false);
    let account = server.get("/api/graph/account").ok().json();
    assert!(
        account["labels"]
            .as_array()
            .is_some_and(|l| l.iter().any(|r| r["label"] == "stroll")),
        "{account}"
    );
}

#[test]
fn two_write_at_once_and_one_wins() {
    let server = Running::start();
    let path = format!("/api/clips/{}/labels", server.clip("walk_normal_02"));
    let write = |k: usize| {
        let row = json!({ "revision": 0, "rows": [{ "label": format!("l{k}"), "start_s": 0.0, "end_s": 1.0 }] });
        server.send("PUT", &path, &row).status
    };
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|k| scope.spawn(move || write(k))).collect();
        all.into_iter().map(|t| t.join().expect("asked")).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(server.get(&path).ok().json()["revision"], 1);
}

#[test]
fn bad_rows_are_refused() {
    let server = Running::start();
    let path = format!("/api/clips/{}/labels", server.clip("walk_normal_01"));
    for row in [
        json!({ "label": "", "start_s": 0, "end_s": 1 }),
        json!({ "label": "a,b", "start_s": 0, "end_s": 1 }),
        json!({ "label": "x\n", "start_s": 0, "end_s": 1 }),
        json!({ "label": "x", "start_s": 2, "end_s": 1 }),
        json!({ "label": "x", "start_s": -1, "end_s": 1 }),
        json!({ "label": "x", "start_s": 1e9, "end_s": 2e9 }),
    ] {
        let answer = server.send("PUT", &path, &json!({ "revision": 0, "rows": [row] }));
        assert_eq!(answer.status, 400);
        assert!(
            answer.json()["error"]["field"]
                .as_str()
                .is_some_and(|f| f.starts_with("rows[0]"))
        );
    }
    assert_eq!(server.get(&path).ok().json()["revision"], 0);
}

#[test]
fn contacts_by_hand_and_back() {
    let server = Running::start();
    let id = server.clip("walk_normal_01");
    let path = format!("/api/clips/{id}/contacts");
    let found = server.get(&path).ok().json();
    assert_eq!(found["detected"], true);
    let rows = found["rows"].as_array().expect("rows").len();
    assert!(rows > 4, "{found}");
    let unknown =
        json!({ "revision": 0, "rows": [{ "joint": "left_wing", "start_s": 0, "end_s": 1 }] });
    assert_eq!(server.send("PUT", &path, &unknown).status, 400);
    let mine =
        json!({ "revision": 0, "rows": [{ "joint": "left_heel", "start_s": 0.0, "end_s": 1.0 }] });
    server.send("PUT", &path, &mine).ok();
    let motion = server.get(&format!("/api/clips/{id}/motion")).ok();
    let decoded = gaitway_studio::wire::gwmo::decode(&motion.bytes).expect("a GWMO");
    let heel = decoded
        .header
        .contacts
        .iter()
        .position(|c| c.name == "left_heel")
        .expect("a heel");
    let stands = |f: usize| decoded.contacts[f] >> heel & 1 == 1;
    assert!(
        stands(0) && stands(20) && !stands(40),
        "only the first second"
    );
    assert_eq!(decoded.contacts.iter().filter(|m| **m != 0).count(), 30);
    let table = String::from_utf8(server.get("/api/contacts.csv").ok().bytes).expect("text");
    assert!(table.contains("left_heel,0.0000,1.0000"), "{table}");
    let back = json!({ "revision": 1, "detected": true, "rows": [] });
    server.send("PUT", &path, &back).ok();
    let again = server.get(&path).ok().json();
    assert_eq!(
        (
            again["detected"].clone(),
            again["rows"].as_array().map_or(0, Vec::len)
        ),
        (json!(true), rows)
    );
}

#[test]
fn edits_survive_the_server() {
    let server = Running::start();
    let id = server.clip("walk_normal_01");
    let row = json!({ "revision": 0, "rows": [{ "label": "kept", "start_s": 0.0, "end_s": 1.0 }] });
    server
        .send("PUT", &format!("/api/clips/{id}/labels"), &row)
        .ok();
    let folder = server.stop();
    let again = Running::serve(gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    });
    let labels = again.get(&format!("/api/clips/{id}/labels")).ok().json();
    assert_eq!(
        (
            labels["revision"].clone(),
            labels["rows"][0]["label"].clone()
        ),
        (json!(1), json!("kept"))
    );
}

/// One colour per label, whoever looks: each has a place of its own, which it keeps while others come and go and over a restart.
#[test]
fn labels_have_places_that_stay() {
    let server = Running::start();
    let places = |server: &Running| -> Vec<String> {
        let project = server.get("/api/project").ok().json();
        serde_json::from_value(project["label_places"].clone()).expect("names")
    };
    let first = places(&server);
    let project = server.get("/api/project").ok().json();
    let labels: Vec<String> = serde_json::from_value(project["labels"].clone()).expect("names");
    for label in &labels {
        assert_eq!(first.iter().filter(|p| *p == label).count(), 1, "{first:?}");
    }
    // One that comes first in the alphabet moves none of them.
    let path = format!("/api/clips/{}/labels", server.clip("walk_normal_01"));
    let put = |revision: u64, label: &str| {
        let row = json!({ "label": label, "start_s": 0.5, "end_s": 2.0 });
        let body = json!({ "revision": revision, "rows": [row] });
        server.send("PUT", &path, &body).ok();
    };
    put(0, "aaa");
    let second = places(&server);
    assert_eq!(second[..first.len()], first[..]);
    assert_eq!(second.last().map(String::as_str), Some("aaa"));
    // The place of one that is gone is free for the next.
    put(1, "bbb");
    let third = places(&server);
    assert_eq!(third.len(), second.len());
    assert_eq!(third.last().map(String::as_str), Some("bbb"));
    let folder = server.stop();
    let later = Running::serve(gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    });
    assert_eq!(places(&later), third);
}
