//! Every flag that takes a number, with numbers it cannot use: told in two lines, or used; never a panic or a flood.

use gaitway_core::testing::{Walker, walking_clip};
use gaitway_io::{WriteOptions, write_file};

use crate::support::{Place, small_graph, text, two_lines};

/// Where the values go.
struct Row {
    /// The command up to the flag.
    before: &'static [&'static str],
    flag: &'static str,
    /// Values the flag refuses.
    refused: &'static [&'static str],
    /// Values it takes, and what comes of each.
    taken: &'static [(&'static str, End)],
}

/// How a command ends that takes its value, and words it tells.
#[derive(Clone, Copy)]
enum End {
    /// It does what is asked.
    Done(&'static str),
    /// It says why nothing comes of it.
    Failed(&'static str),
    /// Possible by itself, and not with this clip, graph or picture: the error is that of the work.
    Stuck(&'static str),
}

use End::{Done, Failed, Stuck};

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
    taken: &'static [(&'static str, End)],
) -> Row {
    Row {
        before,
        flag,
        refused,
        taken,
    }
}

const CONVERT: &[&str] = &["convert", A, "o.bvh"];
const QUALITY: &[&str] = &["quality", "steps.bvh"];
const RENDER: &[&str] = &["render", A, "-o", "o.png"];
const DISTANCE: &[&str] = &["distance", A, B];
const BUILD: &[&str] = &["build", "clips", "-o", "o.gway"];
const WALK: &[&str] = &["walk", "g.gway", "-o", "o.bvh"];
const PATH: &[&str] = &["path", "g.gway", "line", "-o", "o.bvh"];

const ROWS: &[Row] = &[
    row(
        &["info", A],
        "--threads",
        &["0", "1025", "1.5"],
        &[("3", Done("walk_a"))],
    ),
    row(
        &["info", A],
        "--source-fps",
        &["0"],
        &[("0.1", Done("0.1 Hz")), ("100000", Done("100000 Hz"))],
    ),
    row(
        &["info", A],
        "--units",
        &["0", "1e-9"],
        &[
            ("1e-6", Done("a unit is 0.000001 m as asked")),
            ("100", Done("a unit is 100 m as asked")),
            // A shin of 42 km.
            ("1000", Stuck("expected bones of at most 10 km")),
        ],
    ),
    row(
        CONVERT,
        "--out-fps",
        &["0", "0.5", "1001"],
        &[
            ("1", Done("6 frames, 6.00 s at 1 Hz")),
            ("1000", Done("s at 1000 Hz")),
        ],
    ),
    row(
        CONVERT,
        "--out-units",
        &["0"],
        &[("0.001", Done("360 frames"))],
    ),
    row(
        CONVERT,
        "--cut",
        &["0", "2..1", "-1..2", "nan..1", "0..inf", "0..1e300"],
        &[("0..1e9", Done("360 frames"))],
    ),
    row(
        &["clean", A, "-o", "o.bvh"],
        "--max-stretch",
        // A share, a ratio and per cent without their sign would each be a guess.
        &["0.03", "1.03", "3", "51%", "-1%", "1e300%", "%"],
        &[("0%", Done("wrote o.bvh")), ("50%", Done("wrote o.bvh"))],
    ),
    row(QUALITY, "--max-skate", &[], BAR),
    row(QUALITY, "--max-skate-p95", &[], BAR),
    row(QUALITY, "--max-plant", &[], BAR),
    // No toe of the clip glides.
    row(
        QUALITY,
        "--max-glide",
        &[],
        &[("0", Done("")), ("1e9", Done(""))],
    ),
    row(
        QUALITY,
        "--max-glides",
        &[],
        &[("0", Done("")), ("1e9", Done(""))],
    ),
    row(
        QUALITY,
        "--max-slide",
        &[],
        &[("0", Done("")), ("1e9", Done(""))],
    ),
    row(
        QUALITY,
        "--max-slides",
        &[],
        &[("0", Done("")), ("1e9", Done(""))],
    ),
    row(QUALITY, "--max-accel", &[], BAR),
    row(QUALITY, "--max-angular-accel", &[], BAR),
    row(QUALITY, "--max-knee", &[], BAR),
    // Nothing is stretched.
    row(
        QUALITY,
        "--max-stretch",
        &["0.03", "1.03", "3", "1001%"],
        &[("0%", Done("")), ("1000%", Done(""))],
    ),
    row(QUALITY, "--max-penetration", &[], BAR),
    row(QUALITY, "--max-float", &[], BAR),
    row(
        RENDER,
        "--poses",
        &["0"],
        &[
            ("1", Done("wrote o.png")),
            ("1000000", Stuck("from 1 to 200")),
        ],
    ),
    row(
        RENDER,
        "--width",
        &["0"],
        &[
            ("1", Stuck("64 pixels or more")),
            ("64", Done("wrote o.png")),
            ("1000000", Stuck("1000000 by ")),
        ],
    ),
    row(
        RENDER,
        "--height",
        &["0"],
        &[
            ("1", Stuck("48 pixels or more")),
            ("48", Done("wrote o.png")),
            ("1000000", Stuck(" by 1000000")),
        ],
    ),
    row(
        RENDER,
        "--out-fps",
        &["0", "1001"],
        &[("1", Done("wrote o.png")), ("1000", Stuck("at most 30"))],
    ),
    row(
        DISTANCE,
        "--coarse",
        &["0", "1", "1001"],
        &[("2", Done("coarse: ")), ("1000", Done("coarse: "))],
    ),
    row(
        DISTANCE,
        "--fps",
        &["0", "241"],
        &[
            ("1", Done("0.00  0.00  0.00  0  0 ")),
            ("240", Done(" 62    62 ")),
        ],
    ),
    row(
        DISTANCE,
        "--window",
        &["0", "10.1"],
        &[("1e-9", Done("")), ("10", Stuck("window of 301"))],
    ),
    row(
        DISTANCE,
        "--ceiling",
        &["0", "1001"],
        &[("1e-9", Done("")), ("1000", Done(""))],
    ),
    row(
        BUILD,
        "--threshold",
        &[],
        &[
            ("0", Failed("wrote o.gway")),
            ("1e9", Stuck("above the ceiling")),
        ],
    ),
    row(
        &["build", "--rethreshold", "g.gway", "-o", "o.gway"],
        "--at-least",
        &[],
        &[
            ("0", Done("wrote o.gway")),
            ("1e9", Stuck("above the ceiling")),
        ],
    ),
    row(
        BUILD,
        "--bridge",
        &["3601"],
        &[("0", Done("wrote o.gway")), ("3600", Done("wrote o.gway"))],
    ),
    row(
        WALK,
        "--seconds",
        &["0", "10801"],
        &[("1e-9", Stuck("no frames")), ("5", Done("o.bvh: 5.00 s"))],
    ),
    row(
        WALK,
        "--seed",
        &["1.5"],
        &[
            ("0", Done("60.00 s")),
            ("18446744073709551615", Done("60.00 s")),
        ],
    ),
    row(
        &["walk", "g.gway", "-o", "o.bvh", "--loop"],
        "--length",
        &["1", "3..2", "-1..1"],
        &[
            ("0..1e9", Done("wrote o.bvh")),
            (
                "1e-9..1e-8",
                Failed("no loop of 0.000000001 to 0.00000001 s"),
            ),
        ],
    ),
    row(
        &["walk", "g.gway", "-o", "o.bvh"],
        "--out-fps",
        &["0", "1001"],
        &[("1", Done("60.00 s at 1 Hz"))],
    ),
    row(
        PATH,
        "--scale",
        &["0"],
        &[
            ("1e-9", Stuck("5 cm apart")),
            ("1e5", Stuck("800000 m long")),
            ("1e9", Stuck("expected a place within 25000 km")),
        ],
    ),
    row(PATH, "--count", &["0", "10001"], &[("1", Done("Solved"))]),
    row(
        PATH,
        "--alternatives",
        &["0", "101"],
        &[("1", Done("Solved"))],
    ),
    row(
        PATH,
        "--corridor",
        &["0", "1001"],
        &[
            ("1e-9", Failed("leaves the corridor")),
            ("1000", Done("Solved")),
        ],
    ),
    row(
        PATH,
        "--natural",
        &["1001"],
        &[("0", Done("Solved")), ("1000", Done("Solved"))],
    ),
    row(
        PATH,
        "--bend",
        &["1001"],
        &[("0", Done("Solved")), ("1000", Done("Solved"))],
    ),
    row(
        PATH,
        "--max-time",
        &["0"],
        &[
            ("1e-9", Failed("the budget was spent")),
            ("1e9", Done("Solved")),
        ],
    ),
    row(
        PATH,
        "--expansions",
        &["1.5", "1000000000001"],
        &[
            ("0", Failed("the budget was spent")),
            ("1", Failed("the budget was spent")),
        ],
    ),
    row(
        PATH,
        "--seed",
        &["1.5"],
        &[
            ("0", Done("Solved")),
            ("18446744073709551615", Done("Solved")),
        ],
    ),
    row(
        PATH,
        "--start",
        &[
            "0",
            "0,0",
            "nan,0,0",
            "0,0,inf",
            "3e7,0,0",
            "0,0,100001",
            "-1,-2",
        ],
        &[
            ("-1,-2,-90", Failed("off the path from 0.0")),
            // A place on Earth, and not on this path.
            ("1e7,0,0", Failed("off the path from 0.0")),
        ],
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
        &[("1", Done("clean"))],
    ),
    row(&["demo", "--out", "d"], "--seed", &["1.5"], &[]),
    row(&["studio"], "--port", &["65536"], &[]),
    row(&["studio"], "--upload-limit", &["0", "4097"], &[]),
];

/// A bar of quality that nothing that moves passes, and one that everything does.
const BAR: &[(&str, End)] = &[("0", Failed("more than 0 ")), ("1e9", Done(""))];

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

/// A walker that slides and jitters, so that every bar of quality has something to measure.
fn write_steps(place: &Place) {
    let walker = Walker {
        slide: 0.05,
        noise: 0.003,
        ..Walker::default()
    };
    let clip = walking_clip(&walker);
    write_file(&place.path("steps.bvh"), &clip, &WriteOptions::default()).expect("written");
}

#[test]
fn numbers_at_the_edges_are_taken() {
    let place = small_graph();
    write_steps(&place);
    for row in ROWS {
        for (value, end) in row.taken {
            let arguments = [row.before, &[row.flag, value]].concat();
            let output = place.run(&arguments);
            let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
            let (code, words) = match end {
                Done(words) => (0, words),
                Failed(words) => (1, words),
                Stuck(words) => (2, words),
            };
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
            assert!(told.contains(words), "{arguments:?}: {told}");
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
