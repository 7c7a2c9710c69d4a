//! The parameter section: groups with negative ids, parameters that name their group, chained by offsets.

use std::collections::HashMap;
use std::ops::Range;

use gaitway_core::{WarningCode, Warnings};

use super::bytes::Machine;
use crate::error::shown;

/// A parameter's values, as bytes of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Param<'a> {
    /// −1 text, 1 bytes, 2 integers, 4 floats.
    kind: i8,
    /// Length of a text; the first dimension.
    width: usize,
    data: &'a [u8],
    machine: Machine,
}

impl Param<'_> {
    /// The n-th value as a number; integers read as unsigned, since counts beyond 32767 are stored so.
    pub(super) fn number(&self, n: usize) -> Option<f64> {
        match self.kind {
            1 => self.data.get(n).map(|&b| f64::from(b)),
            2 => Some(f64::from(
                self.machine.u16_at(self.data, n.checked_mul(2)?)?,
            )),
            4 => Some(f64::from(
                self.machine.f32_at(self.data, n.checked_mul(4)?)?,
            )),
            _ => None,
        }
    }

    /// Texts of the first dimension's width, trimmed.
    pub(super) fn texts(&self) -> Vec<String> {
        if self.kind != -1 || self.width == 0 {
            return Vec::new();
        }
        self.data.chunks_exact(self.width).map(text).collect()
    }
}

/// Text that is UTF-8, or else Latin-1; trimmed of spaces and zeros.
fn text(bytes: &[u8]) -> String {
    let all = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    };
    all.trim_matches(|c: char| c.is_whitespace() || c == '\0')
        .to_owned()
}

/// All parameters by `GROUP:NAME` in capitals.
#[derive(Debug)]
pub(super) struct Params<'a> {
    machine: Machine,
    by_name: HashMap<String, Param<'a>>,
}

impl<'a> Params<'a> {
    /// Reads the section's records, which lie in `range`; some writers do not mark the last. A damaged chain ends the reading, told; what
    /// was read until there holds.
    pub(super) fn read(
        bytes: &'a [u8],
        range: Range<usize>,
        machine: Machine,
        warnings: &mut Warnings,
    ) -> Self {
        let mut groups: HashMap<i8, String> = HashMap::new();
        let mut found: Vec<(i8, String, Param<'a>)> = Vec::new();
        let mut odd = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let Some(record) = Record::read(bytes, at, machine) else {
                let message = format!("the parameter section breaks off at byte {at}");
                warnings.add(WarningCode::Unusual, message);
                break;
            };
            if record.name.is_empty() {
                break;
            }
            if record.group < 0 {
                groups.insert(record.group.saturating_neg(), record.name);
            } else {
                match record.param(bytes, machine) {
                    Some(param) => found.push((record.group, record.name, param)),
                    None => odd.push(shown(record.name.as_bytes())),
                }
            }
            // An offset of 0 marks the last record; all others lead forward.
            match record.next {
                Some(next) if next > at => at = next,
                _ => break,
            }
        }
        if !odd.is_empty() {
            let message = format!(
                "{} parameters have a type or size that C3D does not know and are not read: {}",
                odd.len(),
                odd[..odd.len().min(8)].join(", ")
            );
            warnings.add(WarningCode::LeftOut, message);
        }
        let mut by_name = HashMap::new();
        for (group, name, param) in found {
            if let Some(group) = groups.get(&group) {
                by_name.entry(format!("{group}:{name}")).or_insert(param);
            }
        }
        Self { machine, by_name }
    }

    /// How the file writes numbers.
    pub(super) fn machine(&self) -> Machine {
        self.machine
    }

    /// A parameter by `GROUP:NAME`.
    pub(super) fn get(&self, name: &str) -> Option<&Param<'a>> {
        self.by_name.get(name)
    }

    /// The first number of a parameter.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.number(0)
    }

    /// The first text of a parameter, where not empty.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text = self.get(name)?.texts().into_iter().next()?;
        (!text.is_empty()).then_some(text)
    }
}

/// The beginning that groups and parameters share.
struct Record {
    group: i8,
    name: String,
    next: Option<usize>,
    /// Where the part after the offset begins.
    body: usize,
}

impl Record {
    fn read(bytes: &[u8], at: usize, machine: Machine) -> Option<Self> {
        // A negative length marks a locked record.
        let length = usize::from((*bytes.get(at)? as i8).unsigned_abs());
        let group = *bytes.get(at + 1)? as i8;
        if length == 0 || group == 0 {
            let name = String::new();
            let (next, body) = (None, at);
            return Some(Self {
                group,
                name,
                next,
                body,
            });
        }
        let name = text(bytes.get(at + 2..at + 2 + length)?).to_ascii_uppercase();
        let offset_at = at + 2 + length;
        let offset = usize::from(machine.u16_at(bytes, offset_at)?);
        Some(Self {
            group,
            name: if name.is_empty() {
                "?".to_owned()
            } else {
                name
            },
            next: (offset != 0).then_some(offset_at + offset),
            body: offset_at + 2,
        })
    }

    fn param<'a>(&self, bytes: &'a [u8], machine: Machine) -> Option<Param<'a>> {
        let kind = *bytes.get(self.body)? as i8;
        let size = match kind {
            -1 | 1 => 1,
            2 => 2,
            4 => 4,
            _ => return None,
        };
        let count = usize::from(*bytes.get(self.body + 1)?);
        let dims = bytes.get(self.body + 2..self.body + 2 + count)?;
        let values = (dims.iter()).try_fold(1_usize, |n, &d| n.checked_mul(usize::from(d)))?;
        let start = self.body + 2 + count;
        let data = bytes.get(start..start.checked_add(values.checked_mul(size)?)?)?;
        // A text without dimensions is one character; with one it is one text.
        let width = dims.first().map_or(1, |&d| usize::from(d));
        Some(Param {
            kind,
            width,
            data,
            machine,
        })
    }
}
