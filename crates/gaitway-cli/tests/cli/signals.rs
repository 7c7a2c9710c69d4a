//! Ctrl-C and SIGTERM at any moment: what is there is whole, and no part is left.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{Place, performed};

fn parts(folder: &Path) -> Vec<String> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.to_string_lossy().ends_with(".part") {
            out.push(path.display().to_string());
        }
        if path.is_dir() {
            out.extend(parts(&path));
        }
    }
    out
}

fn start(place: &Place, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_gaitway"))
        .current_dir(place.path(""))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs")
}

fn send(child: &Child, signal: &str) {
    // A program that has ended meanwhile cannot be sent anything, which is as good.
    let _ = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
}

/// Waits for a moment at which something is half written, or for the end.
fn until_half_written(place: &Place, child: &mut Child) {
    while parts(&place.path("")).is_empty() && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn ends_clean(place: &Place, mut child: Child, what: &str) {
    child.wait().expect("it ends");
    let left = parts(&place.path(""));
    assert!(left.is_empty(), "{what}: {left:?}");
}

#[test]
fn a_stopped_demo_leaves_no_parts() {
    for signal in ["-INT", "-TERM"] {
        for times in [1, 2] {
            let place = Place::new();
            let mut child = start(&place, &["demo", "--out", "stopped"]);
            until_half_written(&place, &mut child);
            for _ in 0..times {
                send(&child, signal);
            }
            ends_clean(&place, child, &format!("demo, {signal} × {times}"));
        }
    }
}

#[test]
fn verbs_that_end_at_once_leave_no_parts() {
    let place = performed();
    let walk = ["walk", "g.gway", "--seconds", "600", "-o", "long.bvh"];
    assert!(place.run(&walk).status.success());
    std::fs::create_dir(place.path("in")).expect("a folder");
    for k in 0..3 {
        std::fs::copy(place.path("long.bvh"), place.path(&format!("in/{k}.bvh"))).expect("copied");
    }
    let long = ["walk", "g.gway", "--seconds", "600", "-o", "again.bvh"];
    let one = ["convert", "long.bvh", "long.glb"];
    let many = ["convert", "in", "out", "--to", "bvh"];
    for arguments in [&long[..], &one[..], &many[..]] {
        for signal in ["-INT", "-TERM"] {
            let mut child = start(&place, arguments);
            until_half_written(&place, &mut child);
            send(&child, signal);
            ends_clean(&place, child, arguments[0]);
        }
    }
}

#[test]
fn a_stopped_build_or_path_leaves_no_parts() {
    let place = performed();
    let walk = ["walk", "g.gway", "--seconds", "40", "-o", "long.bvh"];
    assert!(place.run(&walk).status.success());
    let build = ["build", "long.bvh", "-o", "h.gway", "--threshold", "4"];
    let path = ["path", "g.gway", "s", "-o", "s.bvh", "--page", "s.html"];
    for arguments in [&build[..], &path[..]] {
        for signal in ["-INT", "-TERM"] {
            for times in [1, 2] {
                let mut child = start(&place, arguments);
                until_half_written(&place, &mut child);
                for _ in 0..times {
                    send(&child, signal);
                }
                ends_clean(&place, child, arguments[0]);
            }
        }
    }
}

/// As many corners as may be, in the way of a path: whatever it is at, reading, leading round or searching, the program ends when told.
#[test]
fn a_wall_of_many_corners_does_not_outlive_a_signal() {
    let place = performed();
    let corner = |k: usize| {
        let (side, at) = (k / 50_000, (k % 50_000) as f64 / 50_000.0);
        let x = if side == 0 { at } else { 1.0 - at };
        let z = 3.0 + 0.5 * side as f64 + 0.1 * (700.0 * x).sin();
        [8.0 * x - 4.0, z]
    };
    let corners: Vec<[f64; 2]> = (0..100_000).map(corner).collect();
    let wall = serde_json::json!([{ "polygon": corners }]).to_string();
    std::fs::write(place.path("wall.json"), wall).expect("written");
    let arguments = [
        "path",
        "g.gway",
        "figure8",
        "--obstacles",
        "wall.json",
        "--expansions",
        "1000000000",
        "-o",
        "m.bvh",
    ];
    for millis in [20, 150, 600, 1_500] {
        let mut child = start(&place, &arguments);
        std::thread::sleep(Duration::from_millis(millis));
        send(&child, "-TERM");
        let told = std::time::Instant::now();
        while child.try_wait().expect("a state").is_none() {
            let late = told.elapsed() > Duration::from_secs(30);
            if late {
                let _ = child.kill();
            }
            assert!(!late, "told after {millis} ms");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(parts(&place.path("")).is_empty());
    }
}
