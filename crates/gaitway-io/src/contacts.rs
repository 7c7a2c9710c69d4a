//! Contacts a user gives: a CSV table of rows `file,joint,start_s,end_s`.
//!
//! `joint` is a contact point (`left_heel`) or any joint or end site of the skeleton. Seconds count from the first kept frame, the
//! end is exclusive, empty means the clip's own. A first line may name the columns, lines that begin with `#` are passed over,
//! and a field with a comma stands in double quotes. [`override_contacts`](gaitway_core::contacts::override_contacts) puts the rows
//! on a clip.

use std::path::Path;

use gaitway_core::contacts::ContactRow;
use thiserror::Error;

use crate::lines::{csv_line, csv_text};

/// Why a table of contacts cannot be read.
#[derive(Debug, Error)]
pub enum ContactsError {
    /// The file cannot be opened.
    #[error("{file}: {}", crate::error::io_words(.source))]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A row that cannot be read.
    #[error("{file}:{line}: expected {expected}, found `{found}`")]
    Row {
        /// The file.
        file: String,
        /// Line, counted from one.
        line: usize,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

impl ContactsError {
    /// What to try.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Io { source, .. } => crate::error::io_hint(source),
            Self::Row { .. } => {
                Some("rows are file,joint,start_s,end_s; empty times mean the whole clip")
            }
        }
    }
}

/// Reads a table of contacts from a file.
///
/// # Errors
/// When it cannot be opened, and as [`parse_contacts`].
pub fn read_contacts(path: &Path) -> Result<Vec<ContactRow>, ContactsError> {
    let file = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => parse_contacts(&file, &text),
        Err(source) => Err(ContactsError::Io { file, source }),
    }
}

/// Reads the text of a table of contacts; `file` is what errors call it.
///
/// ```
/// let rows = gaitway_io::parse_contacts("feet.csv", "walk.bvh,left_heel,0.5,1\n")?;
/// assert_eq!((rows[0].joint.as_str(), rows[0].end_s), ("left_heel", Some(1.0)));
/// # Ok::<(), gaitway_io::ContactsError>(())
/// ```
///
/// # Errors
/// With the line, when a row does not have four fields, a name is empty, a time is no number or negative, or a row ends before
/// it starts.
pub fn parse_contacts(file: &str, text: &str) -> Result<Vec<ContactRow>, ContactsError> {
    let wrong = |line: usize, expected: &'static str, found: &str| ContactsError::Row {
        file: file.to_owned(),
        line,
        expected,
        found: found.chars().take(60).collect(),
    };
    let text = csv_text(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    // Text in memory that is UTF-8 and may have rows of any length: nothing is left that the reader could refuse.
    while let Ok(true) = reader.read_record(&mut record) {
        if record.iter().all(str::is_empty) && record.len() == 1 {
            continue;
        }
        let line = csv_line(text, record.position());
        let whole = || record.iter().collect::<Vec<_>>().join(",");
        let &[name, joint, start, end] = &record.iter().collect::<Vec<_>>()[..] else {
            return Err(wrong(line, "file,joint,start_s,end_s", &whole()));
        };
        let header = name.eq_ignore_ascii_case("file") && joint.eq_ignore_ascii_case("joint");
        if header && rows.is_empty() {
            continue;
        }
        if name.is_empty() || joint.is_empty() {
            return Err(wrong(line, "the name of a file and of a joint", &whole()));
        }
        let seconds = |field: &str| match field.parse::<f64>() {
            _ if field.is_empty() => Ok(None),
            Ok(s) if s.is_finite() && s >= 0.0 => Ok(Some(s)),
            _ => Err(wrong(line, "seconds from 0 on, or nothing", field)),
        };
        let (start_s, end_s) = (seconds(start)?, seconds(end)?);
        if end_s.is_some_and(|end| end <= start_s.unwrap_or(0.0)) {
            return Err(wrong(line, "an end after the start", &whole()));
        }
        rows.push(ContactRow {
            file: name.to_owned(),
            joint: joint.to_owned(),
            start_s,
            end_s,
            line,
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_are_read_with_their_lines() {
        let rows = parse_contacts(
            "c.csv",
            "\u{feff}file,joint,start_s,end_s\n# by hand\n\n  \nwalk.bvh, left_heel ,0.5,1\r\n\"a,b\",left_toe,,\n",
        )
        .expect("fine");
        assert_eq!(rows.len(), 2);
        assert_eq!(
            (rows[0].start_s, rows[0].end_s, rows[0].line),
            (Some(0.5), Some(1.0), 5)
        );
        assert_eq!(rows[0].joint, "left_heel");
        assert_eq!((rows[1].file.as_str(), rows[1].start_s), ("a,b", None));
        assert_eq!(rows[1].line, 6);
    }

    #[test]
    fn bad_rows_name_their_line() {
        for (bad, told) in [
            (
                "a,b,0",
                "c.csv:1: expected file,joint,start_s,end_s, found `a,b,0`",
            ),
            (
                "\na,b,x,1",
                "c.csv:2: expected seconds from 0 on, or nothing, found `x`",
            ),
            ("# one\n# two\na,b,-1,1", "c.csv:3: "),
            ("a,b,nan,1", "c.csv:1: "),
            ("a,b,1,1", "c.csv:1: expected an end after the start"),
            ("a,b,,0", "c.csv:1: expected an end after the start"),
            (",b,0,1", "c.csv:1: expected the name of a file"),
            ("\"a,b,0,1", "c.csv:1: "),
            ("a,b,0,1,2", "c.csv:1: "),
        ] {
            let message = parse_contacts("c.csv", bad).expect_err(bad).to_string();
            assert!(message.starts_with(told), "{bad}: {message}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "([a-z#\", .0-9\r-]{0,12}[,\n]){0,20}") {
            crate::fuzzing::contacts(text.as_bytes());
        }
    }
}
