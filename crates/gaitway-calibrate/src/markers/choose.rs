//! Which points are markers on the body: what is no place, what was computed, what is hardly seen, what never moves.

use gaitway_core::{WarningCode, Warnings};
use gaitway_io::MarkerClip;
use glam::DVec3;

use super::sets;
use crate::error::CalibrateError;

/// Tracks of the markers in use, Y up.
#[derive(Clone, Debug)]
pub(crate) struct Tracks {
    pub(crate) names: Vec<String>,
    pub(crate) rate_hz: f64,
    /// Frame by frame, a place per marker.
    pub(crate) frames: Vec<Vec<Option<DVec3>>>,
}

/// Least share of frames a marker must be seen in.
const LEAST_SEEN: f64 = 0.05;
const FEWEST_FRAMES: usize = 10;
/// What moves less than this is not on the body, metres; a foot that stands sways by more.
const STILL_M: f64 = 2e-3;
/// People are this large at most, metres; units that are mixed up give others.
const LARGEST_M: f64 = 4.0;
const SMALLEST_M: f64 = 0.2;

/// Takes what are markers; all else is told.
pub(crate) fn choose(
    clip: &MarkerClip,
    drop: &[String],
    warnings: &mut Warnings,
) -> Result<Tracks, CalibrateError> {
    if clip.frames < FEWEST_FRAMES {
        return Err(CalibrateError::new(format!(
            "expected at least {FEWEST_FRAMES} frames, found {}: joints show only where bodies move",
            clip.frames
        ))
        .with_hint("record a few seconds in which every joint is turned"));
    }
    for name in drop {
        if clip.find(name).is_none() {
            return Err(
                CalibrateError::new(format!("there is no marker `{name}` to leave out"))
                    .with_hint("`gaitway info FILE --json` tells what a file holds"),
            );
        }
    }
    let mut left: std::collections::BTreeMap<String, Vec<String>> =
        std::collections::BTreeMap::new();
    let mut kept = Vec::new();
    for (k, name) in clip.names.iter().enumerate() {
        let seen: Vec<DVec3> = (0..clip.frames).filter_map(|f| clip.at(f, k)).collect();
        let why = if drop.contains(name) {
            Some("left out as asked".to_owned())
        } else if let Some(what) = clip.quantities[k] {
            Some(format!("no places: stored as {what}s"))
        } else if let Some(what) = sets::computed(name) {
            Some(format!("no markers: {what} by name"))
        } else if seen.len() < FEWEST_FRAMES
            || (seen.len() as f64) < LEAST_SEEN * clip.frames as f64
        {
            Some(format!(
                "seen in less than {:.0} % of frames",
                100.0 * LEAST_SEEN
            ))
        } else if spread(&seen) < STILL_M {
            Some("never moving: not on a body that does".to_owned())
        } else {
            None
        };
        match why {
            Some(why) => left.entry(why).or_default().push(name.clone()),
            None => kept.push(k),
        }
    }
    for (why, names) in left {
        let message = format!("{} left out, {why}: {}", count(names.len()), some(&names));
        warnings.add(WarningCode::LeftOut, message);
    }
    if kept.len() < 4 {
        return Err(CalibrateError::new(format!(
            "expected at least 4 markers that move, found {} of {} points",
            kept.len(),
            clip.marker_count()
        ))
        .with_hint("`gaitway info FILE` shows what is in the file"));
    }
    let frames: Vec<Vec<Option<DVec3>>> = (0..clip.frames)
        .map(|f| kept.iter().map(|&k| clip.at(f, k)).collect())
        .collect();
    check_size(&frames)?;
    Ok(Tracks {
        names: kept.iter().map(|&k| clip.names[k].clone()).collect(),
        rate_hz: clip.rate_hz,
        frames,
    })
}

/// Refuses what is no person's size: a unit that is wrong makes a wrong skeleton in silence.
fn check_size(frames: &[Vec<Option<DVec3>>]) -> Result<(), CalibrateError> {
    let mut sizes: Vec<f64> = frames
        .iter()
        .filter_map(|row| {
            let seen: Vec<DVec3> = row.iter().flatten().copied().collect();
            let low = seen.iter().copied().reduce(DVec3::min)?;
            let high = seen.iter().copied().reduce(DVec3::max)?;
            Some((high - low).length())
        })
        .collect();
    sizes.sort_by(f64::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    if (SMALLEST_M..=LARGEST_M).contains(&usual) {
        return Ok(());
    }
    Err(CalibrateError::new(format!(
        "expected markers of a body of {SMALLEST_M} to {LARGEST_M} m, found them {usual:.3} m apart: the unit is wrong, or there are several bodies"
    ))
    .with_hint("say what a unit is: --units mm (cm, m); or leave out what is not on the body: --without NAME,NAME"))
}

fn spread(places: &[DVec3]) -> f64 {
    let n = places.len().max(1) as f64;
    let mean = places.iter().sum::<DVec3>() / n;
    (places.iter().map(|p| p.distance_squared(mean)).sum::<f64>() / n).sqrt()
}

fn count(n: usize) -> String {
    match n {
        1 => "1 point".to_owned(),
        n => format!("{n} points"),
    }
}

/// A few of many names.
pub(crate) fn some(names: &[String]) -> String {
    const SHOWN: usize = 6;
    let mut list: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    if names.len() > SHOWN {
        list.push("…");
    }
    list.join(", ")
}
