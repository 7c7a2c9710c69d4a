//! Laws of the searches, on small graphs and made-up costs.
#![allow(missing_docs)]

mod common;

use std::sync::atomic::{AtomicBool, Ordering};

use gaitway_core::ClipSet;
use gaitway_core::testing::swinging_clip;
use gaitway_graph::{EdgeId, GraphBuilder, MotionGraph, NodeId, Thresholds};
use gaitway_synth::search::{
    Ask, BeamOptions, BnbOptions, Budget, Control, DeadEnd, Estimate, Explain, GraphProblem, Guide,
    Key, Layers, Order, Outcome, Step, beam_search, branch_and_bound, replay,
};

fn graph() -> MotionGraph {
    let clips = vec![swinging_clip("a", 240, 60.0), swinging_clip("b", 180, 60.0)];
    GraphBuilder::new(ClipSet::new(clips).expect("one skeleton"))
        .thresholds(Thresholds::cm(4.0))
        .build(&mut ())
        .expect("a graph")
        .0
}

/// Walks of a number of frames whose costs are drawn by edge and time.
struct Drawn<'g> {
    graph: &'g MotionGraph,
    starts: Vec<NodeId>,
    frames: u32,
    seed: u64,
    forbid: Option<EdgeId>,
}

#[derive(Clone, Copy, Debug)]
struct At {
    node: NodeId,
    frames: u32,
}

impl GraphProblem for Drawn<'_> {
    type State = At;
    fn graph(&self) -> &MotionGraph {
        self.graph
    }
    fn start_states(&self) -> Vec<At> {
        self.starts
            .iter()
            .map(|&node| At { node, frames: 0 })
            .collect()
    }
    fn node(&self, s: &At) -> NodeId {
        s.node
    }
    fn step(&self, from: &At, edge: EdgeId, ask: Ask) -> Result<Step<At>, DeadEnd> {
        if self.forbid == Some(edge) {
            return Err(DeadEnd::Forbidden);
        }
        let length = self.graph.working_length(edge);
        let walked = length.min(ask.most_frames).min(self.frames - from.frames);
        let cost: f64 = (0..walked)
            .map(|k| {
                let h = (u64::from(edge.0) << 20 ^ u64::from(from.frames + k) ^ self.seed << 40)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (h >> 40) as f64 / (1 << 24) as f64
            })
            .sum();
        let state = At {
            node: self.graph.to(edge),
            frames: from.frames + walked,
        };
        Ok(Step {
            state,
            cost,
            frames: walked,
        })
    }
    fn is_goal(&self, s: &At) -> bool {
        s.frames >= self.frames
    }
}

impl Layers for Drawn<'_> {
    fn progress(&self, s: &At) -> f64 {
        f64::from(s.frames)
    }
    fn progress_at_goal(&self) -> f64 {
        f64::from(self.frames)
    }
}

impl Key for Drawn<'_> {
    fn key(&self, s: &At) -> u64 {
        u64::from(s.node.0) << 32 | u64::from(s.frames)
    }
}

impl Estimate for Drawn<'_> {}
impl Guide for Drawn<'_> {}
impl Explain for Drawn<'_> {}

/// All complete walks, by hand.
fn enumerate(p: &Drawn<'_>, s: At, cost: f64, best: &mut f64, count: &mut usize) {
    if p.is_goal(&s) {
        *count += 1;
        *best = best.min(cost);
        return;
    }
    for edge in p.graph.out_edges(s.node) {
        if let Ok(step) = p.step(&s, edge, Ask::ALL) {
            enumerate(p, step.state, cost + step.cost, best, count);
        }
    }
}

#[test]
fn branch_and_bound_equals_full_enumeration() {
    let graph = graph();
    let mut walks = 0;
    for seed in 0..24 {
        let start = NodeId((seed * 7 % graph.node_count() as u64) as u32);
        let starts = vec![start, NodeId(0)];
        let forbid = (seed % 3 == 0).then(|| graph.out_edges(start).last().expect("an edge"));
        let p = Drawn {
            graph: &graph,
            starts: starts.clone(),
            frames: 45,
            seed,
            forbid,
        };
        let mut best = f64::INFINITY;
        for &node in &starts {
            enumerate(&p, At { node, frames: 0 }, 0.0, &mut best, &mut walks);
        }
        for order in [Order::Cost, Order::PerFrame, Order::Guided] {
            let options = BnbOptions {
                horizon: None,
                per_bite: Some(u64::MAX),
                order,
                ..BnbOptions::default()
            };
            let found = branch_and_bound(
                &p,
                &options,
                &Budget::expansions(u64::MAX / 2),
                Control::default(),
            );
            if best.is_infinite() {
                assert!(matches!(found.outcome, Outcome::NoWalk { .. }));
                continue;
            }
            assert_eq!(found.outcome, Outcome::Solved);
            assert!(
                (found.cost - best).abs() < 1e-12,
                "{} is not {best}",
                found.cost
            );
            assert_eq!(found.bound, Some(found.cost));
            // The beam with cells as fine as states is dynamic programming: the same optimum.
            let beam = BeamOptions {
                layer: 1.0,
                ..BeamOptions::default()
            };
            let beam = beam_search(&p, &beam, &Budget::default(), Control::default());
            assert!(
                (beam.cost - best).abs() < 1e-9,
                "beam {} is not {best}",
                beam.cost
            );
        }
    }
    assert!(
        walks > 1000,
        "only {walks} walks: the graph is too small to say anything"
    );
}

#[test]
fn found_walks_replay_to_their_cost_and_halt_on_epsilon() {
    let graph = graph();
    let p = Drawn {
        graph: &graph,
        starts: graph.nodes().collect(),
        frames: 400,
        seed: 5,
        forbid: None,
    };
    let options = BnbOptions::default();
    let found = branch_and_bound(&p, &options, &Budget::default(), Control::default());
    assert!(found.complete);
    let (_, cost) = replay(
        &p,
        &found.start.expect("a start"),
        found.edges(),
        found.last_frames,
    )
    .expect("a walk");
    assert!((cost - found.cost).abs() < 1e-9);
    assert_eq!(found.bound, None, "bites prove nothing about the whole");
    // Any complete walk will do: the first is taken, and less is tried.
    let lazy = BnbOptions {
        epsilon: f64::INFINITY,
        ..options
    };
    let lazy = branch_and_bound(&p, &lazy, &Budget::default(), Control::default());
    assert!(lazy.complete && lazy.expansions < found.expansions);
    assert!(lazy.cost >= found.cost * 0.5);
}

#[test]
fn seeds_draw_among_the_best_and_repeat() {
    let graph = graph();
    let p = Drawn {
        graph: &graph,
        starts: vec![NodeId(0)],
        frames: 300,
        seed: 5,
        forbid: None,
    };
    let walk = |seed| {
        let options = BnbOptions {
            best: 5,
            tolerance: 2.0,
            seed,
            ..BnbOptions::default()
        };
        branch_and_bound(&p, &options, &Budget::default(), Control::default()).actions
    };
    assert_eq!(walk(1), walk(1));
    assert!((2..12).any(|s| walk(s) != walk(1)), "all seeds walk alike");
}

#[test]
fn cancel_returns_the_best_so_far_and_time_is_told() {
    let graph = graph();
    let p = Drawn {
        graph: &graph,
        starts: vec![NodeId(0)],
        frames: 3000,
        seed: 5,
        forbid: None,
    };
    let cancel = AtomicBool::new(false);
    let stop = |s: gaitway_synth::search::SearchProgress| {
        if s.part > 0.2 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let control = Control {
        cancel: Some(&cancel),
        progress: Some(&stop),
        ..Control::default()
    };
    let found = branch_and_bound(&p, &BnbOptions::default(), &Budget::default(), control);
    assert_eq!(found.outcome, Outcome::BudgetSpent);
    assert!(!found.actions.is_empty() && !found.complete);
    let found = beam_search(&p, &BeamOptions::default(), &Budget::default(), control);
    assert_eq!(found.outcome, Outcome::BudgetSpent);
    let timed = Budget {
        time: Some(std::time::Duration::from_secs(5)),
        ..Budget::default()
    };
    let found = branch_and_bound(&p, &BnbOptions::default(), &timed, Control::default());
    assert!(!found.deterministic);
}
