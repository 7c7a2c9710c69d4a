//! Several people on several paths, or on the same, who do not walk through each other and do not move alike.
//!
//! One after another: each is searched with all before them as obstacles on the move, and a seed of their own. Who
//! finds the way blocked, or the start taken, sets out later.

use gaitway_graph::MotionGraph;

use super::edge_paths::EdgePaths;
use super::follow::{Followed, Search, default_budget, solve};
use super::objective::PathProblem;
use super::obstacles::MovingObstacle;
use super::options::PathOptions;
use super::{Path, PathError};
use crate::SynthError;
use crate::search::{Budget, Control, Outcome};

/// How a crowd is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdOptions {
    /// How many people.
    pub count: usize,
    /// Who follows another on the same path sets out this much later, seconds; default 1.5.
    pub apart_s: f64,
    /// How often one may put off setting out; default 12.
    pub tries: usize,
    /// Same seed, same crowd.
    pub seed: u64,
    /// How each is searched; with one start, whatever it says.
    pub search: Search,
    /// What each may spend; an eighth of the default budget of their path where not given.
    pub budget: Option<Budget>,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self {
            count: 2,
            apart_s: 1.5,
            tries: 12,
            seed: 0,
            search: Search::default(),
            budget: None,
        }
    }
}

/// One of a crowd.
#[derive(Clone, Debug)]
pub struct Person {
    /// Which of the paths.
    pub path: usize,
    /// When they set out, seconds on the crowd's clock.
    pub start_s: f64,
    /// Their walk.
    pub followed: Followed,
    /// Where their root is at each working frame, from when they set out; nobody before and after.
    pub places: Vec<[f64; 2]>,
}

/// Makes a crowd: person k on path k modulo their number.
///
/// # Errors
/// When there is no path or nobody, or for the reasons of [`super::follow_path`].
pub fn crowd(
    graph: &MotionGraph,
    edges: &EdgePaths,
    paths: &[Path],
    options: &PathOptions,
    crowd: &CrowdOptions,
    control: Control<'_>,
) -> Result<Vec<Person>, SynthError> {
    /// More than a square can hold.
    const MOST: usize = 10_000;
    if paths.is_empty() {
        return Err(PathError::Empty.into());
    }
    let possible = (1..=MOST).contains(&crowd.count) && (0.0..1e6).contains(&crowd.apart_s);
    if !possible {
        let what = format!("a crowd of {} people is not possible", crowd.count);
        return Err(SynthError::Options { what });
    }
    let rate = graph.working_rate_hz();
    let later = ((crowd.apart_s * rate).round() as u32).max(1);
    let mut asked = options.clone();
    let mut out: Vec<Person> = Vec::with_capacity(crowd.count);
    for k in 0..crowd.count {
        let path = k % paths.len();
        asked.clock_frame = options.clock_frame + (k / paths.len()) as u32 * later;
        // Seed 0 means no draw at all: everybody gets one of their own.
        let seed = crowd
            .seed
            .wrapping_mul(0x9e37_79b9)
            .wrapping_add(k as u64 + 1);
        let mut tries = 0;
        let budget = crowd
            .budget
            .unwrap_or_else(|| Budget::expansions(default_budget(&paths[path]).expansions / 8));
        let person = loop {
            let problem = PathProblem::new(graph, edges, &paths[path], &asked)?;
            let search = crowd.search.with_seed(seed).with_searches(1);
            let followed = solve(&problem, search, &budget, control)?;
            let stuck = followed.found.outcome != Outcome::Solved;
            let cancelled = control
                .cancel
                .is_some_and(|c| c.load(std::sync::atomic::Ordering::Relaxed));
            if stuck && tries < crowd.tries && !cancelled {
                tries += 1;
                asked.clock_frame += later;
                continue;
            }
            break Person {
                path,
                start_s: f64::from(asked.clock_frame) / rate,
                places: problem.places(&followed.found),
                followed,
            };
        };
        // Who has no walk is not there, and in nobody's way.
        let there = !matches!(person.followed.found.outcome, Outcome::NoWalk { .. });
        asked.moving_obstacles.push(MovingObstacle {
            places: if there {
                person.places.clone()
            } else {
                Vec::new()
            },
            radius_m: options.body_radius_m,
            from_frame: asked.clock_frame,
            leaves: true,
        });
        out.push(person);
    }
    Ok(out)
}
