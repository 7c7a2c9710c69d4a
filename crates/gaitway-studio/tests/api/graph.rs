use gaitway_graph::{MotionGraph, Thresholds};
use gaitway_metric::{PointCloud, candidates_between, distance_grid};
use serde_json::{Value, json};

use super::client::{Running, hear};

/// The place of the first transition of a kind in a topology's columns.
pub fn first_of(topology: &Value, kind: &str) -> usize {
    let kinds = topology["transitions"]["kind"].as_array().expect("kinds");
    kinds.iter().position(|k| k == kind).expect("one of them")
}

fn graph(server: &Running) -> MotionGraph {
    MotionGraph::load(&server.folder().join("graph.gway")).expect("a graph")
}

#[test]
fn trying_thresholds_gives_what_setting_them_gives() {
    let server = Running::start();
    let view = server.get("/api/graph/thresholds").ok().json();
    let labels = view["labels"].as_array().expect("labels").clone();
    assert!(labels.len() > 2, "{labels:?}");
    assert!(
        view["curves"]["cm"]
            .as_array()
            .is_some_and(|c| c.len() == 25)
    );
    let kept = view["curves"]["kept_seconds"].as_array().expect("a curve");
    assert!(kept[24].as_f64() >= kept[0].as_f64());
    let mut cells = vec![vec![Value::Null; labels.len()]; labels.len()];
    cells[1][1] = json!(6.5);
    let body = json!({ "default_cm": 4.0, "cells": cells });
    let tried = server.post("/api/graph/rethreshold", &body).ok().json();
    // Nothing has changed yet.
    let before = graph(&server);
    assert_eq!(
        server.get("/api/graph/thresholds").ok().json()["default_cm"],
        view["default_cm"]
    );
    let name = |k: usize| labels[k].as_str().expect("a label").to_owned();
    let wanted = Thresholds::Pairs {
        default_cm: 4.0,
        pairs: vec![(name(1), name(1), 6.5)],
    };
    let (real, account) = before.rethreshold(&wanted, before.options()).expect("cut");
    assert_eq!(tried["transitions"], json!(real.transition_count()));
    assert_eq!(tried["nodes"], json!(real.node_count()));
    assert_eq!(tried["edges"], json!(real.edge_count()));
    let near = |a: &Value, b: f64| (a.as_f64().unwrap_or(-1.0) - b).abs() < 1e-6;
    assert!(
        near(&tried["kept_seconds"], account.kept_seconds),
        "{} {}",
        tried["kept_seconds"],
        account.kept_seconds
    );
    for (row, own) in tried["labels"]
        .as_array()
        .expect("rows")
        .iter()
        .zip(&account.labels)
    {
        assert_eq!(row["label"], json!(own.label));
        assert!(
            near(&row["kept_seconds"], own.kept_seconds),
            "{row} {own:?}"
        );
        assert!(near(&row["seconds"], own.seconds));
        assert_eq!(row["components"], json!(own.components));
    }
    let set = server.post("/api/graph/thresholds", &body).ok().json();
    assert_eq!(set["transitions"], tried["transitions"]);
    assert_eq!(graph(&server).transition_count(), real.transition_count());
    let auto = server
        .post("/api/graph/thresholds", &json!({ "auto": true }))
        .ok()
        .json();
    assert_eq!(auto["transitions"], json!(before.transition_count()));
}

#[test]
fn a_dragged_slider_is_answered_over_the_socket() {
    let server = Running::start();
    let mut socket = server.socket(None).expect("a socket");
    hear(&mut socket, "hello");
    for seq in 1..=20 {
        let ask = json!({ "type": "rethreshold", "seq": seq, "default_cm": 2.0 + f64::from(seq) / 10.0, "cells": [] });
        socket
            .send(tungstenite::Message::text(ask.to_string()))
            .expect("sent");
    }
    let mut last = 0;
    while last < 20 {
        let answer = hear(&mut socket, "rethreshold");
        let seq = answer["seq"].as_i64().expect("a number");
        assert!(seq > last, "in order");
        assert!(answer["transitions"].as_u64().is_some());
        last = seq;
    }
    socket
        .send(tungstenite::Message::text("nonsense"))
        .expect("sent");
    assert_eq!(hear(&mut socket, "error")["error"]["code"], "bad-request");
    let bad = json!({ "type": "rethreshold", "seq": 21, "default_cm": -1, "cells": [] });
    socket
        .send(tungstenite::Message::text(bad.to_string()))
        .expect("sent");
    assert_eq!(hear(&mut socket, "error")["seq"], 21);
}

#[test]
fn the_heat_map_is_the_distance() {
    let server = Running::start();
    let (a, b) = (server.clip("walk_normal_01"), server.clip("run_01"));
    let bytes = server
        .get(&format!("/api/graph/heatmap?a={a}&b={b}&max=4096"))
        .ok()
        .bytes;
    let graph = graph(&server);
    let cloud = |name: &str| {
        let clip = graph
            .clip(graph.find_clip(name).expect("a clip"))
            .expect("frames");
        PointCloud::from_clip(&clip, &graph.options().markers, graph.options().fps)
            .expect("a cloud")
    };
    let (one, two) = (cloud("walk_normal_01"), cloud("run_01"));
    let grid = distance_grid(&one, &two, &graph.options().metric).expect("a grid");
    let word = |k: usize| u32::from_le_bytes(bytes[4 * k..4 * k + 4].try_into().expect("four"));
    assert_eq!(
        (&bytes[..4], word(1), word(2), word(3)),
        (b"GWHM".as_slice(), 2, grid.rows as u32, grid.cols as u32)
    );
    assert_eq!(word(6), 1, "every frame is compared");
    for (k, cm) in grid.cm.iter().enumerate() {
        let there = f32::from_bits(word(7 + k));
        assert!(there == *cm || (there.is_nan() && cm.is_nan()), "{k}");
    }
    let minima = server
        .get(&format!("/api/graph/minima?a={a}&b={b}"))
        .ok()
        .json();
    let found = candidates_between(&one, &two, &graph.options().metric).expect("minima");
    let blends = |minima: &Value| -> Vec<Value> {
        let all = minima["minima"].as_array().expect("minima").iter();
        all.filter(|m| m["kind"] == "blend").cloned().collect()
    };
    assert_eq!(blends(&minima).len(), found.candidates.len());
    // From the other side the same places, turned.
    let back = server
        .get(&format!("/api/graph/minima?a={b}&b={a}"))
        .ok()
        .json();
    assert_eq!(blends(&back).len(), found.candidates.len());
    assert_eq!(blends(&back)[0]["i"], blends(&minima)[0]["j"]);
}

#[test]
fn of_long_clips_every_so_manyth_frame_is_compared() {
    let server = Running::start();
    // Seven minutes at 30 Hz against themselves are more pairs than are compared at once.
    let clip = gaitway_core::testing::swinging_clip("long", 2200, 5.0);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("long.bvh");
    gaitway_io::write_file(&file, &clip, &gaitway_io::WriteOptions::default()).expect("written");
    let bytes = std::fs::read(&file).expect("read");
    server.upload(&[("long.bvh", &bytes)]).ok();
    let id = server.clip("long");
    let map = server
        .get(&format!("/api/graph/heatmap?a={id}&b={id}&max=64"))
        .ok()
        .bytes;
    let word = |k: usize| u32::from_le_bytes(map[4 * k..4 * k + 4].try_into().expect("four"));
    assert_eq!((word(1), word(6)), (2, 2));
    let seconds = f64::from(f32::from_bits(word(4))) * f64::from(word(2));
    assert!((seconds - 440.0).abs() < 20.0, "{seconds} s in all");
    // On the diagonal every cell has frames that are the same.
    let cells = word(2) as usize;
    let same = (1..cells - 1).filter(|k| f32::from_bits(word(7 + k * cells + k)) < 1e-3);
    assert_eq!(same.count(), cells - 2);
    let minima = server.get(&format!("/api/graph/minima?a={id}&b={id}"));
    assert_eq!(minima.status, 422);
    assert!(minima.json()["error"]["hint"].is_string());
}

#[test]
fn minima_say_why() {
    let server = Running::start();
    server
        .post(
            "/api/graph/thresholds",
            &json!({ "default_cm": 3.0, "cells": [] }),
        )
        .ok();
    let (a, b) = (server.clip("walk_normal_01"), server.clip("walk_normal_02"));
    let list = server
        .get(&format!("/api/graph/minima?a={a}&b={b}"))
        .ok()
        .json();
    let mut minima = list["minima"].as_array().expect("minima").clone();
    minima.retain(|m| m["kind"] == "blend");
    let of = |state: &str| {
        minima
            .iter()
            .filter(|m| m["state"] == state)
            .cloned()
            .collect::<Vec<_>>()
    };
    let (inside, outside) = (of("in"), of("out"));
    assert!(
        !inside.is_empty() && !outside.is_empty(),
        "{} of {}",
        inside.len(),
        minima.len()
    );
    for m in &inside {
        assert!(m["distance_cm"].as_f64().is_some_and(|d| d <= 3.0), "{m}");
    }
    assert!(outside.iter().any(|m| {
        m["why"]
            .as_str()
            .is_some_and(|w| w.contains("above the threshold of 3.00 cm for "))
    }));
    for m in minima.iter().take(3) {
        let (i, j) = (&m["i"], &m["j"]);
        let one = server
            .get(&format!("/api/graph/transition?a={a}&i={i}&b={b}&j={j}"))
            .ok()
            .json();
        assert_eq!((&one["state"], &one["why"]), (&m["state"], &m["why"]));
        assert_eq!(one["threshold_cm"], 3.0);
        let counts: Vec<usize> = ["from", "to", "blend"]
            .map(|part| {
                let path =
                    format!("/api/graph/transition/motion?a={a}&i={i}&b={b}&j={j}&part={part}");
                let decoded = gaitway_studio::wire::gwmo::decode(&server.get(&path).ok().bytes)
                    .expect("a GWMO");
                decoded.header.count
            })
            .to_vec();
        // A second, half a second, a second at 30 Hz.
        assert_eq!(counts, [75, 75, 75]);
    }
}

#[test]
fn the_blend_begins_as_one_and_ends_as_the_other() {
    let server = Running::start();
    let topology = server.get("/api/graph/topology").ok().json();
    let at = first_of(&topology, "blend");
    let edge = topology["transitions"]["edge"][at]
        .as_u64()
        .expect("a transition");
    let decode = |bytes: &[u8]| gaitway_studio::wire::gwmo::decode(bytes).expect("a GWMO");
    let shown = decode(
        &server
            .get(&format!("/api/graph/edge/{edge}/motion"))
            .ok()
            .bytes,
    );
    assert_eq!(shown.header.transitions.len(), 1);
    let piece = topology["pieces"]["edge"][0].as_u64().expect("a piece");
    assert!(
        decode(
            &server
                .get(&format!("/api/graph/edge/{piece}/motion"))
                .ok()
                .bytes
        )
        .header
        .count
            > 0
    );
    let node = |which: &str| topology["transitions"][which][at].as_u64().expect("a node") as usize;
    let (from, to) = (node("from"), node("to"));
    let clip = |n: usize| {
        let at = topology["nodes"]["clip"][n].as_u64().expect("a clip") as usize;
        topology["clips"][at]["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    // A transition leaves before frame i − L and enters at frame j + L + 1, with L = 7 at 30 Hz.
    let i = topology["nodes"]["frame"][from].as_u64().expect("a frame") + 7;
    let j = topology["nodes"]["frame"][to].as_u64().expect("a frame") - 8;
    let asked = |which: &str| topology["transitions"][which][at].as_u64();
    assert_eq!((asked("from_frame"), asked("to_frame")), (Some(i), Some(j)));
    let motion = |part: &str| {
        let (a, b) = (clip(from), clip(to));
        decode(
            &server
                .get(&format!(
                    "/api/graph/transition/motion?a={a}&i={i}&b={b}&j={j}&part={part}"
                ))
                .ok()
                .bytes,
        )
    };
    let (one, other, blend) = (motion("from"), motion("to"), motion("blend"));
    assert_eq!(blend.points, shown.points);
    let per = blend.header.joints.len();
    assert_eq!(blend.points[..30 * per], one.points[..30 * per]);
    assert_eq!(blend.points[45 * per..], other.points[45 * per..]);
}
