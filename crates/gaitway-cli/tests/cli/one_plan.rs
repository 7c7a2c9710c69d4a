//! The same request through the library, the program and the studio: the same motion, byte for byte, and the same report.

use gaitway::eval::quality::quality_against;
use gaitway_graph::MotionGraph;
use gaitway_io::{WriteOptions, write_file};
use gaitway_synth::path::{
    Obstacle, Path, PathOptions, PathRequest, Times, parse_arrivals, parse_speeds, parse_styles,
    plan_path,
};
use glam::DVec2;
use serde_json::{Value, json};

use super::studio::{Studio, is_over, on_walks};
use super::support::{Place, text};

const POINTS: [[f64; 2]; 3] = [[0.0, 0.0], [0.5, 2.5], [0.0, 5.0]];
const STYLES: &str = "any@0..1,walk@1..4,any@4..";
/// So near to the path that one must go round it.
const PILLAR: [f64; 3] = [0.9, 2.5, 0.3];

/// Motions as BVH, each with its row of the report.
type Made = Vec<(Vec<u8>, Value)>;

/// What differs from run to run, or by where a file lies.
fn plain(mut row: Value) -> Value {
    let fields = row.as_object_mut().expect("an object");
    assert!(fields.remove("file").is_some() && fields.remove("search_seconds").is_some());
    let quality = fields["quality"].as_object_mut().expect("numbers");
    assert!(quality.remove("file").is_some());
    row
}

fn of_library(place: &Place, request: &PathRequest) -> Made {
    let graph = MotionGraph::load(&place.path("walks.gway")).expect("a graph");
    let motions = plan_path(&graph, request).expect("a possible wish");
    let one = |mut planned: gaitway_synth::PathMotion| {
        let motion = planned.motion.as_ref().expect("a motion");
        let used = motion.clips_used();
        let times = motion.transition_times();
        let numbers = quality_against(&graph, used, &motion.clip, times, "library.bvh");
        let numbers = numbers.expect("frames");
        planned.report.quality = Some(json!(numbers));
        let file = place.path("library.bvh");
        let clip = planned.require_clip().expect("a walk");
        write_file(&file, clip, &WriteOptions::default()).expect("written");
        let row = planned.row(&graph.tag(), Some("library.bvh"));
        (std::fs::read(&file).expect("written"), plain(row))
    };
    motions.into_iter().map(one).collect()
}

fn of_program(place: &Place, more: &[&str]) -> Made {
    let words = ["path", "walks.gway", "path.json", "-o", "program.bvh"];
    let words = [&words[..], &["--report", "program.json"], more].concat();
    let output = place.run(&words);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = std::fs::read(place.path("program.json")).expect("a report");
    let rows = match serde_json::from_slice(&report).expect("JSON") {
        Value::Array(rows) => rows,
        one => vec![one],
    };
    let one = |row: Value| {
        let file = row["file"].as_str().expect("a file").to_owned();
        (
            std::fs::read(place.path(&file)).expect("written"),
            plain(row),
        )
    };
    rows.into_iter().map(one).collect()
}

fn of_studio(studio: &Studio, more: &Value) -> Made {
    let mut request = json!({ "points": POINTS });
    for (field, value) in more.as_object().expect("fields") {
        request[field] = value.clone();
    }
    let job = studio.post("/api/jobs", &json!({ "kind": "path", "request": request }));
    let job = studio.wait(job["id"].as_str().expect("an id"), is_over);
    let id = job["result"].as_str().unwrap_or_else(|| panic!("{job}"));
    let result = studio.json(&format!("/api/results/{id}"));
    let members = result["members"].as_array().expect("members");
    let one = |(k, member): (usize, &Value)| {
        let file = format!("/api/results/{id}/export?format=bvh&member={k}");
        (studio.bytes(&file), plain(member["report"].clone()))
    };
    members.iter().enumerate().map(one).collect()
}

fn same(what: &str, ours: &Made, theirs: &Made) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (k, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        assert!(ours.0 == theirs.0, "{what}: motion {k} has other bytes");
        assert_eq!(ours.1, theirs.1, "{what}: motion {k}");
    }
}

#[test]
fn library_program_and_studio_give_the_same() {
    let (place, studio) = on_walks(8);
    let write = |name: &str, value: Value| {
        std::fs::write(place.path(name), value.to_string()).expect("written");
    };
    write("path.json", json!(POINTS));
    write("pillar.json", json!([{ "circle": PILLAR }]));
    let path = Path::new(POINTS.map(DVec2::from_array).to_vec(), false).expect("a path");
    let request = || PathRequest::new(path.clone());

    let library = PathRequest {
        options: PathOptions {
            styles: parse_styles(STYLES).expect("styles"),
            obstacles: vec![Obstacle::Circle(PILLAR)],
            ..PathOptions::default()
        },
        bend_m: Some(0.1),
        ..request()
    };
    let program = [
        "--style",
        STYLES,
        "--obstacles",
        "pillar.json",
        "--bend",
        "0.1",
    ];
    let page = json!({
        "styles": [{ "label": "walk", "from_m": 1.0, "to_m": 4.0 }],
        "obstacles": [{ "circle": PILLAR }],
        "bend_m": 0.1,
    });
    let made = of_library(&place, &library);
    same("program, styles", &made, &of_program(&place, &program));
    same("studio, styles", &made, &of_studio(&studio, &page));

    let library = PathRequest {
        alternatives: 2,
        seed: 3,
        clean: false,
        ..request()
    };
    let program = ["--alternatives", "2", "--seed", "3", "--no-clean"];
    let page = json!({ "alternatives": 2, "seed": 3, "clean": false });
    let made = of_library(&place, &library);
    assert_eq!(made.len(), 2);
    same(
        "program, alternatives",
        &made,
        &of_program(&place, &program),
    );
    same("studio, alternatives", &made, &of_studio(&studio, &page));

    let library = PathRequest {
        options: PathOptions {
            times: Times {
                duration_s: Some(4.8),
                arrivals: parse_arrivals("1.9@2").expect("a wish"),
                speeds: parse_speeds("1.05@3..").expect("a wish"),
            },
            ..PathOptions::default()
        },
        ..request()
    };
    let program = [
        "--duration",
        "4.8",
        "--arrive",
        "1.9@2",
        "--speed",
        "1.05@3..",
    ];
    let page = json!({
        "duration_s": 4.8,
        "arrivals": [{ "time_s": 1.9, "at_m": 2 }],
        "speeds": [{ "m_s": 1.05, "from_m": 3 }],
    });
    let made = of_library(&place, &library);
    same("program, times", &made, &of_program(&place, &program));
    same("studio, times", &made, &of_studio(&studio, &page));

    let library = PathRequest {
        people: 2,
        ..request()
    };
    let made = of_library(&place, &library);
    assert!(made[1].1["start_s"].as_f64() > made[0].1["start_s"].as_f64());
    same(
        "program, crowd",
        &made,
        &of_program(&place, &["--count", "2"]),
    );
    same(
        "studio, crowd",
        &made,
        &of_studio(&studio, &json!({ "count": 2 })),
    );
}
