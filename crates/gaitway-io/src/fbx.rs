//! FBX, read through `ufbx`: one clip per animation stack.
//!
//! `ufbx` untangles what FBX makes hard (pivots, pre- and post-rotations, layers, inheritance of scale) and
//! bakes each stack to plain translations, rotations and scales, which are then sampled on an even grid.
//! Unit and up axis are the file's own and are passed on; only axes a clip cannot name (left-handed, or up
//! along a negative axis) are turned by `ufbx`, and told.

use gaitway_core::rotation::slerp;
use gaitway_core::{WarningCode, Warnings};
use glam::{DQuat, DVec3, Quat};
use ufbx::{
    AllocatorOpts, AnimStack, BakeOpts, BakedAnim, CoordinateAxes, CoordinateAxis, ElementType,
    InheritModeHandling, LoadOpts, Scene, SpaceConversion,
};

use crate::error::{Place, ReadError};
use crate::nodes::grid::{Cursor, Grid, Spot, unique_times};
use crate::nodes::{self, Chosen, Node, NodeMotion};
use crate::raw::{RawClip, UpAxis};

/// Memory `ufbx` may take: a base, and this many bytes per byte of the file (binary arrays are deflated).
const BASE_BYTES: usize = 64 << 20;
const BYTES_PER_BYTE: usize = 64;

/// Reads every animation stack of an FBX file (binary or text, version 3 to 7.7).
///
/// # Errors
/// When the bytes are not FBX, are damaged, ask for more memory than their size justifies, or nothing moves.
pub fn read(file: &str, bytes: &[u8]) -> Result<Vec<RawClip>, ReadError> {
    if !looks_like_fbx(bytes) {
        let found = crate::error::shown(&bytes[..bytes.len().min(24)]);
        let expected = "an FBX file (`Kaydara FBX Binary` or `; FBX`)";
        return Err(ReadError::syntax(file, Place::Offset(0), expected, found)
            .with_hint("is this an FBX file? Its first bytes are not"));
    }
    let mut warnings = Warnings::new();
    let mut scene = load(file, bytes, None)?;
    let mut up = up_axis(&scene.settings.axes);
    if up.is_none() && scene.settings.axes.up != CoordinateAxis::Unknown {
        let axes = CoordinateAxes {
            right: CoordinateAxis::PositiveX,
            up: CoordinateAxis::PositiveY,
            front: CoordinateAxis::PositiveZ,
        };
        let message = format!("axes {:?} were turned to Y up", scene.settings.axes);
        warnings.add(WarningCode::UpAxisTurned, message);
        scene = load(file, bytes, Some(axes))?;
        up = Some(UpAxis::Y);
    }
    let unit = scene.settings.unit_meters;
    let unit_m = Some(unit).filter(|u| u.is_finite() && *u > 0.0);
    let mut clips = Stacks::new(file, &scene, bytes.len(), &mut warnings)?.clips()?;
    for clip in &mut clips {
        clip.unit_m = unit_m;
        clip.up = up;
        let mut all = warnings.clone();
        all.extend(std::mem::take(&mut clip.warnings));
        clip.warnings = all;
    }
    nodes::fold_constant_tracks(&mut clips);
    Ok(clips)
}

/// `ufbx` also reads OBJ and takes any text for it, so the two FBX forms are told apart here.
fn looks_like_fbx(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    head.starts_with(b"Kaydara FBX Binary")
        || memchr::memmem::find(head, b"FBX").is_some()
        || memchr::memmem::find(head, b"Kaydara").is_some()
}

fn limits(file_bytes: usize) -> AllocatorOpts {
    AllocatorOpts {
        memory_limit: BASE_BYTES + BYTES_PER_BYTE * file_bytes,
        ..AllocatorOpts::default()
    }
}

fn load(
    file: &str,
    bytes: &[u8],
    target: Option<CoordinateAxes>,
) -> Result<ufbx::SceneRoot, ReadError> {
    let mut options = LoadOpts {
        temp_allocator: limits(bytes.len()),
        result_allocator: limits(bytes.len()),
        ignore_geometry: true,
        ignore_embedded: true,
        load_external_files: false,
        file_format: ufbx::FileFormat::Fbx,
        // Scale that a node does not hand down is written into the nodes themselves.
        inherit_mode_handling: InheritModeHandling::Compensate,
        node_depth_limit: 1024,
        ..LoadOpts::default()
    };
    if let Some(axes) = target {
        options.target_axes = axes;
        options.space_conversion = SpaceConversion::AdjustTransforms;
    }
    ufbx::load_memory(bytes, options).map_err(|error| told(file, bytes.len(), &error))
}

/// An error of `ufbx` in our form.
fn told(file: &str, size: usize, error: &ufbx::Error) -> ReadError {
    use ufbx::ErrorType as E;
    let info = error.info();
    let detail = match info.is_empty() {
        true => error.description.to_string(),
        false => format!("{} ({info})", error.description),
    };
    let (place, hint) = match error.type_ {
        E::TruncatedFile | E::Io => (
            Place::Offset(size as u64),
            "the file was cut off; copy or download it again",
        ),
        E::UnsupportedVersion => (Place::File, "export as FBX 7.4 (2014) or 7.7 (2019)"),
        E::MemoryLimit | E::AllocationLimit | E::OutOfMemory => (
            Place::File,
            "the file asks for more memory than its size justifies; export it again",
        ),
        _ => (
            Place::File,
            "the file is damaged; export it again, as FBX 7.4 binary",
        ),
    };
    ReadError::syntax(file, place, "a whole FBX file", detail).with_hint(hint)
}

/// The up axis of right-handed axes with up along a positive one.
fn up_axis(axes: &CoordinateAxes) -> Option<UpAxis> {
    let unit = |axis: CoordinateAxis| {
        Some(match axis {
            CoordinateAxis::PositiveX => DVec3::X,
            CoordinateAxis::NegativeX => DVec3::NEG_X,
            CoordinateAxis::PositiveY => DVec3::Y,
            CoordinateAxis::NegativeY => DVec3::NEG_Y,
            CoordinateAxis::PositiveZ => DVec3::Z,
            CoordinateAxis::NegativeZ => DVec3::NEG_Z,
            CoordinateAxis::Unknown => return None,
        })
    };
    let (right, up, front) = (unit(axes.right)?, unit(axes.up)?, unit(axes.front)?);
    if right.cross(up).dot(front) <= 0.0 {
        return None;
    }
    match axes.up {
        CoordinateAxis::PositiveY => Some(UpAxis::Y),
        CoordinateAxis::PositiveZ => Some(UpAxis::Z),
        CoordinateAxis::PositiveX => Some(UpAxis::X),
        _ => None,
    }
}

/// A baked stack and the grid it is sampled on.
struct Baked<'a> {
    stack: &'a AnimStack,
    anim: ufbx::BakedAnimRoot,
    grid: Grid,
    warnings: Warnings,
}

/// All stacks of a scene that move something.
struct Stacks<'a> {
    nodes: Vec<Node>,
    /// Typed id of the scene's root.
    root: u32,
    chosen: Chosen,
    baked: Vec<Baked<'a>>,
}

impl<'a> Stacks<'a> {
    fn new(
        file: &str,
        scene: &'a Scene,
        file_bytes: usize,
        warnings: &mut Warnings,
    ) -> Result<Self, ReadError> {
        let nodes = scene_nodes(scene);
        let order = nodes::parents_first(&nodes)
            .ok_or_else(|| ReadError::content(file, "nodes are linked in a ring"))?;
        let mut room = BASE_BYTES + BYTES_PER_BYTE * file_bytes;
        let mut baked = Vec::new();
        for stack in &scene.anim_stacks {
            if let Some(one) = bake(file, scene, stack, file_bytes, &mut room)? {
                baked.push(one);
            }
        }
        if baked.is_empty() {
            return Err(
                ReadError::content(file, "no animation stack moves anything")
                    .with_hint("export the figure with its animation (\"bake animation\")"),
            );
        }
        let wanted = wanted(scene, &order, &nodes, &baked);
        let chosen = nodes::choose(&nodes, &order, &wanted, false, warnings)
            .map_err(|message| ReadError::content(file, message))?;
        Ok(Self {
            nodes,
            root: scene.root_node.element.typed_id,
            chosen,
            baked,
        })
    }

    fn clips(self) -> Result<Vec<RawClip>, ReadError> {
        let several = self.baked.len() > 1;
        let mut clips = Vec::with_capacity(self.baked.len());
        for (index, mut baked) in self.baked.into_iter().enumerate() {
            let motions = motions(
                &self.nodes,
                self.root,
                &self.chosen,
                &baked.anim,
                &baked.grid,
            );
            let warnings = &mut baked.warnings;
            let frames = baked.grid.frames;
            let mut clip = nodes::assemble(&self.nodes, &self.chosen, &motions, frames, warnings);
            clip.rate_hz = baked.grid.rate_hz;
            if several {
                let name = baked.stack.element.name.as_ref();
                clip.name = match name.is_empty() {
                    true => format!("stack{index}"),
                    false => name.to_owned(),
                };
            }
            clip.warnings = baked.warnings;
            clips.push(clip);
        }
        Ok(clips)
    }
}

fn vector(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn turn(q: ufbx::Quat) -> DQuat {
    let q = DQuat::from_xyzw(q.x, q.y, q.z, q.w);
    if q.is_finite() && q.length_squared() > 1e-12 {
        q.normalize()
    } else {
        DQuat::IDENTITY
    }
}

fn finite(v: DVec3, otherwise: DVec3) -> DVec3 {
    if v.is_finite() { v } else { otherwise }
}

/// Our number of a scene's node: its typed id, with the scene's own root left out.
fn index_of(root: u32, id: u32) -> Option<usize> {
    (id != root).then(|| id as usize - usize::from(id > root))
}

/// All nodes but the scene's own root, which every file has and nothing moves.
fn scene_nodes(scene: &Scene) -> Vec<Node> {
    let root = scene.root_node.element.typed_id;
    let list = scene.nodes.iter().filter(|n| n.element.typed_id != root);
    list.map(|node| {
        let local = &node.local_transform;
        Node {
            name: match node.element.name.as_ref() {
                "" => format!("node{}", node.element.typed_id),
                name => name.to_owned(),
            },
            parent: node
                .parent
                .as_ref()
                .and_then(|p| index_of(root, p.element.typed_id)),
            translation: finite(vector(local.translation), DVec3::ZERO),
            rotation: turn(local.rotation),
            scale: finite(vector(local.scale), DVec3::ONE),
            end_site: false,
        }
    })
    .collect()
}

/// Bakes a stack; `None` where it moves nothing.
fn bake<'a>(
    file: &str,
    scene: &Scene,
    stack: &'a AnimStack,
    file_bytes: usize,
    room: &mut usize,
) -> Result<Option<Baked<'a>>, ReadError> {
    let mut warnings = Warnings::new();
    let named = scene.settings.frames_per_second;
    let named = Some(named).filter(|r| r.is_finite() && (1.0..=1000.0).contains(r));
    let times = key_times(stack);
    if times.is_empty() {
        return Ok(None);
    }
    let (from, to) = played(stack, &times, &mut warnings);
    let inside: Vec<f64> = times
        .into_iter()
        .filter(|t| (from - ROUNDING_S..=to + ROUNDING_S).contains(t))
        .collect();
    let rate = Grid::detect(&inside, named, &mut warnings).rate_hz;
    let grid = Grid::over(from, to, rate);
    let wanted = grid
        .frames
        .saturating_mul(scene.nodes.len())
        .saturating_mul(64);
    *room = room.checked_sub(wanted).ok_or_else(|| {
        let message = format!(
            "stack `{}` asks for {} frames of {} nodes, more than the file's size justifies",
            stack.element.name,
            grid.frames,
            scene.nodes.len()
        );
        ReadError::content(file, message)
            .with_hint("a key may lie far from the others; remove it, or export a shorter range")
    })?;
    let options = BakeOpts {
        temp_allocator: limits(file_bytes + wanted / BYTES_PER_BYTE),
        result_allocator: limits(file_bytes + wanted / BYTES_PER_BYTE),
        resample_rate: grid.rate_hz,
        maximum_sample_rate: 1000.0_f64.max(grid.rate_hz),
        max_keyframe_segments: grid.frames.max(32),
        ..BakeOpts::default()
    };
    let anim = ufbx::bake_anim(scene, &stack.anim, options)
        .map_err(|error| told(file, file_bytes, &error))?;
    let moves = anim.nodes.iter().any(|n| !still(n));
    Ok((moves || !anim.nodes.is_empty()).then_some(Baked {
        stack,
        anim,
        grid,
        warnings,
    }))
}

fn still(node: &ufbx::BakedNode) -> bool {
    node.constant_translation && node.constant_rotation && node.constant_scale
}

/// Times of FBX are kept in ticks of 1/46,186,158,000 s; ranges and keys agree far better than this.
const ROUNDING_S: f64 = 1e-4;

/// The part of the stack that plays: its own range where keys lie in it, else all keys. Exporters leave keys
/// of other takes behind the end.
fn played(stack: &AnimStack, times: &[f64], warnings: &mut Warnings) -> (f64, f64) {
    let (first, last) = (times[0], times[times.len() - 1]);
    let (from, to) = (stack.time_begin.max(first), stack.time_end.min(last));
    // Written so that a range that is not a number is no range.
    let usable = to > from;
    if !usable {
        return (first, last);
    }
    let outside = |t: &&f64| **t < from - ROUNDING_S || **t > to + ROUNDING_S;
    let left = times.iter().filter(outside).count();
    if left > 0 {
        let message = format!(
            "{left} of {} key times lie outside the stack's range of {:.3} s to {:.3} s and were left out",
            times.len(),
            stack.time_begin,
            stack.time_end
        );
        warnings.add(WarningCode::LeftOut, message);
    }
    (from, to)
}

/// The moments at which the stack's curves have keys.
fn key_times(stack: &AnimStack) -> Vec<f64> {
    let mut times = Vec::new();
    for layer in &stack.layers {
        for value in &layer.anim_values {
            for curve in value.curves.iter().flatten() {
                times.extend(curve.keyframes.iter().map(|k| k.time));
            }
        }
        times = unique_times(times);
    }
    times
}

/// Bones, and what moves above or below them; without bones, whatever moves.
fn wanted(scene: &Scene, order: &[usize], nodes: &[Node], baked: &[Baked<'_>]) -> Vec<bool> {
    let root = scene.root_node.element.typed_id;
    let mut bones = vec![false; nodes.len()];
    let list = scene.nodes.iter().filter(|n| n.element.typed_id != root);
    for (i, node) in list.enumerate() {
        bones[i] = node.attrib_type == ElementType::Bone;
    }
    let mut moved = vec![false; nodes.len()];
    for stack in baked {
        for node in stack.anim.nodes.iter().filter(|n| !still(n)) {
            if let Some(slot) = index_of(root, node.typed_id).and_then(|i| moved.get_mut(i)) {
                *slot = true;
            }
        }
    }
    if bones.contains(&true) {
        let mut near = bones.clone();
        for &n in order {
            near[n] |= nodes[n].parent.is_some_and(|p| near[p]);
        }
        for &n in order.iter().rev() {
            if let (true, Some(p)) = (near[n], nodes[n].parent) {
                near[p] = true;
            }
        }
        return (0..nodes.len())
            .map(|n| bones[n] || (moved[n] && near[n]))
            .collect();
    }
    moved
}

/// Samples the chosen nodes of a baked stack.
fn motions(
    nodes: &[Node],
    root: u32,
    chosen: &Chosen,
    anim: &BakedAnim,
    grid: &Grid,
) -> Vec<NodeMotion> {
    let mut out = vec![NodeMotion::default(); nodes.len()];
    let mut is_joint = vec![false; nodes.len()];
    chosen
        .joints
        .iter()
        .flatten()
        .for_each(|&n| is_joint[n] = true);
    for baked in &anim.nodes {
        let n = index_of(root, baked.typed_id).filter(|&n| is_joint.get(n) == Some(&true));
        let Some(n) = n else { continue };
        let (node, motion) = (&nodes[n], &mut out[n]);
        motion.translation = vectors(&baked.translation_keys, grid, node.translation);
        motion.rotation = rotations(&baked.rotation_keys, grid);
        motion.scale = vectors(&baked.scale_keys, grid, node.scale);
    }
    out
}

/// Keys on the grid; `None` where there are no keys. Keys that rounding keeps off a frame are put on it.
fn vectors(keys: &[ufbx::BakedVec3], grid: &Grid, otherwise: DVec3) -> Option<Vec<DVec3>> {
    let places: Vec<f64> = keys.iter().map(|k| grid.place(k.time)).collect();
    let at = |k: usize| finite(vector(keys[k].value), otherwise);
    sampled(&places, grid.frames, at, |a, b, t| a.lerp(b, t))
}

fn rotations(keys: &[ufbx::BakedQuat], grid: &Grid) -> Option<Vec<Quat>> {
    let places: Vec<f64> = keys.iter().map(|k| grid.place(k.time)).collect();
    let at = |k: usize| turn(keys[k].value).as_quat();
    sampled(&places, grid.frames, at, |a, b, t| slerp(a, b, t as f32))
}

fn sampled<T>(
    places: &[f64],
    frames: usize,
    at: impl Fn(usize) -> T,
    between: impl Fn(T, T, f64) -> T,
) -> Option<Vec<T>> {
    if places.is_empty() {
        return None;
    }
    let mut cursor = Cursor::default();
    let sample = |frame| match cursor.seek(places, frame as f64) {
        Spot::On(k) => at(k),
        Spot::Between(k, t, _) => between(at(k), at(k + 1), t),
    };
    Some((0..frames).map(sample).collect())
}
