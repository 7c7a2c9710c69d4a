//! Replays the fuzzing corpora of whole verbs, and makes those that hold motion: a few steps of our own.
//!
//! `GAITWAY_WRITE_CORPUS=1 cargo nextest run -p gaitway fuzz_corpus` writes the latter anew.

use std::path::{Path, PathBuf};

use gaitway::core::Clip;
use gaitway::core::testing::{Walker, swinging_clip, walking_clip};
use gaitway::fuzzing::{self, BETWEEN};
use gaitway::io::UpAxis;
use gaitway::io::bvh::{self, BvhWriteOptions};

type Verb = fn(&[u8]);

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(name)
}

fn text(clip: &Clip) -> String {
    let mut file = Vec::new();
    let options = BvhWriteOptions {
        file_name: "fuzz.bvh",
        layout: None,
        unit_m: 0.01,
        up: UpAxis::Y,
    };
    bvh::write(&mut file, clip, &options).expect("a clip that can be written");
    String::from_utf8(file).expect("BVH is text")
}

#[test]
fn corpora_of_motion_are_ours() {
    let walker = Walker {
        seconds: 1.5,
        rate_hz: 30.0,
        ..Walker::default()
    };
    let walk = text(&walking_clip(&walker));
    let (a, b) = (
        text(&swinging_clip("a", 50, 30.0)),
        text(&swinging_clip("b", 40, 30.0)),
    );
    let labels = "file,label,start_s,end_s\nclip0,walk,,\nclip1,turn,0.2,0.9\n";
    for (file, content) in [
        ("clean/walk.bvh", walk.clone()),
        ("clean/swing.bvh", b.clone()),
        ("build/two.txt", [a.as_str(), &b, labels].join(BETWEEN)),
        ("build/walk.txt", [walk.as_str(), &walk].join(BETWEEN)),
    ] {
        let place = corpus(file);
        if std::env::var_os("GAITWAY_WRITE_CORPUS").is_some() {
            std::fs::write(&place, &content).expect("the corpus can be written");
        }
        assert!(place.is_file(), "{}", place.display());
    }
}

#[test]
fn every_corpus_file_is_survived() {
    let verbs: [(&str, Verb); 3] = [
        ("build", fuzzing::build),
        ("clean", fuzzing::clean),
        ("path", fuzzing::path),
    ];
    for (name, verb) in verbs {
        let mut count = 0;
        for entry in std::fs::read_dir(corpus(name)).expect(name) {
            let path = entry.expect("an entry").path();
            verb(&std::fs::read(&path).expect("a file"));
            count += 1;
        }
        assert!(count > 1, "{name} is empty");
    }
}
