//! `gaitway build`: clips to a motion graph, with an account of what was lost.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use gaitway::core::{Clip, ClipSet, ClipSetError};
use gaitway::graph::{
    Account, BuildOptions, ContactRule, GraphBuilder, GraphError, GraphWarning, Labels,
    MotionGraph, Progress, ProgressState, Provenance, Thresholds, journal_path, remove_journal,
};
use gaitway::io::{Bytes, Import, Input, clip_id, tame_names};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::BuildArgs;
use super::load::load_clips;
use super::term::Term;
use super::{CliError, Outcome, inspect, metric, render, spikes};

/// Runs the verb.
pub fn run(args: &BuildArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let (graph, mut account, target) = match &args.rethreshold {
        Some(path) => rethreshold(args, path)?,
        None => build(args, term)?,
    };
    let begin = Instant::now();
    graph.save(&target).map_err(graph_error)?;
    account.timings_s.save = begin.elapsed().as_secs_f64();
    if args.rethreshold.is_none() {
        remove_journal(&journal_path(&target)).map_err(graph_error)?;
    }
    let json = serde_json::to_string_pretty(&account).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(path) = &args.report {
        render::write_bytes(path, json.as_bytes())?;
    }
    if args.json {
        term.out(&(json + "\n"))?;
    } else {
        term.out(&inspect::words(&account))?;
    }
    // Mended frames were told when the clips were read; the report has each.
    let mended = |w: &&GraphWarning| matches!(w, GraphWarning::SpikesRepaired { .. });
    for warning in account.warnings.iter().filter(|w| !mended(w)) {
        term.say(&format!("warning: {warning} [{}]", warning.code()));
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

fn build(args: &BuildArgs, term: &mut Term) -> Result<(MotionGraph, Account, PathBuf), CliError> {
    let begin = Instant::now();
    let loaded = load_clips(&args.inputs, &args.read.mending(), term)?;
    term.warn_all(loaded.iter().map(|(_, i)| (i.clip.name(), &i.warnings)));
    let markers = metric::markers(&args.metric, loaded.iter().map(|(_, i)| i))?;
    let mut told = spikes_repaired(&loaded, args);
    let (clips, provenance) = named_clips(loaded, &labels(args)?, &mut told)?;
    for (pattern, label) in &args.label_names {
        let used = |c: &Clip| c.labels().spans().iter().any(|s| s.label == *label);
        if !clips.clips().iter().any(used) {
            term.say(&format!(
                "warning: no file fits `{pattern}`, so nothing is labelled `{label}`"
            ));
        }
    }
    let read = begin.elapsed().as_secs_f64();
    let known = args.into.as_deref().map(load_graph).transpose()?;
    let target = target(args)?;
    let mut builder = GraphBuilder::new(clips).provenance(provenance);
    builder = match &known {
        // A graph's own options hold for what is added to it; only thresholds may change.
        Some(graph) => builder.add_to(graph),
        None => builder.options(BuildOptions {
            fps: args.metric.fps,
            metric: metric::options(&args.metric),
            markers,
            contacts: ContactRule::named(&args.contacts).unwrap_or_default(),
            thin_s: if args.keep_all_transitions {
                0.0
            } else {
                BuildOptions::default().thin_s
            },
            bridge_s: args.bridge,
            with_mirrored: args.with_mirrored,
            keep_apart: args.keep_apart.clone(),
            ..BuildOptions::default()
        }),
    };
    if let Some(thresholds) = thresholds(args)? {
        builder = builder.thresholds(thresholds);
    }
    let journal = journal_path(&target);
    let mut watch = Watch::new(term)?;
    let built = builder.journal(&journal).build(&mut watch);
    watch.bar.finish_and_clear();
    if watch.stop.load(Ordering::Relaxed) && built.is_err() {
        return Err(CliError::new("stopped").with_hint(format!(
            "what was compared is kept in {}; the same command goes on from there",
            journal.display()
        )));
    }
    let (graph, mut account) = built.map_err(graph_error)?;
    account.timings_s.read = read;
    account.warnings.splice(0..0, told);
    Ok((graph, account, target))
}

fn rethreshold(args: &BuildArgs, path: &Path) -> Result<(MotionGraph, Account, PathBuf), CliError> {
    let graph = load_graph(path)?;
    let thresholds = thresholds(args)?.unwrap_or(Thresholds::Auto);
    let options = BuildOptions {
        contacts: ContactRule::named(&args.contacts).unwrap_or_default(),
        thin_s: if args.keep_all_transitions {
            0.0
        } else {
            BuildOptions::default().thin_s
        },
        bridge_s: args.bridge,
        ..graph.options().clone()
    };
    let (graph, account) = graph
        .rethreshold(&thresholds, &options)
        .map_err(graph_error)?;
    Ok((graph, account, target(args)?))
}

/// Every frame that was mended, for the report.
fn spikes_repaired(loaded: &[(Input, Import)], args: &BuildArgs) -> Vec<GraphWarning> {
    if args.read.keep_spikes {
        return Vec::new();
    }
    let told = |(_, import): &(Input, Import)| {
        let list: Vec<String> = spikes::rows(import)
            .iter()
            .map(spikes::SpikeRow::words)
            .collect();
        (!list.is_empty()).then(|| GraphWarning::SpikesRepaired {
            clip: import.clip.name().to_owned(),
            list,
        })
    };
    loaded.iter().filter_map(told).collect()
}

/// Clips with their labels, under names that hold no part of this machine's folders, and where each came from.
/// Labels go first: a table names files as they lie.
fn named_clips(
    loaded: Vec<(Input, Import)>,
    labels: &Labels,
    told: &mut Vec<GraphWarning>,
) -> Result<(ClipSet, BTreeMap<String, Provenance>), CliError> {
    let names = tame_names(loaded.iter().map(|(_, i)| i.clip.name()));
    let mut clips = Vec::with_capacity(loaded.len());
    let mut provenance = BTreeMap::new();
    for ((input, import), name) in loaded.into_iter().zip(&names) {
        let checksum = *blake3::hash(&Bytes::of(&input.path)?).as_bytes();
        let extension = import.source.format.as_str();
        let file = format!("{}.{extension}", name.split('#').next().unwrap_or(name));
        provenance.insert(name.clone(), Provenance { file, checksum });
        let whole = whole_name(&input, &import);
        clips.push(import.clip.with_name(whole));
    }
    let clips = labels.apply(clips, told).map_err(graph_error)?;
    let clips = clips
        .into_iter()
        .zip(names)
        .map(|(clip, name)| clip.with_name(name))
        .collect();
    let set = ClipSet::new(clips).map_err(|e| {
        let hint = match e {
            ClipSetError::DuplicateName(_) => {
                "a clip is called after its file; give each motion once (only clips/*.bvh, say)"
            }
            _ => "a graph needs one skeleton; build one per body (`gaitway info` shows whose is whose)",
        };
        CliError::new(e.to_string()).with_hint(hint)
    })?;
    Ok((set, provenance))
}

/// A clip's name with its whole path, so that a table is understood from whatever folder the program is run in.
fn whole_name(input: &Input, import: &Import) -> String {
    let path = std::path::absolute(&input.path).unwrap_or_else(|_| input.path.clone());
    match import.clip.name().rsplit_once('#') {
        Some((_, animation)) => format!("{}#{animation}", clip_id(&path)),
        None => clip_id(&path),
    }
}

fn labels(args: &BuildArgs) -> Result<Labels, CliError> {
    let mut labels = match &args.labels {
        Some(path) => {
            let whole = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            Labels::from_csv_file(&whole).map_err(graph_error)?
        }
        None => Labels::none(),
    };
    for (pattern, label) in &args.label_names {
        labels = labels.with_pattern(pattern.clone(), label.clone());
    }
    Ok(labels)
}

fn thresholds(args: &BuildArgs) -> Result<Option<Thresholds>, CliError> {
    if let Some(cm) = args.threshold {
        return Ok(Some(Thresholds::cm(cm)));
    }
    let Some(path) = &args.thresholds else {
        return Ok(args.auto.then_some(Thresholds::Auto));
    };
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| CliError::new(format!("{file}: {e}")))?;
    Thresholds::from_toml(&text, &file)
        .map(Some)
        .map_err(graph_error)
}

/// Opens a graph file; what is wrong with one is said with its name.
pub fn load_graph(path: &Path) -> Result<MotionGraph, CliError> {
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
    let hint = match &error {
        GraphError::NotAGraph { .. } => {
            Some("`gaitway build` makes graphs, `gaitway info` shows clips")
        }
        GraphError::NewerVersion { .. } => Some("use the gaitway that made it, or a newer one"),
        GraphError::Damaged { .. } => Some("build it again; the clips are not harmed"),
        _ => None,
    };
    let out = CliError::new(error.to_string());
    hint.into_iter().fold(out, CliError::with_hint)
}

/// Shows how the search goes on, and stops it on Ctrl-C.
struct Watch {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    begin: Instant,
}

impl Watch {
    fn new(term: &Term) -> Result<Self, CliError> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        ctrlc::set_handler(move || {
            // Asked twice, a program ends.
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })
        .map_err(|e| CliError::new(e.to_string()))?;
        let bar = term.progress(100, "comparing");
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent}%");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Ok(Self {
            bar,
            stop,
            begin: Instant::now(),
        })
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
        self.stop.load(Ordering::Relaxed)
    }
}
