//! Text by lines and words, each of which knows its place. Used by the formats whose lines mean something.

use crate::error::{Place, ReadError, shown};

/// A line without its end, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub number: usize,
    /// The line's bytes, without line end.
    pub bytes: &'a [u8],
}

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    /// The line it stands in.
    pub line: Line<'a>,
    /// Where it starts in the line's bytes.
    pub start: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// The lines of a text: ended by LF, CRLF or a lone CR; a byte order mark is left out.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        let rest = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        Self { rest, number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len());
        let (bytes, after) = self.rest.split_at(end);
        self.rest = match after {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => after,
        };
        self.number += 1;
        let number = self.number;
        Some(Line { number, bytes })
    }
}

impl<'a> Line<'a> {
    /// The place of a byte of this line; columns count characters.
    pub(crate) fn place(&self, byte: usize) -> Place {
        let before = &self.bytes[..byte.min(self.bytes.len())];
        // UTF-8 continuation bytes do not begin a character.
        let column = 1 + before.iter().filter(|&&b| b & 0xC0 != 0x80).count();
        let line = self.number;
        Place::Text { line, column }
    }

    /// The place just behind the last byte that is no white space.
    pub(crate) fn end(&self) -> Place {
        self.place(self.bytes.trim_ascii_end().len())
    }

    /// Words between separators; a word that starts with `#` begins a comment that ends the line.
    pub(crate) fn words(self, is_separator: fn(u8) -> bool) -> impl Iterator<Item = Word<'a>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let line = self;
            while at < line.bytes.len() && is_separator(line.bytes[at]) {
                at += 1;
            }
            let start = at;
            while at < line.bytes.len() && !is_separator(line.bytes[at]) {
                at += 1;
            }
            let bytes = &line.bytes[start..at];
            if bytes.is_empty() || bytes[0] == b'#' {
                at = line.bytes.len();
                return None;
            }
            Some(Word { line, start, bytes })
        })
    }
}

impl<'a> Word<'a> {
    pub(crate) fn place(&self) -> Place {
        self.line.place(self.start)
    }

    /// Whether this is a keyword, in any letter case.
    pub(crate) fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// As text; bytes that are not UTF-8 are replaced.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }

    /// As a number of sensible size, `None` if it is not one.
    pub(crate) fn number(&self) -> Option<f64> {
        number(self.bytes)
    }

    /// The error that something else should stand here.
    pub(crate) fn unexpected(&self, file: &str, expected: impl Into<String>) -> ReadError {
        ReadError::syntax(file, self.place(), expected, shown(self.bytes))
    }
}

/// A table's text without a byte order mark.
pub(crate) fn csv_text(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The line of a record, counted from 1. The reader counts from where it went on, which is before the empty lines and the comments
/// that it passes over.
pub(crate) fn csv_line(text: &str, position: Option<&csv::Position>) -> usize {
    let Some(position) = position else { return 1 };
    let rest = text.get(position.byte() as usize..).unwrap_or("");
    let skipped = rest
        .split_inclusive('\n')
        .take_while(|line| line.starts_with('#') || line.trim_matches(['\r', '\n']).is_empty());
    position.line() as usize + skipped.count()
}

/// A decimal number that is finite and of sensible size.
pub(crate) fn number(bytes: &[u8]) -> Option<f64> {
    let value: f64 = std::str::from_utf8(bytes).ok()?.parse().ok()?;
    (value.abs() <= gaitway_core::limits::LARGEST_IN_FILE).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_way() {
        let text = b"\xEF\xBB\xBFa\r\nb\rc\n\nd";
        let found: Vec<_> = Lines::new(text).map(|l| (l.number, l.bytes)).collect();
        let expected: Vec<(usize, &[u8])> =
            vec![(1, b"a"), (2, b"b"), (3, b"c"), (4, b""), (5, b"d")];
        assert_eq!(found, expected);
    }

    #[test]
    fn words_know_their_column_and_stop_at_comments() {
        let line = Lines::new("  ärm 1 # no".as_bytes()).next().unwrap();
        let words: Vec<_> = line.words(|b| b.is_ascii_whitespace()).collect();
        assert_eq!(words.len(), 2);
        let (line, column) = (1, 7);
        assert_eq!(words[1].place(), Place::Text { line, column });
    }

    #[test]
    fn numbers_are_finite() {
        assert_eq!(number(b"-1.5e-016"), Some(-1.5e-16));
        for bad in ["nan", "inf", "1e300", "", "1.#QNAN", "0x10"] {
            assert_eq!(number(bad.as_bytes()), None, "{bad}");
        }
    }
}
