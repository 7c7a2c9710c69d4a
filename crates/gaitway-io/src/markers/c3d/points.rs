//! The data section: four numbers per point and frame, then analog samples, which are passed over.

use gaitway_core::limits::LARGEST_IN_FILE;
use glam::DVec3;

use super::bytes::Machine;

/// How frames lie in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub machine: Machine,
    pub points: usize,
    /// Analog values per frame, all channels together.
    pub analog: usize,
    /// Units per step of an integer; `None` for floats.
    pub integer_scale: Option<f64>,
}

impl Layout {
    /// Bytes of one stored number.
    fn size(&self) -> usize {
        if self.integer_scale.is_some() { 2 } else { 4 }
    }

    /// Bytes of one frame. Both counts are 16-bit, so this cannot overflow.
    pub(super) fn frame_bytes(&self) -> usize {
        (4 * self.points + self.analog) * self.size()
    }

    /// Reads whole frames: places in the file's unit, zero in gaps, and whether each point was seen.
    pub(super) fn read(&self, data: &[u8], frames: usize) -> (Vec<DVec3>, Vec<bool>) {
        let samples = frames * self.points;
        let mut places = Vec::with_capacity(samples);
        let mut visible = Vec::with_capacity(samples);
        let point_bytes = 4 * self.size();
        for frame in data.chunks_exact(self.frame_bytes().max(1)).take(frames) {
            for point in frame.chunks_exact(point_bytes).take(self.points) {
                let place = self.point(point);
                places.push(place.unwrap_or(DVec3::ZERO));
                visible.push(place.is_some());
            }
        }
        (places, visible)
    }

    /// One point, `None` where it was not seen: the fourth number is a 16-bit word with the sign bit set
    /// (as a float: −1, or 65535 from writers that forget the sign), or a coordinate is not a number.
    fn point(&self, b: &[u8]) -> Option<DVec3> {
        if let Some(scale) = self.integer_scale {
            let word = |i: usize| self.machine.i16([b[2 * i], b[2 * i + 1]]);
            let place = DVec3::new(word(0).into(), word(1).into(), word(2).into());
            return (word(3) >= 0).then_some(place * scale);
        }
        let float = |i: usize| {
            let at = 4 * i;
            self.machine.f32([b[at], b[at + 1], b[at + 2], b[at + 3]])
        };
        let place = DVec3::new(float(0).into(), float(1).into(), float(2).into());
        let mask = float(3);
        let seen = mask >= 0.0 && (mask as i64) & 0x8000 == 0;
        // No laboratory is larger, in any unit; such floats are damage.
        (seen && place.abs().max_element() <= LARGEST_IN_FILE && place.is_finite()).then_some(place)
    }
}
