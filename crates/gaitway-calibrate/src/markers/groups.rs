//! Which markers sit on one body: by name where names are of a common set, else by how little their distances change (Kirk, O'Brien and
//! Forsyth 2005: spectral clustering).

use gaitway_core::{WarningCode, Warnings};
use glam::DVec3;

use super::choose::{Tracks, some};
use super::{MarkerOptions, sets, split};
use crate::error::CalibrateError;
use crate::linalg::{Square, symmetric_eigen};

/// Markers of one body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    /// The body's name where markers told it.
    pub(crate) name: Option<String>,
    pub(crate) markers: Vec<usize>,
}

/// Fewest frames two markers must share for their distance to say something.
const FEWEST_COMMON: usize = 50;
/// Share of markers that must be known by name for names to count.
const KNOWN_SHARE: f64 = 0.6;
/// A marker of no known name joins a body whose markers keep their distance to it this well, metres.
const JOINS_M: f64 = 0.015;

/// Markers of one body are no farther apart than this, metres: a trunk is the largest body there is.
const LARGEST_BODY_M: f64 = 0.75;

/// Standard deviation of the distance of each two markers over common frames, metres; `None` where they share too few.
pub(crate) struct Variation {
    count: usize,
    values: Vec<Option<f64>>,
    /// Whether two markers are too far apart for one body.
    far: Vec<bool>,
}

impl Variation {
    pub(crate) fn of(tracks: &Tracks) -> Self {
        let count = tracks.names.len();
        let fewest = FEWEST_COMMON.min(tracks.frames.len() / 4).max(3);
        let mut sums = vec![(0_usize, 0.0_f64, 0.0_f64); count * count];
        for row in &tracks.frames {
            for i in 0..count {
                let Some(a) = row[i] else { continue };
                for j in i + 1..count {
                    let Some(b) = row[j] else { continue };
                    // Welford's sums: distances of metres that change by less than a millimetre.
                    let s = &mut sums[i * count + j];
                    s.0 += 1;
                    let d = a.distance(b);
                    let off = d - s.1;
                    s.1 += off / s.0 as f64;
                    s.2 += off * (d - s.1);
                }
            }
        }
        let value = |s: (usize, f64, f64)| (s.0 >= fewest).then(|| (s.2 / s.0 as f64).sqrt());
        Self {
            count,
            far: sums.iter().map(|s| s.1 > LARGEST_BODY_M).collect(),
            values: sums.into_iter().map(value).collect(),
        }
    }

    /// Of some markers alone.
    pub(super) fn of_some(&self, markers: &[usize]) -> Self {
        let pairs = || (markers.iter()).flat_map(|&i| markers.iter().map(move |&j| (i, j)));
        Self {
            count: markers.len(),
            values: pairs().map(|(i, j)| self.at(i, j)).collect(),
            far: pairs().map(|(i, j)| self.is_far(i, j)).collect(),
        }
    }

    /// Whether two markers are too far apart for one body.
    pub(super) fn is_far(&self, i: usize, j: usize) -> bool {
        self.far[i.min(j) * self.count + i.max(j)]
    }

    /// What markers of one body are usually off by, per axis, metres: cameras and skin. Told by the quarter of markers that keep their
    /// distances to two others best.
    pub(super) fn usual_m(&self) -> f64 {
        let second = |i: usize| {
            let others = (0..self.count).filter(|&j| j != i && !self.is_far(i, j));
            let mut row: Vec<f64> = others.filter_map(|j| self.at(i, j)).collect();
            row.sort_by(f64::total_cmp);
            row.get(1).copied()
        };
        let mut list: Vec<f64> = (0..self.count).filter_map(second).collect();
        list.sort_by(f64::total_cmp);
        // The noise of both ends adds up in a distance.
        list.get(list.len() / 4).map_or(0.0, |v| v / 2.0_f64.sqrt())
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> Option<f64> {
        if i == j {
            return Some(0.0);
        }
        self.values[i.min(j) * self.count + i.max(j)]
    }
}

/// The groups: as given, by name, or by motion.
pub(crate) fn find(
    tracks: &Tracks,
    variation: &Variation,
    options: &MarkerOptions,
    keys: &[Vec<Option<DVec3>>],
    warnings: &mut Warnings,
) -> Result<Vec<Group>, CalibrateError> {
    let known: Vec<Option<String>> = tracks.names.iter().map(|n| sets::body_of(n)).collect();
    let share = known.iter().flatten().count() as f64 / known.len().max(1) as f64;
    let bodies = options.bodies;
    if options.by_names && bodies.is_none() && share >= KNOWN_SHARE {
        return Ok(named(tracks, &known, variation, warnings));
    }
    if !options.groups.is_empty() && bodies.is_none() {
        return Ok(given(tracks, &options.groups, warnings));
    }
    let mut groups = spectral(variation, bodies)?;
    if bodies.is_none() {
        groups = split::rigid(variation, groups, keys);
    }
    let few: Vec<String> = (groups.iter())
        .filter(|g| g.len() < 3)
        .map(|g| {
            let names: Vec<&str> = g.iter().map(|&m| tracks.names[m].as_str()).collect();
            names.join(" and ")
        })
        .collect();
    if !few.is_empty() {
        let message = format!(
            "bodies of one or two markers have no frame of their own, and motion alone hardly tells what they belong to: {}; put three markers or more on a body, or name them as a common set does",
            some(&few)
        );
        warnings.add(WarningCode::Unusual, message);
    }
    Ok(groups
        .into_iter()
        .map(|markers| Group {
            name: None,
            markers,
        })
        .collect())
}

/// As said; markers that nothing is said of are left out.
fn given(tracks: &Tracks, said: &[(String, String)], warnings: &mut Warnings) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut left = Vec::new();
    for (k, marker) in tracks.names.iter().enumerate() {
        let Some((_, body)) = said.iter().find(|s| s.0 == *marker) else {
            left.push(marker.clone());
            continue;
        };
        let found = groups.iter_mut();
        match found.into_iter().find(|g| g.name.as_ref() == Some(body)) {
            Some(group) => group.markers.push(k),
            None => groups.push(Group {
                name: Some(body.clone()),
                markers: vec![k],
            }),
        }
    }
    if !left.is_empty() {
        let message = format!(
            "markers that the trial before did not have are left out: {}",
            some(&left)
        );
        warnings.add(WarningCode::LeftOut, message);
    }
    groups
}

fn named(
    tracks: &Tracks,
    known: &[Option<String>],
    variation: &Variation,
    warnings: &mut Warnings,
) -> Vec<Group> {
    let mut groups: Vec<Group> = sets::BODIES
        .iter()
        .map(|(body, _)| Group {
            name: Some((*body).to_owned()),
            markers: (0..known.len())
                .filter(|&k| known[k].as_deref() == Some(*body))
                .collect(),
        })
        .filter(|g| !g.markers.is_empty())
        .collect();
    let mut left = Vec::new();
    for k in (0..known.len()).filter(|&k| known[k].is_none()) {
        let fit = |g: &Group| {
            let list: Option<Vec<f64>> = g.markers.iter().map(|&m| variation.at(k, m)).collect();
            list.filter(|l| l.len() > 1)
                .map(|l| l.iter().sum::<f64>() / l.len() as f64)
        };
        let best = (0..groups.len())
            .filter_map(|g| Some((fit(&groups[g])?, g)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((off, g)) if off < JOINS_M => groups[g].markers.push(k),
            _ => left.push(tracks.names[k].clone()),
        }
    }
    if !left.is_empty() {
        let message = format!(
            "markers of no known name that keep their distance to no body are left out: {}",
            some(&left)
        );
        warnings.add(WarningCode::LeftOut, message);
    }
    groups
}

/// Normalised spectral clustering with local scales, the number of groups by the largest gap of eigenvalues where it is not given.
pub(super) fn spectral(
    variation: &Variation,
    bodies: Option<usize>,
) -> Result<Vec<Vec<usize>>, CalibrateError> {
    let n = variation.count;
    let far = variation
        .values
        .iter()
        .flatten()
        .fold(0.0_f64, |a, v| a.max(*v));
    let at = |i: usize, j: usize| {
        let near = variation.at(i, j).filter(|_| !variation.is_far(i, j));
        near.unwrap_or(far)
    };
    // A marker's own scale: the change of distance to its second nearest, no less than a camera's noise.
    let scale: Vec<f64> = (0..n)
        .map(|i| {
            let mut row: Vec<f64> = (0..n).filter(|&j| j != i).map(|j| at(i, j)).collect();
            row.sort_by(f64::total_cmp);
            row[1.min(row.len() - 1)].max(1e-3)
        })
        .collect();
    let affinity = |i: usize, j: usize| {
        if i == j {
            return 0.0;
        }
        (-at(i, j).powi(2) / (2.0 * scale[i] * scale[j])).exp()
    };
    let degree: Vec<f64> = (0..n)
        .map(|i| (0..n).map(|j| affinity(i, j)).sum::<f64>().max(1e-12))
        .collect();
    let mut laplacian = Square::zero(n);
    for i in 0..n {
        for j in 0..n {
            let one = if i == j { 1.0 } else { 0.0 };
            *laplacian.at_mut(i, j) = one - affinity(i, j) / (degree[i] * degree[j]).sqrt();
        }
    }
    let (values, vectors) = symmetric_eigen(&laplacian);
    let most = (n / 2).max(2);
    let k = match bodies {
        Some(k) if k > n => {
            return Err(CalibrateError::new(format!(
                "--bodies {k}: there are {n} markers"
            )));
        }
        Some(k) => k.max(1),
        None => (2..=most)
            .max_by(|&a, &b| {
                let gap = |k: usize| values.get(k).map_or(0.0, |v| v - values[k - 1]);
                gap(a).total_cmp(&gap(b))
            })
            .unwrap_or(2),
    };
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let row: Vec<f64> = (0..k).map(|c| vectors[c][i]).collect();
            let length = row.iter().map(|v| v * v).sum::<f64>().sqrt().max(1e-12);
            row.iter().map(|v| v / length).collect()
        })
        .collect();
    Ok(k_means(&rows, k))
}

/// k means from the farthest of the farthest, so that nothing is drawn by chance.
fn k_means(rows: &[Vec<f64>], k: usize) -> Vec<Vec<usize>> {
    let apart =
        |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum() };
    let mut centres: Vec<Vec<f64>> = vec![rows[0].clone()];
    while centres.len() < k {
        let gap = |r: &Vec<f64>| {
            let near = centres.iter().map(|c| apart(c, r));
            near.fold(f64::MAX, f64::min)
        };
        let next = rows
            .iter()
            .max_by(|a, b| gap(a).total_cmp(&gap(b)))
            .cloned()
            .unwrap_or_default();
        centres.push(next);
    }
    let mut owner = vec![0; rows.len()];
    for _ in 0..100 {
        let nearest = |r: &Vec<f64>| {
            let list = (0..k).map(|c| (apart(&centres[c], r), c));
            list.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |b| b.1)
        };
        let next: Vec<usize> = rows.iter().map(nearest).collect();
        let same = next == owner;
        owner = next;
        for (c, centre) in centres.iter_mut().enumerate() {
            let own: Vec<&Vec<f64>> = (rows.iter().zip(&owner))
                .filter(|(_, o)| **o == c)
                .map(|(r, _)| r)
                .collect();
            if own.is_empty() {
                continue;
            }
            for (d, value) in centre.iter_mut().enumerate() {
                *value = own.iter().map(|r| r[d]).sum::<f64>() / own.len() as f64;
            }
        }
        if same {
            break;
        }
    }
    let group = |c: usize| {
        (0..rows.len())
            .filter(|&i| owner[i] == c)
            .collect::<Vec<_>>()
    };
    (0..k).map(group).filter(|g| !g.is_empty()).collect()
}
