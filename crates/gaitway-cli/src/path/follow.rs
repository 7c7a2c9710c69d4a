//! Searching with a bar that shows it, and writing what was made.

use std::path::Path as FilePath;

use gaitway::eval::quality::{Quality, quality_against};
use gaitway::graph::MotionGraph;
use gaitway::retarget::Report;
use gaitway::synth::Motion;
use gaitway::synth::path::{EdgePaths, PathMotion, PathRequest, PathWalk, find_walks, make_motion};
use gaitway::synth::search::{Control, SearchProgress};

use super::super::build::graph_error;
use super::super::make::{say_not_planted, synth_error};
use super::super::onto::{self, Onto};
use super::super::term::Term;
use super::super::{CliError, interrupt};

/// Searches: one walk, several for the same path, or a crowd.
pub fn search(
    graph: &MotionGraph,
    edges: &EdgePaths,
    request: &PathRequest,
    term: &mut Term,
) -> Result<Vec<PathWalk>, CliError> {
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
    let walks = find_walks(graph, edges, request, control).map_err(synth_error)?;
    bar.finish_and_clear();
    Ok(walks)
}

/// What `quality` says of a motion, against the clips it was made from.
pub fn quality_of(graph: &MotionGraph, motion: &Motion, file: &str) -> Result<Quality, CliError> {
    let times = motion.transition_times();
    quality_against(graph, motion.clips_used(), &motion.clip, times, file).map_err(graph_error)
}

/// Makes, measures and writes one motion; on another body where one is asked for, with what that took. Where there is no walk to the end, nothing is written.
pub fn make_and_write(
    graph: &MotionGraph,
    request: &PathRequest,
    walk: PathWalk,
    onto: Option<&Onto>,
    file: &FilePath,
    term: &mut Term,
) -> Result<(PathMotion, Option<Report>), CliError> {
    let mut made = make_motion(graph, request, walk).map_err(synth_error)?;
    say_not_planted(made.not_planted.as_deref(), term);
    let name = file.display().to_string();
    let mut done = None;
    if let Some(clip) = made.clip() {
        done = onto::write(onto, file, clip, term)?.map(|d| d.1);
    }
    if let Some(motion) = &made.motion {
        let numbers = quality_of(graph, motion, &name)?;
        made.report.quality = serde_json::to_value(numbers).ok();
    }
    Ok((made, done))
}
