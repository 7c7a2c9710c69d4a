//! From a path to a walk.

use gaitway_core::Planar;
use gaitway_graph::MotionGraph;

use super::Path;
use super::edge_paths::EdgePaths;
use super::likeness::taste;
use super::objective::{PathProblem, PathState};
use super::off_path::{OffPath, off_path};
use super::options::PathOptions;
use crate::search::{
    BeamOptions, BnbOptions, Budget, Control, GraphProblem, SearchResult, beam_search,
    branch_and_bound, replay, watched,
};
use crate::{SynthError, Walk};

/// Which search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// The global beam: the default, with two searches.
    Beam(BeamOptions),
    /// The paper's branch and bound in bites.
    Bnb(BnbOptions),
}

impl Default for Search {
    fn default() -> Self {
        Self::Beam(BeamOptions {
            searches: SEARCHES,
            ..BeamOptions::default()
        })
    }
}

/// Starts of the default search: as many as a small machine has cores.
pub const SEARCHES: usize = 2;

impl Search {
    /// By name: `beam` or `bnb`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "beam" => Some(Self::default()),
            "bnb" => Some(Self::Bnb(BnbOptions::default())),
            _ => None,
        }
    }

    /// The same search with so many searches, which share its budget. Branch and bound has one.
    pub fn with_searches(self, searches: usize) -> Self {
        match self {
            Self::Beam(o) => Self::Beam(BeamOptions { searches, ..o }),
            Self::Bnb(_) => self,
        }
    }

    /// Its seed.
    pub fn seed(&self) -> u64 {
        match self {
            Self::Beam(o) => o.seed,
            Self::Bnb(o) => o.seed,
        }
    }

    /// The same search with another seed. Branch and bound, where it would take the best, draws among the five best from then on.
    pub fn with_seed(self, seed: u64) -> Self {
        match self {
            Self::Beam(o) => Self::Beam(BeamOptions { seed, ..o }),
            Self::Bnb(o) => Self::Bnb(BnbOptions {
                seed,
                best: if seed != 0 && o.best <= 1 { 5 } else { o.best },
                ..o
            }),
        }
    }
}

/// Expansions per metre of path that give one start what it needs.
pub const PER_METRE: u64 = 18_000;

/// The budget of the default search for a path, shared by its searches.
pub fn default_budget(path: &Path) -> Budget {
    let metres = path.length().max(4.0) * SEARCHES as f64;
    let one = Budget::expansions((metres * PER_METRE as f64) as u64);
    Budget {
        memory: one.memory * SEARCHES,
        ..one
    }
}

/// A walk along a path, or why there is none.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The walk; `None` where not a frame could be walked. It may end before the path does: see the outcome.
    pub walk: Option<Walk>,
    /// What carries its first clip into the world.
    pub world_from_start: Planar,
    /// What the search says.
    pub found: SearchResult<PathState>,
    /// Where it is far off the path, if it is. A walk may be complete, `Solved`, and still be the wrong one.
    pub left_path: Option<OffPath>,
}

/// Searches a walk along a path. A seed other than 0 has a taste of its own, and its walk may cost up to [`TASTE_M2`](super::TASTE_M2) a
/// frame more than the best.
///
/// ```
/// use gaitway_core::{ClipSet, performer::library};
/// use gaitway_graph::{GraphBuilder, Thresholds};
/// use gaitway_synth::path::{EdgePaths, PathOptions, Search, default_budget, follow_path, named_curve};
/// use gaitway_synth::{AssembleOptions, assemble};
///
/// let takes = library(1, 30.0)?;
/// let walks = takes.into_iter().map(|t| t.clip).filter(|c| c.name().contains("walk_"));
/// let (graph, _) = GraphBuilder::new(ClipSet::new(walks.take(6).collect())?)
///     .thresholds(Thresholds::cm(8.0))
///     .build(&mut ())?;
/// let (path, options) = (named_curve("line", 0.5)?, PathOptions::default());
/// let edges = EdgePaths::new(&graph, &options.naturalness, options.smooth_arc)?;
/// let budget = default_budget(&path);
/// let followed = follow_path(&graph, &edges, &path, &options, Search::default(), &budget, Default::default())?;
/// let walk = followed.walk.expect("a walk");
/// let motion = assemble(&graph, &walk, &AssembleOptions {
///     world_from_start: followed.world_from_start,
///     ..AssembleOptions::default()
/// })?;
/// assert!(motion.clip.seconds() > 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When what is asked for cannot be: an unknown label or clip, styles with gaps, numbers out of range. That there is
/// no walk is no error but an outcome.
pub fn follow_path(
    graph: &MotionGraph,
    edges: &EdgePaths,
    path: &Path,
    options: &PathOptions,
    search: Search,
    budget: &Budget,
    control: Control<'_>,
) -> Result<Followed, SynthError> {
    let seed = search.seed();
    let problem = PathProblem::new(graph, edges, path, options)?;
    let problem = problem.with_extra_cost(taste(graph, seed));
    let mut followed = solve(&problem, search, budget, control)?;
    if seed != 0 {
        cost_alone(&problem.with_extra_cost(Vec::new()), &mut followed.found);
        // What was proven was proven of the sum with what the seed likes.
        followed.found.bound = None;
    }
    Ok(followed)
}

/// The cost of a walk by the path alone, without what it paid for sharing or for a taste.
pub(super) fn cost_alone(plain: &PathProblem<'_>, found: &mut SearchResult<PathState>) {
    if let Some(start) = found.start
        && let Some((end, cost)) = replay(plain, &start, found.edges(), found.last_frames)
    {
        (found.end, found.cost) = (Some(end), cost);
    }
}

/// Searches a walk for a problem that is made already.
///
/// # Errors
/// When the walk found is none: a fault of ours.
pub fn solve(
    problem: &PathProblem<'_>,
    search: Search,
    budget: &Budget,
    control: Control<'_>,
) -> Result<Followed, SynthError> {
    if let Some(reason) = problem.barred() {
        return Followed::of(problem, SearchResult::none(reason));
    }
    let found = watched(problem, control, |c| match search {
        Search::Beam(o) => beam_search(problem, &o, budget, c),
        Search::Bnb(o) => branch_and_bound(problem, &o, budget, c),
    });
    Followed::of(problem, found)
}

impl Followed {
    /// A found walk made ready to be assembled.
    pub(crate) fn of(
        problem: &PathProblem<'_>,
        found: SearchResult<PathState>,
    ) -> Result<Self, SynthError> {
        Ok(Self {
            left_path: off_path(problem, &found),
            walk: problem.walk(&found)?,
            world_from_start: found
                .start
                .map_or(Planar::IDENTITY, |s| s.world_from_clip()),
            found,
        })
    }
}
