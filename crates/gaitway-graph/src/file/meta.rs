//! The JSON text in the header's `gaitway` key.

use gaitway_core::text::found_in_json;
use gaitway_metric::{MarkerSet, MetricOptions, Placement, WindowKernel};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::VERSION;
use super::recipes::{MirrorMeta, RecipeMeta};
use crate::build::options::{BuildOptions, ContactRule, Transitions};
use crate::{GraphError, MotionGraph};

/// Everything that is not an array. Field names are the file's keys.
#[derive(Serialize, Deserialize)]
pub(super) struct Meta {
    pub version: u64,
    pub options: Options,
    pub thresholds: Table,
    pub labels: Vec<String>,
    pub joints: Vec<String>,
    pub clips: Vec<ClipMeta>,
    pub contact_points: Vec<Vec<PointMeta>>,
    /// Where some clip is a mirrored copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirror: Option<MirrorMeta>,
}

/// Build options; how distances are computed (threads, kernels) is no part of them.
#[derive(Serialize, Deserialize)]
pub(super) struct Options {
    pub fps: f64,
    pub window_s: f64,
    pub kernel: WindowKernel,
    pub ceiling_cm: f64,
    pub placement: Placement,
    pub max_candidates: u64,
    pub markers: MarkerSet,
    /// Version 1 knew blends alone.
    #[serde(default = "blends")]
    pub transitions: Transitions,
    #[serde(default = "half_a_second")]
    pub fade_s: f64,
    pub contacts: ContactRule,
    pub thin_s: f64,
    pub bridge_s: f64,
    pub with_mirrored: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep_apart: Vec<(String, String)>,
    pub small_component_s: f64,
}

fn blends() -> Transitions {
    Transitions::Blend
}

fn half_a_second() -> f64 {
    BuildOptions::default().fade_s
}

#[derive(Serialize, Deserialize)]
pub(super) struct Table {
    pub auto: bool,
    pub default_cm: f64,
    pub pairs: Vec<PairMeta>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PairMeta {
    pub from: String,
    pub to: String,
    pub cm: f64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ClipMeta {
    pub name: String,
    pub file: String,
    pub file_blake3: String,
    pub frames_blake3: String,
    pub contact_points: Option<u32>,
    pub translation_joints: Vec<u32>,
    /// How it is made; nothing where it was captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<RecipeMeta>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct PointMeta {
    pub name: String,
    pub point: u32,
}

/// The version a graph is written as: readers of version 2 know all but interpolated clips and cuts of their own length.
fn version(graph: &MotionGraph) -> u64 {
    match graph.is_enriched() {
        true => VERSION,
        false => 2,
    }
}

/// The metadata of a graph as JSON text with sorted keys.
pub(super) fn to_text(graph: &MotionGraph) -> Result<String, GraphError> {
    let o = &graph.options;
    let name = |l| graph.labels.name(l).to_owned();
    let clips = &graph.library.clips;
    let meta = Meta {
        version: version(graph),
        options: Options {
            fps: o.fps,
            window_s: o.metric.window_s,
            kernel: o.metric.kernel,
            ceiling_cm: o.metric.ceiling_cm,
            placement: o.metric.placement,
            max_candidates: o.metric.max_candidates as u64,
            markers: o.markers.clone(),
            transitions: o.transitions,
            fade_s: o.fade_s,
            contacts: o.contacts,
            thin_s: o.thin_s,
            bridge_s: o.bridge_s,
            with_mirrored: o.with_mirrored,
            keep_apart: o.keep_apart.clone(),
            small_component_s: o.small_component_s,
        },
        thresholds: Table {
            auto: graph.thresholds.auto,
            default_cm: graph.thresholds.default_cm,
            pairs: graph
                .thresholds
                .pairs()
                .map(|(a, b, cm)| PairMeta {
                    from: name(a),
                    to: name(b),
                    cm,
                })
                .collect(),
        },
        labels: graph.labels.names().to_vec(),
        joints: graph.library.skeleton.names().to_vec(),
        clips: clips.iter().map(|c| clip_meta(c, clips)).collect(),
        mirror: graph.library.mirror.as_deref().map(MirrorMeta::of),
        contact_points: graph
            .library
            .contact_points
            .iter()
            .map(|list| list.iter().map(point_meta).collect())
            .collect(),
    };
    let value = serde_json::to_value(meta).map_err(|e| GraphError::Options {
        what: format!("options cannot be written: {e}"),
    })?;
    let mut text = String::new();
    write_sorted(&value, &mut text);
    Ok(text)
}

fn clip_meta(clip: &crate::ClipInfo, all: &[crate::ClipInfo]) -> ClipMeta {
    ClipMeta {
        name: clip.name.clone(),
        file: clip.provenance.file.clone(),
        file_blake3: hex(&clip.provenance.checksum),
        frames_blake3: hex(&clip.content),
        contact_points: clip.contact_points.map(|k| k as u32),
        translation_joints: clip.translation_joints.iter().map(|j| j.0).collect(),
        recipe: clip.recipe.as_ref().map(|r| RecipeMeta::of(r, all)),
    }
}

fn point_meta(point: &gaitway_core::ContactPoint) -> PointMeta {
    PointMeta {
        name: point.name.clone(),
        point: point.point.0,
    }
}

/// JSON with the keys of every object in order, whatever order the map keeps.
fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            out.push('{');
            for (k, key) in keys.into_iter().enumerate() {
                if k > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_sorted(&map[key], out);
            }
            out.push('}');
        }
        Value::Array(list) => {
            out.push('[');
            for (k, item) in list.iter().enumerate() {
                if k > 0 {
                    out.push(',');
                }
                write_sorted(item, out);
            }
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}

/// Reads the text; a newer version is refused by name before anything else is looked at.
pub(super) fn from_text(text: &str) -> Result<Meta, GraphError> {
    let damaged = |e: serde_json::Error| GraphError::Damaged {
        what: format!("its metadata has {}", found_in_json(&e.to_string())),
    };
    let value: Value = serde_json::from_str(text).map_err(damaged)?;
    let Some(version) = value.get("version").and_then(Value::as_u64) else {
        return Err(GraphError::NotAGraph {
            what: "its metadata has no version".to_owned(),
        });
    };
    if version > VERSION {
        return Err(GraphError::NewerVersion {
            found: version,
            known: VERSION,
        });
    }
    serde_json::from_value(value).map_err(damaged)
}

impl Options {
    pub fn build_options(&self) -> BuildOptions {
        BuildOptions {
            fps: self.fps,
            metric: MetricOptions {
                window_s: self.window_s,
                kernel: self.kernel,
                ceiling_cm: self.ceiling_cm,
                placement: self.placement,
                max_candidates: self.max_candidates as usize,
                ..MetricOptions::default()
            },
            markers: self.markers.clone(),
            transitions: self.transitions,
            fade_s: self.fade_s,
            contacts: self.contacts,
            thin_s: self.thin_s,
            bridge_s: self.bridge_s,
            with_mirrored: self.with_mirrored,
            keep_apart: self.keep_apart.clone(),
            small_component_s: self.small_component_s,
        }
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// 32 bytes from 64 digits.
pub(super) fn unhex(text: &str) -> Option<[u8; 32]> {
    let hash = blake3::Hash::from_hex(text).ok()?;
    Some(*hash.as_bytes())
}
