//! How far along its path a walk is.
//!
//! The paper's measure is the walk's own arc length, t ← t + max(ds, γ). The root sways, so its way is longer than the path below it, and a
//! walk that is held to it saves the difference by cutting corners; and what it is once ahead or behind it stays. With
//! the sway taken out of ds, and with h, how far the root is ahead of P(t) along the path, drawn in as it walks,
//!
//!   t ← t + max(ds (1 + clamp(κ h, ±ρ)), γ)
//!
//! neither is so: what a walk is ahead by goes to nothing within 1/κ metres, and no search is worth less at the end of a long path than
//! at its start.

use glam::DVec2;

use super::Path;

/// κ: a lead is drawn in over so many metres.
const OVER_M: f64 = 5.0;
/// ρ: by no more than this part of the way walked, so that strokes there and back are told apart.
const MOST: f64 = 0.3;

/// What is told of a path where a walk is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub at: DVec2,
    /// Its direction, a unit vector; nothing at the path's end.
    pub along: DVec2,
    pub straight: bool,
}

/// A walk's arc length as a search has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Without sway, leads drawn in; else the paper's.
    pub smooth: bool,
    /// γ.
    pub least_m: f64,
}

impl Progress {
    /// What a step of the way by `ds` adds, with the root `lead` metres ahead of P(t) before it.
    #[inline]
    pub fn step(self, ds: f64, lead: f64) -> f64 {
        let drawn = if self.smooth {
            ds * (1.0 + (lead / OVER_M).clamp(-MOST, MOST))
        } else {
            ds
        };
        drawn.max(self.least_m)
    }
}

impl Progress {
    /// What a step of the way by `ds` adds at most, with a root that is no more than so far ahead.
    pub fn most(self, ds: f64, lead: f64) -> f64 {
        self.step(ds, lead.max(0.0))
    }
}

/// How far ahead of P(t) a root is, metres along the path.
#[inline]
pub(crate) fn lead(place: &Place, root: DVec2) -> f64 {
    (root - place.at).dot(place.along)
}

/// Distances of places to where the path is at the walk's arc length, given the steps of its way.
pub(crate) fn errors(path: &Path, progress: Progress, places: &[DVec2], steps: &[f64]) -> Vec<f64> {
    let (mut arc, mut ahead) = (0.0, 0.0);
    let one = |(k, (&p, &ds)): (usize, (&DVec2, &f64))| {
        if k > 0 {
            arc += progress.step(ds, ahead);
        }
        let place = path.look(arc);
        ahead = lead(&place, p);
        p.distance(place.at)
    };
    places.iter().zip(steps).enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root that goes straight along a line, 2 m ahead of where its walk is taken to be, or behind.
    #[test]
    fn a_lead_is_drawn_in_and_the_walk_always_goes_on() {
        let line = vec![DVec2::ZERO, DVec2::new(100.0, 0.0)];
        let path = Path::new(line, false).expect("a line");
        let progress = Progress {
            smooth: true,
            least_m: 0.002,
        };
        for off in [2.0, -2.0] {
            let places: Vec<DVec2> = (0..1000)
                .map(|k| DVec2::new(10.0 + off + 0.05 * f64::from(k), 0.0))
                .collect();
            let mut arc = 10.0;
            let mut ahead = off;
            for p in &places[1..] {
                let step = progress.step(0.05, ahead);
                assert!(step >= 0.002, "{step}");
                arc += step;
                ahead = lead(&path.look(arc), *p);
            }
            assert!(ahead.abs() < 1e-3, "{ahead}");
        }
    }
}
