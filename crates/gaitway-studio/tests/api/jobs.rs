use std::time::{Duration, Instant};

use gaitway_studio::wire::gwmo::decode;
use serde_json::{Value, json};

use super::client::{Running, hear};

fn path_request() -> Value {
    json!({ "kind": "path", "request": {
        "points": [[0, 0], [0, 3], [1, 6]],
        "smooth": true,
        "styles": [{ "label": "walk", "from_m": 0, "to_m": null }],
        "name": "a short way",
    } })
}

#[test]
fn a_path_becomes_a_result() {
    let server = Running::start();
    let mut socket = server.socket(None).expect("a socket");
    hear(&mut socket, "hello");
    let job = server.job(&path_request());
    assert_eq!(job["state"], "done", "{job}");
    let best = hear(&mut socket, "best");
    assert!(best["way"].as_array().is_some_and(|w| !w.is_empty()));
    let shown = server
        .get(&format!(
            "/api/jobs/{}/best",
            job["id"].as_str().unwrap_or("")
        ))
        .ok();
    assert!(decode(&shown.bytes).and_then(|d| d.header.way).is_some());
    let id = job["result"].as_str().expect("a result").to_owned();
    let list = server.get("/api/results").ok().json();
    assert_eq!(
        (&list[0]["name"], &list[0]["kind"]),
        (&json!("a short way"), &json!("path"))
    );
    let result = server.get(&format!("/api/results/{id}")).ok().json();
    let member = &result["members"][0];
    assert!(
        member["report"]["path_error_m"]["rms"]
            .as_f64()
            .is_some_and(|r| r < 0.3),
        "{}",
        member["report"]
    );
    assert!(member["bars"].as_array().is_some_and(|b| b.len() >= 5));
    assert!(
        result["command"]
            .as_str()
            .is_some_and(|c| c.starts_with("gaitway path graph.gway path.json --style "))
    );
    let motion =
        decode(&server.get(&format!("/api/results/{id}/motion")).ok().bytes).expect("a GWMO");
    assert_eq!(json!(motion.header.frames), member["frames"]);
    assert_eq!(
        json!(motion.header.transitions.len()),
        json!(member["transitions"].as_array().map_or(0, Vec::len))
    );
    for (format, magic) in [
        ("bvh", &b"HIERARCHY"[..]),
        ("glb", b"glTF"),
        ("npz", b"PK"),
        ("png", b"\x89PNG"),
        ("svg", b"<svg"),
        ("gif", b"GIF89a"),
        ("report", b"{"),
        ("path", b"{"),
    ] {
        let file = server
            .get(&format!("/api/results/{id}/export?format={format}"))
            .ok();
        assert!(file.bytes.starts_with(magic), "{format}");
        assert!(
            file.header("content-disposition")
                .starts_with("attachment; filename=\""),
            "{format}"
        );
    }
    assert_eq!(
        server
            .get(&format!("/api/results/{id}/export?format=obstacles"))
            .status,
        404
    );
    assert_eq!(
        server
            .get(&format!("/api/results/{id}/export?format=exe"))
            .status,
        400
    );
    assert_eq!(
        server
            .get(&format!("/api/results/{id}/motion?member=7"))
            .status,
        404
    );
    // The same after a restart, to the byte.
    let bvh = server
        .get(&format!("/api/results/{id}/export?format=bvh"))
        .ok()
        .bytes;
    let folder = server.stop();
    let again = Running::serve(gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    });
    assert_eq!(
        again
            .get(&format!("/api/results/{id}/export?format=bvh"))
            .ok()
            .bytes,
        bvh
    );
    assert_eq!(
        again
            .get(&format!("/api/jobs/{}", job["id"].as_str().unwrap_or("")))
            .ok()
            .json()["state"],
        "done"
    );
    // A part of it searched again.
    let other = again
        .job(&json!({ "kind": "resolve", "result": id, "from_s": 1.0, "to_s": 3.0, "seed": 3 }));
    if other["state"] == "done" {
        let new = other["result"].as_str().expect("a result");
        assert_eq!(
            again.get(&format!("/api/results/{new}")).ok().json()["kind"],
            "resolve"
        );
    } else {
        assert!(
            other["error"]
                .as_str()
                .is_some_and(|e| e.contains("no other way")),
            "{other}"
        );
    }
    assert_eq!(
        again
            .ask("DELETE", &format!("/api/results/{id}"), &[], None)
            .status,
        204
    );
    assert_eq!(again.get(&format!("/api/results/{id}")).status, 404);
}

#[test]
fn alternatives_crowds_and_walks() {
    let server = Running::start();
    let mut several = path_request();
    several["request"]["alternatives"] = json!(2);
    let job = server.job(&several);
    let result = server
        .get(&format!(
            "/api/results/{}",
            job["result"].as_str().expect("a result")
        ))
        .ok()
        .json();
    assert_eq!(result["members"][1]["alternative"], 1);
    let mut crowd = path_request();
    crowd["request"]["count"] = json!(2);
    crowd["request"]["obstacles"] = json!([{ "circle": [3.0, 3.0, 0.3] }]);
    let job = server.job(&crowd);
    let result = server
        .get(&format!(
            "/api/results/{}",
            job["result"].as_str().expect("a result")
        ))
        .ok()
        .json();
    assert_eq!(result["members"][1]["person"], 1);
    assert!(
        result["members"][1]["start_s"]
            .as_f64()
            .is_some_and(|s| s > 0.0)
    );
    assert!(
        result["files"]
            .as_array()
            .is_some_and(|f| f.contains(&json!("obstacles.json")))
    );
    let walk = server.job(&json!({ "kind": "walk", "seconds": 5, "label": "walk", "seed": 2 }));
    assert_eq!(walk["state"], "done", "{walk}");
    let result = server
        .get(&format!(
            "/api/results/{}",
            walk["result"].as_str().expect("a result")
        ))
        .ok()
        .json();
    assert_eq!(result["kind"], "walk");
}

#[test]
fn what_cannot_be_made_is_told_at_once() {
    let server = Running::start();
    for (change, field) in [
        (json!({ "points": [] }), "request.points"),
        (
            json!({ "points": [[0, 0], [0, 5]], "styles": [{ "label": "fly", "from_m": 0 }] }),
            "request.styles",
        ),
        (
            json!({ "points": [[0, 0], [0, 5]], "forbid": ["nobody"] }),
            "request.forbid",
        ),
        (
            json!({ "points": [[0, 0], [0, 5]], "obstacles": [{ "polygon": [[0, 0]] }] }),
            "request.obstacles",
        ),
    ] {
        let answer = server.post("/api/jobs", &json!({ "kind": "path", "request": change }));
        assert_eq!(answer.status, 400);
        assert_eq!(answer.json()["error"]["field"], field);
    }
    assert_eq!(
        server
            .post("/api/jobs", &json!({ "kind": "walk", "seconds": 1e9 }))
            .status,
        400
    );
    assert_eq!(
        server
            .post(
                "/api/jobs",
                &json!({ "kind": "walk", "seconds": 5, "label": "fly" })
            )
            .status,
        400
    );
    let walled = json!({ "kind": "path", "request": {
        "points": [[0, 0], [0, 6]],
        "obstacles": [{ "box": [-50, 2, 50, 3] }],
        "corridor_m": 1.0,
    } });
    let job = server.job(&walled);
    assert_eq!(job["state"], "failed");
    assert!(
        job["error"].as_str().is_some_and(|e| e.contains("no walk")),
        "{job}"
    );
}

#[test]
fn two_hundred_at_once() {
    let server = Running::start();
    let ids: Vec<String> = std::thread::scope(|scope| {
        let ask = |k: usize| {
            let answer = server.post(
                "/api/jobs",
                &json!({ "kind": "walk", "seconds": 2, "seed": k }),
            );
            assert_eq!(answer.status, 202);
            answer.json()["id"].as_str().expect("an id").to_owned()
        };
        let threads: Vec<_> = (0..20)
            .map(|t| scope.spawn(move || (0..10).map(|k| ask(10 * t + k)).collect::<Vec<_>>()))
            .collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().expect("asked"))
            .collect()
    });
    assert_eq!(
        ids.iter().collect::<std::collections::BTreeSet<_>>().len(),
        200
    );
    for id in &ids {
        assert_eq!(server.wait(id)["state"], "done");
    }
    assert_eq!(
        server
            .get("/api/results")
            .ok()
            .json()
            .as_array()
            .map_or(0, Vec::len),
        200
    );
}

#[test]
fn a_full_queue_says_so_and_waiting_jobs_are_cancelled() {
    let server = Running::start();
    let mut long = path_request();
    long["request"]["points"] = json!([[0, 0], [0, 200]]);
    let mut ids = Vec::new();
    let busy = loop {
        let answer = server.post("/api/jobs", &long);
        if answer.status == 503 {
            break answer;
        }
        ids.push(answer.ok().json()["id"].as_str().expect("an id").to_owned());
        assert!(ids.len() < 400);
    };
    assert_eq!(busy.code(), "busy");
    // Jobs that were begun may end as they like, and on a slow machine a few end while the queue fills; one that
    // still waits when it is cancelled never begins.
    let mut waited = 0;
    for id in ids.iter().rev() {
        let job = server
            .post(&format!("/api/jobs/{id}/cancel"), &json!({}))
            .ok()
            .json();
        if job["message"] == "cancelled before it began" {
            waited += 1;
            assert_eq!(job["state"], "cancelled");
            assert!(job["result"].is_null(), "{job}");
        }
    }
    assert!(waited > 200, "{waited} of {} waited", ids.len());
    for id in &ids {
        let state = server.wait(id)["state"].clone();
        assert!(state == "cancelled" || state == "done", "{state}");
    }
    let begun = server.get("/api/results").ok().json();
    assert!(begun.as_array().map_or(0, Vec::len) <= ids.len() - waited);
}

#[test]
fn a_search_stops_soon_and_keeps_its_best() {
    let server = Running::start();
    let mut socket = server.socket(None).expect("a socket");
    let mut long = path_request();
    long["request"]["points"] = json!([[0, 0], [0, 300], [150, 450]]);
    let id = server.post("/api/jobs", &long).ok().json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    hear(&mut socket, "best");
    let begin = Instant::now();
    server
        .post(&format!("/api/jobs/{id}/cancel"), &json!({}))
        .ok();
    let job = server.wait(&id);
    assert!(begin.elapsed() < Duration::from_secs(60));
    assert_eq!(job["state"], "cancelled", "{job}");
    let result = job["result"].as_str().expect("the best so far").to_owned();
    server.get(&format!("/api/results/{result}")).ok();
    assert_eq!(
        server
            .post(&format!("/api/jobs/{id}/cancel"), &json!({}))
            .status,
        200
    );
    assert_eq!(
        server
            .post("/api/jobs/none-000001/cancel", &json!({}))
            .status,
        404
    );
}

#[test]
fn a_build_is_stopped_and_taken_up_again() {
    let server = Running::start();
    let options = json!({ "fps": 30.0, "window_s": 0.4, "threshold_cm": 5.0, "auto": false, "ceiling_cm": 12.0 });
    let id = server
        .post("/api/jobs", &json!({ "kind": "build", "options": options }))
        .ok()
        .json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    server
        .post(&format!("/api/jobs/{id}/cancel"), &json!({}))
        .ok();
    let state = server.wait(&id)["state"].as_str().unwrap_or("").to_owned();
    if state == "cancelled" {
        server
            .post(&format!("/api/jobs/{id}/resume"), &json!({}))
            .ok();
        assert_eq!(server.wait(&id)["state"], "done");
    }
    let project = server.get("/api/project").ok().json();
    assert_eq!(project["graph"]["window_frames"], 13);
    assert_eq!(project["build"]["threshold_cm"], 5.0);
    assert_eq!(
        server
            .post(&format!("/api/jobs/{id}/resume"), &json!({}))
            .status,
        409
    );
}
