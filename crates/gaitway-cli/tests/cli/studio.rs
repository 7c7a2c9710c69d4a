//! `gaitway studio` as a process of its own: started, asked, killed, started again.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gaitway_core::performer;
use gaitway_io::{WriteOptions, write_file};
use serde_json::{Value, json};

use super::support::{Place, text};

/// A studio that runs; killed when dropped.
pub(super) struct Studio {
    child: Child,
    url: String,
    agent: ureq::Agent,
}

impl Studio {
    pub fn start(place: &Place, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gaitway"))
            .current_dir(place.folder.path())
            .args(["studio", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("standard output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let Some(url) = line.trim().strip_prefix("studio at ") else {
            let mut told = String::new();
            let _ = child
                .stderr
                .take()
                .expect("standard error")
                .read_to_string(&mut told);
            panic!("{line}{told}");
        };
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(120)))
            .build()
            .new_agent();
        Self {
            url: url.trim_end_matches('/').to_owned(),
            child,
            agent,
        }
    }

    pub fn bytes(&self, path: &str) -> Vec<u8> {
        let mut answer = self
            .agent
            .get(format!("{}{path}", self.url))
            .call()
            .expect("an answer");
        let bytes = answer
            .body_mut()
            .with_config()
            .limit(1 << 30)
            .read_to_vec()
            .expect("a body");
        assert!(answer.status().is_success(), "{path}: {}", text(&bytes));
        bytes
    }

    pub fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.bytes(path)).expect("JSON")
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let mut answer = self
            .agent
            .post(format!("{}{path}", self.url))
            .header("content-type", "application/json")
            .send(body.to_string())
            .expect("an answer");
        let bytes = answer.body_mut().read_to_vec().expect("a body");
        assert!(answer.status().is_success(), "{path}: {}", text(&bytes));
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// Waits until a job is as wanted.
    pub fn wait(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let job = self.json(&format!("/api/jobs/{id}"));
            if wanted(&job) {
                return job;
            }
            assert!(begin.elapsed() < Duration::from_secs(300), "{job}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn is_over(job: &Value) -> bool {
    !matches!(
        job["state"].as_str(),
        Some("queued" | "running" | "interrupted")
    )
}

/// Walks of the performer as BVH in a folder.
fn walks(place: &Place, count: usize) {
    std::fs::create_dir(place.path("clips")).expect("a folder");
    let takes = performer::library(1, 60.0).expect("takes");
    let mut labels = String::from("file,label,start_s,end_s\n");
    for take in takes
        .iter()
        .filter(|t| t.clip.name().contains("walk_"))
        .take(count)
    {
        let name = take.clip.name().rsplit('/').next().unwrap_or("take");
        write_file(
            &place.path(&format!("clips/{name}.bvh")),
            &take.clip,
            &WriteOptions::default(),
        )
        .expect("written");
        labels.push_str(&format!("{name}.bvh,walk,,\n"));
    }
    std::fs::write(place.path("labels.csv"), labels).expect("written");
}

#[test]
fn killed_in_a_build_it_goes_on() {
    let place = Place::new();
    walks(&place, 14);
    let studio = Studio::start(&place, &["clips"]);
    let id = studio.json("/api/jobs")[0]["id"]
        .as_str()
        .expect("the first build")
        .to_owned();
    let job = studio.wait(&id, |j| {
        is_over(j) || j["part"].as_f64().is_some_and(|p| p > 0.05)
    });
    // Dropping kills: SIGKILL, no word of farewell.
    drop(studio);
    let again = Studio::start(&place, &["clips"]);
    let ended = again.wait(&id, is_over);
    assert_eq!(ended["state"], "done", "before: {job}");
    let project = again.json("/api/project");
    assert_eq!(
        (&project["stale"], project["graph"]["clips"].as_u64()),
        (&json!(false), Some(14))
    );
    // A project of its own, called after the folder: the demo has another.
    assert!(place.path("gaitway-studio/clips/graph.gway").is_file());
    assert!(
        !place
            .path("gaitway-studio/clips/graph.gway.journal")
            .exists()
    );
    let list = again.json("/api/clips");
    assert_eq!(list.as_array().map_or(0, Vec::len), 14);
}

/// A studio with the graph of some walks, which lies beside it for the command line.
pub fn on_walks(count: usize) -> (Place, Studio) {
    let place = Place::new();
    walks(&place, count);
    let built = place.run(&[
        "build",
        "clips",
        "-o",
        "walks.gway",
        "--labels",
        "labels.csv",
    ]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let studio = Studio::start(&place, &["walks.gway", "--project", "p"]);
    (place, studio)
}

#[test]
fn the_command_it_offers_does_the_same() {
    let (place, studio) = on_walks(8);
    let request = json!({ "kind": "path", "request": {
        "points": [[0, 0], [0.5, 2.5], [0, 5]],
        "smooth": true,
        "styles": [{ "label": "walk", "from_m": 1.0, "to_m": 4.0 }],
        "obstacles": [{ "circle": [2.0, 2.5, 0.3] }, { "polygon": [[-4, 0], [-3, 0], [-3, 1]] }],
        "start": { "x": 0.01, "z": 0.0, "heading_rad": 0.1 },
        "bend_m": 0.1,
        "seed": 3,
        "alternatives": 2,
    } });
    let job = studio.post("/api/jobs", &request);
    let job = studio.wait(job["id"].as_str().expect("an id"), is_over);
    let id = job["result"]
        .as_str()
        .unwrap_or_else(|| panic!("{job}"))
        .to_owned();
    let result = studio.json(&format!("/api/results/{id}"));
    let home = place.path("home");
    take_home(&studio, &result, &home);
    paste(&home, result["command"].as_str().expect("a command"));
    for (k, name) in ["motion-01.bvh", "motion-02.bvh"].iter().enumerate() {
        let ours = studio.bytes(&format!("/api/results/{id}/export?format=bvh&member={k}"));
        assert_eq!(
            std::fs::read(home.join(name)).expect("made"),
            ours,
            "{name}"
        );
    }
    let walk = studio.post(
        "/api/jobs",
        &json!({ "kind": "walk", "seconds": 4, "label": "walk", "seed": 5 }),
    );
    let walk = studio.wait(walk["id"].as_str().expect("an id"), is_over);
    let id = walk["result"]
        .as_str()
        .unwrap_or_else(|| panic!("{walk}"))
        .to_owned();
    paste(
        &home,
        studio.json(&format!("/api/results/{id}"))["command"]
            .as_str()
            .expect("a command"),
    );
    let ours = studio.bytes(&format!("/api/results/{id}/export?format=bvh"));
    assert_eq!(std::fs::read(home.join("motion.bvh")).expect("made"), ours);
}

/// The files that a result's command needs beside it, in a new folder.
fn take_home(studio: &Studio, result: &Value, home: &std::path::Path) {
    std::fs::create_dir(home).expect("a folder");
    let id = result["id"].as_str().expect("an id");
    for file in result["files"].as_array().expect("files") {
        let name = file.as_str().expect("a name");
        let from = match name {
            "graph.gway" => "/api/graph.gway".to_owned(),
            other => format!(
                "/api/results/{id}/export?format={}",
                other.trim_end_matches(".json")
            ),
        };
        std::fs::write(home.join(name), studio.bytes(&from)).expect("written");
    }
}

/// Searches a part of a result again, with the first seconds and seed that have another way.
fn searched_again(studio: &Studio, result: &str, member: usize) -> Value {
    const PARTS: [(f64, f64); 4] = [(1.25, 3.5), (0.5, 4.5), (2.0, 6.0), (0.0, 60.0)];
    let old = studio.json(&format!("/api/results/{result}"));
    let mut told = Value::Null;
    for (k, seconds) in (0..24).zip(PARTS.iter().cycle()) {
        let seed = 1 + k / PARTS.len();
        let request = json!({ "kind": "resolve", "result": result, "member": member,
            "from_s": seconds.0, "to_s": seconds.1, "seed": seed });
        let job = studio.post("/api/jobs", &request);
        told = studio.wait(job["id"].as_str().expect("an id"), is_over);
        if let Some(id) = told["result"].as_str() {
            let new = studio.json(&format!("/api/results/{id}"));
            let of = |r: &Value, k: usize| r["members"][k]["walk"]["edges"].clone();
            let crowd = new["members"].as_array().map_or(0, Vec::len) > 1;
            if of(&new, if crowd { member } else { 0 }) != of(&old, member) {
                return new;
            }
            // The same once more is no new result.
            assert_eq!(id, result, "{told}");
            let words = told["message"].as_str();
            assert!(words.is_some_and(|w| w.contains("as before")), "{told}");
        }
    }
    panic!("no other way for motion {member}: {told}")
}

#[test]
fn a_part_searched_again_has_a_command_of_its_own() {
    let (place, studio) = on_walks(14);
    let make = |change: Value| {
        let mut request = json!({ "points": [[0, 0], [0.7, 3.1], [0.1, 9.3]], "smooth": true,
            "obstacles": [{ "circle": [2.0, 2.5, 0.3] }], "seed": 3 });
        for (field, value) in change.as_object().expect("fields") {
            request[field] = value.clone();
        }
        let job = studio.post("/api/jobs", &json!({ "kind": "path", "request": request }));
        let job = studio.wait(job["id"].as_str().expect("an id"), is_over);
        let id = job["result"].as_str().unwrap_or_else(|| panic!("{job}"));
        studio.json(&format!("/api/results/{id}"))
    };
    let bvh = |result: &Value, member: usize| {
        let id = result["id"].as_str().expect("an id");
        studio.bytes(&format!(
            "/api/results/{id}/export?format=bvh&member={member}"
        ))
    };
    let same = |result: &Value, folder: &str, files: &[&str]| {
        let home = place.path(folder);
        take_home(&studio, result, &home);
        paste(&home, result["command"].as_str().expect("a command"));
        for (k, name) in files.iter().enumerate() {
            let theirs = std::fs::read(home.join(name)).expect("made");
            assert!(theirs == bvh(result, k), "{folder}: {name}");
        }
    };
    // The second of two answers, then a part of what came of that.
    let several = make(json!({ "alternatives": 2 }));
    let id = several["id"].as_str().expect("an id");
    let once = searched_again(&studio, id, 1);
    assert!(bvh(&once, 0) != bvh(&several, 1), "nothing is new");
    same(&once, "once", &["motion.bvh"]);
    let twice = searched_again(&studio, once["id"].as_str().expect("an id"), 0);
    assert!(bvh(&twice, 0) != bvh(&once, 0), "nothing is new");
    same(&twice, "twice", &["motion.bvh"]);
    // The second of three people: the others stay as they are, and nobody walks through anybody.
    let crowd = make(json!({ "count": 3 }));
    let changed = searched_again(&studio, crowd["id"].as_str().expect("an id"), 1);
    assert_eq!(changed["members"].as_array().map(Vec::len), Some(3));
    for k in 0..3 {
        assert_eq!(bvh(&changed, k) == bvh(&crowd, k), k != 1, "person {k}");
        assert_eq!(
            changed["members"][k]["start_s"],
            crowd["members"][k]["start_s"]
        );
    }
    let named = |k: usize| {
        let start_s = changed["members"][k]["start_s"].as_f64().expect("a start");
        format!("motion-{:02}-at-{start_s:.2}s.bvh", k + 1)
    };
    let names = [named(0), named(1), named(2)];
    same(&changed, "crowd", &names.each_ref().map(String::as_str));
}

/// Runs a command as a shell would, the binary being on the path.
fn paste(folder: &std::path::Path, command: &str) {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_gaitway"));
    let path = format!(
        "{}:{}",
        binary.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = Command::new("sh")
        .current_dir(folder)
        .env("PATH", path)
        .args(["-c", command])
        .output()
        .expect("a shell");
    assert!(
        output.status.success(),
        "{command}: {}",
        text(&output.stderr)
    );
}

#[cfg(unix)]
#[test]
fn it_stops_in_good_order() {
    let place = Place::new();
    walks(&place, 6);
    let mut studio = Studio::start(&place, &["clips", "--project", "p"]);
    let second = place.run(&["studio", "--project", "p", "--port", "0"]);
    assert_eq!(second.status.code(), Some(2));
    assert!(
        text(&second.stderr).contains("another studio"),
        "{}",
        text(&second.stderr)
    );
    let kill = Command::new("kill")
        .arg(studio.child.id().to_string())
        .status()
        .expect("kill");
    assert!(kill.success());
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = studio.child.try_wait().expect("a child") {
            break status;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "does not stop");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
    let again = Studio::start(&place, &["--project", "p"]);
    let id = again.json("/api/jobs")[0]["id"]
        .as_str()
        .expect("a job")
        .to_owned();
    assert_eq!(again.wait(&id, is_over)["state"], "done");
}

/// Clips of two bodies make no graph by themselves: the terminal says what to press, and the first project goes on next time.
#[test]
fn several_bodies_are_told_in_the_terminal() {
    let place = Place::new();
    walks(&place, 3);
    let other = gaitway_core::testing::walking_clip(&gaitway_core::testing::Walker::default());
    write_file(
        &place.path("clips/other.bvh"),
        &other,
        &WriteOptions::default(),
    )
    .expect("written");
    let mut studio = Studio::start(&place, &["clips"]);
    let bodies = studio.json("/api/bodies");
    assert_eq!(bodies.as_array().map(Vec::len), Some(2), "{bodies}");
    assert_eq!(studio.json("/api/jobs"), json!([]));
    let job = studio.post(
        "/api/jobs",
        &json!({ "kind": "build", "body": bodies[0]["id"] }),
    );
    let done = studio.wait(job["id"].as_str().expect("an id"), is_over);
    assert_eq!(done["state"], "done", "{done}");
    let _ = studio.child.kill();
    let mut said = String::new();
    let mut told = studio.child.stderr.take().expect("standard error");
    told.read_to_string(&mut said).expect("words");
    assert!(
        said.contains("2 skeletons") && said.contains("Build from this group"),
        "{said}"
    );
    drop(studio);
    let again = Studio::start(&place, &[]);
    let project = again.json("/api/project");
    assert_eq!(
        (&project["name"], &project["stale"]),
        (&json!("clips"), &json!(false))
    );
}

#[test]
fn what_is_not_safe_is_refused() {
    let place = Place::new();
    let output = place.run(&["studio", "--bind", "0.0.0.0", "--port", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("token"),
        "{}",
        text(&output.stderr)
    );
    assert!(!place.path("gaitway-studio").exists());
    let output = place.run(&["studio", "missing.bvh", "--port", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("missing.bvh"),
        "{}",
        text(&output.stderr)
    );
}
