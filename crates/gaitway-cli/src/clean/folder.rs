//! `gaitway clean IN -o FOLDER --to FORMAT`: many clips, each on its own.
//!
//! Where files go, and that a new folder appears whole, is as `convert --to` has it. A clip whose feet cannot be planted is told,
//! is not written, and does not keep the others from it: exit code 1.

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
            "root moved mm",
            "at most",
            "pelvis tilted °",
            "knees backwards °",
        ];
        term.out(&table(&head, &told))?;
    }
    for (_, error) in failed {
        term.fail(error.message());
        if let Some(hint) = error.hint() {
            term.say(&format!("hint: {hint}"));
        }
    }
    Ok(())
}
