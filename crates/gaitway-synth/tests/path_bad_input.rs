//! Paths and wishes that cannot be.
#![allow(missing_docs)]

mod common;

use common::paths::{follow, small, walker, walking};
use gaitway_synth::SynthError;
use gaitway_synth::path::{
    EdgePaths, Naturalness, PathError, PathOptions, Search, follow_path, named_curve,
    parse_obstacles, parse_path, parse_styles,
};
use gaitway_synth::search::Outcome;

#[test]
fn bad_input_is_told_quickly() {
    let error = |text: &str| parse_path(text, 1.0).expect_err(text);
    assert!(matches!(
        error("[[0,0]]"),
        PathError::TooShort { points: 1, .. }
    ));
    assert!(matches!(
        error("[[0,0],[0,1e9]]"),
        PathError::TooLong { .. }
    ));
    assert!(matches!(
        error("[[0,0],[0,10000]]"),
        PathError::TooLong { .. }
    ));
    assert!(matches!(
        error("0,0\n0,NaN\n1,1"),
        PathError::NotFinite { at: 1 }
    ));
    assert!(matches!(
        error("[[0,0],[null,1]]"),
        PathError::Syntax { .. }
    ));
    assert!(matches!(error("<svg><rect/></svg>"), PathError::NoSvgPath));
    assert!(matches!(error("M 0 0 L 1"), PathError::Syntax { .. }));
    assert!(matches!(error("elephant"), PathError::UnknownCurve { .. }));
    assert!(matches!(error(""), PathError::Empty));
    assert!(matches!(
        parse_path("line", f64::NAN),
        Err(PathError::Scale { .. })
    ));
    assert!(parse_obstacles("[{\"polygon\": [[0,0],[1,1]]}]").is_err());
    assert!(parse_obstacles("[{\"circle\": [0,0,-1]}]").is_err());
    assert!(parse_styles("@3..4").is_err() && parse_styles("walk@x..4").is_err());
    let graph = walker();
    let path = named_curve("line", 1.0).expect("a curve");
    let edges = EdgePaths::new(graph, &Naturalness::default(), false).expect("frames");
    let ask = |options: &PathOptions| {
        follow_path(
            graph,
            &edges,
            &path,
            options,
            Search::default(),
            &small(&path),
            Default::default(),
        )
    };
    assert!(matches!(
        ask(&walking("flying")),
        Err(SynthError::UnknownLabel { .. })
    ));
    assert!(ask(&walking("walk@0..2,sneak@4..8")).is_err());
    assert!(
        ask(&PathOptions {
            body_radius_m: f64::NAN,
            ..walking("walk")
        })
        .is_err()
    );
    // 100,000 points are a path like another.
    let many: Vec<[f64; 2]> = (0..100_000)
        .map(|k| [(f64::from(k) * 0.001).sin(), f64::from(k) * 1e-4])
        .collect();
    let many = parse_path(&serde_json::to_string(&many).expect("JSON"), 0.05).expect("a path");
    assert!(many.length() > 1.0);
    // Sharper than any turn: there and back again on the same line.
    let back = parse_path("[[0,0],[0,2],[0,0],[0,2]]", 1.0).expect("a path");
    let found = follow(
        graph,
        &back,
        &walking("walk"),
        Search::default(),
        &small(&back),
    )
    .found;
    assert!(found.complete || !matches!(found.outcome, Outcome::Solved));
}
