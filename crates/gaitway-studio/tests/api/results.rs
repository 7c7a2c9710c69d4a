//! Results: called something else, changed in part; and errors that say what to do.

use serde_json::{Value, json};

use super::client::{Running, hear};

fn walk(server: &Running) -> String {
    let job = server.job(&json!({ "kind": "walk", "seconds": 3, "seed": 2 }));
    job["result"].as_str().expect("a result").to_owned()
}

#[test]
fn a_result_is_renamed_for_everybody_and_for_good() {
    let server = Running::start();
    let id = walk(&server);
    let path = format!("/api/results/{id}");
    let mut socket = server.socket(None).expect("a socket");
    hear(&mut socket, "hello");
    let now = server
        .send("PATCH", &path, &json!({ "name": "  stroll, take 2 é " }))
        .ok()
        .json();
    assert_eq!(
        (&now["id"], &now["name"]),
        (&json!(id), &json!("stroll, take 2 é"))
    );
    let told = hear(&mut socket, "project");
    assert_eq!(told["what"], json!(["results"]));
    assert_eq!(
        server.get("/api/results").ok().json()[0]["name"],
        "stroll, take 2 é"
    );
    for (body, field) in [
        (json!({ "name": " " }), json!("name")),
        (json!({ "name": "x".repeat(200) }), json!("name")),
        (json!({ "name": "two\nlines" }), json!("name")),
        (json!({ "name": 3 }), json!("name")),
        (json!({}), Value::Null),
        (json!({ "name": "a", "kind": "path" }), json!("kind")),
    ] {
        let answer = server.send("PATCH", &path, &body);
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(answer.json()["error"]["field"], field, "{body}");
    }
    assert_eq!(
        server
            .send("PATCH", "/api/results/walk-999999", &json!({ "name": "a" }))
            .status,
        404
    );
    let foreign = server.ask(
        "PATCH",
        &path,
        &[
            ("content-type", "application/json"),
            ("origin", "http://elsewhere.example"),
        ],
        Some(b"{\"name\": \"theirs\"}"),
    );
    assert_eq!(foreign.status, 403);
    let folder = server.stop();
    let again = Running::serve(gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    });
    assert_eq!(
        again.get("/api/results").ok().json()[0]["name"],
        "stroll, take 2 é"
    );
}

#[test]
fn one_of_a_crowd_is_searched_again() {
    let server = Running::start();
    let job = server.job(&json!({ "kind": "path", "request": {
        "points": [[0, 0], [0.5, 4], [0, 9]], "smooth": true, "count": 2, "name": "two of us",
    } }));
    let id = job["result"]
        .as_str()
        .unwrap_or_else(|| panic!("{job}"))
        .to_owned();
    let before = server.get(&format!("/api/results/{id}")).ok().json();
    let again = |seed: u64| {
        server.job(&json!({ "kind": "resolve", "result": id, "member": 1, "from_s": 1.0, "to_s": 4.0, "seed": seed }))
    };
    let changed = (1..12).map(again).find_map(|job| {
        let after = server
            .get(&format!("/api/results/{}", job["result"].as_str()?))
            .ok()
            .json();
        let edges = |r: &Value| r["members"][1]["walk"]["edges"].clone();
        (edges(&after) != edges(&before)).then_some(after)
    });
    let after = changed.expect("another way for one of the seeds");
    let new = after["id"].as_str().expect("an id");
    assert_eq!(
        after["members"][0], before["members"][0],
        "the other one stays"
    );
    assert_eq!(
        after["members"][1]["start_s"],
        before["members"][1]["start_s"]
    );
    let command = after["command"].as_str().expect("a command");
    assert!(
        command.contains("--again 1..4 --from before.json --person 2"),
        "{command}"
    );
    assert!(
        !command.contains("--count") && !command.contains('#'),
        "{command}"
    );
    assert!(
        after["files"]
            .as_array()
            .is_some_and(|f| f.contains(&json!("before.json")))
    );
    let report = server
        .get(&format!("/api/results/{new}/export?format=before"))
        .ok()
        .json();
    assert_eq!(report.as_array().map(Vec::len), Some(2));
    assert_eq!(report[1]["walk"], before["members"][1]["walk"]);
    assert_eq!(
        server
            .get(&format!("/api/results/{id}/export?format=before"))
            .status,
        404
    );
    // Past its end there is nothing to search again, and that is told at once.
    let late = server.post(
        "/api/jobs",
        &json!({ "kind": "resolve", "result": id, "member": 1, "from_s": 500, "to_s": 600, "seed": 1 }),
    );
    assert_eq!(
        (late.status, late.json()["error"]["field"].as_str()),
        (400, Some("from_s"))
    );
}

#[test]
fn errors_say_what_to_do() {
    let server = Running::start();
    let walked = walk(&server);
    let result = format!("/api/results/{walked}");
    let path = |request: Value| json!({ "kind": "path", "request": request });
    let line = json!([[0, 0], [0, 5]]);
    let clip = server.get("/api/clips").ok().json()[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let labels = format!("/api/clips/{clip}/labels");
    let asks: Vec<(&str, String, Option<Value>)> = vec![
        ("GET", "/api/nothing".into(), None),
        ("GET", "/nothing.png".into(), None),
        ("GET", "/api/clips/none/motion".into(), None),
        ("GET", "/api/clips/No%20Id/motion".into(), None),
        (
            "GET",
            format!("/api/clips/{clip}/motion?count=99999999"),
            None,
        ),
        ("GET", format!("/api/clips/{clip}/motion?count=some"), None),
        ("GET", "/api/results/none".into(), None),
        ("GET", format!("{result}/motion?member=9"), None),
        ("GET", format!("{result}/export?format=exe"), None),
        ("GET", format!("{result}/export?format=path"), None),
        ("GET", "/api/jobs/none".into(), None),
        (
            "GET",
            format!("/api/graph/heatmap?a={clip}&b={clip}&max=0"),
            None,
        ),
        ("GET", "/api/graph/edge/4000000000/motion".into(), None),
        (
            "GET",
            format!("/api/graph/transition?a={clip}&i=0&b={clip}&j=0"),
            None,
        ),
        (
            "GET",
            format!("/api/graph/transition?a=none&i=0&b={clip}&j=0"),
            None,
        ),
        ("DELETE", "/api/project".into(), None),
        (
            "PUT",
            labels.clone(),
            Some(json!({ "revision": 0, "rows": [{ "label": "", "start_s": 0, "end_s": 1 }] })),
        ),
        (
            "PUT",
            labels.clone(),
            Some(json!({ "revision": 0, "rows": [{ "label": "a", "start_s": 3, "end_s": 1 }] })),
        ),
        ("PUT", labels, Some(json!({ "revision": 7 }))),
        (
            "POST",
            "/api/graph/rethreshold".into(),
            Some(json!({ "default_cm": 1e9 })),
        ),
        (
            "POST",
            "/api/graph/rethreshold".into(),
            Some(json!({ "default_cm": 5, "cells": [[]] })),
        ),
        (
            "POST",
            "/api/graph/rethreshold?client=".into(),
            Some(json!({ "default_cm": 5 })),
        ),
        (
            "POST",
            "/api/graph/thresholds".into(),
            Some(json!({ "auto": false })),
        ),
        (
            "POST",
            "/api/jobs".into(),
            Some(path(json!({ "points": [] }))),
        ),
        (
            "POST",
            "/api/jobs".into(),
            Some(path(
                json!({ "points": line, "count": 2, "alternatives": 2 }),
            )),
        ),
        (
            "POST",
            "/api/jobs".into(),
            Some(path(json!({ "points": line, "forbid": ["nobody"] }))),
        ),
        (
            "POST",
            "/api/jobs".into(),
            Some(json!({ "kind": "walk", "seconds": 5, "label": "fly" })),
        ),
        (
            "POST",
            "/api/jobs".into(),
            Some(json!({ "kind": "build", "options": { "fps": 1.0 } })),
        ),
        (
            "POST",
            "/api/jobs".into(),
            Some(json!({ "kind": "resolve", "result": walked, "from_s": 0, "to_s": 1, "seed": 0 })),
        ),
        ("PATCH", result, Some(json!({ "name": "" }))),
    ];
    for (method, at, body) in asks {
        let answer = match &body {
            Some(body) => server.send(method, &at, body),
            None => server.ask(method, &at, &[], None),
        };
        assert!(
            (400..500).contains(&answer.status),
            "{method} {at}: {}",
            answer.status
        );
        let error = answer.json()["error"].clone();
        let hint = error["hint"].as_str().unwrap_or_default();
        assert!(hint.len() > 10, "{method} {at} has no hint: {error}");
    }
}
