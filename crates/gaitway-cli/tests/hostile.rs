//! Names that would act on a terminal (colours, cleared screens, bells, forged lines of ours), in every place where a file has names: whatever
//! verb reads them, nothing reaches standard output or standard error but text.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gaitway_core::testing::performed_clips;
use gaitway_io::{WriteOptions, write_file};

/// A colour, a title, a bell, a delete, and the one-byte form of what begins a sequence.
const EVIL: &str = "\u{1b}[31m\u{1b}]0;x\u{7}\u{7f}\u{9b}2J";

struct Place(tempfile::TempDir);

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run<A: Into<OsString> + Clone>(&self, arguments: &[A]) -> Output {
        let arguments: Vec<OsString> = arguments.iter().cloned().map(Into::into).collect();
        let output = Command::new(env!("CARGO_BIN_EXE_gaitway"))
            .current_dir(self.0.path())
            .args(&arguments)
            .output()
            .expect("the binary runs");
        let code = output.status.code();
        assert!(matches!(code, Some(0..=2)), "{arguments:?}: {code:?}");
        for (what, bytes) in [("out", &output.stdout), ("err", &output.stderr)] {
            let text = String::from_utf8(bytes.clone()).expect("UTF-8");
            let acts = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
            assert!(!text.contains(acts), "{arguments:?} {what}: {text:?}");
            assert!(
                !text.lines().any(|l| l.trim_start().starts_with("forged")),
                "{arguments:?} {what}: {text}"
            );
        }
        output
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
        told + &String::from_utf8_lossy(&output.stdout)
    }

    /// Rewrites a text file.
    fn rewrite(&self, from: &str, to: &str, pairs: &[(&str, &str)]) {
        let mut text = std::fs::read_to_string(self.path(from)).expect("a text");
        for (a, b) in pairs {
            assert!(text.contains(a), "{from} has {a}");
            text = text.replace(a, b);
        }
        std::fs::write(self.path(to), text).expect("written");
    }
}

/// A folder with a plain walk, `walk.bvh`.
fn place() -> Place {
    let place = Place(tempfile::tempdir().expect("a folder"));
    let clip = performed_clips(30.0, &["walk_normal_01"]).swap_remove(0);
    write_file(&place.path("walk.bvh"), &clip, &WriteOptions::default()).expect("written");
    place
}

/// Every verb that reads clips, on one file.
fn every_verb(place: &Place, file: &str) {
    for json in [false, true] {
        for verb in ["info", "quality"] {
            let mut arguments = vec![verb, file];
            arguments.extend(json.then_some("--json"));
            let output = place.run(&arguments);
            if json && output.status.success() {
                serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON");
            }
        }
    }
    place.run(&["clean", file, "-o", "c.bvh", "--report", "c.json"]);
    place.run(&["clean", file, "-o", "c.bvh", "--json"]);
    place.run(&[
        "edit",
        file,
        "-o",
        "c.bvh",
        "--taller",
        "5%",
        "--drag",
        "elephant@0=0,1,0",
    ]);
    place.run(&["retarget", file, "--to", "walk.bvh", "-o", "c.bvh"]);
    place.run(&[
        "build",
        "walk.bvh",
        file,
        "-o",
        "c.gway",
        "--retarget-to",
        file,
    ]);
    place.run(&["convert", file, "c.glb"]);
    place.run(&["convert", file, "c.bvh", "--retarget-by", "elephant"]);
    place.run(&["distance", file, "walk.bvh"]);
    place.run(&["distance", file, file, "--json"]);
    place.run(&["render", file, "-o", "c.svg"]);
    place.run(&["render", file, "-o", "c.png", "--joints", "elephant"]);
    place.run(&["build", file, "walk.bvh", "-o", "both.gway"]);
    place.run(&["build", file, "-o", "g.gway", "--threshold", "8"]);
    if place.path("g.gway").exists() {
        place.run(&["build", file, "-o", "h.gway", "--json"]);
        for arguments in [
            &["inspect", "g.gway"][..],
            &["inspect", "g.gway", "--json"],
            &["eval", "g.gway", "--threshold", "1,8", "--json"],
            &[
                "eval",
                "g.gway",
                "g.gway",
                "--threshold",
                "built,2x",
                "--visible",
            ],
            &["walk", "g.gway", "--seconds", "3", "-o", "w.bvh"],
            &[
                "walk",
                "g.gway",
                "--seconds",
                "3",
                "-o",
                "w.bvh",
                "--label",
                "elephant",
            ],
            &["walk", "g.gway", "--loop", "-o", "w.bvh", "--json"],
            &[
                "connect",
                "g.gway",
                "--from",
                "elephant@0",
                "--to",
                "elephant@1",
                "-o",
                "w.bvh",
            ],
            &[
                "path", "g.gway", "line", "-o", "p.bvh", "--report", "p.json",
            ],
            &[
                "path", "g.gway", "line", "-o", "p.bvh", "--style", "elephant",
            ],
        ] {
            place.run(arguments);
        }
    }
}

#[test]
fn names_of_joints() {
    let place = place();
    let evil = format!("Hips{EVIL}");
    place.rewrite(
        "walk.bvh",
        "evil.bvh",
        &[("ROOT Hips", &format!("ROOT {evil}"))],
    );
    every_verb(&place, "evil.bvh");
    let told = place.ok(&["info", "evil.bvh", "--json"]);
    assert!(told.contains("walk") || told.contains("evil"), "{told}");
    // A word where another belongs is told, and cannot act.
    place.rewrite(
        "walk.bvh",
        "bad.bvh",
        &[("CHANNELS 6", &format!("CHANNELS {EVIL}"))],
    );
    every_verb(&place, "bad.bvh");
    // What is converted keeps its name: it is text.
    place.ok(&["convert", "evil.bvh", "kept.gltf"]);
    let kept = std::fs::read_to_string(place.path("kept.gltf")).expect("a file");
    assert!(kept.contains("Hips\\u001b[31m"), "{kept:.400}");
}

#[test]
fn names_in_gltf_and_acclaim() {
    let place = place();
    place.ok(&["convert", "walk.bvh", "walk.gltf"]);
    let evil = "\\u001b[31m\\nforged: x\\u009b\\u202e";
    let text = std::fs::read_to_string(place.path("walk.gltf")).expect("a file");
    let hips = ["\"name\":\"Hips\"", "\"name\": \"Hips\""]
        .into_iter()
        .find(|n| text.contains(n));
    let to = format!("\"name\":\"Hips{evil}\"");
    let mut text = text.replace(hips.expect("the root has its name"), &to);
    for animations in ["\"animations\":[{", "\"animations\": [\n    {"] {
        text = text.replace(animations, &format!("{animations}\"name\":\"walk{evil}\","));
    }
    std::fs::write(place.path("evil.gltf"), &text).expect("written");
    every_verb(&place, "evil.gltf");
    // Numbers where names belong, names where objects belong.
    std::fs::write(
        place.path("bad.gltf"),
        text.replace("\"channels\"", "\"channels\":[\"\\u001bx\"],\"was\""),
    )
    .expect("written");
    let told = place.run(&["info", "bad.gltf"]);
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(!told.contains("struct"), "{told}");
    place.run(&["convert", "walk.bvh", "walk.amc"]);
    if place.path("walk.amc").exists() {
        let skeleton = ["walk.asf", "Hips.asf"]
            .into_iter()
            .find(|n| place.path(n).exists());
        for name in [skeleton, Some("walk.amc")].into_iter().flatten() {
            let text = std::fs::read_to_string(place.path(name)).expect("a text");
            let text = text
                .replace("LeftFoot", &format!("Left{EVIL}"))
                .replace("lfoot", &format!("l{EVIL}"));
            std::fs::write(place.path(name), text).expect("written");
        }
        every_verb(&place, "walk.amc");
    }
}

#[test]
fn labels_and_tables() {
    let place = place();
    let rows = format!("file,label,start_s,end_s\nwalk.bvh,walk{EVIL},,\nno{EVIL}.bvh,run,,\n");
    std::fs::write(place.path("labels.csv"), rows).expect("written");
    for json in [None, Some("--json")] {
        let mut arguments = vec![
            "build",
            "walk.bvh",
            "-o",
            "l.gway",
            "--labels",
            "labels.csv",
            "--threshold",
            "8",
        ];
        arguments.extend(json);
        place.run(&arguments);
        let mut arguments = vec!["inspect", "l.gway"];
        arguments.extend(json);
        place.run(&arguments);
    }
    place.run(&[
        "walk",
        "l.gway",
        "--seconds",
        "3",
        "--label",
        "elephant",
        "-o",
        "w.bvh",
    ]);
    place.run(&[
        "path", "l.gway", "line", "--style", "elephant", "-o", "p.bvh",
    ]);
    let label = format!("walk{EVIL}");
    place.run(&[
        "walk",
        "l.gway",
        "--seconds",
        "3",
        "--label",
        &label,
        "-o",
        "w.bvh",
        "--json",
    ]);
    place.run(&[
        "path", "l.gway", "line", "--style", &label, "-o", "p.bvh", "--report", "p.json",
    ]);
    for (name, text) in [
        ("bad.csv", format!("file,{EVIL}\nx,y\n")),
        (
            "worse.csv",
            format!("file,label,start_s\nwalk.bvh,walk,{EVIL}\n"),
        ),
    ] {
        std::fs::write(place.path(name), text).expect("written");
        place.run(&["build", "walk.bvh", "-o", "n.gway", "--labels", name]);
        place.run(&["clean", "walk.bvh", "-o", "n.bvh", "--contacts", name]);
    }
    std::fs::write(place.path("list.txt"), format!("{EVIL}.bvh\n")).expect("written");
    place.run(&["info", "@list.txt"]);
    for text in [
        format!("default = \"{}\"", "\\u001b[31m"),
        format!("default = {EVIL}"),
        format!(
            "default = 6\n[[pair]]\nfrom = \"a\"\n\"x{}\" = 1\n",
            "\\u001b"
        ),
        format!(
            "default = 6\n[[pair]]\nfrom = \"{0}\"\nto = \"{0}\"\ncm = 1\n",
            "\\u001bx"
        ),
    ] {
        std::fs::write(place.path("t.toml"), text).expect("written");
        let output = place.run(&[
            "build",
            "walk.bvh",
            "-o",
            "n.gway",
            "--thresholds",
            "t.toml",
        ]);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            told.lines().count() == 2 && told.contains("hint: "),
            "{told}"
        );
    }
}

#[test]
fn what_is_drawn() {
    let place = place();
    place.ok(&["build", "walk.bvh", "-o", "g.gway", "--threshold", "8"]);
    let digits = "9".repeat(400);
    let json_evil = "\\u001b[31m";
    for text in [
        format!("[[0,0],[\"{json_evil}\",1]]"),
        format!("{{\"{json_evil}\": 1}}"),
        format!("{{\"points\": \"{json_evil}\"}}"),
        format!("[[0,0],[{digits},1]]"),
        format!("[[0,0],[0,{digits}]"),
        format!("0,0\n{EVIL},1\n"),
        format!("0,0\n{digits},1\n"),
        format!("M0 0 L{EVIL}"),
        format!("<svg><path d='M0 0 L{EVIL}'/></svg>"),
        format!("<svg><{EVIL}/></svg>"),
        format!("{{\"points\": [[0,0],[{digits},{digits}]]}}"),
    ] {
        std::fs::write(place.path("p.json"), &text).expect("written");
        for verb in [
            &["path", "g.gway", "p.json", "-o", "p.bvh"][..],
            &[
                "path",
                "g.gway",
                "line",
                "-o",
                "p.bvh",
                "--obstacles",
                "p.json",
            ],
            &[
                "path", "g.gway", "line", "-o", "p.bvh", "--again", "0..1", "--from", "p.json",
            ],
            &["distance", "walk.bvh", "walk.bvh", "--weights", "p.json"],
        ] {
            let output = place.run(verb);
            assert_eq!(output.status.code(), Some(2), "{verb:?} {text}");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let names = ["p.json", "--again", "--weights"]
                .iter()
                .any(|n| told.contains(n));
            assert!(names && told.contains("hint: "), "{verb:?} {text}: {told}");
            for raw in [
                "untagged",
                "struct ",
                "enum ",
                "EOF while",
                "f64",
                "invalid type",
                &digits,
            ] {
                assert!(!told.contains(raw), "{verb:?}: {told}");
            }
        }
    }
    let output = place.run(&["build", "walk.bvh", "-o", "n.gway", "--threshold", &digits]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains(&digits));
}

/// A line end in a file's name forges a line of ours.
#[cfg(unix)]
#[test]
fn names_of_files() {
    let place = place();
    let name = format!("a{EVIL}\nforged: b.bvh");
    std::fs::copy(place.path("walk.bvh"), place.path(&name)).expect("copied");
    every_verb(&place, &name);
    let out = format!("out{EVIL}\nforged: c.bvh");
    place.run(&["convert", "walk.bvh", &out]);
    assert!(place.path(&out).exists());
    place.run(&["convert", &name, "x.elephant"]);
    place.run(&["render", &name, "-o", &format!("{EVIL}/no.png")]);
    std::fs::create_dir(place.path(&format!("d{EVIL}"))).expect("made");
    place.run(&["info", &format!("d{EVIL}")]);
    place.run(&["build", &format!("d{EVIL}"), "-o", "n.gway"]);
    place.run(&["inspect", &name]);
    place.run(&[format!("--{EVIL}").as_str()]);
    place.run(&["info", &format!("--{EVIL}\nforged: d")]);
    place.run(&["walk", "g.gway", "--seconds", EVIL, "-o", "w.bvh"]);
    use std::os::unix::ffi::OsStringExt;
    let not_text = OsString::from_vec(b"b\x1b\x9b\xff\nforged.bvh".to_vec());
    std::fs::copy(place.path("walk.bvh"), place.0.path().join(&not_text)).expect("copied");
    place.run(&[OsString::from("info"), not_text]);
    place.run(&["info", "."]);
    place.run(&["info", ".", "--json"]);
    place.run(&["quality", "."]);
}

/// Labels of markers, in a recorded file whose labels are overwritten.
#[test]
fn labels_of_markers() {
    let Some(data) = std::env::var_os("GAITWAY_DATA") else {
        return;
    };
    let place = place();
    let file = Path::new(&data).join("cmu-three-formats/01_01.c3d");
    let mut bytes = std::fs::read(file).expect("a C3D file");
    let mut changed = 0;
    for at in 0..bytes.len().min(1 << 16) - 4 {
        if [&b"LFWT"[..], b"RFWT", b"LKNE"].contains(&&bytes[at..at + 4]) {
            bytes[at..at + 4].copy_from_slice(b"\x1b[3m");
            changed += 1;
        }
    }
    assert!(changed > 0);
    std::fs::write(place.path("evil.c3d"), bytes).expect("written");
    every_verb(&place, "evil.c3d");
    let text = "PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n60\t60\t1\t1\tmm\nFrame#\tTime\tA\u{1b}[31m\n\t\tX1\tY1\tZ1\n1\t0\t1\t2\t3\n";
    std::fs::write(place.path("evil.trc"), text).expect("written");
    every_verb(&place, "evil.trc");
}
