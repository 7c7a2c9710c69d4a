//! Several people on several paths, or on the same, who do not walk through each other and do not move alike.
//!
//! On each path they stand in line; where paths run against each other they keep right ([`super::lanes`]). Who is planned when, and
//! who waits for whom: [`super::gather`].
//!
//! Checked by: tests/path_crowd.rs.

use gaitway_graph::MotionGraph;
use serde::Serialize;

use super::edge_paths::EdgePaths;
use super::follow::{Followed, Search};
use super::gather::Gathering;
use super::likeness::Alike;
use super::options::PathOptions;
use super::{Path, PathError};
use crate::SynthError;
use crate::search::{Budget, Control};

/// How a crowd is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdOptions {
    /// How many people.
    pub count: usize,
    /// Who follows another on the same path sets out this much later, seconds; default 1.5.
    pub apart_s: f64,
    /// Who finds the way blocked sets out this much later, seconds; default 0.5.
    pub step_s: f64,
    /// How often one puts off setting out by that; then by twice as much each time, until everybody else has left. Default 24.
    pub tries: usize,
    /// Same seed, same crowd.
    pub seed: u64,
    /// How each is searched; with one start, whatever it says.
    pub search: Search,
    /// What each search may spend; an eighth of the default budget of their path where not given.
    pub budget: Option<Budget>,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self {
            count: 2,
            apart_s: 1.5,
            step_s: 0.5,
            tries: 24,
            seed: 0,
            search: Search::default(),
            budget: None,
        }
    }
}

/// That one set out later than they could have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Wait {
    /// How much later, seconds: after the one in front of them on their path had set out and was far enough ahead.
    pub wait_s: f64,
    /// Who was in the way when they first could have set out, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_for: Option<usize>,
}

/// One of a crowd.
#[derive(Clone, Debug)]
pub struct Person {
    /// Which of the paths.
    pub path: usize,
    /// When they set out, seconds on the crowd's clock.
    pub start_s: f64,
    /// Whether they had to wait, and for whom.
    pub wait: Wait,
    /// Whom they move like, where no other walk was found.
    pub alike: Option<Alike>,
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
    let possible = (1..=MOST).contains(&crowd.count)
        && (0.0..1e6).contains(&crowd.apart_s)
        && (0.0..1e6).contains(&crowd.step_s);
    if !possible {
        let what = format!("a crowd of {} people is not possible", crowd.count);
        return Err(SynthError::Options { what });
    }
    Gathering::new((graph, edges), paths, options, crowd, control).all()
}
