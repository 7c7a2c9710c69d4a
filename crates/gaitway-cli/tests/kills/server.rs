//! The studio's server, killed while it builds, makes motions, takes uploads in and writes what it knows.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Dice, binary, cases, count, seed, tree};

struct Server {
    child: Child,
    url: String,
    agent: ureq::Agent,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(binary())
            .current_dir(folder)
            .args(["studio", "../in/clips", "--project", "p", "--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("standard output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("studio at ");
        let url = url.unwrap_or_else(|| panic!("it starts: {line}"));
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)))
            .build()
            .new_agent();
        Self {
            url: url.trim_end_matches('/').to_owned(),
            child,
            agent,
        }
    }

    /// An answer, or nothing where the server is gone.
    fn get(&self, path: &str) -> Option<Value> {
        let mut answer = self.agent.get(format!("{}{path}", self.url)).call().ok()?;
        let ok = answer.status().is_success();
        let bytes = answer.body_mut().read_to_vec().ok()?;
        assert!(ok, "{path}: {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).ok()
    }

    fn send(&self, path: &str, kind: &str, body: &[u8]) -> Option<u16> {
        let url = format!("{}{path}", self.url);
        let request = self.agent.post(url).header("content-type", kind);
        request.send(body).ok().map(|a| a.status().as_u16())
    }

    fn upload(&self, name: &str, bytes: &[u8]) -> Option<u16> {
        let mut body = format!(
            "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n--xyz--\r\n");
        self.send("/api/clips", "multipart/form-data; boundary=xyz", &body)
    }

    fn work(&self, round: u64, clip: &[u8]) {
        let walk = json!({ "kind": "walk", "seconds": 8.0, "seed": round });
        self.send("/api/jobs", "application/json", walk.to_string().as_bytes());
        self.upload(&format!("new_{round}.bvh"), clip);
        self.send("/api/jobs", "application/json", br#"{"kind": "build"}"#);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn settled(server: &Server) {
    let begin = Instant::now();
    loop {
        let jobs = server.get("/api/jobs").expect("jobs");
        let waits = |j: &Value| matches!(j["state"].as_str(), Some("queued" | "running"));
        if !jobs.as_array().expect("a list").iter().any(waits) {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "{jobs}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Everything in a project folder can be read, and nothing half-written is in it.
fn check(folder: &Path, server: &Server) {
    let project = server.get("/api/project").expect("the project");
    assert!(project["graph"].is_object(), "{project}");
    for result in server
        .get("/api/results")
        .expect("results")
        .as_array()
        .expect("a list")
    {
        let id = result["id"].as_str().expect("an id");
        server.get(&format!("/api/results/{id}")).expect("a result");
    }
    for name in tree::Tree::of(&folder.join("p")).files.into_keys() {
        let temporary = name.split('/').any(|p| {
            [".gaitway-", ".upload-", ".export-", ".part-"]
                .iter()
                .any(|t| p.starts_with(t))
        });
        assert!(!temporary && !name.contains(".journal"), "{name}");
    }
}

#[test]
fn a_killed_studio_comes_back_whole() {
    let home = tempfile::tempdir().expect("a folder");
    cases::prepare(home.path());
    let folder = home.path().join("studio");
    std::fs::create_dir(&folder).expect("made");
    let clip = std::fs::read(home.path().join("in/clips/walk_normal.bvh")).expect("a clip");
    let mut dice = Dice::new(seed());
    let mut left = 0;
    for round in 0..count() {
        let server = Server::start(&folder);
        let pause = Duration::from_secs_f64(2.5 * dice.roll().powi(2));
        std::thread::scope(|scope| {
            scope.spawn(|| server.work(round, &clip));
            std::thread::sleep(pause);
            let pid = server.child.id().to_string();
            let killed = Command::new("kill").args(["-KILL", &pid]).status();
            assert!(killed.expect("kill runs").success());
        });
        drop(server);
        left += u64::from(!tree::leftovers(&folder).is_empty());
    }
    let server = Server::start(&folder);
    settled(&server);
    // Asked once more, undisturbed: every part of the work is what the server takes.
    let walk = br#"{"kind": "walk", "seconds": 4.0}"#;
    assert_eq!(
        server.send("/api/jobs", "application/json", walk),
        Some(202)
    );
    assert_eq!(server.upload("last.bvh", &clip), Some(201));
    settled(&server);
    check(&folder, &server);
    eprintln!("studio: {} kills, {left} left parts; whole after", count());
}
