//! Bars a motion must not exceed, for builds that are gated on quality.

use super::Quality;

/// The most that is allowed; `None` is no bar.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QualityLimits {
    /// Mean skate, in cm/s.
    pub max_skate: Option<f64>,
    /// 95th percentile of skate, in cm/s.
    pub max_skate_p95: Option<f64>,
    /// Distance of a planted point from its plant's mean, in cm.
    pub max_plant: Option<f64>,
    /// The longest way a toe glides, in cm.
    pub max_glide: Option<f64>,
    /// Glides a second.
    pub max_glides: Option<f64>,
    /// The longest way a foot slides, low swings left out, in cm.
    pub max_slide: Option<f64>,
    /// Slides a second.
    pub max_slides: Option<f64>,
    /// Acceleration of any joint, in m/s².
    pub max_accel: Option<f64>,
    /// Angular acceleration of any joint, in rad/s².
    pub max_angular_accel: Option<f64>,
    /// Speed of a knee, in rad/s.
    pub max_knee_velocity: Option<f64>,
    /// How much longer than at rest a bone is, in per cent, e.g. 3.
    pub max_stretch: Option<f64>,
    /// Depth of any point of the body below the lowest floor, in cm.
    pub max_penetration: Option<f64>,
    /// Depth of a foot below the level it is on, in cm.
    pub max_feet_penetration: Option<f64>,
    /// Height above the floor while standing, in cm.
    pub max_float: Option<f64>,
    /// Distance at a loop's seam, in cm.
    pub max_seam: Option<f64>,
}

/// A bar that a motion exceeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Exceeded {
    /// Which number, by its JSON path, e.g. `skate_cm_s.mean`.
    pub field: &'static str,
    /// What it is; `None` where it could not be measured.
    pub value: Option<f64>,
    /// What is allowed.
    pub limit: f64,
    /// The whole as a sentence.
    pub message: String,
}

impl QualityLimits {
    /// The bars a motion exceeds; empty when it passes. A bar on a number that could not be measured counts
    /// as exceeded, and the sentence says why.
    pub fn check(&self, quality: &Quality) -> Vec<Exceeded> {
        let q = quality;
        let glides = q.glides.as_ref();
        let seam = q.loop_seam.map(|s| s.position_cm);
        let bars = [
            (self.max_skate, "skate_cm_s.mean", q.skate_cm_s.mean, "cm/s"),
            (
                self.max_skate_p95,
                "skate_cm_s.p95",
                q.skate_cm_s.p95,
                "cm/s",
            ),
            (self.max_plant, "worst_plant_cm", q.worst_plant_cm, "cm"),
            (
                self.max_glide,
                "glides.longest_cm",
                glides.map(|g| g.longest_cm),
                "cm",
            ),
            (
                self.max_glides,
                "glides.per_s",
                glides.map(|g| g.per_s),
                "a second",
            ),
            (
                self.max_slide,
                "glides.slides.longest_cm",
                glides.map(|g| g.slides.longest_cm),
                "cm",
            ),
            (
                self.max_slides,
                "glides.slides.per_s",
                glides.map(|g| g.slides.per_s),
                "a second",
            ),
            (self.max_accel, "accel_m_s2.max", q.accel_m_s2.max, "m/s²"),
            (
                self.max_angular_accel,
                "angular_accel_rad_s2.max",
                q.angular_accel_rad_s2.max,
                "rad/s²",
            ),
            (
                self.max_knee_velocity,
                "knee_velocity_rad_s.max",
                q.knee_velocity_rad_s.max,
                "rad/s",
            ),
            (
                self.max_stretch,
                "stretch.max_percent",
                Some(100.0 * (q.stretch.max - 1.0)),
                "%",
            ),
            (
                self.max_penetration,
                "penetration_cm.max",
                q.penetration_cm.max,
                "cm",
            ),
            (
                self.max_feet_penetration,
                "penetration_cm.feet",
                q.penetration_cm.feet,
                "cm",
            ),
            (self.max_float, "float_cm.max", q.float_cm.max, "cm"),
            (self.max_seam, "loop_seam.position_cm", seam, "cm"),
        ];
        bars.into_iter()
            .filter_map(|(limit, field, value, unit)| {
                let limit = limit?;
                // Not `value > limit`: a value that is no number must not pass.
                let passes = value.is_some_and(|v| v <= limit);
                (!passes).then(|| Exceeded {
                    field,
                    value,
                    limit,
                    message: sentence(q, field, value, limit, unit),
                })
            })
            .collect()
    }
}

/// What a number is, in words; its JSON path where it has none.
fn words(field: &str) -> &str {
    match field {
        "skate_cm_s.mean" => "the mean speed at which planted feet slide",
        "skate_cm_s.p95" => "the 95th percentile of the speed at which planted feet slide",
        "worst_plant_cm" => "how far a planted point strays from its plant's mean",
        "glides.longest_cm" => "the longest glide of a toe over the floor",
        "glides.per_s" => "how often toes glide over the floor",
        "glides.slides.longest_cm" => "the longest slide of a foot over the floor",
        "glides.slides.per_s" => "how often feet slide over the floor",
        "accel_m_s2.max" => "the largest acceleration of a joint",
        "angular_accel_rad_s2.max" => "the largest angular acceleration of a joint",
        "knee_velocity_rad_s.max" => "the fastest turn of a knee",
        "stretch.max_percent" => "the most a limb is stretched",
        "penetration_cm.max" => "how deep the body is below the floor",
        "penetration_cm.feet" => "how deep a foot is below the floor",
        "float_cm.max" => "how high a standing foot floats",
        "loop_seam.position_cm" => "the gap from the last frame to the first",
        other => other,
    }
}

fn sentence(q: &Quality, field: &str, value: Option<f64>, limit: f64, unit: &str) -> String {
    let (file, what) = (&q.file, words(field));
    match value {
        Some(value) => format!("{file}: {what} is {value:.3} {unit}, more than {limit} {unit}"),
        None => {
            let why = match (&q.contacts.reason, field.starts_with("loop_seam")) {
                (_, true) => "the seam was not looked at or the clip is too short",
                (Some(reason), _) => reason,
                (None, _) => "nothing stands long enough in this clip",
            };
            format!("{file}: {what} could not be measured: {why}")
        }
    }
}
