//! Colours: what figures and plots are painted with, told apart by everyone.
//!
//! Left and right are blue and orange, a pair that stays apart in the three common kinds of colour
//! blindness. The heat ramp is our own: a way through OKLab whose lightness rises evenly, so that equal steps in
//! the data look equal and the order survives a grey print.

/// Red, green, blue in sRGB and opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity, 255 is opaque.
    pub a: u8,
}

impl Colour {
    /// White.
    pub const WHITE: Self = Self::hex(0xff_ff_ff);

    /// From `0xRRGGBB`, opaque.
    pub const fn hex(rgb: u32) -> Self {
        Self {
            r: (rgb >> 16) as u8,
            g: (rgb >> 8) as u8,
            b: rgb as u8,
            a: 255,
        }
    }

    /// The same colour with another opacity, 0 to 1.
    pub fn with_alpha(self, alpha: f32) -> Self {
        Self {
            a: (alpha.clamp(0.0, 1.0) * 255.0).round() as u8,
            ..self
        }
    }

    /// A share `t` of the way to another colour, in sRGB; opacity as here.
    pub fn towards(self, other: Self, t: f32) -> Self {
        let mix = |a: u8, b: u8| {
            let (a, b) = (f32::from(a), f32::from(b));
            (a + (b - a) * t.clamp(0.0, 1.0)).round() as u8
        };
        Self {
            r: mix(self.r, other.r),
            g: mix(self.g, other.g),
            b: mix(self.b, other.b),
            a: self.a,
        }
    }

    /// Lighter towards white.
    pub fn lighter(self, t: f32) -> Self {
        self.towards(Self::WHITE, t)
    }

    /// Darker towards a deep blue-grey rather than black, which keeps shadows from looking dirty.
    pub fn darker(self, t: f32) -> Self {
        self.towards(Self::hex(0x14_18_24), t)
    }
}

/// The colours of one kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub background: Colour,
    /// Words.
    pub ink: Colour,
    /// Words of less weight.
    pub faint_ink: Colour,
    /// Grid lines.
    pub grid: Colour,
    /// The floor line and axes.
    pub line: Colour,
    /// Trunk and head.
    pub trunk: Colour,
    /// Left limbs.
    pub left: Colour,
    /// Right limbs.
    pub right: Colour,
    /// Cast shadows.
    pub shadow: Colour,
}

impl Theme {
    /// For print and white pages.
    pub const LIGHT: Self = Self {
        background: Colour::WHITE,
        ink: Colour::hex(0x1f_26_33),
        faint_ink: Colour::hex(0x6b_74_82),
        grid: Colour::hex(0xe3_e7_ed),
        line: Colour::hex(0x9a_a3_b0),
        trunk: Colour::hex(0xa9_b1_bd),
        left: Colour::hex(0x2f_7f_c1),
        right: Colour::hex(0xe0_82_2f),
        shadow: Colour::hex(0x2a_33_44),
    };

    /// For dark pages, and for point-light displays.
    pub const DARK: Self = Self {
        background: Colour::hex(0x11_15_1c),
        ink: Colour::hex(0xe8_ec_f2),
        faint_ink: Colour::hex(0x95_a0_b0),
        grid: Colour::hex(0x25_2c_38),
        line: Colour::hex(0x55_60_70),
        trunk: Colour::hex(0xb9_c0_ca),
        left: Colour::hex(0x5a_a9_e6),
        right: Colour::hex(0xf2_9e_4c),
        shadow: Colour::hex(0x00_00_00),
    };
}

/// Colours for the series of a plot, in order; after the last they begin again.
pub const SERIES: [Colour; 6] = [
    Colour::hex(0x2f_7f_c1),
    Colour::hex(0xe0_82_2f),
    Colour::hex(0x1d_9a_78),
    Colour::hex(0xb8_5c_9e),
    Colour::hex(0x8a_7a_1f),
    Colour::hex(0x5b_64_72),
];

/// The heat ramp at `t` from 0 (dark violet: small, close) to 1 (pale yellow: large, far).
///
/// Lightness goes evenly from 0.22 to 0.95; hue turns from violet over blue and green to yellow; chroma
/// swells in the middle and stays inside sRGB at both ends.
pub fn heat(t: f32) -> Colour {
    let t = t.clamp(0.0, 1.0);
    let lightness = 0.22 + 0.73 * t;
    let hue = (305.0 - 200.0 * t).to_radians();
    let chroma = 0.105 + 0.05 * (std::f32::consts::PI * t).sin() - 0.015 * t;
    oklab(lightness, chroma * hue.cos(), chroma * hue.sin())
}

/// OKLab to sRGB (B. Ottosson, 2020), clipped to the gamut.
fn oklab(lightness: f32, a: f32, b: f32) -> Colour {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_35 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let channel = |linear: f32| {
        let x = linear.clamp(0.0, 1.0);
        let encoded = if x <= 0.003_130_8 {
            12.92 * x
        } else {
            1.055 * x.powf(1.0 / 2.4) - 0.055
        };
        (encoded * 255.0).round() as u8
    };
    Colour {
        r: channel(4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s),
        g: channel(-1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s),
        b: channel(-0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s),
        a: 255,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heat_ramp_gets_lighter_all_the_way() {
        let grey =
            |c: Colour| 0.2126 * f32::from(c.r) + 0.7152 * f32::from(c.g) + 0.0722 * f32::from(c.b);
        let steps: Vec<f32> = (0..=64).map(|i| grey(heat(i as f32 / 64.0))).collect();
        assert!(steps.windows(2).all(|w| w[1] > w[0]), "{steps:?}");
    }

    #[test]
    fn blending_reaches_both_ends() {
        let (a, b) = (Colour::hex(0x10_20_30), Colour::hex(0xf0_e0_d0));
        assert_eq!(a.towards(b, 0.0), a);
        assert_eq!(a.towards(b, 1.0), b);
    }
}
