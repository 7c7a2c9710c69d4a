//! From markers to a skeleton and its motion.

mod bundle;
mod centres;
mod choose;
mod edges;
mod frame;
mod groups;
mod joints;
mod key_frames;
mod known;
mod landmarks;
mod mirror;
mod motion;
mod refine;
mod sets;
mod settle;
mod split;
mod swaps;
mod template;
mod trials;

use std::sync::Arc;

pub use trials::join_trials;

use gaitway_core::{Skeleton, WarningCode, Warnings};
use gaitway_io::{MarkerClip, UpAxis};
use glam::DVec3;

use crate::build::{Parts, clip_of, upright_frame};
use crate::error::CalibrateError;
use crate::model::{BodyPose, Model, Observed, Solver, Weights};
use crate::report::{BodyReport, Calibration, FitReport, JointReport, LOOSE_MM};
use crate::sensors::{attached, usual_turns};
use choose::Tracks;
use groups::Variation;
use joints::Joined;

/// How markers are calibrated.
#[derive(Clone, Debug)]
pub struct MarkerOptions {
    /// Points that are not on the body.
    pub without: Vec<String>,
    /// How many bodies there are; found where not given.
    pub bodies: Option<usize>,
    /// Whether markers of the common sets are grouped by their names.
    pub by_names: bool,
    /// Which body a marker sits on, as (marker, body), where names do not tell: as another trial of the same markers showed it.
    pub groups: Vec<(String, String)>,
    /// The body everything hangs on, by its name or one of its markers.
    pub root: Option<String>,
    /// Names of bodies by their name or by one of their markers.
    pub names: Vec<(String, String)>,
    /// A body that is known already: lengths are its own, only motion and where markers sit are found.
    pub skeleton: Option<Arc<Skeleton>>,
    /// Standard deviation of a marker about its place on the bone, metres: skin and camera.
    pub marker_m: f64,
    /// Key frames that lengths are found in.
    pub key_frames: usize,
    /// Keeps frames in which joints are somewhere else for a frame or two; else they are mended, as those of files are.
    pub keep_spikes: bool,
}

impl Default for MarkerOptions {
    fn default() -> Self {
        Self {
            without: Vec::new(),
            bodies: None,
            by_names: true,
            groups: Vec::new(),
            root: None,
            names: Vec::new(),
            skeleton: None,
            marker_m: 0.008,
            key_frames: 120,
            keep_spikes: false,
        }
    }
}

/// Finds a skeleton and its motion in markers.
///
/// # Errors
/// When there is too little to find one: what was expected and what was found.
pub fn calibrate_markers(
    name: &str,
    clip: &MarkerClip,
    options: &MarkerOptions,
) -> Result<Calibration, CalibrateError> {
    let up = clip.up.or_else(|| clip.guess_up()).unwrap_or(UpAxis::Y);
    let clip = clip.clone().into_y_up(up);
    let mut warnings = clip.warnings.clone();
    let mut tracks = choose::choose(&clip, &options.without, &mut warnings)?;
    swaps::undo(&mut tracks, &mut warnings);
    mirror::tell(&tracks, &mut warnings);
    let variation = Variation::of(&tracks);
    let keys = key_frames::choose(&tracks.frames, options.key_frames);
    let key_rows: Vec<Vec<Option<DVec3>>> =
        keys.iter().map(|&f| tracks.frames[f].clone()).collect();
    let found = groups::find(&tracks, &variation, options, &key_rows, &mut warnings)?;
    if found.len() < 2 {
        return Err(CalibrateError::new(
            "all markers keep their distances: one body, and no joint",
        )
        .with_hint(
            "record a motion in which joints turn, or say how many bodies there are: --bodies 15",
        ));
    }
    let joined = Joined::new(
        &tracks,
        &variation,
        &found,
        &key_rows,
        options,
        &mut warnings,
    )?;
    solve(name, &tracks, &joined, &keys, &key_rows, options, warnings)
}

fn solve(
    name: &str,
    tracks: &Tracks,
    joined: &Joined,
    keys: &[usize],
    key_rows: &[Vec<Option<DVec3>>],
    options: &MarkerOptions,
    mut warnings: Warnings,
) -> Result<Calibration, CalibrateError> {
    let (mut model, mut poses) = template::model_of(&joined.pieces(key_rows));
    let order: Vec<usize> = joined.groups.iter().flatten().copied().collect();
    let of_model = |row: &Vec<Option<DVec3>>| -> Vec<Option<DVec3>> {
        order.iter().map(|&m| row[m]).collect()
    };
    let key_points: Vec<Vec<Option<DVec3>>> = key_rows.iter().map(of_model).collect();
    let known = match &options.skeleton {
        Some(skeleton) => Some(known::Known::take(
            skeleton,
            &joined.names,
            &mut model,
            &poses,
            &mut warnings,
        )?),
        None => None,
    };
    let usual = usual_turns(&model, &poses);
    refit(&model, &mut poses, &key_points, &usual, options.marker_m);
    let hold = bundle::Hold {
        marker_m: options.marker_m,
        // Key frames are many and skin shakes them alike, so that joints move less than they would.
        joint_m: 0.0015,
        // A body's frame may turn about its joint where markers are free, and takes the next joint with it: what landmarks told
        // is lost then.
        offset_m: if joined.has_landmarks() { 0.003 } else { 0.1 },
        usual_rad: 1.0,
        fixed_joints: known.is_some(),
        most_steps: 25,
    };
    bundle::fit(&mut model, &mut poses, &key_points, &usual, &hold);
    let usual = usual_turns(&model, &poses);
    let start: Vec<(usize, BodyPose)> = keys.iter().copied().zip(poses.iter().cloned()).collect();
    let places: Vec<Vec<Option<DVec3>>> = tracks.frames.iter().map(of_model).collect();
    let moved = motion::solve(&model, &places, &start, &usual, options.marker_m);
    if moved.filled > 0 {
        let message = format!(
            "{} of {} samples of markers were not seen and are filled by the pose",
            moved.filled,
            places.len() * order.len()
        );
        warnings.add(WarningCode::GapsFilled, message);
    }
    let tips: Vec<Option<DVec3>> = (0..model.body_count())
        .map(|body| {
            let leaf = !model.parents.contains(&Some(body));
            let own = model.points.iter().filter(|p| p.body == body && leaf);
            let far = own.max_by(|a, b| a.offset.length().total_cmp(&b.offset.length()));
            far.map(|p| p.offset)
        })
        .collect();
    let rest = upright_frame(&model, &moved.poses);
    let parts = Parts {
        model: &model,
        poses: &moved.poses,
        names: &joined.names,
        tips: &tips,
        rest,
        rate_hz: tracks.rate_hz,
    };
    let clip = match &known {
        Some(known) => known.clip(name, &model, &moved.poses, tracks.rate_hz)?,
        None => clip_of(name, &parts)?,
    };
    let names = &joined.names;
    let bodies: Vec<BodyReport> = (0..model.body_count())
        .map(|b| BodyReport {
            name: names[b].clone(),
            parent: model.parents[b].map(|p| names[p].clone()),
            seen_by: joined.groups[b]
                .iter()
                .map(|&m| tracks.names[m].clone())
                .collect(),
            length_m: model.parents[b].map(|_| model.offsets[b].length()),
        })
        .collect();
    let attached = match &known {
        Some(_) => Vec::new(),
        None => attached(&clip, names, &model, &moved, rest, |k| {
            tracks.names[order[k]].clone()
        }),
    };
    let joints = joined.reports(&model, &poses);
    if known.is_none() {
        tell_doubts(&bodies, &joints, &mut warnings);
    }
    let mended = crate::build::mended(clip, options.keep_spikes, &mut warnings);
    Ok(Calibration {
        joints,
        clip: mended.clip,
        spikes: mended.spikes,
        lapses: mended.lapses,
        bodies,
        tree: joined.tree.clone(),
        attached,
        fit: FitReport {
            residual_mm: 1e3 * moved.residual_m,
            filled: moved.filled,
            samples: places.len() * order.len(),
        },
        warnings,
        model,
        poses: moved.poses,
    })
}

/// Bones that no person has, and bodies that do not turn about their joint: groups or tree are wrong then, and a skeleton that is wrong
/// is not handed out in silence.
fn tell_doubts(bodies: &[BodyReport], joints: &[JointReport], warnings: &mut Warnings) {
    const LONGEST_BONE_M: f64 = 0.7;
    let mut tell = |what: &str, list: Vec<String>| {
        if !list.is_empty() {
            let message = format!(
                "{what}: {}; groups of markers or joints are wrong there, and the skeleton is not to be trusted",
                choose::some(&list)
            );
            warnings.add(WarningCode::Unusual, message);
        }
    };
    let long = |b: &BodyReport| {
        let length = b.length_m.filter(|&l| l > LONGEST_BONE_M)?;
        Some(format!("`{}` ({length:.2} m)", b.name))
    };
    let long = bodies.iter().filter_map(long).collect();
    tell("bones that are longer than those of a person", long);
    let loose = joints.iter().filter(|j| j.residual_mm > LOOSE_MM);
    let loose = loose.map(|j| format!("`{}` ({:.0} mm)", j.name, j.residual_mm));
    tell("bodies that do not turn about their joint", loose.collect());
}

/// Poses of key frames that fit a model as it is.
fn refit(
    model: &Model,
    poses: &mut [BodyPose],
    points: &[Vec<Option<DVec3>>],
    usual: &[glam::DQuat],
    marker_m: f64,
) {
    let weights = Weights {
        point: 1.0 / marker_m,
        turn: 0.0,
        usual: 1.0,
        huber: 3.0,
    };
    let mut solver = Solver::new(model, weights, usual);
    for (pose, points) in poses.iter_mut().zip(points) {
        solver.fit(pose, Observed { points, turns: &[] }, 20);
    }
}
