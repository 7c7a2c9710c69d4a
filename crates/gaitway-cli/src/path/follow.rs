//! Searching, assembling, planting, writing.

use std::path::{Path as FilePath, PathBuf};

use gaitway::eval::quality::{Quality, quality_against};
use gaitway::graph::MotionGraph;
use gaitway::io::{WriteOptions, write_file};
use gaitway::synth::path::{
    Alternative, AlternativeOptions, CrowdOptions, EdgePaths, Followed, Path, PathOptions, Person,
    alternatives, crowd,
};
use gaitway::synth::report::{KeptWalk, PathReport, path_report};
use gaitway::synth::search::{Control, Outcome as Ended, SearchProgress};
use gaitway::synth::{AssembleOptions, FinishOptions, Motion};
use serde_json::{Value, json};

use super::super::CliError;
use super::super::args::{MakeArgs, PathArgs};
use super::super::interrupt;
use super::super::make::{self, synth_error};
use super::super::term::Term;
use super::ask;

/// A walk along one of the paths.
pub struct Found {
    /// Which path.
    pub path: usize,
    /// When it sets out, in a crowd.
    pub start_s: Option<f64>,
    /// Among alternatives, the part of its frames that one found before it plays too.
    pub shared: Option<f64>,
    /// What the search says.
    pub followed: Followed,
}

/// A motion along a path, with all that is known of it.
pub struct Taken {
    /// Which path.
    pub path: usize,
    /// When it sets out, in a crowd.
    pub start_s: Option<f64>,
    /// Among alternatives, the part of its frames that one found before it plays too.
    pub shared: Option<f64>,
    /// What the search says.
    pub followed: Followed,
    /// Whether the walk reaches the path's end.
    pub complete: bool,
    /// Metres of path done.
    pub gone_m: f64,
    /// The motion; none where not a frame could be walked.
    pub motion: Option<Motion>,
    /// Numbers.
    pub report: PathReport,
    /// Where it was written.
    pub file: PathBuf,
}

impl Taken {
    /// Whether there is a motion to show, and a file of it.
    pub fn has_walk(&self) -> bool {
        let none = matches!(self.followed.found.outcome, Ended::NoWalk { .. });
        self.motion.is_some() && self.followed.walk.is_some() && !none
    }
}

/// Searches: one walk, several for the same path, or a crowd.
pub fn search(
    graph: &MotionGraph,
    edges: &EdgePaths,
    paths: &[Path],
    options: &PathOptions,
    args: &PathArgs,
    term: &mut Term,
) -> Result<Vec<Found>, CliError> {
    let count = args.count.unwrap_or(paths.len());
    let bar = term.progress(1000, "searching");
    let show = |p: SearchProgress| {
        bar.set_position((1000.0 * p.part) as u64);
        if let Some(cost) = p.best {
            bar.set_message(format!("searching, best so far {cost:.2} m²"));
        }
    };
    let control = Control {
        cancel: Some(interrupt::flag()),
        progress: Some(&show),
        ..Control::default()
    };
    let chosen = ask::search(args);
    let found = if count > 1 || paths.len() > 1 {
        let wish = CrowdOptions {
            count,
            seed: args.seed,
            search: chosen,
            budget: ask::has_budget(args).then(|| ask::budget(args, &paths[0])),
            ..CrowdOptions::default()
        };
        let people = crowd(graph, edges, paths, options, &wish, control).map_err(synth_error)?;
        let found = |p: Person| Found {
            path: p.path,
            start_s: Some(p.start_s),
            shared: None,
            followed: p.followed,
        };
        people.into_iter().map(found).collect()
    } else {
        let budget = ask::budget(args, &paths[0]);
        let wish = AlternativeOptions {
            count: args.alternatives,
            seed: args.seed,
            ..AlternativeOptions::default()
        };
        let mut found = alternatives(
            graph,
            edges,
            &paths[0],
            options,
            (chosen, &budget),
            &wish,
            control,
        )
        .map_err(synth_error)?;
        // Walks that arrive before those that do not, then by what they cost.
        found.sort_by(|a, b| {
            let (a, b) = (&a.followed.found, &b.followed.found);
            b.complete.cmp(&a.complete).then(a.cost.total_cmp(&b.cost))
        });
        let one = |a: Alternative| Found {
            path: 0,
            start_s: None,
            shared: (args.alternatives > 1).then_some(a.shared),
            followed: a.followed,
        };
        found.into_iter().map(one).collect()
    };
    bar.finish_and_clear();
    Ok(found)
}

/// How a walk becomes a motion.
pub struct Making<'a> {
    /// Rate, blend, cleaning.
    pub args: &'a MakeArgs,
    /// The most that bending may move the root, metres.
    pub bend: Option<f64>,
}

/// Assembles, bends and plants one walk, and reports on it.
pub fn make(
    graph: &MotionGraph,
    path: &Path,
    options: &PathOptions,
    followed: &Followed,
    making: &Making<'_>,
    term: &mut Term,
) -> Result<(PathReport, Option<Motion>), CliError> {
    let Some(walk) = &followed.walk else {
        return Ok((path_report(graph, path, options, followed, None), None));
    };
    let wish = FinishOptions {
        assemble: AssembleOptions {
            world_from_start: followed.world_from_start,
            ..make::options(making.args)
        },
        bend: making.bend.map(|most_m| (path, most_m)),
        clean: !making.args.no_clean,
    };
    let made = gaitway::synth::finish_motion(graph, walk, &wish).map_err(synth_error)?;
    make::tell_feet(made.feet_left, term);
    let motion = made.motion;
    let report = path_report(graph, path, options, followed, Some(&motion));
    Ok((report, Some(motion)))
}

/// What `quality` says of a motion, against the clips it was made from.
pub fn quality_of(graph: &MotionGraph, motion: &Motion, file: &str) -> Result<Quality, CliError> {
    let used = motion.origin.iter().map(|o| o.clip);
    quality_against(graph, used, &motion.clip, file).map_err(super::super::build::graph_error)
}

/// Makes and writes one motion. Where there is no walk to the end, nothing is written.
pub fn take(
    graph: &MotionGraph,
    path: &Path,
    options: &PathOptions,
    found: Found,
    file: &FilePath,
    args: &PathArgs,
    term: &mut Term,
) -> Result<Taken, CliError> {
    let making = Making {
        args: &args.make,
        bend: args.search.bend,
    };
    let Found {
        path: which,
        start_s,
        shared,
        followed,
    } = found;
    let (mut report, motion) = make(graph, path, options, &followed, &making, term)?;
    let none = matches!(followed.found.outcome, Ended::NoWalk { .. });
    if let Some(motion) = &motion {
        if !none {
            for warning in &write_file(file, &motion.clip, &WriteOptions::default())? {
                term.warn(&file.display().to_string(), warning);
            }
        }
        let numbers = quality_of(graph, motion, &file.display().to_string())?;
        report.quality = serde_json::to_value(numbers).ok();
    }
    Ok(Taken {
        path: which,
        start_s,
        shared,
        complete: followed.found.complete,
        gone_m: followed.found.end.map_or(0.0, |e| e.arc()),
        followed,
        motion,
        report,
        file: file.to_path_buf(),
    })
}

/// A motion's row of the report. `tag` is that of the graph, for the walk to be found again.
pub fn row(taken: &Taken, tag: &str) -> Result<Value, CliError> {
    let mut row = serde_json::to_value(&taken.report).map_err(|e| CliError::new(e.to_string()))?;
    if let Value::Object(fields) = &mut row {
        if taken.has_walk() {
            fields.insert("file".into(), json!(taken.file.display().to_string()));
        }
        fields.insert("complete".into(), json!(taken.complete));
        if let Some(walk) = KeptWalk::of(tag, &taken.followed) {
            fields.insert("walk".into(), json!(walk));
        }
        if let Some(shared) = taken.shared {
            fields.insert("shared".into(), json!(shared));
        }
        if let Some(start_s) = taken.start_s {
            fields.insert("path".into(), json!(taken.path));
            fields.insert("start_s".into(), json!(start_s));
        }
    }
    Ok(row)
}
