//! Curves over time, all closed forms of t, so that a take can be sampled at any rate.
//!
//! - [`Curve`]: values at key times, joined by monotone cubics: it never overshoots and it rests where two
//!   keys are equal. C¹; [`Curve::smooth`] averages it over a short window, which rounds its corners.
//! - [`Knots`]: place, speed and acceleration at key times, joined by quintics: C², and a parabola between two
//!   knots of one parabola, so a flight falls exactly.

/// Values at key times.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    keys: Vec<(f64, f64)>,
}

impl Curve {
    /// The same value for ever.
    pub(super) fn constant(value: f64) -> Self {
        Self {
            keys: vec![(-1e3, value)],
        }
    }

    /// Adds a key; later keys are dropped, so a plan can be changed from a time on.
    pub(super) fn key(&mut self, t: f64, value: f64) {
        while self.keys.last().is_some_and(|k| k.0 > t - 1e-6) && self.keys.len() > 1 {
            self.keys.pop();
        }
        self.keys.push((t, value));
    }

    /// Stays as it is until `from`, then reaches `value` at `to`.
    pub(super) fn ease(&mut self, from: f64, to: f64, value: f64) {
        let now = self.at(from);
        self.key(from, now);
        self.key(to, value);
    }

    /// The value of the last key.
    pub(super) fn last(&self) -> f64 {
        self.keys.last().map_or(0.0, |k| k.1)
    }

    /// The value at a time.
    pub(super) fn at(&self, t: f64) -> f64 {
        let k = &self.keys;
        let next = k.partition_point(|key| key.0 <= t);
        if next == 0 {
            return k.first().map_or(0.0, |key| key.1);
        }
        if next == k.len() {
            return k[next - 1].1;
        }
        let (a, b) = (k[next - 1], k[next]);
        hermite(
            (t - a.0) / (b.0 - a.0),
            b.0 - a.0,
            (a.1, self.slope(next - 1)),
            (b.1, self.slope(next)),
        )
    }

    /// Slope at a key: the harmonic mean of its neighbours' (Fritsch and Butland), 0 at extremes and ends.
    fn slope(&self, i: usize) -> f64 {
        let k = &self.keys;
        if i == 0 || i + 1 >= k.len() {
            return 0.0;
        }
        let (h0, h1) = (k[i].0 - k[i - 1].0, k[i + 1].0 - k[i].0);
        let (d0, d1) = ((k[i].1 - k[i - 1].1) / h0, (k[i + 1].1 - k[i].1) / h1);
        if d0 * d1 <= 0.0 {
            return 0.0;
        }
        let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
        (w0 + w1) / (w0 / d0 + w1 / d1)
    }

    /// The value averaged over `t ± half` by a raised cosine.
    pub(super) fn smooth(&self, t: f64, half: f64) -> f64 {
        averaged(t, half, |t| self.at(t))
    }
}

/// A function averaged over `t ± half` by a raised cosine of seven taps.
pub(super) fn averaged(t: f64, half: f64, f: impl Fn(f64) -> f64) -> f64 {
    // (1 + cos(π i / 4)) / 8 for i = 0…3: they sum to 1 over −3…3.
    const TAPS: [f64; 4] = [
        0.25,
        0.213_388_347_648_318_44,
        0.125,
        0.036_611_652_351_681_56,
    ];
    let mut sum = TAPS[0] * f(t);
    for (i, w) in TAPS.iter().enumerate().skip(1) {
        let dt = half * i as f64 / 4.0;
        sum += w * (f(t - dt) + f(t + dt));
    }
    sum
}

/// The cubic with given ends and slopes, `u` in 0…1 over `span` seconds.
pub(super) fn hermite(u: f64, span: f64, a: (f64, f64), b: (f64, f64)) -> f64 {
    let (u2, u3) = (u * u, u * u * u);
    a.0 * (2.0 * u3 - 3.0 * u2 + 1.0)
        + b.0 * (3.0 * u2 - 2.0 * u3)
        + span * (a.1 * (u3 - 2.0 * u2 + u) + b.1 * (u3 - u2))
}

/// 0 below 0, 1 above 1, and 6u⁵ − 15u⁴ + 10u³ between: C² everywhere.
pub(super) fn ramp(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (u * (6.0 * u - 15.0) + 10.0)
}

/// How far along a way one is at `u` in 0…1: speed rises over the first `rise`, holds, and falls over the
/// last `fall` of the time (`rise + fall ≤ 1`). C², at rest at both ends.
pub(super) fn travel(u: f64, rise: f64, fall: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    let speed = 1.0 / (1.0 - 0.5 * (rise + fall));
    // The integral of 3x² − 2x³.
    let area = |x: f64| x * x * x * (1.0 - 0.5 * x);
    if u < rise {
        speed * rise * area(u / rise)
    } else if u <= 1.0 - fall {
        speed * (0.5 * rise + (u - rise))
    } else {
        1.0 - speed * fall * area((1.0 - u) / fall)
    }
}

/// The smaller of two, rounded where they are within `k` of one another (never above either). C².
pub(super) fn soft_min(a: f64, b: f64, k: f64) -> f64 {
    let h = (1.0 - (a - b).abs() / k).max(0.0);
    a.min(b) - h * h * h * k / 6.0
}

/// Place, speed and acceleration at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    pub(super) t: f64,
    pub(super) y: f64,
    pub(super) v: f64,
    pub(super) a: f64,
}

/// A C² curve through knots; at rest before the first and after the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Knots(pub(super) Vec<Knot>);

impl Knots {
    /// The value at a time.
    pub(super) fn at(&self, t: f64) -> f64 {
        let next = self.0.partition_point(|k| k.t <= t);
        if next == 0 {
            return self.0.first().map_or(0.0, |k| k.y);
        }
        let Some(b) = self.0.get(next) else {
            return self.0[next - 1].y;
        };
        quintic(&self.0[next - 1], b, t)
    }
}

fn quintic(a: &Knot, b: &Knot, t: f64) -> f64 {
    let h = b.t - a.t;
    let u = (t - a.t) / h;
    // In u: y0 + v0 u + a0/2 u² + c3 u³ + c4 u⁴ + c5 u⁵.
    let (v0, a0) = (a.v * h, 0.5 * a.a * h * h);
    let (v1, a1) = (b.v * h, 0.5 * b.a * h * h);
    let d = b.y - a.y - v0 - a0;
    let dv = v1 - v0 - 2.0 * a0;
    let da = a1 - a0;
    let c3 = 10.0 * d - 4.0 * dv + da;
    let c4 = -15.0 * d + 7.0 * dv - 2.0 * da;
    let c5 = 6.0 * d - 3.0 * dv + da;
    a.y + u * (v0 + u * (a0 + u * (c3 + u * (c4 + u * c5))))
}

/// Slow, endless wandering: three sines that never meet, for breath of life in what stands still.
#[derive(Clone, Debug, Default)]
pub(super) struct Wander {
    waves: [(f64, f64); 3],
}

impl Wander {
    /// Periods around `period` seconds.
    pub(super) fn new(rng: &mut super::rng::Rng, period: f64) -> Self {
        let wave = |rng: &mut super::rng::Rng, f: f64| {
            let turns = f * rng.range(0.85, 1.15) / period;
            (
                turns * std::f64::consts::TAU,
                rng.range(0.0, std::f64::consts::TAU),
            )
        };
        Self {
            waves: [wave(rng, 0.62), wave(rng, 1.0), wave(rng, 1.7)],
        }
    }

    /// About −1 … 1.
    pub(super) fn at(&self, t: f64) -> f64 {
        let [a, b, c] = self.waves.map(|(w, p)| (w * t + p).sin());
        0.45 * a + 0.35 * b + 0.2 * c
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flight_between_knots_is_a_parabola() {
        let at = |t: f64| Knot {
            t,
            y: 1.0 + 2.0 * t - 4.905 * t * t,
            v: 2.0 - 9.81 * t,
            a: -9.81,
        };
        let knots = Knots(vec![at(0.0), at(0.4)]);
        for i in 0..40 {
            let t = f64::from(i) * 0.01;
            assert!((knots.at(t) - at(t).y).abs() < 1e-12);
        }
    }

    #[test]
    fn curves_pass_their_keys_and_never_overshoot() {
        let mut c = Curve::constant(0.0);
        c.ease(1.0, 2.0, 1.0);
        c.ease(2.5, 3.0, 1.0);
        assert_eq!(c.at(1.0), 0.0);
        assert_eq!(c.at(2.7), 1.0);
        for i in 0..400 {
            let v = c.at(f64::from(i) * 0.01);
            assert!((0.0..=1.0).contains(&v));
        }
    }

    #[test]
    fn travel_starts_and_ends_at_rest() {
        assert_eq!(travel(0.0, 0.4, 0.3), 0.0);
        assert!((travel(1.0, 0.4, 0.3) - 1.0).abs() < 1e-12);
        assert!(travel(1e-3, 0.4, 0.3) < 1e-7);
        assert!((travel(0.7, 0.4, 0.3) - travel(0.7 - 1e-9, 0.4, 0.3)).abs() < 1e-8);
    }

    #[test]
    fn taps_sum_to_one() {
        assert!((averaged(0.3, 0.1, |_| 1.0) - 1.0).abs() < 1e-12);
    }
}
