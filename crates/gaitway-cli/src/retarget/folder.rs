//! `gaitway retarget IN --to BODY -o FOLDER --to-format FORMAT`: many clips, each on its own.

use std::path::Path;

use gaitway::core::Warnings;
use gaitway::io::Import;
use gaitway::retarget::Retargeted;
use serde_json::{Value, json};

use super::super::args::RetargetArgs;
use super::super::many::{EachClip, Folder};
use super::super::term::Term;
use super::super::{CliError, Outcome, files};
use super::Stage;

/// Runs the verb on many clips.
pub fn run(args: &RetargetArgs, extension: &str, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([args.report.as_ref()])?;
    let stage = Stage::read(args, term)?;
    let folder = Folder {
        input: &args.input,
        read: &args.read,
        out: &args.out,
        extension,
        report: args.report.as_ref(),
        json: args.json,
    };
    let to = &args.to;
    folder.run(&Retargeting { stage, to }, term)
}

struct Retargeting<'a> {
    stage: Stage,
    to: &'a str,
}

impl EachClip for Retargeting<'_> {
    type Made = Retargeted;
    const DOING: &'static str = "retargeting";
    const DONE: &'static str = "retargeted";
    const HEAD: &'static [&'static str] = &[
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

    fn make(&self, import: &Import, name: &str) -> Result<Retargeted, CliError> {
        Ok(self.stage.put(import, name)?.1)
    }

    fn write(&self, file: &Path, _: &Import, made: &Retargeted) -> Result<Warnings, CliError> {
        self.stage.write(file, &made.clip)
    }

    fn row(&self, import: &Import, made: &Retargeted) -> Vec<String> {
        let r = &made.report;
        vec![
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
        ]
    }

    fn report(&self, _: &Import, name: &str, target: &Path, made: &Retargeted) -> Value {
        super::report(name, self.to, target, &made.report)
    }

    fn facts(&self) -> Vec<(&'static str, Value)> {
        vec![("to", json!(self.to))]
    }
}
