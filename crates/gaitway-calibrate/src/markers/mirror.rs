//! Whether markers are a mirror image: an axis that points the wrong way, or left and right labels that were exchanged, makes a person
//! whose left is on the right.
//!
//! Toes are ahead of heels, and left is up × ahead. Hips that are named left and lie on the right speak against the file.

use gaitway_core::{WarningCode, Warnings};
use glam::DVec3;

use super::choose::Tracks;
use super::sets::bare;

const HEEL: [&str; 3] = ["hee", "heel", "cal"];
const TOE: [&str; 5] = ["toe", "mt1", "mt2", "mt5", "toetip"];
const HIP: [&str; 4] = ["asi", "fwt", "asis", "thi"];
/// Share of the frames that must speak against the file.
const MOST: f64 = 0.9;
/// Fewest frames that say something.
const FEWEST: usize = 5;

/// Tells where left and right lie as in a mirror.
pub(super) fn tell(tracks: &Tracks, warnings: &mut Warnings) {
    let (mut against, mut all) = (0_usize, 0_usize);
    for row in &tracks.frames {
        let mean = |side: &str, parts: &[&str]| {
            let known = |name: &str| parts.iter().any(|p| bare(name) == format!("{side}{p}"));
            let list: Vec<DVec3> = (tracks.names.iter().zip(row))
                .filter(|(n, _)| known(n))
                .filter_map(|(_, p)| *p)
                .collect();
            (!list.is_empty()).then(|| list.iter().sum::<DVec3>() / list.len() as f64)
        };
        let ahead = |side: &str| Some(mean(side, &TOE)? - mean(side, &HEEL)?);
        let (Some(l), Some(r)) = (mean("l", &HIP), mean("r", &HIP)) else {
            continue;
        };
        let Some(ahead) = ahead("l").zip(ahead("r")).map(|(a, b)| a + b) else {
            continue;
        };
        all += 1;
        against += usize::from(DVec3::Y.cross(ahead).dot(l - r) < 0.0);
    }
    if all >= FEWEST && against as f64 > MOST * all as f64 {
        let message = "left and right lie as in a mirror: markers named left are on the right of where the feet point; an axis of the file points the wrong way, or left and right labels are exchanged";
        warnings.add(WarningCode::Unusual, message);
    }
}
