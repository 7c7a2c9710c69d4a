//! From a request to finished motions: searched, assembled, bent, feet planted, reported on.
//!
//! ```text
//!   PathRequest ──► find_walks ──► PathWalk ──► make_motion ──► PathMotion ──► row: as reports have it
//!                   resolve_kept (a part of a walk again) ─┘
//! ```
//!
//! One chain for every program, so that the command line and the studio give the same frames. Whoever shows progress or stops
//! in between takes it in two steps, and holds the motions of a crowd against each other at the end ([`keep_apart`]); [`plan_path`] is all of it.
//!
//! Checked by: tests/path_plan.rs; `gaitway-cli/tests/cli/one_plan.rs` (library, program and studio give the same bytes).

use gaitway_core::Clip;
use gaitway_graph::MotionGraph;
use serde_json::{Value, json};

use super::alternatives::{Alternative, AlternativeOptions, alternatives};
use super::crowd::{CrowdOptions, Person, Wait, crowd};
use super::edge_paths::EdgePaths;
use super::follow::{Followed, follow_further};
use super::lanes::lanes;
use super::likeness::Alike;
use super::objective::PathProblem;
use super::request::PathRequest;
use super::styles::on_the_way;
use super::try_on::try_on;
use crate::motion::{AssembleOptions, FinishOptions, Motion, finish_motion};
use crate::report::{KeptWalk, PathReport, keep_apart, path_report};
use crate::search::{Control, Outcome};
use crate::{SynthError, Walk};

/// A walk along one of the paths of a request.
#[derive(Clone, Debug)]
pub struct PathWalk {
    /// Which path.
    pub path: usize,
    /// When it sets out, seconds on the clock of a crowd.
    pub start_s: Option<f64>,
    /// Of a crowd, whether it had to wait before it set out.
    pub wait: Option<Wait>,
    /// What it is much like, where no other walk was found.
    pub alike: Option<Alike>,
    /// Among alternatives, the part of its frames that one found before it plays too, 0 to 1.
    pub shared: Option<f64>,
    /// What the search says.
    pub followed: Followed,
}

impl PathWalk {
    /// Why there is no walk to its end; nothing where there is one, or where only the budget was too small.
    pub fn reason(&self) -> Option<&str> {
        match &self.followed.found.outcome {
            Outcome::NoWalk { reason } => Some(reason),
            Outcome::Solved | Outcome::BudgetSpent => None,
        }
    }
}

/// A motion along one of the paths of a request, with all that is known of it.
#[derive(Clone, Debug)]
pub struct PathMotion {
    /// What it was made from.
    pub walk: PathWalk,
    /// The motion; none where not a frame could be walked. One that breaks off where the search was stuck is here too: see
    /// [`PathMotion::has_walk`].
    pub motion: Option<Motion>,
    /// Why its feet were left as they are, where they could not be planted.
    pub not_planted: Option<String>,
    /// Numbers.
    pub report: PathReport,
}

impl PathMotion {
    /// Whether there is a motion to use: one that arrives, or that did not for want of budget alone.
    pub fn has_walk(&self) -> bool {
        self.motion.is_some() && self.walk.reason().is_none()
    }

    /// The frames, where there is a motion to use.
    pub fn clip(&self) -> Option<&Clip> {
        self.motion
            .as_ref()
            .filter(|_| self.has_walk())
            .map(|motion| &motion.clip)
    }

    /// The frames, or why there are none.
    ///
    /// # Errors
    /// [`SynthError::NoWalk`] with the reason.
    pub fn require_clip(&self) -> Result<&Clip, SynthError> {
        self.clip().ok_or_else(|| SynthError::NoWalk {
            reason: no_walk(std::slice::from_ref(&self.walk)).to_owned(),
        })
    }

    /// The walk through the graph.
    pub fn graph_walk(&self) -> Option<&Walk> {
        self.walk.followed.walk.as_ref()
    }

    /// Whether the walk reaches the path's end.
    pub fn complete(&self) -> bool {
        self.walk.followed.found.complete
    }

    /// Metres of path done.
    pub fn gone_m(&self) -> f64 {
        self.walk.followed.found.end.map_or(0.0, |e| e.arc())
    }

    /// The row of a report as `path --report` writes it. The tag is that of the graph, for the walk to be found again; `file` is
    /// where the motion was written, if it was.
    pub fn row(&self, graph_tag: &str, file: Option<&str>) -> Value {
        let mut row = json!(self.report);
        row["complete"] = json!(self.complete());
        if let Some(file) = file {
            row["file"] = json!(file);
        }
        if let Some(walk) = KeptWalk::of(graph_tag, &self.walk.followed) {
            row["walk"] = json!(walk);
        }
        if let Some(shared) = self.walk.shared {
            row["shared"] = json!(shared);
        }
        if let Some(start_s) = self.walk.start_s {
            row["path"] = json!(self.walk.path);
            row["start_s"] = json!(start_s);
        }
        if let Some(wait) = self.walk.wait {
            row["wait_s"] = json!(wait.wait_s);
            if let Some(who) = wait.waited_for {
                row["waited_for"] = json!(who);
            }
        }
        if let Some(alike) = &self.walk.alike {
            row["alike"] = json!(alike);
        }
        row
    }
}

/// Why none of some walks is to be used, in words.
pub fn no_walk(walks: &[PathWalk]) -> &str {
    let reason = walks.iter().find_map(PathWalk::reason);
    reason.unwrap_or("nothing was found in time")
}

/// Searches what a request asks for: a crowd, or different walks along one path, those that arrive first, then by cost.
///
/// # Errors
/// When what is asked for cannot be: see [`PathRequest::check`] and [`follow_path`](super::follow_path). That there is no walk
/// is no error but an outcome.
pub fn find_walks(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PathRequest,
    control: Control<'_>,
) -> Result<Vec<PathWalk>, SynthError> {
    request.check()?;
    if request.is_crowd() {
        let wish = CrowdOptions {
            count: request.people,
            seed: request.seed,
            search: request.search(),
            budget: request.given_budget(),
            ..CrowdOptions::default()
        };
        let options = &request.options;
        let people = crowd(graph, edges, &request.paths, options, &wish, control)?;
        return Ok(people.into_iter().map(PathWalk::from).collect());
    }
    let path = &request.paths[0];
    let wish = AlternativeOptions {
        count: request.alternatives,
        seed: request.seed,
        against: request.against(),
        ..AlternativeOptions::default()
    };
    let search = (request.search(), &request.budget_for(path));
    let mut all = alternatives(graph, edges, path, &request.options, search, &wish, control)?;
    all.sort_by(|a, b| {
        let (a, b) = (&a.followed.found, &b.followed.found);
        b.complete.cmp(&a.complete).then(a.cost.total_cmp(&b.cost))
    });
    if request.alternatives == 1
        && let Some(only) = all.pop()
    {
        let mut followed = only.followed;
        // A budget that was given is all there is; and walks of other seeds are to differ from the best, which this would find for each.
        if let Some(budget) = request.against().filter(|_| request.seed == 0) {
            let problem = PathProblem::new(graph, edges, path, &request.options)?;
            let search = request.search();
            followed = follow_further(&problem, followed, search, &budget, control)?;
        }
        let followed = try_on(graph, edges, request, followed, control)?;
        all.push(Alternative { followed, ..only });
    }
    let several = request.alternatives > 1;
    let one = |a: Alternative| PathWalk {
        path: 0,
        start_s: None,
        wait: None,
        alike: a.alike,
        shared: several.then_some(a.shared),
        followed: a.followed,
    };
    Ok(all.into_iter().map(one).collect())
}

impl From<Person> for PathWalk {
    fn from(person: Person) -> Self {
        Self {
            path: person.path,
            start_s: Some(person.start_s),
            wait: Some(person.wait),
            alike: person.alike,
            shared: None,
            followed: person.followed,
        }
    }
}

/// Makes the motion of a walk, found by [`find_walks`] or searched again in part
/// ([`resolve_kept`](crate::report::resolve_kept)), and reports on it.
///
/// # Errors
/// When the graph's frames are damaged, the request has no such path, or rate or bend cannot be. Feet that cannot be planted
/// are no error: see [`PathMotion::not_planted`].
pub fn make_motion(
    graph: &MotionGraph,
    request: &PathRequest,
    walk: PathWalk,
) -> Result<PathMotion, SynthError> {
    let path = request.paths.get(walk.path).ok_or_else(|| {
        let what = format!("the walk follows path {} of them", walk.path + 1);
        SynthError::Options { what }
    })?;
    let followed = &walk.followed;
    // Who keeps right is bent to where they keep to.
    let lane = match (request.bend_m, walk.start_s) {
        (Some(_), Some(_)) => lanes(&request.paths, &request.options).swap_remove(walk.path),
        _ => None,
    };
    let (way, styles) = on_the_way(graph, path, &request.options)?;
    // Who is one of a crowd keeps to its clock, or would walk into others.
    let schedule = styles.schedule.filter(|_| walk.start_s.is_none());
    let finish = FinishOptions {
        assemble: AssembleOptions {
            world_from_start: followed.world_from_start,
            ..request.assemble()
        },
        bend: request
            .bend_m
            .map(|most_m| (lane.as_ref().unwrap_or(path), most_m)),
        times: schedule.as_ref().map(|s| (way.as_ref(), s)),
        clean: request.clean,
    };
    let finished = match &followed.walk {
        Some(through) => Some(finish_motion(graph, through, &finish)?),
        None => None,
    };
    let (motion, not_planted) = finished.map_or((None, None), |f| (Some(f.motion), f.not_planted));
    let report = path_report(graph, path, &request.options, followed, motion.as_ref());
    Ok(PathMotion {
        walk,
        motion,
        not_planted,
        report,
    })
}

/// Plans motion along a path from end to end.
///
/// ```
/// use gaitway_core::{ClipSet, performer::library};
/// use gaitway_graph::GraphBuilder;
/// use gaitway_synth::path::{PathRequest, named_curve, plan_path};
///
/// let takes = library(1, 30.0)?.into_iter().map(|t| t.clip);
/// let walks = takes.filter(|c| c.name().contains("walk_")).take(6);
/// let (graph, _) = GraphBuilder::new(ClipSet::new(walks.collect())?).build(&mut ())?;
/// let motions = plan_path(&graph, &PathRequest::new(named_curve("line", 0.5)?))?;
/// let clip = motions[0].require_clip()?;
/// println!("{:.1} s, {:.1} cm from the path", clip.seconds(), 100.0 * motions[0].report.path_error_m.rms);
/// # assert!(clip.seconds() > 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`find_walks`] and [`make_motion`]. That there is no walk is no error but an outcome, since others of a crowd may have
/// one: [`PathMotion::require_clip`] has the reason.
pub fn plan_path(
    graph: &MotionGraph,
    request: &PathRequest,
) -> Result<Vec<PathMotion>, SynthError> {
    let edges = request.edge_paths(graph)?;
    plan_path_with(graph, &edges, request, Control::default())
}

/// [`plan_path`] with edges measured before ([`PathRequest::edge_paths`]), to be watched and stopped.
///
/// # Errors
/// As [`plan_path`].
pub fn plan_path_with(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PathRequest,
    control: Control<'_>,
) -> Result<Vec<PathMotion>, SynthError> {
    let walks = find_walks(graph, edges, request, control)?;
    let made = walks
        .into_iter()
        .map(|walk| make_motion(graph, request, walk));
    let mut motions = made.collect::<Result<Vec<_>, _>>()?;
    keep_apart(&mut motions, &request.options);
    Ok(motions)
}
