//! Numbers as three families of machines write them.

/// How a file's machine writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    /// Little-endian, IEEE floats.
    Intel,
    /// Little-endian, VAX F floats.
    Dec,
    /// Big-endian, IEEE floats.
    Sgi,
}

impl Machine {
    pub(super) fn u16(self, b: [u8; 2]) -> u16 {
        match self {
            Self::Intel | Self::Dec => u16::from_le_bytes(b),
            Self::Sgi => u16::from_be_bytes(b),
        }
    }

    pub(super) fn i16(self, b: [u8; 2]) -> i16 {
        self.u16(b) as i16
    }

    pub(super) fn f32(self, b: [u8; 4]) -> f32 {
        match self {
            Self::Intel => f32::from_le_bytes(b),
            Self::Sgi => f32::from_be_bytes(b),
            Self::Dec => vax_f32(b),
        }
    }

    /// A 16-bit number at an offset, `None` past the end.
    pub(super) fn u16_at(self, bytes: &[u8], at: usize) -> Option<u16> {
        let b = bytes.get(at..at.checked_add(2)?)?;
        Some(self.u16([b[0], b[1]]))
    }

    /// A float at an offset, `None` past the end.
    pub(super) fn f32_at(self, bytes: &[u8], at: usize) -> Option<f32> {
        let b = bytes.get(at..at.checked_add(4)?)?;
        Some(self.f32([b[0], b[1], b[2], b[3]]))
    }
}

/// VAX F: two little-endian words, the high one first; (−1)^s · 0.1f · 2^(e − 128), f of 23 bits.
/// Exponent 0 is zero, or with the sign set a reserved value, given as NaN.
fn vax_f32(b: [u8; 4]) -> f32 {
    let bits = u32::from_le_bytes([b[2], b[3], b[0], b[1]]);
    let (sign, exponent, fraction) = (bits >> 31, (bits >> 23) & 0xFF, bits & 0x7F_FFFF);
    if exponent == 0 {
        return if sign == 0 { 0.0 } else { f32::NAN };
    }
    let size = f64::from(fraction | 0x80_0000) * 2.0_f64.powi(exponent as i32 - 128 - 24);
    (if sign == 0 { size } else { -size }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vax_floats() {
        // 1.0 = 0.1₂ · 2¹: exponent 129, so the high word is 0x4080.
        assert_eq!(vax_f32([0x80, 0x40, 0, 0]), 1.0);
        assert_eq!(vax_f32([0x80, 0xC0, 0, 0]), -1.0);
        assert_eq!(vax_f32([0, 0, 0, 0]), 0.0);
        assert!(vax_f32([0, 0x80, 0, 0]).is_nan());
        // π as DEC's manuals print it: 0x0FDB4149.
        assert_eq!(
            vax_f32([0x49, 0x41, 0xDB, 0x0F]),
            f32::from_bits(0x4049_0FDB)
        );
    }

    #[test]
    fn words() {
        assert_eq!(Machine::Sgi.u16([1, 2]), 258);
        assert_eq!(Machine::Dec.i16([0xFF, 0xFF]), -1);
        assert_eq!(Machine::Intel.f32_at(&[0; 3], 0), None);
        assert_eq!(Machine::Intel.u16_at(&[], usize::MAX), None);
    }
}
