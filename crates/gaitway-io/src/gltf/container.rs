//! The outer shell: a JSON text, or a GLB file that holds one and a block of bytes.

use crate::error::{Place, ReadError, shown};

/// The parts of a file.
pub(super) struct Parts<'a> {
    /// The document.
    pub json: &'a [u8],
    /// Where the document begins in the file.
    pub json_offset: usize,
    /// The bytes of buffer 0 of a GLB.
    pub bin: Option<&'a [u8]>,
    pub is_glb: bool,
}

const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// Takes a file apart by what it holds, not by its name.
pub(super) fn split<'a>(file: &str, bytes: &'a [u8]) -> Result<Parts<'a>, ReadError> {
    if bytes.starts_with(b"glTF") {
        return split_glb(file, bytes);
    }
    let json_offset = if bytes.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    let json = &bytes[json_offset..];
    match json.iter().find(|b| !b.is_ascii_whitespace()) {
        Some(b'{') => {}
        Some(_) => {
            return Err(ReadError::syntax(
                file,
                Place::Text { line: 1, column: 1 },
                "a glTF document (`{`) or a GLB file (`glTF`)",
                shown(bytes),
            )
            .with_hint("is this a glTF file? Its first bytes are neither form's"));
        }
        None => {
            return Err(ReadError::syntax(
                file,
                Place::File,
                "a glTF document",
                "an empty file",
            ));
        }
    }
    Ok(Parts {
        json,
        json_offset,
        bin: None,
        is_glb: false,
    })
}

fn split_glb<'a>(file: &str, bytes: &'a [u8]) -> Result<Parts<'a>, ReadError> {
    let word = |at: usize, what: &str| -> Result<u32, ReadError> {
        let four = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
        four.map(u32::from_le_bytes).ok_or_else(|| {
            let found = format!("the end of the file after {} bytes", bytes.len());
            ReadError::syntax(file, Place::Offset(bytes.len() as u64), what, found)
                .with_hint("the file was cut off; copy or download it again")
        })
    };
    let version = word(4, "the GLB version")?;
    if version != 2 {
        let found = format!("version {version}");
        return Err(
            ReadError::syntax(file, Place::Offset(4), "GLB version 2", found)
                .with_hint("convert the file to glTF 2.0 first"),
        );
    }
    word(8, "the GLB length")?;
    let mut parts = Parts {
        json: &[],
        json_offset: 0,
        bin: None,
        is_glb: true,
    };
    let mut at = 12;
    while at < bytes.len() && !(parts.json_offset > 0 && parts.bin.is_some()) {
        // Bytes too few for a chunk after the document are padding.
        if parts.json_offset > 0 && bytes.len() - at < 8 {
            break;
        }
        let length = word(at, "a chunk's length")? as usize;
        let kind = word(at + 4, "a chunk's type")?;
        let Some(data) = bytes.get(at + 8..(at + 8).saturating_add(length)) else {
            let expected = format!("a chunk of {length} bytes");
            let found = format!("{} bytes to the end of the file", bytes.len() - at - 8);
            return Err(
                ReadError::syntax(file, Place::Offset(at as u64), expected, found)
                    .with_hint("the file was cut off; copy or download it again"),
            );
        };
        match kind {
            JSON if parts.json_offset == 0 => (parts.json, parts.json_offset) = (data, at + 8),
            BIN if parts.bin.is_none() => parts.bin = Some(data),
            _ if parts.json_offset == 0 => {
                let found = format!("a chunk of type {kind:#010x}");
                let place = Place::Offset(at as u64 + 4);
                return Err(ReadError::syntax(
                    file,
                    place,
                    "the JSON chunk first",
                    found,
                ));
            }
            _ => {}
        }
        at += 8 + length;
    }
    if parts.json_offset == 0 {
        word(12, "the JSON chunk")?;
    }
    Ok(parts)
}
