//! Decimal numbers, fast and exact.
//!
//! The common number is an optional minus, digits, perhaps a point, digits, and white space, at most 15
//! digits in all. Eight (or sixteen) bytes are taken as one integer: a mask finds the point and the end, a
//! shift closes the gap the point leaves, and three multiplications turn eight digits into their value, all
//! without a branch per byte. Digits below 2⁵³ and powers of ten up to 10²² are exact in `f64`, so one division
//! rounds once, correctly. Everything else goes to the standard library's parser, which is exact and slower.

/// Powers of ten that `f64` holds exactly.
const POWERS: [f64; 16] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

const ZEROS: u64 = 0x3030_3030_3030_3030;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Reads the number that begins at `at`, where it is of the common kind and is not among the last bytes of the
/// text. Gives the value and the place just after it.
#[inline(always)]
pub fn common(text: &[u8], at: usize) -> Option<(f64, usize)> {
    let head: &[u8; 18] = text.get(at..)?.first_chunk()?;
    let minus = usize::from(head[0] == b'-');
    let word = u64::from_le_bytes(*head[minus..].first_chunk()?);
    let x = word ^ ZEROS;
    let stops = not_digits(x);
    let point = (stops.trailing_zeros() / 8) as usize;
    let has_point = usize::from(head[(minus + point).min(17)] == b'.');
    let after = if has_point == 1 {
        stops & stops.wrapping_sub(1)
    } else {
        stops
    };
    let end = (after.trailing_zeros() / 8) as usize;
    if end >= 8 {
        return longer(head, minus).map(|(value, length)| (value, at + length));
    }
    let digits = end - has_point;
    if digits == 0 || head[minus + end] > b' ' {
        return None;
    }
    let before = (1_u64 << (8 * point)) - 1;
    let closed = if has_point == 1 {
        (x & before) | ((x >> 8) & !before)
    } else {
        x
    };
    let value = eight_digits(closed << (8 * (8 - digits))) as f64;
    let decimals = (end - point).saturating_sub(1);
    let value = value / POWERS[decimals & 15];
    Some((signed(value, minus), at + minus + end))
}

/// The same for up to fifteen digits in sixteen bytes.
#[inline]
fn longer(head: &[u8; 18], minus: usize) -> Option<(f64, usize)> {
    let word = u128::from_le_bytes(*head[minus..].first_chunk()?);
    let x = word ^ (u128::from(ZEROS) << 64 | u128::from(ZEROS));
    let stops = u128::from(not_digits((x >> 64) as u64)) << 64 | u128::from(not_digits(x as u64));
    let point = (stops.trailing_zeros() / 8) as usize;
    let has_point = usize::from(head[(minus + point).min(17)] == b'.');
    let after = if has_point == 1 {
        stops & stops.wrapping_sub(1)
    } else {
        stops
    };
    let end = (after.trailing_zeros() / 8) as usize;
    if end >= 16 {
        return None;
    }
    let digits = end - has_point;
    if digits == 0 || digits > 15 || head[minus + end] > b' ' {
        return None;
    }
    let before = (1_u128 << (8 * point)) - 1;
    let closed = if has_point == 1 {
        (x & before) | ((x >> 8) & !before)
    } else {
        x
    };
    let aligned = closed << (8 * (16 - digits));
    let value = eight_digits(aligned as u64) * 100_000_000 + eight_digits((aligned >> 64) as u64);
    let decimals = (end - point).saturating_sub(1);
    let value = value as f64 / POWERS[decimals & 15];
    Some((signed(value, minus), minus + end))
}

/// The high bit of every byte that is not 0 to 9, once `'0'` has been taken off by exclusive or.
#[inline(always)]
fn not_digits(x: u64) -> u64 {
    (((x & !HIGH) + 0x7676_7676_7676_7676) | x) & HIGH
}

/// The value of eight digits, one a byte, the first in the lowest byte.
#[inline(always)]
fn eight_digits(x: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00FF_0000_00FF;
    // Each second byte: ten times its left neighbour plus itself.
    let x = x.wrapping_mul(10).wrapping_add(x >> 8);
    // 10⁶·first + 10⁴·second + 100·third + fourth pair gather in the upper half.
    let odd = (x & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let even = ((x >> 16) & PAIRS).wrapping_mul(1 + (10_000 << 32));
    odd.wrapping_add(even) >> 32
}

#[inline(always)]
fn signed(value: f64, minus: usize) -> f64 {
    f64::from_bits(value.to_bits() ^ ((minus as u64) << 63))
}

/// Reads one whole token in any notation, exactly. `None` where it is no finite decimal number.
pub fn exact(token: &[u8]) -> Option<f64> {
    let legal = |b: &u8| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    if !token.iter().all(legal) {
        return None;
    }
    let text = std::str::from_utf8(token).ok()?;
    text.parse::<f64>().ok().filter(|v| v.is_finite())
}

/// How many digits stand after the point, less the exponent: 3 for `0.125`, 8 for `8.33333e-3`.
pub fn decimals(token: &[u8]) -> i32 {
    let (mantissa, exponent) = match token.iter().position(|b| matches!(b, b'e' | b'E')) {
        Some(e) => (&token[..e], std::str::from_utf8(&token[e + 1..]).ok()),
        None => (token, None),
    };
    let shift = exponent.and_then(|e| e.parse::<i16>().ok()).unwrap_or(0);
    let after = mantissa
        .iter()
        .position(|&b| b == b'.')
        .map_or(0, |p| mantissa.len() - p - 1);
    after.min(10_000) as i32 - i32::from(shift)
}

/// Appends a number with so many decimals, rounded to nearest; never `-0`.
pub fn push_fixed(out: &mut Vec<u8>, value: f64, decimals: usize) {
    let scaled = (value * POWERS[decimals.min(15)]).round();
    if decimals > 15 || scaled.abs() >= 9e15 {
        out.extend_from_slice(format!("{value:.decimals$}").as_bytes());
        return;
    }
    if scaled < 0.0 {
        out.push(b'-');
    }
    let mut left = scaled.abs() as u64;
    // 16 digits, a point, and zeros before it.
    let mut text = [b'0'; 24];
    let mut at = text.len();
    let mut written = 0;
    while left > 0 || written <= decimals {
        if written == decimals && decimals > 0 {
            at -= 1;
            text[at] = b'.';
        }
        at -= 1;
        text[at] = b'0' + (left % 10) as u8;
        left /= 10;
        written += 1;
    }
    out.extend_from_slice(&text[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(token: &str) {
        let text = format!("{token} 000000000000000000000");
        if let Some((value, end)) = common(text.as_bytes(), 0) {
            let exact: f64 = token.parse().unwrap();
            assert_eq!(value.to_bits(), exact.to_bits(), "{token}");
            assert_eq!(end, token.len(), "{token}");
        }
    }

    #[test]
    fn usual_numbers_take_the_fast_way() {
        for token in [
            "0",
            "-0",
            "7",
            "-16.6648",
            "0.5",
            ".5",
            "-.5",
            "5.",
            "12345678",
            "123456789",
            "-287.536011",
            "12345.123456789",
            "999999999999999",
            "0.0000000000001",
        ] {
            let text = format!("{token}\t000000000000000000000");
            assert!(common(text.as_bytes(), 0).is_some(), "{token}");
            check(token);
        }
    }

    #[test]
    fn what_is_no_common_number_is_left_alone() {
        for token in [
            "",
            "-",
            ".",
            "-.",
            "1e5",
            "nan",
            "1,5",
            "1.2.3",
            "--1",
            "+1",
            "1234567890123456",
            "0x10",
            "1-2",
            "\u{663}",
            "12345678.",
            "1234567:",
            "/",
            "1/2",
            "..",
        ] {
            let text = format!("{token} 000000000000000000000");
            if let Some((value, _)) = common(text.as_bytes(), 0) {
                assert_eq!(
                    token.parse::<f64>().map(f64::to_bits),
                    Ok(value.to_bits()),
                    "{token}"
                );
            }
        }
        assert_eq!(common(b"1 ", 0), None);
    }

    #[test]
    fn any_notation_but_no_words() {
        assert_eq!(exact(b"1.02726e-14"), Some(1.02726e-14));
        assert_eq!(exact(b"+3"), Some(3.0));
        for bad in ["nan", "inf", "-infinity", "1e999", "", "e", "1,5", "0x1"] {
            assert_eq!(exact(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn decimals_count_what_was_printed() {
        assert_eq!(decimals(b".0083333"), 7);
        assert_eq!(decimals(b"8.33333e-3"), 8);
        assert_eq!(decimals(b"12"), 0);
        assert_eq!(decimals(b"1e2"), -2);
    }

    #[test]
    fn fixed_numbers_are_plain() {
        for (value, decimals, text) in [
            (0.0, 6, "0.000000"),
            (-0.0, 2, "0.00"),
            (-1e-9, 6, "0.000000"),
            (1.5, 0, "2"),
            (-287.536011, 6, "-287.536011"),
            (0.05, 1, "0.1"),
            (12.0, 0, "12"),
            (0.000001, 6, "0.000001"),
            (1e20, 6, "100000000000000000000.000000"),
        ] {
            let mut out = Vec::new();
            push_fixed(&mut out, value, decimals);
            assert_eq!(std::str::from_utf8(&out), Ok(text));
        }
    }

    proptest! {
        #[test]
        fn fixed_numbers_come_back(value in -1e6..1e6_f64, decimals in 0..10_usize) {
            let mut out = Vec::new();
            push_fixed(&mut out, value, decimals);
            let back = exact(&out).unwrap();
            let unit = 10_f64.powi(-(decimals as i32));
            prop_assert!((back - value).abs() <= 0.5000001 * unit + 4.0 * f64::EPSILON * value.abs());
        }

        #[test]
        fn equal_to_the_exact_parser(
            whole in 0_u64..10_u64.pow(9), frac in "[0-9]{0,9}", minus: bool, drop in 0..3_u32
        ) {
            let whole = whole / 10_u64.pow(drop * 3);
            let sign = if minus { "-" } else { "" };
            check(&format!("{sign}{whole}"));
            check(&format!("{sign}{whole}.{frac}"));
            if !frac.is_empty() {
                check(&format!("{sign}.{frac}"));
            }
        }

        #[test]
        fn any_bytes_agree_with_the_exact_parser_or_are_left(bytes in proptest::collection::vec(any::<u8>(), 18..40)) {
            if let Some((value, end)) = common(&bytes, 0) {
                prop_assert_eq!(exact(&bytes[..end]).map(f64::to_bits), Some(value.to_bits()));
                prop_assert!(bytes[end] <= b' ');
            }
        }
    }
}
