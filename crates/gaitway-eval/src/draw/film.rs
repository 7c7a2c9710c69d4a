//! Pictures one after another, as a GIF file.
//!
//! All frames share one palette, counted on a few of them; a frame holds only the rectangle that
//! changed, and inside it only the pixels that did. Frames are drawn one at a time, so memory is that of one frame and the file.

use super::DrawError;
use super::colour::Colour;
use super::quantise::{COLOURS, Histogram, Palette};
use super::scene::Scene;

/// The most pixels of all frames together (a minute of 640 × 480 at 30 a second is 0.55 of it).
const MAX_TOTAL_PIXELS: u64 = 1_000_000_000;
/// Frames the palette is counted on.
const PALETTE_FRAMES: usize = 6;

/// Something that can be drawn frame by frame.
pub(super) trait Film {
    /// Pixels across and down, the same in all frames.
    fn size(&self) -> (u32, u32);
    /// How many frames.
    fn frame_count(&self) -> usize;
    /// Frames a second.
    fn fps(&self) -> f64;
    /// What is behind everything: it stays exact.
    fn background(&self) -> Colour;
    /// One of the frames.
    fn scene(&self, k: usize) -> Result<Scene, DrawError>;
}

/// Whether a film is small enough to be made.
pub(super) fn check(width: u32, height: u32, frames: usize) -> Result<(), DrawError> {
    let total = u64::from(width) * u64::from(height) * frames as u64;
    if total <= MAX_TOTAL_PIXELS {
        return Ok(());
    }
    Err(DrawError::Option {
        option: "the animation",
        value: format!("{frames} frames of {width} by {height} pixels"),
        expected: "at most a thousand million pixels in all; make it smaller or shorter",
    })
}

/// Told how much of a film is drawn, 0 to 1, after every frame; ends it where it answers false.
pub type Watch<'a> = &'a dyn Fn(f64) -> bool;

/// A film as a GIF file's bytes, playing again and again.
pub(super) fn to_gif(film: &impl Film, watch: Watch<'_>) -> Result<Vec<u8>, DrawError> {
    let mut histogram = Histogram::new();
    let frames = film.frame_count();
    let counted = PALETTE_FRAMES.min(frames);
    for k in 0..counted {
        histogram.count(&film.scene(k * frames / counted)?.to_rgba()?);
    }
    encode(film, &histogram.palette(film.background()), watch)
}

fn encode(film: &impl Film, palette: &Palette, watch: Watch<'_>) -> Result<Vec<u8>, DrawError> {
    let failed = |e: gif::EncodingError| DrawError::Encode(e.to_string());
    let side = |v: u32| u16::try_from(v).map_err(|e| DrawError::Encode(e.to_string()));
    let (width, height) = film.size();
    let mut colours: Vec<u8> = palette.colours.concat();
    colours.resize(3 * (COLOURS + 1), 0);
    let mut file = Vec::new();
    let mut encoder =
        gif::Encoder::new(&mut file, side(width)?, side(height)?, &colours).map_err(failed)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
    let mut before: Option<Vec<u8>> = None;
    // Hundredths of a second, rounded so that the whole plays at the right speed.
    let tick = |k: usize| (k as f64 * 100.0 / film.fps()).round() as u16;
    for k in 0..film.frame_count() {
        let rgba = film.scene(k)?.to_rgba()?;
        let now: Vec<u8> = rgba.chunks_exact(4).map(|p| palette.index(p)).collect();
        let mut frame = changed(before.as_deref(), &now, width as usize);
        frame.delay = tick(k + 1).wrapping_sub(tick(k)).max(1);
        encoder.write_frame(&frame).map_err(failed)?;
        before = Some(now);
        if !watch((k + 1) as f64 / film.frame_count() as f64) {
            return Err(DrawError::Stopped);
        }
    }
    drop(encoder);
    Ok(file)
}

/// The part of a picture that differs from the one before; what is equal inside it is left transparent.
fn changed(before: Option<&[u8]>, now: &[u8], width: usize) -> gif::Frame<'static> {
    let height = now.len() / width;
    let differs = |i: usize| before.is_none_or(|b| b[i] != now[i]);
    let (mut low, mut high) = ((width, height), (0, 0));
    for (i, _) in now.iter().enumerate().filter(|(i, _)| differs(*i)) {
        let (x, y) = (i % width, i / width);
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x + 1), high.1.max(y + 1));
    }
    if low.0 >= high.0 {
        (low, high) = ((0, 0), (1, 1));
    }
    let mut buffer = Vec::with_capacity((high.0 - low.0) * (high.1 - low.1));
    for y in low.1..high.1 {
        let row = y * width + low.0..y * width + high.0;
        buffer.extend(row.map(|i| if differs(i) { now[i] } else { COLOURS as u8 }));
    }
    gif::Frame {
        left: low.0 as u16,
        top: low.1 as u16,
        width: (high.0 - low.0) as u16,
        height: (high.1 - low.1) as u16,
        transparent: Some(COLOURS as u8),
        dispose: gif::DisposalMethod::Keep,
        buffer: buffer.into(),
        ..gif::Frame::default()
    }
}
