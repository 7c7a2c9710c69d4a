//! An objective of one's own: twenty seconds with the least sum of transition distances, no edge longer than two seconds.
//!
//! Run it: `cargo run -p gaitway-synth --example objective`
#![allow(clippy::print_stdout)]

use gaitway_core::ClipSet;
use gaitway_core::performer::library;
use gaitway_graph::{EdgeId, GraphBuilder, MotionGraph, NodeId, Thresholds};
use gaitway_synth::search::{
    Ask, BeamOptions, Budget, DeadEnd, Estimate, Explain, GraphProblem, Guide, Key, Layers, Step,
    beam_search,
};

struct Calm<'g>(&'g MotionGraph);

/// A node, and working frames so far.
type At = (NodeId, u32);

const FRAMES: u32 = 600;

impl GraphProblem for Calm<'_> {
    type State = At;

    fn graph(&self) -> &MotionGraph {
        self.0
    }

    fn node(&self, at: &At) -> NodeId {
        at.0
    }

    fn start_states(&self) -> Vec<At> {
        self.0.nodes().map(|node| (node, 0)).collect()
    }

    fn step(&self, at: &At, edge: EdgeId, _: Ask) -> Result<Step<At>, DeadEnd> {
        let frames = self.0.working_length(edge);
        if frames > 60 {
            return Err(DeadEnd::Other);
        }
        let cost = self.0.transition(edge).map_or(0.0, |t| t.distance_cm());
        let state = (self.0.to(edge), at.1 + frames);
        Ok(Step {
            state,
            cost,
            frames,
        })
    }

    fn is_goal(&self, at: &At) -> bool {
        at.1 >= FRAMES
    }
}

impl Layers for Calm<'_> {
    fn progress(&self, at: &At) -> f64 {
        f64::from(at.1)
    }

    fn progress_at_goal(&self) -> f64 {
        f64::from(FRAMES)
    }
}

impl Key for Calm<'_> {
    /// What follows depends on nothing else.
    fn key(&self, at: &At) -> u64 {
        u64::from(at.0.0) << 32 | u64::from(at.1)
    }
}

impl Estimate for Calm<'_> {}
impl Guide for Calm<'_> {}
impl Explain for Calm<'_> {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let takes = library(1, 30.0)?.into_iter().map(|t| t.clip);
    let walks = takes.filter(|c| c.name().contains("walk_")).collect();
    let (graph, _) = GraphBuilder::new(ClipSet::new(walks)?)
        .thresholds(Thresholds::cm(8.0))
        .build(&mut ())?;
    let calm = Calm(&graph);
    // Progress counts frames here: a layer is one frame.
    let options = BeamOptions {
        layer: 1.0,
        ..BeamOptions::default()
    };
    let found = beam_search(&calm, &options, &Budget::default(), Default::default());
    let walk = calm.walk(&found)?.ok_or("not an edge could be walked")?;
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
