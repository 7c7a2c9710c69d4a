//! `gaitway path`: motion along a curve on the ground.
//!
//! | module | its part |
//! | --- | --- |
//! | `ask` | from arguments to the library's request |
//! | `follow` | searching with a bar, measuring, writing |
//! | `again` | `--again`: a part of a motion made before |
//! | `place` | `--end`: a clip at a place |
//! | [`show`] | the plot, and numbers along the way |
//! | `scene` | everybody in one file |
//! | [`page`] | the report as a page |

mod again;
mod ask;
mod follow;
pub mod page;
mod place;
mod scene;
pub mod show;

use std::path::PathBuf;

use gaitway::eval::draw::path::film::path_film;
use gaitway::eval::draw::path::{PathPicture, PathView, path_picture};
use gaitway::eval::draw::{self, RenderOptions, View};
use gaitway::graph::MotionGraph;
use gaitway::synth::Motion;
use gaitway::synth::path::{EdgePaths, Path, PathMotion, PathOptions, PathRequest, PathWalk};
use gaitway::synth::report::{ACTION_OFF_M, ActionRow, ConstraintRow, PathReport, keep_apart};
use gaitway::synth::search::SearchEnd;
use glam::DVec2;
use serde_json::Value;

use super::args::{EndArg, PathArgs, PathViewArg};
use super::build::load_graph;
use super::interrupt;
use super::make::{counted, interpolated_words, synth_error};
use super::onto::Onto;
use super::render::{check_picture, title, write_bytes, write_scene};
use super::term::Term;
use super::{CliError, Outcome, files};
pub use ask::path_of;
pub use follow::quality_of;

/// What may help where the budget ended the search.
const TRY_MORE: &str = "hint: --expansions or --max-time let the search try more";

/// Said of one of a crowd who has no walk: the last search had nobody else in it.
const NOT_OTHERS: &str = "hint: nobody else is in the way of it, there is no walk with that path to itself either: try it with --count 1, another --style, or more room about --obstacles";

/// Less backward travel than this is a step back, and not told, seconds.
const BACKWARD_S: f64 = 0.5;
/// Who faces where he goes in less than this part of the frames goes sideways, or backwards.
const MOSTLY_AHEAD: f64 = 0.5;

/// The longest animation, in seconds: about ten megabytes.
const LONGEST_GIF_S: f64 = 60.0;

/// Runs the verb: exit code 1 when there is no walk along the path.
pub fn run(args: &PathArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let show = &args.show;
    let outputs = [
        Some(&args.make.out),
        args.make.report.as_ref(),
        show.plot.as_ref(),
        show.gif.as_ref(),
        show.page.as_ref(),
        args.scene.as_ref(),
    ];
    files::check_outputs(outputs)?;
    check_picture(show.plot.as_deref())?;
    scene::check(args)?;
    let named = [args.obstacles.as_deref(), args.again.from.as_deref()];
    let mut inputs: Vec<&std::path::Path> = args.paths.iter().map(std::path::Path::new).collect();
    inputs.push(&args.graph);
    inputs.extend(args.make.onto.as_deref().map(std::path::Path::new));
    inputs.extend(named.into_iter().flatten());
    files::keep_inputs(outputs, &inputs)?;
    if args.play_out && args.end.is_none() {
        return Err(CliError::new("--play-out is an option of --end")
            .with_hint("leave it out, or end with a label: --end sit@3,4,90 --play-out"));
    }
    // What is wrong with the words is said before a large graph is read.
    let goal = match &args.end {
        Some(end) => {
            ask::refuse_with_end(&args.search)?;
            Goal::Place(end, Box::new(ask::options(args)?))
        }
        None => Goal::Path(Box::new(ask::request(args)?)),
    };
    let onto = Onto::read(args.make.onto.as_ref(), &args.make.out, term)?;
    let graph = load_graph(&args.graph)?;
    interrupt::on_ctrl_c();
    let request = match goal {
        Goal::Place(end, options) => {
            let edges = EdgePaths::new(&graph, &options.naturalness, options.smooth_arc)
                .map_err(synth_error)?;
            let request = ask::place_request(args, end, *options, &graph);
            return place::run(&graph, &edges, &request, onto.as_ref(), args, term);
        }
        Goal::Path(request) => *request,
    };
    let edges = request.edge_paths(&graph).map_err(synth_error)?;
    let walks = match args.again.again {
        Some(seconds) => match again::search(&graph, &edges, &request, seconds, args, term)? {
            Some(walks) => walks,
            None => return Ok(Outcome::Failed),
        },
        None => follow::search(&graph, &edges, &request, term)?,
    };
    let count = walks.len();
    let named = |(k, walk): (usize, &PathWalk)| ask::timed(&args.make.out, k, count, walk.start_s);
    let files: Vec<PathBuf> = walks.iter().enumerate().map(named).collect();
    let (mut motions, mut on_body) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (walk, file) in walks.into_iter().zip(&files) {
        let (made, done) =
            follow::make_and_write(&graph, &request, walk, onto.as_ref(), file, term)?;
        motions.push(made);
        on_body.push(done);
    }
    keep_apart(&mut motions, &request.options);
    let done = Done {
        graph: &graph,
        request: &request,
        motions,
        files,
    };
    let mut rows = done.rows();
    for (row, report) in rows.iter_mut().zip(&on_body) {
        if let (Some(onto), Some(report)) = (&onto, report) {
            row["onto"] = onto.row(report);
        }
    }
    write_report(args, rows, term)?;
    let written = done.each().filter(|(m, _)| m.has_walk());
    for (_, file) in written {
        term.say(&format!("wrote {}", file.display()));
    }
    if let (Some(onto), Some(report), false) =
        (&onto, on_body.iter().flatten().next(), args.make.json)
    {
        onto.say(report, term);
        onto.scale_hint(report, args.scale, term);
    }
    scene::write(&done, args, term)?;
    pictures(&done, args, term)?;
    Ok(say(&done, args, term))
}

/// What the words ask for.
enum Goal<'a> {
    Place(&'a EndArg, Box<PathOptions>),
    Path(Box<PathRequest>),
}

/// What was made along paths, and where each motion was written.
struct Done<'a> {
    graph: &'a MotionGraph,
    request: &'a PathRequest,
    motions: Vec<PathMotion>,
    files: Vec<PathBuf>,
}

impl Done<'_> {
    fn each(&self) -> impl Iterator<Item = (&PathMotion, &PathBuf)> {
        self.motions.iter().zip(&self.files)
    }

    /// The report's rows.
    fn rows(&self) -> Vec<Value> {
        let tag = self.graph.tag();
        let row = |(motion, file): (&PathMotion, &PathBuf)| {
            let file = motion.has_walk().then(|| file.display().to_string());
            motion.row(&tag, file.as_deref())
        };
        self.each().map(row).collect()
    }
}

/// The report as JSON: an object for one, a list for several.
fn write_report(args: &PathArgs, mut rows: Vec<Value>, term: &mut Term) -> Result<(), CliError> {
    let all = if rows.len() == 1 {
        rows.remove(0)
    } else {
        Value::Array(rows)
    };
    let text = serde_json::to_string_pretty(&all).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(file) = &args.make.report {
        write_bytes(file, text.as_bytes())?;
    }
    if args.make.json {
        term.json(&text)?;
    }
    Ok(())
}

fn pictures(done: &Done<'_>, args: &PathArgs, term: &mut Term) -> Result<(), CliError> {
    let (graph, request, motions) = (done.graph, done.request, &done.motions);
    let heading = heading(args, &request.paths);
    if let Some(file) = &args.show.plot {
        let mut picture = show::picture(graph, request, motions);
        picture.title = heading.clone();
        if let Some(s) = show::moment(motions) {
            picture.title += &format!(", after {s:.1} s");
        }
        plot(args, picture)?;
        term.say(&format!("wrote {}", file.display()));
    }
    if let Some(file) = &args.show.gif {
        if motions.iter().any(|m| m.walk.start_s.is_some()) {
            let mut picture = show::picture(graph, request, motions);
            picture.title = heading.clone();
            crowd_gif(file, picture, motions, term)?;
        } else {
            for (k, m) in motions.iter().enumerate() {
                if let Some(motion) = &m.motion {
                    gif(&ask::numbered(file, k, motions.len()), motion, term)?;
                }
            }
        }
    }
    if let Some(file) = &args.show.page {
        let lead = format!(
            "{heading}: the path asked for, the motion made along it, and how good both are."
        );
        let mut page = draw::Page::new(heading, lead);
        for (motion, file) in done.each() {
            if motions.len() > 1 {
                page = page.section(title(&file.to_string_lossy()));
            }
            page = page::sections(page, graph, request, motion)?;
        }
        let made = format!("Made by gaitway {} path.", env!("CARGO_PKG_VERSION"));
        write_bytes(file, page.footer(made).to_html().as_bytes())?;
        term.say(&format!("wrote {}", file.display()));
    }
    Ok(())
}

fn heading(args: &PathArgs, paths: &[Path]) -> String {
    let graph = title(&args.graph.to_string_lossy());
    match paths {
        [one] => format!(
            "{graph} along {}, {:.1} m",
            title(&args.paths[0]),
            one.length()
        ),
        many => format!("{graph} along {} paths", many.len()),
    }
}

/// Draws a picture to where `--plot` says.
fn plot(args: &PathArgs, mut picture: PathPicture<'_>) -> Result<(), CliError> {
    let Some(file) = &args.show.plot else {
        return Ok(());
    };
    picture.view = match args.show.plot_view {
        PathViewArg::Map => PathView::Map,
        PathViewArg::Slant => PathView::Slant,
    };
    let scene = path_picture(&picture).map_err(|e| CliError::new(e.to_string()))?;
    write_scene(file, &scene)
}

fn gif(file: &std::path::Path, motion: &Motion, term: &mut Term) -> Result<(), CliError> {
    let options = RenderOptions {
        view: View::ThreeQuarter,
        max_seconds: LONGEST_GIF_S,
        title: Some(title(&file.to_string_lossy())),
        ..RenderOptions::default()
    };
    let bytes = draw::animate(&motion.clip, &options)
        .and_then(|a| a.to_gif())
        .map_err(|e| CliError::new(e.to_string()))?;
    write_bytes(file, &bytes)?;
    term.say(&format!("wrote {}", file.display()));
    Ok(())
}

/// Everybody of a crowd in one animation, on the crowd's clock.
fn crowd_gif(
    file: &std::path::Path,
    mut picture: PathPicture<'_>,
    motions: &[PathMotion],
    term: &mut Term,
) -> Result<(), CliError> {
    picture.view = PathView::Slant;
    // The picture leaves out who has no walk.
    let there = motions.iter().filter(|m| m.has_walk());
    let starts: Vec<f64> = there.map(|m| m.walk.start_s.unwrap_or(0.0)).collect();
    let options = RenderOptions {
        max_seconds: LONGEST_GIF_S,
        ..RenderOptions::default()
    };
    let bytes = path_film(&picture, &starts, &options)
        .and_then(|film| film.to_gif())
        .map_err(|e| CliError::new(e.to_string()))?;
    write_bytes(file, &bytes)?;
    term.say(&format!("wrote {}", file.display()));
    Ok(())
}

/// What can be asked for instead of an action that was missed: where it does happen, so far as it does.
fn missed_hint(path: &Path, missed: &ActionRow) -> String {
    let label = &missed.label;
    let near = missed.place_m.map(|[x, _, z]| {
        let steps = (path.length() / 0.1).ceil().max(1.0) as usize;
        let all = (0..=steps).map(|k| path.length() * k as f64 / steps as f64);
        let off = |m: &f64| path.at(*m).distance(DVec2::new(x, z));
        all.min_by(|a, b| off(a).total_cmp(&off(b)))
            .map_or((0.0, f64::INFINITY), |m| (m, off(&m)))
    });
    match near {
        Some((m, off)) if off <= ACTION_OFF_M => {
            format!("hint: it was found at {m:.1} m of the path: {label}@{m:.1} asks for it there")
        }
        _ => format!(
            "hint: other seeds, searches and events of `{label}` were tried; `gaitway inspect G.gway` lists its events, and `any,{label}@M` lets anything be played on the way to it"
        ),
    }
}

/// Whether something asked for is about time.
fn in_time(row: &ConstraintRow) -> bool {
    ["duration", "arrival", "speed"].contains(&row.what)
}

/// What can be asked for instead of a time that was missed.
fn time_hint(m: &PathMotion) -> String {
    let r = &m.report;
    format!(
        "hint: what may be played here takes {:.1} s for these {:.1} m, {:.2} m/s on average; ask for a time nearer to that, or for a --style that is as fast as you want",
        r.seconds,
        r.path_m,
        r.path_m / r.seconds.max(1e-9)
    )
}

/// When one of a crowd sets out, and for whom they waited.
fn sets_out(walk: &PathWalk) -> String {
    let Some(start_s) = walk.start_s else {
        return String::new();
    };
    let mut words = format!(", sets out at {start_s:.1} s");
    if let Some(wait) = walk.wait.filter(|w| w.wait_s > 0.0) {
        words += &format!(" after a wait of {:.1} s", wait.wait_s);
        if let Some(who) = wait.waited_for {
            words += &format!(" for person {who}");
        }
    }
    words
}

/// A line per motion, and the exit code that follows from them all.
fn say(done: &Done<'_>, args: &PathArgs, term: &mut Term) -> Outcome {
    let mut outcome = Outcome::Done;
    for (m, file) in done.each() {
        let name = if done.motions.len() > 1 {
            format!("{}: ", file.display())
        } else {
            String::new()
        };
        if let Some(reason) = &m.report.reason {
            term.fail(&format!("{name}no walk: {reason}"));
            if m.walk.start_s.is_some() && !interrupt::stopped() {
                term.say(NOT_OTHERS);
            }
            if m.report.search == SearchEnd::Budget && !interrupt::stopped() {
                term.say(TRY_MORE);
            }
            outcome = Outcome::Failed;
            continue;
        }
        if !m.complete() {
            let left = (done.request.paths[m.walk.path].length() - m.gone_m()).max(0.0);
            let why = if interrupt::stopped() {
                "stopped"
            } else {
                "the budget was spent"
            };
            term.fail(&format!(
                "{name}{why} {left:.1} m before the end of the path"
            ));
            if !interrupt::stopped() {
                term.say(TRY_MORE);
            }
            outcome = Outcome::Failed;
            continue;
        }
        if m.report.status == "OffPath" {
            // The walk may just keep within what the motion made of it does not.
            let left = m.report.left_path.as_ref().map(|l| l.words.as_str());
            let words = left.unwrap_or("the motion is further from the path than may be");
            term.fail(&format!("{name}{words}"));
            outcome = Outcome::Failed;
        }
        for broken in m.report.constraints.iter().filter(|c| !c.kept) {
            term.fail(&format!("{name}{}", broken.words()));
            outcome = Outcome::Failed;
        }
        if m.report.constraints.iter().any(|c| !c.kept && in_time(c)) {
            term.say(&time_hint(m));
        }
        for missed in m.report.actions.iter().filter(|a| !a.as_asked) {
            let why = missed.reason.as_deref().unwrap_or("it does not happen");
            term.fail(&format!("{name}{} missed: {why}", missed.label));
            if !interrupt::stopped() {
                term.say(&missed_hint(&done.request.paths[m.walk.path], missed));
            }
            outcome = Outcome::Failed;
        }
        if args.make.json {
            continue;
        }
        let later = sets_out(&m.walk);
        let round = if args.obstacles.is_some() {
            " as it was drawn, its way round obstacles included"
        } else {
            ""
        };
        term.say(&format!(
            "{name}{}: {:.2} s, {:.1} cm RMS from the path{round}, {}{}, searched for {:.2} s{later}",
            m.report.status,
            m.report.seconds,
            100.0 * m.report.path_error_m.rms,
            counted(m.report.transitions.len(), "transition"),
            interpolated_words(&m.report.interpolated),
            m.report.search_seconds
        ));
        if let Some(words) = proven(&m.report) {
            term.say(&format!("{name}{words}"));
        }
        if let Some(alike) = &m.walk.alike {
            term.say(&format!("{name}{}", alike.words));
        }
        for action in &m.report.actions {
            term.say(&format!("{name}{}", action.words()));
        }
        if m.report.backward_s > BACKWARD_S {
            term.say(&format!(
                "{name}goes backwards for {:.1} s",
                m.report.backward_s
            ));
        }
        let ahead = m.report.facing_error_rad.within_30_deg;
        if ahead < MOSTLY_AHEAD {
            term.say(&format!(
                "{name}goes sideways: it faces where it goes, within 30°, in {:.0} % of its frames",
                100.0 * ahead
            ));
        }
    }
    outcome
}

/// What is proven of a walk's cost, where anything is.
fn proven(report: &PathReport) -> Option<String> {
    let (cost, bound) = (report.cost, report.bound?);
    Some(match report.epsilon {
        Some(1.0) => format!("no walk costs less than its {cost:.3}: proven"),
        Some(epsilon) => {
            format!(
                "it costs {cost:.3}, and no walk less than {bound:.3}: at most {epsilon:.2} times the best, proven"
            )
        }
        None => format!("it costs {cost:.3}; nothing is proven of what others cost"),
    })
}
