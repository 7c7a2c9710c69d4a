use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use gaitway_core::testing::{Walker, walking_clip};
use gaitway_io::{WriteOptions, write_file};

use super::client::{Running, hear};

fn written(extension: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("walk.{extension}"));
    let clip = walking_clip(&Walker {
        seconds: 3.0,
        ..Walker::default()
    });
    write_file(&path, &clip, &WriteOptions::default()).expect("written");
    std::fs::read(path).expect("read")
}

/// What lies in the project folder beside what belongs there.
fn litter(server: &Running) -> Vec<String> {
    let names = std::fs::read_dir(server.folder()).expect("a folder");
    names
        .map(|f| {
            f.expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|n| {
            n.starts_with(".upload") || n.starts_with(".export") || n.starts_with(".gaitway")
        })
        .collect()
}

#[test]
fn files_become_clips() {
    let server = Running::start();
    let mut socket = server.socket(None).expect("a socket");
    hear(&mut socket, "hello");
    for extension in ["bvh", "glb", "gltf"] {
        let name = format!("../My Walk {extension}.{extension}");
        let answer = server.upload(&[(&name, &written(extension))]);
        assert_eq!(
            answer.status,
            201,
            "{}",
            String::from_utf8_lossy(&answer.bytes)
        );
        let clip = answer.json()["clips"][0].clone();
        assert_eq!(clip["format"], extension);
        assert_eq!(clip["in_graph"], false);
        // Of another body than the graph's: a group of its own.
        let clips = server.get("/api/clips").ok().json();
        let mut clips = clips.as_array().expect("a list").iter();
        let graphs = clips.find(|c| c["in_graph"] == true).expect("one");
        assert!(
            clip["body"] != graphs["body"] && clip["body"] != "",
            "{clip}"
        );
        let id = clip["id"].as_str().expect("an id").to_owned();
        server.get(&format!("/api/clips/{id}/motion")).ok();
        server.get(&format!("/api/clips/{id}/thumbnail.svg")).ok();
        assert_eq!(hear(&mut socket, "project")["what"][0], "clips");
    }
    assert!(server.folder().join("clips/My_Walk_bvh.bvh").is_file());
    let twice = server.upload(&[("My Walk bvh.bvh", &written("bvh"))]);
    assert_eq!((twice.status, twice.code().as_str()), (409, "conflict"));
    let id = server.clip("My_Walk_bvh");
    assert_eq!(
        server
            .ask("DELETE", &format!("/api/clips/{id}"), &[], None)
            .status,
        204
    );
    assert!(!server.folder().join("clips/My_Walk_bvh.bvh").exists());
    assert!(litter(&server).is_empty());
}

#[test]
fn real_files_of_each_format() {
    let Some(data) = gaitway_core::testing::data_dir() else {
        return;
    };
    let server = Running::start();
    let read = |path: std::path::PathBuf| {
        std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let find = |folder: &std::path::Path, extension: &str| {
        let mut list = vec![folder.to_path_buf()];
        while let Some(at) = list.pop() {
            let mut items: Vec<_> = std::fs::read_dir(&at)
                .into_iter()
                .flatten()
                .flatten()
                .map(|i| i.path())
                .collect();
            items.sort();
            for item in items {
                if item.is_dir() {
                    list.push(item);
                } else if item
                    .extension()
                    .is_some_and(|e| e.eq_ignore_ascii_case(extension))
                    && item.metadata().is_ok_and(|m| m.len() < 20 << 20)
                {
                    return Some(item);
                }
            }
        }
        None
    };
    for (folder, extension) in [("pfnn-bvh", "bvh"), ("fbx", "fbx"), ("gltf", "glb")] {
        let Some(file) = find(&data.join(folder), extension) else {
            continue;
        };
        let answer = server.upload(&[(&format!("real_{extension}.{extension}"), &read(file))]);
        assert_eq!(
            answer.status,
            201,
            "{}",
            String::from_utf8_lossy(&answer.bytes)
        );
    }
    let three = data.join("cmu-three-formats");
    if let Some(amc) = find(&three, "amc") {
        let asf = find(&three, "asf").expect("a skeleton");
        let alone = server.upload(&[("real.amc", &read(amc.clone()))]);
        assert_eq!(
            (alone.status, alone.code().as_str()),
            (422, "unprocessable")
        );
        let both = server.upload(&[("real.amc", &read(amc)), ("real.asf", &read(asf))]);
        assert_eq!(both.status, 201, "{}", String::from_utf8_lossy(&both.bytes));
    }
}

#[test]
fn garbage_leaves_nothing() {
    let server = Running::start();
    let good = written("bvh");
    let half = &good[..good.len() / 3];
    let noise: Vec<u8> = (0..50_000_u32)
        .map(|k| (k.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for extension in ["bvh", "amc", "glb", "gltf", "fbx"] {
        for bytes in [&noise[..], b"", b"HIERARCHY\nROOT x\n{", half] {
            if extension == "bvh" && bytes == half {
                continue;
            }
            let answer = server.upload(&[(&format!("bad.{extension}"), bytes)]);
            assert!(
                matches!(answer.status, 400 | 422),
                "{extension}: {}",
                answer.status
            );
            let message = answer.json()["error"]["message"]
                .as_str()
                .unwrap_or("")
                .to_owned();
            assert!(!message.contains("/.upload"), "{message}");
        }
    }
    // One bad file among good ones keeps all of them out.
    let answer = server.upload(&[("fine.bvh", &good), ("bad.bvh", b"HIERARCHY\n")]);
    assert_eq!(answer.status, 422);
    assert!(
        answer.json()["error"]["message"]
            .as_str()
            .is_some_and(|m| m.contains("bad.bvh:"))
    );
    for name in [
        "evil.exe",
        "noextension",
        "",
        "x.csv",
        "only.asf",
        "only.bin",
    ] {
        assert!(
            matches!(server.upload(&[(name, b"x")]).status, 400 | 422),
            "{name}"
        );
    }
    assert_eq!(server.upload(&[]).status, 400);
    assert_eq!(
        server.upload(&[("a.bvh", &good), ("A.bvh", &good)]).status,
        400
    );
    assert_eq!(
        std::fs::read_dir(server.folder().join("clips"))
            .expect("a folder")
            .count(),
        0
    );
    assert!(litter(&server).is_empty());
}

/// Sends the start of a request, then a byte now and then; gives what the server answers and after how long.
fn trickle(server: &Running, head: &str, first: &[u8], pause: Duration) -> (String, Duration) {
    let mut stream = TcpStream::connect(server.address).expect("connects");
    stream
        .set_read_timeout(Some(Duration::from_millis(1)))
        .expect("a time");
    let head = format!("{head}Host: {}\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).expect("sent");
    stream.write_all(first).expect("sent");
    let begun = Instant::now();
    let mut answer = Vec::new();
    let mut room = [0; 4096];
    while begun.elapsed() < Duration::from_secs(60) {
        match stream.read(&mut room) {
            Ok(0) => break,
            Ok(count) => answer.extend(&room[..count]),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if !answer.is_empty() {
                    break;
                }
                std::thread::sleep(pause);
                if stream.write_all(b"x").is_err() {
                    break;
                }
            }
            Err(_) => break,
        }
    }
    (
        String::from_utf8_lossy(&answer).into_owned(),
        begun.elapsed(),
    )
}

#[test]
fn what_trickles_ends() {
    let server = Running::with(|c| c.patience = Duration::from_millis(400));
    let part = b"--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"slow.bvh\"\r\n\r\nHIERARCHY";
    let upload = "POST /api/clips HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=xyz\r\nContent-Length: 900000\r\n";
    let json =
        "POST /api/jobs HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n";
    for (head, first) in [(upload, &part[..]), (json, b"{")] {
        // More often than a pause may last, and far below a useful rate; then not at all.
        for pause in [Duration::from_millis(40), Duration::from_secs(3)] {
            let (answer, after) = trickle(&server, head, first, pause);
            assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
            assert!(
                answer.contains("too-slow") && answer.contains("KiB a second"),
                "{answer}"
            );
            assert!(after < Duration::from_secs(20), "{after:?}");
        }
    }
    assert_eq!(litter(&server), Vec::<String>::new());
    // Who is quick is not touched by it.
    assert_eq!(server.upload(&[("quick.bvh", &written("bvh"))]).status, 201);
}

/// Of many files the good ones are kept, and all bad ones are named at once.
#[test]
fn bad_files_are_named_together() {
    let server = Running::start();
    let good = written("bvh");
    let files: [(&str, &[u8]); 5] = [
        ("a/fine.bvh", &good),
        ("b/fine.bvh", &written("glb")),
        ("broken.bvh", b"HIERARCHY\nROOT x\n{"),
        ("notes.txt", b"hello"),
        (
            "no.amc",
            b":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n",
        ),
    ];
    let answer = server.upload_to("/api/clips?skip_bad=true", &files);
    assert_eq!(
        answer.status,
        201,
        "{}",
        String::from_utf8_lossy(&answer.bytes)
    );
    let answer = answer.json();
    assert_eq!(
        answer["clips"].as_array().map(Vec::len),
        Some(1),
        "{answer}"
    );
    let bad = answer["bad"].as_array().expect("a list");
    let of = |name: &str| {
        let found = bad.iter().find(|b| b["file"] == name);
        found.unwrap_or_else(|| panic!("{name}: {answer}"))["error"]["message"]
            .as_str()
            .expect("words")
            .to_owned()
    };
    assert!(of("broken.bvh").contains("broken.bvh:"));
    assert!(of("notes.txt").contains("no format"));
    assert!(of("no.amc").contains("no ASF"));
    // A GLB that is called BVH, under a name that another folder has too.
    of("fine_2.bvh");
    assert_eq!(bad.len(), 4);
    let again = server.upload_to("/api/clips?skip_bad=true", &files[..1]);
    assert_eq!(again.status, 201);
    assert_eq!(again.json()["bad"][0]["error"]["code"], "conflict");
    assert!(litter(&server).is_empty());
}

/// As `--format`: what somebody knows better than a file's name, when it is dropped and later.
#[test]
fn a_file_is_read_as_what_it_is_said_to_be() {
    let server = Running::start();
    let (bvh, glb) = (written("bvh"), written("glb"));
    let plain = server.upload(&[("take.txt", &bvh)]);
    assert_eq!(plain.status, 422);
    let said = server.upload_to("/api/clips?format=bvh", &[("take.txt", &bvh)]);
    assert_eq!(said.status, 201, "{}", String::from_utf8_lossy(&said.bytes));
    assert_eq!(said.json()["clips"][0]["format"], "bvh");
    assert!(server.folder().join("clips/take.bvh").is_file());
    // A name that says something else is not heard.
    let other = server.upload_to("/api/clips?format=glb", &[("other.bvh", &glb)]);
    assert_eq!(
        other.status,
        201,
        "{}",
        String::from_utf8_lossy(&other.bytes)
    );
    assert!(server.folder().join("clips/other.glb").is_file());
    for wrong in ["c3d", "npz", "BVH", "..", "x"] {
        let answer = server.upload_to(&format!("/api/clips?format={wrong}"), &[("more.bvh", &bvh)]);
        assert_eq!(
            (answer.status, answer.json()["error"]["field"].as_str()),
            (400, Some("format")),
            "{wrong}"
        );
    }
    let id = server.clip("take");
    let read = |reading: serde_json::Value| {
        let body = serde_json::json!({ "clips": [{ "clip": id, "reading": reading }] });
        server.send("PUT", "/api/reading", &body)
    };
    let before = server.get("/api/clips").ok().json();
    read(serde_json::json!({ "format": "bvh" })).ok();
    // It is no FBX, and nothing has happened.
    assert_eq!(read(serde_json::json!({ "format": "fbx" })).status, 422);
    let wrong = read(serde_json::json!({ "format": "trc" }));
    assert_eq!(
        (wrong.status, wrong.json()["error"]["field"].as_str()),
        (400, Some("clips[0].reading.format"))
    );
    let clips = server.get("/api/clips").ok().json();
    let of = |list: &serde_json::Value| {
        let clips = list.as_array().expect("a list").iter();
        let mut clips = clips;
        let found = clips.find(|c| c["id"] == id.as_str());
        found.expect("the clip")["reading"]["format"].clone()
    };
    assert_eq!(of(&clips), "bvh");
    assert_eq!(of(&before), serde_json::Value::Null);
}

#[test]
fn a_gltf_comes_with_its_buffer() {
    let server = Running::start();
    // Our own has its buffer inside; taken out, it is as most programs write it.
    let mut document: serde_json::Value = serde_json::from_slice(&written("gltf")).expect("JSON");
    let uri = document["buffers"][0]["uri"]
        .as_str()
        .expect("inside")
        .to_owned();
    let (_, text) = uri.split_once(";base64,").expect("base64");
    let bytes = base64(text);
    document["buffers"][0]["uri"] = "My%20Walk.bin".into();
    let text = serde_json::to_vec(&document).expect("JSON");
    let alone = server.upload(&[("walk.gltf", &text)]);
    assert_eq!(alone.status, 422);
    assert!(
        alone.json()["error"]["hint"]
            .as_str()
            .is_some_and(|h| h.contains(".bin"))
    );
    let both = server.upload(&[("walk.gltf", &text), ("My Walk.bin", &bytes)]);
    assert_eq!(both.status, 201, "{}", String::from_utf8_lossy(&both.bytes));
    let id = both.json()["clips"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    server.get(&format!("/api/clips/{id}/motion")).ok();
    // The same buffer may come again with another motion; another one of that name may not.
    assert_eq!(
        server
            .upload(&[("two.gltf", &text), ("My Walk.bin", &bytes)])
            .status,
        201
    );
    assert_eq!(
        server
            .upload(&[("three.gltf", &text), ("My Walk.bin", &bytes[4..])])
            .status,
        422
    );
    assert!(server.folder().join("clips/My Walk.bin").is_file());
}

fn base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|&c| c != b'=').collect();
    let mut out = Vec::new();
    for four in digits.chunks(4) {
        let bits = four
            .iter()
            .enumerate()
            .fold(0, |b, (k, &c)| b | value(c) << (18 - 6 * k));
        out.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    out
}
