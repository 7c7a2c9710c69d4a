//! What can go wrong at the door, said so that a person can mend it.

use std::fmt;
use std::path::Path;

use thiserror::Error;

/// Where in a file something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a text, both counted from 1; columns count characters.
    Text {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// In a binary file, bytes from its start.
    Offset(u64),
    /// The file as a whole.
    File,
}

impl Place {
    /// The place of a byte in a text.
    pub fn in_text(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |p| p + 1);
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        // UTF-8 continuation bytes do not begin a character.
        let column = 1 + before[line_start..]
            .iter()
            .filter(|&&b| b & 0xC0 != 0x80)
            .count();
        Self::Text { line, column }
    }
}

/// Why a file cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file's content is not what its format asks for.
    #[error("{file}{}: expected {expected}, found {found}", at(.place))]
    Syntax {
        /// The file, as the user named it.
        file: String,
        /// Where in it.
        place: Place,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
        /// What to try.
        hint: Option<String>,
    },
    /// The content can be read but makes no motion.
    #[error("{file}: {message}")]
    Content {
        /// The file, as the user named it.
        file: String,
        /// What is wrong.
        message: String,
        /// What to try.
        hint: Option<String>,
    },
    /// The operating system could not give us the file.
    #[error("{file}: {}", io_words(.source))]
    Io {
        /// The file, as the user named it.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
}

fn at(place: &Place) -> String {
    match place {
        Place::Text { line, column } => format!(":{line}:{column}"),
        Place::Offset(offset) => format!(" at byte {offset}"),
        Place::File => String::new(),
    }
}

impl ReadError {
    /// Something unexpected at a place.
    pub fn syntax(
        file: impl Into<String>,
        place: Place,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (file, expected, found) = (file.into(), expected.into(), found.into());
        Self::Syntax {
            file,
            place,
            expected,
            found,
            hint: None,
        }
    }

    /// Readable, but no motion.
    pub fn content(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Content {
            file: file.into(),
            message: message.into(),
            hint: None,
        }
    }

    /// The operating system's refusal.
    pub fn io(file: &Path, source: std::io::Error) -> Self {
        Self::Io {
            file: file.display().to_string(),
            source,
        }
    }

    /// The same error with advice.
    pub fn with_hint(mut self, text: impl Into<String>) -> Self {
        match &mut self {
            Self::Syntax { hint, .. } | Self::Content { hint, .. } => *hint = Some(text.into()),
            Self::Io { .. } => {}
        }
        self
    }

    /// The file, as the user named it.
    pub fn file(&self) -> &str {
        match self {
            Self::Syntax { file, .. } | Self::Content { file, .. } | Self::Io { file, .. } => file,
        }
    }

    /// What to try, where we know.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Syntax { hint, .. } | Self::Content { hint, .. } => hint.as_deref(),
            Self::Io { source, .. } => io_hint(source),
        }
    }
}

/// What the operating system says, in words for people where we have some.
pub fn io_words(error: &std::io::Error) -> String {
    use std::io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => "there is no such file or folder".to_owned(),
        Kind::PermissionDenied => "permission denied".to_owned(),
        Kind::IsADirectory => "is a folder, and a file is needed".to_owned(),
        Kind::NotADirectory => "a part of its path is a file, and a folder is needed".to_owned(),
        Kind::StorageFull => "no room is left on the disk".to_owned(),
        Kind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        Kind::InvalidData => "is not UTF-8 text".to_owned(),
        _ => error.to_string(),
    }
}

/// What to try after an error of the operating system.
pub fn io_hint(error: &std::io::Error) -> Option<&'static str> {
    use std::io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => Some("check its name; relative names begin at the current folder"),
        Kind::PermissionDenied => Some("look at who may read and write there"),
        Kind::IsADirectory => Some("name a file in it"),
        Kind::StorageFull => Some("make room, then run the same command again"),
        Kind::ReadOnlyFilesystem => Some("write elsewhere"),
        _ => None,
    }
}

/// Found text, shortened and made printable for a message.
pub fn shown(bytes: &[u8]) -> String {
    const SHOWN: usize = 32;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
    let mut out: String = text
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().count() > SHOWN || bytes.len() > 4 * SHOWN {
        out.push('…');
    }
    format!("`{out}`")
}

/// Why a file cannot be written. Nothing is left behind when this is returned.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The operating system would not take it.
    #[error("{file}: {}", io_words(.source))]
    Io {
        /// The file, as the user named it.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The format cannot hold this clip.
    #[error("{file}: {message}")]
    CannotHold {
        /// The file, as the user named it.
        file: String,
        /// What does not fit.
        message: String,
        /// What to try.
        hint: Option<String>,
    },
}

impl WriteError {
    /// What to try, where we know.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::CannotHold { hint, .. } => hint.as_deref(),
            Self::Io { source, .. } => io_hint(source),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&at(self))
    }
}
