//! What is run.

use std::path::Path;

use gaitway::{fuzzing as verbs, graph, io};

/// What a target is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Reader,
    Verb,
}

pub struct Target {
    /// As its corpus is called.
    pub name: &'static str,
    pub kind: Kind,
    pub run: fn(&[u8]),
}

const fn reader(name: &'static str, run: fn(&[u8])) -> Target {
    Target {
        name,
        kind: Kind::Reader,
        run,
    }
}

const fn verb(name: &'static str, run: fn(&[u8])) -> Target {
    Target {
        name,
        kind: Kind::Verb,
        run,
    }
}

pub const TARGETS: &[Target] = &[
    reader("amc", io::fuzzing::amc),
    reader("asf", io::fuzzing::asf),
    reader("bvh", io::fuzzing::bvh),
    reader("c3d", io::fuzzing::c3d),
    reader("contacts", io::fuzzing::contacts),
    reader("curve", io::fuzzing::curve),
    #[cfg(feature = "fbx")]
    reader("fbx", io::fuzzing::fbx),
    reader("gltf", io::fuzzing::gltf),
    reader("character", io::fuzzing::character),
    reader("amass", io::fuzzing::amass),
    reader("gway", gway),
    reader("labels", io::fuzzing::labels),
    reader("trc", io::fuzzing::trc),
    verb("build", verbs::build),
    verb("clean", verbs::clean),
    verb("path", verbs::path),
];

fn gway(bytes: &[u8]) {
    let _ = graph::fuzzing::gway(bytes);
    let _ = graph::fuzzing::gway_mended(bytes);
}

/// All files of a target's corpus, by name.
pub fn corpus(target: &Target, root: &Path) -> Vec<Vec<u8>> {
    let folder = root.join("fuzz/corpus").join(target.name);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let read = |p: &std::path::PathBuf| std::fs::read(p).expect("a corpus file");
    files.iter().map(read).collect()
}
