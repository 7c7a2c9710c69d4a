//! What the Make view asks for beside a path: sketches kept with results, drafts while one draws, places, connections, scenes.

use serde_json::{Value, json};

use super::client::{Running, hear};

fn path(more: Value) -> Value {
    let mut ask = json!({
        "kind": "path",
        "request": { "points": [[0, 0], [0.2, 3], [0, 6]], "smooth": true },
    });
    if let (Value::Object(all), Value::Object(more)) = (&mut ask, more) {
        all.extend(more);
    }
    ask
}

fn ids(server: &Running) -> Vec<String> {
    let list = server.get("/api/results").ok().json();
    let each = list.as_array().expect("a list").iter();
    each.map(|r| r["id"].as_str().expect("an id").to_owned())
        .collect()
}

fn result_of(server: &Running, job: &Value) -> Value {
    let id = job["result"].as_str().unwrap_or_else(|| panic!("{job}"));
    server.get(&format!("/api/results/{id}")).ok().json()
}

#[test]
fn a_sketch_is_kept_with_its_result_and_with_what_comes_of_it() {
    let server = Running::start();
    let sketch =
        json!({ "v": 2, "sketch": { "points": [[0, 0], [0, 6]] }, "any": ["thing", 1.5, null] });
    let job = server.job(&path(json!({ "sketch": sketch })));
    let made = result_of(&server, &job);
    assert_eq!(made["sketch"], sketch);
    let again = server.job(
        &json!({ "kind": "resolve", "result": made["id"], "from_s": 0.5, "to_s": 3.0, "seed": 2 }),
    );
    if again["state"] == "done" {
        assert_eq!(result_of(&server, &again)["sketch"], sketch);
    }
    // Without one there is none, and something else than a sketch is refused.
    let bare = server.job(&path(json!({})));
    assert_eq!(result_of(&server, &bare)["sketch"], Value::Null);
    let wrong = server.post("/api/jobs", &path(json!({ "sketch": "a drawing" })));
    assert_eq!(wrong.status, 400);
    // It is there after a restart, and the project is still the same one.
    let key = server.get("/api/project").ok().json()["key"].clone();
    assert!(key.as_str().is_some_and(|k| k.len() >= 16), "{key}");
    let id = made["id"].as_str().expect("an id").to_owned();
    let folder = server.stop();
    let later = Running::serve(gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    });
    assert_eq!(later.get("/api/project").ok().json()["key"], key);
    let kept = later.get(&format!("/api/results/{id}")).ok().json();
    assert_eq!(kept["sketch"], sketch);
    // Another project is another one, whatever it is called.
    let other = Running::start();
    assert_ne!(other.get("/api/project").ok().json()["key"], key);
}

/// Who solves a part again and gets the same is told so, and finds no second copy of it among the results.
#[test]
fn the_same_part_again_is_not_kept_twice() {
    let server = Running::start();
    let made = server.job(&path(json!({})))["result"].clone();
    let mut same = None;
    // The shorter a part, the fewer ways there are through it.
    for k in 0..24 {
        let before = ids(&server).len();
        let (from, to) = (0.2 * f64::from(k % 12), 0.2 * f64::from(k % 12) + 0.25);
        let job = server.job(
            &json!({ "kind": "resolve", "result": made, "from_s": from, "to_s": to, "seed": k }),
        );
        let kept = ids(&server).len() - before;
        if job["state"] == "failed" {
            assert_eq!(kept, 0, "{job}");
        } else if job["result"] == made {
            assert_eq!(kept, 0, "{job}");
            same = job["message"].as_str().map(str::to_owned);
            break;
        } else {
            assert_eq!(kept, 1, "{job}");
        }
    }
    let words = same.expect("the same found again");
    assert!(words.contains("as before"), "{words}");
}

#[test]
fn drafts_take_each_others_place_until_one_is_kept() {
    let server = Running::start();
    let draw = |who: &str, seed: u64| {
        let mut ask = path(json!({ "live": who }));
        ask["request"]["seed"] = json!(seed);
        ask
    };
    let kept = server.job(&path(json!({})))["result"].clone();
    let made: Vec<Value> = (0..4)
        .map(|k| server.job(&draw("tab-a", k))["result"].clone())
        .collect();
    let other = server.job(&draw("tab-b", 9))["result"].clone();
    let now = ids(&server);
    for there in [&kept, &made[2], &made[3], &other] {
        assert!(
            now.contains(&there.as_str().expect("an id").to_owned()),
            "{there} in {now:?}"
        );
    }
    for gone in &made[..2] {
        let id = gone.as_str().expect("an id");
        assert_eq!(server.get(&format!("/api/results/{id}")).status, 404);
    }
    // Kept as it is, or by a name.
    for (k, body) in [(2, json!({ "keep": true })), (3, json!({ "name": "mine" }))] {
        let at = format!("/api/results/{}", made[k].as_str().expect("an id"));
        let summary = server.send("PATCH", &at, &body).ok().json();
        assert_eq!(summary["draft"], Value::Null, "{body}");
    }
    for seed in 20..23 {
        server.job(&draw("tab-a", seed));
    }
    let now = ids(&server);
    for there in [&kept, &made[2], &made[3], &other] {
        assert!(
            now.contains(&there.as_str().expect("an id").to_owned()),
            "{there} in {now:?}"
        );
    }
    let wrong = server.post("/api/jobs", &path(json!({ "live": "Tab A/.." })));
    assert_eq!(
        (wrong.status, wrong.json()["error"]["field"].as_str()),
        (400, Some("live"))
    );
}

#[test]
fn who_draws_on_stops_the_search_before() {
    let server = Running::start();
    // A search that is not over at once.
    let mut long = path(json!({ "live": "tab-a" }));
    long["request"]["points"] = json!([[0, 0], [0, 300], [300, 300], [300, 0], [600, 0]]);
    let first = server.post("/api/jobs", &long).ok().json();
    let stranger = server.post("/api/jobs", &{
        let mut one = long.clone();
        one["live"] = json!("tab-b");
        one
    });
    let second = server.job(&path(json!({ "live": "tab-a" })));
    assert_eq!(second["state"], "done", "{second}");
    let first = server.wait(first["id"].as_str().expect("an id"));
    assert_eq!(first["state"], "cancelled", "{first}");
    assert_eq!(first["result"], Value::Null, "half of it is of no use");
    let id = stranger.ok().json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let theirs = server.get(&format!("/api/jobs/{id}")).ok().json();
    assert_ne!(theirs["state"], "cancelled", "somebody else's goes on");
    server
        .post(&format!("/api/jobs/{id}/cancel"), &json!({}))
        .ok();
}

#[test]
fn times_along_a_path_are_measured_and_refused_where_they_stand() {
    let server = Running::start();
    let ask = |more: Value| {
        let mut request = json!({
            "points": [[0, 0], [0, 8]], "styles": [{ "label": "walk", "from_m": 0 }], "seed": 1,
        });
        for (key, value) in more.as_object().expect("fields") {
            request[key] = value.clone();
        }
        json!({ "kind": "path", "request": request })
    };
    let job = server.job(&ask(json!({
        "duration_s": 60,
        "arrivals": [{ "time_s": 3.5, "at_m": 4 }],
        "speeds": [{ "m_s": 1.2, "from_m": 0, "to_m": 4 }, { "m_s": 9, "from_m": 4, "to_m": null }],
    })));
    let made = result_of(&server, &job);
    let command = made["command"].as_str().expect("a command");
    for words in [
        "--duration 60",
        "--arrive '3.5@4'",
        "--speed '1.2@0..4,9@4..'",
    ] {
        assert!(command.contains(words), "{command}");
    }
    let rows = made["members"][0]["report"]["constraints"].as_array();
    let rows = rows
        .expect("rows")
        .iter()
        .filter(|r| r["number"].is_object());
    let mut seen = Vec::new();
    for row in rows {
        let number = |key: &str| row["number"][key].as_f64().expect("a number");
        let kept = (number("found") - number("asked")).abs() <= number("within");
        assert_eq!(row["kept"], json!(kept), "{row}");
        seen.push(format!(
            "{} {} {}..{:.0}",
            row["what"].as_str().expect("a word"),
            number("asked"),
            number("from_m"),
            number("to_m")
        ));
    }
    assert_eq!(
        seen,
        [
            "arrival 3.5 0..4",
            "duration 60 0..8",
            "speed 1.2 0..4",
            "speed 9 4..8"
        ]
    );
    for (more, field) in [
        (
            json!({ "arrivals": [{ "time_s": 4, "at_m": 3 }, { "time_s": 3, "at_m": 6 }] }),
            "request.arrivals[1]",
        ),
        (
            json!({ "speeds": [{ "m_s": 1, "from_m": 0, "to_m": 5 }, { "m_s": 2, "from_m": 3 }] }),
            "request.speeds[1]",
        ),
        (
            json!({ "duration_s": 2, "arrivals": [{ "time_s": 4, "at_m": 3 }] }),
            "request.duration_s",
        ),
    ] {
        let answer = server.post("/api/jobs", &ask(more));
        assert_eq!(answer.status, 400);
        let body = answer.json();
        assert_eq!(body["error"]["field"], field, "{body}");
    }
}

#[test]
fn a_clip_is_placed_and_moments_are_connected() {
    let server = Running::start();
    let clips = server.get("/api/clips").ok().json();
    let walk = clips.as_array().expect("a list").iter();
    let names: Vec<&str> = walk
        .filter(|c| {
            c["in_graph"] == true && c["name"].as_str().is_some_and(|n| n.starts_with("walk_"))
        })
        .filter_map(|c| c["name"].as_str())
        .collect();
    let job = server.job(&json!({ "kind": "place", "sketch": { "v": 2 }, "request": {
        "what": names[0], "end": { "x": 1.0, "z": 5.0, "heading_rad": 0.5 },
    } }));
    assert_eq!(job["state"], "done", "{job}");
    let made = result_of(&server, &job);
    assert_eq!(
        (&made["kind"], &made["sketch"]),
        (&json!("place"), &json!({ "v": 2 }))
    );
    let command = made["command"].as_str().expect("a command");
    assert!(
        command.starts_with("gaitway path graph.gway --end "),
        "{command}"
    );
    assert!(
        made["members"][0]["report"]["place_error_m"]
            .as_f64()
            .is_some_and(|m| m < 0.5)
    );
    let at = |clip: &str, seconds: f64| json!({ "clip": clip, "seconds": seconds });
    let job = server
        .job(&json!({ "kind": "connect", "from": at(names[0], 1.0), "to": at(names[1], 2.0) }));
    if job["state"] == "done" {
        let made = result_of(&server, &job);
        let command = made["command"].as_str().expect("a command");
        assert!(command.contains(" --by time "), "{command}");
    } else {
        assert!(job["error"].as_str().is_some(), "{job}");
    }
    for (body, field) in [
        (
            json!({ "kind": "place", "request": { "what": "fly" } }),
            "request.what",
        ),
        (
            json!({ "kind": "place", "request": { "what": names[0], "end": { "x": 1e12, "z": 0, "heading_rad": 0 } } }),
            "request.end",
        ),
        (
            json!({ "kind": "place", "request": { "what": names[0], "style": "fly" } }),
            "request.style",
        ),
        (
            json!({ "kind": "place", "request": { "what": names[0], "expansions": 0 } }),
            "request.expansions",
        ),
        (
            json!({ "kind": "connect", "from": at("nobody", 1.0), "to": at(names[0], 1.0) }),
            "from.clip",
        ),
        (
            json!({ "kind": "connect", "from": at(names[0], 1.0), "to": at(names[0], 1e5) }),
            "to.seconds",
        ),
        (
            json!({ "kind": "connect", "from": at(names[0], 1.0), "to": at(names[1], 1.0), "by": "luck" }),
            "by",
        ),
        (
            json!({ "kind": "draw", "result": made["id"], "member": 7 }),
            "member",
        ),
    ] {
        let answer = server.post("/api/jobs", &body);
        assert!(
            (400..500).contains(&answer.status),
            "{body}: {}",
            answer.status
        );
        assert_eq!(answer.json()["error"]["field"], json!(field), "{body}");
    }
}

#[test]
fn a_crowd_is_taken_home_in_one_file() {
    let server = Running::start();
    let mut ask = path(json!({}));
    ask["request"]["count"] = json!(3);
    let made = result_of(&server, &server.job(&ask));
    let at = format!(
        "/api/results/{}/export",
        made["id"].as_str().expect("an id")
    );
    let glb = server.get(&format!("{at}?format=glb&everybody=true")).ok();
    assert!(glb.header("content-disposition").contains("-everybody.glb"));
    let long = u32::from_le_bytes(glb.bytes[12..16].try_into().expect("four")) as usize;
    let scene: Value = serde_json::from_slice(&glb.bytes[20..20 + long]).expect("json");
    assert_eq!(scene["skins"].as_array().map(Vec::len), Some(3));
    let zip = server
        .get(&format!("{at}?format=bvh&everybody=true&fps=24&unit=m"))
        .ok();
    assert!(zip.bytes.starts_with(b"PK"));
    // Stored as it is, so that it can be looked into.
    let text = String::from_utf8_lossy(&zip.bytes);
    for (k, member) in made["members"]
        .as_array()
        .expect("three")
        .iter()
        .enumerate()
    {
        assert!(
            text.contains(&format!("\"start_s\": {}", member["start_s"])),
            "{k}"
        );
        let start = member["start_s"].as_f64().expect("seconds");
        let named = format!("person-{:02}-at-{start:.2}s.bvh", k + 1);
        assert!(text.contains(&named), "{named}");
    }
    assert!(text.contains("\"rate_hz\": 24.0") && text.contains("\"unit_m\": 1.0"));
    // One alone, on the spot, slower: shorter steps of time, no travel.
    let bvh = server
        .get(&format!(
            "{at}?format=bvh&fps=10&in_place=true&root_motion=true"
        ))
        .ok();
    let text = String::from_utf8_lossy(&bvh.bytes).into_owned();
    assert!(text.contains("Frame Time: 0.1"), "the rate asked for");
    for (query, field) in [
        ("format=png&everybody=true", "everybody"),
        ("format=bvh&fps=-3", "fps"),
        ("format=bvh&fps=1e9", "fps"),
        ("format=bvh&unit=parsec", "unit"),
        ("format=bvh&up=w", "up"),
    ] {
        let answer = server.get(&format!("{at}?{query}"));
        assert_eq!(answer.status, 400, "{query}");
        assert_eq!(answer.json()["error"]["field"], json!(field), "{query}");
    }
}

#[test]
fn an_animation_is_drawn_with_word_of_how_far_it_is() {
    let server = Running::start();
    let made = result_of(&server, &server.job(&path(json!({}))));
    let id = made["id"].as_str().expect("an id");
    let mut socket = server.socket(None).expect("a socket");
    hear(&mut socket, "hello");
    // Heard while it is drawn: who listens late is told the newest alone.
    let listener = std::thread::spawn(move || {
        loop {
            let told = hear(&mut socket, "job");
            let part = told["job"]["part"].as_f64().expect("a number");
            if told["job"]["message"] == "drawing" && part > 0.0 && part < 1.0 {
                break;
            }
            assert_ne!(told["job"]["state"], "done", "not a word on the way");
        }
    });
    let job = server.job(&json!({ "kind": "draw", "result": id, "member": 0 }));
    assert_eq!(
        (&job["state"], &job["result"]),
        (&json!("done"), &json!(id))
    );
    listener.join().expect("word on the way");
    let file = server
        .get(&format!("/api/results/{id}/export?format=gif"))
        .ok();
    assert!(file.bytes.starts_with(b"GIF89a"));
    // What is kept beside the result goes with it.
    let folder = server.folder().join("results").join(id);
    assert!(folder.join("motion-0.gif").is_file());
    // One that is stopped leaves nothing.
    let job = server
        .post("/api/jobs", &json!({ "kind": "draw", "result": id }))
        .ok()
        .json();
    let at = job["id"].as_str().expect("an id").to_owned();
    server
        .post(&format!("/api/jobs/{at}/cancel"), &json!({}))
        .ok();
    let ended = server.wait(&at);
    assert_eq!(ended["state"], "cancelled", "{ended}");
    assert!(!folder.join("everybody.gif").is_file());
}
