//! How much of the clips a graph keeps.

use std::fmt::Write;

use gaitway_graph::{
    Account, BuildOptions, GraphBuilder, MotionGraph, TransitionKind, Transitions,
};

use crate::sets::Set;

/// The graph of a set with blends alone, and with cuts at the ends of clips.
pub struct Both {
    pub name: String,
    pub blend: (MotionGraph, Account),
    pub auto: (MotionGraph, Account),
}

fn build(set: &Set, transitions: Transitions) -> Option<(MotionGraph, Account)> {
    let options = BuildOptions {
        transitions,
        ..BuildOptions::default()
    };
    let builder = GraphBuilder::new(set.clips.clone());
    builder.options(options).build(&mut ()).ok()
}

fn both(set: &Set) -> Option<Both> {
    Some(Both {
        name: set.name.clone(),
        blend: build(set, Transitions::Blend)?,
        auto: build(set, Transitions::Auto)?,
    })
}

fn share(account: &Account) -> f64 {
    100.0 * account.kept_seconds / account.seconds
}

pub fn cuts(graph: &MotionGraph) -> usize {
    let cut = |t: gaitway_graph::Transition| t.kind == TransitionKind::Cut;
    let edges = graph.edges().filter_map(|e| graph.transition(e));
    edges.filter(|&t| cut(t)).count()
}

pub fn table(page: &mut String, sets: &[Set]) -> Vec<Both> {
    let _ = writeln!(
        page,
        "| clips | number | seconds | kept by blends | kept with cuts | blends | with cuts: blends, cuts |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    let graphs: Vec<Both> = sets.iter().filter_map(both).collect();
    for b in &graphs {
        let (old, new) = (&b.blend.1, &b.auto.1);
        let count = cuts(&b.auto.0);
        let _ = writeln!(
            page,
            "| {} | {} | {:.0} | {:.1} % | {:.1} % | {} | {}, {count} |",
            b.name,
            new.clips,
            new.seconds,
            share(old),
            share(new),
            old.transitions,
            new.transitions - count,
        );
    }
    graphs
}

/// Thresholds of labels to themselves, which both builds choose.
pub fn thresholds(page: &mut String, graphs: &[Both]) {
    let _ = writeln!(
        page,
        "| clips | label: blends alone, with cuts (cm) | highest of any pair |\n| --- | --- | --- |"
    );
    for b in graphs {
        let own = |g: &MotionGraph| -> Vec<(String, f64)> {
            let pairs = g.thresholds().pairs().filter(|(a, b, _)| a == b);
            pairs
                .map(|(l, _, cm)| (g.labels().name(l).to_owned(), cm))
                .collect()
        };
        let (old, new) = (own(&b.blend.0), own(&b.auto.0));
        let rows = old
            .iter()
            .zip(&new)
            .map(|((l, p), (_, q))| format!("{l}: {p:.2}, {q:.2}"));
        let highest = |g: &MotionGraph| g.thresholds().pairs().map(|p| p.2).fold(0.0, f64::max);
        let _ = writeln!(
            page,
            "| {} | {} | {:.2}, {:.2} |",
            b.name,
            rows.collect::<Vec<_>>().join("; "),
            highest(&b.blend.0),
            highest(&b.auto.0)
        );
    }
}

/// Over many people with few clips each: sums, and how often cuts helped.
pub fn counted(page: &mut String, sets: &[Set]) {
    let graphs: Vec<Both> = sets.iter().filter_map(both).collect();
    let sum = |f: &dyn Fn(&Both) -> f64| graphs.iter().map(f).sum::<f64>();
    let seconds = sum(&|b| b.auto.1.seconds);
    let (old, new) = (
        sum(&|b| b.blend.1.kept_seconds),
        sum(&|b| b.auto.1.kept_seconds),
    );
    let more = graphs
        .iter()
        .filter(|b| b.auto.1.kept_seconds > b.blend.1.kept_seconds + 1e-6);
    let less = graphs
        .iter()
        .filter(|b| b.auto.1.kept_seconds < b.blend.1.kept_seconds - 1e-6);
    let _ = writeln!(
        page,
        "{} subjects of `cmu-wide` with three clips or more, {seconds:.0} s: blends keep {:.1} %, with cuts {:.1} % are kept; more in {}, less in {}.",
        graphs.len(),
        100.0 * old / seconds,
        100.0 * new / seconds,
        more.count(),
        less.count()
    );
}
