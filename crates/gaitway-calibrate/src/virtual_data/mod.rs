//! Sensors and markers of a clip, with faults as asked: test data whose truth is known.

mod faults;
mod truth;

use gaitway_core::{Clip, JointIdx, Warnings};
use gaitway_io::{MarkerClip, SensorClip, SensorPose, UpAxis};
use glam::{DQuat, DVec3};

use crate::linalg::from_rotation_vector;
use crate::rng::Rng;

pub use truth::{JointError, TruthReport, compare};

use faults::{Gaps, Metal, Slip, Tissue};

/// What is put on a body, and what goes wrong with it. The default is data without fault.
#[derive(Clone, Debug, PartialEq)]
pub struct VirtualOptions {
    /// White noise of places, per axis, metres.
    pub place_noise_m: f64,
    /// White noise of rotations, per axis, radians.
    pub turn_noise_rad: f64,
    /// How far every third sensor or marker slips at some moment, metres.
    pub slip_m: f64,
    /// Share of samples that are not seen, in runs of about a sixth of a second.
    pub dropouts: f64,
    /// How many pairs of markers exchange their labels, each from some moment on.
    pub swaps: usize,
    /// How far metal bends the field, metres: places are off by this, the same at the same place.
    pub metal_m: f64,
    /// How far skin moves over bone as the joint turns, metres.
    pub tissue_m: f64,
    /// Markers per body.
    pub markers_per_body: usize,
    /// Another seed puts things elsewhere.
    pub seed: u64,
}

impl Default for VirtualOptions {
    fn default() -> Self {
        Self {
            place_noise_m: 0.0,
            turn_noise_rad: 0.0,
            slip_m: 0.0,
            dropouts: 0.0,
            swaps: 0,
            metal_m: 0.0,
            tissue_m: 0.0,
            markers_per_body: 4,
            seed: 1,
        }
    }
}

/// Where every joint of a clip is and how it is turned, in `f64`: forward kinematics in `f32` is off by a tenth of a micrometre, which
/// would be noise here.
pub(crate) struct World<'a> {
    clip: &'a Clip,
    /// Bones of joints with translations, where these keep them to a millimetre: files that write offsets as channels round them.
    bones: Vec<Option<DVec3>>,
}

impl<'a> World<'a> {
    pub(crate) fn new(clip: &'a Clip) -> Self {
        const SAME_M: f32 = 1e-3;
        let bone = |joint: JointIdx| {
            let Some(track) = clip.translation_track(joint) else {
                return Some(clip.skeleton().offset(joint).as_dvec3());
            };
            let first = *track.values.first()?;
            let same = track.values.iter().all(|v| v.distance(first) < SAME_M);
            same.then(|| first.as_dvec3())
        };
        let bones = clip.skeleton().joints().map(bone).collect();
        Self { clip, bones }
    }

    pub(crate) fn at(&self, frame: usize) -> Vec<(DVec3, DQuat)> {
        world(self.clip, &self.bones, frame)
    }
}

fn world(clip: &Clip, bones: &[Option<DVec3>], frame: usize) -> Vec<(DVec3, DQuat)> {
    let skeleton = clip.skeleton();
    let mut out: Vec<(DVec3, DQuat)> = Vec::with_capacity(skeleton.joint_count());
    for joint in skeleton.joints() {
        let local = clip.rotation(frame, joint).as_dquat().normalize();
        out.push(match skeleton.parent(joint) {
            None => (clip.root()[frame], local),
            Some(p) => {
                let (place, turn) = out[p.index()];
                let track = clip.translation_track(joint).map(|t| t.values[frame]);
                let offset = bones[joint.index()]
                    .unwrap_or_else(|| track.unwrap_or_else(|| skeleton.offset(joint)).as_dvec3());
                (place + turn * offset, (turn * local).normalize())
            }
        });
    }
    out
}

/// A sensor on every joint of a clip, named after it: along its bone, a few centimetres off, strapped on as it came. A root that only
/// carries the body about is no body, and has none.
pub fn sensors(clip: &Clip, options: &VirtualOptions) -> SensorClip {
    let skeleton = clip.skeleton();
    let mut rng = Rng::new(options.seed);
    let joints: Vec<JointIdx> = skeleton.joints().filter(|&j| !carries(clip, j)).collect();
    let mounts: Vec<(DVec3, DQuat)> = joints
        .iter()
        .map(|&joint| {
            let along = bone(clip, joint) * rng.range(0.3, 0.7);
            let off = rng.direction() * rng.range(0.02, 0.06);
            let turn = from_rotation_vector(rng.direction() * rng.range(0.0, 3.0));
            (along + off, turn)
        })
        .collect();
    let count = mounts.len();
    let frames = clip.frame_count();
    let slip = Slip::new(count, frames, options.slip_m, &mut rng);
    let metal = Metal::new(options.metal_m, &mut rng);
    let tissue = Tissue::new(count, options.tissue_m, &mut rng);
    let mut gaps = Gaps::new(count, options.dropouts, clip.rate_hz());
    let world = World::new(clip);
    let mut poses = Vec::with_capacity(count * frames);
    for frame in 0..frames {
        let bodies = world.at(frame);
        for (k, &(offset, mount)) in mounts.iter().enumerate() {
            let (joint, turn) = bodies[joints[k].index()];
            let local = clip.rotation(frame, joints[k]).as_dquat();
            let offset = offset + slip.at(k, frame) + tissue.at(k, local);
            let place = metal.bend(joint + turn * offset) + rng.normal3() * options.place_noise_m;
            let noise = from_rotation_vector(rng.normal3() * options.turn_noise_rad);
            let turn = (turn * mount * noise).normalize();
            let seen = gaps.is_seen(k, &mut rng);
            poses.push(seen.then_some(SensorPose { place, turn }));
        }
    }
    SensorClip {
        names: joints
            .iter()
            .map(|&j| skeleton.name(j).to_owned())
            .collect(),
        rate_hz: clip.rate_hz(),
        frames,
        poses,
        warnings: Warnings::new(),
    }
}

/// Whether what hangs on a joint slides against it: there is no joint then, only a place that the rest is counted from.
fn carries(clip: &Clip, joint: JointIdx) -> bool {
    const SLIDES_M: f32 = 0.01;
    let below =
        (clip.translations().iter()).filter(|t| clip.skeleton().parent(t.joint) == Some(joint));
    below.into_iter().any(|track| {
        let first = track.values.first().copied().unwrap_or_default();
        track.values.iter().any(|v| v.distance(first) > SLIDES_M)
    })
}

/// The bone of a joint in its frame: to the farthest of what hangs on it directly, metres.
fn bone(clip: &Clip, joint: JointIdx) -> DVec3 {
    let skeleton = clip.skeleton();
    let children = skeleton.children(joint).map(|c| skeleton.offset(c));
    let tips = skeleton.end_sites().iter().filter(|s| s.parent == joint);
    let all = children.chain(tips.map(|s| s.offset));
    let longest = all.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    longest.unwrap_or_default().as_dvec3()
}

/// Markers on every body of a clip that is at least [`SHORTEST_M`] long and moves by itself, named `Joint-1` and so on. Bodies that
/// do not turn against their parent carry their markers as part of it.
pub fn markers(clip: &Clip, options: &VirtualOptions) -> MarkerClip {
    let mut rng = Rng::new(options.seed);
    let mut names = Vec::new();
    let mut spots: Vec<(usize, DVec3)> = Vec::new();
    for joint in clip.skeleton().joints() {
        let along = bone(clip, joint);
        if along.length() < SHORTEST_M || is_finger(clip.skeleton().name(joint)) {
            continue;
        }
        for k in 0..options.markers_per_body {
            let share = (k as f64 + rng.range(0.2, 0.8)) / options.markers_per_body as f64;
            let across = along.cross(rng.direction()).normalize_or_zero();
            let off = across * rng.range(0.04, 0.07);
            names.push(format!("{}-{}", clip.skeleton().name(joint), k + 1));
            spots.push((joint.index(), along * share + off));
        }
    }
    let count = names.len();
    let frames = clip.frame_count();
    let slip = Slip::new(count, frames, options.slip_m, &mut rng);
    let tissue = Tissue::new(count, options.tissue_m, &mut rng);
    let mut gaps = Gaps::new(count, options.dropouts, clip.rate_hz());
    let metal = Metal::new(options.metal_m, &mut rng);
    let swaps: Vec<(usize, usize, usize)> = (0..options.swaps)
        .map(|_| {
            let a = rng.below(count);
            let b = (a + 1 + rng.below(count.saturating_sub(1))) % count.max(1);
            let from = frames / 4 + rng.below(frames / 2 + 1);
            (a, b, from)
        })
        .collect();
    let world = World::new(clip);
    let mut positions = Vec::with_capacity(count * frames);
    let mut visible = Vec::with_capacity(count * frames);
    for frame in 0..frames {
        let bodies = world.at(frame);
        let start = positions.len();
        for (k, &(joint, offset)) in spots.iter().enumerate() {
            let (place, turn) = bodies[joint];
            let local = clip.rotation(frame, JointIdx(joint as u32)).as_dquat();
            let offset = offset + slip.at(k, frame) + tissue.at(k, local);
            let place = metal.bend(place + turn * offset) + rng.normal3() * options.place_noise_m;
            let seen = gaps.is_seen(k, &mut rng);
            positions.push(if seen { place } else { DVec3::ZERO });
            visible.push(seen);
        }
        for &(a, b, from) in &swaps {
            if frame >= from {
                positions.swap(start + a, start + b);
                visible.swap(start + a, start + b);
            }
        }
    }
    MarkerClip {
        quantities: vec![None; count],
        names,
        rate_hz: clip.rate_hz(),
        unit: "m".to_owned(),
        unit_m: 1.0,
        up: Some(UpAxis::Y),
        frames,
        frames_in_file: frames,
        positions,
        visible,
        warnings: Warnings::new(),
    }
}

/// The shortest bone that carries markers, metres.
pub const SHORTEST_M: f64 = 0.06;

fn is_finger(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["finger", "thumb", "index", "eye"]
        .iter()
        .any(|w| name.contains(w))
}
