//! Labels from a CSV file and from patterns of file names, put on clips beside those they have.
//!
//! CSV: `file,label,start_s,end_s`, and `@` where wanted; seconds count from the first kept frame, the end is exclusive, empty means
//! the whole clip; a file may have several rows. `file` is taken relative to the CSV's folder, else as a path
//! suffix that must fit one file. `@` is the second at which what the label names happens (the seat is taken, the hand is at
//! the thing); empty, it is found ([`gaitway_core::events`]). A clip's own labels stay; all sources add up.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gaitway_core::{Clip, LabelMoment, LabelSpan, LabelTrack, WarningCode, Warnings};
use thiserror::Error;

use crate::lines::{csv_line, csv_text};

/// How far a label may reach over the end of its clip without a word, seconds: tables are often written in whole ones.
const PAST_END_S: f64 = 1.0;

/// Why labels cannot be read, or not be put on clips.
#[derive(Debug, Error)]
pub enum LabelsError {
    /// The file cannot be opened.
    #[error("{file}: {}", crate::error::io_words(.source))]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line that cannot be read.
    #[error("{file}:{line}: {what}")]
    Row {
        /// The file.
        file: String,
        /// Line, counted from one.
        line: u64,
        /// What was expected and what was found.
        what: String,
    },
    /// No row is about any of the clips.
    #[error(
        "none of the {rows} rows of {file} is about a clip of this set; the first names `{first}`"
    )]
    MatchNothing {
        /// The file.
        file: String,
        /// How many rows it has.
        rows: usize,
        /// What the first row names.
        first: String,
    },
}

impl LabelsError {
    /// What to try.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Io { source, .. } => crate::error::io_hint(source),
            Self::Row { .. } => Some(
                "rows are file,label,start_s,end_s, and @ where wanted; empty times mean the whole clip",
            ),
            Self::MatchNothing { .. } => Some(
                "the first column is a file's name, from where the table lies; `gaitway info` shows names",
            ),
        }
    }
}

/// One row of a labels file. A line that begins with `#` is a comment; a file's name that does is put in quotes.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelRow {
    /// The file, as written.
    pub file: String,
    /// What is done.
    pub label: String,
    /// Seconds from the first kept frame; from the start where absent.
    pub start_s: Option<f64>,
    /// Seconds, exclusive; to the end where absent.
    pub end_s: Option<f64>,
    /// Seconds at which what the label names happens, if somebody said so.
    pub at_s: Option<f64>,
    /// Line in the file, counted from one.
    pub line: u64,
}

/// Labels to be put on clips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    file: String,
    folder: String,
    rows: Vec<LabelRow>,
    patterns: Vec<(String, String)>,
    /// The file of this name, without folders and extension, that rows speak of; `None` where they speak of several.
    only: BTreeMap<String, Option<String>>,
}

impl Labels {
    /// No labels but those the clips carry.
    pub fn none() -> Self {
        Self::default()
    }

    /// Reads a CSV file. Its rows name files from where it lies, wherever the program runs.
    ///
    /// # Errors
    /// When it cannot be opened, or with the line that cannot be read.
    pub fn from_csv_file(path: &Path) -> Result<Self, LabelsError> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| LabelsError::Io {
            file: file.clone(),
            source,
        })?;
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = whole.parent().unwrap_or(Path::new(""));
        let folder = folder.to_string_lossy().replace('\\', "/");
        Self::from_csv(&String::from_utf8_lossy(&bytes), &file, &folder)
    }

    /// Reads the text of a CSV file that lies in `folder`; `file` is what errors call it.
    ///
    /// # Errors
    /// With the line that cannot be read.
    pub fn from_csv(text: &str, file: &str, folder: &str) -> Result<Self, LabelsError> {
        let bad = |line: u64, what: String| LabelsError::Row {
            file: file.to_owned(),
            line,
            what,
        };
        let text = csv_text(text);
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .flexible(true)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let place = |e: &csv::Error| e.position().map_or(1, |p| p.line());
        let header = reader
            .headers()
            .map_err(|e| bad(place(&e), e.to_string()))?
            .clone();
        let column = |name: &str| header.iter().position(|h| h.eq_ignore_ascii_case(name));
        let (Some(file_at), Some(label_at)) = (column("file"), column("label")) else {
            let found = header.iter().collect::<Vec<_>>().join(",");
            return Err(bad(
                1,
                format!("expected the header `file,label,start_s,end_s`, found `{found}`"),
            ));
        };
        let (start_at, end_at, moment_at) = (column("start_s"), column("end_s"), column("@"));
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|e| bad(place(&e), e.to_string()))?;
            let line = csv_line(text, record.position()) as u64;
            let text = |at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or("");
            let seconds = |at: Option<usize>, name: &str| -> Result<Option<f64>, LabelsError> {
                let value = text(at);
                if value.is_empty() {
                    return Ok(None);
                }
                let parsed = value
                    .parse::<f64>()
                    .ok()
                    .filter(|s| s.is_finite() && *s >= 0.0);
                let what = || {
                    bad(
                        line,
                        format!("expected seconds for {name}, found `{value}`"),
                    )
                };
                parsed.map(Some).ok_or_else(what)
            };
            let row = LabelRow {
                file: text(Some(file_at)).replace('\\', "/"),
                label: text(Some(label_at)).to_owned(),
                start_s: seconds(start_at, "start_s")?,
                end_s: seconds(end_at, "end_s")?,
                at_s: seconds(moment_at, "@")?,
                line,
            };
            if row.file.is_empty() || row.label.is_empty() {
                return Err(bad(
                    line,
                    "expected a file and a label, found an empty field".to_owned(),
                ));
            }
            if let (start, Some(end)) = (row.start_s.unwrap_or(0.0), row.end_s)
                && end <= start
            {
                return Err(bad(
                    line,
                    format!("the label ends at {end} s, not after its start at {start} s"),
                ));
            }
            if let Some(at) = row.at_s
                && (at < row.start_s.unwrap_or(0.0) || row.end_s.is_some_and(|end| at >= end))
            {
                return Err(bad(
                    line,
                    format!("expected @ between start_s and end_s, found {at} s"),
                ));
            }
            rows.push(row);
        }
        let mut only: BTreeMap<String, Option<String>> = BTreeMap::new();
        for row in &rows {
            let path = normal(&without_extension(&row.file));
            let known = only.entry(last(&path).to_owned());
            let known = known.or_insert_with(|| Some(path.clone()));
            if known.as_ref().is_some_and(|k| *k != path) {
                *known = None;
            }
        }
        Ok(Self {
            file: file.to_owned(),
            folder: folder.to_owned(),
            rows,
            patterns: Vec::new(),
            only,
        })
    }

    /// Adds a label to every clip whose file name fits a pattern with `*` and `?`; letter case does not count.
    pub fn with_pattern(mut self, pattern: impl Into<String>, label: impl Into<String>) -> Self {
        self.patterns.push((pattern.into(), label.into()));
        self
    }

    /// The rows read.
    pub fn rows(&self) -> &[LabelRow] {
        &self.rows
    }

    /// What the rows and patterns say of clips of these names: which clip, what, and from when to when where that was said. For
    /// whoever shows it before anything is labelled.
    ///
    /// # Errors
    /// When a suffix fits several files, or no row fits any clip.
    pub fn proposals(&self, names: &[String]) -> Result<Vec<(usize, LabelRow)>, LabelsError> {
        let names: Vec<String> = names.iter().map(|n| normal(n)).collect();
        let mut out = Vec::new();
        for row in &self.rows {
            let homes = self.homes(row, &names)?;
            out.extend(homes.into_iter().map(|at| (at, row.clone())));
        }
        if let (true, Some(first)) = (out.is_empty(), self.rows.first()) {
            return Err(LabelsError::MatchNothing {
                file: self.file.clone(),
                rows: self.rows.len(),
                first: first.file.clone(),
            });
        }
        for (pattern, label) in &self.patterns {
            let pattern = pattern.to_lowercase();
            for (at, name) in names.iter().enumerate() {
                if fits(pattern.as_bytes(), last(name).to_lowercase().as_bytes()) {
                    out.push((
                        at,
                        LabelRow {
                            file: name.clone(),
                            label: label.clone(),
                            start_s: None,
                            end_s: None,
                            at_s: None,
                            line: 0,
                        },
                    ));
                }
            }
        }
        Ok(out)
    }

    /// Puts the labels on clips, beside those they have. Mirrored copies are not yet among them.
    ///
    /// # Errors
    /// When a suffix fits several files, or no row fits any clip.
    pub fn apply(
        &self,
        clips: Vec<Clip>,
        warnings: &mut Warnings,
    ) -> Result<Vec<Clip>, LabelsError> {
        let names: Vec<String> = clips.iter().map(|c| normal(c.name())).collect();
        let mut spans: Vec<Vec<LabelSpan>> =
            clips.iter().map(|c| c.labels().spans().to_vec()).collect();
        let mut moments: Vec<Vec<LabelMoment>> = clips
            .iter()
            .map(|c| c.labels().moments().to_vec())
            .collect();
        let mut missing = Vec::new();
        let mut matched = 0;
        for row in &self.rows {
            let homes = self.homes(row, &names)?;
            if homes.is_empty() {
                missing.push(row.file.clone());
                continue;
            }
            matched += 1;
            for at in homes {
                let clip = &clips[at];
                let frame =
                    |s: f64| ((s * clip.rate_hz()).round() as usize).min(clip.frame_count());
                let start = row.start_s.map_or(0, frame);
                let end = row.end_s.map_or(clip.frame_count(), frame);
                if start >= clip.frame_count() && clip.frame_count() > 0 {
                    let (label, start_s) = (&row.label, row.start_s.unwrap_or(0.0));
                    let message = format!(
                        "label `{label}` begins at {start_s} s, after the end of `{}`; left out",
                        clip.name()
                    );
                    warnings.add(WarningCode::LabelPastEnd, message);
                } else if let Some(end_s) = row.end_s
                    && end_s > clip.seconds() + PAST_END_S
                {
                    let message = format!(
                        "label `{}` ends at {end_s} s, {:.1} s after the end of `{}`; it lasts as long as the clip does",
                        row.label,
                        end_s - clip.seconds(),
                        clip.name()
                    );
                    warnings.add(WarningCode::LabelPastEnd, message);
                }
                spans[at].push(LabelSpan {
                    start,
                    end,
                    label: row.label.clone(),
                });
                moments[at].extend(row.at_s.map(|s| LabelMoment {
                    frame: frame(s),
                    label: row.label.clone(),
                }));
                if row.at_s.is_some_and(|s| frame(s) >= clip.frame_count()) {
                    let message = format!(
                        "the moment of `{}` lies after the end of `{}`; left out",
                        row.label,
                        clip.name()
                    );
                    warnings.add(WarningCode::LabelPastEnd, message);
                }
            }
        }
        if matched == 0
            && let Some(first) = self.rows.first()
        {
            let (file, first) = (self.file.clone(), first.file.clone());
            return Err(LabelsError::MatchNothing {
                file,
                rows: self.rows.len(),
                first,
            });
        }
        if !missing.is_empty() {
            let mut seen = BTreeSet::new();
            missing.retain(|m| seen.insert(m.clone()));
            warnings.add(
                WarningCode::LabelsForMissingFiles,
                missing_words(&self.file, &missing),
            );
        }
        let files: Vec<String> = names
            .iter()
            .map(|n| n.rsplit('/').next().unwrap_or(n).to_lowercase())
            .collect();
        for (pattern, label) in &self.patterns {
            let fitting = (0..files.len())
                .filter(|&at| fits(pattern.to_lowercase().as_bytes(), files[at].as_bytes()));
            let mut used = false;
            for at in fitting {
                used = true;
                spans[at].push(LabelSpan {
                    start: 0,
                    end: clips[at].frame_count(),
                    label: label.clone(),
                });
            }
            if !used && !clips.is_empty() {
                let message = format!("no file fits `{pattern}`, so nothing is labelled `{label}`");
                warnings.add(WarningCode::UnusedLabelPattern, message);
            }
        }
        Ok(clips
            .into_iter()
            .zip(spans.into_iter().zip(moments))
            .map(|(c, (s, m))| c.with_labels(LabelTrack::new(s).with_moments(m)))
            .collect())
    }

    /// Clips with the labels on them, for those who need no warnings.
    ///
    /// # Errors
    /// As [`Labels::apply`].
    pub fn label(&self, clips: Vec<Clip>) -> Result<Vec<Clip>, LabelsError> {
        self.apply(clips, &mut Warnings::new())
    }

    /// The clips a row is about: those of one file.
    fn homes(&self, row: &LabelRow, names: &[String]) -> Result<Vec<usize>, LabelsError> {
        let all = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..names.len()).filter(|&k| fits(&names[k])).collect()
        };
        // A file may be called `walk #2.bvh`: what is written is a file first, and an animation of one second.
        let (whole, wanted) = (without_extension(&row.file), stem(&row.file));
        let beside = |name: &str| normal(&format!("{}/{name}", self.folder));
        let exact = all(&|name| name == beside(&whole));
        if !exact.is_empty() {
            return Ok(exact);
        }
        let beside = beside(&wanted);
        let exact = all(&|name| is_of(name, &beside));
        if !exact.is_empty() {
            return Ok(exact);
        }
        let whole = normal(&whole);
        let is_whole = |name: &str| {
            let rest = name.strip_suffix(whole.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let wanted = match row.file.contains('#') && names.iter().any(|n| is_whole(n)) {
            true => whole.clone(),
            false => normal(&wanted),
        };
        let found: Vec<usize> = (0..names.len())
            .filter(|&k| has_suffix(&names[k], &wanted))
            .collect();
        let files: BTreeSet<&str> = found.iter().map(|&k| file_of(&names[k], &wanted)).collect();
        if files.len() > 1 {
            let list = files.into_iter().take(5).collect::<Vec<_>>().join(", ");
            let what = format!(
                "`{}` fits several files: {list}; give more of its path",
                row.file
            );
            return Err(LabelsError::Row {
                file: self.file.clone(),
                line: row.line,
                what,
            });
        }
        if found.is_empty() && !last(&row.file).contains('#') {
            return Ok(self.without_folders(&whole, names));
        }
        Ok(found)
    }

    /// Clips whose folders are not known any more, as of files dropped on a page or given one by one: those whose whole name is what a row's
    /// path ends in, where no other row speaks of a file of that name.
    fn without_folders(&self, path: &str, names: &[String]) -> Vec<usize> {
        let is_only = |name: &str| {
            let only = self.only.get(last(name)).and_then(Option::as_deref);
            only.is_some_and(|o| o == path) && has_suffix(path, name)
        };
        let file = |name: &str| file_of(name, path).to_owned();
        (0..names.len())
            .filter(|&k| is_only(&file(&names[k])))
            .collect()
    }
}

fn missing_words(file: &str, missing: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = missing.iter().take(SHOWN).map(String::as_str).collect();
    let more = match missing.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{file} labels {} files that are not among the clips: {}{more}",
        missing.len(),
        shown.join(", ")
    )
}

/// Whether a clip's name is a file's, or that of one of its animations (`file#Walking`).
fn is_of(name: &str, file: &str) -> bool {
    name.strip_prefix(file)
        .is_some_and(|rest| rest.is_empty() || (rest.starts_with('#') && !last(file).contains('#')))
}

/// The file part of a clip's name, unless the row names an animation.
fn file_of<'a>(name: &'a str, wanted: &str) -> &'a str {
    let animation = last(name).find('#').filter(|_| !last(wanted).contains('#'));
    animation.map_or(name, |k| &name[..name.len() - last(name).len() + k])
}

fn has_suffix(name: &str, wanted: &str) -> bool {
    let file = file_of(name, wanted);
    file.strip_suffix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// What a path ends in: folders may be called anything.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path without its extension; an animation after `#` stays.
fn stem(file: &str) -> String {
    match last(file).split_once('#') {
        Some((_, animation)) => {
            let path = &file[..file.len() - animation.len() - 1];
            format!("{}#{animation}", without_extension(path))
        }
        None => without_extension(file),
    }
}

fn without_extension(path: &str) -> String {
    let name = last(path);
    let end = name.rfind('.').filter(|&k| k > 0).unwrap_or(name.len());
    path[..path.len() - name.len() + end].to_owned()
}

/// A path without `.`, and without `..` where a folder before it can be taken back.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|p| !p.is_empty() && *p != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    if path.starts_with('/') {
        parts.join("/")
    } else {
        parts.join("/").trim_start_matches('/').to_owned()
    }
}

/// Whether a text fits a pattern with `*` (any run) and `?` (any one byte). Linear in practice: only the last
/// star is ever tried again.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == b'?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    (p, t) = (at + 1, from + 1);
                    star = Some((at, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

#[cfg(test)]
mod tests;
