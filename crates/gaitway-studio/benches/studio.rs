//! How long the studio keeps people waiting, through a real socket. Writes `docs/results/studio.md`.

use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gaitway_studio::{Config, Server};
use serde_json::{Value, json};
use tungstenite::WebSocket;
use tungstenite::client::IntoClientRequest;

/// A server on a thread, and who asks it.
struct Studio {
    address: std::net::SocketAddr,
    agent: ureq::Agent,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Studio {
    fn start(config: Config) -> Self {
        let server = Server::open(config).expect("opens");
        let address = server.address();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            let ended = server.run(async {
                let _ = stopped.await;
            });
            ended.expect("runs");
        });
        Self {
            address,
            agent: ureq::Agent::new_with_defaults(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    fn get(&self, path: &str) -> Vec<u8> {
        let mut answer = self
            .agent
            .get(format!("http://{}{path}", self.address))
            .call()
            .expect("an answer");
        answer
            .body_mut()
            .with_config()
            .limit(1 << 30)
            .read_to_vec()
            .expect("a body")
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.get(path)).expect("JSON")
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.agent.post(format!("http://{}{path}", self.address));
        let mut answer = request
            .header("content-type", "application/json")
            .send(body.to_string())
            .expect("an answer");
        serde_json::from_slice(&answer.body_mut().read_to_vec().expect("a body")).expect("JSON")
    }

    fn job(&self, request: &Value) -> Value {
        let id = self.post("/api/jobs", request)["id"]
            .as_str()
            .expect("an id")
            .to_owned();
        loop {
            let job = self.json(&format!("/api/jobs/{id}"));
            if !matches!(job["state"].as_str(), Some("queued" | "running")) {
                assert_eq!(job["state"], "done", "{job}");
                return job;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn socket(&self) -> WebSocket<TcpStream> {
        let request = format!("ws://{}/api/events", self.address)
            .into_client_request()
            .expect("a request");
        let stream = TcpStream::connect(self.address).expect("a stream");
        let (mut socket, _) = tungstenite::client::client(request, stream).expect("a socket");
        hear(&mut socket, "hello");
        socket
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.stop.take().map(|s| s.send(()));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn hear(socket: &mut WebSocket<TcpStream>, kind: &str) -> Value {
    loop {
        if let tungstenite::Message::Text(text) = socket.read().expect("a message") {
            let value: Value = serde_json::from_str(&text).expect("JSON");
            if value["type"] == kind {
                return value;
            }
        }
    }
}

/// Median and worst in milliseconds.
fn spread(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let ms = |d: Duration| d.as_secs_f64() * 1000.0;
    (
        ms(times[times.len() / 2]),
        times.last().map_or(0.0, |&d| ms(d)),
    )
}

fn timed(count: usize, mut work: impl FnMut(usize)) -> (f64, f64) {
    let times = (0..count).map(|k| {
        let begin = Instant::now();
        work(k);
        begin.elapsed()
    });
    spread(times.collect())
}

/// Slider drags over REST and over the socket.
fn drags(studio: &Studio) -> [(f64, f64); 2] {
    let body = |k: usize| json!({ "default_cm": 3.0 + 0.05 * k as f64, "cells": [] });
    let rest = timed(30, |k| {
        drop(studio.post("/api/graph/rethreshold", &body(k)))
    });
    let mut socket = studio.socket();
    let live = timed(30, |k| {
        let mut ask = body(k);
        ask["type"] = json!("rethreshold");
        ask["seq"] = json!(k);
        socket
            .send(tungstenite::Message::text(ask.to_string()))
            .expect("sent");
        hear(&mut socket, "rethreshold");
    });
    [rest, live]
}

/// Until the first walk can be shown, and until the motion is kept.
fn first_best(studio: &Studio) -> ((f64, f64), (f64, f64)) {
    let mut socket = studio.socket();
    let request = json!({ "kind": "path", "request": {
        "points": [[0, 0], [2, 3], [0, 6], [-2, 9], [0, 12]], "smooth": true,
        "styles": [{ "label": "walk", "from_m": 0 }],
    } });
    let (mut first, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let begin = Instant::now();
        let id = studio.post("/api/jobs", &request)["id"].clone();
        while hear(&mut socket, "best")["job"] != id {}
        drop(studio.get(&format!("/api/jobs/{}/best", id.as_str().unwrap_or(""))));
        first.push(begin.elapsed());
        loop {
            let job = hear(&mut socket, "job");
            if job["job"]["id"] == id && job["job"]["state"] == "done" {
                break;
            }
        }
        whole.push(begin.elapsed());
    }
    (spread(first), spread(whole))
}

/// An hour of motion, part by part: megabytes, seconds, and the slowest part.
fn hour(studio: &Studio) -> (f64, f64, f64, usize) {
    let job = studio.job(&json!({ "kind": "walk", "seconds": 3600, "label": "walk" }));
    let id = job["result"].as_str().expect("a result").to_owned();
    let frames = studio.json(&format!("/api/results/{id}"))["members"][0]["frames"]
        .as_u64()
        .expect("frames") as usize;
    let begin = Instant::now();
    let (mut bytes, mut slowest) = (0, Duration::ZERO);
    for from in (0..frames).step_by(4096) {
        let part = Instant::now();
        bytes += studio
            .get(&format!("/api/results/{id}/motion?from={from}&count=4096"))
            .len();
        slowest = slowest.max(part.elapsed());
    }
    (
        bytes as f64 / 1e6,
        begin.elapsed().as_secs_f64(),
        slowest.as_secs_f64() * 1000.0,
        frames,
    )
}

fn main() {
    let mut arguments = std::env::args().skip_while(|a| a != "--out").skip(1);
    let out = arguments.next().map(PathBuf::from);
    let folder = tempfile::tempdir().expect("a folder");
    let config = |name: &str| Config {
        project: folder.path().join(name),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..Config::default()
    };
    let begin = Instant::now();
    let studio = Studio::start(config("demo"));
    let fresh = begin.elapsed().as_secs_f64();
    drop(studio);
    let begin = Instant::now();
    let studio = Studio::start(config("demo"));
    let again = begin.elapsed().as_secs_f64();
    let page = timed(50, |_| drop(studio.get("/")));
    let project = timed(50, |_| drop(studio.get("/api/project")));
    let topology = timed(10, |_| drop(studio.get("/api/graph/topology")));
    let clip = studio.json("/api/clips")[5]["id"]
        .as_str()
        .expect("a clip")
        .to_owned();
    let motion = timed(20, |_| {
        drop(studio.get(&format!("/api/clips/{clip}/motion")))
    });
    let thumbnail = timed(20, |_| {
        drop(studio.get(&format!("/api/clips/{clip}/thumbnail.svg")))
    });
    let heat = timed(10, |_| {
        drop(studio.get(&format!("/api/graph/heatmap?a={clip}&b={clip}")))
    });
    let (best, whole) = first_best(&studio);
    let hour = hour(&studio);
    studio.job(&json!({ "kind": "build", "options": { "ceiling_cm": 30.0 } }));
    let candidates = studio.json("/api/project")["graph"]["candidates"]
        .as_u64()
        .expect("a count");
    let [rest, live] = drags(&studio);
    let row = |what: &str, (median, worst): (f64, f64), bar: &str| {
        format!("| {what} | {median:.1} | {worst:.1} | {bar} |\n")
    };
    let mut text = String::from(
        "# The studio's server\n\nThrough a real socket on the same machine, on the graph of the built-in performer (46 clips, ten \
         minutes at 60 Hz). Milliseconds, median and worst. Times grow with whatever else runs on the machine.\n\nMachine: AMD \
         EPYC, 2 cores. Command: `benches/studio.sh`.\n\n| what | median | worst | bar |\n| --- | --- | --- | --- |\n",
    );
    text += &row(
        &format!("threshold drag, {candidates} candidates, over REST"),
        rest,
        "100",
    );
    text += &row(
        &format!("threshold drag, {candidates} candidates, over the socket"),
        live,
        "100",
    );
    text += &row(
        "synthesis asked for, until the first frames of a walk are here",
        best,
        "300",
    );
    text += &row(
        "the same until the finished motion is kept (13 m path)",
        whole,
        "",
    );
    text += &row("`/`", page, "");
    text += &row("`/api/project`", project, "");
    text += &row("`/api/graph/topology`", topology, "");
    text += &row("a clip's frames", motion, "");
    text += &row("a thumbnail", thumbnail, "");
    text += &row("a heat map of a clip against itself", heat, "");
    text += &format!(
        "\nStart: {fresh:.1} s with the demo's graph to build, {again:.2} s with the project there.\n\nAn hour of motion ({} \
         frames) comes in {:.0} MB, {:.2} s for all parts of 4096 frames, the slowest part {:.0} ms.\n",
        hour.3, hour.0, hour.1, hour.2
    );
    match out {
        Some(path) => std::fs::write(&path, text).expect("written"),
        None => {
            use std::io::Write;
            std::io::stdout().write_all(text.as_bytes()).expect("said");
        }
    }
}
