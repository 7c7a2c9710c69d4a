//! A server on a thread, and a client that does not mind any status.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gaitway_studio::{Config, Server};
use serde_json::Value;
use tempfile::TempDir;
use tungstenite::WebSocket;
use tungstenite::client::IntoClientRequest;

/// A running studio; stopped when dropped.
pub struct Running {
    pub address: SocketAddr,
    folder: Option<TempDir>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
    agent: ureq::Agent,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&self.bytes)))
    }

    pub fn code(&self) -> String {
        self.json()["error"]["code"]
            .as_str()
            .unwrap_or("")
            .to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|v| v.to_str().ok())
            .unwrap_or("")
    }

    #[track_caller]
    pub fn ok(self) -> Self {
        let text = String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(600)]).into_owned();
        assert!((200..300).contains(&self.status), "{}: {text}", self.status);
        self
    }
}

/// A graph of some walks. It takes a while, and every test is a process of its own: made once per build of the tests.
fn demo_graph() -> PathBuf {
    let built = std::env::current_exe()
        .and_then(|e| e.metadata())
        .and_then(|m| m.modified());
    let age = built
        .ok()
        .and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    let name = format!("walks-{}.gway", age.map_or(0, |a| a.as_millis()));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        return path;
    }
    let takes = gaitway_core::performer::library(1, 30.0).expect("takes");
    let clips = takes.into_iter().map(|t| {
        let name = t
            .clip
            .name()
            .rsplit('/')
            .next()
            .unwrap_or("take")
            .to_owned();
        t.clip.with_name(name)
    });
    let wanted = |name: &str| name.starts_with("walk_") || matches!(name, "run_01" | "sneak_01");
    let clips: Vec<_> = clips.filter(|c| wanted(c.name())).collect();
    let set = gaitway_core::ClipSet::new(clips).expect("one body");
    let (graph, _) = gaitway_graph::GraphBuilder::new(set)
        .build(&mut ())
        .expect("a graph");
    graph.save(&path).expect("saved");
    path
}

impl Running {
    /// On a graph of some walks.
    pub fn start() -> Self {
        Self::with(|_| {})
    }

    pub fn with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut config = Config {
            inputs: vec![demo_graph().to_string_lossy().into_owned()],
            project: folder.path().join("project"),
            address: "127.0.0.1:0".parse().expect("an address"),
            ..Config::default()
        };
        change(&mut config);
        let mut running = Self::serve(config);
        running.folder = Some(folder);
        running
    }

    pub fn serve(config: Config) -> Self {
        let server = Server::open(config).expect("opens");
        let address = server.address();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            server
                .run(async {
                    let _ = stopped.await;
                })
                .expect("runs");
        });
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(120)))
            .max_redirects(0)
            .build()
            .new_agent();
        Self {
            address,
            folder: None,
            stop: Some(stop),
            thread: Some(thread),
            agent,
        }
    }

    pub fn folder(&self) -> PathBuf {
        self.folder
            .as_ref()
            .expect("a folder")
            .path()
            .join("project")
    }

    /// Stops the server and gives the folder back, for another one on it.
    pub fn stop(mut self) -> TempDir {
        self.end();
        self.folder.take().expect("a folder")
    }

    fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().expect("ends in good order");
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Answer {
        let sent = || {
            let mut request = ureq::http::Request::builder()
                .method(method)
                .uri(self.url(path));
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request
                .body(body.unwrap_or(b"").to_vec())
                .expect("a request");
            self.agent.run(request)
        };
        // Who refuses a large body may close before all of it was sent, and the answer is lost on the way: ask again.
        let large = body.is_some_and(|b| b.len() > 1 << 20);
        let mut answer = sent();
        for _ in 0..50 {
            match &answer {
                Err(ureq::Error::Io(_)) if large => answer = sent(),
                _ => break,
            }
        }
        let mut response = answer.expect("an answer");
        Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            bytes: response
                .body_mut()
                .with_config()
                .limit(1 << 30)
                .read_to_vec()
                .expect("a body"),
        }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], None)
    }

    pub fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let text = serde_json::to_vec(body).expect("json");
        self.ask(
            method,
            path,
            &[("content-type", "application/json")],
            Some(&text),
        )
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, body)
    }

    /// Uploads files by name.
    pub fn upload(&self, files: &[(&str, &[u8])]) -> Answer {
        self.upload_to("/api/clips", files)
    }

    pub fn upload_to(&self, path: &str, files: &[(&str, &[u8])]) -> Answer {
        let mut body = Vec::new();
        for (name, bytes) in files {
            body.extend(b"--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"");
            body.extend(name.as_bytes());
            body.extend(b"\"\r\nContent-Type: application/octet-stream\r\n\r\n");
            body.extend(*bytes);
            body.extend(b"\r\n");
        }
        body.extend(b"--xyz--\r\n");
        let kind = [("content-type", "multipart/form-data; boundary=xyz")];
        self.ask("POST", path, &kind, Some(&body))
    }

    /// The id of the clip with a name.
    pub fn clip(&self, name: &str) -> String {
        let clips = self.get("/api/clips").ok().json();
        let found = clips
            .as_array()
            .expect("a list")
            .iter()
            .find(|c| c["name"] == name);
        found.unwrap_or_else(|| panic!("no clip {name} among {clips}"))["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    }

    /// Asks for a job and waits until it is over.
    pub fn job(&self, request: &Value) -> Value {
        let job = self.post("/api/jobs", request).ok().json();
        self.wait(job["id"].as_str().expect("an id"))
    }

    pub fn wait(&self, id: &str) -> Value {
        let begin = Instant::now();
        loop {
            let job = self.get(&format!("/api/jobs/{id}")).ok().json();
            let state = job["state"].as_str().expect("a state");
            if !matches!(state, "queued" | "running") {
                return job;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(240),
                "never ends: {job}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A socket to the events; `origin` as a browser would send it.
    pub fn socket(&self, origin: Option<&str>) -> Result<WebSocket<std::net::TcpStream>, String> {
        let mut request = format!("ws://{}/api/events", self.address)
            .into_client_request()
            .map_err(|e| e.to_string())?;
        if let Some(origin) = origin {
            request
                .headers_mut()
                .insert("origin", origin.parse().expect("a header"));
        }
        let stream = std::net::TcpStream::connect(self.address).map_err(|e| e.to_string())?;
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .map_err(|e| e.to_string())?;
        tungstenite::client::client(request, stream)
            .map(|(socket, _)| socket)
            .map_err(|e| e.to_string())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// The next message of a kind.
pub fn hear(socket: &mut WebSocket<std::net::TcpStream>, kind: &str) -> Value {
    loop {
        let message = socket.read().expect("a message");
        if let tungstenite::Message::Text(text) = message {
            let value: Value = serde_json::from_str(&text).expect("json");
            if value["type"] == kind {
                return value;
            }
        }
    }
}
