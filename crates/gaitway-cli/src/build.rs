//! `gaitway build`: clips to a motion graph, with an account of what was lost.

mod bodies;
mod people;

use std::path::{Path, PathBuf};
use std::time::Instant;

use gaitway::core::{Clip, WarningCode, Warnings};
use gaitway::graph::{
    Account, BuildOptions, ContactRule, GraphBuilder, GraphError, GraphWarning, MotionGraph,
    Progress, ProgressState, Thresholds, Transitions, journal_path, remove_journal,
};
use gaitway::io::error::{io_hint, io_words};
use gaitway::io::output::write_atomic;
use gaitway::io::set::{GatherOptions, gather};
use gaitway::io::{Labels, WriteError};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::BuildArgs;
use super::load::load_or_calibrate;
use super::term::Term;
use super::{CliError, Outcome, files, inspect, interrupt, metric, render};

/// Runs the verb.
pub fn run(args: &BuildArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let target = target(args)?;
    files::check_outputs([Some(&target), args.report.as_ref()])?;
    let read: Vec<&Path> = args.inputs.iter().map(Path::new).collect();
    files::keep_inputs(
        [args.into.is_none().then_some(&target), args.report.as_ref()],
        &read,
    )?;
    let (graph, mut account) = match &args.rethreshold {
        Some(path) => rethreshold(args, path)?,
        None => build(args, &target, term)?,
    };
    let begin = Instant::now();
    save_graph(&graph, &target)?;
    account.timings_s.save = begin.elapsed().as_secs_f64();
    if args.rethreshold.is_none() {
        account
            .warnings
            .extend(remove_journal(&journal_path(&target)));
    }
    let json = serde_json::to_string_pretty(&account).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(path) = &args.report {
        render::write_bytes(path, json.as_bytes())?;
    }
    if args.json {
        term.json(&json)?;
    } else {
        term.out(&inspect::words(&account))?;
    }
    // Mended frames and people were told when the clips were read; the report has each.
    let told = [WarningCode::SpikesRepaired, WarningCode::Retargeted].map(WarningCode::as_str);
    for warning in account
        .warnings
        .iter()
        .filter(|w| !told.contains(&w.code()))
    {
        term.say(&format!("warning: {warning} [{}]", warning.code()));
        if warning.code() == WarningCode::SameMotion.as_str() {
            term.say("hint: --allow-duplicates takes them all the same");
        }
    }
    term.say(&format!("wrote {}", target.display()));
    Ok(if account.transitions == 0 {
        Outcome::Failed
    } else {
        Outcome::Done
    })
}

/// Where the graph goes; only graphs are called `.gway`, so that no clip is ever overwritten by one.
fn target(args: &BuildArgs) -> Result<PathBuf, CliError> {
    let path = args
        .out
        .as_ref()
        .or(args.into.as_ref())
        .or(args.rethreshold.as_ref());
    let path = path.ok_or_else(|| CliError::new("no output named").with_hint("-o G.gway"))?;
    if path.extension().is_some_and(|e| e == "gway") {
        return Ok(path.clone());
    }
    Err(
        CliError::new(format!("{}: a graph is written as .gway", path.display()))
            .with_hint("-o G.gway"),
    )
}

fn build(
    args: &BuildArgs,
    target: &Path,
    term: &mut Term,
) -> Result<(MotionGraph, Account), CliError> {
    let begin = Instant::now();
    let known = args.into.as_deref().map(load_graph).transpose()?;
    if let Some(graph) = &known {
        same_transitions(args, graph)?;
        same_metric(args, graph)?;
    }
    let labels = labels(args)?;
    let thresholds = thresholds(args, known.as_ref())?;
    let markers = metric::markers(&args.metric)?;
    let loaded = load_or_calibrate(&args.inputs, &args.read.mending(), term)?;
    let findings: Vec<(&str, Warnings)> = loaded
        .iter()
        .map(|f| (f.import.clip.name(), other_findings(&f.import.warnings)))
        .collect();
    term.warn_all(findings.iter().map(|(name, w)| (*name, w)));
    let known_clips = match &known {
        Some(graph) => clips_in(graph)?,
        None => Vec::new(),
    };
    let gathering = GatherOptions {
        labels: Some(&labels),
        known: &known_clips,
        allow_duplicates: args.allow_duplicates,
    };
    let mut set = gather(loaded, &gathering)?;
    if known.is_none() && args.retarget_to.is_none() {
        bodies::keep_one(args, &mut set.clips, term)?;
    }
    if let (true, Some(graph)) = (set.clips.is_empty(), &known) {
        return nothing_new(graph, thresholds, &set.warnings);
    }
    let files = match &args.retarget_to {
        Some(body) => people::put(args, body, set, term)?,
        None => set.into(),
    };
    let read = begin.elapsed().as_secs_f64();
    let mut builder = GraphBuilder::from_files(files).map_err(|e| {
        CliError::new(e.to_string()).with_hint(
            "a graph needs one skeleton; give the clips of one body (of CMU's, one subject's folder) to each build, or put them on one: --retarget-to BODY",
        )
    })?;
    builder = match &known {
        // A graph's own options hold for what is added to it; only thresholds may change.
        Some(graph) => builder.add_to(graph),
        None => builder.options(BuildOptions {
            fps: args.metric.rate_hz(),
            metric: metric::options(&args.metric),
            markers,
            with_mirrored: args.with_mirrored,
            keep_apart: args.keep_apart.clone(),
            ..chosen(args, BuildOptions::default())
        }),
    };
    if let Some(thresholds) = thresholds {
        builder = builder.thresholds(thresholds);
    }
    let journal = journal_path(target);
    let mut watch = Watch::new(term);
    let built = builder.journal(&journal).build(&mut watch);
    watch.bar.finish_and_clear();
    if interrupt::stopped() && built.is_err() {
        return Err(CliError::new("stopped").with_hint(format!(
            "what was compared is kept in {}; the same command goes on from there",
            journal.display()
        )));
    }
    let (graph, mut account) = built.map_err(graph_error)?;
    account.timings_s.read = read;
    Ok((graph, account))
}

/// What the flags about transitions say, over other options.
fn chosen(args: &BuildArgs, base: BuildOptions) -> BuildOptions {
    BuildOptions {
        transitions: asked_transitions(args).unwrap_or(base.transitions),
        contacts: ContactRule::from_name(&args.contacts).unwrap_or_default(),
        thin_s: if args.keep_all_transitions {
            0.0
        } else {
            BuildOptions::default().thin_s
        },
        bridge_s: args.bridge,
        ..base
    }
}

fn asked_transitions(args: &BuildArgs) -> Option<Transitions> {
    args.transitions.as_deref().and_then(Transitions::from_name)
}

/// Adding to a graph takes its own transitions; asking for others is told, not passed over.
fn same_transitions(args: &BuildArgs, graph: &MotionGraph) -> Result<(), CliError> {
    let own = graph.options().transitions;
    match asked_transitions(args) {
        Some(asked) if asked != own => Err(CliError::new(format!(
            "the graph was built with --transitions {}, and clips are added to it likewise",
            own.name()
        ))
        .with_hint("leave --transitions out, or build a new graph from all clips with -o")),
        _ => Ok(()),
    }
}

/// Distances of a graph are all of one rate and one window; asking for others is told, not passed over.
fn same_metric(args: &BuildArgs, graph: &MotionGraph) -> Result<(), CliError> {
    let own = graph.options();
    let asked = [
        ("--fps", args.metric.fps, own.fps, "Hz"),
        ("--window", args.metric.window, own.metric.window_s, "s"),
    ];
    let other = |a: &&(_, Option<f64>, f64, _)| a.1.is_some_and(|v| (v - a.2).abs() > 1e-9);
    match asked.iter().find(other) {
        None => Ok(()),
        Some((name, asked, own, unit)) => Err(CliError::new(format!(
            "{name} {}: the graph was built with {own} {unit}, and all its distances are of that",
            asked.unwrap_or(*own)
        ))
        .with_hint(format!(
            "leave {name} out, or build a new graph from all clips with -o NEW.gway"
        ))),
    }
}

/// Every clip is in the graph already: it stays as it is, but for thresholds that were asked for.
fn nothing_new(
    graph: &MotionGraph,
    thresholds: Option<Thresholds>,
    reading: &Warnings,
) -> Result<(MotionGraph, Account), CliError> {
    let spec = thresholds.unwrap_or_else(|| graph.thresholds().spec(graph.labels()));
    let (graph, mut account) = graph
        .rethreshold(&spec, graph.options())
        .map_err(graph_error)?;
    let reading = reading.iter().cloned().map(GraphWarning::Reading);
    account.warnings.splice(0..0, reading);
    Ok((graph, account))
}

/// The findings of a clip without that of being there twice, which is told of the set.
fn other_findings(warnings: &Warnings) -> Warnings {
    let mut out = Warnings::new();
    let others = warnings
        .iter()
        .filter(|w| w.code != WarningCode::IdenticalClips);
    for w in others {
        match w.value {
            Some((field, value)) => out.add_value(w.code, w.message.clone(), field, value),
            None => out.add(w.code, w.message.clone()),
        }
    }
    out
}

fn clips_in(graph: &MotionGraph) -> Result<Vec<Clip>, CliError> {
    let clips = graph.captured_ids().map(|id| graph.clip(id));
    clips.collect::<Result<_, _>>().map_err(graph_error)
}

fn rethreshold(args: &BuildArgs, path: &Path) -> Result<(MotionGraph, Account), CliError> {
    let graph = load_graph(path)?;
    same_metric(args, &graph)?;
    // Where only something else is to change, thresholds stay what they are.
    let own = graph.thresholds().spec(graph.labels());
    let thresholds = thresholds(args, Some(&graph))?.unwrap_or(own);
    let options = chosen(args, graph.options().clone());
    let own = graph.options().transitions;
    if options.transitions.reach_ends() != own.reach_ends() {
        return Err(CliError::new(format!(
            "the graph was built with --transitions {}, and whether its transitions reach the ends of clips cannot change",
            own.name()
        ))
        .with_hint("leave --transitions out, or build a new graph from the clips with -o"));
    }
    graph
        .rethreshold(&thresholds, &options)
        .map_err(graph_error)
}

/// Writes a graph whole or not at all, and leaves nothing behind when the program is ended meanwhile.
pub fn save_graph(graph: &MotionGraph, path: &Path) -> Result<(), CliError> {
    let mut damage = None;
    let written = write_atomic(path, |sink| {
        graph.write(sink).map_err(|e| {
            let file = path.display().to_string();
            match e {
                GraphError::File { source, .. } => WriteError::Io { file, source },
                other => {
                    let message = other.to_string();
                    damage = Some(other);
                    WriteError::CannotHold {
                        file,
                        message,
                        hint: None,
                    }
                }
            }
        })
    });
    match damage {
        Some(error) => Err(graph_error(error)),
        None => Ok(written?),
    }
}

fn labels(args: &BuildArgs) -> Result<Labels, CliError> {
    let mut labels = match &args.labels {
        Some(path) => {
            const LABELS_ARE: &str =
                "--labels takes a CSV table with rows of file,label,start_s,end_s";
            files::must_be_file(path, LABELS_ARE)?;
            Labels::from_csv_file(path)?
        }
        None => Labels::none(),
    };
    for (pattern, label) in &args.label_names {
        labels = labels.with_pattern(pattern.clone(), label.clone());
    }
    Ok(labels)
}

fn thresholds(
    args: &BuildArgs,
    known: Option<&MotionGraph>,
) -> Result<Option<Thresholds>, CliError> {
    if let Some(cm) = args.at_least {
        let graph = known.ok_or_else(|| {
            CliError::new(format!(
                "--at-least {cm} raises the thresholds of a graph, and none is named"
            ))
            .with_hint(format!(
                "gaitway build --rethreshold G.gway --at-least {cm} -o NEW.gway; for a new graph, --threshold {cm}"
            ))
        })?;
        return Ok(Some(graph.thresholds().at_least(cm).spec(graph.labels())));
    }
    if let Some(cm) = args.threshold {
        return Ok(Some(Thresholds::cm(cm)));
    }
    let Some(path) = &args.thresholds else {
        return Ok(args.auto.then_some(Thresholds::Auto));
    };
    let file = path.display().to_string();
    let text = files::read_text(
        path,
        "--thresholds takes a TOML file: default = 6.0, and [[pair]] with from, to and cm",
    )?;
    Thresholds::from_toml(&text, &file)
        .map(Some)
        .map_err(graph_error)
}

/// Said where something else stands in a graph's place.
pub const A_GRAPH_IS: &str = "a graph is a .gway file; `gaitway build` makes one from clips";

/// Opens a graph file; what is wrong with one is said with its name.
pub fn load_graph(path: &Path) -> Result<MotionGraph, CliError> {
    files::must_be_file(path, A_GRAPH_IS)?;
    MotionGraph::load(path).map_err(|error| {
        let named = matches!(error, GraphError::File { .. });
        let out = graph_error(error);
        if named {
            out
        } else {
            out.in_file(&path.display().to_string())
        }
    })
}

/// The graph crate's error as a person reads it.
pub fn graph_error(error: GraphError) -> CliError {
    if let GraphError::File { path, source } = &error {
        let out = CliError::new(format!("{}: {}", path.display(), io_words(source)));
        return io_hint(source).into_iter().fold(out, CliError::with_hint);
    }
    let hint = match &error {
        GraphError::NotAGraph { .. } => {
            Some("`gaitway build` makes graphs, `gaitway info` shows clips")
        }
        GraphError::NewerVersion { .. } => Some("use the gaitway that made it, or a newer one"),
        GraphError::Damaged { .. } => Some("build it again; the clips are not harmed"),
        GraphError::ThresholdsFile { .. } => {
            Some("thresholds are TOML: default = 6.0, and [[pair]] with from, to and cm")
        }
        GraphError::UnknownLabel { .. } => {
            Some("--labels and --label-names give labels; `gaitway inspect` lists a graph's")
        }
        GraphError::Metric(error) => metric::hint(error),
        GraphError::Options { what } if what.contains("above the ceiling") => {
            Some("a lower threshold, or a new graph from the clips with a higher --ceiling")
        }
        _ => None,
    };
    let out = CliError::new(error.to_string());
    hint.into_iter().fold(out, CliError::with_hint)
}

/// Shows how the search goes on, and stops it on Ctrl-C.
struct Watch {
    bar: ProgressBar,
    begin: Instant,
}

impl Watch {
    fn new(term: &Term) -> Self {
        interrupt::on_ctrl_c();
        let bar = term.progress(100, "comparing");
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent}%");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self {
            bar,
            begin: Instant::now(),
        }
    }
}

impl Progress for Watch {
    fn report(&mut self, state: &ProgressState) {
        let (done, total) = (state.pairs_done, state.pairs_total.max(1));
        self.bar.set_length(total);
        self.bar.set_position(done);
        let seconds = self.begin.elapsed().as_secs_f64().max(1e-3);
        let fresh = done.saturating_sub(state.pairs_cached) as f64;
        let rate = fresh / seconds;
        let left = if rate > 0.0 {
            (total - done.min(total)) as f64 / rate
        } else {
            0.0
        };
        self.bar.set_message(format!(
            "comparing: {:.1} M pairs/s, {:.0} % skipped, {left:.0} s left",
            rate / 1e6,
            100.0 * state.skipped_share
        ));
    }

    fn cancelled(&mut self) -> bool {
        interrupt::stopped()
    }
}
