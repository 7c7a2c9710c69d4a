//! One spacing of knots over one stretch of frames.

use glam::{DQuat, DVec3};

use super::band::Band;
use super::chain::Solved;
use super::freedom::{Freedom, Turn};
use super::spline::{Knots, Touch};
use super::stretch::Stretch;

/// A least bend of knees, radians: a straight leg has no direction to bend to.
const LEAST_BEND: f64 = 0.02;
/// How far the points of a limb are from its hinge, about: makes an angle a length, metres.
const ARM: f64 = 0.3;

impl Stretch<'_> {
    /// Solves at all spacings of knots; the clip is changed in place. Returns the steps taken and the finest spacing, in frames.
    pub fn solve(&mut self) -> (usize, f64) {
        let rate = self.clip.rate_hz();
        let (mut steps, mut finest) = (0, f64::INFINITY);
        for halving in 0..=self.options.halvings {
            let step = (self.options.knots_s * rate / f64::from(1 << halving)).max(1.0);
            let knots = Knots::new(self.frames(), step);
            let worst = self.worst();
            let mut active = vec![false; knots.count];
            for (frame, _) in worst
                .iter()
                .enumerate()
                .filter(|(_, w)| **w > self.options.tolerance_m)
            {
                let first = knots.touch(frame).first;
                active[first..first + 4].fill(true);
            }
            if halving == 0 {
                // What is done at first may spread as far as it likes.
                let any = active.iter().any(|&a| a);
                active.fill(any);
            }
            if !active.iter().any(|&a| a) {
                break;
            }
            // The first spacing finds the way, those after it have only little left, which is nearly linear.
            let most = self.options.steps.saturating_sub(halving).max(2);
            let (x, taken) = self.descend(&knots, &active, most);
            steps += taken;
            if taken > 0 {
                finest = finest.min(knots.step());
                self.bake(&knots, &x);
            }
            if step <= 1.0 {
                break;
            }
        }
        (steps, finest)
    }

    fn displaced(&self, touch: &Touch, x: &[f64], out: &mut [f64]) {
        let n = self.chain.columns;
        out.fill(0.0);
        for (a, v) in touch.value.iter().enumerate() {
            let at = (touch.first + a) * n;
            out.iter_mut()
                .zip(&x[at..at + n])
                .for_each(|(o, x)| *o += v * x);
        }
    }

    /// Frames that a spacing of knots is solved on: six to a knot are enough to know a cubic by. From the middle outwards, so that time reversed looks
    /// at the same.
    fn looked_at(&self, knots: &Knots) -> impl Iterator<Item = usize> + use<> {
        let every = (knots.step() / 6.0).floor().max(1.0) as usize;
        let frames = self.frames();
        let first = (frames.saturating_sub(1) % every) / 2;
        (first..frames).step_by(every)
    }

    fn slope_weight(&self, knots: &Knots) -> f64 {
        // From per knot to per second, times τ.
        (self.options.smooth_s * self.clip.rate_hz() / knots.step()).powi(2)
    }

    fn objective(&self, knots: &Knots, bends: &[Vec<f64>], x: &[f64]) -> f64 {
        let n = self.chain.columns;
        let (mut d, mut solved) = (vec![0.0; n], Solved::default());
        let slope = self.slope_weight(knots);
        let mut sum = 0.0;
        for frame in self.looked_at(knots) {
            let touch = knots.touch(frame);
            self.displaced(&touch, x, &mut d);
            for (c, w) in self.chain.weights.iter().enumerate() {
                let speed: f64 = touch
                    .slope
                    .iter()
                    .enumerate()
                    .map(|(a, s)| s * x[(touch.first + a) * n + c])
                    .sum();
                sum += w * (d[c] * d[c] + slope * speed * speed);
            }
            if self.at[frame].is_empty() {
                continue;
            }
            self.chain.solve(&self.clip, frame, &d, &mut solved);
            self.residuals(frame, &solved, |_, r, w| {
                sum += w * r.length_squared() / self.options.slack
            });
            for (k, (c, _)) in self.hinges().enumerate() {
                let short = (bends[frame][k] - d[c]).max(0.0) * ARM;
                sum += short * short / self.options.slack;
            }
        }
        sum
    }

    /// Columns of hinges, with the freedom each belongs to.
    fn hinges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut at = 3;
        let lead = |f: &Freedom| self.chain.has(f.joint);
        self.freedoms
            .iter()
            .enumerate()
            .filter(move |(_, f)| lead(f))
            .filter_map(move |(k, f)| {
                let own = at;
                at += if f.turn == Turn::Free { 3 } else { 1 };
                matches!(f.turn, Turn::Hinge(_)).then_some((own, k))
            })
    }

    /// The least displacement of each hinge in each frame: none bends beyond straight, or not farther than it does.
    fn bends(&self) -> Vec<Vec<f64>> {
        let skeleton = self.clip.skeleton();
        let hinges: Vec<usize> = self.hinges().map(|(_, k)| k).collect();
        (0..self.frames())
            .map(|frame| {
                let of = |&k: &usize| {
                    let f = &self.freedoms[k];
                    let Turn::Hinge(axis) = f.turn else {
                        return f64::NEG_INFINITY;
                    };
                    let down = skeleton
                        .children(f.joint)
                        .map(|c| skeleton.offset(c).as_dvec3())
                        .find(|o| o.length() > 1e-4);
                    let Some(lower) = down else {
                        return f64::NEG_INFINITY;
                    };
                    let upper = self.clip.rotation(frame, f.joint).as_dquat().inverse()
                        * skeleton.offset(f.joint).as_dvec3();
                    let (u, v) = (
                        upper.reject_from_normalized(axis),
                        lower.reject_from_normalized(axis),
                    );
                    let bend = u.cross(v).dot(axis).atan2(u.dot(v));
                    (LEAST_BEND - bend).min(0.0)
                };
                hinges.iter().map(of).collect()
            })
            .collect()
    }

    fn descend(&self, knots: &Knots, active: &[bool], most: usize) -> (Vec<f64>, usize) {
        let mut x = vec![0.0; knots.count * self.chain.columns];
        let bends = self.bends();
        let mut now = self.objective(knots, &bends, &x);
        let mut taken = 0;
        while taken < most {
            let Some(delta) = self.step(knots, active, &bends, &x) else {
                break;
            };
            let better = [1.0, 0.5, 0.25, 0.125].into_iter().find_map(|part| {
                let tried: Vec<f64> = x.iter().zip(&delta).map(|(x, d)| x + part * d).collect();
                let sum = self.objective(knots, &bends, &tried);
                (sum < now).then_some((sum, tried))
            });
            let Some((sum, tried)) = better else { break };
            let gained = now - sum;
            (x, now) = (tried, sum);
            taken += 1;
            if gained < 1e-3 * now {
                break;
            }
        }
        (x, taken)
    }

    /// Δ of one step, `None` where nothing is to be had.
    fn step(
        &self,
        knots: &Knots,
        active: &[bool],
        bends: &[Vec<f64>],
        x: &[f64],
    ) -> Option<Vec<f64>> {
        let n = self.chain.columns;
        let size = knots.count * n;
        let mut band = Band::new(size, 4 * n - 1);
        let mut right = vec![0.0; size];
        let (mut d, mut solved) = (vec![0.0; n], Solved::default());
        let mut jacobian = vec![DVec3::ZERO; n];
        let (mut normal, mut gradient) = (vec![0.0; n * n], vec![0.0; n]);
        let slope = self.slope_weight(knots);
        let hinges: Vec<usize> = self.hinges().map(|(c, _)| c).collect();
        for frame in self.looked_at(knots) {
            let touch = knots.touch(frame);
            self.displaced(&touch, x, &mut d);
            self.add_weights(&touch, slope, active, x, &d, &mut band, &mut right);
            if self.at[frame].is_empty() {
                continue;
            }
            self.chain.solve(&self.clip, frame, &d, &mut solved);
            normal.fill(0.0);
            gradient.fill(0.0);
            let mut any = false;
            self.residuals(frame, &solved, |tips, r, w| {
                any = true;
                jacobian.fill(DVec3::ZERO);
                tips.iter().for_each(|&(tip, sign)| {
                    self.chain.add_jacobian(&solved, tip, sign, &mut jacobian)
                });
                let w = w / self.options.slack;
                // A row of the floor asks for height alone.
                let only_up = tips.len() == 1 && r.x == 0.0 && r.z == 0.0;
                for i in 0..n {
                    let ji = if only_up {
                        DVec3::Y * jacobian[i].y
                    } else {
                        jacobian[i]
                    };
                    if ji == DVec3::ZERO {
                        continue;
                    }
                    gradient[i] += w * ji.dot(r);
                    for j in 0..=i {
                        normal[i * n + j] += w * ji.dot(jacobian[j]);
                    }
                }
            });
            for (k, &c) in hinges.iter().enumerate() {
                let short = bends[frame][k] - d[c];
                if short > 0.0 {
                    any = true;
                    gradient[c] += ARM * ARM * short / self.options.slack;
                    normal[c * n + c] += ARM * ARM / self.options.slack;
                }
            }
            if any {
                scatter(&touch, active, n, &normal, &gradient, &mut band, &mut right);
            }
        }
        for (knot, _) in active.iter().enumerate().filter(|(_, a)| !**a) {
            (0..n).for_each(|c| band.add(knot * n + c, knot * n + c, 1.0));
        }
        band.solve(&mut right).then_some(right)
    }

    #[allow(clippy::too_many_arguments)] // The state of one step, which no struct would make plainer.
    fn add_weights(
        &self,
        touch: &Touch,
        slope: f64,
        active: &[bool],
        x: &[f64],
        d: &[f64],
        band: &mut Band,
        right: &mut [f64],
    ) {
        let n = self.chain.columns;
        for a in (0..4).filter(|a| active[touch.first + a]) {
            let row = (touch.first + a) * n;
            for b in (0..=a).filter(|b| active[touch.first + b]) {
                let both =
                    touch.value[a] * touch.value[b] + slope * touch.slope[a] * touch.slope[b];
                let column = (touch.first + b) * n;
                for (c, w) in self.chain.weights.iter().enumerate() {
                    band.add(row + c, column + c, w * both);
                }
            }
            for (c, w) in self.chain.weights.iter().enumerate() {
                let speed: f64 = touch
                    .slope
                    .iter()
                    .enumerate()
                    .map(|(b, s)| s * x[(touch.first + b) * n + c])
                    .sum();
                right[row + c] -= w * (touch.value[a] * d[c] + slope * touch.slope[a] * speed);
            }
        }
    }

    /// Puts displacements into the clip.
    fn bake(&mut self, knots: &Knots, x: &[f64]) {
        let n = self.chain.columns;
        let joints = self.clip.joint_count();
        let mut d = vec![0.0; n];
        let mut parts = self.clip.clone().into_parts();
        for frame in 0..self.frames() {
            self.displaced(&knots.touch(frame), x, &mut d);
            if d.iter().all(|v| v.abs() < 1e-12) {
                continue;
            }
            parts.root[frame] += DVec3::new(d[0], d[1], d[2]);
            let mut at = 3;
            for f in self.freedoms.iter().filter(|f| self.chain.has(f.joint)) {
                let turn = match f.turn {
                    Turn::Hinge(axis) => DQuat::from_axis_angle(axis, d[at]),
                    Turn::Free => DQuat::from_scaled_axis(DVec3::new(d[at], d[at + 1], d[at + 2])),
                };
                at += if f.turn == Turn::Free { 3 } else { 1 };
                let q = &mut parts.rotations[frame * joints + f.joint.index()];
                *q = (q.as_dquat() * turn).normalize().as_quat();
            }
        }
        if let Ok(clip) = parts.build() {
            self.clip = clip;
        }
    }
}

/// A frame's JᵀJ and Jᵀr onto the four knots that touch it.
fn scatter(
    touch: &Touch,
    active: &[bool],
    n: usize,
    normal: &[f64],
    gradient: &[f64],
    band: &mut Band,
    right: &mut [f64],
) {
    for a in (0..4).filter(|a| active[touch.first + a]) {
        let row = (touch.first + a) * n;
        for (c, g) in gradient.iter().enumerate() {
            right[row + c] += touch.value[a] * g;
        }
        for b in (0..=a).filter(|b| active[touch.first + b]) {
            let both = touch.value[a] * touch.value[b];
            let column = (touch.first + b) * n;
            for i in 0..n {
                let lower = &normal[i * n..i * n + i + 1];
                let out = band.row_mut(row + i, column, i + 1);
                out.iter_mut().zip(lower).for_each(|(o, v)| *o += both * v);
                if a != b {
                    for j in i + 1..n {
                        band.add(row + i, column + j, both * normal[j * n + i]);
                    }
                }
            }
        }
    }
}
