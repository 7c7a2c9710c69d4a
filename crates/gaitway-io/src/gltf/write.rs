//! Clips as glTF: nodes from the skeleton, an animation per clip, and a skinned body to look at.
//!
//! Node j is joint j and node J+e is end site e; the body and, for motion far from the origin, a still
//! node above the root follow. The same clips give the same bytes.

use std::io::Write;

use gaitway_core::figure::Bind;
use gaitway_core::{Clip, JointIdx, Skeleton};
use glam::{DVec3, Quat, Vec3};
use serde_json::{Map, Value, json};

use super::body::Body;
use super::buffer::BufferBuilder;
use super::data_uri;
use super::extras::{AnimationExtras, NodeExtras};
use super::marks;
use crate::error::WriteError;

/// How to write glTF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlbOptions<'a> {
    /// What to call the file in messages.
    pub file_name: &'a str,
    /// Whether a body of simple shapes is skinned to the skeleton, so that viewers show a person.
    pub body: bool,
}

impl Default for GlbOptions<'_> {
    fn default() -> Self {
        Self {
            file_name: "output",
            body: true,
        }
    }
}

/// Beyond this distance in metres `f32` steps pass a twentieth of a millimetre, and the root moves relative
/// to a still node that stands in the middle of the motion.
const FAR: f64 = 512.0;

/// Writes clips of one skeleton as a GLB file, an animation each.
///
/// # Errors
/// When the clips have no frames or different skeletons, are too long for glTF's times, or the sink fails.
pub fn write_glb(
    sink: &mut dyn Write,
    clips: &[&Clip],
    options: &GlbOptions<'_>,
) -> Result<(), WriteError> {
    let (document, bin) = build(clips, options)?;
    write_container(sink, options.file_name, document, bin)
}

/// A document and the bytes of its first buffer as a GLB file; buffers that the document names follow it.
pub(super) fn write_container(
    sink: &mut dyn Write,
    file: &str,
    mut document: Map<String, Value>,
    mut bin: Vec<u8>,
) -> Result<(), WriteError> {
    put_first(&mut document, json!({ "byteLength": bin.len() }));
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut text = Value::Object(document).to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let total = 12 + 8 + text.len() + 8 + bin.len();
    let Ok(total) = u32::try_from(total) else {
        return Err(cannot(
            file,
            "a GLB file ends at 4 GiB, and this motion needs more",
            "cut the motion, or lower its rate",
        ));
    };
    let mut out = || -> std::io::Result<()> {
        sink.write_all(b"glTF")?;
        sink.write_all(&2_u32.to_le_bytes())?;
        sink.write_all(&total.to_le_bytes())?;
        sink.write_all(&(text.len() as u32).to_le_bytes())?;
        sink.write_all(b"JSON")?;
        sink.write_all(&text)?;
        sink.write_all(&(bin.len() as u32).to_le_bytes())?;
        sink.write_all(b"BIN\0")?;
        sink.write_all(&bin)
    };
    out().map_err(|source| io_error(file, source))
}

/// Writes clips of one skeleton as a glTF text with its numbers inside.
///
/// # Errors
/// As [`write_glb`].
pub fn write_gltf(
    sink: &mut dyn Write,
    clips: &[&Clip],
    options: &GlbOptions<'_>,
) -> Result<(), WriteError> {
    let (document, bin) = build(clips, options)?;
    write_text(sink, options.file_name, document, &bin)
}

/// A document and the bytes of its first buffer as a text.
pub(super) fn write_text(
    sink: &mut dyn Write,
    file: &str,
    mut document: Map<String, Value>,
    bin: &[u8],
) -> Result<(), WriteError> {
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        data_uri::encode(bin)
    );
    put_first(
        &mut document,
        json!({ "byteLength": bin.len(), "uri": uri }),
    );
    let text = Value::Object(document).to_string();
    sink.write_all(text.as_bytes())
        .map_err(|source| io_error(file, source))
}

fn put_first(document: &mut Map<String, Value>, buffer: Value) {
    let mut buffers = vec![buffer];
    if let Some(Value::Array(others)) = document.remove("buffers") {
        buffers.extend(others);
    }
    document.insert("buffers".into(), Value::Array(buffers));
}

fn io_error(file: &str, source: std::io::Error) -> WriteError {
    WriteError::Io {
        file: file.into(),
        source,
    }
}

pub(super) fn cannot(
    file: &str,
    message: impl Into<String>,
    hint: impl Into<String>,
) -> WriteError {
    WriteError::CannotHold {
        file: file.into(),
        message: message.into(),
        hint: Some(hint.into()),
    }
}

pub(super) fn check(file: &str, clips: &[&Clip]) -> Result<(), WriteError> {
    let Some(first) = clips.first() else {
        return Err(cannot(
            file,
            "there is no clip to write",
            "give at least one clip",
        ));
    };
    for clip in clips {
        if clip.frame_count() == 0 {
            let message = format!(
                "`{}` has no frames, and glTF has no empty animation",
                clip.name()
            );
            return Err(cannot(file, message, "give at least one frame"));
        }
        let differences = first.skeleton().differences(clip.skeleton(), 1e-4);
        if let Some(difference) = differences.first() {
            let message = format!("`{}` has another skeleton: {difference}", clip.name());
            return Err(cannot(file, message, "write one file per skeleton"));
        }
        // Times are f32: past this they no longer rise with every frame.
        let last = (clip.frame_count() - 1) as f64 / clip.rate_hz();
        if last * f64::from(f32::EPSILON) * clip.rate_hz() > 0.5 {
            let message = format!(
                "`{}` lasts {last:.0} s, too long for glTF's times",
                clip.name()
            );
            return Err(cannot(file, message, "cut the motion into parts"));
        }
    }
    Ok(())
}

/// The document without its buffers, and the buffer's bytes.
fn build(
    clips: &[&Clip],
    options: &GlbOptions<'_>,
) -> Result<(Map<String, Value>, Vec<u8>), WriteError> {
    check(options.file_name, clips)?;
    let first = clips[0];
    let skeleton = first.skeleton();
    let bind = Bind::of(first);
    let origin = origin_of(clips);
    let mut buffer = BufferBuilder::default();
    let animations: Vec<Value> = clips
        .iter()
        .map(|clip| animation(clip, &bind, origin, &mut buffer))
        .collect();
    let mut document = new_document();
    let mut nodes = skeleton_nodes(skeleton, &bind, 0);
    let matrices = inverse_binds(skeleton, &bind, &mut buffer);
    let skin = skin(skeleton, matrices, 0);
    let mut scene = vec![0];
    if options.body {
        let body = Body::sculpt(first, &bind);
        if !body.is_empty() {
            document.insert("materials".into(), body.materials());
            document.insert("meshes".into(), body.mesh(&mut buffer));
            scene.push(nodes.len());
            nodes.push(json!({ "name": "body", "mesh": 0, "skin": 0 }));
        }
    }
    if origin != DVec3::ZERO {
        scene[0] = nodes.len();
        nodes.push(json!({
            "name": "origin",
            "translation": origin.as_vec3().to_array(),
            "children": [0],
        }));
    }
    document.insert("scene".into(), json!(0));
    document.insert("scenes".into(), json!([{ "nodes": scene }]));
    document.insert("nodes".into(), Value::Array(nodes));
    document.insert("skins".into(), json!([skin]));
    document.insert("animations".into(), Value::Array(animations));
    let bin = buffer.finish(&mut document);
    Ok((document, bin))
}

/// A document that says who wrote it.
pub(super) fn new_document() -> Map<String, Value> {
    let mut document = Map::new();
    let generator = concat!("gaitway ", env!("CARGO_PKG_VERSION"));
    document.insert(
        "asset".into(),
        json!({ "version": "2.0", "generator": generator }),
    );
    document
}

/// Whole metres in the middle of a far motion; zero for a near one. Whole numbers are exact in `f32` to
/// sixteen thousand kilometres.
pub(super) fn origin_of(clips: &[&Clip]) -> DVec3 {
    let places = || clips.iter().flat_map(|c| c.root().iter().copied());
    let far = places().any(|p| p.abs().max_element() > FAR);
    if !far {
        return DVec3::ZERO;
    }
    let low = places().fold(DVec3::INFINITY, DVec3::min);
    let high = places().fold(DVec3::NEG_INFINITY, DVec3::max);
    ((low + high) * 0.5).round().as_vec3().as_dvec3()
}

/// The nodes of a skeleton, the first of which is number `base` of the document.
pub(super) fn skeleton_nodes(skeleton: &Skeleton, bind: &Bind, base: usize) -> Vec<Value> {
    let joints = skeleton.joint_count();
    let mut nodes = Vec::with_capacity(skeleton.point_count() + 2);
    for joint in skeleton.joints() {
        let below = skeleton.children(joint);
        let mut children: Vec<usize> = below.map(|j| base + j.index()).collect();
        let sites = skeleton.end_sites().iter().enumerate();
        children.extend(
            sites
                .filter(|(_, s)| s.parent == joint)
                .map(|(e, _)| base + joints + e),
        );
        let mut node = Map::new();
        node.insert("name".into(), json!(skeleton.name(joint)));
        let place = if joint == JointIdx::ROOT {
            let root_offset = Some(skeleton.offset(joint).to_array());
            let extras = NodeExtras {
                root_offset,
                ..NodeExtras::default()
            };
            node.insert("extras".into(), json!({ "gaitway": extras }));
            bind.place
        } else {
            skeleton.offset(joint)
        };
        node.insert("translation".into(), json!(place.to_array()));
        let turn = bind.locals[joint.index()];
        if turn != Quat::IDENTITY {
            node.insert("rotation".into(), json!(turn.to_array()));
        }
        if !children.is_empty() {
            node.insert("children".into(), json!(children));
        }
        nodes.push(Value::Object(node));
    }
    for (e, site) in skeleton.end_sites().iter().enumerate() {
        let extras = NodeExtras {
            end_site: true,
            ..NodeExtras::default()
        };
        nodes.push(json!({
            "name": skeleton.point_name(skeleton.end_site_point(e)),
            "translation": site.offset.to_array(),
            "extras": { "gaitway": extras },
        }));
    }
    nodes
}

/// The accessor of the matrices that lead from the bind pose into each joint.
pub(super) fn inverse_binds(skeleton: &Skeleton, bind: &Bind, buffer: &mut BufferBuilder) -> usize {
    let mut matrices = Vec::with_capacity(16 * skeleton.joint_count());
    for joint in skeleton.joints() {
        let inverse = bind.world(joint.index()).inverse();
        let mut columns = glam::Mat4::from(inverse).to_cols_array();
        // The last row is exactly 0 0 0 1, whatever rounding says.
        (columns[3], columns[7], columns[11], columns[15]) = (0.0, 0.0, 0.0, 1.0);
        matrices.extend_from_slice(&columns);
    }
    buffer.floats(&matrices, "MAT4")
}

/// The skin of a skeleton whose first node is number `base`.
pub(super) fn skin(skeleton: &Skeleton, matrices: usize, base: usize) -> Value {
    let joints: Vec<usize> = skeleton.joints().map(|j| base + j.index()).collect();
    json!({ "inverseBindMatrices": matrices, "joints": joints, "skeleton": base })
}

fn animation(clip: &Clip, bind: &Bind, origin: DVec3, buffer: &mut BufferBuilder) -> Value {
    let mut tracks = Tracks::new(buffer);
    tracks.play(clip, bind, origin, 0, 0.0);
    let extras = AnimationExtras {
        rate_hz: clip.rate_hz(),
        frames: clip.frame_count(),
        labels: marks::labels_of(clip),
        contacts: marks::contacts_of(clip),
    };
    json!({
        "name": super::animation_name(clip),
        "channels": tracks.channels,
        "samplers": tracks.samplers,
        "extras": { "gaitway": extras },
    })
}

/// Channels of one animation as they are written.
pub(super) struct Tracks<'a> {
    buffer: &'a mut BufferBuilder,
    /// The number of the skeleton's first node.
    base: usize,
    /// Seconds before the first frame.
    start_s: f64,
    frames: usize,
    rate_hz: f64,
    /// Accessors of all frames' times, of the first and last, of the first alone; made when needed.
    times: [Option<usize>; 3],
    pub channels: Vec<Value>,
    pub samplers: Vec<Value>,
}

impl<'a> Tracks<'a> {
    pub fn new(buffer: &'a mut BufferBuilder) -> Self {
        Self {
            buffer,
            base: 0,
            start_s: 0.0,
            frames: 0,
            rate_hz: 1.0,
            times: [None; 3],
            channels: Vec::new(),
            samplers: Vec::new(),
        }
    }

    /// Takes frames and rate from a clip.
    pub fn begin(&mut self, clip: &Clip) {
        (self.frames, self.rate_hz) = (clip.frame_count(), clip.rate_hz());
        self.times = [None; 3];
    }

    /// Moves a node by keys: of all frames, of the first and the last, or of the first alone.
    pub fn keys(&mut self, node: usize, path: &str, count: usize, flat: &[f32]) {
        let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
        let output = self.buffer.floats(flat, kind);
        self.channel(node, path, count, output);
    }

    /// Moves the skeleton whose first node is number `base` as a clip does, from `start_s` on.
    pub fn play(&mut self, clip: &Clip, bind: &Bind, origin: DVec3, base: usize, start_s: f64) {
        (self.base, self.start_s) = (base, start_s);
        self.begin(clip);
        let places = clip.root().iter();
        let root: Vec<Vec3> = places.map(|p| (*p - origin).as_vec3()).collect();
        self.translation(0, &root, None);
        for track in clip.translations() {
            let rest = clip.skeleton().offset(track.joint);
            self.translation(track.joint.index(), &track.values, Some(rest));
        }
        for joint in clip.skeleton().joints() {
            self.rotation(clip, joint, bind.locals[joint.index()]);
        }
    }

    /// Shows what hangs below a node from one second to another and at no other time: by its size, as the format's own
    /// description advises.
    pub fn shown(&mut self, node: usize, from_s: f64, to_s: f64) {
        let (mut times, mut sizes) = (vec![from_s as f32, to_s as f32], vec![1.0_f32, 0.0]);
        if times[0] > 0.0 {
            times.insert(0, 0.0);
            sizes.insert(0, 0.0);
        }
        let flat: Vec<f32> = sizes.iter().flat_map(|&v| [v; 3]).collect();
        let input = self.buffer.bounded_floats(&times, "SCALAR", None);
        let output = self.buffer.floats(&flat, "VEC3");
        self.push(node, "scale", input, output, "STEP");
    }

    /// Moves a node; where it never moves, says so in one key, or not at all where it stands there anyway.
    /// The root (no rest) always has its first and last key, so that the animation has its length.
    fn translation(&mut self, node: usize, values: &[Vec3], rest: Option<Vec3>) {
        let still = values.iter().all(|v| *v == values[0]);
        let keys = match (still, rest) {
            (true, Some(rest)) if rest == values[0] => return,
            (true, Some(_)) => &values[..1],
            (true, None) => &values[..values.len().min(2)],
            (false, _) => values,
        };
        let flat: Vec<f32> = keys.iter().flat_map(|v| v.to_array()).collect();
        let output = self.buffer.floats(&flat, "VEC3");
        self.channel(node, "translation", keys.len(), output);
    }

    fn rotation(&mut self, clip: &Clip, joint: JointIdx, rest: Quat) {
        let first = clip.rotation(0, joint);
        let still = (0..self.frames).all(|f| clip.rotation(f, joint) == first);
        if still && first == rest {
            return;
        }
        let count = if still { 1 } else { self.frames };
        let mut flat = Vec::with_capacity(4 * count);
        let mut before = first;
        for frame in 0..count {
            // Signs without jumps, for players that interpolate without taking the shorter way.
            let turn = clip.rotation(frame, joint);
            let near = if turn.dot(before) < 0.0 { -turn } else { turn };
            flat.extend_from_slice(&near.to_array());
            before = near;
        }
        let output = self.buffer.floats(&flat, "VEC4");
        self.channel(joint.index(), "rotation", count, output);
    }

    fn channel(&mut self, node: usize, path: &str, keys: usize, output: usize) {
        let input = self.input(keys);
        self.push(self.base + node, path, input, output, "LINEAR");
    }

    fn push(&mut self, node: usize, path: &str, input: usize, output: usize, between: &str) {
        self.channels.push(json!({
            "sampler": self.samplers.len(),
            "target": { "node": node, "path": path },
        }));
        self.samplers.push(json!({
            "input": input,
            "output": output,
            "interpolation": between,
        }));
    }

    fn input(&mut self, keys: usize) -> usize {
        let last = self.frames - 1;
        let (slot, frames): (usize, Vec<usize>) = match keys {
            1 => (2, vec![0]),
            n if n == self.frames => (0, (0..self.frames).collect()),
            _ => (1, vec![0, last]),
        };
        let (rate_hz, start_s) = (self.rate_hz, self.start_s);
        let buffer = &mut *self.buffer;
        *self.times[slot].get_or_insert_with(|| {
            let times: Vec<f32> = frames
                .iter()
                .map(|&f| (start_s + f as f64 / rate_hz) as f32)
                .collect();
            buffer.bounded_floats(&times, "SCALAR", None)
        })
    }
}
