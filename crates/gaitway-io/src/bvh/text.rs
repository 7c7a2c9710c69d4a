//! The text of a BVH file as tokens, with places for messages.

use crate::error::{Place, ReadError, shown};

use super::number;

/// A reader of tokens: words between white space, with braces standing alone.
pub struct Text<'a> {
    /// The file, as the user named it.
    pub file: &'a str,
    /// The whole text.
    pub bytes: &'a [u8],
    /// The next byte to read.
    pub at: usize,
}

/// A word and where it begins.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    /// Its bytes; empty at the end of the file.
    pub bytes: &'a [u8],
    /// The offset of its first byte.
    pub at: usize,
}

impl Token<'_> {
    /// Whether it is this word in any letter case.
    pub fn is(&self, word: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(word.as_bytes())
    }

    /// Whether the file ends here.
    pub fn is_end(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// Whether a byte separates words; control bytes do too.
#[inline(always)]
pub fn is_space(b: u8) -> bool {
    b <= b' '
}

impl<'a> Text<'a> {
    /// Starts at the first byte after a byte order mark.
    pub fn new(file: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            let error = ReadError::syntax(
                file,
                Place::Text { line: 1, column: 1 },
                "`HIERARCHY`",
                "UTF-16 text",
            );
            return Err(error.with_hint("save the file as plain text (UTF-8 or ASCII)"));
        }
        let at = if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
            3
        } else {
            0
        };
        Ok(Self { file, bytes, at })
    }

    /// The next token without taking it.
    pub fn peek(&self) -> Token<'a> {
        let mut at = self.at;
        while at < self.bytes.len() && is_space(self.bytes[at]) {
            at += 1;
        }
        let mut end = at;
        while end < self.bytes.len() && !is_space(self.bytes[end]) {
            let brace = matches!(self.bytes[end], b'{' | b'}');
            if brace && end > at {
                break;
            }
            end += 1;
            if brace {
                break;
            }
        }
        Token {
            bytes: &self.bytes[at..end],
            at,
        }
    }

    /// Takes the next token.
    pub fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at = token.at + token.bytes.len();
        token
    }

    /// What is left of this line up to an opening brace, without the white space around it.
    pub fn rest_of_line(&mut self) -> Token<'a> {
        let from = self.at;
        let left = &self.bytes[from..];
        let end = left
            .iter()
            .position(|b| matches!(b, b'\n' | b'\r' | b'{'))
            .map_or(self.bytes.len(), |p| from + p);
        self.at = end;
        let line = &self.bytes[from..end];
        let lead = line.iter().take_while(|b| is_space(**b)).count();
        let bytes = line.trim_ascii();
        let bytes = if lead == line.len() {
            &line[..0]
        } else {
            bytes
        };
        Token {
            bytes,
            at: from + lead,
        }
    }

    /// Takes a number of any notation.
    pub fn number(&mut self, what: &str) -> Result<(f64, Token<'a>), ReadError> {
        let token = self.next();
        match number::exact(token.bytes) {
            Some(value) => Ok((value, token)),
            None => Err(self.not_a_number(token, what)),
        }
    }

    /// Where a byte is. A lone CR ends a line as LF and CRLF do.
    pub fn place(&self, at: usize) -> Place {
        let before = &self.bytes[..at.min(self.bytes.len())];
        let mut line = 1;
        let mut start = if before.starts_with(&[0xEF, 0xBB, 0xBF]) {
            3
        } else {
            0
        };
        for (i, &b) in before.iter().enumerate() {
            if b == b'\n' || (b == b'\r' && self.bytes.get(i + 1) != Some(&b'\n')) {
                line += 1;
                start = i + 1;
            }
        }
        let column = 1 + before[start..]
            .iter()
            .filter(|&&b| b & 0xC0 != 0x80)
            .count();
        Place::Text { line, column }
    }

    /// An error about a token.
    pub fn unexpected(&self, token: Token<'_>, expected: &str) -> ReadError {
        let found = if token.is_end() {
            "the end of the file".into()
        } else {
            shown(token.bytes)
        };
        ReadError::syntax(self.file, self.place(token.at), expected, found)
    }

    /// An error about a token that should be a number, with a hint for what people meet.
    pub fn not_a_number(&self, token: Token<'_>, what: &str) -> ReadError {
        let error = self.unexpected(token, what);
        let lower = token.bytes.to_ascii_lowercase();
        let has = |word: &str| lower.windows(word.len()).any(|w| w == word.as_bytes());
        if token.bytes.contains(&b',') {
            error.with_hint("decimals need a point, not a comma; replace `,` by `.`")
        } else if has("nan") || has("inf") || has("#ind") {
            error.with_hint("the program that wrote the file failed on this value; export the clip again or cut this frame")
        } else {
            error
        }
    }
}
