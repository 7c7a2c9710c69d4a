//! SIGKILL at random moments of every verb that writes. Whatever the moment: nothing half-written stands under its final name, the next run
//! succeeds with the bytes of an undisturbed one, and nothing the killed one left is there after it.
//!
//! `scripts/kill-test COUNT SEED` runs hundreds; here a few of each verb are killed.
#![cfg(unix)]
// The figures of a long run.
#![allow(clippy::print_stderr)]

#[path = "kills/cases.rs"]
mod cases;
#[path = "kills/server.rs"]
mod server;
#[path = "kills/tree.rs"]
mod tree;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cases::{Case, all};
use tree::{Tree, leftovers};

/// Numbers that look random and are the same for a seed (Marsaglia's xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From 0 to 1.
    pub(crate) fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |t| t.parse().expect("a whole number"))
}

/// Kills per verb.
pub(crate) fn count() -> u64 {
    number("GAITWAY_KILLS", 1)
}

pub(crate) fn seed() -> u64 {
    number("GAITWAY_KILL_SEED", 1)
}

/// The binary: ours, or another one for a long run.
pub(crate) fn binary() -> String {
    std::env::var("GAITWAY_KILL_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_gaitway").to_owned())
}

pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(binary())
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs")
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) {
    let output = Command::new(binary())
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
}

/// What came of many kills.
#[derive(Default)]
struct Figures {
    kills: u64,
    ended_before: u64,
    left_parts: u64,
    left_journals: u64,
}

/// Kills a run: at a moment of its whole length, or, every second time, soon after something is half written.
fn kill_one(folder: &Path, arguments: &[&str], length: Duration, dice: &mut Dice) -> bool {
    let mut child = start(folder, arguments);
    let begin = Instant::now();
    if dice.roll() < 0.5 {
        std::thread::sleep(length.mul_f64(1.05 * dice.roll()));
    } else {
        let over = |c: &mut Child| c.try_wait().expect("a state").is_some();
        while leftovers(folder).is_empty() && !over(&mut child) && begin.elapsed() < 4 * length {
            std::thread::sleep(Duration::from_micros(100));
        }
        std::thread::sleep(Duration::from_micros((3000.0 * dice.roll()) as u64));
    }
    child.kill().expect("killed or over");
    // Over by itself: it has a code.
    child.wait().expect("it ends").code().is_some()
}

/// What is there is whole: as in an undisturbed run, or a temporary name.
fn check_whole(case: &Case, folder: &Path, expected: &Tree, round: u64) {
    for (name, bytes) in Tree::of(folder).files {
        if tree::is_leftover(&name) {
            continue;
        }
        let Some(whole) = expected.files.get(&name) else {
            panic!("{} {round}: {name} is no file of this verb", case.name);
        };
        let same = *whole == bytes || expected.varies(&name, &bytes);
        assert!(same, "{} {round}: {name} is not whole", case.name);
    }
}

fn kill_case(case: &Case, home: &Path, dice: &mut Dice, figures: &mut Figures) {
    let fresh = |name: &str| {
        let folder = home.join(format!("{}-{name}", case.name));
        std::fs::create_dir(&folder).expect("a fresh folder");
        folder
    };
    let arguments: Vec<&str> = case.arguments.split(' ').collect();
    let begin = Instant::now();
    let undisturbed = fresh("undisturbed");
    run(&undisturbed, &arguments);
    let length = begin.elapsed();
    let again = fresh("again");
    run(&again, &arguments);
    let expected = Tree::of(&undisturbed).with_varying(&Tree::of(&again));
    assert!(!expected.files.is_empty(), "{} writes", case.name);
    for round in 0..count() {
        let folder = fresh(&round.to_string());
        // Sometimes the run after a kill is killed as well.
        loop {
            let ended = kill_one(&folder, &arguments, length, dice);
            figures.kills += 1;
            figures.ended_before += u64::from(ended);
            let left = leftovers(&folder);
            figures.left_parts += u64::from(left.iter().any(|n| n.ends_with(".part")));
            figures.left_journals += u64::from(left.iter().any(|n| n.contains(".journal")));
            check_whole(case, &folder, &expected, round);
            if dice.roll() < 0.7 {
                break;
            }
        }
        run(&folder, &arguments);
        check_whole(case, &folder, &expected, round);
        let now = Tree::of(&folder);
        let names = |t: &Tree| t.files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&now), names(&expected), "{} {round}", case.name);
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}

#[test]
fn every_verb_that_writes_stands_a_kill() {
    let home = tempfile::tempdir().expect("a folder");
    cases::prepare(home.path());
    let mut dice = Dice::new(seed());
    for case in all() {
        let mut figures = Figures::default();
        kill_case(&case, home.path(), &mut dice, &mut figures);
        eprintln!(
            "{:<18} {} kills ({} after its end), {} left parts, {} left a journal; all well after",
            case.name,
            figures.kills,
            figures.ended_before,
            figures.left_parts,
            figures.left_journals
        );
    }
}

/// A verb that is added has to be added here.
#[test]
fn every_verb_is_killed_or_known_not_to_write() {
    let output = Command::new(binary()).arg("--help").output().expect("help");
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    let verbs = help
        .lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty());
    let mut seen = 0;
    for verb in verbs.filter_map(|l| l.strip_prefix("  ")?.split(' ').next()) {
        if verb.is_empty() {
            continue;
        }
        seen += 1;
        let killed = all()
            .iter()
            .any(|c| c.arguments.split(' ').any(|a| a == verb));
        // The studio has a test of its own, the demo the long run.
        let else_where = ["info", "bench", "completions", "help", "studio", "demo"];
        assert!(killed || else_where.contains(&verb), "{verb}");
    }
    assert!(seen > 12, "{help}");
}

/// Two builds of one graph at once, one of them killed: the other succeeds, and neither takes from the other what it writes.
#[test]
fn of_two_builds_at_once_the_one_that_lives_succeeds() {
    let home = tempfile::tempdir().expect("a folder");
    cases::prepare(home.path());
    let build: Vec<&str> = cases::BUILD.split(' ').collect();
    let undisturbed = home.path().join("undisturbed");
    std::fs::create_dir(&undisturbed).expect("made");
    let begin = Instant::now();
    run(&undisturbed, &build);
    let length = begin.elapsed();
    let expected = Tree::of(&undisturbed);
    let mut dice = Dice::new(seed());
    for round in 0..2 * count() {
        let folder = home.path().join(format!("two-{round}"));
        std::fs::create_dir(&folder).expect("made");
        let mut first = start(&folder, &build);
        std::thread::sleep(length.mul_f64(0.3 * dice.roll()));
        let mut second = start(&folder, &build);
        // Every other round both live.
        if round % 2 == 0 {
            std::thread::sleep(length.mul_f64(1.5 * dice.roll()));
            first.kill().expect("killed or over");
            first.wait().expect("it ends");
        } else {
            assert!(first.wait().expect("it ends").success(), "{round}");
        }
        assert!(second.wait().expect("it ends").success(), "{round}");
        run(&folder, &build);
        assert_eq!(Tree::of(&folder).files, expected.files, "{round}");
    }
}
