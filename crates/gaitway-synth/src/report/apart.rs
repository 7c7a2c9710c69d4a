//! Whether people of a crowd walk through each other: looked up on all finished motions together.
//!
//! Each was searched among those planned before, at working frames and with a margin; blends, bending and planted feet come after that. So
//! the motions that are handed out are held against each other again, on the crowd's clock.

use glam::DVec2;

use super::constraints::ConstraintRow;
use crate::path::{PathMotion, PathOptions};

/// One under way.
struct Way {
    /// Among the motions.
    which: usize,
    starts_s: f64,
    rate_hz: f64,
    roots: Vec<DVec2>,
    low: DVec2,
    high: DVec2,
}

impl Way {
    fn of(which: usize, motion: &PathMotion) -> Option<Self> {
        let (starts_s, clip) = (motion.walk.start_s?, motion.clip()?);
        let roots: Vec<DVec2> = clip.root().iter().map(|p| DVec2::new(p.x, p.z)).collect();
        let first = *roots.first()?;
        Some(Self {
            which,
            starts_s,
            rate_hz: clip.rate_hz(),
            low: roots.iter().fold(first, |a, &p| a.min(p)),
            high: roots.iter().fold(first, |a, &p| a.max(p)),
            roots,
        })
    }

    fn ends_s(&self) -> f64 {
        self.starts_s + (self.roots.len() - 1) as f64 / self.rate_hz
    }

    /// Where the root is at a moment of the crowd's clock.
    fn at(&self, clock_s: f64) -> Option<DVec2> {
        let place = (clock_s - self.starts_s) * self.rate_hz;
        // A moment is a sum of two roundings.
        let place = if place > -1e-6 { place.max(0.0) } else { place };
        if place < 0.0 {
            return None;
        }
        let frame = place as usize;
        let from = *self.roots.get(frame)?;
        let to = self.roots.get(frame + 1).copied().unwrap_or(from);
        Some(from.lerp(to, place - frame as f64))
    }

    /// When another is nearest, and how near, metres; nothing where they are never there together, or never nearer than `near`.
    fn nearest(&self, other: &Self, near: f64) -> Option<(f64, f64)> {
        let apart = (self.low - other.high).max(other.low - self.high);
        if apart.max_element() > near {
            return None;
        }
        let from = ((other.starts_s - self.starts_s) * self.rate_hz).max(0.0) as usize;
        let mut out: Option<(f64, f64)> = None;
        for (k, &p) in self.roots.iter().enumerate().skip(from) {
            let clock_s = self.starts_s + k as f64 / self.rate_hz;
            if clock_s > other.ends_s() {
                break;
            }
            let Some(q) = other.at(clock_s) else { continue };
            let m = p.distance(q);
            if m <= near && out.is_none_or(|o| m < o.1) {
                out = Some((clock_s, m));
            }
        }
        out
    }
}

/// Holds the motions of a crowd against each other and has the report of each say how near the nearest came; whoever walks through
/// another no longer counts as solved. For motions that are no crowd's this does nothing.
pub fn keep_apart(motions: &mut [PathMotion], options: &PathOptions) {
    /// Who stays further off than this is not worth a word, metres between bodies.
    const TOLD_M: f64 = 1.0;
    let bodies = 2.0 * options.body_radius_m;
    let mut ways: Vec<Way> = motions
        .iter()
        .enumerate()
        .filter_map(|(k, m)| Way::of(k, m))
        .collect();
    ways.sort_by(|a, b| a.starts_s.total_cmp(&b.starts_s));
    // Per motion: the other, when, how near.
    let mut nearest: Vec<Option<(usize, f64, f64)>> = vec![None; motions.len()];
    for (k, one) in ways.iter().enumerate() {
        let later = ways[k + 1..].iter();
        for other in later.take_while(|o| o.starts_s <= one.ends_s()) {
            let Some((clock_s, m)) = one.nearest(other, bodies + TOLD_M) else {
                continue;
            };
            for (who, whom) in [(one.which, other.which), (other.which, one.which)] {
                if nearest[who].is_none_or(|n| m < n.2) {
                    nearest[who] = Some((whom, clock_s, m));
                }
            }
        }
    }
    for (motion, found) in motions.iter_mut().zip(nearest) {
        let (Some((whom, clock_s, m)), Some(start_s)) = (found, motion.walk.start_s) else {
            continue;
        };
        let kept = m >= bodies;
        motion.report.constraints.push(ConstraintRow {
            what: "others",
            asked: "bodies apart from everybody else's".to_owned(),
            found: format!("{:.2} m between bodies, person {}", m - bodies, whom + 1),
            time_s: clock_s - start_s,
            kept,
            number: None,
        });
        if !kept && motion.report.status == "Solved" {
            motion.report.status = "ConstraintMissed";
        }
    }
}
