//! `gaitway clean IN -o FOLDER --to FORMAT`: many clips, each on its own.

use std::path::Path;

use gaitway::core::Warnings;
use gaitway::core::contacts::ContactRow;
use gaitway::eval::quality::Quality;
use gaitway::io::{Import, WriteOptions, write_file};
use gaitway::synth::cleanup::PlantReport;
use serde_json::Value;

use super::super::args::CleanArgs;
use super::super::many::{EachClip, Folder};
use super::super::quality::read_contacts;
use super::super::term::Term;
use super::super::{CliError, Outcome, files};
use super::{Cleaned, cleaned};

/// Runs the verb on many clips.
pub fn run(args: &CleanArgs, extension: &str, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([args.report.as_ref()])?;
    let contacts = args
        .contacts
        .as_ref()
        .map(|path| read_contacts(path))
        .transpose()?;
    let folder = Folder {
        input: &args.input,
        read: &args.read,
        out: &args.out,
        extension,
        report: args.report.as_ref(),
        json: args.json,
    };
    folder.run(&Cleaning { args, contacts }, term)
}

struct Cleaning<'a> {
    args: &'a CleanArgs,
    contacts: Option<Vec<ContactRow>>,
}

impl EachClip for Cleaning<'_> {
    type Made = Cleaned;
    const DOING: &'static str = "cleaning";
    const DONE: &'static str = "cleaned";
    const HEAD: &'static [&'static str] = &[
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

    fn make(&self, import: &Import, name: &str) -> Result<Cleaned, CliError> {
        cleaned(import, name, self.contacts.as_deref(), self.args)
    }

    fn write(&self, file: &Path, import: &Import, made: &Cleaned) -> Result<Warnings, CliError> {
        let options = WriteOptions {
            source: Some(&import.source),
            ..WriteOptions::default()
        };
        Ok(write_file(file, &made.planted.clip, &options)?)
    }

    fn row(&self, import: &Import, made: &Cleaned) -> Vec<String> {
        let report = &made.planted.report;
        let number = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.2}"));
        vec![
            import.clip.name().to_owned(),
            report.plants.len().to_string(),
            report.skipped.len().to_string(),
            number(made.before.skate_cm_s.mean),
            number(made.after.skate_cm_s.mean),
            slides(&made.before),
            slides(&made.after),
            format!("{:.1}", 1000.0 * report.root_moved_mean_m),
            format!("{:.1}", 1000.0 * report.root_moved_max_m),
            format!("{:.1}", report.tilt_max_deg),
            backwards(report),
        ]
    }

    fn report(&self, import: &Import, name: &str, target: &Path, made: &Cleaned) -> Value {
        made.report(name, target, import, self.args)
    }
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
