//! Inputs changed at random: bytes and bits, pieces cut, doubled and taken from others, numbers and words that are known to hurt.

use gaitway::core::random::SplitMix64;

/// What breaks readers: limits of types, what is not a number, words of the formats.
const WORDS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "1e-30",
    "1e5",
    "25000000",
    "-25000000",
    "1e7",
    "2.5e7",
    "1e9",
    "1e16",
    "1e20",
    "3.4e38",
    "-3.4e38",
    "1e300",
    "nan",
    "inf",
    "-inf",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999",
    "0.0001",
    "360",
    "180",
    ",",
    ";",
    " ",
    "\n",
    "\t",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "#",
    ":",
    "@",
    "%",
    "..",
    "OFFSET",
    "CHANNELS 3 Xrotation Yrotation Zrotation",
    "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
    "JOINT",
    "End Site",
    "MOTION",
    "Frames:",
    "Frame Time: 0.0333333",
    "walk",
    "any",
    "pick",
    "{\"circle\":[0,2,0.3]}",
    "{\"box\":[-1,1,1,2]}",
    "{\"polygon\":[[0,0],[1,0],[0,1]]}",
    "M",
    "L",
    "A",
    "z",
    "[0,0]",
    "[1,1]",
    "\n----\n",
    "true",
    "null",
];

/// Input k is drawn from k alone.
struct Draw(SplitMix64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0.draw()
    }

    /// Below n; 0 for none.
    fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            0
        } else {
            (self.next() % n as u64) as usize
        }
    }
}

/// Longest input: more takes time and finds little.
const LONGEST: usize = 1 << 16;

/// Input k of a corpus.
pub fn input(corpus: &[Vec<u8>], k: u64) -> Vec<u8> {
    let mut draw = Draw(SplitMix64::new(k.wrapping_mul(0x2545_f491_4f6c_dd1d)));
    let mut out = corpus[draw.below(corpus.len())].clone();
    for _ in 0..1 + draw.below(6) {
        change(&mut out, corpus, &mut draw);
    }
    out.truncate(LONGEST);
    out
}

fn change(out: &mut Vec<u8>, corpus: &[Vec<u8>], draw: &mut Draw) {
    let at = draw.below(out.len() + 1);
    let end = (at + 1 + draw.below(32)).min(out.len());
    match draw.below(9) {
        0 if at < out.len() => out[at] ^= 1 << draw.below(8),
        1 if at < out.len() => out[at] = draw.next() as u8,
        2 if at < end => drop(out.drain(at..end)),
        3 if at < end => {
            let piece = out[at..end].to_vec();
            for _ in 0..1 + draw.below(8) {
                out.splice(at..at, piece.iter().copied());
            }
        }
        4 => {
            let other = &corpus[draw.below(corpus.len())];
            let from = draw.below(other.len() + 1);
            let to = (from + draw.below(200)).min(other.len());
            out.splice(at..at, other[from..to].iter().copied());
        }
        5 => out.truncate(at),
        // A number in place of a number: the text stays one.
        6 | 7 => {
            let Some((from, to)) = number_after(out, at) else {
                return;
            };
            let word = WORDS[draw.below(26)];
            out.splice(from..to, word.bytes());
        }
        _ => {
            let word = WORDS[draw.below(WORDS.len())];
            out.splice(at..at, word.bytes());
        }
    }
}

/// The first run of digits, signs and points after a place.
fn number_after(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let part = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'.');
    let from = at + text.get(at..)?.iter().position(part)?;
    let to = from
        + text[from..]
            .iter()
            .position(|b| !part(b))
            .unwrap_or(text.len() - from);
    Some((from, to))
}
