//! Which rate the flights of one body speak for.
//!
//! A flight that falls by a per frame² falls at a r² when played at rate r, and x = ln(a r² / g) should be 0. Under a
//! rate r the flights are as likely as
//!
//! ```text
//!  L(r) = ∫ Πᵢ [ (1 − e) N(xᵢ − b; σᵢ) + e(xᵢ) / 4 ] N(b; β) db
//! ```
//!
//! with σᵢ the flight's own error and b what all flights of a body have in common (masses and bone lengths that are not
//! its own). The second term is a false flight: bodies that something still holds fall too slowly (e = 0.3), and next to nothing
//! makes them fall too fast (e = 0.01). So a rate is said to be too low only on many flights that agree. Headers are right more
//! often than not: another rate must be ten times as probable, after 20 to 1 for the header against a rate that is half or a
//! quarter of it or as many times as high (frames left out or doubled), and 200 to 1 against any other usual rate.

use super::Flight;

const GRAVITY: f64 = 9.81;
/// A body's own error of the fall, as a share: it does not shrink with the number of flights.
const BODY: f64 = 0.1;
const TOO_SLOW: f64 = 0.3;
const TOO_FAST: f64 = 0.01;
/// False falls lie anywhere within e⁴.
const ANYWHERE: f64 = 0.25;
/// ln of how much likelier than the header another rate must be.
const CLEARLY: f64 = std::f64::consts::LN_10;
/// Rates nearer to one another than √2 (falls nearer than 2) are not told apart by falls.
const APART: f64 = std::f64::consts::SQRT_2;
/// Rates that cameras and converters use.
const USUAL_RATES: [f64; 12] = [
    24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 200.0, 240.0, 250.0,
];

/// A rate that fits better than the header's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Verdict {
    /// How fast bodies fall at the header's rate, in m/s².
    pub fall: f64,
    /// The rate at which they fall at 9.81 m/s², and its standard error.
    pub fitting_hz: f64,
    pub error_hz: f64,
    /// The usual rate that is meant.
    pub suggested_hz: f64,
}

/// The rate that fits better than the header's, where one does beyond doubt.
pub(super) fn judge(flights: &[Flight], header_hz: f64) -> Option<Verdict> {
    if flights.is_empty() {
        return None;
    }
    let far = |r: f64| (r / header_hz).max(header_hz / r) >= APART;
    let (suggested_hz, score) = USUAL_RATES
        .into_iter()
        .filter(|&r| far(r))
        .map(|r| (r, likelihood(flights, r) + prior(r, header_hz)))
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    if score - likelihood(flights, header_hz) < CLEARLY {
        return None;
    }
    // The mean of x at the rate meant, each flight by its inverse variance and by how likely it is a true one.
    let (mut sum, mut weight) = (0.0, 0.0);
    for flight in flights {
        let x = off(flight, suggested_hz);
        let sigma = flight.error.hypot(BODY);
        let (own, falsely) = terms(x, sigma);
        let w = own / (own + falsely) / (flight.error * flight.error);
        sum += w * x;
        weight += w;
    }
    let mean = sum / weight;
    let fitting_hz = suggested_hz * (-mean / 2.0).exp();
    Some(Verdict {
        fall: GRAVITY * (header_hz / fitting_hz).powi(2),
        fitting_hz,
        error_hz: fitting_hz * weight.sqrt().recip().hypot(BODY) / 2.0,
        suggested_hz,
    })
}

/// Whether these flights alone are clearly likelier at the header's rate than at another.
pub(super) fn contradicts(flights: &[Flight], header_hz: f64, other_hz: f64) -> bool {
    likelihood(flights, header_hz) - likelihood(flights, other_hz) > CLEARLY
}

/// ln of how likely another rate is before any flight is looked at, against the header's.
fn prior(rate_hz: f64, header_hz: f64) -> f64 {
    let times = (rate_hz / header_hz).max(header_hz / rate_hz);
    let simple = [2.0, 4.0].iter().any(|k| (times / k - 1.0).abs() < 0.01);
    -f64::ln(if simple { 20.0 } else { 200.0 })
}

fn off(flight: &Flight, rate_hz: f64) -> f64 {
    (flight.fall * rate_hz * rate_hz / GRAVITY).ln()
}

/// How likely x is of a true flight and of a false one.
fn terms(x: f64, sigma: f64) -> (f64, f64) {
    let bell = (-0.5 * (x / sigma).powi(2)).exp() / (sigma * std::f64::consts::TAU.sqrt());
    let falsely = if x < 0.0 { TOO_SLOW } else { TOO_FAST };
    ((1.0 - TOO_SLOW - TOO_FAST) * bell, falsely * ANYWHERE)
}

/// ln L(r), the integral as a sum over b from −3 β to 3 β.
fn likelihood(flights: &[Flight], rate_hz: f64) -> f64 {
    const HALF: i32 = 6;
    let steps: Vec<(f64, f64)> = (-HALF..=HALF)
        .map(|k| {
            let z = 3.0 * f64::from(k) / f64::from(HALF);
            let each = flights.iter().map(|f| {
                let (own, falsely) = terms(off(f, rate_hz) - z * BODY, f.error);
                (own + falsely).ln()
            });
            ((-0.5 * z * z).exp(), each.sum::<f64>())
        })
        .collect();
    let most = steps.iter().map(|s| s.1).fold(f64::NEG_INFINITY, f64::max);
    let norm: f64 = steps.iter().map(|s| s.0).sum();
    let sum: f64 = steps.iter().map(|(w, l)| w * (l - most).exp()).sum();
    most + (sum / norm).ln()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Flights of a body captured at a rate, off by shares of their fall.
    fn fallen(rate_hz: f64, shares: &[f64]) -> Vec<Flight> {
        let one = |share: &f64| Flight {
            fall: GRAVITY * share / (rate_hz * rate_hz),
            error: 0.1,
            frames: 20,
        };
        shares.iter().map(one).collect()
    }

    #[test]
    fn a_rate_twice_too_high_is_seen_and_half_is_suggested() {
        let falls = fallen(60.0, &[0.9, 1.1, 3.0]);
        let verdict = judge(&falls, 120.0).expect("implausible");
        assert_eq!(verdict.suggested_hz, 60.0);
        assert!((verdict.fall / GRAVITY - 4.0).abs() < 0.5, "{verdict:?}");
        assert!((verdict.fitting_hz - 60.0).abs() < 2.0 * verdict.error_hz);
        assert_eq!(judge(&falls, 60.0), None);
        assert_eq!(judge(&[], 60.0), None);
        // One flight is enough when it is so far off.
        assert!(judge(&fallen(60.0, &[1.0]), 120.0).is_some());
    }

    #[test]
    fn bodies_that_something_holds_are_no_evidence_of_a_higher_rate() {
        for slow in [0.1, 0.25, 0.4] {
            assert_eq!(judge(&fallen(120.0, &[slow]), 120.0), None, "{slow}");
        }
        // Many that agree are.
        let many = judge(&fallen(120.0, &[0.99, 1.0, 1.01, 1.0, 0.98, 1.02]), 60.0);
        assert_eq!(many.map(|v| v.suggested_hz), Some(120.0));
    }

    #[test]
    fn who_flies_by_the_header_is_not_talked_over() {
        let own = fallen(120.0, &[1.0, 1.05]);
        assert!(contradicts(&own, 120.0, 60.0));
        assert!(!contradicts(&[], 120.0, 60.0));
        assert!(!contradicts(&fallen(60.0, &[1.0]), 120.0, 60.0));
    }

    proptest! {
        /// True flights with scatter, and up to a third that something held: the true rate is never doubted, half and twice
        /// of it are.
        #[test]
        fn false_flights_do_not_outvote_true_ones(
            body in -0.15..0.15_f64,
            scatter in proptest::collection::vec(-0.15..0.15_f64, 6..20),
            held in proptest::collection::vec(0.02..0.7_f64, 0..3),
            rate in 0_usize..3,
        ) {
            let rate = [30.0, 60.0, 120.0][rate];
            let shares: Vec<f64> = scatter.iter().map(|s| (s + body).exp()).chain(held).collect();
            let flights = fallen(rate, &shares);
            prop_assert_eq!(judge(&flights, rate), None);
            prop_assert_eq!(judge(&flights, 2.0 * rate).map(|v| v.suggested_hz), Some(rate));
        }
    }
}
