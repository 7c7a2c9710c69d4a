//! The tables of one data set.

use std::fmt::Write;

use gaitway_core::ClipSet;
use gaitway_graph::inspect::{label_links, largest_component, threshold_curve};
use gaitway_graph::{Account, BuildOptions, GraphBuilder, MotionGraph, Thresholds};

use crate::time::{median, search};

type Done = Result<(), Box<dyn std::error::Error>>;

/// All tables of a data set.
pub fn subject(page: &mut String, name: &str, clips: &ClipSet) -> Done {
    let build = || {
        GraphBuilder::new(clips.clone())
            .thresholds(Thresholds::auto())
            .build(&mut ())
    };
    let (graph, account) = build()?;
    writeln!(page, "\n## CMU {name}\n")?;
    writeln!(
        page,
        "{} clips, {:.1} s, {} candidates. `--auto` keeps {:.1} s ({:.0} %) with {} transitions, {} nodes, {} edges.\n",
        account.clips,
        account.seconds,
        account.candidates,
        account.kept_seconds,
        100.0 * account.kept_seconds / account.seconds,
        account.transitions,
        account.nodes,
        account.edges
    )?;
    labels_table(page, &graph, &account)?;
    lost_table(page, &account)?;
    auto_against_one(page, &graph)?;
    curve(page, &graph)?;
    times(page, clips, &graph, build)
}

fn labels_table(page: &mut String, graph: &MotionGraph, account: &Account) -> Done {
    writeln!(
        page,
        "| label | seconds | in its component | threshold to itself |\n| --- | --- | --- | --- |"
    )?;
    for row in &account.labels {
        let own = graph
            .labels()
            .find(&row.label)
            .and_then(|l| graph.thresholds().get(l, l))
            .unwrap_or(f64::NAN);
        let share = 100.0 * row.kept_seconds / row.seconds;
        writeln!(
            page,
            "| {} | {:.1} | {:.1} ({share:.0} %) | {own:.2} cm |",
            row.label, row.seconds, row.kept_seconds
        )?;
    }
    Ok(())
}

fn lost_table(page: &mut String, account: &Account) -> Done {
    let mut sums: std::collections::BTreeMap<&str, (f64, usize)> =
        std::collections::BTreeMap::new();
    for row in &account.lost {
        let sum = sums.entry(row.reason.as_str()).or_default();
        *sum = (sum.0 + row.seconds, sum.1 + 1);
    }
    writeln!(
        page,
        "\n| lost because | seconds | clips |\n| --- | --- | --- |"
    )?;
    for (reason, (seconds, clips)) in sums {
        writeln!(page, "| `{reason}` | {seconds:.1} | {clips} |")?;
    }
    Ok(())
}

/// `auto` beside single thresholds: what is kept, what cannot be reached, how far transitions differ.
fn auto_against_one(page: &mut String, graph: &MotionGraph) -> Done {
    writeln!(
        page,
        "\nOne number for all pairs of labels, and `--auto`:\n"
    )?;
    writeln!(
        page,
        "| threshold | kept | largest component | label pairs without a way | labels in no component | median √D | 95 % √D |"
    )?;
    writeln!(page, "| --- | --- | --- | --- | --- | --- | --- |")?;
    let settings = [
        ("4 cm", Some(4.0)),
        ("6 cm", Some(6.0)),
        ("8 cm", Some(8.0)),
        ("10 cm", Some(10.0)),
        ("auto", None),
    ];
    for (name, cm) in settings {
        let at = match cm {
            Some(cm) => graph.rethreshold_quick(&Thresholds::cm(cm), graph.options())?,
            None => graph.clone(),
        };
        let account = Account::of(&at)?;
        let unreachable = label_links(&at)
            .iter()
            .filter(|l| l.shortest_s.is_none())
            .count();
        let without = account.labels.iter().filter(|l| l.components == 0).count();
        let mut cm: Vec<f64> = at
            .edges()
            .filter_map(|e| at.transition(e))
            .map(|t| t.distance_cm())
            .collect();
        cm.sort_by(f64::total_cmp);
        let at_share = |s: f64| {
            cm.get(((cm.len().max(1) - 1) as f64 * s) as usize)
                .copied()
                .unwrap_or(f64::NAN)
        };
        writeln!(
            page,
            "| {name} | {:.1} % | {:.1} % | {unreachable} | {without} | {:.1} cm | {:.1} cm |",
            100.0 * account.kept_seconds / account.seconds,
            100.0 * largest_component(&at).0 / account.seconds,
            at_share(0.5),
            at_share(0.95)
        )?;
    }
    Ok(())
}

fn curve(page: &mut String, graph: &MotionGraph) -> Done {
    let steps: Vec<f64> = (1..=15).map(f64::from).collect();
    writeln!(
        page,
        "\nAgainst one threshold for all (after Table 2 and Figure 7 of Zhao and Safonova 2008; the plain graph, no interpolation):\n"
    )?;
    writeln!(
        page,
        "| cm | largest component | kept | mean time between nodes | transitions |\n| --- | --- | --- | --- | --- |"
    )?;
    for p in threshold_curve(graph, &steps)? {
        let mean = p
            .mean_transition_s
            .map_or("–".to_owned(), |s| format!("{s:.2} s"));
        let (largest, kept) = (100.0 * p.largest_share, 100.0 * p.kept_share);
        writeln!(
            page,
            "| {:.0} | {largest:.1} % | {kept:.1} % | {mean} | {} |",
            p.cm, p.transitions
        )?;
    }
    Ok(())
}

fn times<T>(
    page: &mut String,
    clips: &ClipSet,
    graph: &MotionGraph,
    build: impl Fn() -> T,
) -> Done {
    let options: &BuildOptions = graph.options();
    let candidates = search(clips, options)?;
    let pairs = graph.thresholds().pairs().map(|(a, b, cm)| {
        (
            graph.labels().name(a).into(),
            graph.labels().name(b).into(),
            cm,
        )
    });
    let table = Thresholds::Pairs {
        default_cm: graph.thresholds().default_cm,
        pairs: pairs.collect(),
    };
    let cut = median(20, || graph.rethreshold_quick(&table, options));
    let auto = median(20, || graph.rethreshold_quick(&Thresholds::auto(), options));
    let account = median(20, || Account::of(graph)) - cut;
    let whole = median(5, build);
    writeln!(
        page,
        "\n| step | time | against the search |\n| --- | --- | --- |"
    )?;
    let mut row = |name: &str, seconds: f64| {
        writeln!(
            page,
            "| {name} | {:.1} ms | {:.2} |",
            seconds * 1e3,
            seconds / candidates
        )
    };
    row("search for candidates", candidates)?;
    row("transitions and pruning (re-threshold)", cut)?;
    row("the same with `--auto`", auto)?;
    row("the account", account)?;
    row(
        "whole build: contacts, resampling, search, auto, pruning, account",
        whole,
    )?;
    let per = cut * 1e3 * 1e5 / graph.candidates().len().max(1) as f64;
    writeln!(
        page,
        "\nRe-threshold and prune: {per:.1} ms per 100,000 candidates."
    )?;
    Ok(())
}
