//! `gaitway path`: motion along a curve on the ground.
//!
//! | module | its part |
//! | --- | --- |
//! | `ask` | from arguments to what the library takes |
//! | `follow` | searching, assembling, planting, writing |
//! | `again` | `--again`: a part of a motion made before |
//! | `place` | `--end`: a clip at a place |
//! | [`show`] | the plot, and numbers along the way |
//! | [`page`] | the report as a page |

mod again;
mod ask;
mod follow;
pub mod page;
mod place;
pub mod show;

use gaitway::eval::draw::path::film::path_film;
use gaitway::eval::draw::path::{PathPicture, PathView, path_picture};
use gaitway::eval::draw::{self, RenderOptions, View};
use gaitway::graph::MotionGraph;
use gaitway::synth::Motion;
use gaitway::synth::path::{EdgePaths, Path, PathOptions};
use gaitway::synth::search::SearchEnd;
use serde_json::Value;

use super::args::{PathArgs, PathViewArg};
use super::build::load_graph;
use super::interrupt;
use super::make::synth_error;
use super::render::{title, write_bytes, write_scene};
use super::term::Term;
use super::{CliError, Outcome, files};
pub use follow::{Making, Taken, make, quality_of};

/// What may help where the budget ended the search.
const TRY_MORE: &str = "hint: --expansions or --max-time let the search try more";

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
    ];
    files::check_outputs(outputs)?;
    let named = [args.obstacles.as_deref(), args.again.from.as_deref()];
    let mut inputs: Vec<&std::path::Path> = args.paths.iter().map(std::path::Path::new).collect();
    inputs.push(&args.graph);
    inputs.extend(named.into_iter().flatten());
    files::keep_inputs(outputs, &inputs)?;
    // What is wrong with the words is said before a large graph is read.
    let paths = match args.end {
        Some(_) => Vec::new(),
        None => ask::paths(args)?,
    };
    let graph = load_graph(&args.graph)?;
    interrupt::on_ctrl_c();
    let options = ask::options(args)?;
    let edges =
        EdgePaths::new(&graph, &options.naturalness, options.smooth_arc).map_err(synth_error)?;
    if let Some(end) = &args.end {
        return place::run(&graph, &edges, &options, end, args, term);
    }
    let found = match args.again.again {
        Some(seconds) => {
            match again::search(&graph, &edges, &paths, &options, seconds, args, term)? {
                Some(found) => found,
                None => return Ok(Outcome::Failed),
            }
        }
        None => follow::search(&graph, &edges, &paths, &options, args, term)?,
    };
    let tag = graph.tag();
    let count = found.len();
    let mut taken = Vec::with_capacity(count);
    for (k, found) in found.into_iter().enumerate() {
        let file = ask::numbered(&args.make.out, k, count);
        taken.push(follow::take(
            &graph,
            &paths[found.path],
            &options,
            found,
            &file,
            args,
            term,
        )?);
    }
    report(args, &taken, &tag, term)?;
    pictures(&graph, &paths, &options, &taken, args, term)?;
    Ok(tell(&paths, &taken, args, term))
}

/// The report as JSON: an object for one, a list for several.
fn report(args: &PathArgs, taken: &[Taken], tag: &str, term: &mut Term) -> Result<(), CliError> {
    let rows: Result<Vec<Value>, _> = taken.iter().map(|t| follow::row(t, tag)).collect();
    write_report(args, rows?, term)
}

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
        term.out(&(text + "\n"))?;
    }
    Ok(())
}

fn pictures(
    graph: &MotionGraph,
    paths: &[Path],
    options: &PathOptions,
    taken: &[Taken],
    args: &PathArgs,
    term: &mut Term,
) -> Result<(), CliError> {
    if let Some(file) = &args.show.plot {
        let mut picture = show::picture(graph, paths, options, taken);
        picture.title = heading(args, paths);
        if let Some(s) = show::moment(taken) {
            picture.title += &format!(", after {s:.1} s");
        }
        plot(args, picture)?;
        term.say(&format!("wrote {}", file.display()));
    }
    if let Some(file) = &args.show.gif {
        if taken.iter().any(|t| t.start_s.is_some()) {
            let mut picture = show::picture(graph, paths, options, taken);
            picture.title = heading(args, paths);
            crowd_gif(file, picture, taken, term)?;
        } else {
            for (k, t) in taken.iter().enumerate() {
                if let Some(motion) = &t.motion {
                    gif(&ask::numbered(file, k, taken.len()), motion, term)?;
                }
            }
        }
    }
    if let Some(file) = &args.show.page {
        let lead = format!(
            "{}: the path asked for, the motion made along it, and how good both are.",
            heading(args, paths)
        );
        let mut page = draw::Page::new(heading(args, paths), lead);
        for t in taken {
            if taken.len() > 1 {
                page = page.section(title(&t.file.to_string_lossy()));
            }
            page = page::sections(page, graph, paths, options, t)?;
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
    taken: &[Taken],
    term: &mut Term,
) -> Result<(), CliError> {
    picture.view = PathView::Slant;
    // The picture leaves out who has no walk.
    let there = taken.iter().filter(|t| t.has_walk());
    let starts: Vec<f64> = there.map(|t| t.start_s.unwrap_or(0.0)).collect();
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

/// A line per motion, and the exit code that follows from them all.
fn tell(paths: &[Path], taken: &[Taken], args: &PathArgs, term: &mut Term) -> Outcome {
    let mut outcome = Outcome::Done;
    for t in taken {
        let name = if taken.len() > 1 {
            format!("{}: ", t.file.display())
        } else {
            String::new()
        };
        if let Some(reason) = &t.report.reason {
            term.fail(&format!("{name}no walk: {reason}"));
            if t.report.search == SearchEnd::Budget && !interrupt::stopped() {
                term.say(TRY_MORE);
            }
            outcome = Outcome::Failed;
            continue;
        }
        if !t.complete {
            let left = (paths[t.path].length() - t.gone_m).max(0.0);
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
        if t.report.status == "OffPath" {
            // The walk may just keep within what the motion made of it does not.
            let left = t.report.left_path.as_ref().map(|l| l.words.as_str());
            let words = left.unwrap_or("the motion is further from the path than may be");
            term.fail(&format!("{name}{words}"));
            outcome = Outcome::Failed;
        }
        if args.make.json {
            continue;
        }
        let later = t
            .start_s
            .map_or(String::new(), |s| format!(", sets out at {s:.1} s"));
        let round = if args.obstacles.is_some() {
            " (ways round obstacles count as such)"
        } else {
            ""
        };
        term.say(&format!(
            "{name}{}: {:.2} s, {:.1} cm RMS from the path{round}, {} transitions, searched for {:.2} s{later}",
            t.report.status,
            t.report.seconds,
            100.0 * t.report.path_error_m.rms,
            t.report.transitions.len(),
            t.report.search_seconds
        ));
    }
    outcome
}
