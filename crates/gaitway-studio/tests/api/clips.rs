use gaitway_core::fk::world_points;
use gaitway_core::testing::{Walker, swinging_clip, walking_clip};
use gaitway_core::{Clip, Planar};
use gaitway_studio::wire::gwmo::{Extra, decode, encode};
use proptest::prelude::*;

use super::client::Running;

/// The furthest a decoded point is from where kinematics puts it, metres.
fn worst(clip: &Clip, from: usize, bytes: &[u8]) -> f64 {
    let decoded = decode(bytes).expect("a GWMO");
    let world = world_points(clip);
    let joints = decoded.header.joints.len();
    let mut worst = 0.0_f64;
    for (n, p) in decoded.points.iter().enumerate() {
        let q = world.at(from + n / joints, n % joints);
        worst = worst.max((q - glam::DVec3::from_array(*p)).length());
    }
    worst
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn frames_come_back_within_a_fifth_of_a_millimetre(
        seed in 0_u32..1000, frames in 1_usize..60, from in 0_usize..70, x in -300.0_f64..300.0, turn in -3.0_f64..3.0,
    ) {
        let name = format!("clip {seed}");
        let clip = swinging_clip(&name, frames, 60.0).moved(Planar::new(turn, x, -x / 3.0));
        let bytes = encode(&clip, from..from + 40, Extra::default());
        let decoded = decode(&bytes).expect("a GWMO");
        let start = from.min(frames);
        prop_assert_eq!(decoded.header.from, start);
        prop_assert_eq!(decoded.header.count, (from + 40).min(frames).saturating_sub(start));
        prop_assert!(worst(&clip, start, &bytes) < 2e-4);
        prop_assert_eq!(bytes.len() % 4, 0);
    }
}

#[test]
fn contacts_and_names_come_back() {
    let clip = walking_clip(&Walker::default());
    let decoded = decode(&encode(&clip, 0..clip.frame_count(), Extra::default())).expect("a GWMO");
    let masks = clip
        .contacts()
        .map(|c| c.masks().to_vec())
        .unwrap_or(vec![0; clip.frame_count()]);
    assert_eq!(decoded.contacts, masks);
    assert_eq!(decoded.header.joints.len(), clip.skeleton().point_count());
    assert_eq!(decoded.header.parents[0], -1);
}

#[test]
fn clips_are_listed_and_shown() {
    let server = Running::start();
    let project = server.get("/api/project").ok().json();
    assert_eq!(project["stale"], false);
    assert!(
        project["graph"]["transitions"]
            .as_u64()
            .is_some_and(|n| n > 100),
        "{project}"
    );
    let id = server.clip("walk_normal_01");
    let motion = server
        .get(&format!("/api/clips/{id}/motion?from=10&count=25"))
        .ok();
    assert_eq!(motion.header("content-type"), "application/octet-stream");
    let decoded = decode(&motion.bytes).expect("a GWMO");
    assert_eq!((decoded.header.from, decoded.header.count), (10, 25));
    assert!(
        decoded
            .header
            .contacts
            .iter()
            .any(|c| c.name == "left_heel")
    );
    let svg = server.get(&format!("/api/clips/{id}/thumbnail.svg")).ok();
    assert_eq!(svg.header("content-type"), "image/svg+xml");
    assert!(svg.bytes.starts_with(b"<svg"));
    assert_eq!(server.get("/api/clips/nobody/motion").status, 404);
    let topology = server.get("/api/graph/topology").ok().json();
    let nodes = topology["nodes"]["clip"].as_array().map_or(0, Vec::len);
    assert_eq!(Some(nodes as u64), project["graph"]["nodes"].as_u64());
    assert!(
        topology["nodes"]["component"]
            .as_array()
            .is_some_and(|c| c.iter().any(|v| v == 0))
    );
}

#[test]
fn a_clip_goes_and_stays_gone() {
    let server = Running::start();
    let id = server.clip("run_01");
    let before = server.get("/api/project").ok().json()["revision"].as_u64();
    assert_eq!(
        server
            .ask("DELETE", &format!("/api/clips/{id}"), &[], None)
            .status,
        204
    );
    assert_eq!(
        server
            .ask("DELETE", &format!("/api/clips/{id}"), &[], None)
            .status,
        404
    );
    let project = server.get("/api/project").ok().json();
    assert_eq!(project["stale"], true);
    assert!(project["revision"].as_u64() > before);
    let folder = server.stop();
    let again = Running::serve(gaitway_studio::Config {
        project: folder.path().join("project"),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    });
    let clips = again.get("/api/clips").ok().json();
    assert!(
        clips
            .as_array()
            .expect("a list")
            .iter()
            .all(|c| c["name"] != "run_01")
    );
    assert_eq!(again.get("/api/project").ok().json()["stale"], true);
}
