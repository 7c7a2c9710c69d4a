//! What is proven of short paths, and in how long.

use std::fmt::Write as _;

use gaitway_graph::MotionGraph;
use gaitway_synth::path::{
    EdgePaths, Path, PathOptions, Search, default_budget, follow_path, named_curve, parse_styles,
};
use gaitway_synth::search::{AraOptions, Budget, Control, Epsilons, SearchEnd};
use glam::DVec2;

use crate::sets::SETS;

type AnyError = Box<dyn std::error::Error>;

fn problems() -> Result<Vec<(&'static str, Path)>, AnyError> {
    let corner = [[0.0, 0.0], [0.0, 1.2], [1.2, 1.2]].map(DVec2::from_array);
    Ok(vec![
        ("line, 1.6 m", named_curve("line", 0.2)?),
        ("line, 3.2 m", named_curve("line", 0.4)?),
        ("corner, 2.4 m", Path::new(corner.to_vec(), false)?),
    ])
}

pub fn all(page: &mut String, only: Option<&str>) -> Result<(), AnyError> {
    writeln!(page, "{HEAD}")?;
    for set in SETS
        .iter()
        .filter(|s| ["performer", "CMU 143"].contains(&s.name))
    {
        if only.is_some_and(|o| !set.name.contains(o)) {
            continue;
        }
        let Some(graph) = set.graph()? else { continue };
        let mut options = PathOptions::default();
        if let Some(label) = set.label {
            options.styles = parse_styles(label)?;
        }
        let edges = EdgePaths::new(&graph, &options.naturalness, options.smooth_arc)?;
        for (name, path) in problems()? {
            let asked = (&graph, &edges, &path, &options);
            let budget = default_budget(&path);
            let beam = follow_path(
                &graph,
                &edges,
                &path,
                &options,
                Search::default(),
                &budget,
                Control::default(),
            )?;
            let falling = Epsilons::default();
            let tries = [
                (Epsilons::OPTIMAL, 10_000_000),
                (Epsilons::OPTIMAL, 40_000_000),
                (falling, 10_000_000),
            ];
            let mut done = false;
            for (epsilons, edges_tried) in tries {
                // What was seen whole with less is not asked for again.
                if done && edges_tried > 10_000_000 {
                    continue;
                }
                let (row, whole) = row(asked, epsilons, edges_tried, beam.found.cost)?;
                done |= whole;
                let of = format!("| {} | {} | {name} | {row}", set.name, graph.edge_count());
                println!("{of}");
                writeln!(page, "{of}")?;
            }
        }
    }
    Ok(())
}

const HEAD: &str = "\n## Short paths\n\nWhat `path --search ara` proves: the beam with its usual budget, then ARA* on exact states. *Cost* and *bound* are of the path objective, m² over working frames; *times* is their quotient, at most which the walk costs more than the best. All but the seconds, on a machine that others used, are the same everywhere; 10 million edges, and 40 million where those were not enough. Where all was seen, the walk is the best there is.\n\n| graph | edges | path | ε | cost of the beam alone | edges tried | seconds | cost | bound | times | seen |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

fn row(
    (graph, edges, path, options): (&MotionGraph, &EdgePaths, &Path, &PathOptions),
    epsilons: Epsilons,
    most: u64,
    beam: f64,
) -> Result<(String, bool), AnyError> {
    let search = Search::Ara(AraOptions {
        epsilons,
        ..AraOptions::default()
    });
    let budget = Budget {
        memory: 4 << 30,
        ..Budget::expansions(most)
    };
    let found = follow_path(
        graph,
        edges,
        path,
        options,
        search,
        &budget,
        Control::default(),
    )?
    .found;
    let whole = found.search == SearchEnd::Complete;
    let shown =
        |v: Option<f64>, digits: usize| v.map_or("–".to_owned(), |v| format!("{v:.digits$}"));
    let range = epsilons.values();
    let text = format!(
        "{}..{} | {beam:.4} | {} | {:.1} | {} | {} | {} | {} |",
        range[0],
        epsilons.last(),
        found.expansions,
        found.seconds,
        shown(found.complete.then_some(found.cost), 4),
        shown(found.bound, 4),
        shown(found.epsilon(), 2),
        if whole { "all" } else { "a part" },
    );
    Ok((text, whole))
}
