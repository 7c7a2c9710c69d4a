//! What every walk along a path costs at least.
//!
//! Forget the path but for its length: whoever walks L metres runs out of clip. A run is a chain of pieces of one clip without a
//! transition; no run that may be played is longer than R metres, and no transition takes more than T metres. A walk with k
//! transitions goes (k + 1) R + k T metres at most, so that
//!
//!   k ≥ (L − R) / (R + T),      f ≥ k · (what the cheapest transition costs)
//!
//! A modest bound: it knows nothing of bends. It is 0 where one clip is longer than the path.

use super::objective::PathProblem;
use crate::search::GraphProblem;

/// The bound. Pieces of a path with labels of their own are taken together: what any of them allows may be played.
pub(super) fn lower_bound(problem: &PathProblem<'_>) -> f64 {
    let graph = problem.graph();
    let edges = problem.edge_paths();
    let gamma = problem.options().least_progress_m;
    let weights = &problem.options().naturalness;
    // An action waits at its point while it goes on walking: lengths say nothing then.
    if problem.pieces().iter().any(|p| p.action.is_some()) {
        return 0.0;
    }
    let may = |e| {
        let pieces = problem.pieces();
        // Where one style ends and another begins a transition belongs to both.
        let any = pieces.len() > 1 || pieces.iter().any(|p| problem.permits(p, e));
        !problem.is_forbidden(e) && any
    };
    let (mut cheapest, mut widest, mut step) = (f64::INFINITY, 0.0_f64, 0.0_f64);
    let mut lengths = vec![0.0; graph.edge_count()];
    for edge in graph.edges() {
        let rows = edges.rows(edge);
        let inside: f64 = rows.iter().skip(1).map(|r| r.ds.max(gamma)).sum();
        lengths[edge.index()] = inside;
        // From one edge's last frame to the next one's first, at most: from the node to either.
        let node = |n: gaitway_graph::NodeId, r: Option<&super::edge_paths::Row>, turn| {
            let r = r.map_or([0.0; 2], |r| [r.x, r.z]);
            let at = super::edge_paths::apply(&turn, edges.nodes[n.index()].at);
            (r[0] - at[0]).hypot(r[1] - at[1])
        };
        let same = [1.0, 0.0, 0.0, 0.0];
        let out = node(graph.from(edge), rows.first(), same);
        let into = node(graph.to(edge), rows.last(), edges.turns[edge.index()]);
        step = step.max(out).max(into);
        if graph.is_transition(edge) && may(edge) {
            widest = widest.max(inside);
            let cm = graph.transition(edge).map_or(0.0, |t| t.distance_cm());
            cheapest = cheapest.min(weights.per_transition + weights.transition_cm2 * cm * cm);
        }
    }
    let step = (2.0 * step).max(gamma);
    let mut longest = 0.0_f64;
    for clip in graph.clip_ids() {
        let mut run = 0.0;
        for node in graph.nodes_of(clip) {
            let piece = graph
                .out_edges(gaitway_graph::NodeId(node))
                .find(|&e| !graph.is_transition(e) && may(e));
            // Nodes of a clip are in its order: a piece leads to the next.
            run = piece.map_or(0.0, |e| run + lengths[e.index()] + step);
            longest = longest.max(run);
        }
    }
    let over = problem.path().length() - longest;
    if over <= 0.0 || !cheapest.is_finite() {
        return 0.0;
    }
    (over / (longest + widest + step)).ceil() * cheapest
}
