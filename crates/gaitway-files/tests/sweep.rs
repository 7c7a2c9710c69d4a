//! What killed programs left goes; what somebody writes, and what is not ours, stays.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use gaitway_files::{PartFile, PartFolder, is_part, sweep};

fn names(folder: &Path) -> Vec<String> {
    let list = std::fs::read_dir(folder).expect("a folder");
    let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
    let mut names: Vec<String> = list
        .map(|e| name(e).to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn parts_are_known_by_their_exact_names() {
    for (name, ours) in [
        (".gaitway-aB3xY9.part", true),
        (".gaitway-aB3xY9.part.bak", false),
        (".gaitway-aB3xY.part", false),
        (".gaitway-aB3xY99.part", false),
        (".gaitway-a/3xY9.part", false),
        (".gaitway-.part", false),
        ("gaitway-aB3xY9.part", false),
        (".DS_Store", false),
    ] {
        assert_eq!(is_part(OsStr::new(name)), ours, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn only_what_nobody_writes_is_swept() {
    let home = tempfile::tempdir().expect("a folder");
    let at = |name: &str| home.path().join(name);
    let mut live = PartFile::new_in(home.path()).expect("begun");
    live.write_all(b"half").expect("written");
    let whole = PartFolder::beside(&at("out"), Path::new("")).expect("begun");
    std::fs::write(whole.inside(Path::new("x")), "x").expect("written");
    // As a kill leaves them: the files without their locks.
    std::fs::write(at(".gaitway-Dead01.part"), "half").expect("written");
    std::fs::create_dir_all(at(".gaitway-Dead02.part/deep")).expect("made");
    std::fs::write(at(".gaitway-Dead02.part/deep/y"), "y").expect("written");
    // Not ours, though some look like it.
    std::fs::write(at(".gaitway-notes.part"), "mine").expect("written");
    std::fs::write(at("clip.bvh.part"), "mine").expect("written");
    std::os::unix::fs::symlink("clip.bvh.part", at(".gaitway-Link01.part")).expect("linked");
    assert_eq!(sweep(home.path()), 2);
    assert_eq!(sweep(home.path()), 0);
    live.put(&at("file")).expect("put");
    whole.put(&at("out")).expect("put");
    assert_eq!(
        names(home.path()),
        [
            ".gaitway-Link01.part",
            ".gaitway-notes.part",
            "clip.bvh.part",
            "file",
            "out"
        ]
    );
    assert_eq!(std::fs::read(at("file")).expect("there"), b"half");
}

#[test]
fn writers_and_sweepers_side_by_side_lose_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    let (writers, files) = (4, 100);
    std::thread::scope(|scope| {
        for w in 0..writers {
            scope.spawn(move || {
                for k in 0..files {
                    let mut part = PartFile::new_in(folder).expect("begun");
                    part.write_all(b"whole").expect("written");
                    part.put(&folder.join(format!("{w}-{k}"))).expect("put");
                }
            });
        }
        scope.spawn(move || {
            for _ in 0..2000 {
                sweep(folder);
            }
        });
    });
    let all = names(folder);
    assert_eq!(all.len(), writers * files, "{all:?}");
    for name in all {
        assert_eq!(std::fs::read(folder.join(name)).expect("there"), b"whole");
    }
}

#[test]
fn what_stands_there_is_not_replaced_unless_asked() {
    let home = tempfile::tempdir().expect("a folder");
    let at = |name: &str| home.path().join(name);
    std::fs::write(at("a"), "old").expect("written");
    let mut part = PartFile::new_in(home.path()).expect("begun");
    part.write_all(b"new").expect("written");
    let part = part.put_new(&at("a")).expect("asked").expect("taken");
    assert!(part.put_new(&at("b")).expect("asked").is_none());
    assert_eq!(std::fs::read(at("a")).expect("there"), b"old");
    assert_eq!(std::fs::read(at("b")).expect("there"), b"new");
    drop(PartFile::new_in(home.path()).expect("begun"));
    assert_eq!(names(home.path()), ["a", "b"]);
}
