use serde_json::json;

use super::client::Running;

#[test]
fn bad_json_is_told_with_its_place() {
    let server = Running::start();
    let post = |text: &str| {
        server.ask(
            "POST",
            "/api/jobs",
            &[("content-type", "application/json")],
            Some(text.as_bytes()),
        )
    };
    for text in [
        "",
        "{",
        "[]",
        "null",
        "{\"kind\":\"fly\"}",
        "{\"kind\":\"build\"} x",
        "\u{0}",
        "{\"kind\":\"build\",\"extra\":1}",
    ] {
        let answer = post(text);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (400, "bad-request"),
            "{text}"
        );
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(post(&deep).status, 400);
    let bad = json!({ "kind": "path", "request": { "points": [[0, 0], [0, "x"]] } });
    assert_eq!(server.post("/api/jobs", &bad).status, 400);
    let rows =
        json!({ "revision": 0, "rows": [{ "label": "walk", "start_s": 1, "end_s": "late" }] });
    let id = server.clip("walk_normal_01");
    let answer = server.send("PUT", &format!("/api/clips/{id}/labels"), &rows);
    assert_eq!(answer.json()["error"]["field"], "rows[0].end_s");
}

#[test]
fn giant_bodies_are_refused() {
    let server = Running::with(|c| c.upload_bytes = 1 << 20);
    let big = vec![b' '; 5 << 20];
    let answer = server.ask(
        "POST",
        "/api/jobs",
        &[("content-type", "application/json")],
        Some(&big),
    );
    assert_eq!((answer.status, answer.code().as_str()), (413, "too-large"));
    let answer = server.upload(&[("big.bvh", &vec![b'x'; 3 << 20])]);
    assert_eq!((answer.status, answer.code().as_str()), (413, "too-large"));
    assert_eq!(
        std::fs::read_dir(server.folder().join("clips"))
            .expect("a folder")
            .count(),
        0
    );
}

#[test]
fn no_path_leaves_the_folder() {
    let server = Running::start();
    for id in [
        "..",
        "%2e%2e",
        "..%2f..%2fproject",
        "%2fetc%2fpasswd",
        "a%00b",
        "%ff",
        "project.json",
        "A",
        "a%5cb",
    ] {
        for path in [
            format!("/api/clips/{id}/motion"),
            format!("/api/clips/{id}/labels"),
            format!("/api/clips/{id}/thumbnail.svg"),
            format!("/api/results/{id}"),
            format!("/api/results/{id}/export?format=bvh"),
            format!("/api/jobs/{id}"),
        ] {
            let status = server.get(&path).status;
            assert!(matches!(status, 400 | 404), "{path}: {status}");
        }
        for path in [format!("/api/clips/{id}"), format!("/api/results/{id}")] {
            let status = server.ask("DELETE", &path, &[], None).status;
            assert!(matches!(status, 400 | 404 | 405), "{path}: {status}");
        }
    }
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../../x",
        "//etc/passwd",
        "/.lock",
    ] {
        let status = server.get(path).status;
        assert!(matches!(status, 400 | 404), "{path}: {status}");
    }
    let bad = server.post(
        "/api/jobs",
        &json!({ "kind": "resolve", "result": "../../x", "from_s": 0, "to_s": 1 }),
    );
    assert_eq!(bad.status, 404);
    assert!(server.folder().join("project.json").is_file());
}

#[test]
fn numbers_out_of_range_are_told() {
    let server = Running::start();
    let id = server.clip("walk_normal_01");
    for path in [
        format!("/api/clips/{id}/motion?count=99999999"),
        format!("/api/clips/{id}/motion?from=-1"),
        format!("/api/clips/{id}/motion?count=abc"),
        format!("/api/graph/heatmap?a={id}&b={id}&max=0"),
        format!("/api/graph/heatmap?a={id}"),
        "/api/graph/heatmap?a=../x&b=y".to_owned(),
        format!("/api/graph/transition/motion?a={id}&i=20&b={id}&j=40&part=all"),
        "/api/graph/edge/-1/motion".to_owned(),
        "/api/graph/edge/99999999999999/motion".to_owned(),
    ] {
        assert_eq!(server.get(&path).status, 400, "{path}");
    }
    assert_eq!(server.get("/api/graph/edge/4000000000/motion").status, 404);
    let far = format!("/api/clips/{id}/motion?from=4000000000");
    assert_eq!(
        gaitway_studio::wire::gwmo::decode(&server.get(&far).ok().bytes).map(|d| d.header.count),
        Some(0)
    );
    for body in [
        json!({ "default_cm": -1 }),
        json!({ "default_cm": 1e9 }),
        json!({ "default_cm": 5, "cells": [[1]] }),
    ] {
        assert_eq!(
            server.post("/api/graph/rethreshold", &body).status,
            400,
            "{body}"
        );
    }
}

#[test]
fn unknown_places_and_methods_answer_in_form() {
    let server = Running::start();
    assert_eq!(server.get("/api/nothing").code(), "not-found");
    let answer = server.ask("DELETE", "/api/project", &[], None);
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (405, "method-not-allowed")
    );
}
