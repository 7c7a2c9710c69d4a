//! Which body hangs on which: the spanning tree of least cost, and how far the next best is.

/// A tree over bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Pairs of bodies that are joined, the cheaper first.
    pub edges: Vec<(usize, usize)>,
    /// The edge whose exchange makes the next best tree.
    pub rival: Option<Rival>,
}

/// The exchange that makes the next best tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rival {
    /// The edge of the tree that would go.
    pub out: (usize, usize),
    /// The edge that would come.
    pub instead: (usize, usize),
    /// How many times as dear it is; 1 is a draw.
    pub ratio: f64,
}

/// Measured noise is good to about this share of its variance: what lies within says nothing against a joint.
const UNSURE: f64 = 0.2;
/// No instrument and no skin keeps a joint nearer than a few millimetres, nor nearer than some hundredths of how far two bodies move:
/// the motion at which both are alike, metres.
const MOTION_M: f64 = 0.04;
/// Noise is weighed against motion of this size where it decides alone, metres.
const NOISE_M: f64 = 0.3;

/// What it costs to join two bodies whose points stay together but for `residual2`, where noise alone would leave `expected2` and the
/// two move against each other by `motion2` beyond noise, all m².
///
/// What noise does not explain counts as a share of how the two move, since errors of instruments and skin grow with motion, and bodies
/// that hardly move fit everything. Where noise explains all, that share says nothing, whatever the motion; then the joint nearest to
/// both is the likeliest, which is the one that noise shakes least.
pub(crate) fn edge_cost(residual2: f64, expected2: f64, motion2: f64) -> f64 {
    let beyond2 = (residual2 - (1.0 + UNSURE) * expected2).max(1e-20);
    let share2 = beyond2 / (motion2 + MOTION_M * MOTION_M);
    (share2 + UNSURE * expected2 / (NOISE_M * NOISE_M)).sqrt()
}

/// The tree (or forest) of least cost; `None` costs join nothing. Ties go to the lower numbers.
pub fn spanning_tree(count: usize, cost: impl Fn(usize, usize) -> Option<f64>) -> Tree {
    let mut all: Vec<(f64, usize, usize)> = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            if let Some(c) = cost(i, j).filter(|c| c.is_finite()) {
                all.push((c, i, j));
            }
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut sets = Sets::new(count);
    let (mut edges, mut others) = (Vec::new(), Vec::new());
    for (c, i, j) in all {
        if sets.join(i, j) {
            edges.push((c, i, j));
        } else {
            others.push((c, i, j));
        }
    }
    let mut rival: Option<Rival> = None;
    for k in 0..edges.len() {
        let mut without = Sets::new(count);
        for (_, i, j) in edges.iter().enumerate().filter(|e| e.0 != k).map(|e| e.1) {
            without.join(*i, *j);
        }
        // The cheapest that joins what falls apart; `others` rise.
        let across = |e: &&(f64, usize, usize)| without.find(e.1) != without.find(e.2);
        if let Some((c, i, j)) = others.iter().find(across) {
            let ratio = c / edges[k].0.max(f64::MIN_POSITIVE);
            if rival.is_none_or(|r| ratio < r.ratio) {
                rival = Some(Rival {
                    out: (edges[k].1, edges[k].2),
                    instead: (*i, *j),
                    ratio,
                });
            }
        }
    }
    Tree {
        edges: edges.into_iter().map(|e| (e.1, e.2)).collect(),
        rival,
    }
}

/// Sets of bodies that are joined.
#[derive(Clone, Debug)]
pub(crate) struct Sets(Vec<usize>);

impl Sets {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    pub(crate) fn find(&self, mut i: usize) -> usize {
        while self.0[i] != i {
            i = self.0[i];
        }
        i
    }

    /// Joins two sets; false where they are one already. The lower number speaks for both.
    pub(crate) fn join(&mut self, i: usize, j: usize) -> bool {
        let (a, b) = (self.find(i), self.find(j));
        if a == b {
            return false;
        }
        self.0[a.max(b)] = a.min(b);
        true
    }
}

/// Parents of all nodes of a tree seen from a root, and the nodes in an order in which parents come first. Nodes the root does not
/// reach are not in the order.
pub(crate) fn rooted(
    count: usize,
    edges: &[(usize, usize)],
    root: usize,
) -> (Vec<Option<usize>>, Vec<usize>) {
    let mut parents = vec![None; count];
    let mut order = vec![root];
    let mut seen = vec![false; count];
    seen[root] = true;
    let mut at = 0;
    while at < order.len() {
        let here = order[at];
        at += 1;
        let mut next: Vec<usize> = edges
            .iter()
            .filter_map(|&(i, j)| match here {
                h if h == i => Some(j),
                h if h == j => Some(i),
                _ => None,
            })
            .filter(|&k| !seen[k])
            .collect();
        next.sort_unstable();
        for k in next {
            if !seen[k] {
                seen[k] = true;
                parents[k] = Some(here);
                order.push(k);
            }
        }
    }
    (parents, order)
}

/// The node to hang a body on: of those in the middle (least far from the farthest), the one with most neighbours.
pub(crate) fn middle(count: usize, edges: &[(usize, usize)], among: &[usize]) -> usize {
    let degree = |k: usize| edges.iter().filter(|e| e.0 == k || e.1 == k).count();
    let depth = |k: usize| {
        let (parents, order) = rooted(count, edges, k);
        let mut far = vec![0_usize; count];
        for &n in &order {
            if let Some(p) = parents[n] {
                far[n] = far[p] + 1;
            }
        }
        far.into_iter().max().unwrap_or(0)
    };
    let least = among.iter().map(|&k| depth(k)).min().unwrap_or(0);
    // One step off the middle still counts: a pelvis with two legs and a spine rather than the spine itself.
    let near = among.iter().copied().filter(|&k| depth(k) <= least + 1);
    near.max_by_key(|&k| (degree(k), std::cmp::Reverse(k)))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_noise_explains_costs_the_same_whatever_the_motion() {
        // A joint that is no nearer than noise leaves it, of bodies that hardly move and of bodies that move by half a metre.
        let noise2 = 25e-6;
        let still = edge_cost(noise2, noise2, 1e-5);
        let moving = edge_cost(noise2, noise2, 0.25);
        assert!((still - moving).abs() < 1e-9, "{still} {moving}");
        // What noise does not explain costs more than that, and the more the less the bodies move.
        let off2 = noise2 + 1e-4;
        assert!(edge_cost(off2, noise2, 0.25) > still);
        assert!(edge_cost(off2, noise2, 0.01) > edge_cost(off2, noise2, 0.25));
        // A joint that noise shakes more, since it is farther off, costs more.
        assert!(edge_cost(4.0 * noise2, 4.0 * noise2, 0.25) > still);
    }

    #[test]
    fn the_tree_is_the_cheapest_and_knows_its_rival() {
        // A chain 0-1-2-3 with a shortcut.
        let cost = |i: usize, j: usize| {
            Some(match (i, j) {
                (0, 1) => 1.0,
                (1, 2) => 2.0,
                (2, 3) => 1.5,
                (0, 2) => 3.0,
                _ => 10.0,
            })
        };
        let tree = spanning_tree(4, cost);
        assert_eq!(tree.edges, [(0, 1), (2, 3), (1, 2)]);
        let rival = tree.rival.expect("there are other edges");
        assert_eq!((rival.out, rival.instead), ((1, 2), (0, 2)));
        assert!((rival.ratio - 1.5).abs() < 1e-12);
        let (parents, order) = rooted(4, &tree.edges, 1);
        assert_eq!(parents, [Some(1), None, Some(1), Some(2)]);
        assert_eq!(order, [1, 0, 2, 3]);
    }
}
