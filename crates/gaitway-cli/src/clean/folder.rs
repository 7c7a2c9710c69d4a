//! `gaitway clean IN -o FOLDER --to FORMAT`: many clips, each on its own.
//!
//! Where files go, and that a new folder appears whole, is as `convert --to` has it. A clip whose feet cannot be planted is told,
//! is not written, and does not keep the others from it: exit code 1.

use gaitway::eval::quality::Quality;
use gaitway::io::output::AtomicFolder;
use gaitway::io::{WriteOptions, write_file};
use gaitway::synth::cleanup::PlantReport;
use serde_json::{Value, json};

use super::super::args::CleanArgs;
use super::super::convert::{place, refuse_overwriting_inputs, targets};
use super::super::load::load_clips;
use super::super::make::counted;
use super::super::quality::read_contacts;
use super::super::render::write_bytes;
use super::super::term::{Term, table};
use super::super::{CliError, Outcome, files, interrupt};
use super::cleaned;

/// Runs the verb on many clips.
pub fn run(args: &CleanArgs, extension: &str, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([args.report.as_ref()])?;
    let rows = args
        .contacts
        .as_ref()
        .map(|path| read_contacts(path))
        .transpose()?;
    let clips = load_clips(
        std::slice::from_ref(&args.input),
        &args.read.mending(),
        term,
    )?;
    let jobs = targets(&args.input, &args.out, extension, clips)?;
    refuse_overwriting_inputs(&jobs)?;
    let folder = AtomicFolder::new(&args.out)?;
    interrupt::on_ctrl_c();
    let bar = term.progress(jobs.len() as u64, "cleaning");
    term.warn_all(jobs.iter().map(|(i, _, _)| (i.clip.name(), &i.warnings)));
    let (mut told, mut reports, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (import, source, target) in &jobs {
        if interrupt::stopped() {
            bar.finish_and_clear();
            return Err(CliError::new("stopped").with_hint("the same command begins anew"));
        }
        let name = source.display().to_string();
        match cleaned(import, &name, rows.as_deref(), args) {
            Err(error) => failed.push((name, error)),
            Ok(done) => {
                let file = place(Some(&folder), &args.out, target)?;
                let options = WriteOptions {
                    source: Some(&import.source),
                    ..WriteOptions::default()
                };
                let known = target.display().to_string();
                let written = write_file(&file, &done.planted.clip, &options).map_err(|e| {
                    CliError::from(e).with_name(&file.display().to_string(), &known)
                })?;
                for warning in &written {
                    term.warn(&known, warning);
                }
                let report = &done.planted.report;
                let number = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.2}"));
                told.push(vec![
                    import.clip.name().to_owned(),
                    report.plants.len().to_string(),
                    report.skipped.len().to_string(),
                    number(done.before.skate_cm_s.mean),
                    number(done.after.skate_cm_s.mean),
                    slides(&done.before),
                    slides(&done.after),
                    format!("{:.1}", 1000.0 * report.root_moved_mean_m),
                    format!("{:.1}", 1000.0 * report.root_moved_max_m),
                    format!("{:.1}", report.tilt_max_deg),
                    backwards(report),
                ]);
                reports.push(done.report(&name, target, import, args));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    folder.finish()?;
    tell(args, (told, reports), &failed, term)?;
    term.say(&format!(
        "wrote {} to {}",
        counted(jobs.len() - failed.len(), "clip"),
        args.out.display()
    ));
    Ok(match failed.is_empty() {
        true => Outcome::Done,
        false => Outcome::Failed,
    })
}

/// How many feet slide over the floor.
fn slides(q: &Quality) -> String {
    let count = q.glides.map(|g| g.slides.count);
    count.map_or("-".to_owned(), |n| n.to_string())
}

/// How far knees were captured bending backwards at most.
fn backwards(report: &PlantReport) -> String {
    let most = report.overextended.iter().map(|k| k.most_deg);
    let most = most.fold(0.0, f64::max);
    if most > 0.0 {
        format!("{most:.0}")
    } else {
        "-".to_owned()
    }
}

fn tell(
    args: &CleanArgs,
    (told, reports): (Vec<Vec<String>>, Vec<Value>),
    failed: &[(String, CliError)],
    term: &mut Term,
) -> Result<(), CliError> {
    let not = |(file, error): &(String, CliError)| json!({ "file": file, "error": error.message(), "hint": error.hint() });
    let all = json!({
        "out": args.out.display().to_string(),
        "cleaned": reports.len(),
        "clips": reports,
        "failed": failed.iter().map(not).collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&all).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(path) = &args.report {
        write_bytes(path, text.as_bytes())?;
    }
    if args.json {
        term.json(&text)?;
    } else {
        let head = [
            "clip",
            "plants held",
            "not",
            "skate cm/s",
            "after",
            "slides",
            "after",
            "root moved mm",
            "at most",
            "pelvis tilted °",
            "knees backwards °",
        ];
        term.out(&table(&head, &told))?;
    }
    for line in failures(failed) {
        match line {
            Told::Failed(message) => term.fail(&message),
            Told::Hint(hint) => term.say(&format!("hint: {hint}")),
        }
    }
    Ok(())
}

/// A line about files that were not cleaned.
#[derive(Debug, PartialEq)]
enum Told {
    Failed(String),
    Hint(String),
}

/// The most files that are named with a reason they share.
const NAMED: usize = 3;

/// Equal reasons are told once, with how many files they are about and the first of them; likewise hints.
fn failures(failed: &[(String, CliError)]) -> Vec<Told> {
    let reason = |(file, error): &(String, CliError)| {
        let message = error.message();
        let own = message.strip_prefix(file.as_str());
        own.and_then(|m| m.strip_prefix(": "))
            .unwrap_or(message)
            .to_owned()
    };
    let mut groups: Vec<(String, Option<&str>, Vec<&str>)> = Vec::new();
    for row in failed {
        let (why, hint) = (reason(row), row.1.hint());
        match groups.iter_mut().find(|g| g.0 == why && g.1 == hint) {
            Some(group) => group.2.push(&row.0),
            None => groups.push((why, hint, vec![&row.0])),
        }
    }
    let mut out = Vec::new();
    for (why, hint, files) in groups {
        let whose = match &files[..] {
            [one] => (*one).to_owned(),
            many => {
                let more = match many.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    n => format!(" and {n} more"),
                };
                let names = many[..many.len().min(NAMED)].join(", ");
                format!("{} files ({names}{more})", many.len())
            }
        };
        out.push(Told::Failed(format!("{whose}: {why}")));
        let hint = hint.map(|h| Told::Hint(h.to_owned()));
        out.extend(hint.filter(|h| !out.contains(h)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_reasons_are_told_once() {
        let one = |file: &str, why: &str, hint: &str| {
            let error = CliError::new(format!("{file}: {why}")).with_hint(hint);
            (file.to_owned(), error)
        };
        let failed = [
            one("a.glb", "no legs", "name the plants"),
            one("b.glb", "no legs", "name the plants"),
            one("c.glb", "too short", "name the plants"),
            one("d.glb", "no legs", "name the plants"),
            one("e.glb", "no legs", "name the plants"),
        ];
        assert_eq!(
            failures(&failed),
            [
                Told::Failed("4 files (a.glb, b.glb, d.glb and 1 more): no legs".to_owned()),
                Told::Hint("name the plants".to_owned()),
                Told::Failed("c.glb: too short".to_owned()),
            ]
        );
    }
}
