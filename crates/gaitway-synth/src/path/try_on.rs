//! Trying on where an action asked for does not happen as asked.
//!
//! A search places the event of a clip; blends and planted feet come after it and may leave too little of it, and a beam may have
//! let go of the walks that come nearest. So a walk with actions is made into a motion and looked at. Where one is missed it
//! is searched for again: by turns without the events that were played for nothing, by the other search, and with other seeds.
//! The best of all counts. Each try has what a search along that path has by default, or what is left of a budget that was given.

use std::time::Duration;

use gaitway_graph::MotionGraph;

use super::edge_paths::EdgePaths;
use super::follow::{Followed, Search, follow_path};
use super::plan::{PathMotion, PathWalk, make_motion};
use super::request::PathRequest;
use crate::SynthError;
use crate::report::{ActionRow, asked_along, events_played};
use crate::search::{BnbOptions, Control};

/// Searches beside the first.
const TRIES: u64 = 4;

/// The walk, or a better one where it misses an action.
pub(super) fn try_on(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PathRequest,
    first: Followed,
    control: Control<'_>,
) -> Result<Followed, SynthError> {
    let path = &request.paths[0];
    let asked = asked_along(graph, path, &request.options);
    if asked.is_empty() || !first.found.complete {
        return Ok(first);
    }
    let made = |followed: Followed| {
        let walk = PathWalk {
            path: 0,
            start_s: None,
            wait: None,
            alike: None,
            shared: None,
            followed,
        };
        make_motion(graph, request, walk)
    };
    let mut best = made(first)?;
    let (mut expansions, mut seconds) = (spent(&best).0, spent(&best).1);
    let mut passed_over = request.options.passed_over.clone();
    for k in 0..TRIES {
        let cancelled = control
            .cancel
            .is_some_and(|c| c.load(std::sync::atomic::Ordering::Relaxed));
        if missed(&best).0 == 0 || cancelled {
            break;
        }
        let mut budget = request.budget_for(path);
        if let Some(given) = request.expansions {
            budget.expansions = given.saturating_sub(expansions);
        }
        if let Some(given) = request.time {
            budget.time = Some(given.saturating_sub(Duration::from_secs_f64(seconds)));
        }
        if budget.expansions == 0 || budget.time.is_some_and(|t| t.is_zero()) {
            break;
        }
        let mut options = request.options.clone();
        if let (true, Some(motion)) = (k % 2 == 0, &best.motion) {
            passed_over.extend(events_played(graph, &asked, motion));
            options.passed_over.clone_from(&passed_over);
        }
        let search = match (k, request.search()) {
            (1, Search::Beam(_)) => Search::Bnb(BnbOptions::default()),
            (1, Search::Bnb(_) | Search::Ara(_)) => Search::default(),
            (_, same) => same.with_seed(request.seed.wrapping_add(k / 2)),
        };
        // An action none of whose events are left is one that this try cannot do.
        let found = follow_path(graph, edges, path, &options, search, &budget, control);
        let Ok(found) = found else { continue };
        expansions += found.found.expansions;
        seconds += found.found.seconds;
        if !found.found.complete {
            continue;
        }
        let one = made(found)?;
        if rank(&one) < rank(&best) {
            best = one;
        }
    }
    let mut out = best.walk.followed;
    (out.found.expansions, out.found.seconds) = (expansions, seconds);
    Ok(out)
}

fn spent(made: &PathMotion) -> (u64, f64) {
    let found = &made.walk.followed.found;
    (found.expansions, found.seconds)
}

/// How many actions are missed, and how far off they are in all: a metre for one that does not happen.
fn missed(made: &PathMotion) -> (usize, f64) {
    let off = |a: &ActionRow| a.off_m.map_or(1.0, |m| m.min(1.0));
    let rows = made.report.actions.iter().filter(|a| !a.as_asked);
    rows.fold((0, 0.0), |(n, sum), a| (n + 1, sum + off(a)))
}

/// Less is better: what does all that was asked, then fewer actions missed, then nearer ones.
fn rank(made: &PathMotion) -> (bool, usize, u64) {
    let (count, off) = missed(made);
    let solved = made.report.status == "Solved";
    (!solved, count, (1e6 * off) as u64)
}
