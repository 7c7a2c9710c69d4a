//! The `:bonedata` section: a `begin` … `end` per bone, its lines in any order.

use glam::{DQuat, DVec3};

use gaitway_core::rotation::Axis;
use gaitway_core::{WarningCode, Warnings};

use super::asf::{Words, in_radians, unknown};
use super::channels::frame_of;
use super::skeleton::AcclaimBone;
use crate::error::{ReadError, shown};
use crate::lines::Word;

/// A bone that is not yet connected, and where its `name` stands.
pub(super) struct Bone<'a> {
    pub bone: AcclaimBone,
    pub name: Word<'a>,
}

/// Reads all bones.
pub(super) fn read_bones<'a>(
    words: &mut Words<'a, '_>,
    radians: bool,
    warnings: &mut Warnings,
) -> Result<Vec<Bone<'a>>, ReadError> {
    let mut bones = Vec::new();
    let mut bent = Vec::new();
    while let Some(word) = words.next() {
        if !word.is("begin") {
            return Err(word.unexpected(words.file(), "`begin` of a bone"));
        }
        let draft = Draft::read(words, radians, warnings)?;
        let bone = draft.finish(words.file(), &word, &mut bent, warnings)?;
        bones.push(bone);
    }
    if !bent.is_empty() {
        let message = format!(
            "the directions of {} bones ({}, …) are not of unit length; they were normalised",
            bent.len(),
            bent[0]
        );
        warnings.add(WarningCode::Unusual, message);
    }
    Ok(bones)
}

/// What has been read of one bone.
struct Draft<'a> {
    name: Option<Word<'a>>,
    direction: Option<(DVec3, Word<'a>)>,
    length: Option<f64>,
    frame: Option<DQuat>,
    bone: AcclaimBone,
}

impl<'a> Draft<'a> {
    fn read(
        words: &mut Words<'a, '_>,
        radians: bool,
        warnings: &mut Warnings,
    ) -> Result<Self, ReadError> {
        let mut draft = Self {
            name: None,
            direction: None,
            length: None,
            frame: None,
            bone: AcclaimBone {
                name: String::new(),
                parent: None,
                direction: DVec3::ZERO,
                length: 0.0,
                frame: DQuat::IDENTITY,
                dof: Vec::new(),
                limits: Vec::new(),
            },
        };
        loop {
            let word = words.need("`end` of the bone")?;
            if word.is("end") {
                return Ok(draft);
            } else if word.is("begin") {
                return Err(word.unexpected(words.file(), "`end` of the bone before"));
            } else if ["id", "bodymass", "cofmass"].iter().any(|w| word.is(w)) {
                words.skip_line(&word);
            } else {
                draft.line(&word, words, radians, warnings)?;
            }
        }
    }

    fn line(
        &mut self,
        word: &Word<'a>,
        words: &mut Words<'a, '_>,
        radians: bool,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if word.is("name") {
            self.name = Some(words.need("the bone's name")?);
        } else if word.is("direction") {
            let direction = words.vector("three numbers for `direction`")?;
            self.direction = Some((direction, *word));
        } else if word.is("length") {
            const EXPECTED: &str = "a length of 0 or more";
            let value = words.peek();
            let length = words.number(EXPECTED)?;
            if let Some(value) = value.filter(|_| length < 0.0) {
                return Err(value.unexpected(words.file(), EXPECTED));
            }
            self.length = Some(length);
        } else if word.is("axis") {
            let angles = words.vector("three angles for `axis`")?;
            // The order may be left out when it is the usual one.
            let given = words
                .peek()
                .is_some_and(|w| w.line.number == word.line.number);
            let order = if given {
                words.axes()?
            } else {
                [Axis::X, Axis::Y, Axis::Z]
            };
            self.frame = Some(frame_of(order, in_radians(angles, radians)));
        } else if word.is("dof") {
            self.bone.dof = words.channels()?;
            let next = words.peek();
            if let Some(extra) = next.filter(|w| w.line.number == word.line.number) {
                let expected = "channels out of rx ry rz tx ty tz l";
                return Err(extra.unexpected(words.file(), expected));
            }
        } else if word.is("limits") {
            self.bone.limits = limits(words)?;
        } else {
            unknown(word, "`:bonedata`", warnings);
            words.skip_line(word);
        }
        Ok(())
    }

    fn finish(
        self,
        file: &str,
        begin: &Word<'a>,
        bent: &mut Vec<String>,
        warnings: &mut Warnings,
    ) -> Result<Bone<'a>, ReadError> {
        let lacks = |what: &str| {
            let name = self.name.map_or(String::from("a bone"), |n| shown(n.bytes));
            let found = format!("none before the `end` of {name}");
            ReadError::syntax(file, begin.place(), what, found)
        };
        let name = self.name.ok_or_else(|| lacks("a `name`"))?;
        let length = self.length.ok_or_else(|| lacks("a `length`"))?;
        let mut bone = self.bone;
        bone.name = name.text();
        bone.length = length;
        match self.direction {
            Some((direction, word)) => {
                let size = direction.length();
                if size < 1e-9 && length > 0.0 {
                    return Err(word.unexpected(file, "a direction that is not zero"));
                }
                bone.direction = direction;
                // Printed with six digits, a unit vector is off by less than this.
                if (size - 1.0).abs() > 1e-3 && size >= 1e-9 {
                    bone.direction = direction / size;
                    bent.push(bone.name.clone());
                }
            }
            None if length > 0.0 => return Err(lacks("a `direction`")),
            None => {}
        }
        if self.frame.is_none() && !bone.dof.is_empty() {
            let message = format!("bone `{}` has no `axis`; none was assumed", bone.name);
            warnings.add(WarningCode::Unusual, message);
        }
        bone.frame = self.frame.unwrap_or(DQuat::IDENTITY);
        if !bone.limits.is_empty() && bone.limits.len() != bone.dof.len() {
            let message = format!(
                "bone `{}` has {} channels but {} limits",
                bone.name,
                bone.dof.len(),
                bone.limits.len()
            );
            warnings.add(WarningCode::Unusual, message);
        }
        Ok(Bone { bone, name })
    }
}

/// Pairs of numbers, over as many lines as they take; `-inf` and `inf` are allowed.
fn limits(words: &mut Words<'_, '_>) -> Result<Vec<(f64, f64)>, ReadError> {
    let mut out = Vec::new();
    while let Some(low) = words.peek().and_then(|w| limit(w.bytes)) {
        words.next();
        let word = words.need("the upper limit")?;
        let Some(high) = limit(word.bytes) else {
            return Err(word.unexpected(words.file(), "the upper limit"));
        };
        out.push((low, high));
    }
    Ok(out)
}

fn limit(bytes: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(bytes).ok()?.to_ascii_lowercase();
    match text.as_str() {
        "inf" | "+inf" | "1.#inf" => Some(f64::INFINITY),
        "-inf" | "-1.#inf" => Some(f64::NEG_INFINITY),
        _ => text.parse().ok().filter(|v: &f64| !v.is_nan()),
    }
}
