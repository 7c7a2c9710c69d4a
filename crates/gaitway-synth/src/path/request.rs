//! A path and all that is asked for along it: one request for every program that plans motion.

use std::time::Duration;

use gaitway_graph::MotionGraph;
use gaitway_runtime::timeline::Blend;

use super::edge_paths::EdgePaths;
use super::follow::{SEARCHES, Search, default_budget};
use super::options::PathOptions;
use super::{Path, PathError};
use crate::search::Budget;
use crate::{AssembleOptions, SynthError};

/// What the searches for one action may spend together beside the budget of the path.
const ACTION_EXPANSIONS: u64 = 2_000_000;

/// What ARA* may spend, the beam before it included: some seconds, and a gibibyte of states.
const ARA: Budget = Budget {
    expansions: 6_000_000,
    time: None,
    memory: 1 << 30,
};

/// What is asked for: paths, what is done along them, how it is searched, and how walks become motion.
///
/// ```
/// use gaitway_synth::path::{PathOptions, PathRequest, named_curve, parse_styles};
///
/// let request = PathRequest {
///     options: PathOptions { styles: parse_styles("walk")?, ..PathOptions::default() },
///     alternatives: 3,
///     seed: 7,
///     ..PathRequest::new(named_curve("s", 1.0)?)
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathRequest {
    /// The paths. Several make a crowd, person k on path k modulo their number.
    pub paths: Vec<Path>,
    /// What is asked for along each of them.
    pub options: PathOptions,
    /// Which search. Seed and searches are those below, whatever it says itself.
    pub search: Search,
    /// Another seed, another walk.
    pub seed: u64,
    /// Searches that share the budget, each with a seed of its own; default [`SEARCHES`]. People of a crowd get one each.
    pub searches: usize,
    /// Edges that may be tried, by all searches together; by the path's length where not given.
    pub expansions: Option<u64>,
    /// Wall-clock time of a search; what is found then depends on the machine.
    pub time: Option<Duration>,
    /// How many people, who do not walk through each other; default 1.
    pub people: usize,
    /// How many different walks, the best first; default 1. For one person on one path.
    pub alternatives: usize,
    /// Frames a second; the highest source rate in the graph where not given.
    pub out_fps: Option<f64>,
    /// How transitions are made.
    pub blend: Blend,
    /// Take out what error is left by bending the motion by at most this, metres.
    pub bend_m: Option<f64>,
    /// Plant the feet; default true.
    pub clean: bool,
}

impl PathRequest {
    /// One person along one path, the rest by default.
    pub fn new(path: Path) -> Self {
        Self::along(vec![path])
    }

    /// One person on each path, at the same time.
    pub fn along(paths: Vec<Path>) -> Self {
        Self {
            people: paths.len(),
            paths,
            options: PathOptions::default(),
            search: Search::default(),
            seed: 0,
            searches: SEARCHES,
            expansions: None,
            time: None,
            alternatives: 1,
            out_fps: None,
            blend: Blend::default(),
            bend_m: None,
            clean: true,
        }
    }

    /// Whether people share a clock: several of them, or several paths.
    pub fn is_crowd(&self) -> bool {
        self.people > 1 || self.paths.len() > 1
    }

    /// The ways of a graph's edges as this request measures them: once per graph is enough for all requests that agree in
    /// `naturalness` and `smooth_arc`.
    ///
    /// # Errors
    /// When the graph's frames are damaged.
    pub fn edge_paths(&self, graph: &MotionGraph) -> Result<EdgePaths, SynthError> {
        EdgePaths::new(graph, &self.options.naturalness, self.options.smooth_arc)
    }

    /// The search, with this request's seed and searches.
    pub fn search(&self) -> Search {
        self.search
            .with_seed(self.seed)
            .with_searches(self.searches)
    }

    /// What a search along a path may spend.
    pub fn budget_for(&self, path: &Path) -> Budget {
        if matches!(self.search, Search::Ara(_)) {
            // A budget of time alone is one of time alone.
            let most = self.time.map_or(ARA.expansions, |_| u64::MAX);
            return Budget {
                expansions: self.expansions.unwrap_or(most),
                time: self.time,
                ..ARA
            };
        }
        let default = default_budget(path);
        // Every search gets what it needs: more of them search longer, on more threads.
        let each = default.expansions / SEARCHES as u64;
        let all = each.saturating_mul(self.searches as u64);
        Budget {
            expansions: self.expansions.unwrap_or(all + self.for_actions()),
            time: self.time,
            memory: (default.memory / SEARCHES).saturating_mul(self.searches),
        }
    }

    /// What actions at points ask for beside the path's length: each is to be met to the decimetre.
    fn for_actions(&self) -> u64 {
        let count = self
            .options
            .styles
            .iter()
            .filter(|s| s.from == s.to)
            .count();
        ACTION_EXPANSIONS * count as u64
    }

    /// The budget where one was set. People of a crowd, and parts of a walk that are searched again, have smaller ones of their
    /// own where none was.
    pub fn given_budget(&self) -> Option<Budget> {
        let given = self.expansions.is_some() || self.time.is_some();
        self.paths
            .first()
            .filter(|_| given)
            .map(|path| self.budget_for(path))
    }

    /// What may be spent on the walk of seed 0 that a single one of another seed is held against: as much as seed 0 itself would be
    /// given, for with less another walk comes out, and the one that people have seen is met again in silence. Nothing where a
    /// budget was given, which is all for the walk.
    pub(crate) fn against(&self) -> Option<Budget> {
        let budget = self.budget_for(self.paths.first()?);
        self.given_budget().is_none().then_some(budget)
    }

    /// Rate and blend.
    pub(crate) fn assemble(&self) -> AssembleOptions {
        AssembleOptions {
            out_fps: self.out_fps,
            blend: self.blend,
            ..AssembleOptions::default()
        }
    }

    /// Says what cannot be before anything is searched; the most people and alternatives are
    /// checked where they are made.
    ///
    /// # Errors
    /// When there is no path or nobody, a crowd shall have alternatives, or a number is out of range.
    pub fn check(&self) -> Result<(), SynthError> {
        let wrong = |what: String| Err(SynthError::Options { what });
        if self.paths.is_empty() {
            return Err(PathError::Empty.into());
        }
        if self.is_crowd() && self.alternatives != 1 {
            return wrong("a crowd has no alternatives".to_owned());
        }
        if self.people == 0 {
            return wrong("there is nobody to walk".to_owned());
        }
        if self.searches == 0 {
            return wrong("there must be one search at least".to_owned());
        }
        if let Search::Bnb(bnb) = &self.search {
            bnb.check()?;
        }
        match (self.bend_m, self.out_fps) {
            (Some(m), _) if !(m.is_finite() && m >= 0.0) => {
                wrong(format!("a motion cannot be bent by {m} m"))
            }
            (_, Some(hz)) if !(hz.is_finite() && hz > 0.0) => {
                wrong(format!("a motion cannot have {hz} frames a second"))
            }
            _ => Ok(()),
        }
    }
}
