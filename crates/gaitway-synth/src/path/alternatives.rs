//! Several different walks along one path.
//!
//! The first is what [`follow_path`](super::follow_path) finds. Each next is searched with another seed, and pays for every
//! frame of clip that one before it has played: as near the path as can be with other motion.

use gaitway_graph::MotionGraph;

use super::Path;
use super::edge_paths::EdgePaths;
use super::follow::{Followed, Search, solve};
use super::objective::PathProblem;
use super::options::PathOptions;
use super::played::Played;
use crate::SynthError;
use crate::search::{Budget, Control, Outcome, replay};

/// How alternatives are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlternativeOptions {
    /// How many walks, the first included, 1 to 100; default 3.
    pub count: usize,
    /// What a frame costs for each walk before that has played it, m²; default 0.004: as much as being 6 cm off.
    pub sharing: f64,
    /// The seed of the first; the others count on from it.
    pub seed: u64,
}

impl Default for AlternativeOptions {
    fn default() -> Self {
        Self {
            count: 3,
            sharing: 0.004,
            seed: 0,
        }
    }
}

/// One of several walks.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The walk. Its cost is that of the path alone, what it shares left out, so that costs can be compared.
    pub followed: Followed,
    /// The part of its frames that a walk before it has played too, 0 to 1.
    pub shared: f64,
    /// Its seed.
    pub seed: u64,
}

/// Different walks along one path, in the order they were found; fewer where there are no others.
///
/// # Errors
/// As [`super::follow_path`], and when a number cannot be.
pub fn alternatives(
    graph: &MotionGraph,
    edges: &EdgePaths,
    path: &Path,
    options: &PathOptions,
    (search, budget): (Search, &Budget),
    wish: &AlternativeOptions,
    control: Control<'_>,
) -> Result<Vec<Alternative>, SynthError> {
    let possible = (1..=100).contains(&wish.count) && (0.0..1e6).contains(&wish.sharing);
    if !possible {
        let what = format!("cannot make {} walks at {}", wish.count, wish.sharing);
        return Err(SynthError::Options { what });
    }
    let plain = PathProblem::new(graph, edges, path, options)?;
    let mut played = Played::new(graph);
    let mut out: Vec<Alternative> = Vec::with_capacity(wish.count);
    // Where the same walk comes out again, another seed may bring another.
    for k in 0..2 * wish.count as u64 {
        let cancelled =
            |c: &std::sync::atomic::AtomicBool| c.load(std::sync::atomic::Ordering::Relaxed);
        if out.len() == wish.count || (k > 0 && control.cancel.is_some_and(cancelled)) {
            break;
        }
        let seed = wish.seed.wrapping_add(k);
        let problem = PathProblem::new(graph, edges, path, options)?
            .with_extra_cost(played.per_frame(graph, wish.sharing));
        let mut followed = solve(&problem, search.with_seed(seed), budget, control)?;
        let found = &mut followed.found;
        if let Some(start) = found.start
            && let Some((end, cost)) = replay(&plain, &start, found.edges(), found.last_frames)
        {
            (found.end, found.cost) = (Some(end), cost);
            // What was proven was proven of the sum with what is shared.
            found.bound = if k == 0 { found.bound } else { None };
        }
        if out.iter().any(|o| o.followed.walk == followed.walk) {
            continue;
        }
        if k > 0 && matches!(found.outcome, Outcome::NoWalk { .. }) {
            break;
        }
        let shared = played.shared(graph, found.edges());
        played.add(graph, found.edges());
        out.push(Alternative {
            followed,
            shared,
            seed,
        });
    }
    Ok(out)
}
