//! Walks as a report keeps them, and back: a part of one is searched again another day, or from another program.
//!
//! A walk is kept by numbers of its graph's nodes and edges, so it fits that graph only; the graph's tag says which. Of several
//! who walk at the same time one is searched again, and the others are in the way as they are, those who set out later too.
//!
//! Checked by: tests/path_kept.rs.

use gaitway_graph::{EdgeId, MotionGraph, NodeId};
use serde::{Deserialize, Serialize};

use crate::path::EdgePaths;
use crate::path::Followed;
use crate::path::MovingObstacle;
use crate::path::lanes::lanes;
use crate::path::{Path, PathOptions};
use crate::path::{PathProblem, PathWalk};
use crate::path::{Resolved, Window, resolve_window};
use crate::search::{Control, GraphProblem, Outcome, SearchEnd, SearchResult, replay};
use crate::{SynthError, Walk};

/// A walk along a path, by numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptWalk {
    /// Tag of the graph: another one has other edges.
    pub graph: String,
    /// Node it starts from.
    pub start: u32,
    /// θ, x, z that carry its first clip into the world.
    pub world_from_start: [f64; 3],
    /// Edges.
    pub edges: Vec<u32>,
    /// Working frames of the last edge.
    pub last_frames: u32,
    /// Whether it reaches the end.
    pub complete: bool,
}

impl KeptWalk {
    /// What a search found, on the graph of a tag; nothing where there is not a frame to walk.
    pub fn of(tag: &str, followed: &Followed) -> Option<Self> {
        let (walk, found) = (followed.walk.as_ref()?, &followed.found);
        let world = followed.world_from_start;
        Some(Self {
            graph: tag.to_owned(),
            start: walk.start().0,
            world_from_start: [world.theta, world.x, world.z],
            edges: found.edges().iter().map(|e| e.0).collect(),
            last_frames: found.last_frames,
            complete: found.complete,
        })
    }

    /// The walk as the search that found it had it.
    ///
    /// # Errors
    /// When the graph is another one, or what is asked for along the path no longer allows this walk.
    pub fn again(&self, problem: &PathProblem<'_>) -> Result<Followed, SynthError> {
        let graph = problem.graph();
        let wrong = |what: &str| SynthError::Options {
            what: what.to_owned(),
        };
        if self.graph != graph.tag() {
            return Err(wrong(
                "the walk was made on another graph, or on this one before it was changed",
            ));
        }
        let lost = || wrong("the kept walk does not fit what is asked for along the path now");
        let (node, edges) = self.checked(graph)?;
        let [_, x, z] = self.world_from_start;
        let far = |s: &crate::path::PathState| {
            let p = s.world_from_clip();
            (p.x - x).abs() + (p.z - z).abs()
        };
        // Starts are worked out, not read: a walk goes on from where the search had it to the last bit.
        let start = problem
            .start_states()
            .into_iter()
            .filter(|s| problem.node(s) == node)
            .min_by(|a, b| far(a).total_cmp(&far(b)))
            .ok_or_else(lost)?;
        let (end, cost) = replay(problem, &start, &edges, self.last_frames).ok_or_else(lost)?;
        let found = SearchResult {
            start: Some(start),
            end: Some(end),
            actions: edges,
            last_frames: self.last_frames,
            cost,
            bound: None,
            searches: 1,
            expansions: 0,
            complete: self.complete,
            outcome: if self.complete {
                Outcome::Solved
            } else {
                Outcome::BudgetSpent
            },
            // Nothing was searched for.
            search: SearchEnd::Complete,
            deterministic: true,
            seconds: 0.0,
        };
        Followed::of(problem, found)
    }

    /// Its numbers, where the graph has them and they make a walk.
    fn checked(&self, graph: &MotionGraph) -> Result<(NodeId, Vec<EdgeId>), SynthError> {
        let missing = |what: String| SynthError::NotInGraph { what };
        if self.start as usize >= graph.node_count() {
            return Err(missing(format!("node {}", self.start)));
        }
        if let Some(e) = self
            .edges
            .iter()
            .find(|&&e| e as usize >= graph.edge_count())
        {
            return Err(missing(format!("edge {e}")));
        }
        let edges: Vec<EdgeId> = self.edges.iter().map(|&e| EdgeId(e)).collect();
        Walk::new(graph, NodeId(self.start), edges.clone())?;
        match edges.last() {
            Some(&last) if (1..=graph.working_length(last)).contains(&self.last_frames) => {}
            _ => return Err(SynthError::EmptyWalk),
        }
        Ok((NodeId(self.start), edges))
    }
}

/// One of the motions of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Which of the paths.
    pub path: usize,
    /// When it sets out on the clock it shares with the others; nothing where it walks alone.
    pub start_s: Option<f64>,
    /// The walk.
    pub walk: KeptWalk,
}

/// Kept walks, one of them with a window searched again.
#[derive(Clone, Debug)]
pub struct ResolvedAmong {
    /// All walks as they are now; that of the one searched again is in `resolved`.
    pub others: Vec<Option<Followed>>,
    /// The one that was searched again.
    pub resolved: Resolved,
}

impl ResolvedAmong {
    /// All walks as they are now, in the order they were kept, to be made into motion.
    pub fn into_walks(self, kept: &[Kept]) -> Vec<PathWalk> {
        let mut new = Some(self.resolved.followed);
        let one = |(kept, other): (&Kept, Option<Followed>)| {
            Some(PathWalk {
                path: kept.path,
                start_s: kept.start_s,
                wait: None,
                alike: None,
                shared: None,
                followed: other.or_else(|| new.take())?,
            })
        };
        kept.iter().zip(self.others).filter_map(one).collect()
    }
}

/// Solves a window of one of several kept walks again. Those who share its clock are in its way; the rest is kept.
///
/// # Errors
/// As [`KeptWalk::again`] and [`resolve_window`]; when there is no such walk or path.
#[expect(
    clippy::too_many_arguments,
    reason = "as resolve_window, with the company"
)]
pub fn resolve_kept(
    graph: &MotionGraph,
    edges: &EdgePaths,
    paths: &[Path],
    options: &PathOptions,
    kept: &[Kept],
    which: usize,
    window: &Window,
    control: Control<'_>,
) -> Result<ResolvedAmong, SynthError> {
    let wrong = |what: String| SynthError::Options { what };
    let one = kept
        .get(which)
        .ok_or_else(|| wrong(format!("there are {} kept walks", kept.len())))?;
    let lanes = lanes(paths, options);
    let path_of = |k: &Kept| {
        let none = || wrong(format!("the kept walk follows path {} of them", k.path + 1));
        let path = paths.get(k.path).ok_or_else(none)?;
        let lane = k.start_s.and_then(|_| lanes[k.path].as_ref());
        Ok::<_, SynthError>(lane.unwrap_or(path))
    };
    let clock = |k: &Kept| (k.start_s.unwrap_or(0.0).max(0.0) * graph.working_rate_hz()).round();
    let mut asked = options.clone();
    let mut others = Vec::with_capacity(kept.len());
    for (k, other) in kept.iter().enumerate() {
        if k == which {
            others.push(None);
            continue;
        }
        let problem = PathProblem::new(graph, edges, path_of(other)?, options)?;
        let followed = other.walk.again(&problem)?;
        if one.start_s.is_some() && other.start_s.is_some() {
            asked.moving_obstacles.push(MovingObstacle {
                places: problem.places(&followed.found),
                radius_m: options.body_radius_m,
                from_frame: options.clock_frame + clock(other) as u32,
                leaves: true,
                number: k + 1,
            });
        }
        others.push(Some(followed));
    }
    asked.clock_frame += clock(one) as u32;
    let path = path_of(one)?;
    let problem = PathProblem::new(graph, edges, path, &asked)?;
    let followed = one.walk.again(&problem)?;
    let resolved = resolve_window(graph, edges, path, &asked, &followed, window, control)?;
    Ok(ResolvedAmong { others, resolved })
}
