//! The part of a glTF document that has to do with motion. Everything else is skipped as it is parsed.

use gaitway_core::text::found_in_json;
use serde::Deserialize;

use super::container::Parts;
use super::extras::{AnimationExtras, NodeExtras, ours};
use crate::error::{Place, ReadError};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub skins: Vec<Skin>,
    #[serde(default)]
    pub animations: Vec<Animation>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Asset {
    pub version: String,
    #[serde(default)]
    pub generator: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    #[serde(default)]
    pub uri: Option<String>,
    pub byte_length: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    #[serde(default)]
    pub byte_stride: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    #[serde(default)]
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub children: Vec<usize>,
    #[serde(default)]
    pub matrix: Option<Box<[f32; 16]>>,
    #[serde(default)]
    pub translation: Option<[f32; 3]>,
    #[serde(default)]
    pub rotation: Option<[f32; 4]>,
    #[serde(default)]
    pub scale: Option<[f32; 3]>,
    #[serde(default, rename = "extras", deserialize_with = "ours")]
    pub ours: Option<Box<NodeExtras>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Skin {
    #[serde(default)]
    pub joints: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub channels: Vec<Channel>,
    #[serde(default)]
    pub samplers: Vec<Sampler>,
    #[serde(default, rename = "extras", deserialize_with = "ours")]
    pub ours: Option<Box<AnimationExtras>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    /// Missing where an extension says what is moved.
    #[serde(default)]
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    #[serde(default)]
    pub interpolation: Interpolation,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Interpolation {
    #[default]
    Linear,
    Step,
    CubicSpline,
}

/// Parses the document of a file.
pub(super) fn parse(file: &str, parts: &Parts<'_>) -> Result<Document, ReadError> {
    let document: Document = serde_json::from_slice(parts.json).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let place = if parts.is_glb {
            Place::Offset((parts.json_offset + byte_of(parts.json, line, column)) as u64)
        } else {
            Place::Text { line, column }
        };
        let found = found_in_json(&error.to_string());
        ReadError::syntax(file, place, "a glTF 2.0 document", found)
            .with_hint("check the file with the glTF validator, or export it again")
    })?;
    if document.asset.version.split('.').next() != Some("2") {
        let found = format!("version {}", document.asset.version);
        return Err(
            ReadError::syntax(file, Place::File, "glTF version 2", found)
                .with_hint("convert the file to glTF 2.0 first"),
        );
    }
    Ok(document)
}

/// The byte a line and column (both from 1, columns in bytes) stand for.
fn byte_of(text: &[u8], line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        _ => memchr::memchr_iter(b'\n', text)
            .nth(line - 2)
            .map_or(0, |p| p + 1),
    };
    (start + column.saturating_sub(1)).min(text.len())
}
