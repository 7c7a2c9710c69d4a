//! One buffer, filled piece by piece, with its views and accessors.

use serde_json::{Map, Value, json};

/// Bytes of all accessors, each in a view of its own, every view on a multiple of four.
#[derive(Clone, Default)]
pub(super) struct BufferBuilder {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

/// Vertex attributes.
pub(super) const ARRAY_BUFFER: u32 = 34962;
/// Triangle indices.
pub(super) const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    }
}

impl BufferBuilder {
    /// Goes on behind what a document has already.
    pub fn behind(bytes: Vec<u8>, views: Vec<Value>, accessors: Vec<Value>) -> Self {
        Self {
            bytes,
            views,
            accessors,
        }
    }

    /// Bytes that are no numbers: the index of their view.
    pub fn raw(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({
            "buffer": 0,
            "byteOffset": self.bytes.len(),
            "byteLength": bytes.len(),
        }));
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    /// Numbers for animations and skins.
    pub fn floats(&mut self, values: &[f32], kind: &str) -> usize {
        self.push(
            bytes_of(values),
            FLOAT,
            values.len() / width(kind),
            kind,
            None,
        )
    }

    /// Numbers with their least and greatest, as times and positions must have.
    pub fn bounded_floats(&mut self, values: &[f32], kind: &str, target: Option<u32>) -> usize {
        let width = width(kind);
        let mut low = vec![f32::INFINITY; width];
        let mut high = vec![f32::NEG_INFINITY; width];
        for (i, &v) in values.iter().enumerate() {
            low[i % width] = low[i % width].min(v);
            high[i % width] = high[i % width].max(v);
        }
        let index = self.push(bytes_of(values), FLOAT, values.len() / width, kind, target);
        if let Value::Object(accessor) = &mut self.accessors[index] {
            accessor.insert("min".into(), json!(low));
            accessor.insert("max".into(), json!(high));
        }
        index
    }

    /// Vertex attributes.
    pub fn attribute(&mut self, values: &[f32], kind: &str) -> usize {
        let count = values.len() / width(kind);
        self.push(bytes_of(values), FLOAT, count, kind, Some(ARRAY_BUFFER))
    }

    /// Joints of vertices, four each.
    pub fn joints(&mut self, values: &[[u16; 4]]) -> usize {
        let flat = values.iter().flatten();
        let bytes: Vec<u8> = flat.flat_map(|v| v.to_le_bytes()).collect();
        self.push(
            bytes,
            UNSIGNED_SHORT,
            values.len(),
            "VEC4",
            Some(ARRAY_BUFFER),
        )
    }

    /// Corners of triangles.
    pub fn indices(&mut self, values: &[u32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.push(
            bytes,
            UNSIGNED_INT,
            values.len(),
            "SCALAR",
            Some(ELEMENT_ARRAY_BUFFER),
        )
    }

    fn push(
        &mut self,
        bytes: Vec<u8>,
        component_type: u32,
        count: usize,
        kind: &str,
        target: Option<u32>,
    ) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({
            "buffer": 0,
            "byteOffset": self.bytes.len(),
            "byteLength": bytes.len(),
        });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.accessors.push(json!({
            "bufferView": self.views.len(),
            "componentType": component_type,
            "count": count,
            "type": kind,
        }));
        self.views.push(view);
        self.bytes.extend_from_slice(&bytes);
        self.accessors.len() - 1
    }

    /// Puts views and accessors into the document and gives the bytes.
    pub fn finish(self, document: &mut Map<String, Value>) -> Vec<u8> {
        document.insert("bufferViews".into(), Value::Array(self.views));
        document.insert("accessors".into(), Value::Array(self.accessors));
        self.bytes
    }
}

fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}
