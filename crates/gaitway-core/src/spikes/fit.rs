//! What a smooth way through the frames around a hole has in the hole.
//!
//! With x the frames around (six of them) and φₖ polynomials that are orthonormal over x, the least-squares fit of
//! values v is Σₖ φₖ(·) Σᵢ φₖ(xᵢ) vᵢ. Holes of one length have the same weights wherever they are.

use glam::DVec3;

/// Frames around a hole that say what belongs in it.
pub(super) const AROUND: usize = 6;

/// The weights for holes of one shape.
pub(super) struct Hole {
    /// Frames around it, counted from its first frame.
    pub around: [i64; AROUND],
    /// Per frame of the hole, the share of each frame around it.
    inside: Vec<[f64; AROUND]>,
    /// The same for the frames around it themselves: what is left is how rough they are.
    beside: Vec<[f64; AROUND]>,
}

impl Hole {
    /// Between three frames on either side: a cubic.
    pub fn within(len: usize) -> Self {
        let n = len as i64;
        Self::new(len, [-3, -2, -1, n, n + 1, n + 2], 3)
    }

    /// At the start of a clip: a line, backwards.
    pub fn at_start(len: usize) -> Self {
        let n = len as i64;
        Self::new(len, [n, n + 1, n + 2, n + 3, n + 4, n + 5], 1)
    }

    /// At the end of a clip: a line, forwards.
    pub fn at_end(len: usize) -> Self {
        Self::new(len, [-1, -2, -3, -4, -5, -6], 1)
    }

    fn new(len: usize, around: [i64; AROUND], degree: usize) -> Self {
        let basis = orthonormal(&around.map(|x| x as f64), degree);
        let weights = |x: f64| {
            around.map(|xi| {
                let both = |p: &Vec<f64>| value(p, x) * value(p, xi as f64);
                basis.iter().map(both).sum()
            })
        };
        Self {
            around,
            inside: (0..len).map(|k| weights(k as f64)).collect(),
            beside: around.iter().map(|&x| weights(x as f64)).collect(),
        }
    }

    /// How many frames it has.
    pub fn len(&self) -> usize {
        self.inside.len()
    }

    /// What belongs in its frames.
    pub fn fill<'a>(&'a self, values: &'a [DVec3; AROUND]) -> impl Iterator<Item = DVec3> + 'a {
        self.inside.iter().map(|w| mixed(w, values))
    }

    /// How far the frames around it are from the smooth way through them, at most.
    pub fn roughness(&self, values: &[DVec3; AROUND]) -> f64 {
        let off = |(w, v): (&[f64; AROUND], &DVec3)| mixed(w, values).distance(*v);
        let both = self.beside.iter().zip(values);
        both.map(off).fold(0.0, f64::max)
    }
}

fn mixed(weights: &[f64; AROUND], values: &[DVec3; AROUND]) -> DVec3 {
    weights.iter().zip(values).map(|(w, v)| *v * *w).sum()
}

/// A polynomial at x, coefficients ascending.
fn value(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Polynomials up to a degree that are orthonormal over the given places (Gram and Schmidt).
fn orthonormal(xs: &[f64], degree: usize) -> Vec<Vec<f64>> {
    let mut out: Vec<Vec<f64>> = Vec::new();
    for power in 0..=degree {
        let mut p = vec![0.0; degree + 1];
        p[power] = 1.0;
        for known in &out {
            let share: f64 = xs.iter().map(|&x| value(&p, x) * value(known, x)).sum();
            p.iter_mut()
                .zip(known)
                .for_each(|(c, known)| *c -= share * known);
        }
        let norm = xs.iter().map(|&x| value(&p, x).powi(2)).sum::<f64>().sqrt();
        p.iter_mut().for_each(|c| *c /= norm);
        out.push(p);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_filled_in_exactly() {
        for len in 1..=3 {
            for (hole, degree) in [
                (Hole::within(len), 3),
                (Hole::at_start(len), 1),
                (Hole::at_end(len), 1),
            ] {
                let way = |x: f64| {
                    let bend = if degree == 3 {
                        x * x - 0.1 * x.powi(3)
                    } else {
                        0.0
                    };
                    DVec3::new(2.0 * x - 1.0, bend, 5.0)
                };
                let values = hole.around.map(|x| way(x as f64));
                assert!(hole.roughness(&values) < 1e-9);
                for (k, v) in hole.fill(&values).enumerate() {
                    assert!(v.distance(way(k as f64)) < 1e-9, "{len} {k} {v}");
                }
            }
        }
    }
}
