//! Every verb that writes, in every way in which it does: a file, several files, a folder that is new, a folder that is there.

use std::path::Path;

use gaitway_core::testing::performed_clips;
use gaitway_io::{WriteOptions, write_file};

use super::{count, run};

/// The demo takes long; a long run has the time.
const LONG: u64 = 5;

pub struct Case {
    pub name: &'static str,
    pub arguments: &'static str,
}

pub const BUILD: &str = "build ../in/clips -o g.gway --threshold 6 --label-names walk*=walk";

/// Inputs lie in `../in`, seen from where a verb runs.
pub fn all() -> Vec<Case> {
    let case = |name, arguments| Case { name, arguments };
    let mut all = vec![
        case("build", BUILD),
        case(
            "build-report",
            "build ../in/clips -o h.gway --auto --report h.json --transitions cut",
        ),
        case(
            "rethreshold",
            "build --rethreshold ../in/g.gway -o t.gway --threshold 4",
        ),
        case("convert", "convert ../in/long.bvh long.glb"),
        case("convert-new", "convert ../in/clips new/deep --to glb"),
        case("convert-there", "convert ../in/clips . --to bvh"),
        case(
            "clean",
            "clean ../in/clips/walk_left.bvh -o clean.bvh --report r.json --plot feet.svg",
        ),
        case(
            "calibrate",
            "calibrate ../in/clips/walk_left.bvh --virtual sensors -o body.bvh --report r.json --plot p.svg --data-out s.csv",
        ),
        case("clean-folder", "clean ../in/clips -o cleaned --to glb"),
        case(
            "retarget",
            "retarget ../in/clips/walk_left.bvh --to ../in/clips/walk_right.bvh -o other.bvh --report r.json --plot bodies.svg",
        ),
        case(
            "retarget-folder",
            "retarget ../in/clips --to ../in/clips/walk_right.bvh -o others --to-format glb",
        ),
        case(
            "quality-plot",
            "quality ../in/clips/walk_left.bvh --plot quality.png",
        ),
        case("render", "render ../in/clips/walk_left.bvh -o strobe.png"),
        case("render-gif", "render ../in/short.bvh -o walk.gif"),
        case(
            "distance",
            "distance ../in/clips/walk_left.bvh ../in/clips/walk_right.bvh --plot heat.png --npy d.npy",
        ),
        case(
            "enrich",
            "enrich ../in/g.gway -o w.gway --steps 1 --report w.json",
        ),
        case(
            "inspect",
            "inspect ../in/g.gway --plot g.svg --dot g.dot --graphml g.graphml",
        ),
        case(
            "eval",
            "eval ../in/g.gway --threshold 3,6 --samples 100 --ways 100 --plot e.svg",
        ),
        case(
            "walk",
            "walk ../in/g.gway --seconds 120 -o w.bvh --report w.json",
        ),
        case("walk-arrays", "walk ../in/g.gway --seconds 60 -o w.npz"),
        case(
            "connect",
            "connect ../in/g.gway --from walk_left@0.5 --to walk_right@1 -o way.glb",
        ),
        case(
            "path",
            "path ../in/g.gway line -o p.bvh --report p.json --plot p.svg --page p.html",
        ),
        case("man", "man --out man1"),
        case("man-there", "man --out ."),
    ];
    if count() >= LONG {
        all.push(case("demo", "demo --out demo"));
        all.extend(people());
    }
    all
}

/// The same on captured people, where they are at hand.
fn people() -> Vec<Case> {
    match std::env::var("GAITWAY_DATA") {
        Ok(data) => vec![
            Case {
                name: "people-build",
                arguments: format!("build {data}/cmu-bvh/35 -o people.gway").leak(),
            },
            Case {
                name: "people-clean",
                arguments: format!("clean {data}/cmu-bvh/35/35_01.bvh -o people.bvh").leak(),
            },
        ],
        Err(_) => Vec::new(),
    }
}

/// Clips of the performer, a graph of them and a long motion.
pub fn prepare(home: &Path) {
    let clips = home.join("in/clips");
    std::fs::create_dir_all(&clips).expect("made");
    for name in ["walk_left", "walk_right", "walk_normal"] {
        let clip = performed_clips(30.0, &[name]).swap_remove(0);
        let file = clips.join(format!("{name}.bvh"));
        write_file(&file, &clip, &WriteOptions::default()).expect("written");
    }
    let inside = home.join("in");
    let build = "build clips -o g.gway --threshold 6 --label-names walk*=walk";
    run(&inside, &build.split(' ').collect::<Vec<_>>());
    let short = "convert clips/walk_left.bvh short.bvh --cut 0..0.3";
    run(&inside, &short.split(' ').collect::<Vec<_>>());
    run(
        &inside,
        &["walk", "g.gway", "--seconds", "120", "-o", "long.bvh"],
    );
}
