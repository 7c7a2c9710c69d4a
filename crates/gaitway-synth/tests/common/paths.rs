//! Walks along paths, as several tests need them.

use std::sync::OnceLock;

use gaitway_core::testing::performed_clips;
use gaitway_graph::MotionGraph;
use gaitway_synth::cleanup::{PlantOptions, plant_feet};
use gaitway_synth::path::{
    EdgePaths, Followed, Path, PathOptions, Search, default_budget, follow_path, parse_styles,
};
use gaitway_synth::search::Budget;
use gaitway_synth::{AssembleOptions, Motion, assemble};

/// What the performer does that paths need, at 60 Hz.
pub fn walker() -> &'static MotionGraph {
    static GRAPH: OnceLock<MotionGraph> = OnceLock::new();
    GRAPH.get_or_init(|| {
        let clips = performed_clips(60.0, &["walk_", "sneak", "pick"]);
        super::graph_of(clips, 9.0)
    })
}

/// The same with blends alone: what searches were recorded on.
pub fn blended_walker() -> &'static MotionGraph {
    static GRAPH: OnceLock<MotionGraph> = OnceLock::new();
    GRAPH.get_or_init(|| {
        let clips = performed_clips(60.0, &["walk_", "sneak", "pick"]);
        super::blended(clips, 9.0)
    })
}

pub fn follow(
    graph: &MotionGraph,
    path: &Path,
    options: &PathOptions,
    search: Search,
    budget: &Budget,
) -> Followed {
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    follow_path(
        graph,
        &edges,
        path,
        options,
        search,
        budget,
        Default::default(),
    )
    .expect("a possible wish")
}

/// By the default search with its default budget.
pub fn follow_as_users_do(graph: &MotionGraph, path: &Path, options: &PathOptions) -> Followed {
    let budget = default_budget(path);
    follow(graph, path, options, Search::default(), &budget)
}

pub fn motion(graph: &MotionGraph, followed: &Followed) -> Motion {
    let options = AssembleOptions {
        world_from_start: followed.world_from_start,
        ..AssembleOptions::default()
    };
    assemble(graph, followed.walk.as_ref().expect("a walk"), &options).expect("a motion")
}

pub fn walking(styles: &str) -> PathOptions {
    PathOptions {
        styles: parse_styles(styles).expect("styles"),
        ..PathOptions::default()
    }
}

pub fn small(path: &Path) -> Budget {
    Budget::expansions(default_budget(path).expansions / 4)
}

/// A motion with its feet planted, as `path` writes it.
pub fn planted(motion: &Motion) -> Motion {
    let frame = |s: f64| (s * motion.clip.rate_hz()).round() as usize;
    let blends = motion.transitions.iter();
    let options = PlantOptions {
        transitions: blends.map(|t| frame(t.start_s)..frame(t.end_s)).collect(),
        ..PlantOptions::default()
    };
    let mut out = motion.clone();
    out.clip = plant_feet(&motion.clip, None, &options).expect("legs").clip;
    out
}
