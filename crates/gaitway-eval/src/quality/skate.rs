//! Footskate: feet that should stand and do not.

use gaitway_core::contacts::Detection;
use glam::DVec3;

use super::{Event, MeanP95, Measured, PlantQuality, mean, quantile, worst_first};

/// Frames at each border of a detected plant whose standing is a matter of opinion.
const BORDER: usize = 2;

pub(super) struct Skate {
    pub speeds: MeanP95,
    pub worst_plant_cm: Option<f64>,
    pub plants: Vec<PlantQuality>,
}

/// Speeds and distances over all plants; `detected` when contacts were found here and borders are left out.
pub(super) fn measure(measured: &Measured<'_>, detected: Option<&Detection>) -> Skate {
    let mut out = Skate {
        speeds: MeanP95::default(),
        worst_plant_cm: None,
        plants: Vec::new(),
    };
    let Some(track) = measured.track else {
        return out;
    };
    let rate = measured.clip.rate_hz();
    let border = if detected.is_some() { BORDER } else { 0 };
    let mut samples = Vec::new();
    for (index, point) in track.points().iter().enumerate() {
        for frames in track.plants(index) {
            let (start, end) = (frames.start + border, frames.end.saturating_sub(border));
            let place = |f: usize| measured.world.at(f, point.point.index());
            let before = samples.len();
            samples.extend((start + 1..end).map(|f| {
                let step = place(f) - place(f - 1);
                100.0 * step.x.hypot(step.z) * rate
            }));
            let moved = (start < end).then(|| {
                let count = (end - start) as f64;
                let middle = (start..end).map(place).sum::<DVec3>() / count;
                let farthest = (start..end).map(|f| place(f).distance(middle));
                100.0 * farthest.fold(0.0, f64::max)
            });
            let confidence = detected
                .and_then(|d| {
                    let same = |p: &&gaitway_core::contacts::Plant| {
                        p.point == index && p.frames.start == frames.start
                    };
                    d.plants.iter().find(same)
                })
                .map(|p| p.confidence);
            out.plants.push(PlantQuality {
                point: point.name.clone(),
                start_s: frames.start as f64 / rate,
                end_s: frames.end as f64 / rate,
                skate_cm_s: mean(&samples[before..]),
                moved_cm: moved,
                confidence,
            });
        }
    }
    out.plants.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
    out.worst_plant_cm = out
        .plants
        .iter()
        .filter_map(|p| p.moved_cm)
        .max_by(f64::total_cmp);
    out.speeds = MeanP95 {
        mean: mean(&samples),
        p95: quantile(&mut samples, 0.95),
    };
    out
}

impl Skate {
    /// Plants that skate visibly: faster than 2 cm/s on average.
    pub fn events(&self, most: usize) -> Vec<Event> {
        const VISIBLE_CM_S: f64 = 2.0;
        let skating = |p: &PlantQuality| {
            let value = p.skate_cm_s.filter(|v| *v > VISIBLE_CM_S)?;
            Some(Event {
                kind: "skate".into(),
                start_s: p.start_s,
                end_s: p.end_s,
                point: p.point.clone(),
                value,
                unit: "cm/s".into(),
            })
        };
        worst_first(self.plants.iter().filter_map(skating).collect(), most)
    }
}
