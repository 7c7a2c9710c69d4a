//! Several different walks along one path.
//!
//! The first is what [`follow_path`](super::follow_path) finds. Each next is searched with another seed, and pays for every
//! frame of clip that one before it has played: as near the path as can be with other motion. A seed has a taste of its own
//! ([`super::likeness`]); one walk of a seed other than 0 is held against that of seed 0, and searched for again where they are alike.

use gaitway_graph::MotionGraph;

use super::Path;
use super::edge_paths::EdgePaths;
use super::follow::{Followed, Search, cost_alone, solve};
use super::likeness::{ALIKE, Alike, aversion, same_part, shown, taste};
use super::objective::{PathProblem, PathState};
use super::options::PathOptions;
use super::played::Played;
use crate::SynthError;
use crate::search::{Budget, Control, Outcome, SearchResult};

/// How alternatives are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlternativeOptions {
    /// How many walks, the first included, 1 to 100; default 3.
    pub count: usize,
    /// What a frame costs for each walk before that has played it, m²; default 0.004: as much as being 6 cm off.
    pub sharing: f64,
    /// The seed of the first; the others count on from it.
    pub seed: u64,
    /// What the search may spend that finds the walk of seed 0, which a single walk of another seed is held against. It is held against
    /// nothing where not given.
    pub against: Option<Budget>,
}

impl Default for AlternativeOptions {
    fn default() -> Self {
        Self {
            count: 3,
            sharing: 0.004,
            seed: 0,
            against: None,
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
    /// That it is much like the walk of seed 0, where they were compared and no other was found.
    pub alike: Option<Alike>,
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
        let mut extra = played.per_frame(graph, wish.sharing);
        for (e, t) in extra.iter_mut().zip(taste(graph, seed)) {
            *e += t;
        }
        let problem = PathProblem::new(graph, edges, path, options)?.with_extra_cost(extra);
        let mut followed = solve(&problem, search.with_seed(seed), budget, control)?;
        let found = &mut followed.found;
        cost_alone(&plain, found);
        if k > 0 || seed != 0 {
            // What was proven was proven of the sum with what is shared and liked.
            found.bound = None;
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
            alike: None,
        });
    }
    let compared = wish.count == 1 && wish.seed != 0;
    if let Some(against) = wish.against.filter(|_| compared)
        && let Some(one) = out.pop()
    {
        let searches = (search, budget, &against);
        let asked = (&plain, (edges, path, options));
        out.push(unlike_the_best(graph, asked, one, searches, control)?);
    }
    Ok(out)
}

/// A walk, or another where it is like that of seed 0; that it is where there is none.
fn unlike_the_best(
    graph: &MotionGraph,
    (plain, again): (&PathProblem<'_>, (&EdgePaths, &Path, &PathOptions)),
    one: Alternative,
    (search, budget, against): (Search, &Budget, &Budget),
    control: Control<'_>,
) -> Result<Alternative, SynthError> {
    if one.followed.found.outcome != Outcome::Solved {
        return Ok(one);
    }
    let rate = graph.working_rate_hz();
    let shown = |f: &SearchResult<PathState>| shown(graph, f.edges(), f.last_frames);
    let best = solve(plain, search.with_seed(0), against, control)?.found;
    let like = |found: &SearchResult<PathState>| same_part(&shown(found), &shown(&best), rate);
    let mut found = one.followed.found.clone();
    found.expansions += best.expansions;
    found.seconds += best.seconds;
    let part = like(&found);
    let mut out = one;
    if best.outcome == Outcome::Solved && part > ALIKE {
        let avoid = aversion(graph, out.seed, &[best.edges()]);
        let (edges, path, options) = again;
        let problem = PathProblem::new(graph, edges, path, options)?.with_extra_cost(avoid);
        let mut other = solve(&problem, search.with_seed(out.seed), budget, control)?;
        cost_alone(plain, &mut other.found);
        found.expansions += other.found.expansions;
        found.seconds += other.found.seconds;
        let another = other.found.outcome == Outcome::Solved && like(&other.found) <= ALIKE;
        if another {
            other.found.bound = None;
            out.followed = other;
        } else {
            out.alike = Some(Alike::new(None, part));
        }
    }
    let total = &mut out.followed.found;
    (total.expansions, total.seconds) = (found.expansions, found.seconds);
    Ok(out)
}
