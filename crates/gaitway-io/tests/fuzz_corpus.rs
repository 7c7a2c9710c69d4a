//! Replays the fuzzing corpus through the functions that fuzzing calls.

use std::path::Path;

use gaitway_io::fuzzing;

type Reader = fn(&[u8]);

/// Readers by the name of their corpus folder.
const READERS: &[(&str, Reader)] = &[
    ("amass", fuzzing::amass),
    ("amc", fuzzing::amc),
    ("asf", fuzzing::asf),
    ("bvh", fuzzing::bvh),
    ("c3d", fuzzing::c3d),
    ("character", fuzzing::character),
    ("contacts", fuzzing::contacts),
    ("curve", fuzzing::curve),
    ("labels", fuzzing::labels),
    ("trc", fuzzing::trc),
    #[cfg(feature = "fbx")]
    ("fbx", fuzzing::fbx),
    ("gltf", fuzzing::gltf),
];

#[test]
fn every_corpus_file_is_survived() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, reader) in READERS {
        let folder = corpus.join(name);
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut count = 0;
        for entry in entries {
            reader(&std::fs::read(entry.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "{} is empty", folder.display());
    }
}

#[test]
fn every_corpus_has_its_reader() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for entry in std::fs::read_dir(corpus).unwrap() {
        let name = entry.unwrap().file_name();
        // Graph files and whole verbs are not this crate's; `gaitway-graph` and `gaitway` have tests of the same name.
        let left_out = name == "fbx" && !cfg!(feature = "fbx");
        assert!(
            left_out
                || ["gway", "path", "clean", "build"]
                    .iter()
                    .any(|n| name == *n)
                || READERS.iter().any(|(n, _)| name == *n),
            "no reader for {name:?}"
        );
    }
}
