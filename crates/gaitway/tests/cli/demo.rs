//! The demo through the real binary.

use std::path::Path;

use crate::support::{Place, text};

fn files(folder: &Path) -> Vec<String> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(files(&path));
        } else {
            out.push(path.display().to_string());
        }
    }
    out
}

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
    // The bare file, too, with contacts found in it anew.
    let bars = ["--max-skate", "0.1", "--max-plant", "0.5"];
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

/// Ctrl-C at any moment leaves whole files only.
#[cfg(unix)]
#[test]
fn a_stopped_demo_leaves_no_parts() {
    use std::process::{Command, Stdio};
    let place = Place::new();
    for wait_ms in [150, 700, 2500] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gaitway"))
            .current_dir(place.path(""))
            .args(["demo", "--out", "stopped"])
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        std::thread::sleep(std::time::Duration::from_millis(wait_ms));
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.is_ok());
        child.wait().expect("it ends");
        let left = files(&place.path("stopped"));
        let parts: Vec<_> = left.iter().filter(|f| f.ends_with(".part")).collect();
        assert!(parts.is_empty(), "{parts:?}");
    }
}

/// Every step of the suite gives a ratio that makes sense; how large it is depends on the machine.
#[test]
fn the_benchmarks_give_ratios() {
    let place = Place::new();
    let all = place.json(&["bench", "--only", "clean", "--runs", "1", "--json"]);
    let row = &all["rows"][0];
    assert_eq!(row["name"], "clean");
    assert!(row["ratio"].as_f64().is_some_and(|r| r > 0.0), "{all}");
    let table = place.run(&["bench", "--only", "assemble", "--runs", "1"]);
    assert!(text(&table.stdout).contains("assemble"));
    let output = place.run(&["bench", "--only", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
}
