//! Files the user names beside motion: tables, obstacles, weights, graphs. Every way in which one cannot be had is said alike:
//! the file and what is the matter, then what was expected there.

use std::io::ErrorKind;
use std::path::Path;

use gaitway::io::error::{io_hint, io_words};
use gaitway::io::output::check_place;
use gaitway::io::{is_standard_input, special, standard_input};

use super::CliError;

/// Reads a text the user named. `expected` says what belongs there, for the hint.
pub fn read_text(path: &Path, expected: &str) -> Result<String, CliError> {
    must_be_file(path, expected)?;
    let text = match is_standard_input(path) {
        true => standard_input()
            .and_then(|bytes| String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into())),
        false => std::fs::read_to_string(path),
    };
    text.map_err(|e| {
        let out = CliError::new(format!("{}: {}", path.display(), io_words(&e)));
        match e.kind() {
            ErrorKind::InvalidData => out.with_hint(expected),
            _ => out.with_hint(io_hint(&e).unwrap_or(expected)),
        }
    })
}

/// Refuses what is missing or a folder before anything else is done.
pub fn must_be_file(path: &Path, expected: &str) -> Result<(), CliError> {
    let file = path.display();
    if is_standard_input(path) {
        return Ok(());
    }
    if let Some(what) = special(path) {
        return Err(
            CliError::new(format!("{file}: is {what}, and a file is needed")).with_hint(expected),
        );
    }
    if path.is_dir() {
        return Err(
            CliError::new(format!("{file}: is a folder, and a file is needed")).with_hint(expected),
        );
    }
    match path.try_exists() {
        Ok(true) => Ok(()),
        Ok(false) => {
            Err(CliError::new(format!("{file}: there is no such file")).with_hint(expected))
        }
        Err(e) => {
            let out = CliError::new(format!("{file}: {}", io_words(&e)));
            Err(out.with_hint(io_hint(&e).unwrap_or(expected)))
        }
    }
}

/// Refuses outputs that could not be written, before the work whose result they are.
pub fn check_outputs<'a>(
    files: impl IntoIterator<Item = Option<&'a std::path::PathBuf>>,
) -> Result<(), CliError> {
    let files: Vec<&std::path::PathBuf> = files.into_iter().flatten().collect();
    for (k, path) in files.iter().enumerate() {
        check_place(path)?;
        if files[..k].iter().any(|other| same_place(other, path)) {
            let what = format!("{}: two outputs would be written here", path.display());
            return Err(CliError::new(what).with_hint("give each a file of its own"));
        }
    }
    Ok(())
}

/// Refuses outputs over what is read: a capture, a graph or a drawn path would be lost.
pub fn keep_inputs<'a>(
    outputs: impl IntoIterator<Item = Option<&'a std::path::PathBuf>>,
    inputs: &[&Path],
) -> Result<(), CliError> {
    for path in outputs.into_iter().flatten() {
        if inputs.iter().any(|i| same_place(i, path)) {
            let what = format!("{} is an input and would be overwritten", path.display());
            return Err(CliError::new(what).with_hint("write to another file"));
        }
    }
    Ok(())
}

/// Whether two names are one file: by where they lead, or, where nothing is there yet, by how they are written.
fn same_place(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), Err(_)) => match (std::path::absolute(a), std::path::absolute(b)) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        },
        _ => false,
    }
}

/// Names what JSON has no word for: NaN and infinities, as programs write them that do not look. Other mistakes are the
/// parser's to tell.
pub fn refuse_odd_numbers(text: &str, file: &str) -> Result<(), CliError> {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with(['[', '{']) {
        return Ok(());
    }
    match odd_number(text) {
        None => Ok(()),
        Some((line, word)) => Err(CliError::new(format!(
            "{file}:{line}: expected a number, found `{word}`"
        ))
        .with_hint("JSON has no NaN and no infinity; leave the point out, or give its numbers")),
    }
}

/// The first word outside quotes that means no finite number, with its line.
fn odd_number(text: &str) -> Option<(usize, String)> {
    let mut line = 1;
    let mut rest = text.char_indices().peekable();
    let mut quoted = false;
    while let Some((at, c)) = rest.next() {
        match c {
            '\n' => line += 1,
            '\\' if quoted => {
                rest.next();
            }
            '"' => quoted = !quoted,
            c if !quoted && (c.is_ascii_alphabetic() || c == '-') => {
                let word: String = text[at..]
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || "-+.".contains(*c))
                    .collect();
                let bare = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
                if ["nan", "inf", "infinity"].contains(&bare.as_str()) {
                    return Some((line, word));
                }
                for _ in 1..word.len() {
                    rest.next();
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::odd_number;

    #[test]
    fn words_that_are_no_numbers_are_found_with_their_line() {
        for (text, found) in [
            ("[[0, 1],\n [NaN, 2]]", Some((2, "NaN"))),
            ("[[0, -Infinity]]", Some((1, "-Infinity"))),
            ("{\"nan\": 1,\n\n\"x\": inf}", Some((3, "inf"))),
            ("[\"a \\\" nan\", true, null, -1e5]", None),
        ] {
            let expected = found.map(|(line, word)| (line, word.to_owned()));
            assert_eq!(odd_number(text), expected, "{text}");
        }
    }
}
