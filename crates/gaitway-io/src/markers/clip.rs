//! Marker trajectories as arrays.

use glam::DVec3;

use gaitway_core::{WarningCode, Warnings};

use crate::raw::UpAxis;

/// Recorded markers: places in metres, frame-major, with gaps. Axes are the file's until
/// [`MarkerClip::into_y_up`] turns them.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerClip {
    /// The markers' names, none twice.
    pub names: Vec<String>,
    /// Frames a second.
    pub rate_hz: f64,
    /// The file's unit of length as it spells it (`mm`).
    pub unit: String,
    /// Metres in that unit.
    pub unit_m: f64,
    /// The up axis where the file says so.
    pub up: Option<UpAxis>,
    /// Number of frames.
    pub frames: usize,
    /// How many frames the file holds or claims.
    pub frames_in_file: usize,
    /// Frame 0's markers, then frame 1's, in metres; zero where not visible.
    pub positions: Vec<DVec3>,
    /// Whether each marker was seen, in the order of `positions`.
    pub visible: Vec<bool>,
    /// What each point is where the file says that it is no place: `angle`, `force`, `moment`, `power` or `scalar`.
    pub quantities: Vec<Option<&'static str>>,
    /// What the reader found and repaired.
    pub warnings: Warnings,
}

impl MarkerClip {
    /// Number of markers.
    pub fn marker_count(&self) -> usize {
        self.names.len()
    }

    /// Frames over rate.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.rate_hz
    }

    /// Where a marker is in a frame, in metres; `None` in a gap or outside the clip.
    pub fn at(&self, frame: usize, marker: usize) -> Option<DVec3> {
        if frame >= self.frames || marker >= self.names.len() {
            return None;
        }
        let i = frame * self.names.len() + marker;
        self.visible[i].then(|| self.positions[i])
    }

    /// The marker of this exact name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// How many samples are missing.
    pub fn gap_count(&self) -> usize {
        self.visible.iter().filter(|v| !**v).count()
    }

    /// The axis that looks most like up: a body's markers keep their heights, and these differ most.
    ///
    ///   argmax over axes of  var over markers (mean over time) / (mean over markers (var over time) + s²)
    ///
    /// with s = 5 cm, so that trials where nobody moves are decided by the body's extent alone. `None` when
    /// fewer than three markers are seen or none differs.
    pub fn guess_up(&self) -> Option<UpAxis> {
        let score = self.up_scores()?;
        let axes = [UpAxis::X, UpAxis::Y, UpAxis::Z];
        let best = (0..3).max_by(|&a, &b| score[a].total_cmp(&score[b]))?;
        (score[best] > 0.0).then_some(axes[best])
    }

    /// Notes when the markers speak clearly against the axis the file says is up. The file's word is kept.
    pub(super) fn doubt_up(&mut self) {
        const CLEARLY: f64 = 4.0;
        let (Some(said), Some(score)) = (self.up, self.up_scores()) else {
            return;
        };
        let index = |up: UpAxis| match up {
            UpAxis::X => 0,
            UpAxis::Y => 1,
            UpAxis::Z => 2,
        };
        if let Some(guess) = self.guess_up()
            && score[index(guess)] > CLEARLY * score[index(said)]
        {
            let message = format!(
                "the file says {} is up, the markers look as if {} were; the file's word was kept",
                said.as_str(),
                guess.as_str()
            );
            self.warnings.add(WarningCode::Unusual, message);
        }
    }

    /// The score of [`MarkerClip::guess_up`] for x, y and z.
    fn up_scores(&self) -> Option<DVec3> {
        const STILL_M2: f64 = 0.05 * 0.05;
        let mut means = Vec::new();
        let mut within = DVec3::ZERO;
        for marker in 0..self.marker_count() {
            let (mut n, mut mean, mut squares) = (0.0, DVec3::ZERO, DVec3::ZERO);
            for place in (0..self.frames).filter_map(|f| self.at(f, marker)) {
                n += 1.0;
                let off = place - mean;
                mean += off / n;
                squares += off * (place - mean);
            }
            if n > 0.0 {
                means.push(mean);
                within += squares / n;
            }
        }
        if means.len() < 3 {
            return None;
        }
        let count = means.len() as f64;
        let centre = means.iter().sum::<DVec3>() / count;
        let between: DVec3 = means.iter().map(|m| (*m - centre) * (*m - centre)).sum();
        Some((between / count) / (within / count + DVec3::splat(STILL_M2)))
    }

    /// The same markers with Y up. An axis that is not Y is told.
    pub fn into_y_up(mut self, up: UpAxis) -> Self {
        if up != UpAxis::Y {
            for p in &mut self.positions {
                // Exact: the turn only exchanges coordinates.
                *p = match up {
                    UpAxis::Z => DVec3::new(p.y, p.z, p.x),
                    UpAxis::X => DVec3::new(p.z, p.x, p.y),
                    UpAxis::Y => *p,
                };
            }
            let message = format!("{} is up in the file; turned to Y up", up.as_str());
            self.warnings.add(WarningCode::UpAxisTurned, message);
        }
        self.up = Some(UpAxis::Y);
        self
    }
}

/// Metres in a unit as marker files spell it, in any letter case.
pub(super) fn metres_in(unit: &str) -> Option<f64> {
    Some(match unit.trim().to_ascii_lowercase().as_str() {
        "mm" | "millimeters" | "millimetres" | "millimeter" | "millimetre" => 1e-3,
        "cm" | "centimeters" | "centimetres" | "centimeter" | "centimetre" => 1e-2,
        "dm" => 1e-1,
        "m" | "meters" | "metres" | "meter" | "metre" => 1.0,
        "in" | "inch" | "inches" => 0.0254,
        "ft" | "feet" | "foot" => 0.3048,
        _ => return None,
    })
}

/// Makes names of labels: none empty (`*1`, `*2`, … by their place), none twice (`LTOE`, `LTOE 2`, …).
pub(super) fn unique_names(labels: Vec<String>, warnings: &mut Warnings) -> Vec<String> {
    use std::collections::{HashMap, HashSet};
    let mut taken: HashSet<String> = labels.iter().cloned().collect();
    let mut next: HashMap<String, usize> = HashMap::new();
    let mut used = HashSet::with_capacity(labels.len());
    let (mut named, mut renamed) = (0, 0);
    let names = (labels.into_iter().enumerate())
        .map(|(i, label)| {
            let base = if label.is_empty() {
                named += 1;
                format!("*{}", i + 1)
            } else {
                label
            };
            if used.insert(base.clone()) {
                return base;
            }
            renamed += 1;
            // Counting goes on where it stopped, so that many equal names stay cheap.
            let number = next.entry(base.clone()).or_insert(2);
            loop {
                let name = format!("{base} {number}");
                *number += 1;
                if taken.insert(name.clone()) && used.insert(name.clone()) {
                    return name;
                }
            }
        })
        .collect();
    if named > 0 {
        let message = format!("{named} markers have no name; they are called by their number (*1)");
        warnings.add(WarningCode::RenamedJoints, message);
    }
    if renamed > 0 {
        let message = format!("{renamed} markers share a name with another and were numbered");
        warnings.add(WarningCode::RenamedJoints, message);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_unique() {
        let labels = ["A", "A", "", "A 2", "*3", "A"].map(String::from).to_vec();
        let mut warnings = Warnings::new();
        let names = unique_names(labels, &mut warnings);
        assert_eq!(names, ["A", "A 3", "*3", "A 2", "*3 2", "A 4"]);
        assert_eq!(warnings.len(), 2);
    }
}
