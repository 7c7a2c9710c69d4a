//! The joint of two groups of markers (Kirk, O'Brien and Forsyth 2005): a point per frame that keeps its distance to all markers of both,
//!
//!   min over c^t, r_m of  Σ_t Σ_m (|x_m^t − c^t| − r_m)² + α T Σ_m r_m².
//!
//! α is small: where motion leaves a line of points open (a hinge's axis) it takes the near one. The c^t are eliminated frame by
//! frame (3 × 3), which leaves as many equations as there are markers.

use glam::{DMat3, DVec3};

use crate::linalg::{Square, cholesky, cholesky_solve, outer};

/// A joint of two groups.
#[derive(Clone, Debug)]
pub(crate) struct Centre {
    /// Where it is, frame by frame; `None` where too little was seen.
    pub(crate) places: Vec<Option<DVec3>>,
    /// RMS change of the distances, metres.
    pub(crate) residual_m: f64,
    /// Distances to the markers, metres.
    pub(crate) radii: Vec<f64>,
}

/// α: a radius of 0.1 m counts as much as a change of 1 mm.
const ALPHA: f64 = 1e-4;
const MOST_STEPS: usize = 60;
/// Fewest markers seen in a frame for its point to be found.
const FEWEST_SEEN: usize = 3;

/// Fits the joint. `frames` hold the markers of both groups; `start` is where it is looked for first.
pub(crate) fn fit(frames: &[Vec<Option<DVec3>>], start: &[Option<DVec3>]) -> Option<Centre> {
    let count = frames.first()?.len();
    let rows: Vec<Row> = frames
        .iter()
        .enumerate()
        .filter_map(|(t, row)| {
            let seen: Vec<(usize, DVec3)> = row
                .iter()
                .enumerate()
                .filter_map(|(m, p)| Some((m, (*p)?)))
                .collect();
            (seen.len() >= FEWEST_SEEN && start[t].is_some()).then_some((t, seen))
        })
        .collect();
    if rows.len() < 5 {
        return None;
    }
    let mut centres: Vec<DVec3> = rows.iter().filter_map(|(t, _)| start[*t]).collect();
    let mut radii = mean_radii(&rows, &centres, count);
    let mut damping = 1e-3;
    let mut cost = total(&rows, &centres, &radii);
    for _ in 0..MOST_STEPS {
        let Some((next, next_radii)) = step(&rows, &centres, &radii, damping) else {
            damping *= 10.0;
            if damping > 1e6 {
                break;
            }
            continue;
        };
        let tried = total(&rows, &next, &next_radii);
        if tried < cost {
            let gain = (cost - tried) / cost;
            (centres, radii, cost) = (next, next_radii, tried);
            damping = (damping * 0.3).max(1e-9);
            if gain < 1e-7 {
                break;
            }
        } else {
            damping *= 10.0;
            if damping > 1e6 {
                break;
            }
        }
    }
    let mut places = vec![None; frames.len()];
    let (mut sum, mut n) = (0.0, 0.0);
    for ((t, seen), c) in rows.iter().zip(&centres) {
        places[*t] = Some(*c);
        for (m, x) in seen {
            sum += (x.distance(*c) - radii[*m]).powi(2);
            n += 1.0;
        }
    }
    let residual_m = (sum / f64::max(n, 1.0)).sqrt();
    (residual_m.is_finite()).then_some(Centre {
        places,
        residual_m,
        radii,
    })
}

/// A frame's number and the markers that were seen in it.
type Row = (usize, Vec<(usize, DVec3)>);
type Rows = [Row];
/// What a frame adds: H_cc⁻¹, its gradient, and the directions to its markers.
type Part = (DMat3, DVec3, Vec<(usize, DVec3)>);

fn mean_radii(rows: &Rows, centres: &[DVec3], count: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); count];
    for ((_, seen), c) in rows.iter().zip(centres) {
        for (m, x) in seen {
            sums[*m].0 += x.distance(*c);
            sums[*m].1 += 1.0;
        }
    }
    sums.iter().map(|s| s.0 / f64::max(s.1, 1.0)).collect()
}

fn total(rows: &Rows, centres: &[DVec3], radii: &[f64]) -> f64 {
    let near: f64 = radii.iter().map(|r| r * r).sum::<f64>() * ALPHA * rows.len() as f64;
    let frame = |((_, seen), c): (&Row, &DVec3)| -> f64 {
        let off = |(m, x): &(usize, DVec3)| (x.distance(*c) - radii[*m]).powi(2);
        seen.iter().map(off).sum()
    };
    near + rows.iter().zip(centres).map(frame).sum::<f64>()
}

/// One step: residual f = |x − c| − r, ∂f/∂c = −u, ∂f/∂r = −1, the c eliminated.
fn step(
    rows: &Rows,
    centres: &[DVec3],
    radii: &[f64],
    damping: f64,
) -> Option<(Vec<DVec3>, Vec<f64>)> {
    let k = radii.len();
    let mut schur = Square::zero(k);
    let mut right = vec![0.0; k];
    let mut parts: Vec<Part> = Vec::with_capacity(rows.len());
    for ((_, seen), c) in rows.iter().zip(centres) {
        let mut hcc = DMat3::ZERO;
        let mut gc = DVec3::ZERO;
        let mut arms = Vec::with_capacity(seen.len());
        for (m, x) in seen {
            let d = *x - *c;
            let length = d.length().max(1e-9);
            let u = d / length;
            let f = length - radii[*m];
            hcc += outer(u, u);
            // Gauss–Newton: −Jᵀ f = u f.
            gc += u * f;
            *schur.at_mut(*m, *m) += 1.0 + damping;
            right[*m] += f;
            arms.push((*m, u));
        }
        hcc += DMat3::from_diagonal(DVec3::splat(1e-6 + damping));
        let inverse = hcc.inverse();
        for (m, u) in &arms {
            let a = inverse * *u;
            right[*m] -= a.dot(gc);
            for (o, v) in &arms {
                *schur.at_mut(*m, *o) -= a.dot(*v);
            }
        }
        parts.push((inverse, gc, arms));
    }
    let weight = ALPHA * rows.len() as f64;
    for m in 0..k {
        *schur.at_mut(m, m) += weight + 1e-9;
        right[m] -= weight * radii[m];
    }
    if !cholesky(&mut schur) {
        return None;
    }
    cholesky_solve(&schur, &mut right);
    let next = parts
        .iter()
        .zip(centres)
        .map(|((inverse, gc, arms), c)| {
            let mut g = *gc;
            for (m, u) in arms {
                g -= *u * right[*m];
            }
            *c + *inverse * g
        })
        .collect();
    let radii = radii.iter().zip(&right).map(|(r, d)| r + d).collect();
    Some((next, radii))
}
