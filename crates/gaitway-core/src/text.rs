//! Text that comes from files (names of joints, labels, clips and files, what was found where something else belongs), as it is shown to
//! people. A file may hold anything: sequences that move a terminal's cursor, colour it or answer for the user, line ends that forge a
//! message of ours, marks that turn the order of letters round. Shown, they are written out: `\u{1b}`. Kept and written to files, names
//! stay as they are.

use std::borrow::Cow;

/// More digits in a row than this say nothing to a person.
const DIGITS: usize = 40;
/// How many of them are shown then.
const DIGITS_SHOWN: usize = 12;

/// Text in a line: control characters, line ends and marks of direction written out, digits by the hundred shortened.
pub fn shown(text: &str) -> Cow<'_, str> {
    rewritten(text, |_| false)
}

/// The same for a text of our own of several lines, with text from files in them: line ends and tabs stay.
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    rewritten(text, |c| c == '\n' || c == '\t')
}

/// The same for JSON: what JSON leaves as it is in strings and a terminal does not, in JSON's own way. Reads back as what it was.
pub fn shown_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(|c| acts(c) && !is_json_space(c)) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if acts(c) && !is_json_space(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// What a JSON parser found, in our words: from its "invalid type: null, expected f64 at line 2 column 5" to "null where a number belongs". Types of
/// the program mean nothing to whoever wrote the file.
pub fn found_in_json(told: &str) -> String {
    let told = told.split(" at line ").next().unwrap_or(told);
    let belongs = |wanted: &str| match wanted {
        "f64" | "f32" | "number" => "a number".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "a string" | "string" | "str" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "usize" | "u64" | "u32" | "u16" | "u8" | "i64" | "i32" => "a whole number".to_owned(),
        w if w.starts_with("struct ") => "an object".to_owned(),
        "variant identifier" => "a known word".to_owned(),
        w if w.starts_with("enum ") || w.contains("enum") => "something else".to_owned(),
        w => match w
            .strip_prefix("an array of length ")
            .or(w.strip_prefix("a tuple of size "))
        {
            Some(n) => format!("a list of {n}"),
            None => w.to_owned(),
        },
    };
    let found = |found: &str| match found {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        f => {
            let bare = f
                .strip_prefix("integer ")
                .or(f.strip_prefix("floating point "))
                .or(f.strip_prefix("boolean "));
            let text = f.strip_prefix("string ").map(|t| format!("the text {t}"));
            bare.map(str::to_owned)
                .or(text)
                .unwrap_or_else(|| f.to_owned())
        }
    };
    let words =
        |(what, wanted): (&str, &str)| format!("{} where {} belongs", found(what), belongs(wanted));
    let pair = |lead: &str| told.strip_prefix(lead)?.rsplit_once(", expected ");
    let out = if let Some(pair) = pair("invalid type: ").or(pair("invalid value: ")) {
        words(pair)
    } else if let Some((n, wanted)) = pair("invalid length ") {
        format!("{n} values where {} belongs", belongs(wanted))
    } else if let Some((name, known)) = pair("unknown field ").or(pair("unknown variant ")) {
        format!("{name}, which is not {known}")
    } else if let Some(name) = told.strip_prefix("missing field ") {
        format!("no {name}")
    } else if let Some(name) = told.strip_prefix("duplicate field ") {
        format!("{name} twice")
    } else if told.contains("did not match any variant") {
        "something else".to_owned()
    } else if told.starts_with("EOF") {
        "the end of the text".to_owned()
    } else if let Some(wanted) = told.strip_prefix("expected ") {
        match wanted {
            "value" | "ident" => "something else".to_owned(),
            w => format!("something where {w} belongs"),
        }
    } else {
        match told {
            "trailing characters" => "more after the end".to_owned(),
            "trailing comma" => "a comma with nothing after it".to_owned(),
            "number out of range" => "a number too large to hold".to_owned(),
            "invalid number" => "a misspelt number".to_owned(),
            "key must be a string" => "a name without quotes".to_owned(),
            "recursion limit exceeded" => "lists too deep in one another".to_owned(),
            "invalid escape"
            | "invalid unicode code point"
            | "lone leading surrogate in hex escape" => "a broken escape in a text".to_owned(),
            t if t.starts_with("control character") => "a control character in a text".to_owned(),
            t => t.to_owned(),
        }
    };
    shown(&out).into_owned()
}

fn is_json_space(c: char) -> bool {
    matches!(c, '\n' | '\t' | '\r')
}

/// Whether a character does something instead of being seen.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Spaces of no width and marks of direction.
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
            // Line and paragraph separators, embeddings and overrides, isolates.
            | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

fn rewritten(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let odd = text.chars().any(|c| acts(c) && !stays(c));
    if !odd && !has_long_number(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let digits = digits_ahead(rest);
        if digits > DIGITS {
            out.push_str(&rest[..DIGITS_SHOWN]);
            out.push_str(&format!("… ({digits} digits)"));
            rest = &rest[digits..];
            continue;
        }
        if digits > 0 {
            out.push_str(&rest[..digits]);
            rest = &rest[digits..];
            continue;
        }
        if acts(c) && !stays(c) {
            out.extend(c.escape_debug());
        } else {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

fn digits_ahead(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn has_long_number(text: &str) -> bool {
    let mut run = 0;
    text.bytes().any(|b| {
        run = if b.is_ascii_digit() { run + 1 } else { 0 };
        run > DIGITS
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_acts_is_written_out() {
        for (text, expected) in [
            ("Hips", "Hips"),
            ("Hüfte 左 👣", "Hüfte 左 👣"),
            ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
            ("a\nerror: b\r", "a\\nerror: b\\r"),
            ("\u{7f}\u{9b}", "\\u{7f}\\u{9b}"),
            ("gnp.\u{202e}evil", "gnp.\\u{202e}evil"),
            (r"C:\new", r"C:\new"),
        ] {
            assert_eq!(shown(text), expected);
        }
        assert_eq!(shown_lines("a\tb\n\u{1b}c"), "a\tb\n\\u{1b}c");
    }

    #[test]
    fn numbers_of_hundreds_of_digits_are_shortened() {
        let long = "1".repeat(400);
        let told = shown(&long);
        assert_eq!(told, "111111111111… (400 digits)");
        let forty = "3.".to_owned() + &"1".repeat(40);
        assert_eq!(shown(&forty), forty);
    }

    #[test]
    fn what_a_parser_says_is_said_in_our_words() {
        for (told, expected) in [
            (
                "invalid type: null, expected f64 at line 2 column 5",
                "null where a number belongs",
            ),
            (
                "invalid type: string \"x\", expected struct Channel at line 1 column 2",
                "the text \"x\" where an object belongs",
            ),
            (
                "invalid type: integer `-5`, expected a string",
                "`-5` where a text belongs",
            ),
            (
                "invalid length 1, expected an array of length 2",
                "1 values where a list of 2 belongs",
            ),
            ("missing field `points` at line 1 column 9", "no `points`"),
            (
                "unknown variant `disc`, expected one of `circle`, `box`",
                "`disc`, which is not one of `circle`, `box`",
            ),
            (
                "data did not match any variant of untagged enum PathJson",
                "something else",
            ),
            (
                "EOF while parsing a list at line 3 column 0",
                "the end of the text",
            ),
            (
                "expected `,` or `]` at line 1 column 4",
                "something where `,` or `]` belongs",
            ),
            (
                "number out of range at line 1 column 4",
                "a number too large to hold",
            ),
        ] {
            assert_eq!(found_in_json(told), expected);
        }
    }

    proptest! {
        #[test]
        fn nothing_shown_acts(text in "(?s).{0,80}") {
            prop_assert!(!shown(&text).chars().any(acts));
            prop_assert!(!shown_lines(&text).chars().any(|c| acts(c) && c != '\n' && c != '\t'));
            let once = shown(&text);
            prop_assert_eq!(shown(&once), once.as_ref());
        }

        #[test]
        fn plain_text_stays(text in "[ -~äß左]{0,60}") {
            prop_assert_eq!(shown(&text), text.as_str());
        }
    }
}
