//! A few frames that show most: far apart in pose, with most markers seen.

use glam::DVec3;

/// Most frames that are looked at when key frames are chosen.
const LOOKED_AT: usize = 800;

/// Numbers of key frames, rising.
pub(crate) fn choose(frames: &[Vec<Option<DVec3>>], most: usize) -> Vec<usize> {
    let seen = |f: usize| frames[f].iter().flatten().count();
    let best = (0..frames.len()).map(seen).max().unwrap_or(0);
    // Frames that lack a fifth of what can be seen wait for those that do not.
    let enough: Vec<usize> = (0..frames.len())
        .filter(|&f| seen(f) * 5 >= best * 4)
        .collect();
    let step = enough.len().div_ceil(LOOKED_AT).max(1);
    let list: Vec<usize> = enough.into_iter().step_by(step).collect();
    let Some(&first) = list
        .iter()
        .max_by_key(|&&f| (seen(f), std::cmp::Reverse(f)))
    else {
        return Vec::new();
    };
    let shapes: Vec<Vec<Option<DVec3>>> = list.iter().map(|&f| about_middle(&frames[f])).collect();
    let mut gap = vec![f64::MAX; list.len()];
    let mut chosen = Vec::new();
    let mut next = list.iter().position(|&f| f == first).unwrap_or(0);
    while chosen.len() < most.min(list.len()) {
        chosen.push(list[next]);
        for (g, shape) in gap.iter_mut().zip(&shapes) {
            *g = g.min(apart(shape, &shapes[next]));
        }
        gap[next] = -1.0;
        let far = (0..list.len()).max_by(|&a, &b| gap[a].total_cmp(&gap[b]));
        next = far.unwrap_or(0);
    }
    chosen.sort_unstable();
    chosen
}

fn about_middle(row: &[Option<DVec3>]) -> Vec<Option<DVec3>> {
    let seen: Vec<DVec3> = row.iter().flatten().copied().collect();
    let middle = seen.iter().sum::<DVec3>() / seen.len().max(1) as f64;
    row.iter().map(|p| p.map(|p| p - middle)).collect()
}

fn apart(a: &[Option<DVec3>], b: &[Option<DVec3>]) -> f64 {
    let both = a
        .iter()
        .zip(b)
        .filter_map(|(a, b)| Some((*a)?.distance_squared((*b)?)));
    let (sum, n) = both.fold((0.0, 0.0), |s, d| (s.0 + d, s.1 + 1.0));
    sum / f64::max(n, 1.0)
}
