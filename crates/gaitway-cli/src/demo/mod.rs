//! `gaitway demo`: the whole line on built-in motion, into one folder that opens with a page.
//!
//! performer ─► clips ─► graph ─► a path in two styles round a pillar ─► planted feet ─► BVH, GLB, pictures, GIF, page

mod motion;
mod page;
mod takes;

use gaitway::core::performer;

use super::args::DemoArgs;
use super::path::show;
use super::render::write_bytes;
use super::term::Term;
use super::{CliError, Outcome, interrupt};

/// Captured motion usually comes at 60 Hz or more; this shows what a folder of it looks like.
const RATE_HZ: f64 = 60.0;

/// Runs the verb.
pub fn run(args: &DemoArgs, term: &mut Term) -> Result<Outcome, CliError> {
    interrupt::on_ctrl_c();
    let out = &args.out;
    for folder in ["clips", "glb", "pictures"] {
        std::fs::create_dir_all(out.join(folder))
            .map_err(|e| CliError::new(format!("{}: {e}", out.display())))?;
    }
    term.say("A program performs: walking, running, sneaking, turning, picking up, sitting …");
    let takes = performer::library(args.seed, RATE_HZ).map_err(|e| CliError::new(e.to_string()))?;
    interrupt::go_on()?;
    takes::write(out, &takes, term)?;
    term.say("Where two clips look alike, one can flow into the other: all such places are a motion graph …");
    let graph = motion::graph(out, &takes)?;
    interrupt::go_on()?;
    term.say("A path, a pillar in its way, walking and then sneaking: the graph is searched for a motion that does it …");
    let demo = motion::follow(out, graph, term)?;
    interrupt::go_on()?;
    term.say("Drawing …");
    let html = page::page(out, &takes, &demo)?;
    interrupt::go_on()?;
    write_bytes(&out.join("index.html"), html.as_bytes())?;
    let report = &demo.planned.report;
    // Going round the pillar is no error.
    let free = show::free_error_m(&demo.graph, &demo.request, &demo.planned);
    term.say(&format!(
        "Done: {:.1} s of motion nobody performed, from {} clips, {:.1} cm RMS from the path where it is free.",
        report.seconds,
        takes.len(),
        100.0 * free.unwrap_or(report.path_error_m.rms)
    ));
    let page = out.join("index.html");
    term.say(&format!("Open {} in a browser.", page.display()));
    Ok(Outcome::Done)
}
