//! Decimal numbers, fast and exact.
//!
//! The common number is an optional minus, digits, perhaps a point, digits, and white space, at most 15
//! bytes in all. Eight bytes (twice, if needed) are taken as one integer: masks find the point and the end, a
//! shift closes the gap the point leaves, and three multiplications turn eight digits into their value, all
//! without a branch per byte. Digits below 2⁵³ and powers of ten up to 10²² are exact in `f64`, so one division
//! rounds once, correctly. Everything else goes to the standard library's parser, which is exact and slower.

/// Powers of ten that `f64` holds exactly, then the same with a minus: dividing by one of these scales and signs
/// in one step without a branch, which the sign of motion data would often mislead.
const POWERS: [f64; 32] = {
    let mut powers = [1.0; 32];
    let mut n = 1;
    while n < 16 {
        powers[n] = 10.0 * powers[n - 1];
        n += 1;
    }
    while n < 32 {
        powers[n] = -powers[n - 16];
        n += 1;
    }
    powers
};

const ZEROS: u64 = 0x3030_3030_3030_3030;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// A number as its digits over a power of ten, both exact. The division is the slowest step and nothing in
/// the text waits for it, so a frame's divisions are done together, several at a time.
#[derive(Clone, Copy)]
pub struct Fraction {
    /// The digits as a whole number.
    pub digits: f64,
    /// What to divide them by, with the sign.
    pub over: f64,
}

impl Fraction {
    /// A value that needs no division.
    pub fn of(value: f64) -> Self {
        Self {
            digits: value,
            over: 1.0,
        }
    }

    /// The value, rounded once.
    #[cfg(test)]
    pub fn value(self) -> f64 {
        self.digits / self.over
    }
}

/// Reads the number that begins at `at`, where it is of the common kind and is not among the last bytes of the
/// text. Gives it and the place just after it.
#[inline(always)]
pub fn common(text: &[u8], at: usize) -> Option<(Fraction, usize)> {
    let head: &[u8; 16] = text.get(at..)?.first_chunk()?;
    // Where the next number begins depends on this alone, so the processor starts on it while it still works
    // out the value of this one.
    let length = length(head);
    let minus = is(head[0], b'-');
    let bytes = length - minus;
    if bytes == 0 {
        return None;
    }
    let value = if bytes <= 8 {
        let part = Part::of(word(head, minus), bytes)?;
        Fraction {
            digits: whole(part.value),
            over: POWERS[(part.decimals() + 16 * minus) & 31],
        }
    } else {
        longer(head, minus, length)?
    };
    Some((value, at + length))
}

/// The same for nine to fifteen bytes: the last eight, and those before them.
#[inline(always)]
fn longer(head: &[u8; 16], minus: usize, length: usize) -> Option<Fraction> {
    if length == 16 {
        return None;
    }
    let first = Part::of(word(head, minus), length - minus - 8)?;
    let last = Part::of(word(head, length - 8), 8)?;
    if first.has_point + last.has_point > 1 {
        return None;
    }
    let value = first.value * [100_000_000, 10_000_000][last.has_point] + last.value;
    let decimals = first.decimals() + 8 * first.has_point + last.decimals();
    Some(Fraction {
        digits: whole(value),
        over: POWERS[(decimals + 16 * minus) & 31],
    })
}

/// Up to eight bytes of a number: digits, and perhaps the point.
struct Part {
    value: u64,
    digits: usize,
    point: usize,
    has_point: usize,
}

impl Part {
    /// Takes the first `bytes` (1 to 8) of a word apart; `None` where they are something else.
    #[inline(always)]
    fn of(word: u64, bytes: usize) -> Option<Self> {
        let x = word ^ ZEROS;
        let stops = not_digits(x) & (u64::MAX >> ((64 - 8 * bytes) & 63));
        let has_point = usize::from(stops != 0);
        let point = ((stops.trailing_zeros() / 8) as usize).min(bytes);
        let digits = bytes - has_point;
        let stop = x.unbounded_shr(8 * point as u32) as u8 ^ b'0';
        let wrong_stop = stops != 0 && (stop != b'.' || stops & (stops - 1) != 0);
        if wrong_stop || digits == 0 {
            return None;
        }
        // Without a point what is moved lies behind the digits and is shifted out.
        let after = u64::MAX.unbounded_shl(8 * point as u32);
        let closed = (x & !after) | ((x >> 8) & after);
        let value = eight_digits(closed << (8 * (8 - digits)));
        Some(Self {
            value,
            digits,
            point,
            has_point,
        })
    }

    /// Digits after the point.
    #[inline(always)]
    fn decimals(&self) -> usize {
        self.digits - self.point
    }
}

#[inline(always)]
fn word(head: &[u8; 16], from: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&head[from..from + 8]);
    u64::from_le_bytes(bytes)
}

/// How many bytes stand before the first white space, 16 where it is not among the first sixteen.
#[inline(always)]
fn length(head: &[u8; 16]) -> usize {
    // A byte up to 0x20 borrows from its high bit when 0x21 is taken off; the first one found is exact.
    let spaces = |w: u64| w.wrapping_sub(0x2121_2121_2121_2121) & !w & HIGH;
    let (first, second) = (spaces(word(head, 0)), spaces(word(head, 8)));
    // All ones where the first eight bytes hold none.
    let none = 0_u32.wrapping_sub(u32::from(first == 0));
    ((first.trailing_zeros() + (second.trailing_zeros() & none)) / 8) as usize
}

/// A whole number below 2⁵² as `f64`: put into the mantissa of 2⁵², which is then taken off. The conversion
/// instruction of x86 would wait for the register's last division; this took a third off the parsing time.
#[inline(always)]
fn whole(value: u64) -> f64 {
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    f64::from_bits(TWO_52.to_bits() | value) - TWO_52
}

/// 1 where two bytes are equal, else 0, in a way the compiler does not turn into a branch.
#[inline(always)]
fn is(a: u8, b: u8) -> usize {
    (u32::from(a ^ b).wrapping_sub(1) >> 31) as usize
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

/// Reads one whole token in any notation, exactly. `None` where it is no finite decimal number.
pub fn exact(token: &[u8]) -> Option<f64> {
    if let Some(value) = with_exponent(token) {
        return Some(value);
    }
    let legal = |b: &u8| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    if !token.iter().all(legal) {
        return None;
    }
    let text = std::str::from_utf8(token).ok()?;
    text.parse::<f64>().ok().filter(|v| v.is_finite())
}

/// The shape `-1.02726e-14` that programs print for small numbers, where it can be had exactly: up to 15 digits
/// times or over a power of ten up to 10²².
fn with_exponent(token: &[u8]) -> Option<f64> {
    const LARGE: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ];
    let (minus, rest) = match token {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, token),
    };
    let e = rest.iter().position(|b| matches!(b, b'e' | b'E'))?;
    let (mantissa, exponent) = (&rest[..e], &rest[e + 1..]);
    let (mut digits, mut count, mut decimals, mut point) = (0_u64, 0, 0, false);
    for &b in mantissa {
        match b {
            b'0'..=b'9' => {
                digits = 10 * digits + u64::from(b - b'0');
                count += 1;
                decimals += i32::from(point);
            }
            b'.' if !point => point = true,
            _ => return None,
        }
        if count > 15 {
            return None;
        }
    }
    let (down, power) = match exponent {
        [b'-', power @ ..] => (true, power),
        [b'+', power @ ..] | power => (false, power),
    };
    if count == 0 || power.is_empty() || power.len() > 3 || !power.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let power = power.iter().fold(0, |p, &b| 10 * p + i32::from(b - b'0'));
    let power = if down { -power } else { power } - decimals;
    let scale = LARGE.get(power.unsigned_abs() as usize)?;
    let value = if power < 0 {
        digits as f64 / scale
    } else {
        digits as f64 * scale
    };
    Some(if minus { -value } else { value })
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
            let value = value.value();
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
                let value = value.value();
                assert_eq!(
                    token.parse::<f64>().map(f64::to_bits),
                    Ok(value.to_bits()),
                    "{token}"
                );
            }
        }
        assert!(common(b"1 ", 0).is_none());
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
        fn exponents_are_exact(mantissa in "-?[0-9]{0,9}[.]?[0-9]{0,9}", power in -40..40_i32, upper: bool) {
            let token = format!("{mantissa}{}{power}", if upper { 'E' } else { 'e' });
            let expected = token.parse::<f64>().ok().map(f64::to_bits);
            prop_assert_eq!(exact(token.as_bytes()).map(f64::to_bits), expected);
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
                let value = value.value();
                prop_assert_eq!(exact(&bytes[..end]).map(f64::to_bits), Some(value.to_bits()));
                prop_assert!(bytes[end] <= b' ');
            }
        }
    }
}
