//! Groups that are no rigid bodies are split, and groups that are one body are joined.
//!
//! The largest gap of eigenvalues is one decision for all: where an arm swings and an elbow bends by a few degrees, it takes arm and
//! forearm for one. What a body is, is a question of millimetres: its markers keep their places in one frame. A group whose markers are
//! off by several times what is usual is cut in two where its distances change most, and the parts are looked at again.

use glam::DVec3;

use super::groups::{Variation, spectral};
use super::template::Template;

/// No camera is better than this, metres.
const FINEST_M: f64 = 3e-4;
/// A group is split where its markers are off by this many times what is usual.
const SPLITS: f64 = 2.5;
/// Two groups are one where theirs together are off by no more than this many times what is usual.
const JOINS: f64 = 1.2;

/// Groups that are rigid as far as can be told.
pub(super) fn rigid(
    variation: &Variation,
    mut groups: Vec<Vec<usize>>,
    keys: &[Vec<Option<DVec3>>],
) -> Vec<Vec<usize>> {
    settle(variation, &mut groups);
    let off = |group: &[usize]| residual_m(group, variation, keys);
    let mut sizes: Vec<f64> = groups.iter().map(|g| off(g)).collect();
    sizes.sort_by(f64::total_cmp);
    // Groups that hold two bodies are looser than bodies are: what is usual is told by the tighter half.
    let usual = sizes[sizes.len() / 4].max(FINEST_M);
    let mut done = Vec::new();
    while let Some(group) = groups.pop() {
        let whole = off(&group);
        let parts = match group.len() {
            0..4 => None,
            _ if whole <= SPLITS * usual => None,
            _ => cut(variation, &group),
        };
        match parts {
            Some([a, b]) if off(&a).max(off(&b)) < whole => groups.extend([a, b]),
            _ => done.push(group),
        }
    }
    settle(variation, &mut done);
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for i in 0..done.len() {
            for j in i + 1..done.len() {
                let both: Vec<usize> = done[i].iter().chain(&done[j]).copied().collect();
                let off = off(&both);
                if off <= JOINS * usual && best.is_none_or(|b| off < b.0) {
                    best = Some((off, i, j));
                }
            }
        }
        let Some((_, i, j)) = best else { break };
        let other = done.remove(j);
        done[i].extend(other);
    }
    done.iter_mut().for_each(|g| g.sort_unstable());
    done.sort();
    done
}

/// A marker changes its group where it keeps its distances to the other this many times as well.
const CLEARLY: f64 = 0.5;

/// Markers go to the group they keep their distances to best, where that is clear.
fn settle(variation: &Variation, groups: &mut [Vec<usize>]) {
    const PASSES: usize = 10;
    let off = |m: usize, group: &[usize]| {
        let list = group.iter().filter(|&&k| k != m);
        let list: Vec<f64> = list.filter_map(|&k| variation.at(m, k)).collect();
        let sum: f64 = list.iter().map(|v| v * v).sum();
        (list.len() > 2).then(|| sum / list.len() as f64)
    };
    for _ in 0..PASSES {
        let mut moved = false;
        for from in 0..groups.len() {
            for m in groups[from].clone() {
                // What is left must be a body still.
                if groups[from].len() < 5 {
                    continue;
                }
                let Some(own) = off(m, &groups[from]) else {
                    continue;
                };
                let best = (0..groups.len())
                    .filter_map(|g| Some((off(m, &groups[g])?, g)))
                    .min_by(|a, b| a.0.total_cmp(&b.0));
                if let Some((_, to)) = best.filter(|b| b.1 != from && b.0 < CLEARLY * CLEARLY * own)
                {
                    groups[from].retain(|&k| k != m);
                    groups[to].push(m);
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
    }
}

/// RMS distance of markers from their places in a frame of their own, metres; of two markers, how their distance changes.
fn residual_m(group: &[usize], variation: &Variation, keys: &[Vec<Option<DVec3>>]) -> f64 {
    if let [a, b] = group {
        return variation.at(*a, *b).unwrap_or(0.0);
    }
    let items: Vec<Vec<Option<DVec3>>> = (group.iter())
        .map(|&m| keys.iter().map(|row| row[m]).collect())
        .collect();
    let Some(template) = Template::of(&items).filter(|_| group.len() > 2) else {
        return 0.0;
    };
    let (mut sum, mut n) = (0.0, 0.0);
    for (item, local) in items.iter().zip(&template.points) {
        for (seen, at) in item.iter().zip(&template.at) {
            if let (Some(x), Some((turn, from, to))) = (seen, at) {
                sum += (*turn * (*local - *from) + *to).distance_squared(*x);
                n += 1.0;
            }
        }
    }
    (sum / f64::max(n, 1.0)).sqrt()
}

/// In two, where distances change most; none where a single marker would be left.
fn cut(variation: &Variation, group: &[usize]) -> Option<[Vec<usize>; 2]> {
    let own = variation.of_some(group);
    let parts = spectral(&own, Some(2)).ok()?;
    let named = |part: &Vec<usize>| part.iter().map(|&k| group[k]).collect::<Vec<usize>>();
    match parts.as_slice() {
        [a, b] if a.len() > 1 && b.len() > 1 => Some([named(a), named(b)]),
        _ => None,
    }
}
