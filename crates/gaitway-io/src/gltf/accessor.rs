//! Numbers out of buffers, every range checked before a byte is touched.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::io;

use super::data_uri;
use super::document::{Accessor, Document, Sparse};
use crate::error::{Place, ReadError};

/// Gives the bytes of a file that lies beside the document.
pub(super) type Resolve<'a> = &'a dyn Fn(&str) -> io::Result<Vec<u8>>;

/// The buffers of a document, fetched when first asked for.
pub(super) struct Buffers<'a> {
    file: &'a str,
    document: &'a Document,
    bin: Option<&'a [u8]>,
    resolve: Resolve<'a>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// Components that may still be decoded: accessors that all name the same bytes could otherwise make a
    /// small file cost any amount of work.
    left: Cell<u64>,
}

/// Decoding may give this many components per byte of the file, and a million beside.
const COMPONENTS_PER_BYTE: u64 = 64;

impl<'a> Buffers<'a> {
    pub fn new(
        file: &'a str,
        document: &'a Document,
        bin: Option<&'a [u8]>,
        resolve: Resolve<'a>,
        file_bytes: usize,
    ) -> Self {
        let loaded = document.buffers.iter().map(|_| OnceCell::new()).collect();
        Self {
            file,
            document,
            bin,
            resolve,
            loaded,
            left: Cell::new(1_000_000 + COMPONENTS_PER_BYTE * file_bytes as u64),
        }
    }

    /// An error about a place in the document.
    fn wrong(&self, place: &str, expected: impl AsRef<str>, found: impl Into<String>) -> ReadError {
        let expected = format!("{} at `{place}`", expected.as_ref());
        ReadError::syntax(self.file, Place::File, expected, found)
    }

    /// All bytes of a buffer.
    pub fn buffer(&self, index: usize) -> Result<&[u8], ReadError> {
        let place = format!("buffers[{index}]");
        let Some(cell) = self.loaded.get(index) else {
            let found = format!("{} buffers", self.loaded.len());
            return Err(self.wrong(&place, "a buffer", found));
        };
        if let Some(bytes) = cell.get() {
            return Ok(bytes);
        }
        let bytes = self.fetch(index, &place)?;
        let (given, said) = (bytes.len() as u64, self.document.buffers[index].byte_length);
        if given < said {
            return Err(self
                .wrong(&place, format!("{said} bytes"), format!("{given}"))
                .with_hint("the file or the buffer beside it was cut off"));
        }
        // More decoding is justified by more bytes.
        self.left
            .set(self.left.get().saturating_add(COMPONENTS_PER_BYTE * given));
        Ok(cell.get_or_init(|| bytes))
    }

    fn fetch(&self, index: usize, place: &str) -> Result<Cow<'a, [u8]>, ReadError> {
        let Some(uri) = &self.document.buffers[index].uri else {
            return match (index, self.bin) {
                (0, Some(bin)) => Ok(Cow::Borrowed(bin)),
                _ => Err(self
                    .wrong(
                        place,
                        "bytes for the buffer",
                        "neither a `uri` nor a binary chunk",
                    )
                    .with_hint(self.missing_hint())),
            };
        };
        self.bytes_of(uri, place)
    }

    /// The bytes a URI stands for: inside it, or in a file beside the document.
    pub fn bytes_of(&self, uri: &str, place: &str) -> Result<Cow<'a, [u8]>, ReadError> {
        if let Some(rest) = strip_data_scheme(uri) {
            let Some((head, data)) = rest.split_once(',') else {
                return Err(self.wrong(place, "a comma in the data URI", "none"));
            };
            if !head.to_ascii_lowercase().ends_with(";base64") {
                return Ok(Cow::Owned(percent_decoded(data)));
            }
            return data_uri::decode(data.as_bytes())
                .map(Cow::Owned)
                .map_err(|at| {
                    let found = crate::error::shown(&data.as_bytes()[at..]);
                    self.wrong(place, "base 64", format!("{found} at its byte {at}"))
                });
        }
        let name = String::from_utf8_lossy(&percent_decoded(uri)).into_owned();
        if let Some(reason) = unsafe_name(&name) {
            return Err(self
                .wrong(
                    place,
                    "a file inside the document's own folder",
                    format!("`{name}`, {reason}"),
                )
                .with_hint("put the buffer next to the .gltf file"));
        }
        (self.resolve)(&name).map(Cow::Owned).map_err(|source| {
            self.wrong(
                place,
                format!("the file `{name}` beside this one"),
                match source.kind() {
                    std::io::ErrorKind::NotFound => "none".to_owned(),
                    _ => source.to_string(),
                },
            )
            .with_hint(
                "a .gltf file needs its .bin files next to it; copy them too, or export as .glb",
            )
        })
    }

    fn missing_hint(&self) -> &'static str {
        let required = &self.document.extensions_required;
        if required.iter().any(|e| e.contains("meshopt")) {
            "the file is compressed by meshopt; export it without compression"
        } else {
            "the file is incomplete; export it again"
        }
    }

    /// The bytes of a view from an offset on.
    fn view(&self, index: usize, offset: u64, place: &str) -> Result<&[u8], ReadError> {
        let Some(view) = self.document.buffer_views.get(index) else {
            let found = format!("{} views", self.document.buffer_views.len());
            return Err(self.wrong(place, format!("bufferViews[{index}]"), found));
        };
        let buffer = self.buffer(view.buffer)?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let start = view.byte_offset.checked_add(offset);
        match (start, end) {
            (Some(start), Some(end)) if start <= end && end <= buffer.len() as u64 => {
                Ok(&buffer[start as usize..end as usize])
            }
            _ => Err(self.wrong(
                &format!("bufferViews[{index}]"),
                format!(
                    "a range inside the {} bytes of buffers[{}]",
                    buffer.len(),
                    view.buffer
                ),
                format!(
                    "{} bytes from byte {} on",
                    view.byte_length, view.byte_offset
                ),
            )),
        }
    }

    /// All values of an accessor as numbers, `width` per element. `place` names who asks.
    pub fn floats(&self, index: usize, width: usize, place: &str) -> Result<Vec<f32>, ReadError> {
        let Some(accessor) = self.document.accessors.get(index) else {
            let found = format!("{} accessors", self.document.accessors.len());
            return Err(self.wrong(place, format!("accessors[{index}]"), found));
        };
        let here = format!("accessors[{index}]");
        if width_of(&accessor.kind) != Some(width) {
            let expected = format!("{width} numbers per element for {place}");
            return Err(self.wrong(&here, expected, format!("`{}`", accessor.kind)));
        }
        let size = self.component_size(accessor.component_type, &here)?;
        let count = self.affordable(accessor, width, &here)?;
        let mut out = match accessor.buffer_view {
            Some(view) => {
                let element = width * size;
                let stride = self
                    .document
                    .buffer_views
                    .get(view)
                    .and_then(|v| v.byte_stride);
                let stride = stride.unwrap_or(element as u64);
                let bytes = self.view(view, accessor.byte_offset, &here)?;
                let range = Range {
                    count,
                    element,
                    stride,
                };
                self.strided(bytes, range, accessor, width, &here)?
            }
            // Without bytes all values are zero, by the specification.
            None => vec![0.0; count * width],
        };
        if let Some(sparse) = &accessor.sparse {
            self.overlay(&mut out, accessor, sparse, width, &here)?;
        }
        Ok(out)
    }

    /// The count, when the file can back it.
    fn affordable(
        &self,
        accessor: &Accessor,
        width: usize,
        here: &str,
    ) -> Result<usize, ReadError> {
        let wanted = accessor.count.saturating_mul(width as u64);
        if let Some(view) = accessor.buffer_view {
            let bytes = self.view(view, accessor.byte_offset, here)?.len() as u64;
            if wanted > bytes {
                let expected =
                    format!("elements that fit the {bytes} bytes of bufferViews[{view}]");
                let found = format!("a count of {}", accessor.count);
                return Err(self.wrong(here, expected, found));
            }
        }
        match self.left.get().checked_sub(wanted) {
            Some(left) => self.left.set(left),
            None => {
                let expected = "a count that the file's size justifies";
                let found = format!("a count of {}", accessor.count);
                return Err(self.wrong(here, expected, found));
            }
        }
        Ok(accessor.count as usize)
    }

    fn strided(
        &self,
        bytes: &[u8],
        range: Range,
        accessor: &Accessor,
        width: usize,
        here: &str,
    ) -> Result<Vec<f32>, ReadError> {
        let Range {
            count,
            element,
            stride,
        } = range;
        let needed = match count {
            0 => Some(0),
            n => stride
                .checked_mul(n as u64 - 1)
                .and_then(|b| b.checked_add(element as u64)),
        };
        if stride < element as u64 || needed.is_none_or(|n| n > bytes.len() as u64) {
            let expected = format!("{count} elements of {element} bytes every {stride} bytes");
            return Err(self.wrong(here, expected, format!("{} bytes", bytes.len())));
        }
        let size = element / width;
        let mut out = Vec::with_capacity(count * width);
        for i in 0..count {
            let start = i * stride as usize;
            for part in bytes[start..start + element].chunks_exact(size) {
                out.push(number(part, accessor.component_type, accessor.normalized));
            }
        }
        Ok(out)
    }

    fn overlay(
        &self,
        out: &mut [f32],
        accessor: &Accessor,
        sparse: &Sparse,
        width: usize,
        here: &str,
    ) -> Result<(), ReadError> {
        let here = format!("{here}.sparse");
        if sparse.count > accessor.count {
            let expected = format!("at most {} values", accessor.count);
            return Err(self.wrong(&here, expected, sparse.count.to_string()));
        }
        let count = sparse.count as usize;
        let index_size = match sparse.indices.component_type {
            5121 => 1,
            5123 => 2,
            5125 => 4,
            other => {
                let found = format!("component type {other}");
                return Err(self.wrong(&here, "unsigned indices", found));
            }
        };
        let view = &sparse.indices;
        let indices = self.view(view.buffer_view, view.byte_offset, &here)?;
        let view = &sparse.values;
        let values = self.view(view.buffer_view, view.byte_offset, &here)?;
        let element = width * self.component_size(accessor.component_type, &here)?;
        if indices.len() / index_size < count || values.len() / element < count {
            let found = format!("{} and {} bytes", indices.len(), values.len());
            return Err(self.wrong(&here, format!("{count} indices and values"), found));
        }
        let stride = element as u64;
        let range = Range {
            count,
            element,
            stride,
        };
        let values = self.strided(values, range, accessor, width, &here)?;
        for (i, raw) in indices.chunks_exact(index_size).take(count).enumerate() {
            let at = raw
                .iter()
                .rev()
                .fold(0_usize, |n, &b| n << 8 | usize::from(b));
            let Some(target) = out.get_mut(at * width..(at + 1) * width) else {
                let expected = format!("indices below {}", accessor.count);
                return Err(self.wrong(&here, expected, at.to_string()));
            };
            target.copy_from_slice(&values[i * width..(i + 1) * width]);
        }
        Ok(())
    }

    fn component_size(&self, component_type: u32, here: &str) -> Result<usize, ReadError> {
        Ok(match component_type {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            5125 | 5126 => 4,
            other => {
                let expected = "a component type of 5120 to 5126";
                return Err(self.wrong(here, expected, other.to_string()));
            }
        })
    }
}

/// Elements in a view: how many, how many bytes each, how far apart.
struct Range {
    count: usize,
    element: usize,
    stride: u64,
}

fn width_of(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// One component; integers as the specification scales them.
fn number(b: &[u8], component_type: u32, normalized: bool) -> f32 {
    let (value, largest) = match component_type {
        5120 => (f32::from(b[0] as i8), 127.0),
        5121 => (f32::from(b[0]), 255.0),
        5122 => (f32::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
        5123 => (f32::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
        5125 => (
            u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as f32,
            4_294_967_295.0,
        ),
        _ => return f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
    };
    if normalized {
        (value / largest).max(-1.0)
    } else {
        value
    }
}

fn strip_data_scheme(uri: &str) -> Option<&str> {
    let head = uri.get(..5)?;
    head.eq_ignore_ascii_case("data:").then(|| &uri[5..])
}

/// `%20` and its like.
fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let hex = |b: u8| (b as char).to_digit(16);
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = match bytes[at..] {
            [b'%', high, low, ..] => hex(high).zip(hex(low)),
            _ => None,
        };
        match pair {
            Some((high, low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}

/// Why a name could lead out of the folder, if it could.
fn unsafe_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("no name")
    } else if name.contains(['\0', '\\', ':']) {
        Some("a name with `:`, `\\` or a zero byte")
    } else if name.starts_with('/') {
        Some("an absolute path")
    } else if name.split('/').any(|part| part == "..") {
        Some("a path that leads upwards")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_are_refused() {
        for bad in [
            "../x.bin",
            "a/../../x",
            "/etc/x",
            "C:\\x",
            "http://x/y.bin",
            "",
            "a\0b",
        ] {
            assert!(unsafe_name(bad).is_some(), "{bad}");
        }
        for good in ["x.bin", "buffers/x y.bin", "..x.bin"] {
            assert!(unsafe_name(good).is_none(), "{good}");
        }
        assert_eq!(percent_decoded("a%20b%2e%zz%"), b"a b.%zz%");
    }

    #[test]
    fn integers_are_scaled_as_the_specification_says() {
        assert_eq!(number(&[0x80], 5120, true), -1.0);
        assert_eq!(number(&[255], 5121, true), 1.0);
        assert_eq!(number(&[0x01, 0x80], 5122, true), -1.0);
        assert_eq!(number(&[0xFF, 0xFF], 5123, true), 1.0);
        assert_eq!(number(&[7, 0, 0, 0], 5125, false), 7.0);
    }
}
