//! Why a search along a path failed, in words and places.

use glam::DVec2;

use super::PathProblem;
use super::state::PathState;
use crate::path::options::Start;
use crate::search::{DeadEnd, DeadEnds, SearchResult};

impl PathProblem<'_> {
    /// Why there is nowhere to start, if so.
    fn no_start(&self) -> String {
        match self.pieces[0].label {
            Some(l) => format!("no start with the label `{}`", self.graph.labels().name(l)),
            None if self.pieces[0].any => "no start: nothing may be played".to_owned(),
            None => format!("no start {}", self.in_manner()),
        }
    }

    fn in_manner(&self) -> String {
        let manner = self.edges.manner.words(self.graph);
        format!("in the manner of the path, {manner}; `--style any` lets it play anything")
    }

    pub(super) fn reason(&self, dead_ends: &DeadEnds<PathState>) -> String {
        let place = match self.options.start {
            Start::Best => self.path.at(0.0),
            Start::At { x, z, .. } => DVec2::new(x, z),
        };
        let Some((state, why)) = dead_ends.furthest else {
            return match self.clear(place, 0.0, 0) {
                Err(DeadEnd::Obstacle(k)) => {
                    let keep = self.options.body_radius_m + self.options.margin_m;
                    format!(
                        "the start lies in obstacle {k}: ({:.2}, {:.2}) is not {keep:.2} m away from it",
                        place.x, place.y
                    )
                }
                Err(why) => format!("at the start {}", why.words()),
                Ok(()) => self.no_start(),
            };
        };
        let at = format!(
            "({:.2}, {:.2}), {:.2} m along the path",
            state.last[0], state.last[1], state.arc
        );
        match why {
            DeadEnd::Obstacle(k) => format!(
                "blocked by obstacle {k}, {}; furthest at {at}",
                self.obstacle(k)
            ),
            DeadEnd::MovingObstacle(k) => {
                let who = self.options.moving_obstacles[k as usize].number;
                format!("blocked by person {who} at {at}")
            }
            DeadEnd::Label => {
                let at_piece = state.piece as usize;
                let now = &self.pieces[at_piece];
                let next = self.pieces.get(at_piece + 1).unwrap_or(now);
                let pending = now.action.filter(|_| !state.happened).or(next.action);
                let label = match pending {
                    Some(a) => self.actions[a].label,
                    None => next.label,
                };
                match label {
                    Some(l) => {
                        let name = self.graph.labels().name(l);
                        format!("the label `{name}` is unreachable from {at}")
                    }
                    None if next.any => format!("the label `any` is unreachable from {at}"),
                    None => format!("there is no way on {} from {at}", self.in_manner()),
                }
            }
            other
                if self.pieces[state.piece as usize].label.is_none()
                    && !self.pieces[state.piece as usize].any =>
            {
                format!("{} at {at}, {}", other.words(), self.in_manner())
            }
            other => format!("{} at {at}", other.words()),
        }
    }

    /// Where the root is at each working frame of a walk that was found.
    pub fn places(&self, found: &SearchResult<PathState>) -> Vec<[f64; 2]> {
        let Some(start) = found.start else {
            return Vec::new();
        };
        self.edges
            .way_from(start.world, found.edges(), found.last_frames)
    }

    fn obstacle(&self, k: u32) -> String {
        let middle = self.options.obstacles[k as usize].middle();
        format!("at ({:.2}, {:.2})", middle.x, middle.y)
    }
}
