//! Arrays out of a zip file, as `numpy.savez` and `numpy.savez_compressed` write them.
//!
//! What is unpacked is bounded: an array says in its first bytes how large it is, and that is held against what a file of this size
//! may hold before more of it is unpacked, and never exceeded.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::error::ReadError;

/// Bytes that the arrays of any file may take: an hour of fifty joints at 120 Hz that hardly move.
const ROOM: u64 = 512 << 20;
/// And for each byte of the file.
const ROOM_PER_BYTE: u64 = 64;
/// NumPy itself refuses longer headers unless asked.
const LONGEST_HEADER: usize = 1 << 16;

/// The arrays of one file.
pub(crate) struct Archive<'a> {
    file: &'a str,
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: u64,
}

/// One array, the last index running fastest.
#[derive(Debug, PartialEq)]
pub(crate) struct Array {
    pub shape: Vec<usize>,
    pub values: Values,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Values {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

impl Array {
    /// Its numbers; none where it holds text.
    pub fn numbers(&self) -> &[f64] {
        match &self.values {
            Values::Numbers(numbers) => numbers,
            Values::Texts(_) => &[],
        }
    }

    /// Its texts; none where it holds numbers.
    pub fn texts(&self) -> &[String] {
        match &self.values {
            Values::Numbers(_) => &[],
            Values::Texts(texts) => texts,
        }
    }
}

impl<'a> Archive<'a> {
    pub fn open(file: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|e| ReadError::content(file, format!("is no zip file: {e}")))?;
        Ok(Self {
            file,
            zip,
            left: ROOM.saturating_add(ROOM_PER_BYTE.saturating_mul(bytes.len() as u64)),
        })
    }

    /// Names of all arrays, in the order of the file.
    pub fn names(&self) -> Vec<String> {
        let names = self.zip.file_names().filter_map(Result::ok);
        let array = |n: &str| n.strip_suffix(".npy").map(str::to_owned);
        names.filter_map(|n| array(&n)).collect()
    }

    pub fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// An array, `None` where it is not there.
    pub fn array(&mut self, name: &str) -> Result<Option<Array>, ReadError> {
        let Some(index) = self.zip.index_for_name(&format!("{name}.npy")) else {
            return Ok(None);
        };
        let file = self.file;
        let wrong = |what: String| ReadError::content(file, format!("array `{name}`: {what}"));
        let mut member = self.zip.by_index(index).map_err(|e| {
            wrong(e.to_string()).with_hint("write it by numpy.savez or numpy.savez_compressed")
        })?;
        read(&mut member, &mut self.left)
            .map(Some)
            .map_err(|e| match e {
                Wrong::Told(what) => wrong(what),
                Wrong::Objects => wrong(
                    "holds objects of Python, which only Python can load, and not safely".into(),
                )
                .with_hint("save it as an array of numbers: numpy.asarray(…, dtype=float)"),
            })
    }
}

enum Wrong {
    Told(String),
    /// A pickle.
    Objects,
}

impl From<&str> for Wrong {
    fn from(what: &str) -> Self {
        Self::Told(what.to_owned())
    }
}

impl From<String> for Wrong {
    fn from(what: String) -> Self {
        Self::Told(what)
    }
}

/// NumPy's format 1.0 to 3.0: magic, a header that is a dictionary of Python, numbers.
fn read(member: &mut dyn Read, left: &mut u64) -> Result<Array, Wrong> {
    let header = header(member)?;
    let kind = Kind::parse(&header.kind)?;
    let sizes = header.shape.iter();
    let count = sizes.clone().try_fold(1_usize, |a, &b| a.checked_mul(b));
    let count = count.ok_or("its shape is too large")?;
    let bytes = count.checked_mul(kind.width);
    let bytes = bytes.ok_or("its shape is too large")?;
    // As values of ours it takes memory beside its bytes.
    let each = match kind.what {
        What::Bytes | What::Letters => size_of::<String>() as u64,
        _ => size_of::<f64>() as u64,
    };
    let cost = (count as u64).saturating_mul(each);
    let cost = cost.saturating_add(bytes as u64);
    *left = left.checked_sub(cost).ok_or_else(|| {
        let shape: Vec<String> = sizes.map(usize::to_string).collect();
        format!(
            "its shape ({}) asks for more than the file's size justifies",
            shape.join(", ")
        )
    })?;
    let data = taken(member, bytes)?;
    if data.len() < bytes {
        return Err(format!("holds {} of {bytes} bytes", data.len()).into());
    }
    let values = match kind.what {
        What::Bytes | What::Letters => {
            let text = |t: &[u8]| kind.text(t);
            let texts = match kind.width {
                0 => vec![String::new(); count],
                width => data.chunks_exact(width).map(text).collect(),
            };
            Values::Texts(in_c_order(texts, &header))
        }
        _ => {
            let number = |c: &[u8]| kind.number(c);
            let numbers = data.chunks_exact(kind.width).map(number).collect();
            Values::Numbers(in_c_order(numbers, &header))
        }
    };
    Ok(Array {
        shape: header.shape,
        values,
    })
}

/// Up to `count` bytes; memory is taken as they come.
fn taken(member: &mut dyn Read, count: usize) -> Result<Vec<u8>, Wrong> {
    let mut out = Vec::new();
    let read = member.take(count as u64).read_to_end(&mut out);
    read.map_err(|e| Wrong::Told(format!("cannot be unpacked: {e}")))?;
    Ok(out)
}

struct Header {
    kind: String,
    fortran: bool,
    shape: Vec<usize>,
}

fn header(member: &mut dyn Read) -> Result<Header, Wrong> {
    let start = taken(member, 8)?;
    let version = match start.as_slice() {
        [0x93, b'N', b'U', b'M', b'P', b'Y', version, _] => *version,
        _ => return Err("is no NumPy array".into()),
    };
    let words = match version {
        1 => 2,
        2 | 3 => 4,
        other => return Err(format!("is of version {other} of NumPy's format").into()),
    };
    let length = taken(member, words)?;
    let length = length
        .iter()
        .rev()
        .fold(0_usize, |n, b| n << 8 | usize::from(*b));
    if length > LONGEST_HEADER {
        return Err(format!("its header claims {length} bytes").into());
    }
    let text = taken(member, length)?;
    if text.len() < length || length == 0 {
        return Err("its header is cut short".into());
    }
    let head = String::from_utf8_lossy(&text);
    let after = |key: &str| {
        let at = head.find(key)? + key.len();
        Some(head[at..].trim_start_matches([':', ' ', '\'', '"']))
    };
    let kind = after("'descr'").ok_or("its header names no type")?;
    let kind: String = kind.chars().take_while(|c| !"'\",".contains(*c)).collect();
    let shape = after("'shape'").ok_or("its header names no shape")?;
    let shape = shape.trim_start_matches('(');
    let end = shape.find(')').ok_or("its header has no end")?;
    let size = |t: &str| {
        let size = t.parse::<usize>();
        size.map_err(|_| Wrong::Told(format!("`{t}` is no size")))
    };
    let sizes = shape[..end].split(',').map(str::trim);
    let shape = sizes.filter(|t| !t.is_empty()).map(size);
    Ok(Header {
        kind,
        fortran: after("'fortran_order'").is_some_and(|v| v.starts_with("True")),
        shape: shape.collect::<Result<_, _>>()?,
    })
}

/// What elements are.
#[derive(Clone, Copy)]
enum What {
    Float,
    Signed,
    Unsigned,
    /// Letters of one byte, as `numpy.bytes_`.
    Bytes,
    /// Letters of four bytes, as `numpy.str_`.
    Letters,
}

struct Kind {
    what: What,
    /// Bytes of one element.
    width: usize,
    big_endian: bool,
}

impl Kind {
    fn parse(text: &str) -> Result<Self, Wrong> {
        let other = || {
            Wrong::Told(format!(
                "is of type `{text}`; numbers (f4, f8, integers) are read"
            ))
        };
        let mut letters = text.chars();
        let order = letters.next().ok_or_else(other)?;
        let what = letters.next().ok_or_else(other)?;
        if what == 'O' || order == 'O' {
            return Err(Wrong::Objects);
        }
        let size: usize = letters.as_str().parse().map_err(|_| other())?;
        let (what, width) = match (what, size) {
            ('f', 4 | 8) => (What::Float, size),
            ('i', 1 | 2 | 4 | 8) => (What::Signed, size),
            ('u' | 'b', 1 | 2 | 4 | 8) => (What::Unsigned, size),
            ('S', _) => (What::Bytes, size),
            ('U', _) => (What::Letters, size.checked_mul(4).ok_or_else(other)?),
            _ => return Err(other()),
        };
        match order {
            '<' | '>' | '|' | '=' => Ok(Self {
                what,
                width,
                big_endian: order == '>',
            }),
            _ => Err(other()),
        }
    }

    /// The bits of an element of at most eight bytes.
    fn bits(&self, bytes: &[u8]) -> u64 {
        let add = |n: u64, b: &u8| n << 8 | u64::from(*b);
        match self.big_endian {
            true => bytes.iter().fold(0, add),
            false => bytes.iter().rev().fold(0, add),
        }
    }

    fn number(&self, bytes: &[u8]) -> f64 {
        let bits = self.bits(bytes);
        match (self.what, self.width) {
            (What::Float, 4) => f64::from(f32::from_bits(bits as u32)),
            (What::Float, _) => f64::from_bits(bits),
            (What::Signed, width) => {
                // The sign is the highest bit of the element, not of the word.
                let unused = 64 - 8 * width as u32;
                ((bits << unused) as i64 >> unused) as f64
            }
            _ => bits as f64,
        }
    }

    fn text(&self, bytes: &[u8]) -> String {
        let text: String = match self.what {
            What::Letters => {
                let letter = |c: &[u8]| char::from_u32(self.bits(c) as u32).unwrap_or('\u{fffd}');
                bytes.chunks_exact(4).map(letter).collect()
            }
            _ => String::from_utf8_lossy(bytes).into_owned(),
        };
        text.trim_end_matches('\0').to_owned()
    }
}

/// Elements with the last index running fastest, whichever does in the file.
fn in_c_order<T: Clone>(values: Vec<T>, header: &Header) -> Vec<T> {
    let shape = &header.shape;
    if !header.fortran || shape.len() < 2 {
        return values;
    }
    // How far apart neighbours along each index are in the file.
    let mut step = 1;
    let steps: Vec<usize> = shape
        .iter()
        .map(|size| {
            let own = step;
            step *= size;
            own
        })
        .collect();
    let at = |mut k: usize| {
        let mut from = 0;
        for (size, step) in shape.iter().zip(&steps).rev() {
            from += k % size * step;
            k /= size;
        }
        from
    };
    (0..values.len()).map(|k| values[at(k)].clone()).collect()
}
