//! All bytes of a document in one buffer, as a GLB wants them: the binary chunk, data URIs, files beside it, pictures too.

use std::collections::HashMap;

use gaitway_core::text::shown;
use gaitway_core::{WarningCode, Warnings};
use serde_json::{Map, Value, json};

use crate::error::{Place, ReadError};
use crate::gltf::accessor::Buffers;
use crate::gltf::buffer::BufferBuilder;

/// Where a buffer of the document went.
#[derive(Clone, Copy)]
enum Went {
    /// Into the one buffer, from this byte on.
    Inside { base: u64, size: u64 },
    /// It has no bytes (readers fill it by an extension) and stays a buffer of its own.
    Beside(usize),
}

/// Makes every view of the document one of buffer 0 and gives that buffer's bytes, with views and accessors. Buffers without bytes
/// of their own are left in the document.
pub(super) fn pack(
    file: &str,
    document: &mut Map<String, Value>,
    has_bin: bool,
    buffers: &Buffers<'_>,
    warnings: &mut Warnings,
) -> Result<BufferBuilder, ReadError> {
    let mut bytes = Vec::new();
    let mut went = Vec::new();
    let mut beside = Vec::new();
    // One file named by many buffers is taken once.
    let mut known: HashMap<String, Went> = HashMap::new();
    for (i, buffer) in list(document, "buffers").into_iter().enumerate() {
        let uri = buffer.get("uri").and_then(Value::as_str);
        if uri.is_none() && !(i == 0 && has_bin) && is_filled_by_extension(&buffer) {
            beside.push(buffer);
            went.push(Went::Beside(beside.len()));
            continue;
        }
        let size = buffer.get("byteLength").and_then(Value::as_u64);
        if let Some(&Went::Inside { base, size: had }) = uri.and_then(|u| known.get(u)) {
            went.push(Went::Inside { base, size: had });
            continue;
        }
        let own = buffers.buffer(i)?;
        let own = &own[..own.len().min(size.unwrap_or(0) as usize)];
        let place = Went::Inside {
            base: push(file, &mut bytes, own)?,
            size: own.len() as u64,
        };
        if let Some(uri) = uri {
            known.insert(uri.to_owned(), place);
        }
        went.push(place);
    }
    let mut views = list(document, "bufferViews");
    for (i, view) in views.iter_mut().enumerate() {
        let place = format!("bufferViews[{i}]");
        move_view(file, view, &went, &place)?;
        if let Some(Value::Object(extensions)) = view.get_mut("extensions") {
            // Compressed bytes stand elsewhere than where they are unpacked to.
            for (name, extension) in extensions.iter_mut() {
                if extension.get("buffer").is_some() {
                    move_view(file, extension, &went, &format!("{place}.{name}"))?;
                }
            }
        }
    }
    if beside.is_empty() {
        document.remove("buffers");
    } else {
        document.insert("buffers".into(), Value::Array(beside));
    }
    let mut out = BufferBuilder::behind(bytes, views, list(document, "accessors"));
    pictures(document, buffers, &mut out, warnings);
    Ok(out)
}

/// Takes an array out of the document; none where there is none.
fn list(document: &mut Map<String, Value>, key: &str) -> Vec<Value> {
    match document.remove(key) {
        Some(Value::Array(values)) => values,
        _ => Vec::new(),
    }
}

fn is_filled_by_extension(buffer: &Value) -> bool {
    let extensions = buffer.get("extensions").and_then(Value::as_object);
    extensions.is_some_and(|all| {
        all.values()
            .any(|e| e.get("fallback").and_then(Value::as_bool) == Some(true))
    })
}

fn push(file: &str, bytes: &mut Vec<u8>, own: &[u8]) -> Result<u64, ReadError> {
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let base = bytes.len() as u64;
    if base + own.len() as u64 > u64::from(u32::MAX) {
        return Err(
            ReadError::content(file, "its buffers hold more than the 4 GiB of a GLB file")
                .with_hint("use smaller textures, or a mesh of fewer vertices"),
        );
    }
    bytes.extend_from_slice(own);
    Ok(base)
}

fn move_view(file: &str, view: &mut Value, went: &[Went], place: &str) -> Result<(), ReadError> {
    let number = |key: &str| view.get(key).and_then(Value::as_u64);
    let wrong = |expected: &str, found: String| {
        let expected = format!("{expected} at `{place}`");
        ReadError::syntax(file, Place::File, expected, found)
    };
    let buffer = number("buffer").unwrap_or(u64::MAX);
    let (offset, length) = (
        number("byteOffset").unwrap_or(0),
        number("byteLength").unwrap_or(0),
    );
    let Some(to) = went.get(usize::try_from(buffer).unwrap_or(usize::MAX)) else {
        return Err(wrong("a buffer", format!("{} buffers", went.len())));
    };
    match *to {
        Went::Beside(index) => view["buffer"] = json!(index),
        Went::Inside { base, size } => {
            if offset.checked_add(length).is_none_or(|end| end > size) {
                let expected = format!("a range inside the {size} bytes of buffers[{buffer}]");
                let found = format!("{length} bytes from byte {offset} on");
                return Err(wrong(&expected, found));
            }
            view["buffer"] = json!(0);
            view["byteOffset"] = json!(base + offset);
        }
    }
    Ok(())
}

/// Pictures named by a URI, brought inside; those that cannot be had stay named, and are told.
fn pictures(
    document: &mut Map<String, Value>,
    buffers: &Buffers<'_>,
    out: &mut BufferBuilder,
    warnings: &mut Warnings,
) {
    let Some(Value::Array(images)) = document.get_mut("images") else {
        return;
    };
    let mut known: HashMap<String, (usize, &str)> = HashMap::new();
    for (i, image) in images.iter_mut().enumerate() {
        let Some(image) = image.as_object_mut() else {
            continue;
        };
        let Some(uri) = image.get("uri").and_then(Value::as_str).map(str::to_owned) else {
            continue;
        };
        let found = match known.get(&uri) {
            Some(&found) => Ok(found),
            None => buffers
                .bytes_of(&uri, &format!("images[{i}]"))
                .map_err(|e| e.to_string())
                .and_then(|bytes| {
                    let kind = picture_kind(&bytes).ok_or("no PNG, JPEG, WebP or KTX2")?;
                    Ok((out.raw(&bytes), kind))
                }),
        };
        match found {
            Ok((view, kind)) => {
                known.insert(uri, (view, kind));
                image.remove("uri");
                image.insert("bufferView".into(), json!(view));
                image.insert("mimeType".into(), json!(kind));
            }
            Err(why) => {
                let name: String = uri.chars().take(40).collect();
                let message = format!(
                    "the picture `{}` was not brought inside and is named as before: {why}",
                    shown(&name)
                );
                warnings.add(WarningCode::LeftOut, message);
            }
        }
    }
}

/// What a picture's first bytes say it is.
fn picture_kind(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG") {
        Some("image/png")
    } else if bytes.starts_with(b"\xFF\xD8\xFF") {
        Some("image/jpeg")
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some("image/webp")
    } else if bytes.starts_with(b"\xABKTX 20") {
        Some("image/ktx2")
    } else {
        None
    }
}
