//! Where people come towards one another on the same ground they keep to the right.
//!
//! A stretch of a path is *met* where another path, or the same one on its way back, runs within a metre of it the other way. There the
//! lane lies aside of the path, far enough that two bodies pass and near enough that nobody is off the path; a cosine
//! leads into it and out again, so that it begins and ends where the path does.
//!
//! Lanes follow from paths and options alone: whoever has both has the lanes.

use std::collections::HashMap;
use std::f64::consts::FRAC_PI_2;

use gaitway_core::planar::wrap_angle;
use glam::DVec2;

use super::Path;
use super::options::PathOptions;

/// Paths are looked at this often, metres.
const STEP_M: f64 = 0.25;
/// Most looks at a path; a longer one is looked at less often.
const MOST_LOOKS: f64 = 20_000.0;
/// Paths nearer than this meet, metres.
const MEET_M: f64 = 1.0;
/// Headings that differ by more than this run against each other, radians.
const AGAINST_RAD: f64 = 2.1;
/// A path's neighbourhood along itself that does not count as meeting, metres.
const OWN_M: f64 = 2.0;
/// Over this much a lane leads aside and back, metres.
const RAMP_M: f64 = 2.0;
/// The root's sway, which is kept free on both sides of a lane, metres.
const SWAY_M: f64 = 0.06;

/// Per path, the lane of those who walk it; nothing where nobody comes towards them, or there is no room.
pub(crate) fn lanes(paths: &[Path], options: &PathOptions) -> Vec<Option<Path>> {
    // Two bodies, each with its margin and sway, share what lies between them.
    let aside = options.body_radius_m + options.margin_m + SWAY_M;
    let most = options.corridor_m.unwrap_or(f64::INFINITY);
    if aside + SWAY_M > most.min(options.off_path_m) {
        return vec![None; paths.len()];
    }
    let looks: Vec<Vec<Look>> = paths.iter().map(looks).collect();
    let mut cells: HashMap<[i64; 2], Vec<(usize, &Look)>> = HashMap::new();
    for (k, look) in looks
        .iter()
        .enumerate()
        .flat_map(|(k, l)| l.iter().map(move |o| (k, o)))
    {
        cells.entry(cell(look.at)).or_default().push((k, look));
    }
    let meets = |k: usize, look: &Look| {
        let [x, z] = cell(look.at);
        let around = (-1..=1).flat_map(|i| (-1..=1).map(move |j| [x + i, z + j]));
        let near = around.filter_map(|c| cells.get(&c)).flatten();
        near.into_iter().any(|(other, o)| {
            let own = *other == k && (o.s - look.s).abs() < OWN_M;
            let against = wrap_angle(o.heading - look.heading).abs() > AGAINST_RAD;
            !own && against && o.at.distance(look.at) < MEET_M
        })
    };
    let lane = |(k, looks): (usize, &Vec<Look>)| {
        let met: Vec<f64> = looks.iter().filter(|l| meets(k, l)).map(|l| l.s).collect();
        if met.is_empty() {
            return None;
        }
        aside_of(&paths[k], looks, &met, aside)
    };
    looks.iter().enumerate().map(lane).collect()
}

/// A place of a path.
struct Look {
    s: f64,
    at: DVec2,
    heading: f64,
}

fn looks(path: &Path) -> Vec<Look> {
    let steps = (path.length() / STEP_M).clamp(1.0, MOST_LOOKS).ceil() as usize;
    let one = |k: usize| {
        let s = path.length() * k as f64 / steps as f64;
        Look {
            s,
            at: path.at(s),
            heading: path.heading(s),
        }
    };
    (0..=steps).map(one).collect()
}

fn cell(p: DVec2) -> [i64; 2] {
    [(p.x / MEET_M).floor() as i64, (p.y / MEET_M).floor() as i64]
}

/// The lane to the right of the stretches that are met, in ascending order.
fn aside_of(path: &Path, looks: &[Look], met: &[f64], aside: f64) -> Option<Path> {
    let mut next = 0;
    let place = |l: &Look| {
        while next < met.len() && met[next] < l.s {
            next += 1;
        }
        let after = met.get(next).map_or(f64::INFINITY, |m| m - l.s);
        let before = next.checked_sub(1).map_or(f64::INFINITY, |b| l.s - met[b]);
        let away = (after.min(before) / RAMP_M).min(1.0);
        let mut part = (FRAC_PI_2 * away).cos().powi(2);
        if !path.closed() {
            let end = (l.s.min(path.length() - l.s) / RAMP_M).min(1.0);
            part *= (FRAC_PI_2 * end).sin().powi(2);
        }
        // Headings count from +Z to the left, which is +X: the right of (sin h, cos h).
        let (sin, cos) = l.heading.sin_cos();
        l.at + aside * part * DVec2::new(-cos, sin)
    };
    let mut points: Vec<DVec2> = looks.iter().map(place).collect();
    if path.closed() {
        points.pop();
    }
    Path::new(points, path.closed()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(a: [f64; 2], b: [f64; 2]) -> Path {
        Path::new(vec![DVec2::from_array(a), DVec2::from_array(b)], false).expect("a path")
    }

    #[test]
    fn who_comes_towards_another_keeps_right_and_comes_back() {
        let options = PathOptions::default();
        let paths = [line([0.0, 0.0], [0.0, 12.0]), line([0.0, 12.0], [0.0, 0.0])];
        let lanes = lanes(&paths, &options);
        let (one, other) = (
            lanes[0].as_ref().expect("a lane"),
            lanes[1].as_ref().expect("a lane"),
        );
        let (a, b) = (one.at(one.length() / 2.0), other.at(other.length() / 2.0));
        // Along +Z the right is −X.
        assert!(a.x < 0.0 && b.x > 0.0, "{a} {b}");
        let body = 2.0 * (options.body_radius_m + options.margin_m);
        assert!(a.distance(b) > body && a.x.abs() < options.off_path_m);
        assert!(one.at(0.0).distance(paths[0].at(0.0)) < 1e-9);
        assert!(one.at(one.length()).distance(paths[0].at(12.0)) < 1e-9);
    }

    #[test]
    fn who_crosses_or_follows_keeps_to_the_path_and_a_narrow_corridor_has_no_lanes() {
        let options = PathOptions::default();
        let cross = [line([0.0, -6.0], [0.0, 6.0]), line([-6.0, 0.0], [6.0, 0.0])];
        assert!(lanes(&cross, &options).iter().all(Option::is_none));
        let same = [line([0.0, -6.0], [0.0, 6.0]), line([0.0, -6.0], [0.0, 6.0])];
        assert!(lanes(&same, &options).iter().all(Option::is_none));
        let narrow = PathOptions {
            corridor_m: Some(0.3),
            ..options
        };
        let counter = [line([0.0, 0.0], [0.0, 9.0]), line([0.0, 9.0], [0.0, 0.0])];
        assert!(lanes(&counter, &narrow).iter().all(Option::is_none));
    }
}
