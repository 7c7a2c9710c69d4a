//! What one sees of an animated GIF: how light each frame is, as a whole and in tiles.

use std::path::Path;

use serde_json::{Value, json};

/// One frame out of so many is kept by tiles.
const EVERY: usize = 10;
/// Tiles across and down.
const TILES: (usize, usize) = (8, 6);

/// Size, delays and light of a film. Light, and not a hash of the pixels: the edge of a limb may lie one rounding further.
pub fn digest(path: &Path) -> Value {
    let file = std::fs::File::open(path).expect("a film");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options
        .read_info(std::io::BufReader::new(file))
        .expect("a GIF");
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut canvas = vec![0_u8; width * height];
    let (mut delays, mut light, mut tiles) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().expect("a whole GIF") {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        // Frames hold what changed; pixels that did not are transparent.
        for (y, row) in frame
            .buffer
            .chunks(4 * usize::from(frame.width))
            .enumerate()
        {
            for (x, pixel) in row.as_chunks::<4>().0.iter().enumerate() {
                if pixel[3] > 0 {
                    let sum = u16::from(pixel[0]) + u16::from(pixel[1]) + u16::from(pixel[2]);
                    canvas[(top + y) * width + left + x] = (sum / 3) as u8;
                }
            }
        }
        if delays.len() % EVERY == 0 {
            tiles.push(by_tile(&canvas, width, height));
        }
        light.push(mean(canvas.iter().copied()));
        delays.push(frame.delay);
    }
    let seconds = delays.iter().map(|&d| f64::from(d) / 100.0).sum::<f64>();
    json!({
        "size": [width, height],
        "frames": delays.len(),
        "seconds": seconds,
        "light": light,
        "light_by_tile": tiles,
    })
}

fn by_tile(canvas: &[u8], width: usize, height: usize) -> Vec<f64> {
    let tile = |k: usize| {
        let (column, row) = (k % TILES.0, k / TILES.0);
        let part = |n: usize, of: usize, at: usize| n * at / of..n * (at + 1) / of;
        let rows = part(height, TILES.1, row);
        let pixels = rows.flat_map(|y| &canvas[y * width..][part(width, TILES.0, column)]);
        mean(pixels.copied())
    };
    (0..TILES.0 * TILES.1).map(tile).collect()
}

fn mean(pixels: impl Iterator<Item = u8>) -> f64 {
    let (count, sum) = pixels.fold((0_u32, 0_u64), |(n, s), p| (n + 1, s + u64::from(p)));
    (sum as f64 / f64::from(count.max(1)) * 100.0).round() / 100.0
}
