//! Symmetric positive definite systems whose entries lie within a band, solved by Cholesky's L Lᵀ.
//!
//! Row i of L is kept from column i − m to i, m the half bandwidth; cost O(n m²). The order of operations is fixed, so results are the same
//! bits everywhere. Checked by: a dense twin.

/// The lower band of a symmetric matrix.
#[derive(Clone, Debug)]
pub struct Band {
    n: usize,
    m: usize,
    /// Row-major; entry (i, j) with i − m ≤ j ≤ i at i (m + 1) + j + m − i.
    rows: Vec<f64>,
}

impl Band {
    /// All zero: `n` rows, entries up to `m` beside the diagonal. With m = n − 1 the matrix is a full one.
    pub fn new(n: usize, m: usize) -> Self {
        Self {
            n,
            m,
            rows: vec![0.0; n * (m + 1)],
        }
    }

    /// Adds to entry (i, j), j ≤ i, which must lie within the band.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        debug_assert!(j <= i && i - j <= self.m);
        self.rows[i * (self.m + 1) + j + self.m - i] += value;
    }

    /// The entries (i, j..) of a row as a slice to add to; all of them must lie within the band.
    #[inline]
    pub fn row_mut(&mut self, i: usize, j: usize, count: usize) -> &mut [f64] {
        let at = i * (self.m + 1) + j + self.m - i;
        &mut self.rows[at..at + count]
    }

    /// Solves for a right hand side, in place; `false` where the matrix is not positive definite.
    pub fn solve(mut self, b: &mut [f64]) -> bool {
        let (n, m) = (self.n, self.m);
        let w = m + 1;
        for i in 0..n {
            let first = i.saturating_sub(m);
            for j in first..=i {
                let from = first.max(j.saturating_sub(m));
                let (head, tail) = self.rows.split_at_mut(i * w);
                let own = &mut tail[..w];
                let sum = if j == i {
                    let row = &own[from + m - i..m];
                    dot(row, row)
                } else {
                    let other = &head[j * w..(j + 1) * w];
                    dot(&own[from + m - i..j + m - i], &other[from + m - j..m])
                };
                let value = own[j + m - i] - sum;
                if j == i {
                    if !(value > 0.0 && value.is_finite()) {
                        return false;
                    }
                    own[m] = value.sqrt();
                } else {
                    own[j + m - i] = value / head[j * w + m];
                }
            }
        }
        for i in 0..n {
            let first = i.saturating_sub(m);
            let row = &self.rows[i * w..(i + 1) * w];
            let sum = dot(&row[first + m - i..m], &b[first..i]);
            b[i] = (b[i] - sum) / row[m];
        }
        for i in (0..n).rev() {
            let first = i.saturating_sub(m);
            let row = &self.rows[i * w..(i + 1) * w];
            b[i] /= row[m];
            let value = b[i];
            for (x, l) in b[first..i].iter_mut().zip(&row[first + m - i..m]) {
                *x -= l * value;
            }
        }
        true
    }
}

/// Four sums side by side: the same order on every machine, and room for the processor to work on them at once.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0_f64; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4
        .remainder()
        .iter()
        .zip(b4.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
#[allow(clippy::needless_range_loop)] // A matrix is read by row and column.
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solves_what_it_was_made_of(n in 1..30_usize, m in 0..8_usize, seed in 0..1000_u64) {
            let mut state = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mut random = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
            };
            // A = L Lᵀ + I within the band: dense beside it.
            let mut dense = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in i.saturating_sub(m)..=i {
                    let v = random();
                    dense[i][j] = v;
                    dense[j][i] = v;
                }
                dense[i][i] = 2.0 * m as f64 + 1.0;
            }
            let x: Vec<f64> = (0..n).map(|_| random()).collect();
            let mut b: Vec<f64> = dense.iter().map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
            let mut band = Band::new(n, m);
            for i in 0..n {
                for j in i.saturating_sub(m)..=i {
                    band.add(i, j, dense[i][j]);
                }
            }
            prop_assert!(band.solve(&mut b));
            for (found, wanted) in b.iter().zip(&x) {
                prop_assert!((found - wanted).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        let mut band = Band::new(2, 1);
        band.add(0, 0, 1.0);
        band.add(1, 0, 2.0);
        band.add(1, 1, 1.0);
        assert!(!band.solve(&mut [1.0, 1.0]));
    }
}
