//! Laws of the file: bytes, damage, versions, and what happens when the disk is full.

mod common;

use common::graph;
use gaitway_graph::{GraphError, MotionGraph};
use proptest::prelude::*;
use std::sync::OnceLock;

fn bytes() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| graph().0.to_bytes().expect("bytes"))
}

#[test]
fn save_load_save_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (folder.path().join("a.gway"), folder.path().join("b.gway"));
    let (graph, _) = graph();
    graph.save(&first).expect("saved");
    let loaded = MotionGraph::load(&first).expect("loaded");
    loaded.verify().expect("whole");
    loaded.save(&second).expect("saved again");
    assert_eq!(std::fs::read(&first).expect("read"), bytes());
    assert_eq!(std::fs::read(&second).expect("read"), bytes());
    assert_eq!(loaded.edge_count(), graph.edge_count());
    for e in graph.edges() {
        assert_eq!(loaded.edge(e), graph.edge(e));
    }
    // Over itself, while it is mapped.
    loaded.save(&first).expect("saved over the mapped file");
    loaded.verify().expect("still whole");
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        2
    );
}

#[test]
fn arrays_lie_by_falling_size_and_are_aligned() {
    let length = u64::from_le_bytes(bytes()[..8].try_into().expect("eight bytes")) as usize;
    assert_eq!((length + 8) % 8, 0);
    let header: serde_json::Value = serde_json::from_slice(&bytes()[8..8 + length]).expect("JSON");
    let mut rows: Vec<(u64, String, String)> = header
        .as_object()
        .expect("an object")
        .iter()
        .filter(|(k, _)| *k != "__metadata__")
        .map(|(k, v)| {
            (
                v["data_offsets"][0].as_u64().expect("a number"),
                v["dtype"].as_str().expect("text").to_owned(),
                k.clone(),
            )
        })
        .collect();
    rows.sort();
    let size = |dtype: &str| dtype[1..].parse::<u32>().expect("bits");
    assert!(rows.is_sorted_by(|a, b| size(&a.1) >= size(&b.1)));
    let keys = header["__metadata__"].as_object().expect("metadata");
    assert_eq!(keys.len(), 1);
    let text = keys["gaitway"].as_str().expect("text");
    assert!(text.contains("\"version\":2") && !text.contains("/tmp"));
}

/// The file with its metadata changed and the header's length made to fit.
fn with_meta(change: impl Fn(&str) -> String) -> Vec<u8> {
    with_header(bytes(), change)
}

fn with_header(bytes: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let header = std::str::from_utf8(&bytes[8..8 + length]).expect("text");
    let mut changed = change(header).trim_end().to_owned();
    while !changed.len().is_multiple_of(8) {
        changed.push(' ');
    }
    let mut out = (changed.len() as u64).to_le_bytes().to_vec();
    out.extend_from_slice(changed.as_bytes());
    out.extend_from_slice(&bytes[8 + length..]);
    out
}

#[test]
fn a_newer_version_is_refused_by_name() {
    let newer = with_meta(|h| h.replace("\\\"version\\\":2", "\\\"version\\\":7"));
    match MotionGraph::from_bytes(&newer) {
        Err(e @ GraphError::NewerVersion { found: 7, .. }) => {
            assert!(e.to_string().contains("version 7"))
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[test]
fn other_files_are_not_graphs() {
    for bytes in [
        &b""[..],
        b"HIERARCHY\nROOT Hips",
        &[0; 64],
        &[255; 64],
        b"\x02\0\0\0\0\0\0\0{}",
    ] {
        assert!(matches!(
            MotionGraph::from_bytes(bytes),
            Err(GraphError::NotAGraph { .. })
        ));
    }
    let folder = tempfile::tempdir().expect("a folder");
    assert!(MotionGraph::load(folder.path()).is_err());
    assert!(matches!(
        MotionGraph::load(&folder.path().join("none.gway")),
        Err(GraphError::File { .. })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_flipped_bit_is_an_error(at in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let mut bytes = bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        prop_assert!(gaitway_graph::fuzzing::gway(&bytes).is_err(), "byte {at}");
    }

    #[test]
    fn a_cut_file_is_an_error(at in any::<prop::sample::Index>()) {
        let length = at.index(bytes().len());
        prop_assert!(gaitway_graph::fuzzing::gway(&bytes()[..length]).is_err());
    }

    /// Damage with checksums made right again: any answer will do, but no panic and no wild index.
    #[test]
    fn hostile_bytes_do_no_harm(at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), early in any::<bool>()) {
        let mut bytes = bytes().to_vec();
        let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
        for (at, value) in at {
            let at = if early { 8 + at.index(length) } else { 8 + length + at.index(bytes.len() - 8 - length) };
            bytes[at] = value;
        }
        let _ = gaitway_graph::fuzzing::gway_mended(&bytes);
    }
}

#[test]
fn mending_an_unharmed_file_changes_nothing() {
    let mut mended = bytes().to_vec();
    gaitway_graph::fuzzing::mend(&mut mended).expect("a header");
    assert_eq!(mended, bytes());
}

#[cfg(target_os = "linux")]
#[test]
fn a_write_that_fails_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("missing").join("g.gway");
    assert!(matches!(
        graph().0.save(&path),
        Err(GraphError::File { .. })
    ));
    // A folder where the file should be: the rename fails after everything was written.
    let taken = folder.path().join("taken.gway");
    std::fs::create_dir(&taken).expect("a folder");
    std::fs::write(taken.join("inside"), "old").expect("written");
    assert!(matches!(
        graph().0.save(&taken),
        Err(GraphError::File { .. })
    ));
    assert_eq!(
        std::fs::read_to_string(taken.join("inside")).expect("still there"),
        "old"
    );
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1,
        "no leftovers"
    );
}

/// Other people's tools must open the file: Python's safetensors reads every array and the metadata.
#[test]
#[allow(clippy::print_stderr)] // A skipped test must be seen.
fn python_opens_the_file() {
    let required = std::env::var_os("GAITWAY_REQUIRE_PYTHON").is_some_and(|v| v == "1");
    let python = std::env::var_os("GAITWAY_PYTHON").unwrap_or_else(|| "python3".into());
    let here = std::process::Command::new(&python)
        .args(["-c", "import safetensors.numpy"])
        .output()
        .is_ok_and(|o| o.status.success());
    if !here {
        assert!(
            !required,
            "GAITWAY_REQUIRE_PYTHON=1, but Python has no safetensors"
        );
        eprintln!("skipped: no Python with safetensors (GAITWAY_PYTHON)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("g.gway");
    let (graph, _) = graph();
    graph.save(&path).expect("saved");
    let script = r"
import sys, json
from safetensors import safe_open
with safe_open(sys.argv[1], 'numpy') as f:
    meta = json.loads(f.metadata()['gaitway'])
    arrays = {k: f.get_tensor(k) for k in f.keys()}
print(meta['version'], len(meta['clips']), len(arrays['nodes']), len(arrays['edge_ends']), len(arrays['candidate_distance_m2']), len(arrays['frame_root']), arrays['frame_rotations'].shape[1])
";
    let out = std::process::Command::new(&python)
        .args(["-c", script])
        .arg(&path)
        .output()
        .expect("Python runs");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let frames: usize = graph
        .clip_ids()
        .map(|c| graph.clip_info(c).frame_count())
        .sum();
    let expected = format!(
        "2 {} {} {} {} {frames} {}",
        graph.clip_count(),
        graph.node_count(),
        graph.edge_count(),
        graph.candidates().len(),
        graph.skeleton().joint_count()
    );
    assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), expected);
}

/// A file of every version stays in the tree. `GAITWAY_WRITE_GOLDEN=1` writes that of the present version anew.
#[test]
fn files_of_every_version_load() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let present = folder.join("version-2.gway");
    if std::env::var_os("GAITWAY_WRITE_GOLDEN").is_some() {
        let clips = vec![
            common::stroll("a", "walk", 3.0, 30.0, 5.0, 0.0),
            common::stroll("b", "run", 2.0, 30.0, 8.0, 1.0),
        ];
        let options = gaitway_graph::BuildOptions {
            with_mirrored: true,
            ..gaitway_graph::BuildOptions::default()
        };
        let (graph, _) = common::build(clips, gaitway_graph::Thresholds::cm(6.0), options);
        graph.save(&present).expect("saved");
    }
    for (path, clips) in [(folder.join("version-1.gway"), 2), (present.clone(), 4)] {
        let graph = MotionGraph::load(&path).expect("loaded");
        graph.verify().expect("whole");
        assert!(graph.edge_count() > 0 && graph.transition_count() > 0);
        assert_eq!(graph.labels().names(), ["unlabelled", "run", "walk"]);
        assert_eq!(graph.clip_info(gaitway_graph::ClipId(0)).frame_count(), 90);
        assert_eq!(graph.clip_count(), clips);
    }
    let (graph, bytes) = (
        MotionGraph::load(&present).expect("loaded"),
        std::fs::read(&present).expect("a golden file"),
    );
    assert!(
        graph.to_bytes().expect("bytes") == bytes,
        "written as it was"
    );
}

/// A made clip whose recipe leads nowhere, or round, is refused by its name.
#[test]
fn recipes_that_cannot_be_followed_are_refused() {
    let options = gaitway_graph::BuildOptions {
        with_mirrored: true,
        ..gaitway_graph::BuildOptions::default()
    };
    let clips = vec![common::stroll("a", "walk", 3.0, 30.0, 5.0, 0.0)];
    let (graph, _) = common::build(clips, gaitway_graph::Thresholds::cm(6.0), options);
    let good = graph.to_bytes().expect("bytes");
    let recipe = "\\\"recipe\\\":{\\\"mirror\\\":\\\"a\\\"}";
    for (changed, expected) in [
        (
            "\\\"recipe\\\":{\\\"mirror\\\":\\\"b\\\"}",
            "`b`, which is not there",
        ),
        (
            "\\\"recipe\\\":{\\\"mirror\\\":\\\"a~mirror\\\"}",
            "made from itself",
        ),
    ] {
        let bytes = with_header(&good, |h| {
            assert!(h.contains(recipe));
            h.replace(recipe, changed)
        });
        let mut bytes = bytes;
        gaitway_graph::fuzzing::mend(&mut bytes).expect("a header");
        match MotionGraph::from_bytes(&bytes) {
            Err(e @ GraphError::Recipe { .. }) => {
                let words = e.to_string();
                assert!(
                    words.contains("a~mirror") && words.contains(expected),
                    "{words}"
                );
            }
            other => panic!("{:?}", other.map(|_| ())),
        }
    }
}
