use gaitway_core::testing::{Walker, walking_clip};
use gaitway_io::{WriteOptions, write_file};
use serde_json::{Value, json};

use super::client::{Running, hear};

fn walk(seconds: f64) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.bvh");
    let clip = walking_clip(&Walker {
        seconds,
        ..Walker::default()
    });
    write_file(&path, &clip, &WriteOptions::default()).expect("written");
    std::fs::read(path).expect("read")
}

fn key(server: &Running) -> String {
    let project = server.get("/api/project").ok().json();
    project["key"].as_str().expect("a key").to_owned()
}

fn names(server: &Running) -> Vec<String> {
    let clips = server.get("/api/clips").ok().json();
    let clips = clips.as_array().expect("a list");
    clips
        .iter()
        .map(|c| c["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn new_open_and_save_as() {
    let server = Running::start();
    let first = key(&server);
    let mut socket = server.socket(None).expect("a socket");
    assert_eq!(hear(&mut socket, "hello")["project"], first.as_str());
    let made = server
        .post("/api/projects", &json!({ "name": "Mine, all mine" }))
        .ok()
        .json();
    assert_eq!(made["name"], "Mine, all mine");
    // Whoever looks at the old one is told, and let go.
    assert_eq!(hear(&mut socket, "left")["name"], "Mine, all mine");
    assert_eq!(key(&server), made["key"].as_str().expect("a key"));
    assert_eq!(names(&server), [""; 0]);
    server.upload(&[("own.bvh", &walk(3.0))]).ok();
    assert_eq!(names(&server), ["own"]);
    let list = server.get("/api/projects").ok().json();
    let list: Vec<(&str, bool)> = list
        .as_array()
        .expect("a list")
        .iter()
        .map(|p| (p["folder"].as_str().expect("a folder"), p["open"] == true))
        .collect();
    assert_eq!(list[0], ("mine-all-mine", true));
    assert!(
        list.contains(&("project", false)) && list.contains(&("demo", false)),
        "{list:?}"
    );
    // A copy has all of it, and goes its own way.
    server
        .post("/api/projects/save-as", &json!({ "name": "copy" }))
        .ok();
    assert_eq!(names(&server), ["own"]);
    server.upload(&[("more.bvh", &walk(4.0))]).ok();
    let id = server.clip("own");
    server.ask("DELETE", &format!("/api/clips/{id}"), &[], None);
    assert_eq!(names(&server), ["more"]);
    server
        .post("/api/projects/open", &json!({ "folder": "mine-all-mine" }))
        .ok();
    assert_eq!(names(&server), ["own"]);
    server
        .post("/api/projects/open", &json!({ "folder": "project" }))
        .ok();
    assert_eq!(key(&server), first);
    assert!(names(&server).len() > 5);
    // And back again: its folder was let go.
    server
        .post("/api/projects/open", &json!({ "folder": "copy" }))
        .ok();
    assert_eq!(names(&server), ["more"]);
    let twice = server
        .post("/api/projects", &json!({ "name": "Copy" }))
        .ok()
        .json();
    assert_eq!(twice["name"], "Copy");
    assert!(
        server
            .folder()
            .with_file_name("copy-2")
            .join("project.json")
            .is_file()
    );
}

#[test]
fn a_tab_of_another_project_changes_nothing() {
    let server = Running::start();
    let old = key(&server);
    let clip = server.clip("walk_normal_01");
    server
        .post("/api/projects/save-as", &json!({ "name": "copy" }))
        .ok();
    let text = serde_json::to_vec(&json!({ "revision": 0, "rows": [] })).expect("json");
    let put = |key: &str| {
        let headers = [
            ("content-type", "application/json"),
            ("x-gaitway-project", key),
        ];
        server.ask(
            "PUT",
            &format!("/api/clips/{clip}/labels"),
            &headers,
            Some(&text),
        )
    };
    let refused = put(&old);
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (409, "other-project")
    );
    let refused = server.get(&format!("/api/labels.csv?project={old}"));
    assert_eq!(refused.code(), "other-project");
    put(&key(&server)).ok();
    server
        .get(&format!("/api/labels.csv?project={}", key(&server)))
        .ok();
}

#[test]
fn jobs_stay_with_their_project() {
    let server = Running::start();
    let path = json!({ "kind": "path", "request": { "points": [[0, 0], [4, 0]], "max_s": 120, "search": "bnb" } });
    let job = server.post("/api/jobs", &path).ok().json();
    let id = job["id"].as_str().expect("an id").to_owned();
    let refused = server.post("/api/projects", &json!({ "name": "other" }));
    if refused.status == 503 {
        assert!(
            refused.json()["error"]["message"]
                .as_str()
                .is_some_and(|m| m.contains(&id))
        );
        server
            .post(
                "/api/projects",
                &json!({ "name": "other", "interrupt": true }),
            )
            .ok();
    } else {
        refused.ok();
    }
    assert_eq!(server.get("/api/jobs").ok().json(), json!([]));
    assert_eq!(server.get("/api/results").ok().json(), json!([]));
    server
        .post("/api/projects/open", &json!({ "folder": "project" }))
        .ok();
    let job = server.get(&format!("/api/jobs/{id}")).ok().json();
    assert!(
        matches!(
            job["state"].as_str(),
            Some("interrupted" | "done" | "cancelled")
        ),
        "{job}"
    );
}

#[test]
fn the_demo_keeps_to_itself() {
    let server = Running::start();
    server
        .post("/api/projects/open", &json!({ "folder": "demo" }))
        .ok();
    let project = server.get("/api/project").ok().json();
    assert_eq!(project["demo"], true);
    let before = names(&server);
    let refused = server.upload(&[("own.bvh", &walk(3.0))]);
    assert_eq!((refused.status, refused.code().as_str()), (409, "conflict"));
    assert!(
        refused.json()["error"]["hint"]
            .as_str()
            .is_some_and(|h| h.contains("project"))
    );
    assert_eq!(names(&server), before);
    // A copy of it is somebody's own.
    server
        .post("/api/projects/save-as", &json!({ "name": "my demo" }))
        .ok();
    assert_eq!(server.get("/api/project").ok().json()["demo"], false);
    server.upload(&[("own.bvh", &walk(3.0))]).ok();
    assert_eq!(names(&server).len(), before.len() + 1);
}

#[test]
fn a_page_leads_nowhere_else() {
    let server = Running::start();
    let outside = tempfile::tempdir().expect("a folder");
    std::fs::copy(
        server.folder().join("project.json"),
        outside.path().join("project.json"),
    )
    .expect("copied");
    let other = outside.path().to_string_lossy().into_owned();
    let beside = server.folder().with_file_name("plain");
    std::fs::create_dir(&beside).expect("a folder");
    std::fs::write(
        beside.join("project.json"),
        "{\"name\": \"somebody else's\"}",
    )
    .expect("written");
    for folder in [
        other.as_str(),
        "..",
        ".",
        "",
        "../project",
        "project/../project",
        "plain",
        "/",
        "nowhere",
    ] {
        let answer = server.post("/api/projects/open", &json!({ "folder": folder }));
        assert_eq!(answer.status, 404, "{folder}");
    }
    for name in ["", "  ", "a\nb", &"x".repeat(121)] {
        let answer = server.post("/api/projects", &json!({ "name": name }));
        assert_eq!(answer.status, 400, "{name:?}");
    }
    for name in ["../../up", "clips", "demo", "…", "/etc"] {
        server.post("/api/projects", &json!({ "name": name })).ok();
    }
    let home = server.folder();
    let home = home.parent().expect("a folder");
    let made: Vec<String> = std::fs::read_dir(home)
        .expect("a list")
        .map(|f| {
            f.expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert!(
        made.contains(&"up".to_owned()) && made.contains(&"project-clips".to_owned()),
        "{made:?}"
    );
    assert!(!home.parent().expect("above").join("up").exists());
}

/// Everything that was there before a switch is there after a restart: the project that was open last goes on.
#[test]
fn what_was_open_last_is_opened_next() {
    let server = Running::start();
    server
        .post("/api/projects", &json!({ "name": "mine" }))
        .ok();
    server.upload(&[("own.bvh", &walk(3.0))]).ok();
    let folder = server.stop();
    let next = gaitway_studio::host::project_for(&[], folder.path());
    assert!(next.ends_with("mine"), "{}", next.display());
    let again = Running::serve(gaitway_studio::Config {
        project: next,
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    });
    let clips: Value = again.get("/api/clips").ok().json();
    assert_eq!(clips[0]["name"], "own");
}

/// Folders are moved: what was made from them is still there, and the server starts.
#[test]
fn a_project_whose_files_are_gone_opens_with_what_its_graph_has() {
    let home = tempfile::tempdir().expect("a folder");
    let own = home.path().join("own");
    std::fs::create_dir(&own).expect("a folder");
    for (name, seconds) in [("a.bvh", 4.0), ("b.bvh", 5.0)] {
        std::fs::write(own.join(name), walk(seconds)).expect("written");
    }
    let project = home.path().join("project");
    let config = |inputs: Vec<String>| gaitway_studio::Config {
        inputs,
        project: project.clone(),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    };
    let server = Running::serve(config(vec![own.to_string_lossy().into_owned()]));
    let done = server.job(&json!({ "kind": "build" }));
    assert_eq!(done["state"], "done", "{done}");
    let before = names(&server);
    assert_eq!(before.len(), 2);
    drop(server);
    std::fs::rename(&own, home.path().join("elsewhere")).expect("moved");
    let server = Running::serve(config(Vec::new()));
    assert_eq!(names(&server), before);
    let walk = server.job(&json!({ "kind": "walk", "seconds": 3.0, "seed": 1 }));
    assert_eq!(walk["state"], "done", "{walk}");
    drop(server);
    // Put back, the files are read again.
    std::fs::rename(home.path().join("elsewhere"), &own).expect("moved");
    let server = Running::serve(config(Vec::new()));
    let clips = server.get("/api/clips").ok().json();
    assert_eq!(clips[0]["format"], "bvh");
}

/// Clips that lie elsewhere now: started with where they are, the project reads them there, with what was said of them.
#[test]
fn a_project_is_pointed_at_where_its_clips_are_now() {
    let home = tempfile::tempdir().expect("a folder");
    let (own, new) = (home.path().join("own"), home.path().join("else/where"));
    std::fs::create_dir(&own).expect("a folder");
    for (name, seconds) in [("a.bvh", 4.0), ("b.bvh", 5.0)] {
        std::fs::write(own.join(name), walk(seconds)).expect("written");
    }
    let project = home.path().join("project");
    let config = |inputs: &[&std::path::Path]| gaitway_studio::Config {
        inputs: inputs.iter().map(|i| i.display().to_string()).collect(),
        project: project.clone(),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    };
    let server = Running::serve(config(&[&own]));
    let done = server.job(&json!({ "kind": "build" }));
    assert_eq!(done["state"], "done", "{done}");
    let id = server.clip("own/a");
    let rows =
        json!({ "revision": 0, "rows": [{ "label": "stroll", "start_s": 0.5, "end_s": 2.0 }] });
    server
        .send("PUT", &format!("/api/clips/{id}/labels"), &rows)
        .ok();
    let read = json!({ "clips": [{ "clip": id, "reading": { "cut": [0.0, 3.0] } }] });
    server.send("PUT", "/api/reading", &read).ok();
    drop(server);
    // As long as they are where they were, other inputs are another project's.
    let other = home.path().join("other");
    std::fs::create_dir(&other).expect("a folder");
    std::fs::write(other.join("c.bvh"), walk(4.0)).expect("written");
    assert!(gaitway_studio::Server::open(config(&[&other])).is_err());
    std::fs::create_dir(home.path().join("else")).expect("a folder");
    std::fs::rename(&own, &new).expect("moved");
    let server = Running::serve(config(&[&new]));
    assert_eq!(names(&server), ["where/a", "where/b"]);
    let clips = server.get("/api/clips").ok().json();
    assert_eq!(clips[0]["format"], "bvh");
    assert_eq!(clips[0]["reading"]["cut"], json!([0.0, 3.0]));
    assert_eq!(clips[0]["labels"][0]["label"], "stroll");
    drop(server);
    let server = Running::serve(config(&[]));
    let clips = server.get("/api/clips").ok().json();
    assert_eq!(clips[0]["labels"][0]["label"], "stroll");
}
