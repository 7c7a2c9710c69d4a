//! Least squares with unknowns that are not negative: minimise ½ xᵀ A x − bᵀ x over x ≥ 0, A positive definite.
//!
//! Lawson and Hanson's method (1974, chapter 23) on normal equations (Bro and de Jong 1997): unknowns are freed one after another where the sum falls steepest,
//! the free ones are solved for exactly, and those that would go below 0 on the way there are stopped at it. Each set of free ones is met at most once, so it ends; the
//! bound on rounds guards against rounding alone. At the end x ≥ 0, g = b − A x ≤ 0 and x · g = 0, which only the least has.
//!
//! Cost: O(n³) per freed unknown, n ≤ 40 here. Checked by: those conditions.

use gaitway_retarget::solve::Band;

/// A and b.
pub(crate) struct Normal {
    n: usize,
    values: Vec<f64>,
    pub(crate) right: Vec<f64>,
}

impl Normal {
    pub(crate) fn new(n: usize) -> Self {
        Self {
            n,
            values: vec![0.0; n * n],
            right: vec![0.0; n],
        }
    }

    /// Sets an entry and its twin across the diagonal.
    pub(crate) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.n + column] = value;
        self.values[column * self.n + row] = value;
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.n + column]
    }

    /// b − A x.
    fn slope(&self, x: &[f64], row: usize) -> f64 {
        let entries = &self.values[row * self.n..(row + 1) * self.n];
        self.right[row] - entries.iter().zip(x).map(|(a, x)| a * x).sum::<f64>()
    }

    /// The least with these unknowns free and all others 0.
    fn with_free(&self, free: &[usize]) -> Option<Vec<f64>> {
        let mut band = Band::new(free.len(), free.len().saturating_sub(1));
        for (i, &r) in free.iter().enumerate() {
            for (j, &c) in free.iter().enumerate().take(i + 1) {
                band.add(i, j, self.at(r, c));
            }
        }
        let mut x: Vec<f64> = free.iter().map(|&r| self.right[r]).collect();
        band.solve(&mut x).then_some(x)
    }

    /// The least over x ≥ 0.
    pub(crate) fn nonnegative(&self) -> Vec<f64> {
        let n = self.n;
        let mut x = vec![0.0; n];
        let mut free: Vec<usize> = Vec::new();
        let size = self.right.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let tolerance = 1e-11 * size;
        for _ in 0..3 * n {
            let held = (0..n).filter(|k| !free.contains(k));
            let steepest = held
                .map(|k| (self.slope(&x, k), k))
                .filter(|s| s.0 > tolerance)
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            let Some((_, next)) = steepest else { break };
            free.push(next);
            while let Some(wanted) = self.with_free(&free) {
                // As far as all stay at or above 0.
                let stop =
                    |(i, &k): (usize, &usize)| (wanted[i] < 0.0).then(|| x[k] / (x[k] - wanted[i]));
                let part = free.iter().enumerate().filter_map(stop);
                let part = part.fold(1.0_f64, f64::min);
                for (i, &k) in free.iter().enumerate() {
                    x[k] += part * (wanted[i] - x[k]);
                }
                if part >= 1.0 {
                    break;
                }
                let below: Vec<usize> = (0..free.len())
                    .filter(|&i| wanted[i] < 0.0 && x[free[i]] <= 1e-12 * wanted[i].abs())
                    .collect();
                for &i in below.iter().rev() {
                    x[free[i]] = 0.0;
                    free.remove(i);
                }
                if below.is_empty() {
                    break;
                }
            }
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn only_the_least_has_no_way_down(n in 1..24_usize, rows in 1..30_usize, seed in 0..10_000_u64) {
            let mut random = gaitway_core::random::SplitMix64::new(seed);
            let a: Vec<Vec<f64>> = (0..rows).map(|_| (0..n).map(|_| random.range(-1.0, 1.0)).collect()).collect();
            let y: Vec<f64> = (0..rows).map(|_| random.range(-10.0, 10.0)).collect();
            let mut normal = Normal::new(n);
            for r in 0..n {
                for c in 0..=r {
                    let sum: f64 = a.iter().map(|row| row[r] * row[c]).sum();
                    normal.set(r, c, sum + if r == c { 1e-4 } else { 0.0 });
                }
                normal.right[r] = a.iter().zip(&y).map(|(row, y)| row[r] * y).sum();
            }
            let x = normal.nonnegative();
            for k in 0..n {
                let slope = normal.slope(&x, k);
                prop_assert!(x[k] >= 0.0);
                prop_assert!(slope < 1e-6, "{k}: {slope}");
                if x[k] > 0.0 {
                    prop_assert!(slope.abs() < 1e-6, "{k}: {slope}");
                }
            }
        }
    }
}
