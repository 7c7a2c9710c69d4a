//! A path led round the obstacles it runs into.
//!
//! A beam that follows the path to the wall has nothing left when it gets there. So what is followed is the path itself
//! with each blocked stretch shifted sideways, to the side that needs the smaller shift, by just enough to be clear, and
//! eased in and out. Errors are still reported against the path as it was drawn.

use glam::DVec2;

use super::Path;
use super::obstacles::Obstacle;
use super::options::PathOptions;
use super::solid::Solid;

const STEP_M: f64 = 0.05;
/// A detour keeps this much further away than it must: nobody follows a path to the millimetre.
const SPARE_M: f64 = 0.12;
/// Shifts further than this are no detour.
const FURTHEST_M: f64 = 6.0;

/// A path and where places of the old one lie on it.
#[derive(Clone, Debug)]
pub(crate) struct Detour {
    pub path: Path,
    /// Arc length on the new path per step of the old.
    arcs: Vec<f64>,
}

impl Detour {
    /// Where a place of the old path lies on the new one.
    pub fn place(&self, s: f64) -> f64 {
        let last = self.arcs.len() - 1;
        let at = (s / STEP_M).clamp(0.0, last as f64);
        let low = at as usize;
        let high = (low + 1).min(last);
        self.arcs[low] + (self.arcs[high] - self.arcs[low]) * (at - low as f64)
    }
}

/// The path led round the obstacles that are asked for; `None` where it is followed as it is.
pub(crate) fn led_round(path: &Path, options: &PathOptions) -> Option<Detour> {
    let clearance = options.body_radius_m + options.margin_m + SPARE_M;
    detour(path, &options.obstacles, clearance)
}

/// Why nobody gets past an obstacle, within the corridor where there is one, if so.
pub(crate) fn barred(path: &Path, options: &PathOptions) -> Option<String> {
    let clearance = options.body_radius_m + options.margin_m;
    if let Some(words) = end_inside(path, options, clearance) {
        return Some(words);
    }
    let width = options.corridor_m.unwrap_or(f64::MAX);
    let (points, left) = sides(path);
    for (number, obstacle) in options.obstacles.iter().enumerate() {
        let solid = Solid::new(std::slice::from_ref(obstacle));
        let clear = |p: DVec2| solid.within(p, clearance).is_none();
        let blocked = |k: &usize| !clear(points[*k]);
        let Some(first) = (0..points.len()).find(blocked) else {
            continue;
        };
        // All of the stretch that lies in it: what one of its places needs is not yet the way round.
        let mut first_of = first;
        let mut worst = 0.0_f64;
        let mut k = first;
        while k < points.len() {
            if !blocked(&k) {
                k += 1;
                continue;
            }
            let end = (k..points.len())
                .find(|i| !blocked(i))
                .unwrap_or(points.len());
            let way = |side: f64| {
                let all = needed(&points[k..end], &left[k..end], side, &clear)?;
                Some(all.into_iter().fold(0.0, f64::max))
            };
            let least = [way(1.0), way(-1.0)]
                .into_iter()
                .flatten()
                .fold(f64::INFINITY, f64::min);
            if least > worst {
                (worst, first_of) = (least, k);
            }
            k = end;
        }
        // As much again is kept as the search keeps of a corridor for what planted feet move.
        if worst + options.margin_m <= width {
            continue;
        }
        let round = if worst.is_finite() {
            format!(
                "the way round it is {worst:.2} m off the path, and needs a corridor of {:.2} m",
                worst + options.margin_m + STEP_M
            )
        } else {
            format!("there is no way round it within {FURTHEST_M:.0} m of the path")
        };
        let corridor = match options.corridor_m {
            Some(width) => format!("; the corridor is {width:.2} m wide to either side"),
            None => String::new(),
        };
        let middle = obstacle.middle();
        return Some(format!(
            "obstacle {number} at ({:.2}, {:.2}) bars the path {:.1} m along it: {round}{corridor}",
            middle.x,
            middle.y,
            first_of as f64 * STEP_M
        ));
    }
    None
}

/// That the path ends in an obstacle, with no place about its end that would do.
fn end_inside(path: &Path, options: &PathOptions, clearance: f64) -> Option<String> {
    let end = path.at(path.length());
    let solid = Solid::new(&options.obstacles);
    let number = solid.within(end, clearance)?;
    // Whoever comes to stand so near beside it has arrived.
    let near = options
        .corridor_m
        .unwrap_or(options.off_path_m)
        .min(options.off_path_m);
    let beside = (1..=5).flat_map(|ring| {
        let radius = near * f64::from(ring) / 5.0;
        (0..24).map(move |k| {
            end + radius * DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / 24.0)
        })
    });
    let reached = beside
        .into_iter()
        .any(|p| solid.within(p, clearance).is_none());
    (!reached).then(|| {
        format!(
            "the path's end lies in obstacle {number}: ({:.2}, {:.2}) is not {clearance:.2} m away from it",
            end.x, end.y
        )
    })
}

/// Points along a path at even steps, and which way is left of it there.
fn sides(path: &Path) -> (Vec<DVec2>, Vec<DVec2>) {
    let count = (path.length() / STEP_M).ceil() as usize + 1;
    let at = |k: usize| (k as f64 * STEP_M).min(path.length());
    let left = |k: usize| {
        // Over half a metre, so that a corner has one side.
        let d = path.at(at(k) + 0.25) - path.at(at(k) - 0.25);
        DVec2::new(d.y, -d.x).normalize_or_zero()
    };
    (0..count).map(|k| (path.at(at(k)), left(k))).unzip()
}

/// The path led clear of obstacles; `None` where it is clear as it is, or cannot be led round them.
fn detour(path: &Path, obstacles: &[Obstacle], clearance: f64) -> Option<Detour> {
    let (points, left) = sides(path);
    let count = points.len();
    let solid = Solid::new(obstacles);
    let clear = |p: DVec2| solid.within(p, clearance).is_none();
    let blocked: Vec<bool> = points.iter().map(|&p| !clear(p)).collect();
    // Ends that lie in an obstacle are no matter of ways round it.
    let ends = blocked[0] || blocked[count - 1];
    if ends || !blocked.contains(&true) {
        return None;
    }
    let mut shift = vec![0.0_f64; count];
    let mut k = 0;
    while k < count {
        if !blocked[k] {
            k += 1;
            continue;
        }
        let end = (k..count).find(|&i| !blocked[i]).unwrap_or(count);
        // The smaller shift, unless that way curls and the other does not.
        let ways = [1.0, -1.0].into_iter().filter_map(|side| {
            let wanted = needed(&points[k..end], &left[k..end], side, &clear)?;
            let mut shift = shift.clone();
            ease_in(&mut shift, k, &wanted, side);
            let curls = curls(&points, &shifted(&points, &left, &shift)).contains(&true);
            let most = wanted.iter().copied().fold(0.0, f64::max);
            Some((curls, most, shift))
        });
        let best = ways.reduce(|a, b| if (b.0, b.1) < (a.0, a.1) { b } else { a });
        shift = best?.2;
        k = end;
    }
    let new = straightened(&points, shifted(&points, &left, &shift), &clear);
    let mut arcs = vec![0.0];
    for w in new.windows(2) {
        arcs.push(arcs[arcs.len() - 1] + w[0].distance(w[1]));
    }
    let path = Path::new(
        new,
        path.closed() && shift[0] == 0.0 && shift[count - 1] == 0.0,
    )
    .ok()?;
    Some(Detour { path, arcs })
}

fn shifted(points: &[DVec2], left: &[DVec2], shift: &[f64]) -> Vec<DVec2> {
    let one = |((p, n), s): ((&DVec2, &DVec2), &f64)| *p + *n * *s;
    points.iter().zip(left).zip(shift).map(one).collect()
}

/// Per step of a path, whether the path led round goes back there: on the inner side of a bend that is tighter than the shift.
fn curls(points: &[DVec2], new: &[DVec2]) -> Vec<bool> {
    let one = |(p, q): (&[DVec2], &[DVec2])| (p[1] - p[0]).dot(q[1] - q[0]) < 0.0;
    points.windows(2).zip(new.windows(2)).map(one).collect()
}

/// Takes curls out: each is cut off by a straight line, over as much of the path to either side as it takes for the line to go
/// on and to be clear. One for which there is no such line stays.
fn straightened(
    points: &[DVec2],
    mut new: Vec<DVec2>,
    clear: &impl Fn(DVec2) -> bool,
) -> Vec<DVec2> {
    let curled = curls(points, &new);
    let last = new.len() - 1;
    let mut k = 0;
    while k < curled.len() {
        if !curled[k] {
            k += 1;
            continue;
        }
        let end = (k..curled.len())
            .find(|&i| !curled[i])
            .unwrap_or(curled.len());
        let widest = (FURTHEST_M / STEP_M) as usize;
        let found = (1..=widest).find_map(|more| {
            let (a, b) = (k.saturating_sub(more), (end + more).min(last));
            let (from, to) = (new[a], new[b]);
            let line: Vec<DVec2> = (a..=b)
                .map(|i| from.lerp(to, (i - a) as f64 / (b - a) as f64))
                .collect();
            let goes_on = !curls(&points[a..=b], &line).contains(&true);
            (goes_on && line.iter().all(|&p| clear(p))).then_some((a, b, line))
        });
        if let Some((a, b, line)) = found {
            new[a..=b].copy_from_slice(&line);
            k = b;
        }
        k = k.max(end);
    }
    new
}

/// The least shift to one side, per point, that is clear.
fn needed(
    points: &[DVec2],
    left: &[DVec2],
    side: f64,
    clear: &impl Fn(DVec2) -> bool,
) -> Option<Vec<f64>> {
    let one = |(p, n): (&DVec2, &DVec2)| {
        let tries = (1..(FURTHEST_M / STEP_M) as usize).map(|i| i as f64 * STEP_M);
        tries.into_iter().find(|&o| clear(*p + *n * side * o))
    };
    points.iter().zip(left).map(one).collect()
}

/// Raises the shift to the largest that is wanted and lets it fall off to both sides along a cosine.
fn ease_in(shift: &mut [f64], first: usize, wanted: &[f64], side: f64) {
    let most = wanted.iter().copied().fold(0.0, f64::max);
    // As gently as two and a half times the shift, about what a person does; at the path's ends as gently as there is room for, since it begins and
    // ends where it was asked to.
    let ramp = ((most * 2.5).max(1.0) / STEP_M) as usize;
    let (a, b) = (first, first + wanted.len());
    let (before, after) = (ramp.min(a), ramp.min(shift.len() - b));
    for (k, s) in shift.iter_mut().enumerate() {
        let (away, ramp) = if k < a {
            (a - k, before)
        } else {
            ((k + 1).saturating_sub(b), after)
        };
        if away > ramp {
            continue;
        }
        let part = 0.5 + 0.5 * (std::f64::consts::PI * away as f64 / ramp.max(1) as f64).cos();
        if (most * part) > s.abs() {
            *s = side * most * part;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::named_curve;

    /// Round what stands on bends, a path led round goes on, and keeps clear wherever it is led.
    #[test]
    fn ways_round_do_not_curl() {
        let (mut led, mut curled) = (0, Vec::new());
        for name in [
            "line", "circle", "figure8", "zigzag", "spiral", "s", "hello",
        ] {
            for scale in [0.6, 1.0] {
                let path = named_curve(name, scale).expect("a curve");
                for k in 1..24 {
                    let centre = path.at(path.length() * f64::from(k) / 24.0);
                    for radius in [0.2, 0.5, 0.9] {
                        let obstacles = [Obstacle::Circle([centre.x, centre.y, radius])];
                        let Some(round) = detour(&path, &obstacles, 0.47) else {
                            continue;
                        };
                        led += 1;
                        let count = round.arcs.len();
                        let at = |k: usize| (k as f64 * STEP_M).min(path.length());
                        let old: Vec<DVec2> = (0..count).map(|k| path.at(at(k))).collect();
                        let new: Vec<DVec2> =
                            round.arcs.iter().map(|&s| round.path.at(s)).collect();
                        if curls(&old, &new).contains(&true) {
                            curled.push((name, scale, k, radius));
                        }
                    }
                }
            }
        }
        assert!(led > 400, "only {led} ways round");
        // What is larger than the bend it stands in leaves no way that goes on: half-size letters and waves, and the loops of
        // "hello". One in thirty; it was one in four when the smaller shift was taken whatever it did.
        let hard = |c: &&(&str, f64, i32, f64)| c.0 == "hello" || c.1 < 1.0;
        assert!(curled.iter().all(|c| hard(&c)), "{curled:?}");
        let part = curled.len() as f64 / f64::from(led);
        assert!(part < 0.035, "{} of {led} curl: {curled:?}", curled.len());
    }
}
