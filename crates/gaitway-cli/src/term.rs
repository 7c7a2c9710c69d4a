//! The only place that writes to the terminal: results to standard output, all else to standard error. Whatever names from files are in it, nothing
//! that acts on a terminal gets through.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use gaitway::core::text::{shown, shown_json, shown_lines};
use gaitway::core::{Warning, Warnings};
use indicatif::{ProgressBar, ProgressStyle};

use super::CliError;

/// Where words go.
pub struct Term {
    quiet: bool,
}

impl Term {
    /// With `quiet`, only results and errors are said.
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Writes a result to standard output.
    pub fn out(&mut self, text: &str) -> Result<(), CliError> {
        self.bytes(shown_lines(text).as_bytes())
    }

    /// Writes a result in JSON to standard output.
    pub fn json(&mut self, text: &str) -> Result<(), CliError> {
        self.bytes(format!("{}\n", shown_json(text)).as_bytes())
    }

    /// Writes a result that is no text to standard output.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()?;
        Ok(())
    }

    /// A line about what happens, unless quiet.
    pub fn say(&mut self, text: &str) {
        if !self.quiet {
            self.line(text);
        }
    }

    /// A finding that matters to whoever makes something of the file, unless quiet.
    pub fn warn(&mut self, about: &str, warning: &Warning) {
        if warning.code.is_remark() {
            return;
        }
        self.say(&format!(
            "warning: {about}: {} [{}]",
            warning.message, warning.code
        ));
    }

    /// The findings of many clips, a line per kind, unless quiet.
    pub fn warn_all<'a>(&mut self, clips: impl Iterator<Item = (&'a str, &'a Warnings)>) {
        let mut kinds: std::collections::BTreeMap<_, Vec<(&str, &str)>> =
            std::collections::BTreeMap::new();
        for (name, warnings) in clips {
            for warning in warnings.iter().filter(|w| !w.code.is_remark()) {
                kinds
                    .entry(warning.code)
                    .or_default()
                    .push((name, &warning.message));
            }
        }
        for (code, list) in kinds {
            let (name, message) = list[0];
            let more = match list.len() - 1 {
                0 => String::new(),
                1 => " (and 1 more clip)".to_owned(),
                n => format!(" (and {n} more clips)"),
            };
            self.say(&format!("warning: {name}{more}: {message} [{code}]"));
        }
    }

    /// An error and its hint.
    pub fn error(&mut self, error: &CliError) {
        self.line(&format!("error: {}", error.message()));
        if let Some(hint) = error.hint() {
            self.line(&format!("hint: {hint}"));
        }
    }

    /// A bar that was exceeded; said even when quiet, because the exit code follows from it.
    pub fn fail(&mut self, text: &str) {
        self.line(&format!("failed: {text}"));
    }

    /// Lines that belong to an error, said before it.
    pub fn list(&mut self, text: &str) {
        let _ = write!(std::io::stderr().lock(), "{}", shown_lines(text));
    }

    /// A progress bar on a terminal, nothing otherwise.
    pub fn progress(&self, total: u64, what: &str) -> ProgressBar {
        if self.quiet || !std::io::stderr().is_terminal() || total < 2 {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(total);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        bar
    }

    fn line(&self, text: &str) {
        /// More than a message of ours has, less than a name in a hostile file.
        const LONGEST: usize = 4000;
        let (text, more) = match text.char_indices().nth(LONGEST) {
            Some((end, _)) => (&text[..end], "…"),
            None => (text, ""),
        };
        // Nothing sensible is left to do when even standard error is closed.
        let _ = writeln!(std::io::stderr().lock(), "{}{more}", shown(text));
    }
}

/// Columns of text: headers, then rows; numbers to the right.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let columns = header.len();
    let in_line = |row: &Vec<String>| row.iter().map(|t| shown(t).into_owned()).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(in_line).collect();
    let width = |c: usize| {
        let cells = rows
            .iter()
            .filter_map(|r| r.get(c))
            .map(|t| t.chars().count());
        cells.chain([header[c].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let numeric = |c: usize| {
        let looks = |t: &String| {
            t == "-" || t == "–" || t.starts_with(|ch: char| ch.is_ascii_digit() || ch == '-')
        };
        !rows.is_empty() && rows.iter().all(|r| r.get(c).is_some_and(looks))
    };
    let right: Vec<bool> = (0..columns).map(numeric).collect();
    let mut out = String::new();
    let head: Vec<String> = header.iter().map(|h| (*h).to_owned()).collect();
    for row in std::iter::once(&head).chain(&rows) {
        let mut line = String::new();
        for c in 0..columns {
            let cell = row.get(c).map_or("", String::as_str);
            let pad = " ".repeat(widths[c] - cell.chars().count());
            line.push_str(&if right[c] {
                format!("{pad}{cell}")
            } else {
                format!("{cell}{pad}")
            });
            line.push_str("  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
