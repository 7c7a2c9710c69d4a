//! `gaitway retarget IN --to BODY -o FOLDER --to-format FORMAT`: many clips, each on its own.
//!
//! Where files go, and that a new folder appears whole, is as `convert --to` has it. A clip that cannot be put on the body is told, is not
//! written, and does not keep the others from it: exit code 1.

use gaitway::io::output::AtomicFolder;
use serde_json::{Value, json};

use super::super::args::RetargetArgs;
use super::super::convert::{place, refuse_overwriting_inputs, targets};
use super::super::load::load_clips;
use super::super::make::counted;
use super::super::render::write_bytes;
use super::super::term::{Term, table};
use super::super::{CliError, Outcome, files, interrupt};
use super::Stage;

/// Runs the verb on many clips.
pub fn run(args: &RetargetArgs, extension: &str, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([args.report.as_ref()])?;
    let stage = Stage::read(args, term)?;
    let clips = load_clips(
        std::slice::from_ref(&args.input),
        &args.read.mending(),
        term,
    )?;
    let jobs = targets(&args.input, &args.out, extension, clips)?;
    refuse_overwriting_inputs(&jobs)?;
    let folder = AtomicFolder::new(&args.out)?;
    interrupt::on_ctrl_c();
    let bar = term.progress(jobs.len() as u64, "retargeting");
    term.warn_all(jobs.iter().map(|(i, _, _)| (i.clip.name(), &i.warnings)));
    let (mut told, mut reports, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (import, source, target) in &jobs {
        if interrupt::stopped() {
            bar.finish_and_clear();
            return Err(CliError::new("stopped").with_hint("the same command begins anew"));
        }
        let name = source.display().to_string();
        match stage.put(import, &name) {
            Err(error) => failed.push((name, error)),
            Ok((_, done)) => {
                let file = place(Some(&folder), &args.out, target)?;
                let known = target.display().to_string();
                let written = stage
                    .write(&file, &done.clip)
                    .map_err(|e| e.with_name(&file.display().to_string(), &known))?;
                for warning in &written {
                    term.warn(&known, warning);
                }
                let r = &done.report;
                told.push(vec![
                    import.clip.name().to_owned(),
                    format!("{:.2}", r.source_confidence.min(r.target_confidence)),
                    format!("{:.3}", r.scale),
                    r.constraints.to_string(),
                    format!("{:.1}", r.before_mm[0]),
                    format!("{:.2}", r.after_mm[0]),
                    format!("{:.1}", r.change.p95_deg),
                    format!("{:.1}", r.change.max_deg),
                    format!("{:.1}", r.change.root_max_cm),
                    r.notes.len().to_string(),
                ]);
                reports.push(super::report(&name, &args.to, target, r));
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

fn tell(
    args: &RetargetArgs,
    (told, reports): (Vec<Vec<String>>, Vec<Value>),
    failed: &[(String, CliError)],
    term: &mut Term,
) -> Result<(), CliError> {
    let not = |(file, error): &(String, CliError)| json!({ "file": file, "error": error.message(), "hint": error.hint() });
    let all = json!({
        "out": args.out.display().to_string(),
        "to": args.to,
        "retargeted": reports.len(),
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
            "confidence",
            "scale",
            "constraints",
            "off as copied mm",
            "now mm",
            "turned ° (95 %)",
            "at most",
            "root moved cm",
            "notes",
        ];
        term.out(&table(&head, &told))?;
    }
    for (file, error) in failed {
        term.fail(&format!("{file}: {}", error.message()));
    }
    Ok(())
}
