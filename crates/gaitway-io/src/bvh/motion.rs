//! The numbers: `Frames:`, `Frame Time:` and one line a frame.
//!
//! A line is a frame in nearly every file. Where the first lines show that frames are wrapped or share a
//! line, line ends are white space like any other. Else a line that is too short or too long is an error,
//! because every later number would drive the wrong joint.

use gaitway_core::{WarningCode, Warnings};

use crate::error::{ReadError, shown};

use super::decode::Decoder;
use super::hierarchy::printed_decimals;
use super::number::{self, Fraction};
use super::rate;
use super::text::{Text, Token, is_space};

/// Decoded bytes a file may ask for, per byte of its own and in any case. Only files made to harm come near:
/// a usual frame decodes to two to three times its text.
const DECODED_PER_BYTE: usize = 128;
const DECODED_ANYWAY: usize = 16 << 20;

/// Rate where a file gives the frame time 0.
const FALLBACK_HZ: f64 = 30.0;

/// What stands between `MOTION` and the numbers.
pub struct Header {
    pub declared: usize,
    pub frame_time: String,
    pub rate_hz: f64,
}

/// Reads `Frames:` and `Frame Time:` in either order.
pub fn read_header(text: &mut Text<'_>, warnings: &mut Warnings) -> Result<Header, ReadError> {
    let mut declared = None;
    let mut time = None;
    while declared.is_none() || time.is_none() {
        let token = text.next();
        let (word, value) = split_colon(token);
        if declared.is_none() && word.is("Frames") {
            declared = Some(read_count(text, value)?);
        } else if time.is_none() && word.is("Frame") {
            let second = text.next();
            let (word, value) = split_colon(second);
            if !word.is("Time") {
                return Err(text.unexpected(second, "`Time:` after `Frame`"));
            }
            time = Some(read_time(text, value, warnings)?);
        } else {
            let expected = if declared.is_none() {
                "`Frames:`"
            } else {
                "`Frame Time:`"
            };
            return Err(text.unexpected(token, expected));
        }
    }
    let (Some(declared), Some((frame_time, rate_hz))) = (declared, time) else {
        unreachable!("the loop ends when both are there");
    };
    Ok(Header {
        declared,
        frame_time,
        rate_hz,
    })
}

/// `Frames:12` into `Frames` and `12`; what follows the colon is empty where a space does.
fn split_colon(token: Token<'_>) -> (Token<'_>, Token<'_>) {
    let colon = token.bytes.iter().position(|&b| b == b':');
    let end = colon.unwrap_or(token.bytes.len());
    let from = colon.map_or(end, |c| c + 1);
    let value = Token {
        bytes: &token.bytes[from..],
        at: token.at + from,
    };
    (
        Token {
            bytes: &token.bytes[..end],
            at: token.at,
        },
        value,
    )
}

/// The value after a colon, or the next token, over a colon that stands alone.
fn value_token<'a>(text: &mut Text<'a>, after: Token<'a>) -> Token<'a> {
    if !after.bytes.is_empty() {
        return after;
    }
    let token = text.next();
    match token.bytes {
        b":" => text.next(),
        [b':', rest @ ..] => Token {
            bytes: rest,
            at: token.at + 1,
        },
        _ => token,
    }
}

fn read_count<'a>(text: &mut Text<'a>, after: Token<'a>) -> Result<usize, ReadError> {
    let token = value_token(text, after);
    let value = number::exact(token.bytes).filter(|v| *v >= 0.0 && v.fract() == 0.0);
    match value {
        Some(count) => Ok(count.min(1e15) as usize),
        None => Err(text.unexpected(token, "the number of frames, a whole number")),
    }
}

fn read_time<'a>(
    text: &mut Text<'a>,
    after: Token<'a>,
    warnings: &mut Warnings,
) -> Result<(String, f64), ReadError> {
    let token = value_token(text, after);
    let Some(seconds) = number::exact(token.bytes) else {
        return Err(text.not_a_number(token, "the seconds from frame to frame"));
    };
    let printed = String::from_utf8_lossy(token.bytes).into_owned();
    if seconds == 0.0 {
        warnings.add(
            WarningCode::Unusual,
            format!("the frame time is 0; {FALLBACK_HZ} frames a second are taken (--source-fps sets another rate)"),
        );
        return Ok((printed, FALLBACK_HZ));
    }
    if !(1e-6..=1e4).contains(&seconds) {
        let error = text.unexpected(token, "the seconds from frame to frame, such as 0.0333333");
        return Err(error.with_hint("put 1 divided by the frames a second after `Frame Time:`"));
    }
    if !(1e-4..=1.0).contains(&seconds) {
        warnings.add(
            WarningCode::Unusual,
            format!("a frame time of {printed} s is unusual; perhaps milliseconds or frames a second are meant (--source-fps sets the rate)"),
        );
    }
    Ok((printed, rate::from_frame_time(token.bytes, seconds)))
}

/// How frames lie in lines.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// One line, one frame.
    Lines,
    /// Numbers one after another.
    Stream,
}

/// Why a frame could not be filled.
enum Stop {
    /// The line (or in a stream the file) ended after so many numbers; where.
    Short(usize, usize),
    /// No number here.
    Bad(usize),
    /// The frame is full and its line goes on here.
    Long(usize),
    /// More frames than the file's size justifies.
    TooLarge,
}

/// Reads all frames into the decoder and gives the most decimals seen in the first ones.
pub fn read_frames(
    text: &mut Text<'_>,
    declared: usize,
    decoder: &mut Decoder,
    warnings: &mut Warnings,
) -> Result<usize, ReadError> {
    let from = skip_space(text.bytes, text.at);
    let form = find_form(text.bytes, from, decoder.channel_count());
    let most_bytes = text.bytes.len().saturating_mul(DECODED_PER_BYTE) + DECODED_ANYWAY;
    let most_frames = most_bytes / decoder.frame_bytes();
    decoder.reserve(
        likely_frames(text.bytes, from, declared, decoder.channel_count(), form).min(most_frames),
    );
    let bytes = text.bytes;
    let ended = pulp::Arch::new().dispatch(AllFrames {
        bytes,
        from,
        form,
        most_frames,
        decoder,
    });
    if let Err((stop, at)) = ended {
        soft_end(text, stop, at, declared, decoder, warnings)?;
    }
    Ok(sample_decimals(text.bytes, from, decoder.channel_count()))
}

/// The same code for the processor at hand: wider registers and better shifts, the same numbers.
///
/// A type of its own and not a closure: as one, even one to be inlined, it kept the code for the least of processors and took a sixth longer.
struct AllFrames<'a> {
    bytes: &'a [u8],
    from: usize,
    form: Form,
    most_frames: usize,
    decoder: &'a mut Decoder,
}

impl pulp::WithSimd for AllFrames<'_> {
    type Output = Result<(), (Stop, usize)>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Self::Output {
        let (bytes, from, most) = (self.bytes, self.from, self.most_frames);
        match self.form {
            Form::Lines => read_all::<true>(bytes, from, most, self.decoder),
            Form::Stream => read_all::<false>(bytes, from, most, self.decoder),
        }
    }
}

/// Reads frames to the end of the text, or to what stops them and where that frame begins.
#[inline(always)]
fn read_all<const LINES: bool>(
    bytes: &[u8],
    mut at: usize,
    most_frames: usize,
    decoder: &mut Decoder,
) -> Result<(), (Stop, usize)> {
    while at < bytes.len() {
        let end = fill::<LINES>(bytes, at, decoder).map_err(|stop| (stop, at))?;
        if decoder.root.len() == most_frames {
            return Err((Stop::TooLarge, at));
        }
        decoder.push_frame();
        at = skip_space(bytes, end);
    }
    Ok(())
}

/// Reads the numbers of one frame from `at` on and gives the place after them.
#[inline(always)]
fn fill<const LINES: bool>(
    bytes: &[u8],
    mut at: usize,
    decoder: &mut Decoder,
) -> Result<usize, Stop> {
    let values = decoder.numbers.as_mut_slice();
    for (n, &slot) in decoder.slots.iter().enumerate() {
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        let (value, end) = match number::common(bytes, at) {
            Some(found) => found,
            None => uncommon::<LINES>(bytes, at, n)?,
        };
        values[slot] = value;
        at = end;
    }
    if LINES {
        while at < bytes.len() && is_space(bytes[at]) && !is_line_end(bytes[at]) {
            at += 1;
        }
        if at < bytes.len() && !is_line_end(bytes[at]) {
            return Err(Stop::Long(at));
        }
    }
    Ok(at)
}

/// A number the fast way leaves: with an exponent, many digits, at the end of the file, or after a line end.
#[cold]
fn uncommon<const LINES: bool>(
    bytes: &[u8],
    mut at: usize,
    n: usize,
) -> Result<(Fraction, usize), Stop> {
    while at < bytes.len() && is_space(bytes[at]) {
        if LINES && is_line_end(bytes[at]) {
            return Err(Stop::Short(n, at));
        }
        at += 1;
    }
    if at == bytes.len() {
        return Err(Stop::Short(n, at));
    }
    let end = token_end(bytes, at);
    match number::exact(&bytes[at..end]) {
        Some(value) => Ok((Fraction::of(value), end)),
        None => Err(Stop::Bad(at)),
    }
}

/// Takes a stop that is a soft end of the motion (a frame cut short by the end of the file, other text after
/// the declared frames), with a warning; else gives the error.
fn soft_end(
    text: &Text<'_>,
    stop: Stop,
    frame_at: usize,
    declared: usize,
    decoder: &Decoder,
    warnings: &mut Warnings,
) -> Result<(), ReadError> {
    let (read, channels) = (decoder.root.len(), decoder.channel_count());
    match stop {
        Stop::Short(n, at) if skip_space(text.bytes, at) == text.bytes.len() => {
            warnings.add(
                WarningCode::PartialFrame,
                format!("the last frame has {n} of {channels} values and was dropped"),
            );
            Ok(())
        }
        Stop::Short(n, at) => {
            let token = Token { bytes: &[], at };
            let mut error =
                text.unexpected(token, &format!("{channels} values in frame {}", read + 1));
            if let ReadError::Syntax { found, .. } = &mut error {
                *found = format!("the end of the line after {n}");
            }
            Err(error.with_hint(COUNT_HINT))
        }
        Stop::Bad(at) => {
            let token = Token {
                bytes: &text.bytes[at..token_end(text.bytes, at)],
                at,
            };
            let cut_off = at + token.bytes.len() == text.bytes.len()
                && token
                    .bytes
                    .iter()
                    .all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
            if cut_off {
                warnings.add(
                    WarningCode::PartialFrame,
                    format!(
                        "the file ends within a number ({}); the last frame was dropped",
                        shown(token.bytes)
                    ),
                );
                return Ok(());
            }
            if at == frame_at && read >= declared && read > 0 && !looks_numeric(token.bytes) {
                let place = text.place(at);
                warnings.add(
                    WarningCode::LeftOut,
                    format!(
                        "text after the last frame{place} was left out: {}",
                        shown(token.bytes)
                    ),
                );
                return Ok(());
            }
            Err(text.not_a_number(token, &format!("a number of frame {}", read + 1)))
        }
        Stop::TooLarge => Err(too_large(text, decoder)),
        Stop::Long(at) => {
            let token = Token {
                bytes: &text.bytes[at..token_end(text.bytes, at)],
                at,
            };
            let expected = format!(
                "the end of the line after the {channels} values of frame {}",
                read + 1
            );
            Err(text.unexpected(token, &expected).with_hint(COUNT_HINT))
        }
    }
}

const COUNT_HINT: &str = "the CHANNELS lines of the tree must add up to the numbers on each line";

/// Whether a token was meant as a number, so that it is an error and not a remark.
fn looks_numeric(token: &[u8]) -> bool {
    let lower = token.to_ascii_lowercase();
    let word = |w: &[u8]| lower.windows(w.len()).any(|x| x == w);
    token[0].is_ascii_digit()
        || matches!(token[0], b'-' | b'+' | b'.')
        || word(b"nan")
        || word(b"inf")
}

fn too_large(text: &Text<'_>, decoder: &Decoder) -> ReadError {
    let frames = decoder.root.len();
    let message = format!(
        "more than {frames} frames of so many joints with so few channels would take far more memory than the file"
    );
    ReadError::content(text.file, message)
        .with_hint("the tree has many joints without channels; is the file damaged?")
}

/// Tells from the first lines how frames lie in lines.
fn find_form(bytes: &[u8], from: usize, channels: usize) -> Form {
    let mut at = from;
    let mut total = 0;
    let mut lines = 0;
    while at < bytes.len() {
        let (count, end) = count_line(bytes, at, channels);
        lines += 1;
        total += count;
        at = skip_space(bytes, end);
        if total >= channels || at == bytes.len() {
            break;
        }
    }
    match (lines, total) {
        (0 | 1, total) if total <= channels => Form::Lines,
        (1, total) if total % channels == 0 => Form::Stream,
        (_, total) if lines > 1 && total <= channels => Form::Stream,
        // The frame loop finds the line and says so.
        _ => Form::Lines,
    }
}

/// Counts the words of a line, and gives its end. Stops counting where more cannot matter.
fn count_line(bytes: &[u8], mut at: usize, channels: usize) -> (usize, usize) {
    let mut count = 0;
    let most = channels.saturating_mul(1 << 16);
    while at < bytes.len() && !is_line_end(bytes[at]) {
        if is_space(bytes[at]) {
            at += 1;
            continue;
        }
        count += 1;
        at = token_end(bytes, at);
        if count >= most {
            break;
        }
    }
    (count, at)
}

/// Frames to make room for: as declared, but never more than the bytes that are left can hold.
fn likely_frames(bytes: &[u8], from: usize, declared: usize, channels: usize, form: Form) -> usize {
    let left = bytes.len() - from;
    let shortest = 2 * channels;
    let line = match form {
        Form::Lines => {
            let first = &bytes[from..];
            memchr::memchr2(b'\n', b'\r', first).map_or(first.len(), |p| p + 1)
        }
        Form::Stream => shortest,
    };
    let by_line = left / line.max(1);
    declared
        .min(left / shortest + 1)
        .min(by_line + by_line / 4 + 16)
}

/// The most decimals printed among the first numbers.
fn sample_decimals(bytes: &[u8], from: usize, channels: usize) -> usize {
    let mut at = from;
    let mut most = 0;
    for _ in 0..channels * 8 {
        at = skip_space(bytes, at);
        if at == bytes.len() {
            break;
        }
        let end = token_end(bytes, at);
        most = most.max(printed_decimals(&bytes[at..end]));
        at = end;
    }
    most
}

#[inline(always)]
fn is_line_end(b: u8) -> bool {
    matches!(b, b'\n' | b'\r')
}

#[inline(always)]
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is_space(bytes[at]) {
        at += 1;
    }
    at
}

fn token_end(bytes: &[u8], at: usize) -> usize {
    let left = &bytes[at..];
    at + left.iter().position(|&b| is_space(b)).unwrap_or(left.len())
}
