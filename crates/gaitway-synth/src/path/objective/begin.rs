//! Where walks may begin.

use gaitway_core::planar::heading_of;
use gaitway_graph::inspect::components_where;
use gaitway_graph::{EdgeId, NodeId};
use glam::DVec2;

use super::PathProblem;
use super::state::{PathState, RECENT};
use crate::path::edge_paths::{NodeAhead, apply};
use crate::path::options::Start;
use crate::path::styles::StylePiece;

impl PathProblem<'_> {
    /// Where walks may begin, by where ways lead from nodes.
    pub(crate) fn all_starts(&self, onward: &[NodeAhead]) -> Vec<PathState> {
        let first = &self.pieces[0];
        let style = StylePiece {
            action: None,
            ..*first
        };
        let may = |e: EdgeId| !self.forbidden[e.index()] && self.permits(&style, e);
        // Where endless motion of the style is possible; a style that is all there is needs no such thing.
        let free = style.any;
        let loops = (!free).then(|| components_where(self.graph, |e| self.permits(&style, e)));
        let fits = |n: NodeId| {
            let inside = loops.as_ref().is_none_or(|c| c.of_node[n.index()] == 0);
            inside && self.graph.out_edges(n).any(may)
        };
        let (place, heading) = match self.options.start {
            Start::Best => (self.path.at(0.0), None),
            Start::At { x, z, heading } => (DVec2::new(x, z), Some(heading)),
        };
        if self.clear(place, 0.0, 0).is_err() {
            return Vec::new();
        }
        let turn = |n: NodeId| match heading {
            Some(h) => h - self.edges.nodes[n.index()].facing,
            None => self.aligned(&onward[n.index()], place),
        };
        let nodes = self.graph.nodes().filter(|&n| fits(n));
        nodes.map(|n| self.state_at(n, place, turn(n))).collect()
    }

    /// A state at a node whose root stands on a place, turned by θ.
    fn state_at(&self, node: NodeId, place: DVec2, theta: f64) -> PathState {
        let ahead = &self.edges.nodes[node.index()];
        let (sin, cos) = theta.sin_cos();
        let turned = apply(&[cos, sin, 0.0, 0.0], ahead.at);
        PathState {
            node,
            frames: 0,
            world: [cos, sin, place.x - turned[0], place.y - turned[1]],
            arc: 0.0,
            waited: 0.0,
            last: place.to_array(),
            piece: 0,
            piece_frames: 0,
            happened: false,
            done: false,
            recent: [0; RECENT],
        }
    }

    /// The turn that lays what the clip does next along the path.
    fn aligned(&self, n: &NodeAhead, at: DVec2) -> f64 {
        let way = self.path.at(n.ahead_s.max(0.2)) - at;
        let goal = heading_of(way.x, way.y);
        let there = n.ahead[0].hypot(n.ahead[1]);
        if there > 0.2 {
            goal - heading_of(n.ahead[0], n.ahead[1])
        } else {
            goal - n.facing
        }
    }
}
