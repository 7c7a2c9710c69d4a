//! The door: what every format needs alike before a clip is inside. Unit, up axis, rate, T-pose, and a look
//! at what is wrong with the data. Nothing is changed silently: each finding is a warning, each change has a
//! switch in [`ReadOptions`].

mod checks;
mod first_frame;
mod flight;
mod names;
mod unit;
mod up;

use std::sync::Arc;

use gaitway_core::clip::ClipParts;
use gaitway_core::spikes::{Lapse, Spike};
use gaitway_core::{
    Clip, EndSite, JointIdx, Skeleton, TranslationTrack, WarningCode, Warnings, ground, limits,
};
use glam::Quat;

use crate::{Format, Place, RawClip, ReadError, UpAxis};

pub use flight::{Flight, flights, judge_rates, pool_rates};
pub use names::unique_names;
pub use unit::{Unit, parse_unit};

/// What the user knows better than the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Frames a second, over the header's.
    pub source_fps: Option<f64>,
    /// Metres per unit, over what the file says or its size suggests.
    pub unit: Option<Unit>,
    /// The axis that points up, over what the file says or the body shows.
    pub up: Option<UpAxis>,
    /// Keeps a first frame that looks like a converter's T-pose.
    pub keep_first_frame: bool,
    /// Keeps frames where the root drops to the origin; else they are filled from their neighbours.
    pub keep_dropouts: bool,
    /// Mends frames in which joints are somewhere else for a frame or two, or stand still for some frames and then leap
    /// ([`gaitway_core::spikes`]); else they are only told. Off by default: what is measured or converted shall be what is in the file.
    pub repair_spikes: bool,
    /// The format, over what name and first bytes say.
    pub format: Option<Format>,
    /// The skeleton for AMC files, instead of the ASF beside each; the body for poses of a body model (AMASS), which say none.
    pub skeleton: Option<std::path::PathBuf>,
    /// How tall the person is whose bones stand in for a body model's, where no skeleton is given.
    pub height_m: Option<f64>,
}

/// Where a clip came from, for the account and for writing it back.
#[derive(Clone, Debug)]
pub struct FileInfo {
    /// The kind of file.
    pub format: Format,
    /// The animation inside the file, where the clip is called after it (`file#Walking`).
    pub animation: Option<String>,
    /// Frames the file holds, before any was dropped.
    pub frames_in_file: usize,
    /// The number that the clip's first frame has in the file: AMC numbers frames from 1, others are counted from 0, and a
    /// T-pose that was dropped counts.
    pub first_frame: usize,
    /// Frames a second as the file says.
    pub header_rate_hz: f64,
    /// The file's unit of length.
    pub unit: Unit,
    /// The axis that pointed up in the file.
    pub up_axis: UpAxis,
    /// Joints whose rotations are noise, by index.
    pub noise_joints: Vec<JointIdx>,
    /// What the format's writer needs to give the file back in its own manner.
    pub layout: Layout,
}

/// A format's own manner of writing a skeleton.
#[derive(Clone, Debug)]
pub enum Layout {
    /// BVH channels, order, precision.
    Bvh(Arc<crate::bvh::BvhLayout>),
    /// The ASF an AMC needs.
    Acclaim(Arc<crate::acclaim::AcclaimSkeleton>),
    /// What a file of poses says of the body.
    Amass(Arc<crate::amass::AmassInfo>),
    /// Nothing to remember.
    Plain,
}

/// A clip that came through the door.
#[derive(Clone, Debug)]
pub struct Import {
    /// The clip: metres, Y up.
    pub clip: Clip,
    /// Where it came from.
    pub source: FileInfo,
    /// What was found and done.
    pub warnings: Warnings,
    /// Frames that capture got wrong, mended or not as the options say.
    pub spikes: Vec<Spike>,
    /// Longer stretches that capture lost, and which of them were filled.
    pub lapses: Vec<Lapse>,
}

/// Brings a parsed clip inside.
///
/// # Errors
/// When the arrays make no clip.
pub fn admit(
    file: &str,
    clip_name: String,
    format: Format,
    raw: RawClip,
    layout: Layout,
    options: &ReadOptions,
) -> Result<Import, ReadError> {
    let mut warnings = raw.warnings.clone();
    let frames_in_file = raw.frames_in_file.max(raw.root.len());
    let header_rate_hz = raw.rate_hz;
    let named = matches!(format, Format::Gltf | Format::Glb | Format::Fbx)
        && clip_name.ends_with(&format!("#{}", raw.name));
    let animation = named.then(|| raw.name.clone());
    let unit = unit::choose(&raw, options.unit.clone(), &mut warnings);
    let up_axis = up::choose(&raw, options.up, &mut warnings);
    let parts = convert(raw, clip_name, unit.metres, up_axis, &mut warnings)
        .map_err(|e| ReadError::content(file, e.to_string()))?;
    let mut clip = parts
        .build()
        .map_err(|e| ReadError::content(file, e.to_string()))?;
    if let Some(rate) = options.source_fps {
        if (rate - header_rate_hz).abs() > 1e-6 {
            warnings.add(
                WarningCode::RateOverridden,
                format!("played at {rate} Hz as asked; the file says {header_rate_hz:.4} Hz"),
            );
        }
        clip = clip
            .with_rate(rate)
            .map_err(|e| ReadError::content(file, e.to_string()))?;
    }
    within_limits(file, &clip)?;
    clip = first_frame::drop_t_pose(clip, options.keep_first_frame, &mut warnings);
    let dropped = usize::from(warnings.has(WarningCode::TPoseDropped));
    let first_frame = dropped + usize::from(format == Format::Amc);
    let Mended {
        clip,
        spikes,
        lapses,
        noise_joints,
    } = mend(clip, first_frame, options, &mut warnings);
    let travel = ground::travel_joint(&clip);
    if travel != JointIdx::ROOT {
        let skeleton = clip.skeleton();
        let (name, root) = (skeleton.name(travel), skeleton.name(JointIdx::ROOT));
        warnings.add(
            WarningCode::TravelOnJoint,
            format!("`{name}` carries the travel, the root `{root}` stays put; travel is taken from `{name}`"),
        );
    }
    let source = FileInfo {
        format,
        animation,
        frames_in_file,
        first_frame,
        header_rate_hz,
        unit,
        up_axis,
        noise_joints,
        layout,
    };
    Ok(Import {
        clip,
        source,
        warnings,
        spikes,
        lapses,
    })
}

/// A clip whose frames that capture got wrong were looked for.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The clip, mended or not as the options say.
    pub clip: Clip,
    /// Frames that capture got wrong.
    pub spikes: Vec<Spike>,
    /// Longer stretches that capture lost, and which of them were filled.
    pub lapses: Vec<Lapse>,
    /// Joints whose rotations are noise, by index.
    pub noise_joints: Vec<JointIdx>,
}

/// Looks for frames that capture got wrong and tells them, for files that come through the door and for motion that was found in
/// markers and sensors alike. `first_frame` is the number that the clip's first frame has in its file.
pub fn mend(
    clip: Clip,
    first_frame: usize,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Mended {
    let mut checks = checks::Checks {
        first_frame,
        repair: options.repair_spikes,
        warnings,
    };
    let clip = checks.mend_dropouts(clip, options.keep_dropouts);
    let (clip, spikes) = checks.mend_spikes(clip);
    let (clip, lapses) = checks.fill_lapses(clip);
    let noise_joints = checks.look(&clip);
    Mended {
        clip,
        spikes,
        lapses,
        noise_joints,
    }
}

/// What is beyond [`gaitway_core::limits`] is a wrong unit, a wrong rate or damage, and nothing inside is made for it.
fn within_limits(file: &str, clip: &Clip) -> Result<(), ReadError> {
    let hint = match limits::rate(clip.rate_hz()) {
        Ok(()) => "if the unit is taken wrongly, name it: --units cm",
        Err(_) => "give the rate the motion was captured at: --source-fps 60",
    };
    limits::clip(clip)
        .map_err(|e| ReadError::syntax(file, Place::File, e.expected, e.found).with_hint(hint))
}

/// Scales to metres and turns to Y up. Every local frame is turned alike (R′ = Q R Q⁻¹, o′ = Q o), so that
/// the rest pose stands upright too.
fn convert(
    raw: RawClip,
    name: String,
    metres: f64,
    up: UpAxis,
    warnings: &mut Warnings,
) -> Result<ClipParts, gaitway_core::SkeletonError> {
    let turn = up.to_y_up();
    let turn_f64 = turn.as_dquat();
    let names = unique_names(raw.joints.iter().map(|j| j.name.as_str()), warnings);
    let mut builder = Skeleton::builder();
    for (joint, name) in raw.joints.iter().zip(names) {
        let offset = (turn_f64 * joint.offset * metres).as_vec3();
        match joint.parent {
            None => builder.root(name, offset),
            Some(parent) => builder.joint(name, JointIdx(parent as u32), offset),
        };
    }
    for (parent, offset) in &raw.end_sites {
        let EndSite { parent, offset } = EndSite {
            parent: JointIdx(*parent as u32),
            offset: (turn_f64 * *offset * metres).as_vec3(),
        };
        builder.end_site(parent, offset);
    }
    let skeleton = builder.build()?.shared();
    let mut root = raw.root;
    let mut rotations = raw.rotations;
    let mut translations: Vec<TranslationTrack> = raw
        .translations
        .into_iter()
        .map(|t| TranslationTrack {
            joint: JointIdx(t.joint as u32),
            values: t.values,
        })
        .collect();
    let scale = metres as f32;
    root.iter_mut().for_each(|p| *p *= metres);
    translations
        .iter_mut()
        .flat_map(|t| &mut t.values)
        .for_each(|v| *v *= scale);
    if up != UpAxis::Y {
        let back: Quat = turn.inverse();
        root.iter_mut().for_each(|p| *p = turn_f64 * *p);
        rotations.iter_mut().for_each(|q| *q = turn * *q * back);
        translations
            .iter_mut()
            .flat_map(|t| &mut t.values)
            .for_each(|v| *v = turn * *v);
    }
    Ok(ClipParts {
        name,
        skeleton,
        rate_hz: raw.rate_hz,
        root,
        rotations,
        translations,
        labels: raw.labels,
        contacts: raw.contacts,
    })
}
