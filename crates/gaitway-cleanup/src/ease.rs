//! Corrections that are given in plants and fade between them, with continuous velocity.
//!
//! After a plant that ends with the correction V and its rate of change S (per frame), and before the next one,
//! `t` frames on, with W the window (or the gap, if that is shorter):
//!
//!   c(t) = V · α(t/W) + S · h(t/Wₛ) · Wₛ,    α(u) = 2u³ − 3u² + 1 [Kovar02, DESIGN 3.3],   h(u) = u (1 − u)²
//!
//! and the mirror image of it before the next plant. α(u) + α(1 − u) = 1, so in a short gap the correction is
//! carried over from one plant to the next. h has slope 1 at 0 and none at 1: with S the planted point, held still,
//! takes on the captured velocity gradually.

use glam::DVec3;

/// Over how many frames the rate of change at a border is measured.
pub(super) const SLOPE_FRAMES: usize = 2;

/// The cubic of DESIGN 3.3, from 1 at 0 to 0 at 1.
pub(super) fn alpha(u: f64) -> f64 {
    if u >= 1.0 {
        0.0
    } else {
        let u = u.max(0.0);
        (2.0 * u - 3.0) * u * u + 1.0
    }
}

/// Slope 1 at 0; no value at either end.
fn carry(u: f64) -> f64 {
    if u >= 1.0 {
        0.0
    } else {
        u * (1.0 - u) * (1.0 - u)
    }
}

/// One end of a gap: the correction there and how fast it changes, per frame, seen from the plant outwards.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Border {
    pub frame: usize,
    pub value: DVec3,
    pub slope: DVec3,
}

impl Border {
    /// A border at which nothing changes.
    pub fn still(frame: usize, value: DVec3) -> Self {
        Self {
            frame,
            value,
            slope: DVec3::ZERO,
        }
    }
}

/// Both ends of a gap, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    pub before: Option<Border>,
    pub after: Option<Border>,
}

impl Gap {
    /// What is between its ends.
    pub fn at(&self, frame: usize, window: usize) -> DVec3 {
        between(frame, self.before, self.after, window, window)
    }
}

/// The correction at a frame between plants.
pub(super) fn between(
    frame: usize,
    before: Option<Border>,
    after: Option<Border>,
    window: usize,
    slope_window: usize,
) -> DVec3 {
    let gap = match (before, after) {
        (Some(a), Some(b)) => b.frame - a.frame,
        _ => usize::MAX,
    };
    let side = |border: Option<Border>| {
        let Some(b) = border else { return DVec3::ZERO };
        let t = b.frame.abs_diff(frame) as f64;
        let (w, ws) = (window.min(gap) as f64, slope_window.min(gap) as f64);
        b.value * alpha(t / w) + b.slope * (carry(t / ws) * ws)
    };
    side(before) + side(after)
}

/// The last frames of the plant that is going on, from which its border is made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trail {
    last: [DVec3; SLOPE_FRAMES + 1],
    frame: usize,
    count: usize,
}

impl Trail {
    pub fn push(&mut self, frame: usize, value: DVec3) {
        if self.count > 0 && self.frame + 1 != frame {
            self.count = 0;
        }
        self.last.rotate_right(1);
        self.last[0] = value;
        self.frame = frame;
        self.count = (self.count + 1).min(SLOPE_FRAMES + 1);
    }

    /// The border as left behind; `None` before the first plant.
    pub fn border(&self) -> Option<Border> {
        let steps = self.count.checked_sub(1)?;
        Some(Border {
            frame: self.frame,
            value: self.last[0],
            slope: slope(self.last[0], self.last[steps], steps),
        })
    }
}

impl Trail {
    /// [`Trail::border`] without its slope.
    pub fn still(&self) -> Option<Border> {
        self.border().map(|b| Border::still(b.frame, b.value))
    }
}

/// Rate of change per frame towards `edge`, from a value `steps` frames further inside.
pub(super) fn slope(edge: DVec3, inside: DVec3, steps: usize) -> DVec3 {
    if steps == 0 {
        DVec3::ZERO
    } else {
        (edge - inside) / steps as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_begins_and_ends_with_the_plants_corrections_and_rates() {
        for gap in [2, 5, 30, 100] {
            let a = Border {
                frame: 10,
                value: DVec3::X,
                slope: DVec3::Y * 0.1,
            };
            let b = Border {
                frame: 10 + gap,
                value: DVec3::Z,
                slope: DVec3::ZERO,
            };
            let at = |f| between(f, Some(a), Some(b), 24, 10);
            assert!((at(10) - DVec3::X).length() < 1e-12);
            assert!((at(10 + gap) - DVec3::Z).length() < 1e-12);
            if gap == 100 {
                let rate = at(11) - at(10);
                assert!((rate.y - 0.1).abs() < 0.02 && rate.x.abs() < 0.01, "{rate}");
                assert_eq!(at(60), DVec3::ZERO);
            }
        }
    }

    #[test]
    fn a_plant_that_was_interrupted_starts_a_new_trail() {
        let mut trail = Trail::default();
        assert!(trail.border().is_none());
        trail.push(3, DVec3::X);
        trail.push(9, DVec3::Y);
        let border = trail.border().expect("pushed");
        assert_eq!(
            (border.frame, border.value, border.slope),
            (9, DVec3::Y, DVec3::ZERO)
        );
    }
}
