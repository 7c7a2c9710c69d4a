//! The last fit: lengths, marker offsets and poses of key frames together.
//!
//! A marker's place is linear in the offsets of the model, ∂x/∂m = R_b, ∂x/∂o_k = R_parent(k), so that the normal matrix is poses
//! (one block per frame) beside geometry (one block for all). Poses are eliminated frame by frame:
//!
//!   S = H_gg − Σ_t W_tᵀ W_t,   W_t = L_t⁻¹ H_pg,   L_t L_tᵀ = H_pp.

use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;

use crate::linalg::{
    Square, cholesky, cholesky_solve, cross_matrix, from_rotation_vector, outer, rotation_vector,
};
use crate::model::{BodyPose, Model};

/// How the fit is held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    /// Standard deviation of a marker, metres: skin and camera.
    pub(crate) marker_m: f64,
    /// Standard deviation of joints about where they were found before, metres.
    pub(crate) joint_m: f64,
    /// Standard deviation of marker offsets about what they were, metres.
    pub(crate) offset_m: f64,
    /// Standard deviation of a body's rotation about its usual one, radians.
    pub(crate) usual_rad: f64,
    /// Whether lengths stay as they are.
    pub(crate) fixed_joints: bool,
    pub(crate) most_steps: usize,
}

/// What one frame adds.
struct FrameSystem {
    /// L of H_pp.
    factor: Square,
    /// H_pg by columns: per geometry column, all pose rows; W after elimination.
    columns: Vec<Vec<f64>>,
    /// L⁻¹ g_p.
    right: Vec<f64>,
    hgg: Vec<(usize, usize, DMat3)>,
    gg: Vec<f64>,
}

/// Fits; RMS distance of markers comes back, metres.
pub(crate) fn fit(
    model: &mut Model,
    poses: &mut [BodyPose],
    seen: &[Vec<Option<DVec3>>],
    usual: &[DQuat],
    hold: &Hold,
) -> f64 {
    let first = model.clone();
    let mut damping = 1e-3;
    let mut cost = total(model, poses, seen, usual, hold, &first);
    for _ in 0..hold.most_steps {
        let Some((next, next_poses)) = step(model, poses, seen, usual, hold, &first, damping)
        else {
            damping *= 10.0;
            if damping > 1e8 {
                break;
            }
            continue;
        };
        let tried = total(&next, &next_poses, seen, usual, hold, &first);
        if tried < cost {
            let gain = (cost - tried) / cost.max(1e-300);
            *model = next;
            poses.clone_from_slice(&next_poses);
            cost = tried;
            damping = (damping * 0.2).max(1e-9);
            if gain < 1e-4 {
                break;
            }
        } else {
            damping *= 10.0;
            if damping > 1e8 {
                break;
            }
        }
    }
    let (mut sum, mut n) = (0.0, 0.0);
    for (pose, row) in poses.iter().zip(seen) {
        for (at, place) in model.points(pose).iter().zip(row) {
            if let Some(place) = place {
                sum += at.distance_squared(*place);
                n += 1.0;
            }
        }
    }
    (sum / f64::max(n, 1.0)).sqrt()
}

/// Distances beyond this many standard deviations count less (Huber).
const HUBER: f64 = 3.0;

fn huber(distance: f64, sd: f64) -> (f64, f64) {
    let w = 1.0 / (sd * sd);
    let far = HUBER * sd;
    if distance <= far {
        (w, w * distance * distance)
    } else {
        (w * far / distance, w * far * (2.0 * distance - far))
    }
}

fn total(
    model: &Model,
    poses: &[BodyPose],
    seen: &[Vec<Option<DVec3>>],
    usual: &[DQuat],
    hold: &Hold,
    first: &Model,
) -> f64 {
    let frames: f64 = poses
        .par_iter()
        .zip(seen)
        .map(|(pose, row)| {
            let points = model.points(pose);
            let near = points
                .iter()
                .zip(row)
                .filter_map(|(p, q)| Some(p.distance((*q)?)));
            let markers: f64 = near.map(|d| huber(d, hold.marker_m).1).sum();
            markers + usual_cost(model, pose, usual, hold)
        })
        .collect::<Vec<f64>>()
        .iter()
        .sum();
    let joints = model.offsets.iter().zip(&first.offsets);
    let joints: f64 = joints.map(|(a, b)| a.distance_squared(*b)).sum();
    let points = model.points.iter().zip(&first.points);
    let points: f64 = points
        .map(|(a, b)| a.offset.distance_squared(b.offset))
        .sum();
    frames + joints / hold.joint_m.powi(2) + points / hold.offset_m.powi(2)
}

fn usual_turn(
    model: &Model,
    pose: &BodyPose,
    usual: &[DQuat],
    body: usize,
) -> Option<(usize, DVec3)> {
    let parent = model.parents[body]?;
    let target = pose.turns[parent] * usual[body];
    Some((
        parent,
        rotation_vector(target * pose.turns[body].conjugate()),
    ))
}

fn usual_cost(model: &Model, pose: &BodyPose, usual: &[DQuat], hold: &Hold) -> f64 {
    let off = (0..model.body_count()).filter_map(|b| usual_turn(model, pose, usual, b));
    off.map(|o| o.1.length_squared()).sum::<f64>() / hold.usual_rad.powi(2)
}

/// Where the joint offset of a body begins among the geometry's columns; the first body has none.
fn joint_column(body: usize) -> usize {
    3 * (body - 1)
}

fn point_column(model: &Model, point: usize) -> usize {
    3 * (model.body_count() - 1 + point)
}

fn step(
    model: &Model,
    poses: &[BodyPose],
    seen: &[Vec<Option<DVec3>>],
    usual: &[DQuat],
    hold: &Hold,
    first: &Model,
    damping: f64,
) -> Option<(Model, Vec<BodyPose>)> {
    let size = 3 * (model.body_count() - 1 + model.points.len());
    let systems: Option<Vec<FrameSystem>> = poses
        .par_iter()
        .zip(seen)
        .map(|(pose, row)| FrameSystem::new(model, pose, row, usual, hold, damping))
        .collect();
    let systems = systems?;
    let mut schur = Square::zero(size);
    let mut right = vec![0.0; size];
    for system in &systems {
        for (r, c, block) in &system.hgg {
            schur.add_block(*r, *c, block);
        }
        for (a, b) in right.iter_mut().zip(&system.gg) {
            *a += b;
        }
    }
    let diagonal: Vec<f64> = (0..size).map(|k| schur.at(k, k)).collect();
    // Σ Wᵀ W, each row of it by all frames in their order: the same on any number of threads.
    let reduced: Vec<(Vec<f64>, f64)> = (0..size)
        .into_par_iter()
        .map(|r| {
            let mut row = vec![0.0; r + 1];
            let mut g = 0.0;
            for system in &systems {
                let a = &system.columns[r];
                if a.is_empty() {
                    continue;
                }
                for (c, value) in row.iter_mut().enumerate() {
                    let b = &system.columns[c];
                    if !b.is_empty() {
                        *value += dot(a, b);
                    }
                }
                g += dot(a, &system.right);
            }
            (row, g)
        })
        .collect();
    for (r, (row, g)) in reduced.iter().enumerate() {
        for (c, value) in row.iter().enumerate() {
            *schur.at_mut(r, c) -= value;
        }
        right[r] -= g;
    }
    let weight = |k: usize| {
        if k < 3 * (model.body_count() - 1) {
            if hold.fixed_joints {
                1e18
            } else {
                hold.joint_m.powi(-2)
            }
        } else {
            hold.offset_m.powi(-2)
        }
    };
    for (body, (now, was)) in model.offsets.iter().zip(&first.offsets).enumerate().skip(1) {
        for k in 0..3 {
            let at = joint_column(body) + k;
            right[at] += weight(at) * (was[k] - now[k]);
        }
    }
    for (p, (now, was)) in model.points.iter().zip(&first.points).enumerate() {
        for k in 0..3 {
            let at = point_column(model, p) + k;
            right[at] += weight(at) * (was.offset[k] - now.offset[k]);
        }
    }
    for (k, d) in diagonal.iter().enumerate() {
        *schur.at_mut(k, k) += weight(k) + damping * d + 1e-9;
    }
    if !cholesky(&mut schur) {
        return None;
    }
    cholesky_solve(&schur, &mut right);
    let part = |v: &[f64], k: usize| DVec3::new(v[k], v[k + 1], v[k + 2]);
    let mut next = model.clone();
    for body in 1..model.body_count() {
        if !hold.fixed_joints {
            next.offsets[body] += part(&right, joint_column(body));
        }
    }
    for p in 0..model.points.len() {
        next.points[p].offset += part(&right, point_column(model, p));
    }
    let moved = poses
        .iter()
        .zip(&systems)
        .map(|(pose, system)| {
            // δp = L⁻ᵀ (L⁻¹ g_p − W δg).
            let mut y = system.right.clone();
            for (column, d) in system.columns.iter().zip(&right) {
                for (y, w) in y.iter_mut().zip(column) {
                    *y -= w * d;
                }
            }
            back_substitute(&system.factor, &mut y);
            let turn = |(b, q): (usize, &DQuat)| {
                (from_rotation_vector(part(&y, 3 + 3 * b)) * *q).normalize()
            };
            BodyPose {
                root: pose.root + part(&y, 0),
                turns: pose.turns.iter().enumerate().map(turn).collect(),
            }
        })
        .collect();
    Some((next, moved))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn forward_substitute(factor: &Square, b: &mut [f64]) {
    for i in 0..factor.size() {
        let row = factor.row(i);
        b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
    }
}

fn back_substitute(factor: &Square, b: &mut [f64]) {
    for i in (0..factor.size()).rev() {
        let row = factor.row(i);
        let x = b[i] / row[i];
        b[i] = x;
        for (b, l) in b[..i].iter_mut().zip(row) {
            *b -= l * x;
        }
    }
}

impl FrameSystem {
    fn new(
        model: &Model,
        pose: &BodyPose,
        seen: &[Option<DVec3>],
        usual: &[DQuat],
        hold: &Hold,
        damping: f64,
    ) -> Option<Self> {
        let rows = 3 + 3 * model.body_count();
        let size = 3 * (model.body_count() - 1 + model.points.len());
        let mut normal = Square::zero(rows);
        let mut gp = vec![0.0; rows];
        let mut out = Self {
            factor: Square::zero(0),
            columns: vec![Vec::new(); size],
            right: Vec::new(),
            hgg: Vec::new(),
            gg: vec![0.0; size],
        };
        let joints = model.joints(pose);
        for (p, (point, place)) in model.points.iter().zip(seen).enumerate() {
            let Some(place) = place else { continue };
            let own = DMat3::from_quat(pose.turns[point.body]);
            let arm = own * point.offset;
            let r = *place - joints[point.body] - arm;
            let (w, _) = huber(r.length(), hold.marker_m);
            // Bodies with their levers, and geometry with its rotation.
            let mut chain = vec![(point.body, arm)];
            let mut shape = vec![(point_column(model, p), own)];
            let mut at = point.body;
            while let Some(parent) = model.parents[at] {
                let turn = DMat3::from_quat(pose.turns[parent]);
                chain.push((parent, turn * model.offsets[at]));
                shape.push((joint_column(at), turn));
                at = parent;
            }
            for k in 0..3 {
                *normal.at_mut(k, k) += w;
                gp[k] += w * r[k];
            }
            for (i, &(body, arm)) in chain.iter().enumerate() {
                let row = 3 + 3 * body;
                let g = arm.cross(r) * w;
                for k in 0..3 {
                    gp[row + k] += g[k];
                }
                normal.add_block(row, 0, &(cross_matrix(arm) * w));
                for &(above, lever) in &chain[i..] {
                    let block =
                        DMat3::from_diagonal(DVec3::splat(arm.dot(lever))) - outer(lever, arm);
                    normal.add_block(row, 3 + 3 * above, &(block * w));
                }
            }
            for &(column, turn) in &shape {
                let g = turn.transpose() * r * w;
                for k in 0..3 {
                    out.gg[column + k] += g[k];
                    let list = &mut out.columns[column + k];
                    if list.is_empty() {
                        list.resize(rows, 0.0);
                    }
                    let direction = turn.col(k) * w;
                    for d in 0..3 {
                        list[d] += direction[d];
                    }
                    for &(body, arm) in &chain {
                        let g = arm.cross(direction);
                        for d in 0..3 {
                            list[3 + 3 * body + d] += g[d];
                        }
                    }
                }
                for &(other, turn2) in &shape {
                    if other <= column {
                        out.hgg.push((column, other, turn.transpose() * turn2 * w));
                    }
                }
            }
        }
        let w = hold.usual_rad.powi(-2);
        for body in 0..model.body_count() {
            let Some((parent, r)) = usual_turn(model, pose, usual, body) else {
                continue;
            };
            let (row, column) = (3 + 3 * body, 3 + 3 * parent);
            for k in 0..3 {
                *normal.at_mut(row + k, row + k) += w;
                *normal.at_mut(column + k, column + k) += w;
                *normal.at_mut(row + k, column + k) -= w;
                gp[row + k] += w * r[k];
                gp[column + k] -= w * r[k];
            }
        }
        for k in 0..rows {
            *normal.at_mut(k, k) += 1e-6 + damping * normal.at(k, k);
        }
        if !cholesky(&mut normal) {
            return None;
        }
        for column in out.columns.iter_mut().filter(|c| !c.is_empty()) {
            forward_substitute(&normal, column);
        }
        forward_substitute(&normal, &mut gp);
        out.factor = normal;
        out.right = gp;
        Some(out)
    }
}
