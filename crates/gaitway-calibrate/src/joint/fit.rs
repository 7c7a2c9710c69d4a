//! One joint: where it is, what kind it is, and how sure that is.

use glam::{DMat3, DVec3};

use super::sums::{PairFit, PairSums, pair_sums};
use crate::linalg::{Square, outer};
use crate::noise::Noise;
use crate::tracks::Track;

/// How joints are told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// A direction counts as observable where the joint's standard deviation along it is at most this, metres.
    pub most_deviation_m: f64,
    /// No instrument is better than this, metres: data without noise shall not make a joint of rounding.
    pub least_noise_m: f64,
    /// Two bodies are one where they turn against each other by less than this beyond noise, radians.
    pub least_turn_rad: f64,
    /// Frames whose residual is this many times the usual one are left out of a second fit.
    pub outlier: f64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            most_deviation_m: 0.01,
            least_noise_m: 1e-4,
            least_turn_rad: 1e-5,
            outlier: 6.0,
        }
    }
}

/// What kind of joint two bodies have, as far as their motion shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// They turn about a point.
    Ball,
    /// They turn about an axis: where the point is along it cannot be told.
    Hinge {
        /// The axis in the first body's frame, of length 1.
        first: DVec3,
        /// The same in the second's.
        second: DVec3,
    },
    /// They do not move against each other: two sensors on one body.
    Rigid,
    /// They move, but too little for what noise there is to say about what.
    Unobservable,
}

impl JointKind {
    /// `ball`, `hinge`, `rigid` or `unobservable`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge { .. } => "hinge",
            Self::Rigid => "rigid",
            Self::Unobservable => "unobservable",
        }
    }
}

/// A joint of two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct JointFit {
    /// How many frames both were seen in.
    pub frames: usize,
    /// How many of them were left out as outliers.
    pub outliers: usize,
    /// How many independent frames they are worth.
    pub effective_frames: f64,
    /// What kind it is.
    pub kind: JointKind,
    /// The joint in the first body's frame, metres.
    pub in_first: DVec3,
    /// The joint in the second body's frame, metres.
    pub in_second: DVec3,
    /// RMS distance of what the two bodies say, metres.
    pub residual_m: f64,
    /// Covariance of `in_first`, m²; along directions that cannot be told it is what noise allows.
    pub covariance: DMat3,
    /// Standard deviations of `in_first` along the directions of its covariance, falling, metres.
    pub deviations_m: [f64; 3],
    /// RMS of the relative rotation about its mean, radians.
    pub turn_rad: f64,
}

/// Fits the joint of two bodies; `None` where they share no two frames.
pub fn fit_joint(
    first: &Track,
    second: &Track,
    noise: [Noise; 2],
    options: &FitOptions,
) -> Option<JointFit> {
    let sums = pair_sums(first, second, |_| 1.0);
    if sums.frames < 2.0 {
        return None;
    }
    let whole = Fitted::new(first, second, sums, noise, options, |_| true);
    // A second fit without what lies far off; white noise has nothing there, so nothing changes for it.
    let residuals = whole.residuals(first, second);
    let mut sizes: Vec<f64> = residuals.iter().map(|r| r.1).collect();
    let half = sizes.len() / 2;
    let usual = sizes
        .select_nth_unstable_by(half, f64::total_cmp)
        .1
        .max(1e-9);
    let cut = options.outlier * usual;
    let outliers = residuals.iter().filter(|r| r.1 > cut).count();
    // Where much lies far off, the far is no exception.
    if outliers == 0 || outliers * 4 > residuals.len() {
        return Some(whole.finish(first, second, noise, options, 0, |_| true));
    }
    let mut far = vec![false; first.poses.len().min(second.poses.len())];
    for (frame, size) in &residuals {
        far[*frame] = *size > cut;
    }
    let keep = |frame: usize| !far[frame];
    let sums = pair_sums(first, second, |f| f64::from(u8::from(keep(f))));
    let again = Fitted::new(first, second, sums, noise, options, keep);
    Some(again.finish(first, second, noise, options, outliers, keep))
}

struct Fitted {
    sums: PairSums,
    fit: PairFit,
    observable: [bool; 6],
    effective: f64,
    in_first: DVec3,
    in_second: DVec3,
}

impl Fitted {
    fn new(
        first: &Track,
        second: &Track,
        sums: PairSums,
        noise: [Noise; 2],
        options: &FitOptions,
        keep: impl Fn(usize) -> bool,
    ) -> Self {
        let fit = sums.solve(noise);
        let near = middle(&sums);
        let (c, l) = fit.points(|k| fit.values[k] > 1e-9, near);
        let mut out = Self {
            sums,
            fit,
            observable: [true; 6],
            effective: sums.frames,
            in_first: c,
            in_second: l,
        };
        out.effective = effective_frames(&out, first, second, keep);
        let s2 = (sums.residual2(c, l) / 3.0).max(options.least_noise_m.powi(2));
        // Rotation noise makes a hinge's axis look as if it turned: 1 − σ of what it may make up says nothing.
        let made_up = 4.0 * noise.iter().map(|n| n.turn_rad * n.turn_rad).sum::<f64>();
        for k in 0..6 {
            let value = out.fit.values[k];
            let deviation2 = s2 / (out.effective * value.max(1e-300)) / 2.0;
            out.observable[k] = value > made_up.max(1e-12)
                && deviation2 <= options.most_deviation_m * options.most_deviation_m;
        }
        let observable = out.observable;
        (out.in_first, out.in_second) = out.fit.points(|k| observable[k], near);
        out
    }

    /// Frames that both have, with the distance of the two points in each.
    fn residuals(&self, first: &Track, second: &Track) -> Vec<(usize, f64)> {
        let pairs = first.poses.iter().zip(&second.poses).enumerate();
        pairs
            .filter(|(_, (p, q))| p.seen && q.seen)
            .map(|(frame, (p, q))| {
                let a = p.turn * self.in_first + p.place;
                let b = q.turn * self.in_second + q.place;
                (frame, a.distance(b))
            })
            .collect()
    }

    fn finish(
        self,
        first: &Track,
        second: &Track,
        noise: [Noise; 2],
        options: &FitOptions,
        outliers: usize,
        keep: impl Fn(usize) -> bool,
    ) -> JointFit {
        let covariance = self.covariance(first, second, noise, options, keep);
        let mut c = Square::zero(3);
        c.add_block(0, 0, &covariance);
        let (values, _) = crate::linalg::symmetric_eigen(&c);
        let deviation = |k: usize| values[k].max(0.0).sqrt();
        let turn2 = self.sums.turn_motion2();
        JointFit {
            frames: self.sums.frames as usize + outliers,
            outliers,
            effective_frames: self.effective,
            kind: self.kind(noise, options, turn2),
            in_first: self.in_first,
            in_second: self.in_second,
            residual_m: self.sums.residual2(self.in_first, self.in_second).sqrt(),
            covariance,
            deviations_m: [deviation(2), deviation(1), deviation(0)],
            turn_rad: turn2.sqrt(),
        }
    }

    fn kind(&self, noise: [Noise; 2], options: &FitOptions, turn2: f64) -> JointKind {
        let seen = self.observable[..3].iter().filter(|o| **o).count();
        match seen {
            3 => JointKind::Ball,
            2 => {
                let v = &self.fit.vectors[0];
                let axis = |k: usize| DVec3::new(v[k], v[k + 1], v[k + 2]).normalize_or_zero();
                JointKind::Hinge {
                    first: axis(0),
                    second: axis(3),
                }
            }
            _ if is_rigid(&self.sums, noise, options, turn2) => JointKind::Rigid,
            _ => JointKind::Unobservable,
        }
    }

    /// H⁻¹ G H⁻¹ / n, with G the covariance of the equations' errors in a frame: it holds for noise that is not alike in all
    /// directions (rotation noise moves a point across its lever only).
    fn covariance(
        &self,
        first: &Track,
        second: &Track,
        noise: [Noise; 2],
        options: &FitOptions,
        keep: impl Fn(usize) -> bool,
    ) -> DMat3 {
        let [p, q] = noise.map(|n| n.shrink());
        let mut g = Square::zero(6);
        let mut count = 0.0;
        for_errors(
            first,
            second,
            (self.in_first, self.in_second),
            (p, q),
            &keep,
            |e| {
                for r in 0..6 {
                    for c in 0..6 {
                        *g.at_mut(r, c) += e[r] * e[c];
                    }
                }
                count += 1.0;
            },
        );
        let floor = options.least_noise_m.powi(2);
        let mut out = DMat3::ZERO;
        let vector = |k: usize| &self.fit.vectors[k];
        for j in 0..6 {
            for k in 0..6 {
                let gjk: f64 = (0..6)
                    .map(|r| {
                        let row: f64 = (0..6).map(|c| g.at(r, c) * vector(k)[c]).sum();
                        vector(j)[r] * row
                    })
                    .sum::<f64>()
                    / f64::max(count, 1.0);
                let value = |k: usize| self.fit.values[k].max(1e-9);
                let noise = if j == k {
                    gjk.max(floor * value(k))
                } else {
                    gjk
                };
                let along = noise / (value(j) * value(k) * self.effective);
                let head = |k: usize| DVec3::new(vector(k)[0], vector(k)[1], vector(k)[2]);
                out += outer(head(j), head(k)) * along;
            }
        }
        out
    }
}

/// The middle of the two sensors in both frames: where a joint is put along what cannot be told.
fn middle(sums: &PairSums) -> (DVec3, DVec3) {
    (sums.in_first / 2.0, -sums.in_second / 2.0)
}

/// Whether two bodies are one: neither their rotation nor their place against each other varies by more than noise.
pub(crate) fn is_rigid(
    sums: &PairSums,
    noise: [Noise; 2],
    options: &FitOptions,
    turn2: f64,
) -> bool {
    /// Measured noise is good to a tenth or two; what moves, moves by far more.
    const SLACK: f64 = 1.5;
    let square = |x: f64| x * x;
    let (place_noise, turn_noise) = motion_noise2(sums, noise);
    turn2 <= SLACK * turn_noise + square(options.least_turn_rad)
        && sums.place_motion2() <= SLACK * place_noise + square(options.least_noise_m / 4.0)
}

/// What noise alone adds to [`PairSums::place_motion2`], m², and to [`PairSums::turn_motion2`], rad².
pub(crate) fn motion_noise2(sums: &PairSums, noise: [Noise; 2]) -> (f64, f64) {
    let sum = |of: fn(&Noise) -> f64| noise.iter().map(|n| of(n) * of(n)).sum::<f64>();
    let (place2, turn2) = (sum(|n| n.place_m), sum(|n| n.turn_rad));
    // Both frames' variances are summed, and each frame's own rotation noise swings the other's place.
    (6.0 * place2 + 2.0 * sums.apart2 * turn2, 3.0 * turn2)
}

/// The errors of the normal equations frame by frame: R_iᵀ d / ρ_i − c + R_iᵀ R_j l / ρ_i ρ_j, and the same of the second.
fn for_errors(
    first: &Track,
    second: &Track,
    (c, l): (DVec3, DVec3),
    (p, q): (f64, f64),
    keep: &impl Fn(usize) -> bool,
    mut each: impl FnMut([f64; 6]),
) {
    for (frame, (a, b)) in first.poses.iter().zip(&second.poses).enumerate() {
        if !(a.seen && b.seen && keep(frame)) {
            continue;
        }
        let d = b.place - a.place;
        let at = a.turn.transpose();
        let bt = b.turn.transpose();
        let e = at * d / p - c + at * (b.turn * l) / (p * q);
        let f = -(bt * d) / q - l + bt * (a.turn * c) / (p * q);
        each([e.x, e.y, e.z, f.x, f.y, f.z]);
    }
}

/// How many independent frames there are: n over the integrated autocorrelation of the errors, up to the first lag at which it is
/// lost in chance. Soft tissue shakes slowly, so that neighbouring frames say the same.
fn effective_frames(
    fitted: &Fitted,
    first: &Track,
    second: &Track,
    keep: impl Fn(usize) -> bool,
) -> f64 {
    let mut errors: Vec<[f64; 6]> = Vec::new();
    let points = (fitted.in_first, fitted.in_second);
    for_errors(first, second, points, (1.0, 1.0), &keep, |e| errors.push(e));
    let n = errors.len();
    if n < 8 {
        return n as f64;
    }
    let mean: [f64; 6] =
        std::array::from_fn(|k| errors.iter().map(|e| e[k]).sum::<f64>() / n as f64);
    for e in &mut errors {
        for (e, m) in e.iter_mut().zip(&mean) {
            *e -= m;
        }
    }
    let lagged = |lag: usize| -> f64 {
        let pairs = errors.iter().zip(&errors[lag..]);
        let dot =
            |(a, b): (&[f64; 6], &[f64; 6])| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
        pairs.map(dot).sum()
    };
    let own = lagged(0);
    if own <= 1e-20 * n as f64 {
        return n as f64;
    }
    let chance = 2.0 / (n as f64).sqrt();
    // Lags double, and between two the correlation is taken for straight: a pass over the frames per doubling.
    let (mut time, mut before, mut lag) = (1.0, (0.0, 1.0), 1_usize);
    while lag < n / 4 {
        let r = lagged(lag) / own;
        if r < chance {
            break;
        }
        time += (lag as f64 - before.0) * (r + before.1);
        before = (lag as f64, r);
        lag *= 2;
    }
    // The straight line from lag 0 counts the frame itself once more.
    let time = if before.0 > 0.0 {
        (time - 1.0).max(1.0)
    } else {
        1.0
    };
    (n as f64 / time).max(1.0)
}
