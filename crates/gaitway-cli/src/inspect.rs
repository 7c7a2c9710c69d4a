//! `gaitway inspect`: what a graph holds, in words, numbers and drawings.

use std::path::Path;

use gaitway::eval::draw::Scene;
use gaitway::eval::draw::axes::Axis;
use gaitway::eval::draw::chart::{Chart, Mark, Marker, Series};
use gaitway::eval::draw::graph::{graph_picture, label_matrix};
use gaitway::graph::events::{EventRow, event_rows};
use gaitway::graph::{
    Account, Between, InterpolatedAccount, Lost, LostReason, MotionGraph, Remedy, RemedyCost,
    inspect,
};
use gaitway::synth::{Mixing, mixing};
use serde_json::json;

use super::args::{InspectArgs, PlotArg};
use super::build::{graph_error, load_graph};
use super::make::synth_error;
use super::render::{check_picture, title, write_bytes, write_scene};
use super::term::{Term, table};
use super::{CliError, Outcome, files};

/// The most transitions a drawing shows; beyond that arcs only blacken the page.
const MOST_ARCS: usize = 2000;

/// Runs the verb.
pub fn run(args: &InspectArgs, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([args.plot.as_ref(), args.dot.as_ref(), args.graphml.as_ref()])?;
    check_picture(args.plot.as_deref())?;
    let graph = load_graph(&args.graph)?;
    if args.verify {
        graph.verify().map_err(graph_error)?;
        term.say("every checksum holds");
    }
    let account = Account::of(&graph).map_err(graph_error)?;
    if let Some(path) = &args.plot {
        write_scene(path, &plot(&graph, &account, args)?)?;
        term.say(&format!("wrote {}", path.display()));
    }
    export(&graph, args.dot.as_deref(), inspect::write_dot, term)?;
    export(
        &graph,
        args.graphml.as_deref(),
        inspect::write_graphml,
        term,
    )?;
    if args.json {
        let text = serde_json::to_string_pretty(&as_json(&graph, &account)?);
        term.json(&text.map_err(|e| CliError::new(e.to_string()))?)?;
    } else {
        term.out(&words(&account))?;
        term.out(&mixing_table(&mixing(&graph).map_err(synth_error)?))?;
        term.out(&event_table(&event_rows(&graph).map_err(graph_error)?))?;
        for warning in &account.warnings {
            term.say(&format!("warning: {warning} [{}]", warning.code()));
        }
    }
    Ok(Outcome::Done)
}

type Exporter = fn(&MotionGraph, &mut dyn std::io::Write) -> std::io::Result<()>;

fn export(
    graph: &MotionGraph,
    path: Option<&Path>,
    write: Exporter,
    term: &mut Term,
) -> Result<(), CliError> {
    let Some(path) = path else { return Ok(()) };
    let mut text = Vec::new();
    write(graph, &mut text)?;
    write_bytes(path, &text)?;
    term.say(&format!("wrote {}", path.display()));
    Ok(())
}

fn as_json(graph: &MotionGraph, account: &Account) -> Result<serde_json::Value, CliError> {
    let wrong = |e: serde_json::Error| CliError::new(e.to_string());
    let mut value = serde_json::to_value(account).map_err(wrong)?;
    let curve = inspect::threshold_curve(graph, &steps(graph)).map_err(graph_error)?;
    value["links"] = serde_json::to_value(inspect::label_links(graph)).map_err(wrong)?;
    value["threshold_curve"] = serde_json::to_value(curve).map_err(wrong)?;
    value["distances"] =
        serde_json::to_value(inspect::distance_histogram(graph, 30)).map_err(wrong)?;
    let clips = graph.captured_ids().map(|id| {
        let info = graph.clip_info(id);
        json!({ "clip": info.name(), "seconds": info.seconds(), "rate_hz": info.rate_hz() })
    });
    value["clip_list"] = clips.collect();
    let events = event_rows(graph).map_err(graph_error)?;
    let mixing = mixing(graph).map_err(synth_error)?;
    value["mixing"] = serde_json::to_value(mixing).map_err(wrong)?;
    value["events"] = serde_json::to_value(events).map_err(wrong)?;
    Ok(value)
}

/// Thresholds a curve is drawn over: twenty up to the ceiling.
fn steps(graph: &MotionGraph) -> Vec<f64> {
    let ceiling = graph.options().metric.ceiling_cm;
    (1..=20).map(|k| ceiling * f64::from(k) / 20.0).collect()
}

fn plot(graph: &MotionGraph, account: &Account, args: &InspectArgs) -> Result<Scene, CliError> {
    let name = title(&args.graph.to_string_lossy());
    let scene = match args.show {
        PlotArg::Graph => {
            let words = format!(
                "{name}: {:.0} of {:.0} s kept, {} transitions",
                account.kept_seconds, account.seconds, account.transitions
            );
            graph_picture(&inspect::layout(graph, MOST_ARCS), &words)
        }
        PlotArg::Labels => label_matrix(
            &inspect::label_links(graph),
            "From row to column: shortest way",
        ),
        PlotArg::Curves => curves(graph, account)?.draw(1000, 560),
        PlotArg::Distances => distances(graph, account).draw(1000, 480),
    };
    scene.map_err(|e| CliError::new(e.to_string()))
}

fn curves(graph: &MotionGraph, account: &Account) -> Result<Chart, CliError> {
    let curve = inspect::threshold_curve(graph, &steps(graph)).map_err(graph_error)?;
    let line = |name: &str, y: &dyn Fn(&inspect::CurvePoint) -> Option<f64>| {
        let points = curve.iter().filter_map(|p| y(p).map(|v| (p.cm, v)));
        Series::line(name, points.collect()).with_mark(Mark::DottedLine)
    };
    let most = curve.iter().map(|p| p.edges).max().unwrap_or(1).max(1) as f64;
    let slowest = curve
        .iter()
        .filter_map(|p| p.mean_transition_s)
        .fold(1e-9, f64::max);
    Ok(Chart {
        title: "One threshold for all labels: what it keeps".to_owned(),
        x: Axis {
            name: "threshold, cm".to_owned(),
            ..Axis::default()
        },
        y: Axis {
            name: "share".to_owned(),
            ..Axis::default()
        },
        series: vec![
            line("seconds in the largest component", &|p| {
                Some(p.largest_share)
            }),
            line("seconds kept", &|p| Some(p.kept_share)),
            line(&format!("mean transition time / {slowest:.1} s"), &|p| {
                p.mean_transition_s.map(|s| s / slowest)
            }),
            line(&format!("edges / {most:.0}"), &|p| {
                Some(p.edges as f64 / most)
            }),
        ],
        markers: vec![Marker {
            x: account.default_threshold_cm,
            name: format!("default: {:.1} cm", account.default_threshold_cm),
        }],
    })
}

fn distances(graph: &MotionGraph, account: &Account) -> Chart {
    let histogram = inspect::distance_histogram(graph, 30);
    let bars = |counts: &[usize]| {
        let middle = |k: usize| (k as f64 + 0.5) * histogram.bin_cm;
        counts
            .iter()
            .enumerate()
            .map(|(k, n)| (middle(k), *n as f64))
            .collect()
    };
    Chart {
        title: "Distances of candidates, and of the transitions kept".to_owned(),
        x: Axis {
            name: "distance, cm".to_owned(),
            ..Axis::default()
        },
        y: Axis {
            name: "count".to_owned(),
            ..Axis::default()
        },
        series: vec![
            Series::line("candidates", bars(&histogram.candidates)).with_mark(Mark::Bar),
            Series::line("transitions (both ways)", bars(&histogram.transitions))
                .with_mark(Mark::DottedLine),
        ],
        markers: vec![Marker {
            x: account.default_threshold_cm,
            name: "default threshold".to_owned(),
        }],
    }
}

/// How soon random walks have seen each label.
fn mixing_table(rows: &[Mixing]) -> String {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return String::new();
    };
    let cells = |m: &Mixing| {
        let after = |s: Option<f64>| {
            s.map_or_else(|| format!("over {:.0}", m.walked_s), |s| format!("{s:.0}"))
        };
        vec![
            m.label.clone(),
            format!("{:.1}", m.seconds),
            after(m.half_s),
            after(m.most_s),
        ]
    };
    let rows_of = rows.iter().map(cells).collect::<Vec<_>>();
    let head = [
        "random walks in",
        "seconds",
        "half seen after s",
        "nine tenths",
    ];
    let mut out = format!("\n{}", table(&head, &rows_of));
    if rows.len() > 1 {
        out.push_str(&format!(
            "\nmixes fastest: `{}`; slowest: `{}`\n",
            first.label, last.label
        ));
    }
    out
}

/// Events shown of a label in a clip.
const EVENTS_SHOWN: usize = 3;

/// Events of captured clips; those of mirrored copies are the same moments.
fn event_table(rows: &[EventRow]) -> String {
    let own = |r: &&EventRow| !r.clip.ends_with(gaitway::graph::MIRROR_SUFFIX);
    let cells = |r: &EventRow| {
        let [x, height, z] = r.place_m;
        vec![
            r.clip.clone(),
            r.label.clone(),
            format!("{:.2}", r.time_s),
            if r.given { "given" } else { r.kind }.to_owned(),
            format!("{x:.2}, {z:.2}"),
            format!("{height:.2}"),
            format!("{:.0}", r.heading_deg),
            if r.kept { "" } else { "not kept" }.to_owned(),
        ]
    };
    // The first few say what a label's moments are like; --json has them all.
    let mut seen = std::collections::BTreeMap::new();
    let mut few = Vec::new();
    for row in rows.iter().filter(own) {
        let count = seen.entry((&row.clip, &row.label)).or_insert(0);
        *count += 1;
        if *count <= EVENTS_SHOWN {
            few.push(row);
        }
    }
    let rows: Vec<Vec<String>> = few.into_iter().map(cells).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = [
        "event in",
        "label",
        "at s",
        "kind",
        "x, z m",
        "height m",
        "facing °",
        "",
    ];
    format!("\n{}", table(&head, &rows))
}

/// What interpolated clips are to a graph, in a line or two.
fn interpolated(made: &InterpolatedAccount) -> String {
    const SHOWN: usize = 4;
    let pair = |b: &Between| format!("{} and {} {:.1} s", b.labels[0], b.labels[1], b.seconds);
    let mut pairs: Vec<String> = made.between.iter().take(SHOWN).map(pair).collect();
    if made.between.len() > SHOWN {
        pairs.push(format!(
            "{} more pairs of labels",
            made.between.len() - SHOWN
        ));
    }
    let where_used = match pairs.is_empty() {
        true => String::new(),
        false => format!(
            "; between clips of {} (a clip may have several labels)",
            pairs.join(", ")
        ),
    };
    let given_up = match made.given_up_seconds > 0.05 {
        true => format!(
            ", and lose {:.1} s that are kept without",
            made.given_up_seconds
        ),
        false => String::new(),
    };
    format!(
        "interpolated: {} clips, {:.1} s of them played, and {} joins, which keep {:.1} s of captured motion that is lost without{given_up}{where_used}\n",
        made.clips, made.kept_seconds, made.joins, made.brought_back_seconds
    )
}

/// The account for people.
pub fn words(account: &Account) -> String {
    let joins = account.interpolated.as_ref().map_or(0, |i| i.joins);
    let share = 100.0 * account.kept_seconds / account.seconds.max(1e-9);
    let mut out = format!(
        "{} clips, {:.1} s in, {:.1} s kept ({share:.0} %); {} nodes, {} edges\n\
         {} transitions: {} from {} of {} candidates, which serve one way or both, and {} cuts at ends of clips\n",
        account.clips,
        account.seconds,
        account.kept_seconds,
        account.nodes,
        account.edges,
        account.transitions,
        account.transitions - account.end_cuts - joins,
        account.candidates_used,
        account.candidates,
        account.end_cuts
    );
    if let Some(made) = &account.interpolated {
        out.push_str(&interpolated(made));
    }
    let rows: Vec<Vec<String>> = account
        .labels
        .iter()
        .map(|l| {
            let own = account
                .thresholds
                .iter()
                .find(|t| t.from == l.label && t.to == l.label);
            vec![
                l.label.clone(),
                format!("{:.1}", l.seconds),
                format!("{:.1}", l.graph_seconds),
                format!("{:.0} %", 100.0 * l.graph_seconds / l.seconds.max(1e-9)),
                format!("{:.1}", l.kept_seconds),
                format!("{:.1}", own.map_or(account.default_threshold_cm, |t| t.cm)),
            ]
        })
        .collect();
    out.push('\n');
    out.push_str(&table(
        &[
            "label",
            "seconds",
            "kept",
            "share",
            "goes on within",
            "threshold cm",
        ],
        &rows,
    ));
    let (kept, within) = account.labels.iter().fold((0.0, 0.0), |(a, b), l| {
        (a + l.graph_seconds, b + l.kept_seconds)
    });
    if within < 0.99 * kept {
        out.push_str(
            "\n\"goes on within\": seconds between which one can walk for ever without leaving the label; \
             the rest of what is kept is passed on the way to other motion\n",
        );
    }
    if account.labels.len() > 1 {
        out.push_str(
            "\nthreshold: of the label with itself; frames of several labels meet below the highest of their pairs \
             (--json lists the pairs)\n",
        );
    }
    if account.lost.is_empty() {
        return out + "\nnothing was lost\n";
    }
    // Nobody can enter a clip before its first window or leave it after its last: said once, not per clip.
    let (ends, others): (Vec<&Lost>, Vec<&Lost>) = account
        .lost
        .iter()
        .partition(|l| l.reason == LostReason::Border);
    if !others.is_empty() {
        let rows: Vec<Vec<String>> = others.into_iter().map(lost_row).collect();
        out.push('\n');
        out.push_str(&table(
            &["lost", "seconds", "why", "comes back with"],
            &rows,
        ));
        out.push_str(&commands(account));
    }
    if !ends.is_empty() {
        let seconds: f64 = ends.iter().map(|l| l.seconds).sum();
        let clips: std::collections::BTreeSet<&str> =
            ends.iter().map(|l| l.clip.as_str()).collect();
        out.push_str(&format!(
            "\n{seconds:.1} s more are the beginnings and ends of {} clips, which no transition can enter or leave \
             (--json lists them)\n",
            clips.len()
        ));
    }
    out
}

fn lost_row(lost: &Lost) -> Vec<String> {
    let part = |seconds: f64| match seconds < 0.99 * lost.seconds {
        true => format!(" ({seconds:.2} s of it)"),
        false => String::new(),
    };
    let back = match &lost.remedy {
        None => "nothing that was tried".to_owned(),
        Some(Remedy::AtLeast { cm, seconds, costs }) => {
            format!("--at-least {cm:.1}{}{}", part(*seconds), lost_for_it(costs))
        }
        Some(Remedy::Bridge { bridge_s, seconds }) => {
            format!("--bridge {bridge_s:.0}{}", part(*seconds))
        }
        Some(Remedy::Ceiling { cm }) => {
            format!("nothing up to the ceiling of {cm} cm; a higher --ceiling looks further")
        }
        Some(Remedy::Longer { than_s }) => format!("a clip of more than {than_s:.1} s"),
        Some(Remedy::ReachEnds) => "--transitions auto".to_owned(),
    };
    vec![
        lost.clip.clone(),
        format!("{:.2}", lost.seconds),
        lost.reason.as_str().to_owned(),
        back,
    ]
}

/// What a remedy takes away elsewhere.
fn lost_for_it(costs: &[RemedyCost]) -> String {
    let Some(worst) = costs.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds)) else {
        return String::new();
    };
    let seconds = match worst.seconds > 0.0 {
        true => format!("{:.2} s of ", worst.seconds),
        false => String::new(),
    };
    let more = match costs.len() {
        1 => String::new(),
        n => format!(" and {} more (--json)", n - 1),
    };
    format!(", loses {seconds}{}{more}", worst.what)
}

/// How what the rows say is done.
fn commands(account: &Account) -> String {
    let any = |wanted: fn(&Remedy) -> bool| {
        let mut remedies = account.lost.iter().filter_map(|l| l.remedy.as_ref());
        remedies.any(wanted)
    };
    let mut out = String::new();
    if any(|r| matches!(r, Remedy::AtLeast { .. } | Remedy::Bridge { .. })) {
        out.push_str(
            "\ntried: with --at-least, which raises lower thresholds and leaves others, or --bridge as it stands in a row, \
             `gaitway build --rethreshold G.gway -o NEW.gway` keeps that row; what it loses elsewhere stands in the row\n",
        );
    }
    if any(|r| matches!(r, Remedy::Ceiling { .. })) {
        out.push_str(
            "past the ceiling no candidates are kept: `gaitway build CLIPS --ceiling CM -o G.gway` \
             with more compares again; name --labels and the reading options again, as graphs do not keep them\n",
        );
    }
    out
}
