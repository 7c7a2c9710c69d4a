//! A user's own character: a rigged glTF file that is kept whole, meshes, skins, materials and all, and given another motion.
//!
//! Reading a clip takes from a file only what moves. Here everything else is held as it is, and a clip of the same skeleton becomes
//! an animation of the file's own nodes, so that the result opens as the character, moving.

mod drive;
mod fit;
mod pack;

use std::io::Write;

use gaitway_core::{Clip, WarningCode, Warnings};
use glam::{DMat4, DVec3, Mat4, Quat, Vec3};
use serde_json::{Map, Value, json};

use super::accessor::{Buffers, Resolve};
use super::buffer::BufferBuilder;
use super::container;
use super::document::{self, Document};
use super::extras::AnimationExtras;
use super::marks;
use super::read::Scene;
use super::write::{Tracks, cannot, check, write_container, write_text};
use crate::door::unique_names;
use crate::error::{Place, ReadError, WriteError};
use crate::nodes::{self, NodeMotion};
use crate::raw::{RawClip, UpAxis};
use drive::NodeTrack;
use fit::{Fit, Rig};

/// A rigged file, held whole.
pub struct Character {
    file: String,
    /// Everything but views, accessors and the buffer that holds bytes.
    document: Map<String, Value>,
    buffer: BufferBuilder,
    scene: Scene,
    /// Nodes that are joints of a skin.
    in_skin: Vec<bool>,
    /// Transforms of nodes that have a matrix.
    matrices: Vec<Option<DMat4>>,
    rest: RawClip,
    /// Joint names as the door gives them.
    names: Vec<String>,
    /// Rest offsets, and those that all animations of the file hold instead.
    offsets: [Vec<DVec3>; 2],
    warnings: Warnings,
}

/// How to put a clip onto a character.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OntoOptions<'a> {
    /// What to call the file that is written in messages.
    pub file_name: &'a str,
    /// Whether the file's own animations stay, before the clip's; else the clip's is the only one.
    pub keep_animations: bool,
}

/// The file with its motion: the document without its first buffer, and that buffer's bytes.
struct Moved {
    document: Map<String, Value>,
    bin: Vec<u8>,
    warnings: Warnings,
}

impl Character {
    /// Takes a glTF or GLB file in, with the buffers and pictures that lie beside it (`resolve` gives their bytes, as for
    /// [`read`](super::read)). It needs no animation.
    ///
    /// # Errors
    /// When the bytes are not glTF 2.0, an index or range is wrong, or nothing in the file is a skeleton.
    pub fn read(file: &str, bytes: &[u8], resolve: Resolve<'_>) -> Result<Self, ReadError> {
        let parts = container::split(file, bytes)?;
        let typed = document::parse(file, &parts)?;
        let buffers = Buffers::new(file, &typed, parts.bin, resolve, bytes.len());
        let (mut warnings, mut of_rest) = (Warnings::new(), Warnings::new());
        let scene = Scene::new(file, &typed, &mut of_rest)?;
        let document: Value = serde_json::from_slice(parts.json)
            .map_err(|e| ReadError::content(file, format!("is no JSON: {e}")))?;
        let Value::Object(mut document) = document else {
            let expected = "a glTF 2.0 document";
            return Err(ReadError::syntax(
                file,
                Place::File,
                expected,
                "another value",
            ));
        };
        tell_skins(&typed, &document, &mut warnings);
        let has_bin = parts.bin.is_some();
        let buffer = pack::pack(file, &mut document, has_bin, &buffers, &mut warnings)?;
        let still = vec![NodeMotion::default(); scene.nodes.len()];
        let mut rest = nodes::assemble(&scene.nodes, &scene.chosen, &still, 1, &mut of_rest);
        rest.warnings = of_rest;
        rest.rate_hz = 30.0;
        (rest.unit_m, rest.up) = (Some(1.0), Some(UpAxis::Y));
        if let Some(offset) = scene.root_offset {
            rest.joints[0].offset = offset;
        }
        let names = rest.joints.iter().map(|j| j.name.as_str());
        let names = unique_names(names, &mut Warnings::new());
        let at_rest: Vec<DVec3> = rest.joints.iter().map(|j| j.offset).collect();
        // An animation that cannot be read (it may be compressed) is no reason to refuse the character.
        let held = super::read(file, bytes, resolve).ok();
        let held = held.and_then(|clips| {
            let clip = clips.into_iter().next()?;
            Some(clip.joints.iter().map(|j| j.offset).collect())
        });
        let held = held.unwrap_or_else(|| at_rest.clone());
        let mut in_skin = vec![false; typed.nodes.len()];
        let joints = typed.skins.iter().flat_map(|s| &s.joints);
        joints.for_each(|&n| in_skin[n] = true);
        let matrix = |n: &document::Node| {
            let matrix = n.matrix.as_ref()?;
            Some(Mat4::from_cols_array(matrix).as_dmat4())
        };
        Ok(Self {
            file: file.to_owned(),
            matrices: typed.nodes.iter().map(matrix).collect(),
            document,
            buffer,
            scene,
            in_skin,
            rest,
            names,
            offsets: [at_rest, held],
            warnings,
        })
    }

    /// The body as it stands without any animation: a clip of one frame, for the door.
    pub fn rest(&self) -> RawClip {
        self.rest.clone()
    }

    /// What was found in the file: meshes without a skin, pictures that could not be had.
    pub fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// Whether there is something to be seen: a mesh, with a skin or without.
    pub fn has_mesh(&self) -> bool {
        let nodes = self.document.get("nodes").and_then(Value::as_array);
        let mut nodes = nodes.into_iter().flatten();
        nodes.any(|n| n.get("mesh").is_some())
    }

    /// How many animations the file has of its own.
    pub fn animations(&self) -> usize {
        let animations = self.document.get("animations").and_then(Value::as_array);
        animations.map_or(0, Vec::len)
    }

    /// Writes the file with a clip as its motion, as GLB. What had to be done for it is told.
    ///
    /// # Errors
    /// When the clip's skeleton is not the file's, has no frames or too many for glTF's times, or the sink fails.
    pub fn write_glb(
        &self,
        sink: &mut dyn Write,
        clip: &Clip,
        options: &OntoOptions<'_>,
    ) -> Result<Warnings, WriteError> {
        let out = self.moved(clip, options)?;
        write_container(sink, options.file_name, out.document, out.bin)?;
        Ok(out.warnings)
    }

    /// As [`Character::write_glb`], as a glTF text with its numbers and pictures inside.
    ///
    /// # Errors
    /// As [`Character::write_glb`].
    pub fn write_gltf(
        &self,
        sink: &mut dyn Write,
        clip: &Clip,
        options: &OntoOptions<'_>,
    ) -> Result<Warnings, WriteError> {
        let out = self.moved(clip, options)?;
        write_text(sink, options.file_name, out.document, &out.bin)?;
        Ok(out.warnings)
    }

    fn moved(&self, clip: &Clip, options: &OntoOptions<'_>) -> Result<Moved, WriteError> {
        let file = options.file_name;
        check(file, &[clip])?;
        let rig = Rig {
            names: &self.names,
            joints: &self.rest.joints,
            offsets: [&self.offsets[0], &self.offsets[1]],
        };
        let fit = fit::fit(&rig, clip).map_err(|difference| {
            let message = format!(
                "`{}` is no clip of {}'s skeleton: {difference}",
                clip.name(),
                self.file
            );
            let hint = format!(
                "put it on this body: gaitway retarget CLIP --to {} -o OUT.glb",
                self.file
            );
            cannot(file, message, hint)
        })?;
        let mut warnings = self.warnings.clone();
        self.tell_size(clip, &fit, &mut warnings);
        let (tracks, lost) = drive::drive(&self.scene.nodes, &self.scene.chosen, clip, &fit);
        if lost > 0 {
            let message = format!("{lost} joints hang below a scale of zero and stay at rest");
            warnings.add(WarningCode::CannotHold, message);
        }
        let mut document = self.document.clone();
        let mut buffer = self.buffer.clone();
        let animation = self.animation(clip, &fit, &tracks, &mut buffer);
        self.free_nodes(&animation, &mut document, &mut warnings);
        let mut animations = match document.remove("animations") {
            Some(Value::Array(animations)) if options.keep_animations => animations,
            _ => Vec::new(),
        };
        animations.push(animation);
        document.insert("animations".into(), Value::Array(animations));
        let bin = buffer.finish(&mut document);
        Ok(Moved {
            document,
            bin,
            warnings,
        })
    }

    fn tell_size(&self, clip: &Clip, fit: &Fit, warnings: &mut Warnings) {
        if fit.scale != 1.0 {
            let message = format!(
                "the body of {} is {:.4} times the clip's, the same one otherwise; places were multiplied by that",
                self.file, fit.scale
            );
            warnings.add_value(WarningCode::Unusual, message, "scale", fit.scale);
        }
        let size = |p: &DVec3| fit.scale * p.abs().max_element();
        let farthest = clip.root().iter().map(size).fold(0.0, f64::max);
        // A clip of our own gets a still node above it there; a user's file keeps the nodes it has.
        if farthest > 1000.0 {
            let step = 1e3 * farthest * f64::from(f32::EPSILON);
            let message = format!(
                "glTF keeps places in single precision: {farthest:.0} m from the origin its steps are {step:.1} mm"
            );
            warnings.add_value(WarningCode::Unusual, message, "step_mm", step);
        }
    }

    fn animation(
        &self,
        clip: &Clip,
        fit: &Fit,
        tracks: &[NodeTrack],
        buffer: &mut BufferBuilder,
    ) -> Value {
        let mut out = Tracks::new(buffer);
        out.begin(clip);
        let longest = tracks
            .iter()
            .skip(1)
            .map(|t| self.scene.nodes[t.node].translation.length())
            .fold(0.0, f64::max);
        let slack = (1e-6 * longest) as f32;
        for (k, track) in tracks.iter().enumerate() {
            let node = &self.scene.nodes[track.node];
            let rest = node.translation.as_vec3();
            let moves = track.translations.iter();
            let stays = moves.clone().all(|v| v.distance(rest) <= slack);
            // The first joint always has its first and last key, so that the animation has its length.
            if k == 0 || !stays {
                let still = moves.clone().all(|v| *v == track.translations[0]);
                let count = match (still, k) {
                    (false, _) => track.translations.len(),
                    (true, 0) => track.translations.len().min(2),
                    (true, _) => 1,
                };
                let flat = moves.take(count).flat_map(Vec3::to_array);
                out.keys(track.node, "translation", count, &flat.collect::<Vec<_>>());
            }
            let first = track.rotations[0];
            let still = track.rotations.iter().all(|q| *q == first);
            // What no skin names would be no joint any more if nothing moved it.
            if still && first == node.rotation.as_quat() && self.in_skin[track.node] {
                continue;
            }
            let count = if still { 1 } else { track.rotations.len() };
            let flat = without_jumps(&track.rotations[..count]);
            out.keys(track.node, "rotation", count, &flat);
        }
        let extras = AnimationExtras {
            rate_hz: clip.rate_hz(),
            frames: clip.frame_count(),
            labels: marks::labels_of(clip),
            contacts: self.contacts(clip, fit),
        };
        json!({
            "name": super::animation_name(clip),
            "channels": out.channels,
            "samplers": out.samplers,
            "extras": { "gaitway": extras },
        })
    }

    /// Contacts by the file's nodes; a tip that the file has no node for is left out.
    fn contacts(&self, clip: &Clip, fit: &Fit) -> Vec<super::extras::Contact> {
        let chosen = &self.scene.chosen;
        let tips = clip.joint_count();
        let node_of = |point: usize| {
            let mut joints = fit.joints.iter();
            match point.checked_sub(tips) {
                Some(site) => chosen.end_sites.get(site).map(|&(node, _)| node),
                None => joints
                    .position(|j| j.index() == point)
                    .and_then(|j| chosen.joints[j]),
            }
        };
        let mut contacts = marks::contacts_of(clip);
        contacts.retain_mut(|contact| match node_of(contact.node) {
            Some(node) => {
                contact.node = node;
                true
            }
            None => false,
        });
        contacts
    }

    /// Nodes that are given by a matrix cannot be moved by an animation: those that are get their translation, rotation and scale.
    fn free_nodes(
        &self,
        animation: &Value,
        document: &mut Map<String, Value>,
        warnings: &mut Warnings,
    ) {
        let Some(Value::Array(nodes)) = document.get_mut("nodes") else {
            return;
        };
        let channels = animation["channels"].as_array();
        let moved = channels.into_iter().flatten();
        let moved = moved.filter_map(|c| c["target"]["node"].as_u64());
        let (mut freed, mut sheared) = (0, Vec::new());
        for n in moved.map(|n| n as usize) {
            let (Some(matrix), Some(node)) = (self.matrices[n], nodes[n].as_object_mut()) else {
                continue;
            };
            if node.remove("matrix").is_none() {
                continue;
            }
            freed += 1;
            let own = &self.scene.nodes[n];
            node.insert(
                "translation".into(),
                json!(own.translation.as_vec3().to_array()),
            );
            node.insert("rotation".into(), json!(own.rotation.as_quat().to_array()));
            node.insert("scale".into(), json!(own.scale.as_vec3().to_array()));
            let again =
                DMat4::from_scale_rotation_translation(own.scale, own.rotation, own.translation);
            let size = own.scale.abs().max_element().max(1e-9);
            if !matrix.abs_diff_eq(again, 1e-4 * size.max(own.translation.length())) {
                sheared.push(own.name.as_str());
            }
        }
        if freed > 0 {
            let message = format!(
                "{freed} joints given by a matrix, which no animation can move, were given by translation, rotation and scale"
            );
            warnings.add(WarningCode::Unusual, message);
        }
        if let Some(first) = sheared.first() {
            let message = format!(
                "the matrices of {} joints shear (first `{first}`), and that is lost",
                sheared.len()
            );
            warnings.add(WarningCode::CannotHold, message);
        }
    }
}

/// Signs without jumps, for players that interpolate without taking the shorter way.
fn without_jumps(rotations: &[Quat]) -> Vec<f32> {
    let mut flat = Vec::with_capacity(4 * rotations.len());
    let mut before = rotations.first().copied().unwrap_or(Quat::IDENTITY);
    for &turn in rotations {
        let near = if turn.dot(before) < 0.0 { -turn } else { turn };
        flat.extend_from_slice(&near.to_array());
        before = near;
    }
    flat
}

/// Meshes that no skin bends: told, since such a character moves in pieces, or not at all.
fn tell_skins(typed: &Document, document: &Map<String, Value>, warnings: &mut Warnings) {
    let nodes = document.get("nodes").and_then(Value::as_array);
    let nodes: Vec<&Value> = nodes.into_iter().flatten().collect();
    let meshes = nodes.iter().filter(|n| n.get("mesh").is_some()).count();
    let bent = nodes
        .iter()
        .filter(|n| n.get("mesh").is_some() && n.get("skin").is_some())
        .count();
    if meshes == 0 {
        let message = "holds no mesh: the skeleton moves, and nothing is seen of it";
        warnings.add(WarningCode::Unusual, message);
    } else if bent == 0 {
        let what = match typed.skins.is_empty() {
            true => "the file has no skin",
            false => "no mesh uses the file's skin",
        };
        let message =
            format!("{what}: its {meshes} meshes move stiffly, with the joints they hang on");
        warnings.add(WarningCode::Unusual, message);
    }
}

impl std::fmt::Debug for Character {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let joints = self.names.len();
        f.debug_struct("Character")
            .field("file", &self.file)
            .field("joints", &joints)
            .finish_non_exhaustive()
    }
}
