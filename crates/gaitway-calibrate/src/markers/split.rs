//! Groups that are no rigid bodies are split, and groups that are one body are joined.
//!
//! The largest gap of eigenvalues is one decision for all: where an arm swings and an elbow bends by a few degrees, it takes arm and
//! forearm for one. What a body is, is a question of millimetres: its markers keep their places in one frame. How many millimetres is
//! told by the data: cameras shake markers, and skin moves by more on a thigh than on a head. So a group is cut in two where its
//! distances change most if its parts keep their places clearly better than the whole does, and two groups are one if the whole keeps
//! them about as well as its parts; both over what is left free, since a few markers fit their own frame better than many.

use std::collections::HashMap;

use glam::DVec3;

use super::groups::{Variation, spectral};
use super::settle::{Seen, settle};
use super::template::Template;

/// No camera is better than this, metres.
const FINEST_M: f64 = 2e-4;
/// A group is split where its markers are off by this many times what is usual,
const SPLITS: f64 = 1.2;
/// and by this many times what its parts are.
const GAINS: f64 = 1.2;
/// Two markers have nothing but their distance to say that they are a body: a group is cut down to two where it is looser than skin
/// makes bodies, metres.
const SKIN_M: f64 = 0.01;
/// Two groups are one where the whole is off by no more than this many times what is usual, or what its parts are.
const JOINS: f64 = 1.1;

/// Groups that are rigid as far as can be told.
pub(super) fn rigid(
    variation: &Variation,
    mut groups: Vec<Vec<usize>>,
    keys: &[Vec<Option<DVec3>>],
) -> Vec<Vec<usize>> {
    let off = |group: &[usize]| Off::of(group, variation, keys);
    let usual = variation.usual_m().max(FINEST_M);
    let seen = Seen {
        keys,
        variation,
        usual_m: usual,
    };
    settle(&mut groups, seen);
    let mut done = Vec::new();
    while let Some(group) = groups.pop() {
        let whole = off(&group).deviation_m;
        let least = if whole > SKIN_M { 2 } else { 3 };
        let parts = match whole > SPLITS * usual && group.len() >= 2 * least {
            true => cuts(variation, &group, seen),
            false => Vec::new(),
        };
        let best = (parts.into_iter())
            .filter(|[a, b]| a.len().min(b.len()) >= least)
            .map(|[a, b]| (off(&a).with(off(&b)), [a, b]))
            .min_by(|x, y| x.0.total_cmp(&y.0));
        match best {
            Some((apart, parts)) if whole > GAINS * apart => groups.extend(parts),
            _ => done.push(group),
        }
    }
    settle(&mut done, seen);
    join(&mut done, variation, usual, off);
    settle(&mut done, seen);
    done.iter_mut().for_each(|g| g.sort_unstable());
    done.sort();
    done
}

/// Groups that are one body become one, the surest first.
fn join(
    groups: &mut Vec<Vec<usize>>,
    variation: &Variation,
    usual: f64,
    off: impl Fn(&[usize]) -> Off,
) {
    let mut sizes: Vec<Off> = groups.iter().map(|g| off(g)).collect();
    // How much looser two are together than each alone, for pairs that were looked at.
    let mut known: HashMap<[usize; 2], f64> = HashMap::new();
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for i in 0..groups.len() {
            for j in i + 1..groups.len() {
                if groups[i].is_empty() || groups[j].is_empty() {
                    continue;
                }
                let ratio = *known.entry([i, j]).or_insert_with(|| {
                    let parts = sizes[i].with(sizes[j]).max(usual);
                    // Most pairs move against each other, which their distances tell at once.
                    if between(variation, &groups[i], &groups[j]) > NEARLY * parts {
                        return f64::MAX;
                    }
                    let both: Vec<usize> = groups[i].iter().chain(&groups[j]).copied().collect();
                    off(&both).deviation_m / parts
                });
                if ratio <= JOINS && best.is_none_or(|b| ratio < b.0) {
                    best = Some((ratio, i, j));
                }
            }
        }
        let Some((_, i, j)) = best else { break };
        let other = std::mem::take(&mut groups[j]);
        groups[i].extend(other);
        sizes[i] = off(&groups[i]);
        known.retain(|pair, _| !pair.contains(&i));
    }
    groups.retain(|g| !g.is_empty());
}

/// Distances change by no more than this many times what places do.
const NEARLY: f64 = 4.0;

/// RMS change of the distances between two groups, metres; without bound where they are too far apart for one body.
fn between(variation: &Variation, a: &[usize], b: &[usize]) -> f64 {
    let pairs = a.iter().flat_map(|&i| b.iter().map(move |&j| (i, j)));
    if pairs.clone().any(|(i, j)| variation.is_far(i, j)) {
        return f64::INFINITY;
    }
    let list: Vec<f64> = pairs.filter_map(|(i, j)| variation.at(i, j)).collect();
    let sum: f64 = list.iter().map(|v| v * v).sum();
    (sum / list.len().max(1) as f64).sqrt()
}

/// How far markers are off their places in a frame of their own, per axis, and how many numbers a frame say so.
#[derive(Clone, Copy)]
struct Off {
    deviation_m: f64,
    free: f64,
}

impl Off {
    fn of(group: &[usize], variation: &Variation, keys: &[Vec<Option<DVec3>>]) -> Self {
        let free = f64::max(3.0 * group.len() as f64 - 6.0, 0.0);
        // Of two markers it is their distance, in which the noise of both adds up.
        if let [a, b] = group {
            return Self {
                deviation_m: variation.at(*a, *b).unwrap_or(0.0) / 2.0_f64.sqrt(),
                free: 1.0,
            };
        }
        let items: Vec<Vec<Option<DVec3>>> = (group.iter())
            .map(|&m| keys.iter().map(|row| row[m]).collect())
            .collect();
        let template = Template::of(&items).filter(|_| group.len() > 2);
        let deviation_m = template.and_then(|t| t.deviation_m(&items)).unwrap_or(0.0);
        Self { deviation_m, free }
    }

    /// Of both, each in its own frame.
    fn with(self, other: Self) -> f64 {
        let sum = |o: Self| o.free * o.deviation_m * o.deviation_m;
        let free = f64::max(self.free + other.free, 1e-9);
        ((sum(self) + sum(other)) / free).sqrt()
    }
}

/// Ways to cut a group in two: where distances change most, and each of three parts from the other two, all with markers where they are
/// at home.
fn cuts(variation: &Variation, group: &[usize], seen: Seen<'_>) -> Vec<[Vec<usize>; 2]> {
    let own = variation.of_some(group);
    let mut out: Vec<[Vec<usize>; 2]> = Vec::new();
    for k in [2, 3] {
        let parts = spectral(&own, Some(k)).unwrap_or_default();
        for part in parts.iter().take(if k == 2 { 1 } else { k }) {
            let (a, b) = (0..group.len()).partition::<Vec<usize>, _>(|i| part.contains(i));
            let named = |part: Vec<usize>| part.iter().map(|&i| group[i]).collect::<Vec<usize>>();
            let mut both = vec![named(a), named(b)];
            settle(&mut both, seen);
            if let Ok(mut cut) = <[Vec<usize>; 2]>::try_from(both) {
                cut.iter_mut().for_each(|g| g.sort_unstable());
                if !out.contains(&cut) {
                    out.push(cut);
                }
            }
        }
    }
    out
}
