//! Quality numbers as rows of text, for whoever shows them.

use super::Quality;

/// A header and rows of as many cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What the columns hold, with units.
    pub header: Vec<String>,
    /// One row per clip.
    pub rows: Vec<Vec<String>>,
}

type Column = (&'static str, fn(&Quality) -> String);

const COLUMNS: [Column; 19] = [
    ("file", |q| q.file.clone()),
    ("rate Hz", |q| trimmed(q.rate_hz)),
    ("seconds", |q| format!("{:.2}", q.seconds)),
    ("speed m/s", |q| number(q.speed_m_s.mean, 2)),
    ("plants", |q| q.contacts.plants.to_string()),
    ("skate cm/s", |q| number(q.skate_cm_s.mean, 2)),
    ("p95", |q| number(q.skate_cm_s.p95, 2)),
    ("worst plant cm", |q| number(q.worst_plant_cm, 2)),
    ("slides", |q| {
        number(q.glides.as_ref().map(|g| g.slides.count as f64), 0)
    }),
    ("glides", |q| {
        number(q.glides.as_ref().map(|g| g.count as f64), 0)
    }),
    ("longest cm", |q| {
        number(q.glides.as_ref().map(|g| g.longest_cm), 1)
    }),
    ("accel p99.9 m/s²", |q| number(q.accel_m_s2.p999, 1)),
    ("max", |q| number(q.accel_m_s2.max, 1)),
    ("knee rad/s", |q| number(q.knee_velocity_rad_s.max, 1)),
    ("stretch %", |q| {
        format!("{:.1}", 100.0 * (q.stretch.max - 1.0).max(0.0))
    }),
    ("drift mm", |q| format!("{:.1}", q.limb_drift_mm)),
    ("penetration cm", |q| number(q.penetration_cm.max, 1)),
    ("feet", |q| number(q.penetration_cm.feet, 1)),
    ("float cm", |q| number(q.float_cm.max, 1)),
];

/// The numbers of all clips as a table.
pub fn table(list: &[Quality]) -> Table {
    Table {
        header: COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        rows: list
            .iter()
            .map(|q| COLUMNS.iter().map(|(_, cell)| cell(q)).collect())
            .collect(),
    }
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".into(), |v| format!("{v:.digits$}"))
}

/// Whole rates without decimals.
fn trimmed(value: f64) -> String {
    if (value - value.round()).abs() < 1e-6 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}
