//! From sensors to a skeleton and its motion.

pub(crate) mod motion;
mod pairs;

use gaitway_core::{WarningCode, Warnings};
use gaitway_io::SensorClip;
use glam::DVec3;

use crate::build::{Parts, clip_of, upright_frame};
use crate::error::CalibrateError;
use crate::joint::{FitOptions, JointFit, fit_joint};
use crate::linalg::mean_rotation;
use crate::model::{Model, ModelPoint};
use crate::names::{Shape, humanoid};
use crate::noise::{self, Noise};
use crate::report::{Attached, BodyReport, Calibration, FitReport, JointReport, TreeReport, array};
use crate::tracks::Track;
use crate::tree::{middle, rooted, spanning_tree};

use pairs::Pairs;

/// How sensors are calibrated.
#[derive(Clone, Debug, Default)]
pub struct SensorOptions {
    /// White noise of all sensors; measured on their tracks where not given.
    pub noise: Option<Noise>,
    /// How joints are told.
    pub fit: FitOptions,
    /// The sensor whose body everything hangs on.
    pub root: Option<String>,
    /// Names of bodies by the name of one of their sensors.
    pub names: Vec<(String, String)>,
    /// Keeps frames in which joints are somewhere else for a frame or two; else they are mended, as those of files are.
    pub keep_spikes: bool,
}

/// Fewest frames that a sensor must be seen in, and fewest of all frames.
const FEWEST_FRAMES: usize = 10;
const LEAST_SEEN: f64 = 0.05;

/// Finds a skeleton and its motion in sensors.
///
/// # Errors
/// When there is too little to find one: which sensors, and what was expected.
pub fn calibrate_sensors(
    name: &str,
    clip: &SensorClip,
    options: &SensorOptions,
) -> Result<Calibration, CalibrateError> {
    let mut warnings = clip.warnings.clone();
    let tracks: Vec<Track> = (0..clip.sensor_count())
        .map(|k| Track::of(clip, k))
        .collect();
    let measured = noise::measure(clip);
    let noises: Vec<Noise> = match options.noise {
        Some(given) => vec![given; tracks.len()],
        None => measured,
    };
    let used = usable(clip, &tracks, &noises, &mut warnings)?;
    let pairs = Pairs::new(&tracks, &used, &noises, options, &clip.names, &mut warnings);
    let found = Found::new(clip, &tracks, &pairs, options, &mut warnings)?;
    found.finish(name, clip, &pairs, options, warnings)
}

/// Sensors that say something.
fn usable(
    clip: &SensorClip,
    tracks: &[Track],
    noises: &[Noise],
    warnings: &mut Warnings,
) -> Result<Vec<usize>, CalibrateError> {
    if clip.frames < FEWEST_FRAMES {
        return Err(CalibrateError::new(format!(
            "expected at least {FEWEST_FRAMES} frames, found {}: joints show only where bodies move",
            clip.frames
        ))
        .with_hint("record a few seconds in which every joint is turned"));
    }
    let mut used: Vec<usize> = Vec::new();
    for (k, track) in tracks.iter().enumerate() {
        let seen = track.seen();
        let share = seen as f64 / clip.frames as f64;
        if seen < FEWEST_FRAMES || share < LEAST_SEEN {
            let message = format!(
                "`{}` was seen in {seen} of {} frames and is left out",
                clip.names[k], clip.frames
            );
            warnings.add(WarningCode::LeftOut, message);
        } else {
            used.push(k);
        }
    }
    let moves = |k: &usize| motion_of(&tracks[*k], noises[*k]);
    let largest = used.iter().map(moves).fold(0.0, f64::max);
    let (moving, still): (Vec<usize>, Vec<usize>) =
        used.iter().partition(|k| moves(k) > 1e-3 * largest);
    for k in still {
        let message = format!(
            "`{}` never moves; it is on nothing that does, and is left out",
            clip.names[k]
        );
        warnings.add(WarningCode::LeftOut, message);
    }
    if moving.len() < 2 {
        return Err(CalibrateError::new(format!(
            "expected at least two bodies that move, found {} of {} sensors",
            moving.len(),
            clip.sensor_count()
        ))
        .with_hint("a joint is found between two sensors: give all files of a take, calibrate A.traj B.traj …"));
    }
    Ok(moving)
}

/// How much a sensor moves beyond its noise: standard deviation of its place and, on a lever of 0.1 m, of its rotation, metres.
fn motion_of(track: &Track, noise: Noise) -> f64 {
    let n = track.seen().max(1) as f64;
    let seen = || track.poses.iter().filter(|p| p.seen);
    let mean = seen().map(|p| p.place).sum::<DVec3>() / n;
    let place2 = seen().map(|p| p.place.distance_squared(mean)).sum::<f64>() / n;
    let mut turn = glam::DMat3::ZERO;
    for p in seen() {
        turn += p.turn;
    }
    let length2: f64 = (turn * (1.0 / n))
        .to_cols_array()
        .iter()
        .map(|v| v * v)
        .sum();
    let turn2 = (3.0 - length2).max(0.0);
    let beyond = |v: f64, noise2: f64| (v - 1.5 * noise2).max(0.0);
    let place2 = beyond(place2, 3.0 * noise.place_m.powi(2));
    let turn2 = beyond(turn2, 6.0 * noise.turn_rad.powi(2));
    (place2 + 0.01 * turn2).sqrt()
}

/// A tree of bodies with its joints.
struct Found {
    /// Bodies in the order of the skeleton: the sensor that speaks for each.
    order: Vec<usize>,
    /// Parents, by place in `order`.
    parents: Vec<Option<usize>>,
    /// Each body's joint with its parent; the first's is none. The parent is first.
    joints: Vec<Option<JointFit>>,
    names: Vec<String>,
    tree: TreeReport,
}

impl Found {
    fn new(
        clip: &SensorClip,
        tracks: &[Track],
        pairs: &Pairs<'_>,
        options: &SensorOptions,
        warnings: &mut Warnings,
    ) -> Result<Self, CalibrateError> {
        let bodies = &pairs.bodies;
        let tree = spanning_tree(bodies.len(), |i, j| pairs.cost(i, j));
        let named = |k: usize| clip.names[bodies[k]].clone();
        let report = tree.rival.map_or(TreeReport::default(), |r| TreeReport {
            margin: Some(r.ratio),
            out: Some([named(r.out.0), named(r.out.1)]),
            instead: Some([named(r.instead.0), named(r.instead.1)]),
            differs: Vec::new(),
        });
        // What hangs on nothing: the largest part of the forest is the body.
        let edges: Vec<(usize, usize)> = tree
            .edges
            .iter()
            .copied()
            .filter(|&(i, j)| !pairs.is_apart(i, j))
            .collect();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for k in 0..bodies.len() {
            if !parts.iter().any(|p| p.contains(&k)) {
                parts.push(rooted(bodies.len(), &edges, k).1);
            }
        }
        parts.sort_by_key(|p| std::cmp::Reverse(p.len()));
        let body = parts.remove(0);
        if body.len() < 2 {
            return Err(CalibrateError::new(
                "no two bodies turn about a common point: nothing is joined",
            )
            .with_hint("are the sensors on one person, and their frames of one time?"));
        }
        for part in parts {
            let list: Vec<String> = part.iter().map(|&k| format!("`{}`", named(k))).collect();
            let message = format!(
                "{} turns about no point of the rest, and is left out",
                list.join(", ")
            );
            warnings.add(WarningCode::LeftOut, message);
        }
        let inside: Vec<(usize, usize)> =
            edges.into_iter().filter(|e| body.contains(&e.0)).collect();
        let (names, root) = name(clip, tracks, bodies, &inside, &body, options)?;
        let (parents, order) = rooted(bodies.len(), &inside, root);
        let place = |k: usize| order.iter().position(|&o| o == k);
        let joints = order
            .iter()
            .map(|&k| {
                let parent = parents[k]?;
                let (p, c) = (bodies[parent], bodies[k]);
                let noise = [pairs.noises[p], pairs.noises[c]];
                fit_joint(&tracks[p], &tracks[c], noise, &options.fit)
            })
            .collect();
        Ok(Self {
            parents: order.iter().map(|&k| parents[k].and_then(place)).collect(),
            names: order.iter().map(|&k| names[k].clone()).collect(),
            order: order.iter().map(|&k| bodies[k]).collect(),
            joints,
            tree: report,
        })
    }

    /// The joints of a body in its sensor's frame: its own first.
    fn own_joint(&self, body: usize) -> DVec3 {
        match &self.joints[body] {
            Some(fit) => fit.in_second,
            None => {
                let below = (0..self.order.len()).filter(|&k| self.parents[k] == Some(body));
                let list: Vec<DVec3> = below
                    .filter_map(|k| self.joints[k].as_ref().map(|j| j.in_first))
                    .collect();
                list.iter().sum::<DVec3>() / list.len().max(1) as f64
            }
        }
    }

    fn model(&self, clip: &SensorClip, pairs: &Pairs<'_>) -> (Model, Vec<usize>) {
        let own: Vec<DVec3> = (0..self.order.len()).map(|b| self.own_joint(b)).collect();
        let offsets = (0..self.order.len())
            .map(|body| match (&self.joints[body], self.parents[body]) {
                (Some(fit), Some(parent)) => fit.in_first - own[parent],
                _ => DVec3::ZERO,
            })
            .collect();
        let (mut points, mut sensors) = (Vec::new(), Vec::new());
        for (body, &speaker) in self.order.iter().enumerate() {
            for (sensor, place) in pairs.on_body(clip, speaker) {
                points.push(ModelPoint {
                    body,
                    offset: place - own[body],
                });
                sensors.push(sensor);
            }
        }
        let model = Model {
            parents: self.parents.clone(),
            offsets,
            points,
        };
        (model, sensors)
    }

    fn finish(
        self,
        name: &str,
        clip: &SensorClip,
        pairs: &Pairs<'_>,
        options: &SensorOptions,
        mut warnings: Warnings,
    ) -> Result<Calibration, CalibrateError> {
        let (model, sensors) = self.model(clip, pairs);
        let noise = pairs.usual_noise(&options.fit);
        let moved = motion::solve(clip, &model, &self.order, &sensors, pairs, noise);
        if moved.filled > 0 {
            let message = format!(
                "{} of {} samples were not seen and are filled by the pose",
                moved.filled,
                clip.frames * sensors.len()
            );
            warnings.add(WarningCode::GapsFilled, message);
        }
        let leaf = |b: usize| !self.parents.contains(&Some(b));
        let tips: Vec<Option<DVec3>> = (0..self.order.len())
            .map(|b| {
                let on = model.points.iter().find(|p| p.body == b);
                on.filter(|_| leaf(b)).map(|p| p.offset)
            })
            .collect();
        let rest = upright_frame(&model, &moved.poses);
        let parts = Parts {
            model: &model,
            poses: &moved.poses,
            names: &self.names,
            tips: &tips,
            rest,
            rate_hz: clip.rate_hz,
        };
        let motion = clip_of(name, &parts)?;
        let joints = (0..self.order.len())
            .filter_map(|b| {
                let parent = self.parents[b]?;
                let fit = self.joints[b].as_ref()?;
                let named = |b: usize| self.names[b].clone();
                Some(JointReport::of(named(b), named(parent), fit))
            })
            .collect();
        let bodies = (0..self.order.len())
            .map(|b| BodyReport {
                name: self.names[b].clone(),
                parent: self.parents[b].map(|p| self.names[p].clone()),
                seen_by: (model.points.iter().zip(&sensors))
                    .filter(|(p, _)| p.body == b)
                    .map(|(_, s)| clip.names[*s].clone())
                    .collect(),
                length_m: self.parents[b].map(|_| model.offsets[b].length()),
            })
            .collect();
        let attached = attached(&motion, &self.names, &model, &moved, rest, |k| {
            clip.names[sensors[k]].clone()
        });
        let mended = crate::build::mended(motion, options.keep_spikes, &mut warnings);
        Ok(Calibration {
            clip: mended.clip,
            spikes: mended.spikes,
            lapses: mended.lapses,
            bodies,
            joints,
            tree: self.tree,
            attached,
            fit: FitReport {
                residual_mm: 1e3 * moved.residual_m,
                filled: moved.filled,
                samples: clip.frames * sensors.len(),
            },
            warnings,
            model,
            poses: moved.poses,
        })
    }
}

/// Points of a model as a report tells them, in the frames of the clip's joints.
pub(crate) fn attached(
    clip: &gaitway_core::Clip,
    names: &[String],
    model: &Model,
    moved: &motion::Moved,
    rest: usize,
    name: impl Fn(usize) -> String,
) -> Vec<Attached> {
    let world = gaitway_core::fk::world_rotations(clip);
    let joints = clip.joint_count();
    let turn = |body: usize| {
        let joint = world[rest * joints + body].as_dquat();
        joint.conjugate() * moved.poses[rest].turns[body]
    };
    let of = |(k, point): (usize, &ModelPoint)| Attached {
        name: name(k),
        body: names[point.body].clone(),
        offset_m: array(turn(point.body) * point.offset),
        residual_mm: 1e3 * moved.point_residual_m[k],
        filled: moved.point_filled[k],
    };
    model.points.iter().enumerate().map(of).collect()
}

/// Names of all bodies and the one to hang all on.
fn name(
    clip: &SensorClip,
    tracks: &[Track],
    bodies: &[usize],
    edges: &[(usize, usize)],
    body: &[usize],
    options: &SensorOptions,
) -> Result<(Vec<String>, usize), CalibrateError> {
    const LOOKED_AT: usize = 200;
    let mut names: Vec<String> = bodies.iter().map(|&s| clip.names[s].clone()).collect();
    // Who is called so is what a body hangs on.
    let pelvis = |k: &&usize| {
        let name = names[**k].to_ascii_lowercase();
        ["hips", "pelvis", "root"].contains(&name.as_str())
    };
    let called = body.iter().find(pelvis).copied();
    let mut root = called.unwrap_or_else(|| middle(bodies.len(), edges, body));
    // Sensors that are only numbered tell nothing: shape does.
    let numbered = |n: &String| n.chars().filter(|c| c.is_ascii_digit()).count() > 0;
    let unnamed = body.iter().filter(|&&k| numbered(&names[k])).count() * 2 > body.len();
    if unnamed && body.len() == bodies.len() {
        let whole: Vec<usize> = (0..clip.frames)
            .filter(|&f| bodies.iter().all(|&b| tracks[b].poses[f].seen))
            .collect();
        let step = whole.len().div_ceil(LOOKED_AT).max(1);
        let centre = |f: &usize| bodies.iter().map(|&b| tracks[b].poses[*f].place).collect();
        let centres: Vec<Vec<DVec3>> = whole.iter().step_by(step).map(centre).collect();
        let shape = Shape {
            edges,
            centres: &centres,
        };
        if let Some(found) = humanoid(shape) {
            names = found.names;
            root = found.pelvis;
        }
    }
    if let Some(wanted) = &options.root {
        let of_sensor = bodies.iter().position(|&s| clip.names[s] == *wanted);
        let found = of_sensor.or_else(|| names.iter().position(|n| n == wanted));
        root = found.filter(|k| body.contains(k)).ok_or_else(|| {
            let known: Vec<&str> = body.iter().map(|&k| names[k].as_str()).collect();
            CalibrateError::new(format!("--root: there is no body `{wanted}`"))
                .with_hint(format!("bodies are {}", known.join(", ")))
        })?;
    }
    for (sensor, given) in &options.names {
        let of_sensor = bodies.iter().position(|&s| clip.names[s] == *sensor);
        let found = of_sensor.or_else(|| names.iter().position(|n| n == sensor));
        let k = found.ok_or_else(|| {
            CalibrateError::new(format!("the table of names: there is no body `{sensor}`"))
                .with_hint(format!("bodies are {}", names.join(", ")))
        })?;
        names[k].clone_from(given);
    }
    Ok((names, root))
}

/// The usual rotation of every body against its parent.
pub(crate) fn usual_turns(model: &Model, poses: &[crate::model::BodyPose]) -> Vec<glam::DQuat> {
    const LOOKED_AT: usize = 500;
    let step = poses.len().div_ceil(LOOKED_AT).max(1);
    (0..model.body_count())
        .map(|body| {
            let turns = poses.iter().step_by(step).map(|p| model.local(p, body));
            mean_rotation(turns)
        })
        .collect()
}
