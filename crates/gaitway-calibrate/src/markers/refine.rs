//! Joints anchored in bodies whose frame is known.
//!
//! A body of three or more points has a frame in every key frame; a joint of it is fixed there, c^t = R^t o + b^t, which leaves
//!
//!   min over o, r_m of  Σ_t Σ_m (|x_m^t − c^t| − r_m)² + α T Σ_m r_m²
//!
//! over the points of the other body: three numbers and a radius each, where a point per frame would leave far more open. A joint
//! found is a point of both bodies: a thigh of two markers and a hip has a frame. So joints are found one after another, the best
//! anchored first.

use glam::DVec3;

use super::frame::Frame;
use super::template::Pieces;
use crate::joint::{FitOptions, JointKind, fit_joint, pair_sums};
use crate::linalg::{Square, cholesky, cholesky_solve};

/// A radius of 1 m counts as much as a change of 1 mm: only what motion leaves wholly open is drawn in.
const ALPHA: f64 = 1e-6;
const MOST_STEPS: usize = 60;

/// Finds joints anew where a body is there to anchor them; others stay as they are. RMS changes of distances come with them.
/// Joints that markers at them told are held near to where they were, as far as that is sure (`said`, metres).
pub(crate) fn anchored(
    pieces: &Pieces<'_>,
    said: &[Option<f64>],
    residuals: &mut [f64],
) -> Vec<Vec<Option<DVec3>>> {
    let bodies = pieces.parents.len();
    let mut centres = pieces.centres.to_vec();
    let mut points: Vec<Vec<Vec<Option<DVec3>>>> = (0..bodies)
        .map(|b| {
            let marker = |&m: &usize| pieces.frames.iter().map(|r| r[m]).collect();
            pieces.groups[b].iter().map(marker).collect()
        })
        .collect();
    let mut open: Vec<usize> = (0..bodies)
        .filter(|&b| pieces.parents[b].is_some())
        .collect();
    let mut frames: Vec<Option<Frame>> = points.iter().map(|p| Frame::of(p)).collect();
    loop {
        let mut best: Option<(f64, usize, usize, usize)> = None;
        for (k, &child) in open.iter().enumerate() {
            let Some(parent) = pieces.parents[child] else {
                continue;
            };
            for (anchor, other) in [(parent, child), (child, parent)] {
                if let Some(frame) = &frames[anchor]
                    && best.is_none_or(|b| frame.spread > b.0)
                {
                    best = Some((frame.spread, k, anchor, other));
                }
            }
        }
        let Some((_, k, anchor, other)) = best else {
            return centres;
        };
        let child = open.remove(k);
        let Some(frame) = &frames[anchor] else {
            return centres;
        };
        // Two bodies with frames are two sensors: their joint is linear.
        let both = match &frames[other] {
            Some(second) => match said[child] {
                None => linear(frame, second),
                Some(sure_m) if sure_m > AT_JOINT_M => held(frame, second, &centres[child], sure_m),
                Some(_) => None,
            },
            None => None,
        };
        let found = both.or_else(|| fit(frame, &points[other], &centres[child], said[child]));
        if let Some((places, residual)) = found {
            residuals[child] = residual;
            points[anchor].push(places.clone());
            points[other].push(places.clone());
            centres[child] = places;
            frames[other] = Frame::of(&points[other]);
            frames[anchor] = Frame::of(&points[anchor]);
        }
    }
}

/// The joint of two bodies that both have a frame, where their motion tells it.
fn linear(first: &Frame, second: &Frame) -> Option<(Vec<Option<DVec3>>, f64)> {
    let fit = fit_joint(
        &first.track(),
        &second.track(),
        [first.noise(), second.noise()],
        &FitOptions::default(),
    )?;
    let told = matches!(fit.kind, JointKind::Ball | JointKind::Hinge { .. });
    let places = (0..first.at.len()).map(|t| first.place(t, fit.in_first));
    told.then(|| (places.collect(), fit.residual_m))
}

/// The joint of two bodies that both have a frame, where landmarks tell it to `sure_m`: each direction as motion says and as landmarks
/// say, by how well either tells it. Motion of a hip tells what is across the axis it mostly turns about, and hardly what is along it.
fn held(
    first: &Frame,
    second: &Frame,
    start: &[Option<DVec3>],
    sure_m: f64,
) -> Option<(Vec<Option<DVec3>>, f64)> {
    let locals = start.iter().enumerate();
    let locals: Vec<DVec3> = locals.filter_map(|(t, s)| first.local(t, (*s)?)).collect();
    if locals.len() < 5 {
        return None;
    }
    let said = locals.iter().sum::<DVec3>() / locals.len() as f64;
    let sums = pair_sums(&first.track(), &second.track(), |_| 1.0);
    if sums.frames < 5.0 {
        return None;
    }
    let solved = |prior: f64, data: f64| -> Option<(DVec3, DVec3)> {
        let mut normal = Square::zero(6);
        normal.add_block(0, 3, &(-sums.turn * data));
        normal.add_block(3, 0, &(-sums.turn.transpose() * data));
        let mut right = [0.0; 6];
        for d in 0..3 {
            *normal.at_mut(d, d) = data + prior;
            *normal.at_mut(3 + d, 3 + d) = data * (1.0 + 1e-9);
            right[d] = data * sums.in_first[d] + prior * said[d];
            right[3 + d] = -data * sums.in_second[d];
        }
        cholesky(&mut normal).then(|| {
            cholesky_solve(&normal, &mut right);
            let part = |k: usize| DVec3::new(right[k], right[k + 1], right[k + 2]);
            (part(0), part(3))
        })
    };
    // How far the two disagree where landmarks hardly count is what skin does to them.
    let free = solved(1e-6, 1.0)?;
    let skin2 = (sums.residual2(free.0, free.1) / 3.0).max(SKIN_M * SKIN_M / 9.0);
    let (c, l) = solved(1.0 / (sure_m * sure_m), INDEPENDENT / skin2)?;
    let places = (0..first.at.len()).map(|t| first.place(t, c)).collect();
    Some((places, sums.residual2(c, l).sqrt()))
}

/// One joint: its places, and the RMS change of its distances, metres.
pub(super) fn fit(
    frame: &Frame,
    others: &[Vec<Option<DVec3>>],
    start: &[Option<DVec3>],
    said: Option<f64>,
) -> Option<(Vec<Option<DVec3>>, f64)> {
    let locals: Vec<DVec3> = (start.iter().enumerate())
        .filter_map(|(t, s)| frame.local(t, (*s)?))
        .collect();
    if locals.len() < 5 {
        return None;
    }
    let mut local = locals.iter().sum::<DVec3>() / locals.len() as f64;
    let first = local;
    let hold = said.map_or(0.0, hold);
    let k = others.len();
    let mut radii: Vec<f64> = others
        .iter()
        .map(|o| {
            let list: Vec<f64> = (0..o.len())
                .filter_map(|t| Some(o[t]?.distance(frame.place(t, local)?)))
                .collect();
            list.iter().sum::<f64>() / list.len().max(1) as f64
        })
        .collect();
    let total = |local: DVec3, radii: &[f64]| -> (f64, f64) {
        let (mut sum, mut n) = (0.0, 0.0);
        for (m, o) in others.iter().enumerate() {
            for (t, seen) in o.iter().enumerate() {
                if let (Some(x), Some(c)) = (*seen, frame.place(t, local)) {
                    sum += (x.distance(c) - radii[m]).powi(2);
                    n += 1.0;
                }
            }
        }
        let near: f64 = radii.iter().map(|r| r * r).sum();
        let held = hold * n * local.distance_squared(first);
        (
            sum + held + ALPHA * near * n / f64::max(k as f64, 1.0),
            sum / f64::max(n, 1.0),
        )
    };
    let mut damping = 1e-3;
    let mut cost = total(local, &radii).0;
    for _ in 0..MOST_STEPS {
        let mut normal = Square::zero(3 + k);
        let mut right = vec![0.0; 3 + k];
        let mut n = 0.0;
        for (m, o) in others.iter().enumerate() {
            for (t, seen) in o.iter().enumerate() {
                let (Some(x), Some(c), Some((turn, ..))) =
                    (*seen, frame.place(t, local), frame.at[t])
                else {
                    continue;
                };
                let d = x - c;
                let length = d.length().max(1e-9);
                // f = |x − c| − r, ∂f/∂o = −(Rᵀ u)ᵀ, ∂f/∂r = −1.
                let u = turn.conjugate() * (d / length);
                let f = length - radii[m];
                for r in 0..3 {
                    for c in 0..3 {
                        *normal.at_mut(r, c) += u[r] * u[c];
                    }
                    *normal.at_mut(3 + m, r) += u[r];
                    *normal.at_mut(r, 3 + m) += u[r];
                    right[r] += u[r] * f;
                }
                *normal.at_mut(3 + m, 3 + m) += 1.0;
                right[3 + m] += f;
                n += 1.0;
            }
        }
        let weight = ALPHA * n / f64::max(k as f64, 1.0);
        for m in 0..k {
            *normal.at_mut(3 + m, 3 + m) += weight;
            right[3 + m] -= weight * radii[m];
        }
        for d in 0..3 {
            *normal.at_mut(d, d) += hold * n;
            right[d] += hold * n * (first[d] - local[d]);
        }
        for d in 0..3 + k {
            *normal.at_mut(d, d) *= 1.0 + damping;
            *normal.at_mut(d, d) += 1e-12;
        }
        if !cholesky(&mut normal) {
            damping *= 10.0;
            if damping > 1e6 {
                break;
            }
            continue;
        }
        cholesky_solve(&normal, &mut right);
        let next = local + DVec3::new(right[0], right[1], right[2]);
        let next_radii: Vec<f64> = radii.iter().zip(&right[3..]).map(|(r, d)| r + d).collect();
        let tried = total(next, &next_radii).0;
        if tried < cost {
            let gain = (cost - tried) / cost;
            (local, radii, cost) = (next, next_radii, tried);
            damping = (damping * 0.3).max(1e-9);
            if gain < 1e-9 {
                break;
            }
        } else {
            damping *= 10.0;
            if damping > 1e6 {
                break;
            }
        }
    }
    let places = (0..frame.at.len()).map(|t| frame.place(t, local)).collect();
    Some((places, total(local, &radii).1.sqrt()))
}

/// Landmarks that tell a joint better than this sit at it, metres: its distances to markers are enough then, which skin shakes less than
/// it turns frames.
const AT_JOINT_M: f64 = 0.01;
/// What skin does to a distance, metres; how many frames skin leaves independent.
const SKIN_M: f64 = 0.006;
const INDEPENDENT: f64 = 3.0;

/// What a guess by landmarks that is sure to so many metres weighs beside one sample of a distance.
fn hold(sure_m: f64) -> f64 {
    (SKIN_M / sure_m) * (SKIN_M / sure_m) / INDEPENDENT
}
