//! Every flag that takes a number, with numbers it cannot use: told in two lines, or used; never a panic or a flood.

use crate::support::{small_graph, text, two_lines};

/// Where the values go.
struct Row {
    /// The command up to the flag.
    before: &'static [&'static str],
    flag: &'static str,
    /// Values the flag refuses.
    refused: &'static [&'static str],
    /// Values it takes, whatever comes of it.
    taken: &'static [&'static str],
}

/// What no number is, and what no flag takes.
const NEVER: &[&str] = &[
    "-3",
    "-0.5",
    "NaN",
    "-nan",
    "inf",
    "-inf",
    "1e300",
    "-1e300",
    "99999999999999999999",
    "x",
    "",
];

const A: &str = "clips/walk_a.bvh";
const B: &str = "clips/walk_b.bvh";

const fn row(
    before: &'static [&'static str],
    flag: &'static str,
    refused: &'static [&'static str],
    taken: &'static [&'static str],
) -> Row {
    Row {
        before,
        flag,
        refused,
        taken,
    }
}

const CONVERT: &[&str] = &["convert", A, "o.bvh"];
const QUALITY: &[&str] = &["quality", A];
const RENDER: &[&str] = &["render", A, "-o", "o.png"];
const DISTANCE: &[&str] = &["distance", A, B];
const BUILD: &[&str] = &["build", "clips", "-o", "o.gway"];
const WALK: &[&str] = &["walk", "g.gway", "-o", "o.bvh"];
const PATH: &[&str] = &["path", "g.gway", "line", "-o", "o.bvh"];

const ROWS: &[Row] = &[
    row(&["info", A], "--threads", &["0", "1025", "1.5"], &["3"]),
    row(&["info", A], "--source-fps", &["0"], &["0.1", "100000"]),
    row(&["info", A], "--units", &["0", "1e-9"], &["1e-6", "1000"]),
    row(CONVERT, "--out-fps", &["0", "0.5", "1001"], &["1", "1000"]),
    row(CONVERT, "--out-units", &["0"], &["0.001"]),
    row(
        CONVERT,
        "--cut",
        &["0", "2..1", "-1..2", "nan..1", "0..inf", "0..1e300"],
        &["0..1e9"],
    ),
    row(
        &["clean", A, "-o", "o.bvh"],
        "--max-stretch",
        &["0.51", "1"],
        &["0", "0.5"],
    ),
    row(QUALITY, "--max-skate", &[], &["0", "1e9"]),
    row(QUALITY, "--max-skate-p95", &[], &["0", "1e9"]),
    row(QUALITY, "--max-plant", &[], &["0", "1e9"]),
    row(QUALITY, "--max-accel", &[], &["0", "1e9"]),
    row(QUALITY, "--max-angular-accel", &[], &["0", "1e9"]),
    row(QUALITY, "--max-knee", &[], &["0", "1e9"]),
    row(QUALITY, "--max-stretch", &[], &["0", "1e9"]),
    row(QUALITY, "--max-penetration", &[], &["0", "1e9"]),
    row(QUALITY, "--max-float", &[], &["0", "1e9"]),
    row(RENDER, "--poses", &["0"], &["1", "1000000"]),
    row(RENDER, "--width", &["0"], &["1", "64", "1000000"]),
    row(RENDER, "--height", &["0"], &["1", "48", "1000000"]),
    row(RENDER, "--out-fps", &["0", "1001"], &["1", "1000"]),
    row(DISTANCE, "--coarse", &["0", "1001"], &["1", "1000"]),
    row(DISTANCE, "--fps", &["0", "241"], &["1", "240"]),
    row(DISTANCE, "--window", &["0", "10.1"], &["1e-9", "10"]),
    row(DISTANCE, "--ceiling", &["0", "1001"], &["1e-9", "1000"]),
    row(BUILD, "--threshold", &[], &["0", "1e9"]),
    row(BUILD, "--bridge", &["3601"], &["0", "3600"]),
    row(WALK, "--seconds", &["0", "10801"], &["1e-9", "5"]),
    row(WALK, "--seed", &["1.5"], &["0", "18446744073709551615"]),
    row(
        &["walk", "g.gway", "-o", "o.bvh", "--loop"],
        "--length",
        &["1", "3..2", "-1..1"],
        &["0..1e9", "1e-9..1e-8"],
    ),
    row(
        &["walk", "g.gway", "-o", "o.bvh"],
        "--out-fps",
        &["0", "1001"],
        &["1"],
    ),
    row(PATH, "--scale", &["0"], &["1e-9", "1e9"]),
    row(PATH, "--count", &["0", "10001"], &["1"]),
    row(PATH, "--alternatives", &["0", "101"], &["1"]),
    row(PATH, "--corridor", &["0", "1001"], &["1e-9", "1000"]),
    row(PATH, "--natural", &["1001"], &["0", "1000"]),
    row(PATH, "--bend", &["1001"], &["0", "1000"]),
    row(PATH, "--max-time", &["0"], &["1e-9", "1e9"]),
    row(PATH, "--expansions", &["1.5", "1000000000001"], &["0", "1"]),
    row(PATH, "--seed", &["1.5"], &["0", "18446744073709551615"]),
    row(
        PATH,
        "--start",
        &["0", "0,0", "nan,0,0", "0,0,inf", "1e6,0,0", "-1,-2"],
        &["-1,-2,-90"],
    ),
    row(
        &["path", "g.gway", "-o", "o.bvh"],
        "--end",
        &["walk_a@0,0", "walk_a@nan,0,0", "walk_a@1e300,0,0"],
        &[],
    ),
    row(
        &["bench", "--only", "clean"],
        "--runs",
        &["0", "10001"],
        &["1"],
    ),
    row(&["demo", "--out", "d"], "--seed", &["1.5"], &[]),
    row(&["studio"], "--port", &["65536"], &[]),
    row(&["studio"], "--upload-limit", &["0", "4097"], &[]),
];

#[test]
fn numbers_out_of_range_are_refused_with_the_flag_and_the_range() {
    let place = small_graph();
    for row in ROWS {
        for value in NEVER.iter().chain(row.refused) {
            let arguments = [row.before, &[row.flag, value]].concat();
            let told = two_lines(&place.run(&arguments));
            assert!(
                told.starts_with(&format!("error: {}: ", row.flag)),
                "{arguments:?}: {told}"
            );
            assert!(
                told.contains("expected ") || told.contains(" is not in "),
                "{arguments:?}: {told}"
            );
            assert!(!told.contains("tip:"), "{arguments:?}: {told}");
        }
    }
}

#[test]
fn numbers_at_the_edges_are_taken() {
    let place = small_graph();
    for row in ROWS {
        for value in row.taken {
            let arguments = [row.before, &[row.flag, value]].concat();
            let output = place.run(&arguments);
            let told = text(&output.stderr);
            // Some are possible and lead nowhere: that is an answer, or an error of the work itself.
            assert!(
                matches!(output.status.code(), Some(0..=2)),
                "{arguments:?}: {told}"
            );
            assert!(!told.contains("panicked"), "{arguments:?}: {told}");
            assert!(
                !told.contains(&format!("error: {}: ", row.flag)),
                "{arguments:?}: {told}"
            );
        }
    }
}

#[test]
fn moments_of_a_clip_are_seconds() {
    let place = small_graph();
    for value in [
        "walk_a@nan",
        "walk_a@-1",
        "walk_a@1e300",
        "walk_a",
        "walk_a@",
    ] {
        for made in [
            &["walk", "g.gway", "-o", "o.bvh", "--start", value][..],
            &[
                "connect", "g.gway", "-o", "o.bvh", "--from", value, "--to", "walk_b@1",
            ],
        ] {
            let told = two_lines(&place.run(made));
            assert!(told.contains("expected CLIP@SECONDS"), "{told}");
        }
    }
}

#[test]
fn a_flood_of_frames_is_refused() {
    let place = small_graph();
    let made = [
        "convert",
        A,
        "o.bvh",
        "--source-fps",
        "0.1",
        "--out-fps",
        "1000",
    ];
    let told = two_lines(&place.run(&made));
    assert!(told.contains("10000 for each"), "{told}");
}
