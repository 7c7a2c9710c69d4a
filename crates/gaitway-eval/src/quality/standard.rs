//! The bars this project holds its motions to.

use super::{ContactsSource, Quality};
use crate::draw::bars::BarRow;

/// How a motion keeps to a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathFigures {
    /// Distance from the path, root of the mean square, metres.
    pub rms_m: f64,
    /// Transitions a second.
    pub transitions_per_s: f64,
    /// The part of frames that face within 30° of where they go.
    pub facing_within_30_deg: f64,
}

/// How often toes glide in captured clips, a second: the mean over the 152 clips of 21 people that limits were chosen on.
const USUAL_GLIDES: f64 = 0.35;

/// How often feet slide in them, low swings left out.
const USUAL_SLIDES: f64 = 0.03;

/// Numbers against their bars: feet, jolts and stretch as for every motion made, nearness and calm as for walks on smooth
/// curves.
pub fn bar_rows(q: &Quality, path: Option<&PathFigures>) -> Vec<BarRow> {
    let row = |name: &str, value: Option<f64>, bar: f64, unit: &str| BarRow {
        name: name.to_owned(),
        value,
        bar,
        unit: unit.to_owned(),
    };
    let mut rows = Vec::new();
    if let Some(p) = path {
        let off = 100.0 * (1.0 - p.facing_within_30_deg);
        rows.extend([
            row(
                "distance from the path, RMS",
                Some(100.0 * p.rms_m),
                5.0,
                "cm",
            ),
            row("transitions", Some(p.transitions_per_s), 1.2, "a second"),
            row("frames facing over 30° off", Some(off), 5.0, "%"),
        ]);
    }
    // Plants that the cleaner enforced are held to more than those found again in the bare frames.
    let given = q.contacts.source == ContactsSource::Given;
    rows.push(row(
        "sliding feet, mean",
        q.skate_cm_s.mean,
        if given { 0.1 } else { 0.2 },
        "cm/s",
    ));
    if given {
        rows.push(row("worst plant", q.worst_plant_cm, 0.2, "cm"));
    }
    if let Some((near, away)) = q.glides.and_then(|g| g.near.zip(g.away))
        && let Some(per_s) = near.per_s
    {
        // As often as elsewhere or as usual, a fifth more, and one beside: in so many seconds one may be chance.
        let elsewhere = away.per_s.unwrap_or(0.0).max(USUAL_GLIDES);
        let bar = 1.2 * elsewhere + 1.0 / near.seconds;
        let name = "gliding feet near transitions";
        rows.push(row(name, Some(per_s), bar, "a second"));
    }
    if let Some(glides) = q.glides
        && let (Some(near), Some(rate)) = (glides.slides.near, glides.near)
        && rate.seconds > 0.0
    {
        let rest = (q.seconds - rate.seconds).max(0.0);
        let away = (glides.slides.count - near) as f64 / rest.max(1.0);
        let bar = 1.2 * away.max(USUAL_SLIDES) + 1.0 / rate.seconds;
        let per_s = near as f64 / rate.seconds;
        rows.push(row("slides near transitions", Some(per_s), bar, "a second"));
    }
    rows.push(row(
        "leg stretch",
        Some(100.0 * (q.stretch.max - 1.0).max(0.0)),
        3.0,
        "%",
    ));
    // The pop ratio is the largest acceleration over the source's percentile: the same source, our percentile.
    if let (Some(own), Some(most), Some(ratio)) = (q.accel_m_s2.p999, q.accel_m_s2.max, q.pop_ratio)
    {
        let against = own * ratio / most.max(1e-9);
        rows.push(row("jolts, against the clips'", Some(against), 1.1, "×"));
    }
    rows
}
