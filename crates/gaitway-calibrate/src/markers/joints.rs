//! Which groups of markers are joined, and where.

use gaitway_core::{Skeleton, WarningCode, Warnings};
use glam::DVec3;
use rayon::prelude::*;

use super::MarkerOptions;
use super::centres::Centre;
use super::choose::Tracks;
use super::edges::{fit_anchored, fit_frames, fit_pair, frame_of, start};
use super::frame::Frame;
use super::groups::{Group, Variation};
use super::landmarks;
use super::refine;
use super::sets;
use super::template::{Pieces, matrix};
use crate::error::CalibrateError;
use crate::joint::{FitOptions, JointKind, pair_sums};
use crate::model::{BodyPose, Model};
use crate::names::{Shape, humanoid};
use crate::noise::Noise;
use crate::report::{JointReport, TreeReport, judge};
use crate::tracks::{Sample, Track};
use crate::tree::{middle, rooted, spanning_tree};

/// Bodies in a tree, parents first, with their joints in key frames.
pub(super) struct Joined {
    pub(super) names: Vec<String>,
    pub(super) parents: Vec<Option<usize>>,
    pub(super) groups: Vec<Vec<usize>>,
    centres: Vec<Vec<Option<DVec3>>>,
    residuals: Vec<f64>,
    frames: Vec<usize>,
    /// How sure markers that sit at the joint told where it is, metres.
    said: Vec<Option<f64>>,
    pub(super) tree: TreeReport,
}

impl Joined {
    pub(super) fn new(
        tracks: &Tracks,
        variation: &Variation,
        found: &[Group],
        keys: &[Vec<Option<DVec3>>],
        options: &MarkerOptions,
        warnings: &mut Warnings,
    ) -> Result<Self, CalibrateError> {
        let n = found.len();
        let list: Vec<(usize, usize)> = (0..n)
            .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
            .collect();
        let by_name = found.iter().all(|g| g.name.is_some());
        // Markers of the common sets are few on each body and shaken by skin: their frames tell little of joints.
        let frames: Vec<Option<Frame>> = match by_name && options.groups.is_empty() {
            true => found.iter().map(|_| None).collect(),
            false => found.iter().map(|g| frame_of(g, keys)).collect(),
        };
        let fits: Vec<Option<(Centre, f64)>> = list
            .par_iter()
            .map(|&(i, j)| {
                let pair = (&found[i], &found[j]);
                match (&frames[i], &frames[j]) {
                    (Some(a), Some(b)) => fit_frames(pair, [a, b], keys),
                    (Some(frame), None) => fit_anchored(pair, frame, keys),
                    (None, Some(frame)) => fit_anchored((pair.1, pair.0), frame, keys),
                    _ => fit_pair(pair.0, pair.1, keys, variation),
                }
            })
            .collect();
        let at = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            let k = list.iter().position(|&p| p == (i, j))?;
            fits[k].as_ref()
        };
        let data = spanning_tree(n, |i, j| at(i, j).map(|f| f.1));
        let label = |g: usize| match &found[g].name {
            Some(name) => name.clone(),
            None => tracks.names[found[g].markers[0]].clone(),
        };
        let mut tree = data.rival.map_or_else(TreeReport::default, |r| TreeReport {
            margin: Some(r.ratio),
            out: Some([label(r.out.0), label(r.out.1)]),
            instead: Some([label(r.instead.0), label(r.instead.1)]),
            differs: Vec::new(),
        });
        let edges = if by_name {
            let said = match &options.skeleton {
                Some(skeleton) if !options.groups.is_empty() => skeleton_edges(found, skeleton),
                _ => said_edges(found),
            };
            let sorted = |e: &(usize, usize)| (e.0.min(e.1), e.0.max(e.1));
            let missing: Vec<String> = said
                .iter()
                .filter(|e| !data.edges.contains(&sorted(e)))
                .map(|e| format!("{} – {}", label(e.0), label(e.1)))
                .collect();
            tree.differs = missing;
            said
        } else {
            data.edges
        };
        let (mut names, mut root) = match by_name {
            true => (
                found.iter().enumerate().map(|(g, _)| label(g)).collect(),
                top(n, &edges),
            ),
            false => unnamed(found, &edges, keys),
        };
        overrule(tracks, found, options, &mut names, &mut root)?;
        let (parents, order) = rooted(n, &edges, root);
        let lost: Vec<String> = (0..n).filter(|g| !order.contains(g)).map(label).collect();
        if !lost.is_empty() {
            let message = format!(
                "bodies that nothing is joined to are left out: {}",
                lost.join(", ")
            );
            warnings.add(WarningCode::LeftOut, message);
        }
        if order.len() < 2 {
            return Err(CalibrateError::new("no two groups of markers are joined")
                .with_hint("say how many bodies there are: --bodies 15"));
        }
        let place = |g: usize| order.iter().position(|&o| o == g);
        let mut out = Self {
            names: order.iter().map(|&g| names[g].clone()).collect(),
            parents: order.iter().map(|&g| parents[g].and_then(place)).collect(),
            groups: order.iter().map(|&g| found[g].markers.clone()).collect(),
            centres: Vec::new(),
            residuals: Vec::new(),
            frames: Vec::new(),
            said: Vec::new(),
            tree,
        };
        for &g in &order {
            let Some(p) = parents[g] else {
                out.centres.push(vec![None; keys.len()]);
                out.residuals.push(0.0);
                out.frames.push(0);
                out.said.push(None);
                continue;
            };
            let said = match &found[g].name {
                Some(name) if by_name => landmarks::joint(name, tracks, keys),
                _ => Vec::new(),
            };
            let is_said = said.iter().flatten().count() * 2 > keys.len();
            let (places, residual) = match at(g, p) {
                Some((centre, _)) if is_said => (said, centre.residual_m),
                Some((centre, _)) => (centre.places.clone(), centre.residual_m),
                None if is_said => (said, 0.05),
                None => (start(&found[p], &found[g], keys), 0.05),
            };
            let sure = || landmarks::sure_m(found[g].name.as_deref().unwrap_or(""));
            out.said.push(is_said.then(sure));
            out.frames.push(places.iter().flatten().count());
            out.centres.push(places);
            out.residuals.push(residual);
        }
        let mut residuals = std::mem::take(&mut out.residuals);
        out.centres = refine::anchored(&out.pieces(keys), &out.said, &mut residuals);
        out.residuals = residuals;
        Ok(out)
    }

    /// Whether markers that sit at joints told where some are.
    pub(super) fn has_landmarks(&self) -> bool {
        self.said.iter().any(Option::is_some)
    }

    pub(super) fn pieces<'a>(&'a self, keys: &'a [Vec<Option<DVec3>>]) -> Pieces<'a> {
        Pieces {
            parents: &self.parents,
            groups: &self.groups,
            centres: &self.centres,
            frames: keys,
        }
    }

    /// Joint by joint: kind and confidence by how much the bodies turned in the fitted poses, against how well the centre kept its
    /// distances.
    pub(super) fn reports(&self, model: &Model, poses: &[BodyPose]) -> Vec<JointReport> {
        let options = FitOptions::default();
        let track = |body: usize| Track {
            poses: poses
                .iter()
                .map(|p| Sample {
                    place: DVec3::ZERO,
                    turn: matrix(p.turns[body]),
                    seen: true,
                })
                .collect(),
        };
        (0..model.body_count())
            .filter_map(|body| {
                let parent = model.parents[body]?;
                let sums = pair_sums(&track(parent), &track(body), |_| 1.0);
                let fit = sums.solve([Noise::default(); 2]);
                let n = self.frames[body].max(1) as f64;
                let s = self.residuals[body].max(options.least_noise_m);
                let deviation = |k: usize| s / (2.0 * n * fit.values[k].max(1e-12)).sqrt();
                let told = (0..3)
                    .filter(|&k| deviation(k) <= options.most_deviation_m)
                    .count();
                let axis = |k: usize| {
                    let v = &fit.vectors[0];
                    DVec3::new(v[k], v[k + 1], v[k + 2]).normalize_or_zero()
                };
                let kind = match told {
                    3 => JointKind::Ball,
                    2 => JointKind::Hinge {
                        first: axis(0),
                        second: axis(3),
                    },
                    _ => JointKind::Unobservable,
                };
                let turn_deg = sums.turn_motion2().sqrt().to_degrees();
                let most = 1e3 * f64::min(deviation(0), 9.999);
                let (confidence, advice) = judge(&kind, most, 1e3 * s, turn_deg);
                Some(JointReport {
                    name: self.names[body].clone(),
                    parent: self.names[parent].clone(),
                    kind: kind.as_str(),
                    frames: self.frames[body],
                    effective_frames: n,
                    residual_mm: 1e3 * s,
                    deviation_mm: [0, 1, 2].map(|k| 1e3 * f64::min(deviation(k), 9.999)),
                    turn_deg,
                    confidence,
                    advice,
                })
            })
            .collect()
    }
}

/// The body that hangs on none: edges lead from parents to children.
fn top(bodies: usize, edges: &[(usize, usize)]) -> usize {
    let free = |&b: &usize| edges.iter().all(|e| e.1 != b);
    (0..bodies).find(free).unwrap_or(0)
}

/// The tree of a body that is known; a joint that has no markers is passed over.
fn skeleton_edges(found: &[Group], skeleton: &Skeleton) -> Vec<(usize, usize)> {
    let find = |name: &str| found.iter().position(|g| g.name.as_deref() == Some(name));
    let mut edges = Vec::new();
    for (g, group) in found.iter().enumerate() {
        let joint = group.name.as_deref().and_then(|n| skeleton.find(n));
        let mut at = joint.and_then(|j| skeleton.parent(j));
        while let Some(parent) = at {
            if let Some(p) = find(skeleton.name(parent)) {
                edges.push((p, g));
                break;
            }
            at = skeleton.parent(parent);
        }
    }
    edges
}

/// The tree that names tell; a body that is missing is passed over.
fn said_edges(found: &[Group]) -> Vec<(usize, usize)> {
    let find = |name: &str| found.iter().position(|g| g.name.as_deref() == Some(name));
    let above = |name: &str| {
        let row = sets::BODIES.iter().find(|b| b.0 == name);
        row.and_then(|b| b.1)
    };
    let mut edges = Vec::new();
    for (g, group) in found.iter().enumerate() {
        let mut at = group.name.as_deref().and_then(above);
        while let Some(parent) = at {
            if let Some(p) = find(parent) {
                edges.push((p, g));
                break;
            }
            at = above(parent);
        }
    }
    edges
}

/// Names and root of a tree that markers do not name.
fn unnamed(
    found: &[Group],
    edges: &[(usize, usize)],
    keys: &[Vec<Option<DVec3>>],
) -> (Vec<String>, usize) {
    let all: Vec<usize> = (0..found.len()).collect();
    let centre = |row: &Vec<Option<DVec3>>| -> Option<Vec<DVec3>> {
        let middle = |g: &Group| {
            let seen: Vec<DVec3> = g.markers.iter().filter_map(|&m| row[m]).collect();
            (!seen.is_empty()).then(|| seen.iter().sum::<DVec3>() / seen.len() as f64)
        };
        found.iter().map(middle).collect()
    };
    let centres: Vec<Vec<DVec3>> = keys.iter().filter_map(centre).collect();
    let shape = Shape {
        edges,
        centres: &centres,
    };
    match humanoid(shape) {
        Some(person) => (person.names, person.pelvis),
        None => {
            let names = (1..=found.len()).map(|k| format!("body{k}")).collect();
            (names, middle(found.len(), edges, &all))
        }
    }
}

/// What the user says counts more.
fn overrule(
    tracks: &Tracks,
    found: &[Group],
    options: &MarkerOptions,
    names: &mut [String],
    root: &mut usize,
) -> Result<(), CalibrateError> {
    let find = |wanted: &str, names: &[String]| {
        let marker = tracks.names.iter().position(|n| n == wanted);
        let of_marker = marker.and_then(|m| found.iter().position(|g| g.markers.contains(&m)));
        names.iter().position(|n| n == wanted).or(of_marker)
    };
    let missing = |wanted: &str, names: &[String]| {
        CalibrateError::new(format!("there is no body and no marker `{wanted}`"))
            .with_hint(format!("bodies are {}", names.join(", ")))
    };
    if let Some(wanted) = &options.root {
        *root = find(wanted, names).ok_or_else(|| missing(wanted, names))?;
    }
    for (body, name) in &options.names {
        let k = find(body, names).ok_or_else(|| missing(body, names))?;
        names[k].clone_from(name);
    }
    Ok(())
}
