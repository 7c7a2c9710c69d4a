//! Few colours for many: median cut over a histogram of 32 levels a channel.
//!
//! The box of colours with the most pixels × longest side is cut at its median until there are enough. Colour 0 is
//! the background, exactly, so that still areas stay still.

use super::colour::Colour;

/// Levels a channel, as bits.
const BITS: usize = 5;
/// Colours of a palette, few so that runs of equal pixels are long; the last of 128 places means "as before".
pub(super) const COLOURS: usize = 127;

/// Counts colours, then gives a palette.
pub(super) struct Histogram {
    /// Pixels and sums of red, green, blue per bin.
    bins: Vec<[u64; 4]>,
}

/// A palette and the nearest of its colours for every bin.
pub(super) struct Palette {
    background: Colour,
    pub(super) colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

fn bin(r: u8, g: u8, b: u8) -> usize {
    let level = |v: u8| usize::from(v) >> (8 - BITS);
    level(r) << (2 * BITS) | level(g) << BITS | level(b)
}

impl Histogram {
    pub(super) fn new() -> Self {
        Self {
            bins: vec![[0; 4]; 1 << (3 * BITS)],
        }
    }

    pub(super) fn count(&mut self, rgba: &[u8]) {
        for p in rgba.chunks_exact(4) {
            let bin = &mut self.bins[bin(p[0], p[1], p[2])];
            bin[0] += 1;
            for k in 0..3 {
                bin[k + 1] += u64::from(p[k]);
            }
        }
    }

    pub(super) fn palette(&self, background: Colour) -> Palette {
        // Cube roots of counts keep rare colours (thin lines, joints) from drowning in the many.
        let used: Vec<([f32; 3], f32)> = self
            .bins
            .iter()
            .filter(|b| b[0] > 0)
            .map(|b| {
                let mean = [1, 2, 3].map(|k| b[k] as f32 / b[0] as f32);
                (mean, (b[0] as f32).cbrt())
            })
            .collect();
        let mut boxes = vec![used];
        while boxes.len() < COLOURS - 1 {
            let widest = (0..boxes.len())
                .filter(|&i| boxes[i].len() > 1)
                .max_by(|&a, &b| worth(&boxes[a]).total_cmp(&worth(&boxes[b])));
            let Some(widest) = widest else { break };
            let (low, high) = cut(std::mem::take(&mut boxes[widest]));
            boxes[widest] = low;
            boxes.push(high);
        }
        let mut colours = vec![[background.r, background.g, background.b]];
        colours.extend(boxes.iter().filter(|b| !b.is_empty()).map(|b| mean(b)));
        let nearest = (0..1 << (3 * BITS))
            .map(|i: usize| {
                let centre = |shift: usize| ((i >> shift & 31) << 3 | 4) as i32;
                let want = [centre(2 * BITS), centre(BITS), centre(0)];
                let far = |c: &[u8; 3]| -> i32 {
                    (0..3).map(|k| (i32::from(c[k]) - want[k]).pow(2)).sum()
                };
                let best = (0..colours.len()).min_by_key(|&k| far(&colours[k]));
                best.unwrap_or(0) as u8
            })
            .collect();
        Palette {
            background,
            colours,
            nearest,
        }
    }
}

impl Palette {
    pub(super) fn index(&self, p: &[u8]) -> u8 {
        let b = self.background;
        if p[..3] == [b.r, b.g, b.b] {
            0
        } else {
            self.nearest[bin(p[0], p[1], p[2])]
        }
    }
}

type Weighted = ([f32; 3], f32);

fn span(items: &[Weighted], k: usize) -> f32 {
    let values = items.iter().map(|i| i.0[k]);
    let (low, high) = values.fold((f32::MAX, f32::MIN), |(l, h), v| (l.min(v), h.max(v)));
    high - low
}

fn longest(items: &[Weighted]) -> usize {
    (0..3)
        .max_by(|&a, &b| span(items, a).total_cmp(&span(items, b)))
        .unwrap_or(0)
}

fn worth(items: &[Weighted]) -> f32 {
    let weight: f32 = items.iter().map(|i| i.1).sum();
    weight * span(items, longest(items))
}

fn cut(mut items: Vec<Weighted>) -> (Vec<Weighted>, Vec<Weighted>) {
    let k = longest(&items);
    items.sort_by(|a, b| a.0[k].total_cmp(&b.0[k]));
    let half: f32 = items.iter().map(|i| i.1).sum::<f32>() / 2.0;
    let mut sum = 0.0;
    let at = items.iter().position(|i| {
        sum += i.1;
        sum >= half
    });
    let at = at.unwrap_or(0).clamp(1, items.len() - 1);
    let high = items.split_off(at);
    (items, high)
}

fn mean(items: &[Weighted]) -> [u8; 3] {
    let weight: f32 = items.iter().map(|i| i.1).sum();
    [0, 1, 2].map(|k| {
        let sum: f32 = items.iter().map(|i| i.0[k] * i.1).sum();
        (sum / weight).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_survive_unchanged() {
        let white = Colour::WHITE;
        let mut histogram = Histogram::new();
        let rgba = [[255, 255, 255, 255], [200, 30, 30, 255], [30, 30, 200, 255]].concat();
        histogram.count(&rgba);
        let palette = histogram.palette(white);
        for p in rgba.chunks_exact(4) {
            let found = palette.colours[usize::from(palette.index(p))];
            assert_eq!(found, p[..3], "{p:?}");
        }
    }
}
