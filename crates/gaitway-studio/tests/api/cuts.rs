//! Cuts at the ends of clips, wherever the server tells of transitions.

use gaitway_graph::{EndCandidateId, MotionGraph, Transitions};
use gaitway_studio::wire::gwmo::{self, KindJson};
use serde_json::{Value, json};

use super::client::Running;
use super::graph::first_of;

fn graph(server: &Running) -> MotionGraph {
    MotionGraph::load(&server.folder().join("graph.gway")).expect("a graph")
}

/// Clip ids and frames by which the transition at a place of the columns is asked for.
fn ask(topology: &Value, at: usize) -> String {
    let t = &topology["transitions"];
    let clip = |end: &str| {
        let node = t[end][at].as_u64().expect("a node") as usize;
        let clip = topology["nodes"]["clip"][node].as_u64().expect("a clip") as usize;
        topology["clips"][clip]["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    let (a, b) = (clip("from"), clip("to"));
    let (i, j) = (&t["from_frame"][at], &t["to_frame"][at]);
    format!("a={a}&i={i}&b={b}&j={j}")
}

#[test]
fn every_transition_of_the_drawing_can_be_inspected() {
    let server = Running::start();
    let topology = server.get("/api/graph/topology").ok().json();
    let graph = graph(&server);
    let t = &topology["transitions"];
    let count = t["edge"].as_array().expect("edges").len();
    let cuts = t["kind"]
        .as_array()
        .expect("kinds")
        .iter()
        .filter(|k| *k == "cut")
        .count();
    assert!(cuts > 0 && cuts < count, "{cuts} of {count}");
    let project = server.get("/api/project").ok().json();
    assert_eq!(project["graph"]["cuts"], json!(cuts));
    // A cut, a blend, and a few between.
    let some = [first_of(&topology, "cut"), first_of(&topology, "blend")];
    for at in some.into_iter().chain((0..count).step_by(count / 20 + 1)) {
        let edge = gaitway_graph::EdgeId(t["edge"][at].as_u64().expect("an edge") as u32);
        let own = graph.transition(edge).expect("a transition");
        let seen = server
            .get(&format!("/api/graph/transition?{}", ask(&topology, at)))
            .ok()
            .json();
        assert_eq!(seen["kind"], t["kind"][at]);
        assert_eq!(seen["frames"], json!(own.frames));
        assert_eq!(seen["frames"], t["frames"][at]);
        assert_eq!(seen["state"], "in", "{seen}");
        let near = |field: &str, wanted: f64| {
            let there = seen[field].as_f64().expect("a number");
            assert!((there - wanted).abs() < 1e-6, "{field}: {there} {wanted}");
        };
        near("distance_cm", own.distance_cm());
        let seconds = |node: gaitway_graph::NodeId| {
            let node = graph.node(node);
            let info = graph.clip_info(node.clip);
            info.source_boundary(node.boundary) as f64 / info.rate_hz()
        };
        near("leaves_s", seconds(graph.from(edge)));
        near("arrives_s", seconds(graph.to(edge)));
        let threshold = seen["threshold_cm"].as_f64().expect("a threshold");
        assert!(own.distance_cm() <= threshold + 1e-9);
        let share = seen["compared_frames"].as_f64().expect("frames")
            / seen["window_frames"].as_f64().expect("frames");
        near(
            "threshold_cm",
            seen["label_threshold_cm"].as_f64().expect("one") * share.sqrt(),
        );
    }
}

#[test]
fn a_cut_shows_the_clip_entered_and_fades() {
    let server = Running::start();
    let topology = server.get("/api/graph/topology").ok().json();
    let at = first_of(&topology, "cut");
    let edge = &topology["transitions"]["edge"][at];
    let decode = |path: &str| gwmo::decode(&server.get(path).ok().bytes).expect("a GWMO");
    let whole = decode(&format!("/api/graph/edge/{edge}/motion"));
    let part = |part: &str| {
        decode(&format!(
            "/api/graph/transition/motion?{}&part={part}",
            ask(&topology, at)
        ))
    };
    let (one, other, joined) = (part("from"), part("to"), part("blend"));
    assert_eq!(joined.points, whole.points);
    assert_eq!(joined.header.transitions, whole.header.transitions);
    let mark = &joined.header.transitions[0];
    assert_eq!(mark.kind, KindJson::Cut);
    // The clips meet where it begins, after a second of context.
    assert_eq!((mark.t, mark.start_s), (1.0, Some(1.0)));
    let lasts = topology["transitions"]["frames"][at]
        .as_u64()
        .expect("frames") as usize;
    assert!((mark.seconds - lasts as f64 / 30.0).abs() < 1e-9);
    let per = joined.header.joints.len();
    assert_eq!(joined.points[..30 * per], one.points[..30 * per]);
    assert_eq!(
        joined.points[(30 + lasts) * per..],
        other.points[(30 + lasts) * per..]
    );
    assert_ne!(
        joined.points[30 * per..],
        other.points[30 * per..],
        "displaced at first"
    );
}

#[test]
fn cuts_that_were_left_out_say_why() {
    let server = Running::start();
    server
        .post(
            "/api/graph/thresholds",
            &json!({ "default_cm": 1.0, "cells": [] }),
        )
        .ok();
    let graph = graph(&server);
    let table = graph.end_candidates();
    let group = table
        .groups()
        .find(|g| {
            let mut all = (g.start..g.end).map(|k| table.get(EndCandidateId(k)));
            all.any(|c| c.frames < 15 && c.distance_cm() > 1.0)
        })
        .expect("a cut above a centimetre");
    let id = |clip| server.clip(graph.clip_info(clip).name());
    let (a, b) = (id(group.a), id(group.b));
    let list = server
        .get(&format!("/api/graph/minima?a={a}&b={b}"))
        .ok()
        .json();
    let minima = list["minima"].as_array().expect("minima");
    let cuts: Vec<&Value> = minima.iter().filter(|m| m["kind"] == "cut").collect();
    assert_eq!(cuts.len(), (group.end - group.start) as usize);
    let lasting = |m: &&Value| m["seconds"].as_f64().is_some_and(|s| s > 0.1 && s <= 0.51);
    assert!(cuts.iter().all(lasting));
    let out = cuts
        .iter()
        .find(|m| m["why"].as_str().is_some_and(|w| w.contains("stricter")))
        .expect("one above its threshold");
    let (i, j) = (&out["i"], &out["j"]);
    let seen = server
        .get(&format!("/api/graph/transition?a={a}&i={i}&b={b}&j={j}"))
        .ok()
        .json();
    assert_eq!(
        (&seen["kind"], &seen["state"]),
        (&json!("cut"), &json!("out"))
    );
    assert_eq!(seen["why"], out["why"]);
    assert_eq!(seen["label_threshold_cm"], 1.0);
    let threshold = seen["threshold_cm"].as_f64().expect("a threshold");
    assert!(threshold < 1.0 && seen["distance_cm"].as_f64().is_some_and(|d| d > threshold));
}

#[test]
fn where_no_cut_was_found_it_is_said() {
    let server = Running::start();
    let (a, b) = (server.clip("walk_normal_01"), server.clip("run_01"));
    // A clip's first frame left for another's last: nothing comes after, so nobody looks there.
    let last = graph(&server);
    let last = last
        .clip_info(last.find_clip("run_01").expect("a clip"))
        .working_frames()
        - 1;
    let answer = server.get(&format!("/api/graph/transition?a={a}&i=0&b={b}&j={last}"));
    assert_eq!(answer.status, 422);
    let error = &answer.json()["error"];
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|m| m.contains("no cut was found")),
        "{error}"
    );
    let answer = server.get(&format!("/api/graph/transition?a={a}&i=99999&b={b}&j=30"));
    assert_eq!(
        (answer.status, answer.json()["error"]["field"].clone()),
        (422, json!("a"))
    );
}

#[test]
fn kept_seconds_of_clips_add_up_to_the_account() {
    let server = Running::start();
    assert_eq!(graph(&server).options().transitions, Transitions::Auto);
    let account = server.get("/api/graph/account").ok().json();
    let reasons = account["lost"].as_array().expect("rows").iter();
    assert_eq!(reasons.filter(|l| l["reason"] == "border").count(), 0);
    let clips = server.get("/api/clips").ok().json();
    let kept = clips.as_array().expect("clips").iter();
    let kept: f64 = kept
        .map(|c| c["kept_seconds"].as_f64().unwrap_or(0.0))
        .sum();
    let whole = account["kept_seconds"].as_f64().expect("seconds");
    assert!(
        (kept - whole).abs() < 1e-6,
        "{kept} of clips, {whole} in all"
    );
}
