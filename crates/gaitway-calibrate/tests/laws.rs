//! Laws of the joint fit, on random bodies.

#![allow(clippy::print_stdout)]

use gaitway_calibrate::joint::{FitOptions, JointKind, fit_joint, pair_sums};
use gaitway_calibrate::linalg::{
    Square, cholesky, cholesky_solve, from_rotation_vector, symmetric_eigen,
};
use gaitway_calibrate::noise::Noise;
use gaitway_calibrate::rng::Rng;
use gaitway_calibrate::tracks::{Sample, Track};
use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;

/// Two bodies and what is true of them.
struct Pair {
    first: Track,
    second: Track,
    in_first: DVec3,
    in_second: DVec3,
}

#[derive(Clone, Copy)]
enum Turns {
    /// About all axes, uniform within ± this, radians.
    Ball(f64),
    /// About one axis.
    Hinge(f64),
}

/// Frames that do not depend on each other, with levers of at most 0.2 m.
fn pair(turns: Turns, frames: usize, noise: Noise, rng: &mut Rng) -> Pair {
    let in_first = rng.direction() * rng.range(0.1, 0.2);
    let in_second = rng.direction() * rng.range(0.1, 0.2);
    let base = from_rotation_vector(rng.direction() * rng.range(0.0, 3.0));
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for _ in 0..frames {
        let p = from_rotation_vector(rng.direction() * rng.range(0.0, 3.0));
        let local = match turns {
            Turns::Ball(most) => from_rotation_vector(DVec3::new(
                rng.range(-most, most),
                rng.range(-most, most),
                rng.range(-most, most),
            )),
            Turns::Hinge(most) => DQuat::from_rotation_z(rng.range(-most, most)),
        };
        let q = p * local * base;
        let at = rng.normal3();
        let place_p = at;
        let place_q = at + p * in_first - q * in_second;
        let mut sample = |place: DVec3, turn: DQuat| Sample {
            place: place + rng.normal3() * noise.place_m,
            turn: DMat3::from_quat(turn * from_rotation_vector(rng.normal3() * noise.turn_rad)),
            seen: true,
        };
        first.push(sample(place_p, p));
        second.push(sample(place_q, q));
    }
    Pair {
        first: Track { poses: first },
        second: Track { poses: second },
        in_first,
        in_second,
    }
}

const NONE: [Noise; 2] = [Noise {
    place_m: 0.0,
    turn_rad: 0.0,
}; 2];

/// 3 mm and 0.6° per axis.
fn noisy() -> Noise {
    Noise {
        place_m: 0.003,
        turn_rad: 0.6_f64.to_radians(),
    }
}

/// The slow, obvious twin: all 3n equations stacked, brought to a triangle by Householder's reflections.
fn stacked(first: &Track, second: &Track) -> [f64; 6] {
    let rows = first.poses.len() * 3;
    let mut a: Vec<[f64; 7]> = Vec::with_capacity(rows);
    for (p, q) in first.poses.iter().zip(&second.poses) {
        let d = q.place - p.place;
        for k in 0..3 {
            let (r, s) = (p.turn.row(k), q.turn.row(k));
            a.push([r.x, r.y, r.z, -s.x, -s.y, -s.z, d[k]]);
        }
    }
    for c in 0..6 {
        let norm = a[c..].iter().map(|r| r[c] * r[c]).sum::<f64>().sqrt();
        let alpha = if a[c][c] > 0.0 { -norm } else { norm };
        let mut v: Vec<f64> = a[c..].iter().map(|r| r[c]).collect();
        v[0] -= alpha;
        let size: f64 = v.iter().map(|x| x * x).sum();
        for k in c..7 {
            let dot: f64 = a[c..].iter().zip(&v).map(|(r, v)| r[k] * v).sum();
            for (r, v) in a[c..].iter_mut().zip(&v) {
                r[k] -= 2.0 * dot / size * v;
            }
        }
    }
    let mut x = [0.0; 6];
    for r in (0..6).rev() {
        let known: f64 = (r + 1..6).map(|c| a[r][c] * x[c]).sum();
        x[r] = (a[r][6] - known) / a[r][r];
    }
    x
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sums_in_one_pass_are_the_stacked_decomposition(seed in 0_u64..1_000_000) {
        let mut rng = Rng::new(seed);
        let pair = pair(Turns::Ball(0.5), 60, noisy(), &mut rng);
        let slow = stacked(&pair.first, &pair.second);
        let fit = pair_sums(&pair.first, &pair.second, |_| 1.0).solve(NONE);
        let (c, l) = fit.points(|_| true, (DVec3::ZERO, DVec3::ZERO));
        for (found, slow) in [c.x, c.y, c.z, l.x, l.y, l.z].iter().zip(slow) {
            prop_assert!((found - slow).abs() < 1e-9, "{found} {slow}");
        }
    }

    #[test]
    fn eigenvalues_are_one_plus_and_minus_the_singular_values(seed in 0_u64..1_000_000) {
        let mut rng = Rng::new(seed);
        let pair = pair(Turns::Ball(1.0), 40, noisy(), &mut rng);
        let sums = pair_sums(&pair.first, &pair.second, |_| 1.0);
        let fit = sums.solve(NONE);
        let mut gram = Square::zero(3);
        gram.add_block(0, 0, &(sums.turn.transpose() * sums.turn));
        let (squares, _) = symmetric_eigen(&gram);
        for k in 0..3 {
            let sigma = squares[2 - k].sqrt();
            prop_assert!((fit.values[k] - (1.0 - sigma)).abs() < 1e-9);
            prop_assert!((fit.values[5 - k] - (1.0 + sigma)).abs() < 1e-9);
        }
    }

    #[test]
    fn joints_do_not_care_about_the_world_the_order_or_the_mounting(seed in 0_u64..1_000_000) {
        let mut rng = Rng::new(seed);
        let noise = noisy();
        let pair = pair(Turns::Ball(0.6), 200, noise, &mut rng);
        let options = FitOptions::default();
        let fit = fit_joint(&pair.first, &pair.second, [noise; 2], &options).expect("frames");
        // A rigid motion of the world.
        let turn = DMat3::from_quat(from_rotation_vector(rng.direction() * 2.0));
        let by = rng.normal3() * 5.0;
        let moved = |t: &Track| Track {
            poses: t.poses.iter().map(|s| Sample {
                place: turn * s.place + by,
                turn: turn * s.turn,
                ..*s
            }).collect(),
        };
        let other = fit_joint(&moved(&pair.first), &moved(&pair.second), [noise; 2], &options).expect("frames");
        prop_assert!(fit.in_first.distance(other.in_first) < 1e-9);
        prop_assert!(fit.in_second.distance(other.in_second) < 1e-9);
        // Frames in another order.
        let back = |t: &Track| Track { poses: t.poses.iter().rev().copied().collect() };
        let other = fit_joint(&back(&pair.first), &back(&pair.second), [noise; 2], &options).expect("frames");
        prop_assert!(fit.in_first.distance(other.in_first) < 1e-9);
        // The second sensor strapped on another way: the joint is where it was in the first's frame.
        let mount = DMat3::from_quat(from_rotation_vector(rng.direction()));
        let off = rng.normal3() * 0.05;
        let again = Track {
            poses: pair.second.poses.iter().map(|s| Sample {
                place: s.place + s.turn * off,
                turn: s.turn * mount,
                ..*s
            }).collect(),
        };
        let plain = [Noise::default(); 2];
        let fit = fit_joint(&pair.first, &pair.second, plain, &options).expect("frames");
        let other = fit_joint(&pair.first, &again, plain, &options).expect("frames");
        prop_assert!(fit.in_first.distance(other.in_first) < 1e-9);
        let there = mount.transpose() * (fit.in_second - off);
        prop_assert!(there.distance(other.in_second) < 1e-9);
    }
}

#[test]
fn kinds_are_told_without_noise() {
    let mut rng = Rng::new(3);
    let options = FitOptions::default();
    let ball = pair(Turns::Ball(0.3), 300, Noise::default(), &mut rng);
    let fit = fit_joint(&ball.first, &ball.second, NONE, &options).expect("frames");
    assert_eq!(fit.kind, JointKind::Ball);
    assert!(fit.in_first.distance(ball.in_first) < 1e-9);
    assert!(fit.in_second.distance(ball.in_second) < 1e-9);
    let hinge = pair(Turns::Hinge(0.6), 300, Noise::default(), &mut rng);
    let fit = fit_joint(&hinge.first, &hinge.second, NONE, &options).expect("frames");
    let JointKind::Hinge { first, .. } = fit.kind else {
        panic!("{:?}", fit.kind);
    };
    assert!(first.z.abs() > 1.0 - 1e-9, "{first}");
    let off = fit.in_first - hinge.in_first;
    assert!((off - first * off.dot(first)).length() < 1e-9);
    let rigid = pair(Turns::Ball(0.0), 300, Noise::default(), &mut rng);
    let fit = fit_joint(&rigid.first, &rigid.second, NONE, &options).expect("frames");
    assert_eq!(fit.kind, JointKind::Rigid);
    let little = pair(Turns::Ball(2e-4), 300, Noise::default(), &mut rng);
    let fit = fit_joint(&little.first, &little.second, NONE, &options).expect("frames");
    assert_eq!(fit.kind, JointKind::Unobservable);
}

#[test]
fn kinds_are_told_with_noise() {
    let mut rng = Rng::new(4);
    let (options, noise) = (FitOptions::default(), noisy());
    for _ in 0..20 {
        let kind = |turns: Turns, rng: &mut Rng| {
            let pair = pair(turns, 2000, noise, rng);
            let fit = fit_joint(&pair.first, &pair.second, [noise; 2], &options).expect("frames");
            (fit, pair)
        };
        assert_eq!(kind(Turns::Ball(0.3), &mut rng).0.kind, JointKind::Ball);
        // A hinge's point cannot slide along its axis for what noise says: it stays on it, near the sensors.
        let (fit, truth) = kind(Turns::Hinge(0.6), &mut rng);
        let JointKind::Hinge { first, .. } = fit.kind else {
            panic!("{:?}", fit.kind);
        };
        assert!(first.z.abs() > 0.999, "{first}");
        let off = fit.in_first - truth.in_first;
        assert!((off - first * off.dot(first)).length() < 0.004, "{off}");
        assert!(off.length() < 0.25, "{off}");
        assert_eq!(kind(Turns::Ball(0.0), &mut rng).0.kind, JointKind::Rigid);
        let faint = kind(Turns::Ball(0.02), &mut rng).0.kind;
        assert_eq!(faint, JointKind::Unobservable);
    }
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}

#[test]
fn white_noise_moves_joints_by_a_millimetre_or_two() {
    let (options, noise) = (FitOptions::default(), noisy());
    for (degrees, most) in [(60.0_f64, 1e-3), (15.0, 2e-3)] {
        let mut rng = Rng::new(5);
        let (mut errors, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..100 {
            let pair = pair(Turns::Ball(degrees.to_radians()), 2000, noise, &mut rng);
            let fit = fit_joint(&pair.first, &pair.second, [noise; 2], &options).expect("frames");
            assert_eq!(fit.kind, JointKind::Ball);
            errors.push(fit.in_first.distance(pair.in_first));
            let fit = fit_joint(&pair.first, &pair.second, NONE, &options).expect("frames");
            plain.push(fit.in_first.distance(pair.in_first));
        }
        let (found, plain) = (median(errors), median(plain));
        println!(
            "±{degrees}°: {:.2} mm, with the bias {:.2} mm",
            1e3 * found,
            1e3 * plain
        );
        assert!(found <= most, "±{degrees}°: {found}");
    }
}

#[test]
fn the_ellipsoid_of_95_per_cent_holds_the_truth_in_89_to_99_of_100() {
    /// 95 % of χ² with three degrees of freedom.
    const INSIDE: f64 = 7.814_727_903_251_178;
    let (options, noise) = (FitOptions::default(), noisy());
    for (seed, most) in [(6, 1.0), (7, 0.5), (8, 0.26)] {
        let mut rng = Rng::new(seed);
        let mut inside = 0;
        for _ in 0..100 {
            let pair = pair(Turns::Ball(most), 2000, noise, &mut rng);
            let fit = fit_joint(&pair.first, &pair.second, [noise; 2], &options).expect("frames");
            let off = fit.in_first - pair.in_first;
            if off.dot(fit.covariance.inverse() * off) <= INSIDE {
                inside += 1;
            }
        }
        println!("±{most} rad: {inside} of 100 inside");
        assert!((89..=99).contains(&inside), "±{most} rad: {inside} of 100");
    }
}

#[test]
fn dropping_a_fifth_of_the_frames_moves_joints_by_a_quarter_of_the_covariance() {
    let (options, noise) = (FitOptions::default(), noisy());
    let mut rng = Rng::new(9);
    let (mut moved, mut expected) = (0.0, 0.0);
    for _ in 0..200 {
        let mut pair = pair(Turns::Ball(0.5), 500, noise, &mut rng);
        let fit = |p: &Pair| fit_joint(&p.first, &p.second, [noise; 2], &options).expect("frames");
        let whole = fit(&pair);
        for sample in pair.first.poses.iter_mut().step_by(5) {
            sample.seen = false;
        }
        let part = fit(&pair);
        let inverse = whole.covariance.inverse();
        let by = part.in_first - whole.in_first;
        moved += by.dot(inverse * by);
        expected += 3.0;
    }
    // (1/0.8 − 1) of the covariance.
    let share = moved / expected;
    println!("{share:.3} of the covariance");
    assert!((0.2..0.3).contains(&share), "{share}");
}

#[test]
fn outliers_are_left_out() {
    let mut rng = Rng::new(10);
    let (options, noise) = (FitOptions::default(), noisy());
    let mut pair = pair(Turns::Ball(0.8), 1000, noise, &mut rng);
    for sample in pair.second.poses.iter_mut().step_by(20) {
        sample.place += DVec3::new(0.3, 0.0, 0.0);
    }
    let fit = fit_joint(&pair.first, &pair.second, [noise; 2], &options).expect("frames");
    assert!((50..=51).contains(&fit.outliers), "{}", fit.outliers);
    assert!(fit.in_first.distance(pair.in_first) < 0.003);
}

#[test]
fn the_solver_of_the_twin_is_sound() {
    // The stacked twin leans on nothing of ours; what ours lean on is checked beside it.
    let mut a = Square::zero(2);
    *a.at_mut(0, 0) = 4.0;
    *a.at_mut(1, 0) = 2.0;
    *a.at_mut(0, 1) = 2.0;
    *a.at_mut(1, 1) = 3.0;
    let mut b = [8.0, 7.0];
    assert!(cholesky(&mut a));
    cholesky_solve(&a, &mut b);
    assert!((b[0] - 1.25).abs() < 1e-12 && (b[1] - 1.5).abs() < 1e-12);
}
