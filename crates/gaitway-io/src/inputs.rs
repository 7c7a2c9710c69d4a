//! What a user points at: files, folders, and `@list.txt` files, resolved to one sorted list of files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::Format;

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
    let mut out = Vec::new();
    for argument in arguments {
        match argument.strip_prefix('@') {
            Some(list) => read_list(Path::new(list), &mut out)?,
            None => expand_one(argument, &mut out)?,
        }
    }
    Ok(out)
}

fn expand_one(argument: &str, out: &mut Vec<Input>) -> Result<(), InputError> {
    let path = PathBuf::from(argument);
    if path.is_dir() {
        let mut files = Vec::new();
        walk(&path, &mut files)?;
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
    if let Some((file, animation)) = argument.rsplit_once('#')
        && Path::new(file).is_file()
    {
        let animation = Some(animation.to_owned());
        out.push(Input {
            animation,
            ..Input::plain(file.into())
        });
        return Ok(());
    }
    Err(InputError::Missing(argument.to_owned()))
}

/// Motion files below a folder. An ASF is the skeleton of its AMC files and not an input of its own.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), InputError> {
    let failed = |source| InputError::Io {
        file: folder.display().to_string(),
        source,
    };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        // Not followed when it is a link to a folder: loops would never end.
        if entry.file_type().map_err(failed)?.is_dir() {
            walk(&entry.path(), files)?;
        } else if is_motion(&entry.path()) {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn is_motion(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    extension
        .and_then(Format::from_extension)
        .is_some_and(|f| f != Format::Npz)
}

/// One path a line, relative to the list's folder or else to that folder's parent; `fps=60` may follow;
/// blank lines and `#` comments are passed over.
fn read_list(list: &Path, out: &mut Vec<Input>) -> Result<(), InputError> {
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
        // A `#` at the start or after a blank begins a comment; inside a word it names an animation.
        let comment = line
            .match_indices('#')
            .find(|(k, _)| line[..*k].ends_with(char::is_whitespace) || *k == 0);
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
                    .filter(|f| f.is_finite() && *f > 0.0);
                let fps =
                    fps.ok_or_else(|| bad(format!("expected a rate after fps=, found `{text}`")))?;
                (name.trim_end(), Some(fps))
            }
            _ => (line, None),
        };
        let candidates = [folder.join(name), above.join(name)];
        let found = candidates.iter().find(|p| p.exists());
        let path = found
            .ok_or_else(|| bad(format!("no file `{name}` beside the list or one folder up")))?;
        if path.is_dir() {
            let start = out.len();
            expand_one(&path.to_string_lossy(), out)?;
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
