//! Motion graphs as spaces: states are at nodes, actions are the edges that leave them.

use gaitway_core::Planar;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};

use super::dead_end::DeadEnd;
use super::result::{BestSolution, SearchResult};
use super::run::Control;
use super::space::{Ask, Space, Step};
use crate::{SynthError, Walk};

/// A walk problem on a motion graph: who starts where, what an edge costs, when it is over. Whatever is one is a [`Space`]
/// whose actions are the edges that leave a state's node, by their numbers.
///
/// The laws of [`Space`] hold here too. Beside it the beam wants [`Layers`](super::Layers) and [`Key`](super::Key), and an empty
/// `impl` of [`Estimate`](super::Estimate), [`Guide`](super::Guide) and [`Explain`](super::Explain) where their defaults will do.
pub trait GraphProblem: Sync {
    /// What must be known of a walk to go on. Plain data: searches copy it into arenas sized ahead.
    type State: Copy + Send + Sync;

    /// The graph walked on.
    fn graph(&self) -> &MotionGraph;

    /// The node a state is at.
    fn node(&self, state: &Self::State) -> NodeId;

    /// Where walks may begin, in a fixed order.
    fn start_states(&self) -> Vec<Self::State>;

    /// Appends an edge: see [`Space::step`].
    ///
    /// # Errors
    /// The reason a hard constraint, or the limit, ends this branch.
    fn step(
        &self,
        from: &Self::State,
        edge: EdgeId,
        ask: Ask,
    ) -> Result<Step<Self::State>, DeadEnd>;

    /// Whether the walk is complete.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// What carries the clip of a start into the world, for those who watch; nothing where a problem has no ground.
    fn placement(&self, _start: &Self::State) -> Planar {
        Planar::IDENTITY
    }

    /// What was found as a walk, ready to be assembled; `None` where it has not an edge.
    ///
    /// # Errors
    /// When it is none of this graph.
    fn walk(&self, found: &SearchResult<Self::State>) -> Result<Option<Walk>, SynthError> {
        match &found.start {
            Some(start) => walk_of(
                self.graph(),
                self.node(start),
                found.edges(),
                found.last_frames,
            ),
            None => Ok(None),
        }
    }
}

impl<P: GraphProblem> Space for P {
    type State = <P as GraphProblem>::State;
    type Action = EdgeId;

    fn start_states(&self) -> Vec<Self::State> {
        GraphProblem::start_states(self)
    }

    #[inline]
    fn actions(&self, state: &Self::State) -> impl Iterator<Item = EdgeId> {
        self.graph().out_edges(self.node(state))
    }

    #[inline]
    fn step(
        &self,
        from: &Self::State,
        edge: EdgeId,
        ask: Ask,
    ) -> Result<Step<Self::State>, DeadEnd> {
        GraphProblem::step(self, from, edge, ask)
    }

    #[inline]
    fn is_goal(&self, state: &Self::State) -> bool {
        GraphProblem::is_goal(self, state)
    }

    /// Those of the widest node.
    fn most_actions(&self) -> Option<usize> {
        let graph = self.graph();
        let widest = graph.nodes().map(|n| graph.out_edges(n).len()).max();
        Some(widest.unwrap_or(0))
    }

    fn start_number(&self, start: &Self::State) -> u64 {
        u64::from(self.node(start).0)
    }
}

/// The best walk while a search is under way: the cheapest complete one, or, before there is one, the best of those that
/// have come furthest.
#[derive(Clone, Debug, PartialEq)]
pub struct BestSoFar {
    /// The node it starts from.
    pub start: NodeId,
    /// What carries its first clip into the world: see [`GraphProblem::placement`].
    pub world_from_start: Planar,
    /// Its edges.
    pub edges: Vec<EdgeId>,
    /// Working frames played of the last edge.
    pub last_frames: u32,
    /// f of what is walked so far.
    pub cost: f64,
    /// Whether it is complete.
    pub complete: bool,
    /// How far it has come, 0 to 1.
    pub part: f64,
    /// Edges tried so far.
    pub expansions: u64,
}

impl BestSoFar {
    /// The walk itself, ready to be assembled with `world_from_start`; `None` before its first edge.
    ///
    /// # Errors
    /// When it is none of this graph.
    pub fn walk(&self, graph: &MotionGraph) -> Result<Option<Walk>, SynthError> {
        walk_of(graph, self.start, &self.edges, self.last_frames)
    }
}

/// A walk of whole edges but for the last.
pub(crate) fn walk_of(
    graph: &MotionGraph,
    start: NodeId,
    edges: &[EdgeId],
    last_frames: u32,
) -> Result<Option<Walk>, SynthError> {
    let Some(&last) = edges.last() else {
        return Ok(None);
    };
    let walk = Walk::new(graph, start, edges.to_vec())?;
    let drop = graph.working_length(last).saturating_sub(last_frames);
    walk.trimmed(graph, 0, drop).map(Some)
}

/// Runs a search for those who want to see walks through a graph: what the search shows as states and actions, they get as
/// nodes, edges and a placement.
///
/// ```no_run
/// # use gaitway_synth::search::{BeamOptions, Budget, Control, SearchResult, beam_search, watched};
/// # use gaitway_synth::path::{PathProblem, PathState};
/// # fn f(problem: &PathProblem<'_>, control: Control<'_>) -> SearchResult<PathState> {
/// watched(problem, control, |c| beam_search(problem, &BeamOptions::default(), &Budget::default(), c))
/// # }
/// ```
pub fn watched<P: GraphProblem, R>(
    problem: &P,
    control: Control<'_>,
    search: impl FnOnce(Control<'_, BestSolution<<P as GraphProblem>::State, EdgeId>>) -> R,
) -> R {
    let show = |way: BestSolution<<P as GraphProblem>::State, EdgeId>| {
        if let Some(best) = control.best {
            best(BestSoFar {
                start: problem.node(&way.start),
                world_from_start: problem.placement(&way.start),
                edges: way.actions,
                last_frames: way.last_frames,
                cost: way.cost,
                complete: way.complete,
                part: way.part,
                expansions: way.expansions,
            });
        }
    };
    search(Control {
        cancel: control.cancel,
        progress: control.progress,
        best: control.best.is_some().then_some(&show),
        best_every: control.best_every,
    })
}
