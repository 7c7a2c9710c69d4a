//! Curves by name. All start at the origin and set out along +Z, except where their shape says otherwise.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

use super::{Path, PathError};

/// The names there are.
pub const CURVES: [&str; 7] = [
    "line", "circle", "figure8", "zigzag", "spiral", "s", "hello",
];

/// A curve by name: `line` (8 m), `circle` (radius 4 m), `figure8` (8 m long, 4 m wide), `zigzag` (four legs of 3 m, 90°
/// corners), `spiral` (two turns, from 4 m down to 1.2 m), `s` (two half circles of 2 m radius), `hello` (in one stroke).
///
/// # Errors
/// When there is no such curve, or the scale leaves nothing of it.
pub fn named_curve(name: &str, scale: f64) -> Result<Path, PathError> {
    let (points, closed) = match name {
        "line" => (vec![DVec2::ZERO, DVec2::new(0.0, 8.0)], false),
        "circle" => (circle(4.0), true),
        "figure8" => (figure8(4.0), true),
        "zigzag" => (zigzag(3.0, 4), false),
        "spiral" => (spiral(4.0, 1.2, 2.0), false),
        "s" => (s_curve(2.0), false),
        "hello" => (hello(), false),
        _ => {
            return Err(PathError::UnknownCurve {
                name: name.to_owned(),
            });
        }
    };
    if !(scale.is_finite() && scale > 0.0) {
        return Err(PathError::Scale { scale });
    }
    Path::new(points.into_iter().map(|p| p * scale).collect(), closed)
}

fn steps(count: usize) -> impl Iterator<Item = f64> {
    (0..=count).map(move |k| k as f64 / count as f64)
}

/// To the left (+X) of the start, once round.
fn circle(radius: f64) -> Vec<DVec2> {
    steps(720)
        .map(|t| DVec2::new(1.0 - (TAU * t).cos(), (TAU * t).sin()) * radius)
        .collect()
}

/// Gerono's lemniscate from its crossing.
fn figure8(a: f64) -> Vec<DVec2> {
    steps(1440)
        .map(|t| TAU * t)
        .map(|t| DVec2::new(0.5 * a * (2.0 * t).sin(), a * t.sin()))
        .collect()
}

fn zigzag(leg: f64, legs: usize) -> Vec<DVec2> {
    let half = leg / 2.0_f64.sqrt();
    (0..=legs)
        .map(|k| DVec2::new(if k % 2 == 1 { half } else { 0.0 }, half * k as f64))
        .collect()
}

fn spiral(outer: f64, inner: f64, turns: f64) -> Vec<DVec2> {
    steps(1440)
        .map(|t| {
            let r = outer + (inner - outer) * t;
            let a = TAU * turns * t;
            DVec2::new(outer - r * a.cos(), r * a.sin())
        })
        .collect()
}

/// A half circle to the left, then one to the right.
fn s_curve(r: f64) -> Vec<DVec2> {
    let left = steps(360).map(|t| DVec2::new(r - r * (PI * t).cos(), r * (PI * t).sin()));
    let right = steps(360).map(|t| DVec2::new(3.0 * r - r * (PI * t).cos(), -r * (PI * t).sin()));
    left.chain(right).collect()
}

/// "hello" as handwriting, about 14 m wide: ascenders 5 m, small letters 2.4 m. It reads from above on a map with +X to the
/// right and +Z down, as on an SVG, so its letters rise towards −Z.
fn hello() -> Vec<DVec2> {
    let mut out: Vec<DVec2> = Vec::new();
    let mut pen = |knots: &[[f64; 2]]| {
        out.extend(knots.iter().map(|&[x, up]| DVec2::new(x, -up)));
    };
    // h: up the loop, down the stem, over the arch.
    pen(&[
        [0.0, 0.0],
        [1.2, 1.8],
        [1.9, 4.0],
        [1.2, 5.0],
        [0.7, 3.8],
        [0.6, 1.6],
        [0.7, 0.0],
    ]);
    pen(&[[1.2, 1.6], [2.1, 2.4], [2.8, 1.4], [3.1, 0.2], [4.0, 0.2]]);
    // e: from the base line up through its own middle and round.
    pen(&[
        [5.2, 1.3],
        [5.4, 2.3],
        [4.5, 2.5],
        [4.0, 1.3],
        [4.6, 0.1],
        [5.8, 0.2],
    ]);
    // l, twice.
    for x in [5.8, 8.0] {
        pen(&[
            [x + 1.0, 1.8],
            [x + 1.6, 4.0],
            [x + 1.0, 5.0],
            [x + 0.4, 3.8],
            [x + 0.5, 1.4],
            [x + 1.2, 0.1],
        ]);
        pen(&[[x + 2.2, 0.3]]);
    }
    // o: up to its top, round to the left, and out to the right.
    pen(&[
        [11.0, 1.4],
        [12.1, 2.4],
        [11.2, 2.3],
        [10.7, 1.2],
        [11.5, 0.1],
        [12.7, 0.7],
        [12.7, 1.9],
        [12.3, 2.5],
    ]);
    pen(&[[13.2, 2.2], [14.2, 2.4]]);
    spline(&out)
}

/// A centripetal Catmull-Rom curve through knots: no loops of its own between uneven knots.
fn spline(knots: &[DVec2]) -> Vec<DVec2> {
    let last = knots.len() - 1;
    let mut out = vec![knots[0]];
    for k in 0..last {
        let (b, c) = (knots[k], knots[k + 1]);
        let a = if k > 0 { knots[k - 1] } else { b * 2.0 - c };
        let d = if k + 2 <= last {
            knots[k + 2]
        } else {
            c * 2.0 - b
        };
        let gap = |p: DVec2, q: DVec2| p.distance(q).sqrt().max(1e-6);
        let t1 = gap(a, b);
        let t2 = t1 + gap(b, c);
        let t3 = t2 + gap(c, d);
        let mix =
            |p: DVec2, q: DVec2, u: f64, v: f64, t: f64| (p * (v - t) + q * (t - u)) / (v - u);
        for i in 1..=24 {
            let t = t1 + (t2 - t1) * f64::from(i) / 24.0;
            let (ab, bc, cd) = (
                mix(a, b, 0.0, t1, t),
                mix(b, c, t1, t2, t),
                mix(c, d, t2, t3, t),
            );
            let (abc, bcd) = (mix(ab, bc, 0.0, t2, t), mix(bc, cd, t1, t3, t));
            out.push(mix(abc, bcd, t1, t2, t));
        }
    }
    out
}

/// A circle of any radius, for tables of results.
///
/// # Errors
/// When nothing, or too much, is left of it.
pub fn circle_of(radius: f64) -> Result<Path, PathError> {
    Path::new(circle(radius), true)
}
