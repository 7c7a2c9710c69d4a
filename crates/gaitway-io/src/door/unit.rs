//! How long a file's unit is. Most motion files do not say; the body does: from the trunk to the tip of the
//! longest limb a grown person measures about 1.3 m, and usual units lie a factor of two or more apart.

use gaitway_core::{WarningCode, Warnings};
use serde::Serialize;

use crate::RawClip;

/// A unit of length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unit {
    /// What people call it, e.g. `cm`.
    pub name: String,
    /// Metres per unit.
    pub metres: f64,
}

impl Unit {
    fn new(name: &str, metres: f64) -> Self {
        Self {
            name: name.to_owned(),
            metres,
        }
    }
}

/// The units seen in motion files. `cmu` is 1/0.45 inch, the unit of CMU's ASF files and their conversions.
const KNOWN: [(&str, f64); 7] = [
    ("m", 1.0),
    ("cm", 0.01),
    ("mm", 0.001),
    ("inch", 0.0254),
    ("foot", 0.3048),
    ("dm", 0.1),
    ("cmu", 0.0254 / 0.45),
];

/// Longest limb of a person in metres: usual, and the widest range that is still a body.
const LIMB_M: f64 = 1.3;
const LIMB_RANGE_M: std::ops::RangeInclusive<f64> = 0.7..=2.2;

/// Micrometres are the finest and kilometres the coarsest unit anyone measures a body in.
const SMALLEST_M: f64 = 1e-6;
const LARGEST_M: f64 = 1e3;

/// Reads what a user typed: a known name or a number of metres.
///
/// # Errors
/// A sentence that lists what is understood.
pub fn parse_unit(text: &str) -> Result<Unit, String> {
    let lower = text.trim().to_ascii_lowercase();
    let named = match lower.as_str() {
        "metre" | "meter" | "metres" | "meters" => "m",
        "in" | "inches" => "inch",
        "ft" | "feet" => "foot",
        other => other,
    };
    if let Some((name, metres)) = KNOWN.iter().find(|(name, _)| *name == named) {
        return Ok(Unit::new(name, *metres));
    }
    match lower.parse::<f64>() {
        Ok(metres) if (SMALLEST_M..=LARGEST_M).contains(&metres) => Ok(named_or_number(metres)),
        _ => Err(format!(
            "expected m, cm, mm, dm, inch, foot, cmu or metres per unit (1e-6 to 1000), found `{text}`"
        )),
    }
}

fn named_or_number(metres: f64) -> Unit {
    let known = KNOWN.iter().find(|(_, m)| (m / metres - 1.0).abs() < 1e-4);
    match known {
        Some((name, _)) => Unit::new(name, metres),
        None => Unit::new(&format!("{} m", trimmed(metres)), metres),
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The user's word, then the file's, then the body's.
pub(super) fn choose(raw: &RawClip, asked: Option<Unit>, warnings: &mut Warnings) -> Unit {
    let limb = longest_limb(raw);
    let unit = match (asked, raw.unit_m) {
        (Some(unit), _) => {
            warnings.add(
                WarningCode::UnitOverridden,
                format!(
                    "a unit is {} m as asked ({})",
                    trimmed(unit.metres),
                    unit.name
                ),
            );
            unit
        }
        (None, Some(metres)) if metres.is_finite() && metres > 0.0 => named_or_number(metres),
        (None, _) => guess(limb, warnings),
    };
    let measured = limb * unit.metres;
    if limb > 0.0
        && !LIMB_RANGE_M.contains(&measured)
        && !warnings.has(WarningCode::UnitImplausible)
    {
        warnings.add(
            WarningCode::UnitImplausible,
            format!(
                "the longest limb would be {measured:.2} m with a unit of {} m; a person's is 0.7 to 2.2 m \
                 (--units says otherwise)",
                trimmed(unit.metres)
            ),
        );
    }
    unit
}

fn guess(limb: f64, warnings: &mut Warnings) -> Unit {
    let off = |metres: f64| (limb * metres / LIMB_M).ln().abs();
    let best = KNOWN.iter().min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
    let (name, metres) = best.copied().unwrap_or(("m", 1.0));
    if limb > 0.0 && LIMB_RANGE_M.contains(&(limb * metres)) {
        warnings.add(
            WarningCode::UnitGuessed,
            format!(
                "the file names no unit; the longest limb is {limb:.4} units, which is {:.2} m if a unit is \
                 {} m ({name})",
                limb * metres,
                trimmed(metres)
            ),
        );
        return Unit::new(name, metres);
    }
    warnings.add(
        WarningCode::UnitImplausible,
        format!(
            "the file names no unit, and with a longest limb of {limb:.4} units no usual one makes a person; \
             read as metres (--units says otherwise)"
        ),
    );
    Unit::new("m", 1.0)
}

/// The longest way along bones from the first joint that branches to a tip: offsets above it may place the
/// body in a scene and say nothing of its size.
fn longest_limb(raw: &RawClip) -> f64 {
    let count = raw.joints.len();
    let mut children = vec![0_usize; count];
    raw.joints
        .iter()
        .filter_map(|j| j.parent)
        .for_each(|p| children[p] += 1);
    let trunk = (0..count).find(|&j| children[j] > 1).unwrap_or(0);
    let mut way: Vec<Option<f64>> = vec![None; count];
    for (j, joint) in raw.joints.iter().enumerate() {
        way[j] = if j == trunk {
            Some(0.0)
        } else {
            joint
                .parent
                .and_then(|p| way[p])
                .map(|w| w + joint.offset.length())
        };
    }
    let tips = raw
        .end_sites
        .iter()
        .filter_map(|(p, o)| way[*p].map(|w| w + o.length()));
    tips.chain(way.iter().copied().flatten())
        .fold(0.0, f64::max)
}
