//! What a user points at: files, folders, and `@list.txt` files, resolved to one sorted list of files.

use std::path::{Path, PathBuf};

use gaitway_core::limits::{FASTEST_HZ, SLOWEST_HZ};
use gaitway_core::{WarningCode, Warnings};
use thiserror::Error;

use crate::bytes::{is_standard_input, special};
use crate::{Format, amass};

/// One file to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Where it is.
    pub path: PathBuf,
    /// The rate a list gives it (`fps=60`).
    pub fps: Option<f64>,
    /// The animation inside the file that is meant (`file.glb#Walking`).
    pub animation: Option<String>,
}

impl Input {
    fn plain(path: PathBuf) -> Self {
        Self {
            path,
            fps: None,
            animation: None,
        }
    }

    /// The clip's id: the path without extension, with forward slashes.
    pub fn id(&self) -> String {
        let text = self
            .path
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        text.strip_prefix("./").unwrap_or(&text).to_owned()
    }
}

/// Why inputs cannot be listed.
#[derive(Debug, Error)]
pub enum InputError {
    /// Nothing is there.
    #[error("{0}: no such file or folder")]
    Missing(String),
    /// Standard input is one file.
    #[error("`-` is named twice, and standard input is one file")]
    PipedTwice,
    /// A folder without a motion file.
    #[error("{0}: no motion file in this folder or below it")]
    EmptyFolder(String),
    /// A list without a file.
    #[error("{0}: names no file")]
    EmptyList(String),
    /// A line of a list.
    #[error("{file}:{line}: {message}")]
    List {
        /// The list.
        file: String,
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The operating system said no.
    #[error("{file}: {}", crate::error::io_words(.source))]
    Io {
        /// The file or folder.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Lists the files meant by command-line arguments, in the order given; a folder's files sorted by bytes.
///
/// # Errors
/// When something is missing, unreadable, or a list has a bad line.
pub fn expand(arguments: &[String]) -> Result<Vec<Input>, InputError> {
    expand_telling(arguments, &mut Warnings::new())
}

/// [`expand`], with what was passed over in folders: pipes and devices, which are never opened.
///
/// # Errors
/// As [`expand`].
pub fn expand_telling(
    arguments: &[String],
    warnings: &mut Warnings,
) -> Result<Vec<Input>, InputError> {
    let mut out = Vec::new();
    for argument in arguments {
        match argument.strip_prefix('@') {
            // A file may be called so too.
            Some(list) if !Path::new(argument).exists() => {
                read_list(Path::new(list), &mut out, warnings)?
            }
            _ => expand_one(argument, &mut out, warnings)?,
        }
    }
    let piped = out.iter().filter(|i| is_standard_input(&i.path)).count();
    if piped > 1 {
        return Err(InputError::PipedTwice);
    }
    Ok(out)
}

fn expand_one(
    argument: &str,
    out: &mut Vec<Input>,
    warnings: &mut Warnings,
) -> Result<(), InputError> {
    let path = PathBuf::from(argument);
    if is_standard_input(&path) {
        out.push(Input::plain(path));
        return Ok(());
    }
    if path.is_dir() {
        let mut files = Vec::new();
        walk(&path, &mut files, warnings)?;
        if files.is_empty() {
            return Err(InputError::EmptyFolder(argument.to_owned()));
        }
        files.sort_by(|a, b| {
            a.as_os_str()
                .as_encoded_bytes()
                .cmp(b.as_os_str().as_encoded_bytes())
        });
        out.extend(files.into_iter().map(Input::plain));
        return Ok(());
    }
    if path.exists() {
        out.push(Input::plain(path));
        return Ok(());
    }
    match animation_in(argument) {
        Some(input) => out.push(input),
        None => return Err(InputError::Missing(argument.to_owned())),
    }
    Ok(())
}

/// `file#Animation`, where there is such a file: names of files and of animations may hold a `#` themselves.
fn animation_in(text: &str) -> Option<Input> {
    let cut = text
        .match_indices('#')
        .map(|(k, _)| (&text[..k], &text[k + 1..]))
        .rfind(|(file, _)| Path::new(file).is_file())?;
    Some(Input {
        animation: Some(cut.1.to_owned()),
        ..Input::plain(cut.0.into())
    })
}

/// Motion files below a folder. An ASF is the skeleton of its AMC files and not an input of its own.
fn walk(
    folder: &Path,
    files: &mut Vec<PathBuf>,
    warnings: &mut Warnings,
) -> Result<(), InputError> {
    let failed = |source| InputError::Io {
        file: folder.display().to_string(),
        source,
    };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        // Not followed when it is a link to a folder: loops would never end.
        if entry.file_type().map_err(failed)?.is_dir() {
            walk(&entry.path(), files, warnings)?;
        } else if is_motion(&entry.path()) {
            match special(&entry.path()) {
                None => files.push(entry.path()),
                Some(what) => {
                    let message = format!("passed over: {} is {what}", entry.path().display());
                    warnings.add(WarningCode::Unreadable, message);
                }
            }
        }
    }
    Ok(())
}

fn is_motion(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    match extension.and_then(Format::from_extension) {
        // Our own arrays are no input; poses of a body model are.
        Some(Format::Npz) => amass::is_amass_file(path),
        format => format.is_some(),
    }
}

/// One path a line, relative to the list's folder or else to that folder's parent; `fps=60` may follow;
/// blank lines and `#` comments are passed over.
fn read_list(list: &Path, out: &mut Vec<Input>, warnings: &mut Warnings) -> Result<(), InputError> {
    let file = list.display().to_string();
    let failed = |source| InputError::Io {
        file: file.clone(),
        source,
    };
    let text = std::fs::read_to_string(list).map_err(failed)?;
    let before = out.len();
    let folder = list.parent().unwrap_or(Path::new(""));
    let above = folder
        .parent()
        .map_or_else(|| folder.join(".."), Path::to_path_buf);
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        // A `#` at the start or after a blank begins a comment, unless the line as it stands is a file.
        let whole = line.trim();
        let is_file = |name: &str| folder.join(name).is_file() || above.join(name).is_file();
        let comment = line
            .match_indices('#')
            .find(|(k, _)| line[..*k].ends_with(char::is_whitespace) || *k == 0)
            .filter(|_| !is_file(without_rate(whole)));
        let line = comment.map_or(line, |(k, _)| &line[..k]).trim();
        if line.is_empty() {
            continue;
        }
        let bad = |message: String| InputError::List {
            file: file.clone(),
            line: number + 1,
            message,
        };
        let (name, fps) = match line.rsplit_once(char::is_whitespace) {
            Some((name, option)) if option.starts_with("fps=") => {
                let text = &option["fps=".len()..];
                let fps = text
                    .parse::<f64>()
                    .ok()
                    .filter(|&f| gaitway_core::limits::rate(f).is_ok());
                let fps = fps.ok_or_else(|| {
                    bad(format!(
                        "expected a rate of {SLOWEST_HZ} to {FASTEST_HZ} after fps=, found `{text}`"
                    ))
                })?;
                (name.trim_end(), Some(fps))
            }
            _ => (line, None),
        };
        let candidates = [folder.join(name), above.join(name)];
        let found = candidates.iter().find(|p| p.exists());
        let Some(path) = found else {
            let named = |p: &PathBuf| animation_in(&p.to_string_lossy());
            let input = candidates
                .iter()
                .find_map(named)
                .ok_or_else(|| bad(format!("no file `{name}` beside the list or one folder up")))?;
            out.push(Input { fps, ..input });
            continue;
        };
        if path.is_dir() {
            let start = out.len();
            expand_one(&path.to_string_lossy(), out, warnings)?;
            out[start..].iter_mut().for_each(|i| i.fps = fps);
        } else {
            out.push(Input {
                fps,
                ..Input::plain(path.clone())
            });
        }
    }
    if out.len() == before {
        return Err(InputError::EmptyList(file));
    }
    Ok(())
}

/// A line of a list without the rate that may follow.
fn without_rate(line: &str) -> &str {
    match line.rsplit_once(char::is_whitespace) {
        Some((name, option)) if option.starts_with("fps=") => name.trim_end(),
        _ => line,
    }
}
