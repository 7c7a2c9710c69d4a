//! The demo through the real binary.

use crate::support::{Place, text};

#[test]
fn the_demo_does_the_whole_line_and_ends_with_a_page() {
    let place = Place::new();
    let output = place.run(&["demo", "--out", "demo"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for file in [
        "motion.bvh",
        "motion.glb",
        "motion.gif",
        "report.json",
        "path.json",
        "obstacles.json",
        "demo.gway",
        "pictures/motion.png",
        "pictures/motion-map.svg",
    ] {
        assert!(place.path("demo").join(file).is_file(), "no {file}");
    }
    let page = std::fs::read_to_string(place.path("demo/index.html")).expect("a page");
    for words in [
        "Gaitway",
        "distance from the path over",
        "speed over time",
        "quality numbers",
        "enters",
    ] {
        assert!(page.contains(words), "the page does not say `{words}`");
    }
    // It can be passed on alone: nothing is loaded from beside it or from elsewhere.
    assert!(page.contains("data:image/gif") && !page.contains("<img src=\"pictures"));
    let report = std::fs::read_to_string(place.path("demo/report.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["status"], "Solved");
    let quality = &report["quality"];
    assert!(
        quality["skate_cm_s"]["mean"]
            .as_f64()
            .is_some_and(|s| s < 0.1),
        "{quality}"
    );
    // The bare file, too, with contacts found in it anew, at the bar for those.
    let bars = ["--max-skate", "0.2"];
    let bare = place.run(&[&["quality", "demo/motion.bvh"], &bars[..]].concat());
    assert!(bare.status.success(), "{}", text(&bare.stderr));
    assert!(
        report["facing_error_rad"]["within_30_deg"]
            .as_f64()
            .is_some_and(|part| part > 0.95)
    );

    // The page's own command makes the same motion again.
    let again = [
        "path",
        "demo.gway",
        "path.json",
        "--style",
        "walk@0..40%,sneak@40%..70%,walk@70%..",
        "--obstacles",
        "obstacles.json",
        "-o",
        "again.bvh",
    ];
    assert!(page.contains(again[4]), "the page names other styles");
    let output = place.run_in("demo", &again);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| std::fs::read(place.path(name)).expect("a motion");
    assert!(read("demo/motion.bvh") == read("demo/again.bvh"));
}

/// Every step of the suite gives a ratio that makes sense; how large it is depends on the machine.
#[test]
fn the_benchmarks_give_ratios() {
    let place = Place::new();
    let all = place.json(&["bench", "--only", "clean", "--runs", "1", "--json"]);
    let row = &all["rows"][0];
    assert_eq!(row["name"], "clean");
    assert!(row["ratio"].as_f64().is_some_and(|r| r > 0.0), "{all}");
    // A speed is told of walks that follow, and of no others: the paper's search once ended nine metres off.
    for name in ["path-beam", "path-bnb"] {
        let all = place.json(&["bench", "--only", name, "--runs", "1", "--json"]);
        let row = &all["rows"][0];
        assert_eq!(row["status"] == "Solved", row["ratio"].is_f64(), "{row}");
        assert!(row["rms_m"].as_f64().is_some_and(|m| m < 0.2), "{row}");
    }
    let table = place.run(&["bench", "--only", "assemble", "--runs", "1"]);
    assert!(text(&table.stdout).contains("assemble"));
    let output = place.run(&["bench", "--only", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
}
