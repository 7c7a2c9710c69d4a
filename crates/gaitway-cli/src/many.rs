//! A folder of clips, or a list of them, each on its own: what `clean --to` and `retarget --to-format` share.
//!
//! Where files go, and that a new folder appears whole, is as `convert --to` has it. A clip with which it does not work is told, is not
//! written, and does not keep the others from it: exit code 1.

use std::path::{Path, PathBuf};

use gaitway::core::Warnings;
use gaitway::io::Import;
use gaitway::io::output::AtomicFolder;
use serde_json::{Map, Value, json};

use super::args::ReadArgs;
use super::convert::{place, refuse_overwriting_inputs, targets};
use super::load::load_clips;
use super::make::counted;
use super::render::write_bytes;
use super::term::{Term, table};
use super::{CliError, Outcome, interrupt};

/// What a verb does to each clip.
pub trait EachClip {
    /// What it makes of one.
    type Made;
    /// What it is doing, for the progress: "cleaning".
    const DOING: &'static str;
    /// What is done, for the report: "cleaned".
    const DONE: &'static str;
    /// The table's columns.
    const HEAD: &'static [&'static str];

    /// The clip's new motion, which is all that may fail for one clip alone.
    fn make(&self, import: &Import, name: &str) -> Result<Self::Made, CliError>;

    /// Writes it.
    fn write(&self, file: &Path, import: &Import, made: &Self::Made) -> Result<Warnings, CliError>;

    /// The table's row.
    fn row(&self, import: &Import, made: &Self::Made) -> Vec<String>;

    /// The report's part about one file.
    fn report(&self, import: &Import, name: &str, target: &Path, made: &Self::Made) -> Value;

    /// What else the report says of all of them.
    fn facts(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

/// What is read, and where it goes.
pub struct Folder<'a> {
    pub input: &'a str,
    pub read: &'a ReadArgs,
    pub out: &'a Path,
    pub extension: &'a str,
    pub report: Option<&'a PathBuf>,
    pub json: bool,
}

impl Folder<'_> {
    /// Does it to all of them.
    pub fn run<E: EachClip>(&self, each: &E, term: &mut Term) -> Result<Outcome, CliError> {
        let input = [self.input.to_owned()];
        let clips = load_clips(&input, &self.read.mending(), term)?;
        let jobs = targets(self.input, self.out, self.extension, clips)?;
        refuse_overwriting_inputs(&jobs)?;
        let folder = AtomicFolder::new(self.out)?;
        interrupt::on_ctrl_c();
        let bar = term.progress(jobs.len() as u64, E::DOING);
        term.warn_all(jobs.iter().map(|(i, _, _)| (i.clip.name(), &i.warnings)));
        let (mut rows, mut reports, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for (import, source, target) in &jobs {
            if interrupt::stopped() {
                bar.finish_and_clear();
                return Err(CliError::new("stopped").with_hint("the same command begins anew"));
            }
            let name = source.display().to_string();
            match each.make(import, &name) {
                Err(error) => failed.push((name, error)),
                Ok(made) => {
                    let file = place(Some(&folder), self.out, target)?;
                    let known = target.display().to_string();
                    let written = each
                        .write(&file, import, &made)
                        .map_err(|e| e.with_name(&file.display().to_string(), &known))?;
                    for warning in &written {
                        term.warn(&known, warning);
                    }
                    rows.push(each.row(import, &made));
                    reports.push(each.report(import, &name, target, &made));
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        folder.finish()?;
        self.tell(each, rows, reports, &failed, term)?;
        term.say(&format!(
            "wrote {} to {}",
            counted(jobs.len() - failed.len(), "clip"),
            self.out.display()
        ));
        Ok(match failed.is_empty() {
            true => Outcome::Done,
            false => Outcome::Failed,
        })
    }

    fn tell<E: EachClip>(
        &self,
        each: &E,
        rows: Vec<Vec<String>>,
        reports: Vec<Value>,
        failed: &[(String, CliError)],
        term: &mut Term,
    ) -> Result<(), CliError> {
        let not = |(file, error): &(String, CliError)| json!({ "file": file, "error": error.message(), "hint": error.hint() });
        let mut all = Map::new();
        all.insert("out".to_owned(), json!(self.out.display().to_string()));
        for (name, fact) in each.facts() {
            all.insert(name.to_owned(), fact);
        }
        all.insert(E::DONE.to_owned(), json!(reports.len()));
        all.insert("clips".to_owned(), Value::Array(reports));
        all.insert("failed".to_owned(), failed.iter().map(not).collect());
        let text = serde_json::to_string_pretty(&all).map_err(|e| CliError::new(e.to_string()))?;
        if let Some(path) = self.report {
            write_bytes(path, text.as_bytes())?;
        }
        if self.json {
            term.json(&text)?;
        } else {
            term.out(&table(E::HEAD, &rows))?;
        }
        for line in failures(failed) {
            match line {
                Told::Failed(message) => term.fail(&message),
                Told::Hint(hint) => term.say(&format!("hint: {hint}")),
            }
        }
        Ok(())
    }
}

/// A line about files with which it did not work.
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
