//! A long run over all readers and verbs on the stable toolchain: inputs of the corpora, changed at random, one after another.
//!
//!     scripts/fuzz                                     10^7 inputs for every reader, 10^5 for every verb: an hour or two
//!     scripts/fuzz --seconds 60                        as many as fit in a minute each
//!     scripts/fuzz --only path --from 123456           again from an input that was told
//!
//! Input k of a target depends on its corpus and k alone, so any finding can be made again. A panic is a finding, and so is an
//! input that takes longer than `SLOW`; one that does not end in `HANGS`, or asks for more memory than `scripts/fuzz` lets the process have, ends
//! the run, and the last line says where. Findings are kept in target/fuzz/; the table goes to docs/results/fuzz.md with --write.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod change;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use targets::{Kind, TARGETS, Target};

/// One input that takes longer is a finding.
const SLOW: Duration = Duration::from_secs(2);
/// One input that takes longer ends the run.
const HANGS: Duration = Duration::from_secs(30);

/// The input under way, and when it began, in milliseconds since the start of the run.
static NOW: AtomicU64 = AtomicU64::new(0);
static SINCE: AtomicU64 = AtomicU64::new(u64::MAX);

struct Wish {
    readers: u64,
    verbs: u64,
    seconds: f64,
    only: Vec<String>,
    from: u64,
    write: bool,
}

struct Row {
    target: &'static Target,
    executions: u64,
    seconds: f64,
    slowest: Duration,
    findings: Vec<String>,
}

fn main() {
    let wish = match wish(std::env::args().skip(1)) {
        Ok(wish) => wish,
        Err(what) => {
            eprintln!(
                "error: {what}\nhint: fuzz [--readers N] [--verbs N] [--seconds S] [--only TARGET]… [--from K] [--write]"
            );
            std::process::exit(2);
        }
    };
    let begin = Instant::now();
    std::thread::spawn(move || watch(begin));
    // Findings are told by us.
    std::panic::set_hook(Box::new(|_| {}));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let asked = |t: &&Target| wish.only.is_empty() || wish.only.iter().any(|n| n == t.name);
    let rows: Vec<Row> = TARGETS
        .iter()
        .filter(asked)
        .map(|t| run(t, &root, &wish, begin))
        .collect();
    let text = table(&rows);
    println!("{text}");
    if wish.write {
        let place = root.join("docs/results/fuzz.md");
        std::fs::write(&place, text).expect("docs/results can be written");
    }
    std::process::exit(i32::from(rows.iter().any(|r| !r.findings.is_empty())));
}

fn wish(mut words: impl Iterator<Item = String>) -> Result<Wish, String> {
    let mut out = Wish {
        readers: 10_000_000,
        verbs: 100_000,
        seconds: f64::INFINITY,
        only: Vec::new(),
        from: 0,
        write: false,
    };
    while let Some(word) = words.next() {
        if word == "--write" {
            out.write = true;
            continue;
        }
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        let number = || {
            value
                .parse::<f64>()
                .map_err(|_| format!("{word} {value}: no number"))
        };
        match word.as_str() {
            "--readers" => out.readers = number()? as u64,
            "--verbs" => out.verbs = number()? as u64,
            "--seconds" => out.seconds = number()?,
            "--from" => out.from = number()? as u64,
            "--only" if TARGETS.iter().any(|t| t.name == value) => out.only.push(value),
            _ => return Err(format!("{word} {value}: not known")),
        }
    }
    Ok(out)
}

fn run(target: &'static Target, root: &Path, wish: &Wish, begin: Instant) -> Row {
    let corpus = targets::corpus(target, root);
    let most = match target.kind {
        Kind::Reader => wish.readers,
        Kind::Verb => wish.verbs,
    };
    // Verbs make what they share once; that is no input's time.
    let _ = catch_unwind(|| (target.run)(&corpus[0]));
    let started = Instant::now();
    let mut row = Row {
        target,
        executions: 0,
        seconds: 0.0,
        slowest: Duration::ZERO,
        findings: Vec::new(),
    };
    let mut told = Instant::now();
    for k in wish.from..wish.from.saturating_add(most) {
        if started.elapsed().as_secs_f64() > wish.seconds {
            break;
        }
        let input = change::input(&corpus, k);
        NOW.store(k, Ordering::Relaxed);
        SINCE.store(begin.elapsed().as_millis() as u64, Ordering::Relaxed);
        let one = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        let took = one.elapsed();
        SINCE.store(u64::MAX, Ordering::Relaxed);
        row.executions += 1;
        row.slowest = row.slowest.max(took);
        let what = match outcome {
            Err(panic) => Some(words(panic.as_ref())),
            Ok(()) if took > SLOW => Some(format!("took {:.1} s", took.as_secs_f64())),
            Ok(()) => None,
        };
        if let Some(what) = what {
            keep(target, root, k, &input, &what);
            row.findings.push(format!("input {k}: {what}"));
            if row.findings.len() >= 20 {
                break;
            }
        }
        if told.elapsed() > Duration::from_secs(5) {
            told = Instant::now();
            eprintln!("{} {k}", target.name);
        }
    }
    row.seconds = started.elapsed().as_secs_f64();
    row
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied());
    let line = text.unwrap_or("a panic").lines().next().unwrap_or("");
    line.chars().take(160).collect()
}

fn keep(target: &Target, root: &Path, k: u64, input: &[u8], what: &str) {
    let folder = root.join("target/fuzz");
    let _ = std::fs::create_dir_all(&folder);
    let file = folder.join(format!("{}-{k}", target.name));
    let _ = std::fs::write(&file, input);
    eprintln!("{} {k}: {what}; kept as {}", target.name, file.display());
}

/// Ends the run where one input does not end.
fn watch(begin: Instant) {
    loop {
        std::thread::sleep(Duration::from_millis(250));
        let since = SINCE.load(Ordering::Relaxed);
        let now = begin.elapsed().as_millis() as u64;
        if since != u64::MAX && now > since + HANGS.as_millis() as u64 {
            eprintln!("input {} does not end", NOW.load(Ordering::Relaxed));
            std::process::exit(3);
        }
    }
}

fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "# Fuzzing\n\nInputs changed at random, through every reader and through whole verbs. A finding is a panic, or an input that takes longer than 2 s. Written by `scripts/fuzz --write`; \
         the goal of a long run is 10⁷ inputs for each reader and 10⁵ for each verb.\n\n\
         | target | kind | inputs | seconds | inputs a second | slowest, ms | findings |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for r in rows {
        out.push_str(&format!(
            "| `{}` | {} | {} | {:.0} | {:.0} | {:.0} | {} |\n",
            r.target.name,
            match r.target.kind {
                Kind::Reader => "reader",
                Kind::Verb => "verb",
            },
            r.executions,
            r.seconds,
            r.executions as f64 / r.seconds.max(1e-9),
            r.slowest.as_secs_f64() * 1e3,
            r.findings.len()
        ));
    }
    for r in rows.iter().filter(|r| !r.findings.is_empty()) {
        out.push_str(&format!(
            "\n`{}`: {}\n",
            r.target.name,
            r.findings.join("; ")
        ));
    }
    out
}
