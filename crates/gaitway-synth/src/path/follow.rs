//! From a path to a walk.

use std::sync::atomic::Ordering;
use std::time::Duration;

use gaitway_core::Planar;
use gaitway_graph::MotionGraph;

use super::Path;
use super::bound::search as prove;
use super::edge_paths::EdgePaths;
use super::likeness::taste;
use super::objective::{PathProblem, PathState};
use super::off_path::{OffPath, off_path};
use super::options::PathOptions;
use super::steered::Steered;
use crate::search::{
    AraOptions, BeamOptions, BestSoFar, BnbOptions, Budget, Control, GraphProblem, SearchProgress,
    SearchResult, beam_search, branch_and_bound, replay, watched,
};
use crate::{SynthError, Walk};

/// Which search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// The global beam: the default, with two searches.
    Beam(BeamOptions),
    /// The paper's branch and bound in bites.
    Bnb(BnbOptions),
    /// The beam, and then ARA*, which proves how much cheaper any walk could be; for short paths.
    Ara(AraOptions),
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
    /// By name: `beam`, `bnb` or `ara`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "beam" => Some(Self::default()),
            "bnb" => Some(Self::Bnb(BnbOptions::default())),
            // The beam has a walk already, and by ε = 1 the bound rises soonest.
            "ara" => Some(Self::Ara(AraOptions::OPTIMAL)),
            _ => None,
        }
    }

    /// The same search with so many searches, which share its budget. Branch and bound has one, ARA* its beam's two.
    pub fn with_searches(self, searches: usize) -> Self {
        match self {
            Self::Beam(o) => Self::Beam(BeamOptions { searches, ..o }),
            Self::Bnb(_) | Self::Ara(_) => self,
        }
    }

    /// Its seed; ARA* has none.
    pub fn seed(&self) -> u64 {
        match self {
            Self::Beam(o) => o.seed,
            Self::Bnb(o) => o.seed,
            Self::Ara(_) => 0,
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
            Self::Ara(_) => self,
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
        Search::Ara(o) => {
            let beam = BeamOptions {
                searches: SEARCHES,
                ..BeamOptions::default()
            };
            prove(problem, &o, (&beam, budget), c)
        }
    });
    Followed::of(problem, found)
}

/// A walk made better by a longer view, where it is far off its path: with budgets beside the one it was found with. Branch and bound
/// knows no such view.
///
/// # Errors
/// When the walk found is none: a fault of ours.
pub(super) fn follow_further(
    problem: &PathProblem<'_>,
    followed: Followed,
    search: Search,
    budget: &Budget,
    control: Control<'_>,
) -> Result<Followed, SynthError> {
    match search {
        Search::Beam(_) if problem.barred().is_some() => Ok(followed),
        Search::Beam(options) => {
            let found = look_further(problem, followed.found, &options, budget, control);
            Followed::of(problem, found)
        }
        Search::Bnb(_) | Search::Ara(_) => Ok(followed),
    }
}

/// Searches with a longer view: for walks further off their path than this on the mean (RMS, metres), how much steering counts, and
/// how many times the budget each may spend. The two make different mistakes: the first follows a path more closely, the second does
/// not lose it. Chosen on CMU 143 with thresholds of 3 cm.
const FURTHER: [(f64, f64, u64); 2] = [(0.1, 0.3, 1), (0.3, 1.0, 2)];

/// Where a walk is far off its path, or there is none: the best of it and those that are found by searches that know how the graph can
/// steer, and spend a budget of their own.
fn look_further(
    problem: &PathProblem<'_>,
    mut best: SearchResult<PathState>,
    options: &BeamOptions,
    budget: &Budget,
    control: Control<'_>,
) -> SearchResult<PathState> {
    let stopped = || control.cancel.is_some_and(|c| c.load(Ordering::Relaxed));
    let further = |r: &SearchResult<PathState>| r.end.as_ref().map_or(0.0, PathState::arc);
    for (metres, counts, times) in FURTHER {
        let frames = best.end.as_ref().map_or(0, PathState::frames);
        let far = !best.complete || best.cost > metres * metres * f64::from(frames);
        let spent = Duration::from_secs_f64(best.seconds);
        let left = budget.time.map(|t| t.saturating_sub(spent));
        if !far || stopped() || left.is_some_and(|l| l.is_zero()) {
            break;
        }
        let Some(steered) = Steered::new(problem, counts) else {
            break;
        };
        let budget = Budget {
            expansions: budget.expansions.saturating_mul(times),
            time: left,
            ..*budget
        };
        let found = beyond(&best, control, |c| {
            watched(&steered, c, |c| beam_search(&steered, options, &budget, c))
        });
        let better = match (found.complete, best.complete) {
            (true, true) => found.cost < best.cost,
            (false, false) => further(&found) > further(&best),
            (complete, _) => complete,
        };
        let (tried, seconds) = (
            best.expansions + found.expansions,
            best.seconds + found.seconds,
        );
        if better {
            best = found;
        }
        (best.expansions, best.seconds) = (tried, seconds);
    }
    best
}

/// Searches so that those who watch see nothing worse than the best there is.
fn beyond<R>(
    best: &SearchResult<PathState>,
    control: Control<'_>,
    search: impl FnOnce(Control<'_>) -> R,
) -> R {
    let tell = |p: SearchProgress| {
        if let Some(tell) = control.progress {
            let cost = best.complete.then_some(best.cost);
            tell(SearchProgress {
                expansions: best.expansions + p.expansions,
                best: p.best.into_iter().chain(cost).reduce(f64::min),
                ..p
            });
        }
    };
    let show = |b: BestSoFar| {
        if let Some(show) = control.best
            && (!best.complete || b.complete && b.cost < best.cost)
        {
            show(b);
        }
    };
    search(Control {
        progress: control.progress.is_some().then_some(&tell),
        best: control.best.is_some().then_some(&show),
        ..control
    })
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
