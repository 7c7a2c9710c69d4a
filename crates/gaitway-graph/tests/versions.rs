//! Files of older versions open for good, with all that was in them; those of versions to come are refused by name.

use std::path::PathBuf;

use gaitway_core::mirror::{MirrorMap, mirror};
use gaitway_core::{Clip, fk};
use gaitway_graph::{ClipId, GraphError, MotionGraph};

fn file(name: &str) -> PathBuf {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    data.join(name)
}

fn load(name: &str) -> MotionGraph {
    let graph = MotionGraph::load(&file(name)).expect("it opens");
    graph.verify().expect("whole");
    graph
}

/// Name, frames, rate, working frames, labels of the first and of the last working frame.
type Row<'a> = (&'a str, usize, f64, u32, String, String);

fn row(graph: &MotionGraph, clip: ClipId) -> Row<'_> {
    let info = graph.clip_info(clip);
    let labels = |frame| graph.labels().names_of(info.labels_at(frame)).join(" ");
    let working = info.working_frames();
    (
        info.name(),
        info.frame_count(),
        info.rate_hz(),
        working,
        labels(0),
        labels(working - 1),
    )
}

fn counts(graph: &MotionGraph) -> [usize; 4] {
    [
        graph.node_count(),
        graph.edge_count(),
        graph.transition_count(),
        graph.candidates().len(),
    ]
}

#[test]
fn a_file_of_version_1_opens_with_all_that_was_in_it() {
    let graph = load("version-1.gway");
    assert_eq!(counts(&graph), [120, 200, 84, 83]);
    let names = [
        "unlabelled",
        "sneak",
        "start",
        "turn-left",
        "turn-right",
        "walk",
    ];
    assert_eq!(graph.labels().names(), names);
    let rows: Vec<Row<'_>> = graph.clip_ids().map(|c| row(&graph, c)).collect();
    let expected = [
        ("creep", 132, 30.0, 132, "start walk", "walk"),
        ("creep~mirror", 132, 30.0, 132, "start walk", "walk"),
        ("stroll", 145, 40.0, 109, "walk", "turn-left walk"),
        ("stroll~mirror", 145, 40.0, 109, "walk", "turn-right walk"),
    ];
    let expected = expected.map(|(name, frames, rate, working, first, last)| {
        (
            name,
            frames,
            rate,
            working,
            first.to_owned(),
            last.to_owned(),
        )
    });
    assert_eq!(rows, expected);
    assert!(graph.options().with_mirrored);
    assert_eq!((graph.working_rate_hz(), graph.half_window()), (30.0, 7));
    assert_eq!(graph.output_rate_hz(), 40.0);
    let pairs: Vec<(&str, &str, f64)> = graph
        .thresholds()
        .pairs()
        .map(|(a, b, cm)| (graph.labels().name(a), graph.labels().name(b), cm))
        .collect();
    assert_eq!(pairs, [("sneak", "walk", 11.0), ("walk", "sneak", 11.0)]);
    assert_eq!(graph.thresholds().default_cm, 9.0);
    for clip in graph.clip_ids() {
        let points = graph.contact_points(clip).expect("contacts");
        assert_eq!(points.len(), 4);
        let track = graph.clip(clip).expect("frames");
        let track = track.contacts().expect("contacts");
        assert!((0..4).all(|p| !track.plants(p).is_empty()));
    }
}

#[test]
fn a_file_without_mirrored_copies_opens() {
    let graph = load("version-1-plain.gway");
    assert_eq!(counts(&graph), [14, 21, 8, 7]);
    assert_eq!(
        (graph.clip_count(), graph.options().with_mirrored),
        (1, false)
    );
    assert_eq!(graph.clip_info(ClipId(0)).name(), "stroll");
    let both = load("version-1.gway");
    let there = both.find_clip("stroll").expect("there too");
    let clip = |graph: &MotionGraph, id| graph.clip(id).expect("frames");
    assert_eq!(clip(&graph, ClipId(0)), clip(&both, there));
}

/// The copies in the file are what mirroring gives now, so that they need not be kept as frames.
#[test]
fn mirrored_copies_are_the_mirrored_clips() {
    let graph = load("version-1.gway");
    let clip = |name: &str| {
        let id = graph.find_clip(name).expect("a clip");
        graph.clip(id).expect("frames")
    };
    let map = MirrorMap::new(graph.skeleton(), &[&clip("creep"), &clip("stroll")]);
    for name in ["creep", "stroll"] {
        let made: Clip = mirror(&clip(name), &map);
        let kept = clip(&format!("{name}~mirror"));
        assert_eq!(made.frame_count(), kept.frame_count());
        let (a, b) = (fk::world_points(&made), fk::world_points(&kept));
        let apart = a.places().iter().zip(b.places());
        let worst = apart.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(worst < 1e-5, "{name}: {worst} m apart");
        assert_eq!(made.contacts(), kept.contacts(), "{name}");
    }
}

#[test]
fn what_is_written_again_holds_the_same() {
    for name in ["version-1.gway", "version-1-plain.gway"] {
        let old = load(name);
        let new = MotionGraph::from_bytes(&old.to_bytes().expect("bytes")).expect("it opens");
        new.verify().expect("whole");
        assert_eq!(counts(&new), counts(&old));
        for clip in old.clip_ids() {
            assert_eq!(new.clip_info(clip).name(), old.clip_info(clip).name());
            assert_eq!(
                new.clip(clip).expect("frames"),
                old.clip(clip).expect("frames")
            );
        }
        assert!(new.nodes().all(|n| new.node(n) == old.node(n)));
        assert!(new.edges().all(|e| new.edge(e) == old.edge(e)));
        assert!(new.candidates() == old.candidates());
        assert_eq!(new.thresholds(), old.thresholds());
        assert_eq!(new.tag(), old.tag(), "walks kept by number fit both");
    }
}

/// The version is looked at before the checksum, which a program of today could not know how to reckon.
#[test]
fn a_file_of_a_newer_version_is_refused_by_name() {
    let mut bytes = std::fs::read(file("version-1.gway")).expect("a file");
    let words = br#"\"version\":1"#;
    let at = bytes.windows(words.len()).position(|w| w == words);
    bytes[at.expect("a version") + words.len() - 1] = b'4';
    match MotionGraph::from_bytes(&bytes) {
        Err(e @ GraphError::NewerVersion { found: 4, .. }) => {
            assert!(e.to_string().contains("version 4"), "{e}");
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}
