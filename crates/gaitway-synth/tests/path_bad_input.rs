//! Paths and wishes that cannot be.
#![allow(missing_docs)]

mod common;

use common::paths::{follow, small, walker, walking};
use gaitway_synth::SynthError;
use gaitway_synth::path::{
    EdgePaths, Naturalness, Path, PathError, PathOptions, Search, follow_path, named_curve,
    parse_obstacles, parse_styles,
};
use gaitway_synth::search::Outcome;

fn along(points: &[[f64; 2]]) -> Result<Path, PathError> {
    Path::new(points.iter().map(|&p| p.into()).collect(), false)
}

#[test]
fn bad_input_is_told_quickly() {
    let error = |points: &[[f64; 2]]| along(points).expect_err("no path");
    assert!(matches!(error(&[]), PathError::TooShort { points: 0, .. }));
    assert!(matches!(
        error(&[[0.0; 2]; 3]),
        PathError::TooShort { points: 1, .. }
    ));
    assert!(matches!(
        error(&[[0.0; 2], [0.0, 1e4]]),
        PathError::TooLong { .. }
    ));
    // Farther than any place on Earth a path of a few metres is one point, however it is counted.
    for far in [1e9, 1e16, 1e20, 3e38, 1e300] {
        let error = error(&[[far, 0.0], [far, 5.0]]);
        assert!(matches!(error, PathError::Limits { .. }), "{far}: {error}");
        assert!(error.to_string().len() < 120, "{error}");
    }
    let many = vec![[0.5, 1.0]; 100_001];
    let many = serde_json::json!([{ "polygon": many }]).to_string();
    assert!(matches!(
        parse_obstacles(&many),
        Err(PathError::Limits { .. })
    ));
    for far in ["[{\"circle\": [1e16,0,1]}]", "[{\"box\": [0,0,1,1e300]}]"] {
        assert!(matches!(
            parse_obstacles(far),
            Err(PathError::Limits { .. })
        ));
    }
    assert!(matches!(
        error(&[[0.0; 2], [0.0, f64::NAN], [1.0; 2]]),
        PathError::NotFinite { at: 1 }
    ));
    assert!(matches!(
        named_curve("elephant", 1.0),
        Err(PathError::UnknownCurve { .. })
    ));
    assert!(matches!(
        named_curve("line", f64::NAN),
        Err(PathError::Scale { .. })
    ));
    assert!(parse_obstacles("[{\"polygon\": [[0,0],[1,1]]}]").is_err());
    assert!(parse_obstacles("[{\"circle\": [0,0,-1]}]").is_err());
    assert!(parse_styles("@3..4").is_err() && parse_styles("walk@x..4").is_err());
    let graph = walker();
    let path = named_curve("line", 1.0).expect("a curve");
    let edges = EdgePaths::new(graph, &Naturalness::default(), true).expect("frames");
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
        .map(|k| [(f64::from(k) * 0.001).sin() * 0.05, f64::from(k) * 5e-6])
        .collect();
    let many = along(&many).expect("a path");
    assert!(many.length() > 1.0);
    // Sharper than any turn: there and back again on the same line.
    let back = along(&[[0.0; 2], [0.0, 2.0], [0.0; 2], [0.0, 2.0]]).expect("a path");
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
