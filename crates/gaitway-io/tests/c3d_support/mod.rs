//! Makes small C3D files in every encoding.

use glam::DVec3;

/// Whose numbers.
#[derive(Clone, Copy, PartialEq)]
pub enum Machine {
    Intel,
    Dec,
    Sgi,
}

/// How points are stored.
#[derive(Clone, Copy)]
pub struct Encoding {
    pub machine: Machine,
    pub float: bool,
}

impl Encoding {
    fn word(self, value: u16) -> [u8; 2] {
        match self.machine {
            Machine::Sgi => value.to_be_bytes(),
            _ => value.to_le_bytes(),
        }
    }

    fn real(self, value: f32) -> [u8; 4] {
        match self.machine {
            Machine::Intel => value.to_le_bytes(),
            Machine::Sgi => value.to_be_bytes(),
            // VAX F is IEEE with an exponent greater by two and its halves exchanged.
            Machine::Dec => {
                let b = (4.0 * value).to_le_bytes();
                [b[2], b[3], b[0], b[1]]
            }
        }
    }
}

/// A file of three points, the second without a name, with two analog values per frame.
pub struct Made {
    pub encoding: Encoding,
    pub frames: usize,
    pub unit: &'static str,
    pub up: &'static str,
    pub rate_hz: f32,
}

impl Default for Made {
    fn default() -> Self {
        Self {
            encoding: Encoding {
                machine: Machine::Intel,
                float: true,
            },
            frames: 5,
            unit: "mm",
            up: "+Z",
            rate_hz: 60.0,
        }
    }
}

const SCALE: f32 = 0.25;

impl Made {
    /// Where a point is in the file's unit; a multiple of the scale, so that integers hold it exactly.
    pub fn place(&self, frame: usize, point: usize) -> Option<DVec3> {
        let seen = (frame + point) % 4 != 3;
        let (f, p) = ((frame % 1000) as f64, point as f64);
        seen.then(|| DVec3::new(100.0 * p, 0.0 - f, 250.5 * p + 0.25 * f))
    }

    pub fn data_start(&self) -> usize {
        1024
    }

    pub fn frame_bytes(&self) -> usize {
        (3 * 4 + 2) * if self.encoding.float { 4 } else { 2 }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = self.header();
        out.extend(self.parameters());
        assert!(out.len() <= self.data_start());
        out.resize(self.data_start(), 0);
        for frame in 0..self.frames {
            self.frame(frame, &mut out);
        }
        let blocks = out.len().div_ceil(512);
        out.resize(512 * blocks, 0);
        out
    }

    fn header(&self) -> Vec<u8> {
        let e = self.encoding;
        let mut out = vec![2, 0x50];
        let last = self.frames.min(65_535) as u16;
        for value in [3, 2, 1, last, 0] {
            out.extend(e.word(value));
        }
        out.extend(e.real(if e.float { -SCALE } else { SCALE }));
        out.extend(e.word(3));
        out.extend(e.word(1));
        out.extend(e.real(self.rate_hz));
        out.resize(512, 0);
        out
    }

    fn parameters(&self) -> Vec<u8> {
        let machine = match self.encoding.machine {
            Machine::Intel => 84,
            Machine::Dec => 85,
            Machine::Sgi => 86,
        };
        let mut out = vec![1, 0x50, 1, machine];
        self.record(&mut out, "POINT", -1, &[0]);
        self.record(&mut out, "TRIAL", -2, &[0]);
        self.record(&mut out, "LABELS", 1, &texts(&["LTOE", "", "LTOE"], 6));
        self.record(&mut out, "UNITS", 1, &texts(&[self.unit], 8));
        self.record(&mut out, "Y_SCREEN", 1, &texts(&[self.up], 2));
        let mut rate = vec![4, 0];
        rate.extend(self.encoding.real(self.rate_hz));
        self.record(&mut out, "RATE", 1, &rate);
        // A type that no reader knows.
        self.record(&mut out, "ODD", 1, &[7, 0, 1, 2]);
        for (name, value) in [("ACTUAL_START_FIELD", 1), ("ACTUAL_END_FIELD", self.frames)] {
            let mut field = vec![2, 1, 2];
            field.extend(self.encoding.word(value as u16));
            field.extend(self.encoding.word((value >> 16) as u16));
            self.record(&mut out, name, 2, &field);
        }
        out.extend([0, 0]);
        out
    }

    fn record(&self, out: &mut Vec<u8>, name: &str, group: i8, body: &[u8]) {
        out.push(name.len() as u8);
        out.push(group as u8);
        out.extend(name.as_bytes());
        // The offset counts from its own first byte; a description of no length follows parameters.
        let description: &[u8] = if group > 0 { &[0] } else { &[] };
        let offset = 2 + body.len() + description.len();
        out.extend(self.encoding.word(offset as u16));
        out.extend(body);
        out.extend(description);
    }

    fn frame(&self, frame: usize, out: &mut Vec<u8>) {
        let e = self.encoding;
        for point in 0..3 {
            let seen = self.place(frame, point);
            let place = seen.unwrap_or(DVec3::ZERO);
            for value in place.to_array() {
                if e.float {
                    out.extend(e.real(value as f32));
                } else {
                    let steps = (value / f64::from(SCALE)) as i16;
                    out.extend(e.word(steps as u16));
                }
            }
            match (e.float, seen) {
                (true, Some(_)) => out.extend(e.real(1282.0)),
                (true, None) => out.extend(e.real(if frame.is_multiple_of(2) {
                    -1.0
                } else {
                    65_535.0
                })),
                (false, Some(_)) => out.extend(e.word(1282)),
                (false, None) => out.extend(e.word(0xFFFF)),
            }
        }
        let size = if e.float { 4 } else { 2 };
        out.extend(std::iter::repeat_n(0xAB, 2 * size));
    }
}

fn texts(texts: &[&str], width: usize) -> Vec<u8> {
    let mut out = vec![0xFF, 2, width as u8, texts.len() as u8];
    for text in texts {
        out.extend(format!("{text:<width$}").as_bytes());
    }
    out
}
