//! The joint of two groups of markers, and what it costs to join them there.

use glam::DVec3;

use super::centres::{self, Centre};
use super::frame::Frame;
use super::groups::{Group, Variation};
use super::refine;
use crate::joint::{FitOptions, fit_joint, motion_noise2, pair_sums};
use crate::tree::edge_cost;

/// Groups whose nearest markers are farther apart than this are not tried, metres.
const FARTHEST_M: f64 = 0.7;
/// A joint lies inside the body: markers' middle is moved this far towards the middle of all, metres.
const INWARDS_M: f64 = 0.04;
/// What cameras add to a distance, metres.
const CAMERA_M: f64 = 5e-4;
/// A point whose nearest markers are this far off costs as much as one that keeps no distance: it is no joint, metres.
const FAR_M: f64 = 1.5;
/// The same where both bodies have a frame, whose residual tells more.
const FAR_OF_FRAMES_M: f64 = 5.0;
/// Rotation counts as motion on a lever of so many metres: bodies that sit at their joint move too.
const LEVER_M: f64 = 0.1;

/// The joint of two groups and what it costs: change of distances over how the groups move against each other.
pub(super) fn fit_pair(
    a: &Group,
    b: &Group,
    keys: &[Vec<Option<DVec3>>],
    variation: &Variation,
) -> Option<(Centre, f64)> {
    let markers: Vec<usize> = a.markers.iter().chain(&b.markers).copied().collect();
    let rows: Vec<Vec<Option<DVec3>>> = keys
        .iter()
        .map(|r| markers.iter().map(|&m| r[m]).collect())
        .collect();
    let start = start(a, b, keys);
    let near = nearest(a, b, keys)?.0;
    if near > FARTHEST_M {
        return None;
    }
    let centre = centres::fit(&rows, &start)?;
    let across: Vec<f64> = (a.markers.iter())
        .flat_map(|&m| b.markers.iter().map(move |&k| (m, k)))
        .filter_map(|(m, k)| variation.at(m, k))
        .collect();
    let motion2 = across.iter().map(|v| v * v).sum::<f64>() / across.len().max(1) as f64;
    let radius = reach(&centre.radii, a.markers.len());
    let moves = (centre.residual_m.powi(2) + CAMERA_M * CAMERA_M) / motion2.max(1e-8);
    Some((centre, (moves + (radius / FAR_M).powi(2)).sqrt()))
}

/// The frame of a group in every key frame, where it has one.
pub(super) fn frame_of(group: &Group, keys: &[Vec<Option<DVec3>>]) -> Option<Frame> {
    Frame::of(&tracks_of(group, keys))
}

/// Where each marker of a group is, frame by frame.
fn tracks_of(group: &Group, keys: &[Vec<Option<DVec3>>]) -> Vec<Vec<Option<DVec3>>> {
    let marker = |&m: &usize| keys.iter().map(|row| row[m]).collect();
    group.markers.iter().map(marker).collect()
}

/// As [`fit_pair`] for two groups that both have a frame: two sensors, whose joint is linear (O'Brien and others 2000). What it costs is
/// its residual over how the two move against each other.
pub(super) fn fit_frames(
    (a, b): (&Group, &Group),
    [first, second]: [&Frame; 2],
    keys: &[Vec<Option<DVec3>>],
) -> Option<(Centre, f64)> {
    if nearest(a, b, keys)?.0 > FARTHEST_M {
        return None;
    }
    let (one, two) = (first.track(), second.track());
    let noise = [first.noise(), second.noise()];
    let fit = fit_joint(&one, &two, noise, &FitOptions::default())?;
    let sums = pair_sums(&one, &two, |_| 1.0);
    let (place_noise2, turn_noise2) = motion_noise2(&sums, noise);
    let beyond = |motion2: f64, noise2: f64| (motion2 - noise2).max(0.0);
    let motion2 = beyond(sums.place_motion2(), place_noise2)
        + LEVER_M * LEVER_M * beyond(sums.turn_motion2(), turn_noise2);
    let expected2 =
        first.noise2_at(fit.in_first) + second.noise2_at(fit.in_second) + CAMERA_M * CAMERA_M;
    let places: Vec<Option<DVec3>> = (0..keys.len())
        .map(|t| first.place(t, fit.in_first))
        .collect();
    let radii = radii_of(a, b, keys, &places);
    let radius = reach(&radii, a.markers.len());
    let moves = edge_cost(fit.residual_m.powi(2), expected2, motion2);
    let centre = Centre {
        places,
        residual_m: fit.residual_m,
        radii,
    };
    Some((centre, moves.hypot(radius / FAR_OF_FRAMES_M)))
}

/// As [`fit_frames`] where the second group has too few markers for a frame: the joint is a point of the first that keeps its distances
/// to them.
pub(super) fn fit_anchored(
    (a, b): (&Group, &Group),
    frame: &Frame,
    keys: &[Vec<Option<DVec3>>],
) -> Option<(Centre, f64)> {
    if nearest(a, b, keys)?.0 > FARTHEST_M {
        return None;
    }
    let others = tracks_of(b, keys);
    let (places, residual_m) = refine::fit(frame, &others, &start(a, b, keys), None)?;
    let (mut motion2, mut expected2, mut n) = (0.0, 0.0, 0.0);
    for track in &others {
        let seen = track.iter().enumerate();
        let locals: Vec<DVec3> = seen.filter_map(|(t, x)| frame.local(t, (*x)?)).collect();
        let count = locals.len().max(1) as f64;
        let mean = locals.iter().sum::<DVec3>() / count;
        let spread2 = locals.iter().map(|l| l.distance_squared(mean)).sum::<f64>() / count;
        // A distance shakes along one direction of three.
        let noise2 = frame.deviation_m().powi(2) * (1.0 + frame.shake2_at(mean) / 3.0);
        motion2 += (spread2 - 3.0 * noise2).max(0.0);
        expected2 += noise2;
        n += 1.0;
    }
    let n = f64::max(n, 1.0);
    let radii = radii_of(a, b, keys, &places);
    let radius = reach(&radii, a.markers.len());
    // Motion is counted from both sides, as that of two frames is.
    let expected2 = expected2 / n + CAMERA_M * CAMERA_M;
    let moves = edge_cost(residual_m.powi(2), expected2, 2.0 * motion2 / n);
    let centre = Centre {
        places,
        residual_m,
        radii,
    };
    Some((centre, moves.hypot(radius / FAR_OF_FRAMES_M)))
}

/// How far the markers of two groups are from their joint, metres.
fn radii_of(
    a: &Group,
    b: &Group,
    keys: &[Vec<Option<DVec3>>],
    places: &[Option<DVec3>],
) -> Vec<f64> {
    let markers = a.markers.iter().chain(&b.markers);
    markers
        .map(|&m| {
            let apart = keys.iter().zip(places);
            let apart = apart.filter_map(|(row, c)| Some(row[m]?.distance((*c)?)));
            let (sum, n) = apart.fold((0.0, 0.0), |(s, n), d| (s + d, n + 1.0));
            sum / f64::max(n, 1.0)
        })
        .collect()
}

/// How far the nearest marker of each group is from their joint, both together, metres.
fn reach(radii: &[f64], of_first: usize) -> f64 {
    let least = |r: &[f64]| r.iter().copied().fold(f64::MAX, f64::min);
    let (ours, theirs) = radii.split_at(of_first);
    least(ours) + least(theirs)
}

/// The nearest two markers of two groups, on average: how far, and which.
fn nearest(a: &Group, b: &Group, keys: &[Vec<Option<DVec3>>]) -> Option<(f64, usize, usize)> {
    let mean = |m: usize, k: usize| {
        let apart: Vec<f64> = keys
            .iter()
            .filter_map(|r| Some(r[m]?.distance(r[k]?)))
            .collect();
        (!apart.is_empty()).then(|| apart.iter().sum::<f64>() / apart.len() as f64)
    };
    let pairs = a
        .markers
        .iter()
        .flat_map(|&m| b.markers.iter().map(move |&k| (m, k)));
    pairs
        .filter_map(|(m, k)| Some((mean(m, k)?, m, k)))
        .min_by(|x, y| x.0.total_cmp(&y.0))
}

/// Where a joint is looked for first: between the nearest two markers, a little inside.
pub(super) fn start(a: &Group, b: &Group, keys: &[Vec<Option<DVec3>>]) -> Vec<Option<DVec3>> {
    let Some((_, m, k)) = nearest(a, b, keys) else {
        return vec![None; keys.len()];
    };
    keys.iter()
        .map(|row| {
            let at = match (row[m], row[k]) {
                (Some(p), Some(q)) => (p + q) / 2.0,
                (Some(p), None) | (None, Some(p)) => p,
                (None, None) => return None,
            };
            let seen: Vec<DVec3> = row.iter().flatten().copied().collect();
            let middle = seen.iter().sum::<DVec3>() / seen.len().max(1) as f64;
            Some(at + (middle - at).normalize_or_zero() * INWARDS_M)
        })
        .collect()
}
