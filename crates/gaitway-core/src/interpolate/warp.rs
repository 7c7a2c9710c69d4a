//! Which moment of each source plays when: a smooth, rising curve through moments that correspond.
//!
//! Between two moments that correspond (a foot comes down in both) each source plays as fast as it must. Were that speed the same all the
//! way, it would leap at every such moment; so time runs along a monotone cubic (Fritsch and Carlson 1980): one curve through all
//! moments, with a speed that changes without leaps and never turns back.

/// A rising curve through knots, of continuous slope.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Warp {
    at: Vec<f64>,
    value: Vec<f64>,
    slope: Vec<f64>,
}

impl Warp {
    /// Through `value[k]` at `at[k]`; both rise, and there are at least two.
    pub fn new(at: Vec<f64>, value: Vec<f64>) -> Self {
        let n = at.len();
        let secant = |k: usize| (value[k + 1] - value[k]) / (at[k + 1] - at[k]);
        let slope = |k: usize| match k {
            0 => secant(0),
            k if k + 1 == n => secant(k - 1),
            k => {
                // The harmonic mean, weighted by the lengths on both sides: at most three times the lesser, so that the curve rises.
                let (a, b) = (secant(k - 1), secant(k));
                let (left, right) = (at[k] - at[k - 1], at[k + 1] - at[k]);
                let (p, q) = (2.0 * right + left, right + 2.0 * left);
                (p + q) / (p / a + q / b)
            }
        };
        let slope = (0..n).map(slope).collect();
        Self { at, value, slope }
    }

    /// Its value; beyond both ends it goes on as it was.
    pub fn value(&self, at: f64) -> f64 {
        let last = self.at.len() - 1;
        if at <= self.at[0] {
            return self.value[0] + (at - self.at[0]) * self.slope[0];
        }
        if at >= self.at[last] {
            return self.value[last] + (at - self.at[last]) * self.slope[last];
        }
        let k = self.at.partition_point(|&x| x <= at) - 1;
        let length = self.at[k + 1] - self.at[k];
        let t = (at - self.at[k]) / length;
        let rise = self.value[k + 1] - self.value[k];
        // The straight line, and what the slopes at both ends differ from it: a line stays a line to the bit.
        let (from, to) = (
            length * self.slope[k] - rise,
            length * self.slope[k + 1] - rise,
        );
        self.value[k] + t * rise + t * (1.0 - t) * (from * (1.0 - t) - to * t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_goes_through_its_knots_and_rises(steps in prop::collection::vec((1.0_f64..20.0, 1.0_f64..20.0), 1..8)) {
            let (mut at, mut value) = (vec![0.0], vec![5.0]);
            for (a, v) in &steps {
                at.push(at[at.len() - 1] + a);
                value.push(value[value.len() - 1] + v);
            }
            let warp = Warp::new(at.clone(), value.clone());
            for (a, v) in at.iter().zip(&value) {
                prop_assert!((warp.value(*a) - v).abs() < 1e-9);
            }
            let end = at[at.len() - 1] + 3.0;
            let mut before = f64::NEG_INFINITY;
            for k in -30..(end * 10.0) as i32 {
                let now = warp.value(f64::from(k) / 10.0);
                prop_assert!(now >= before - 1e-12);
                before = now;
            }
            // Its slope does not leap at knots.
            for &a in &at {
                let (left, right) = (warp.value(a) - warp.value(a - 1e-6), warp.value(a + 1e-6) - warp.value(a));
                prop_assert!((left - right).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_line_stays_a_line() {
        let warp = Warp::new(vec![0.0, 7.0, 20.0, 23.0], vec![11.0, 18.0, 31.0, 34.0]);
        for f in 0..40 {
            assert_eq!(warp.value(f64::from(f) - 5.0), f64::from(f) + 6.0);
        }
    }
}
