//! Frames a second from a printed frame time.

use super::number;

/// Rates people record at; where few digits were printed, one of these is likelier than its neighbours.
const USUAL: [u32; 22] = [
    12, 15, 24, 25, 30, 48, 50, 60, 72, 75, 90, 96, 100, 120, 144, 150, 180, 200, 240, 250, 300,
    480,
];

/// The rate that a frame time, as printed, stands for. 1/N printed with some digits means N Hz: `.0083333`
/// is 120, `0.0333` is 30, `0.017` is 60. What fits no whole N (0.0333667, 29.97 Hz) is taken as it is.
/// `seconds` is the value of `token` and positive.
pub fn from_frame_time(token: &[u8], seconds: f64) -> f64 {
    // One unit of the last digit: some programs round there, some cut off.
    let unit = 10_f64.powi(-number::decimals(token).clamp(-300, 300));
    let off = |n: f64| (1.0 / n - seconds).abs();
    let nearest = (1.0 / seconds).round();
    if nearest < 1.0 {
        return 1.0 / seconds;
    }
    if off(nearest) <= 1e-9 * seconds {
        return nearest;
    }
    let usual = USUAL
        .iter()
        .map(|&n| f64::from(n))
        .filter(|&n| off(n) <= 0.5 * unit * (1.0 + 1e-6))
        .min_by(|&a, &b| off(a).total_cmp(&off(b)));
    if let Some(n) = usual {
        return n;
    }
    if off(nearest) <= unit * (1.0 + 1e-6) {
        return nearest;
    }
    1.0 / seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(token: &str) -> f64 {
        from_frame_time(token.as_bytes(), token.parse().unwrap())
    }

    #[test]
    fn printed_fractions_mean_whole_rates() {
        for (token, hz) in [
            (".0083333", 120.0),
            ("0.008333", 120.0),
            ("0.0083", 120.0),
            ("8.33333e-3", 120.0),
            ("0.033333", 30.0),
            ("0.0333", 30.0),
            ("0.033", 30.0),
            ("0.03", 30.0),
            (".04166667", 24.0),
            ("0.04", 25.0),
            ("0.0166666", 60.0),
            ("0.016667", 60.0),
            ("0.017", 60.0),
            ("0.01", 100.0),
            ("0.008", 125.0),
            ("1", 1.0),
            ("0.00781250", 128.0),
        ] {
            assert_eq!(rate(token), hz, "{token}");
        }
    }

    #[test]
    fn other_rates_stay_what_they_are() {
        assert!((rate("0.0333667") - 29.97).abs() < 1e-3);
        assert!((rate("0.0417083") - 23.976).abs() < 1e-3);
        assert_eq!(rate("2.5"), 0.4);
    }
}
