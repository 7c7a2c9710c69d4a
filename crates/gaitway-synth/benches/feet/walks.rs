//! One-minute random walks through graphs of captured clips, before and after planting.

use std::path::Path;

use gaitway_core::{Clip, ClipSet};
use gaitway_graph::{GraphBuilder, Thresholds};
use gaitway_synth::cleanup::PlantOptions;
use gaitway_synth::{AssembleOptions, RandomWalk, assemble, random_walk};

use crate::measure::{self, Row, Set};

/// Sets that make graphs, and the distance below which a transition is taken.
const GRAPHS: [(&str, f64); 3] = [("CMU 16", 8.0), ("CMU 69", 8.0), ("CMU 143", 10.0)];
const SEEDS: [u64; 3] = [1, 2, 3];

/// A row per graph.
pub fn table(page: &mut String, sets: &[Set], data: &Path) {
    measure::head(page);
    let labels = gaitway_io::Labels::from_csv_file(&data.join("labels-gaitway.csv"));
    let labels = labels.expect("the data has labels");
    for (name, cm) in GRAPHS {
        let Some(set) = sets.iter().find(|s| s.name == name) else {
            continue;
        };
        let clips: Vec<Clip> = set.clips.clone();
        let labelled = labels.label(clips).expect("labels fit");
        let built = GraphBuilder::new(ClipSet::new(labelled).expect("one skeleton"))
            .thresholds(Thresholds::cm(cm))
            .build(&mut ());
        let graph = built.expect("a graph").0;
        let mut rows: Vec<Row> = Vec::new();
        let mut transitions = 0;
        for seed in SEEDS {
            let wish = RandomWalk {
                seconds: 60.0,
                seed,
                ..RandomWalk::default()
            };
            let walk = random_walk(&graph, &wish).expect("a walk of a minute");
            let motion = assemble(&graph, &walk, &AssembleOptions::default()).expect("a motion");
            transitions += motion.transitions.len();
            let frame = |s: f64| (s * motion.clip.rate_hz()).round() as usize;
            let blends = motion.transitions.iter();
            let options = PlantOptions {
                transitions: blends.map(|t| frame(t.start_s)..frame(t.end_s)).collect(),
                ..PlantOptions::default()
            };
            rows.push(measure::row(&motion.clip, &options));
        }
        let name = format!("{name}, {} walks, {transitions} transitions", SEEDS.len());
        measure::line(page, &name, &rows);
    }
}
