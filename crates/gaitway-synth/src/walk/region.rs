//! The part of a graph that a random walk may play.

use gaitway_graph::inspect::{components_where, label_members};
use gaitway_graph::{EdgeId, MotionGraph, NodeId};

use super::RandomWalk;
use super::level::Level;
use crate::SynthError;

/// Edges along which a walk may go for ever.
pub(super) struct Region {
    pub allowed: Vec<bool>,
    pub nodes: Vec<bool>,
    /// Of captured clips.
    pub seconds: f64,
    /// Left out, since they climb.
    pub climbing_s: f64,
    /// Whether it climbs, since nothing on level ground goes on for ever.
    pub climbs: bool,
}

impl Region {
    /// What a walk may play. `level` is asked for only where it matters.
    pub fn new<'l>(
        graph: &MotionGraph,
        options: &RandomWalk,
        level: impl FnOnce() -> &'l Level,
    ) -> Result<Self, SynthError> {
        if graph.edge_count() == 0 {
            return Err(SynthError::EmptyGraph);
        }
        let member = options.label.map(|l| (l, label_members(graph)));
        let carries = |e: EdgeId| {
            member.as_ref().is_none_or(|(label, member)| {
                let inside = |n: NodeId| member[n.index()].contains(*label);
                let ends = inside(graph.from(e)) && inside(graph.to(e));
                graph.edge_labels(e).contains(*label) && ends
            })
        };
        let all = Self::endless(graph, carries).ok_or_else(|| match options.label {
            None => SynthError::EmptyGraph,
            Some(label) => SynthError::NoComponent {
                label: graph.labels().name(label).to_owned(),
            },
        })?;
        if options.any_height {
            return Ok(all);
        }
        let level = level();
        if options.label.is_some_and(|l| level.climbs(graph, l)) {
            return Ok(all);
        }
        let flat: Vec<bool> = graph
            .edges()
            .map(|e| all.allowed[e.index()] && level.keeps(graph, e))
            .collect();
        if flat == all.allowed {
            return Ok(all);
        }
        // What is left may fall apart: within a label the walk has to be able to come back to all of it.
        let parts = options
            .label
            .map(|_| components_where(graph, |e| flat[e.index()]));
        let inside = |e: EdgeId| {
            let in_largest = |n: NodeId| {
                let part = parts.as_ref().map(|p| p.of_node[n.index()]);
                part.is_none_or(|p| p == 0)
            };
            flat[e.index()] && in_largest(graph.from(e)) && in_largest(graph.to(e))
        };
        Ok(match Self::endless(graph, inside) {
            Some(kept) => Self {
                climbing_s: all.seconds - kept.seconds,
                ..kept
            },
            None => Self {
                climbs: true,
                ..all
            },
        })
    }

    /// Takes edges into dead ends away until none is left; `None` if nothing is.
    fn endless(graph: &MotionGraph, follow: impl Fn(EdgeId) -> bool) -> Option<Self> {
        let mut allowed: Vec<bool> = graph.edges().map(follow).collect();
        let mut ways: Vec<u32> = vec![0; graph.node_count()];
        let kept = graph.edges().filter(|e| allowed[e.index()]);
        kept.for_each(|e| ways[graph.from(e).index()] += 1);
        let mut dead: Vec<NodeId> = graph.nodes().filter(|n| ways[n.index()] == 0).collect();
        while let Some(node) = dead.pop() {
            for edge in graph.in_edges(node) {
                if std::mem::replace(&mut allowed[edge.index()], false) {
                    let from = graph.from(edge);
                    ways[from.index()] -= 1;
                    if ways[from.index()] == 0 {
                        dead.push(from);
                    }
                }
            }
        }
        let nodes: Vec<bool> = ways.iter().map(|&w| w > 0).collect();
        let played = graph.edges().filter(|e| allowed[e.index()]);
        let seconds = played
            .map(|e| graph.captured_seconds(e))
            .fold(0.0, |a, b| a + b);
        nodes.contains(&true).then_some(Self {
            allowed,
            nodes,
            seconds,
            climbing_s: 0.0,
            climbs: false,
        })
    }
}
