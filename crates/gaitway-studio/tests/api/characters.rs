//! Characters: uploads, motion on them, roles that are chosen, what players show.

use gaitway_core::testing::{Walker, performed_clips, walking_clip};
use gaitway_io::gltf::Character;
use gaitway_io::{ReadOptions, WriteOptions, read_file, write_file};
use gaitway_retarget::{Body, RetargetOptions, retarget};
use gaitway_studio::wire::gwmo::decode;
use serde_json::{Value, json};

use super::client::Running;

/// A rigged figure that stands still: a GLB of ours without its animation.
fn figure() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walker.glb");
    let clip = walking_clip(&Walker::default());
    write_file(&path, &clip, &WriteOptions::default()).expect("written");
    let glb = std::fs::read(path).expect("written");
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four")) as usize;
    let mut document: Value = serde_json::from_slice(&glb[20..20 + length]).expect("JSON");
    let object = document.as_object_mut().expect("an object");
    object.remove("animations");
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &glb[20 + length..];
    let mut out = glb[..8].to_vec();
    out.extend(((20 + text.len() + rest.len()) as u32).to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(text);
    out.extend(rest);
    out
}

fn walk() -> (gaitway_core::Clip, Vec<u8>) {
    let clip = performed_clips(60.0, &["walk_normal"]).swap_remove(0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("walk.bvh");
    write_file(&path, &clip, &WriteOptions::default()).expect("written");
    let read = read_file(&path, &ReadOptions::default())
        .expect("read")
        .swap_remove(0);
    (read.clip, std::fs::read(path).expect("written"))
}

fn put(server: &Running, path: &str, body: &Value) -> super::client::Answer {
    let json = [("content-type", "application/json")];
    server.ask("PUT", path, &json, Some(body.to_string().as_bytes()))
}

/// A server with a walk and a character: their ids.
fn dressed() -> (Running, String, String) {
    let server = Running::start();
    let answer = server.upload(&[("hero.glb", &figure()), ("walk.bvh", &walk().1)]);
    let text = String::from_utf8_lossy(&answer.bytes).into_owned();
    assert_eq!(answer.status, 201, "{text}");
    let made = answer.json();
    let id = |list: &str| made[list][0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(made["characters"][0]["mesh"], true);
    assert_eq!(made["clips"].as_array().map(Vec::len), Some(1));
    let (clip, hero) = (id("clips"), id("characters"));
    (server, clip, hero)
}

#[test]
fn a_clip_goes_onto_a_character_as_the_library_puts_it() {
    let (server, clip, hero) = dressed();
    let on = server
        .get(&format!("/api/characters/{hero}/on?clip={clip}"))
        .ok()
        .json();
    let figure = figure();
    let rest = Character::read("hero.glb", &figure, &|_| Err(std::io::Error::other("none")));
    let joints = rest.expect("a figure").rest().joints.len();
    assert_eq!(on["target_joints"].as_array().map(Vec::len), Some(joints));
    let row = |role: &str| -> Value {
        let rows = on["roles"].as_array().expect("rows");
        rows.iter()
            .find(|r| r["role"] == role)
            .expect("the role")
            .clone()
    };
    assert_eq!(row("LeftFoot")["source"], json!(["LeftFoot"]));
    assert!(row("LeftFoot")["confidence"].as_f64().expect("a number") > 0.5);
    let kept = on["kept"].as_array().expect("spans");
    let feet: Vec<&Value> = (kept.iter())
        .filter(|k| {
            k["name"]
                .as_str()
                .is_some_and(|n| n.contains("heel") || n.contains("toe"))
        })
        .collect();
    assert!(feet.len() >= 4, "{on}");
    for span in feet {
        assert!(span["end_s"].as_f64() > span["start_s"].as_f64());
        assert!(span["left_mm"].as_f64().expect("a number") < 1.0, "{span}");
    }
    assert_eq!(
        on["commands"],
        json!(["gaitway retarget walk.bvh --to hero.glb -o on.glb"])
    );

    // The frames are those of the library, whoever asks.
    let frames = server
        .get(&format!("/api/characters/{hero}/on/motion?clip={clip}"))
        .ok();
    let frames = decode(&frames.bytes).expect("GWMO");
    let folder = tempfile::tempdir().expect("a folder");
    let export = |format: &str| {
        let path = format!("/api/characters/{hero}/on/export?clip={clip}&format={format}");
        server.get(&path).ok().bytes
    };
    let path = folder.path().join("out.glb");
    std::fs::write(&path, export("glb")).expect("written");
    let glb = read_file(&path, &ReadOptions::default())
        .expect("read")
        .swap_remove(0)
        .clip;
    assert_eq!(glb.frame_count(), frames.header.frames);
    let hips = frames.points[0];
    let root = glb.root()[0];
    for axis in 0..3 {
        assert!((hips[axis] - root[axis]).abs() < 2e-3, "{hips:?} {root}");
    }
    for format in ["bvh", "npz", "report", "map"] {
        assert!(!export(format).is_empty());
    }
    let report: Value = serde_json::from_slice(&export("report")).expect("JSON");
    let (walk, _) = walk();
    let source = Body::of_clip(&walk, None).expect("a body");
    let at_rest = folder.path().join("hero.glb");
    std::fs::write(&at_rest, &figure).expect("written");
    let character = gaitway_io::read_character(&at_rest).expect("a figure");
    let rest = gaitway_io::read_rest(&at_rest, &character, &ReadOptions::default()).expect("read");
    let target = Body::of_clip(&rest.clip, None).expect("a body");
    let direct = retarget(&walk, &source, &target, &RetargetOptions::planted()).expect("done");
    let scale = report["retarget"]["scale"].as_f64().expect("a number");
    assert!((scale - direct.report.scale).abs() < 1e-6);
    assert_eq!(report["retarget"]["frames"], direct.report.frames);
}

#[test]
fn a_role_that_is_chosen_is_solved_anew_and_stays() {
    let (server, clip, hero) = dressed();
    let path = format!("/api/characters/{hero}/on?clip={clip}");
    let head = |on: &Value| -> Value {
        let rows = on["roles"].as_array().expect("rows").clone();
        let row = rows.into_iter().find(|r| r["role"] == "Head");
        row.expect("a head")["target"].clone()
    };
    let before = server.get(&path).ok().json();
    let found = head(&before);
    let other = before["target_joints"][1].clone();
    let roles = json!({ "target": { "Head": [other] } });
    let answer = put(&server, &format!("/api/characters/{hero}/roles"), &roles);
    assert_eq!(
        answer.status,
        200,
        "{}",
        String::from_utf8_lossy(&answer.bytes)
    );
    let after = server.get(&path).ok().json();
    assert_eq!(head(&after), json!([other]));
    let command = after["commands"][0].as_str().expect("a command");
    assert!(command.contains("--map roles.toml"), "{command}");
    let map = server
        .get(&format!(
            "/api/characters/{hero}/on/export?clip={clip}&format=map"
        ))
        .ok();
    assert!(String::from_utf8_lossy(&map.bytes).contains("Head = ["));
    // The next server knows.
    let folder = server.stop();
    let config = gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    };
    let server = Running::serve(config);
    assert_eq!(head(&server.get(&path).ok().json()), json!([other]));
    let answer = put(
        &server,
        &format!("/api/characters/{hero}/roles"),
        &json!({}),
    );
    assert_eq!(answer.status, 200);
    assert_eq!(head(&server.get(&path).ok().json()), found);

    for (roles, says) in [
        (json!({ "target": { "Head": ["nobody"] } }), "nobody"),
        (json!({ "target": { "Tail": [] } }), "is no role"),
        (json!({ "source": { "Head": ["a", "b"] } }), "Head"),
        (json!({ "heads": {} }), "heads"),
    ] {
        let answer = put(&server, &format!("/api/characters/{hero}/roles"), &roles);
        assert_eq!(answer.status, 400, "{roles}");
        let message = answer.json()["error"].to_string();
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn who_is_shown_is_remembered_until_it_goes() {
    let (server, clip, hero) = dressed();
    let shown = || server.get("/api/project").ok().json()["shown"].clone();
    assert_eq!(shown(), Value::Null);
    let show = |who: Value| put(&server, "/api/shown", &json!({ "character": who })).status;
    assert_eq!(show(json!(hero)), 204);
    assert_eq!(shown(), json!(hero));
    assert_eq!(show(json!("nobody")), 404);
    assert_eq!(show(Value::Null), 204);
    assert_eq!(show(json!(hero)), 204);
    let file = server.folder().join("characters/hero.glb");
    assert!(file.exists());
    let gone = server.ask("DELETE", &format!("/api/characters/{hero}"), &[], None);
    assert_eq!(gone.status, 204);
    assert!(!file.exists());
    assert_eq!(shown(), Value::Null);
    let on = server.get(&format!("/api/characters/{hero}/on?clip={clip}"));
    assert_eq!(on.status, 404);
    assert_eq!(server.get("/api/characters").ok().json(), json!([]));
}

#[test]
fn files_are_characters_where_somebody_says_so() {
    let server = Running::start();
    let to = "/api/clips?characters=true";
    let made = server.upload_to(to, &[("body.bvh", &walk().1)]);
    assert_eq!(made.status, 201);
    let made = made.json();
    assert_eq!(made["clips"], json!([]));
    assert_eq!(made["characters"][0]["mesh"], false);
    let hero = made["characters"][0]["id"].as_str().expect("an id");
    assert_eq!(server.upload_to(to, &[("body.bvh", &walk().1)]).status, 409);
    let notes = server.upload_to(to, &[("take.trc", b"PathFileType")]);
    assert_eq!(notes.status, 422);
    for (name, bytes) in [
        ("a.glb", &b"glTF no"[..]),
        ("a.bvh", b"HIERARCHY"),
        ("a.fbx", b"Kaydara"),
        ("a.gltf", b"{}"),
    ] {
        let answer = server.upload_to(to, &[(name, bytes)]);
        assert_eq!(answer.status, 422, "{name}");
        let said = answer.json()["error"]["message"].to_string();
        assert!(said.contains(name) && !said.contains(".upload-"), "{said}");
    }
    // One bad file keeps no good one out where the page asks for that.
    let both = server.upload_to(
        "/api/clips?characters=true&skip_bad=true",
        &[("bad.glb", b"glTF no"), ("hero.glb", &figure())],
    );
    assert_eq!(both.status, 201);
    assert_eq!(both.json()["bad"][0]["file"], "bad.glb");
    assert_eq!(both.json()["characters"][0]["name"], "hero");

    let on = |query: &str| server.get(&format!("/api/characters/{hero}/on?{query}"));
    for (query, status) in [
        ("", 400),
        ("clip=a&result=b", 400),
        ("clip=nobody", 404),
        ("result=nobody", 404),
        ("tail=1", 400),
    ] {
        assert_eq!(on(query).status, status, "{query}");
    }
    let clips = server.get("/api/clips").ok().json();
    let clip = clips[0]["id"].as_str().expect("a clip of the graph");
    let export = format!("/api/characters/{hero}/on/export?clip={clip}");
    assert_eq!(server.get(&format!("{export}&format=exe")).status, 400);
    // No mesh: a skeleton alone.
    let glb = server.get(&format!("{export}&format=glb")).ok();
    assert!(glb.bytes.starts_with(b"glTF"));
}

#[test]
fn a_body_is_made_longer_and_a_hand_is_dragged() {
    let (server, clip, hero) = dressed();
    let on = |id: &str, query: &str| {
        let path = format!("/api/characters/{id}/on?clip={clip}&{query}");
        server.get(&path)
    };
    // Its own body: nothing to map, all of it to change.
    let plain = on("own", "").ok().json();
    assert_eq!(plain["edited"], Value::Null);
    assert_eq!(plain["commands"], json!([]));
    let tall = on("own", "taller=1.1&arms=0.95").ok().json();
    assert!(tall["edited"]["height_m"].as_f64().expect("a number") > 1.0);
    assert_eq!(
        tall["commands"],
        json!(["gaitway edit walk.bvh -o edited.bvh --taller=10% --arms=-5%"])
    );
    // A hand goes where it is dragged, and only about then.
    let frames = server
        .get(&format!("/api/characters/{hero}/on/motion?clip={clip}"))
        .ok();
    let frames = decode(&frames.bytes).expect("GWMO");
    let names = &frames.header.joints;
    let row = on(&hero, "").ok().json()["roles"].clone();
    let hand = (row.as_array().expect("rows").iter()).find(|r| r["role"] == "LeftHand");
    let hand = hand.expect("a hand")["target"][0].clone();
    let k = names.iter().position(|n| *n == hand).expect("the joint");
    let frame = frames.header.frames / 2;
    let at_s = frame as f64 / frames.header.rate_hz;
    let [x, y, z] = frames.points[frame * names.len() + k];
    let place = [x, y + 0.1, z];
    let query = format!(
        "drags=LeftHand@{at_s}={},{},{}",
        place[0], place[1], place[2]
    );
    let dragged = on(&hero, &query).ok().json();
    let left = dragged["edited"]["left_mm"][0].as_f64().expect("a number");
    assert!(left < 5.0, "{dragged}");
    let spans = dragged["edited"]["spans"].as_array().expect("spans");
    assert!(!spans.is_empty());
    let near = |s: &Value| {
        let (a, b) = (s["start_s"].as_f64(), s["end_s"].as_f64());
        a.is_some_and(|a| a <= at_s) && b.is_some_and(|b| at_s <= b)
    };
    assert!(spans.iter().any(near), "{dragged}");
    assert_eq!(dragged["edited"]["dragged"], dragged["edited"]["spans"]);
    // On a body of other lengths all of it is changed, and the drag still has its own span.
    let both = on("own", &format!("taller=1.1&{query}")).ok().json();
    let own = both["edited"]["dragged"].as_array().expect("spans");
    let all = both["edited"]["spans"].as_array().expect("spans");
    let length = |list: &[Value]| -> f64 {
        let ends = list
            .iter()
            .map(|s| [&s["start_s"], &s["end_s"]].map(|v| v.as_f64().expect("s")));
        ends.map(|[a, b]| b - a).sum()
    };
    assert!(own.iter().any(near), "{both}");
    assert!(length(own) < 0.8 * length(all), "{both}");
    let moved = server
        .get(&format!(
            "/api/characters/{hero}/on/motion?clip={clip}&{query}"
        ))
        .ok();
    let moved = decode(&moved.bytes).expect("GWMO");
    let now = moved.points[frame * names.len() + k];
    let off = (0..3)
        .map(|a| (now[a] - place[a]).abs())
        .fold(0.0, f64::max);
    assert!(off < 0.006, "{now:?} {place:?}");
    // To what single precision tells: places go through joints that are turned and turned back.
    let [then, before] = [moved.points[k], frames.points[k]];
    let stays = (0..3).all(|a| (then[a] - before[a]).abs() < 1e-6);
    assert!(stays, "the first frame stays: {before:?} {then:?}");
    // The mesh goes along; with other lengths it would not fit.
    let glb = server.get(&format!(
        "/api/characters/{hero}/on/export?format=glb&clip={clip}&{query}"
    ));
    assert_eq!(glb.status, 200);
    let longer = on(&hero, "legs=1.2");
    assert_eq!(longer.status, 422);
    assert!(longer.json()["error"]["hint"].is_string());

    let path = format!("/api/characters/own/clip?clip={clip}&taller=1.1");
    let made = server.post(&path, &json!({}));
    assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.bytes));
    assert_eq!(made.json()["name"], "walk_edited");
    for (query, status) in [
        ("taller=3", 400),
        ("legs=nan", 400),
        ("drags=LeftHand", 400),
        ("drags=Tail@0.5=0,1,0", 422),
        ("drags=LeftHand@900=0,1,0", 422),
    ] {
        let answer = on("own", query);
        assert_eq!(answer.status, status, "{query}");
    }
}
