//! Following paths through the real binary.

use crate::support::{Place, text};

/// A folder with the demo's graph, `demo/demo.gway`.
fn demo() -> Place {
    let place = Place::new();
    assert!(
        place
            .run(&["demo", "--out", "demo", "--quiet"])
            .status
            .success()
    );
    place
}

#[test]
fn paths_are_followed_drawn_and_reported() {
    let place = demo();
    let made = [
        "path",
        "demo/demo.gway",
        "s",
        "--style",
        "walk",
        "-o",
        "s.bvh",
        "--plot",
        "s.svg",
        "--report",
        "r.json",
        "--json",
    ];
    let report = place.json(&made);
    for field in [
        "status",
        "deterministic",
        "seconds",
        "frames",
        "search_seconds",
        "expansions",
        "cost",
        "bound",
        "path_error_m",
        "arc_error_m",
        "facing_error_rad",
        "transitions",
        "quality",
    ] {
        assert!(report.get(field).is_some(), "no `{field}`");
    }
    assert_eq!(report["status"], "Solved");
    assert!(
        report["path_error_m"]["rms"]
            .as_f64()
            .is_some_and(|e| e < 0.08),
        "{report}"
    );
    assert!(
        report["quality"]["skate_cm_s"]["mean"]
            .as_f64()
            .is_some_and(|s| s < 0.2),
        "{report}"
    );
    assert!(place.path("s.svg").is_file() && place.path("s.bvh").is_file());
    let first = std::fs::read(place.path("s.bvh")).expect("a motion");
    assert!(
        place
            .run(&[
                "path",
                "demo/demo.gway",
                "s",
                "--style",
                "walk",
                "-o",
                "t.bvh"
            ])
            .status
            .success()
    );
    assert_eq!(std::fs::read(place.path("t.bvh")).expect("a motion"), first);

    std::fs::write(place.path("way.csv"), "0,0\n0,3\n2,6\n").expect("written");
    let crowd = [
        "path",
        "demo/demo.gway",
        "way.csv",
        "--style",
        "walk",
        "--count",
        "2",
        "-o",
        "c.glb",
    ];
    assert!(place.run(&crowd).status.success());
    assert!(place.path("c-01.glb").is_file() && place.path("c-02.glb").is_file());

    for (wrong, word) in [
        ("nonsense", "figure8"),
        ("bad.json", "bad.json"),
        ("dot.csv", "dot.csv"),
    ] {
        std::fs::write(place.path("bad.json"), "[[0,0],[NaN,1]]").expect("written");
        std::fs::write(place.path("dot.csv"), "1,1\n").expect("written");
        let output = place.run(&["path", "demo/demo.gway", wrong, "-o", "no.bvh"]);
        assert_ne!(output.status.code(), Some(0), "{wrong}");
        assert!(
            text(&output.stderr).contains(word),
            "{wrong}: {}",
            text(&output.stderr)
        );
        assert!(!place.path("no.bvh").exists());
    }
}
