//! Uniform cubic B-splines: four of them touch every frame.

/// Values of the four splines that touch a place, and the number of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub first: usize,
    pub value: [f64; 4],
    /// Slopes per knot.
    pub slope: [f64; 4],
}

/// Knots over a stretch of frames.
#[derive(Clone, Debug)]
pub(crate) struct Knots {
    /// Frames between two knots.
    step: f64,
    pub count: usize,
}

impl Knots {
    /// Knots `step` frames apart, at least one, over so many frames; laid so that the middle of the stretch is a middle of knots, and time
    /// reversed gives knots reversed.
    pub fn new(frames: usize, step: f64) -> Self {
        let last = frames.saturating_sub(1) as f64;
        let spans = (last / step.max(1.0)).ceil().max(1.0);
        Self {
            step: (last / spans).max(1e-9),
            count: spans as usize + 3,
        }
    }

    pub fn touch(&self, frame: usize) -> Touch {
        let at = frame as f64 / self.step;
        let first = (at.floor() as usize).min(self.count - 4);
        let u = at - first as f64;
        let (v, w) = (1.0 - u, u * u);
        let value = [
            v * v * v / 6.0,
            (3.0 * w * u - 6.0 * w + 4.0) / 6.0,
            (-3.0 * w * u + 3.0 * w + 3.0 * u + 1.0) / 6.0,
            w * u / 6.0,
        ];
        let slope = [-0.5 * v * v, 1.5 * w - 2.0 * u, -1.5 * w + u + 0.5, 0.5 * w];
        Touch {
            first,
            value,
            slope,
        }
    }

    /// Frames between two knots.
    pub fn step(&self) -> f64 {
        self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splines_sum_to_one_and_read_the_same_backwards() {
        for (frames, step) in [(2, 5.0), (40, 6.0), (121, 12.0)] {
            let knots = Knots::new(frames, step);
            for frame in 0..frames {
                let t = knots.touch(frame);
                assert!((t.value.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(t.slope.iter().sum::<f64>().abs() < 1e-12);
                assert!(t.first + 4 <= knots.count);
                let back = knots.touch(frames - 1 - frame);
                let dense = |t: Touch, flip: bool| {
                    let mut row = vec![0.0; knots.count];
                    row[t.first..t.first + 4].copy_from_slice(&t.value);
                    if flip {
                        row.reverse();
                    }
                    row
                };
                for (a, b) in dense(t, false).iter().zip(dense(back, true)) {
                    assert!((a - b).abs() < 1e-9);
                }
            }
        }
    }
}
