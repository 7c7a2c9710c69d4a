//! The ASF reader: sections that start with a colon. Unknown ones are left out and told.
//!
//! As the format has it, commas and parentheses are white space, and `#` starts a comment.

use glam::{DQuat, DVec3};

use gaitway_core::rotation::Axis;
use gaitway_core::{WarningCode, Warnings};

use super::bonedata::{Bone, read_bones};
use super::channels::{Dof, frame_of};
use super::hierarchy::connect;
use super::skeleton::{AcclaimRoot, AcclaimSkeleton};
use crate::error::{Place, ReadError, shown};
use crate::lines::{Lines, Word};

/// Metres in an inch: the unit behind `length`.
const INCH_M: f64 = 0.0254;

/// Reads a skeleton. `file` is the name errors give.
///
/// # Errors
/// When the text is no skeleton: the place, what was expected there and what was found.
pub fn read_asf(file: &str, bytes: &[u8]) -> Result<AcclaimSkeleton, ReadError> {
    let sections = split(file, bytes)?;
    let mut asf = Asf::default();
    // Angles in other sections depend on `:units`, wherever it stands.
    for section in sections.iter().filter(|s| s.keyword.is(":units")) {
        asf.units(&mut Words::new(file, section))?;
    }
    for section in &sections {
        asf.section(file, section)?;
    }
    asf.finish(file, bytes)
}

/// A keyword and the lines up to the next.
pub(super) struct Section<'a> {
    pub keyword: Word<'a>,
    /// Words of the keyword's own line and of the lines after it, lines without words left out.
    pub lines: Vec<Vec<Word<'a>>>,
}

pub(super) fn is_separator(b: u8) -> bool {
    b.is_ascii_whitespace() || matches!(b, b',' | b'(' | b')' | 0)
}

fn split<'a>(file: &str, bytes: &'a [u8]) -> Result<Vec<Section<'a>>, ReadError> {
    let mut sections: Vec<Section<'a>> = Vec::new();
    for line in Lines::new(bytes) {
        let mut words: Vec<Word<'a>> = line.words(is_separator).collect();
        let Some(first) = words.first().copied() else {
            continue;
        };
        if first.bytes[0] == b':' {
            words.remove(0);
            let lines = if words.is_empty() {
                vec![]
            } else {
                vec![words]
            };
            let keyword = first;
            sections.push(Section { keyword, lines });
        } else if let Some(section) = sections.last_mut() {
            section.lines.push(words);
        } else {
            return Err(first
                .unexpected(file, "a section such as `:units` or `:root`")
                .with_hint("an ASF file is a text of sections that start with a colon"));
        }
    }
    Ok(sections)
}

/// The words of a section one after another.
pub(super) struct Words<'a, 's> {
    file: &'s str,
    words: Vec<Word<'a>>,
    at: usize,
    keyword: Word<'a>,
}

impl<'a, 's> Words<'a, 's> {
    pub(super) fn new(file: &'s str, section: &Section<'a>) -> Self {
        let words = section.lines.iter().flatten().copied().collect();
        let (at, keyword) = (0, section.keyword);
        Self {
            file,
            words,
            at,
            keyword,
        }
    }

    pub(super) fn peek(&self) -> Option<Word<'a>> {
        self.words.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        let word = self.peek();
        self.at += usize::from(word.is_some());
        word
    }

    /// The next word, or the error that the section ends before it.
    pub(super) fn need(&mut self, expected: &str) -> Result<Word<'a>, ReadError> {
        match self.next() {
            Some(word) => Ok(word),
            None => {
                let last = self.words.last().unwrap_or(&self.keyword);
                let found = format!("the end of `{}`", self.keyword.text());
                let place = last.line.end();
                Err(ReadError::syntax(self.file, place, expected, found))
            }
        }
    }

    pub(super) fn number(&mut self, expected: &str) -> Result<f64, ReadError> {
        let word = self.need(expected)?;
        word.number()
            .ok_or_else(|| word.unexpected(self.file, expected))
    }

    pub(super) fn vector(&mut self, expected: &str) -> Result<DVec3, ReadError> {
        let x = self.number(expected)?;
        let y = self.number(expected)?;
        let z = self.number(expected)?;
        Ok(DVec3::new(x, y, z))
    }

    /// Three different letters of x, y, z.
    pub(super) fn axes(&mut self) -> Result<[Axis; 3], ReadError> {
        const EXPECTED: &str = "an order of axes such as XYZ";
        let word = self.need(EXPECTED)?;
        let letter = |b: &u8| match b.to_ascii_lowercase() {
            b'x' => Some(Axis::X),
            b'y' => Some(Axis::Y),
            b'z' => Some(Axis::Z),
            _ => None,
        };
        let axes: Option<Vec<Axis>> = word.bytes.iter().map(letter).collect();
        match axes.as_deref() {
            Some(&[a, b, c]) if a != b && b != c && a != c => Ok([a, b, c]),
            _ => Err(word.unexpected(self.file, EXPECTED)),
        }
    }

    /// Channel words up to the first word that is none; none may come twice.
    pub(super) fn channels(&mut self) -> Result<Vec<Dof>, ReadError> {
        let mut out = Vec::new();
        while let Some(word) = self.peek() {
            let Some(dof) = Dof::from_word(word.bytes) else {
                break;
            };
            if out.contains(&dof) {
                return Err(word.unexpected(self.file, "each channel once"));
            }
            out.push(dof);
            self.at += 1;
        }
        Ok(out)
    }

    /// Passes over the rest of the line of a word already taken.
    pub(super) fn skip_line(&mut self, word: &Word<'_>) {
        while self
            .peek()
            .is_some_and(|w| w.line.number == word.line.number)
        {
            self.at += 1;
        }
    }

    pub(super) fn file(&self) -> &'s str {
        self.file
    }
}

#[derive(Default)]
struct Asf<'a> {
    name: String,
    length: Option<f64>,
    radians: bool,
    root: Option<AcclaimRoot>,
    bones: Option<Vec<Bone<'a>>>,
    hierarchy: Option<Vec<Vec<Word<'a>>>>,
    warnings: Warnings,
}

impl<'a> Asf<'a> {
    fn section(&mut self, file: &str, section: &Section<'a>) -> Result<(), ReadError> {
        let keyword = section.keyword;
        let known = [":root", ":bonedata", ":hierarchy"];
        let done = [
            self.root.is_some(),
            self.bones.is_some(),
            self.hierarchy.is_some(),
        ];
        if (known.iter().zip(done)).any(|(word, done)| keyword.is(word) && done) {
            return Err(keyword.unexpected(file, "each section once"));
        }
        if keyword.is(":name") {
            let words = section.lines.iter().flatten().map(Word::text);
            self.name = words.collect::<Vec<_>>().join(" ");
        } else if keyword.is(":root") {
            let root = self.root(&mut Words::new(file, section))?;
            self.root = Some(root);
        } else if keyword.is(":bonedata") {
            let mut words = Words::new(file, section);
            self.bones = Some(read_bones(&mut words, self.radians, &mut self.warnings)?);
        } else if keyword.is(":hierarchy") {
            self.hierarchy = Some(section.lines.clone());
        } else if keyword.is(":fully-specified") || keyword.is(":degrees") {
            return Err(keyword
                .unexpected(file, "a section of a skeleton")
                .with_hint("this is a motion (AMC); give the skeleton (ASF) that belongs to it"));
        } else if ![":version", ":units", ":documentation"]
            .iter()
            .any(|w| keyword.is(w))
        {
            unknown(&keyword, "the skeleton", &mut self.warnings);
        }
        Ok(())
    }

    fn units(&mut self, words: &mut Words<'a, '_>) -> Result<(), ReadError> {
        while let Some(word) = words.next() {
            if word.is("mass") {
                words.number("a number for `mass`")?;
            } else if word.is("length") {
                const EXPECTED: &str = "a number above 0 for `length`";
                let Some(value) = words.peek() else {
                    return words.need(EXPECTED).map(drop);
                };
                let length = words.number(EXPECTED)?;
                if length < 1e-9 {
                    return Err(value.unexpected(words.file(), EXPECTED));
                }
                self.length = Some(length);
            } else if word.is("angle") {
                const EXPECTED: &str = "`deg` or `rad`";
                let unit = words.need(EXPECTED)?;
                self.radians = unit.is("rad") || unit.is("radians");
                if !(self.radians || unit.is("deg") || unit.is("degrees")) {
                    return Err(unit.unexpected(words.file(), EXPECTED));
                }
            } else {
                unknown(&word, "`:units`", &mut self.warnings);
                words.skip_line(&word);
            }
        }
        Ok(())
    }

    fn root(&mut self, words: &mut Words<'a, '_>) -> Result<AcclaimRoot, ReadError> {
        let (mut order, mut axes) = (None, [Axis::X, Axis::Y, Axis::Z]);
        let (mut position, mut angles) = (DVec3::ZERO, DVec3::ZERO);
        while let Some(word) = words.next() {
            if word.is("order") {
                let channels = words.channels()?;
                if channels.is_empty() || channels.contains(&Dof::Length) {
                    let expected = "channels such as TX TY TZ RX RY RZ";
                    let place = word.line.end();
                    let found = format!("`{}`", String::from_utf8_lossy(word.line.bytes).trim());
                    return Err(ReadError::syntax(words.file(), place, expected, found));
                }
                order = Some(channels);
            } else if word.is("axis") {
                axes = words.axes()?;
            } else if word.is("position") {
                position = words.vector("three numbers for `position`")?;
            } else if word.is("orientation") {
                angles = words.vector("three angles for `orientation`")?;
            } else if Dof::from_word(word.bytes).is_none() && word.number().is_none() {
                unknown(&word, "`:root`", &mut self.warnings);
                words.skip_line(&word);
            } else {
                let expected = "`order`, `axis`, `position` or `orientation`";
                return Err(word.unexpected(words.file(), expected));
            }
        }
        let orientation = frame_of(axes, in_radians(angles, self.radians));
        if position != DVec3::ZERO || angles != DVec3::ZERO {
            self.warnings.add(
                WarningCode::Unusual,
                "the root has a `position` or `orientation` of its own, which programs read differently: \
                 the position was added to the motion, the orientation turns the body before it",
            );
        }
        let order = order.unwrap_or_else(|| self.usual_order());
        Ok(AcclaimRoot {
            order,
            position,
            orientation,
        })
    }

    fn usual_order(&mut self) -> Vec<Dof> {
        let message = "the root has no `order`; TX TY TZ RX RY RZ was assumed";
        self.warnings.add(WarningCode::Unusual, message);
        let axes = [Axis::X, Axis::Y, Axis::Z];
        (axes.map(Dof::Translate).into_iter())
            .chain(axes.map(Dof::Rotate))
            .collect()
    }

    fn finish(mut self, file: &str, bytes: &[u8]) -> Result<AcclaimSkeleton, ReadError> {
        let missing = |section: &str| {
            let place = Place::in_text(bytes, bytes.len());
            ReadError::syntax(
                file,
                place,
                format!("a section `{section}`"),
                if bytes.is_empty() {
                    "an empty file".to_owned()
                } else {
                    "the end of the file".to_owned()
                },
            )
        };
        let bones = self.bones.take().ok_or_else(|| missing(":bonedata"))?;
        let lines = self.hierarchy.take().ok_or_else(|| missing(":hierarchy"))?;
        let bones = connect(file, bones, &lines, &mut self.warnings)?;
        let root = self.root.take().unwrap_or_else(|| AcclaimRoot {
            order: self.usual_order(),
            position: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
        });
        Ok(AcclaimSkeleton {
            name: self.name,
            unit_m: self.length.map(|length| INCH_M / length),
            degrees: !self.radians,
            root,
            bones,
            warnings: self.warnings,
        })
    }
}

/// Angles of a file in radians.
pub(super) fn in_radians(angles: DVec3, radians: bool) -> DVec3 {
    if radians {
        angles
    } else {
        angles * (std::f64::consts::PI / 180.0)
    }
}

/// The most words named in warnings: a file of nonsense shall not fill the memory with complaints.
const MOST_NAMED: usize = 32;

/// Notes a word that means nothing to us.
pub(super) fn unknown(word: &Word<'_>, section: &str, warnings: &mut Warnings) {
    if warnings.len() >= MOST_NAMED {
        return;
    }
    warnings.add(
        WarningCode::LeftOut,
        format!(
            "{} in {section} at line {} is not read",
            shown(word.bytes),
            word.line.number
        ),
    );
}
