//! A graph connected better, what is told of it, and the way back.

use std::path::PathBuf;

use gaitway_core::testing::swinging_clip;
use gaitway_core::{Clip, ClipSet, performer};
use gaitway_graph::{GraphBuilder, MotionGraph, Thresholds};
use gaitway_studio::wire::account::AccountView;
use serde_json::{Value, json};

use super::client::Running;

/// Few clips, so that it takes a second.
fn walks() -> Vec<Clip> {
    let wanted = ["walk_slow_01", "walk_fast_01", "sneak_01"];
    let takes = performer::library(1, 30.0).expect("takes");
    let named = takes.into_iter().map(|t| {
        let name = t.clip.name().rsplit('/').next().unwrap_or("").to_owned();
        t.clip.with_name(name)
    });
    named.filter(|c| wanted.contains(&c.name())).collect()
}

/// A studio on a graph of some clips.
fn on(clips: Vec<Clip>, cm: f64) -> (Running, tempfile::TempDir) {
    let home = tempfile::tempdir().expect("a folder");
    let path: PathBuf = home.path().join("g.gway");
    let set = ClipSet::new(clips).expect("one body");
    let built = GraphBuilder::new(set)
        .thresholds(Thresholds::cm(cm))
        .build(&mut ());
    built.expect("a graph").0.save(&path).expect("saved");
    let server = Running::with(|c| c.inputs = vec![path.to_string_lossy().into_owned()]);
    (server, home)
}

fn summary(server: &Running) -> Value {
    server.get("/api/project").ok().json()["graph"].clone()
}

fn connected(server: &Running) -> Value {
    server.get("/api/graph/connected").ok().json()
}

fn graph(server: &Running) -> MotionGraph {
    MotionGraph::load(&server.folder().join("graph.gway")).expect("a graph")
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn before_and_after_are_told_and_there_is_a_way_back() {
    let (server, _home) = on(walks(), 3.0);
    let plain = summary(&server);
    let before = connected(&server);
    assert_eq!(
        (&before["interpolated_clips"], &before["captured_alone"]),
        (&json!(0), &Value::Null)
    );
    let job = server.job(&json!({ "kind": "enrich" }));
    assert_eq!(
        (&job["state"], &job["kind"]),
        (&json!("done"), &json!("enrich")),
        "{job}"
    );
    let better = summary(&server);
    let made = better["interpolated_clips"].as_u64().expect("a number");
    assert!(made > 0 && better["clips"] == plain["clips"], "{better}");
    assert_eq!(better["seconds"], plain["seconds"]);

    // Held against captured clips alone, which are as they were.
    let now = connected(&server);
    assert_eq!(now["captured_alone"], before["now"]);
    assert_eq!(now["interpolated_clips"], json!(made));
    let share = |v: &Value| v["largest_share"].as_f64().expect("a share");
    let soon = |v: &Value| v["to_other_label_s"].as_f64().expect("seconds");
    assert!(share(&now["now"]) >= share(&before["now"]));
    assert!(soon(&now["now"]) < soon(&before["now"]), "{now}");
    let ways = |v: &Value| {
        let rows = list(v, "reach")
            .iter()
            .flat_map(|r| r.as_array().expect("a row"));
        rows.filter(|c| **c == json!(true)).count()
    };
    assert!(ways(&now["now"]) >= ways(&before["now"]));

    // Lists are of captured clips alone.
    let clips = server.get("/api/clips").ok().json();
    assert_eq!(clips.as_array().map(Vec::len), Some(3));
    let topology = server.get("/api/graph/topology").ok().json();
    assert_eq!(list(&topology, "clips").len(), 3);
    let nodes = list(&topology["nodes"], "clip");
    assert!(nodes.iter().all(|c| c.as_u64() < Some(3)));
    for (part, ends) in [("transitions", ["from", "to"]), ("pieces", ["from", "to"])] {
        let ends = ends.iter().flat_map(|e| list(&topology[part], e));
        assert!(
            ends.into_iter()
                .all(|n| n.as_u64() < Some(nodes.len() as u64))
        );
    }
    assert!(!list(&topology["interpolated"], "from_clip").is_empty());
    let account = server.get("/api/graph/account").ok().json();
    let account: AccountView = serde_json::from_value(account).expect("as described");
    assert!(
        account
            .interpolated
            .is_some_and(|i| i.joins > 0 && i.clips > 0)
    );

    // The way back leads to the graph as it was.
    let back = server.post("/api/graph/captured", &json!({})).ok().json();
    assert_eq!(
        (&back["tag"], &back["interpolated_clips"]),
        (&plain["tag"], &json!(0))
    );
    assert!(!graph(&server).is_enriched());
    assert_eq!(connected(&server), before);
    let again = server.post("/api/graph/captured", &json!({}));
    assert_eq!((again.status, again.code()), (409, "conflict".to_owned()));
}

#[test]
fn thresholds_go_on_working() {
    let (server, _home) = on(walks(), 3.0);
    server.job(&json!({ "kind": "enrich" }));
    let made = summary(&server)["interpolated_clips"].clone();
    let joins = |g: &MotionGraph| g.edges().filter(|&e| g.is_join(e)).count();
    let before = joins(&graph(&server));
    let lower = json!({ "default_cm": 1.5, "cells": [] });
    let tried = server.post("/api/graph/rethreshold", &lower).ok().json();
    assert_eq!(list(&tried, "kept_by_clip").len(), 3);
    let kept = tried["kept_seconds"].as_f64().expect("seconds");
    assert!(
        kept <= tried["seconds"].as_f64().expect("seconds"),
        "{tried}"
    );
    let set = server.post("/api/graph/thresholds", &lower).ok().json();
    assert_eq!(set["transitions"], tried["transitions"]);
    assert!((set["kept_seconds"].as_f64().expect("seconds") - kept).abs() < 1e-6);
    // Interpolated clips stay; of what leads to them, what is above goes, and comes back with the threshold.
    assert_eq!(set["interpolated_clips"], made);
    let fewer = joins(&graph(&server));
    assert!(fewer < before, "{fewer} {before}");
    assert!(connected(&server)["captured_alone"].is_object());
    let higher = json!({ "default_cm": 3.0, "cells": [] });
    server.post("/api/graph/thresholds", &higher).ok();
    assert_eq!(joins(&graph(&server)), before);
    let curves = server.get("/api/graph/thresholds").ok().json()["curves"].clone();
    let most = list(&curves, "kept_seconds")
        .iter()
        .filter_map(Value::as_f64);
    assert!(most.fold(0.0, f64::max) <= tried["seconds"].as_f64().expect("seconds") + 1e-6);
}

#[test]
fn results_say_when_they_play_interpolated_motion() {
    let (server, _home) = on(walks(), 3.0);
    server.job(&json!({ "kind": "enrich" }));
    let mut seen = 0;
    for seed in 1..=8 {
        let job = server.job(&json!({ "kind": "walk", "seconds": 20, "seed": seed }));
        let id = job["result"].as_str().expect("a result");
        let result = server.get(&format!("/api/results/{id}")).ok().json();
        let member = &result["members"][0];
        let length = member["seconds"].as_f64().expect("seconds");
        let mut reached = 0.0;
        for span in list(member, "interpolated") {
            let [from, to] = ["start_s", "end_s"].map(|f| span[f].as_f64().expect("seconds"));
            assert!(
                reached <= from && from < to && to <= length + 1e-9,
                "{span}"
            );
            reached = to;
            let between = list(span, "between");
            assert!(
                between.len() == 2
                    && between.iter().all(|c| {
                        ["walk_slow_01", "walk_fast_01", "sneak_01"]
                            .contains(&c.as_str().unwrap_or(""))
                    })
            );
            seen += 1;
        }
        for mark in list(member, "transitions") {
            for end in ["from", "to"] {
                let name = mark[end].as_str().expect("a place");
                assert!(!name.contains("interpolated/"), "{name}");
            }
        }
    }
    assert!(seen > 0, "some walk leads through interpolated motion");
    // What is kept of captured clips is listed after a restart too, and nothing else.
    let folder = server.stop();
    let again = Running::serve(gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    });
    let clips = again.get("/api/clips").ok().json();
    assert_eq!(clips.as_array().map(Vec::len), Some(3));
    assert!(summary(&again)["interpolated_clips"].as_u64() > Some(0));
}

#[test]
fn where_nothing_comes_of_it_the_graph_stays() {
    let clips = ["a", "b"].map(|n| swinging_clip(n, 240, 60.0)).to_vec();
    let (server, _home) = on(clips, 5.0);
    let before = summary(&server);
    let job = server.job(&json!({ "kind": "enrich" }));
    assert_eq!(job["state"], "failed", "{job}");
    let why = job["error"].as_str().expect("a reason");
    assert!(why.contains("contacts"), "{why}");
    assert_eq!(job["hint"], "The graph is as it was.");
    assert_eq!(summary(&server), before);
}

#[test]
fn it_can_be_cancelled_and_runs_once_at_a_time() {
    let (server, _home) = on(walks(), 3.0);
    let before = summary(&server);
    let ask = json!({ "kind": "enrich" });
    let job = server.post("/api/jobs", &ask).ok().json();
    let second = server.post("/api/jobs", &ask);
    assert_eq!((second.status, second.code()), (409, "conflict".to_owned()));
    let id = job["id"].as_str().expect("an id");
    let cancel = format!("/api/jobs/{id}/cancel");
    server.post(&cancel, &json!({})).ok();
    assert_eq!(server.wait(id)["state"], "cancelled");
    assert_eq!(summary(&server), before);
    let odd = server.post("/api/jobs", &json!({ "kind": "enrich", "threshold_cm": 3 }));
    assert_eq!(odd.status, 400);
}
