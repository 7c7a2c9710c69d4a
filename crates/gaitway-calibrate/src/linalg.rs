//! Small dense linear algebra, in `f64` and in one order of operations, so that results are the same bits everywhere.
//!
//! Ours, because nothing here is larger than a few hundred rows: Jacobi's eigenvalues of symmetric matrices, Cholesky's
//! solution of positive ones, and the rotation that fits two sets of points.

use glam::{DMat3, DQuat, DVec3};

/// A square matrix, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    n: usize,
    values: Vec<f64>,
}

impl Square {
    /// All zero.
    pub fn zero(n: usize) -> Self {
        Self {
            n,
            values: vec![0.0; n * n],
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// One value.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.n + column]
    }

    /// One value, to be written.
    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[row * self.n + column]
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n..(row + 1) * self.n]
    }

    /// Sets all values to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds a 3 × 3 block at rows from `row`, columns from `column`.
    pub fn add_block(&mut self, row: usize, column: usize, block: &DMat3) {
        for c in 0..3 {
            let col = block.col(c);
            for r in 0..3 {
                *self.at_mut(row + r, column + c) += col[r];
            }
        }
    }

    /// Matrix times vector.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let dot = |r: usize| self.row(r).iter().zip(x).map(|(a, b)| a * b).sum();
        (0..self.n).map(dot).collect()
    }
}

/// Eigenvalues, rising, and their unit eigenvectors, of a symmetric matrix. Cyclic Jacobi: slow for large matrices, exact for
/// close eigenvalues, and the same on every machine.
pub fn symmetric_eigen(matrix: &Square) -> (Vec<f64>, Vec<Vec<f64>>) {
    const MOST_SWEEPS: usize = 64;
    let n = matrix.n;
    let mut a = matrix.clone();
    let mut v = Square::zero(n);
    for i in 0..n {
        *v.at_mut(i, i) = 1.0;
    }
    for _ in 0..MOST_SWEEPS {
        let off: f64 = (0..n)
            .flat_map(|r| (0..r).map(move |c| (r, c)))
            .map(|(r, c)| a.at(r, c).powi(2))
            .sum();
        let size: f64 = (0..n).map(|i| a.at(i, i).powi(2)).sum();
        if off <= 1e-34 * size.max(f64::MIN_POSITIVE) {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut v, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a.at(i, i).total_cmp(&a.at(j, j)));
    let values = order.iter().map(|&i| a.at(i, i)).collect();
    let vectors = order
        .iter()
        .map(|&i| (0..n).map(|r| v.at(r, i)).collect())
        .collect();
    (values, vectors)
}

/// One rotation of Jacobi's, which makes a[p][q] zero.
fn rotate(a: &mut Square, v: &mut Square, p: usize, q: usize) {
    let apq = a.at(p, q);
    if apq == 0.0 {
        return;
    }
    let theta = (a.at(q, q) - a.at(p, p)) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    for k in 0..a.n {
        let (kp, kq) = (a.at(k, p), a.at(k, q));
        *a.at_mut(k, p) = c * kp - s * kq;
        *a.at_mut(k, q) = s * kp + c * kq;
    }
    for k in 0..a.n {
        let (pk, qk) = (a.at(p, k), a.at(q, k));
        *a.at_mut(p, k) = c * pk - s * qk;
        *a.at_mut(q, k) = s * pk + c * qk;
    }
    for k in 0..a.n {
        let (kp, kq) = (v.at(k, p), v.at(k, q));
        *v.at_mut(k, p) = c * kp - s * kq;
        *v.at_mut(k, q) = s * kp + c * kq;
    }
}

/// The lower factor of a positive matrix, in place: a = L Lᵀ. False where the matrix is not positive.
#[must_use]
pub fn cholesky(a: &mut Square) -> bool {
    let n = a.n;
    for j in 0..n {
        let rest = &mut a.values[j * n..];
        let mut d = rest[j];
        for l in &rest[..j] {
            d -= l * l;
        }
        if d.is_nan() || d <= 0.0 {
            return false;
        }
        let d = d.sqrt();
        rest[j] = d;
        let (row_j, below) = rest.split_at_mut(n);
        for row in below.chunks_exact_mut(n) {
            let dot: f64 = row[..j].iter().zip(&row_j[..j]).map(|(x, y)| x * y).sum();
            row[j] = (row[j] - dot) / d;
        }
    }
    true
}

/// Solves L Lᵀ x = b in place, given the factor.
pub fn cholesky_solve(factor: &Square, b: &mut [f64]) {
    let n = factor.n;
    for i in 0..n {
        let row = factor.row(i);
        let dot: f64 = row[..i].iter().zip(&b[..i]).map(|(x, y)| x * y).sum();
        b[i] = (b[i] - dot) / row[i];
    }
    for i in (0..n).rev() {
        let x = b[i] / factor.at(i, i);
        b[i] = x;
        for (b, l) in b[..i].iter_mut().zip(factor.row(i)) {
            *b -= l * x;
        }
    }
}

/// The cross product with a vector, as a matrix: `cross_matrix(a) * b = a × b`.
pub fn cross_matrix(a: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, a.z, -a.y),
        DVec3::new(-a.z, 0.0, a.x),
        DVec3::new(a.y, -a.x, 0.0),
    )
}

/// a bᵀ.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The rotation vector of a rotation, at most half a turn long.
pub fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sine = v.length();
    // Near no rotation the angle over its sine is 2: the series keeps the direction.
    if sine < 1e-9 {
        return v * 2.0;
    }
    v * (2.0 * sine.atan2(q.w) / sine)
}

/// The rotation of a rotation vector.
pub fn from_rotation_vector(v: DVec3) -> DQuat {
    DQuat::from_scaled_axis(v)
}

/// The rotation nearest to the mean of rotations: the largest eigenvector of Σ q qᵀ, in which q and −q are one.
pub fn mean_rotation(rotations: impl IntoIterator<Item = DQuat>) -> DQuat {
    let mut sum = Square::zero(4);
    for q in rotations {
        let v = q.to_array();
        for r in 0..4 {
            for c in 0..4 {
                *sum.at_mut(r, c) += v[r] * v[c];
            }
        }
    }
    let (_, vectors) = symmetric_eigen(&sum);
    let best = &vectors[3];
    DQuat::from_xyzw(best[0], best[1], best[2], best[3]).normalize()
}

/// The rotation R that makes Σ w |R a − b|² least (Horn 1987: the largest eigenvector of a 4 × 4 matrix, so that a mirrored set
/// never gives a reflection). The sets are taken about their weighted means, which come back with it.
pub fn fit_rotation(pairs: &[(DVec3, DVec3, f64)]) -> (DQuat, DVec3, DVec3) {
    let total: f64 = pairs.iter().map(|p| p.2).sum();
    let total = total.max(f64::MIN_POSITIVE);
    let mean_a = pairs.iter().map(|p| p.0 * p.2).sum::<DVec3>() / total;
    let mean_b = pairs.iter().map(|p| p.1 * p.2).sum::<DVec3>() / total;
    let mut s = DMat3::ZERO;
    for (a, b, w) in pairs {
        s += outer((*a - mean_a) * *w, *b - mean_b);
    }
    // s[r][c] = Σ a_r b_c.
    let at = |r: usize, c: usize| s.col(c)[r];
    let (xx, xy, xz) = (at(0, 0), at(0, 1), at(0, 2));
    let (yx, yy, yz) = (at(1, 0), at(1, 1), at(1, 2));
    let (zx, zy, zz) = (at(2, 0), at(2, 1), at(2, 2));
    let rows = [
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, -xx + yy - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, -xx - yy + zz],
    ];
    let mut n = Square::zero(4);
    for (r, row) in rows.iter().enumerate() {
        for (c, value) in row.iter().enumerate() {
            *n.at_mut(r, c) = *value;
        }
    }
    let (_, vectors) = symmetric_eigen(&n);
    let q = &vectors[3];
    let q = DQuat::from_xyzw(q[1], q[2], q[3], q[0]).normalize();
    (q, mean_a, mean_b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_make_the_matrix_again() {
        let n = 7;
        let mut a = Square::zero(n);
        for r in 0..n {
            for c in 0..=r {
                let x = ((r * 13 + c * 7) as f64).sin();
                *a.at_mut(r, c) = x;
                *a.at_mut(c, r) = x;
            }
        }
        let (values, vectors) = symmetric_eigen(&a);
        assert!(values.windows(2).all(|w| w[0] <= w[1]));
        for r in 0..n {
            for c in 0..n {
                let again: f64 = (0..n)
                    .map(|k| values[k] * vectors[k][r] * vectors[k][c])
                    .sum();
                assert!((again - a.at(r, c)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn cholesky_solves() {
        let n = 5;
        let mut a = Square::zero(n);
        for r in 0..n {
            for c in 0..n {
                let near = (r as f64 - c as f64).abs();
                *a.at_mut(r, c) = (-near).exp() + if r == c { 0.5 } else { 0.0 };
            }
        }
        let x: Vec<f64> = (0..n).map(|i| i as f64 - 1.5).collect();
        let mut b = a.times(&x);
        let mut factor = a.clone();
        assert!(cholesky(&mut factor));
        cholesky_solve(&factor, &mut b);
        for (found, x) in b.iter().zip(&x) {
            assert!((found - x).abs() < 1e-12);
        }
        *a.at_mut(2, 2) = -1.0;
        assert!(!cholesky(&mut a));
    }

    #[test]
    fn a_rotation_is_found_and_no_reflection() {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.4, -1.2, 0.9));
        let points = [DVec3::X, DVec3::Y * 2.0, DVec3::Z * 0.5, DVec3::ONE];
        let pairs: Vec<_> = points.iter().map(|p| (*p, turn * *p, 1.0)).collect();
        let (found, ..) = fit_rotation(&pairs);
        assert!(found.angle_between(turn) < 1e-7);
        let mirrored: Vec<_> = points
            .iter()
            .map(|p| (*p, DVec3::new(-p.x, p.y, p.z), 1.0))
            .collect();
        let (found, ..) = fit_rotation(&mirrored);
        assert!((found.length() - 1.0).abs() < 1e-12);
        let v = DVec3::new(0.3, -0.2, 2.0);
        assert!(rotation_vector(from_rotation_vector(v)).distance(v) < 1e-12);
        let mean = mean_rotation([turn, -turn]);
        assert!(mean.angle_between(turn) < 1e-7);
    }
}
