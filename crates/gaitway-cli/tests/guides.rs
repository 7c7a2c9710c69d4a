//! Every command that the README and the guides show is carried out, in order, in a folder of its own, by the real binary; what a page prints
//! after a command is what comes out of it.
//!
//! A page's folder holds what its reader is taken to have (`captures/`, `walk.bvh`, a drawing …), made from the performer's clips. `…` in
//! printed output stands for anything: times differ. What is not carried out is listed in [`LEFT_OUT`], each with its reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands by how they begin, and why a test does not run them.
const LEFT_OUT: [(&str, &str); 6] = [
    ("cargo ", "builds the program under test"),
    (
        "scripts/",
        "builds or tests everything; run by its own command",
    ),
    (
        "gaitway studio",
        "serves until it is stopped: studio/e2e drives it",
    ),
    ("gaitway completions", "writes into the home folder"),
    ("gaitway man", "writes into the home folder"),
    ("tar ", "opens what scripts/release makes"),
];

/// A command of a page and what is printed after it.
struct Step {
    line: usize,
    command: String,
    printed: Vec<String>,
}

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The commands of a page: lines of `console` blocks after `$ `, all lines of `sh` blocks.
fn steps(text: &str) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    // Of the block under way: other, console or sh.
    let mut kind: Option<&str> = None;
    for (k, line) in text.lines().enumerate() {
        if let Some(after) = line.strip_prefix("```") {
            kind = match kind {
                None => Some(after),
                Some(_) => None,
            };
            continue;
        }
        let command = match kind {
            Some("console") => line.strip_prefix("$ "),
            Some("sh") => Some(line),
            _ => continue,
        };
        match (command, out.last_mut()) {
            (Some(command), _) if !command.trim().is_empty() => out.push(Step {
                line: k + 1,
                command: command.to_owned(),
                printed: Vec::new(),
            }),
            (None, Some(step)) => step.printed.push(line.to_owned()),
            _ => {}
        }
    }
    out
}

/// Whether a line is as printed, `…` standing for anything.
fn is_as_printed(printed: &str, line: &str) -> bool {
    let mut rest = line;
    for (k, part) in printed.split('…').enumerate() {
        match rest.find(part) {
            Some(0) => rest = &rest[part.len()..],
            Some(at) if k > 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    rest.is_empty() || printed.ends_with('…')
}

/// The printed lines are in the output, in order; a line `…` by itself skips any number.
fn are_as_printed(printed: &[String], output: &str) -> Result<(), String> {
    let mut lines = output.lines();
    for want in printed.iter().filter(|p| p.trim() != "…") {
        if !lines.any(|line| is_as_printed(want, line)) {
            return Err(want.clone());
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let there = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &there);
        } else {
            fs::copy(&path, there).expect("copied");
        }
    }
}

/// What readers have in their folder.
fn furnish(home: &Path, demo: &Path) {
    let clips = demo.join("clips");
    copy(demo, &home.join("gaitway-demo"));
    for name in ["captures", "clips"] {
        copy(&clips, &home.join(name));
    }
    let clip = |name: &str, to: &str| {
        fs::copy(clips.join(name), home.join(to)).expect("a clip of the demo");
    };
    clip("walk_normal_01.bvh", "walk.bvh");
    // The same motion is not taken twice.
    let (fast, walk) = ("captures/walk_fast_01.bvh", "captures/walk.bvh");
    fs::rename(home.join(fast), home.join(walk)).expect("a clip of the demo");
    clip("turn_on_spot_left_01.bvh", "turn.bvh");
    fs::create_dir_all(home.join("new")).expect("a folder");
    clip("walk_fast_01.bvh", "new/walk_once_more.bvh");
    clip("labels.csv", "labels.csv");
    // What a build made.
    fs::create_dir_all(home.join("out")).expect("a folder");
    fs::copy(demo.join("motion.bvh"), home.join("out/motion.bvh")).expect("the demo's motion");
    fs::copy(demo.join("demo.gway"), home.join("demo.gway")).expect("the demo's graph");
    let write = |name: &str, text: &str| fs::write(home.join(name), text).expect("written");
    write(
        "curve.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0 C200 300 -200 500 0 900"/></svg>"#,
    );
    for folder in ["", "gaitway-demo/"] {
        let write = |name: &str, text: &str| write(&format!("{folder}{name}"), text);
        write("way.json", "[[0,0],[0.5,4],[0,8],[-0.5,12]]");
        for (name, line) in [
            ("east", "[[-6,0],[6,0]]"),
            ("west", "[[6,1.5],[-6,1.5]]"),
            ("south", "[[1,6],[1,-6]]"),
            ("north", "[[-1,-6],[-1,6]]"),
        ] {
            write(&format!("{name}.json"), line);
        }
    }
    // Markers cannot be performed: a captured trial stands for all of them, where captures are at hand.
    if let Some(data) = gaitway_core::testing::data_dir() {
        for name in ["trial.c3d", "walk.c3d", "run.c3d", "reach.c3d"] {
            let trial = data.join("cmu-three-formats/01_01.c3d");
            fs::copy(trial, home.join(name)).expect("a captured trial");
        }
    }
    // Somebody else.
    let other = gaitway_core::testing::walking_clip(&Default::default());
    let options = gaitway_io::WriteOptions::default();
    gaitway_io::write_file(&home.join("character.bvh"), &other, &options).expect("a character");
    gaitway_io::write_file(&home.join("hero.glb"), &other, &options).expect("a character");
    write("rooms.json", r#"[{"circle": [3, 6, 0.3]}]"#);
    write(
        "t.toml",
        "default = 6.0\n\n[[pair]]\nfrom = \"walk\"\nto = \"sneak\"\ncm = 9.0\n",
    );
}

/// Runs a page's commands; what went otherwise.
fn run(page: &str, demo: &Path) -> (usize, Vec<String>) {
    let text = fs::read_to_string(book().join(page)).expect("a page");
    let home = tempfile::tempdir().expect("a folder");
    furnish(home.path(), demo);
    let bin = home.path().join(".bin");
    fs::create_dir(&bin).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_gaitway"), bin.join("gaitway")).expect("a link");
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut at = home.path().to_owned();
    let (mut ran, mut faults) = (0, Vec::new());
    let markers = home.path().join("trial.c3d").exists();
    if page.contains("from-c3d") && !markers {
        return (0, Vec::new());
    }
    for step in steps(&text) {
        if step.command.contains(".c3d") && !markers {
            continue;
        }
        let command = step.command.split("  #").next().unwrap_or_default().trim();
        if let Some(folder) = command.strip_prefix("cd ") {
            at.push(folder);
            continue;
        }
        if LEFT_OUT
            .iter()
            .any(|(begins, _)| command.starts_with(begins))
        {
            continue;
        }
        let out = Command::new("sh")
            .arg("-c")
            .arg(command)
            .current_dir(&at)
            .env("PATH", &path)
            .output();
        let out = out.expect("a shell");
        ran += 1;
        let (told, said) = (
            String::from_utf8_lossy(&out.stderr),
            String::from_utf8_lossy(&out.stdout),
        );
        // A page that shows how a gate fails says so.
        let may_fail = step.command.contains("exit code 1");
        let code = out.status.code();
        let fine = code == Some(0) || may_fail && code == Some(1);
        let all = format!("{said}{told}");
        if !fine {
            faults.push(format!(
                "{page}:{}: {command}\nexit code {code:?}\n{all}",
                step.line
            ));
        } else if let Err(line) = are_as_printed(&step.printed, &all) {
            faults.push(format!(
                "{page}:{}: {command}\nnot printed: {line}\n{all}",
                step.line
            ));
        }
    }
    (ran, faults)
}

#[test]
fn every_command_of_the_readme_and_the_guides_runs() {
    let place = tempfile::tempdir().expect("a folder");
    let demo = place.path().join("demo");
    let made = Command::new(env!("CARGO_BIN_EXE_gaitway"))
        .args(["--quiet", "demo", "--out"])
        .arg(&demo)
        .status();
    assert!(made.expect("the binary runs").success());
    let mut pages = vec!["README.md".to_owned()];
    for folder in ["docs/book/guides", "docs/book/concepts"] {
        let entries = fs::read_dir(book().join(folder)).expect("the book");
        let names = entries.map(|e| {
            e.expect("a page")
                .file_name()
                .to_string_lossy()
                .into_owned()
        });
        pages.extend(names.map(|n| format!("{folder}/{n}")));
    }
    pages.sort();
    let results: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let half = pages.len() / 2;
        let (a, b) = (&pages[..half], &pages[half..]);
        let demo = &demo;
        let of = |list: &'_ [String]| list.iter().map(|p| run(p, demo)).collect::<Vec<_>>();
        let other = scope.spawn(move || of(b));
        let mut all = of(a);
        all.extend(other.join().expect("no panic"));
        all
    });
    let ran: usize = results.iter().map(|r| r.0).sum();
    let faults: Vec<&String> = results.iter().flat_map(|r| &r.1).collect();
    assert!(ran > 40, "only {ran} commands found");
    let told = faults
        .iter()
        .map(|f| f.as_str())
        .collect::<Vec<_>>()
        .join("\n\n");
    assert!(
        faults.is_empty(),
        "{} of {ran} commands:\n{told}",
        faults.len()
    );
}
