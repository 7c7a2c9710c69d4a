//! Whether a header's rate can be true. In flight nothing holds the body, so the hips must fall at about
//! 9.8 m/s². Played at the wrong rate they do not: at twice the true rate they seem to fall four times as
//! fast. Few clips have a flight, so the evidence of all clips of one skeleton (one capture day, one
//! system) is pooled.

use gaitway_core::anatomy::Anatomy;
use gaitway_core::clip_set::OFFSET_TOLERANCE;
use gaitway_core::{Clip, PointIdx, WarningCode, fk};

use super::Import;

const GRAVITY: f64 = 9.81;
/// A pooled fall off by more than this factor is no longer a matter of posture in the air.
const IMPLAUSIBLE: f64 = 2.0;
/// Rates that cameras and converters use.
const USUAL_RATES: [f64; 12] = [
    24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 200.0, 240.0, 250.0,
];

/// Flights found in a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlightEvidence {
    /// Per flight: how fast the hips fall, in metres per frame², and over how many frames.
    pub falls: Vec<(f64, usize)>,
}

/// Looks for flights: stretches in which every foot point is clearly above where it stands, and the hips
/// follow a parabola.
pub fn flight_evidence(clip: &Clip) -> FlightEvidence {
    /// Higher than any toe or heel rises while the other end of the foot still stands.
    const CLEAR_M: f64 = 0.05;
    const SHORTEST: usize = 6;
    /// Residual of a true parabola: capture noise, not a pushing leg.
    const FIT_M: f64 = 0.004;
    let anatomy = Anatomy::of_clip(clip);
    let (Some(legs), true) = (anatomy.both_legs(), clip.frame_count() > 3 * SHORTEST) else {
        return FlightEvidence::default();
    };
    let feet: Vec<PointIdx> = legs
        .iter()
        .flat_map(|l| [Some(l.ankle.into()), l.toe.map(PointIdx::from), l.tip])
        .flatten()
        .collect();
    let points = fk::world_points(clip);
    let stands: Vec<f64> = feet
        .iter()
        .map(|&p| low_height(points.track(p).map(|v| v.y)))
        .collect();
    let hips: Vec<f64> = points.track(anatomy.pelvis.into()).map(|v| v.y).collect();
    let in_air = |f: usize| {
        feet.iter()
            .zip(&stands)
            .all(|(p, low)| points.at(f, p.index()).y - low > CLEAR_M)
    };
    let mut falls = Vec::new();
    let mut start = None;
    for f in 0..=clip.frame_count() {
        let flies = f < clip.frame_count() && in_air(f);
        match (flies, start) {
            (true, None) => start = Some(f),
            (false, Some(s)) => {
                start = None;
                if f - s >= SHORTEST {
                    let (acceleration, residual) = parabola(&hips[s..f]);
                    if acceleration < 0.0 && residual < FIT_M {
                        falls.push((-acceleration, f - s));
                    }
                }
            }
            _ => {}
        }
    }
    FlightEvidence { falls }
}

/// Where a point stands: the height that 5 % of its frames lie below.
fn low_height(heights: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = heights.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 20]
}

/// Least-squares parabola through evenly spaced values: second derivative per step² and RMS residual. The
/// orthogonal polynomials of degree 0 to 2 make it three sums.
fn parabola(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let middle = (n - 1.0) / 2.0;
    let mean = values.iter().sum::<f64>() / n;
    let square_mean = (n * n - 1.0) / 12.0;
    let (mut slope, mut bend, mut slope_norm, mut bend_norm) = (0.0, 0.0, 0.0, 0.0);
    for (i, v) in values.iter().enumerate() {
        let t = i as f64 - middle;
        let q = t * t - square_mean;
        slope += v * t;
        slope_norm += t * t;
        bend += v * q;
        bend_norm += q * q;
    }
    let (slope, bend) = (slope / slope_norm, bend / bend_norm);
    let square: f64 = values
        .iter()
        .enumerate()
        .map(|(i, v)| {
            let t = i as f64 - middle;
            (v - mean - slope * t - bend * (t * t - square_mean)).powi(2)
        })
        .sum();
    (2.0 * bend, (square / n).sqrt())
}

/// Pools the evidence over all clips of one skeleton and header rate, and warns on each clip of a group
/// whose falls do not fit. Clips whose rate the user gave are left out.
pub fn pool_rates(imports: &mut [Import]) {
    let evidence: Vec<FlightEvidence> = imports
        .iter()
        .map(|import| flight_evidence(&import.clip))
        .collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, import) in imports.iter().enumerate() {
        if import.warnings.has(WarningCode::RateOverridden) {
            continue;
        }
        let home = groups.iter_mut().find(|g| {
            let first = &imports[g[0]].clip;
            first.rate_hz() == import.clip.rate_hz()
                && first
                    .skeleton()
                    .agrees(import.clip.skeleton(), OFFSET_TOLERANCE)
        });
        match home {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    for group in groups {
        let falls: Vec<(f64, usize)> = group
            .iter()
            .flat_map(|&i| evidence[i].falls.iter().copied())
            .collect();
        let rate = imports[group[0]].clip.rate_hz();
        let Some((fall, suggested)) = judge(&falls, rate) else {
            continue;
        };
        for i in group {
            imports[i].warnings.add_value(
                WarningCode::RateImplausible,
                format!(
                    "in {} flights of this skeleton the hips fall at {fall:.1} m/s² when played at {rate:.0} Hz; \
                     9.8 fits {suggested:.0} Hz (--source-fps {suggested:.0})",
                    falls.len()
                ),
                "suggested_rate_hz",
                suggested,
            );
        }
    }
}

/// The pooled fall at this rate and a better rate, when the fall is implausible, the flights agree among
/// themselves, and a usual rate explains them: feet that hover above a sloping floor do neither.
fn judge(falls: &[(f64, usize)], rate_hz: f64) -> Option<(f64, f64)> {
    let quartile = |q: f64| weighted_quantile(falls, q);
    let (low, middle, high) = (quartile(0.25)?, quartile(0.5)?, quartile(0.75)?);
    let fall = middle * rate_hz * rate_hz;
    let ratio = fall / GRAVITY;
    if (1.0 / IMPLAUSIBLE..=IMPLAUSIBLE).contains(&ratio) || high > 2.0 * low {
        return None;
    }
    let fitting = rate_hz / ratio.sqrt();
    let off = |r: f64| (r / fitting).ln().abs();
    let nearest = USUAL_RATES
        .into_iter()
        .min_by(|a, b| off(*a).total_cmp(&off(*b)))?;
    (off(nearest) < 0.2).then_some((fall, nearest))
}

fn weighted_quantile(values: &[(f64, usize)], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted = share * sorted.iter().map(|v| v.1).sum::<usize>() as f64;
    let mut seen = 0.0;
    sorted.into_iter().find_map(|(value, weight)| {
        seen += weight as f64;
        (seen >= wanted).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_found_exactly() {
        let values: Vec<f64> = (0..20)
            .map(|i| 1.0 + 0.3 * i as f64 - 0.02 * (i * i) as f64)
            .collect();
        let (acceleration, residual) = parabola(&values);
        assert!((acceleration + 0.04).abs() < 1e-12 && residual < 1e-12);
    }

    #[test]
    fn a_rate_twice_too_high_is_seen_and_half_is_suggested() {
        let per_frame = GRAVITY / (60.0 * 60.0);
        let falls = [
            (per_frame * 0.9, 20),
            (per_frame * 1.1, 18),
            (per_frame * 3.0, 2),
        ];
        let (fall, suggested) = judge(&falls, 120.0).expect("implausible");
        assert_eq!(suggested, 60.0);
        assert!((fall / GRAVITY - 4.0).abs() < 0.5);
        assert_eq!(judge(&falls, 60.0), None);
        assert_eq!(judge(&[], 60.0), None);
    }
}
