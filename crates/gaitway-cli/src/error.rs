//! Errors as a person reads them: what is wrong, then what to try.

use gaitway::io::error::{io_hint, io_words};
use gaitway::io::{InputError, LabelsError, ReadError, SetError, WriteError};

/// How a verb ended when it ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done.
    Done,
    /// A quality bar was exceeded or nothing was found: exit code 1.
    Failed,
}

/// Why a verb could not do its work: exit code 2.
#[derive(Debug)]
pub struct CliError {
    message: String,
    hint: Option<String>,
    broken_pipe: bool,
}

impl CliError {
    /// An error without advice.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            broken_pipe: false,
        }
    }

    /// The same error with advice.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same error with the file it is about.
    pub fn in_file(mut self, file: &str) -> Self {
        self.message = format!("{file}: {}", self.message);
        self
    }

    /// The same error about a file under the name a user knows.
    pub fn with_name(mut self, inner: &str, known: &str) -> Self {
        self.message = self.message.replace(inner, known);
        self
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether the reader of our output went away.
    pub fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }
}

impl From<ReadError> for CliError {
    fn from(error: ReadError) -> Self {
        let hint = error.hint().map(str::to_owned);
        Self {
            message: error.to_string(),
            hint,
            broken_pipe: false,
        }
    }
}

impl From<WriteError> for CliError {
    fn from(error: WriteError) -> Self {
        let hint = error.hint().map(str::to_owned);
        Self {
            message: error.to_string(),
            hint,
            broken_pipe: false,
        }
    }
}

impl From<InputError> for CliError {
    fn from(error: InputError) -> Self {
        let hint = match &error {
            InputError::Missing(_) => Some("give files, folders, @list.txt, or - for standard input".to_owned()),
            InputError::EmptyList(_) | InputError::List { .. } => {
                Some("a list has a file or folder per line, from where the list lies; `fps=60` may follow".to_owned())
            }
            InputError::PipedTwice => Some("name the other as a file".to_owned()),
            InputError::Io { source, .. } => io_hint(source).map(str::to_owned),
            InputError::EmptyFolder(_) => {
                Some("Gaitway reads bvh, amc (with asf), gltf, glb, fbx, c3d and trc".to_owned())
            }
        };
        Self {
            message: error.to_string(),
            hint,
            broken_pipe: false,
        }
    }
}

impl From<LabelsError> for CliError {
    fn from(error: LabelsError) -> Self {
        let out = Self::new(error.to_string());
        error.hint().into_iter().fold(out, Self::with_hint)
    }
}

impl From<SetError> for CliError {
    fn from(error: SetError) -> Self {
        match error {
            SetError::Inputs(error) => error.into(),
            SetError::Labels(error) => error.into(),
            SetError::MarkersOnly(_) => Self::new(error.to_string()).with_hint(
                "find its skeleton and motion first: gaitway calibrate FILE -o FILE.bvh",
            ),
            SetError::Files { .. } => {
                Self::new(error.to_string()).with_hint("--skip-bad goes on without them")
            }
        }
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        let broken_pipe = error.kind() == std::io::ErrorKind::BrokenPipe;
        Self {
            message: io_words(&error),
            hint: io_hint(&error).map(str::to_owned),
            broken_pipe,
        }
    }
}
