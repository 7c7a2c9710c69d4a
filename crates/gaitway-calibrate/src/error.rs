//! Why no skeleton comes of what was recorded.

use thiserror::Error;

/// Why no skeleton comes of what was recorded, said so that a person can mend it.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct CalibrateError {
    message: String,
    hint: Option<String>,
}

impl CalibrateError {
    /// What is the matter.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    /// The same with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}
