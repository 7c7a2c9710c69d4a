//! Sines and cosines of many half angles at once, and the quaternions of Euler triples.
//!
//! Degrees are reduced before they become radians: h = 90°·k + r with |r| ≤ 45° is exact in `f64`, so 180 and
//! 90 degrees give what they should. On |r| ≤ π/4 the power series to r¹¹ and r¹⁰ is within 2e-10, two
//! digits more than the `f32` the result is stored in. No branches, so the compiler works several at a time.
//! Checked against the standard library by a test.

use glam::Quat;

use gaitway_core::rotation::Axis;

/// Adding and taking off 1.5·2⁵² rounds to a whole number, whose lowest bits are then in the mantissa.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// Degrees past which the reduction above would lose digits; whole turns are taken off first.
const LARGE: f64 = 1e9;

/// Writes sine and cosine of half of each angle. All slices have one length.
#[inline(always)]
pub fn half_sin_cos(degrees: &mut [f64], sines: &mut [f64], cosines: &mut [f64]) {
    let largest = degrees
        .iter()
        .fold(0.0_f64, |m, d| if d.abs() > m { d.abs() } else { m });
    if largest > LARGE {
        degrees.iter_mut().for_each(|d| *d %= 720.0);
    }
    for ((d, s), c) in degrees.iter().zip(sines).zip(cosines) {
        (*s, *c) = half_sin_cos_one(*d);
    }
}

#[inline(always)]
fn half_sin_cos_one(degrees: f64) -> (f64, f64) {
    let half = 0.5 * degrees;
    let rounded = half * (1.0 / 90.0) + ROUND;
    let quarter = rounded.to_bits();
    let x = (half - 90.0 * (rounded - ROUND)) * (std::f64::consts::PI / 180.0);
    let z = x * x;
    let sin = 1.0 / 362_880.0 + z * (-1.0 / 39_916_800.0);
    let sin = -1.0 / 5_040.0 + z * sin;
    let sin = 1.0 / 120.0 + z * sin;
    let sin = -1.0 / 6.0 + z * sin;
    let sin = x * (1.0 + z * sin);
    let cos = 1.0 / 40_320.0 + z * (-1.0 / 3_628_800.0);
    let cos = -1.0 / 720.0 + z * cos;
    let cos = 1.0 / 24.0 + z * cos;
    let cos = 1.0 + z * (-0.5 + z * cos);
    // Quarter turns: odd ones swap sine and cosine, the signs follow from the two lowest bits.
    let swap = 0_u64.wrapping_sub(quarter & 1);
    let (s, c) = (sin.to_bits(), cos.to_bits());
    let minus_s = (quarter & 2) << 62;
    let minus_c = (quarter.wrapping_add(1) & 2) << 62;
    (
        f64::from_bits(((s & !swap) | (c & swap)) ^ minus_s),
        f64::from_bits(((c & !swap) | (s & swap)) ^ minus_c),
    )
}

/// The quaternion of three turns about different axes from the sines and cosines of their half angles. With
/// ε = ±1 for an even or odd order (i, j, k):
///
///   w = c₁c₂c₃ − ε s₁s₂s₃,  vᵢ = s₁c₂c₃ + ε c₁s₂s₃,  vⱼ = c₁s₂c₃ − ε s₁c₂s₃,  vₖ = c₁c₂s₃ + ε s₁s₂c₃
#[inline(always)]
pub fn three_turns(order: Order, s: [f64; 3], c: [f64; 3]) -> Quat {
    let e = order.sign();
    let (ss, cc, sc, cs) = (s[0] * s[1], c[0] * c[1], s[0] * c[1], c[0] * s[1]);
    let w = (cc * c[2] - e * ss * s[2]) as f32;
    let i = (sc * c[2] + e * cs * s[2]) as f32;
    let j = (cs * c[2] - e * sc * s[2]) as f32;
    let k = (cc * s[2] + e * ss * c[2]) as f32;
    match order {
        Order::Xyz => Quat::from_xyzw(i, j, k, w),
        Order::Xzy => Quat::from_xyzw(i, k, j, w),
        Order::Yxz => Quat::from_xyzw(j, i, k, w),
        Order::Yzx => Quat::from_xyzw(k, i, j, w),
        Order::Zxy => Quat::from_xyzw(j, k, i, w),
        Order::Zyx => Quat::from_xyzw(k, j, i, w),
    }
}

/// Three different axes, first applied last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Xyz,
    Xzy,
    Yxz,
    Yzx,
    Zxy,
    Zyx,
}

impl Order {
    /// The order of these axes, where they are three and different.
    pub fn of(axes: &[Axis]) -> Option<Self> {
        use Axis::{X, Y, Z};
        Some(match axes {
            [X, Y, Z] => Self::Xyz,
            [X, Z, Y] => Self::Xzy,
            [Y, X, Z] => Self::Yxz,
            [Y, Z, X] => Self::Yzx,
            [Z, X, Y] => Self::Zxy,
            [Z, Y, X] => Self::Zyx,
            _ => return None,
        })
    }

    #[inline(always)]
    fn sign(self) -> f64 {
        match self {
            Self::Xyz | Self::Yzx | Self::Zxy => 1.0,
            Self::Xzy | Self::Yxz | Self::Zyx => -1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::rotation;
    use proptest::prelude::*;

    fn sin_cos(degrees: f64) -> (f64, f64) {
        let (mut s, mut c) = ([0.0], [0.0]);
        half_sin_cos(&mut [degrees], &mut s, &mut c);
        (s[0], c[0])
    }

    #[test]
    fn quarter_turns_are_exact() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert_eq!(sin_cos(180.0), (1.0, 0.0));
        assert_eq!(sin_cos(360.0), (0.0, -1.0));
        assert_eq!(sin_cos(-180.0), (-1.0, 0.0));
        assert_eq!(sin_cos(720.0), (0.0, 1.0));
    }

    #[test]
    fn very_large_angles_stay_on_the_circle() {
        for d in [1e10, -3e18, 1e300, f64::MAX] {
            let (s, c) = sin_cos(d);
            assert!((s * s + c * c - 1.0).abs() < 1e-9, "{d}");
        }
    }

    proptest! {
        #[test]
        fn sines_agree_with_the_standard_library(d in -4000.0..4000.0_f64) {
            let (s, c) = sin_cos(d);
            let (es, ec) = (0.5 * d.to_radians()).sin_cos();
            prop_assert!((s - es).abs() < 2e-10 && (c - ec).abs() < 2e-10);
        }

        #[test]
        fn triples_agree_with_the_product_of_turns(
            which in 0..6_usize, a in -400.0..400.0_f64, b in -400.0..400.0_f64, c in -400.0..400.0_f64
        ) {
            use Axis::{X, Y, Z};
            let axes = [[X, Y, Z], [X, Z, Y], [Y, X, Z], [Y, Z, X], [Z, X, Y], [Z, Y, X]][which];
            let (mut s, mut co) = ([0.0; 3], [0.0; 3]);
            half_sin_cos(&mut [a, b, c], &mut s, &mut co);
            let fast = three_turns(Order::of(&axes).unwrap(), s, co);
            let slow = rotation::from_euler(&axes, &[a.to_radians(), b.to_radians(), c.to_radians()]);
            prop_assert!((fast.as_dquat() - slow).length() < 2e-7);
        }
    }
}
