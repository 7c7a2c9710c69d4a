//! An objective of one's own: twenty seconds with the least sum of transition distances, no edge longer than two seconds.
//!
//! Run it: `cargo run -p gaitway-synth --example objective`
#![allow(clippy::print_stdout)]

use gaitway_core::ClipSet;
use gaitway_core::performer::library;
use gaitway_graph::{EdgeId, GraphBuilder, MotionGraph, NodeId, Thresholds};
use gaitway_synth::Walk;
use gaitway_synth::search::{Ask, BeamOptions, Budget, Cut, Problem, Step, beam_search};

struct Calm<'g> {
    graph: &'g MotionGraph,
    frames: u32,
}

#[derive(Clone, Copy)]
struct At {
    node: NodeId,
    frames: u32,
}

impl Problem for Calm<'_> {
    type State = At;

    fn graph(&self) -> &MotionGraph {
        self.graph
    }

    fn starts(&self) -> Vec<At> {
        let nodes = self.graph.nodes();
        nodes.map(|node| At { node, frames: 0 }).collect()
    }

    fn node(&self, s: &At) -> NodeId {
        s.node
    }

    fn step(&self, s: &At, edge: EdgeId, _: Ask) -> Result<Step<At>, Cut> {
        let frames = self.graph.working_length(edge);
        if frames > 60 {
            return Err(Cut::Other);
        }
        let transition = self.graph.transition(edge);
        let state = At {
            node: self.graph.to(edge),
            frames: s.frames + frames,
        };
        Ok(Step {
            state,
            cost: transition.map_or(0.0, |t| t.distance_cm()),
            frames,
        })
    }

    fn is_goal(&self, s: &At) -> bool {
        s.frames >= self.frames
    }

    fn progress(&self, s: &At) -> f64 {
        f64::from(s.frames)
    }

    fn progress_at_goal(&self) -> f64 {
        f64::from(self.frames)
    }

    /// What follows depends on nothing else.
    fn cell(&self, s: &At) -> u64 {
        u64::from(s.node.0) << 32 | u64::from(s.frames)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let takes = library(1, 30.0)?.into_iter().map(|t| t.clip);
    let walks = takes.filter(|c| c.name().contains("walk_")).collect();
    let (graph, _) = GraphBuilder::new(ClipSet::new(walks)?)
        .thresholds(Thresholds::cm(8.0))
        .build(&mut ())?;
    let problem = Calm {
        graph: &graph,
        frames: 600,
    };
    // Progress counts frames here: a layer is one frame.
    let options = BeamOptions {
        layer: 1.0,
        ..BeamOptions::default()
    };
    let found = beam_search(&problem, &options, &Budget::default(), Default::default());
    let Some(start) = found.start else {
        println!("{:?}", found.outcome);
        return Ok(());
    };
    let walk = Walk::new(&graph, start.node, found.edges)?;
    println!(
        "{:?}: {:.1} s, {} transitions, {:.1} cm in all, {} expansions",
        found.outcome,
        walk.seconds(&graph),
        walk.transition_count(&graph),
        found.cost,
        found.expansions
    );
    Ok(())
}
